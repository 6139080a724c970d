"""Where predictions go wrong: labels missed beside labels falsely predicted; the worst samples.

A label is missed in a sample that has it if it is not predicted there; it is predicted falsely (a
false alarm) in a sample that does not have it. Invalid input raises a TypeError or a ValueError.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, tables
from mlm_helpers._core import blocks, losses
from mlm_helpers._core.counts import safe_divide
from mlm_helpers._core.inputs import kinds
from mlm_helpers._core.inputs.data import LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.options import read_int, resolve_names
from mlm_helpers._core.inputs.read import read_label_sets
from mlm_helpers.catalogue.arguments import resolve_options

__all__ = ["LabelConfusions", "WorstSamples", "label_confusions", "worst_samples"]

_CAPTION = (
    "Misses beside false alarms: samples with both, their share of the samples with the miss, "
    "and the share of all samples that have the false alarm"
)


@dataclass(frozen=True, eq=False)
class LabelConfusions:
    """Numbers of samples in which one label was missed and another predicted falsely.

    Attributes
    ----------
    labels : list of str
    counts : array of shape (n_labels, n_labels), or a CSR array of that shape
        ``counts[j, k]``: number of samples in which j was missed and k predicted falsely.
    missed, false_alarms : array of shape (n_labels,)
        Number of samples in which each label was missed, and in which it was predicted falsely.
    n_samples : int
    """

    labels: list[str]
    counts: Any
    missed: NDArray[np.int64]
    false_alarms: NDArray[np.int64]
    n_samples: int

    def largest(self, n: int = 10) -> list[tuple[str, str, int]]:
        """The n pairs with the most samples: (label missed, label predicted falsely, samples).

        Pairs with equally many samples keep the order of the columns, first of the missed label.
        Pairs without a sample are left out.
        """
        n = read_int(n, "n", 1)
        missed, false_alarm = self.counts.nonzero()
        if not len(missed):  # a sparse array cannot be indexed with empty lists
            return []
        samples = np.asarray(self.counts[missed, false_alarm])
        order = np.lexsort((false_alarm, missed, -samples))[:n]  # the last key counts first
        triples = zip(missed[order], false_alarm[order], samples[order], strict=True)
        return [(self.labels[j], self.labels[k], int(n_samples)) for j, k, n_samples in triples]

    def table(self, n: int = 10) -> tables.Display:
        """Table of the n pairs with the most samples.

        "where missed" is the share of the samples with the miss that have the false alarm too;
        "anywhere" is the share of all samples that have the false alarm. A count says that two
        mistakes fell into the same sample. It does not say that one label took the place of the
        other, least of all where "where missed" is no larger than "anywhere".
        """
        n_missed = dict(zip(self.labels, self.missed, strict=True))
        anywhere = dict(zip(self.labels, self.false_alarms / self.n_samples, strict=True))
        rows = [(a, b, count, count / n_missed[a], anywhere[b]) for a, b, count in self.largest(n)]
        header = "missed", "predicted falsely", "samples", "where missed", "anywhere"
        n_pairs = len(self.counts.nonzero()[0])
        note = f" (the {len(rows)} largest of {n_pairs} pairs)" if len(rows) < n_pairs else ""
        return tables.table(header, rows, _CAPTION + note)

    def __repr__(self) -> str:
        """The table of the ten largest pairs as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()


def label_confusions(
    y_true: LabelMatrix, y_pred: LabelMatrix, *, labels: Any = None
) -> LabelConfusions:
    """Number of samples in which each label was missed while another was predicted falsely.

    Nobody knows which false alarm took the place of which miss: each miss is paired with each false
    alarm of its sample. Precision and recall cannot be read from the counts, which contain neither
    hits nor samples that have only misses or only false alarms. An unknown cell is neither missed
    nor predicted falsely. The counts take 8 bytes for each pair of labels; if both matrices are
    sparse, the counts only store pairs that occur.

    Parameters
    ----------
    y_true, y_pred : matrix of 0 and 1, shape (n_samples, n_labels)
    labels : names, optional
        By default the columns of a DataFrame, else "0", "1" and so on.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0, 0], [1, 0, 1], [0, 1, 1]], [[0, 1, 0], [0, 1, 0], [0, 1, 1]]
    >>> confusions = label_confusions(y_true, y_pred, labels=["sea", "lake", "sun"])
    >>> confusions.largest()
    [('sea', 'lake', 2), ('sun', 'lake', 1)]
    >>> confusions.counts
    array([[0, 2, 0],
           [0, 0, 0],
           [0, 1, 0]])
    """
    data = read_label_sets(y_true, y_pred)
    names = resolve_names(labels, range(data.shape[1]), "label", y_true, y_pred)
    fn, fp = data.truth > data.prediction, data.prediction > data.truth
    if data.known is not None:  # the truth of an unknown cell is 0, so that it is not missed
        fp = fp & data.known
    if data.is_sparse:
        counts = fn.T.tocsr().astype(np.int64) @ fp.astype(np.int64)
    else:
        row_blocks = blocks.large_row_blocks(fn)
        # of floats, since NumPy multiplies matrices of integers slowly; exact below 2**53 samples
        parts = (fn[rows].T.astype(float) @ fp[rows] for rows in row_blocks)
        counts = np.asarray(sum(parts), dtype=np.int64)
    return LabelConfusions(names, counts, fn.sum(axis=0), fp.sum(axis=0), data.shape[0])


class WorstSamples(NamedTuple):
    """The worst samples and their values, from the worst up.

    Samples are index values of a DataFrame, as ``.loc`` takes them, or else row numbers.
    """

    samples: NDArray[Any]
    values: NDArray[np.float64]


def worst_samples(
    metric: Callable[..., Any],
    y_true: LabelMatrix,
    y_pred: LabelMatrix | ScoreMatrix,
    *,
    n: int = 10,
) -> WorstSamples:
    """The samples with the worst values of a metric, and these values, from the worst up.

    Parameters
    ----------
    metric : public metric function that has a value per sample, or a ``functools.partial`` of it
        A metric that takes ``per_sample``, or `probability.log_loss` or `probability.brier`: there
        the value of a sample is the mean loss of its known cells, and a high loss often shows a
        wrong annotation. In example-based metrics 0/0 counts 0 by default, so a sample with nothing
        to divide by is among the worst, even if predicted correctly: bind
        ``zero_division="agree"``. Metrics of scores whose value can be undefined have
        ``undefined`` instead.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_pred : matrix of the same shape
        Label sets, scores or probabilities, as the metric reads them.
    n : int
        Maximum number of samples. Undefined values are left out; equal ones keep the order of the
        rows.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 0]]
    >>> worst_samples(example_based.f1, y_true, y_pred, n=2)
    WorstSamples(samples=array([2, 1]), values=array([0.        , 0.66666667]))
    """
    record, n = catalogue.record_of(metric), read_int(n, "n", 1)
    if record.unit == "sample":
        values = metric(y_true, y_pred, per_sample=True)
    elif record.reads == "y_prob" and record.formula is not None:
        loss: Any = record.bound_formula(resolve_options(metric))
        data = record.read_data(y_true, y_pred)
        values = safe_divide(*losses.mean_per_sample(loss, data), math.nan)
    else:
        remedy = "pass a metric that has one, such as example_based.f1 or probability.log_loss"
        raise ValueError(f"metric is {record.name}, which has no value per sample: {remedy}")
    goodness = values if record.higher_is_better else -values
    # rounded, so that values that differ by rounding errors alone are equal; nan comes last
    order = np.argsort(goodness.round(12), kind="stable")
    n_defined = np.count_nonzero(~np.isnan(values))
    rows = order[:n_defined][:n]
    indices = (kinds.axis_names(frame, "index") for frame in (y_true, y_pred))
    index = next((index for index in indices if index is not None), np.arange(len(values)))
    return WorstSamples(np.asarray(index)[rows], values[rows])
