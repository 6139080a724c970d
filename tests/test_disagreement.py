"""The smallest disagreements against a naive search with fractions, and facts about all pairs."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from itertools import product
from math import nan

import all_small
import numpy as np
import pytest
from all_small import Exact
from random_inputs import agree

from mlm_course import disagreement
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
from mlm_helpers.catalogue.arguments import resolve_options

SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2))  # up to 4 cells; fewest first, then fewest samples
METRICS = catalogue.variants()


# ---------------------------------------------------------------------------- the naive search


def are_opposed(a, b, first, second):
    """Whether metrics a and b prefer different predictions, given as (value of a, of b)."""
    a_prefers_first = a.prefers(first[0], second[0])
    a_prefers_second = a.prefers(second[0], first[0])
    return (a_prefers_first and b.prefers(second[1], first[1])) or (
        a_prefers_second and b.prefers(first[1], second[1])
    )


def naive_search(a, b, sizes):
    """The first truth and two predictions on which a and b disagree, with their values."""
    min_labels = max(resolve_options(metric).get("k", 1) for metric in (a, b))
    exact = Exact(a), Exact(b)
    for size in (size for size in sizes if size[1] >= min_labels):
        predictions = all_small.predictions(exact, *size)
        for y_true in all_small.matrices(*size):
            pairs = [tuple(m.value(y_true, y_pred) for m in exact) for y_pred in predictions]
            distinct = set(pairs)
            opposed = {v for v in distinct if any(are_opposed(*exact, v, w) for w in distinct)}
            for y_first, first in zip(predictions, pairs, strict=True):
                if first in opposed:
                    for y_second, second in zip(predictions, pairs, strict=True):
                        if are_opposed(*exact, first, second):
                            return y_true, y_first, y_second, *zip(first, second, strict=True)
    return None


def is_same(disagreement, expected):
    """Whether a `Disagreement` has the data and values of a naive search, or both are None."""
    if disagreement is None or expected is None:
        return disagreement is expected
    _, _, *fields = vars(disagreement).values()  # all but the metrics
    return all(map(agree, fields, expected))


def two_options(function, option, first, second, **options):
    """A metric under two values of an option."""
    return tuple(partial(function, **options, **{option: value}) for value in (first, second))


PAIRS = [
    (exact_match.zero_one_loss, exact_match.subset_accuracy),  # a loss and a score
    (METRICS["macro precision"], METRICS["weighted precision"]),
    (METRICS["macro F1"], METRICS["macro Jaccard"]),  # None
    (METRICS["micro F1"], ranking.one_error),
    (ranking.coverage, ranking.ranking_loss),  # None
    # one compares columns, one rows: all orders of all cells
    (METRICS["macro AP"], ranking.ranking_loss),
    (partial(top_k.precision, k=2), example_based.f1),
    two_options(ranking.ranking_loss, "ties", "first", "last"),
    # nan: an undefined prediction, a label that is left out
    two_options(example_based.precision, "zero_division", nan, 0.0),
    two_options(label_based.jaccard, "zero_division", nan, 0.0, average="macro"),
]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("a", "b", "max_size"),
    [
        *((*pair, (2, 3)) for pair in PAIRS),
        (hamming.hamming_loss, exact_match.subset_accuracy, (3, 2)),  # fewer samples first
        # ties are broken by position, so sorted truths are not enough
        (partial(curves.average_precision, ties="first"), METRICS["macro AUROC"], (3, 1)),
        # nearly recall, or precision: it has a preference where those tie
        (partial(label_based.fbeta, beta=10**6), METRICS["macro recall"], (2, 2)),
        (partial(label_based.fbeta, beta=10**-6), METRICS["macro recall"], (2, 2)),
    ],
)
def test_plain_search_finds_the_same(a, b, max_size):
    n_samples, n_labels = max_size
    sizes = product(range(1, n_samples + 1), range(1, n_labels + 1))
    smallest = smallest_disagreement(a, b, max_samples=n_samples, max_labels=n_labels)
    assert is_same(smallest, naive_search(a, b, sorted(sizes, key=lambda s: (s[0] * s[1], s[0]))))


def test_it_says_which_prediction_each_metric_prefers(snapshot):
    """Three wrong labels in one row, against one in each row: 1/2 and 0, 3/6 and 2/6."""
    smallest = smallest_disagreement(exact_match.subset_accuracy, hamming.hamming_loss)
    assert repr(smallest) == snapshot


def test_the_last_bits_of_a_float_are_no_preference():
    def first_opposed(a, b):
        return disagreement._first_opposed(np.array(a), np.array(b))

    assert first_opposed([0.1 + 0.2, 0.3], [0.0, 1.0]) is None
    assert first_opposed([0.3 + 1e-6, 0.3], [0.0, 1.0]) == (0, 1)
    assert first_opposed([nan, 0.3], [0.0, 1.0]) is None


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


@pytest.mark.no_cover
def test_pairs_without_a_disagreement():
    """Three can't disagree; others only on larger data than 2 samples × 3 labels."""
    assert {pair for pair, case in all_pairs().items() if case is None} == set(SAME_ORDER)
    for (a, b), case in all_pairs().items():
        if case is None or np.shape(case.y_true) in ((3, 2), (1, 5)):
            assert naive_search(METRICS[a], METRICS[b], SIZES) is None


def test_all_disagreements_are_disagreements():
    """The values are those of the data, in fractions, and opposed.

    The data are nested lists of numbers.
    """
    for pair, case in all_pairs().items():
        if case:
            a, b = (Exact(METRICS[name]) for name in pair)
            y_true, *predictions = (
                tuple(tuple(F(str(cell)) for cell in row) for row in matrix)
                for matrix in (case.y_true, case.first, case.second)
            )
            values_a, values_b = ([m.value(y_true, y) for y in predictions] for m in (a, b))
            assert agree(case.values_a, values_a) and agree(case.values_b, values_b)
            assert are_opposed(a, b, *zip(values_a, values_b, strict=True))
            assert all(type(cell) is int for row in case.y_true for cell in row)


HOLDS = {  # the condition on the values of two metrics, by the reason
    "they add up to 1": lambda a, b: a + b == 1,
    "they are equal: a label's support is its weight and its denominator": F.__eq__,
    "F1 = 2J / (1 + J) rises with J": lambda f1, jaccard: f1 == 2 * jaccard / (1 + jaccard),
}


@pytest.mark.parametrize("pair", SAME_ORDER, ids=", ".join)
def test_the_reason_why_a_pair_never_disagrees_holds_on_all_small_data(pair):
    a, b = (Exact(METRICS[name]) for name in pair)
    larger = all_small.representatives(3, 2) + all_small.representatives(2, 3)
    for data_set in all_small.data_sets(2, 2) + larger:
        assert HOLDS[SAME_ORDER[pair]](F(a.value(*data_set)), F(b.value(*data_set)))
