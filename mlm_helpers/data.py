"""Data to be evaluated: cells that nobody annotated, and folds, dealt out before anything is learned."""

import math
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import inputs


def unknown(y_true: Any, value: float | None = -1) -> Any:
    """The truth with the cells masked that nobody annotated, as every metric takes it for ``y_true``.

    Parameters
    ----------
    y_true : matrix of 0, 1 and the value, shape (n_samples, n_labels)
        Nested lists, a NumPy array or a pandas DataFrame. What is masked already stays so.
    value : -1, nan or None
        What stands where nobody annotated; nan and None are also each other and pandas' NA.

    Returns
    -------
    numpy.ma.MaskedArray of 0 and 1, shape (n_samples, n_labels)
        With the columns and the index of a DataFrame, which metrics compare with the prediction's.

    Raises
    ------
    TypeError, ValueError
        Another value than 0, 1 and ``value`` gets the sentence that a metric would raise.

    Examples
    --------
    >>> print(unknown([[1, 0, -1], [0, -1, 1]]))
    [[1 0 --]
     [0 -- 1]]

    Metrics leave the masked cells out: one of the four known ones is wrong.

    >>> from mlm_helpers import hamming
    >>> hamming.hamming_loss(unknown([[1, 0, -1], [0, -1, 1]]), [[1, 1, 1], [0, 0, 1]])
    0.25
    """
    is_missing = value is None or (inputs.is_number(value) and value != value)
    if not is_missing:
        inputs.one_of(value, (-1, math.nan, None), "value")

    def are_unknown(cells: Any) -> Any:
        return (cells is None or cells != cells) if is_missing else cells == -1

    def is_unknown(cell: Any) -> bool:
        try:
            return bool(are_unknown(cell))
        except TypeError:  # pandas' NA, which is neither equal nor not
            return is_missing
        except ValueError:  # an array
            return False

    inputs.sparse(y_true, "y_true")
    cells = inputs.any_cells(y_true, "y_true")
    if cells.dtype == object:
        mask = np.frompyfunc(is_unknown, 1, 1)(cells).astype(bool)
    else:
        mask = np.asarray(are_unknown(cells))
    mask |= np.ma.getmask(y_true)
    truth, _ = inputs.truth(np.ma.MaskedArray(cells, mask))
    masked = np.ma.MaskedArray(truth.astype(np.int8), mask, fill_value=-1)
    for axis in ("columns", "index"):
        if (own := inputs.axis_names(y_true, axis)) is not None:
            setattr(masked, axis, own)
    return masked


def folds(y: Any, n_folds: int, *, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each sample, with each label's positives spread evenly over the folds.

    Iterative stratification: the rarest label first, since later nothing could mend it. Each of its
    samples goes to the fold with the fewest positives of that label; of several, to the one with the
    fewest samples; of several, to one that is drawn. Samples without labels fill up at the end. Bad
    input raises a TypeError or a ValueError.

    Parameters
    ----------
    y : matrix of 0 and 1, shape (n_samples, n_labels)
    n_folds : int, from 2 to the number of samples
    seed : int
        Of the order of the samples and of the draws; the same seed gives the same folds, everywhere.

    Returns
    -------
    array of int, shape (n_samples,)
        Numbers of folds, from 0.

    References
    ----------
    Sechidis et al., "On the stratification of multi-label data", 2011, for folds of equal size.

    Examples
    --------
    >>> folds([[1, 0], [1, 1], [0, 1], [1, 0], [0, 0], [0, 0]], 2)
    array([0, 0, 1, 1, 0, 1])
    """
    y = inputs.dense(inputs.labels(y, "y")).astype(int)
    rng = random.Random(inputs.whole(seed, "seed"))
    n_folds = inputs.whole(n_folds, "n_folds", 2, len(y))
    fold = np.full(len(y), -1)
    sizes, positives = np.zeros(n_folds, int), np.zeros((n_folds, y.shape[1]), int)

    def deal(sample: int, label_counts: NDArray[np.int64]) -> None:
        draws = np.array([rng.random() for _ in range(n_folds)])
        chosen = np.lexsort((draws, sizes, label_counts))[0]
        fold[sample] = chosen
        sizes[chosen] += 1
        positives[chosen] += y[sample]

    order = np.array(sorted(range(len(y)), key=lambda _: rng.random()))
    left = y.sum(axis=0)
    while left.any():
        rarest = int(np.argmin(np.where(left > 0, left, len(y) + 1)))
        for sample in order[(y[order, rarest] > 0) & (fold[order] < 0)]:
            deal(sample, positives[:, rarest])
            left = left - y[sample]
    for sample in order[fold[order] < 0]:
        deal(sample, sizes)
    return fold
