"""Facts of notebook 08: losses and their parts, scikit-learn's label matrices, and models of emoji."""

from itertools import product
from math import log

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, cell_table, cell_text, decimal
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from mlm_course import emoji
from mlm_helpers import curves, probability
from mlm_helpers.data import folds

NOTEBOOK = "08_probabilities"
TRUTHS = [np.reshape(cells, (2, 2)) for cells in product((0, 1), repeat=4)]


def near(value):
    return pytest.approx(value, abs=1e-12)


def test_the_mean_over_all_cells_is_the_mean_over_labels():
    chance = np.array([[0.125, 0.5], [0.75, 0.25]])
    for truth, metric in product(TRUTHS, (probability.log_loss, probability.brier)):
        cells = metric(truth.reshape(-1, 1), chance.reshape(-1, 1))
        each = metric(truth, chance, average=None)
        assert metric(truth, chance) == near(cells) == near(each.mean())


def test_always_a_half_has_ln_2_and_a_quarter():
    for truth in TRUTHS:
        half = np.full((2, 2), 0.5)
        assert probability.log_loss(truth, half) == near(log(2))
        assert probability.brier(truth, half) == 0.25


def test_the_three_parts_add_up_to_the_brier_score():
    """Of four samples whose probabilities are all the same, three, two and two, or all others."""
    for truth, levels in product(product((0, 1), repeat=4), ("aaaa", "aaab", "abab", "abcd")):
        y, p = np.array(truth), np.array(["abcd".index(level) / 4 for level in levels])
        share = np.array([y[p == own].mean() for own in p])
        parts = ((p - share) ** 2).mean(), ((share - y.mean()) ** 2).mean()
        uncertainty = y.mean() * (1 - y.mean())
        assert probability.brier(y[:, None], p[:, None]) == near(parts[0] - parts[1] + uncertainty)


def test_the_silent_models_brier_score_is_the_share_of_positives():
    for truth in TRUTHS:
        silent, share = np.zeros((2, 2)), truth.mean()
        assert probability.brier(truth, silent) == near(share)
        assert probability.calibration_error(truth, silent) == near(share)
        assert probability.log_loss(truth, silent) == near(share * 52 * log(2))


def test_a_rising_curve_keeps_auroc_and_ap():
    def keeps(y_true, y_score):
        risen = 1 / (1 + np.exp(2 - 3 * y_score))
        metrics = curves.roc_auc, curves.average_precision
        before, after = ([m(y_true.T, y.T) for m in metrics] for y in (y_score, risen))
        return np.allclose(before, after, equal_nan=True)

    always(keeps, ((1, 3), (2, 2)))


@pytest.mark.filterwarnings("ignore:The y_prob values do not sum to one")
def test_scikit_learns_log_loss_of_a_label_matrix_is_the_loss_of_classes():
    chance = np.array([[0.125, 0.5, 0.75]])
    for truth in ([[1, 1, 0]], [[0, 1, 1]], [[1, 0, 1]], [[1, 1, 1]]):
        assert skm.log_loss(np.array(truth), chance) == near(-(truth * np.log(chance)).sum())


def test_scikit_learns_brier_score_adds_up_the_labels_of_a_matrix_of_more_than_two():
    truth = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    chance = np.array([[0.5, 0.25, 0.25], [0.25, 0.75, 0.0], [0.25, 0.25, 0.5]])
    assert skm.brier_score_loss(truth, chance) == near(3 * probability.brier(truth, chance))
    two = np.eye(2, dtype=int), np.array([[0.75, 0.25], [0.5, 0.5]])
    assert skm.brier_score_loss(*two) == near(probability.brier(*two))


# ---------------------------------------------------------------------------- real pictures


def halves(model):
    """Truth and scores of the ten most frequent labels, in both halves."""
    data, score = emoji.load(), emoji.scores()[model]
    half = folds(data.y, 2, seed=1)
    return [(data.y[half == i, :10], score[half == i, :10]) for i in (0, 1)]


def in_bins(truth, chance):
    """The difference of probability and truth, added up in each of ten bins of each label."""
    bins = np.ceil(chance * 10).clip(1)
    return np.array([((chance - truth) * (bins == i)).sum(axis=0) for i in range(1, 11)])


def error(truth, chance):
    """The calibration error."""
    return abs(in_bins(truth, chance)).sum() / truth.size


def measured(truth, chance):
    """What the two tables show of a model, by scikit-learn where it has it."""
    flat, half_up = (truth.ravel(), chance.ravel()), chance >= 0.5
    values = {
        "log loss": skm.log_loss(*flat),
        "Brier score": skm.brier_score_loss(*flat),
        "calibration error": error(truth, chance),
        "AUROC": skm.roc_auc_score(truth, chance),
        "AP": skm.average_precision_score(truth, chance),
        "F1 at 0.5": skm.f1_score(truth, half_up, average="macro", zero_division=0),
    }
    return {name: decimal(value) for name, value in values.items()}


def test_08p_the_emoji():
    """Platt scaling rises for each of the ten labels."""
    (truth, score), (second, linear) = halves("linear")
    models = {
        "linear": linear,
        "share": np.tile(truth.mean(axis=0), (len(second), 1)),
        "silent": np.zeros(linear.shape),
        "Platt": np.empty(linear.shape),
        "isotonic": np.empty(linear.shape),
    }
    for j, (column, new) in enumerate(zip(score.T, linear.T, strict=True)):
        odds, new_odds = (-np.log(1 / p.clip(0.0005, 0.9995) - 1)[:, None] for p in (column, new))
        platt = LogisticRegression(C=1e6).fit(odds, truth[:, j])
        assert platt.coef_[0, 0] > 0
        models["Platt"][:, j] = platt.predict_proba(new_odds)[:, 1]
        isotonic = IsotonicRegression(out_of_bounds="clip").fit(column, truth[:, j])
        models["isotonic"][:, j] = isotonic.predict(new)
    found = {name: measured(second, chance) for name, chance in models.items()}
    raw, all_shown = cell_table(NOTEBOOK, "08p-19"), cell_table(NOTEBOOK, "08p-23")
    assert [*raw] == ["linear", "share", "silent"]
    assert all(row.items() <= found[name].items() for name, row in raw.items())
    assert all_shown == {name: found[name] for name in ("share", "linear", "Platt", "isotonic")}
    assert f"in the second half: {second.mean():.3f}." in cell_text(NOTEBOOK, "08p-19")


def test_readings_of_the_calibration_error():
    """In most labels the lowest bin is too low, and each of the others too high."""
    _, (truth, linear) = halves("linear")
    top = (linear >= 0.5) == truth, np.maximum(linear, 1 - linear)
    pooled = truth.reshape(-1, 1), linear.reshape(-1, 1)
    values = [decimal(error(*reading)) for reading in ((truth, linear), top, pooled)]
    assert [*cell_table(NOTEBOOK, "08p-29")["linear"].values()] == values
    lowest, *others = in_bins(truth, linear)
    assert (lowest < 0).sum() == 8 and all((high > 0).sum() >= 8 for high in others)
