"""Metrics of labels in a hierarchy: a sample that has a label has all labels above it.

Both label sets are closed, which adds all ancestors of their labels, and then counted as usual. So a
wrong label that shares an ancestor with the truth is partly right. Each ancestor needs a column. Where
the truth is partly unknown, what remains unknown in its closure is left out.

A root above all labels is a label like any other, unless ``root`` is False. Every other metric of label
sets, and a scorecard, becomes hierarchical if you pass the closed matrices.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core import blocks, counts, inputs
from mlm_helpers._core.counts import Counts, Parts
from mlm_helpers._core.documented import documented
from mlm_helpers._core.inputs import Data, LabelMatrix, ZeroDivision

AVERAGES = ("micro", "samples")
Average: TypeAlias = Literal["micro", "samples"]
check_average = partial(inputs.check_choice, allowed=AVERAGES, name="average")


def closure(y: Any, parents: Any) -> Any:
    """Label sets with all ancestors of their labels.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
    parents : list of n_labels lists, or dict
        For each label its parents, ``[]`` for a label at the top: indices or, where y is a DataFrame, names
        of columns. In a dict by name, labels at the top may be missing. A Series has the columns as index.

    Returns
    -------
    matrix of 0 and 1, shape (n_samples, n_labels)
        Of the dtype of y; a DataFrame, a SciPy sparse matrix or a masked array where y is one, else an
        array. A label of a masked y is known if all ways to fill in the unknown labels give it one value.

    Raises
    ------
    TypeError, ValueError
        For bad input, such as a parent that is not a label, or a circle of parents.

    References
    ----------
    Kiritchenko et al., "Learning and evaluation in the presence of class hierarchies: application to
    text categorization", 2006.

    Examples
    --------
    >>> animal_cat_dog = [[], [0], [0]]
    >>> closure([[0, 1, 0], [0, 0, 0]], animal_cat_dog)
    array([[1, 1, 0],
           [0, 0, 0]])
    """
    read, known = inputs.read_truth(y, "y")
    close = _closing(inputs.align_to_labels(parents, "parents", y=y), read)
    if inputs.is_sparse(read):
        return type(y)(close(read), dtype=y.dtype)
    closed = np.empty_like(read, order="C")
    for rows in blocks.large_row_blocks(read):
        closed[rows] = close(read[rows])
    if known is not None:
        return inputs.with_names_of(y, np.ma.MaskedArray(closed, ~_known(close, read, known)))
    return inputs.as_frame_like(closed, y)


def closed_data(data: Data, parents: Any, root: bool = True) -> Data:
    """Truth and prediction with all ancestors of their labels, the root among them or not."""
    return _closed(data, _closing(parents, data.truth, root))


def _closed(data: Data, close: Callable[[LabelMatrix], Any]) -> Data:
    known = None if data.known is None else _known(close, data.truth, data.known)
    return Data(close(data.truth), close(data.prediction), data.weight, known)


def _known(close: Callable[[LabelMatrix], Any], y: LabelMatrix, known: NDArray[np.bool_]) -> Any:
    """Where the closure is the same whether the unknown labels are all absent or all present."""
    return close(y) == close((y != 0) | ~known)


def _closing(parents: Any, y: LabelMatrix, root: bool = True) -> Callable[[LabelMatrix], Any]:
    """A function that adds all ancestors to rows of this matrix, dense or CSR, and returns truth values."""
    above = inputs.read_parents(parents, y.shape[1])
    roots = [] if root else inputs.find_roots(above)
    upwards, counted = (
        inputs.child_parent_pairs(above),
        [j for j in range(len(above)) if j not in roots],
    )
    if inputs.is_sparse(y):
        return _closing_stored(upwards, y.shape[1], counted)

    def close(y: LabelMatrix) -> LabelMatrix:
        labels = np.empty(y.shape[::-1], dtype=bool)  # each label in one piece
        np.not_equal(y.T, 0, out=labels)
        for child, parent in upwards:
            labels[parent] |= labels[child]
        return labels[counted].T if roots else labels.T

    return close


def _closing_stored(upwards: Any, n_labels: int, counted: Any) -> Callable[[LabelMatrix], Any]:
    """One product with the matrix of a label's ancestors, of truth values, which add up to 1 at most."""
    from scipy.sparse import csr_array, eye_array

    children, above = np.array(upwards, dtype=int).reshape(-1, 2).T
    links = csr_array((np.ones(len(above), bool), (children, above)), shape=(n_labels, n_labels))
    reached = links + eye_array(n_labels, dtype=bool, format="csr")
    while (further := reached @ reached).nnz > reached.nnz:
        reached = further
    reached = reached[:, counted]
    return lambda y: (y @ reached).sorted_indices()


def _value(
    parts: Callable[..., Parts], given: Any, parents: Any, average: Average, **options: Any
) -> float:
    """The metric's value: rows are closed and counted in blocks, then divided, or first added up."""
    check_average(average)
    inputs.check_options(**options)
    data, zero_division = inputs.read_label_sets(*given), options["zero_division"]
    above = inputs.align_to_labels(parents, "parents", y_true=given[0], y_pred=given[1])
    close = _closing(above, data.truth, options["root"])
    few = data.row_blocks() if data.is_sparse else blocks.large_row_blocks(data.truth)
    counted = [counts.count(_closed(data.select_samples(rows), close), axis=1) for rows in few]
    each = Counts(*map(np.concatenate, zip(*counted, strict=True)))
    if average == "samples":
        return counts.nanmean(counts.ratio(parts, each, zero_division), data.weight)
    weight = 1 if data.weight is None else data.weight
    total = Counts(*((weight * column).sum() for column in each))
    return float(counts.ratio(parts, total, zero_division))


@documented
def precision(
    y_true: Any,
    y_pred: Any,
    parents: Any,
    *,
    average: Average = "micro",
    root: bool = True,
    zero_division: ZeroDivision = 0.0,
    sample_weight: Any = None,
) -> float:
    r"""Of the predicted labels and their ancestors, the share that is right: hP.

    .. math:: \frac{\sum_i |\hat Y_i \cap \hat Z_i|}{\sum_i |\hat Z_i|}

    where the hat adds all ancestors. Range 0 to 1, higher is better. 0/0 where nothing is predicted.

    References
    ----------
    Kiritchenko et al., 2006, see `closure`; there ``root`` is False.

    Examples
    --------
    >>> animal_cat_dog = [[], [0], [0]]
    >>> precision([[1, 1, 0]], [[0, 0, 1]], animal_cat_dog)
    0.5
    """
    given, options = (y_true, y_pred, sample_weight), {"root": root, "zero_division": zero_division}
    return _value(counts.precision, given, parents, average, **options)


@documented
def recall(
    y_true: Any,
    y_pred: Any,
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
    given, options = (y_true, y_pred, sample_weight), {"root": root, "zero_division": zero_division}
    return _value(counts.recall, given, parents, average, **options)


@documented
def f1(
    y_true: Any,
    y_pred: Any,
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
    given, options = (y_true, y_pred, sample_weight), {"root": root, "zero_division": zero_division}
    return _value(counts.f1, given, parents, average, **options)
