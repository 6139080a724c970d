"""Reading and checking of input: the only code of the package that looks at raw arguments.

Its result is one `Data`: the truth, a prediction of zeros and ones or of finite numbers, and the
weights of their cells. Valid matrices are neither copied nor converted (CSR arrays stay sparse
where a metric reads them): they are large, and a metric should read each matrix once. Invalid input
raises an error of one sentence: the argument, the value, its position, and the remedy. Rows are
samples and columns are labels; both are numbered from 0, as in Python.
"""

from mlm_helpers._core.inputs.ancestry import (
    align_to_labels,
    child_parent_pairs,
    find_roots,
    read_parents,
)
from mlm_helpers._core.inputs.cells import (
    Data,
    FloatArray,
    LabelMatrix,
    ScoreMatrix,
    Weights,
    as_score_dtype,
    dense,
)
from mlm_helpers._core.inputs.kinds import is_sparse, masked_truth
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
    check_choice,
    check_k,
    check_options,
    frame_names,
    read_int,
    read_k,
    resolve_names,
)
from mlm_helpers._core.inputs.read import (
    as_frame_like,
    broadcast_to_labels,
    read_annotations,
    read_groups,
    read_label_scores,
    read_label_sets,
    read_labels,
    read_one_label,
    read_per_label,
    read_probabilities,
    read_score_matrix,
    read_truth,
    stored_scores,
)
from mlm_helpers._core.inputs.refuse import check_label_order, check_same_order, short_repr

__all__ = [
    "AVERAGES", "CHECKS", "INTERPOLATIONS", "TIES", "Average", "Data", "FloatArray",
    "Interpolation", "LabelMatrix", "Norm", "ScoreMatrix", "Ties", "Weights", "ZeroDivision",
    "align_to_labels", "as_frame_like", "as_score_dtype", "broadcast_to_labels",
    "check_choice", "check_k", "check_label_order", "check_options", "check_same_order",
    "child_parent_pairs", "dense", "find_roots", "frame_names", "is_sparse", "masked_truth",
    "read_annotations", "read_groups", "read_int", "read_k", "read_label_scores",
    "read_label_sets", "read_labels", "read_one_label", "read_parents", "read_per_label",
    "read_probabilities", "read_score_matrix", "read_truth", "resolve_names", "short_repr",
    "stored_scores",
]  # fmt: skip
