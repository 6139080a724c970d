"""The loss of a cell: what the probability of a label costs, where the label is there and where it is not.

A loss takes blocks of truth and probabilities, works in place, since a metric should cost few reads of
its input, and returns an array of floats of their shape.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mlm_helpers._core.counts import Parts
from mlm_helpers._core.inputs import Data, FloatArray


def binary_cross_entropy(true: Any, probability: Any, clip: float | None) -> FloatArray:
    """−ln of the probability of what is true, which is p or 1 − p: the loss of the log loss."""
    kind = probability.dtype if probability.dtype.kind == "f" else float
    least = float(np.finfo(kind).eps) if clip is None else clip
    loss: FloatArray = true.astype(float)
    loss -= 1
    loss += probability
    np.clip(np.abs(loss, out=loss), least, 1 - least, out=loss)
    np.log(loss, out=loss)
    loss *= -1
    return loss


def squared_error(true: Any, probability: Any) -> FloatArray:
    """(p − y)²: the loss of the Brier score."""
    loss: FloatArray = true.astype(float)
    loss -= probability
    loss *= loss
    return loss


def mean_per_sample(loss: Callable[..., FloatArray], data: Data) -> Parts:
    """The mean loss of each sample's known cells, as part and whole."""
    each = [cell_losses(loss, data, rows).sum(axis=1) for rows in data.row_blocks()]
    return np.concatenate(each), np.full(data.shape[0], data.n_known)


def cell_losses(loss: Callable[..., FloatArray], data: Data, rows: slice) -> FloatArray:
    """The losses of some rows' cells; that of an unknown cell is 0."""
    losses = loss(data.truth[rows], data.prediction[rows])
    return losses if data.known is None else np.multiply(losses, data.known[rows], out=losses)
