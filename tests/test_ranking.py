"""Ranks and ranking metrics by hand, for every tie rule. test_all_small.py has scikit-learn."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from random_inputs import random_rankings

from mlm_helpers._core import blocks
from mlm_helpers.ranking import average_precision, coverage, one_error, ranking_loss, ranks

NAN = math.nan
METRICS = {m.__name__: m for m in (coverage, one_error, ranking_loss, average_precision)}
TIES = ("max", "min", "average", "first", "last")

# ---------------------------------------------------------------------------- the document

# “多标签分类评价指标介绍（一）”: a text of sport and entertainment, and the scores of two models.
# Its labels are sport, geography, entertainment, military and technology.
Y_TRUE = [[1, 0, 1, 0, 0]]
SCORES = {"one": [[0.3, 0.4, 0.5, 0.1, 0.15]], "two": [[0.3, 0.4, 0.6, 0.1, 0.35]]}


@pytest.mark.parametrize(
    "model, rank, expected",
    [
        # Sport is third, entertainment first; geography alone is above sport: 1 of 2 · 3 pairs.
        ("one", [3, 2, 1, 5, 4], {"coverage": 3, "one_error": 0, "ranking_loss": 1 / 6,
                                  "average_precision": (2 / 3 + 1) / 2}),
        # Technology is above sport, too.
        ("two", [4, 2, 1, 5, 3], {"coverage": 4, "one_error": 0, "ranking_loss": 2 / 6,
                                  "average_precision": (2 / 4 + 1) / 2}),
    ],
)  # fmt: skip
def test_values_of_the_document(model, rank, expected):
    assert_array_equal(ranks(SCORES[model]), [rank])
    for name, value in expected.items():
        result = METRICS[name](Y_TRUE, SCORES[model])
        assert type(result) is float
        assert result == pytest.approx(value, rel=1e-15)


# ---------------------------------------------------------------------------- ties

# a: labels 0, 1 and 2 are tied at the top, 0 and 2 are relevant.
# b: labels 0 and 1 are tied at the top, 1 and 2 are relevant.
# c: labels 1 and 2 are tied at the bottom, only 1 is relevant.
# d: the three relevant labels are tied below the other one, so that average precision is lower with
#    the smallest rank, 1 of 2, than with the largest, 3 of 4.
TRUTH = {"a": [1, 0, 1, 0], "b": [0, 1, 1], "c": [0, 1, 0], "d": [0, 1, 1, 1]}
SCORE = {"a": [5, 5, 5, 1], "b": [3, 3, 1], "c": [0.9, 0.2, 0.2], "d": [0.9, 0.5, 0.5, 0.5]}
RANKS = {
    "a": {"max": [3, 3, 3, 4], "min": [1, 1, 1, 4], "average": [2, 2, 2, 4],
          "first": [1, 2, 3, 4], "last": [3, 2, 1, 4]},
    "b": {"max": [2, 2, 3], "min": [1, 1, 3], "average": [1.5, 1.5, 3], "first": [1, 2, 3],
          "last": [2, 1, 3]},
    "c": {"max": [1, 3, 3], "min": [1, 2, 2], "average": [1, 2.5, 2.5], "first": [1, 2, 3],
          "last": [1, 3, 2]},
    "d": {"max": [1, 4, 4, 4], "min": [1, 2, 2, 2], "average": [1, 3, 3, 3], "first": [1, 2, 3, 4],
          "last": [1, 4, 3, 2]},
}  # fmt: skip
VALUES = {  # in the order of TIES
    "coverage": {"a": [3, 1, 2, 3, 3], "b": [3, 3, 3, 3, 3], "c": [3, 2, 2.5, 2, 3],
                 "d": [4, 2, 3, 4, 4]},
    # One of a's three labels at the top is irrelevant, one of b's two.
    "one_error": {"a": [1, 0, 1 / 3, 0, 0], "b": [1, 0, 1 / 2, 1, 0], "c": [1, 1, 1, 1, 1],
                  "d": [1, 1, 1, 1, 1]},
    "ranking_loss": {
        "a": [2 / 4, 0, 1 / 4, 1 / 4, 1 / 4],  # of 4 pairs two are tied, the others right
        "b": [2 / 2, 1 / 2, 3 / 4, 1, 1 / 2],  # of 2 pairs one is tied, the other wrong
        "c": [2 / 2, 1 / 2, 3 / 4, 1 / 2, 1],
        "d": [1, 1, 1, 1, 1],
    },
    "average_precision": {
        # rank among the relevant / rank among all, for each relevant label
        "a": [2 / 3, 1, 1.5 / 2, (1 / 1 + 2 / 3) / 2, (2 / 3 + 1 / 1) / 2],
        "b": [(1 / 2 + 2 / 3) / 2, (1 + 2 / 3) / 2, (1 / 1.5 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2,
              (1 + 2 / 3) / 2],
        "c": [1 / 3, 1 / 2, 1 / 2.5, 1 / 2, 1 / 3],
        "d": [3 / 4, 1 / 2, 2 / 3, (1 / 2 + 2 / 3 + 3 / 4) / 3, (3 / 4 + 2 / 3 + 1 / 2) / 3],
    },
}  # fmt: skip


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("case", RANKS)
def test_every_tie_rule(case, ties):
    result = ranks([SCORE[case]], ties=ties)
    assert_array_equal(result, [RANKS[case][ties]])
    assert result.dtype == float
    for name, values in VALUES.items():
        value = METRICS[name]([TRUTH[case]], [SCORE[case]], ties=ties)
        expected = dict(zip(TIES, values[case], strict=True))[ties]
        assert value == pytest.approx(expected, rel=1e-15), name


def test_zeros_of_either_sign_are_tied_and_neighbouring_floats_are_not():
    assert_array_equal(ranks([[0.0, -0.0]]), [[2, 2]])
    assert_array_equal(ranks([[0.3, np.nextafter(0.3, 1)]]), [[2, 1]])
    assert_array_equal(ranks([[1e308, -1e308, 5e-324]]), [[1, 3, 2]])


def ranks_by_comparison(score, ties):
    """Ranks from comparing every label with every other, and with itself."""
    n_higher = (score[:, None, :] > score[:, :, None]).sum(axis=2)
    is_tied = score[:, None, :] == score[:, :, None]
    counts_as_higher = {"max": is_tied, "first": np.tril(is_tied), "last": np.triu(is_tied)}
    if ties in counts_as_higher:
        return n_higher + counts_as_higher[ties].sum(axis=2)
    return n_higher + 1 if ties == "min" else n_higher + (1 + is_tied.sum(axis=2)) / 2


@pytest.mark.parametrize("ties", TIES)
def test_ranks_of_rows_of_any_length_a_block_at_a_time(ties, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 64)
    for n_labels in (1, 2, 3, 8, 17, 33):
        _, score = random_rankings(20, n_labels)
        assert_array_equal(ranks(score, ties=ties), ranks_by_comparison(score, ties))


# ---------------------------------------------------------------------------- corners

# one relevant label of two, ranked second; no relevant label; all relevant
CORNERS = [[0, 1], [0, 0], [1, 1]], [[2, 1], [2, 1], [2, 1]]


def test_samples_without_relevant_or_irrelevant_labels():
    assert_array_equal(coverage(*CORNERS, per_sample=True), [2, 0, 2])
    assert_array_equal(one_error(*CORNERS, per_sample=True), [1, 1, 0])
    assert_array_equal(ranking_loss(*CORNERS, per_sample=True), [1, 0, 0])
    assert_array_equal(average_precision(*CORNERS, per_sample=True), [1 / 2, 1, 1])
    assert_array_equal(ranking_loss(*CORNERS, undefined=-7.5, per_sample=True), [1, -7.5, -7.5])
    assert ranking_loss(*CORNERS, undefined=NAN, sample_weight=[1, 2, 0]) == 1


def test_start_changes_every_rank_but_not_the_undefined():
    per_sample = partial(coverage, *CORNERS, undefined=5, per_sample=True)
    assert_array_equal(per_sample(start=1), [2, 5, 2])
    assert_array_equal(per_sample(start=0), [1, 5, 1])
    assert_array_equal(per_sample(), per_sample(start=1))
