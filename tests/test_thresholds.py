"""From scores to label sets: pencil, the rules' definitions, and every cut there is."""

from functools import partial
from itertools import product
from math import inf, nan

import numpy as np
import pandas as pd
import pytest
import throwaway
from drawing import hiding
from hypothesis import given
from hypothesis import strategies as st

from mlm_helpers import catalogue, exact_match, example_based, hamming, label_based, ranking
from mlm_helpers._core import counts
from mlm_helpers.thresholds import at, share, top, tune

SCORES = [[0.5, 0.4, 0.4], [0.2, 0.9, 0.4]]


# ---------------------------------------------------------------------------- rules


def test_at_a_cut_or_above_it():
    assert at(SCORES, 0.4).tolist() == [[1, 1, 1], [0, 1, 1]]
    assert at(SCORES, 0.4, inclusive=False).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert at(SCORES, [0.2, 0.9, inf]).tolist() == [[1, 0, 0], [1, 1, 0]]
    assert at(SCORES).tolist() == at(SCORES, 0.5).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert not at(SCORES, inf).any()
    assert at(SCORES, -inf).all()
    assert at(SCORES).dtype == np.int8


def test_a_score_in_single_precision_meets_the_cut_that_it_was_given():
    assert at(np.array([[0.7]], dtype=np.float32), 0.7) == 1
    assert at(np.array([[0.7]], dtype=np.float32), [0.7]) == 1


NAMED = pd.DataFrame(SCORES, ["x.png", "y.png"], ["sea", "sun", "sky"])


def test_what_is_predicted_from_a_frame_keeps_its_names():
    rules = [partial(at, cut=0.4), partial(top, k=2), partial(share, shares=0.5)]
    for rule in rules:
        expected = pd.DataFrame(rule(SCORES), NAMED.index, NAMED.columns)
        pd.testing.assert_frame_equal(rule(NAMED), expected)


def test_cuts_with_names_are_those_of_the_columns():
    """Cuts in the order of another table would be taken for other labels."""
    cuts = pd.Series({"sky": inf, "sea": 0.2, "sun": 0.9})
    with pytest.raises(ValueError) as caught:
        at(NAMED, cuts)
    assert str(caught.value) == (
        "cut has 'sky' at position 0 of its index where y_score has 'sea': give both the same in one"
        " order, such as by cut.reindex(index=y_score.columns)"
    )
    with pytest.raises(ValueError, match="shares has 'sky' at position 0"):
        share(NAMED, cuts.clip(upper=1))
    for good in (cuts[NAMED.columns], pd.Series([0.2, 0.9, inf]), [0.2, 0.9, inf]):
        assert at(NAMED, good).to_numpy().tolist() == [[1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("ties", "said"),
    [("first", [1, 1, 0]), ("last", [1, 0, 1]), ("worst", [1, 0, 0]), ("best", [1, 1, 1]), ("average", [1, 0, 0])],
)  # fmt: skip
def test_the_first_two_of_three_of_which_two_are_tied(ties, said):
    assert top(SCORES[:1], 2, ties=ties).tolist() == [said]


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_the_first_k_are_k_and_no_other_scores_more(seed, k):
    score = np.random.default_rng(seed).integers(4, size=(3, 4))
    said = top(score, k).astype(bool)
    assert (said.sum(axis=1) == k).all()
    assert all(
        row[yes].min() >= row[~yes].max(initial=-1) for row, yes in zip(score, said, strict=True)
    )


def test_a_share_of_each_label():
    score = [[0.1, 0.5], [0.4, 0.5], [0.3, 0.5], [0.2, 0.6]]
    assert share(score, [0.5, 0.25]).tolist() == [[0, 0], [1, 0], [1, 0], [0, 1]]
    assert share(score, 0.5).tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]  # of tied ones the first
    assert share(score, 0.125).sum(axis=0).tolist() == [1, 1]  # a half of one, rounded up
    assert share(score, 0.124).sum() == share(score, 0).sum() == 0
    assert share(score, 1).all()
    assert share(np.arange(50)[:, None], 0.29).sum() == 15  # 14.5, which floats make a little less


def test_the_share_of_meka_is_one_short_and_ours_is_not():
    """MEKA's PCut1 gives one positive where a mean of one label a sample is wanted, which is two."""
    assert share([[0.1, 0.2], [0.3, 0.4]], [0.5, 0.5]).sum() == 2


def test_bad_input_gets_a_sentence():
    for call, sentence in (
        (lambda: at(SCORES, [0.1, 0.2]), r"cut has shape \(2,\), not \(3,\): give one number"),
        (lambda: at(SCORES, nan), "cut is nan: give one number"),
        (lambda: at(SCORES, [0.1, nan, 0.2]), "cut holds nan at position 1"),
        (lambda: at(SCORES, inclusive=2), "inclusive is 2"),
        (lambda: at([[nan]]), "y_score"),
        (lambda: top(SCORES, 4), "k is 4, more than the 3 labels"),
        (lambda: top(SCORES, 1, ties="random"), "ties is 'random'"),
        (lambda: share(SCORES, 1.5), "shares is 1.5: give one number from 0 to 1"),
        (lambda: share(SCORES, [0, 1, -0.5]), "shares holds -0.5 at position 2"),
        (lambda: tune(ranking.coverage, [[1]], [[0.5]]), "coverage, which reads scores: it needs no cut"),
        (lambda: tune(example_based.f1, [[1]], [[0.5]], per_label=True), "per_label is True, and under samples F1"),
        (lambda: tune(partial(label_based.f1, zero_division=nan), [[1]], [[0.5]]), "zero_division is nan"),
        (lambda: tune(partial(label_based.f1, average=None), [[1]], [[0.5]]), "average is None, a value per label"),
        (lambda: tune(partial(example_based.f1, per_sample=True), [[1]], [[0.5]]), "per_sample is True, a value per"),
        (lambda: tune(label_based.f1, [[1]], [[0.5, 0.4]]), "y_score has shape"),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=sentence):
            call()


# ---------------------------------------------------------------------------- the best cut


def test_by_hand():
    """One list: + − + +; F1 of the first one is 1/2, of all four 6/7, and of three 2/3."""
    truth, score = [[1], [0], [1], [1]], [[0.9], [0.8], [0.7], [0.6]]
    assert tune(label_based.f1, truth, score) == 0.6
    assert tune(label_based.precision, truth, score) == 0.9
    assert tune(hamming.hamming_loss, truth, score) == 0.6  # one wrong of four; at 0.9 two
    assert tune(label_based.f1, [[0], [0]], [[0.1], [0.2]]) == inf


def test_unknown_cells_are_left_out_of_what_a_cut_is_worth():
    """Of three known cells the second row has two: at 1/4 both are right, at inf the one of the first row."""
    y_true, score = np.ma.masked_equal([[0, -1], [1, 1]], -1), [[0.5, 0], [0.25, 0.25]]
    assert tune(hamming.hamming_loss, y_true, score) == 0.25


def test_a_label_of_which_nothing_is_known_does_not_count_in_what_is_reached():
    """The first label's recall is 1 at 0.5, and so is the mean over labels."""
    y_true, score = np.ma.masked_equal([[1, -1], [0, -1]], -1), [[0.5, 0.9], [0.2, 0.1]]
    recall = label_based.recall, 1.0
    assert tune(label_based.precision, y_true, score, reaching=recall) == 0.5
    assert tune(label_based.f1, y_true, score, per_label=True).tolist() == [0.5, inf]
    y_true = np.ma.masked_equal([[1, 0], [-1, -1]], -1)
    reached = example_based.recall, 1.0
    assert tune(example_based.precision, y_true, score, reaching=reached) == 0.5


def test_of_equally_good_cuts_the_highest():
    """Three of six cells are wrong either way; a third up and a third down are not quite 0 in floats."""
    truth, score = [[1, 1, 1], [0, 0, 0]], [[0, 0, 0.5], [0, 0, 0.5]]
    assert tune(hamming.hamming_loss, truth, score) == inf


def test_to_predict_nothing_can_be_best_under_micro():
    """Precision 0/0 counts 1, and no threshold reaches it."""
    metric = partial(label_based.precision, average="micro", zero_division=1.0)
    for weight, truth, score in (
        ([1, 0.3, 0.1], [[1], [0], [1]], [[0.38], [0.8], [0.46]]),
        (
            [0.01, 0.1, 0.1, 0.01],
            [[1, 1], [0, 0], [0, 0], [1, 1]],
            [[1, 0], [3, 3], [0, 0], [1, 3]],
        ),
    ):
        cuts = tune(partial(metric, sample_weight=weight), truth, score, per_label=True)
        assert cuts.tolist() == [inf] * len(truth[0])


def closed(y_true, y_pred, *, sample_weight=None, per_sample=False):
    """Share of samples that are right when the second label brings the first with it."""
    y_true, y_pred = opened(y_true, y_pred)
    return exact_match.subset_accuracy(
        y_true, y_pred, sample_weight=sample_weight, per_sample=per_sample
    )


def opened(*matrices, **options):
    return tuple(
        np.array(y) | np.eye(len(y[0]), dtype=int)[0] * np.array(y)[:, -1:] for y in matrices
    )


CLOSED = catalogue.Metric(
    "closed", closed, counts.all_right, "", "", "exact match", True, prepare=opened
)


RECALL_80 = (label_based.recall, 0.8)


def test_operating_points_by_hand():
    """Down the list + − + + −: precision 1, 1/2, 2/3, 3/4, 3/5; recall 1/3, 1/3, 2/3, 1, 1."""
    truth = [[1], [0], [1], [1], [0]]
    score = [[0.9], [0.8], [0.7], [0.6], [0.5]]
    at_recall = partial(tune, label_based.precision, truth, score)
    assert at_recall(reaching=(label_based.recall, 0.3)) == 0.9
    assert at_recall(reaching=(label_based.recall, 2 / 3)) == 0.6  # 3/4, better than 2/3
    at_precision = partial(tune, label_based.recall, truth, score)
    assert at_precision(reaching=(label_based.precision, 0.7)) == 0.6
    assert at_precision(reaching=(label_based.precision, 0.8)) == 0.9
    # One false alarm of two negatives is a specificity of 1/2; sensitivity is recall.
    assert at_precision(reaching=(label_based.specificity, 0.5)) == 0.6
    assert at_precision(reaching=(label_based.specificity, 0.51)) == 0.9
    # Lower is better of Hamming loss: at most one cell of five is wrong.
    assert at_recall(reaching=(hamming.hamming_loss, 0.2)) == 0.6
    assert at_recall(reaching=(label_based.recall, 0.3), per_label=True).tolist() == [0.9]


def test_each_label_reaches_a_value_of_its_own():
    truth, score = [[1, 0], [1, 1], [0, 1]], [[0.9, 0.8], [0.4, 0.6], [0.5, 0.2]]
    found = tune(
        label_based.precision, truth, score, per_label=True, reaching=(label_based.recall, [1, 0.5])
    )
    assert found.tolist() == [0.4, 0.2]  # 2/3 either way; of the second, 1/2 at 0.6 is less


@pytest.mark.parametrize(
    ("metric", "reaching", "per_label", "sentence"),
    [
        (label_based.recall, (label_based.precision, 0.8), False,
         r"^reaching asks for macro precision of at least 0\.8, which no threshold reaches: the best is 0\.25$"),
        (label_based.precision, RECALL_80, True,
         r"^reaching asks for macro recall of at least 0\.8 in column 1, which no threshold reaches: the best is 0\.0$"),
        (label_based.precision, (hamming.hamming_loss, 0.1), False, "of at most 0.1, which no threshold.*the best is"),
        (label_based.precision, (label_based.recall, nan), False, "the value in reaching is nan"),
        (label_based.precision, (ranking.coverage, 1), False, "coverage, which reads scores"),
        (label_based.precision, (partial(label_based.recall, average="micro"), 0.5), True,
         "under micro recall the best cut of a label depends"),
        (label_based.precision, (exact_match.subset_accuracy, 0.5), True,
         "under subset accuracy the best cut of a label depends"),
        (partial(label_based.precision, average="micro"), RECALL_80, True,
         "under micro precision the best cut of a label depends"),
    ],
)  # fmt: skip
def test_a_value_that_no_cut_reaches_is_a_sentence(metric, reaching, per_label, sentence):
    truth, score = [[0, 0], [1, 0]], [[0.9, 0.5], [0.8, 0.4]]
    with pytest.raises((ValueError, TypeError), match=sentence):
        tune(metric, truth, score, per_label=per_label, reaching=reaching)


def test_where_labels_depend_on_each_other_one_cut_is_for_all():
    with throwaway.added(CLOSED):
        for metric in (partial(label_based.matthews_correlation, average="micro"), closed):
            with pytest.raises(
                ValueError, match="the best cut of a label depends on those of the others"
            ):
                tune(metric, [[1]], [[0.5]], per_label=True)


# ---------------------------------------------------------------------------- brute force

KINDS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
WEIGHTS = (
    None,
    [1, 1, 1],
    [0.5, 1.5, 2.5],
    [0.1, 0.2, 0.3],
    [3, 1e-12, 1],
    [1e-17, 3, 0],
    [1e-60, 1, 1e30],
)


def drawn_scores(rng, kind, shape):
    """Scores with ties, the least and the greatest of their kind among them, as far as the gate lets them in."""
    if kind == "?" or np.dtype(kind).kind == "f":
        return (rng.integers(4, size=shape) / 3).astype(kind)
    ends = np.iinfo(kind)
    choice = [max(ends.min, -(2**53)), 0, 1, 5, min(ends.max, 2**53)]
    return rng.choice(np.array(choice, dtype=kind), size=shape)


def cuts_of(score):
    """Infinity, and the scores that occur, the highest first."""
    return [inf, *np.unique(score)[::-1].astype(float)]


def drawn_metric(rng, metric, n_samples):
    """A metric with drawn weights, rule of 0/0 and β."""
    options, record = {}, catalogue.of(metric)
    weight = WEIGHTS[rng.integers(len(WEIGHTS))]
    weight = weight and rng.permutation(weight)[:n_samples]
    if weight is not None and any(weight):
        options["sample_weight"] = weight
    if "zero_division" in record.defaults:
        options["zero_division"] = (0.0, 1.0, "agree")[rng.integers(3)]
    if "beta" in record.defaults:
        options["beta"] = rng.choice([0, 0.5, 2, 1e8])
    return partial(metric, **options)


def check_it_is_the_best(metric, truth, score, per_label, goal=None, bound=0.0):
    """Against every threshold; with ``per_label`` against all combinations of the labels' thresholds."""
    sign = 1 if catalogue.of(metric).higher_is_better else -1
    columns = [[j] for j in range(score.shape[1])] if per_label else [slice(None)]

    def reaches(cuts):
        ahead = 1 if catalogue.of(goal).higher_is_better else -1
        each = zip(columns, cuts, strict=True)
        values = (goal(truth[:, some], at(score[:, some], cut)) for some, cut in each)
        return all(ahead * (value - bound) >= -1e-12 for value in values)

    every = {
        cuts: sign * metric(truth, at(score, cuts if per_label else cuts[0]))
        for cuts in product(*(cuts_of(score[:, some]) for some in columns))
    }
    values = {cuts: value for cuts, value in every.items() if goal is None or reaches(cuts)}
    search = partial(
        tune, metric, truth, score, per_label=per_label, reaching=goal and (goal, bound)
    )
    if not values:
        with pytest.raises(ValueError, match=r"no threshold reaches|depends"):
            search()
        return
    found, most = tuple(np.ravel(search())), max(values.values())
    micro = catalogue.settings(metric).get("average") == "micro"
    size = abs(most) if per_label and micro else max(map(abs, every.values()))
    assert values[found] >= most - 5e-12 * size
    if not per_label:
        assert not any(cut > found and values[cut] > most - 5e-13 * size for cut in values)


def check_drawn_data(n, seed, with_goal):
    """Any metric of label sets, kind of scores, weights, rule of 0/0 and β; some of the truth unknown."""
    rng = np.random.default_rng(seed)
    with throwaway.added(CLOSED):
        every = [m for m in catalogue.variants().values() if catalogue.of(m).reads == "y_pred"]
        for i, j in rng.integers(len(every), size=(n, 2)):
            n_samples, n_labels = rng.integers(1, 4, size=2)
            truth = (rng.random((n_samples, n_labels)) < rng.choice([0.2, 0.5, 0.8])).astype(int)
            if rng.integers(3) == 0 and catalogue.of(every[i]) is not CLOSED and not with_goal:
                truth = hiding(truth, rng, most=rng.integers(truth.size))
            score = drawn_scores(rng, rng.choice(KINDS), truth.shape)
            metric, goal = (drawn_metric(rng, every[one], n_samples) for one in (i, j))
            bound = rng.choice([0, 0.25, 0.5, 2 / 3, 0.9])
            try:
                check_it_is_the_best(
                    metric, truth, score, bool(rng.integers(2)), goal if with_goal else None, bound
                )
            except ValueError as error:
                allowed = (
                    "best cut of a label depends",
                    "is unknown in each",
                )
                assert any(words in str(error) for words in allowed)


@pytest.mark.parametrize("with_goal", [False, True])
@pytest.mark.parametrize(
    ("n", "seed"),
    [(400, 0), pytest.param(4000, 1, marks=pytest.mark.exhaustive)],
)
def test_no_cut_is_better_and_none_as_good_is_higher(n, seed, with_goal):
    check_drawn_data(n, seed, with_goal)
