"""All metrics of a data set in one pass over it, batch by batch, on one machine or on many.

A mean can be merged: two sums and two counts add up. A metric cannot: the mean of two batches' macro
F1s is not the macro F1 of both. So a scorecard keeps what adds up, sums over samples and counts per
label, never the data; its size depends on the number of labels alone. Dividing comes last.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import add
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs, losses, ordering
from mlm_helpers._core.counts import Counts, Parts
from mlm_helpers._core.inputs import Data
from mlm_helpers.tables import Display, count_phrase, table

_CONVENTIONS = {"zero_division": 0.0, "beta": 2.0, "ties": None, "start": 1, "undefined": None}
_VERSION = 1
Summand: TypeAlias = tuple[catalogue.Metric, Parts, Any]
"""A metric, the part and the whole of each sample, and the value of those that have none."""


class Sum(NamedTuple):
    """A metric's sums over samples: the numerator, the denominator, and the number of undefined samples.

    They are the weighted sum of the samples' values and the sum of their weights; or of a ratio of two
    sums over the data set, these two.
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
    labels : tuple of str, or None
        The labels' names, where they were given or a DataFrame has them.
    conventions : mapping
        ``zero_division``, ``beta``, ``ties``, ``start``, ``undefined`` and others, see `from_batch`.
    sums : mapping of str to Sum
        The sums over samples, by the metric's id in the catalogue.
    confusion : Counts, or None
        True and false positives and negatives of each label, if there were predictions: arrays of
        shape (n_labels,), of whole numbers unless samples were weighted.
    """

    n_samples: int
    n_labels: int
    labels: tuple[str, ...] | None
    conventions: Mapping[str, Any]
    sums: Mapping[str, Sum]
    confusion: Counts | None

    @classmethod
    def from_batch(
        cls,
        y_true: Any,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        y_prob: Any = None,
        sample_weight: Any = None,
        labels: Sequence[str] | None = None,
        **conventions: Any,
    ) -> "Scorecard":
        """The scorecard of a batch; each matrix is read once.

        Parameters
        ----------
        y_true : matrix of 0 and 1, shape (n_samples, n_labels)
            Masked cells are left out, as in the metrics; not beside ``y_prob``.
        y_pred, y_score, y_prob : matrices of the same shape, of which at least one is given
            0 and 1 for the set metrics, finite numbers for the ranking metrics, and numbers from 0 to 1
            for log loss and Brier score.
        sample_weight : array of shape (n_samples,), optional
            The weights of a batch may all be 0, since other batches may follow.
        labels : a different name for each label, optional, by default a DataFrame's columns
            Scorecards of different names are not added.
        **conventions
            As in the metrics: ``zero_division=0.0``, ``start=1``; ``beta=2.0``, the β of Fβ; ``ties``
            and ``undefined``, by default each metric's own; and options that other metrics of the
            catalogue have, such as ``k=1``. A metric that requires an option per label is on the
            scorecard only if the option is given.

        Raises
        ------
        TypeError, ValueError
            One sentence that names the argument, the first offending value and the remedy.

        Examples
        --------
        >>> first = Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
        >>> second = Scorecard.from_batch([[0, 1]], [[1, 1]])
        >>> (first + second).values()["macro F1"]
        0.75
        """
        gates: Any = (
            (y_pred, inputs.read_label_sets, _of_sets),
            (y_score, partial(inputs.read_label_scores, keep_sparse=True), _of_scores),
            (y_prob, inputs.read_probabilities, _of_cells),
        )
        read = []
        for matrix, gate, summands in gates:
            if matrix is not None:
                read.append((gate(y_true, matrix, sample_weight, is_batch=True), summands))
        if not read:
            raise ValueError("y_pred, y_score and y_prob are missing: give one of them or more")
        first = read[0][0]
        n_samples, n_labels = first.shape
        named = {"y_true": y_true, "y_score": y_score}
        inputs.check_same_order({**named, "y_pred": y_pred, "y_prob": y_prob})
        conventions = {n: inputs.align_to_labels(v, n, **named) for n, v in conventions.items()}
        chosen = _checked(conventions, n_labels)
        sums = {}
        for data, summands in read:
            for record, *rest in summands(data, chosen):
                sums[record.id] = _sum(record, data, *rest)
        confusion = None if y_pred is None else counts.count(first, axis=0)
        names: Any = inputs.frame_names("columns", y_true, y_pred, y_score, y_prob)
        names = names if labels is None else labels
        if names is not None:
            names = tuple(inputs.resolve_names(names, range(n_labels), "label"))
        return cls(n_samples, n_labels, names, chosen, sums, confusion)

    def __add__(self, other: "Scorecard") -> "Scorecard":
        """The scorecard of both data sets together; labels and conventions must be the same."""
        if not isinstance(other, Scorecard):
            return NotImplemented
        mine, theirs = self._settings(), other._settings()
        for name in mine | theirs:
            one, another = mine.get(name), theirs.get(name)
            if one != another and not (one != one and another != another):  # nan is the same as nan
                what = f"{name} is {inputs.short_repr(one)} in one scorecard and {inputs.short_repr(another)}"
                remedy = "add scorecards of the same labels and conventions"
                raise ValueError(f"{what} in the other: {remedy}")
        n_samples = self.n_samples + other.n_samples
        sums = {name: Sum(*map(add, one, other.sums[name])) for name, one in self.sums.items()}
        confusion = self.confusion and Counts(*map(add, self.confusion, other.confusion or ()))
        return replace(self, n_samples=n_samples, sums=sums, confusion=confusion)

    def _settings(self) -> dict[str, Any]:
        """What two scorecards that are added must have in common, by name."""
        labels = {f"label {j}": name for j, name in enumerate(self.labels or ())}
        sums = dict.fromkeys(self.sums, "a sum")
        return {"n_labels": self.n_labels, **self.conventions, **labels, **sums}

    def __radd__(self, other: object) -> "Scorecard":
        """Let ``sum(scorecards)`` begin at 0."""
        return self if other == 0 else NotImplemented

    def values(self) -> dict[str, float]:
        """Every metric's value by name, in the order of the catalogue; nan where there is none."""
        return {name: value for name, (_, _, value, _) in self._rows().items()}

    def undefined(self) -> dict[str, int]:
        """For each metric the number of samples, or of labels, without a value.

        They count in the mean as the conventions say; samples or labels without a known cell do not count.
        A micro average is one ratio, so its number is 1 or 0.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0], [0, 0]], [[1, 0], [0, 0]])
        >>> card.undefined()["samples recall"], card.undefined()["macro recall"]
        (1, 1)
        """
        return {name: undefined for name, (*_, undefined) in self._rows().items()}

    def table(self, metrics: Iterable[catalogue.Metric] | None = None) -> Display:
        """Table of all metrics of the card, or of some records, such as ``catalogue.taught()``."""
        chosen = catalogue.METRICS if metrics is None else list(metrics)
        rows = []
        for name, (record, average, value, undefined) in self._rows().items():
            if record in chosen:
                arrow = "↑" if record.higher_is_better else "↓"
                call = record.sklearn_call(average) or None
                rows.append((name, record.family, value, arrow, undefined or None, call))
        header = ("metric", "family", "value", "better", "without a value", "in scikit-learn")
        caption = ", ".join(
            f"{name}={inputs.short_repr(v)}" for name, v in self.conventions.items()
        )
        steps = table(header, rows, caption, decimals=6).steps
        size = count_phrase(self.n_samples, "sample"), count_phrase(self.n_labels, "label")
        return Display(", ".join(size), steps)

    def __repr__(self) -> str:
        """The table as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def to_json(self) -> str:
        """The scorecard as JSON, with the version of this format; nan is written as NaN."""
        return json.dumps({"version": _VERSION, **vars(self)}, default=np.ndarray.tolist)

    @classmethod
    def from_json(cls, text: str) -> "Scorecard":
        """The scorecard that `to_json` wrote; a ValueError if the version is another one.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
        >>> (card + Scorecard.from_json(card.to_json())).n_samples
        4
        """
        fields = json.loads(text)
        version = fields.pop("version", None) if isinstance(fields, dict) else None
        if version != _VERSION:
            versions = f"{inputs.short_repr(version)} and this package reads version {_VERSION}"
            raise ValueError(f"the scorecard has version {versions}: compute the scorecard again")
        inputs.read_k(fields["conventions"]["k"], fields["n_labels"])
        fields["labels"] = fields["labels"] and tuple(fields["labels"])
        fields["sums"] = {name: Sum(*kept) for name, kept in fields["sums"].items()}
        fields["confusion"] = fields["confusion"] and Counts(*map(np.array, fields["confusion"]))
        return cls(**fields)

    def _rows(self) -> dict[str, tuple[catalogue.Metric, Any, float, int]]:
        """Record, average, value and number of undefined ones of every metric on the card, by name."""
        rows: dict[str, Any] = {}
        for record, options in _recorded(self.conventions):
            for average, *row in self._values_of(record, options):
                bound = {name: options[name] for name in record.required}
                bound |= {"average": average} if average else {}
                name = catalogue.full_name(partial(record.function, **bound))
                rows.setdefault(name, (record, average, *row))  # with beta=1, F1 comes before Fβ
        return rows

    def _values_of(self, record: catalogue.Metric, options: Any) -> Iterator[Any]:
        """Each average, the value and the number of undefined ones; none if it is not on the card."""
        if record.id in self.sums:
            total, weight, undefined = self.sums[record.id]
            value = total / weight if weight > 0 else math.nan
            yield record.defaults.get("average"), value, undefined
        elif record.reads_label_counts and self.confusion:
            parts, zero_division = record.formula(options, self.n_labels), options["zero_division"]
            pooled = Counts(*(each.sum() for each in self.confusion))
            averages: Any = filter(None, record.averages)
            for average in averages:
                counted = pooled if average == "micro" else self.confusion
                value = float(counts.average_ratio(parts, counted, average, zero_division))
                yield average, value, int(np.sum(parts(counted)[1] == 0))


def _checked(given: Mapping[str, Any], n_labels: int) -> dict[str, Any]:
    """Every convention, given or by default; checked, and without types of NumPy."""
    chosen: dict[str, Any] = dict(_CONVENTIONS)
    parameters: dict[str, catalogue.Parameter] = {}
    for record in catalogue.METRICS:
        if record.is_additive:
            parameters |= {n: each for n, each in record.parameters.items() if n != "average"}
            chosen |= {
                n: v for n, v in record.required.items() if n not in record.required_per_label
            }
    for name, value in given.items():
        if name not in (takes := _CONVENTIONS | parameters):
            raise TypeError(f"{name} is no convention of a scorecard: it takes {', '.join(takes)}")
        if name in parameters:
            value = parameters[name].resolve(value, n_labels)
        elif value is not None or _CONVENTIONS[name] is not None:
            inputs.CHECKS[name](value)
        chosen[name] = value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value
    inputs.read_k(chosen["k"], n_labels)
    return chosen


def _recorded(conventions: Mapping[str, Any]) -> Iterator[tuple[catalogue.Metric, Any]]:
    """The metrics of which a scorecard has sums or counts, and their options, by default their own."""
    chosen = {name: value for name, value in conventions.items() if value is not None}
    for record in catalogue.METRICS:
        if record.is_additive and set(record.required_per_label) <= chosen.keys():
            yield record, record.defaults | chosen


def _summed(reads: str, conventions: Mapping[str, Any]) -> Iterator[tuple[catalogue.Metric, Any]]:
    """Those that add up over samples; of probabilities all, since macro is the mean of all cells."""
    for record, options in _recorded(conventions):
        if record.reads == reads and (record.unit != "label" or reads == "y_prob"):
            yield record, options


def _of_sets(data: Data, conventions: Mapping[str, Any]) -> Iterator[Summand]:
    """The set metrics, from the counts of each sample."""
    per_sample = counts.count(data, axis=1)
    for record, options in _summed("y_pred", conventions):
        undefined = counts.value_of_0_over_0(per_sample, options["zero_division"])
        yield record, record.formula(options, data.shape[1])(per_sample), undefined


def _of_scores(data: Data, conventions: Mapping[str, Any]) -> Iterator[Summand]:
    """The metrics of ranks, from one sort of the scores for each way to break ties."""
    groups = defaultdict(list)
    for record, options in _summed("y_score", conventions):
        groups[record.keeps_sparse, options["ties"]].append((record, options))
    for (keeps_sparse, ties), group in groups.items():
        formulas = [record.formula(options, data.shape[1]) for record, options in group]
        read = ordering.parts_per_sample(formulas, data if keeps_sparse else data.dense(), ties)
        for (record, options), parts in zip(group, read, strict=True):
            yield record, parts, options.get("undefined")


def _of_cells(data: Data, conventions: Mapping[str, Any]) -> Iterator[Summand]:
    """The metrics of probabilities: of each sample the mean loss of its cells."""
    if data.known is not None:
        what = "y_true has unknown cells, with which metrics of y_prob do not add up over samples"
        remedy = "leave y_prob out, and call mlm_helpers.probability on all data"
        raise ValueError(f"{what}: {remedy}")
    for record, options in _summed("y_prob", conventions):
        loss: Any = record.formula(options)
        yield record, losses.mean_per_sample(loss, data), 0.0


def _sum(record: catalogue.Metric, data: Data, parts: Parts, undefined: Any) -> Sum:
    """Add up a metric over samples, from the part and the whole of each; both are nan where nothing is known."""
    part, whole = np.broadcast_arrays(*parts)
    n_undefined = int(np.count_nonzero(~(whole > 0)))
    weight = data.weight
    if record.unit == "all":
        total, most = (counts.weighted_sums(each, weight)[0] for each in (part, whole))
        return Sum(total, most, n_undefined)
    if record.is_share_of_cells and data.known is not None:
        weight = (
            record.sample_weights(data) / data.shape[1]
        )  # a sample known in full is 1 in any batch
    return Sum(
        *counts.weighted_sums(counts.safe_divide(part, whole, undefined), weight), n_undefined
    )
