"""ML-GCN, whose AveragePrecisionMeter many image tagging papers took over."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from mlm_helpers import label_based
from mlm_helpers.conventions.readings import TAGGING, Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import departure, ranked


@departure("it raises where a label has no positives", [[0]], [[0.5]], "ZeroDivisionError")
def _refuses_absent(ours: Any, truth: Matrix, score: Matrix) -> str | None:
    return None if truth.any(axis=0).all() else "raises ZeroDivisionError"


@departure("it is nan as soon as one label has no positives", [[1, 0]], [[1, 0]], "nan")
def _nan_of_absent(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    return None if (truth.sum(axis=0) > 0).all() else math.nan


@departure("without any hit it is nan, not 0", [[1]], [[0]], "nan")
def nan_of_no_hit(ours: Any, truth: Matrix, other: Matrix) -> float | None:
    """The harmonic mean of two zeros, as ASL has it too."""
    return None if label_based.confusion(truth, other).tp.any() else math.nan


@departure(
    "each label that is never predicted counts as one more false alarm", [[1, 0]], [[1, 0]], "0.5"
)
def _one_more(ours: Any, truth: Matrix, other: Matrix) -> float:
    tp, fp, _, _ = label_based.confusion(truth, other)
    return float(tp.sum() / np.maximum(tp + fp, 1).sum())


@departure(
    "in it too each label that is never predicted counts as one more false alarm",
    [[1, 0]], [[1, 0]], "2/3",
)  # fmt: skip
def _of_op(ours: Any, truth: Matrix, other: Matrix) -> float:
    tp, fp, fn, _ = label_based.confusion(truth, other)
    return float(2 * tp.sum() / (np.maximum(tp + fp, 1) + tp + fn).sum())


_LOGITS = Departure(
    "a score of exactly 0 is a yes: it takes logits, and the threshold is score >= 0; of probabilities"
    " every one is a yes",
    [[0]], [[0.1]], "predicted 1",
)  # fmt: skip
_DIFFICULT = Departure(
    "with difficult_examples=True targets are -1, 0 (difficult) and 1, and 0 is left out: of targets"
    " 0 and 1 every negative is",
    [[0], [1]], [[0.9], [0.1]], "AP 1, whatever the scores",
)  # fmt: skip
_TOP_3 = Departure(
    "its top-3 columns predict a label that is among the first three of its sample and scores 0 or"
    " more",
    [[1, 0]], [[-0.1, -0.2]], "nothing is predicted",
)  # fmt: skip
_NAN = {"zero_division": math.nan}
TOOL = Tool(
    "ML-GCN", "its util.py, with NumPy 2.4.6 and PyTorch 2.13.0", "recorded run",
    {
        "macro AP": ranked(
            "AveragePrecisionMeter.value().mean()", "first", math.nan, _refuses_absent,
            interpolation=None,
        ),
        TAGGING["CP"]: Translation("CP", {"zero_division": 0.0}),
        TAGGING["CR"]: Translation("CR", _NAN, (_nan_of_absent,)),
        TAGGING["CF1"]: Translation(
            "CF1", {"zero_division": 0.0},
            (replace(_nan_of_absent, y_true=[[0]], y_other=[[0]]), nan_of_no_hit),
        ),
        TAGGING["OP"]: Translation("OP", {"zero_division": 0.0}, (_one_more,)),
        TAGGING["OR"]: Translation("OR", _NAN),
        TAGGING["OF1"]: Translation("OF1", _NAN, (nan_of_no_hit, _of_op)),
    },
    notes=(_LOGITS, _DIFFICULT, _TOP_3), says_columns=True,
)  # fmt: skip
