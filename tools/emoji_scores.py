"""Create the scores that three models give the emoji.

python -m tools.emoji_scores

Each picture is scored by models that learned the other two of three folds, for each of five
divisions. The scores are stored in thousandths, in notebooks/mlm_course/records/emoji_scores.npz.
"""

from collections.abc import Callable
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
from tools import RECORDS

OUT = RECORDS / "emoji_scores.npz"
MODELS: dict[str, Callable[[], Any]] = {
    "neighbours": lambda: KNeighborsClassifier(3),
    "trees": lambda: ExtraTreesClassifier(100, random_state=0, n_jobs=-1),
    "linear": lambda: make_pipeline(
        PCA(80, whiten=True, svd_solver="full"),
        OneVsRestClassifier(LogisticRegression(class_weight="balanced", solver="newton-cholesky")),
    ),
}


def probabilities(model: Any, pixels: NDArray[Any]) -> NDArray[np.float64]:
    """Matrix (n_samples, n_labels); some models return it, others a matrix per label, in a list."""
    result = model.predict_proba(pixels)
    return np.column_stack([p[:, 1] for p in result]) if isinstance(result, list) else result


def cross_validated_scores(
    new_model: Callable[[], Any], data: emoji.Emoji, fold: NDArray[np.int64]
) -> NDArray[np.uint16]:
    """Scores in thousandths, those of each fold from a model that learned the other folds."""
    pixels = data.pictures.reshape(len(data.y), -1) / 255
    scores = np.zeros(data.y.shape, dtype=np.uint16)
    for i in range(emoji.FOLDS):
        model = new_model().fit(pixels[fold != i], data.y[fold != i])
        scores[fold == i] = np.round(1000 * probabilities(model, pixels[fold == i]))
    return scores


def main() -> None:
    data = emoji.load()
    scores: dict[str, list[NDArray[np.uint16]]] = {name: [] for name in MODELS}
    with tqdm(total=emoji.REPEATS * len(MODELS), unit="model") as bar:
        for repeat in range(emoji.REPEATS):
            fold = folds(data.y, emoji.FOLDS, seed=repeat)
            for name, new_model in MODELS.items():
                bar.set_description(name)
                scores[name].append(cross_validated_scores(new_model, data, fold))
                bar.update()
    arrays: Any = {name: np.stack(repeats) for name, repeats in scores.items()}
    np.savez_compressed(OUT, **arrays)


if __name__ == "__main__":
    main()
