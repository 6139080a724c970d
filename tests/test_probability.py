"""Log loss, Brier score, calibration: by hand, by published numbers, by scikit-learn."""

from fractions import Fraction as F
from functools import partial
from math import log

import numpy as np
import pytest
import sklearn.metrics as skm
from sklearn.calibration import calibration_curve

from mlm_helpers import probability, worked
from mlm_helpers.probability import brier, calibration_error, log_loss, reliability

# Pull request 11007 of scikit-learn, which proposes a log loss of label matrices.
Y = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 1], [1, 0, 1]])
P = np.array([[0.9, 0.1, 0.1], [0.6, 0.8, 0.1], [0.7, 0.6, 0.8], [0.3, 0.2, 0.8]])
# The documentation of calibration errors in torchmetrics.
TORCH = [[0], [0], [1], [1], [1]], [[0.25], [0.25], [0.55], [0.75], [0.75]]


def column(truth, probabilities):
    return [[t] for t in truth], [[p] for p in probabilities]


# --------------------------------------------------------------------------- numbers from elsewhere


def test_log_loss_and_brier_of_the_pull_request():
    assert log_loss(Y, P) == pytest.approx(0.877030, abs=5e-7)
    assert 3 * log_loss(Y, P) == pytest.approx(2.631089, abs=5e-7)
    assert brier(Y, P) == pytest.approx(0.308333, abs=5e-7)


@pytest.mark.parametrize(("norm", "value"), [("l1", 0.29), ("l2", 0.2918), ("max", 0.3167)])
def test_calibration_error_of_torchmetrics_documentation(norm, value):
    assert calibration_error(*TORCH, bins=2, norm=norm) == pytest.approx(value, abs=5e-5)


def test_calibration_error_of_a_request():
    """From number 784 of Hugging Face's evaluate."""
    assert calibration_error(*column([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75]), bins=2) == 0.25


def test_ten_bins_by_default():
    y_true, y_prob = [0, 1, 0], [0.085, 0.095, 0.105]  # all in one of 9 bins, two in one of 11
    assert reliability(y_true, y_prob).samples.tolist() == [2, 1]
    assert calibration_error(*column(y_true, y_prob)) == pytest.approx((2 * 0.41 + 0.105) / 3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_each_label_has_the_value_of_scikit_learn(seed, kind):
    """With weights, in single and double precision, also for 0, 1 and edges of bins."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, (30, 3))
    chance = (rng.integers(0, 21, truth.shape) / 20).astype(kind)
    chance[rng.random(chance.shape) < 0.3] = rng.random()
    weight = rng.integers(1, 4, 30)
    for j in range(3):
        label = truth[:, j], chance[:, j]
        options = {"sample_weight": weight, "labels": [0, 1]}
        tolerance = 1e-12 if kind == "f8" else 1e-5  # scikit-learn stays in single precision.
        close = partial(pytest.approx, rel=tolerance, abs=tolerance)
        per_label = {"average": None, "sample_weight": weight}
        assert log_loss(truth, chance, **per_label)[j] == close(skm.log_loss(*label, **options))
        expected = skm.brier_score_loss(*label, sample_weight=weight, pos_label=1)
        assert brier(truth, chance, **per_label)[j] == close(expected)
    chance = chance.astype(float)  # Multiples of 1/4 are on edges, in scikit-learn's bins, too.
    share, mean = calibration_curve(truth[:, 0], chance[:, 0], n_bins=4)
    points = reliability(truth[:, 0], chance[:, 0], bins=4)
    assert np.allclose(points.share, share) and np.allclose(points.mean_probability, mean)
    expected = (points.samples / 30) @ abs(share - mean)
    assert calibration_error(truth, chance, bins=4, average=None)[0] == pytest.approx(expected)


# ---------------------------------------------------------------------------- conventions


def test_a_probability_on_an_edge_is_in_the_bin_below_it():
    assert reliability([1, 0], [0.5, 0.25], bins=2).samples.tolist() == [2]
    assert reliability([1, 0], [0.5, 0.75], bins=2).samples.tolist() == [1, 1]
    assert reliability([1, 0], [0.0, 1.0], bins=1).samples.tolist() == [2]


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("n_bins", [10, 57, 100])
def test_a_decimal_edge_is_in_the_bin_below_it_and_the_next_float_in_the_bin_above(n_bins, kind):
    """However 7/100 and 57 · 0.01 are rounded; few bins are compared, and many are searched."""
    edges = (np.arange(1, n_bins) / n_bins).astype(kind)
    for values, offset in ((edges, 0), (np.nextafter(edges, edges.dtype.type(1)), 1)):
        for i in range(0, len(edges), 7):
            assert probability._bin_of(values[i : i + 1], n_bins) == i + offset


def test_empty_bins_are_left_out_and_samples_of_weight_zero_do_not_count():
    y_true, y_prob = column([0, 1, 1], [0.1, 0.9, 0.5])
    assert len(reliability([0, 1, 1], [0.1, 0.9, 0.5]).samples) == 3
    for norm in ("l1", "l2", "max"):
        without_last = calibration_error(y_true[:2], y_prob[:2], norm=norm)
        options = {"norm": norm, "sample_weight": [1, 1, 0]}
        assert calibration_error(y_true, y_prob, **options) == without_last


def test_micro_pools_the_bins_of_all_labels_and_the_errors_of_two_labels_can_cancel():
    """The probability is 1/4 too high for one label, and 1/4 too low for the other: 0 together."""
    truth, chance = [[1, 0], [0, 0], [1, 0], [1, 1]], [[0.5, 0.5]] * 4
    assert calibration_error(truth, chance, average=None).tolist() == [0.25, 0.25]
    assert calibration_error(truth, chance, average="micro") == 0


def test_the_clip_is_the_lowest_probability_of_the_truth():
    data = [[1, 0]], [[0.0, 1.0]]
    assert log_loss(*data) == pytest.approx(52 * log(2))
    assert log_loss(*data, clip=1e-15) == pytest.approx(15 * log(10))
    single = np.array(data[1], dtype=np.float32)
    assert log_loss(data[0], single) == pytest.approx(23 * log(2))
    assert log_loss([[1]], [[0.3]], clip=0.4) == pytest.approx(-log(0.4))
    assert log_loss([[0]], [[0.3]], clip=0.4) == pytest.approx(-log(0.6))


def test_the_three_parts_of_the_brier_score_are_exact_where_probabilities_repeat():
    """Two samples at 1/2, one of them true, two at 1/4, none true: 1/32 − 1/16 + 3/16 = 5/32."""
    steps = worked.solve(brier, *column([1, 0, 0, 0], [0.5, 0.5, 0.25, 0.25]))
    assert steps.value == F(5, 32)
    assert "reliability − resolution + uncertainty = 1/32 − 1/16 + 3/16 = 5/32." in steps.to_text()
    assert "resolution" not in worked.solve(brier, *column([1, 0], [0.5, 0.25])).to_text()


def test_steps_of_the_bins():
    solution = worked.solve(calibration_error, *TORCH, bins=2, norm="max")
    assert solution.value == F(19, 60)  # 1 − (0.55 + 0.75 + 0.75) / 3
    lines = [line.split() for line in solution.to_text().splitlines()]
    assert ["0.5", "2", "0.25", "0"] in lines  # end of a bin, samples, mean probability, share
    assert worked.solve(calibration_error, *TORCH, bins=2).value == F(29, 100)
