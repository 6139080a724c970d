"""How uncertain a metric's value is: intervals from the bootstrap, and Wilson's for labels.

On another test set the metric would have another value. The bootstrap draws many resamples, each
with as many samples as the data, with replacement, and computes the metric on each. Samples (rows)
are drawn whole, as the labels of a sample depend on each other. `resample` returns the values of
all resamples. Bad input raises a TypeError or a ValueError.

A draw says how often each sample counts. The first draw has every sample once. The next ones each
leave out one part of the samples, for the jackknife, which measures how much each part matters. All
others are resamples. A statistic is a function that computes a metric of given data for draws.

Names that are not in `__all__` are for the tables of `summary` and the sentences of `report`.
"""

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import NormalDist
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.inputs.data import Data, FloatArray, LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.options import check_options, read_int
from mlm_helpers._core.inputs.read import (
    read_groups,
    read_label_scores,
    read_label_sets,
    read_labels,
)
from mlm_helpers._core.inputs.refuse import check_same_order
from mlm_helpers._core.progress import progress
from mlm_helpers.catalogue.arguments import (
    align_options,
    find_record,
    read_metric_value,
    resolve_scalar_options,
    sign,
)
from mlm_helpers.catalogue.metric import MetricFunction

__all__ = [
    "Comparison", "Interval", "Resamples", "compare", "interval", "per_label", "prevalence",
    "resample",
]  # fmt: skip

TOLERANCE = 1e-12  # values that differ by less count as equal
_BATCH_CELLS, _BATCH_DRAWS = 2**23, 100  # the most numbers and draws in memory at once
_ENOUGH_GROUPS = 30  # with fewer groups, intervals are too narrow
_JACKKNIFE_PARTS = 200  # of more groups than this, the jackknife leaves out several at a time
_MAX_RESAMPLES = 10**7

Draws: TypeAlias = NDArray[Any]  # how often each draw has each sample: (n_draws, n_samples)
Statistic: TypeAlias = Callable[[Draws], Any]  # values: (n_draws,), or (n_labels, n_draws)


def _rounded_repr(result: Any) -> str:
    """The repr of a named tuple, with numbers rounded; a named tuple within it has its own repr."""
    from mlm_helpers.tables.numbers import decimal  # here, as nothing else needs the tables

    texts = (repr(item) if isinstance(item, tuple) else decimal(item, 4) for item in result)
    fields = map("=".join, zip(result._fields, texts, strict=True))
    return f"{type(result).__name__}({', '.join(fields)})"


class Interval(NamedTuple):
    """A value, the ends of its confidence interval, and its standard error.

    Attributes
    ----------
    value : float
        The metric on all samples.
    low, high : float
        The ends of the interval. They are nan if the metric is undefined on the samples or on all
        resamples. They are also nan if they would not enclose ``value``: a macro average of rare
        labels can be lower on nearly all resamples.
    standard_error : float
        The standard deviation of the metric over the resamples; nan if it is defined on fewer than
        two. For Wilson's interval (`per_label`): half its width ÷ the normal quantile of the level.
    undefined : int
        The number of resamples on which the metric is undefined (nan). The interval uses the
        others.
    """

    value: float
    low: float
    high: float
    standard_error: float
    undefined: int

    def __repr__(self) -> str:
        """The named tuple with rounded numbers."""
        return _rounded_repr(self)


class Comparison(NamedTuple):
    """The difference of a metric between two predictions, and how often the first is better.

    Attributes
    ----------
    difference : Interval
        The value of the first minus that of the second.
    share_first_better : float
        The share of the defined resamples in which the first is better; a tie counts one half. It
        is not the probability that the first is better in the population: resamples scatter around
        these samples.
    """

    difference: Interval
    share_first_better: float

    def __repr__(self) -> str:
        """The named tuple with rounded numbers."""
        return _rounded_repr(self)


def interval(
    metric: MetricFunction,
    y_true: LabelMatrix,
    y_pred: LabelMatrix | ScoreMatrix,
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    groups: Any = None,
) -> Interval:
    """Confidence interval for the metric on the population these samples were drawn from.

    The samples must be independent. Several samples of one patient, or of one song, are not: pass
    their ``groups``, which are then drawn whole (the cluster bootstrap). Long runs show a progress
    bar.

    The ends of the BCa interval are percentiles of the resamples, shifted to correct for bias and
    skewness. Student's t replaces the normal distribution; if few samples determine the variance,
    it has few degrees of freedom. In simulations with 150 samples (``tools/coverage.py``),
    intervals of level 0.95 contained the true value in 93 to 97 of 100 data sets. For macro
    averages they did so in fewer data sets where one of five labels had about three positives,
    because resampling then biases the average (macro F1: 77), and on the course's emoji data, which
    have many rare labels (macro F1: 92). For one rare label, see `per_label`.

    Parameters
    ----------
    metric : public metric function, a ``functools.partial`` of it, or any function
        It takes truth and prediction (label sets or scores) and returns one number, or nan if
        undefined. A bound ``sample_weight`` is resampled with its samples. A function outside the
        catalogue gets arrays with repeated rows: CSR arrays for sparse input, masked arrays for a
        masked truth.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), with at least two samples
    y_pred : matrix of the same shape
        Label sets or scores, as the metric requires.
    level : float between 0 and 1
        The share of data sets whose interval is to contain the true value.
    n_resamples : int
        At least 2 / (1 - level), so that a resample lies beyond each end.
    seed : int
        The same seed draws the same samples on every machine.
    groups : sequence of n_samples values, optional
        The group of each sample, such as its patient; by default each sample is its own group.
        Intervals from fewer than about thirty groups are too narrow.

    References
    ----------
    Efron, "Better bootstrap confidence intervals", 1987; Satterthwaite, "An approximate
    distribution of estimates of variance components", 1946; Hesterberg, "What teachers should know
    about the bootstrap", 2015; for groups Cameron, Gelbach & Miller, "Bootstrap-based improvements
    for inference with clustered errors", 2008.

    Examples
    --------
    >>> from mlm_helpers import example_based, label_based
    >>> y_true = [[1, 0, 1], [0, 1, 0], [1, 1, 0]] * 9
    >>> y_pred = [[1, 0, 1], [0, 1, 1], [1, 0, 0]] * 9
    >>> interval(example_based.f1, y_true, y_pred)
    Interval(value=0.7778, low=0.7284, high=0.8519, standard_error=0.0303, undefined=0)
    """
    check_resampling(level, n_resamples, seed)
    (resamples,) = resample(metric, y_true, {"y_pred": y_pred}, n_resamples, seed, groups)
    return bca_interval(resamples, level)


def compare(
    metric: MetricFunction,
    y_true: LabelMatrix,
    first: LabelMatrix | ScoreMatrix,
    second: LabelMatrix | ScoreMatrix,
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    groups: Any = None,
) -> Comparison:
    """Difference of the metric between two predictions, and its confidence interval.

    Both predict the same samples, and each resample is drawn once for both. A hard sample is often
    hard for both, so the difference often varies less than either value. For a function outside the
    catalogue, higher counts as better.

    Parameters
    ----------
    metric, y_true
        As in `interval`.
    first, second : matrices of the same shape as y_true
        Two predictions, or the scores of two models.
    level, n_resamples, seed, groups
        As in `interval`.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> y_true = [[1, 0, 1], [0, 1, 0], [1, 1, 0]] * 9
    >>> first, second = [[1, 0, 1], [0, 1, 0], [1, 0, 0]] * 9, [[1, 0, 1], [0, 1, 1], [1, 0, 0]] * 9
    >>> comparison = compare(hamming.hamming_loss, y_true, first, second)
    >>> comparison.difference
    Interval(value=-0.1111, low=-0.1852, high=-0.0494, standard_error=0.0317, undefined=0)
    >>> comparison.share_first_better
    1.0
    """
    check_resampling(level, n_resamples, seed)
    pair = resample(metric, y_true, {"first": first, "second": second}, n_resamples, seed, groups)
    difference = pair[0].minus(pair[1])
    # A gain above 0 says that the first is better, for a loss, too.
    gain = difference.resampled[~np.isnan(difference.resampled)] * sign(metric)
    is_first_better = np.where(np.abs(gain) < TOLERANCE, 0.5, gain > 0)
    return Comparison(bca_interval(difference, level), counts.nanmean(is_first_better))


def per_label(
    metric: MetricFunction,
    y_true: LabelMatrix,
    y_pred: LabelMatrix | ScoreMatrix,
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
    groups: Any = None,
) -> list[Interval]:
    """Confidence interval for the metric of each label.

    A metric that is a share of a label's cells, such as precision, recall or Jaccard, has Wilson's
    interval; F1 has the interval that follows from Jaccard's by F1 = 2 J / (1 + J). Neither needs
    resamples. The ends are nan for a label whose value is 0/0. With ``groups`` or a
    ``sample_weight``, and for other metrics, each label has the interval of `interval`, from
    resamples that are the same for all labels. In these intervals ``zero_division=nan`` or
    ``undefined=nan`` leaves out the resamples on which the label's value is undefined.

    In simulations (``tools/coverage.py``) with on average 3 positives in 300 samples, or 6 or 20 in
    800, Wilson's intervals of level 0.95 for F1 contained the true value in 0.945 to 0.983 of the
    data sets, and percentiles of resamples in 0.799 to 0.932: for rare labels, intervals from
    resamples hold less often than their level says. For each of 71 rare labels of the course's
    emoji data, Wilson's interval contained the true value in 0.934 or more of the data sets.

    Parameters
    ----------
    metric, y_true, y_pred, level, n_resamples, seed, groups
        As in `interval`; the metric is computed on the column of each label alone.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", 1927; for F1
    Lam, Gopal & Qian, "Confidence intervals for the F1 score: a comparison of four methods", arXiv
    2309.14621.

    Examples
    --------
    The first label has three hits and no mistake, the second label no hit:

    >>> from mlm_helpers import label_based
    >>> y_true, y_pred = [[1, 0]] * 3 + [[0, 1]] * 6, [[1, 0]] * 3 + [[0, 0]] * 6
    >>> for label in per_label(label_based.f1, y_true, y_pred):
    ...     print(label)
    Interval(value=1, low=0.6097, high=1, standard_error=0.0996, undefined=0)
    Interval(value=0, low=0, high=0.5615, standard_error=0.1432, undefined=0)
    """
    check_resampling(level, n_resamples, seed)
    if record := find_record(metric):
        if record.unit == "label":  # the macro average of a single label is its value
            metric = partial(metric, average="macro")
        if record.shifts_when_masked:  # because it reads a row as a whole
            name = catalogue.full_name(metric)
            problem = f"metric is {name}, which reads a sample's labels together"
            raise ValueError(f"{problem}: give a metric of single labels, such as label_based.f1")
        options = resolve_scalar_options(metric)
        if record.odds_factor and groups is None and options.get("sample_weight") is None:
            data = read_data(metric, y_true, y_pred, "y_pred")
            return _wilson_intervals(record, options, data, level)
    predictions = {"y_pred": y_pred}
    of_labels = resample(metric, y_true, predictions, n_resamples, seed, groups, is_per_label=True)
    return [bca_interval(resamples, level) for resamples in of_labels]


def prevalence(
    y_true: LabelMatrix,
    y_pred: LabelMatrix,
    y_pred_new: LabelMatrix,
    *,
    level: float = 0.95,
    n_resamples: int = 1000,
    seed: int = 0,
) -> list[Interval]:
    """Share of new samples that have each label, corrected for the model's mistakes.

    θ = (p + specificity − 1) ÷ (recall + specificity − 1), clipped to 0 and 1. Here p is the share
    of the new samples for which the label is predicted; recall and specificity are those on the
    labelled samples. The label's share may differ between labelled and new samples, but recall and
    specificity must be the same on both. So draw the labelled samples at random, not by their
    predictions, and do not train the model on them. θ is the share that the annotators of the
    labelled samples would report for the new ones, with their mistakes. If the labelled samples are
    drawn at random from the new ones, the share of the labelled samples that have the label is an
    estimate, too, often one with a narrower interval.

    The ends are percentiles of resamples of the labelled and of the new samples. Half a sample of
    each outcome is added to the samples that are drawn from: of TP, FP, FN and TN to the labelled
    ones, of predicted and not predicted to the new ones. So even a model without a mistake on the
    labelled samples makes mistakes in resamples.

    In 136 simulated settings, at least 0.93 of the intervals of level 0.95 contained the true share
    if it was the same in labelled and new samples, and at least 0.89 if it was not. The settings
    had 60 to 200 labelled samples, on average 6 to 60 of them positive, 100 or 1,000 new samples, a
    recall of 0.4 or 0.95 and a specificity of 0.7 or 0.99. The 0.89 belong to a share of 0.1 in
    labelled and of 0.7 in new samples, recall 0.4 and specificity 0.7; a third of these data sets
    had no value. With only one of 20 labelled samples positive, and a share of 0.7 in the new ones,
    0.67 of the intervals contained it.

    Parameters
    ----------
    y_true, y_pred : matrices of 0 and 1, shape (n_samples, n_labels)
        Truth and prediction of the labelled samples. Unknown cells of the truth are left out
        (`data.unknown`).
    y_pred_new : matrix of 0 and 1, shape (n_new_samples, n_labels)
        The predictions for samples without truth.
    level, n_resamples, seed
        As in `interval`. The other labels do not change the interval of a label.

    Returns
    -------
    list of n_labels Intervals
        From 0 to 1; nan where recall or specificity is 0/0, or their sum is not above 1.
        ``undefined`` counts such resamples, all if the value is nan; ``standard_error`` is the
        standard deviation of the others.

    References
    ----------
    Rogan & Gladen, "Estimating prevalence from the results of a screening test", 1978; Forman,
    "Quantifying counts and costs via classification", 2008 (adjusted count); Lang & Reiczigel,
    "Confidence limits for prevalence of disease adjusted for estimated sensitivity and
    specificity", 2014, who add whole samples.

    Examples
    --------
    Recall and specificity are 3/4 and p is 5/8, so θ is (5/8 − 1/4) ÷ (1/2) = 3/4:

    >>> rows = [*"11001010"], [*"10011010"], [*"11010101"]
    >>> y_true, y_pred, y_pred_new = np.array(rows, dtype=int)[:, :, None]
    >>> prevalence(y_true, y_pred, y_pred_new)
    [Interval(value=0.75, low=0, high=1, standard_error=0.341, undefined=182)]
    """
    check_resampling(level, n_resamples, seed)
    data, new = read_label_sets(y_true, y_pred), read_labels(y_pred_new, "y_pred_new")
    if new.shape[1] != data.shape[1]:
        problem = f"y_pred_new has shape {new.shape} and y_true has shape {data.shape}"
        raise ValueError(f"{problem}: give both the same labels as columns")
    matrices = {"y_true": y_true, "y_pred": y_pred, "y_pred_new": y_pred_new}
    check_same_order(matrices, "columns")  # the rows of y_pred_new are other samples
    outcomes = np.transpose(counts.count(data, axis=0))  # of each label: TP, FP, FN, TN
    n_predicted = new.sum(axis=0, dtype=float)  # float counts 0 and 1 of any dtype exactly
    labels = zip(outcomes, n_predicted, strict=True)
    of_labels = (_resample_prevalence(*label, new.shape[0], n_resamples, seed) for label in labels)
    return [bca_interval(resamples, level) for resamples in of_labels]


def value_or_interval(
    metric: MetricFunction,
    y_true: LabelMatrix,
    y_pred: LabelMatrix | ScoreMatrix,
    level: float | None,
    groups: Any,
) -> Any:
    """A metric's value, or with a level its interval; a list of them under ``average=None``."""
    value = metric(y_true, y_pred)
    if level is None:
        return value
    interval_of = per_label if np.ndim(value) else interval  # an array has a value per label
    return interval_of(metric, y_true, y_pred, level=level, groups=groups)


def groups_in_words(groups: Any) -> str:
    """The number of groups in words, with a warning if there are too few."""
    n_groups = len({*groups})
    warning = " (so few make intervals too narrow)" if n_groups < _ENOUGH_GROUPS else ""
    return f"{n_groups} groups of samples{warning}"


def check_resampling(level: Any, n_resamples: Any = 1000, seed: Any = 0) -> None:
    """Refuse options from which no interval can be computed."""
    check_options(level=level)
    n_resamples = read_int(
        n_resamples, "n_resamples", 3, _MAX_RESAMPLES
    )  # of 2, the remedy is level 0
    fewest = round(2 / (1 - level))  # one resample beyond each end
    if n_resamples < fewest:
        highest = math.floor((1 - 2 / n_resamples) * 1e6) / 1e6  # rounded down, so it is allowed
        remedy = f"give a level up to {highest}"
        if fewest <= _MAX_RESAMPLES:
            remedy += f", or n_resamples={fewest} to a function of uncertainty"
        raise ValueError(f"level is {level}, too high for {n_resamples} resamples: {remedy}")
    read_int(seed, "seed", 0)


# ---------------------------------------------------------------------------- draws


class Resamples(NamedTuple):
    """A metric on all samples, on all but each part in turn (jackknife), and on resamples.

    The jackknife is empty where `bca_interval` is to take plain percentiles.
    """

    value: float
    jackknife: FloatArray
    resampled: FloatArray

    def minus(self, other: "Resamples") -> "Resamples":
        """The differences of these values from those of another prediction on the same draws."""
        return Resamples(*map(operator.sub, self, other))


def resample(
    metric: MetricFunction,
    y_true: LabelMatrix,
    predictions: Mapping[Any, Any],
    n_resamples: int = 1000,
    seed: int = 0,
    groups: Any = None,
    is_per_label: bool = False,
) -> list[Resamples]:
    """`Resamples` of each prediction, or of each of its labels, from the same draws.

    ``predictions`` are matrices by the names that messages call them. ``is_per_label`` and the
    order of the result are as in `resample_data`, the other arguments as in `interval`.
    """
    data_sets = [read_data(metric, y_true, matrix, name) for name, matrix in predictions.items()]
    metric = align_options(metric, y_true, next(iter(predictions.values())))
    group = read_groups(groups, {"y_true": y_true, **predictions}, data_sets[0].shape[0])
    return resample_data(metric, data_sets, group, n_resamples, seed, is_per_label)


def resample_data(
    metric: MetricFunction,
    data_sets: Sequence[Data],
    group: NDArray[np.intp],
    n_resamples: int = 1000,
    seed: int = 0,
    is_per_label: bool = False,
) -> list[Resamples]:
    """`Resamples` of each prediction, or of each of its labels, from the same draws.

    ``data_sets`` hold the same samples with different predictions. ``group`` numbers the group of
    each sample from 0; groups are drawn whole. If ``is_per_label``, the result has all labels of
    the first prediction, then all of the second.
    """
    n_samples, n_labels = data_sets[0].shape
    record = find_record(metric)
    # The labels of such a metric are counted together; of another one, each is a data set.
    are_labels_counted = is_per_label and record is not None and record.reads_label_counts
    if is_per_label and not are_labels_counted:
        data_sets = [data.select_labels([j]) for data in data_sets for j in range(n_labels)]
    statistics = [_statistic(metric, data, are_labels_counted) for data in data_sets]
    n_groups = int(group.max()) + 1
    if n_groups < 2:
        raise ValueError("y_true has 1 sample, or groups has 1 value, to draw from: give more")
    n_parts = min(n_groups, _JACKKNIFE_PARTS)
    draws = _draws(group, n_parts, n_resamples, seed)
    # A draw takes a number per sample, and TP, FP, FN and TN of each label.
    batch_size = max(min(_BATCH_CELLS // (n_samples + 4 * n_labels), _BATCH_DRAWS), 1)
    batches = []
    while batch := list(itertools.islice(draws, batch_size)):
        batches.append(np.vstack([statistic(np.array(batch)) for statistic in statistics]))
    rows = np.concatenate(batches, axis=1)  # a row per statistic, a column per draw
    # The draws have all samples, then leave out each part, then are resamples.
    return [Resamples(float(row[0]), row[1 : n_parts + 1], row[n_parts + 1 :]) for row in rows]


def _draws(group: NDArray[np.intp], n_parts: int, n_resamples: int, seed: int) -> Iterator[Any]:
    """How often each draw has each sample: first all once, then all but a part, then resamples."""
    rng = np.random.default_rng(seed)
    n_groups = int(group.max()) + 1
    for i in progress(range(1 + n_parts + n_resamples)):
        if i <= n_parts:  # part i - 1, every n_parts-th group, is left out; there is no part -1
            n_times = group % n_parts != i - 1
        else:
            drawn_groups = rng.integers(n_groups, size=n_groups, dtype=np.int64)
            n_times = np.bincount(drawn_groups, minlength=n_groups)[group]
        yield n_times.astype(np.float32)


def read_data(
    metric: MetricFunction, y_true: LabelMatrix, y_pred: LabelMatrix | ScoreMatrix, name: str
) -> Data:
    """The data of a metric, checked; ``y_pred`` is called ``name`` in messages.

    A function outside the catalogue may get any finite numbers.
    """
    record = find_record(metric)
    bound = getattr(metric, "keywords", {})  # the options of a functools.partial
    read = record.read_data if record else partial(read_label_scores, keep_sparse=True)
    return read(y_true, y_pred, bound.get("sample_weight"), name=name)


def metric_value(metric: MetricFunction, data: Data) -> float:
    """The metric's value on checked data."""
    all_once = np.ones((1, data.shape[0]), dtype=np.float32)  # a single draw
    return float(_statistic(metric, data)(all_once)[0])


def _statistic(metric: MetricFunction, data: Data, is_per_label: bool = False) -> Statistic:
    """The metric of these data as a function of draws, with as little work per draw as it allows.

    A mean over samples needs the value of each sample once. A ratio of counts needs the counts of
    each draw. Any other metric is called on the rows of each draw.
    """
    if record := find_record(metric):
        options = resolve_scalar_options(metric)
        if record.unit == "sample":
            return _mean_of_samples(record, options, data)
        average = None if is_per_label else options.get("average")
        # A hierarchical metric averages over samples (axis 1) if its option says so.
        if record.reads == "y_pred" and AVERAGES[average].axis != 1:
            data = record.prepare(data, options) if record.prepare else data
            return _count_ratio(record, options, data, average)
    return lambda draws: [_value_of_rows(metric, data, draw) for draw in draws]


def _mean_of_samples(record: catalogue.Metric, options: Any, data: Data) -> Statistic:
    """A mean over samples as a function of draws; each sample has the same value in all of them."""
    unweighted = options | {"per_sample": True, "sample_weight": None}
    values = record.function(data.y_true, data.prediction, **unweighted)
    weight = record.sample_weights(data)
    return lambda draws: [counts.nanmean(values, weight * draw) for draw in draws]


def _count_ratio(record: catalogue.Metric, options: Any, data: Data, average: Any) -> Statistic:
    """A ratio of counts, averaged over labels, as a function of draws.

    How often a sample is drawn acts as its weight. The value is nan if all weights are 0.
    """
    formula = record.bound_formula(options, data.shape[1])
    count = _cell_counter(data) if AVERAGES[average].is_pooled else _label_counter(data)

    def statistic(draws: Draws) -> Any:
        counted = count(draws)
        values = counts.ratio(formula, counted, options.get("zero_division", math.nan))
        support = counted.tp + counted.fn
        draws_of_labels = zip(values, support, strict=True)
        averages = [counts.average_labels(*labels, average) for labels in draws_of_labels]
        return np.array(averages).T  # (n_labels, n_draws) without average, else (n_draws,)

    return statistic


def _cell_counter(data: Data) -> Callable[[Draws], counts.Counts]:
    """Function that counts all cells together in each draw, from the counts of each sample."""
    weight = 1.0 if data.weight is None else data.weight
    per_sample = np.multiply(counts.count(data, axis=1), weight)  # (4 outcomes, n_samples)
    # o is the outcome (TP, FP, FN or TN), s the sample, d the draw.
    return lambda draws: counts.Counts(*np.einsum("os,ds->od", per_sample, draws))


def _label_counter(data: Data) -> Callable[[Draws], counts.Counts]:
    """Function that counts each label in each draw."""
    weight = data.weight  # without weights, the draws are not copied, which saves memory
    return lambda draws: counts.count(
        data.with_weight(draws if weight is None else draws * weight), axis=0
    )


def _value_of_rows(metric: MetricFunction, data: Data, draw: NDArray[Any]) -> float:
    """What the metric returns for the drawn rows: a finite number, or nan.

    It is nan, without a call, if the weights of all these rows are 0.
    """
    rows = data.select_samples(np.repeat(np.arange(len(draw)), draw.astype(np.intp)))
    if rows.weight is not None and not rows.weight.any():
        return math.nan
    options = {} if rows.weight is None else {"sample_weight": rows.weight}
    return read_metric_value(metric(rows.y_true, rows.prediction, **options))


# ---------------------------------------------------------------------------- the interval


def bca_interval(resamples: Resamples, level: float) -> Interval:
    """BCa interval, in the symbols of Efron & Tibshirani (1993), with Student's t for z.

    Without a jackknife, its ends are percentiles of the resamples.
    """
    value = resamples.value
    defined = resamples.resampled[~np.isnan(resamples.resampled)]
    error = float(defined.std(ddof=1)) if len(defined) > 1 else math.nan
    counts_as_below = np.where(np.abs(defined - value) < TOLERANCE, 0.5, defined < value)
    low = high = math.nan
    if 0 < counts_as_below.sum() < len(defined):  # else z0 would be infinite
        share_below = float(counts_as_below.mean())
        alpha_1, alpha_2 = (1 - level) / 2, (1 + level) / 2
        if len(resamples.jackknife):  # else the ends are percentiles
            alpha_1, alpha_2 = _bca_alphas(share_below, resamples.jackknife, level)
        if alpha_1 <= share_below <= alpha_2:  # else the interval would not contain the value
            low, high = np.quantile(defined, (alpha_1, alpha_2)).tolist()
    return Interval(value, low, high, error, len(resamples.resampled) - len(defined))


def _bca_alphas(share_below: float, jackknife: FloatArray, level: float) -> tuple[float, float]:
    """Efron's α1 and α2: the BCa interval ends at these quantiles of the resamples.

    The bias correction is z0 = Φ⁻¹(share of the resamples below the value). The acceleration is
    a = Σ d³ / (6 (Σ d²)^(3/2)), where the influence d of a part is the mean of the jackknife values
    minus the value without the part.
    """
    z0 = NormalDist().inv_cdf(share_below)
    influence = jackknife.mean() - jackknife
    sum_of_squares = float((influence**2).sum())
    acceleration = 0.0
    t = NormalDist().inv_cdf((1 + level) / 2)
    # The sum is 0 if no part matters, and nan if the metric is undefined without some part: then
    # there is neither an acceleration nor a number of degrees of freedom, and t stays Φ⁻¹.
    if sum_of_squares > TOLERANCE**2:
        acceleration = float((influence**3).sum() / sum_of_squares**1.5) / 6
        t = _student_quantile((1 + level) / 2, _degrees_of_freedom(influence))
    return _bca_alpha(-t, z0, acceleration), _bca_alpha(t, z0, acceleration)


def _bca_alpha(z: float, z0: float, acceleration: float) -> float:
    """Efron's α = Φ(z0 + (z0 + z) / (1 − a (z0 + z))), where a is the acceleration.

    Without bias and acceleration, z0 = a = 0, it is Φ(z).
    """
    # The denominator is kept positive. As it goes to 0, α goes to 0 or 1.
    denominator = max(1 - acceleration * (z0 + z), TOLERANCE)
    return NormalDist().cdf(z0 + (z0 + z) / denominator)


def _degrees_of_freedom(influence: FloatArray) -> float:
    """Satterthwaite's degrees of freedom 2 V² / Var(V) of the variance V = Σ d²; from 3 to n − 1.

    Var(V) is estimated by Σ d⁴ − V² / n, which is large if few of the n influences d determine V.
    `_student_quantile` takes no fewer than 3 degrees.
    """
    squares, n = influence**2, len(influence)
    relative_variance = float((squares**2).sum() / squares.sum() ** 2) - 1 / n
    return max(min(2 / max(relative_variance, TOLERANCE), n - 1.0), 3.0)


def _student_quantile(probability: float, degrees_of_freedom: float) -> float:
    """The quantile of Student's t for a probability of 1/2 or more, from 3 to 199 degrees.

    With t = √ν tan θ, the density of θ is proportional to cos^(ν−1) θ, from −π/2 to π/2. From 0 up
    to the quantile of p lies the share 2 p − 1 of the half above 0. The density is summed up from 0
    in steps so small that the quantile is right to six digits.
    """
    edges = np.linspace(0, math.pi / 2, 10_001)
    density = np.cos((edges[1:] + edges[:-1]) / 2) ** (degrees_of_freedom - 1)
    cumulative = np.append(0, density.cumsum())
    theta = np.interp((2 * probability - 1) * cumulative[-1], cumulative, edges)
    return math.sqrt(degrees_of_freedom) * math.tan(theta)


def _wilson_intervals(
    record: catalogue.Metric, options: Any, data: Data, level: float
) -> list[Interval]:
    """Wilson's interval of each label, for a metric w s / (w s + f) of s successes and f failures.

    The record declares the odds factor w. In terms of the share p = s / (s + f), the metric is
    w p / (1 + (w − 1) p). It rises with p, so the ends of its interval follow from those of p.
    """
    factor, formula = record.odds_factor, record.bound_formula(options)
    counted = counts.count(data, axis=0)
    numerator, denominator = formula(counted)
    successes, failures = numerator / factor, denominator - numerator
    z = NormalDist().inv_cdf((1 + level) / 2)
    # 1 minus the lower end of the share of failures is the upper end of the share of successes.
    ends = _wilson_lower_end(successes, failures, z), 1 - _wilson_lower_end(failures, successes, z)
    low, high = (factor * p / (1 + (factor - 1) * p) for p in ends)
    value = counts.ratio(formula, counted, options.get("zero_division", math.nan))
    # The last two numbers of an `Interval`: the standard error, see there; no undefined resample.
    rows = np.stack([value, low, high, (high - low) / (2 * z)], axis=1)
    return [Interval._make((*row, 0)) for row in rows.tolist()]


def _wilson_lower_end(successes: FloatArray, failures: FloatArray, z: float) -> FloatArray:
    """Lower end of Wilson's interval for the share of s successes among n = s + f.

    It is (s + z²/2 − z √(s f / n + z²/4)) / (n + z²), computed as s² / n / (s + z²/2 + z √(…)),
    which is exactly 0 without successes. It is nan if n is 0.
    """
    n = np.where(successes + failures > 0, successes + failures, math.nan)
    root = np.sqrt(successes * failures / n + z**2 / 4)
    return np.asarray(successes**2 / n / (successes + z**2 / 2 + z * root))


def _resample_prevalence(
    outcomes: NDArray[np.intp], n_predicted: float, n_new: int, n_resamples: int, seed: int
) -> Resamples:
    """`Resamples` of the corrected share of a label, without a jackknife; see `prevalence`.

    ``outcomes`` are the numbers of TP, FP, FN and TN of the labelled samples; for ``n_predicted``
    of the ``n_new`` new samples the label is predicted.
    """
    value = float(_corrected_share(outcomes, n_predicted / n_new))
    rng = np.random.default_rng(seed)
    # Half a sample is added to each of the four outcomes, and to predicted and not predicted, so
    # that a resample can have an outcome which the samples lack.
    weight = outcomes + 0.5
    drawn = rng.multinomial(outcomes.sum(), weight / weight.sum(), size=n_resamples)
    n_drawn = rng.binomial(n_new, (n_predicted + 0.5) / (n_new + 1), size=n_resamples)
    resampled = _corrected_share(drawn.T, n_drawn / n_new)
    # Without a value there is no interval either, even if the resamples have values.
    return Resamples(value, np.empty(0), np.where(math.isnan(value), math.nan, resampled))


def _corrected_share(outcomes: NDArray[np.intp], predicted_share: Any) -> FloatArray:
    """The share of samples that have a label, from the share for which it is predicted.

    It is (p − f) / (recall − f), clipped to 0 and 1, where p is the predicted share and f the false
    alarm rate, 1 − specificity. It is nan unless recall is above f. ``outcomes`` are TP, FP, FN and
    TN: numbers, or arrays with an entry per resample.
    """
    tp, fp, fn, tn = outcomes
    recall = counts.safe_divide(tp, tp + fn, math.nan)
    false_alarm_rate = counts.safe_divide(fp, fp + tn, math.nan)
    range_of_p = np.where(recall > false_alarm_rate, recall - false_alarm_rate, math.nan)
    return np.asarray(np.clip((predicted_share - false_alarm_rate) / range_of_p, 0, 1))
