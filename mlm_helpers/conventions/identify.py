"""Which metric and which convention give a number."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import is_number, is_whole
from mlm_helpers.board import Board, Sentence, Step, Table
from mlm_helpers.board.values import written
from mlm_helpers.conventions.quantities import DERIVED, Matrix, Quantity, quantities, ways
from mlm_helpers.conventions.tool import Options, close
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import first_departure, read, way

_COLUMNS = 50  # single labels that are tried
_SHOWN = 20  # rows of a table that one still reads


class Sought(NamedTuple):
    """A number, and the decimals that it was printed with."""

    value: float
    decimals: int
    is_single: bool = False  # whether it may have been kept in single precision


@dataclass(frozen=True)
class Match:
    """One way to get a number."""

    metric: str
    options: Options  # the conventions that matter on these data, and no others
    value: float
    fit: str = ""  # "exactly", "rounded" and so on, see `identify`; "" for a near miss
    tools: tuple[str, ...] = ()  # who prints it: tools that do so by default first
    says: str = ""  # what a tool does there that no option can say
    column: int | None = None  # the label, where it is of a single one

    @property
    def convention(self) -> str:
        """The options that make a difference, in words for a table."""
        return "its own rule" if self.says else ", ".join(way(self.options)) or "any"


@dataclass(frozen=True, repr=False)
class Identification(Board):
    """The metrics and conventions that give a number, displayed as a table."""

    matches: tuple[Match, ...]  # all that fit: exact ones first, then most tools first
    nearest: tuple[Match, ...]  # where nothing fits, the nearest candidates


def identify(
    value: float,
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    y_prob: Any = None,
    decimals: int | None = None,
) -> Identification:
    """Every metric and convention that gives a number on these data, and the tools that print it.

    A value fits if it equals the number, exactly, or rounded or truncated to the number's decimals; a number
    of 7 digits or more may come from single precision. If nothing fits, the number is tried as a percentage.
    Single labels are tried too, up to 50. Metrics that need an option per label are not tried.

    Parameters
    ----------
    value : float
        The number from a paper, a colleague or a log; nan and inf are numbers too.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_pred : matrix of 0 and 1, same shape, optional
        Needed for set metrics.
    y_score : matrix of finite numbers, same shape, optional
        Needed for ranking metrics.
    y_prob : matrix of numbers from 0 to 1, same shape, optional
        Needed for probability metrics.
    decimals : int, optional
        How many decimals were printed, if ``value`` lost some: pass 2 for 0.50. A whole number above 1
        is taken as rounded.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    Examples
    --------
    >>> found = identify(0.5, [[1, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    >>> [match.options for match in found.matches if match.metric == "samples F1"]
    [{'zero_division': 0.0}]
    """
    target = _sought(value, decimals)
    data = {"y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    given = {reads: other for reads, other in data.items() if other is not None}
    if not given:
        raise ValueError(f"{', '.join(data)} are all missing: give the data behind the number")
    tried = [one for reads, other in given.items() for one in _candidates(reads, y_true, other)]
    matches = _fitting(tried, target)
    if not matches and 1 < target.value <= 100:
        share = target._replace(value=target.value / 100, decimals=target.decimals + 2)
        matches = [replace(match, fit="as a percentage") for match in _fitting(tried, share)]
    nearest = [] if matches or not math.isfinite(target.value) else _nearest(tried, target.value)
    title = f"{len(matches)} way{'s' * (len(matches) > 1)} to get it"
    title = title if matches else "no metric gives it here, as far as was tried"
    steps = _steps(matches, nearest, [reads for reads in data if reads not in given])
    return Identification(f"{inputs.shown(value)}: {title}", steps, tuple(matches), tuple(nearest))


# ---------------------------------------------------------------------------- what is tried


def _candidates(reads: str, y_true: Any, y_other: Any) -> list[list[Match]]:
    """The values under each convention, of each quantity and of each label alone."""
    found: list[list[Match]] = []
    for quantity in (one for one in quantities().values() if one.reads == reads):
        truth, other = read(quantity, y_true, y_other)
        if quantity.bound.get("k", 1) <= truth.shape[1]:
            found += _of_quantity(quantity, truth, other)
        if quantity.function.keywords.get("average") == "macro" and not quantity.bound:
            name = catalogue.of(quantity.function).name
            for j in range(min(truth.shape[1], _COLUMNS)):
                label = quantity._replace(name=f"{name} of column {j} alone")
                tried = _by_convention(label, truth[:, [j]], other[:, [j]]).values()
                # of one label, "agree" is always one of the others
                different = [one for one in tried if "agree" not in one.options.values()]
                found.append([replace(match, column=j) for match in different])
    return found


def _of_quantity(quantity: Quantity, truth: Matrix, other: Matrix) -> list[list[Match]]:
    """A match for each convention, with the tools that follow it; and one for each tool's own rule."""
    answers = [
        (tool.key(setting), translation.asked(setting), translation.departing(setting))
        for tool in TOOLS.values()
        for setting, translation in tool.answers(quantity.general)
    ]
    matches = _by_convention(quantity, truth, other, [asked for _, asked, _ in answers])
    own_rules = []
    for tool, asked, departures in answers:
        convention = next(one for one in matches if set(one) <= set(way(asked)))
        match, ours = matches[convention], functools.partial(quantity.function, **asked)
        departs = first_departure(departures, ours, truth, other)
        if departs is None or close(departs[1], match.value):
            matches[convention] = replace(match, tools=(*match.tools, tool))
        elif not isinstance(departs[1], str):
            says, value = departs[0].says, departs[1]
            own_rules.append([Match(quantity.name, {}, value, tools=(tool,), says=says)])
    return [[*matches.values()], *own_rules]


def _by_convention(
    quantity: Quantity, truth: Matrix, other: Matrix, asked: Sequence[Options] = ()
) -> dict[tuple[str, ...], Match]:
    """The value under each convention, those that tools ask for among them.

    Rules for 0/0 are left out where nothing is 0/0, and ties where there are none.
    """
    idle, function = set(), quantity.function
    if quantity.name not in DERIVED and not catalogue.without_value(function, truth, other).any():
        idle |= {"zero_division", "undefined"}
    if isinstance(other, np.ndarray) and len(np.unique(other)) == other.size:
        idle.add("ties")
    choices = {}
    for option in (one for one in quantity.choices if one not in idle):
        values = (*quantity.choices[option], *(options[option] for options in asked))
        choices[option] = {repr(value): value for value in values}.values()  # two nan are one
    return {
        way(chosen): Match(quantity.name, chosen, float(function(truth, other, **chosen)))
        for chosen in ways(choices)
    }


# ---------------------------------------------------------------------------- what fits


def _sought(value: Any, decimals: Any) -> Sought:
    """Read the number that is sought; what is not a number is refused."""
    if not is_number(value) or (is_whole(value) and abs(value) >= 2**1023):
        raise TypeError(f"value is {inputs.shown(value)}: give it as a float, such as 0.5")
    _, digits, exponent = Decimal(str(value)).as_tuple()
    if decimals is None:
        least = 0 if is_whole(value) and abs(value) > 1 else 1
        decimals = max(least, -int(exponent) if math.isfinite(value) else 1)
    decimals = min(inputs.whole(decimals, "decimals", 0), 400)
    return Sought(float(value), decimals, len(digits) >= 7)


def fit(target: Sought, candidate: float) -> str:
    """How a candidate gives the number, in words; empty where it does not."""
    value, step = target.value, 10.0**-target.decimals
    off, slack = abs(candidate - value), step * 1e-6
    if close(value, candidate):
        return "exactly"
    if off <= step / 2 + slack:
        return "rounded"
    if candidate * value >= 0 and -slack <= abs(candidate) - abs(value) < step - slack:
        return "truncated"
    is_near = off <= 1e-6 * abs(candidate) < math.inf
    return "in single precision" if target.is_single and is_near else ""


def _fitting(candidates: list[list[Match]], target: Sought) -> list[Match]:
    """The candidates that fit, the conventions of each told as shortly as they can be."""
    found = []
    for tried in candidates:
        fits = [replace(match, fit=kind) for match in tried if (kind := fit(target, match.value))]
        while fits:
            equal = [match for match in fits if close(match.value, fits[0].value)]
            fits = [match for match in fits if match not in equal]
            found += _shortly(equal, tried)
    return sorted(found, key=_unusual)


def _shortly(equal: list[Match], tried: list[Match]) -> list[Match]:
    """Matches of one value without the options that need not be known to tell them from the others."""
    others = [match for match in tried if not close(match.value, equal[0].value)]
    options = list(equal[0].options)
    for option in equal[0].options:
        rest = [one for one in options if one != option]
        if _grouped(equal, rest).keys().isdisjoint(_grouped(others, rest)):
            options = rest
    shortest = []
    for group in _grouped(equal, options).values():
        tools = dict.fromkeys(tool for match in group for tool in match.tools)
        by_default = [tool for tool in tools if tool in TOOLS]  # these need no setting named
        if_asked = [tool for tool in tools if tool.partition(", ")[0] not in by_default]
        told = {option: group[0].options[option] for option in options}
        shortest.append(replace(group[0], options=told, tools=(*by_default, *if_asked)))
    return shortest


def _grouped(matches: list[Match], options: list[str]) -> dict[tuple[str, ...], list[Match]]:
    """Matches by their values of some options."""
    groups: dict[tuple[str, ...], list[Match]] = {}
    for match in matches:
        key = way({option: match.options[option] for option in options})
        groups.setdefault(key, []).append(match)
    return groups


def _unusual(match: Match) -> tuple[Any, ...]:
    """Sorts exact before rounded, then by how many tools print it without being asked to."""
    by_default = sum(tool in TOOLS for tool in match.tools)
    return (match.fit != "exactly", -by_default, -len(match.tools), match.column is not None)


def _nearest(candidates: list[list[Match]], value: float) -> list[Match]:
    """At most three candidates that have the nearest values."""
    values = {round(match.value, 9) for tried in candidates for match in tried}
    near = sorted(filter(math.isfinite, values), key=lambda one: abs(one - value))[:3]
    found = [match for one in near for match in _fitting(candidates, Sought(one, 9))]
    return [replace(match, fit="") for match in found[:3]]


# ---------------------------------------------------------------------------- what is told


def _steps(matches: list[Match], nearest: list[Match], missing: list[str]) -> tuple[Step, ...]:
    """The table, the rules in it that are a tool's own, and what is not shown or was not tried."""
    steps: list[Step] = []
    rows, own_rules = [], []
    for match in (matches or nearest)[:_SHOWN]:
        tools = "; ".join(match.tools) or "–"
        value = written(match.value, 6)
        rows.append((match.metric, match.convention, value, match.fit or "no", tools))
        if match.says:
            own_rules.append(Sentence(f"{tools}, {match.metric}: {match.says}."))
    if rows:
        caption = "What fits, most usual first" if matches else "The nearest"
        header = ("metric", "convention", "value", "fits", "tools")
        steps += [Table(caption, header, tuple(rows)), *dict.fromkeys(own_rules)]
    if len(matches) > _SHOWN:
        steps.append(Sentence(f"{len(matches) - _SHOWN} more, less usual, are in .matches."))
    if not matches:
        others = "sample weights, thresholds, parts of the data, other values of β and k"
        steps.append(Sentence(f"Not tried: {others}."))
    kinds = {"y_pred": "Set", "y_score": "Ranking", "y_prob": "Probability"}
    for reads in missing:
        steps.append(Sentence(f"{kinds[reads]} metrics were not tried: they need {reads}."))
    return tuple(steps)
