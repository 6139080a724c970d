"""Facts of notebook 08: losses and their parts, scikit-learn's of matrices, emoji."""

from functools import cache
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
        per_label = metric(truth, chance, average=None)
        assert metric(truth, chance) == near(cells) == near(per_label.mean())


def test_in_common_bins_the_errors_of_two_labels_can_cancel():
    """They never add up: one set of bins has at most the error of the labels' own bins."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        truth, chance = rng.integers(0, 2, (30, 3)), rng.random((30, 3))
        per_label, pooled = calibration_error(truth, chance), pooled_error(truth, chance)
        assert near(per_label) == probability.calibration_error(truth, chance)
        assert near(pooled) == probability.calibration_error(truth, chance, average="micro")
        assert pooled < per_label


def test_always_a_half_has_ln_2_and_a_quarter():
    for truth in TRUTHS:
        half = np.full((2, 2), 0.5)
        assert probability.log_loss(truth, half) == near(log(2))
        assert probability.brier(truth, half) == 0.25


def test_the_three_parts_add_up_to_the_brier_score():
    """For four samples whose probabilities are all equal, equal in threes or pairs, or not."""
    for truth, levels in product(product((0, 1), repeat=4), ("aaaa", "aaab", "abab", "abcd")):
        y, p = np.array(truth), np.array(["abcd".index(level) / 4 for level in levels])
        share = np.array([y[p == probability_of_sample].mean() for probability_of_sample in p])
        reliability, resolution = ((p - share) ** 2).mean(), ((share - y.mean()) ** 2).mean()
        total = reliability - resolution + y.mean() * (1 - y.mean())
        assert probability.brier(y[:, None], p[:, None]) == near(total)


def test_the_losses_of_the_silent_model_follow_from_the_share_of_positives():
    for truth in TRUTHS:
        silent, share = np.zeros((2, 2)), truth.mean()
        assert probability.brier(truth, silent) == near(share)
        assert probability.calibration_error(truth, silent) == near(share)
        assert probability.log_loss(truth, silent) == near(share * 52 * log(2))


def test_a_rising_curve_keeps_auroc_and_ap():
    def is_unchanged(y_true, y_score):
        kinds = [*product((curves.roc_auc, curves.average_precision), ("macro", "micro"))]
        scaled = 1 / (1 + np.exp(2 - 3 * y_score))
        old, new = ([m(y_true.T, y.T, average=a) for m, a in kinds] for y in (y_score, scaled))
        return np.allclose(old, new, equal_nan=True)

    always(is_unchanged, ((1, 3), (2, 2)))


def test_temperatures_keep_each_decision_at_one_half():
    for logits in np.random.default_rng(8).normal(size=(30, 9, 4)):
        assert ((1 / (1 + np.exp(-logits / [0.2, 1, 3, 9])) >= 0.5) == (logits >= 0)).all()


@pytest.mark.filterwarnings("ignore:The y_prob values do not sum to one")
def test_scikit_learns_log_loss_of_a_label_matrix_is_the_loss_of_classes():
    chance = np.array([[0.125, 0.5, 0.75]])
    for truth in ([[1, 1, 0]], [[0, 1, 1]], [[1, 0, 1]], [[1, 1, 1]]):
        assert skm.log_loss(np.array(truth), chance) == near(-(truth * np.log(chance)).sum())
        remedy = skm.log_loss(np.ravel(truth), chance.ravel(), labels=[0, 1])
        assert remedy == near(probability.log_loss(truth, chance))


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


def differences_in_bins(truth, chance):
    """Sum of probability − truth in each of ten bins of each label."""
    bins = np.ceil(chance * 10).clip(1)
    return np.array([((chance - truth) * (bins == i)).sum(axis=0) for i in range(1, 11)])


def calibration_error(truth, chance):
    return abs(differences_in_bins(truth, chance)).sum() / truth.size


def pooled_error(truth, chance):
    return abs(differences_in_bins(truth, chance).sum(axis=1)).sum() / truth.size


def values_of_model(truth, chance):
    """A model's row of the two tables, by functions of scikit-learn where there are any."""
    cells = truth.ravel(), chance.ravel()
    values = {
        "log loss": skm.log_loss(*cells),
        "Brier score": skm.brier_score_loss(*cells),
        "calibration error": calibration_error(truth, chance),
        "AUROC": skm.roc_auc_score(truth, chance),
        "AP": skm.average_precision_score(truth, chance),
        "F1 at 0.5": skm.f1_score(truth, chance >= 0.5, average="macro", zero_division=0),
    }
    return {name: decimal(value) for name, value in values.items()}


@cache
def predictions():
    """Truth of the second half, and what each model gives it.

    Platt scaling keeps each label's order.
    """
    (truth, score), (new_truth, linear) = halves("linear")
    models = {
        "linear": linear,
        "frequency": np.tile(truth.mean(axis=0), (len(new_truth), 1)),
        "silent": np.zeros(linear.shape),
        "Platt": np.empty(linear.shape),
        "isotonic": np.empty(linear.shape),
    }
    for j, (old, new) in enumerate(zip(score.T, linear.T, strict=True)):
        logits, new_logits = (-np.log(1 / p.clip(0.0005, 0.9995) - 1)[:, None] for p in (old, new))
        platt = LogisticRegression(C=1e6).fit(logits, truth[:, j])
        assert platt.coef_[0, 0] > 0
        assert len({*new}) == len({*new.clip(0.0005, 0.9995)})
        models["Platt"][:, j] = platt.predict_proba(new_logits)[:, 1]
        isotonic = IsotonicRegression(out_of_bounds="clip").fit(old, truth[:, j])
        models["isotonic"][:, j] = isotonic.predict(new)
    return new_truth, models


def test_08p_the_emoji():
    new_truth, models = predictions()
    expected = {name: values_of_model(new_truth, chance) for name, chance in models.items()}
    drawn = "linear", "Platt", "isotonic"
    losses, all_values = cell_table(NOTEBOOK, "08p-19"), cell_table(NOTEBOOK, "08p-23")
    assert [*losses] == ["linear", "frequency", "silent"]
    assert all(row.items() <= expected[name].items() for name, row in losses.items())
    assert all_values == {name: expected[name] for name in ("frequency", *drawn)}
    assert f"in the second half: {new_truth.mean():.3f}." in cell_text(NOTEBOOK, "08p-19")


def test_the_calibration_error_of_frequency_is_larger_in_halves_drawn_at_random():
    """Its error of a label is the distance of the two halves' shares of positives."""
    y, errors = emoji.load().y[:, :10], []
    for seed in range(1, 201):
        is_first = np.random.default_rng(seed).permutation(len(y)) < len(y) / 2
        errors.append(abs(y[is_first].mean(axis=0) - y[~is_first].mean(axis=0)).mean())
    (truth, _), (new_truth, _) = halves("linear")
    dealt_evenly = abs(truth.mean(axis=0) - new_truth.mean(axis=0)).mean()
    assert dealt_evenly == pytest.approx(0.001, abs=5e-4) and dealt_evenly < min(errors)


def test_the_log_loss_of_isotonic_regression_is_cells_at_the_clip():
    """Without the cells where it is certain and wrong, its loss is below Platt scaling's."""
    truth, models = predictions()
    n_wrong = (models["isotonic"] == 1 - truth).sum()
    cost = n_wrong * -log(2**-52) / truth.size
    assert n_wrong == 10
    platt, isotonic = (
        skm.log_loss(truth.ravel(), models[m].ravel()) for m in ("Platt", "isotonic")
    )
    assert isotonic - cost < platt < isotonic


def test_the_log_loss_of_linear_is_partly_cells_at_the_clip():
    truth, models = predictions()
    wrong, inside = models["linear"] == 1 - truth, models["linear"].clip(0.0005, 0.9995)
    cost, loss = wrong.sum() * 36.04 / truth.size, skm.log_loss(truth.ravel(), inside.ravel())
    assert wrong.sum() == 39
    words = f"39 cells certain and wrong make {cost:.2f} of its log loss. "
    words += f"With probabilities from 0.0005 to 0.9995 it is {loss:.3f}."
    assert words in cell_text(NOTEBOOK, "08p-23")


def test_readings_of_the_calibration_error():
    _, (truth, linear) = halves("linear")
    more_probable_answer = (linear >= 0.5) == truth, np.maximum(linear, 1 - linear)
    all_cells = truth.reshape(-1, 1), linear.reshape(-1, 1)
    readings = (truth, linear), more_probable_answer, all_cells
    values = [decimal(calibration_error(*data)) for data in readings]
    assert [*cell_table(NOTEBOOK, "08p-29")["linear"].values()] == values
