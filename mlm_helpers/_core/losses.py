"""Losses of cells: the penalty for a label's probability, given whether the sample has the label.

A loss takes the truth and the probabilities of a block of rows, and returns an array of floats of
their shape. Losses are computed in place, in one copy of the truth, because a metric should read
and write each cell only a few times.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mlm_helpers._core.counts import Ratio
from mlm_helpers._core.inputs.data import Data, FloatArray


def binary_cross_entropy(true: Any, probability: Any, clip: float | None) -> FloatArray:
    """−ln of the probability of the truth: p where y = 1, else 1 − p.

    Probabilities are clipped to [``clip``, 1 − ``clip``]; None takes the machine epsilon.
    """
    dtype = probability.dtype if probability.dtype.kind == "f" else float
    lowest = float(np.finfo(dtype).eps) if clip is None else clip
    loss: FloatArray = true.astype(float)
    loss -= 1
    loss += probability  # y − 1 + p is p where y = 1, and −(1 − p) where y = 0
    np.clip(np.abs(loss, out=loss), lowest, 1 - lowest, out=loss)
    np.log(loss, out=loss)
    loss *= -1
    return loss


def squared_error(true: Any, probability: Any) -> FloatArray:
    """Squared error (p − y)², the loss of the Brier score."""
    loss: FloatArray = true.astype(float)
    loss -= probability
    loss *= loss
    return loss


def mean_per_sample(loss: Callable[..., FloatArray], data: Data) -> Ratio:
    """Numerator and denominator of the mean loss of each sample's known cells.

    ``loss`` is one of the functions above, with its options bound.
    """
    sums = [cell_losses(loss, data, rows).sum(axis=1) for rows in data.row_blocks()]
    return np.concatenate(sums), np.full(data.shape[0], data.n_known)


def cell_losses(loss: Callable[..., FloatArray], data: Data, rows: slice) -> FloatArray:
    """The losses of the cells of some rows; 0 for an unknown cell."""
    losses = loss(data.truth[rows], data.prediction[rows])
    return losses if data.known is None else np.multiply(losses, data.known[rows], out=losses)
