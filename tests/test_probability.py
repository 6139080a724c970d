"""Log loss, Brier score, calibration error and reliability, by a pencil, by published numbers and by scikit-learn."""

from fractions import Fraction as F
from functools import partial
from math import log, nan

import numpy as np
import pytest
import sklearn.metrics as skm
from sklearn.calibration import calibration_curve

from mlm_course import disagreement, invariance
from mlm_helpers import conventions, probability, worked
from mlm_helpers.probability import brier, calibration_error, log_loss, reliability
from mlm_helpers.scorecard import Scorecard

# The pull request 11007 of scikit-learn, for a log loss of label matrices.
Y = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 1], [1, 0, 1]])
P = np.array([[0.9, 0.1, 0.1], [0.6, 0.8, 0.1], [0.7, 0.6, 0.8], [0.3, 0.2, 0.8]])
# torchmetrics' documentation of calibration errors.
TORCH = [[0], [0], [1], [1], [1]], [[0.25], [0.25], [0.55], [0.75], [0.75]]


def column(truth, probabilities):
    return [[t] for t in truth], [[p] for p in probabilities]


# ---------------------------------------------------------------------------- numbers from elsewhere


def test_log_loss_and_brier_of_the_pull_request():
    assert log_loss(Y, P) == pytest.approx(0.877030, abs=5e-7)
    assert 3 * log_loss(Y, P) == pytest.approx(2.631089, abs=5e-7)
    assert brier(Y, P) == pytest.approx(0.308333, abs=5e-7)


@pytest.mark.parametrize(("norm", "value"), [("l1", 0.29), ("l2", 0.2918), ("max", 0.3167)])
def test_calibration_error_of_torchmetrics_documentation(norm, value):
    assert calibration_error(*TORCH, bins=2, norm=norm) == pytest.approx(value, abs=5e-5)


def test_calibration_error_of_a_request():
    """Of Hugging Face's evaluate, 784."""
    assert calibration_error(*column([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75]), bins=2) == 0.25


@pytest.mark.parametrize("truth", [0, 1])
def test_probability_one_half_everywhere(truth):
    """ln 2 and 1/4, whatever the labels are."""
    data = np.full((3, 3), truth), np.full((3, 3), 0.5)
    assert log_loss(*data) == pytest.approx(log(2), abs=1e-15)
    assert brier(*data) == 0.25


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_each_label_as_scikit_learn_has_it(seed, kind):
    """On 0, 1 and edges of bins too, in single and double precision, weighted."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, (30, 3))
    chance = (rng.integers(0, 21, truth.shape) / 20).astype(kind)
    chance[rng.random(chance.shape) < 0.3] = rng.random()
    weight = rng.integers(1, 4, 30)
    for j in range(3):
        one, options = (truth[:, j], chance[:, j]), {"sample_weight": weight, "labels": [0, 1]}
        tolerance = 1e-12 if kind == "f8" else 1e-5  # theirs stays in single precision
        ours = partial(pytest.approx, rel=tolerance, abs=tolerance)
        each = {"average": None, "sample_weight": weight}
        assert log_loss(truth, chance, **each)[j] == ours(skm.log_loss(*one, **options))
        assert brier(truth, chance, **each)[j] == ours(skm.brier_score_loss(*one, **options))
    fives = chance.astype(float)  # edges that scikit-learn's multiples of 1/4 hit as ours do
    share, mean = calibration_curve(truth[:, 0], fives[:, 0], n_bins=4)
    found = reliability(truth[:, 0], fives[:, 0], bins=4)
    assert np.allclose(found.share, share) and np.allclose(found.mean_probability, mean)
    expected = (found.samples / 30) @ abs(share - mean)
    assert calibration_error(truth, fives, bins=4, average=None)[0] == pytest.approx(expected)


# ---------------------------------------------------------------------------- conventions


def test_a_probability_on_an_edge_is_in_the_bin_below_it():
    assert reliability([1, 0], [0.5, 0.25], bins=2).samples.tolist() == [2]
    assert reliability([1, 0], [0.5, 0.75], bins=2).samples.tolist() == [1, 1]
    assert reliability([1, 0], [0.0, 1.0], bins=1).samples.tolist() == [2]


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("n_bins", [10, 33, 57, 100])
def test_every_edge_in_decimals_is_found_and_so_is_its_next_neighbour(n_bins, kind):
    """Whatever rounding does to 7/100 and to 57 · 0.01; by comparing and by searching."""
    edges = (np.arange(1, n_bins) / n_bins).astype(kind)
    for at, place in ((edges, 0), (np.nextafter(edges, edges.dtype.type(1)), 1)):
        for i in range(0, len(edges), 7):
            bins = probability._bin_of(at[i : i + 1], n_bins)
            assert bins.tolist() == [i + place]


def test_empty_bins_are_left_out_and_samples_of_weight_zero_are_not_there():
    data = column([0, 1, 1], [0.1, 0.9, 0.5])
    assert len(reliability([0, 1, 1], [0.1, 0.9, 0.5]).samples) == 3
    for norm in ("l1", "l2", "max"):
        without = calibration_error(data[0][:2], data[1][:2], norm=norm)
        assert calibration_error(*data, norm=norm, sample_weight=[1, 1, 0]) == without


def test_micro_pools_the_bins_of_all_labels_and_the_errors_of_two_labels_can_cancel():
    """One label is said too often, one too seldom, as far: 0 together, 1/4 each."""
    truth, chance = [[1, 0], [0, 0], [1, 0], [1, 1]], [[0.5, 0.5]] * 4
    assert calibration_error(truth, chance, average=None).tolist() == [0.25, 0.25]
    assert calibration_error(truth, chance, average="micro") == 0


def test_the_clip_is_the_least_probability_of_what_is_true():
    data = [[1, 0]], [[0.0, 1.0]]
    assert log_loss(*data) == pytest.approx(52 * log(2))
    assert log_loss(*data, clip=1e-15) == pytest.approx(15 * log(10))
    single = np.array(data[1], dtype=np.float32)
    assert log_loss(data[0], single) == pytest.approx(23 * log(2))
    assert log_loss([[1]], [[0.3]], clip=0.4) == pytest.approx(-log(0.4))
    assert log_loss([[0]], [[0.3]], clip=0.4) == pytest.approx(-log(0.6))


# ---------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("metric", [log_loss, brier, calibration_error])
@pytest.mark.parametrize("bad", [1.5, -0.25, -3.0, np.inf, nan])
def test_what_is_no_probability_is_named(metric, bad):
    remedy = (
        "give each label a probability; a logit needs a sigmoid first, 1 / (1 + np.exp(-y_prob))"
    )
    with pytest.raises(ValueError) as caught:
        metric([[1, 0], [0, 1]], [[0.5, 0.5], [0.5, bad]])
    assert str(caught.value) == (
        f"y_prob holds {bad} at row 1, column 1, where only a number from 0 to 1 may stand: {remedy}"
    )


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (partial(calibration_error, bins=0), "bins is 0: give a whole number from 1 to 65536"),
        (partial(calibration_error, bins=2.0), "bins is 2.0: give a whole number from 1 to 65536"),
        (partial(calibration_error, norm="L1"), "norm is 'L1': choose one of 'l1', 'l2', 'max'"),
        (partial(calibration_error, average="weighted"),
         "average is 'weighted': choose one of 'macro', 'micro', None"),
        (partial(log_loss, average="micro"), "average is 'micro': choose one of 'macro', None"),
        (partial(brier, average="weighted"), "average is 'weighted': choose one of 'macro', None"),
        (partial(log_loss, clip=0.5),
         "clip is 0.5: give a number between 0 and 1/2, such as 1e-15, or None"),
        (partial(log_loss, clip=0),
         "clip is 0: give a number between 0 and 1/2, such as 1e-15, or None"),
        (reliability, "y_true has 2 columns, and a curve is of one label: give one column of each,"
         " such as y_true[:, 0] and y_prob[:, 0]"),
    ],
)  # fmt: skip
def test_bad_options(call, sentence):
    with pytest.raises(ValueError) as caught:
        call([[1, 0]], [[0.5, 0.5]])
    assert str(caught.value) == sentence


# ---------------------------------------------------------------------------- rooms


def test_briers_three_parts_are_exact_where_probabilities_repeat():
    """Two at 1/2, one of them true; two at 1/4, none true: 1/32 − 1/16 + 3/16 = 5/32."""
    steps = worked.solve(brier, *column([1, 0, 0, 0], [0.5, 0.5, 0.25, 0.25]))
    assert steps.value == F(5, 32)
    assert "reliability − resolution + uncertainty = 1/32 − 1/16 + 3/16 = 5/32." in steps.to_text()
    assert "resolution" not in worked.solve(brier, *column([1, 0], [0.5, 0.25])).to_text()


def test_logarithms_stay_in_the_line_of_the_steps():
    text = worked.solve(log_loss, *column([1, 0, 1], [0.75, 0.5, 0.0]), clip=0.001).to_text()
    assert "⅓(−ln 0.75 + −ln 0.5 + −ln 0.001) ≈ 2.63" in text  # 0, which the clip raises


def test_steps_of_the_bins():
    solution = worked.solve(calibration_error, *TORCH, bins=2, norm="max")
    assert solution.value == F(19, 60)  # of 1 − (0.55 + 0.75 + 0.75) / 3
    lines = [line.split() for line in solution.to_text().splitlines()]
    assert ["0.5", "2", "0.25", "0"] in lines
    assert worked.solve(calibration_error, *TORCH, bins=2).value == F(29, 100)


def test_a_scorecard_adds_up_what_is_a_mean_of_cells():
    rows = [slice(0, 1), slice(1, 4)]
    card = sum(Scorecard.from_batch(Y[r], y_prob=P[r]) for r in rows)
    values = Scorecard.from_json(card.to_json()).values()
    assert values["macro log loss"] == pytest.approx(log_loss(Y, P))
    assert values["macro Brier score"] == pytest.approx(brier(Y, P))
    assert "macro calibration error" not in values  # it needs the probabilities of each bin
    clipped = Scorecard.from_batch([[1]], y_prob=[[0.0]], clip=0.01)
    assert clipped.values()["macro log loss"] == pytest.approx(-log(0.01))


def test_a_number_is_identified_with_its_convention():
    found = conventions.identify(0.31667, TORCH[0], y_prob=TORCH[1])
    assert ("macro calibration error", {"bins": 2, "norm": "max"}) in [
        (match.metric, dict(match.options)) for match in found.matches
    ]
    said = conventions.report([brier], Y, y_prob=P)
    assert "macro Brier score = 0.308333: a value per label, then their mean." in said
    with pytest.raises(ValueError, match="y_prob is missing: macro Brier score reads it"):
        conventions.report([brier], Y, P > 0.5)


def test_log_loss_and_brier_disagree_on_two_cells():
    """Nobody has it: 0.3 and 0.9 have the squares 0.09 + 0.81, less than 0.49 twice; and 0.7 · 0.1 is less than 0.3²."""
    found = disagreement.smallest_disagreement(log_loss, brier)
    assert found.y_true == [[0, 0]]
    assert (found.first, found.second) == ([[0.3, 0.9]], [[0.7, 0.7]])
    assert found.values_a == pytest.approx((-log(0.07) / 2, -log(0.09) / 2))
    assert found.values_b == pytest.approx((0.45, 0.49))


def test_probabilities_are_not_rescaled_and_flipping_all_cells_keeps_both_losses():
    with pytest.raises(ValueError, match="which does not change what macro Brier score reads"):
        invariance.smallest_change(brier, "rescale scores monotonically")
    for metric in (log_loss, brier):
        assert invariance.smallest_change(metric, "flip all cells") is None
