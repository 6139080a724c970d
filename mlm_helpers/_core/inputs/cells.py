"""Checked input: one object that every formula reads."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.inputs.kinds import is_sparse

LabelMatrix: TypeAlias = NDArray[Any]
"""Zeros and ones of any kind of number, shape (n_samples, n_labels); or a CSR array that stores only
ones, each once and in order."""
ScoreMatrix: TypeAlias = NDArray[Any]
"""Finite numbers of any kind that compares as a number does, shape (n_samples, n_labels)."""
FloatArray: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = FloatArray | None
Known: TypeAlias = NDArray[np.bool_] | None


@dataclass(frozen=True, eq=False, slots=True)
class Data:
    """The truth, the matrix that is compared with it, and the weights of their cells.

    Attributes
    ----------
    truth : LabelMatrix
    prediction : LabelMatrix or ScoreMatrix
        Predicted labels or scores, of the truth's shape; CSR arrays both, or neither.
    weight : array of shape (n_samples,), or None
        The weight of every cell of a row; None is 1. Of shape (n_draws, n_samples) it is as many
        data sets, which are counted together.
    known : array of bool, shape (n_samples, n_labels), or None
        Where the truth was annotated; None is everywhere. Elsewhere ``truth`` holds 0, and the cell
        weighs nothing. CSR arrays are known everywhere.
    """

    truth: LabelMatrix
    prediction: Any
    weight: Weights = None
    known: Known = None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of samples and labels."""
        return self.truth.shape

    @property
    def is_sparse(self) -> bool:
        """Whether the matrices are CSR arrays."""
        return is_sparse(self.prediction)

    @property
    def cell_weights(self) -> FloatArray:
        """The weight of each cell, in the shape of the matrices."""
        weight = np.ones(1) if self.weight is None else self.weight[:, None]
        known = self.known
        return np.broadcast_to(weight, self.shape) if known is None else weight * known

    @property
    def label_weights(self) -> FloatArray:
        """The weight of all known cells of each label."""
        return np.asarray(self.cell_weights.sum(axis=0))

    @property
    def y_true(self) -> Any:
        """The truth as a metric takes it: masked where it is unknown."""
        return self.truth if self.known is None else np.ma.MaskedArray(self.truth, ~self.known)

    @property
    def n_known(self) -> Any:
        """How many labels of each sample are known: an array, or one number for all."""
        if self.known is None:
            return self.shape[1]
        return np.einsum("ij->i", self.known.view(np.uint8), dtype=np.intp)

    def weighted_by_known(self) -> "Data":
        """The same data, with each sample weighted by its number of known cells."""
        weight = 1.0 if self.weight is None else self.weight
        return self if self.known is None else self.with_weight(weight * self.n_known)

    def dense(self) -> "Data":
        """The same data as dense arrays; cells that are not stored are 0."""
        return replace(self, truth=dense(self.truth), prediction=dense(self.prediction))

    def select_samples(self, rows: Any) -> "Data":
        """Some of the samples, or some of them several times."""
        weight = None if self.weight is None else self.weight[..., rows]
        known = None if self.known is None else self.known[rows]
        return Data(self.truth[rows], self.prediction[rows], weight, known)

    def select_labels(self, columns: Any) -> "Data":
        """Some of the labels."""
        known = None if self.known is None else self.known[:, columns]
        return Data(self.truth[:, columns], self.prediction[:, columns], self.weight, known)

    def row_blocks(self) -> Iterator[slice]:
        """Rows, in runs of few enough cells to stay in a processor's cache."""
        return row_blocks(self.prediction)

    def with_weight(self, weight: Weights) -> "Data":
        """The same data with other weights of the samples."""
        return replace(self, weight=weight)


def as_score_dtype(thresholds: Any, score: ScoreMatrix) -> NDArray[np.floating[Any]]:
    """Thresholds in the precision of the scores, as NumPy reads ``score >= 0.7``: 0.7 itself reaches it."""
    return np.asarray(thresholds, dtype=score.dtype if score.dtype.kind == "f" else float)


def dense(matrix: Any) -> NDArray[Any]:
    """A matrix that was read, as an array; what is not stored is 0."""
    return matrix.toarray() if is_sparse(matrix) else matrix  # type: ignore[no-any-return]
