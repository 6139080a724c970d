"""Where predictions go wrong: which label is predicted where which is missed, and the worst samples.

Bad input raises a TypeError or a ValueError.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, tables
from mlm_helpers._core import blocks, inputs, losses
from mlm_helpers._core.counts import safe_divide
from mlm_helpers._core.inputs import kinds

_CAPTION = "Misses beside false alarms: samples with both, their share of the samples with the miss, and the share of all samples that have the false alarm"


@dataclass(frozen=True, eq=False)
class LabelConfusions:
    """Counts of samples in which one label was missed and another predicted falsely; shows its `table`.

    Attributes
    ----------
    labels : list of str
    counts : array of shape (n_labels, n_labels), or a CSR array of that shape
        ``counts[j, k]``: samples in which j was missed and k predicted falsely.
    missed, false_alarms : array of shape (n_labels,)
        Samples in which each label was missed, and in which it was predicted falsely.
    n_samples : int
    """

    labels: list[str]
    counts: Any
    missed: NDArray[np.int64]
    false_alarms: NDArray[np.int64]
    n_samples: int

    def largest(self, n: int = 10) -> list[tuple[str, str, int]]:
        """The n pairs with the most samples: (missed, predicted falsely, samples).

        Pairs with equally many keep the order of the columns; pairs without a sample are left out.
        """
        n = inputs.read_int(n, "n", 1)
        missed, false = self.counts.nonzero()
        if not len(missed):  # of a sparse array no cell at all cannot be taken
            return []
        samples = np.asarray(self.counts[missed, false])
        order = np.lexsort((false, missed, -samples))[:n]
        return [(self.labels[missed[i]], self.labels[false[i]], int(samples[i])) for i in order]

    def table(self, n: int = 10) -> tables.Display:
        """Table of the n largest pairs.

        "where missed" is the share of the samples with the miss that have the false alarm too; "anywhere" is
        the share of all samples that have the false alarm. A count says that two mistakes fell into the
        same sample. It does not say that one label took the place of the other, least of all where
        "where missed" is no larger than "anywhere".
        """
        missed = dict(zip(self.labels, self.missed, strict=True))
        anywhere = dict(zip(self.labels, self.false_alarms / self.n_samples, strict=True))
        rows = [(a, b, both, both / missed[a], anywhere[b]) for a, b, both in self.largest(n)]
        columns = "missed", "predicted falsely", "samples", "where missed", "anywhere"
        there = len(self.counts.nonzero()[0])
        most = f" (the {len(rows)} largest of {there} pairs)" if len(rows) < there else ""
        return tables.table(columns, rows, _CAPTION + most)

    def __repr__(self) -> str:
        """Show the ten largest pairs as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()


def label_confusions(y_true: Any, y_pred: Any, *, labels: Any = None) -> LabelConfusions:
    """Count in how many samples each label was missed while another was predicted falsely.

    Nobody knows which false alarm took the place of which miss: each miss is paired with each false alarm
    of its sample. No precision or recall can be read from the counts, since hits and errors that stand
    alone are not among them. An unknown cell is neither missed nor predicted falsely. The counts of arrays
    take 8 bytes for each pair of labels; those of two sparse matrices only store pairs that occur.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    labels : names, optional
        By default the columns of a DataFrame, else "0", "1" and so on.

    Returns
    -------
    LabelConfusions

    Examples
    --------
    >>> y_true, y_pred = [[1, 0, 0], [1, 0, 1], [0, 1, 1]], [[0, 1, 0], [0, 1, 0], [0, 1, 1]]
    >>> found = label_confusions(y_true, y_pred, labels=["sea", "lake", "sun"])
    >>> found.largest()
    [('sea', 'lake', 2), ('sun', 'lake', 1)]
    >>> found.counts
    array([[0, 2, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    data = inputs.read_label_sets(y_true, y_pred)
    names = inputs.resolve_names(labels, range(data.shape[1]), "label", y_true, y_pred)
    missed, false = data.truth > data.prediction, data.prediction > data.truth
    if data.known is not None:
        false = false & data.known
    if data.is_sparse:
        together = missed.T.tocsr().astype(np.int64) @ false.astype(np.int64)
    else:
        parts = (
            missed[rows].T.astype(float) @ false[rows] for rows in blocks.large_row_blocks(missed)
        )
        together = np.asarray(sum(parts), dtype=np.int64)
    return LabelConfusions(names, together, missed.sum(axis=0), false.sum(axis=0), data.shape[0])


class WorstSamples(NamedTuple):
    """Arrays of samples, by the index of the frame or by row number, and of their values, the worst first."""

    samples: NDArray[Any]
    values: NDArray[np.float64]


def worst_samples(
    metric: Callable[..., Any], y_true: Any, y_pred: Any, *, n: int = 10
) -> WorstSamples:
    """The samples with the worst values of a metric, and these values.

    Parameters
    ----------
    metric : public metric function that has a value per sample, or a ``functools.partial`` of it
        One that takes ``per_sample``, or `probability.log_loss` or `probability.brier`, of which a sample's
        value is the mean loss of its known cells: a high loss often shows a wrong annotation.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_pred : matrix of the same shape
        What the metric reads: label sets, scores or probabilities.
    n : int
        At most so many samples. Those without a value are left out; equal values keep the order of the
        rows. Where 0/0 counts 0, samples without a true or predicted label are among the worst: bind
        ``zero_division="agree"``.

    Returns
    -------
    WorstSamples
        Named tuple (samples, values): values of the index where ``y_true`` or ``y_pred`` is a DataFrame, as
        ``.loc`` takes them, else row numbers from 0.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 0]]
    >>> worst_samples(example_based.f1, y_true, y_pred, n=2)
    WorstSamples(samples=array([2, 1]), values=array([0.        , 0.66666667]))
    """
    record, n = catalogue.record_of(metric), inputs.read_int(n, "n", 1)
    if record.unit == "sample":
        values = metric(y_true, y_pred, per_sample=True)
    elif record.reads == "y_prob" and record.parts is not None:
        loss: Any = record.formula(catalogue.resolve_options(metric))
        values = safe_divide(
            *losses.mean_per_sample(loss, record.read_data(y_true, y_pred)), math.nan
        )
    else:
        remedy = "pass one of samples, such as example_based.f1, or probability.log_loss"
        raise ValueError(f"metric is {record.name}, which has no value per sample: {remedy}")
    rising = values if record.higher_is_better else -values
    order = np.argsort(rising.round(12), kind="stable")  # equal but for rounding; nan last
    rows = order[: min(n, np.count_nonzero(~np.isnan(values)))]
    own = (kinds.axis_names(frame, "index") for frame in (y_true, y_pred))
    names = next((index for index in own if index is not None), np.arange(len(values)))
    return WorstSamples(np.asarray(names)[rows], values[rows])
