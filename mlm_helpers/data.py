"""Data to be evaluated: dealt out to folds before anything is learned."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import inputs


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
