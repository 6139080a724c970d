"""Formulas of notebooks and records are the metrics that they name: on all small worlds, under every option."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from math import isclose, isnan
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import pytest
import worlds
from latex import evaluate, translate

from mlm_helpers import catalogue, exact_match, example_based, top_k
from mlm_helpers.catalogue import MetricFunction, of

# What this file runs is covered by the others; tracing it would double its time.
pytestmark = pytest.mark.no_cover

Names = dict[str, Any]
Case = tuple[Any, Names, list[Names], float]  # a world, options, what signs stand for, our number

ROOT = Path(__file__).parent.parent
OURS = catalogue.variants()  # and by the names that the formulas of notebooks give them
OURS |= {
    "exact match": OURS["subset accuracy"], "accuracy": OURS["samples accuracy (Jaccard)"],
    "precision": OURS["samples precision"], "recall": OURS["samples recall"],
    "F1": OURS["samples F1"], "Fβ": example_based.fbeta, "macro-F1": OURS["macro F1"], "micro-F1": OURS["micro F1"],
    "precision at k": top_k.precision, "recall at k": top_k.recall, "nDCG at k": top_k.ndcg,
    "AP": OURS["macro AP"], "AUROC": OURS["macro AUROC"],
}  # fmt: skip
NO_METRIC = {  # what q is, and the propensities of labels
    r"(q \text{ labels})", r"q_j = 1 + C\,(n_j + B)^{-A}", r"C = (\ln N - 1)(B + 1)^A",
}  # fmt: skip
OF_DATA = {"01-40": exact_match.subset_accuracy}  # not in all worlds: of data that are built there
NARROWED = {"04-39": {"zero_division": 0.0}}  # without hits it is 0/0, where the counts are 0/2
SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))  # not all square: n is not L
CHOICES = {
    "zero_division": (0, 1), "beta": worlds.BETAS, "ties": worlds.TIES, "start": (1, 0), "k": (1, 2),
}  # fmt: skip

DISPLAYED = re.compile(r"\$\$(.+?)\$\$|\\\[.+?\\\]|\\begin\{.+?\\end\{.+?\}|```math.+?```", re.S)
NAME = "|".join(re.escape(rf"\text{{{name}}}") for name in OURS)


class Formula(NamedTuple):
    where: str
    latex: str
    metric: MetricFunction | None

    @property
    def of_one(self) -> bool:
        """Of one sample or one label, not of a whole world."""
        return not re.search("_i|_{Y_i}|micro|macro", self.latex)


def prose() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.glob("notebooks/*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield cell["id"], "".join(cell["source"])


def formulas() -> Iterator[Formula]:
    for where, text in prose():
        for display in DISPLAYED.finditer(text):
            for latex in (display[1] or display[0]).split(r"\qquad"):
                named = re.match(r"\s*\\text\{([^}]*)\} *=", latex)
                metric = OURS.get(named[1]) if named else OF_DATA.get(where)
                if latex.strip() not in NO_METRIC:
                    yield Formula(where, latex.strip(), metric)
    for record in catalogue.taught():
        yield Formula(record.id, record.latex, record.function)


@pytest.mark.parametrize("formula", list(formulas()), ids=lambda f: " ".join(f[:2]))
def test_a_formula_is_its_metric(formula):
    assert formula.metric, r"it names none that is ours: write \text{name} = before it"
    assert not quarrel(formula, formula.latex)


def test_no_formula_is_overlooked():
    for where, text in prose():
        assert not re.findall(r"\$\$|\\[A-Za-z\[]", DISPLAYED.sub("", text)), where


# ---------------------------------------------------------------------------- what the signs stand for


def rank(j: int, score: worlds.Row, ties: str, among: set[int]) -> float:
    """By its definition. Labels count from 1."""
    above = sum(score[k - 1] > score[j - 1] for k in among)
    tied = [k for k in sorted(among) if score[k - 1] == score[j - 1]]
    first = tied.index(j) + 1
    own = {"worst": len(tied), "best": 1, "average": (1 + len(tied)) / 2, "first": first}
    return above + own.get(ties, len(tied) + 1 - first)


def tops(truth: set[int], score: worlds.Row, ties: str) -> list[int]:
    """Who may stand at the top: the label that wins the tie, or each in turn."""
    tied = [j for j, value in enumerate(score, 1) if value == max(score)]
    worst, best = [j for j in tied if j not in truth], [j for j in tied if j in truth]
    own = {"worst": worst or tied, "best": best or tied, "average": tied, "first": tied[:1]}
    return own.get(ties, tied[-1:])


def labels(matrix: worlds.Matrix) -> list[set[int]]:
    return [{j for j, cell in enumerate(row, 1) if cell} for row in matrix]


def of_sets(y_true, y_pred, options) -> Iterator[Names]:
    columns = zip(zip(*y_true, strict=True), zip(*y_pred, strict=True), strict=True)
    cells = [list(zip(*column, strict=True)) for column in columns]
    kinds = {"TP": (1, 1), "FP": (0, 1), "FN": (1, 0), "TN": (0, 0)}
    counts = {kind: [label.count(cell) for label in cells] for kind, cell in kinds.items()}
    yield {"Y": labels(y_true), "Z": labels(y_pred)} | counts


def of_columns(y_true, y_score, options) -> Iterator[Names]:
    """The ranks of the samples in each column, which are those of the labels in a row."""
    sideways = (list(zip(*matrix, strict=True)) for matrix in (y_true, y_score))
    return of_ranks(*sideways, {"ties": "average"} | options)


def of_ranks(y_true, y_score, options) -> Iterator[Names]:
    """More than once, where a tie leaves open who stands at the top: what counts is the mean."""
    ties, shift = options["ties"], options.get("start", 1) - 1
    samples = list(zip(labels(y_true), y_score, strict=True))
    r = [lambda j, s=s: rank(j, s, ties, {*range(1, len(s) + 1)}) + shift for _, s in samples]
    r_Y = [lambda j, s=s, y=y: rank(j, s, ties, y) for y, s in samples]
    for top in product(*(tops(y, s, ties) for y, s in samples)):
        yield {"Y": labels(y_true), "r": r, "r_Y": r_Y, "top_label": top}


def orders(truth: set[int], score: worlds.Row, ties: str) -> list[tuple[int, ...]]:
    """Those in which the labels can stand: the worst, the best, by index, or each in turn."""
    own = {"worst": lambda j: j in truth, "best": lambda j: j not in truth, "last": lambda j: -j}
    within = own.get(ties, lambda j: j)
    everyone = sorted(range(1, len(score) + 1), key=lambda j: (-score[j - 1], within(j)))
    if ties != "average":
        return [tuple(everyone)]
    falling = sorted(score, reverse=True)
    return [order for order in permutations(everyone) if [score[j - 1] for j in order] == falling]


def of_orders(y_true, y_score, options) -> Iterator[Names]:
    """More than once, where there are ties: what counts is the mean."""
    samples = list(zip(labels(y_true), y_score, strict=True))
    for order in product(*(orders(y, s, options["ties"]) for y, s in samples)):
        r = [lambda j, own=own: own.index(j) + 1 for own in order]
        T = [set(own[: options["k"]]) for own in order]
        yield {"Y": labels(y_true), "r": r, "T": T}


def cases(metric: MetricFunction, of_one: bool) -> Iterator[Case]:
    record = of(metric)
    ranked, in_columns = record.reads == "y_score", record.along == "label"
    read = of_sets
    if ranked:
        read = of_orders if "k" in record.options else of_columns if in_columns else of_ranks
    taken = {name: CHOICES[name] for name in CHOICES if name in record.options}
    for n, L in SHAPES:
        if of_one and (n if record.along == "sample" else L) > 1:
            continue
        every = worlds.pairs(n, L, True) if ranked else worlds.worlds(n, L)
        if ranked and in_columns:
            turned = worlds.pairs(L, n, True)
            every = [tuple(list(map(list, zip(*m, strict=True))) for m in pair) for pair in turned]
        for world, chosen in product(every, product(*taken.values())):
            options = dict(zip(taken, chosen, strict=True))
            if options.get("k", 1) > L:
                continue
            signs = [
                {sign: own[0] if of_one else dict(enumerate(own, 1)) for sign, own in held.items()}
                | {"n": n, "L": L, "q": L, "beta": options.get("beta"), "k": options.get("k")}
                for held in read(*world, options)
            ]
            yield world, options, signs, metric(*world, **options)


@cache
def small(metric: MetricFunction, of_one: bool) -> list[Case]:
    return list(cases(metric, of_one))


def almost_right() -> Iterator[Case]:
    """Each label wrong on one sample of ten, with nothing to do with the others: as notebook 01."""
    for L in (1, 2, 3):
        digits = list(product(range(10), repeat=L))
        world = [[0] * L] * len(digits), [[d == 0 for d in sample] for sample in digits]
        yield world, {}, [{"L": L, "n": len(digits)}], exact_match.subset_accuracy(*world)


def quarrel(formula: Formula, latex: str) -> str:
    """The first world where the formula so written is another number; empty where there is none."""
    sides = {side: compile(side, side, "eval") for side in translate(latex)}
    called = {translate(name)[0]: OURS[name[6:-1]] for name in re.findall(NAME, latex)}
    some = almost_right() if formula.where in OF_DATA else small(formula.metric, formula.of_one)
    for world, options, readings, number in some:
        if options != NARROWED.get(formula.where, options):
            continue
        undefined = options.get("zero_division", of(formula.metric).defaults.get("undefined"))
        own = {name: metric(*world, **options) for name, metric in called.items()}
        for side, code in sides.items():
            value = mean(evaluate(code, own | signs, undefined) for signs in readings)
            if not (isclose(value, number, abs_tol=1e-12) or (isnan(value) and isnan(number))):
                return f"{side} is {value}, not {number}: {world} {options}"
    return ""
