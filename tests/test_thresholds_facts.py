"""Facts of notebook 10 on thresholds and the emoji, by trying all thresholds.

Its small data are in `expected/10.toml`.
"""

from fractions import Fraction as F
from functools import cache, partial
from itertools import product

import numpy as np
import plain
from facts import always, as_table, cell_table, cell_text, decimal, sometimes
from plain import MODELS, at, best_threshold, best_thresholds, halves, macro, macro_f1, micro_f1
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from mlm_helpers import example_based, label_based, thresholds

NOTEBOOK = "10_thresholds"
F1S = {"samples F1": plain.samples_f1, "micro F1": micro_f1, "macro F1": macro_f1}


def test_predicting_a_cell_raises_f1_if_its_probability_is_above_half_the_f1():
    """For F1 = 2 E[hits] ÷ (predicted + E[true]), with four calibrated cells."""
    for cells in product((F(1, 10), F(3, 10), F(6, 10), F(9, 10)), repeat=4):
        probabilities, n_true = sorted(cells, reverse=True), sum(cells)
        f1 = [2 * sum(probabilities[:n]) / (n + n_true) for n in range(5)]
        for n, p in enumerate(probabilities):
            assert (f1[n + 1] > f1[n]) == (2 * p > f1[n])
        best = f1.index(max(f1))
        assert all(2 * p > max(f1) for p in probabilities[:best])
        assert not any(2 * p > max(f1) for p in probabilities[best:])
        assert max(f1) <= 1
    truth, score = np.array([[1] * 9 + [0] * 10 + [1]]).T, np.repeat([[0.9], [0.1]], 10, axis=0)
    tuned = thresholds.tune(partial(label_based.f1, average="micro"), truth, score)
    assert tuned == 0.9 > 0.5 and (at(score, tuned) == at(score, 0.9 / 2)).all()


def test_one_vs_rest_of_scikit_learn_predicts_only_above_one_half():
    """Two equal samples, one of them true, get a probability of exactly one half."""
    points, truth = np.zeros((2, 1)), np.array([[1, 0], [0, 1]])
    model = OneVsRestClassifier(LogisticRegression()).fit(points, truth)
    assert np.all(model.predict_proba(points) == 0.5)
    assert not model.predict(points).any()


# ---------------------------------------------------------------------------- tuned on one half


@cache
def macro_f1s(model):
    """Macro F1s at shared and own thresholds (validation, test each), tuned on test; the leak."""
    (y_val, val), (y_test, test) = ((y, scores[model]) for y, scores in halves())
    shared, own = best_threshold(y_val, val, macro), best_thresholds(y_val, val)
    at_shared = [macro_f1(y_val, at(val, shared)), macro_f1(y_test, at(test, shared))]
    own_val, own_test = macro_f1(y_val, at(val, own)), macro_f1(y_test, at(test, own))
    tuned_on_test = macro_f1(y_test, at(test, best_thresholds(y_test, test)))
    return [*at_shared, own_val, own_test, tuned_on_test, tuned_on_test - own_test]


def test_f1_over_a_sweep_of_thresholds():
    (y_val, val), _ = halves()
    sweep = [round(0.05 * i, 2) for i in range(1, 13)]
    for name, f1 in F1S.items():
        values = [f1(y_val, at(val["trees"], threshold)) for threshold in sweep]
        assert f"{name} {' '.join(map(decimal, values))}" in cell_text(NOTEBOOK, "08-24")
        assert sweep[int(np.argmax(values))] <= 0.2
    a, b = (micro_f1(y_val, at(val["trees"], threshold)) for threshold in (0.2, 0.5))
    text = f"at 0.2: {a:.3f}, at 0.5: {b:.3f}, lower by {a - b:.3f}\n"
    assert cell_text(NOTEBOOK, "08-41") == text


def test_thresholds_tuned_on_one_half_and_evaluated_on_the_other():
    header = "shared: validation", "shared: test", "own: validation", "own: test"
    rows = [(model, *macro_f1s(model)) for model in MODELS]
    assert cell_table(NOTEBOOK, "08-26") == as_table(header, *(row[:5] for row in rows))
    header = "tuned on validation", "tuned on test", "the leak"
    leaks = [(row[0], *row[4:]) for row in rows]
    assert cell_table(NOTEBOOK, "08-260") == as_table(header, *leaks)


def test_a_threshold_per_label_is_better_where_it_was_tuned():
    shared_val, shared_test, own_val, own_test, _, leak = np.transpose([*map(macro_f1s, MODELS)])
    assert (shared_test >= shared_val - 0.001).all()
    assert (shared_val < own_val).all() and (own_val > own_test).all()
    _, trees_gain, linear_gain = own_test - shared_test
    assert 0 < trees_gain < 0.01 and linear_gain < 0
    neighbours, trees, _ = shared_test
    assert min(leak) > 0 and max(leak) == leak[-1] < trees - neighbours
    (y_val, _), _ = halves()
    assert y_val.sum(axis=0).min() == 6


def test_two_models_at_one_half_and_at_a_tuned_threshold():
    (y_val, val), (y_test, test) = halves()
    rows = []
    for model in ("neighbours", "trees"):
        values = (0.5, best_threshold(y_val, val[model]))
        rows.append((model, *(micro_f1(y_test, at(test[model], t)) for t in values)))
    header = "at 0.5", "at a threshold tuned on validation"
    assert cell_table(NOTEBOOK, "08-50") == as_table(header, *rows)


def test_a_threshold_per_label_loses_most_on_the_rarer_half_of_the_labels():
    (y_val, val), (y_test, test) = halves()
    tuned = best_thresholds(y_val, val["trees"])
    f1s = []
    for y, score in [(y_val, val["trees"]), (y_test, test["trees"])]:
        f1s.append([micro_f1(*label) for label in zip(y.T, at(score, tuned).T, strict=True)])
    loss = np.subtract(*f1s)  # the most frequent label is first
    assert loss[52:].mean() > loss[:52].mean() > 0


def test_half_the_best_f1():
    """Half of a label's best F1 is as good a threshold as its best, to 0.002.

    For the pair of labels in the notebook, and for three others.
    """
    for seed, pair in enumerate(
        [((1, 9), (0.5, 0.5)), ((2, 5), (1, 1)), ((1, 30), (5, 2)), ((0.2, 4), (3, 3))]
    ):
        rng = np.random.default_rng(seed)
        chance = np.column_stack([rng.beta(a, b, 400_000).round(4) for a, b in pair])
        truth = (rng.random(chance.shape) < chance).astype(int)
        own, shared = best_thresholds(truth, chance), best_threshold(truth, chance, macro)
        best = plain.f1(truth, at(chance, own), axis=0)
        assert (best - plain.f1(truth, at(chance, best / 2), axis=0) < 0.002).all()
        at_shared = macro_f1(truth, at(chance, shared))
        assert best.mean() > at_shared
        if seed == 0:
            columns = (
                truth.mean(axis=0),
                best,
                best / 2,
                own,
                plain.f1(truth, at(chance, 0.5), axis=0),
            )
            rows = zip(("few sure", "many sure"), *map(np.ndarray.tolist, columns), strict=True)
            header = "true", "best F1", "its half", "own threshold", "F1 at 0.5"
            assert cell_table(NOTEBOOK, "08-31") == as_table(header, *rows)


# ------------------------------------------------------------------- constraints, and few positives


def threshold_at_precision(y_true, score, precision):
    """The threshold with the most hits at which micro precision is at least this; inf if none.

    Of ties the highest.
    """
    candidates, *counts = plain.counts_at_thresholds(y_true, score)
    hits, predicted = (of_labels.sum(axis=1) for of_labels in counts)
    is_allowed = hits / np.maximum(predicted, 1) >= precision - 1e-12
    return float(candidates[np.where(is_allowed, hits, 0).argmax()])


def test_recall_at_a_precision():
    (y_val, val), _ = halves()
    rows = []
    for model in MODELS:
        tuned = threshold_at_precision(y_val, val[model], 0.6)
        for half, (y_true, score) in zip(("validation", "test"), halves(), strict=True):
            y_pred = at(score[model], tuned)
            hits = (y_true * y_pred).sum()
            precision, recall = hits / max(y_pred.sum(), 1), hits / max(y_true.sum(), 1)
            rows.append((model, half, tuned, float(precision), float(recall)))
    header = "threshold", "micro precision", "micro recall"
    assert cell_table(NOTEBOOK, "08-71", names=2) == as_table(header, *rows[:4], names=2)
    is_reached = [precision >= 0.6 for _, half, _, precision, _ in rows if half == "validation"]
    assert is_reached == [True, True, False]


def micro_precision(y_true, y_pred):
    return float((y_true * y_pred).sum() / y_pred.sum())


def lower_end(y_true, y_pred):
    """Micro precision minus 1.96 standard errors, those of a ratio of two sums over samples."""
    hits, predicted = (y_true * y_pred).sum(axis=1), y_pred.sum(axis=1)
    precision = hits.sum() / predicted.sum()
    return precision - 1.96 * np.sqrt(((hits - precision * predicted) ** 2).sum()) / predicted.sum()


def test_a_threshold_tuned_by_the_lower_end_keeps_its_precision_on_test_halves():
    """The lower end reaches 0.6 at the threshold, not at the next lower score, to 0.005."""
    is_kept = []
    for split, row in enumerate(cell_table(NOTEBOOK, "08-72").values()):
        (y_val, val), (y_test, test) = ((y, scores["trees"]) for y, scores in halves(split))
        by_value, by_lower_end = (
            threshold_at_precision(y_val, val, 0.6),
            0.01 * round(100 * float(row["lower end ≥ 0.6 at"])),
        )
        next_lower = max(score for score in np.unique(val) if score < by_lower_end - 1e-6)
        by_lower_end = min(score for score in np.unique(val) if score > next_lower)
        assert lower_end(y_val, at(val, next_lower)) < 0.605
        assert lower_end(y_val, at(val, by_lower_end)) > 0.595
        y_preds = [at(test, threshold) for threshold in (by_value, by_lower_end)]
        precisions = [micro_precision(y_test, y_pred) for y_pred in y_preds]
        cells = by_value, precisions[0], by_lower_end, precisions[1]
        assert [*map(decimal, cells)] == [*row.values()]
        is_kept.append([precision >= 0.6 for precision in precisions])
    kept_by_value, kept_by_lower_end = zip(*is_kept, strict=True)
    assert kept_by_value == (True, True, False, False, True) and all(kept_by_lower_end)


def gains_of_own_thresholds(validation, test):
    """Mean gain of F1 over the shared threshold.

    By the number of positives on which own thresholds of the trees are tuned.
    """
    (y_val, val), (y_test, test) = ((y, scores["trees"]) for y, scores in (validation, test))
    shared, rng, gains = best_threshold(y_val, val, macro), np.random.default_rng(7), {}
    for n_positives in (3, 6, 12, 25):
        gains[n_positives] = []
        for j in [j for j, support in enumerate(y_val.sum(axis=0)) if support >= 25] * 20:
            truth = y_val[:, j]
            true, false = (rng.permutation(np.flatnonzero(truth == cell)) for cell in (1, 0))
            n_negatives = round(n_positives * len(false) / len(true))
            rows = [*true[:n_positives], *false[:n_negatives]]
            own = best_threshold(truth[rows, None], val[rows, j, None])
            at_own, at_shared = (micro_f1(y_test[:, j], at(test[:, j], t)) for t in (own, shared))
            gains[n_positives].append(at_own - at_shared)
    return {n: float(np.mean(of_draws)) for n, of_draws in gains.items()}


def test_where_thresholds_per_label_begin_to_pay_differs_between_halves():
    """With other random samples than the notebook, on both halves of five splits."""
    pairs = [pair[::way] for pair in map(halves, range(5)) for way in (1, -1)]
    gains = [gains_of_own_thresholds(*pair) for pair in pairs]
    for n_positives, row in cell_table(NOTEBOOK, "08-75").items():
        shown, gain = float(row["F1: own − shared threshold"]), gains[0][int(n_positives)]
        assert (shown > 0) == (gain > 0) == (int(n_positives) > 10) and abs(shown - gain) < 0.015
    assert all(gain[3] < 0 for gain in gains)
    assert any(gain[6] > 0.01 for gain in gains)
    assert any(gain[25] < -0.01 for gain in gains)


def test_thresholds_between_those_per_label_and_the_shared_one():
    values = {model: [] for model in MODELS}
    for (y_val, val), (y_test, test) in map(halves, range(5)):
        support = y_val.sum(axis=0)
        assert support.all()
        weight = support / (support + 10)
        for model in MODELS:
            shared = best_threshold(y_val, val[model], macro)
            own = best_thresholds(y_val, val[model])
            choices = shared, own, weight * own + (1 - weight) * shared
            values[model].append([macro_f1(y_test, at(test[model], choice)) for choice in choices])
    rows = []
    for model, splits in values.items():
        n_best = sum(shrunk > max(shared, own) for shared, own, shrunk in splits)
        rows.append((model, *np.mean(splits, axis=0).tolist(), n_best))
    header = "shared", "own", "shrunk", "splits on which shrunk is best"
    assert cell_table(NOTEBOOK, "08-77") == as_table(header, *rows)


# -------------------------------------------------------- samples without a prediction or an answer


def with_top_label(y_pred, y_score):
    """Samples without a prediction get their first label of the highest score."""
    top = np.eye(y_pred.shape[1], dtype=int)[y_score.argmax(axis=1)]
    return np.where(y_pred.any(axis=1, keepdims=True), y_pred, top)


def test_the_top_label_of_a_sample_without_a_prediction_never_lowers_samples_f1():
    """The other metrics of the trees get worse, and so does samples F1 if 0/0 counts 1."""
    y_test, scores, sets = plain.split()
    y_preds = sets["trees"], with_top_label(sets["trees"], scores["trees"])
    values = []
    for y_pred in y_preds:
        f1s, is_right = [f1(y_test, y_pred) for f1 in F1S.values()], y_test == y_pred
        empty = ((y_test + y_pred).sum(axis=1) == 0).mean()
        values.append([*f1s, 1 - is_right.mean(), is_right.all(axis=1).mean(), f1s[0] + empty])
    header = *F1S, "Hamming loss ↓", "subset accuracy", "samples F1, 0/0 is 1"
    rows = ("threshold", *values[0]), ("threshold, or top 1", *values[1])
    assert cell_table(NOTEBOOK, "10-202") == as_table(header, *rows)
    assert [*np.sign(np.subtract(*values))] == [-1, 1, 1, -1, 1, 1]
    n_empty = (y_test.sum(axis=1) == 0).sum()
    assert cell_text(NOTEBOOK, "10-202").startswith(f"{n_empty} of {len(y_test)} pictures")
    always(
        lambda y_true, y_score: (
            plain.samples_f1(y_true, at(y_score, 1.5))
            <= plain.samples_f1(y_true, with_top_label(at(y_score, 1.5), y_score))
        )
    )


def test_which_samples_are_surest_depends_on_the_sureness():
    """On five splits micro F1 and subset accuracy move in opposite directions."""
    for repeat in range(5):
        y_test, scores, sets = plain.split(repeat)
        score, values = scores["trees"], []
        least_sure = (0.5 + abs(score - 0.5)).min(axis=1)
        for sureness, n in ((least_sure, 786), (score.max(axis=1), 393), (least_sure, 393)):
            answered = sorted(range(786), key=sureness.__getitem__, reverse=True)[:n]
            truth, y_pred = y_test[answered], sets["trees"][answered]
            exact = (truth == y_pred).all(axis=1)
            of_labelled = exact[truth.any(axis=1)].mean()
            values.append([n / 786, micro_f1(truth, y_pred), exact.mean(), of_labelled])
            empty_and_exact = (exact & ~truth.any(axis=1)).sum()
            assert sureness is not least_sure or n == 786 or empty_and_exact > exact.sum() / 2
        if repeat == 0:
            header = "share answered", "micro F1", "subset accuracy", "of pictures with a label"
            rows = zip(
                ("all", "highest score", "least sure cell"), *np.transpose(values), strict=True
            )
            assert cell_table(NOTEBOOK, "10-212") == as_table(header, *rows)
        changes = np.sign(np.subtract(values[1:], values[0]))
        assert changes.tolist() == [[-1, 1, -1, 1], [-1, -1, 1, -1]]


# ---------------------------------------------------------------------------- a guarantee


def test_conformal_risk_control_keeps_the_expected_loss_and_plain_tuning_does_not():
    """The mean over 2,000 calibration sets of the mean loss, for six populations, three sizes."""
    sweep, alpha = np.arange(0, 1.001, 0.004), 0.2
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n_labels = 3 + seed % 4
        y_true = (rng.random((3000, n_labels)) < rng.uniform(0.1, 0.6, n_labels)).astype(int)
        y_true[np.arange(3000), rng.integers(0, n_labels, 3000)] = 1
        score = rng.beta(1 + 2 * y_true, 2 + seed % 3 * (1 - y_true))
        is_missed = (score[:, :, None] < sweep) * y_true[:, :, None]
        losses = is_missed.sum(axis=1) / y_true.sum(axis=1)[:, None]
        for n in (5, 9, 20):
            mean_losses = losses[rng.integers(0, 3000, (2000, n))].mean(axis=1)
            expected = []
            for values in ((n * mean_losses + 1) / (n + 1), mean_losses):
                highest = len(sweep) - 1 - (values <= alpha)[:, ::-1].argmax(axis=1)
                expected.append(losses.mean(axis=0)[highest].mean())
            assert expected[0] <= alpha < expected[1]


def test_a_higher_threshold_never_raises_recall_and_can_move_precision_either_way():
    def values(metric, y_true, y_score):
        return [metric(y_true, at(y_score, t)) for t in np.unique(y_score)]

    always(
        lambda y_true, y_score: (
            np.diff(values(example_based.recall, y_true, y_score)) <= 1e-12
        ).all()
    )
    for sign in (1, -1):
        sometimes(
            lambda y_true, y_score, s=sign: (
                s * np.diff(values(example_based.precision, y_true, y_score)) > 0
            ).any()
        )
