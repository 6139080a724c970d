"""A wrong number named: the metric it is, or the mistake that gives it."""

from collections.abc import Callable, Iterable
from typing import Any

from mlm_course.practice.answers import ENOUGH, EXACT, Answer
from mlm_course.practice.confusions import Confusion, Pair
from mlm_helpers import catalogue, conventions

_OF_A_FLOAT = 17  # decimals
MOST = 3  # ways to a number that are told


def named(
    answer: Answer, metric: Callable[..., Any], every: Iterable[Confusion], data: Pair
) -> str:
    """The ways in which an answer comes about, in sentences; empty if none is known."""
    if answer.decimals < ENOUGH:  # whatever rounds to 0.5 is too much to tell
        answer = answer._replace(decimals=EXACT)
    fits = []
    for one in every:
        places = [place for place, number in one.numbers(*data) if answer.fits(number)]
        if places:
            fits.append((one, " or ".join(dict.fromkeys(filter(None, places)))))
    nearest = sorted(fits, key=lambda pair: pair[0].near)[:MOST]
    metrics = [one for one, _ in nearest if one.instead]
    slips = [
        f"{one.says} ({place})" if place else one.says for one, place in nearest if not one.instead
    ]
    sentences = []
    if metrics:
        sentences.append(f"{answer.written} is {metrics[0].instead}.")
        more = " and ".join(one.says for one in metrics[1:])
        sentences += [f"It is also {more}."] if more else []
    if slips:
        start = "It also" if metrics else answer.written
        sentences.append(f"{start} comes out if {'; or if '.join(slips)}.")
    return " ".join(sentences) or _identified(metric, answer, data)


def _identified(metric: Callable[..., Any], answer: Answer, data: Pair) -> str:
    """The first match of `conventions.identify`: a tool's number, or one label alone."""
    record = catalogue.of(metric)
    given: dict[str, Any] = {record.reads: data[1]}
    decimals = min(answer.decimals, _OF_A_FLOAT)
    found = conventions.identify(float(answer.value), data[0], **given, decimals=decimals)
    match = next((m for m in found.matches if m.fit != "as a percentage"), None)
    if match is None:
        return ""
    name = match.metric
    if match.column is not None:
        name = f"{name.partition(' of column')[0]} of label {match.column + 1} alone"
    convention = f" with {match.convention}" if match.options else ""
    tool = f", as {match.tools[0]} computes it" if match.tools else ""
    return f"{answer.written} is {name}{convention}{tool}; asked is {catalogue.describe(metric)}."
