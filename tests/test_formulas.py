"""Formulas of notebooks, records and docstrings have the values of their metrics, on small data."""

import json
import re
from functools import cache
from itertools import combinations_with_replacement, product
from math import isclose, isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import all_small
import pytest
from latex import evaluate, translate
from random_inputs import option_values

from mlm_helpers import catalogue, exact_match, example_based, top_k
from mlm_helpers.catalogue import record_of

# Other tests cover the code that runs here; tracing it would double the time.
pytestmark = pytest.mark.no_cover

METRICS = catalogue.variants()
METRICS |= {  # by the names in formulas of notebooks
    "exact match": METRICS["subset accuracy"], "accuracy": METRICS["samples accuracy (Jaccard)"],
    "precision": METRICS["samples precision"], "recall": METRICS["samples recall"],
    "F1": METRICS["samples F1"], "Fβ": example_based.fbeta,
    "macro-F1": METRICS["macro F1"], "micro-F1": METRICS["micro F1"],
    "precision at k": top_k.precision, "recall at k": top_k.recall, "nDCG at k": top_k.ndcg,
    "AP": METRICS["macro AP"], "AUROC": METRICS["macro AUROC"],
    "log loss": METRICS["macro log loss"], "Brier": METRICS["macro Brier score"],
}  # fmt: skip
NOT_METRICS = {  # the definitions of q and of propensities
    r"(L \text{ labels})", r"q_j = 1 + C\,(n_j + B)^{-A}", r"C = (\ln N - 1)(B + 1)^A",
}  # fmt: skip
WITH_OWN_DATA = {"01-40": exact_match.subset_accuracy}  # true only for `independent_mistakes`
ONLY_OPTIONS = {"04-39": {"zero_division": 0.0}}  # it is 0/0 where the ratio of counts is 0/2
SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))  # n and L differ in some
CHOICES = {"zero_division": (0, 1), "beta": all_small.BETAS, "start": (1, 0), "k": (1, 2)}

DISPLAYED = re.compile(r"\$\$(.+?)\$\$|\\\[.+?\\\]|\\begin\{.+?\\end\{.+?\}|```math.+?```", re.S)
NAME = "|".join(re.escape(rf"\text{{{name}}}") for name in METRICS)


class Formula(NamedTuple):
    source: str  # id of a notebook's cell or of a record
    latex: str
    metric: Any

    @property
    def is_of_one_unit(self):
        """Whether it is the value of one sample or label, not of a data set."""
        return not re.search("_i|_{Y_i}|micro|macro", self.latex)


def markdown_cells():
    """Id and text of each Markdown cell of the notebooks."""
    for path in sorted(Path(__file__).parents[1].glob("notebooks/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield cell["id"], "".join(cell["source"])


def formulas():
    """All displayed formulas of notebooks, records and docstrings."""
    for cell, text in markdown_cells():
        for display in DISPLAYED.finditer(text):
            for latex in (display[1] or display[0]).split(r"\qquad"):
                name = re.match(r"\s*\\text\{([^}]*)\} *=", latex)
                metric = METRICS.get(name[1]) if name else WITH_OWN_DATA.get(cell)
                if latex.strip() not in NOT_METRICS:
                    yield Formula(cell, latex.strip(), metric)
    for record in catalogue.METRICS:
        yield Formula(record.id, record.teaching.latex, record.function)
        for latex in re.findall(r"\.\. math:: (.+?)\n\n", record.function.__doc__, re.S):
            yield Formula(f"docstring of {record.id}", latex, record.function)


@pytest.mark.parametrize("formula", list(formulas()), ids=lambda f: f"{f.source} {f.latex}")
def test_a_formula_is_its_metric(formula):
    assert formula.metric, r"it does not name a metric: write \text{name} = before it"
    assert not first_mismatch(formula)


def test_no_formula_is_overlooked():
    for cell, text in markdown_cells():
        assert not re.findall(r"\$\$|\\[A-Za-z\[]", DISPLAYED.sub("", text)), cell


def label_sets(matrix):
    """The label set of each row; labels count from 1."""
    return [{j for j, cell in enumerate(row, 1) if cell} for row in matrix]


def transpose(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def with_ancestors(label_set, parents):
    """A label set, whose labels count from 1, with the parents of its labels, theirs and so on."""
    above = {i + 1 for j in label_set for i in parents[j - 1]}
    return with_ancestors(label_set | above, parents) if above - label_set else label_set


def set_symbols(y_true, y_pred, options):
    """For each symbol of a set metric, its values for all samples or for all labels."""
    columns = zip(transpose(y_true), transpose(y_pred), strict=True)
    cells = [list(zip(*column, strict=True)) for column in columns]
    outcomes = {"TP": (1, 1), "FP": (0, 1), "FN": (1, 0), "TN": (0, 0)}
    counts = {name: [label.count(cell) for label in cells] for name, cell in outcomes.items()}
    Y, Z = label_sets(y_true), label_sets(y_pred)
    parents = options.get("parents", [[]] * len(cells))
    hat_Y, hat_Z = ([with_ancestors(one, parents) for one in sets] for sets in (Y, Z))
    return {"Y": Y, "Z": Z, "hat_Y": hat_Y, "hat_Z": hat_Z} | counts


def rank_symbols(y_true, y_score, options):
    """For each symbol of a ranking metric, its values for all samples; scores without ties."""
    Y, start, k = label_sets(y_true), options.get("start", 1), options.get("k", 1)
    # r(j) is the rank of label j, r_Y(j) its rank among the relevant labels
    r = [lambda j, row=row: start + sum(score > row[j - 1] for score in row) for row in y_score]
    r_Y = [
        lambda j, row=row, relevant=relevant: 1 + sum(row[i - 1] > row[j - 1] for i in relevant)
        for row, relevant in zip(y_score, Y, strict=True)
    ]
    T = [{j for j, score in enumerate(row, 1) if sorted(row)[-k] <= score} for row in y_score]
    top = [row.index(max(row)) + 1 for row in y_score]
    weights = options.get("inverse_propensities", y_score[0])
    w = [dict(enumerate(weights, 1))] * len(Y)
    v = [dict(enumerate(sorted((w[0][j] for j in one), reverse=True), 1)) for one in Y]
    return {"Y": Y, "r": r, "r_Y": r_Y, "T": T, "top_label": top, "w": w, "v": v}


def small_data_sets(record, n, L):
    """All data sets of n samples and L labels, scores without ties.

    They are transposed for a curve metric.
    """
    if record.reads == "y_pred":
        return all_small.representatives(n, L)
    pairs = all_small.pairs(*((L, n) if record.unit == "label" else (n, L)), True)
    return [pair for pair in pairs if all(len({*row}) == len(row) for row in pair[1])]


def small_cases(metric, is_of_one_unit):
    """Data, options, symbols' values, and the metric's value, on all small data."""
    record = record_of(metric)
    is_ranking = record.reads == "y_score"
    is_transposed = is_ranking and record.unit == "label"
    for n, L in SHAPES:
        if is_of_one_unit and (L if record.unit == "label" else n) > 1:
            continue
        choices = {name: CHOICES[name] for name in CHOICES if name in record.defaults}
        for name in record.required.keys() - choices.keys():
            choices[name] = option_values(record.parameters[name], L)
        data_sets = small_data_sets(record, n, L)
        for data, combination in product(data_sets, product(*choices.values())):
            options = dict(zip(choices, combination, strict=True))
            if options.get("k", 1) > L:
                continue
            arguments = tuple(map(transpose, data)) if is_transposed else data
            lists = (rank_symbols if is_ranking else set_symbols)(*data, options)
            units = {name: dict(enumerate(values, 1)) for name, values in lists.items()}
            symbols = {name: u[1] for name, u in units.items()} if is_of_one_unit else units
            symbols |= {"n": n, "L": L, "q": L} | options
            if record.unit == "label":
                symbols |= {name: options[name][0] for name in record.required_per_label}
            yield arguments, options, symbols, metric(*arguments, **options)


def probability_cases(metric):
    """Cases as of `small_cases` for a metric of probabilities: one label of up to three samples."""
    cells = list(product((0, 1), (0.125, 0.5, 0.75)))  # truth and probability
    for n in (1, 2, 3):
        for column in combinations_with_replacement(cells, n):
            y, p = zip(*column, strict=True)
            data = transpose([y]), transpose([p])
            symbols = {"y": dict(enumerate(y, 1)), "p": dict(enumerate(p, 1)), "n": n}
            symbols |= bin_symbols(y, p)
            yield data, {}, symbols, metric(*data)


def bin_symbols(y, p, n_bins=10):
    """For each symbol of a metric of bins, its values by bin, from 1; means are 0 if empty."""
    in_bin = {
        b: [i for i, x in enumerate(p) if b - 1 < n_bins * x <= b] for b in range(1, n_bins + 1)
    }

    def means(values):
        return {b: sum(values[i] for i in B) / max(len(B), 1) for b, B in in_bin.items()}

    return {"B": in_bin, "n_bins": n_bins, "bar_y": means(y), "bar_p": means(p)}


@cache
def cases(metric, is_of_one_unit):
    """All cases of a metric, or of its value of one sample or label."""
    if record_of(metric).reads == "y_prob":
        return list(probability_cases(metric))
    return list(small_cases(metric, is_of_one_unit))


def independent_mistakes():
    """The data of notebook 01: each label is wrong on one sample of ten, independently."""
    for L in (1, 2, 3):
        digits = list(product(range(10), repeat=L))
        data = [[0] * L] * len(digits), [[d == 0 for d in sample] for sample in digits]
        yield data, {}, {"L": L, "n": len(digits)}, exact_match.subset_accuracy(*data)


def first_mismatch(formula):
    """A sentence about the first data on which a side differs from the metric.

    It is empty if there are none.
    """
    sides = {side: compile(side, side, "eval") for side in translate(formula.latex)}
    names = re.findall(NAME, formula.latex)
    plain_names = {name: name.removeprefix(r"\text{").removesuffix("}") for name in names}
    metrics = {translate(name)[0]: METRICS[plain] for name, plain in plain_names.items()}
    default = record_of(formula.metric).defaults.get("undefined", nan)
    all_cases = cases(formula.metric, formula.is_of_one_unit)
    if formula.source in WITH_OWN_DATA:
        all_cases = independent_mistakes()
    for data, options, symbols, number in all_cases:
        if options != ONLY_OPTIONS.get(formula.source, options):
            continue
        undefined = options.get("zero_division", default)
        values = {name: metric(*data, **options) for name, metric in metrics.items()}
        for side, code in sides.items():
            value = evaluate(code, values | symbols, undefined)
            if not (isclose(value, number, abs_tol=1e-12) or (isnan(value) and isnan(number))):
                return f"{side} is {value}, not {number}: {data} {options}"
    return ""
