"""The one gate: the only code of the package that looks at raw input.

What passes is one `Data`: the truth, a matrix of zeros and ones or of finite numbers beside it, and
the weights of their cells. Matrices are neither copied nor converted (CSR arrays stay so where a
metric reads them): they are large, and one read of each is what a metric should cost. What does not
pass gets one sentence: which argument, which value, where, and what to do. Rows are samples, columns
are labels; both are numbered from 0, as in Python.
"""

from mlm_helpers._core.blocks import blocks
from mlm_helpers._core.inputs.ancestry import parents, upwards
from mlm_helpers._core.inputs.cells import (
    Data,
    FloatArray,
    Known,
    LabelMatrix,
    ScoreMatrix,
    Weights,
    as_compared,
    dense,
)
from mlm_helpers._core.inputs.kinds import axis_names, is_missing, is_number, is_sparse
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
    average,
    beta,
    bins,
    clip,
    interpolation,
    k,
    label_names,
    level,
    named,
    names,
    norm,
    numbered,
    one_of,
    own_names,
    start,
    undefined,
    whole,
    zero_division,
)
from mlm_helpers._core.inputs.read import (
    any_cells,
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
from mlm_helpers._core.inputs.refuse import same_labels, shown, sparse
from mlm_helpers._core.inputs.tags import (
    Normalize,
    none_alike,
    not_named,
    tags,
)

__all__ = [
    "AVERAGES", "CHECKS", "INTERPOLATIONS", "TIES", "Average", "Data", "FloatArray",
    "Interpolation", "Known", "LabelMatrix", "Norm", "Normalize", "ScoreMatrix", "Ties", "Weights",
    "ZeroDivision", "any_cells", "as_compared", "average", "axis_names", "beta", "bins", "blocks",
    "clip", "dense", "for_labels", "framed", "groups", "interpolation", "is_missing", "is_number", "is_sparse",
    "k", "label_names", "label_scores", "label_sets", "labels", "level", "named", "names",
    "none_alike", "norm", "not_named", "numbered", "one_label", "one_of", "own_names", "parents",
    "per_label", "probabilities", "same_labels", "scores", "shown", "sparse", "start",
    "stored_scores", "tags", "truth", "undefined", "upwards", "whole", "zero_division",
]  # fmt: skip
