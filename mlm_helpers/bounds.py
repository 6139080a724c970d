"""How far unknown labels can move a metric: its lowest and highest value over all ways to fill them in.

Every metric is a sum of parts over a sum of wholes, of samples, of labels, or of one list of all cells.
Filling in the unknown cells of one sample or label leaves the others as they are. So each is filled in by
itself, in every way that can be best, and then the ways are chosen that make the ratio of the sums lowest
or highest.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.counts import Counts, Parts
from mlm_helpers._core.inputs import Data, FloatArray, LabelMatrix

_MOST = 2**27  # cells that a search looks at


class Asked(NamedTuple):
    """A metric with all its options, and the data with unknown cells."""

    metric: Callable[..., Any]
    record: catalogue.Metric
    chosen: dict[str, Any]
    data: Data

    @property
    def axis(self) -> int:
        """Along what cells are counted: 0 for the values of labels, 1 for those of samples."""
        return 0 if self.record.along == "label" else 1

    @property
    def at_corners(self) -> bool:
        """Whether all predicted unknown cells can get one value, and all others one value.

        If part and whole add up over cells, each further cell moves their ratio the same way: up, or
        down. Weighted by support, the ratio may turn.
        """
        return self.record.linear and self.chosen.get("average") != "weighted"

    def filled(self, cells: Any) -> LabelMatrix:
        """The truth where it is known, and these cells elsewhere."""
        filled: LabelMatrix = np.array(self.data.truth, dtype=np.int8)
        np.copyto(filled, cells, where=~np.asarray(self.data.known), casting="unsafe")
        return filled

    def weighed(self, values: FloatArray, support: Any) -> Parts:
        """The values as part and whole, with the weight of each; what has no value counts nothing."""
        weight: Any = 1.0
        if self.chosen.get("average") == "weighted":
            weight = support
        elif self.axis and self.data.weight is not None:
            weight = self.data.weight
        kept = ~np.isnan(values)
        return np.where(kept, values * weight, 0.0), np.where(kept, weight, 0.0)


def bounds(metric: Callable[..., Any], y_true: Any, y_other: Any) -> tuple[float, float]:
    """The lowest and highest value of a metric over all ways to fill in the unknown labels.

    Some way to fill in reaches each bound. The bounds are no confidence interval: that says how far other
    samples would move the metric, and bounds say how far the unknown labels would. Fillings under which
    the metric has no value (nan) do not count. The metric of the known cells alone can lie outside the
    bounds: coverage counts how many labels are read, so it is less where labels leave the list.

    The bounds are exact. How much has to be tried depends on the metric:

    * log loss, Brier score, and ratios that add up over cells (precision, recall, F1, Jaccard,
      specificity, Hamming loss; micro, macro or over samples): few ways, on data of any size, since the
      predicted unknown cells can all get one value, and the others one value;
    * other metrics of label sets: every pair of counts;
    * AUROC, and AP where no unknown cell has the score of another cell: every number of positives, at the
      top of a label's samples and at their bottom;
    * all others: every way to fill in a row, or a column where labels have the values.

    A search of more than 2**27 cells is refused. Bad input raises a TypeError or a ValueError.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of it
        With its options bound, such as ``partial(label_based.f1, average="micro")``.
    y_true : masked array of 0 and 1, shape (n_samples, n_labels)
        As `data.unknown` makes it; where nothing is masked, both bounds are the metric itself.
    y_other : matrix of the same shape
        What the metric reads: label sets, scores or probabilities.

    Returns
    -------
    tuple of two floats
        Lowest and highest value; both nan where no filling gives the metric a value.

    References
    ----------
    Manski, "Partial Identification of Probability Distributions", 2003, for the question; Dinkelbach,
    "On nonlinear fractional programming", 1967, for ratios of sums.

    Examples
    --------
    >>> from mlm_helpers import data, hamming
    >>> y_true, y_pred = data.unknown([[1, 0, -1], [1, -1, 0]]), [[1, 1, 0], [1, 0, 0]]
    >>> low, high = data.bounds(hamming.hamming_loss, y_true, y_pred)
    >>> round(low, 3), round(high, 3)
    (0.167, 0.5)
    """
    record, chosen = catalogue.of(metric), catalogue.check_one_value(metric)
    data = record.read(y_true, y_other, chosen["sample_weight"])
    if data.known is None:
        value = float(metric(y_true, y_other))
        return value, value
    if chosen.get("average") == "weighted" and np.isnan(_number(chosen.get("zero_division"))):
        raise ValueError(
            "zero_division is nan and average 'weighted', under which labels without support count"
            " when no other is left: bind 0.0, 1.0 or 'agree', or another average"
        )
    asked = Asked(metric, record, chosen, data)
    found = [float(metric(asked.filled(cell), y_other)) for cell in (0, 1)]  # where nothing counts
    part, whole = map(np.vstack, zip(*_ways(asked), strict=True))
    found += [-_highest(-part, whole), _highest(part, whole)]
    values = [value for value in found if not math.isnan(value)] or [math.nan]
    return min(values), max(values)


def _number(rule: Any) -> float:
    return rule if isinstance(rule, float) else 0.0


def _highest(part: FloatArray, whole: FloatArray) -> float:
    """Dinkelbach's steps: in each column the row that is best for part − value × whole, until the value stays."""
    pick, value, columns = whole.argmax(axis=0), -math.inf, np.arange(part.shape[1])
    while (most := whole[pick, columns].sum()) > 0:
        total = part[pick, columns].sum() / most
        if total <= value:
            break
        value = float(total)
        pick = (part - value * whole).argmax(axis=0)
    return value if value > -math.inf else math.nan


# ---------------------------------------------------------------------------- parts and wholes


def _ways(asked: Asked) -> Iterator[Parts]:
    """Part and whole of each sample or label, in every way to fill them in that can be best."""
    metric, record, chosen, data = asked
    if record.along == "label" and chosen["average"] == "micro" and record.prepare is None:
        asked = asked._replace(chosen=chosen | {"average": "macro"}, data=_one_list(data))
    of_sets = record.reads == "y_pred" and record.prepare is None and record.along != "all"
    if of_sets and (asked.at_corners or asked.axis or data.weight is None):
        return _counted(asked)
    if asked.axis:
        return (_of_samples(asked, truth) for truth in _every(asked, 1))
    if record.prepare is not None:  # which may take from one label to another
        one = np.ones(1)
        return ((one * metric(truth, data.other), one) for truth in _every(asked, None))
    return (_of_labels(asked, truth) for truth in _columns(asked))


def _counted(asked: Asked) -> Iterator[Parts]:
    """The ways by how many unknown cells are relevant: of the predicted ones, and of the others."""
    record, chosen, data = asked[1:]
    formula, rule = record.formula(chosen, data.shape[1]), chosen.get("zero_division", 0.0)
    unknown = replace(data, truth=~np.asarray(data.known), known=None)
    known, (predicted, _, left, _) = (
        counts.count(each, axis=asked.axis) for each in (data, unknown)
    )
    ways: list[Any] = [(0 * most, most) for most in (predicted, left)]
    if not asked.at_corners:
        sizes = [int(most.max()) + 1 for most in (predicted, left)]
        _check(asked, math.prod(sizes) * len(left), f"{sizes[0]} × {sizes[1]} counts of them")
        all_misses = np.minimum(np.arange(sizes[1])[:, None], left)  # at once, a row each
        ways = [[np.minimum(number, predicted) for number in range(sizes[0])], [all_misses]]
    tp, fp, fn, tn = known
    for hits, misses in itertools.product(*ways):
        cells = tp + hits, fp + predicted - hits, fn + misses, tn + left - misses
        counted = Counts(*np.broadcast_arrays(*cells))
        yield asked.weighed(counts.ratio(formula, counted, rule), counted.tp + counted.fn)


def _of_samples(asked: Asked, truth: LabelMatrix) -> Parts:
    """Part and whole of each sample of a filled truth."""
    _, record, chosen, data = asked
    filled = Data(truth, data.other)
    if record.averaged_along(chosen) == "all":
        part, whole = record.of_samples(filled, chosen)
        weight = 1.0 if data.weight is None else data.weight
        return weight * part, weight * whole
    if "per_sample" in chosen:
        values = record.function(
            truth, data.other, **chosen | {"per_sample": True, "sample_weight": None}
        )
    else:
        ready = record.prepare(filled, chosen) if record.prepare else filled
        formula = record.formula(chosen, data.shape[1])
        values = counts.ratio(formula, counts.count(ready, axis=1), chosen["zero_division"])
    return asked.weighed(values, None)


def _of_labels(asked: Asked, truth: LabelMatrix) -> Parts:
    """Part and whole of each label of a filled truth."""
    _, record, chosen, data = asked
    options = chosen | {"average": None, "sample_weight": data.weight}
    weight = np.ones(len(truth)) if data.weight is None else data.weight
    return asked.weighed(record.function(truth, data.other, **options), weight @ truth)


# ---------------------------------------------------------------------------- ways to fill in


def _columns(asked: Asked) -> Iterator[LabelMatrix]:
    """Every way to fill in a column that can be best."""
    _, record, chosen, data = asked
    if record.reads == "y_prob" and record.parts is not None:  # cells that add up, each by itself
        loss = record.formula(chosen)
        costs = [loss(np.full(data.shape, truth), data.other) for truth in (0, 1)]
        return map(asked.filled, (costs[1] < costs[0], costs[1] >= costs[0]))
    # Each positive that moves up betters a metric of order. But a positive that is tied with other
    # positives can be worth more; and positives of unlike weight cannot be exchanged.
    in_order = record.reads == "y_score" and data.weight is None
    in_order = in_order and not ("ties" in record.options and _tied(data))
    return _in_order(asked) if in_order else _every(asked, 0)


def _in_order(asked: Asked) -> Iterator[LabelMatrix]:
    """Each number of positives among the unknown cells of a column, at the top and at the bottom."""
    known, score = np.asarray(asked.data.known), asked.data.other
    order = np.lexsort((-score.astype(float), known), axis=0)  # the unknown first
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.arange(len(order))[:, None], axis=0)
    most = (~known).sum(axis=0)
    _check(asked, 2 * int(most.max()) * known.size, f"{most.max()} numbers of positives")
    for number in range(most.max() + 1):
        yield asked.filled(place < number)
        yield asked.filled(place >= most - number)


def _tied(data: Data) -> bool:
    """Whether an unknown cell has the score of another cell of its column."""
    for known, score in zip(np.asarray(data.known).T, data.other.T, strict=True):
        _, which, number = np.unique(score, return_inverse=True, return_counts=True)
        if (number[which] > 1)[~known].any():
            return True
    return False


def _every(asked: Asked, axis: int | None) -> Iterator[LabelMatrix]:
    """Every way to fill in a column (0), a row (1), or (None) all cells; all columns or rows at once."""
    unknown = ~np.asarray(asked.data.known)
    place = np.maximum(np.cumsum(unknown, axis=axis).reshape(unknown.shape) - 1, 0)
    most = int(place.max()) + 1
    what = f"every way to fill in {'all cells' if axis is None else ('a column', 'a row')[axis]}"
    if axis == 0 and "ties" in asked.record.options and _tied(asked.data):
        what += ", as an unknown cell is tied with another of its column"
    _check(asked, unknown.size << most, what)
    for number in range(1 << most):
        yield asked.filled(number >> place & 1)


def _one_list(data: Data) -> Data:
    """All cells as the samples of one label."""
    weight = None if data.weight is None else np.repeat(data.weight, data.shape[1])
    truth, other, known = (
        np.asarray(each).reshape(-1, 1) for each in (data.truth, data.other, data.known)
    )
    return Data(truth, other, weight, known)


def _check(asked: Asked, cells: int, what: str) -> None:
    """Refuse a search that is too long."""
    if cells > _MOST:
        raise ValueError(
            f"y_true has {int((~np.asarray(asked.data.known)).sum())} unknown labels, and the bounds of"
            f" {catalogue.describe(asked.metric)} try {what}, which takes too long: take a metric"
            " whose counts add up, such as label_based.f1, or fewer samples"
        )
