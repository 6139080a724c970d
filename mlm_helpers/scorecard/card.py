"""One scorecard: read from a batch, merged with others, shown."""

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, inputs, label_based
from mlm_helpers.board import Board
from mlm_helpers.counts import Counts
from mlm_helpers.inputs import FloatArray
from mlm_helpers.scorecard import bins, shown, stored, sums
from mlm_helpers.scorecard.bins import Bins, Bound
from mlm_helpers.scorecard.replicates import (
    Replicates,
    checked,
    interval,
    of_batch,
)
from mlm_helpers.scorecard.shown import Line
from mlm_helpers.scorecard.sums import Conventions, Sum, Values
from mlm_helpers.uncertainty import Interval


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
    bins : Bins, or None
        Positives and negatives of each label between cuts, where there were any.
    replicates : Replicates, or None
        The same sums and counts of resampled data, where there were any.
    """

    n_samples: int
    n_labels: int
    labels: tuple[str, ...] | None
    conventions: Conventions
    sums: Mapping[str, Sum]
    confusion: Counts | None
    bins: Bins | None = None
    replicates: Replicates | None = None

    def __post_init__(self) -> None:
        """Let nobody change what is kept: cards that were merged would change with it."""
        for name in ("conventions", "sums"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.confusion is not None:
            object.__setattr__(self, "confusion", Counts(*map(_fixed, self.confusion)))
        if self.bins is not None:
            cuts, *counted = self.bins
            object.__setattr__(self, "bins", Bins(cuts, *map(_fixed, counted)))
        if self.replicates is not None:
            object.__setattr__(self, "replicates", self.replicates.of(_fixed))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as plain mappings, which can be pickled."""
        plain = self._fields() | {"conventions": dict(self.conventions), "sums": dict(self.sums)}
        return Scorecard, tuple(plain.values())

    def _fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_batch(
        cls,
        y_true: Any,
        y_pred: Any = None,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        labels: Sequence[str] | None = None,
        cuts: Any = None,
        replicates: int = 0,
        seed: int = 0,
        first_row: int = 0,
        **conventions: Any,
    ) -> "Scorecard":
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
        cuts : list of growing numbers, optional
            The curve metrics need all scores at once. Between these they are counted: see `bounds`.
            Scorecards of different cuts are not added.
        replicates : int
            Of so many resamples the sums and counts are kept too, for `intervals`: 200 for a
            standard error, 1,000 for an interval. Each weighs as much as the card itself.
        seed : int
            Of the resamples. Scorecards of another number of them, or another seed, are not added.
        first_row : int
            The number that the batch's first row has in the whole: what a row weighs in a replicate
            depends on its number, see `poisson_weights`. Where batches do not know what came before
            them, numbers far apart will do, such as 10**9 times that of the file. Scorecards that
            have read the same row are not added.
        **conventions
            As in the metrics: ``zero_division=0.0``, ``start=1``; ``beta=2.0``, the β of Fβ; ``ties``
            and ``undefined``, by default what each metric's own default says; and what other metrics
            of the catalogue require, as ``k=1``.

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
        chosen = sums.checked_conventions(conventions)
        resampling = checked(replicates, seed, first_row)
        if y_pred is None and y_score is None:
            raise ValueError("y_pred and y_score are both missing: give one of them or both")
        if cuts is not None and y_score is None:
            raise ValueError("cuts is given and y_score is missing: give the scores to be cut")
        values: Iterable[tuple[str, Values]] = ()
        sets = confusion = between = resamples = None
        if y_pred is not None:
            sets = data = inputs.label_sets(y_true, y_pred, sample_weight, is_batch=True)
            values, confusion = sums.of_sets(data, chosen)
        if y_score is not None:
            data = inputs.label_scores(
                y_true, y_score, sample_weight, is_batch=True, keep_sparse=True
            )
            values = chain(values, sums.of_scores(data, chosen))
            if cuts is not None:
                between = bins.of_scores(data, bins.checked_cuts(cuts))
        n_samples, n_labels = data.shape
        kept: dict[str, Sum] = {}
        of_samples: list[FloatArray] = []
        for name, found in values:
            kept[name] = found.sum(data.weight)
            if replicates:
                of_samples.append(found.each)
        if replicates:
            resamples = of_batch(of_samples, data.weight, sets, *resampling)
        names = None if labels is None else tuple(inputs.names(labels, n_labels, "labels"))
        return cls(n_samples, n_labels, names, chosen, kept, confusion, between, resamples)

    def __add__(self, other: "Scorecard") -> "Scorecard":
        """Merge two of the same labels, conventions and metrics: the numbers of both data sets."""
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
            confusion = Counts(*map(np.add, self.confusion, other.confusion))
        return Scorecard(
            self.n_samples + other.n_samples,
            self.n_labels,
            self.labels,
            self.conventions,
            {name: kept.plus(other.sums[name]) for name, kept in self.sums.items()},
            confusion,
            self.bins and other.bins and self.bins.plus(other.bins),
            self.replicates and other.replicates and self.replicates.plus(other.replicates),
        )

    def _beside(self, other: "Scorecard") -> Iterator[tuple[str, tuple[Any, Any]]]:
        """What must be the same for two to add up, with its name."""
        yield "n_labels", (self.n_labels, other.n_labels)
        for name, convention in self.conventions.items():
            yield name, (convention, other.conventions[name])
        if self.labels != other.labels:
            for j, names in enumerate(zip_longest(self.labels or (), other.labels or ())):
                yield f"label {j}", names
        mine, theirs = (each.bins.cuts if each.bins else () for each in (self, other))
        yield "the number of cuts", (len(mine), len(theirs))
        for i, cuts in enumerate(zip(mine, theirs, strict=True)):
            yield f"cut {i}", cuts
        drawn, others = (each.replicates for each in (self, other))
        yield (
            "the number of replicates",
            (drawn.number if drawn else 0, others.number if others else 0),
        )
        if drawn and others:
            yield "seed", (drawn.seed, others.seed)

    def __radd__(self, other: object) -> "Scorecard":
        """Let ``sum(scorecards)`` begin at 0."""
        return self if other == 0 else NotImplemented

    def values(self) -> dict[str, float]:
        """Every metric's value by name, in the order of the catalogue; nan where there is none."""
        return {line.name: line.value for line in self._lines()}

    def undefined(self) -> dict[str, int]:
        """How many samples, or labels, have no value of their own: to be told beside each mean.

        They count in the mean as the conventions say. A micro average is one ratio, so it is
        undefined once or not at all.

        Examples
        --------
        >>> card = Scorecard.from_batch([[1, 0], [0, 0]], [[1, 0], [0, 0]])
        >>> card.undefined()["samples recall"], card.undefined()["macro recall"]
        (1, 1)
        """
        return {line.name: line.without for line in self._lines()}

    def bounds(self) -> dict[str, Bound]:
        """The curve metrics, by name, as far as counts between cuts know them; none without cuts.

        Each is a triple: the value on scores that are cut down to their bins, in which all of a bin
        are tied, and the least and the most that the value on the scores themselves can be. For AP
        that holds under ``ties="worst"``; the least is a little below what can be reached.

        Examples
        --------
        >>> y_true, y_score = [[1], [0], [1], [0]], [[0.9], [0.6], [0.3], [0.2]]
        >>> Scorecard.from_batch(y_true, None, y_score, cuts=[0.5]).bounds()["macro AUROC"]
        Bound(value=0.5, low=0.25, high=0.75)
        """
        return {} if self.bins is None else bins.bounds(self.bins, self.conventions["undefined"])

    def replicated_values(self) -> dict[str, FloatArray]:
        """Every metric's value in each replicate, by name; none without replicates.

        Two models' cards of the same rows and seed have the same resamples: their difference,
        replicate by replicate, says how sure it is that one is better.

        Examples
        --------
        >>> from mlm_helpers.scorecard import poisson_weights
        >>> poisson_weights(4, 3)
        array([[0, 0, 0, 1],
               [2, 2, 1, 1],
               [2, 1, 0, 1]], dtype=uint8)
        >>> card = Scorecard.from_batch([[1], [1], [1], [1]], [[1], [0], [0], [1]], replicates=3)
        >>> card.replicated_values()["subset accuracy"]
        array([1.  , 0.5 , 0.75])
        """
        if self.replicates is None:
            return {}
        alone = replace(self, bins=None, replicates=None)
        each = [replace(alone, **of).values() for of in self.replicates.cards(self.sums)]
        return {name: np.array([values[name] for values in each]) for name in each[0]}

    def intervals(self, level: float = 0.95) -> dict[str, Interval]:
        """How sure each metric is, by name, from the replicates; none without them.

        Each has the value, between which percentiles of the replicates' values the share ``level``
        of them lies, their standard deviation, and how many replicates have no value. Rows are
        resampled, never cells. Plain percentiles are a little too narrow where few samples decide.
        Of the curve metrics there is none: counts between cuts are not kept of each replicate.

        Examples
        --------
        >>> y_true, y_pred = [[1, 0]] * 40, [[1, 0]] * 30 + [[0, 0]] * 10
        >>> card = Scorecard.from_batch(y_true, y_pred, replicates=200)
        >>> value, low, high, error, undefined = card.intervals()["subset accuracy"]
        >>> value, round(low, 2), round(high, 2), undefined
        (0.75, 0.62, 0.86, 0)
        """
        values, replicated = self.values(), self.replicated_values()
        return {name: interval(values[name], of, level) for name, of in replicated.items()}

    def left_out(self) -> dict[str, str]:
        """The metrics that are not on the card, since batches of them do not add up, and why."""
        read = {record.reads for record in catalogue.METRICS if record.id in self.sums}
        return {
            catalogue.describe(record.function): record.left_out
            for record in catalogue.METRICS
            if record.left_out and record.reads in read
        }

    def table(self) -> Board:
        """Show each metric: its value, which way is better, what has none, scikit-learn's name.

        Where there are replicates, also between what it lies, and its standard error.
        """
        return shown.table(self, self._lines())

    def __repr__(self) -> str:
        """Show the table as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def _lines(self) -> Iterator[Line]:
        seen = set()  # with beta=1, Fβ is the F1 of the line before
        for record in catalogue.METRICS:
            for line in self._lines_of(record):
                if line.name not in seen:
                    seen.add(line.name)
                    yield line

    def _lines_of(self, record: catalogue.Metric) -> Iterator[Line]:
        bound = {name: self.conventions[name] for name in record.required}
        if record.id in self.sums:
            total, weight, without = self.sums[record.id]
            value = total / weight if weight > 0 else math.nan
            metric = functools.partial(record.function, **bound)
            yield Line(
                catalogue.describe(metric), metric, value, without, f"{self.n_samples} samples"
            )
        elif record.along == "label" and self.confusion is not None and not record.left_out:
            parts = functools.partial(record.parts, **sums.own(record, self.conventions))
            zero_division = self.conventions["zero_division"]
            for average in inputs.AVERAGES[:-1]:
                counted = self.confusion
                if average == "micro":
                    counted = Counts(*(column.sum() for column in counted))
                averaged = label_based.averaged(parts, counted, average, zero_division)
                undefined = np.count_nonzero(parts(counted)[1] == 0)
                of = "1 ratio" if average == "micro" else f"{self.n_labels} labels"
                metric = functools.partial(record.function, average=average, **bound)
                name = catalogue.describe(metric)
                yield Line(name, metric, float(averaged), int(undefined), of)

    def to_json(self) -> str:
        """Write it as JSON: everything it holds, and the version of this format."""
        return stored.written(self._fields())

    @classmethod
    def from_json(cls, text: str) -> "Scorecard":
        """Read what `to_json` wrote; a ValueError says what is wrong with any other text."""
        return cls(**stored.read(text))


def _fixed(column: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, which nobody can change."""
    view = column.view()
    view.setflags(write=False)
    return view
