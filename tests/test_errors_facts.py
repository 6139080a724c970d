"""Facts about the matrices that are called multi-label confusion matrix: rows are true, columns predicted.

Each rule was run beside its own code on all 340 samples of up to four labels: dkrst/Multi_Label_Confusion_Matrix, PhysioNet's
evaluate_12ECG_score.py and mlcm-fixed 0.1.0; and fastai 2.8.12 on 500 random matrices.
"""

import numpy as np
from facts import always

from mlm_helpers import label_based


def with_none(y, dtype=bool):
    """A last label for samples that have none, as three of the papers have it."""
    y = np.array(y, dtype)
    return np.column_stack([y, ~y.any(axis=1)])


def co_occurrence(true, said):
    return np.outer(true, said)


def physionet(true, said):
    return np.outer(true, said) / max((true | said).sum(), 1)


def krstinic(true, said):
    """Krstinić et al. 2020: errors share what their sample has to give."""
    hit, missed, false = np.diag(true & said), true & ~said, said & ~true
    if not missed.any():
        return (np.outer(true, false) + true.sum() * hit) / said.sum()
    if not false.any():
        return np.outer(missed, said) / said.sum() + hit
    return np.outer(missed, false) / false.sum() + hit


def mlcm(true, said):
    """Heydarian et al. 2022: an error without partner goes to all true labels, or to none predicted."""
    hit, missed, false = np.diag(true & said), true & ~said, said & ~true
    if (true == said).all():
        return hit
    none = np.arange(len(said)) == len(said) - 1
    return hit + np.outer(missed if missed.any() else true, false if false.any() else none)


def of_recall(true, said):
    """Krstinić et al. 2024: each miss is shared among all that was predicted."""
    return np.diag(true & said) + np.outer(true & ~said, said) / said.sum()


def of_precision(true, said):
    """Krstinić et al. 2024: each false alarm is shared among all that is true."""
    return np.diag(true & said) + np.outer(true, said & ~true) / true.sum()


def fastai(y_true, y_pred):
    """Flattened cells are compared with the numbers of labels, and are 0 or 1."""
    of = np.arange(len(y_true[0]))
    is_true, is_said = (np.ravel(y) == of[:, None] for y in (y_true, y_pred))
    return 1 * is_true @ is_said.T


def matrix(rule, y_true, y_pred):
    """What all samples add up to."""
    read = np.array if rule in (co_occurrence, physionet) else with_none
    return sum(map(rule, read(y_true, bool), read(y_pred, bool)))


def read_recall(rule, y_true, y_pred):
    """The diagonal ÷ the sum of its row, for each label; 0/0 is 0."""
    table = matrix(rule, y_true, y_pred)
    return (np.diag(table) / np.maximum(table.sum(axis=1), 1e-9))[: len(y_true[0])]


def test_a_perfect_prediction_has_mass_off_the_diagonal_of_two_matrices():
    data = [[1, 1]], [[1, 1]]
    assert matrix(co_occurrence, *data).tolist() == [[1, 1], [1, 1]]
    assert matrix(physionet, *data).tolist() == [[0.5, 0.5], [0.5, 0.5]]

    def others_have_none(y_true, y_pred):
        found = (matrix(rule, y_true, y_true) for rule in (krstinic, mlcm, of_recall, of_precision))
        return all((table == np.diag(np.diag(table))).all() for table in found)

    always(others_have_none)


def test_recall_and_precision_can_be_read_off_the_pair_of_2024_alone():
    """Rows of the one sum to support, columns of the other to what was predicted; the diagonals are hits."""

    def holds(y_true, y_pred):
        rows, columns = (matrix(rule, y_true, y_pred) for rule in (of_recall, of_precision))
        hits, n_labels = (y_true * y_pred).sum(axis=0), y_true.shape[1]
        return (
            np.allclose(rows.sum(axis=1), with_none(y_true).sum(axis=0))
            and np.allclose(columns.sum(axis=0), with_none(y_pred).sum(axis=0))
            and all((np.diag(table)[:n_labels] == hits).all() for table in (rows, columns))
        )

    always(holds)
    data = [[1, 0], [1, 1]], [[1, 1], [1, 0]]  # recall is 1 and 0
    for rule in (co_occurrence, physionet, krstinic, mlcm):
        assert not np.allclose(read_recall(rule, *data), [1, 0]), rule


def test_fastais_matrix_pools_all_labels_under_the_names_of_the_first_two():
    """[[TN, FP], [FN, TP]] of all cells; where label 2 is true and 1 a false alarm, "0 predicted as 1"."""

    def holds(y_true, y_pred):
        tp, fp, fn, tn = (count.sum() for count in label_based.confusion(y_true, y_pred))
        return fastai(y_true, y_pred)[:2, :2].tolist() == [[tn, fp], [fn, tp]]

    always(holds, ((2, 2), (1, 3)))
    assert fastai([[0, 0, 1]], [[0, 1, 1]]).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]
