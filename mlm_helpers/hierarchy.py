"""Metrics of labels in a hierarchy: a sample that has a label also has all its ancestors.

The closure of a label set is the set with all ancestors of its labels. True and predicted sets are
closed, and then counted as usual. So a wrong label that shares an ancestor with the truth is partly
right. Each ancestor needs a column. If some labels of the truth are unknown, labels of its closure
that are unknown, too, are left out.

A root above all labels is a label like any other, unless ``root`` is False. Every other metric of
label sets, and a scorecard, becomes hierarchical if you pass the closed matrices.
"""

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np

from mlm_helpers._core import counts
from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.blocks import large_row_blocks
from mlm_helpers._core.counts import Counts, Formula
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.ancestry import (
    align_to_labels,
    child_parent_pairs,
    find_roots,
    read_parents,
)
from mlm_helpers._core.inputs.data import Data, LabelArray, LabelMatrix
from mlm_helpers._core.inputs.kinds import is_sparse
from mlm_helpers._core.inputs.options import ZeroDivision, check_average, check_options
from mlm_helpers._core.inputs.read import read_label_sets, read_truth
from mlm_helpers._core.named import as_frame_like, masked_truth

__all__ = ["closure", "f1", "precision", "recall"]

Average: TypeAlias = Literal["micro", "samples"]
check_micro_or_samples = partial(check_average, allowed=("micro", "samples"))
Close: TypeAlias = Callable[[LabelArray], Any]  # returns rows, as bool, with all ancestors


def closure(y: LabelMatrix, parents: Any) -> Any:
    """Label sets with all ancestors of their labels.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
    parents : list of n_labels lists, or dict
        For each label its parents, ``[]`` for a top-level label: indices or, where y is a
        DataFrame, names of columns. In a dict by name, top-level labels may be missing. A Series
        has the columns as index.

    Returns
    -------
    matrix of 0 and 1, shape (n_samples, n_labels)
        Of the dtype of y; a DataFrame, a SciPy sparse matrix or a masked array where y is one, else
        an array. A label of a masked y is known if all ways to fill in the unknown labels give it
        one value.

    Raises
    ------
    TypeError, ValueError
        For bad input, such as a parent that is not a label, or a cycle of parents.

    References
    ----------
    Kiritchenko et al., "Learning and evaluation in the presence of class hierarchies: application
    to text categorization", 2006.

    Examples
    --------
    >>> animal_cat_dog = [[], [0], [0]]
    >>> closure([[0, 1, 0], [0, 0, 0]], animal_cat_dog)
    array([[1, 1, 0],
           [0, 0, 0]])
    """
    truth, known = read_truth(y, "y")
    close = closing_function(align_to_labels(parents, "parents", y=y), truth)
    if is_sparse(truth):
        return type(y)(close(truth), dtype=y.dtype)
    if known is not None:
        data = closed_data(Data(truth, truth, known=known), close)
        return masked_truth(data.truth, ~np.asarray(data.known), like=y)
    closed = np.empty_like(truth, order="C")
    for rows in large_row_blocks(truth):
        closed[rows] = close(truth[rows])
    return as_frame_like(closed, y)


def closing_function(parents: Any, y: LabelArray, root: bool = True) -> Close:
    """The function that adds all ancestors to rows of a matrix, which become bool.

    It is for matrices of the container of ``y``. Without ``root``, the root's column is left out.
    """
    n_labels = y.shape[1]
    parent_lists = read_parents(parents, n_labels)
    roots = [] if root else find_roots(parent_lists)
    labels = np.delete(range(n_labels), roots)  # the columns that remain
    pairs = child_parent_pairs(parent_lists)  # the deepest children first

    def close(rows: LabelArray) -> Any:
        has_label = np.array(rows.T, dtype=bool, order="C")  # each label is contiguous
        # A child has received its samples from its own children before it passes them on.
        for child, parent in pairs:
            has_label[parent] |= has_label[child]
        return (has_label[labels] if roots else has_label).T

    if not is_sparse(y):
        return close
    ancestors = _ancestor_matrix(pairs, n_labels)[:, labels]
    return lambda rows: (rows @ ancestors).sorted_indices()


def _ancestor_matrix(pairs: list[tuple[int, int]], n_labels: int) -> Any:
    """CSR array of bool, shape (n_labels, n_labels): row j has label j and its ancestors."""
    from scipy.sparse import csr_array

    ancestors = [{label} for label in range(n_labels)]
    for child, parent in reversed(pairs):  # the parents have all their ancestors already
        ancestors[child] |= ancestors[parent]
    columns = [*chain(*map(sorted, ancestors))]
    row_ends = np.cumsum([0, *map(len, ancestors)])
    return csr_array((np.ones(len(columns), bool), columns, row_ends), shape=(n_labels, n_labels))


def closed_data(data: Data, close: Close) -> Data:
    """The data with all ancestors in truth and prediction; ``close`` is of `closing_function`.

    A cell of the closed truth is known if it is the same without any of the unknown labels, as they
    are in ``truth``, and with all of them.
    """
    truth, known = close(data.truth), None
    if data.known is not None:
        known = truth == close((data.truth != 0) | ~data.known)
    return Data(truth, close(data.prediction), data.weight, known)


def _ratio(
    formula: Formula,
    y_true: Any,
    y_pred: Any,
    parents: Any,
    average: Average,
    root: bool,
    zero_division: ZeroDivision,
    sample_weight: Any,
) -> float:
    """The value of a formula for closed label sets: one ratio of all samples, or a mean of theirs.

    ``average`` decides which. Rows are closed and counted in blocks, to save memory.
    """
    check_micro_or_samples(average)
    check_options(root=root, zero_division=zero_division)
    data = read_label_sets(y_true, y_pred, sample_weight)
    parents = align_to_labels(parents, "parents", y_true=y_true, y_pred=y_pred)
    close = closing_function(parents, data.truth, root)
    blocks = map(data.select_samples, large_row_blocks(data.truth))
    axis = 0 if AVERAGES[average].is_pooled else 1  # of "micro", and of "samples"
    per_block = [counts.count(closed_data(block, close), axis=axis) for block in blocks]
    if axis == 1:
        per_sample = Counts(*np.hstack(per_block))
        return counts.nanmean(counts.ratio(formula, per_sample, zero_division), data.weight)
    per_label = Counts(*np.sum(per_block, axis=0))
    return float(counts.average_ratio(formula, per_label, "micro", zero_division))


@documented
def precision(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    parents: Any,
    *,
    average: Average = "micro",
    root: bool = True,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float:
    r"""Of the predicted labels and their ancestors, the share that is right: hP.

    .. math:: \frac{\sum_i |\hat Y_i \cap \hat Z_i|}{\sum_i |\hat Z_i|}

    where the hat adds all ancestors. Range 0 to 1, higher is better. 0/0 where nothing is
    predicted.

    References
    ----------
    Kiritchenko et al., 2006, see `closure`; there ``root`` is False.

    Examples
    --------
    >>> animal_cat_dog = [[], [0], [0]]
    >>> precision([[1, 1, 0]], [[0, 0, 1]], animal_cat_dog)
    0.5
    """
    return _ratio(
        counts.precision, y_true, y_pred, parents, average, root, zero_division, sample_weight
    )


@documented
def recall(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    parents: Any,
    *,
    average: Average = "micro",
    root: bool = True,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float:
    r"""Of the true labels and their ancestors, the share that is predicted: hR.

    .. math:: \frac{\sum_i |\hat Y_i \cap \hat Z_i|}{\sum_i |\hat Y_i|}

    where the hat adds all ancestors. Range 0 to 1, higher is better. 0/0 where nothing is true.

    References
    ----------
    Kiritchenko et al., 2006, see `closure`; there ``root`` is False.

    Examples
    --------
    >>> animal_cat_dog = [[], [0], [0]]
    >>> recall([[0, 1, 0]], [[1, 0, 0]], animal_cat_dog)
    0.5
    """
    return _ratio(
        counts.recall, y_true, y_pred, parents, average, root, zero_division, sample_weight
    )


@documented
def f1(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    parents: Any,
    *,
    average: Average = "micro",
    root: bool = True,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float:
    r"""Harmonic mean of hierarchical precision and recall: hF.

    .. math:: \frac{2 \sum_i |\hat Y_i \cap \hat Z_i|}{\sum_i |\hat Y_i| + \sum_i |\hat Z_i|}

    where the hat adds all ancestors. Range 0 to 1, higher is better. 0/0 where nothing is true or
    predicted. Under "samples" it is the mean of the samples' F1s.

    References
    ----------
    Kiritchenko et al., 2006, see `closure`; there ``root`` is False.

    Examples
    --------
    The path 0 → 1 → 2 → 3, a test case of sklearn-hierarchical-classification:

    >>> y_true = [[0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]]
    >>> y_pred = [[0, 1, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0]]
    >>> f1(y_true, y_pred, [[], [0], [1], [2]])
    0.8
    """
    return _ratio(counts.f1, y_true, y_pred, parents, average, root, zero_division, sample_weight)
