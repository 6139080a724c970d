"""mldr, in R."""

import math
from typing import Any

import numpy as np

from mlm_helpers import counts, ranking
from mlm_helpers.conventions.readings import Matrix, any_tie
from mlm_helpers.conventions.tool import Departure, Tool, Translation
from mlm_helpers.conventions.tools.shared import FROM_HALF, departure, ranked, translations

_UNDEFINED_VALUE = {
    "undefined_value=0": {"zero_division": 0.0},
    "undefined_value=1": {"zero_division": 1.0},
    "undefined_value='ignore'": {"zero_division": math.nan},
}
_TIES_METHOD = {
    "ties_method='first'": {"ties": "first"},
    "ties_method='max'": {"ties": "worst"},
    "ties_method='min'": {"ties": "best"},
    "ties_method='average'": {"ties": "average"},
}


@departure(
    "with ties_method='min' or 'average' it counts tied relevant labels above by more than their"
    " rank, and can exceed 1",
    [[1, 1]], [[0.5, 0.5]], "2 with ties_method='min'",
)  # fmt: skip
def _counts_tied_above(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    ties, undefined = ours.keywords["ties"], ours.keywords["undefined"]
    if ties not in ("best", "average") or not any_tie(score):
        return None
    rank = ranking.ranks(score, ties=ties)
    among_relevant = ranking.ranks(np.where(truth, -rank, -rank.shape[1] - 1))
    shares = np.where(truth, among_relevant / rank, 0).sum(axis=1)
    return counts.mean(counts.divided(shares, truth.sum(axis=1, dtype=float), undefined))


_BEFORE_0_4_2 = Departure(
    "0.4.0 has label-wise accuracy and for F the harmonic mean of mean precision and mean recall;"
    " 0.4.1 pools all cells for accuracy",
    [[1, 0, 0]], [[1, 1, 0]], "accuracy 0.667 in 0.4.0, and 0.5 since 0.4.1",
)  # fmt: skip
_LISTEN = {
    "samples precision": "precision", "samples recall": "recall",
    "macro precision": "macro_precision", "macro recall": "macro_recall",
    "micro precision": "micro_precision", "micro recall": "micro_recall",
}  # fmt: skip
_IGNORE = {  # undefined_value, which they take too
    "samples accuracy (Jaccard)": "accuracy", "samples F1": "fmeasure",
    "macro F1": "macro_fmeasure", "micro F1": "micro_fmeasure",
}  # fmt: skip
TOOL = Tool(
    "mldr", "0.4.2 and later", "read in source",
    {
        "subset accuracy": Translation("subset_accuracy"),
        "Hamming loss": Translation("hamming_loss"),
        **translations(_LISTEN, settings=_UNDEFINED_VALUE, zero_division="agree"),
        **translations(_IGNORE, zero_division="agree"),
        "coverage": ranked("coverage", "last", 0.0, settings=_TIES_METHOD, start=0),
        "one-error": ranked("one_error", "first", 1.0),
        "ranking loss": ranked("ranking_loss", "worst", 0.0),
        "average precision": ranked(
            "average_precision", "last", 1.0, _counts_tied_above, settings=_TIES_METHOD
        ),
    },
    (*_UNDEFINED_VALUE, *_TIES_METHOD), (FROM_HALF, _BEFORE_0_4_2),
)  # fmt: skip
