"""All metrics of a data set in one pass over it, batch by batch, on one machine or on many.

A mean can be merged: two sums and two counts add up. A metric cannot: the mean of two batches' macro
F1s is not the macro F1 of both. So a scorecard keeps what adds up, sums over samples and counts per
label, never the data; its size depends on the number of labels alone. Dividing comes last.
"""

from mlm_helpers.scorecard.bins import Bins, Bound
from mlm_helpers.scorecard.card import Scorecard
from mlm_helpers.scorecard.replicates import Replicates, poisson_weights
from mlm_helpers.scorecard.stored import FORMAT, VERSION
from mlm_helpers.scorecard.sums import Sum

__all__ = [
    "FORMAT", "VERSION", "Bins", "Bound", "Replicates", "Scorecard", "Sum", "poisson_weights",
]  # fmt: skip
