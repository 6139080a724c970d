"""One scorecard: read from a batch, merged with others, shown."""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, inputs, label_based
from mlm_helpers import conventions as tools
from mlm_helpers.board import Board, Sentence, Step, Table
from mlm_helpers.counts import Counts
from mlm_helpers.scorecard import bins, stored, sums
from mlm_helpers.scorecard.bins import Bins, Bound
from mlm_helpers.scorecard.sums import Conventions, Sum


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
    """

    n_samples: int
    n_labels: int
    labels: tuple[str, ...] | None
    conventions: Conventions
    sums: Mapping[str, Sum]
    confusion: Counts | None
    bins: Bins | None = None

    def __post_init__(self) -> None:
        """Let nobody change what is kept: cards that were merged would change with it."""
        for name in ("conventions", "sums"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        if self.confusion is not None:
            object.__setattr__(self, "confusion", Counts(*map(_fixed, self.confusion)))
        if self.bins is not None:
            cuts, *counted = self.bins
            object.__setattr__(self, "bins", Bins(cuts, *map(_fixed, counted)))

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
        if y_pred is None and y_score is None:
            raise ValueError("y_pred and y_score are both missing: give one of them or both")
        if cuts is not None and y_score is None:
            raise ValueError("cuts is given and y_score is missing: give the scores to be cut")
        kept: dict[str, Sum] = {}
        confusion = between = None
        if y_pred is not None:
            truth, prediction, weight = inputs.label_sets(
                y_true, y_pred, sample_weight, is_batch=True
            )
            of_sets, confusion = sums.of_sets(truth, prediction, weight, chosen)
            kept |= of_sets
        if y_score is not None:
            truth, score, weight = inputs.label_scores(
                y_true, y_score, sample_weight, is_batch=True, keep_sparse=True
            )
            kept |= sums.of_scores(truth, score, weight, chosen)
            if cuts is not None:
                between = bins.of_scores(truth, score, weight, bins.checked_cuts(cuts))
        n_samples, n_labels = truth.shape
        names = None if labels is None else tuple(inputs.names(labels, n_labels, "labels"))
        return cls(n_samples, n_labels, names, chosen, kept, confusion, between)

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

    def left_out(self) -> dict[str, str]:
        """The metrics that are not on the card, since batches of them do not add up, and why."""
        read = {record.reads for record in catalogue.METRICS if record.id in self.sums}
        return {
            catalogue.describe(record.function): record.left_out
            for record in catalogue.METRICS
            if record.left_out and record.reads in read
        }

    def table(self) -> Board:
        """Show each metric: its value, which way is better, what has none, scikit-learn's name."""
        rows = tuple(
            (
                line.name,
                line.record.family,
                f"{line.value:.6g}",
                "↑" if line.record.higher_is_better else "↓",
                f"{line.without} of {line.of}" if line.without else "–",
                tools.names(line.metric).get("scikit-learn", "–"),
            )
            for line in self._lines()
        )
        header = ("metric", "family", "value", "better", "without a value", "in scikit-learn")
        said = ", ".join(f"{name}={value!r}" for name, value in self.conventions.items())
        title = f"{self.n_samples} samples, {self.n_labels} labels"
        missing = (Sentence(f"Left out: {name}: {why}.") for name, why in self.left_out().items())
        steps: list[Step] = [Table(said, header, rows), *missing]
        if self.bins is not None:
            known = tuple(
                (name, *(f"{value:.6g}" for value in bound))
                for name, bound in self.bounds().items()
            )
            number = len(self.bins.cuts)
            caption = f"Between {number} cuts of the scores" if number > 1 else "At one cut"
            steps.append(Table(caption, ("metric", "binned", "at least", "at most"), known))
        return Board(title, tuple(steps))

    def __repr__(self) -> str:
        """Show the table as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def _lines(self) -> Iterator["_Line"]:
        seen = set()  # with beta=1, Fβ is the F1 of the line before
        for record in catalogue.METRICS:
            for line in self._lines_of(record):
                if line.name not in seen:
                    seen.add(line.name)
                    yield line

    def _lines_of(self, record: catalogue.Metric) -> Iterator["_Line"]:
        bound = {name: self.conventions[name] for name in record.required}
        if record.id in self.sums:
            total, weight, without = self.sums[record.id]
            value = total / weight if weight > 0 else math.nan
            metric = functools.partial(record.function, **bound)
            yield _Line(metric, value, without, f"{self.n_samples} samples")
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
                yield _Line(metric, float(averaged), int(undefined), of)

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


class _Line(NamedTuple):
    """One metric of a scorecard."""

    metric: functools.partial[Any]
    value: float
    without: int
    of: str

    @property
    def record(self) -> catalogue.Metric:
        return catalogue.of(self.metric)

    @property
    def name(self) -> str:
        return catalogue.describe(self.metric)
