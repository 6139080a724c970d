"""What a number can be: a metric with its average, or what goes by a metric's name elsewhere."""

import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, curves, example_based, hamming, label_based, ranking, top_k
from mlm_helpers._core import counts, inputs, ordering

Matrix = NDArray[Any]


class Quantity(NamedTuple):
    """One number that can be read off data."""

    name: str  # as `catalogue.describe` names it, or its name in `DERIVED`
    function: functools.partial[Any]  # the metric with its average and what it requires
    general: str  # as `catalogue.general` names it: its key in ``Tool.metrics``
    reads: str  # "y_pred", "y_score" or "y_prob"
    along: str  # "sample", "label" or "all"
    bound: Mapping[str, Any]  # what the metric requires, such as β
    choices: Mapping[str, tuple[Any, ...]]  # its conventions, and the values that each can take
    asks: tuple[str, ...] = ()  # options per label, which only a user can know

    def knowing(self, known: Mapping[str, Any]) -> "Quantity":
        """The quantity with its options per label bound; one that is not known raises a TypeError."""
        if not self.asks:
            return self
        bound = {option: known[option] for option in self.asks if option in known}
        function = functools.partial(self.function, **bound)
        catalogue.settings(function)
        return self._replace(function=function)


def _label_wise_accuracy(y_true: Any, y_pred: Any) -> float:
    return 1 - float(hamming.hamming_loss(y_true, y_pred))


def _f1_of_means(family: Any, y_true: Any, y_pred: Any, zero_division: float | str = 0.0) -> float:
    """Harmonic mean of the mean precision and the mean recall: not the mean of the F1s."""
    p = float(family.precision(y_true, y_pred, zero_division=zero_division))
    r = float(family.recall(y_true, y_pred, zero_division=zero_division))
    return 2 * p * r / (p + r) if p + r else 0.0 * p


def _lwlrap(y_true: Any, y_score: Any, ties: inputs.Ties = "worst") -> float:
    """Average precision in which every relevant label weighs alike, not every sample; nan of none."""
    n_relevant = np.sum(y_true, axis=1)
    if not n_relevant.any():
        return math.nan
    return float(ranking.average_precision(y_true, y_score, ties=ties, sample_weight=n_relevant))


def _r_precision(
    y_true: Any, y_score: Any, ties: inputs.Ties = "average", undefined: float = 0.0
) -> float:
    """Precision of as many labels as are relevant, which then is recall, too."""
    truth, score = np.asarray(y_true), np.asarray(y_score)
    n_relevant = truth.sum(axis=1)
    each = np.full(len(truth), float(undefined))
    for n in np.unique(n_relevant[n_relevant > 0]):
        rows = n_relevant == n
        each[rows] = top_k.recall(truth[rows], score[rows], k=int(n), ties=ties, per_sample=True)
    return counts.mean(each)


def _r_precision_at(
    y_true: Any, y_score: Any, k: int, ties: inputs.Ties = "average", undefined: float = 0.0
) -> float:
    """Hits among the first k, divided by k or by the relevant labels, whichever are fewer."""
    precision = top_k.precision(y_true, y_score, k=k, ties=ties, per_sample=True)
    recall = top_k.recall(y_true, y_score, k=k, ties=ties, undefined=undefined, per_sample=True)
    return counts.mean(np.maximum(precision, recall))


def _gap(y_true: Any, y_score: Any, k: int, undefined: float = 0.0) -> float:
    """AP of the first k labels of all samples in one list; a positive outside is never found."""
    truth, score = np.asarray(y_true), np.asarray(y_score)
    if not truth.any():
        return undefined
    inside = ordering.ranks(score, "first") <= inputs.k(k, score.shape[1])
    cells = truth[inside][:, None], score[inside][:, None]
    return float(curves.average_precision(*cells) * cells[0].sum() / truth.sum())


def _f_max(y_true: Any, y_score: Any, norm: str = "cafa") -> float:
    """The best harmonic mean of mean precision and mean recall, over the thresholds 0.01, 0.02, … 0.99.

    Samples without a prediction count in both means ("gt"), in recall alone ("cafa") or in neither ("pred").
    """
    truth, score = np.asarray(y_true), np.asarray(y_score)
    n_true, best = truth.sum(axis=1), 0.0
    for threshold in range(1, 100):
        predicted = score >= threshold / 100
        n_predicted = predicted.sum(axis=1)
        if not n_predicted.any():
            break
        hits, some = (truth * predicted).sum(axis=1), n_predicted > 0
        precision, recall = hits / np.maximum(n_predicted, 1), hits / np.maximum(n_true, 1)
        p = float(precision[some if norm != "gt" else ...].mean())
        r = float(recall[some if norm == "pred" else ...].mean())
        best = max(best, 2 * p * r / (p + r) if p else 0.0)
    return best


def _harmonic_accuracy(y_true: Any, y_pred: Any) -> float:
    """Mean over the samples with a 1 and a 0 in the truth: the harmonic mean of specificity and recall."""
    columns = np.transpose(y_true), np.transpose(y_pred)  # samples as labels
    rates = (label_based.recall, label_based.specificity)
    r, s = (np.asarray(rate(*columns, average=None, zero_division=math.nan)) for rate in rates)
    each = 2 * r * s / np.where(r + s == 0, 1, r + s)
    return counts.mean(each)


LABEL_WISE = "1 − Hamming loss"
DERIVED: dict[str, Callable[..., float]] = {
    LABEL_WISE: _label_wise_accuracy,
    "F1 of macro precision and macro recall": functools.partial(_f1_of_means, label_based),
    "F1 of samples precision and samples recall": functools.partial(_f1_of_means, example_based),
}
"""Numbers that go by a metric's name elsewhere and are made of metrics here."""
CHALLENGES: dict[str, Callable[..., float]] = {
    "LWLRAP": _lwlrap,
    "R-precision": _r_precision,
    "R-precision at k": _r_precision_at,
    "GAP at k": _gap,
    "F-max": _f_max,
    "harmonic accuracy": _harmonic_accuracy,
}
"""Numbers that challenges and tools score with, made of metrics here, too; the course asks for none of them."""
MADE = DERIVED | CHALLENGES
TAGGING = {
    "CP": "macro precision",
    "CR": "macro recall",
    "CF1": "F1 of macro precision and macro recall",
    "OP": "micro precision",
    "OR": "micro recall",
    "OF1": "micro F1",
}
"""Per class and overall: the columns of image tagging, as ML-GCN fills them."""

CONVENTIONS: dict[str, tuple[Any, ...]] = {
    "zero_division": (0.0, 1.0, math.nan, "agree"),
    "ties": inputs.TIES,
    "undefined": (0.0, 1.0, math.nan),
    "norm": ("cafa", "pred", "gt"),
}
"""The values that searches try of options which several metrics have."""


def quantities() -> dict[str, Quantity]:
    """Every number that a tool may print: the catalogue's metrics, then the derived ones."""
    found = [quantity for record in catalogue.METRICS for quantity in of_record(record)]
    found += [quantity for name in MADE for quantity in _made(name)]
    return {quantity.name: quantity for quantity in found}


@functools.cache
def _made(name: str) -> list[Quantity]:
    """A number that is made of metrics; one at k, under the values of k that people report."""
    taken = inspect.signature(MADE[name]).parameters
    choices = {o: values for o, values in CONVENTIONS.items() if o in taken}
    kind = list(taken)[1], "sample" if name in DERIVED else "all"
    found = []
    for bound in ways({"k": (1, 2, 3, 5)} if "k" in taken else {}):
        shown = name.removesuffix("k") + str(bound["k"]) if bound else name
        function = functools.partial(MADE[name], **bound)
        found.append(Quantity(shown, function, name, *kind, bound, choices))
    return found


@functools.cache
def of_record(record: catalogue.Metric) -> list[Quantity]:
    """A metric under each average, with each value of what it requires."""
    shared = {name: p for name, p in record.parameters.items() if not p.per_label}
    values = CONVENTIONS | {name: p.values + p.also for name, p in shared.items()}
    values.pop("average", None)  # which is part of the name
    required = {name: values.pop(name) for name in record.required if name in shared}
    choices = {o: values[o] for o in record.options if o in values}
    some = tuple(average for average in record.averages if average)
    averages: dict[str, tuple[Any, ...]] = {"average": some} if some else {}
    found = []
    for chosen in ways(required | averages):
        function = functools.partial(record.function, **chosen)
        bound = {name: chosen[name] for name in required}
        name, general = catalogue.describe(function), catalogue.general(function)
        kind = record.reads, record.along
        found.append(
            Quantity(name, function, general, *kind, bound, choices, record.asks_per_label)
        )
    return found


def ways(choices: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Every way to choose a value of each option."""
    return [dict(zip(choices, way, strict=True)) for way in itertools.product(*choices.values())]


def quantity_of(name: Any) -> Quantity:
    """The quantity of that name, or of that column of `TAGGING`; a name of none is refused."""
    every = quantities()
    if isinstance(name, str):
        name = TAGGING.get(name, name)
    inputs.one_of(name, list(every), "name")
    return every[name]


def keeps_sparse(quantity: Quantity) -> bool:
    """Whether of sparse scores only what is stored is one."""
    return quantity.general not in MADE and catalogue.of(quantity.function).keeps_sparse


def any_tie(score: Matrix) -> bool:
    """Whether two scores of a row are equal."""
    return not np.diff(np.sort(score, axis=1)).all()


def without_value(metric: Callable[..., Any], y_true: Any, y_other: Any) -> NDArray[np.bool_]:
    """Which of the values that a metric averages do not exist: of samples, labels, or all cells."""
    record, settings = catalogue.of(metric), catalogue.settings(metric)
    if record.averaged_along(settings) != record.along:  # it has no option per_sample
        _, whole = record.of_samples(inputs.label_sets(y_true, y_other), settings)
        return np.asarray((whole == 0) & _known(y_true, axis=1))
    chosen: dict[str, Any] = {
        o: math.nan for o in ("zero_division", "undefined") if o in record.options
    }
    if record.along == "sample":
        chosen["per_sample"] = True
    elif record.along == "label" and settings["average"] != "micro":
        chosen["average"] = None
    missing = np.asarray(np.isnan(functools.partial(metric, **chosen)(y_true, y_other)))
    if not missing.ndim:
        return missing
    return np.asarray(missing & _known(y_true, axis=0 if record.along == "label" else 1))


def _known(y_true: Any, axis: int) -> Any:
    """Which columns (0) or rows (1) have a known cell: others are left out, whatever has no value."""
    return ~np.ma.getmaskarray(y_true).all(axis=axis) if np.ma.is_masked(y_true) else True


def telling(quantity: Quantity, truth: Matrix, other: Matrix) -> list[str]:
    """Its options, but for a worth where all have a value, and for ties where there are none."""
    idle = set()
    if quantity.general not in MADE and not without_value(quantity.function, truth, other).any():
        idle |= {"zero_division", "undefined"}
    if (
        "ties" in quantity.choices
        and isinstance(other, np.ndarray)
        and not _compares_tied(quantity, other)
    ):
        idle |= {"ties"}
    return [option for option in quantity.choices if option not in idle]


def _compares_tied(quantity: Quantity, score: Matrix) -> bool:
    """Whether it compares two equal scores: of a row, of a column, or for micro any two."""
    if quantity.along != "label":
        return any_tie(score)
    is_one_list = quantity.function.keywords.get("average") == "micro"
    return any_tie(score.reshape(1, -1) if is_one_list else score.T)
