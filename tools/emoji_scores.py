"""Make the scores of three models of the emoji again.

python -m tools.emoji_scores

Each picture is scored by models that learned the other two of three folds, for each of five divisions.
The scores are stored in thousandths, in notebooks/mlm_course/records/emoji_scores.npz.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from tqdm import tqdm

from mlm_course import emoji
from mlm_helpers.data import folds

OUT = Path(__file__).parent.parent / "notebooks" / "mlm_course" / "records" / "emoji_scores.npz"
MODELS: dict[str, Callable[[], Any]] = {
    "neighbours": lambda: KNeighborsClassifier(3),
    "trees": lambda: ExtraTreesClassifier(100, random_state=0, n_jobs=-1),
    "linear": lambda: make_pipeline(
        PCA(80, whiten=True, svd_solver="full"),
        OneVsRestClassifier(LogisticRegression(class_weight="balanced", solver="newton-cholesky")),
    ),
}


def chances(model: Any, pictures: NDArray[Any]) -> NDArray[np.float64]:
    """Each label's probability, whether a model gives one matrix or a matrix for each label."""
    given = model.predict_proba(pictures)
    return np.column_stack([one[:, 1] for one in given]) if isinstance(given, list) else given


def crossed(
    make: Callable[[], Any], data: emoji.Emoji, fold: NDArray[np.int64]
) -> NDArray[np.uint16]:
    """Score each fold by a model of the others, in thousandths."""
    pixels = data.pictures.reshape(len(data.y), -1) / 255
    found = np.zeros(data.y.shape, dtype=np.uint16)
    for i in range(emoji.FOLDS):
        model = make().fit(pixels[fold != i], data.y[fold != i])
        found[fold == i] = np.round(1000 * chances(model, pixels[fold == i]))
    return found


def main() -> None:
    data = emoji.load()
    made: dict[str, list[NDArray[np.uint16]]] = {name: [] for name in MODELS}
    with tqdm(total=emoji.REPEATS * len(MODELS), unit="model") as bar:
        for repeat in range(emoji.REPEATS):
            fold = folds(data.y, emoji.FOLDS, seed=repeat)
            for name, make in MODELS.items():
                bar.set_description(name)
                made[name].append(crossed(make, data, fold))
                bar.update()
    stored: Any = {name: np.stack(parts) for name, parts in made.items()}
    np.savez_compressed(OUT, **stored)


if __name__ == "__main__":
    main()
