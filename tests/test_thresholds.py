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
SETS = {name: m for name, m in catalogue.variants().items() if catalogue.of(m).reads == "y_pred"}


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
        "cut has 'sky' at position 0 of its index where the columns of y_score have 'sea': give one"
        " number per column, such as cut[y_score.columns]"
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


def test_useless_scores_and_a_rare_label():
    """Of prevalence 1/10 the best F1 of scores that say nothing predicts everything: 2/11."""
    truth = np.arange(10)[:, None] < 1
    cut = tune(label_based.f1, truth, np.full((10, 1), 0.3))
    assert label_based.f1(truth, at(np.full((10, 1), 0.3), cut)) == pytest.approx(2 / 11)


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


@pytest.mark.parametrize("kind", ["?", "u1", "u8", "i1"])
def test_the_lowest_number_of_a_kind_is_a_score_as_any_other(kind):
    """Minus it is itself: 0 of truth values and of unsigned numbers, -128 of bytes."""
    low, high = (-128, 127) if kind == "i1" else (0, 1)
    assert (
        tune(exact_match.subset_accuracy, [[0, 1, 0]], np.array([[low, high, low]], kind)) == high
    )
    each = tune(hamming.hamming_loss, [[1], [0]], np.array([[high], [low]], kind), per_label=True)
    assert each.tolist() == [high]


def test_a_finer_score_reaches_its_cut():
    """The float next to it is 1, which it does not reach."""
    score = np.array([[np.nextafter(np.longdouble(1), 0)], [0.5], [0.2]], np.longdouble)
    assert at(score, tune(label_based.f1, [[1], [0], [0]], score)).tolist() == [[1], [0], [0]]


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


def test_a_light_sample_can_decide_under_micro():
    """Nothing of the heavy sample is true: its label is not to be predicted, whatever the light one has."""
    truth, score = [[0, 0, 0], [1, 0, 1]], [[1 / 3, 0, 2 / 3], [1, 1, 2 / 3]]
    metric = partial(label_based.f1, average="micro", sample_weight=[3, 1e-12])
    found = metric(truth, at(score, tune(metric, truth, score, per_label=True)))
    assert found == pytest.approx(2 / 3)  # one of the two, and nothing else


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
    "closed", closed, "exact match", "", True, counts.all_right, prepare=opened
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
         r"^reaching asks for macro precision of at least 0\.8, which no threshold reaches: the most is 0\.25$"),
        (label_based.precision, RECALL_80, True,
         r"^reaching asks for macro recall of at least 0\.8 in column 1, which no threshold reaches: the most is 0\.0$"),
        (label_based.precision, (hamming.hamming_loss, 0.1), False, "of at most 0.1, which no threshold.*the least is"),
        (label_based.precision, 0.8, False, r"^reaching is 0\.8: give a metric and the value"),
        (label_based.precision, (label_based.recall, nan), False, "the value in reaching is nan"),
        (label_based.precision, (ranking.coverage, 1), False, "coverage, which reads scores"),
        (label_based.precision, (partial(label_based.recall, average="micro"), 0.5), True,
         "micro recall is no value of a label"),
        (label_based.precision, (exact_match.subset_accuracy, 0.5), True,
         "subset accuracy is no value of a label"),
        (partial(label_based.precision, average="micro"), RECALL_80, True,
         "micro precision is no value of a label"),
    ],
)  # fmt: skip
def test_a_value_that_no_cut_reaches_is_a_sentence(metric, reaching, per_label, sentence):
    truth, score = [[0, 0], [1, 0]], [[0.9, 0.5], [0.8, 0.4]]
    with pytest.raises((ValueError, TypeError), match=sentence):
        tune(metric, truth, score, per_label=per_label, reaching=reaching)


def test_no_cut_that_reaches_a_value_is_better():
    """Two metrics of any average, weights, ties, one cut or one per label: all cuts are tried."""
    rng, refused = np.random.default_rng(8), 0
    for _ in range(400):
        truth = (rng.random((5, 3)) < 0.5).astype(int)
        score = rng.integers(5, size=truth.shape) / 4
        metric, goal = (SETS[rng.choice(list(SETS))] for _ in range(2))
        metric, goal = (
            partial(m, sample_weight=rng.permutation([1, 1, 2, 0.3, 0])) for m in (metric, goal)
        )
        if not {catalogue.of(m).asks_per_label for m in (metric, goal)} <= {()}:
            continue
        better, good = (1 if catalogue.of(m).higher_is_better else -1 for m in (metric, goal))
        bound = rng.choice([0, 0.25, 0.5, 2 / 3, 0.9])
        values = {
            cut: better * metric(truth, at(score, cut))
            for cut in (inf, *np.unique(score))
            if good * goal(truth, at(score, cut)) >= good * bound - 1e-12
        }
        if not values:
            refused += 1
            with pytest.raises(ValueError, match="which no threshold reaches"):
                tune(metric, truth, score, reaching=(goal, bound))
            continue
        found = tune(metric, truth, score, reaching=(goal, bound))
        assert found == max(c for c in values if values[c] >= max(values.values()) - 1e-11)
    assert 20 < refused < 300


def test_no_cut_of_a_label_that_reaches_a_value_is_better():
    rng = np.random.default_rng(9)
    of_labels = [
        m for m in SETS.values() if catalogue.of(m).along == "label" and "micro" not in str(m)
    ]
    for metric, goal in rng.choice(of_labels, size=(80, 2)):
        truth, score = rng.integers(2, size=(6, 3)), rng.integers(6, size=(6, 3)) / 5
        each = [partial(m, average=None) for m in (metric, goal)]
        cuts = [inf, *np.unique(score)]
        values, reached = (np.array([m(truth, at(score, cut)) for cut in cuts]) for m in each)
        bound = float(reached.max(axis=0).min()) - rng.choice([0, 0.2])
        found = tune(metric, truth, score, per_label=True, reaching=(goal, bound))
        best = np.where(reached >= bound - 1e-12, values, -inf).max(axis=0)
        ours = each[0](truth, at(score, found))
        assert ours == pytest.approx(best)
        assert (each[1](truth, at(score, found)) >= bound - 1e-12).all()


def test_where_labels_depend_on_each_other_one_cut_is_for_all():
    with throwaway.added(CLOSED):
        for metric in (partial(label_based.matthews_correlation, average="micro"), closed):
            with pytest.raises(
                ValueError, match="the best cut of a label depends on those of the others"
            ):
                tune(metric, [[1]], [[0.5]], per_label=True)


# ---------------------------------------------------------------------------- brute force

KINDS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g"]
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
    if kind == "g":
        one = np.longdouble(1)
        return rng.choice(
            [np.nextafter(one, 0), one, one / 3, np.nextafter(one / 3, 0)], size=shape
        )
    if kind == "?" or np.dtype(kind).kind == "f":
        return (rng.integers(4, size=shape) / 3).astype(kind)
    ends = np.iinfo(kind)
    choice = [max(ends.min, -(2**53)), 0, 1, 5, min(ends.max, 2**53)]
    return rng.choice(np.array(choice, dtype=kind), size=shape)


def cuts_of(score):
    """The cuts that there are, the highest first; of a finer score the float at or below it."""
    down = [np.float64(x) for x in np.unique(score)[::-1]]
    return [
        inf,
        *(
            c if c <= x else np.nextafter(c, -inf)
            for c, x in zip(down, np.unique(score)[::-1], strict=True)
        ),
    ]


def check_it_is_the_best(metric, truth, score, per_label):
    sign = 1 if catalogue.of(metric).higher_is_better else -1

    def value(cut):
        return sign * metric(truth, at(score, cut))

    if not per_label:
        values = {cut: value(cut) for cut in cuts_of(score)}
        found, most = tune(metric, truth, score), max(values.values())
        size = max(map(abs, values.values()))
        assert values[found] >= most - 2e-12 * size
        assert not any(cut > found and values[cut] > most - 5e-13 * size for cut in values)
        return
    values = list(map(value, product(*map(cuts_of, score.T))))
    micro = catalogue.settings(metric).get("average") == "micro"
    size = abs(max(values)) if micro else max(map(abs, values))
    assert value(tune(metric, truth, score, per_label=True)) >= max(values) - 5e-12 * size


def check_drawn_data(n, seed):
    """Any metric of label sets, kind of scores, weights, rule of 0/0 and β; some of the truth unknown."""
    rng = np.random.default_rng(seed)
    with throwaway.added(CLOSED):
        every = [m for m in catalogue.variants().values() if catalogue.of(m).reads == "y_pred"]
        for metric in (every[i] for i in rng.integers(len(every), size=n)):
            record, (n_samples, n_labels) = catalogue.of(metric), rng.integers(1, 4, size=2)
            weight = WEIGHTS[rng.integers(len(WEIGHTS))]
            weight = weight and rng.permutation(weight)[:n_samples]
            some = weight is not None and any(weight)
            options = {"sample_weight": weight if some else None}
            if "zero_division" in record.options:
                options["zero_division"] = (0.0, 1.0, "agree")[rng.integers(3)]
            if "beta" in record.options:
                options["beta"] = rng.choice([0, 0.5, 2, 1e8])
            truth = (rng.random((n_samples, n_labels)) < rng.choice([0.2, 0.5, 0.8])).astype(int)
            if rng.integers(3) == 0 and record is not CLOSED:
                truth = hiding(truth, rng, most=rng.integers(truth.size))
            score = drawn_scores(rng, rng.choice(KINDS), truth.shape)
            chosen = partial(metric, **options)
            try:
                check_it_is_the_best(chosen, truth, score, per_label=bool(rng.integers(2)))
            except ValueError as error:
                assert "best cut of a label depends" in str(error) or "is unknown in each" in str(
                    error
                )


def test_no_cut_is_better_and_none_as_good_is_higher():
    check_drawn_data(400, seed=0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", [1, 2])
def test_no_cut_is_better_at_length(seed):
    check_drawn_data(4000, seed)


def test_blocks_give_what_one_gives(monkeypatch):
    rng = np.random.default_rng(3)
    truth, score = rng.integers(2, size=(40, 5)), rng.integers(4, size=(40, 5))
    metrics = [example_based.f1, label_based.f1, hamming.hamming_loss]
    whole = [tune(metric, truth, score) for metric in metrics]
    monkeypatch.setattr("mlm_helpers._core.blocks.CELLS", 7)
    assert [tune(metric, truth, score) for metric in metrics] == whole
