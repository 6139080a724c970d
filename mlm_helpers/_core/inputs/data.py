"""Checked input, the data that every formula reads; and names for what is accepted as input."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.blocks import row_blocks
from mlm_helpers._core.inputs.kinds import is_sparse

LabelMatrix: TypeAlias = Any
"""What a function accepts as a matrix of 0 and 1, shape (n_samples, n_labels): nested lists, an
array, a DataFrame or a SciPy sparse matrix."""
ScoreMatrix: TypeAlias = Any
"""What a function accepts as a matrix of scores or probabilities; the same containers."""
LabelArray: TypeAlias = NDArray[Any]
"""A checked `LabelMatrix`: zeros and ones of any dtype, shape (n_samples, n_labels); or a CSR array
that stores its ones, each once and in order, and no zeros."""
ScoreArray: TypeAlias = NDArray[Any]
"""A checked `ScoreMatrix`: finite numbers of any numeric dtype, shape (n_samples, n_labels)."""
FloatArray: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = FloatArray | None
"""Weights of samples; None if each weighs 1."""
Known: TypeAlias = NDArray[np.bool_] | None
"""Which cells were annotated; None if all were."""


@dataclass(frozen=True, eq=False, slots=True)
class Data:
    """The truth, the prediction that is compared with it, and the weights of their cells."""

    truth: LabelArray
    #: 0 and 1, scores or probabilities, in the shape of the truth; a CSR array if the truth is one.
    prediction: Any
    #: The weight of each sample, shape (n_samples,); None means 1. An array of shape (n_draws,
    #: n_samples) has the weights of several resamples, which are counted together.
    weight: Weights = None
    #: Which cells were annotated; None means all of them. In the other, unknown cells ``truth`` is
    #: 0, and their weight is 0. The cells of CSR arrays are all known.
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
        """The weight of each cell, shape (n_samples, n_labels); 0 for unknown cells.

        Only for data with one weight per sample, not with the weights of several resamples.
        """
        weight = np.ones(1) if self.weight is None else self.weight[:, None]
        known = self.known
        return np.broadcast_to(weight, self.shape) if known is None else weight * known

    @property
    def label_weights(self) -> FloatArray:
        """The sum of the weights of the known cells of each label, shape (n_labels,)."""
        return np.asarray(self.cell_weights.sum(axis=0))

    @property
    def y_true(self) -> Any:
        """The truth as an argument of a metric: a masked array if there are unknown cells."""
        return self.truth if self.known is None else np.ma.MaskedArray(self.truth, ~self.known)

    @property
    def n_known(self) -> Any:
        """The number of known labels of each sample; one number if all labels are known."""
        if self.known is None:
            return self.shape[1]
        # The sum of each row; for rows of few labels np.count_nonzero takes three times as long.
        return np.einsum("ij->i", self.known.view(np.uint8), dtype=np.intp)

    def weighted_by_known(self) -> "Data":
        """The same data, with each sample's weight multiplied by its number of known cells.

        If all cells are known, this number is the same for all samples, and the weights stay.
        """
        weight = 1.0 if self.weight is None else self.weight
        return self if self.known is None else self.with_weight(weight * self.n_known)

    def dense(self) -> "Data":
        """The same data as dense arrays; cells that a CSR array does not store become 0."""
        return replace(self, truth=dense(self.truth), prediction=dense(self.prediction))

    def select_samples(self, rows: Any) -> "Data":
        """The data of some rows, given as indices (repeated or not), a slice or a mask."""
        return self._select(rows, None if self.weight is None else self.weight[..., rows])

    def select_labels(self, columns: Any) -> "Data":
        """The data of some columns, given as indices, a slice or a mask."""
        return self._select((slice(None), columns), self.weight)

    def _select(self, cells: Any, weight: Weights) -> "Data":
        """The data of the cells at an index (rows, or all rows and columns), with these weights."""
        known = None if self.known is None else self.known[cells]
        return Data(self.truth[cells], self.prediction[cells], weight, known)

    def row_blocks(self) -> Iterator[slice]:
        """Slices over all rows, each of few enough cells for the cache of a processor."""
        return row_blocks(self.prediction)

    def with_weight(self, weight: Weights) -> "Data":
        """The same data with other sample weights."""
        return replace(self, weight=weight)


def as_score_dtype(thresholds: Any, score: ScoreArray) -> NDArray[np.floating[Any]]:
    """Thresholds in the dtype of the scores, or as floats if the scores are integers.

    A score of 0.7 in single precision, which is a little less than 0.7, then reaches the threshold
    0.7, as it does where NumPy compares the two.
    """
    return np.asarray(thresholds, dtype=score.dtype if score.dtype.kind == "f" else float)


def dense(matrix: Any) -> NDArray[Any]:
    """A matrix as a dense array; cells that a CSR array does not store become 0."""
    return matrix.toarray() if is_sparse(matrix) else matrix  # type: ignore[no-any-return]
