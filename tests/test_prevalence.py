"""Corrected prevalence: by hand, by drawing rows one by one, and how often intervals contain the true share."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from random_inputs import mask_cells
from scipy.sparse import csr_array

from mlm_helpers import uncertainty
from mlm_helpers.uncertainty import prevalence

nan = math.nan


def column(digits):
    return np.array([[int(digit)] for digit in digits])


def labelled(tp, fp, fn, tn):
    """Truth and prediction of one label with these counts."""
    return column("1" * tp + "0" * fp + "1" * fn + "0" * tn), column(
        "1" * (tp + fp) + "0" * (fn + tn)
    )


GOOD = labelled(90, 15, 10, 85)  # recall 9/10, specificity 17/20


@pytest.mark.parametrize(
    ("y_true", "y_pred", "n_new", "n_predicted", "expected"),
    [
        (column("11001010"), column("10011010"), 8, 5, 3 / 4),  # recall and specificity 3/4, p 5/8
        (*GOOD, 1000, 600, 3 / 5),  # (3/5 - 3/20) / (3/4)
        (*GOOD, 1000, 100, 0),  # (1/10 - 3/20) / (3/4) is -1/15
        (*GOOD, 20, 19, 1),  # (19/20 - 3/20) / (3/4) is 16/15
        (*labelled(1, 2, 5, 10), 6, 1, nan),  # recall and 1 - specificity are 1/6
        (*labelled(1, 3, 5, 9), 6, 1, nan),
        (*labelled(0, 2, 0, 10), 6, 1, nan),  # no positive
        (*labelled(2, 0, 1, 0), 6, 1, nan),  # no negative
    ],
)
def test_values_by_hand(y_true, y_pred, n_new, n_predicted, expected):
    (result,) = prevalence(y_true, y_pred, column("1" * n_predicted + "0" * (n_new - n_predicted)))
    assert result.value == pytest.approx(expected, abs=1e-15, nan_ok=True)
    if math.isnan(expected):
        assert np.isnan(result[1:4]).all() and result.undefined == 1000
    else:
        assert 0 <= result.low <= result.value <= result.high <= 1


def test_the_standard_error_is_that_of_the_delta_method():
    """Var = [p (1 - p) / n + (1 - θ)² s (1 - s) / m₀ + θ² r (1 - r) / m₁] / (r + s - 1)²."""
    new = column("1" * 600 + "0" * 400)
    few, many = (np.repeat(GOOD, times, axis=1) for times in (1, 1000))
    of_new, of_positives, of_negatives = 0.24 / 1000, 0.36 * 0.09 / 100, 0.16 * 0.1275 / 100
    for data, variance in ((few, of_new + of_positives + of_negatives), (many, of_new)):
        (result,) = prevalence(*data, new, n_resamples=20_000)
        assert result.standard_error == pytest.approx(math.sqrt(variance) / 0.75, rel=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_resamples_are_drawn_like_rows(seed):
    """Each sample is there twice beside one sample of each outcome: half a sample is added."""
    random = np.random.default_rng(seed)
    counts = random.integers([4, 0, 0, 4, 0], [9, 4, 4, 9, 4])  # TP, FP, FN, TN, unknown
    n_new, n_predicted = 20, random.integers(4, 17)
    rows = [(1, 1), (0, 1), (1, 0), (0, 0), (None, 1)]
    urn = [row for row, n in zip(rows, 2 * counts + [1, 1, 1, 1, 0], strict=True) for _ in range(n)]
    new_urn = [1] * (2 * n_predicted + 1) + [0] * (2 * (n_new - n_predicted) + 1)
    expected = []
    for _ in range(4000):
        drawn = [urn[i] for i in random.integers(len(urn), size=sum(counts))]
        of_true, of_false = ([pred for true, pred in drawn if true == value] for value in (1, 0))
        p = sum(new_urn[i] for i in random.integers(len(new_urn), size=n_new)) / n_new
        theta = nan
        if of_true and of_false:
            recall, specificity = sum(of_true) / len(of_true), 1 - sum(of_false) / len(of_false)
            if recall + specificity - 1 > 1e-9:
                theta = min(max((p + specificity - 1) / (recall + specificity - 1), 0), 1)
        expected.append(theta)
    drawn = uncertainty._prevalences(counts, n_predicted, n_new, 4000, seed).resampled
    either = [np.nan_to_num(values, nan=-1).round(9) for values in (drawn, expected)]
    assert scipy.stats.ks_2samp(*either).pvalue > 1e-3


def test_the_draws_of_a_seed_never_change():
    """The numbers that NumPy's PCG64 gave; a NumPy that draws others would fail here."""
    random = np.random.default_rng(0)
    assert random.multinomial(20, [0.4, 0.1, 0.1, 0.3, 0.1], 2).tolist() == [
        [9, 1, 0, 10, 0],
        [10, 3, 2, 3, 2],
    ]
    assert random.binomial(100, 0.35, 5).tolist() == [42, 39, 26, 38, 35]


def test_a_label_does_not_depend_on_others_and_any_container_is_read():
    random = np.random.default_rng(0)
    y_true, flips = random.integers(0, 2, (40, 5)), random.random((40, 5)) < 0.2
    y_pred, y_new = y_true ^ flips, random.integers(0, 2, (70, 5))
    results = prevalence(y_true, y_pred, y_new)
    assert [
        prevalence(*(m[:, [j]] for m in (y_true, y_pred, y_new)))[0] for j in range(5)
    ] == results
    order = [3, 1, 4, 0, 2]
    assert prevalence(y_true[:, order], y_pred[:, order], y_new[:, order]) == [
        results[j] for j in order
    ]
    for container in (csr_array, pd.DataFrame, np.ndarray.tolist):
        assert prevalence(*map(container, (y_true, y_pred, y_new))) == results
    masked = mask_cells(y_true, random, most=30)
    for j, result in enumerate(prevalence(masked, y_pred, y_new)):
        known = ~np.ma.getmaskarray(masked)[:, j]
        of_known = prevalence(y_true[known][:, [j]], y_pred[known][:, [j]], y_new[:, [j]])
        assert result.value == of_known[0].value
    for option in ({"seed": 8}, {"n_resamples": 77}, {"level": 0.8}):
        assert prevalence(y_true, y_pred, y_new, **option)[0][1:3] != results[0][1:3]


SETTINGS = [(100, 100, 0.3, 0.9, 0.9), (100, 200, 0.1, 0.8, 0.95), (10_000, 100, 0.1, 0.8, 0.95)]
MANY = pytest.mark.exhaustive


@pytest.mark.parametrize(("n_sets", "least"), [(200, 0.88), pytest.param(1000, 0.93, marks=MANY)])
@pytest.mark.parametrize(("n_new", "n_labelled", "share", "recall", "specificity"), SETTINGS)
def test_intervals_contain_the_true_share(
    n_new, n_labelled, share, recall, specificity, n_sets, least
):
    """Each data set is a label; of 200, intervals with a coverage of 0.95 contain fewer once in 100,000 times."""
    random = np.random.default_rng(0)
    y_true, new_true = (random.random((n, n_sets)) < share for n in (n_labelled, n_new))
    y_pred, y_pred_new = (
        random.random(true.shape) < np.where(true, recall, 1 - specificity)
        for true in (y_true, new_true)
    )
    results = prevalence(y_true, y_pred, y_pred_new)
    assert np.mean([result.low <= share <= result.high for result in results]) >= least
