"""The one gate: the only code of the package that looks at raw input.

What passes is one `Data`: the truth, a matrix of zeros and ones or of finite numbers beside it, and
the weights of their cells. Matrices are neither copied nor converted (CSR arrays stay so where a
metric reads them): they are large, and one read of each is what a metric should cost. What does not
pass gets one sentence: which argument, which value, where, and what to do. Rows are samples, columns
are labels; both are numbered from 0, as in Python.
"""

from mlm_helpers._core.inputs.ancestry import align_to_labels, read_parents, find_roots, child_parent_pairs
from mlm_helpers._core.inputs.cells import (
    Data,
    FloatArray,
    LabelMatrix,
    ScoreMatrix,
    Weights,
    as_score_dtype,
    dense,
)
from mlm_helpers._core.inputs.kinds import is_sparse, with_names_of
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
    check_options,
    frame_names,
    read_k,
    check_choice,
    resolve_names,
    read_int,
)
from mlm_helpers._core.inputs.read import (
    broadcast_to_labels,
    as_frame_like,
    read_groups,
    read_label_scores,
    read_label_sets,
    read_labels,
    read_one_label,
    read_per_label,
    read_probabilities,
    read_score_matrix,
    stored_scores,
    read_truth,
)
from mlm_helpers._core.inputs.refuse import check_same_order, check_label_order, short_repr

__all__ = [
    "AVERAGES", "CHECKS", "INTERPOLATIONS", "TIES", "Average", "Data", "FloatArray",
    "Interpolation", "LabelMatrix", "Norm", "ScoreMatrix", "Ties", "Weights", "ZeroDivision",
    "as_compared", "check", "dense", "for_labels", "frame_names", "framed", "groups", "is_sparse",
    "k", "label_scores", "label_sets", "labels", "matched", "named_as", "one_label", "one_of", "one_order", "parents", "per_label",
    "probabilities", "resolve_names", "roots", "same_labels", "scores", "shown", "stored_scores", "truth",
    "upwards", "whole",
]  # fmt: skip
