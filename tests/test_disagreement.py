"""The smallest disagreements, against a plain search over fractions, and the facts about all pairs."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, combinations_with_replacement, product
from math import inf, isnan, nan
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pytest
import tqdm
import worlds
from facts import always

from mlm_helpers import (
    catalogue,
    disagreement,
    exact_match,
    example_based,
    hamming,
    label_based,
    ranking,
    worked,
)
from mlm_helpers import worlds as small
from mlm_helpers.disagreement import SAME_ORDER, Disagreement, smallest_disagreement

SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (2, 3))  # fewest cells, then fewest samples


def mean(values, weights):
    """Of the values that are not nan; where no weight is left, of equal weights."""
    kept = [
        (value, weight) for value, weight in zip(values, weights, strict=True) if not isnan(value)
    ]
    total = sum(weight for _, weight in kept)
    if total:
        return sum(value * weight for value, weight in kept) / total
    return Fraction(sum(value for value, _ in kept), len(kept)) if kept else nan


@cache
def of_row(metric, truth, other):
    truth, other = ([[float(cell) for cell in row]] for row in (truth, other))
    return worked.solve(metric, truth, other).value


@cache
def of_list(metric, truth, scores):
    y_true, y_score = ([[float(cell)] for cell in cells] for cells in (truth, scores))
    return worked.solve(metric, y_true, y_score, average="macro").value


CELLS = ((1, 1), (0, 1), (1, 0), (0, 0))


@cache
def of_column(metric, counts):
    column = [cell for cell, n in zip(CELLS, counts, strict=True) for _ in range(n)]
    y_true, y_pred = ([[cell[which]] for cell in column] for which in (0, 1))
    return worked.solve(metric, y_true, y_pred, average="macro").value


@cache
def counts_of(true, pred):
    cells = list(zip(true, pred, strict=True))
    return tuple(map(cells.count, CELLS))


class Named:
    """A metric under a name, ``label_based.f1 micro``, and its value in fractions.

    Worked solutions are too slow for every world. So one is asked for each row, or for a column of
    given counts; what is left is to average.
    """

    def __init__(self, function, **options):
        self.function = partial(function, **options)
        self.record = catalogue.of(function)
        self.text = " ".join([self.record.id, *map(str, options.values())])
        self.reads_scores = self.record.reads == "y_score"

    def of_columns(self, columns):
        """From the hits, false alarms, misses and cells rightly left out of each label."""
        average = self.function.keywords.get("average", "macro")
        if average == "micro":
            return of_column(self.function, tuple(map(sum, zip(*columns, strict=True))))
        support = [tp + fn if average == "weighted" else 1 for tp, _, fn, _ in columns]
        return mean([of_column(self.function, column) for column in columns], support)

    def of_scores(self, truths, scores):
        """From the columns of both matrices."""
        average = self.function.keywords["average"]
        if average == "micro":
            truths, scores = ([tuple(c for column in m for c in column)] for m in (truths, scores))
        support = [sum(truth) if average == "weighted" else 1 for truth in truths]
        columns = zip(truths, scores, strict=True)
        return mean([of_list(self.function, *column) for column in columns], support)

    def value(self, y_true, y_other):
        """In fractions; a set metric reads the labels that score at least 1/2."""
        if not self.reads_scores:
            half = Fraction(1, 2)
            y_other = tuple(tuple(int(cell >= half) for cell in row) for row in y_other)
        if self.record.along == "sample":
            rows = [of_row(self.function, *sample) for sample in zip(y_true, y_other, strict=True)]
            return mean(rows, [1] * len(rows))
        columns = (zip(*matrix, strict=True) for matrix in (y_true, y_other))
        if self.reads_scores:
            return self.of_scores(*map(list, columns))
        return self.of_columns(list(map(counts_of, *columns)))

    def prefers(self, one, other):
        """Whether the value ``one`` is strictly better than ``other``; never where one is nan."""
        return one > other if self.record.higher_is_better else one < other


SUBSET_ACCURACY = Named(exact_match.subset_accuracy)
ZERO_ONE_LOSS = Named(exact_match.zero_one_loss)
HAMMING_LOSS = Named(hamming.hamming_loss)
F1 = Named(example_based.f1)
COVERAGE = Named(ranking.coverage)
ONE_ERROR = Named(ranking.one_error)
RANKING_LOSS = Named(ranking.ranking_loss)
AVERAGE_PRECISION = Named(ranking.average_precision)


def label(function, average="macro", **options):
    return Named(function, average=average, **options)


def pairs(*some):
    return [pytest.param(*pair, id=" | ".join(metric.text for metric in pair)) for pair in some]


def search(a, b, **sizes):
    return smallest_disagreement(a.function, b.function, **sizes)


# ---------------------------------------------------------------------------- the plain search


class Case(NamedTuple):
    y_true: worlds.Matrix
    first: worlds.Matrix
    second: worlds.Matrix
    values_a: tuple[Any, Any]
    values_b: tuple[Any, Any]


def score_rows(n_labels, cut):
    """Tenths from 0.1 up, one level of tied labels each; what is at or above a cut gets 1/2 more."""
    return sorted(
        tuple(Fraction(level + 1, 10) + Fraction(cut and level >= at, 2) for level in levels)
        for levels in worlds.weak_orderings(n_labels)
        for at in range(len(set(levels)) + 1 if cut else 1)
    )


def predictions(a, b, n_samples, n_labels):
    if not (a.reads_scores or b.reads_scores):
        return worlds.matrices(n_samples, n_labels)
    rows = score_rows(n_labels, cut=not (a.reads_scores and b.reads_scores))
    return list(product(rows, repeat=n_samples))


def opposed(a, b, one, two):
    """Whether a and b put the pairs of values ``one`` and ``two`` in opposite order, strictly."""
    return (a.prefers(one[0], two[0]) and b.prefers(two[1], one[1])) or (
        a.prefers(two[0], one[0]) and b.prefers(one[1], two[1])
    )


def plain_search(a, b, sizes=SIZES):
    """Truth by truth, first by first, second by second, until two are opposed."""
    for size in sizes:
        others = predictions(a, b, *size)
        for y_true in worlds.matrices(*size):
            values = [(a.value(y_true, other), b.value(y_true, other)) for other in others]
            different = set(values)
            with_partner = {v for v in different if any(opposed(a, b, v, w) for w in different)}
            for first, one in zip(others, values, strict=True):
                if one in with_partner:
                    for second, two in zip(others, values, strict=True):
                        if opposed(a, b, one, two):
                            return Case(y_true, first, second, *zip(one, two, strict=True))
    return None


def same(found, case):
    """Whether the search and the plain search end alike."""
    if found is None or case is None:
        return found is case
    data = (found.y_true, found.first, found.second, found.values_a, found.values_b)
    shapes = all(np.shape(ours) == np.shape(plain) for ours, plain in zip(data, case, strict=True))
    return shapes and all(
        np.allclose(ours, np.array(plain, dtype=float), rtol=0, atol=1e-12)
        for ours, plain in zip(data, case, strict=True)
    )


SEARCHED_TWICE = pairs(
    (HAMMING_LOSS, SUBSET_ACCURACY),
    (F1, HAMMING_LOSS),
    (Named(example_based.precision), Named(example_based.recall)),
    (label(label_based.f1), label(label_based.f1, "micro")),
    (label(label_based.precision), label(label_based.precision, "weighted")),
    (Named(example_based.recall), label(label_based.jaccard)),
    (HAMMING_LOSS, AVERAGE_PRECISION),
    (COVERAGE, SUBSET_ACCURACY),
    (label(label_based.f1, "micro"), ONE_ERROR),
    (RANKING_LOSS, AVERAGE_PRECISION),
    (ONE_ERROR, COVERAGE),
    (Named(ranking.one_error, ties="average"), Named(ranking.one_error, ties="worst")),
    (Named(ranking.ranking_loss, ties="first"), Named(ranking.ranking_loss, ties="last")),
    # nan: a prediction without a value, a sample that is left out, a label that is left out
    (Named(example_based.precision, zero_division=nan), Named(example_based.precision)),
    (label(label_based.jaccard, zero_division=nan), label(label_based.jaccard)),
    (Named(ranking.ranking_loss, undefined=nan), Named(ranking.average_precision)),
    # None
    (COVERAGE, RANKING_LOSS),
    (label(label_based.f1), label(label_based.jaccard)),
)


@pytest.mark.no_cover
@pytest.mark.parametrize(("a", "b"), SEARCHED_TWICE)
def test_plain_search_finds_the_same(a, b):
    assert same(search(a, b), plain_search(a, b))


@pytest.mark.parametrize(
    ("a", "b", "sizes"),
    [
        (HAMMING_LOSS, SUBSET_ACCURACY, [(2, 3), (3, 2)]),  # as many cells: fewer samples first
        (label(label_based.f1), label(label_based.jaccard), [(3, 2)]),
        (AVERAGE_PRECISION, RANKING_LOSS, [(1, 4)]),
    ],
)
def test_plain_search_finds_the_same_on_other_sizes(a, b, sizes):
    found = search(a, b, max_samples=max(n for n, _ in sizes), max_labels=max(n for _, n in sizes))
    sizes = [size for size in SIZES if size <= sizes[-1]] + sizes
    assert same(found, plain_search(a, b, sizes))


def test_one_by_pencil():
    """Three wrong labels in one row, against one in each row."""
    assert search(SUBSET_ACCURACY, HAMMING_LOSS) == Disagreement(
        SUBSET_ACCURACY.function,
        HAMMING_LOSS.function,
        y_true=[[0, 0, 0], [0, 0, 0]],
        first=[[0, 0, 0], [1, 1, 1]],
        second=[[0, 0, 1], [0, 0, 1]],
        values_a=(0.5, 0.0),
        values_b=(3 / 6, 2 / 6),
    )


EXTREME = [(family, beta) for family in (example_based, label_based) for beta in (10**6, 10**-6)]


@pytest.mark.parametrize(
    "other",
    [label(label_based.f1), label(label_based.recall), F1, SUBSET_ACCURACY, HAMMING_LOSS],
    ids=lambda metric: metric.text,
)
@pytest.mark.parametrize(("family", "beta"), EXTREME)
def test_values_that_differ_by_next_to_nothing_differ(family, beta, other):
    """F with an extreme β is nearly recall, or precision: where those tie it still has a preference."""
    extreme = Named(family.fbeta, beta=beta)
    found = search(extreme, other, max_labels=2)
    assert same(found, plain_search(extreme, other, SIZES[:3] + SIZES[4:5]))


# ---------------------------------------------------------------------------- the worlds


@pytest.mark.parametrize(
    ("n_labels", "weak_orders", "with_cuts"),
    [(1, 1, 2), (2, 3, 8), (3, 13, 44), (4, 75, 308), (5, 541, 2612)],  # the first: A000670
)
def test_every_order_and_every_cut_is_there_once(n_labels, weak_orders, with_cuts):
    def order(row):
        return tuple(sorted(set(row)).index(score) for score in row)

    rows = small.score_rows(n_labels, cut=False).tolist()
    assert len(rows) == weak_orders
    assert sorted(map(order, rows)) == worlds.weak_orderings(n_labels)

    rows = small.score_rows(n_labels, cut=True).tolist()
    assert len(rows) == with_cuts
    assert rows == sorted(rows)
    labels_kept = {(order(row), tuple(score >= 0.5 for score in row)) for row in rows}
    assert labels_kept == {
        (levels, tuple(level >= at for level in levels))
        for levels in worlds.weak_orderings(n_labels)
        for at in range(max(levels) + 2)
    }
    assert len(labels_kept) == with_cuts


# ---------------------------------------------------------------------------- smallest


def up_to(metric_a, metric_b, n_samples, n_labels):
    return search(metric_a, metric_b, max_samples=n_samples, max_labels=n_labels)


@pytest.mark.parametrize(("a", "b"), pairs((SUBSET_ACCURACY, HAMMING_LOSS), (COVERAGE, F1)))
def test_same_answer_each_time_and_the_metrics_can_change_places(a, b):
    found, mirrored = search(a, b), search(b, a)
    assert found == search(a, b)
    assert found.y_true == mirrored.y_true
    assert (found.first, found.second) == (mirrored.first, mirrored.second)
    assert (found.values_a, found.values_b) == (mirrored.values_b, mirrored.values_a)
    assert {found.a_prefers, mirrored.a_prefers} == {"first", "second"}


def test_data_are_plain_lists_for_the_metrics_themselves():
    found = search(COVERAGE, F1)
    labels = [(np.array(scores) >= 0.5).astype(int) for scores in (found.first, found.second)]
    for values, function, others in (
        (found.values_a, ranking.coverage, (found.first, found.second)),
        (found.values_b, example_based.f1, labels),
    ):
        assert values == pytest.approx([function(found.y_true, other) for other in others])
        assert all(type(value) is float for value in values)
    assert all(type(cell) is int for row in found.y_true for cell in row)
    assert all(type(cell) is float for row in found.first + found.second for cell in row)
    found = search(SUBSET_ACCURACY, F1)
    assert all(type(cell) is int for row in found.first + found.second for cell in row)


# ---------------------------------------------------------------------------- preferences


@pytest.mark.parametrize(
    ("metric", "best"),
    [(exact_match.subset_accuracy, "first"), (exact_match.zero_one_loss, "second")],
)
def test_a_prefers_knows_directions(metric, best):
    """The values 1 and 0: the first is the better accuracy and the worse loss."""
    case = Disagreement(metric, metric, [[0]], [[0]], [[1]], (1.0, 0.0), (0.0, 1.0))
    assert case.a_prefers == best


def test_directions_are_respected():
    """A loss and a score fall and rise together; were they compared as numbers, they would clash."""
    assert search(SUBSET_ACCURACY, ZERO_ONE_LOSS) is None
    assert up_to(F1, HAMMING_LOSS, 1, 2) is None
    found = search(ZERO_ONE_LOSS, HAMMING_LOSS)  # two losses
    by_pencil = search(SUBSET_ACCURACY, HAMMING_LOSS)
    assert (found.first, found.second) == (by_pencil.first, by_pencil.second)
    assert found.values_a == (0.5, 1.0)
    assert found.a_prefers == by_pencil.a_prefers == "first"


def test_equal_values_are_no_preference():
    """On one sample subset accuracy parts right from wrong alone, and there Hamming loss agrees."""
    assert up_to(SUBSET_ACCURACY, HAMMING_LOSS, 1, 4) is None


def test_the_last_bits_of_a_float_are_no_preference():
    def first_opposed(a, b):
        return disagreement._first_opposed(np.array(a), np.array(b))

    assert first_opposed([0.1 + 0.2, 0.3], [0.0, 1.0]) is None
    assert first_opposed([0.3 + 1e-6, 0.3], [0.0, 1.0]) == (0, 1)
    assert first_opposed([nan, 0.3], [0.0, 1.0]) is None


@pytest.mark.parametrize("other", [0.0, 1.0])
def test_nan_is_no_preference(other):
    """Micro precision has one 0/0: where nothing is predicted. Elsewhere it is the same number."""
    without = label(label_based.precision, "micro", zero_division=nan)
    assert search(without, label(label_based.precision, "micro", zero_division=other)) is None


# ---------------------------------------------------------------------------- options


def against_itself(function, option, one, two, **also):
    return tuple(Named(function, **also, **{option: value}) for value in (one, two))


DIFFER = pairs(
    against_itself(ranking.coverage, "ties", "worst", "best"),
    against_itself(ranking.one_error, "ties", "worst", "best"),
    against_itself(ranking.ranking_loss, "ties", "worst", "best"),
    against_itself(ranking.average_precision, "ties", "worst", "best"),
    against_itself(ranking.average_precision, "ties", "first", "last"),
    against_itself(example_based.f1, "zero_division", 0.0, "agree"),
    against_itself(example_based.precision, "zero_division", 0.0, 1.0),
    against_itself(example_based.recall, "zero_division", 0.0, "agree"),
    against_itself(label_based.jaccard, "zero_division", 0.0, nan),
    against_itself(example_based.fbeta, "beta", 0.5, 2),
    against_itself(label_based.fbeta, "beta", 0.5, 2, average="micro"),
    against_itself(label_based.f1, "average", "macro", "micro"),
    against_itself(label_based.precision, "average", "macro", "weighted"),
)


@pytest.mark.parametrize(("a", "b"), DIFFER)
def test_a_metric_can_disagree_with_itself_under_another_convention(a, b):
    found = search(a, b)
    assert same(found, plain_search(a, b))
    one, two = zip(found.values_a, found.values_b, strict=True)
    assert opposed(a, b, one, two)


def test_ties_by_pencil():
    """The only relevant label is tied with all others, or beaten by one."""
    worst, best = (partial(ranking.coverage, ties=ties) for ties in ("worst", "best"))
    assert smallest_disagreement(worst, best) == Disagreement(
        worst, best, [[0, 0, 1]], [[0.1, 0.1, 0.1]], [[0.1, 0.3, 0.2]], (3.0, 2.0), (1.0, 2.0)
    )


UNDEFINED = [
    against_itself(record.function, "undefined", *values, **record.required)
    for record in catalogue.METRICS
    if "undefined" in record.options
    for values in ((0.0, 1.0), (1.0, nan))
]
CANNOT_DIFFER = pairs(
    # The convention adds a constant, or drops samples and labels, by the truth alone.
    *UNDEFINED,
    against_itself(ranking.coverage, "start", 0, 1),
    against_itself(example_based.recall, "zero_division", 0.0, 1.0),
    against_itself(example_based.recall, "zero_division", 0.0, nan),
    against_itself(label_based.recall, "zero_division", 0.0, 1.0, average="macro"),
    # F0 is precision and F1 is F1.
    (Named(example_based.fbeta, beta=0), Named(example_based.precision)),
    (Named(example_based.fbeta, beta=1), F1),
    # Micro F1 is 0/0 where truth and prediction are both empty: 0 or 1, alone at the end of its scale.
    against_itself(label_based.f1, "zero_division", 0.0, 1.0, average="micro"),
)


@pytest.mark.parametrize(("a", "b"), CANNOT_DIFFER)
def test_conventions_that_never_change_a_preference(a, b):
    assert search(a, b) is None


# ---------------------------------------------------------------------------- errors

RANKS = (
    "metric is ranks, which the catalogue does not hold: pass a public metric function of"
    " mlm_helpers or a functools.partial of it"
)
SIZE = "{} is {}: give a whole number of 1 or more"
OWN_SAMPLES = "{} is bound, and the samples are made here: leave it out"


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (ranking.ranks, RANKS),
        (partial(ranking.ranks, ties="best"), RANKS),
        ("ranks", RANKS.replace("ranks", "of type str")),
        (
            partial(label_based.f1, average=None),
            "average is None, a value per label: bind macro, micro or weighted",
        ),
        (
            partial(hamming.hamming_loss, per_sample=True),
            "per_sample is True, a value per sample: leave it out",
        ),
        (partial(label_based.f1, sample_weight=[1, 2]), OWN_SAMPLES.format("sample_weight")),
        (partial(label_based.f1, sample_weight=np.ones(2)), OWN_SAMPLES.format("sample_weight")),
        (
            partial(example_based.f1, zero_division=3),
            "zero_division is 3: choose one of 0.0, 1.0, nan, 'agree'",
        ),
    ],
)
def test_metrics_that_are_refused(metric, sentence):
    for two in ((metric, hamming.hamming_loss), (hamming.hamming_loss, metric)):
        with pytest.raises(ValueError) as error:
            smallest_disagreement(*two)
        assert str(error.value) == sentence


@pytest.mark.parametrize("name", ["max_samples", "max_labels"])
@pytest.mark.parametrize("size", [0, -1, 2.0, inf, "2", None])
def test_sizes_that_are_refused(name, size):
    with pytest.raises(ValueError) as error:
        search(F1, HAMMING_LOSS, **{name: size})
    assert str(error.value) == SIZE.format(name, repr(size))


HUGE = (
    "max_samples is {} and max_labels is {}: one truth can have more than 1,000,000 predictions there,"
    " too many to hold: give smaller sizes"
)


@pytest.mark.parametrize(
    ("metric", "n_samples", "n_labels"),
    [(COVERAGE, 1, 9), (COVERAGE, 3, 4), (COVERAGE, 10**9, 10**9), (HAMMING_LOSS, 4, 5)],
)
def test_sizes_that_cannot_be_held_are_refused_at_once(metric, n_samples, n_labels):
    """Before the smaller sizes are searched, which takes minutes where there is nothing to find."""
    begin = perf_counter()
    with pytest.raises(ValueError) as error:
        search(metric, metric, max_samples=n_samples, max_labels=n_labels)
    assert str(error.value) == HUGE.format(n_samples, n_labels)
    assert perf_counter() - begin < 1


def test_a_required_option_that_is_not_bound():
    with pytest.raises(TypeError, match=r"^beta is missing: example_based\.fbeta needs it, for ex"):
        smallest_disagreement(example_based.f1, example_based.fbeta)


def test_a_numpy_number_is_a_size():
    assert search(F1, COVERAGE, max_labels=np.int64(2)) == search(F1, COVERAGE, max_labels=2)


def test_options_that_change_nothing_may_be_bound():
    bound = partial(hamming.hamming_loss, per_sample=False, sample_weight=None)
    found = smallest_disagreement(exact_match.subset_accuracy, bound)
    assert found.first == search(SUBSET_ACCURACY, HAMMING_LOSS).first


# ---------------------------------------------------------------------------- what is seen of it


def test_a_search_without_end_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(small, "_PATIENCE", 0)
    bar = tqdm.tqdm
    for shown in (False, True):
        monkeypatch.setattr(tqdm, "tqdm", partial(bar, disable=not shown))
        assert search(COVERAGE, COVERAGE) is None
        said = capsys.readouterr().err
        assert ("2 × 3" in said and "/36 [" in said) == shown  # 8 rows in pairs: 8 · 9 / 2
        assert bool(said) == shown


def test_it_reads_as_words():
    assert repr(search(SUBSET_ACCURACY, HAMMING_LOSS)) == (
        """
subset accuracy and Hamming loss

The smallest data
sample  truth  first  second
1       0 0 0  0 0 0  0 0 1
2       0 0 0  1 1 1  0 0 1

subset accuracy ↑  first 1/2 = 0.5, second 0: prefers the first

Hamming loss ↓  first 1/2 = 0.5, second 1/3 ≈ 0.333: prefers the second
""".strip()
    )


def test_values_that_look_alike_are_told_apart():
    """(1 + β²) / (1 + β² + 1) beside 1: a false alarm costs about 1 / β² of the value."""
    values = (1 - 1e-12, 1.0)
    nearly = partial(example_based.fbeta, beta=10**6)
    case = Disagreement(nearly, nearly, [[1, 0]], [[1, 1]], [[1, 0]], values, values)
    assert case.verdicts[0] == (
        "samples F1000000 ↑  first 0.999999999999, second 1: prefers the second"
    )


def test_what_a_caller_changes_of_all_pairs_stays_with_the_caller():
    pair = ("subset accuracy", "Hamming loss")
    changed = disagreement.all_pairs()
    changed[pair].y_true[0][0] = changed[pair].second[0] = None
    del changed["subset accuracy", "zero-one loss"]
    fresh = disagreement.all_pairs()
    assert (fresh[pair].y_true, fresh[pair].second) == ([[0] * 3] * 2, [[0, 0, 1]] * 2)
    assert fresh["subset accuracy", "zero-one loss"] is None
    assert len(fresh) == 29 * 28 / 2  # without Fβ of samples and its three averages


# ---------------------------------------------------------------------------- all pairs


def variants():
    """Each metric of the catalogue, under each average; β is 2, and k is 1."""
    for record in catalogue.METRICS:
        whole = {name: int(value) for name, value in record.required.items()}
        for average in ("macro", "micro", "weighted") if "average" in record.options else ("",):
            yield Named(record.function, **({"average": average} if average else {}), **whole)


VARIANTS = {metric.text.partition(".")[2]: metric for metric in variants()}

# They prefer alike on data of any size.
THEOREMS = {
    "subset_accuracy | zero_one_loss": "their sum is 1",
    "recall micro | recall weighted": "equal: a label's support is its weight and its denominator",
    "f1 micro | jaccard micro": "F = 2J / (1 + J) rises with J",
    "precision 1 | ndcg 1": "equal: a hit at the first place counts 1 of 1",
}

# They prefer alike up to two samples and three labels, yet on larger data they do not: a
# truth and two predictions of the smallest size on which they clash. A column is a label.
RARE_OR_COMMON = (  # the one of the rare label is found, or two of the three of the common one
    [[1, 1], [0, 1], [0, 1]],
    [[1, 0], [0, 0], [0, 0]],
    [[0, 1], [0, 1], [0, 0]],
)
HALF_OR_EVERYTHING = ([[1]] * 2 + [[0]] * 3, [[1]] + [[0]] * 4, [[1]] * 5)
HALF_OR_EVERYTHING_OF_TWO = (
    [[1, 1], [0, 1]] + [[0, 0]] * 3,
    [[1, 1]] + [[0, 0]] * 4,
    [[1, 1]] * 5,
)
ALL_BUT_ONE_OR_EVERYTHING = ([[1] * 3 + [0] * 7], [[1] * 2 + [0] * 8], [[1] * 10])
ENDS_OR_MIDDLE = ([[1, 1, 0, 0, 0]], [[5, 1, 4, 3, 2]], [[3, 2, 5, 4, 1]])
ENDS_OR_SECOND = ([[1, 1, 0, 0, 0]], [[5, 1, 4, 3, 2]], [[4, 3, 5, 2, 1]])
RARE_FIRST_OR_COMMON_FIRST = (  # a positive of the rare label leads, or two of the common one
    [[1, 1], [0, 1], [0, 0]],
    [[3, 2], [1, 1], [1, 3]],
    [[1, 3], [3, 3], [3, 2]],
)
RARE_FIRST_OR_COMMON_ALMOST = (  # three of the common one's four halves of pairs are won
    [[1, 1], [0, 1], [0, 0]],
    [[3, 1], [1, 1], [1, 3]],
    [[1, 3], [3, 2], [3, 2]],
)
TIED_OR_ONE_UP = ([[1, 1, 1, 0, 0]], [[3, 2, 1, 2, 2]], [[2, 2, 2, 2, 1]])
ONLY_SMALL = {
    "recall macro | recall micro": RARE_OR_COMMON,
    "recall macro | recall weighted": RARE_OR_COMMON,
    "recall macro | fbeta macro 2": (
        [[1, 1], [1, 1], [0, 1]],
        [[1, 1], [0, 0], [0, 0]],
        [[1, 0], [1, 0], [1, 0]],
    ),
    "f1 macro | jaccard macro": (
        [[1, 1], [0, 0], [0, 0]],
        [[0, 1], [0, 0], [0, 0]],
        [[1, 1], [1, 1], [0, 1]],
    ),
    "recall micro | f1 weighted": HALF_OR_EVERYTHING,
    "recall weighted | f1 weighted": HALF_OR_EVERYTHING,
    "f1 weighted | fbeta weighted 2": HALF_OR_EVERYTHING,
    "recall micro | fbeta weighted 2": HALF_OR_EVERYTHING_OF_TWO,
    "recall weighted | fbeta weighted 2": HALF_OR_EVERYTHING_OF_TWO,
    "recall micro | fbeta micro 2": ALL_BUT_ONE_OR_EVERYTHING,
    "recall weighted | fbeta micro 2": ALL_BUT_ONE_OR_EVERYTHING,
    "coverage | ranking_loss": ENDS_OR_MIDDLE,
    "one_error | ranking_loss": ENDS_OR_SECOND,
    "one_error | average_precision": TIED_OR_ONE_UP,
    "average_precision macro | average_precision weighted": RARE_FIRST_OR_COMMON_FIRST,
    "roc_auc macro | roc_auc weighted": RARE_FIRST_OR_COMMON_ALMOST,
}


def two(text):
    return [VARIANTS[name] for name in text.split(" | ")]


@pytest.fixture(scope="module")
def all_pairs():
    """By our names; those with β = 2 are searched beside them."""
    known = disagreement.all_pairs()

    def found(*pair):
        names = tuple(catalogue.describe(metric.function) for metric in pair)
        return known[names] if names in known else search(*pair)

    return {f"{a} | {b}": found(VARIANTS[a], VARIANTS[b]) for a, b in combinations(VARIANTS, 2)}


def test_pairs_without_a_case(all_pairs):
    assert len(VARIANTS) == 36
    assert len(all_pairs) == 36 * 35 / 2
    without = {text for text, found in all_pairs.items() if found is None}
    assert without == set(THEOREMS) | set(ONLY_SMALL)


def test_cases_of_all_pairs_are_cases(all_pairs):
    """The values are those of the data, by hand; they are opposed; the size is within bounds."""
    for text, found in all_pairs.items():
        if found:
            a, b = two(text)
            assert np.shape(found.y_true) in SIZES
            y_true, *others = (
                tuple(tuple(Fraction(str(cell)) for cell in row) for row in matrix)
                for matrix in (found.y_true, found.first, found.second)
            )
            values_a, values_b = ([m.value(y_true, other) for other in others] for m in (a, b))
            assert found.values_a == pytest.approx([float(value) for value in values_a])
            assert found.values_b == pytest.approx([float(value) for value in values_b])
            assert opposed(a, b, *zip(values_a, values_b, strict=True))
            assert found.a_prefers == ("first" if a.prefers(*values_a) else "second")


def smallest_by_counts(a, b, max_cells):
    """The smallest size on which two label-based metrics disagree, by hand.

    They see of each label how many samples are true, hit and falsely predicted. So every world is
    like one with sorted columns, and two predictions share a truth if they share the first numbers.
    """
    sizes = [(n, m) for n in range(1, max_cells + 1) for m in range(1, max_cells // n + 1)]
    for n_samples, n_labels in sorted(sizes, key=lambda size: (size[0] * size[1], size[0])):
        kinds = [
            (true, hit, false)
            for true in range(n_samples + 1)
            for hit in range(true + 1)
            for false in range(n_samples - true + 1)
        ]
        values = defaultdict(set)
        for labels in combinations_with_replacement(kinds, n_labels):
            values[tuple(true for true, _, _ in labels)].add(
                tuple(m.of_columns([counts(n_samples, *label) for label in labels]) for m in (a, b))
            )
        if any(opposed(a, b, *v) for some in values.values() for v in combinations(some, 2)):
            return n_samples, n_labels
    return None


def counts(n_samples, true, hit, false):
    return hit, false, true - hit, n_samples - true - false


@pytest.mark.no_cover
@pytest.mark.parametrize(("text", "data"), ONLY_SMALL.items())
def test_pairs_that_disagree_on_larger_data(text, data):
    a, b = two(text)
    y_true, *others = (tuple(map(tuple, matrix)) for matrix in data)
    assert opposed(a, b, *((a.value(y_true, other), b.value(y_true, other)) for other in others))
    if a.reads_scores and a.record.along == "label":
        assert np.shape(search(a, b, max_samples=3, max_labels=2).y_true) == np.shape(y_true)
    elif a.reads_scores:
        assert np.shape(search(a, b, max_samples=1, max_labels=5).y_true) == np.shape(y_true)
        assert search(a, b, max_samples=1, max_labels=4) is None
    else:
        assert smallest_by_counts(a, b, max_cells=10) == np.shape(y_true)


@pytest.mark.parametrize("text", list(THEOREMS))
def test_theorems_on_larger_data(text):
    a, b = two(text)
    if a.text.startswith("label_based"):
        assert smallest_by_counts(a, b, max_cells=8) is None
    else:
        assert search(a, b, max_samples=3, max_labels=2) is None


@pytest.mark.parametrize("metric", [ZERO_ONE_LOSS, F1, AVERAGE_PRECISION, VARIANTS["f1 macro"]])
def test_no_metric_disagrees_with_itself(metric):
    assert search(metric, metric) is None


# --- why some never disagree


def micro(metric: Any, y_true: Any, y_pred: Any) -> float:
    return float(metric(y_true, y_pred, average="micro"))


def f1_of(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)


REASONS = {
    "they add up to 1": lambda y_true, y_pred: np.isclose(
        exact_match.subset_accuracy(y_true, y_pred) + exact_match.zero_one_loss(y_true, y_pred), 1
    ),
    "they are equal: a label's support is its weight and its denominator": lambda y_true, y_pred: (
        np.isclose(
            micro(label_based.recall, y_true, y_pred),
            label_based.recall(y_true, y_pred, average="weighted"),
        )
    ),
    "F1 = 2J / (1 + J) rises with J": lambda y_true, y_pred: (
        np.isclose(
            micro(label_based.f1, y_true, y_pred),
            f1_of(micro(label_based.jaccard, y_true, y_pred)),
        )
        and f1_of(0.2) < f1_of(0.5) < f1_of(0.9)
    ),
}


@pytest.mark.parametrize("pair", SAME_ORDER, ids=", ".join)
def test_the_reason_holds_on_all_small_worlds(pair: tuple[str, str]) -> None:
    always(REASONS[SAME_ORDER[pair]])
