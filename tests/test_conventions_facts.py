"""Claims of notebook 15 about tools, from stored numbers, by hand and by scikit-learn.

See `expected/15.toml`.
"""

import functools
import re
from fractions import Fraction
from math import log2, nan

import all_small
import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, sometimes
from test_conventions import CASES

from mlm_helpers import catalogue, conventions, curves, data, example_based, label_based, ranking
from mlm_helpers.conventions import TOOLS
from mlm_helpers.top_k import ndcg

BOTH_EMPTY = [[1, 1], [0, 0]], [[1, 0], [0, 0]]  # half a hit, and two empty sets
TRUTH_EMPTY = [[1, 1], [0, 0]], [[1, 0], [1, 0]]  # the same hit, and a false alarm on nothing


@pytest.mark.parametrize(
    ("tool", "zero_division", "values"),
    [  # recall where the prediction of the empty sample is empty too, and where it is not
        ("scikit-learn", 0.0, (1 / 4, 1 / 4)),
        ("scikit-learn, zero_division=1", 1.0, (3 / 4, 3 / 4)),
        ("MULAN", "agree", (3 / 4, 1 / 4)),
        ("scikit-learn, zero_division=nan", nan, (1 / 2, 1 / 2)),
        ("Spark MLlib", None, (nan, nan)),
    ],
)
def test_five_rules_for_0_over_0_are_in_use(tool, zero_division, values):
    for pair, value in zip((BOTH_EMPTY, TRUTH_EMPTY), values, strict=True):
        number = conventions.number(tool, "samples recall", *pair)
        assert number == pytest.approx(value, nan_ok=True)
        if zero_division is not None:
            assert example_based.recall(*pair, zero_division=zero_division) == value


UNKNOWN = [  # the tool's number, and ours, which leaves unknown cells out
    ("torchmetrics", "subset accuracy", "with ignore_index a sample of", 1 / 2, 0),  # 1 and 0; 0
    ("torchmetrics", "coverage", "with ignore_index a sample with", 3, 1),  # L; first of two
    ("torchmetrics", "ranking loss", "with ignore_index an unknown", 1 / 2, 1),  # of 2 pairs; 1
    ("torchmetrics", "macro F1", "with ignore_index a label", 1 / 2, 1),  # of 1 and 0/0; 1
    ("MEKA", "Hamming loss", "with unknown labels", 1 / 2, 1 / 3),  # 1/1 and 0/2; 1 of 3 cells
    ("MEKA", "one-error", "an unknown label", 0, 1),  # the unknown top counts as a hit; a miss
    ("MEKA", "macro AUROC", "a label of which", 1 / 2, 1),  # 1 and 0; 1
]


@pytest.mark.parametrize(("tool", "name", "start", "number", "value"), UNKNOWN)
def test_tools_differ_in_how_they_count_unknown_labels(tool, name, start, number, value):
    departures = (*TOOLS[tool].metrics[name].departures, *TOOLS[tool].notes)
    (departure,) = (departure for departure in departures if departure.says.startswith(start))
    shown_number = re.search(r"(?:F1 |ap |^)([\d./]+)", departure.shows)[1]  # "F1 1/2", "1/2 …"
    assert float(Fraction(shown_number)) == number
    y_true, y_pred = data.unknown(departure.y_true), np.array(departure.y_pred)
    metric = catalogue.variants()[name]
    if catalogue.record_of(metric).reads == "y_pred":
        y_pred = y_pred >= 0.5
    assert metric(y_true, y_pred) == pytest.approx(value)


def test_keras_gives_these_numbers(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    keras = pytest.importorskip("keras")
    tags, scores = np.array([[1.0, 1, 0], [0, 1, 1]]), np.array([[0.9, 0.2, 0.1], [0.1, 0.3, 0.8]])
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Activation("linear")])
    cells = keras.metrics.BinaryAccuracy(name="cells")
    model.compile(loss="binary_crossentropy", metrics=["accuracy", cells])
    values = model.evaluate(scores, tags, verbose=0, return_dict=True)
    assert (values["accuracy"], values["cells"]) == pytest.approx((1 / 2, 4 / 6))


def test_keras_divides_label_weights_by_their_sum(monkeypatch):
    """So supports, or any multiple, give weighted AUROC.

    Without `multi_label` the area is micro.
    """
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    keras, rng = pytest.importorskip("keras"), np.random.default_rng(0)
    for factor in (1, 0.5, 10):
        tags = rng.permuted(np.arange(12)[:, None] < [[3, 5, 8]], axis=0).astype(float)
        scores = rng.permutation(36).reshape(12, 3) / 40 + 0.02  # no two in one of the 200 bins
        weighted = {"multi_label": True, "label_weights": factor * tags.sum(axis=0)}
        for average, options in (
            ("weighted", weighted),
            ("macro", {"multi_label": True}),
            ("micro", {}),
        ):
            area = keras.metrics.AUC(**options)
            area.update_state(tags, scores)
            value = skm.roc_auc_score(tags, scores, average=average)
            assert float(area.result()) == pytest.approx(value, abs=1e-5)


def test_unknown_as_0_and_unknown_as_1_are_no_bounds():
    """U-Zeros and U-Ones of CheXpert: 2 × 1 / (2 + 1 + 0) and 2 × 2 / (4 + 0 + 1) of micro F1."""
    y_true, y_pred = data.unknown([[1, -1, -1]]), [[1, 1, 0]]
    micro = functools.partial(label_based.f1, average="micro")
    assert micro(y_true, y_pred) == 1  # U-Ignore
    assert [micro(y_true.filled(cell), y_pred) for cell in (0, 1)] == [2 / 3, 4 / 5]
    assert data.bounds(micro, y_true, y_pred) == (2 / 4, 1)


def test_of_one_column_micro_precision_recall_and_f1_of_scikit_learn_are_accuracy():
    scores = skm.precision_score, skm.recall_score, skm.f1_score, skm.jaccard_score
    for y_true, y_pred in all_small.pairs(4, 1, False):
        accuracy = np.mean(np.equal(y_true, y_pred))
        micro = [score(y_true, y_pred, average="micro") for score in scores]
        assert micro == pytest.approx([accuracy] * 3 + [accuracy / (2 - accuracy)])


def test_f1_is_0_over_0_only_where_truth_and_prediction_are_both_empty():
    """If only one of them is empty, F1 is 0 under every rule."""

    def is_nan_if_both_and_0_if_one_is_empty(y_true, y_pred):
        f1 = example_based.f1(y_true, y_pred, zero_division=nan, per_sample=True)
        has_true, has_predicted = y_true.any(axis=1), y_pred.any(axis=1)
        are_both_empty, is_one_empty = ~(has_true | has_predicted), has_true != has_predicted
        return (np.isnan(f1) == are_both_empty).all() and not f1[is_one_empty].any()

    always(is_nan_if_both_and_0_if_one_is_empty, ((2, 2),))
    for rule in (0.0, 1.0, nan, "agree"):
        assert example_based.f1([[0, 0, 0]], [[1, 0, 0]], zero_division=rule) == 0


@pytest.mark.parametrize("name", ["coverage", "one_error", "ranking_loss", "average_precision"])
def test_exchanging_two_columns_changes_a_ranking_metric_only_under_first_and_last(name):
    def changes(ties, y_true, y_score):
        pairs = (y_true, y_score), (y_true[:, ::-1], y_score[:, ::-1])
        value, exchanged = (getattr(ranking, name)(*pair, ties=ties) for pair in pairs)
        return not np.isclose(value, exchanged)

    for ties in ("first", "last"):
        sometimes(lambda y_true, y_score, t=ties: changes(t, y_true, y_score), ((1, 2),))
    always(lambda y_true, y_score: not changes("max", y_true, y_score), ((1, 2),))


def test_ties_average_is_the_mean_rank_in_ranking_and_the_mean_value_in_top_k():
    """Of two tied labels one is true: its mean rank is 3/2, so AP is 2/3.

    nDCG is the mean over both orders.
    """
    tied = [[1, 0]], [[0.5, 0.5]]
    assert ranking.average_precision(*tied, ties="average") == pytest.approx(2 / 3)
    assert ndcg(*tied, k=2, ties="average") == pytest.approx((1 + 1 / log2(3)) / 2)


def test_numbers_of_the_threads():
    """The data and numbers of torchmetrics #1665 and scikit-learn #16568, #29521 and #27726."""
    y_pred = [[1, 1, 1], [0, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]]
    y_true = [[1, 0, 1], [1, 1, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert conventions.number("torchmetrics", "micro F1", y_true, y_pred) == pytest.approx(5 / 9)
    cf1 = conventions.number("ML-GCN", "F1 of macro precision and macro recall", y_true, y_pred)
    assert cf1 == pytest.approx(0.5714, abs=5e-5)
    scores = [[0.1, 0.4, 0.35, 0.8]] * 2
    per_label = curves.roc_auc([[1, 0, 1, 0], [1, 0, 0, 1]], scores, average=None)
    assert np.isnan(per_label).tolist() == [True, True, False, False]
    y = [[1, 0, 1], [0, 0, 0]]
    assert skm.ndcg_score(y, y) == ndcg(y, y, k=3) == 0.5
    assert ndcg(y, y, k=3, undefined=nan) == 1
    always(
        lambda y_true, y_score: ndcg(0 * y_true + 1, y_score, k=2) == pytest.approx(1),
        ((1, 3),),
    )


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_of_one_column_scikit_learn_averages_over_the_classes_that_occur(average):
    """A class that occurs neither in truth nor in prediction is left out of the mean."""
    metrics = skm.f1_score, skm.precision_score, skm.recall_score, skm.jaccard_score

    def is_mean_over_classes(y_true, y_pred):
        truth, prediction = y_true.ravel(), y_pred.ravel()
        classes = np.union1d(truth, prediction)
        weights = None if average == "macro" else [(truth == c).sum() for c in classes]
        for metric in metrics:
            of_each = functools.partial(
                metric, truth, prediction, average="binary", zero_division=0
            )
            values = [of_each(pos_label=c) if len(classes) > 1 else 1.0 for c in classes]
            printed = metric(y_true, y_pred, average=average, zero_division=0)
            if not np.isclose(printed, np.average(values, weights=weights)):
                return False
        return True

    always(is_mean_over_classes, ((3, 1),))
    for sure in ([[1], [1]], [[0], [0]]):
        assert all(metric(sure, sure, average=average) == 1 for metric in metrics)


@pytest.mark.parametrize(
    ("case", "metric", "words"),
    [
        ("perfect+both_empty", example_based.f1,
         "per sample, then their mean; 0/0 counts 0 (1 of 2 samples)"),
        ("perfect+absent_label", label_based.f1,
         "per label, then their mean; 0/0 counts 0 (1 of 3 labels)"),
        ("bad+no_relevant", ranking.coverage,
         "counts 0 (1 of 2 samples); tied labels share their largest rank"),
        ("label_without_positives", curves.average_precision,
         "a label without a value counts 0 (1 of 2 labels)"),
    ],
)  # fmt: skip
def test_the_report_writes_the_sentences_for_a_paper(case, metric, words):
    case = CASES[case]
    assert words in conventions.report([metric], case.y_true, case.y_pred, case.y_score)


def test_annif_divides_by_the_labels_that_were_scored():
    """One hit among 1 scored label, and one among 2; the other tools divide both by 3."""
    numbers = {**CASES["top_few_scored"].numbers["precision at 3"]}
    assert numbers.pop("Annif") == pytest.approx((1 + 1 / 2) / 2)
    assert [*numbers.values()] == pytest.approx([1 / 3] * len(numbers))
