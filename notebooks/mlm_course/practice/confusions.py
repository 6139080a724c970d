"""Ways to a wrong number, another metric, another convention, a slip; and a number named by them."""

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mlm_course.practice.answers import EXACT_DECIMALS, MIN_DECIMALS, Answer
from mlm_course.practice.slips import SLIPS, Task
from mlm_course.practice.slips.task import Matrix
from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs
from mlm_helpers.catalogue import MetricFunction
from mlm_helpers.conventions.quantities import CONVENTIONS, DERIVED, Quantity, quantities
from mlm_helpers.conventions.tool import is_close

Pair = tuple[Matrix, Matrix]
Numbers = list[tuple[str, float]]
MAX_EXPLANATIONS = 3  # ways to a number that are told
MAX_USUAL_DISTANCE = 1  # what is as near as that, a sheet must tell from what is asked
_AVERAGES = {
    "macro": "a value for each label, then their mean",
    "micro": "all cells counted together",
    "weighted": "a value for each label, weighed by its true samples",
    None: "a value for each sample, then their mean",
}
_SAID = {
    ("zero_division", "0.0"): "0/0 counts as 0",
    ("zero_division", "1.0"): "0/0 counts as 1",
    ("zero_division", "nan"): "what is 0/0 is left out of the mean",
    ("zero_division", "'agree'"): "0/0 counts as 1 where nothing is wrong",
    ("undefined", "0.0"): "what has no value counts as 0",
    ("undefined", "1.0"): "what has no value counts as 1",
    ("undefined", "nan"): "what has no value is left out of the mean",
    ("start", "0"): "ranks are counted from 0",
    ("start", "1"): "ranks are counted from 1",
}


class Confusion(NamedTuple):
    """One way to another number.

    Attributes
    ----------
    description : the mistake, to stand behind "if"; or the name of another metric
    number : from a truth and predictions or scores to the number, or to each place with its number
    distance : 0 and 1 are usual, 2 can always happen, 3 is far; the nearest are told first
    comparison : how another metric differs from the one that is asked; empty for a mistake
    """

    description: str
    number: Callable[[Matrix, Matrix], Any]
    distance: int = 1
    comparison: str = ""

    @property
    def is_usual(self) -> bool:
        """Whether a sheet must tell it from what is asked."""
        return self.distance <= MAX_USUAL_DISTANCE

    def numbers(self, truth: Matrix, other: Matrix) -> Numbers:
        """Each place with its number; none where there is no value, such as k above the labels."""
        try:
            found = self.number(truth, other)
        except (ValueError, ZeroDivisionError):
            return []
        places = found if isinstance(found, list) else [("", found)]
        return [(place, float(value)) for place, value in places if math.isfinite(value)]


def confusions(metric: MetricFunction, trials: Sequence[Pair]) -> tuple[Confusion, ...]:
    """The ways to a number other than the metric's on at least one trial.

    Of several that give the same numbers on all trials, the nearest is kept.
    """
    kept: list[Confusion] = []
    known = [[[("", float(metric(*pair)))] for pair in trials]]
    for one in sorted((*_others(metric), *_own(metric), *_slips(metric)), key=lambda c: c.distance):
        numbers = [one.numbers(*pair) for pair in trials]
        if not any(all(map(_repeats, numbers, others)) for others in known):
            kept.append(one)
            known.append(numbers)
    return tuple(kept)


def _repeats(numbers: Numbers, others: Numbers) -> bool:
    """Whether the same numbers came before, or there are none."""
    if not numbers:
        return True
    pairs = zip(numbers, others, strict=False)
    return len(numbers) == len(others) and all(is_close(x, y) for (_, x), (_, y) in pairs)


def _others(metric: MetricFunction) -> Iterator[Confusion]:
    """Every other number of the course that is read off the same data, under its default conventions."""
    record, settings = catalogue.record_of(metric), catalogue.resolve_options(metric)
    of_course = {record, *catalogue.taught_records()}
    for quantity in quantities().values():
        known = quantity.name in DERIVED or catalogue.record_of(quantity.function) in of_course
        if known and quantity.reads == record.reads:
            near, instead = _distance(record, settings, quantity), _instead(metric, quantity)
            yield Confusion(quantity.name, quantity.function, near, instead)


def _distance(record: catalogue.Metric, settings: Any, quantity: Quantity) -> int:
    """0 for the same formula averaged otherwise, and for its kin."""
    if quantity.name in DERIVED:
        return 0 if record.parts is counts.f1 else 3
    other = catalogue.record_of(quantity.function)
    if any(settings.get(option) != value for option, value in quantity.required.items()):
        return 3
    if other is record or (record.parts is not None and other.parts is record.parts):
        return 0
    same_average = quantity.function.keywords.get("average") == settings.get("average")
    return 0 if other.family == record.family and same_average else 3


def _own(metric: MetricFunction) -> Iterator[Confusion]:
    """The metric itself under another convention, or with another k, β or the like."""
    record, settings = catalogue.record_of(metric), catalogue.resolve_options(metric)
    choices = {name: CONVENTIONS[name] for name in ("zero_division", "undefined", "ties")}
    choices |= {
        name: option.values + option.further_values for name, option in record.parameters.items()
    }
    if "k" in settings:
        choices["k"] = tuple(sorted({*choices["k"], settings["k"] + 1, settings["k"] - 1} - {0}))
    for option in filter(settings.__contains__, choices):
        for value in choices[option]:
            if repr(value) != repr(settings[option]):
                function = functools.partial(metric, **{option: value})
                if option in record.parameters and record.parameters[option].symbol:
                    name, asked = catalogue.full_name(function), catalogue.full_name(metric)
                    yield Confusion(name, function, 1, f"{name}; asked is {asked}")
                else:  # where nothing is 0/0, and none is tied, most conventions make no difference
                    near = 1 if option == "start" else 2
                    yield Confusion(convention_in_words(option, value), function, near)


def _slips(metric: MetricFunction) -> Iterator[Confusion]:
    nothing = np.zeros((1, 1), dtype=int)
    for slip in SLIPS:
        if slip.applies_to(Task(metric, nothing, nothing)):
            number = functools.partial(slip.numbers, metric)
            yield Confusion(slip.description, number, 2 if slip.has_places else 1)


# ---------------------------------------------------------------------------- in words


def convention_in_words(option: str, value: Any) -> str:
    """An option with its value, to stand after "if"."""
    return _SAID.get((option, repr(value)), f"{option} is {inputs.short_repr(value)}")


def averaging_in_words(metric: MetricFunction) -> str:
    """What is done with the values of samples or labels."""
    if catalogue.record_of(metric).unit == "all":
        return "added up over all samples, then divided"
    return _AVERAGES[catalogue.resolve_options(metric).get("average")]


def _instead(metric: MetricFunction, quantity: Quantity) -> str:
    """Another metric and the one that was asked for, each with what tells it from the other."""
    asked = catalogue.full_name(metric)
    if quantity.name in DERIVED:
        is_mean = (
            catalogue.record_of(metric).parts is counts.f1
            and averaging_in_words(metric) != _AVERAGES["micro"]
        )
        return f"{quantity.name}; asked is {asked}{', the mean of the F1s' * is_mean}"
    both: tuple[MetricFunction, MetricFunction] = (quantity.function, metric)
    names, hows = (
        (quantity.name, asked),
        [catalogue.record_of(one).formula_in_words for one in both],
    )
    if hows[0] == hows[1] or not all(hows):
        hows = [averaging_in_words(one) for one in both]
    if hows[0] == hows[1]:
        hows = ["", ""]
    said = [f"{name}, {how}" if how else name for name, how in zip(names, hows, strict=True)]
    return "; asked is ".join(said)


# ---------------------------------------------------------------------------- a wrong number named


def explanation(answer: Answer, every: Iterable[Confusion], data: Pair) -> str:
    """The ways in which an answer comes about, in sentences; empty if none is known."""
    if answer.decimals < MIN_DECIMALS:  # whatever rounds to 0.5 is too much to tell
        answer = answer._replace(decimals=EXACT_DECIMALS)
    fits = []
    for one in every:
        places = [place for place, number in one.numbers(*data) if answer.match_kind(number)]
        if places:
            fits.append((one, " or ".join(dict.fromkeys(filter(None, places)))))
    nearest = sorted(fits, key=lambda pair: pair[0].distance)[:MAX_EXPLANATIONS]
    metrics = [one for one, _ in nearest if one.comparison]
    slips = [
        f"{one.description} ({place})" if place else one.description
        for one, place in nearest
        if not one.comparison
    ]
    sentences = []
    if metrics:
        sentences.append(f"{answer.text} is {metrics[0].comparison}.")
        more = " and ".join(one.description for one in metrics[1:])
        sentences += [f"It is also {more}."] if more else []
    if slips:
        start = "It also" if metrics else answer.text
        sentences.append(f"{start} comes out if {'; or if '.join(slips)}.")
    return " ".join(sentences)
