"""From scores to label sets: pencil, the rules' definitions, and every cut there is."""

import re
import tracemalloc
import warnings
from functools import partial
from itertools import product
from math import inf, nan

import numpy as np
import pandas as pd
import pytest
import throwaway
from random_inputs import mask_cells

from mlm_helpers import catalogue, exact_match, example_based, hamming, hierarchy, label_based
from mlm_helpers.thresholds import at, share, top, tune

KIN_F1 = partial(throwaway.kin_f1, kin=throwaway.KIN.values[0])  # a step before it counts
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


def test_one_half_by_default_is_for_probabilities_alone():
    """The logits of allennlp-multi-label, issue 176; a softmax is rounded; a threshold that is given is obeyed."""
    logits = [[0.3, -1.2], [2.1, 0.2], [-0.4, 3.0]]
    refused = r"y_score holds -1.2 at row 0, column 1, and 0.5, the default.*threshold=0"
    with pytest.raises(ValueError, match=refused):
        at(logits)
    assert at(logits, 0).tolist() == [[1, 0], [1, 1], [0, 1]]
    assert at(logits, 0.5).tolist() == [[0, 0], [1, 0], [0, 1]]
    assert at([[1.0000000000000002, -1e-17]]).tolist() == [[1, 0]]


def test_a_score_in_single_precision_meets_the_cut_that_it_was_given():
    assert at(np.array([[0.7]], dtype=np.float32), 0.7) == 1
    assert at(np.array([[0.7]], dtype=np.float32), [0.7]) == 1


NAMED = pd.DataFrame(SCORES, ["x.png", "y.png"], ["sea", "sun", "sky"])


def test_what_is_predicted_from_a_frame_keeps_its_names():
    rules = [partial(at, threshold=0.4), partial(top, k=2), partial(share, shares=0.5)]
    for rule in rules:
        expected = pd.DataFrame(rule(SCORES), NAMED.index, NAMED.columns)
        pd.testing.assert_frame_equal(rule(NAMED), expected)


def test_cuts_with_the_names_of_the_columns_are_read_as_they_stand():
    cuts = pd.Series([0.2, 0.9, inf], NAMED.columns)
    assert at(NAMED, cuts).to_numpy().tolist() == [[1, 0, 0], [1, 1, 0]]


def test_the_first_two_of_three_of_which_two_are_tied():
    expected = {"first": [1, 1, 0], "last": [1, 0, 1], "worst": [1, 0, 0], "best": [1, 1, 1]}
    for ties, said in expected.items():
        assert top(SCORES[:1], 2, ties=ties).tolist() == [said]


def test_top_predicts_k_labels_and_no_other_label_scores_more():
    score = np.random.default_rng(0).integers(4, size=(50, 4))
    for k in range(1, 5):
        said = top(score, k).astype(bool)
        assert (said.sum(axis=1) == k).all()
        assert (np.where(said, score, 4).min(axis=1) >= np.where(said, -1, score).max(axis=1)).all()


def test_share_predicts_a_share_of_the_samples_for_each_label():
    score = [[0.1, 0.5], [0.4, 0.5], [0.3, 0.5], [0.2, 0.6]]
    assert share(score, [0.5, 0.25]).tolist() == [[0, 0], [1, 0], [1, 0], [0, 1]]
    assert share(score, 0.5).tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]  # of tied ones the first
    assert share(score, 0.125).sum(axis=0).tolist() == [1, 1]  # a half of one, rounded up
    assert share(score, 0.124).sum() == share(score, 0).sum() == 0
    assert share(score, 1).all()
    assert share(np.arange(50)[:, None], 0.29).sum() == 15  # 14.5, which floats make a little less


# ---------------------------------------------------------------------------- the best cut


def test_by_hand():
    """One list: + − + +; F1 of the first one is 1/2, of all four 6/7, and of three 2/3."""
    truth, score = [[1], [0], [1], [1]], [[0.9], [0.8], [0.7], [0.6]]
    assert tune(label_based.f1, truth, score) == 0.6
    assert tune(label_based.precision, truth, score) == 0.9
    assert tune(hamming.hamming_loss, truth, score) == 0.6  # one wrong of four; at 0.9 two
    assert tune(label_based.f1, [[0], [0]], [[0.1], [0.2]]) == inf


def test_a_label_of_which_nothing_is_known_does_not_count_in_what_is_reached():
    """The first label's recall is 1 at 0.5, and so is the mean over labels."""
    y_true, score = np.ma.masked_equal([[1, -1], [0, -1]], -1), [[0.5, 0.9], [0.2, 0.1]]
    recall = label_based.recall, 1.0
    assert tune(label_based.precision, y_true, score, constraint=recall) == 0.5
    assert tune(label_based.f1, y_true, score, per_label=True).tolist() == [0.5, inf]
    y_true = np.ma.masked_equal([[1, 0], [-1, -1]], -1)
    reached = example_based.recall, 1.0
    assert tune(example_based.precision, y_true, score, constraint=reached) == 0.5


def test_to_predict_nothing_can_be_best_under_micro():
    """Precision 0/0 counts 1, and no threshold reaches it."""
    truth, score = [[1, 1], [0, 0], [0, 0], [1, 1]], [[1, 0], [3, 3], [0, 0], [1, 3]]
    weights = {"sample_weight": [0.01, 0.1, 0.1, 0.01]}
    metric = partial(label_based.precision, average="micro", zero_division=1.0, **weights)
    assert tune(metric, truth, score, per_label=True).tolist() == [inf, inf]


def test_operating_points_by_hand():
    """Down the list + − + + −: precision 1, 1/2, 2/3, 3/4, 3/5; recall 1/3, 1/3, 2/3, 1, 1."""
    truth, score = [[1], [0], [1], [1], [0]], [[0.9], [0.8], [0.7], [0.6], [0.5]]
    at_recall = partial(tune, label_based.precision, truth, score)
    assert at_recall(constraint=(label_based.recall, 0.3)) == 0.9
    assert at_recall(constraint=(label_based.recall, 2 / 3)) == 0.6  # 3/4, better than 2/3
    at_precision = partial(tune, label_based.recall, truth, score)
    assert at_precision(constraint=(label_based.precision, 0.7)) == 0.6
    assert at_precision(constraint=(label_based.precision, 0.8)) == 0.9
    # Lower is better of Hamming loss: at most one cell of five is wrong.
    assert at_recall(constraint=(hamming.hamming_loss, 0.2)) == 0.6
    assert at_recall(constraint=(label_based.recall, 0.3), per_label=True).tolist() == [0.9]


def test_a_label_that_cannot_meet_the_constraint_gets_inf_and_is_named():
    """In the first column the highest score is false, so its precision is at most a half; the last is never true."""
    truth = pd.DataFrame([[0, 1, 0], [1, 0, 0], [0, 1, 0]], columns=["sea", "sun", "sky"])
    score = [[0.9, 0.9, 0.9], [0.8, 0.8, 0.8], [0.7, 0.7, 0.7]]
    search = partial(tune, label_based.recall, truth, score, per_label=True)
    with pytest.warns(UserWarning, match=r"for 'sea', 'sky': these labels get inf") as warned:
        assert search(constraint=(label_based.precision, 0.6)).tolist() == [inf, 0.7, inf]
    assert len(warned) == 1 and warned[0].filename == __file__
    with pytest.warns(UserWarning, match=r"for 'sky': these"):
        own = search(constraint=(label_based.precision, [0.5, 0.9, 0.1]))
    assert own.tolist() == [0.8, 0.9, inf]


def test_a_constraint_that_adds_ancestors_is_reached_where_a_tie_ends():
    """All four cells at 0: one row of two is right, and recall is 1; at 1 none is right, and recall is 1/2."""
    truth, score = [[0, 0], [1, 1]], [[0, 1], [0, 1]]
    reached = partial(hierarchy.recall, parents=[[], []]), 0.5
    assert tune(exact_match.subset_accuracy, truth, score, constraint=reached) == 0


def test_a_metric_with_a_step_before_it_counts_has_one_cut_for_all():
    with throwaway.installed(), pytest.raises(ValueError, match="under samples kin F1 the best"):
        tune(KIN_F1, [[1]], [[0.5]], per_label=True)


def test_the_memory_of_a_search_in_copies_of_the_scores_as_float64():
    rng = np.random.default_rng(0)
    truth, score = rng.random((1000, 40)) < 0.1, rng.random((1000, 40), dtype="f4")
    metrics = label_based.f1, partial(label_based.f1, average="micro"), example_based.f1
    searches = [({"per_label": True}, metrics[:1], 3), ({"per_label": True}, metrics[1:2], 16)]
    searches += [({}, metrics, 16), ({"constraint": (label_based.recall, 0.1)}, metrics, 19)]
    for options, some, copies in searches:
        for metric in some:
            tracemalloc.start()
            tune(metric, truth, score, **options)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak <= copies * 8 * score.size, (metric, options)


# ---------------------------------------------------------------------------- any function


def hits_less_alarms(y_true, y_pred):
    return int((y_true * y_pred).sum()) - int(((1 - y_true) * y_pred).sum())


def test_a_function_by_hand():
    """Down the list + − + + −: one hit is worth 1, then 0, 1, 2 and 1; its negative is best where it is least."""
    truth, score = [[1], [0], [1], [1], [0]], [[9], [8], [7], [6], [5]]
    assert tune(hits_less_alarms, truth, score, higher_is_better=True) == 6
    worst = partial(tune, lambda t, p: -hits_less_alarms(t, p), truth, score)
    assert worst(higher_is_better=False) == 6
    assert worst(higher_is_better=True) == inf  # 0, as at 8


def test_a_function_that_calls_a_metric_has_the_threshold_of_the_metric():
    """Also as the metric of a constraint, and where some of the truth is unknown."""
    rng = np.random.default_rng(0)
    for metric in (label_based.f1, hamming.hamming_loss, example_based.precision) * 5:
        truth = mask_cells(rng.integers(2, size=(5, 3)), rng, 3)
        score = rng.integers(4, size=(5, 3))
        sign = 2 * catalogue.record_of(metric).higher_is_better - 1
        function = partial(lambda metric, sign, *data: sign * metric(*data), metric, sign)
        best = tune(metric, truth, score)
        assert tune(function, truth, score, higher_is_better=True) == best
        least = metric(truth, at(score, best))
        for goal in ((metric, least), (function, sign * least)):
            assert tune(label_based.recall, truth, score, constraint=goal) <= best


def test_thresholds_at_which_a_function_is_nan_are_skipped():
    def recall_of_two(y_true, y_pred):
        return float((y_true * y_pred).sum()) if y_pred.sum() == 2 else nan

    score = [[0.9], [0.8], [0.7]]
    assert tune(recall_of_two, [[0], [0], [1]], score, higher_is_better=True) == 0.8
    with pytest.raises(ValueError, match="recall_of_two is nan at every threshold"):
        tune(recall_of_two, [[1]], [[0.5]], higher_is_better=True)


# ---------------------------------------------------------------------------- brute force

KINDS = ["?", "i1", "i8", "u1", "u8", "f2", "f4", "f8"]
PRICES = "miss", "false_alarm"
WEIGHTS = (None, [0.5, 1.5, 2.5], [0.1, 0.2, 0.3], [3, 1e-12, 1], [1e-17, 3, 0], [1e-60, 1, 1e30])


def drawn_scores(rng, kind, shape):
    """Scores with ties, the least and the greatest of their kind among them, as far as the gate lets them in."""
    if kind == "?" or np.dtype(kind).kind == "f":
        return (rng.integers(4, size=shape) / 3).astype(kind)
    ends = np.iinfo(kind)
    choice = [max(ends.min, -(2**53)), 0, 1, 5, min(ends.max, 2**53)]
    return rng.choice(np.array(choice, dtype=kind), size=shape)


def drawn_metric(rng, metric, n_samples, n_labels):
    """A metric with drawn weights, rule of 0/0, β and prices of each label."""
    options, record = {}, catalogue.record_of(metric)
    weight = WEIGHTS[rng.integers(len(WEIGHTS))]
    weight = weight and rng.permutation(weight)[:n_samples]
    if weight is not None and any(weight):
        options["sample_weight"] = weight
    if "zero_division" in record.defaults:
        options["zero_division"] = (0.0, 1.0, "agree")[rng.integers(3)]
    if "beta" in record.defaults:
        options["beta"] = rng.choice([0, 0.5, 2, 1e8])
    if "miss" in record.defaults:
        options |= {name: rng.integers(4, size=n_labels) for name in PRICES}
    return partial(metric, **options)


def check_it_is_the_best(metric, truth, score, per_label, goal, bound):
    """Against every threshold; with ``per_label`` against all combinations of the labels' thresholds."""
    columns = [[j] for j in range(score.shape[1])] if per_label else [slice(None)]

    def gain(metric, cuts, some):
        sign = 1 if catalogue.record_of(metric).higher_is_better else -1
        prices = {n: v[some] for n, v in metric.keywords.items() if n in PRICES}
        return sign * metric(truth[:, some], at(score[:, some], cuts), **prices)

    def reaches(cut, some):
        least = bound if goal is None or catalogue.record_of(goal).higher_is_better else -bound
        return goal is None or gain(goal, cut, some) >= least - 1e-12

    every = [[inf, *np.unique(score[:, some]).astype(float)] for some in columns]
    pairs = zip(every, columns, strict=True)
    cuts_of = [[cut for cut in cuts if reaches(cut, some)] for cuts, some in pairs]
    search = partial(tune, metric, truth, score, per_label=per_label)
    if not per_label and not cuts_of[0]:
        with pytest.raises(ValueError, match="no threshold reaches"):
            search(constraint=(goal, bound))
        return
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = tuple(np.ravel(search(constraint=goal and (goal, bound))))
    assert len(warned) == (not all(cuts_of))
    gains = {
        cuts: gain(metric, cuts if per_label else cuts[0], slice(None)) for cuts in product(*every)
    }
    size = max(map(abs, gains.values()))
    gains = {cuts: gains[cuts] for cuts in product(*(cuts or [inf] for cuts in cuts_of))}
    most = max(gains.values())
    if per_label and catalogue.resolve_options(metric).get("average") == "micro":
        size = abs(most)
    assert gains[found] >= most - 5e-12 * size
    if not per_label:
        assert not any(cut > found and gains[cut] > most - 5e-13 * size for cut in gains)


@pytest.mark.parametrize("n", [300, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_no_threshold_is_better_and_no_equally_good_one_is_higher(n):
    """Any metric of label sets, kind of scores, weights, rule of 0/0, β and prices; some of the truth unknown."""
    rng = np.random.default_rng(n)
    with throwaway.installed():
        every = [
            m for m in catalogue.variants().values() if catalogue.record_of(m).reads == "y_pred"
        ]
        every += [KIN_F1] + 3 * [label_based.cost]
        for i, j in rng.integers(len(every), size=(n, 2)):
            n_samples, n_labels = rng.integers(1, 4, size=2)
            truth = (rng.random((n_samples, n_labels)) < rng.choice([0.2, 0.5, 0.8])).astype(int)
            metric, goal = (drawn_metric(rng, every[one], n_samples, n_labels) for one in (i, j))
            if rng.integers(2):
                goal = None
                if rng.integers(2) and every[i] is not KIN_F1:
                    truth = mask_cells(truth, rng, most=rng.integers(truth.size))
            score = drawn_scores(rng, rng.choice(KINDS), truth.shape)
            bound = rng.choice([0, 0.25, 0.5, 2 / 3, 0.9])
            try:
                check_it_is_the_best(metric, truth, score, bool(rng.integers(2)), goal, bound)
            except ValueError as error:
                known = "best threshold of a label depends|is unknown in each|is nan at every"
                assert re.search(known, str(error))
