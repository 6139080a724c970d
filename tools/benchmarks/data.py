"""Random data with the look of a multi-label problem, the same on every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.benchmarks.contests import Arrays

KEPT = 0.7  # the share of the true labels that is predicted


@dataclass(frozen=True)
class Data:
    """Truth and prediction, as arrays or in CSR; scores that favour the true labels, where there are any."""

    truth: Any
    prediction: Any
    score: Any = None

    def fresh(self, reads: str) -> Arrays:
        """Make new ones: int64 truth, and int64 predictions or float64 scores."""
        other = self.score.copy() if reads == "y_score" else self.prediction.astype(np.int64)
        return self.truth.astype(np.int64), other


def dense(samples: int, labels: int, density: float, decimals: int | None = None) -> Data:
    """Draw dense data; false alarms are as many as misses. Scores of a few decimals are often tied."""
    rng = np.random.default_rng(0)
    shape = (samples, labels)
    truth = rng.random(shape) < density
    chance = rng.random(shape)
    false_alarms = (1 - KEPT) * density / (1 - density)
    prediction = np.where(truth, chance < KEPT, chance < false_alarms)
    score = rng.random(shape)
    score += 0.5 * truth
    score /= 1.5  # within 0 and 1, where torchmetrics takes scores as they are
    return Data(truth, prediction, score if decimals is None else score.round(decimals))


def sparse(samples: int, labels: int, per_sample: int) -> Data:
    """Draw sparse data with as many labels in each sample, one from each equal range of labels."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(0)
    width = labels // per_sample
    shape = (samples, per_sample)
    truth = rng.integers(width, size=shape)
    prediction = np.where(rng.random(shape) < KEPT, truth, rng.integers(width, size=shape))

    def csr(drawn: NDArray[np.int64]) -> Any:
        columns = (drawn + width * np.arange(per_sample)).ravel()
        ends = per_sample * np.arange(samples + 1)
        ones = np.ones(columns.size, dtype=np.int64)
        return csr_array((ones, columns, ends), shape=(samples, labels))

    return Data(csr(truth), csr(prediction))
