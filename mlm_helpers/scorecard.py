"""All metrics of a data set in one pass over it, batch by batch, on one machine or on many.

A mean can be merged: two sums and two counts add up. A metric cannot: the mean of two batches' macro
F1s is not the macro F1 of both. So a scorecard keeps what adds up, sums over samples and counts per
label, never the data; its size depends on the number of labels alone. Dividing comes last.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from reprlib import repr as shortened
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue, counts, exact_match, hamming, inputs, label_based, ranking
from mlm_helpers.board import Board, Table
from mlm_helpers.counts import Counts
from mlm_helpers.inputs import FloatArray, Weights

FORMAT = "mlm_helpers.scorecard"
VERSION = 1
_LARGEST, _MOST = 1e300, 2**53  # what a sum and a number of samples cannot exceed

Conventions = Mapping[str, Any]


class Sum(NamedTuple):
    """What adds up of a metric that has a value per sample.

    The weighted sum of the values that count, the sum of their weights, and how many samples have no
    value of their own (and counted as the conventions say, or not at all).
    """

    total: float
    weight: float
    undefined: int

    def plus(self, other: Sum) -> Sum:
        """The sums of both."""
        return Sum(
            self.total + other.total, self.weight + other.weight, self.undefined + other.undefined
        )


@dataclass(frozen=True, eq=False, repr=False)
class Scorecard:
    """Sums and counts of a data set, from which every metric of it follows.

    Attributes
    ----------
    n_samples, n_labels : int
    labels : tuple of str, or None
        The labels' names, where they were given.
    conventions : mapping
        ``zero_division``, ``beta``, ``ties``, ``start`` and ``undefined``, see `from_batch`.
    sums : mapping of str to Sum
        By id in the catalogue, for each metric that has a value per sample.
    confusion : Counts, or None
        True and false positives and negatives of each label, where there were predictions: arrays
        of shape (n_labels,), of whole numbers unless samples were weighted.
    """

    n_samples: int
    n_labels: int
    labels: tuple[str, ...] | None
    conventions: Conventions
    sums: Mapping[str, Sum]
    confusion: Counts | None

    @classmethod
    def from_batch(
        cls,
        y_true: Any,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        labels: Sequence[str] | None = None,
        zero_division: float | str = 0.0,
        beta: float = 2.0,
        ties: str = "worst",
        start: int = 1,
        undefined: float | None = None,
    ) -> Scorecard:
        """Read a batch, once.

        Parameters
        ----------
        y_true : matrix of 0 and 1, shape (n_samples, n_labels)
        y_pred : matrix of 0 and 1, same shape, optional
            For the set metrics.
        y_score : matrix of finite numbers, same shape, optional
            For the ranking metrics.
        sample_weight : array of shape (n_samples,), optional
            In a batch they may all be 0, since others may follow.
        labels : a different name for each label, optional
            Scorecards of different names are not added.
        zero_division, ties, start
            Conventions, as in the metrics.
        beta : float
            The β of Fβ.
        undefined : float, optional
            What a sample without a value is worth to every ranking metric; by default what each
            metric's own default says.

        Returns
        -------
        Scorecard

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
        conventions = _conventions(zero_division, beta, ties, start, undefined)
        if y_pred is None and y_score is None:
            raise ValueError("y_pred and y_score are both missing: give one of them or both")
        sums: dict[str, Sum] = {}
        confusion = None
        if y_pred is not None:
            truth, prediction, weight = inputs.label_sets(
                y_true, y_pred, sample_weight, is_batch=True
            )
            of_sets, confusion = _sum_set_metrics(truth, prediction, weight, conventions)
            sums |= of_sets
        if y_score is not None:
            truth, score, weight = inputs.label_scores(
                y_true, y_score, sample_weight, is_batch=True
            )
            sums |= _sum_ranking_metrics(truth, score, weight, conventions)
        n_samples, n_labels = truth.shape
        names = _label_names(labels, n_labels)
        return cls(n_samples, n_labels, names, conventions, sums, confusion)

    def __add__(self, other: Scorecard) -> Scorecard:
        """Merge two scorecards: the numbers of both data sets together.

        Raises
        ------
        ValueError
            If labels, conventions or metrics differ.
        """
        if not isinstance(other, Scorecard):
            return NotImplemented
        for what, (mine, theirs) in self._beside(other):
            if repr(mine) != repr(theirs):  # as text, nan equals itself
                raise ValueError(
                    f"{what} is {mine!r} in one scorecard and {theirs!r} in the other:"
                    " add scorecards of the same labels and conventions"
                )
        if self.sums.keys() != other.sums.keys():
            raise ValueError(
                "one scorecard has read predictions or scores that the other has not:"
                " add scorecards of the same metrics"
            )
        confusion = None
        if self.confusion is not None and other.confusion is not None:
            confusion = Counts(
                *(a + b for a, b in zip(self.confusion, other.confusion, strict=True))
            )
        return Scorecard(
            self.n_samples + other.n_samples,
            self.n_labels,
            self.labels,
            self.conventions,
            {name: kept.plus(other.sums[name]) for name, kept in self.sums.items()},
            confusion,
        )

    def _beside(self, other: Scorecard) -> Iterator[tuple[str, tuple[Any, Any]]]:
        """What must be the same for two to add up, with its name."""
        yield "n_labels", (self.n_labels, other.n_labels)
        for name, convention in self.conventions.items():
            yield name, (convention, other.conventions[name])
        if self.labels != other.labels:
            for j, names in enumerate(zip_longest(self.labels or (), other.labels or ())):
                yield f"label {j}", names

    def __radd__(self, other: object) -> Scorecard:
        """Let ``sum(scorecards)`` begin at 0."""
        return self if other == 0 else NotImplemented

    def values(self) -> dict[str, float]:
        """Every metric's value by name, in the order of the catalogue; nan where there is none.

        Examples
        --------
        >>> Scorecard.from_batch([[1, 0]], [[1, 1]]).values()["Hamming loss"]
        0.5
        """
        return {line.name: line.value for line in self._lines()}

    def undefined(self) -> dict[str, int]:
        """How many samples, or labels, have no value of their own: to be told beside each mean.

        They count in the mean as the conventions say. A micro average is one ratio, which is undefined
        once or not at all.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0], [0, 0]], [[1, 0], [0, 0]])
        >>> card.undefined()["samples recall"], card.undefined()["macro recall"]
        (1, 1)
        """
        return {line.name: line.without for line in self._lines()}

    def table(self) -> Board:
        """Show every metric: its value, which way is better, what has no value, what others call it."""
        rows = tuple(
            (
                line.name,
                line.record.family,
                f"{line.value:.6g}",
                "↑" if line.record.higher_is_better else "↓",
                f"{line.without} of {line.of}" if line.without else "–",
                ", ".join(dict.fromkeys(line.record.names.values())),
            )
            for line in self._lines()
        )
        header = ("metric", "family", "value", "better", "without a value", "other names")
        said = ", ".join(f"{name}={value!r}" for name, value in self.conventions.items())
        title = f"{self.n_samples} samples, {self.n_labels} labels"
        return Board(title, (Table(said, header, rows),))

    def __repr__(self) -> str:
        """Show the table as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def _lines(self) -> Iterator[_Line]:
        for record in catalogue.METRICS:
            if "beta" in record.options and self.conventions["beta"] == 1:
                continue  # it is the F1 of the line before
            if record.id in self.sums:
                total, weight, without = self.sums[record.id]
                value = total / weight if weight > 0 else math.nan
                name = _name(record, self.conventions)
                yield _Line(name, record, value, without, f"{self.n_samples} samples")
            elif "average" in record.options and self.confusion is not None:
                for average in ("macro", "micro", "weighted"):
                    yield _line_over_labels(record, average, self.confusion, self.conventions)

    # ------------------------------------------------------------------------ JSON

    def to_json(self) -> str:
        """Write it as JSON: everything it holds, and the version of this format.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0]], [[1, 1]])
        >>> Scorecard.from_json(card.to_json()).values() == card.values()
        True
        """
        confusion = self.confusion
        content = {
            "format": FORMAT,
            "version": VERSION,
            "n_samples": self.n_samples,
            "n_labels": self.n_labels,
            "labels": self.labels,
            "conventions": {name: _to_plain(value) for name, value in self.conventions.items()},
            "sums": self.sums,
            "confusion": None if confusion is None else [kept.tolist() for kept in confusion],
        }
        return json.dumps(content, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Scorecard:
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError
            If it is no scorecard, is damaged, or was written by a newer version; the sentence says
            what is wrong.
        """
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"text is no JSON ({error}): give what to_json wrote") from error
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(
                f"text is no scorecard, its format is not {FORMAT!r}: give what to_json wrote"
            )
        version = content.get("version")
        if type(version) is not int or version != VERSION:
            raise ValueError(
                f"the scorecard has version {shortened(version)} and this package reads version"
                f" {VERSION}: update the package, or compute the scorecard again"
            )
        try:
            return _checked(content)
        except ValueError as error:
            raise ValueError(f"the scorecard is damaged, {error}: compute it again") from error


class _Line(NamedTuple):
    """One metric of a scorecard."""

    name: str
    record: catalogue.Metric
    value: float
    without: int
    of: str


# ---------------------------------------------------------------------------- what adds up


def _sum_set_metrics(
    truth: Any, prediction: Any, weight: Weights, conventions: Conventions
) -> tuple[dict[str, Sum], Counts]:
    """Sums of the metrics with a value per sample, and the counts of each label."""
    per_sample, per_label = counts.count_both_ways(truth, prediction, weight)
    per_sample = Counts(*(column.astype(float) for column in per_sample))  # divides the fastest
    wrong = per_sample.fp + per_sample.fn
    sums = {}
    for record in _summed("y_pred"):
        undefined: Any = np.False_
        if record.function is exact_match.subset_accuracy:
            values = (wrong == 0).astype(float)
        elif record.function is exact_match.zero_one_loss:
            values = (wrong > 0).astype(float)
        elif record.function is hamming.hamming_loss:
            values = wrong / truth.shape[1]
        else:
            ratio = _ratio_of(record, conventions)
            values = ratio(per_sample, math.nan)
            undefined = np.isnan(values)
            without = Counts(*(column[undefined] for column in per_sample))
            values[undefined] = ratio(without, conventions["zero_division"])
        sums[record.id] = _sum(values, undefined, weight)
    return sums, per_label


def _sum_ranking_metrics(
    truth: Any, score: Any, weight: Weights, conventions: Conventions
) -> dict[str, Sum]:
    """Sums of the metrics that are read off the ranks."""
    parts = ranking.all_parts(truth, score, conventions["ties"], conventions["start"])
    sums = {}
    for record in _summed("y_score"):
        part, whole = parts[record.function]
        undefined = conventions["undefined"]
        if undefined is None:
            undefined = inspect.signature(record.function).parameters["undefined"].default
        values = ranking.divided(part, whole, undefined)
        sums[record.id] = _sum(values, whole == 0, weight)
    return sums


@functools.cache
def _summed(reads: str) -> tuple[catalogue.Metric, ...]:
    """The metrics of predictions, or of scores, that have a value per sample."""
    return tuple(m for m in catalogue.METRICS if m.reads == reads and "per_sample" in m.options)


def _sum(values: FloatArray, undefined: Any, weight: Weights) -> Sum:
    """The sum of the values that are not left out, which are nan."""
    without = int(np.count_nonzero(undefined))
    if without:
        kept = ~np.isnan(values)
        values, weight = values[kept], None if weight is None else weight[kept]
    if weight is None:
        return Sum(float(values.sum()), float(values.size), without)
    return Sum(float(weight @ values), float(weight.sum()), without)


def _ratio_of(
    record: catalogue.Metric, conventions: Conventions
) -> Callable[[Counts, float | str], FloatArray]:
    """The ratio of counts that a metric is."""
    name = {"accuracy": "jaccard"}.get(record.function.__name__, record.function.__name__)
    ratio = getattr(counts, name)
    return functools.partial(ratio, beta=conventions["beta"]) if name == "fbeta" else ratio


def _name(record: catalogue.Metric, conventions: Conventions, **bound: Any) -> str:
    beta = {"beta": conventions["beta"]} if "beta" in record.options else {}
    return catalogue.describe(functools.partial(record.function, **bound, **beta))


def _line_over_labels(
    record: catalogue.Metric,
    average: str,
    per_label: Counts,
    conventions: Conventions,
) -> _Line:
    ratio = _ratio_of(record, conventions)
    if average == "micro":
        per_label = Counts(*(column.sum() for column in per_label))
    without = np.isnan(ratio(per_label, math.nan))
    value = label_based.averaged(ratio, per_label, average, conventions["zero_division"])
    of = "1 ratio" if average == "micro" else f"{without.size} labels"
    name = _name(record, conventions, average=average)
    return _Line(name, record, float(value), int(without.sum()), of)


# ---------------------------------------------------------------------------- what is given, or read back


def _conventions(
    zero_division: Any, beta: Any, ties: Any, start: Any, undefined: Any
) -> dict[str, Any]:
    """Conventions that were checked, each written in one way: equal ones look equal."""
    inputs.zero_division(zero_division)
    inputs.beta(beta)
    inputs.one_of(ties, inputs.TIES, "ties")
    inputs.one_of(start, (0, 1), "start")
    if undefined is not None:
        inputs.undefined(undefined)
    return {
        "zero_division": "agree" if isinstance(zero_division, str) else _float(zero_division),
        "beta": _float(beta),
        "ties": str(ties),
        "start": int(start),
        "undefined": None if undefined is None else _float(undefined),
    }


def _float(number: Any) -> float:
    return float(number) + 0.0  # which makes -0.0 a 0.0


def _label_names(labels: Any, n_labels: int) -> tuple[str, ...] | None:
    if labels is None:
        return None
    if isinstance(labels, str) or not hasattr(labels, "__len__"):
        raise TypeError(
            f"labels is of type {type(labels).__name__}: give a list of {n_labels} names"
        )
    names = tuple(map(str, labels))
    if len(names) != n_labels:
        raise ValueError(
            f"labels has {len(names)} names for {n_labels} labels: give one per column"
        )
    first: dict[str, int] = {}
    for j, name in enumerate(names):
        if first.setdefault(name, j) != j:
            raise ValueError(
                f"labels has {name!r} at positions {first[name]} and {j}: name each label differently"
            )
    return names


def _to_plain(value: Any) -> Any:
    """A convention as JSON can hold it: nan as text."""
    return "nan" if value != value else value


def _from_plain(value: Any) -> Any:
    return math.nan if value == "nan" else value


def _checked(content: Any) -> Scorecard:
    """A scorecard of what was read, if all of it can be one."""
    fields = ("n_samples", "n_labels", "labels", "conventions", "sums", "confusion")
    n_samples, n_labels, labels, conventions, sums, confusion, *_ = _only(
        (*fields, "format", "version"), content, "the scorecard"
    )
    for name, size in (("n_samples", n_samples), ("n_labels", n_labels)):
        if type(size) is not int or not 1 <= size <= _MOST:
            raise ValueError(f"{name} is {shortened(size)}")
    if labels is not None and not _is_list_of(str, labels, n_labels):
        raise ValueError(f"labels is not {n_labels} names")
    options = _only(inspect.signature(_conventions).parameters, conventions, "conventions")
    checked = _conventions(*map(_from_plain, options))
    names, kept = _label_names(labels, n_labels), _read_sums(sums, n_samples, confusion is not None)
    if confusion is not None:
        confusion = _read_confusion(confusion, n_samples, n_labels, kept)
    return Scorecard(n_samples, n_labels, names, checked, kept, confusion)


def _read_sums(sums: Any, n_samples: int, are_sets: bool) -> dict[str, Sum]:
    of_sets, of_scores = ([record.id for record in _summed(y)] for y in ("y_pred", "y_score"))
    ids = of_sets if are_sets else of_scores
    if are_sets and isinstance(sums, dict) and not sums.keys().isdisjoint(of_scores):
        ids = of_sets + of_scores
    kept = {}
    for name, each in zip(ids, _only(ids, sums, "sums"), strict=True):
        if not (isinstance(each, list) and len(each) == 3 and all(map(_is_number, each))):
            raise ValueError(f"the sum of {name} is {shortened(each)} and not three numbers")
        total, weight, undefined = each
        if weight < 0:
            raise ValueError(f"the weight of {name} is {weight!r}")
        if type(undefined) is not int or not 0 <= undefined <= n_samples:
            raise ValueError(
                f"{shortened(undefined)} of {n_samples} samples have no value of {name}"
            )
        kept[name] = Sum(float(total), float(weight), undefined)
    heaviest = max(each.weight for each in kept.values())
    for name, each in kept.items():
        if not (each.undefined or math.isclose(each.weight, heaviest)):
            raise ValueError(f"{name} weighs {each.weight!r} and another metric {heaviest!r}")
    return kept


def _read_confusion(columns: Any, n_samples: int, n_labels: int, sums: Mapping[str, Sum]) -> Counts:
    if not (
        _is_list_of(list, columns, len(Counts._fields))
        and all(len(column) == n_labels for column in columns)
    ):
        raise ValueError(f"confusion is not four lists of {n_labels} counts")
    for name, column in zip(Counts._fields, columns, strict=True):
        for j, count in enumerate(column):
            if not _is_number(count) or count < 0:
                raise ValueError(f"{name} of label {j} is {shortened(count)}")
    are_whole = all(type(count) is int for column in columns for count in column)
    whole = n_samples if are_whole else max(kept.weight for kept in sums.values())
    for j, counted in enumerate(zip(*columns, strict=True)):
        if not (sum(counted) == whole if are_whole else math.isclose(sum(counted), whole)):
            raise ValueError(
                f"the counts of label {j} add up to {shortened(sum(counted))}, not to {whole!r}"
            )
    kind = np.intp if are_whole else float
    return Counts(*(np.array(column, dtype=kind) for column in columns))


def _only(keys: Collection[str], mapping: Any, what: str) -> list[Any]:
    """The values of these keys, if a mapping has them and no others."""
    if not isinstance(mapping, dict):
        raise ValueError(f"{what} is {shortened(mapping)} and no mapping")
    for key in keys:
        if key not in mapping:
            raise ValueError(f"{key} is missing from {what}")
    for key in mapping:
        if key not in keys:
            raise ValueError(f"{what} has {shortened(key)}, which it cannot have")
    return [mapping[key] for key in keys]


def _is_list_of(kind: type, value: Any, length: int) -> bool:
    """Whether it is a list of so many of a kind."""
    return (
        isinstance(value, list)
        and len(value) == length
        and all(isinstance(item, kind) for item in value)
    )


def _is_number(value: Any) -> bool:
    """Whether it is a number, neither nan nor too large."""
    return type(value) in (int, float) and abs(value) <= _LARGEST
