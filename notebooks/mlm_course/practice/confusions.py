"""What a wrong number is: another metric, another convention, or one of the usual slips."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mlm_course.practice.answers import EXACT_DECIMALS, MIN_DECIMALS, Answer
from mlm_course.practice.slips import SLIPS, Task
from mlm_course.practice.slips.task import Matrix
from mlm_helpers import catalogue
from mlm_helpers._core import counts
from mlm_helpers._core.averages import Averaging, averaging_of
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.catalogue.arguments import resolve_options
from mlm_helpers.catalogue.metric import MetricFunction
from mlm_helpers.conventions.quantities import CONVENTIONS, Quantity, quantities
from mlm_helpers.conventions.tool import is_close

Pair = tuple[Matrix, Matrix]  # a truth, and predictions or scores
Numbers = list[tuple[str, float]]  # a place, such as "sample 2", and the number there
MAX_EXPLANATIONS = 3  # confusions that one verdict names
MAX_USUAL_DISTANCE = 1
COMPLEMENT = "the value is taken from 1"  # a slip that has a sentence of its own
_CONVENTIONS_IN_WORDS = {
    ("zero_division", "0.0"): "0/0 counts as 0",
    ("zero_division", "1.0"): "0/0 counts as 1",
    ("zero_division", "nan"): "what is 0/0 is left out of the mean",
    ("zero_division", "'agree'"): "0/0 counts as 1 where nothing is wrong",
    ("undefined", "0.0"): "what has no value counts as 0",
    ("undefined", "1.0"): "what has no value counts as 1",
    ("undefined", "nan"): "what has no value is left out of the mean",
    ("ties", "'max'"): "ties share the largest rank",
    ("ties", "'min'"): "ties share the smallest rank",
    ("ties", "'average'"): "of ties the mean counts",
    ("ties", "'first'"): "of ties the lowest index ranks first",
    ("ties", "'last'"): "of ties the highest index ranks first",
    ("ties", "'worst'"): "the worst order of ties counts",
    ("ties", "'best'"): "the best order of ties counts",
    ("start", "0"): "ranks are counted from 0",
    ("start", "1"): "ranks are counted from 1",
}


class Confusion(NamedTuple):
    """One way to a number other than the metric's: another metric, or a mistake.

    Attributes
    ----------
    description : the name of the other metric; or the mistake, as a clause to stand after "if"
    compute : from a truth and predictions or scores to the number, or to a list of places and
    numbers distance : how far-fetched; 0 or 1 if usual, 2 for a convention or a mistake at one
    place, 3 for an
        unlike metric
    comparison : how the other metric differs from the one asked for; empty for a mistake
    """

    description: str
    compute: Callable[[Matrix, Matrix], Any]
    distance: int = 1
    comparison: str = ""

    @property
    def is_usual(self) -> bool:
        """Whether it is so common that the data of every sheet tell it apart from the metric."""
        return self.distance <= MAX_USUAL_DISTANCE

    def numbers(self, truth: Matrix, prediction: Matrix) -> Numbers:
        """The finite numbers by place; empty where none exists, as for k above the labels."""
        try:
            computed = self.compute(truth, prediction)
        except (ValueError, ZeroDivisionError):
            return []
        numbers = computed if isinstance(computed, list) else [("", computed)]
        return [(place, float(number)) for place, number in numbers if math.isfinite(number)]


def confusions(metric: MetricFunction, trials: Sequence[Pair]) -> tuple[Confusion, ...]:
    """The confusions that differ from the metric on at least one trial, the nearest first.

    Of several with the same numbers on all trials, only the nearest stays.
    """
    candidates = [*_other_metrics(metric), *_other_options(metric), *_slips(metric)]
    distinct: list[Confusion] = []
    metric_numbers = [[("", float(metric(*pair)))] for pair in trials]
    seen = [metric_numbers]
    for candidate in sorted(candidates, key=lambda candidate: candidate.distance):
        numbers = [candidate.numbers(*pair) for pair in trials]
        if not any(all(map(_is_repeated, numbers, earlier)) for earlier in seen):
            distinct.append(candidate)
            seen.append(numbers)
    return tuple(distinct)


def _is_repeated(numbers: Numbers, earlier: Numbers) -> bool:
    """Whether two confusions have the same numbers on one trial, or the first has none there."""
    values, earlier_values = ([value for _, value in pairs] for pairs in (numbers, earlier))
    is_same_length = len(values) == len(earlier_values)
    return not values or (is_same_length and all(map(is_close, values, earlier_values)))


def _other_metrics(metric: MetricFunction) -> Iterator[Confusion]:
    """Confusions with the course's metrics that read the same matrices, by default options."""
    record = catalogue.record_of(metric)
    taught = {record, *catalogue.taught_records()}
    for quantity in quantities().values():
        is_taught = quantity.formula or quantity.record in taught
        if is_taught and quantity.reads == record.reads:
            distance, comparison = _distance(metric, quantity), _comparison(metric, quantity)
            yield Confusion(quantity.name, quantity.function, distance, comparison)


def _distance(metric: MetricFunction, quantity: Quantity) -> int:
    """0 if another metric has the same formula, or the same family and average; otherwise 3."""
    record, options = catalogue.record_of(metric), resolve_options(metric)
    if quantity.formula:  # the F1 of means is taken for a mean of F1s
        return 0 if record.formula is counts.f1 else 3
    other = catalogue.record_of(quantity.function)
    if any(options.get(name) != value for name, value in quantity.required.items()):
        return 3  # it is computed with another β, k or the like
    if other is record or (record.formula is not None and other.formula is record.formula):
        return 0
    has_same_average = quantity.function.keywords.get("average") == options.get("average")
    return 0 if other.family == record.family and has_same_average else 3


def _other_options(metric: MetricFunction) -> Iterator[Confusion]:
    """Confusions with the metric under another convention, or with another k, β or the like."""
    record, options = catalogue.record_of(metric), resolve_options(metric)
    choices = {name: CONVENTIONS[name] for name in ("zero_division", "undefined", "ties")}
    for name, parameter in record.parameters.items():
        choices[name] = parameter.values + parameter.further_values
    if "k" in options:
        choices["k"] = tuple(sorted({*choices["k"], options["k"] + 1, options["k"] - 1} - {0}))
    for option in filter(options.__contains__, choices):
        for value in choices[option]:
            if repr(value) == repr(options[option]):  # as text, since nan != nan
                continue
            function = partial(metric, **{option: value})
            if option in record.parameters and record.parameters[option].symbol:
                name = catalogue.full_name(function)
                comparison = f"{name}; asked is {catalogue.full_name(metric)}"
                yield Confusion(name, function, 1, comparison)
            else:  # most conventions change nothing where nothing is 0/0 and no scores are tied
                distance = 1 if option == "start" else 2
                yield Confusion(convention_in_words(option, value), function, distance)


def _slips(metric: MetricFunction) -> Iterator[Confusion]:
    """Confusions by the usual slips that can happen with the metric."""
    data = np.zeros((1, 1), dtype=int)  # whether a slip applies depends on the metric alone
    for slip in SLIPS:
        if slip.applies_to(Task(metric, data, data)):
            compute = partial(slip.numbers, metric)
            yield Confusion(slip.description, compute, 2 if slip.has_places else 1)


# ---------------------------------------------------------------------------- in words


def convention_in_words(option: str, value: Any) -> str:
    """An option with its value, as a clause to stand after "if"."""
    default = f"{option} is {short_repr(value)}"
    return _CONVENTIONS_IN_WORDS.get((option, repr(value)), default)


def averaging(metric: MetricFunction) -> Averaging:
    """How a metric gets one number from its samples, labels or cells."""
    return averaging_of(catalogue.record_of(metric).unit, resolve_options(metric))


def _comparison(metric: MetricFunction, quantity: Quantity) -> str:
    """The names of another metric and of the one asked for, each with its formula in words.

    Each has its averaging instead where the formulas agree or one lacks words.
    """
    names = quantity.name, catalogue.full_name(metric)
    if quantity.formula:
        is_f1 = catalogue.record_of(metric).formula is counts.f1
        is_mean = not averaging(metric).is_pooled
        return "; asked is ".join(names) + (", the mean of the F1s" if is_f1 and is_mean else "")
    functions: tuple[MetricFunction, ...] = (quantity.function, metric)
    traits = [catalogue.record_of(function).teaching.words for function in functions]
    if traits[0] == traits[1] or not all(traits):
        traits = [averaging(function).in_words for function in functions]
    if traits[0] == traits[1]:
        return "; asked is ".join(names)
    return "; asked is ".join(f"{name}, {trait}" for name, trait in zip(names, traits, strict=True))


# ------------------------------------------------------------------------- a wrong number explained


def explanation(answer: Answer, candidates: Iterable[Confusion], data: Pair) -> str:
    """Sentences that say which confusions give an answer on the data; empty if none does.

    They name the nearest confusions, at most `MAX_EXPLANATIONS`.
    """
    if answer.decimals < MIN_DECIMALS:  # too many numbers round to 0.5, so only 0.5 itself is named
        answer = answer._replace(decimals=EXACT_DECIMALS)
    matches = []
    for candidate in candidates:
        places = [place for place, number in candidate.numbers(*data) if answer.match_kind(number)]
        if places:
            matches.append((candidate, " or ".join(dict.fromkeys(filter(None, places)))))
    nearest = sorted(matches, key=lambda match: match[0].distance)[:MAX_EXPLANATIONS]
    metrics = [confusion for confusion, _ in nearest if confusion.comparison]
    mistakes = [
        f"{confusion.description} ({places})" if places else confusion.description
        for confusion, places in nearest
        if not confusion.comparison
    ]
    sentences = []
    if metrics:
        sentences.append(f"{answer.text} is {metrics[0].comparison}.")
    if metrics[1:]:
        sentences.append(f"It is also {' and '.join(other.description for other in metrics[1:])}.")
    if COMPLEMENT in mistakes:
        mistakes.remove(COMPLEMENT)
        sentences.append(f"{answer.text} is 1 minus the right value.")
    if mistakes:
        subject = "It also" if sentences else answer.text
        sentences.append(f"{subject} comes out if {'; or if '.join(mistakes)}.")
    return " ".join(sentences)
