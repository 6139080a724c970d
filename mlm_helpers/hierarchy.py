"""Metrics of labels in a hierarchy: a sample that has a label also has all its ancestors.

To each label set all ancestors of its labels are added (its closure); the closed sets are then
counted as usual. So a wrong label that shares an ancestor with the truth is partly right. Each
ancestor needs a column. Where the truth is partly unknown, what remains unknown in its closure is
left out.

A root above all labels is a label like any other, unless ``root`` is False. Every other metric of
label sets, and a scorecard, becomes hierarchical if you pass the closed matrices.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import blocks, counts
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs.ancestry import (
    align_to_labels,
    child_parent_pairs,
    find_roots,
    read_parents,
)
from mlm_helpers._core.inputs.data import Data, LabelArray, LabelMatrix, masked_truth
from mlm_helpers._core.inputs.kinds import is_sparse
from mlm_helpers._core.inputs.options import ZeroDivision, check_choice, check_options
from mlm_helpers._core.inputs.read import as_frame_like, read_label_sets, read_truth

__all__ = ["closure", "f1", "precision", "recall"]

AVERAGES = ("micro", "samples")
Average: TypeAlias = Literal["micro", "samples"]
check_average = partial(check_choice, allowed=AVERAGES, name="average")
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
    close = _closing_function(align_to_labels(parents, "parents", y=y), truth)
    if is_sparse(truth):
        return type(y)(close(truth), dtype=y.dtype)
    closed = np.empty_like(truth, order="C")
    for rows in blocks.large_row_blocks(truth):
        closed[rows] = close(truth[rows])
    if known is not None:
        return masked_truth(closed, ~_is_known(close, truth, known), like=y)
    return as_frame_like(closed, y)


def closed_data(data: Data, parents: Any, root: bool = True) -> Data:
    """Truth and prediction with all ancestors of their labels, without the root if ``root`` is False."""
    return _closed_data(data, _closing_function(parents, data.truth, root))


def _closed_data(data: Data, close: Close) -> Data:
    """The data after a function of `_closing_function` closed both matrices, with the cells that are known then."""
    known = None if data.known is None else _is_known(close, data.truth, data.known)
    return Data(close(data.truth), close(data.prediction), data.weight, known)


def _is_known(close: Close, y: LabelArray, known: NDArray[np.bool_]) -> Any:
    """Which cells of the closure are the same if unknown labels, which are 0 in y, are absent or present."""
    return close(y) == close((y != 0) | ~known)


def _closing_function(parents: Any, y: LabelArray, root: bool = True) -> Close:
    """The function that closes label matrices with the columns of y: dense ones, or CSR arrays if y is one."""
    parent_lists = read_parents(parents, y.shape[1])
    roots = [] if root else find_roots(parent_lists)
    labels = [j for j in range(y.shape[1]) if j not in roots]
    pairs = child_parent_pairs(parent_lists)
    if is_sparse(y):
        ancestors = _ancestor_matrix(pairs, y.shape[1])[:, labels]
        return lambda y: (y @ ancestors).sorted_indices()
    return partial(_close_dense, pairs=pairs, labels=labels if roots else slice(None))


def _close_dense(y: LabelArray, pairs: list[tuple[int, int]], labels: Any) -> Any:
    """Dense rows with all ancestors of their labels, as bool; only these columns.

    Pairs are (child, parent), the deepest children first, so that labels pass on what they
    received.
    """
    has_label = np.empty(y.shape[::-1], dtype=bool)  # transposed: each label is contiguous
    np.not_equal(y.T, 0, out=has_label)
    for child, parent in pairs:
        has_label[parent] |= has_label[child]
    return has_label[labels].T


def _ancestor_matrix(pairs: list[tuple[int, int]], n_labels: int) -> Any:
    """CSR array of bool, shape (n_labels, n_labels): in the row of a label, itself and its ancestors."""
    from scipy.sparse import csr_array, eye_array

    child, parent = np.array(pairs, dtype=int).reshape(-1, 2).T
    is_parent = csr_array((np.ones(len(pairs), bool), (child, parent)), shape=(n_labels, n_labels))
    within_reach = is_parent + eye_array(n_labels, dtype=bool, format="csr")
    # Squaring doubles the number of steps up, until no ancestor is left to add. A sum of bools is a
    # bool.
    while (squared := within_reach @ within_reach).nnz > within_reach.nnz:
        within_reach = squared
    return within_reach


def _ratio(
    formula: Any, args: Any, parents: Any, average: Average, *, root: bool, zero_division: Any
) -> float:
    """A formula of the counts of closed label sets, of all samples together or in the mean over samples.

    ``args`` are y_true, y_pred and sample_weight. Rows are closed in blocks, to save memory.
    """
    check_average(average)
    check_options(root=root, zero_division=zero_division)
    data = read_label_sets(*args)
    parents = align_to_labels(parents, "parents", y_true=args[0], y_pred=args[1])
    close = _closing_function(parents, data.truth, root)
    row_blocks = data.row_blocks() if data.is_sparse else blocks.large_row_blocks(data.truth)
    samples = (data.select_samples(rows) for rows in row_blocks)
    per_block = [counts.count(_closed_data(block, close), axis=1) for block in samples]
    per_sample = Counts(*map(np.concatenate, zip(*per_block, strict=True)))
    if average == "samples":
        return counts.nanmean(counts.ratio(formula, per_sample, zero_division), data.weight)
    weight = 1 if data.weight is None else data.weight
    total = Counts(*((weight * outcome).sum() for outcome in per_sample))
    return float(counts.ratio(formula, total, zero_division))


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
    args = y_true, y_pred, sample_weight
    return _ratio(counts.precision, args, parents, average, root=root, zero_division=zero_division)


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
    args = y_true, y_pred, sample_weight
    return _ratio(counts.recall, args, parents, average, root=root, zero_division=zero_division)


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
    args = y_true, y_pred, sample_weight
    return _ratio(counts.f1, args, parents, average, root=root, zero_division=zero_division)
