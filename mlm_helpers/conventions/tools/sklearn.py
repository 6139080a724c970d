"""sklearn."""

from __future__ import annotations

import math

from mlm_helpers.conventions.records import (
    Departure,
    Matrix,
    Options,
    Tool,
    Translation,
    translations,
)
from mlm_helpers.conventions.tools.shared import ALL_AVERAGES, LEFT_OUT, ONE


def _refuses_nan(truth: Matrix, other: Matrix, asked: Options) -> str | None:
    refused = math.isnan(asked["zero_division"])
    return "raises InvalidParameterError" if refused else None


_REFUSES_NAN = Departure(
    "jaccard_score refuses zero_division=nan",
    [[1]], [[1]], "InvalidParameterError with zero_division=nan", _refuses_nan,
)  # fmt: skip


_SKLEARN_SET = {
    "samples accuracy (Jaccard)": "jaccard_score(average='samples')",
    "samples precision": "precision_score(average='samples')",
    "samples recall": "recall_score(average='samples')",
    "samples F1": "f1_score(average='samples')",
    "samples Fβ": "fbeta_score(average='samples')",
    "{average} precision": "precision_score(average='{average}')",
    "{average} recall": "recall_score(average='{average}')",
    "{average} F1": "f1_score(average='{average}')",
    "{average} Fβ": "fbeta_score(average='{average}')",
    "{average} Jaccard": "jaccard_score(average='{average}')",
}


TOOL = Tool(
    "scikit-learn", "1.9.1", "run",
    {
        "subset accuracy": Translation("accuracy_score"),
        "zero-one loss": Translation("zero_one_loss"),
        "Hamming loss": Translation("hamming_loss"),
        **translations(
            _SKLEARN_SET, ALL_AVERAGES,
            dict.fromkeys(("samples accuracy (Jaccard)", "macro Jaccard", "micro Jaccard", "weighted Jaccard"), _REFUSES_NAN),
            ONE | LEFT_OUT,
            zero_division=0.0,
        ),
        "coverage": Translation("coverage_error", {"start": 1, "ties": "worst", "undefined": 0.0}),
        "ranking loss": Translation("label_ranking_loss", {"ties": "worst", "undefined": 0.0}),
        "one-error": Translation("1 - ndcg_score(k=1)", {"ties": "average", "undefined": 1.0}),
        "average precision": Translation(
            "label_ranking_average_precision_score", {"ties": "worst", "undefined": 1.0}
        ),
    },
    tuple(ONE | LEFT_OUT),
)  # fmt: skip
