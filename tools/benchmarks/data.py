"""Random multi-label data, the same on every run."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.benchmarks.comparisons import Arrays

TRUE_POSITIVE_RATE = 0.7  # the share of true labels that are predicted


class Data(NamedTuple):
    """Truth and prediction, dense or CSR; dense data also have scores, higher at true labels."""

    truth: Any
    prediction: Any
    score: Any = None

    def new_arrays(self, reads: str) -> Arrays:
        """Copies of truth and what a metric `reads`: int64, or float64 for scores."""
        is_score = reads == "y_score"
        prediction = self.score.copy() if is_score else self.prediction.astype(np.int64)
        return self.truth.astype(np.int64), prediction


def dense(samples: int, labels: int, density: float, decimals: int | None = None) -> Data:
    """Dense data with about as many false alarms as misses, and scores often tied."""
    rng = np.random.default_rng(0)
    shape = (samples, labels)
    truth = rng.random(shape) < density
    false_positive_rate = (1 - TRUE_POSITIVE_RATE) * density / (1 - density)
    prediction = rng.random(shape) < np.where(truth, TRUE_POSITIVE_RATE, false_positive_rate)
    score = rng.random(shape)
    score += 0.5 * truth
    score /= 1.5  # between 0 and 1: torchmetrics leaves such scores as they are
    return Data(truth, prediction, score if decimals is None else score.round(decimals))


def sparse(samples: int, labels: int, per_sample: int) -> Data:
    """Sparse data with `per_sample` labels in a sample, one from each of as many label ranges."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(0)
    width = labels // per_sample
    shape = (samples, per_sample)
    truth = rng.integers(width, size=shape)
    prediction = np.where(
        rng.random(shape) < TRUE_POSITIVE_RATE, truth, rng.integers(width, size=shape)
    )

    def csr(offsets: NDArray[np.int64]) -> Any:  # offsets within each label's range
        columns = (offsets + width * np.arange(per_sample)).ravel()
        ends = per_sample * np.arange(samples + 1)
        ones = np.ones(columns.size, dtype=np.int64)
        return csr_array((ones, columns, ends), shape=(samples, labels))

    return Data(csr(truth), csr(prediction))
