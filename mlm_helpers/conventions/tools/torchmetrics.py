"""torchmetrics, on PyTorch tensors."""

import math
from typing import Any

import numpy as np

from mlm_helpers.conventions.readings import LABEL_WISE, Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools import shared
from mlm_helpers.conventions.tools.shared import departure, ranked, translations


def _squashed(score: Matrix) -> Matrix:
    """Scores as it sees them; those outside 0 to 1 in the single precision of PyTorch's tensors."""
    if score.min() >= 0 and score.max() <= 1:
        return score
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-score.astype(np.float32)))


@departure(
    "scores outside 0 to 1 pass through a sigmoid in single precision, which is exactly 1 from"
    " about 17 on: large scores tie",
    [[0, 1]], [[20, 30]], "coverage 2",
)  # fmt: skip
def _saturated(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    squashed = _squashed(score)
    return None if squashed is score else float(ours(truth, squashed))


_NO_SUPPORT_0 = Departure(
    "where no sample has any label, the weighted mean is 0 whatever zero_division",
    [[0]], [[0]], "0 with zero_division=1", lambda ours, truth, other: None if truth.sum() else 0.0,
)  # fmt: skip
_NO_SUPPORT_NAN = Departure(
    "where no sample has any label, the weighted mean is nan",
    [[0]], [[0]], "nan", lambda ours, truth, other: None if truth.sum() else math.nan,
)  # fmt: skip
_BATCHES = Departure(
    "the number depends on how the data are cut into batches: a batch whose samples all lack a"
    " value counts as one sample",
    [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]], [[0.1, 0.9]] * 5,
    "0.2 in one update, 0.5 in two (the first sample, then the rest)",
)  # fmt: skip
_SEVENTEEN = Departure(
    "from 17 labels on, ties are broken by a sort that is not stable: no rule holds",
    [[1] + [0] * 16], [[0.5] * 17], "anything from 0 to 1",
    lambda ours, truth, score: shared.unstable_from(17)(ours, truth, _squashed(score)),
)  # fmt: skip
_SQUASHED = Departure(
    "as soon as one score of a batch lies outside 0 to 1, all its scores pass through a sigmoid"
    " before the threshold, so that every score above 0 is a yes",
    [[1, 0]], [[1.01, 0.1]], "Hamming distance 0.5; with 1.0 for 1.01 it is 0",
)  # fmt: skip

_RATIOS = {
    "samples precision": "binary_precision(multidim_average='samplewise')",
    "samples recall": "binary_recall(multidim_average='samplewise')",
    "samples F1": "binary_f1_score(multidim_average='samplewise')",
    "samples Fβ": "binary_fbeta_score(multidim_average='samplewise')",
    "{average} precision": "MultilabelPrecision(average='{average}')",
    "{average} recall": "MultilabelRecall(average='{average}')",
    "{average} F1": "MultilabelF1Score(average='{average}')",
    "{average} Fβ": "MultilabelFBetaScore(average='{average}')",
    "{average} Jaccard": "MultilabelJaccardIndex(average='{average}')",
}


def _cut_down(n_thresholds: int) -> Departure:
    """Of so many thresholds from 0 to 1, each score falls to the next lower one."""
    setting = f"thresholds={n_thresholds}"

    def number(ours: Any, truth: Matrix, score: Matrix) -> float:
        cuts = np.linspace(0, 1, n_thresholds, dtype=np.float32)
        return float(ours(truth, np.searchsorted(cuts, _squashed(score), side="right")))

    return Departure(
        f"with {setting} every score falls to the next lower of {n_thresholds} thresholds, and those on"
        " one tie",
        [[1], [0]], [[0.999], [0.998]], "0.5", number, (setting,),
    )  # fmt: skip


@departure(
    "with empty_target_action='pos' a sample without relevant labels has precision 1",
    [[0]], [[0.5]], "1", "empty_target_action='pos'",
)  # fmt: skip
def _empty_counts_one(ours: Any, truth: Matrix, score: Matrix) -> float:
    each = ours(truth, score, per_sample=True)
    return float(np.where(truth.sum(axis=1) > 0, each, 1).mean())


@departure(
    "with empty_target_action='skip' samples without relevant labels are left out of precision",
    [[1], [0]], [[0.5], [0.5]], "1", "empty_target_action='skip'",
)  # fmt: skip
def _empty_left_out(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    some = truth.sum(axis=1) > 0
    return float(ours(truth[some], score[some])) if some.any() else 0.0


@departure(
    "with empty_target_action='skip' it is 0 where all samples are left out",
    [[0]], [[0.5]], "0", "empty_target_action='skip'",
)  # fmt: skip
def _none_left(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    return None if truth.sum() else 0.0


_ANY_ORDER = Departure(
    "ties are broken by torch.topk, which promises no order: from four labels on no rule holds",
    [[0, 0, 1, 0]], [[0.5] * 4], "0 or 1 at k = 1", shared.unstable_from(4),
)  # fmt: skip
_EMPTY = {
    "empty_target_action='pos'": {"undefined": 1.0},
    "empty_target_action='skip'": {"undefined": math.nan},
}
_BINNED: dict[str, Any] = {"thresholds=5": {}, "thresholds=200": {}}
_AREAS = {
    f"{average} {ours}": Translation(
        f"Multilabel{theirs}(average='{average}')", {**options, "undefined": 0.0},
        (_cut_down(5), _cut_down(200), _saturated), _BINNED,
    )
    for ours, theirs, options in (("AP", "AveragePrecision", shared.STEPS), ("AUROC", "AUROC", {}))
    for average in shared.ALL_AVERAGES
}  # fmt: skip
_AT_K = {
    "precision at k": Translation(
        "RetrievalPrecision(top_k=k)", {"ties": "first"},
        (_ANY_ORDER, _empty_counts_one, _empty_left_out), {key: {} for key in _EMPTY},
    ),
    "recall at k": ranked(
        "RetrievalRecall(top_k=k)", "first", 0.0, _ANY_ORDER, _none_left, settings=_EMPTY
    ),
    "nDCG at k": ranked(
        "RetrievalNormalizedDCG(top_k=k)", "average", 0.0, _none_left, settings=_EMPTY
    ),
}  # fmt: skip


def _weighted(call: str, *departures: Departure, worth_of_one: float) -> Translation:
    settings = {"zero_division=1": {"zero_division": worth_of_one}}
    return Translation(f"{call}(average='weighted')", {"zero_division": 0.0}, departures, settings)


TOOL = Tool(
    "torchmetrics", "1.9.0", "run",
    {
        "subset accuracy": Translation("MultilabelExactMatch"),
        "Hamming loss": Translation("MultilabelHammingDistance"),
        LABEL_WISE: Translation("MultilabelAccuracy"),
        **translations(_RATIOS, shared.ALL_AVERAGES, shared.ONE, zero_division=0.0),
        "weighted precision": _weighted("MultilabelPrecision", _NO_SUPPORT_0, worth_of_one=1.0),
        "weighted Jaccard": _weighted("MultilabelJaccardIndex", _NO_SUPPORT_NAN, worth_of_one=1.0),
        # A label without true samples weighs 0, so that zero_division never counts.
        "weighted recall": _weighted("MultilabelRecall", worth_of_one=0.0),
        "weighted F1": _weighted("MultilabelF1Score", worth_of_one=0.0),
        "weighted Fβ": _weighted("MultilabelFBetaScore", worth_of_one=0.0),
        "coverage": ranked("MultilabelCoverageError", "worst", 0.0, _saturated, start=1),
        "ranking loss": ranked(
            "MultilabelRankingLoss", "last", 0.0, _BATCHES, _SEVENTEEN, _saturated
        ),
        "average precision": ranked("MultilabelRankingAveragePrecision", "worst", 1.0, _saturated),
        **_AREAS,
        **_AT_K,
    },
    tuple(shared.ONE | _BINNED | _EMPTY), (shared.ABOVE_HALF, _SQUASHED),
)  # fmt: skip
