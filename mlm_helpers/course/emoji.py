"""Real data: emoji as small pictures, each with the keywords by which people search for it.

The keywords are those of Unicode's CLDR, the pictures are drawn with Noto Color Emoji. As in most real
data, some samples have no label, a few labels are frequent and most are rare, and some mean nearly the
same. `python -m tools.emoji` made the data, and `python -m tools.emoji_scores` the scores of three
models; ``records/emoji.txt`` has sources, versions and licences.
"""

import random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import inputs, records
from mlm_helpers.inputs import FloatArray

REPEATS = 5
FOLDS = 3


class Emoji(NamedTuple):
    """Pictures of emoji and the labels of each."""

    pictures: NDArray[np.uint8]
    y: NDArray[np.int64]
    labels: tuple[str, ...]
    characters: tuple[str, ...]
    names: tuple[str, ...]


def load() -> Emoji:
    """Read the emoji, their keywords and their names.

    Returns
    -------
    Emoji
        Named tuple (pictures, y, labels, characters, names): red, green and blue of 16 × 16 pixels,
        uint8 of shape (n_samples, 16, 16, 3); a matrix of 0 and 1 of shape (n_samples, n_labels);
        the keywords, the most frequent first; each emoji as text; and its name in words.

    Examples
    --------
    >>> data = load()
    >>> first = dict(zip(data.labels, data.y[0]))
    >>> data.names[0], [label for label, has in first.items() if has]
    ('grinning face', ['face', 'smile', 'smiling', 'happy'])
    """
    record = records.load("emoji")
    labels, characters, names = (
        tuple(map(str, record[key])) for key in ("labels", "characters", "names")
    )
    y = np.unpackbits(record["y"], axis=1, count=len(labels)).astype(np.int64)
    return Emoji(record["pictures"], y, labels, characters, names)


def folds(y_true: Any, n_folds: int, *, seed: int = 0) -> NDArray[np.int64]:
    """Deal samples out to folds, so that each label's positives are spread evenly over them.

    Iterative stratification: the rarest label first, since later nothing could mend it. Each of its
    samples goes to the fold with the fewest positives of that label; of several, to the one with the
    fewest samples; of several, to one that is drawn. Samples without labels fill up at the end.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    n_folds : int, from 2 to the number of samples
    seed : int
        Of the order of the samples and of the draws; the same seed gives the same folds, everywhere.

    Returns
    -------
    array of int, shape (n_samples,)
        The fold of each sample, from 0.

    Raises
    ------
    TypeError, ValueError
        If the matrix holds anything but 0 and 1, or a number is not a whole one in its bounds.

    References
    ----------
    Sechidis et al., "On the stratification of multi-label data", 2011, for folds of equal size.

    Examples
    --------
    >>> folds([[1, 0], [1, 1], [0, 1], [1, 0], [0, 0], [0, 0]], 2)
    array([0, 0, 1, 1, 0, 1])
    """
    y = inputs.dense(inputs.labels(y_true, "y_true"))
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
    left = y.sum(axis=0, dtype=int)
    while left.any():
        rarest = int(np.argmin(np.where(left > 0, left, len(y) + 1)))
        for sample in order[(y[order, rarest] > 0) & (fold[order] < 0)]:
            deal(sample, positives[:, rarest])
            left = left - y[sample]
    for sample in order[fold[order] < 0]:
        deal(sample, sizes)
    return fold


def scores(repeat: int = 0) -> dict[str, FloatArray]:
    """Scores of three models and two fools, each picture's from models that never saw it.

    Of three folds (`folds`), a model learns two and scores the third. The models are "neighbours"
    (the share of the 3 nearest pictures that have the label), "trees" (100 extremely randomised
    trees) and "linear" (logistic regression on 80 principal components, in which a label's few
    positives weigh as much as all its negatives). "frequent" gives every picture the labels'
    frequencies among those learned, "nothing" gives 0.

    Parameters
    ----------
    repeat : int, from 0 to 4
        Which of five divisions into folds: it is the seed.

    Returns
    -------
    dict of array of shape (n_samples, n_labels)
        By model, from 0 to 1, in thousandths.

    Raises
    ------
    ValueError
        If there is no such repeat.

    Examples
    --------
    >>> {model: score.shape for model, score in scores().items()}["trees"] == load().y.shape
    True
    """
    repeat = inputs.whole(repeat, "repeat", 0, REPEATS - 1)
    stored = records.load("emoji_scores")
    found = {model: thousandths[repeat] / 1000 for model, thousandths in stored.items()}
    y = load().y
    return found | {"frequent": _frequencies(y, folds(y, FOLDS, seed=repeat)), "nothing": 0.0 * y}


def _frequencies(y: NDArray[np.int64], fold: NDArray[np.int64]) -> FloatArray:
    """Each label's share of the samples of the other folds, in thousandths."""
    shares = np.array([y[fold != i].mean(axis=0) for i in range(FOLDS)])
    return np.round(shares, 3)[fold]
