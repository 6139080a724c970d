"""The one gate: the only code of the package that looks at raw input.

What passes is a matrix of zeros and ones (NumPy, or CSR where truth and prediction both came sparse)
or a matrix of finite numbers, neither copied nor converted: matrices are large, and one read of each
is what a metric should cost. What does not pass gets one sentence: which argument, which value,
where, and what to do. Rows are samples, columns are labels; both are numbered from 0, as in Python.
"""

from mlm_helpers.blocks import blocks as blocks
from mlm_helpers.inputs.options import AVERAGES as AVERAGES
from mlm_helpers.inputs.options import CHECKS as CHECKS
from mlm_helpers.inputs.options import INTERPOLATIONS as INTERPOLATIONS
from mlm_helpers.inputs.options import TIES as TIES
from mlm_helpers.inputs.options import beta as beta
from mlm_helpers.inputs.options import interpolation as interpolation
from mlm_helpers.inputs.options import k as k
from mlm_helpers.inputs.options import level as level
from mlm_helpers.inputs.options import names as names
from mlm_helpers.inputs.options import one_of as one_of
from mlm_helpers.inputs.options import start as start
from mlm_helpers.inputs.options import undefined as undefined
from mlm_helpers.inputs.options import whole as whole
from mlm_helpers.inputs.options import zero_division as zero_division
from mlm_helpers.inputs.read import FloatArray as FloatArray
from mlm_helpers.inputs.read import LabelMatrix as LabelMatrix
from mlm_helpers.inputs.read import ScoreMatrix as ScoreMatrix
from mlm_helpers.inputs.read import Weights as Weights
from mlm_helpers.inputs.read import dense as dense
from mlm_helpers.inputs.read import for_labels as for_labels
from mlm_helpers.inputs.read import label_scores as label_scores
from mlm_helpers.inputs.read import label_sets as label_sets
from mlm_helpers.inputs.read import labels as labels
from mlm_helpers.inputs.read import one_label as one_label
from mlm_helpers.inputs.read import per_label as per_label
from mlm_helpers.inputs.read import scores as scores
from mlm_helpers.inputs.read import stored_scores as stored_scores
from mlm_helpers.inputs.refuse import shown as shown
