"""Slips with set metrics: miscounted cells, and wrong denominators."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from mlm_course.practice.slips.task import Matrix, NumbersByPlace, SlipsByMetric, Task, has_formula
from mlm_helpers._core import counts
from mlm_helpers._core.counts import Counts

Outcome = tuple[int, int]  # truth and prediction of a cell
HIT, ALARM, MISS, LEFT_OUT = (1, 1), (0, 1), (1, 0), (0, 0)


def _reads_sets(task: Task) -> bool:
    """Whether the metric reads label sets, not scores."""
    return task.record.reads == "y_pred"


_counts_hits = has_formula(counts.precision, counts.recall, counts.jaccard, counts.f1, counts.fbeta)


def _cells(task: Task, outcome: Outcome) -> Iterator[tuple[int, int, str]]:
    """Row and column of each cell with an outcome, and the name of its sample or label."""
    for i, j in np.argwhere((task.truth == outcome[0]) & (task.prediction == outcome[1])):
        yield i, j, {"sample": f"sample {i + 1}", "label": f"label {j + 1}"}.get(task.unit, "")


def _value_with(task: Task, cells: Iterable[tuple[int, int, str]], outcome: Outcome) -> float:
    """The metric's value if these cells had another outcome."""
    truth, prediction = task.truth.copy(), task.prediction.copy()
    for i, j, _ in cells:
        truth[i, j], prediction[i, j] = outcome
    return task.value(truth, prediction)


def _all_counted_as(old: Outcome, new: Outcome) -> Callable[[Task], float]:
    """The slip that counts all cells of one outcome as another."""
    return lambda task: _value_with(task, _cells(task, old), new)


def _one_counted_as(old: Outcome, new: Outcome) -> Callable[[Task], NumbersByPlace]:
    """The slip that counts one cell of one outcome as another, with each such cell as a place."""

    def numbers(task: Task) -> NumbersByPlace:
        for i, j, place in _cells(task, old):
            yield place, _value_with(task, [(i, j, place)], new)

    return numbers


def _other_ratio(formula: Callable[[Counts], tuple[Matrix, Matrix]]) -> Callable[[Task], float]:
    """The slip that takes another ratio of the counts, given as numerator and denominator."""
    return lambda task: task.mean_ratio(*formula(task.counts()))


def _arithmetic_mean(task: Task) -> float:
    """The arithmetic mean of precision and recall, where F1 is their harmonic mean."""
    ratios = counts.precision, counts.recall
    precision, recall = (counts.safe_divide(*ratio(task.counts()), 0.0) for ratio in ratios)
    return task.mean_ratio(precision + recall, 2)


WITHOUT_PLACES: SlipsByMetric = (
    (_reads_sets, {
        "false alarms are not counted": _all_counted_as(ALARM, LEFT_OUT),
        "misses are not counted": _all_counted_as(MISS, LEFT_OUT),
    }),
    (_counts_hits, {
        "what is rightly left out counts as a hit": _all_counted_as(LEFT_OUT, HIT),
        "the hits are divided by all cells":
            _other_ratio(lambda c: (c.tp, c.tp + c.fp + c.fn + c.tn)),
    }),
    (has_formula(counts.f1), {
        "the hits are counted once above and twice below":
            _other_ratio(lambda c: (c.tp, 2 * c.tp + c.fp + c.fn)),
        "the mean of precision and recall is taken, not their harmonic mean": _arithmetic_mean,
    }),
    (lambda task: "beta" in task.options, {
        "β weighs precision, not recall": lambda task: task.value(beta=1 / task.options["beta"]),
        "β is not squared": lambda task: task.value(beta=task.options["beta"] ** 0.5),
    }),
    (has_formula(counts.hamming_loss), {
        "the wrong cells are divided by the labels that are true or predicted":
            _other_ratio(lambda c: (c.fp + c.fn, c.tp + c.fp + c.fn)),
        "the wrong cells are divided by the number of samples alone":
            lambda task: float((task.truth != task.prediction).sum() / len(task.truth)),
    }),
)  # fmt: skip
WITH_PLACES: SlipsByMetric = (
    (_reads_sets, {
        "one false alarm is counted as a miss": _one_counted_as(ALARM, MISS),
        "one miss is counted as a false alarm": _one_counted_as(MISS, ALARM),
        "one false alarm is overlooked": _one_counted_as(ALARM, LEFT_OUT),
        "one miss is overlooked": _one_counted_as(MISS, LEFT_OUT),
        "one hit is overlooked": _one_counted_as(HIT, LEFT_OUT),
        "one false alarm is counted as a hit": _one_counted_as(ALARM, HIT),
        "one miss is counted as a hit": _one_counted_as(MISS, HIT),
    }),
)  # fmt: skip
