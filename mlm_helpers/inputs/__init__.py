"""The one gate: the only code of the package that looks at raw input.

What passes is one `Data`: the truth, a matrix of zeros and ones or of finite numbers beside it, and
the weights of their cells. Matrices are neither copied nor converted (CSR arrays stay so where a
metric reads them): they are large, and one read of each is what a metric should cost. What does not
pass gets one sentence: which argument, which value, where, and what to do. Rows are samples, columns
are labels; both are numbered from 0, as in Python.
"""

from mlm_helpers.blocks import blocks
from mlm_helpers.inputs.ancestry import parents, upwards
from mlm_helpers.inputs.cells import (
    Data,
    FloatArray,
    LabelMatrix,
    ScoreMatrix,
    Weights,
    as_compared,
    dense,
)
from mlm_helpers.inputs.kinds import is_sparse
from mlm_helpers.inputs.options import (
    AVERAGES,
    CHECKS,
    INTERPOLATIONS,
    TIES,
    Average,
    Interpolation,
    Norm,
    Ties,
    ZeroDivision,
    beta,
    bins,
    clip,
    interpolation,
    k,
    level,
    names,
    norm,
    one_of,
    start,
    undefined,
    whole,
    zero_division,
)
from mlm_helpers.inputs.read import (
    for_labels,
    groups,
    label_scores,
    label_sets,
    labels,
    one_label,
    one_probable_label,
    per_label,
    probabilities,
    scores,
    stored_scores,
)
from mlm_helpers.inputs.refuse import shown

__all__ = [
    "AVERAGES",
    "CHECKS",
    "INTERPOLATIONS",
    "TIES",
    "Average",
    "Data",
    "FloatArray",
    "Interpolation",
    "LabelMatrix",
    "Norm",
    "ScoreMatrix",
    "Ties",
    "Weights",
    "ZeroDivision",
    "as_compared",
    "beta",
    "bins",
    "blocks",
    "clip",
    "dense",
    "for_labels",
    "groups",
    "interpolation",
    "is_sparse",
    "k",
    "label_scores",
    "label_sets",
    "labels",
    "level",
    "names",
    "norm",
    "one_label",
    "one_of",
    "one_probable_label",
    "parents",
    "per_label",
    "probabilities",
    "scores",
    "shown",
    "start",
    "stored_scores",
    "undefined",
    "upwards",
    "whole",
    "zero_division",
]
