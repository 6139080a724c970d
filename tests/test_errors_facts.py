"""Facts about matrices called multi-label confusion matrix: true rows, predicted columns.

Each rule was compared with its authors' code on all 340 samples of up to four labels
(dkrst/Multi_Label_Confusion_Matrix, PhysioNet's evaluate_12ECG_score.py and mlcm-fixed 0.1.0), and
fastai 2.8.12 on 500 random matrices.
"""

import numpy as np
from facts import always

from mlm_helpers import label_based


def with_none(y, dtype=bool):
    """The matrix with one more label, "none", for samples without labels (three papers)."""
    y = np.array(y, dtype)
    return np.column_stack([y, ~y.any(axis=1)])


def co_occurrence(true, pred):
    return np.outer(true, pred)


def physionet(true, pred):
    return np.outer(true, pred) / max((true | pred).sum(), 1)


def krstinic(true, pred):
    """Krstinić et al. 2020: a true label adds 1 to its row, shared by predicted columns."""
    hit, missed, false = np.diag(true & pred), true & ~pred, pred & ~true
    if not missed.any():
        return (np.outer(true, false) + true.sum() * hit) / pred.sum()
    if not false.any():
        return np.outer(missed, pred) / pred.sum() + hit
    return np.outer(missed, false) / false.sum() + hit


def mlcm(true, pred):
    """Heydarian et al. 2022: a false alarm alone goes to all true labels, a miss to none."""
    hit, missed, false = np.diag(true & pred), true & ~pred, pred & ~true
    if (true == pred).all():
        return hit
    none = np.arange(len(pred)) == len(pred) - 1
    return hit + np.outer(missed if missed.any() else true, false if false.any() else none)


def recall_matrix(true, pred):
    """Krstinić et al. 2024: a miss adds 1 to its label's row, shared by predicted labels."""
    return np.diag(true & pred) + np.outer(true & ~pred, pred) / pred.sum()


def precision_matrix(true, pred):
    """Krstinić et al. 2024: a false alarm adds 1 to its column, shared by true labels."""
    return np.diag(true & pred) + np.outer(true, pred & ~true) / true.sum()


def fastai(y_true, y_pred):
    """Each cell, 0 or 1, is compared with the numbers of labels as if it were a class."""
    classes = np.arange(len(y_true[0]))
    is_true, is_pred = (np.ravel(y) == classes[:, None] for y in (y_true, y_pred))
    return 1 * is_true @ is_pred.T


def matrix(rule, y_true, y_pred):
    """The matrix of all samples, the sum of their matrices."""
    prepare = np.array if rule in (co_occurrence, physionet) else with_none
    return sum(map(rule, prepare(y_true, bool), prepare(y_pred, bool)))


def apparent_recall(rule, y_true, y_pred):
    """For each label the diagonal ÷ the sum of its row, as if the matrix were of classes.

    0/0 is 0.
    """
    table = matrix(rule, y_true, y_pred)
    return (np.diag(table) / np.maximum(table.sum(axis=1), 1e-9))[: len(y_true[0])]


def test_recall_and_precision_can_be_read_off_the_pair_of_2024_alone():
    """Row sums of the first are supports, column sums of the second predicted samples.

    Diagonals are hits.
    """

    def sums_and_diagonals_are_right(y_true, y_pred):
        rows, columns = (matrix(rule, y_true, y_pred) for rule in (recall_matrix, precision_matrix))
        hits, n_labels = (y_true * y_pred).sum(axis=0), y_true.shape[1]
        return (
            np.allclose(rows.sum(axis=1), with_none(y_true).sum(axis=0))
            and np.allclose(columns.sum(axis=0), with_none(y_pred).sum(axis=0))
            and all((np.diag(table)[:n_labels] == hits).all() for table in (rows, columns))
        )

    always(sums_and_diagonals_are_right)
    data = [[1, 0], [1, 1]], [[1, 1], [1, 0]]  # recall is 1 and 0
    for rule in (co_occurrence, physionet, krstinic, mlcm):
        assert not np.allclose(apparent_recall(rule, *data), [1, 0]), rule


def test_fastais_matrix_pools_all_labels_under_the_names_of_the_first_two():
    """It is [[TN, FP], [FN, TP]] of all cells.

    So it says "0 predicted as 1" if label 1 is a false alarm of label 2.
    """

    def is_pooled(y_true, y_pred):
        tp, fp, fn, tn = (count.sum() for count in label_based.confusion(y_true, y_pred))
        return fastai(y_true, y_pred)[:2, :2].tolist() == [[tn, fp], [fn, tp]]

    always(is_pooled, ((2, 2), (1, 3)))
    assert fastai([[0, 0, 1]], [[0, 1, 1]]).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
