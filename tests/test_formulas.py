"""Formulas of notebooks and records are the metrics that they name: on all small worlds, under every option."""

import json
import re
from functools import cache
from itertools import combinations_with_replacement, product
from math import isclose, isnan
from pathlib import Path
from typing import Any, NamedTuple

import all_small
import pytest
from latex import evaluate, translate

from mlm_helpers import catalogue, exact_match, example_based, top_k
from mlm_helpers.catalogue import record_of

# What this file runs is covered by the others; tracing it would double its time.
pytestmark = pytest.mark.no_cover

OURS = catalogue.variants()  # and by the names that the formulas of notebooks give them
OURS |= {
    "exact match": OURS["subset accuracy"], "accuracy": OURS["samples accuracy (Jaccard)"],
    "precision": OURS["samples precision"], "recall": OURS["samples recall"],
    "F1": OURS["samples F1"], "Fβ": example_based.fbeta, "macro-F1": OURS["macro F1"], "micro-F1": OURS["micro F1"],
    "precision at k": top_k.precision, "recall at k": top_k.recall, "nDCG at k": top_k.ndcg,
    "AP": OURS["macro AP"], "AUROC": OURS["macro AUROC"],
    "log loss": OURS["macro log loss"], "Brier": OURS["macro Brier score"],
}  # fmt: skip
NO_METRIC = {  # what q is, and the propensities of labels
    r"(L \text{ labels})", r"q_j = 1 + C\,(n_j + B)^{-A}", r"C = (\ln N - 1)(B + 1)^A",
}  # fmt: skip
OF_DATA = {"01-40": exact_match.subset_accuracy}  # not in all worlds: of data that are built there
NARROWED = {"04-39": {"zero_division": 0.0}}  # without hits it is 0/0, where the counts are 0/2
SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))  # not all square: n is not L
CHOICES = {"zero_division": (0, 1), "beta": all_small.BETAS, "start": (1, 0), "k": (1, 2)}

DISPLAYED = re.compile(r"\$\$(.+?)\$\$|\\\[.+?\\\]|\\begin\{.+?\\end\{.+?\}|```math.+?```", re.S)
NAME = "|".join(re.escape(rf"\text{{{name}}}") for name in OURS)


class Formula(NamedTuple):
    where: str
    latex: str
    metric: Any

    @property
    def of_one(self):
        """Of one sample or one label, not of a whole world."""
        return not re.search("_i|_{Y_i}|micro|macro", self.latex)


def prose():
    for path in sorted(Path(__file__).parents[1].glob("notebooks/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield cell["id"], "".join(cell["source"])


def formulas():
    for where, text in prose():
        for display in DISPLAYED.finditer(text):
            for latex in (display[1] or display[0]).split(r"\qquad"):
                named = re.match(r"\s*\\text\{([^}]*)\} *=", latex)
                metric = OURS.get(named[1]) if named else OF_DATA.get(where)
                if latex.strip() not in NO_METRIC:
                    yield Formula(where, latex.strip(), metric)
    for record in catalogue.taught_records():
        yield Formula(record.id, record.latex, record.function)


@pytest.mark.parametrize("formula", list(formulas()), ids=lambda f: " ".join(f[:2]))
def test_a_formula_is_its_metric(formula):
    assert formula.metric, r"it names none that is ours: write \text{name} = before it"
    assert not quarrel(formula, formula.latex)


def test_no_formula_is_overlooked():
    for where, text in prose():
        assert not re.findall(r"\$\$|\\[A-Za-z\[]", DISPLAYED.sub("", text)), where


# ---------------------------------------------------------------------------- what the signs stand for


def labels(matrix):
    return [{j for j, cell in enumerate(row, 1) if cell} for row in matrix]


def turned(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def of_sets(y_true, y_pred, options):
    columns = zip(turned(y_true), turned(y_pred), strict=True)
    cells = [list(zip(*column, strict=True)) for column in columns]
    kinds = {"TP": (1, 1), "FP": (0, 1), "FN": (1, 0), "TN": (0, 0)}
    counts = {kind: [label.count(cell) for label in cells] for kind, cell in kinds.items()}
    return {"Y": labels(y_true), "Z": labels(y_pred)} | counts


def of_ranks(y_true, y_score, options):
    """By their definitions, of scores without ties. Labels count from 1."""
    Y, shift, k = labels(y_true), options.get("start", 1), options.get("k", 1)
    r = [lambda j, s=s: shift + sum(one > s[j - 1] for one in s) for s in y_score]
    r_Y = [
        lambda j, s=s, y=y: 1 + sum(s[one - 1] > s[j - 1] for one in y)
        for s, y in zip(y_score, Y, strict=True)
    ]
    T = [{j for j, one in enumerate(s, 1) if sorted(s)[-k] <= one} for s in y_score]
    return {"Y": Y, "r": r, "r_Y": r_Y, "T": T, "top_label": [s.index(max(s)) + 1 for s in y_score]}


def cases(metric, of_one):
    """Small worlds of every kind, scores in every order without ties; in columns, those of labels turned round."""
    record = record_of(metric)
    ranked, in_columns = record.reads == "y_score", record.unit == "label"
    taken = {name: CHOICES[name] for name in CHOICES if name in record.defaults}
    for n, L in SHAPES:
        if of_one and (n if record.unit == "sample" else L) > 1:
            continue
        every = all_small.representatives(n, L)
        if ranked:
            pairs = all_small.pairs(*((L, n) if in_columns else (n, L)), True)
            every = [p for p in pairs if all(len({*row}) == len(row) for row in p[1])]
        for world, chosen in product(every, product(*taken.values())):
            options = dict(zip(taken, chosen, strict=True))
            if options.get("k", 1) > L:
                continue
            given = tuple(map(turned, world)) if ranked and in_columns else world
            held = (of_ranks if ranked else of_sets)(*world, options)
            signs = {s: own[0] if of_one else dict(enumerate(own, 1)) for s, own in held.items()}
            signs |= {"beta": options.get("beta"), "k": options.get("k"), "n": n, "L": L, "q": L}
            yield given, options, signs, metric(*given, **options)


def of_probabilities(metric):
    """Every column of up to three samples, with probabilities of eighths."""
    cells = list(product((0, 1), (0.125, 0.5, 0.75)))
    for n in (1, 2, 3):
        for column in combinations_with_replacement(cells, n):
            y, p = zip(*column, strict=True)
            world = [[one] for one in y], [[one] for one in p]
            signs = {"y": dict(enumerate(y, 1)), "p": dict(enumerate(p, 1)), "n": n}
            yield world, {}, signs, metric(*world)


@cache
def small(metric, of_one):
    is_of_probabilities = record_of(metric).reads == "y_prob"
    return list(of_probabilities(metric) if is_of_probabilities else cases(metric, of_one))


def almost_right():
    """Each label wrong on one sample of ten, with nothing to do with the others: as notebook 01."""
    for L in (1, 2, 3):
        digits = list(product(range(10), repeat=L))
        world = [[0] * L] * len(digits), [[d == 0 for d in sample] for sample in digits]
        yield world, {}, {"L": L, "n": len(digits)}, exact_match.subset_accuracy(*world)


def quarrel(formula, latex):
    """The first world where the formula so written is another number; empty where there is none."""
    sides = {side: compile(side, side, "eval") for side in translate(latex)}
    called = {translate(name)[0]: OURS[name[6:-1]] for name in re.findall(NAME, latex)}
    some = almost_right() if formula.where in OF_DATA else small(formula.metric, formula.of_one)
    for world, options, signs, number in some:
        if options != NARROWED.get(formula.where, options):
            continue
        undefined = options.get(
            "zero_division", record_of(formula.metric).defaults.get("undefined")
        )
        own = {name: metric(*world, **options) for name, metric in called.items()}
        for side, code in sides.items():
            value = evaluate(code, own | signs, undefined)
            if not (isclose(value, number, abs_tol=1e-12) or (isnan(value) and isnan(number))):
                return f"{side} is {value}, not {number}: {world} {options}"
    return ""
