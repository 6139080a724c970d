"""Facts of notebook 00: sets and matrices, the outcomes of a cell, three accuracies."""

from fractions import Fraction as F
from itertools import product

import all_small
import numpy as np
from facts import cell_accuracy, subset_accuracy, tp_fp_fn_tn
from sklearn.metrics import multilabel_confusion_matrix
from sklearn.preprocessing import MultiLabelBinarizer

from mlm_course import documents, figures
from mlm_helpers import conventions, example_based


def mean_jaccard(y_true, y_pred):
    """Mean over samples of hits ÷ (hits + false alarms + misses); 1 if both sets are empty."""
    counts = [tp_fp_fn_tn(t, p) for t, p in zip(y_true, y_pred, strict=True)]
    return sum(F(tp, tp + fp + fn) if tp + fp + fn else 1 for tp, fp, fn, _ in counts) / len(counts)


def test_every_row_of_a_label_matrix_is_another_set():
    binarizer = MultiLabelBinarizer(classes=range(4)).fit([])
    label_sets = binarizer.inverse_transform(np.array(all_small.rows(4)))
    assert len(set(label_sets)) == 2**4


def test_hit_false_alarm_miss_and_dot_are_tp_fp_fn_and_tn():
    """Scikit-learn's table is [[TN, FP], [FN, TP]]."""
    cells = {"rightly left out": (0, 0), "false alarm": (0, 1), "miss": (1, 0), "hit": (1, 1)}
    for mark, (t, p) in zip(figures.MARKS, [(0, 0), (0, 1), (1, 0), (1, 1)], strict=True):
        table = multilabel_confusion_matrix([[t, 1]], [[p, 1]])[0]
        assert table[cells[mark.word]] == 1 == table.sum()


def test_the_four_counts_give_the_share_of_right_cells_and_neither_other_accuracy():
    for accuracy in (subset_accuracy, mean_jaccard, cell_accuracy):
        values = {}  # by the four counts: the values of all data that have them
        for t, p in all_small.data_sets(2, 2):
            values.setdefault(tp_fp_fn_tn(sum(t, ()), sum(p, ())), set()).add(accuracy(t, p))
        assert all(len(v) == 1 for v in values.values()) is (accuracy is cell_accuracy)


def clicks():
    """Each pair of small rows with each changed cell: truth, prediction, the new one, label."""
    for truth, predicted, j in product(all_small.rows(3), all_small.rows(3), range(3)):
        yield truth, predicted, tuple(c ^ (i == j) for i, c in enumerate(predicted)), j


def test_a_click_moves_a_cell_and_exact_match_only_if_a_row_becomes_or_stops_being_right():
    for truth, before, after, _ in clicks():
        cells, rows = (
            abs(accuracy([truth], [before]) - accuracy([truth], [after]))
            for accuracy in (cell_accuracy, subset_accuracy)
        )
        assert (cells, rows) == (F(1, 3), truth in (before, after))


def test_a_click_moves_the_overlap_unless_a_row_without_a_hit_gains_or_loses_a_false_alarm():
    for truth, before, after, j in clicks():
        moves = example_based.accuracy([truth], [before]) != example_based.accuracy(
            [truth], [after]
        )
        has_hit = any(t and p for t, p in zip(truth, before, strict=True))
        assert moves == (has_hit or truth[j] == 1)


def test_which_metric_each_tool_calls_accuracy():
    for tool, metric, call in (
        ("scikit-learn", "subset accuracy", "accuracy_score"),
        ("Spark MLlib", "samples accuracy (Jaccard)", "accuracy"),
        ("MULAN", "samples accuracy (Jaccard)", "Example-Based Accuracy"),
    ):
        assert conventions.TOOLS[tool].metrics[metric].call == call
    metrics = {printed.quantity: printed.metric for printed in documents.PARTIAL_CREDIT.published}
    assert metrics["accuracy"] == "example_based.accuracy"
    for tool in ("torchmetrics", "keras"):
        call = conventions.TOOLS[tool].metrics[conventions.LABEL_WISE].call
        assert call.lower().endswith("accuracy")
