"""From scores to label sets: pencil, the rules' definitions, and every cut there is."""

from functools import partial
from itertools import product
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlm_helpers import catalogue, example_based, hamming, label_based, ranking
from mlm_helpers.thresholds import at, share, top, tune

SCORES = [[0.5, 0.4, 0.4], [0.2, 0.9, 0.4]]
SETS = {name: m for name, m in catalogue.variants().items() if catalogue.of(m).reads == "y_pred"}
SEPARATE = {name: m for name, m in SETS.items() if catalogue.of(m).along == "label"}
SEPARATE["Hamming loss"] = SETS["Hamming loss"]


def rules(metric):
    """The metric under each worth of 0/0 that a cut does not move out of the mean."""
    if "zero_division" not in catalogue.of(metric).options:
        return [metric]
    return [partial(metric, zero_division=worth) for worth in (0.0, 1.0, "agree")]


def same(a, b):
    return abs(a - b) <= 1e-12


def drawn(rng, n_samples, n_labels):
    """Truth, scores with ties, and weights."""
    shape = n_samples, n_labels
    return (
        rng.integers(2, size=shape),
        rng.integers(4, size=shape) / 4,
        rng.integers(3, size=n_samples) + 0.5,
    )


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


@pytest.mark.parametrize(
    ("ties", "said"),
    [("first", [1, 1, 0]), ("last", [1, 0, 1]), ("worst", [1, 0, 0]), ("best", [1, 1, 1]), ("average", [1, 0, 0])],
)  # fmt: skip
def test_the_first_two_of_three_of_which_two_are_tied(ties, said):
    assert top(SCORES[:1], 2, ties=ties).tolist() == [said]


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_the_first_k_are_k_and_no_other_scores_more(seed, k):
    _, score, _ = drawn(np.random.default_rng(seed), 3, 4)
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
        (lambda: tune(label_based.f1, [[1]], [[0.5, 0.4]]), "y_score has shape"),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=sentence):
            call()


# ---------------------------------------------------------------------------- the best cut


def better(metric):
    return max if catalogue.of(metric).higher_is_better else min


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SETS)
def test_no_cut_is_better_and_none_as_good_is_higher(name, weighted):
    rng = np.random.default_rng(0)
    for shape in [(1, 1), (1, 3), (3, 1), (2, 2), (3, 3), (5, 4)] * 3:
        truth, score, weight = drawn(rng, *shape)
        for metric in rules(SETS[name]):
            metric = partial(metric, sample_weight=weight) if weighted else metric
            cuts = [inf, *sorted(np.unique(score), reverse=True)]
            values = [metric(truth, at(score, cut)) for cut in cuts]
            best = better(metric)(values)
            first = next(cut for cut, value in zip(cuts, values, strict=True) if same(value, best))
            assert tune(metric, truth, score) == first


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SEPARATE)
def test_no_cuts_of_the_labels_are_better(name, weighted):
    rng = np.random.default_rng(1)
    for shape in [(1, 1), (2, 2), (3, 2), (4, 3)] * 3:
        truth, score, weight = drawn(rng, *shape)
        for metric in rules(SEPARATE[name]):
            metric = partial(metric, sample_weight=weight) if weighted else metric
            every = product(*([inf, *np.unique(column)] for column in score.T))
            best = better(metric)(metric(truth, at(score, cuts)) for cuts in every)
            found = tune(metric, truth, score, per_label=True)
            assert found.shape == (shape[1],)
            assert same(metric(truth, at(score, found)), best)


def test_each_label_alone_is_what_macro_tunes():
    truth, score, _ = drawn(np.random.default_rng(2), 6, 4)
    each = tune(partial(label_based.f1, average=None), truth, score, per_label=True)
    assert each.tolist() == tune(label_based.f1, truth, score, per_label=True).tolist()


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


def test_blocks_give_what_one_gives(monkeypatch):
    truth, score, _ = drawn(np.random.default_rng(3), 40, 5)
    metrics = [example_based.f1, label_based.f1, hamming.hamming_loss]
    whole = [tune(metric, truth, score) for metric in metrics]
    monkeypatch.setattr("mlm_helpers.blocks.CELLS", 7)
    assert [tune(metric, truth, score) for metric in metrics] == whole
