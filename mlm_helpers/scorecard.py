"""Metrics of a data set from sums and counts: in one pass, in batches, on one machine or many.

Sums and counts of two batches add up, but metrics do not: the mean of two macro F1s is not the
macro F1 of both batches. A scorecard therefore keeps sums over samples and counts per label, and
divides last. A scorecard keeps no data, so its size depends only on the number of labels. It has no
curve metrics, no hierarchical metrics and no calibration error. Bad input raises a TypeError or a
ValueError.

The conventions of a scorecard are the options under which it computes all of its metrics. The
summands of a metric are its ratios of samples, whose sums the scorecard keeps.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import add
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts, losses, ordering
from mlm_helpers._core.counts import Counts, Ratio
from mlm_helpers._core.inputs.ancestry import align_to_labels
from mlm_helpers._core.inputs.data import Data, LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.options import (
    CHECKS,
    TIES,
    TOP_K_TIES,
    check_choice,
    frame_names,
    read_k,
    resolve_names,
)
from mlm_helpers._core.inputs.read import read_label_scores, read_label_sets, read_probabilities
from mlm_helpers._core.inputs.refuse import check_same_order, short_repr
from mlm_helpers.tables import Display, count_phrase, table

__all__ = ["Scorecard", "Sum"]

_TIE_RULES = tuple(dict.fromkeys(TIES + TOP_K_TIES))
_SHARED_CONVENTIONS = {  # the first value is the default; None is that of each metric
    "zero_division": catalogue.Parameter(CHECKS["zero_division"], (0.0,)),
    "ties": catalogue.Parameter(partial(check_choice, allowed=_TIE_RULES, name="ties"), (None,)),
    "undefined": catalogue.Parameter(CHECKS["undefined"], (None,)),
}
_VERSION = 2  # of the format of `Scorecard.to_json`
Summands: TypeAlias = tuple[catalogue.Metric, Ratio, Any]  # metric, ratios of samples, value of 0/0


class Sum(NamedTuple):
    """A metric's sums over samples, whose ratio is the metric, and the number of undefined samples.

    For a mean over samples, ``total`` is the weighted sum of the values and ``weight`` the sum of
    the weights. For one ratio over the data set, they are the sums of the numerators and of the
    denominators.
    """

    total: float
    weight: float
    undefined: int


@dataclass(frozen=True, eq=False, repr=False)
class Scorecard:
    """Sums and counts of a data set, from which its metrics are computed.

    Attributes
    ----------
    n_samples, n_labels : int
    labels : list of str, or None
        The labels' names, if they were given or a DataFrame has them.
    conventions : mapping
        The options of the metrics: ``zero_division``, ``beta``, ``ties`` and others, see
        `from_batch`.
    sums : mapping of str to Sum
        The sums over samples, by the metric's id in the catalogue.
    confusion : Counts, or None
        True and false positives and negatives of each label, if label sets were given: arrays of
        shape (n_labels,), of whole numbers unless samples are weighted.
    """

    n_samples: int
    n_labels: int
    labels: Sequence[str] | None
    conventions: Mapping[str, Any]
    sums: Mapping[str, Sum]
    confusion: Counts | None

    @classmethod
    def from_batch(
        cls,
        y_true: LabelMatrix,
        y_pred: LabelMatrix | None = None,
        y_score: ScoreMatrix | None = None,
        *,
        y_prob: ScoreMatrix | None = None,
        sample_weight: Any = None,
        labels: Sequence[str] | None = None,
        **conventions: Any,
    ) -> "Scorecard":
        """The scorecard of a batch, which reads each matrix once.

        Parameters
        ----------
        y_true : matrix of 0 and 1, shape (n_samples, n_labels)
            Masked cells are left out, as in the metrics; they are refused beside ``y_prob``.
        y_pred, y_score, y_prob : matrices of the same shape, at least one of them
            0 and 1 for the set metrics, finite numbers for the ranking metrics, and numbers from 0
            to 1 for log loss and Brier score.
        sample_weight : array of shape (n_samples,), optional
            The weights of a batch may all be 0, because other batches may follow.
        labels : a different name for each label, optional, by default a DataFrame's columns
            Scorecards with different names cannot be added.
        **conventions
            Options of the metrics: ``zero_division=0.0``, ``start=1``; ``beta=2.0``, the β of Fβ;
            ``ties`` and ``undefined``, by default that of each metric; and options of other metrics
            in the catalogue, such as ``k=1``. ``ties="max"`` and ``"min"`` are for ranking metrics
            alone, ``"worst"`` and ``"best"`` for top-k metrics: the others keep their default. A
            metric with required options that can differ by label (``miss`` and ``false_alarm``, or
            ``inverse_propensities``) is on the scorecard only if they are given.

        Examples
        --------
        >>> first = Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
        >>> second = Scorecard.from_batch([[0, 1]], [[1, 1]])
        >>> (first + second).values()["macro F1"]
        0.75
        """
        readers: Any = (
            (y_pred, read_label_sets, _summands_of_sets),
            (y_score, partial(read_label_scores, keep_sparse=True), _summands_of_scores),
            (y_prob, read_probabilities, _summands_of_probabilities),
        )
        data_sets = [
            (read(y_true, matrix, sample_weight, is_batch=True), summands_of)
            for matrix, read, summands_of in readers
            if matrix is not None
        ]
        if not data_sets:
            raise ValueError("y_pred, y_score and y_prob are missing: give one of them or more")
        first, _ = data_sets[0]  # the label sets, if they are given
        n_samples, n_labels = first.shape
        matrices = {"y_true": y_true, "y_score": y_score, "y_pred": y_pred, "y_prob": y_prob}
        check_same_order(matrices)
        for name, value in conventions.items():
            conventions[name] = align_to_labels(value, name, **matrices)
        resolved = _resolve_conventions(conventions, n_labels)
        sums = {}
        for data, summands_of in data_sets:
            for record, ratios, value_of_0_over_0 in summands_of(data, resolved):
                sums[record.id] = _sum_over_samples(record, data, ratios, value_of_0_over_0)
        confusion = None if y_pred is None else counts.count(first, axis=0)
        frames = matrices.values()
        if labels is not None or frame_names("columns", *frames):
            labels = resolve_names(labels, range(n_labels), "label", *frames)
        return cls(n_samples, n_labels, labels, resolved, sums, confusion)

    def __add__(self, other: "Scorecard") -> "Scorecard":
        """The scorecard of both data sets together.

        Raises a ValueError if labels, conventions or metrics differ.
        """
        if not isinstance(other, Scorecard):
            return NotImplemented
        settings, other_settings = self._settings(), other._settings()
        for name in settings | other_settings:
            value, other_value = settings.get(name), other_settings.get(name)
            are_nan = value != value and other_value != other_value  # only nan differs from itself
            if value != other_value and not are_nan:
                raise ValueError(
                    f"{name} is {short_repr(value)} in one scorecard and {short_repr(other_value)} "
                    "in the other: add scorecards of the same labels and conventions"
                )
        n_samples = self.n_samples + other.n_samples
        sums = {key: Sum(*map(add, own, other.sums[key])) for key, own in self.sums.items()}
        # with the same metrics, either both scorecards have counts or neither
        confusion = self.confusion and Counts(*map(add, self.confusion, other.confusion or ()))
        return replace(self, n_samples=n_samples, sums=sums, confusion=confusion)

    def _settings(self) -> dict[str, Any]:
        """What scorecards that are added must share, by name: labels, conventions and metrics.

        The value of a metric only marks that the scorecard has it.
        """
        labels = {f"label {j}": name for j, name in enumerate(self.labels or ())}
        metrics = dict.fromkeys(self.sums, "a sum")
        return {"n_labels": self.n_labels, **self.conventions, **labels, **metrics}

    def __radd__(self, other: object) -> "Scorecard":
        """The scorecard itself where ``sum(scorecards)`` adds it to its start, 0."""
        return self if other == 0 else NotImplemented

    def values(self) -> dict[str, float]:
        """The value of each metric by name, in the order of the catalogue; nan if undefined."""
        return {name: metric.value for name, metric in self._metrics().items()}

    def undefined(self) -> dict[str, int]:
        """The number of undefined samples, or undefined labels, of each metric by name.

        In a mean, undefined samples or labels count as the conventions say, except that samples or
        labels without a known cell are left out. A micro average is one ratio, so its number is 1
        if that ratio is undefined, else 0.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0], [0, 0]], [[1, 0], [0, 0]])
        >>> card.undefined()["samples recall"], card.undefined()["macro recall"]
        (1, 1)
        """
        return {name: metric.n_undefined for name, metric in self._metrics().items()}

    def table(self) -> Display:
        """Table of all metrics of the scorecard."""
        rows = []
        for name, (record, average, value, n_undefined) in self._metrics().items():
            arrow = "↑" if record.higher_is_better else "↓"
            call = record.sklearn_call(average) or None
            rows.append((name, record.family, value, arrow, n_undefined or None, call))
        header = ("metric", "family", "value", "better", "without a value", "in scikit-learn")
        texts = [f"{name}={short_repr(value)}" for name, value in self.conventions.items()]
        size = f"{count_phrase(self.n_samples, 'sample')}, {count_phrase(self.n_labels, 'label')}"
        return replace(table(header, rows, ", ".join(texts), decimals=6), title=size)

    def __repr__(self) -> str:
        """The table as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def to_json(self) -> str:
        """The scorecard as JSON, with the version of its format; nan is written as NaN."""
        return json.dumps({"version": _VERSION, **vars(self)}, default=np.ndarray.tolist)

    @classmethod
    def from_json(cls, text: str) -> "Scorecard":
        """The scorecard that `to_json` wrote; a ValueError for other text or another version.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
        >>> (card + Scorecard.from_json(card.to_json())).n_samples
        4
        """
        try:
            fields = dict(json.loads(text))
        except (TypeError, ValueError):  # text is not a str, or not a JSON object
            fields = {}
        if fields.pop("version", None) != _VERSION:
            problem = f"text is {short_repr(text)}, not a scorecard of version {_VERSION}"
            raise ValueError(f"{problem}: pass what to_json wrote, or compute the scorecard again")
        fields["sums"] = {key: Sum(*numbers) for key, numbers in fields["sums"].items()}
        # None, without label sets, stays None
        fields["confusion"] = fields["confusion"] and Counts(*map(np.array, fields["confusion"]))
        return cls(**fields)

    def _metrics(self) -> dict[str, "_MetricValue"]:
        """The value of each average of each metric on the scorecard, by the average's full name."""
        metrics: dict[str, _MetricValue] = {}
        for record, options in _additive_metrics(self.conventions):
            for metric in self._averages(record, options):
                bound = {name: options[name] for name in record.required}
                bound |= {"average": metric.average} if metric.average else {}
                name = catalogue.full_name(partial(record.function, **bound))
                metrics.setdefault(name, metric)  # Fβ with beta=1 has the name of F1, which stays
        return metrics

    def _averages(self, record: catalogue.Metric, options: Any) -> Iterator["_MetricValue"]:
        """The value of each average of a metric; none if the scorecard does not have the metric."""
        if record.id in self.sums:
            total, weight, n_undefined = self.sums[record.id]
            value = total / weight if weight > 0 else math.nan
            yield _MetricValue(record, record.defaults.get("average"), value, n_undefined)
        elif record.reads_label_counts and self.confusion:
            formula = record.bound_formula(options, self.n_labels)
            averages: Any = filter(None, record.averages)  # None is a value per label
            for average in averages:
                zero_division = options["zero_division"]
                mean = counts.average_ratio(formula, self.confusion, average, zero_division)
                _, denominators = formula(counts.pool(self.confusion, average))
                yield _MetricValue(record, average, float(mean), int(np.sum(denominators == 0)))


class _MetricValue(NamedTuple):
    """The value of a metric under an average, and its number of undefined samples or labels."""

    record: catalogue.Metric
    average: Any
    value: float
    n_undefined: int


def _resolve_conventions(conventions: Mapping[str, Any], n_labels: int) -> dict[str, Any]:
    """All conventions, given or by default, checked and without NumPy types.

    A convention with a value per label has no default.
    """
    known = dict(_SHARED_CONVENTIONS)  # these come first, as in the caption of the table
    for record in catalogue.METRICS:
        if record.is_additive:
            known |= record.parameters
    known |= _SHARED_CONVENTIONS  # whose "ties", say, has the rules of all families
    known.pop("average", None)  # a scorecard has all averages
    resolved = {name: p.values[0] for name, p in known.items() if not p.per_label}
    for name, value in conventions.items():
        if name not in known:
            remedy = "give an option of its metrics, such as zero_division"
            raise TypeError(f"{name} is not a convention of a scorecard: {remedy}")
        if value is not None:
            resolved[name] = np.asarray(known[name].resolve(value, n_labels)).tolist()
    read_k(resolved["k"], n_labels)  # refuses more than n_labels
    return resolved


def _additive_metrics(
    conventions: Mapping[str, Any], reads: str = ""
) -> Iterator[tuple[catalogue.Metric, Any]]:
    """The metrics on the scorecard, each with its options under the conventions.

    If ``reads`` names a matrix, such as "y_pred", they are only the metrics that read it and whose
    sums run over samples: not label-based ones, which follow from counts per label. Metrics of
    probabilities are all included, because their macro average is also the mean over all cells.
    """
    chosen = {name: value for name, value in conventions.items() if value is not None}
    for record in catalogue.METRICS:
        is_sum = record.reads == reads and (record.unit != "label" or reads == "y_prob")
        is_on_card = record.is_additive and chosen.keys() >= {*record.required_per_label}
        if is_on_card and (is_sum or not reads):
            options = record.defaults | chosen
            # A rule that the metric lacks, such as "worst" for ranking metrics, leaves its default.
            if "ties" in chosen and chosen["ties"] not in record.tie_rules:
                options["ties"] = record.defaults.get("ties")
            yield record, options


def _summands_of_sets(data: Data, conventions: Mapping[str, Any]) -> Iterator[Summands]:
    """The summands of the set metrics, from the counts of each sample."""
    per_sample = counts.count(data, axis=1)
    for record, options in _additive_metrics(conventions, "y_pred"):
        formula = record.bound_formula(options, data.shape[1])
        value_of_0_over_0 = counts.value_of_0_over_0(per_sample, options["zero_division"])
        yield record, formula(per_sample), value_of_0_over_0


def _summands_of_scores(data: Data, conventions: Mapping[str, Any]) -> Iterator[Summands]:
    """The summands of the ranking metrics, from one sort of the scores for each tie rule."""
    metrics_of = defaultdict(list)
    for record, options in _additive_metrics(conventions, "y_score"):
        metrics_of[record.keeps_sparse, options["ties"]].append((record, options))
    for (keeps_sparse, ties), metrics in metrics_of.items():
        formulas = [record.bound_formula(options, data.shape[1]) for record, options in metrics]
        rows = data if keeps_sparse else data.dense()
        all_ratios = ordering.ratios_per_sample(formulas, rows, ties)
        for (record, options), ratios in zip(metrics, all_ratios, strict=True):
            yield record, ratios, options.get("undefined")


def _summands_of_probabilities(data: Data, conventions: Mapping[str, Any]) -> Iterator[Summands]:
    """The summands of the metrics of probabilities: the mean loss of the cells of each sample."""
    if data.known is not None:
        raise ValueError(
            "y_true has unknown cells, which scorecards of y_prob cannot leave out: "
            "leave y_prob out, and call mlm_helpers.probability on all data"
        )
    for record, options in _additive_metrics(conventions, "y_prob"):
        loss: Any = record.bound_formula(options)
        yield record, losses.mean_per_sample(loss, data), 0.0  # never 0/0: all cells are known


def _sum_over_samples(
    record: catalogue.Metric, data: Data, ratios: Ratio, value_of_0_over_0: Any
) -> Sum:
    """The `Sum` of the ratios of samples; a ratio is nan for a sample without a known cell."""
    numerator, denominator = np.broadcast_arrays(*ratios)
    n_undefined = int(np.count_nonzero(~(denominator > 0)))  # where it is 0 or nan
    weight = data.weight
    if record.unit == "all":
        total, _ = counts.weighted_sums(numerator, weight)
        whole, _ = counts.weighted_sums(denominator, weight)
        return Sum(total, whole, n_undefined)
    # A sample weighs by the share of its known cells, so that a fully known one weighs 1 in any
    # batch.
    if record.is_share_of_cells and data.known is not None:
        weight = record.sample_weights(data) / data.shape[1]
    values = counts.safe_divide(numerator, denominator, value_of_0_over_0)
    return Sum(*counts.weighted_sums(values, weight), n_undefined)
