"""Annif, which indexes texts by subjects: what scores 0 is not suggested."""

from typing import Any

import numpy as np

from mlm_helpers import inputs
from mlm_helpers.conventions.readings import Matrix
from mlm_helpers.conventions.tool import Tool, Translation
from mlm_helpers.conventions.tools.shared import UNMEASURED, departure, ranked


@departure("a label that scores 0 is not predicted", [[1]], [[0]], "0 at k = 1")
def _zero_is_none(ours: Any, truth: Matrix, score: Matrix) -> float:
    return float(ours(truth, inputs.stored_scores(score)))


@departure(
    "hits are divided by the labels predicted, if these are fewer than k; what scores 0 is not"
    " predicted",
    [[1]], [[0]], "0 at k = 1; with one of two labels predicted, a hit, 1 at k = 2",
)  # fmt: skip
def _of_predicted(ours: Any, truth: Matrix, score: Matrix) -> float:
    stored, k = inputs.stored_scores(score), ours.keywords["k"]
    each = ours(truth, stored, per_sample=True)
    return float(np.mean(each * k / np.clip(np.diff(stored.indptr), 1, k)))


TOOL = Tool(
    "Annif", "1.4.3", "recorded run",
    {
        "precision at k": Translation(
            "Precision@k (per document average)", {"ties": "first"}, (UNMEASURED, _of_predicted)
        ),
        "nDCG at k": ranked("NDCG@k", "first", 1.0, UNMEASURED, _zero_is_none),
    },
)  # fmt: skip
