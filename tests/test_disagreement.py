"""The smallest disagreements, against a plain search over fractions, and the facts about all pairs."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from itertools import combinations
from math import nan

import all_small
import numpy as np
import pytest
from all_small import Exact
from random_inputs import agree

from mlm_course import disagreement, small_data
from mlm_course.disagreement import SAME_ORDER, all_pairs, smallest_disagreement
from mlm_helpers import (
    catalogue,
    curves,
    exact_match,
    example_based,
    hamming,
    hierarchy,
    label_based,
    ranking,
    top_k,
)

SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (2, 3))  # fewest cells, then fewest samples
OF = catalogue.variants()


# ---------------------------------------------------------------------------- the plain search


def opposed(a, b, one, two):
    """Whether a and b put the pairs of values ``one`` and ``two`` in opposite order, strictly."""
    return (a.prefers(one[0], two[0]) and b.prefers(two[1], one[1])) or (
        a.prefers(two[0], one[0]) and b.prefers(one[1], two[1])
    )


def plain_search(a, b, sizes):
    """Truth by truth, first by first, second by second, until two are opposed."""
    least = max(catalogue.resolve_options(metric).get("k", 1) for metric in (a, b))
    a, b = Exact(a), Exact(b)
    for size in (size for size in sizes if size[1] >= least):
        others = all_small.predictions((a, b), *size)
        for y_true in all_small.matrices(*size):
            values = [(a.value(y_true, other), b.value(y_true, other)) for other in others]
            different = set(values)
            with_partner = {v for v in different if any(opposed(a, b, v, w) for w in different)}
            for first, one in zip(others, values, strict=True):
                if one in with_partner:
                    for second, two in zip(others, values, strict=True):
                        if opposed(a, b, one, two):
                            return y_true, first, second, *zip(one, two, strict=True)
    return None


def ends_alike(found, case):
    if found is None or case is None:
        return found is case
    data = (found.y_true, found.first, found.second, found.values_a, found.values_b)
    return all(map(agree, data, case))


def against_itself(function, option, one, two, **also):
    return tuple(partial(function, **also, **{option: value}) for value in (one, two))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (exact_match.zero_one_loss, exact_match.subset_accuracy),  # a loss and a score
        (OF["macro precision"], OF["weighted precision"]),
        (OF["macro F1"], OF["macro Jaccard"]),  # None
        (OF["micro F1"], ranking.one_error),
        (ranking.coverage, ranking.ranking_loss),  # None
        (OF["macro AP"], ranking.ranking_loss),  # columns beside rows: an order of all cells
        (partial(top_k.precision, k=2), example_based.f1),
        against_itself(ranking.ranking_loss, "ties", "first", "last"),
        # nan: a prediction without a value, a label that is left out
        against_itself(example_based.precision, "zero_division", nan, 0.0),
        against_itself(label_based.jaccard, "zero_division", nan, 0.0, average="macro"),
    ],
)
def test_plain_search_finds_the_same(a, b):
    assert ends_alike(smallest_disagreement(a, b), plain_search(a, b, SIZES))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("a", "b", "last"),
    [
        (hamming.hamming_loss, exact_match.subset_accuracy, (3, 2)),  # fewer samples come first
        # tied samples stand in their order, so a truth with its samples sorted is not enough
        (partial(curves.average_precision, ties="first"), OF["macro AUROC"], (3, 1)),
        # nearly recall, or precision: where those tie it still has a preference
        (partial(label_based.fbeta, beta=10**6), OF["macro recall"], (2, 2)),
        (partial(label_based.fbeta, beta=10**-6), OF["macro recall"], (2, 2)),
    ],
)
def test_plain_search_finds_the_same_on_other_sizes(a, b, last):
    sizes = [(n, m) for n in range(1, last[0] + 1) for m in range(1, last[1] + 1)]
    found = smallest_disagreement(a, b, max_samples=last[0], max_labels=last[1])
    assert ends_alike(found, plain_search(a, b, sorted(sizes, key=lambda s: (s[0] * s[1], s[0]))))


def test_some_truths_at_a_time_are_as_good_as_all(monkeypatch):
    def found():
        return smallest_disagreement(
            ranking.coverage, ranking.ranking_loss, max_labels=5, max_samples=1
        )

    together = found()
    monkeypatch.setattr(small_data, "_BATCH_SIZE", 1)
    assert found() == together and together.y_true == [[0, 0, 0, 1, 1]]


def test_it_says_which_prediction_each_metric_prefers(snapshot):
    """Three wrong labels in one row, against one in each row: 1/2 and 0, 3/6 and 2/6."""
    assert (
        repr(smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)) == snapshot
    )


def test_the_last_bits_of_a_float_are_no_preference():
    def first_opposed(a, b):
        return disagreement._first_opposed(np.array(a), np.array(b))

    assert first_opposed([0.1 + 0.2, 0.3], [0.0, 1.0]) is None
    assert first_opposed([0.3 + 1e-6, 0.3], [0.0, 1.0]) == (0, 1)
    assert first_opposed([nan, 0.3], [0.0, 1.0]) is None


def test_values_that_look_alike_are_told_apart():
    assert small_data.fraction_or_root(1 - 1e-12) == "0.999999999999"


# ---------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("metric", "sizes", "words"),
    [
        (partial(label_based.f1, sample_weight=np.ones(2)), {}, "the samples are made here"),
        (example_based.f1, {"max_samples": 0}, "max_samples is 0: give a whole number of 1"),
        (example_based.f1, {"max_labels": None}, "max_labels is None: give a whole number of 1"),
        # before the smaller sizes are searched, which takes minutes where there is nothing to find
        (ranking.coverage, {"max_labels": 10**9}, "a search of more than 8 cells takes too long"),
        (hamming.hamming_loss, {"max_samples": 3, "max_labels": 3}, "a search of more than 8"),
        (partial(hierarchy.f1, parents=[[1], [0]]), {"max_labels": 2}, "parents has a cycle"),
        (partial(top_k.recall, k=9), {}, "k is 9: give a whole number"),
    ],
)
def test_what_is_refused(metric, sizes, words):
    with pytest.raises(ValueError, match=words):
        smallest_disagreement(hamming.hamming_loss, metric, **sizes)


# ---------------------------------------------------------------------------- all pairs


def test_every_pair_is_there():
    some = catalogue.variants(one for one in catalogue.taught_records() if not one.required)
    assert list(all_pairs()) == list(combinations(some, 2))


@pytest.mark.no_cover
def test_pairs_without_a_case():
    """Three never have one; notebook 11 shows larger data for the others."""
    without = [pair for pair, found in all_pairs().items() if found is None]
    assert without and set(SAME_ORDER) < set(without)
    for a, b in without:
        assert plain_search(OF[a], OF[b], SIZES[:5]) is None


def test_cases_of_all_pairs_are_cases():
    """The values are those of the data, in fractions; they are opposed; the data are plain lists."""
    for pair, found in all_pairs().items():
        if found:
            a, b = (Exact(OF[name]) for name in pair)
            y_true, *others = (
                tuple(tuple(F(str(cell)) for cell in row) for row in matrix)
                for matrix in (found.y_true, found.first, found.second)
            )
            values_a, values_b = ([m.value(y_true, other) for other in others] for m in (a, b))
            assert agree(found.values_a, values_a) and agree(found.values_b, values_b)
            assert opposed(a, b, *zip(values_a, values_b, strict=True))
            assert all(type(cell) is int for row in found.y_true for cell in row)


SAME = {
    "they add up to 1": lambda one, other: one + other == 1,
    "they are equal: a label's support is its weight and its denominator": F.__eq__,
    "F1 = 2J / (1 + J) rises with J": lambda f1, jaccard: f1 == 2 * jaccard / (1 + jaccard),
}


@pytest.mark.parametrize("pair", SAME_ORDER, ids=", ".join)
def test_the_reason_why_a_pair_never_disagrees_holds_on_all_small_worlds(pair):
    a, b = (Exact(OF[name]) for name in pair)
    for world in (
        all_small.data_sets(2, 2)
        + all_small.representatives(3, 2)
        + all_small.representatives(2, 3)
    ):
        assert SAME[SAME_ORDER[pair]](F(a.value(*world)), F(b.value(*world)))
