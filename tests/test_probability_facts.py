"""What notebook 08_probabilities says of log loss, Brier score and calibration error, and what its cells show."""

from fractions import Fraction as F
from itertools import product
from math import log
from statistics import mean

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import decimal, rows, said, shown
from sklearn.linear_model import LogisticRegression

from mlm_course import emoji
from mlm_helpers import curves, probability
from mlm_helpers.data import folds

NOTEBOOK = "08_probabilities"
DOG = [1, 1, 1, 0, 1, 0, 0, 0]
SAID = {
    "careful": (F(3, 4), F(1, 4)),
    "bold": (F(9, 10), F(1, 10)),
}  # of the first four, of the last
WORLDS = [
    (np.reshape(truth, (2, 2)), np.reshape(chance, (2, 2)))
    for truth in product((0, 1), repeat=4)
    for chance in product((0.125, 0.5, 0.75), repeat=4)
]


def near(value):
    return pytest.approx(value, abs=1e-12)


def test_the_mean_over_all_cells_is_the_mean_over_labels():
    for truth, chance in WORLDS:
        for metric in (probability.log_loss, probability.brier):
            cells = metric(truth.reshape(-1, 1), chance.reshape(-1, 1))
            assert (
                metric(truth, chance)
                == near(cells)
                == near(metric(truth, chance, average=None).mean())
            )


def test_always_a_half_has_ln_2_and_a_quarter():
    for truth, chance in WORLDS:
        half = np.full(chance.shape, 0.5)
        assert probability.log_loss(truth, half) == near(log(2))
        assert probability.brier(truth, half) == 0.25


def test_the_three_parts_add_up_to_the_brier_score():
    """Of every column of four samples with probabilities of quarters, in fractions."""
    quarters = [F(part, 4) for part in range(5)]
    for truth in product((0, 1), repeat=4):
        for chance in product(quarters, repeat=4):
            groups = {p: [t for t, q in zip(truth, chance, strict=True) if p == q] for p in chance}
            shares = {p: F(sum(group), len(group)) for p, group in groups.items()}
            base = F(sum(truth), 4)
            apart = mean((p - shares[p]) ** 2 for p in chance)
            resolved = mean((shares[p] - base) ** 2 for p in chance)
            brier = mean((p - t) ** 2 for p, t in zip(chance, truth, strict=True))
            assert apart - resolved + base * (1 - base) == brier


def test_the_silent_models_brier_score_is_the_share_of_positives():
    for truth, _ in WORLDS:
        silent, share = np.zeros(truth.shape), truth.mean()
        assert probability.brier(truth, silent) == near(share)
        assert probability.calibration_error(truth, silent) == near(share)
        assert probability.log_loss(truth, silent) == near(share * 52 * log(2))


def test_a_rising_curve_keeps_auroc_and_ap():
    for truth, chance in WORLDS:
        risen = 1 / (1 + np.exp(2 - 3 * chance))
        for metric in (curves.roc_auc, curves.average_precision):
            assert metric(truth, risen) == pytest.approx(metric(truth, chance), nan_ok=True)


@pytest.mark.filterwarnings("ignore:The y_prob values do not sum to one")
def test_scikit_learns_log_loss_of_a_label_matrix_is_the_loss_of_classes():
    half = np.full((3, 3), 0.5)
    assert skm.log_loss(np.ones((3, 3), dtype=int), half) == near(3 * log(2))
    assert skm.log_loss(np.zeros((3, 3), dtype=int), half) == 0
    for truth, chance in WORLDS:  # one sample
        row = truth.ravel()[None], chance.ravel()[None]
        if row[0].sum() > 1:
            assert skm.log_loss(*row) == near(-(row[0] * np.log(row[1])).sum())


def test_scikit_learns_brier_score_adds_up_the_labels_of_a_matrix_of_more_than_two():
    truth = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    chance = np.array([[0.5, 0.25, 0.25], [0.25, 0.75, 0.0], [0.25, 0.25, 0.5]])
    assert skm.brier_score_loss(truth, chance) == near(3 * probability.brier(truth, chance))
    two = np.eye(2, dtype=int), np.array([[0.75, 0.25], [0.5, 0.5]])
    assert skm.brier_score_loss(*two) == near(probability.brier(*two))


def test_pooled_bins_can_hide_two_errors():
    truth, half = [[1, 0], [0, 0], [1, 0], [1, 1]], np.full((4, 2), 0.5)
    assert probability.calibration_error(truth, half) == 0.25
    assert probability.calibration_error(truth, half, average="micro") == 0


def test_torchmetrics_example_has_one_value_in_both_readings():
    """Bins [0, 1/2] and (1/2, 1] of p, and one bin of max(p, 1 − p), whose decisions are all right."""
    chance, truth = [F(1, 4), F(1, 4), F(11, 20), F(3, 4), F(3, 4)], [0, 0, 1, 1, 1]
    positive = F(2, 5) * F(1, 4) + F(3, 5) * (1 - mean(chance[2:]))
    assert all((p > F(1, 2)) == t for p, t in zip(chance, truth, strict=True))
    assert positive == 1 - mean(max(p, 1 - p) for p in chance) == F(29, 100)


# ---------------------------------------------------------------------------- what cells show


def test_the_two_models():
    assert said(NOTEBOOK, "08p-03").startswith(
        "Share that is dog by mean probability, bin by bin: careful 0.25 at 0.25 (4 samples),"
        " 0.75 at 0.75 (4 samples); bold 0.25 at 0.1 (4 samples), 0.75 at 0.9 (4 samples)."
    )
    assert shown(NOTEBOOK, "08p-06", names=2) == rows(
        ("photos", "dogs", "share", "distance"),
        ("careful", 0.25, 4, 1, F(1, 4), 0),
        ("careful", 0.75, 4, 3, F(3, 4), 0),
        ("bold", 0.1, 4, 1, F(1, 4), F(3, 20)),
        ("bold", 0.9, 4, 3, F(3, 4), F(3, 20)),
        names=2,
    )


def losses(high, low):
    """Log loss and Brier score of eight photos; three of the first four are dogs, one of the others."""
    cells = [high] * 3 + [1 - high] + [low] + [1 - low] * 3
    return mean(-log(p) for p in cells), float(mean((1 - p) ** 2 for p in cells))


def test_two_losses():
    lines = {name: losses(*both) for name, both in SAID.items()}
    columns = "log loss", "Brier score", "calibration error"
    assert shown(NOTEBOOK, "08p-09") == rows(
        columns,
        ("careful", *lines["careful"], 0),
        ("bold", *lines["bold"], 0.15),
        ("always 1/2", log(2), 0.25, 0),
    )
    found = shown(NOTEBOOK, "08p-13")
    for name, one in (("log loss", 0), ("Brier score", 1)):
        expected = [f"{lines[model][one]:.3f}".rstrip("0") for model in SAID]
        heads = [f"{who}{model}" for who in ("", "scikit-learn, ") for model in SAID]
        assert found[name] == dict(zip(heads, expected * 2, strict=True))
    assert said(NOTEBOOK, "08p-42") == f"log loss {lines['careful'][0] / log(2):.3f}\n"
    assert said(NOTEBOOK, "08p-44") == f"log loss {lines['careful'][0]:.3f}\n"


def test_three_parts():
    columns = "reliability", "resolution", "uncertainty", "Brier score"
    assert shown(NOTEBOOK, "08p-15") == rows(
        columns,
        ("careful", 0, F(1, 16), F(1, 4), F(3, 16)),
        ("bold", F(9, 400), F(1, 16), F(1, 4), F(21, 100)),
    )


def halves(model):
    """Truth and scores of the ten most frequent labels, in both halves."""
    data, score = emoji.load(), emoji.scores()[model]
    half = folds(data.y, 2, seed=1)
    return [(data.y[half == i, :10], score[half == i, :10]) for i in (0, 1)]


def by_hand(truth, chance):
    """Log loss and Brier score by scikit-learn, and the calibration error by a loop."""
    flat = truth.ravel(), chance.ravel()
    error = 0
    for true, p in zip(truth.T, chance.T, strict=True):
        for low in range(10):
            here = (p > low / 10 - (low == 0)) & (p <= (low + 1) / 10)
            error += abs((p - true)[here].sum()) / truth.size
    return float(skm.log_loss(*flat)), float(skm.brier_score_loss(*flat)), float(error)


def test_the_brier_score_of_bold_in_parts():
    assert "9/400 − 1/16 + 1/4 = 21/100" in said(NOTEBOOK, "08p-17")
    assert said(NOTEBOOK, "08p-22").startswith("Share that is face by mean probability")


def test_08p_the_emoji():
    (first, _), (second, linear) = halves("linear")
    share = np.tile(first.mean(axis=0), (len(second), 1))
    models = {"linear": linear, "share": share, "silent": np.zeros(linear.shape)}
    found = shown(NOTEBOOK, "08p-19")
    for name, chance in models.items():
        values = *by_hand(second, chance), float(skm.roc_auc_score(second, chance))
        heads = "log loss", "Brier score", "calibration error", "AUROC"
        assert found[name] == dict(zip(heads, map(decimal, values), strict=True))
    assert f"{second.mean():.3f}" in said(NOTEBOOK, "08p-19").partition("second half  ")[0]
    assert found["silent"]["Brier score"] == f"{second.mean():.3f}"
    assert skm.roc_auc_score(second, linear) > skm.roc_auc_score(second, share) == 0.5


def test_calibrated():
    """Platt scaling rises for each label; isotonic regression has ties and a 0 that is wrong."""
    (truth, score), (second, linear) = halves("linear")
    score = np.clip(score, 0.0005, 0.9995)
    odds = np.log(score / (1 - score))
    fits = [
        LogisticRegression(C=1e6).fit(s[:, None], t) for s, t in zip(odds.T, truth.T, strict=True)
    ]
    assert all(fit.coef_[0, 0] > 0 for fit in fits)
    found = shown(NOTEBOOK, "08p-23")
    assert list(found["linear"].values())[:2] == [f"{v:.3f}" for v in by_hand(second, linear)[:2]]
    assert found["linear"]["AUROC"] == found["Platt"]["AUROC"] > found["isotonic"]["AUROC"]
    assert found["Platt"]["log loss"] < found["isotonic"]["log loss"] < found["linear"]["log loss"]
    share = shown(NOTEBOOK, "08p-19")["share"]
    assert found["share"] == share | {"AP": f"{second.mean():.3f}", "F1 at 0.5": "0"}
    assert found["linear"]["AP"] == found["Platt"]["AP"] > found["isotonic"]["AP"]
    assert min(found, key=lambda name: float(found[name]["calibration error"])) == "share"
    for name in ("Platt", "isotonic"):
        assert found[name]["Brier score"] < found["linear"]["Brier score"]
        assert found[name]["F1 at 0.5"] < found["linear"]["F1 at 0.5"]


def test_readings_of_the_calibration_error():
    found = shown(NOTEBOOK, "08p-29")
    _, (truth, linear) = halves("linear")
    assert found["linear"]["per label"] == f"{by_hand(truth, linear)[2]:.3f}"
    bins = np.ceil(linear * 10).clip(1)
    apart = [((linear - truth) * (bins == i)).sum(axis=0) for i in range(1, 11)]
    assert (apart[0] < 0).sum() == 8 and all((high > 0).sum() >= 8 for high in apart[1:])
    half = {"per label": "0.25", "top label": "0.25", "pooled": "0"}
    assert found["two labels, 1/2 everywhere"] == half
    assert {*found["torchmetrics' example"].values()} == {"0.29"}
    ln2 = f"{log(2):.3f}"
    assert shown(NOTEBOOK, "08p-26") == {
        "all labels true": {"ours": ln2, "skm.log_loss": f"{3 * log(2):.3f}"},
        "none true": {"ours": ln2, "skm.log_loss": "0"},
    }


def test_answers_of_a_language_model():
    """Positives: 2 of 2 at 0.95, 2 of 3 at 0.9 and 1 of 3 at 0.8, each in a bin of its own."""
    found = shown(NOTEBOOK, "08p-104")
    lines = (("0.8", 3, "1/3"), ("0.9", 3, "2/3"), ("0.95", 2, 1))
    assert found == rows(("times", "share that is positive"), *lines)
    tied, *aps, error = said(NOTEBOOK, "08p-105").splitlines()
    at_once = (2 * 1 + 2 * F(4, 5) + F(5, 8)) / 5  # precisions at each positive; in order of input
    in_turn = (1 + 1 + 1 + F(4, 5) + F(5, 7)) / 5
    assert aps == [
        f"AP, ties={r}: {float(v):.3f}" for r, v in (("worst", at_once), ("first", in_turn))
    ]
    assert tied == f"pairs that are tied: {2 * 1 + 1 * 2} of {5 * 3}"
    in_bins = abs(3 * F(8, 10) - 1), abs(3 * F(9, 10) - 2), abs(2 * F(95, 100) - 2)
    assert error == f"calibration error: {float(sum(in_bins) / 8):.3f}"
