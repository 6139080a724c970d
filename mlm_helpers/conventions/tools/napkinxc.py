"""napkinXC."""

from typing import Any

import numpy as np

from mlm_helpers import label_based
from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import UNSTABLE, at_k, departure, ranked


@departure(
    "the mean number of wrong labels a sample, not divided by the number of labels",
    [[1, 0]], [[0, 0]], "1",
)  # fmt: skip
def _undivided(ours: Any, truth: Matrix, other: Matrix) -> float:
    return float(ours(truth, other) * truth.shape[1])


@departure(
    "it raises where there is no hit, no false alarm or no miss in all the data, and averages over"
    " the labels up to the last one that occurs",
    [[1]], [[1]], "ValueError",
)  # fmt: skip
def _labels_seen(ours: Any, truth: Matrix, other: Matrix) -> float | str:
    tp, fp, fn, _ = label_based.confusion(truth, other)
    if not (tp.any() and fp.any() and fn.any()):
        return "raises ValueError"
    last = np.flatnonzero(tp + fp + fn)[-1]
    return float(ours(truth, other, average=None)[: last + 1].mean())


@departure(
    "it raises where nothing is true and nothing predicted", [[0]], [[0]], "ZeroDivisionError"
)
def _refuses_nothing(ours: Any, truth: Matrix, other: Matrix) -> str | None:
    return None if truth.sum() or other.sum() else "raises ZeroDivisionError"


_MISS_IS_1 = Departure(
    "with zero_division=1 every sample with true labels and no hit counts 1, and two empty sets 0",
    [[1]], [[0]], "1 with zero_division=1",
)  # fmt: skip
TOOL = Tool(
    "napkinXC", "0.7.2", "run",
    {
        "Hamming loss": Translation("hamming_loss", {}, (_undivided,)),
        "samples F1": Translation("samples_f1_measure", {"zero_division": 0.0}, (_MISS_IS_1,)),
        "macro F1": Translation("macro_f1_measure", {"zero_division": 0.0}, (_labels_seen,)),
        "micro F1": Translation("micro_f1_measure", {"zero_division": 0.0}, (_refuses_nothing,)),
        "one-error": ranked("1 - precision_at_k(k=1)", "first", 1.0, UNSTABLE),
        **at_k(
            UNSTABLE, ties="first", undefined=0.0, precision="precision_at_k(k=k)",
            recall="recall_at_k(k=k)", nDCG="ndcg_at_k(k=k)",
        ),
    },
)  # fmt: skip
