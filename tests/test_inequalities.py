"""What is at most what: the false claims by pencil, and all of them on every small world and beyond."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from itertools import product

import numpy as np
import pytest
import worlds
from drawing import many, same
from hypothesis import given
from hypothesis import strategies as st
from test_disagreement import Named, score_rows

from mlm_helpers import catalogue, inequalities, label_based
from mlm_helpers.inequalities import ALL, Inequality, smallest_counterexample

TRUE = [claim for claim in ALL if claim.why]
FALSE = [claim for claim in ALL if not claim.why]


def each(claims):
    return pytest.mark.parametrize("claim", claims, ids=lambda claim: claim.says)


# ---------------------------------------------------------------------------- by pencil

# Truth, prediction or scores, and both sides.
BY_PENCIL = {
    # Nothing is true and nothing predicted: all right, but 0/0.
    "subset accuracy ≤ samples Jaccard": ([[0]], [[0]], 1, 0),
    # One sample of 0/0 and one of 1: J and F1 are 1/2 both, and (1/2) / (2 − 1/2) is 1/3.
    "samples Jaccard = F1 / (2 − F1) of samples F1": ([[0], [1]], [[0], [1]], F(1, 2), F(1, 3)),
    # Precision 1/2 and 1, recall 1 and 1/2: the means are 3/4, and both samples have an F1 of 2/3.
    "the smaller of samples precision and recall ≤ samples F1": (
        [[0, 1], [1, 1]], [[1, 1], [0, 1]], F(3, 4), F(2, 3),
    ),
    "the smaller of macro precision and recall ≤ macro F1": (
        [[0, 1], [1, 1]], [[1, 0], [1, 1]], F(3, 4), F(2, 3),
    ),
    # F1 of 1 and 2/3; pooled, two hits and one false alarm: 4/5.
    "macro F1 ≤ micro F1": ([[0, 0], [1, 1]], [[0, 1], [1, 1]], F(5, 6), F(4, 5)),
    # One hit, one false alarm: 2/3, and half of the cells are right.
    "micro F1 ≤ 1 − Hamming loss": ([[0, 1]], [[1, 1]], F(2, 3), F(1, 2)),
    "micro precision = micro recall": ([[0, 1]], [[1, 1]], F(1, 2), 1),
    # Nothing is true: rightly nothing reaches 1/2, but no label at the top is right.
    "one-error ≤ zero-one loss": ([[0]], [[0.1]], 1, 0),
    # A tie for the first place: half a hit, a whole error.
    "precision at 1 = 1 − one-error": ([[0, 1]], [[0.1, 0.1]], F(1, 2), 0),
    "ranking loss ≤ 1 − average precision": ([[0, 1]], [[0.1, 0.1]], 1, F(1, 2)),
    # At rank 2 of 4: one of three labels is above it.
    "1 − average precision ≤ ranking loss": (
        [[0, 0, 0, 1]], [[0.1, 0.1, 0.2, 0.2]], F(1, 2), F(1, 3),
    ),
    "precision at 2 ≤ precision at 1": ([[0, 1]], [[0.2, 0.1]], F(1, 2), 0),
    # The positive comes second of two: half of the two are positive, no pair is in order.
    "macro AP ≤ macro AUROC": ([[0], [1]], [[0.2], [0.1]], F(1, 2), 0),
}  # fmt: skip


def test_every_false_claim_is_done_by_pencil():
    assert [claim.says for claim in FALSE] == list(BY_PENCIL)
    assert len({claim.says for claim in ALL}) == len(ALL) == len(TRUE) + len(FALSE)


@each(FALSE)
def test_where_it_fails_first(claim):
    found = inequalities.refuted(claim)
    y_true, y_other, *sides = BY_PENCIL[claim.says]
    assert (found.y_true, found.y_other) == (y_true, y_other)
    assert same([float(side) for side in claim.sides(*found.values)], np.array(sides, dtype=float))


def named(metric):
    own = metric.keywords if isinstance(metric, partial) else {}
    return Named(catalogue.of(metric).function, **own)


def plain_others(metrics, n_samples, n_labels):
    if not any(metric.reads_scores for metric in metrics):
        return worlds.matrices(n_samples, n_labels)
    of_columns = any(m.reads_scores and m.record.along == "label" for m in metrics)
    together = n_labels * (n_samples if of_columns else 1)
    rows = score_rows(together, cut=not all(metric.reads_scores for metric in metrics))
    lists = [sum(some, ()) for some in product(rows, repeat=n_samples * n_labels // together)]
    return [
        tuple(cells[i : i + n_labels] for i in range(0, len(cells), n_labels)) for cells in lists
    ]


@pytest.mark.no_cover
@each(ALL)
def test_plain_search_finds_the_same(claim):
    """In fractions, up to 4 cells in two samples, or in one."""
    metrics = [named(metric) for metric in claim.metrics]
    least = max((metric.function.keywords.get("k", 1) for metric in metrics), default=1)
    sizes = [size for size in ((1, 1), (1, 2), (2, 1), (1, 3), (1, 4), (2, 2)) if size[1] >= least]
    first = next(
        (
            (y_true, y_other)
            for size in sizes
            for y_true, y_other in product(
                worlds.matrices(*size), plain_others(metrics, *size)
            )
            if claim.fails(*(metric.value(y_true, y_other) for metric in metrics))
        ),
        None,
    )  # fmt: skip
    found = inequalities.refuted(claim) if not claim.why else None
    assert (first is None) == (found is None)
    if first:
        data = zip((found.y_true, found.y_other), first, strict=True)
        assert all(same(ours, np.array(plain, dtype=float)) for ours, plain in data)


# ---------------------------------------------------------------------------- the true ones


@each(TRUE)
def test_a_true_claim_has_no_counterexample(claim):
    assert smallest_counterexample(claim) is None


@pytest.mark.exhaustive
@each(TRUE)
def test_a_true_claim_has_no_counterexample_of_three_samples_or_four_labels(claim):
    for size in ({"max_samples": 3, "max_labels": 2}, {"max_samples": 1, "max_labels": 4}):
        assert smallest_counterexample(claim, **size) is None


@many
@given(shape=st.tuples(st.integers(1, 8), st.integers(2, 6)), seed=st.integers(0, 10**6))
def test_a_true_claim_holds_on_larger_data(shape, seed):
    random = np.random.default_rng(seed)
    y_true, y_score = random.integers(0, 2, shape), random.integers(1, 9, shape) / 10
    y_pred = (y_score >= 0.5).astype(int)
    for claim in TRUE:
        values = (
            metric(y_true, y_score if catalogue.of(metric).reads == "y_score" else y_pred)
            for metric in claim.metrics
        )
        left, right = claim.sides(*values)
        assert np.isclose(left, right, rtol=0, atol=1e-12) if claim.equal else left <= right + 1e-12


@each([claim for claim in TRUE if not claim.equal])
def test_turned_round_it_fails(claim):
    turned = replace(claim, sides=lambda *values: claim.sides(*values)[::-1])
    assert smallest_counterexample(turned) is not None


@each([claim for claim in TRUE if claim.equal])
def test_next_to_equal_it_fails(claim):
    def off(*values):
        left, right = claim.sides(*values)
        return left, right * (1 + 1e-6)

    assert smallest_counterexample(replace(claim, sides=off)) is not None


def test_one_half_is_the_least_that_can_be_added_to_macro_f1():
    """Of n samples, label 1 is true of all and found in one, label 2 true of one and found in all."""
    n = 1000
    y_true = [[1, int(i == 0)] for i in range(n)]
    y_pred = [[int(i == 0), 1] for i in range(n)]
    p, r, f1 = (
        m(y_true, y_pred) for m in (label_based.precision, label_based.recall, label_based.f1)
    )
    assert same([p, r, f1], [(1 + 1 / n) / 2, (1 + 1 / n) / 2, 2 / (n + 1)])
    (claim,) = (claim for claim in ALL if claim.says == "CF1 ≤ macro F1 + 1/2")
    cf1, bound = claim.sides(f1, p, r)
    assert 0 < bound - cf1 < 0.01


# ---------------------------------------------------------------------------- errors and looks


def test_no_value_contradicts_nothing():
    claim = Inequality("a ≤ b", ALL[0].metrics, lambda a, b: (a, b))
    assert not claim.fails(float("nan"), 0.0)
    assert not replace(claim, equal=True).fails(1.0, float("nan"))
    assert claim.fails(1.0, 0.5) and not claim.fails(0.1 + 0.2, 0.3)


def test_what_is_refused():
    with pytest.raises(
        TypeError, match=r"^claim is of type str: give an Inequality, such as one of"
    ):
        smallest_counterexample("Hamming loss ≤ zero-one loss")
    bound = Inequality("all", (partial(label_based.f1, average=None),), lambda f1: (f1, 1))
    with pytest.raises(ValueError, match="average is None, a value per label"):
        smallest_counterexample(bound)
    with pytest.raises(ValueError, match="max_labels is 0: give a whole number of 1 or more"):
        smallest_counterexample(ALL[0], max_labels=0)


def test_it_reads_as_words():
    (claim,) = (claim for claim in ALL if claim.says == "one-error ≤ zero-one loss")
    assert repr(smallest_counterexample(claim)) == (
        """
one-error ≤ zero-one loss

The smallest data
sample  truth  scores
1       0      0.1

one-error 1; zero-one loss 0

But 1 > 0
""".strip()
    )


def test_the_sheet_has_every_claim_once():
    true, false = inequalities.sheet().steps
    assert true.rows == tuple((claim.says, claim.why) for claim in TRUE)
    assert [row[0] for row in false.rows] == list(BY_PENCIL)
    assert false.rows[2][1:] == ("0 1 / 1 1", "1 1 / 0 1", "3/4 = 0.75 > 2/3 ≈ 0.667")
    assert false.rows[6][3] == "1/2 = 0.5 < 1"
