"""Real data: emoji as small pictures, each with the keywords by which people search for it.

The keywords are those of Unicode's CLDR; the pictures are drawn with Noto Color Emoji. As in most
real data, some samples have no label, a few labels are frequent and most are rare, and some labels
mean nearly the same. `python -m tools.emoji` made the data, and `python -m tools.emoji_scores` the
scores of three models; ``records/emoji.txt`` has sources, versions and licences.
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
from mlm_helpers._core.inputs.data import FloatArray
from mlm_helpers._core.inputs.options import read_int
from mlm_helpers.data import folds

REPEATS = 5
FOLDS = 3
BASELINES = "frequent", "nothing"
MICRO_F1 = partial(label_based.f1, average="micro")
_thousandths = cache(partial(records.load, "emoji_scores"))  # by model, shape (repeats, *y.shape)


class Emoji(NamedTuple):
    """Small pictures of emoji with their keywords as labels."""

    pictures: NDArray[np.uint8]  # red, green and blue of 16 × 16 pixels, (n_samples, 16, 16, 3)
    y: NDArray[np.int64]  # 0 and 1, shape (n_samples, n_labels)
    labels: tuple[str, ...]  # the keywords, the most frequent first
    characters: tuple[str, ...]  # each emoji as text
    names: tuple[str, ...]  # each emoji in words


def load() -> Emoji:
    """The emoji with their labels: a named tuple (pictures, y, labels, characters, names).

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
    """Scores by model, from 0 to 1 and of the shape of `Emoji.y`: three models and two baselines.

    A model learns two of three folds (`data.folds`) and scores the third. The models are
    "neighbours" (the share of the 3 nearest pictures that have the label), "trees" (100 extremely
    randomised trees) and "linear" (logistic regression on 80 principal components, in which a
    label's few positives weigh as much as all its negatives). "frequent" gives every picture the
    frequencies of the labels in the two folds, "nothing" gives 0. Scores are rounded to
    thousandths.

    Parameters
    ----------
    repeat : int, from 0 to 4
        Which of five divisions into folds; other numbers raise ValueError.

    Examples
    --------
    >>> {model: score.shape for model, score in scores().items()}["trees"] == load().y.shape
    True
    """
    repeat = read_int(repeat, "repeat", 0, REPEATS - 1)
    model_scores = {model: stored[repeat] / 1000 for model, stored in _thousandths().items()}
    y = load().y
    fold = folds(y, FOLDS, seed=repeat)
    frequencies = np.array([y[fold != i].mean(axis=0) for i in range(FOLDS)]).round(3)
    return model_scores | {"frequent": frequencies[fold], "nothing": 0.0 * y}


class Split(NamedTuple):
    """Truth, scores by model and predicted labels by model, on one half of the pictures."""

    y_true: NDArray[np.int64]
    y_score: dict[str, FloatArray]
    y_pred: dict[str, NDArray[np.int64]]


def split(repeat: int = 0, tuned_for: Callable[..., Any] = MICRO_F1) -> Split:
    """Truth, scores and predictions of one half of the pictures, with thresholds of the other half.

    Each model has one threshold, the best for a metric on the other half. The baselines need none:
    "frequent" predicts the label with the highest score, "nothing" no label.

    Parameters
    ----------
    repeat : int, from 0 to 4
        Which of five divisions into halves; the scores are those of the same repeat.
    tuned_for : metric function that reads label sets

    Examples
    --------
    >>> y_true, y_score, y_pred = split()
    >>> {model: int(predicted.sum()) for model, predicted in y_pred.items()}
    {'neighbours': 632, 'trees': 1034, 'linear': 1631, 'frequent': 786, 'nothing': 0}
    """
    y, all_scores = load().y, scores(repeat)
    tuning = folds(y, 2, seed=repeat + 1) == 0
    y_score = {model: score[~tuning] for model, score in all_scores.items()}
    y_pred = {
        model: thresholds.at(y_score[model], thresholds.tune(tuned_for, y[tuning], score[tuning]))
        for model, score in all_scores.items()
        if model not in BASELINES
    }
    y_pred["frequent"] = thresholds.top(y_score["frequent"], 1)
    y_pred["nothing"] = np.zeros_like(y[~tuning])
    return Split(y[~tuning], y_score, y_pred)


def save(folder: Path) -> None:
    """Write four CSV files, as users have them, of pictures of the 12 most frequent labels.

    ``truth.csv`` has the tags of each picture. ``predicted.csv`` has the labels to which the trees
    give 0.2 or more, with slips as a language model makes them: the tags of every tenth picture
    begin with a capital letter, and every fifteenth picture is an "emoji" too. ``scores.csv`` has
    the scores of the trees, a column per label. ``partial.csv`` has the truth as 0 and 1, with −1
    for unknown in a fifth of the cells.

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
    rows = np.flatnonzero(data.y[:, :12].any(axis=1))
    y, score = data.y[rows, :12], trees[rows, :12]
    true_tags, predicted_tags = (
        [[labels[j] for j in np.flatnonzero(row)] for row in matrix] for matrix in (y, score >= 0.2)
    )
    predicted_tags[::10] = [[tag.capitalize() for tag in tags] for tags in predicted_tags[::10]]
    predicted_tags[::15] = [[*tags, "emoji"] for tags in predicted_tags[::15]]
    is_unknown = np.random.default_rng(0).random(y.shape) < 0.2
    for name, columns, table in (
        ("truth", ["tags"], ([";".join(tags)] for tags in true_tags)),
        ("predicted", ["tags"], ([";".join(tags)] for tags in predicted_tags)),
        ("scores", labels, score),
        ("partial", labels, np.where(is_unknown, -1, y)),
    ):
        lines = ([data.names[i], *cells] for i, cells in zip(rows, table, strict=True))
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["picture", *columns], *lines])
