"""Scorecards: made from a batch, added to others, shown as a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from reprlib import repr as shortened
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs
from mlm_helpers._core.counts import Counts
from mlm_helpers._core.inputs import FloatArray
from mlm_helpers.board import Board, Sentence, Step, Table, table
from mlm_helpers.scorecard import bins, stored, sums
from mlm_helpers.scorecard.bins import Bins, Bound
from mlm_helpers.scorecard.lines import Line, lines
from mlm_helpers.scorecard.replicates import Replicates, checked, interval, of_batch
from mlm_helpers.scorecard.sums import Conventions, Sum, Values
from mlm_helpers.uncertainty import Interval

_PERCENTILES = (
    "Intervals are percentiles of the replicates; those of uncertainty.interval are corrected for bias"
    " and skew, so they differ a little."
)
_NO_INTERVAL = "No interval: counts between cuts are not kept of each replicate."


@dataclass(frozen=True, eq=False, repr=False)
class Scorecard:
    """Sums and counts of a data set, from which its metrics are computed.

    Attributes
    ----------
    n_samples, n_labels : int
    labels : tuple of str, or None
        The labels' names, where they were given or a DataFrame has them.
    conventions : mapping
        ``zero_division``, ``beta``, ``ties``, ``start`` and ``undefined``, see `from_batch`.
    sums : mapping of str to Sum
        The sums over samples, by the metric's id in the catalogue.
    confusion : Counts, or None
        True and false positives and negatives of each label, if there were predictions: arrays of
        shape (n_labels,), of whole numbers unless samples were weighted.
    bins : Bins, or None
        Positives and negatives of each label between the cuts, if there were cuts.
    replicates : Replicates, or None
        The same sums and counts of resampled data, if there were replicates.
    """

    n_samples: int
    n_labels: int
    labels: tuple[str, ...] | None
    conventions: Conventions
    sums: Mapping[str, Sum]
    confusion: Counts | None
    bins: Bins | None = None
    replicates: Replicates | None = None

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
        cuts: Any = None,
        replicates: int = 0,
        seed: int = 0,
        first_row: int = 0,
        **conventions: Any,
    ) -> "Scorecard":
        """The scorecard of a batch; each matrix is read once.

        Parameters
        ----------
        y_true : matrix of 0 and 1, shape (n_samples, n_labels)
            Masked cells are left out, as in the metrics; not beside ``y_prob``.
        y_pred : matrix of 0 and 1, same shape, optional
            For the set metrics.
        y_score : matrix of finite numbers, same shape, optional
            For the ranking metrics.
        y_prob : matrix of numbers from 0 to 1, same shape, optional
            For log loss and Brier score.
        sample_weight : array of shape (n_samples,), optional
            The weights of a batch may all be 0, since other batches may follow.
        labels : a different name for each label, optional, by default a DataFrame's columns
            Scorecards of different names are not added.
        cuts : list of growing numbers, optional
            Scores are counted between these numbers, which gives `bounds` of the curve metrics; their
            exact values need all scores at once. Scorecards of different cuts are not added.
        replicates : int
            The number of resamples whose sums and counts are kept too, for `intervals`: 200 for a
            standard error, 1,000 for an interval. Each takes as much memory as the scorecard.
        seed : int
            The seed of the resamples. Scorecards with different seeds or numbers of resamples are not
            added.
        first_row : int
            The number of the batch's first row in the whole data set: the weight of a row in a
            replicate depends on its number, see `poisson_weights`. If the number of rows before a
            file is unknown, take numbers far apart, such as 10**9 times the number of the file.
            Scorecards that have read the same row are not added.
        **conventions
            As in the metrics: ``zero_division=0.0``, ``start=1``; ``beta=2.0``, the β of Fβ; ``ties``
            and ``undefined``, by default each metric's own; and options that other metrics of the
            catalogue require, such as ``k=1``. A metric that requires an option per label is on the
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
        resampling = checked(replicates, seed, first_row)
        if y_pred is None and y_score is None and y_prob is None:
            raise ValueError("y_pred and y_score are both missing: give one of them or both")
        if cuts is not None and y_score is None:
            raise ValueError("cuts is given and y_score is missing: give the scores to be cut")
        sets = scores = chances = confusion = between = resamples = None
        if y_pred is not None:
            sets = data = inputs.label_sets(y_true, y_pred, sample_weight, is_batch=True)
        if y_score is not None:
            scores = data = inputs.label_scores(
                y_true, y_score, sample_weight, is_batch=True, keep_sparse=True
            )
        if y_prob is not None:
            chances = data = inputs.probabilities(y_true, y_prob, sample_weight, is_batch=True)
            if data.known is not None:
                raise ValueError(
                    "y_true has unknown cells, with which the mean over labels of a probability"
                    " metric does not add up over samples: leave y_prob out, and call the metrics of"
                    " mlm_helpers.probability on the whole data set"
                )
        n_samples, n_labels = data.shape
        chosen = sums.checked_conventions(conventions, n_labels)
        values: Iterable[tuple[str, Values]] = ()
        if sets is not None:
            values, confusion = sums.of_sets(sets, chosen)
        if scores is not None:
            values = chain(values, sums.of_scores(scores, chosen))
            if cuts is not None:
                between = bins.of_scores(scores, bins.checked_cuts(cuts))
        if chances is not None:
            values = chain(values, sums.of_probabilities(chances, chosen))
        kept: dict[str, Sum] = {}
        added: list[Values] = []
        for name, found in values:
            kept[name] = found.sum(data.weight)
            if replicates:
                added.append(found)
        if replicates:
            resamples = of_batch(added, data.weight, sets, resampling)
        if labels is None:
            labels = inputs.own_names("columns", y_true, y_pred, y_score, y_prob)
        names = None if labels is None else tuple(inputs.names(labels, n_labels, "labels"))
        return cls(n_samples, n_labels, names, chosen, kept, confusion, between, resamples)

    def __add__(self, other: "Scorecard") -> "Scorecard":
        """The scorecard of both data sets together; labels, conventions and metrics must be the same."""
        if not isinstance(other, Scorecard):
            return NotImplemented
        with_labels = self.labels != other.labels
        mine, theirs = self._settings(with_labels), other._settings(with_labels)
        for name in mine | theirs:
            one, another = mine.get(name), theirs.get(name)
            if repr(one) != repr(another):  # as text, nan equals itself
                raise ValueError(
                    f"{name} is {shortened(one)} in one scorecard and {shortened(another)} in the other:"
                    " add scorecards of the same labels and conventions"
                )
        for name in self.sums.keys() ^ other.sums.keys():
            raise ValueError(
                f"{name} is on one scorecard alone: add scorecards that have both read predictions,"
                " or scores, and that the same version of this package has made"
            )
        return Scorecard(
            self.n_samples + other.n_samples,
            self.n_labels,
            self.labels,
            dict(self.conventions),
            {name: kept.plus(other.sums[name]) for name, kept in self.sums.items()},
            sums.plus(self.confusion, other.confusion),
            self.bins and other.bins and self.bins.plus(other.bins),
            self.replicates and other.replicates and self.replicates.plus(other.replicates),
        )

    def _settings(self, with_labels: bool) -> dict[str, Any]:
        """The settings, by name, that must be the same to add two scorecards."""
        cuts, drawn = self.bins.cuts if self.bins else (), self.replicates
        labels = (self.labels or ()) if with_labels else ()
        return {
            "n_labels": self.n_labels,
            **self.conventions,
            **{f"label {j}": name for j, name in enumerate(labels)},
            "the number of cuts": len(cuts),
            **{f"cut {i}": cut for i, cut in enumerate(cuts)},
            "the number of replicates": drawn.number if drawn else 0,
            "seed": drawn.seed if drawn else None,
        }

    def __radd__(self, other: object) -> "Scorecard":
        """Let ``sum(scorecards)`` begin at 0."""
        return self if other == 0 else NotImplemented

    def values(self) -> dict[str, float]:
        """Every metric's value by name, in the order of the catalogue; nan where there is none."""
        return {line.name: line.value for line in self._lines()}

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
        return {line.name: line.without for line in self._lines()}

    def bounds(self) -> dict[str, Bound]:
        """Value and bounds of each curve metric, by name, from the counts between cuts; empty without cuts.

        The value treats all scores between two cuts as tied. The exact value of the scores, for AP under
        ``ties="worst"``, lies between the bounds. The lower bound of AP is a little lower than the lowest
        value that such scores can have.

        Examples
        --------
        >>> y_true, y_score = [[1], [0], [1], [0]], [[0.9], [0.6], [0.3], [0.2]]
        >>> Scorecard.from_batch(y_true, None, y_score, cuts=[0.5]).bounds()["macro AUROC"]
        Bound(value=0.5, low=0.25, high=0.75)
        """
        return {} if self.bins is None else bins.bounds(self.bins, self.conventions["undefined"])

    def replicated_values(self) -> dict[str, FloatArray]:
        """Every metric's value in each replicate, by name; empty without replicates.

        Two models' scorecards of the same rows and seed have the same resamples. The differences of
        their values, replicate by replicate, show how often one model is better.

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
        pairs = self.replicates.each(self.sums)
        each = [replace(self, sums=added, confusion=counts).values() for added, counts in pairs]
        return {name: np.array([values[name] for values in each]) for name in each[0]}

    def intervals(self, level: float = 0.95) -> dict[str, Interval]:
        """Each metric's interval and standard error, by name; empty without replicates.

        The ends are percentiles of the replicates' values; rows are resampled, never cells. These
        intervals are a little too narrow if few samples decide. The curve metrics have no interval:
        replicates keep no counts between cuts.

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
        """The metrics that are not on the scorecard although their options are given, with the reasons."""
        read = {record.reads for record in catalogue.METRICS if record.id in self.sums}
        reasons = {
            catalogue.describe(record.function): sums.why_left_out(record, self.conventions)
            for record in catalogue.METRICS
            if record.reads in read
        }
        return {name: why for name, why in reasons.items() if why}

    def table(self, metrics: Iterable[catalogue.Metric] | None = None) -> Board:
        """Table of the metrics: value, interval (with replicates), direction, undefined, scikit-learn's name.

        It has all metrics of the card, or those of some records, such as ``catalogue.taught()``.
        """
        chosen = catalogue.METRICS if metrics is None else list(metrics)
        intervals = self.intervals()
        rows = tuple(
            (
                line.name,
                line.record.family,
                f"{line.value:.6g}",
                *(f"{number:.6g}" for number in intervals.get(line.name, ())[1:4]),
                "↑" if line.record.higher_is_better else "↓",
                f"{line.without} of {line.of}" if line.without else "–",
                line.in_sklearn,
            )
            for line in self._lines()
            if line.record in chosen
        )
        sure = ("95 % from", "to", "standard error") if intervals else ()
        header = (
            "metric",
            "family",
            "value",
            *sure,
            "better",
            "without a value",
            "in scikit-learn",
        )
        told = sums.told(self.conventions).items()
        caption = ", ".join(f"{name}={shortened(value)}" for name, value in told)
        steps: list[Step] = [Table(caption, header, rows)]
        if intervals:
            steps.append(Sentence(_PERCENTILES))
        steps += [Sentence(f"Left out: {name}: {why}.") for name, why in self.left_out().items()]
        if self.labels and self.confusion is not None:
            steps += self._each_label(self.labels, self.confusion).steps
        if self.bins is not None:
            n_cuts = len(self.bins.cuts)
            caption = f"Between {n_cuts} cuts of the scores" if n_cuts > 1 else "At one cut"
            known = tuple(
                (name, *(f"{v:.6g}" for v in bound)) for name, bound in self.bounds().items()
            )
            steps.append(Table(caption, ("metric", "binned", "at least", "at most"), known))
            if intervals:
                steps.append(Sentence(_NO_INTERVAL))
        return Board(f"{self.n_samples} samples, {self.n_labels} labels", tuple(steps))

    def _each_label(self, labels: Sequence[str], confusion: Counts) -> Board:
        """A row for each label; a dash for 0/0."""
        tp, fp, fn, _ = confusion
        ratios = [
            [None if np.isnan(value) else value for value in counts.ratio(parts, confusion, np.nan)]
            for parts in (counts.precision, counts.recall, partial(counts.fbeta, beta=1))
        ]
        rows = zip(labels, tp + fn, tp, fp, fn, *ratios, strict=True)
        head = ("label", "support", "TP", "FP", "FN", "precision", "recall", "F1")
        return table(head, rows, "Each label; –: 0/0", decimals=6)

    def __repr__(self) -> str:
        """The table as text."""
        return self.table().to_text()

    def _repr_html_(self) -> str:
        return self.table().to_html()

    def _lines(self) -> Iterable[Line]:
        return lines(self.n_samples, self.n_labels, self.conventions, self.sums, self.confusion)

    def to_json(self) -> str:
        """The whole scorecard as JSON, with the version of this format."""
        return stored.written(vars(self))

    @classmethod
    def from_json(cls, text: str) -> "Scorecard":
        """The scorecard that `to_json` wrote; other text raises a ValueError that says what is wrong."""
        return cls(**stored.read(text))
