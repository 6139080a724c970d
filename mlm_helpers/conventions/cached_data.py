"""Truth and prediction for many metrics, with what they share computed once.

`identify` asks the same data for hundreds of numbers. Metrics of label sets follow from counts of
each sample and label, and metrics of scores from the values of each sample or label.
"""

import math
from functools import cached_property
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs.data import Data, FloatArray
from mlm_helpers._core.inputs.kinds import Array


class CachedData:
    """Truth and prediction as matrices; their counts, and values of scores, are computed once.

    The matrices are arrays or CSR arrays, as a metric's reader returns them.
    """

    def __init__(self, truth: Array, prediction: Array) -> None:
        self.truth = truth
        self.prediction = prediction
        self._values: dict[Any, Any] = {}  # of metrics of scores, by record and options

    @classmethod
    def from_counts(cls, sample_counts: Counts, label_counts: Counts) -> "CachedData":
        """Data without matrices, for metrics that need only the counts."""
        data = cls(np.empty(0), np.empty(0))
        # Each of these takes the place of the property that would compute it from the matrices.
        data.sample_counts = sample_counts
        data.label_counts = label_counts
        data.support = label_counts.tp + label_counts.fn
        return data

    @cached_property
    def sample_counts(self) -> Counts:
        """TP, FP, FN and TN of each sample, four arrays of shape (n_samples,)."""
        return counts.count(Data(self.truth, self.prediction), axis=1)

    @cached_property
    def label_counts(self) -> Counts:
        """TP, FP, FN and TN of each label, four arrays of shape (n_labels,)."""
        return counts.count(Data(self.truth, self.prediction), axis=0)

    @cached_property
    def support(self) -> Any:
        """The number of positives of each label, shape (n_labels,)."""
        return self.truth.sum(axis=0)

    @cached_property
    def cardinality(self) -> Any:
        """The number of true labels of each sample, shape (n_samples,)."""
        return self.truth.sum(axis=1)

    def value(self, metric: Any, **options: Any) -> float:
        """The number that ``metric(truth, prediction, **options)`` returns.

        ``metric`` is a ``functools.partial`` of a public metric.
        """
        # A metric of samples has no average, and its value is the mean that "macro" takes.
        average = {**metric.keywords, **options}.get("average", "macro")
        return float(counts.average_labels(self.values(metric, **options), self.support, average))

    def values(self, metric: Any, **options: Any) -> FloatArray:
        """The values that a metric averages: one per sample or label, or one alone under "micro".

        ``metric`` and ``options`` are those of `value`.
        """
        record = catalogue.record_of(metric)
        options = {**record.defaults, **metric.keywords, **options}
        of_samples = record.unit == "sample"
        if record.reads == "y_pred":
            unit_counts = (
                self.sample_counts
                if of_samples
                else counts.pool(self.label_counts, options["average"])
            )
            zero_division = options.get("zero_division", math.nan)
            return counts.ratio(record.bound_formula(options), unit_counts, zero_division)
        # Undefined values are computed as nan and replaced below, so that one computation serves
        # every value of the option ``undefined``. A second option asks for values, not their mean.
        bound = options | record.nan_if_undefined
        if of_samples:
            bound["per_sample"] = True
        elif options["average"] != "micro":
            bound["average"] = None
        key = record, *bound.items()
        if key not in self._values:
            self._values[key] = record.function(self.truth, self.prediction, **bound)
        values = np.atleast_1d(self._values[key])
        return np.where(np.isnan(values), options.get("undefined", math.nan), values)


def as_two_classes(data: CachedData, reads_tn: bool = False) -> CachedData:
    """Data with twice the labels: each label, then each label's absence as a label of its own.

    Presence and absence are the two classes of a label. A class that occurs neither in truth nor
    in prediction is left out of the average: the other class stands in its place. Specificity and
    other metrics of true negatives are about the opposite class, so that with ``reads_tn`` a class
    is left out if the opposite one does not occur.
    """
    tp, fp, fn, tn = data.label_counts
    classes = np.array([[tp, fp, fn, tn], [tn, fn, fp, tp]])  # shape (2, 4, n_labels)
    opposite = classes[::-1]
    occurs = (opposite if reads_tn else classes)[:, :3].any(axis=1, keepdims=True)  # TP, FP or FN
    averaged = np.where(occurs, classes, opposite)
    counts_of_both = Counts(*averaged.swapaxes(0, 1).reshape(4, -1))  # each of 2 · n_labels
    two_classes = CachedData.from_counts(data.sample_counts, counts_of_both)
    two_classes.support = (classes[:, 0] + classes[:, 2]).ravel()  # TP + FN
    return two_classes


def stored_scores(score: Any) -> Any:
    """CSR array of the scores that are neither 0 nor nan; other cells have no score."""
    from scipy.sparse import coo_array, csr_array

    cells = coo_array(score)
    has_score = (cells.data != 0) & ~np.isnan(cells.data)
    positions = cells.row[has_score], cells.col[has_score]
    return csr_array((cells.data[has_score], positions), shape=cells.shape)
