"""Real data: emoji as small pictures, each with the keywords by which people search for it.

The keywords are those of Unicode's CLDR, the pictures are drawn with Noto Color Emoji. As in most real
data, some samples have no label, a few labels are frequent and most are rare, and some mean nearly the
same. `python -m tools.emoji` made the data, and `python -m tools.emoji_scores` the scores of three
models; ``records/emoji.txt`` has sources, versions and licences.
"""

import csv
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_course import records
from mlm_helpers import label_based, thresholds
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs import FloatArray
from mlm_helpers.data import folds

REPEATS = 5
FOLDS = 3
BASELINES = "frequent", "nothing"
MICRO_F1 = partial(label_based.f1, average="micro")
_thousandths = cache(partial(records.load, "emoji_scores"))  # by model, of every repeat


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
    words = {key: tuple(map(str, record[key])) for key in ("labels", "characters", "names")}
    y = np.unpackbits(record["y"], axis=1, count=len(words["labels"])).astype(np.int64)
    return Emoji(record["pictures"], y, **words)


def scores(repeat: int = 0) -> dict[str, FloatArray]:
    """Scores of three models and two baselines, each picture's from models that never saw it.

    Of three folds (`data.folds`), a model learns two and scores the third. The models are "neighbours"
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
    repeat = inputs.read_int(repeat, "repeat", 0, REPEATS - 1)
    found = {model: stored[repeat] / 1000 for model, stored in _thousandths().items()}
    y = load().y
    fold = folds(y, FOLDS, seed=repeat)
    frequencies = np.array([y[fold != i].mean(axis=0) for i in range(FOLDS)]).round(3)
    return found | {"frequent": frequencies[fold], "nothing": 0.0 * y}


class Split(NamedTuple):
    """Truth, scores and predicted labels of one half of the pictures."""

    y_true: NDArray[np.int64]
    y_score: dict[str, FloatArray]
    y_pred: dict[str, NDArray[np.int64]]


def split(repeat: int = 0, tuned_for: Callable[..., Any] = MICRO_F1) -> Split:
    """Predictions for one half of the pictures, at thresholds tuned on the other half.

    Each model has one threshold, the best for a metric on the other half. The baselines need none: "frequent"
    predicts the label with the highest score, "nothing" no label.

    Parameters
    ----------
    repeat : int, from 0 to 4
        Which of five divisions, of the pictures into halves as of the scores' folds.
    tuned_for : metric function that reads label sets

    Returns
    -------
    Split
        Named tuple (y_true, y_score, y_pred); the last two by model.

    Examples
    --------
    >>> y_true, y_score, y_pred = split()
    >>> {model: int(predicted.sum()) for model, predicted in y_pred.items()}
    {'neighbours': 632, 'trees': 1034, 'linear': 1631, 'frequent': 786, 'nothing': 0}
    """
    y, found = load().y, scores(repeat)
    tunes = folds(y, 2, seed=repeat + 1) == 0
    y_score = {model: score[~tunes] for model, score in found.items()}
    y_pred = {
        model: thresholds.at(y_score[model], thresholds.tune(tuned_for, y[tunes], score[tunes]))
        for model, score in found.items()
        if model not in BASELINES
    }
    y_pred["frequent"] = thresholds.top(y_score["frequent"], 1)
    y_pred["nothing"] = np.zeros_like(y[~tunes])
    return Split(y[~tunes], y_score, y_pred)


def save(folder: Path) -> None:
    """Write files as people have them, of the pictures that have one of the twelve most frequent labels.

    ``truth.csv`` has the tags of each picture. ``predicted.csv`` has the tags that a model gives it, the trees
    with scores of 0.2 or more, with the slips of a language model: every tenth picture's tags begin with
    a capital letter, and every fifteenth picture is an "emoji" too. ``scores.csv`` has the scores of the
    trees, a column per label, and ``partial.csv`` the truth as 0 and 1, with −1 for unknown in a fifth of
    the cells.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     save(Path(name))
    ...     print((Path(name) / "predicted.csv").read_text("utf-8")[:37])
    picture,tags
    grinning face,Face;emoji
    """
    data, trees = load(), scores()["trees"]
    labels = data.labels[:12]
    chosen = np.flatnonzero(data.y[:, :12].any(axis=1))
    y, score = data.y[chosen, :12], trees[chosen, :12]
    tags = [[labels[j] for j in np.flatnonzero(row)] for row in y]
    predicted = [[labels[j] for j in np.flatnonzero(row)] for row in score >= 0.2]
    predicted[::10] = [[tag.capitalize() for tag in row] for row in predicted[::10]]
    predicted[::15] = [[*row, "emoji"] for row in predicted[::15]]
    unknown = np.random.default_rng(0).random(y.shape) < 0.2
    for name, columns, rows in (
        ("truth", ["tags"], ([";".join(row)] for row in tags)),
        ("predicted", ["tags"], ([";".join(row)] for row in predicted)),
        ("scores", labels, score),
        ("partial", labels, np.where(unknown, -1, y)),
    ):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            named = ([data.names[i], *row] for i, row in zip(chosen, rows, strict=True))
            csv.writer(file, lineterminator="\n").writerows([["picture", *columns], *named])
