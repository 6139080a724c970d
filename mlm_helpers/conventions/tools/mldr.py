"""mldr, in R."""

import math
from typing import Any

import numpy as np

from mlm_helpers import counts, ranking
from mlm_helpers.conventions.readings import Matrix, any_tie
from mlm_helpers.conventions.records import Departure, Tool, Translation, translations
from mlm_helpers.conventions.tools.shared import FROM_HALF

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


def _average_precision(ours: Any, truth: Matrix, score: Matrix) -> float | None:
    """All tied relevant labels are counted as above, whatever rank the tie is given."""
    ties, undefined = ours.keywords["ties"], ours.keywords["undefined"]
    if ties not in ("best", "average") or not any_tie(score):
        return None
    rank = ranking.ranks(score, ties=ties)
    among_relevant = ranking.ranks(np.where(truth, -rank, -rank.shape[1] - 1))
    shares = np.where(truth, among_relevant / rank, 0).sum(axis=1)
    return counts.mean(counts.divided(shares, truth.sum(axis=1, dtype=float), undefined))


TOOL = Tool(
    "mldr", "0.4.x", "read in source",
    {
        "subset accuracy": Translation("subset_accuracy"),
        "Hamming loss": Translation("hamming_loss"),
        **translations(
            {
                "samples precision": "precision", "samples recall": "recall",
                "macro precision": "macro_precision", "macro recall": "macro_recall",
                "micro precision": "micro_precision", "micro recall": "micro_recall",
            },
            settings=_UNDEFINED_VALUE,
            zero_division="agree",
        ),
        # These take undefined_value too, and ignore it.
        **translations(
            {
                "samples accuracy (Jaccard)": "accuracy", "samples F1": "fmeasure",
                "macro F1": "macro_fmeasure", "micro F1": "micro_fmeasure",
            },
            zero_division="agree",
        ),
        "coverage": Translation(
            "coverage", {"start": 0, "ties": "last", "undefined": 0.0}, settings=_TIES_METHOD
        ),
        "one-error": Translation("one_error", {"ties": "first", "undefined": 1.0}),
        "ranking loss": Translation("ranking_loss", {"ties": "worst", "undefined": 0.0}),
        "average precision": Translation(
            "average_precision", {"ties": "last", "undefined": 1.0},
            (Departure(
                "with ties_method='min' or 'average' it counts tied relevant labels above by more"
                " than their rank, and can exceed 1",
                [[1, 1]], [[0.5, 0.5]], "2 with ties_method='min'", _average_precision,
            ),),
            _TIES_METHOD,
        ),
    },
    (*_UNDEFINED_VALUE, *_TIES_METHOD),
    (
        FROM_HALF,
        Departure(
            "up to 0.4.0 accuracy is label-wise and F the harmonic mean of mean precision and mean"
            " recall",
            [[1, 0]], [[1, 1]], "accuracy 0.5 for another reason than since 0.4.1",
        ),
    ),
)  # fmt: skip
