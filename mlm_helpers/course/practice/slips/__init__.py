"""The usual slips: each a sentence and the number that it makes."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mlm_helpers.course.practice.slips import general
from mlm_helpers.course.practice.slips import rank_slips as ranks
from mlm_helpers.course.practice.slips import set_slips as sets
from mlm_helpers.course.practice.slips.general import is_mean, is_share
from mlm_helpers.course.practice.slips.rank_slips import part_by
from mlm_helpers.course.practice.slips.set_slips import ALARM, HIT, LEFT_OUT, MISS
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


_Kind = tuple[Callable[[Task], bool], dict[str, Callable[[Task], Any]]]
"""To which metrics slips can happen; and what each says, with the number that it makes."""
_ANYWHERE: tuple[_Kind, ...] = (
    (is_share, {"the value is taken from 1": general.one_minus}),
    (ranks.reads_scores, {"the scores are put in order from the lowest up": ranks.ascending}),
    (_averaged, {"the matrix is read along the other side, samples for labels": general.turned}),
    (is_mean, {
        "the values are added up, and not divided by their number": general.added_up,
        "the sum is divided by the number on the other side of the matrix":
            general.by_the_other_number,
    }),
    (sets.reads_sets, {
        "false alarms are not counted": sets.all_as(ALARM, LEFT_OUT),
        "misses are not counted": sets.all_as(MISS, LEFT_OUT),
    }),
    (sets.counts_hits, {
        "what is rightly left out counts as a hit": sets.all_as(LEFT_OUT, HIT),
        "the hits are divided by all cells": sets.by_all_labels,
    }),
    (sets.is_f1, {
        "the hits are counted once above and twice below": sets.hits_once,
        "the mean of precision and recall is taken, not their harmonic mean": sets.arithmetic_mean,
    }),
    (sets.has_beta, {
        "β weighs precision, not recall": sets.beta_the_other_way,
        "β is not squared": sets.beta_not_squared,
    }),
    (_macro(sets.has_beta), {
        "Fβ is taken of the mean precision and the mean recall": sets.fbeta_of_means,
    }),
    (sets.is_hamming, {
        "the wrong cells are divided by the labels that are true or predicted": sets.wrong_by_named,
        "the wrong cells are divided by the number of samples alone": sets.wrong_by_samples,
    }),
    (ranks.has_parts, {"all samples are pooled before dividing": ranks.pooled}),
    (ranks.COVERAGE, {
        "the first relevant label is read, not the last": ranks.first_relevant,
        "the ranks of the relevant labels are averaged": ranks.mean_rank,
        "the rank is divided by the number of labels": part_by(ranks.n_labels),
    }),
    (ranks.PAIRS, {
        "the wrong pairs are divided by all pairs of labels": part_by(ranks.all_pairs),
        "the wrong pairs are divided by the number of labels": part_by(ranks.n_labels),
        "the wrong pairs are divided by the relevant labels alone": part_by(ranks.n_relevant),
        "the wrong pairs are counted, and not divided": part_by(ranks.undivided),
    }),
    (ranks.AVERAGE_PRECISION, {
        "1 is divided by each rank, whatever is relevant above": ranks.one_by_rank,
        "only the first relevant label is read": ranks.one_by_first,
        "the share is read at the last relevant label alone": ranks.precision_at_last,
        "the shares are divided by the number of labels": part_by(ranks.n_labels),
    }),
    (ranks.AT_K, {
        "the hits are divided by the number of labels": part_by(ranks.n_labels),
        "the hits are divided by as many as there can be": part_by(ranks.n_reachable),
        "the hits are counted, and not divided": part_by(ranks.undivided),
    }),
    (ranks.GAIN, {
        "it is not divided by the best order": part_by(ranks.undivided),
        "the best order has k hits, however few are relevant": ranks.best_full,
        "the best order is not cut off at k": ranks.best_uncut,
        "a hit is divided by the logarithm of its place, not of its place + 1": ranks.late_discount,
        "a hit is divided by its place, without a logarithm": ranks.by_rank,
    }),
    (_macro(ranks.CURVE_AP), {
        "1 is divided by each rank, whatever is positive above":
            ranks.of_columns(ranks.one_by_rank),
        "only the first positive is read": ranks.of_columns(ranks.one_by_first),
        "the points of the curve are joined by straight lines": ranks.straight_lines,
    }),
)  # fmt: skip
_IN_PLACES: tuple[_Kind, ...] = (
    (sets.reads_sets, {
        "one false alarm is counted as a miss": sets.one_as(ALARM, MISS),
        "one miss is counted as a false alarm": sets.one_as(MISS, ALARM),
        "one false alarm is overlooked": sets.one_as(ALARM, LEFT_OUT),
        "one miss is overlooked": sets.one_as(MISS, LEFT_OUT),
        "one hit is overlooked": sets.one_as(HIT, LEFT_OUT),
    }),
    (sets.counts_hits, {"one hit is counted twice": sets.hit_twice}),
    (sets.reads_sets, {
        "one false alarm is counted as a hit": sets.one_as(ALARM, HIT),
        "one miss is counted as a hit": sets.one_as(MISS, HIT),
    }),
    (lambda task: True, {"one sample is left out": general.one_left_out}),
    (lambda task: task.record.along == "label", {"one label is left out": general.label_left_out}),
    (is_mean, {"one value is not added, yet counted in the mean": general.one_not_added}),
    (_averaged, {"only one value is taken": general.one_alone}),
)  # fmt: skip
SLIPS = tuple(
    Slip(says, number, fits, in_places)
    for in_places, kinds in ((False, _ANYWHERE), (True, _IN_PLACES))
    for fits, slips in kinds
    for says, number in slips.items()
)
"""Every slip; those that can happen in one place or another come last."""
