"""From scores to label sets: by hand, by the rules' definitions, and against all thresholds."""

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

# A metric that prepares its data before it counts.
KIN_F1 = partial(throwaway.kin_f1, kin=throwaway.KIN.values[0])
SCORES = [[0.5, 0.4, 0.4], [0.2, 0.9, 0.4]]


def test_at_predicts_scores_from_the_threshold_on():
    assert at(SCORES, 0.4).tolist() == [[1, 1, 1], [0, 1, 1]]
    assert at(SCORES, 0.4, inclusive=False).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert at(SCORES, [0.2, 0.9, inf]).tolist() == [[1, 0, 0], [1, 1, 0]]
    assert at(SCORES).tolist() == at(SCORES, 0.5).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert not at(SCORES, inf).any()
    assert at(SCORES, -inf).all()
    assert at(SCORES).dtype == np.int8


def test_the_default_of_one_half_is_for_probabilities_only():
    """The logits are those of allennlp-multi-label, issue 176.

    Rounded probabilities may lie outside 0 to 1.
    """
    logits = [[0.3, -1.2], [2.1, 0.2], [-0.4, 3.0]]
    message = r"y_score holds -1.2 at row 0, column 1, and 0.5, the default.*threshold=0"
    with pytest.raises(ValueError, match=message):
        at(logits)
    assert at(logits, 0).tolist() == [[1, 0], [1, 1], [0, 1]]
    assert at(logits, 0.5).tolist() == [[0, 0], [1, 0], [0, 1]]
    assert at([[1.0000000000000002, -1e-17]]).tolist() == [[1, 0]]


def test_a_score_in_single_precision_reaches_the_same_number_as_threshold():
    assert at(np.array([[0.7]], dtype=np.float32), 0.7) == 1
    assert at(np.array([[0.7]], dtype=np.float32), [0.7]) == 1


NAMED = pd.DataFrame(SCORES, ["x.png", "y.png"], ["sea", "sun", "sky"])


def test_label_sets_of_a_frame_keep_its_index_and_columns():
    rules = [partial(at, threshold=0.4), partial(top, k=2), partial(share, shares=0.5)]
    for rule in rules:
        expected = pd.DataFrame(rule(SCORES), NAMED.index, NAMED.columns)
        pd.testing.assert_frame_equal(rule(NAMED), expected)


def test_thresholds_may_be_a_series_with_the_names_of_the_columns():
    thresholds = pd.Series([0.2, 0.9, inf], NAMED.columns)
    assert at(NAMED, thresholds).to_numpy().tolist() == [[1, 0, 0], [1, 1, 0]]


def test_top_2_of_three_labels_with_a_tie_for_rank_2():
    expected = {"first": [1, 1, 0], "last": [1, 0, 1], "max": [1, 0, 0], "min": [1, 1, 1]}
    for ties, labels in expected.items():
        assert top(SCORES[:1], 2, ties=ties).tolist() == [labels]
    of_tied = {sum(labels[1:]): ties for ties, labels in expected.items()}
    words = " ".join(top.__doc__.split())
    assert f'"{of_tied[0]}" predicts no label and "{of_tied[2]}" all' in words


def test_top_predicts_k_labels_and_no_other_label_scores_more():
    score = np.random.default_rng(0).integers(4, size=(50, 4))
    for k in range(1, 5):
        y_pred = top(score, k).astype(bool)
        assert (y_pred.sum(axis=1) == k).all()
        predicted, others = np.where(y_pred, score, 4), np.where(y_pred, -1, score)
        assert (predicted.min(axis=1) >= others.max(axis=1)).all()


def test_share_predicts_a_share_of_the_samples_for_each_label():
    """The number of samples is rounded: 0.5 to 1, and 14.5 to 15, though its float is lower."""
    score = [[0.1, 0.5], [0.4, 0.5], [0.3, 0.5], [0.2, 0.6]]
    assert share(score, [0.5, 0.25]).tolist() == [[0, 0], [1, 0], [1, 0], [0, 1]]
    assert share(score, 0.5).tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]  # the first of tied ones
    assert share(score, 0.125).sum(axis=0).tolist() == [1, 1]
    assert share(score, 0.124).sum() == share(score, 0).sum() == 0
    assert share(score, 1).all()
    assert share(np.arange(50)[:, None], 0.29).sum() == 15


# ---------------------------------------------------------------------------- the best threshold


def test_by_hand():
    """In the order of scores + − + +: F1 is 1/2 for one prediction, 2/3 for three, 6/7 for all."""
    truth, score = [[1], [0], [1], [1]], [[0.9], [0.8], [0.7], [0.6]]
    assert tune(label_based.f1, truth, score) == 0.6
    assert tune(label_based.precision, truth, score) == 0.9
    assert tune(hamming.hamming_loss, truth, score) == 0.6  # one wrong cell; at 0.9 two
    assert tune(label_based.f1, [[0], [0]], [[0.1], [0.2]]) == inf


def test_an_unknown_label_or_sample_does_not_count_in_a_constraint():
    """The recall of the known label is 1 at 0.5, and so is the mean over labels."""
    y_true, score = np.ma.masked_equal([[1, -1], [0, -1]], -1), [[0.5, 0.9], [0.2, 0.1]]
    recall = label_based.recall, 1.0
    assert tune(label_based.precision, y_true, score, constraint=recall) == 0.5
    assert tune(label_based.f1, y_true, score, per_label=True).tolist() == [0.5, inf]
    y_true = np.ma.masked_equal([[1, 0], [-1, -1]], -1)
    recall = example_based.recall, 1.0
    assert tune(example_based.precision, y_true, score, constraint=recall) == 0.5


def test_operating_points_by_hand():
    """In the order of scores + − + + −: precision is 1, 1/2, 2/3, 3/4, 3/5.

    Recall is 1/3, 1/3, 2/3, 1, 1.
    """
    truth, score = [[1], [0], [1], [1], [0]], [[0.9], [0.8], [0.7], [0.6], [0.5]]
    at_recall = partial(tune, label_based.precision, truth, score)
    assert at_recall(constraint=(label_based.recall, 0.3)) == 0.9
    assert at_recall(constraint=(label_based.recall, 2 / 3)) == 0.6  # 3/4, better than 2/3
    at_precision = partial(tune, label_based.recall, truth, score)
    assert at_precision(constraint=(label_based.precision, 0.7)) == 0.6
    assert at_precision(constraint=(label_based.precision, 0.8)) == 0.9
    # Hamming loss is better if lower: at most one cell of five is wrong.
    assert at_recall(constraint=(hamming.hamming_loss, 0.2)) == 0.6
    assert at_recall(constraint=(label_based.recall, 0.3), per_label=True).tolist() == [0.9]


def test_a_label_that_cannot_meet_the_constraint_gets_inf_and_is_named():
    """The highest score of the first label is false, so its precision is at most 1/2.

    The last is never true.
    """
    truth = pd.DataFrame([[0, 1, 0], [1, 0, 0], [0, 1, 0]], columns=["sea", "sun", "sky"])
    score = [[0.9, 0.9, 0.9], [0.8, 0.8, 0.8], [0.7, 0.7, 0.7]]
    search = partial(tune, label_based.recall, truth, score, per_label=True)
    with pytest.warns(UserWarning, match=r"for 'sea', 'sky': these labels get inf") as caught:
        assert search(constraint=(label_based.precision, 0.6)).tolist() == [inf, 0.7, inf]
    assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.warns(UserWarning, match=r"for 'sky': these"):
        thresholds = search(constraint=(label_based.precision, [0.5, 0.9, 0.1]))
    assert thresholds.tolist() == [0.8, 0.9, inf]


def test_a_constraint_by_calls_is_compared_with_a_sweep_at_the_end_of_ties():
    """At 0, one sample of two is right, and recall is 1; at 1 none is right, and recall is 1/2."""
    truth, score = [[0, 0], [1, 1]], [[0, 1], [0, 1]]
    recall = partial(hierarchy.recall, parents=[[], []]), 0.5
    assert tune(exact_match.subset_accuracy, truth, score, constraint=recall) == 0


def test_a_search_takes_few_copies_of_the_scores_as_float64():
    rng = np.random.default_rng(0)
    truth, score = rng.random((1000, 40)) < 0.1, rng.random((1000, 40), dtype="f4")
    metrics = label_based.f1, partial(label_based.f1, average="micro"), example_based.f1
    searches = [(label_based.f1, {"per_label": True}, 3)]
    searches += [(metric, {}, 16) for metric in metrics]
    searches += [(metric, {"constraint": (label_based.recall, 0.1)}, 19) for metric in metrics]
    for metric, options, max_copies in searches:
        tracemalloc.start()
        tune(metric, truth, score, **options)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= max_copies * 8 * score.size, (metric, options)


def hits_minus_false_alarms(y_true, y_pred):
    return int((y_true * y_pred).sum()) - int(((1 - y_true) * y_pred).sum())


def test_a_function_by_hand():
    """In the order of scores + − + + −: the values are 1, 0, 1, 2 and 1. Its negative is a loss."""
    truth, score = [[1], [0], [1], [1], [0]], [[9], [8], [7], [6], [5]]
    assert tune(hits_minus_false_alarms, truth, score, higher_is_better=True) == 6
    tune_negative = partial(tune, lambda t, p: -hits_minus_false_alarms(t, p), truth, score)
    assert tune_negative(higher_is_better=False) == 6
    assert tune_negative(higher_is_better=True) == inf  # 0, as at 8


def test_a_function_that_calls_a_metric_has_the_threshold_of_the_metric():
    """Also as the metric of a constraint, and with unknown cells."""
    rng = np.random.default_rng(0)
    for metric in (label_based.f1, hamming.hamming_loss, example_based.precision) * 5:
        truth = mask_cells(rng.integers(2, size=(5, 3)), rng, 3)
        score = rng.integers(4, size=(5, 3))
        sign = 2 * catalogue.record_of(metric).higher_is_better - 1
        function = partial(lambda metric, sign, *data: sign * metric(*data), metric, sign)
        best = tune(metric, truth, score)
        assert tune(function, truth, score, higher_is_better=True) == best
        value = metric(truth, at(score, best))
        for constraint in ((metric, value), (function, sign * value)):
            assert tune(label_based.recall, truth, score, constraint=constraint) <= best


def test_thresholds_at_which_a_function_is_nan_are_skipped():
    def recall_of_two(y_true, y_pred):
        return float((y_true * y_pred).sum()) if y_pred.sum() == 2 else nan

    score = [[0.9], [0.8], [0.7]]
    assert tune(recall_of_two, [[0], [0], [1]], score, higher_is_better=True) == 0.8
    with pytest.raises(ValueError, match="recall_of_two is nan at every threshold"):
        tune(recall_of_two, [[1]], [[0.5]], higher_is_better=True)


# ---------------------------------------------------------------------------- brute force

DTYPES = ["?", "i1", "i8", "u1", "u8", "f2", "f4", "f8"]
PRICES = "miss", "false_alarm"
WEIGHTS = (None, [0.5, 1.5, 2.5], [0.1, 0.2, 0.3], [3, 1e-12, 1], [1e-17, 3, 0], [1e-60, 1, 1e30])


def random_scores(rng, dtype, shape):
    """Scores with ties, among them the lowest and highest of their type, at most 2**53 in size."""
    if dtype == "?" or np.dtype(dtype).kind == "f":
        return (rng.integers(4, size=shape) / 3).astype(dtype)
    limits = np.iinfo(dtype)
    values = [max(limits.min, -(2**53)), 0, 1, 5, min(limits.max, 2**53)]
    return rng.choice(np.array(values, dtype=dtype), size=shape)


def with_random_options(rng, metric, n_samples, n_labels):
    """The metric with random weights, value of 0/0, β and prices, as far as it takes them."""
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


def check_it_is_the_best(metric, truth, score, per_label, constrained, bound):
    """Compare with all (combinations of) thresholds.

    If ``constrained`` is not None, with those at which it reaches the bound.
    """
    columns = [[j] for j in range(score.shape[1])] if per_label else [slice(None)]

    def signed_value(metric, threshold, labels):
        """The metric of these labels, with their own prices; its negative if lower is better."""
        sign = 1 if catalogue.record_of(metric).higher_is_better else -1
        prices = {n: v[labels] for n, v in metric.keywords.items() if n in PRICES}
        return sign * metric(truth[:, labels], at(score[:, labels], threshold), **prices)

    def is_allowed(threshold, labels):
        if constrained is None:
            return True
        least = bound if catalogue.record_of(constrained).higher_is_better else -bound
        return signed_value(constrained, threshold, labels) >= least - 1e-12

    candidates = [[inf, *np.unique(score[:, labels]).astype(float)] for labels in columns]
    allowed = []
    for thresholds, labels in zip(candidates, columns, strict=True):
        allowed.append([t for t in thresholds if is_allowed(t, labels)])
    search = partial(tune, metric, truth, score, per_label=per_label)
    if not per_label and not allowed[0]:
        with pytest.raises(ValueError, match="no threshold reaches"):
            search(constraint=(constrained, bound))
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tuned = tuple(np.ravel(search(constraint=constrained and (constrained, bound))))
    assert len(caught) == (not all(allowed))
    value_of = partial(signed_value, metric, labels=slice(None))
    values = {ts: value_of(ts if per_label else ts[0]) for ts in product(*candidates)}
    size = max(map(abs, values.values()))
    allowed_or_inf = [thresholds or [inf] for thresholds in allowed]
    values = {ts: values[ts] for ts in product(*allowed_or_inf)}
    best = max(values.values())
    assert values[tuned] >= best - 5e-12 * size
    if not per_label:
        assert not any(ts > tuned and values[ts] > best - 5e-13 * size for ts in values)


@pytest.mark.parametrize("n", [300, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_no_threshold_is_better_and_no_equally_good_one_is_higher(n):
    """For any metric of label sets, constraint, weights, 0/0, β, prices and unknown cells."""
    rng = np.random.default_rng(n)
    with throwaway.installed():
        variants = catalogue.variants().values()
        metrics = [m for m in variants if catalogue.record_of(m).reads == "y_pred"]
        metrics += [KIN_F1] + 3 * [label_based.cost]  # which is drawn more often
        for i, j in rng.integers(len(metrics), size=(n, 2)):
            shape = rng.integers(1, 4, size=2)
            truth = (rng.random(shape) < rng.choice([0.2, 0.5, 0.8])).astype(int)
            metric, constrained = (with_random_options(rng, metrics[k], *shape) for k in (i, j))
            if rng.integers(2):
                constrained = None
                if rng.integers(2) and metrics[i] is not KIN_F1:
                    truth = mask_cells(truth, rng, most=rng.integers(truth.size))
            score = random_scores(rng, rng.choice(DTYPES), truth.shape)
            # A little below values of metrics: rounding decides if the value itself is reached
            bound = rng.choice([0, 0.25, 0.5, 2 / 3, 0.9]) - 1e-9
            per_label = bool(rng.integers(2))
            try:
                check_it_is_the_best(metric, truth, score, per_label, constrained, bound)
            except ValueError as error:
                refusals = "is not a mean of the labels|is unknown in each|is nan at every"
                assert re.search(refusals, str(error))
