"""What notebook 15 says of tools, by what they gave, by hand and by scikit-learn; its cells are in `expected/15.toml`."""

import functools
import re
from fractions import Fraction
from math import log2, nan

import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, sometimes
from test_conventions import CASES

from mlm_helpers import (
    catalogue,
    conventions,
    curves,
    data,
    example_based,
    label_based,
    ranking,
    top_k,
)
from mlm_helpers.conventions import TOOLS

BOTH_EMPTY = [[1, 1], [0, 0]], [[1, 0], [0, 0]]  # half a hit, and two empty sets
TRUTH_EMPTY = [[1, 1], [0, 0]], [[1, 0], [1, 0]]  # the same hit, and a false alarm on nothing


@pytest.mark.parametrize(
    ("tool", "ours", "values"),
    [  # recall of the two: what 0/0 is worth where the prediction is empty too, and where it is not
        ("scikit-learn", 0.0, (1 / 4, 1 / 4)),
        ("scikit-learn, zero_division=1", 1.0, (3 / 4, 3 / 4)),
        ("MULAN", "agree", (3 / 4, 1 / 4)),
        ("scikit-learn, zero_division=nan", nan, (1 / 2, 1 / 2)),
        ("Spark MLlib", None, (nan, nan)),
    ],
)
def test_five_rules_for_0_over_0_are_in_use(tool, ours, values):
    for pair, value in zip((BOTH_EMPTY, TRUTH_EMPTY), values, strict=True):
        theirs = conventions.number(tool, "samples recall", *pair)
        assert theirs == pytest.approx(value, nan_ok=True)
        assert ours is None or example_based.recall(*pair, zero_division=ours) == value


UNKNOWN = [  # what the tool gives, and what is left when unknown cells are
    ("torchmetrics", "subset accuracy", "with ignore_index a sample of", 1 / 2, 0),  # 1 and 0; 0
    ("torchmetrics", "coverage", "with ignore_index a sample with", 3, 1),  # L; first of two
    ("torchmetrics", "ranking loss", "with ignore_index an unknown", 1 / 2, 1),  # of 2 pairs; 1
    ("torchmetrics", "macro F1", "with ignore_index a label", 1 / 2, 1),  # of 1 and 0/0; 1
    ("MEKA", "Hamming loss", "with unknown labels", 1 / 2, 1 / 3),  # 1/1 and 0/2; 1 of 3 cells
    ("MEKA", "one-error", "an unknown label", 0, 1),  # none known on top; the second is wrong
    ("MEKA", "macro AUROC", "a label of which", 1 / 2, 1),  # 1 and 0; 1
]


@pytest.mark.parametrize(("tool", "metric", "begins", "theirs", "left"), UNKNOWN)
def test_tools_differ_in_what_they_make_of_unknown_labels(tool, metric, begins, theirs, left):
    every = (*TOOLS[tool].metrics[metric].departures, *TOOLS[tool].notes)
    (departure,) = (one for one in every if one.says.startswith(begins))
    said = re.search(r"(?:F1 |ap |^)([\d./]+)", departure.shows)
    assert float(Fraction(said[1])) == theirs
    y_true, y_pred = data.unknown(departure.y_true), np.array(departure.y_pred)
    ours = catalogue.variants()[metric]
    if catalogue.record_of(ours).reads == "y_pred":
        y_pred = y_pred >= 0.5
    assert ours(y_true, y_pred) == pytest.approx(left)


@pytest.mark.exhaustive
def test_keras_gives_these_numbers(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    keras = pytest.importorskip("keras")
    tags, scores = np.array([[1.0, 1, 0], [0, 1, 1]]), np.array([[0.9, 0.2, 0.1], [0.1, 0.3, 0.8]])
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Activation("linear")])
    cells = keras.metrics.BinaryAccuracy(name="cells")
    model.compile(loss="binary_crossentropy", metrics=["accuracy", cells])
    found = model.evaluate(scores, tags, verbose=0, return_dict=True)
    assert (found["accuracy"], found["cells"]) == pytest.approx((1 / 2, 4 / 6))


def test_unknown_as_0_and_unknown_as_1_are_no_bounds():
    """U-Zeros and U-Ones of CheXpert: 2 × 1 / (2 + 1 + 0) and 2 × 2 / (4 + 0 + 1) of micro F1."""
    y_true, y_pred = data.unknown([[1, -1, -1]]), [[1, 1, 0]]
    micro = functools.partial(label_based.f1, average="micro")
    assert micro(y_true, y_pred) == 1  # U-Ignore
    assert [micro(y_true.filled(cell), y_pred) for cell in (0, 1)] == [2 / 3, 4 / 5]
    assert data.bounds(micro, y_true, y_pred) == (2 / 4, 1)


def test_f1_is_0_over_0_only_where_truth_and_prediction_are_both_empty():
    """And 0 by every rule where only one of them is."""

    def holds(y_true, y_pred):
        each = example_based.f1(y_true, y_pred, zero_division=nan, per_sample=True)
        true, said = y_true.any(axis=1), y_pred.any(axis=1)
        return (np.isnan(each) == ~(true | said)).all() and not each[true != said].any()

    always(holds, ((2, 2),))
    for rule in (0.0, 1.0, nan, "agree"):
        assert example_based.f1([[0, 0, 0]], [[1, 0, 0]], zero_division=rule) == 0


@pytest.mark.parametrize("name", ["coverage", "one_error", "ranking_loss", "average_precision"])
def test_exchanging_two_columns_changes_a_ranking_metric_only_under_first_and_last(name):
    def changes(ties, y_true, y_score):
        pairs = (y_true, y_score), (y_true[:, ::-1], y_score[:, ::-1])
        one, other = (getattr(ranking, name)(*pair, ties=ties) for pair in pairs)
        return not np.isclose(one, other)

    for ties in ("first", "last"):
        sometimes(lambda y_true, y_score, t=ties: changes(t, y_true, y_score), ((1, 2),))
    always(lambda y_true, y_score: not changes("worst", y_true, y_score), ((1, 2),))


def test_ties_average_is_the_mean_rank_in_ranking_and_the_mean_value_in_top_k():
    """Two labels tied, one true: rank 3/2, so AP 2/3; over both orders (1 + 1/2) / 2 of the same reading."""
    tied = [[1, 0]], [[0.5, 0.5]]
    assert ranking.average_precision(*tied, ties="average") == pytest.approx(2 / 3)
    assert top_k.ndcg(*tied, k=2, ties="average") == pytest.approx((1 + 1 / log2(3)) / 2)


def test_numbers_of_the_threads():
    """torchmetrics #1665, scikit-learn #16568, #29521 and #27726: the data asked about, the numbers given."""
    y_pred = [[1, 1, 1], [0, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]]
    y_true = [[1, 0, 1], [1, 1, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert conventions.number("torchmetrics", "micro F1", y_true, y_pred) == pytest.approx(5 / 9)
    cf1 = conventions.number("ML-GCN", "F1 of macro precision and macro recall", y_true, y_pred)
    assert cf1 == pytest.approx(0.5714, abs=5e-5)
    scores = [[0.1, 0.4, 0.35, 0.8]] * 2
    each = curves.roc_auc([[1, 0, 1, 0], [1, 0, 0, 1]], scores, average=None)
    assert np.isnan(each).tolist() == [True, True, False, False]
    y = [[1, 0, 1], [0, 0, 0]]
    assert skm.ndcg_score(y, y) == top_k.ndcg(y, y, k=3) == 0.5
    assert top_k.ndcg(y, y, k=3, undefined=nan) == 1
    always(
        lambda y_true, y_score: top_k.ndcg(0 * y_true + 1, y_score, k=2) == pytest.approx(1),
        ((1, 3),),
    )


@pytest.mark.parametrize(
    ("case", "metric", "words"),
    [
        ("perfect+both_empty", example_based.f1, "per sample, then their mean; 0/0 counts 0 (1 of 2 samples)"),
        ("perfect+absent_label", label_based.f1, "per label, then their mean; 0/0 counts 0 (1 of 3 labels)"),
        ("bad+no_relevant", ranking.coverage, "counts 0 (1 of 2 samples); tied labels share their largest rank"),
        ("label_without_positives", curves.average_precision, "a label without a value counts 0 (1 of 2 labels)"),
    ],
)  # fmt: skip
def test_the_report_writes_the_sentences_for_a_paper(case, metric, words):
    case = CASES[case]
    assert words in conventions.report([metric], case.y_true, case.y_pred, case.y_score)


def test_annif_divides_by_the_labels_that_were_scored():
    """Hits of 1 of 1 and 1 of 2 that were scored; of 3 places each, 1 and 1."""
    theirs = {**CASES["top_few_scored"].numbers["precision at 3"]}
    assert theirs.pop("Annif") == pytest.approx((1 + 1 / 2) / 2)
    assert [*theirs.values()] == pytest.approx([1 / 3] * len(theirs))
