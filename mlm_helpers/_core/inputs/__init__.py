"""The one gate: the only code of the package that looks at raw input.

What passes is one `Data`: the truth, a matrix of zeros and ones or of finite numbers beside it, and
the weights of their cells. Matrices are neither copied nor converted (CSR arrays stay so where a
metric reads them): they are large, and one read of each is what a metric should cost. What does not
pass gets one sentence: which argument, which value, where, and what to do. Rows are samples, columns
are labels; both are numbered from 0, as in Python.
"""

from mlm_helpers._core.inputs.ancestry import matched, parents, roots, upwards
from mlm_helpers._core.inputs.cells import (
    Data,
    FloatArray,
    LabelMatrix,
    ScoreMatrix,
    Weights,
    as_compared,
    dense,
)
from mlm_helpers._core.inputs.kinds import is_sparse, named_as
from mlm_helpers._core.inputs.options import (
    AVERAGES,
    CHECKS,
    INTERPOLATIONS,
    TIES,
    Average,
    Interpolation,
    Norm,
    Ties,
    ZeroDivision,
    check,
    frame_names,
    k,
    one_of,
    resolve_names,
    whole,
)
from mlm_helpers._core.inputs.read import (
    for_labels,
    framed,
    groups,
    label_scores,
    label_sets,
    labels,
    one_label,
    per_label,
    probabilities,
    scores,
    stored_scores,
    truth,
)
from mlm_helpers._core.inputs.refuse import one_order, same_labels, shown

__all__ = [
    "AVERAGES", "CHECKS", "INTERPOLATIONS", "TIES", "Average", "Data", "FloatArray",
    "Interpolation", "LabelMatrix", "Norm", "ScoreMatrix", "Ties", "Weights", "ZeroDivision",
    "as_compared", "check", "dense", "for_labels", "frame_names", "framed", "groups", "is_sparse",
    "k", "label_scores", "label_sets", "labels", "matched", "named_as", "one_label", "one_of", "one_order", "parents", "per_label",
    "probabilities", "resolve_names", "roots", "same_labels", "scores", "shown", "stored_scores", "truth",
    "upwards", "whole",
]  # fmt: skip
