"""The usual slips: each a sentence and the number that it makes."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mlm_helpers.course.practice.slips import general
from mlm_helpers.course.practice.slips import rank_slips as ranks
from mlm_helpers.course.practice.slips import set_slips as sets
from mlm_helpers.course.practice.slips.general import is_mean, is_share
from mlm_helpers.course.practice.slips.rank_slips import (
    AT_K,
    AVERAGE_PRECISION,
    COVERAGE,
    CURVE_AP,
    GAIN,
    PAIRS,
    part_by,
    reads_scores,
)
from mlm_helpers.course.practice.slips.set_slips import (
    ALARM,
    HIT,
    LEFT_OUT,
    MISS,
    all_as,
    counts_hits,
    one_as,
    reads_sets,
)
from mlm_helpers.course.practice.slips.task import Task

__all__ = ["SLIPS", "Slip", "Task"]


class Slip(NamedTuple):
    """One way to go wrong.

    Attributes
    ----------
    says : what is done, to stand behind "if"
    number : the number that it makes of a `Task`; or, where it can happen in one place or another,
        each place with its number
    fits : whether it can happen to the metric of a `Task`
    in_places : whether it happens in one place or another
    """

    says: str
    number: Callable[[Task], Any]
    fits: Callable[[Task], bool]
    in_places: bool = False

    def numbers(self, task: Task) -> Iterable[tuple[str, float]]:
        """Each place where it can happen, and the number that it makes there."""
        if self.in_places:
            yield from self.number(task)
        else:
            yield "", self.number(task)


def _averaged(task: Task) -> bool:
    return task.unit != ""


def _macro(kind: Callable[[Task], bool]) -> Callable[[Task], bool]:
    return lambda task: kind(task) and is_mean(task)


SLIPS = (
    Slip("the value is taken from 1", general.one_minus, is_share),
    Slip("the scores are put in order from the lowest up", ranks.ascending, reads_scores),
    Slip("the matrix is read along the other side, samples for labels", general.turned, _averaged),
    Slip("the values are added up, and not divided by their number", general.added_up, is_mean),
    Slip(
        "the sum is divided by the number on the other side of the matrix",
        general.by_the_other_number,
        is_mean,
    ),
    Slip("false alarms are not counted", all_as(ALARM, LEFT_OUT), reads_sets),
    Slip("misses are not counted", all_as(MISS, LEFT_OUT), reads_sets),
    Slip("what is rightly left out counts as a hit", all_as(LEFT_OUT, HIT), counts_hits),
    Slip("the hits are divided by all cells", sets.by_all_labels, counts_hits),
    Slip("the hits are counted once above and twice below", sets.hits_once, sets.is_f1),
    Slip(
        "the mean of precision and recall is taken, not their harmonic mean",
        sets.arithmetic_mean,
        sets.is_f1,
    ),
    Slip("β weighs precision, not recall", sets.beta_the_other_way, sets.has_beta),
    Slip("β is not squared", sets.beta_not_squared, sets.has_beta),
    Slip(
        "Fβ is taken of the mean precision and the mean recall",
        sets.fbeta_of_means,
        lambda task: sets.has_beta(task) and is_mean(task),
    ),
    Slip(
        "the wrong cells are divided by the labels that are true or predicted",
        sets.wrong_by_named,
        sets.is_hamming,
    ),
    Slip(
        "the wrong cells are divided by the number of samples alone",
        sets.wrong_by_samples,
        sets.is_hamming,
    ),
    Slip("all samples are pooled before dividing", ranks.pooled, ranks.has_parts),
    Slip("the first relevant label is read, not the last", ranks.first_relevant, COVERAGE),
    Slip("the ranks of the relevant labels are averaged", ranks.mean_rank, COVERAGE),
    Slip("the rank is divided by the number of labels", part_by(ranks.n_labels), COVERAGE),
    Slip("the wrong pairs are divided by all pairs of labels", part_by(ranks.all_pairs), PAIRS),
    Slip("the wrong pairs are divided by the number of labels", part_by(ranks.n_labels), PAIRS),
    Slip(
        "the wrong pairs are divided by the relevant labels alone", part_by(ranks.n_relevant), PAIRS
    ),
    Slip("the wrong pairs are counted, and not divided", part_by(ranks.undivided), PAIRS),
    Slip(
        "1 is divided by each rank, whatever is relevant above",
        ranks.one_by_rank,
        AVERAGE_PRECISION,
    ),
    Slip("only the first relevant label is read", ranks.one_by_first, AVERAGE_PRECISION),
    Slip(
        "the share is read at the last relevant label alone",
        ranks.precision_at_last,
        AVERAGE_PRECISION,
    ),
    Slip(
        "the shares are divided by the number of labels", part_by(ranks.n_labels), AVERAGE_PRECISION
    ),
    Slip("the hits are divided by the number of labels", part_by(ranks.n_labels), AT_K),
    Slip("the hits are divided by as many as there can be", part_by(ranks.n_reachable), AT_K),
    Slip("the hits are counted, and not divided", part_by(ranks.undivided), AT_K),
    Slip("it is not divided by the best order", part_by(ranks.undivided), GAIN),
    Slip("the best order has k hits, however few are relevant", ranks.best_full, GAIN),
    Slip("the best order is not cut off at k", ranks.best_uncut, GAIN),
    Slip(
        "a hit is divided by the logarithm of its place, not of its place + 1",
        ranks.late_discount,
        GAIN,
    ),
    Slip("a hit is divided by its place, without a logarithm", ranks.by_rank, GAIN),
    Slip(
        "1 is divided by each rank, whatever is positive above",
        ranks.of_columns(ranks.one_by_rank),
        _macro(CURVE_AP),
    ),
    Slip("only the first positive is read", ranks.of_columns(ranks.one_by_first), _macro(CURVE_AP)),
    Slip(
        "the points of the curve are joined by straight lines",
        ranks.straight_lines,
        _macro(CURVE_AP),
    ),
    Slip("one false alarm is counted as a miss", one_as(ALARM, MISS), reads_sets, in_places=True),
    Slip("one miss is counted as a false alarm", one_as(MISS, ALARM), reads_sets, in_places=True),
    Slip("one false alarm is overlooked", one_as(ALARM, LEFT_OUT), reads_sets, in_places=True),
    Slip("one miss is overlooked", one_as(MISS, LEFT_OUT), reads_sets, in_places=True),
    Slip("one hit is overlooked", one_as(HIT, LEFT_OUT), reads_sets, in_places=True),
    Slip("one hit is counted twice", sets.hit_twice, counts_hits, in_places=True),
    Slip("one false alarm is counted as a hit", one_as(ALARM, HIT), reads_sets, in_places=True),
    Slip("one miss is counted as a hit", one_as(MISS, HIT), reads_sets, in_places=True),
    Slip("one sample is left out", general.one_left_out, lambda task: True, in_places=True),
    Slip(
        "one label is left out",
        general.label_left_out,
        lambda task: task.record.along == "label",
        in_places=True,
    ),
    Slip(
        "one value is not added, yet counted in the mean",
        general.one_not_added,
        is_mean,
        in_places=True,
    ),
    Slip("only one value is taken", general.one_alone, _averaged, in_places=True),
)
"""Every slip; those that can happen in one place or another come last."""
