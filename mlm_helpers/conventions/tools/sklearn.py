"""scikit-learn: what the catalogue's records say that it has."""

import functools
import math
from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.conventions.quantities import Matrix, of_record
from mlm_helpers.conventions.tool import Departure, Options, Tool, Translation
from mlm_helpers.conventions.tools.tables import SHARED


def _refuses_nan(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return "raises InvalidParameterError" if math.isnan(ours.keywords["zero_division"]) else None


def _nan_of_one(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    counted = truth.any(axis=0) | (ours.keywords["average"] == "macro")
    missing = np.isnan(functools.partial(ours, average=None)(truth, other))
    return math.nan if (missing & counted).any() and not missing.all() else None


def _zero_of_none(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    return 0.0 if truth.shape[1] > 1 and not truth.any() else None


_REFUSES_NAN = Departure(
    "jaccard_score refuses zero_division=nan", [[1]], [[1]], "InvalidParameterError", _refuses_nan
)
_NAN_OF_ONE = Departure(
    "its macro average is nan as soon as a label has no AUROC of its own, its weighted one as soon as"
    " such a label has positives",
    [[1, 0], [0, 0]], [[0.9, 0.2], [0.8, 0.1]], "nan", _nan_of_one,
)  # fmt: skip
_ZERO_OF_NONE = Departure(
    "weighted, it is 0 where no label has positives", [[0, 0]], [[0.9, 0.2]], "0", _zero_of_none
)
_DEPARTURES: dict[tuple[str, str | None], tuple[Departure, ...]] = {
    **{("jaccard_score", average): (_REFUSES_NAN,) for average in inputs.AVERAGES},
    ("roc_auc_score", "macro"): (_NAN_OF_ONE,),
    ("roc_auc_score", "weighted"): (_ZERO_OF_NONE, _NAN_OF_ONE),
    ("ndcg_score", None): (replace(SHARED["unstable"], under=("ignore_ties=True",)),),
}
_SETTINGS: dict[str, dict[str, Options]] = {
    "ndcg_score": {"ignore_ties=True": {"ties": "last"}},
    "label_ranking_average_precision_score": {
        "average_precision_score(average='samples')": {"undefined": 0.0}
    },
}
_NOTHING: dict[str, Options] = {
    "zero_division=1": {"zero_division": 1.0},
    "zero_division=nan": {"zero_division": math.nan},
}
_TRAPEZOID = Departure(
    "auc(precision_recall_curve) joins the points of the curve by straight lines, which no rule of"
    " ours does",
    [[1], [0]], [[0.5], [0.5]], "0.75, where every average precision is 0.5 or 1",
)  # fmt: skip
_ONE_RATE = Departure(
    "balanced_accuracy_score takes one column; where recall or specificity is 0/0, it warns and is the other",
    [[0], [0]], [[0], [1]], "0.5, where balanced accuracy is 0/0",
)  # fmt: skip


_ONE_ERROR = Translation("1 - ndcg_score(k=1)", {"ties": "average", "undefined": 1.0})


@functools.cache
def _translations(record: catalogue.Metric) -> dict[str, Translation]:
    """A metric under each average that scikit-learn has; its answers are our defaults."""
    table, name = {}, record.sklearn.partition("(")[0]
    for one in of_record(record) if name else ():
        average = one.function.keywords.get("average")
        if call := record.sklearn_call(average):
            table[one.general] = Translation(
                call,
                {option: record.defaults[option] for option in one.choices},
                _DEPARTURES.get((name, average), ()),
                _SETTINGS.get(name, _NOTHING if "zero_division" in one.choices else {}),
            )
    return table


class _OfCatalogue(Mapping[str, Translation]):
    """What it has by the records of the moment; one-error under another name."""

    def _all(self) -> Mapping[str, Translation]:
        return ChainMap({"one-error": _ONE_ERROR}, *map(_translations, catalogue.METRICS))

    def __getitem__(self, general: str) -> Translation:
        return self._all()[general]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


_EVERY = (*_NOTHING, *(setting for settings in _SETTINGS.values() for setting in settings))
TOOL = Tool("scikit-learn", "1.9.1", "run", _OfCatalogue(), _EVERY, (_TRAPEZOID, _ONE_RATE))
