"""scikit-learn: what the catalogue's records say that it has."""

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers.conventions.readings import Matrix, of_record
from mlm_helpers.conventions.tool import Departure, Options, Tool, Translation
from mlm_helpers.conventions.tools.shared import (
    ALL_AVERAGES,
    LEFT_OUT,
    ONE,
    UNSTABLE,
    departure,
    ranked,
)


@departure("jaccard_score refuses zero_division=nan", [[1]], [[1]], "InvalidParameterError")
def _refuses_nan(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return "raises InvalidParameterError" if math.isnan(ours.keywords["zero_division"]) else None


@departure(
    "its macro average is nan as soon as a label has no AUROC of its own, its weighted one as soon as"
    " such a label has positives",
    [[1, 0], [0, 0]], [[0.9, 0.2], [0.8, 0.1]], "nan",
)  # fmt: skip
def _nan_of_one(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    counted = truth.any(axis=0) | (ours.keywords["average"] == "macro")
    missing = np.isnan(functools.partial(ours, average=None)(truth, other))
    return math.nan if (missing & counted).any() and not missing.all() else None


@departure("weighted, it is 0 where no label has positives", [[0, 0]], [[0.9, 0.2]], "0")
def _zero_of_none(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    return 0.0 if truth.shape[1] > 1 and not truth.any() else None


_DEPARTURES: dict[tuple[str, str | None], tuple[Departure, ...]] = {
    **{("jaccard_score", average): (_refuses_nan,) for average in (*ALL_AVERAGES, None)},
    ("roc_auc_score", "macro"): (_nan_of_one,),
    ("roc_auc_score", "weighted"): (_zero_of_none, _nan_of_one),
    ("ndcg_score", None): (replace(UNSTABLE, under=("ignore_ties=True",)),),
}
_SETTINGS: dict[str, dict[str, Options]] = {
    "ndcg_score": {"ignore_ties=True": {"ties": "last"}},
    "label_ranking_average_precision_score": {
        "average_precision_score(average='samples')": {"undefined": 0.0}
    },
}
_TRAPEZOID = Departure(
    "auc(precision_recall_curve) joins the points of the curve by straight lines, which no rule of"
    " ours does",
    [[1], [0]], [[0.5], [0.5]], "0.75, where every average precision is 0.5 or 1",
)  # fmt: skip


@functools.lru_cache(maxsize=1)
def _translations(metrics: tuple[catalogue.Metric, ...]) -> dict[str, Translation]:
    """Its answers are our defaults; one-error it has under another name."""
    table = {"one-error": ranked("1 - ndcg_score(k=1)", "average", 1.0)}
    for record in (record for record in metrics if record.sklearn):
        for reading in of_record(record):
            average, name = (
                reading.function.keywords.get("average"),
                record.sklearn.partition("(")[0],
            )
            table[reading.general] = Translation(
                record.sklearn_name + (f"(average={average!r})" if average else ""),
                {option: record.defaults[option] for option in reading.choices},
                _DEPARTURES.get((name, average), ()),
                _SETTINGS.get(name, ONE | LEFT_OUT if "zero_division" in reading.choices else {}),
            )
    return table


class _OfCatalogue(Mapping[str, Translation]):
    """What it has by the records of the moment."""

    def __getitem__(self, general: str) -> Translation:
        return _translations(tuple(catalogue.METRICS))[general]

    def __iter__(self) -> Iterator[str]:
        return iter(_translations(tuple(catalogue.METRICS)))

    def __len__(self) -> int:
        return len(_translations(tuple(catalogue.METRICS)))


_EVERY = (
    ONE | LEFT_OUT | _SETTINGS["ndcg_score"] | _SETTINGS["label_ranking_average_precision_score"]
)
TOOL = Tool("scikit-learn", "1.9.1", "run", _OfCatalogue(), tuple(_EVERY), (_TRAPEZOID,))
