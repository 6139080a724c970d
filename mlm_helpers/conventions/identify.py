"""Which metric and which convention give a number."""

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Sentence, Step, Table
from mlm_helpers.board.values import written
from mlm_helpers.conventions.quantities import (
    DERIVED,
    Matrix,
    Quantity,
    of_record,
    quantities,
    quantity_of,
    ways,
)
from mlm_helpers.conventions.sought import Sought, fit, sought
from mlm_helpers.conventions.tool import Options, close
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import departed, read

_COLUMNS = 50  # single labels that are tried
_SHOWN = 20  # rows of a table that one still reads


@dataclass(frozen=True)
class Match:
    """One way to get a number."""

    metric: str
    options: (
        Options  # the conventions that matter on these data; whatever the others, it is the same
    )
    value: float | str
    fit: str = ""  # "exactly", "rounded" and so on, see `identify`; "" for a near miss
    tools: tuple[str, ...] = ()  # who prints it: tools that do so by default first
    says: str = ""  # what a tool does there that no option can say
    column: int | None = None  # the label, where it is of a single one

    @property
    def convention(self) -> str:
        """The options that make a difference, in words for a table."""
        return self.says or ", ".join(way(self.options)) or "any"


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

    A value fits if it equals the number, exactly, rounded or truncated to the number's decimals, or in
    single or half precision. If nothing fits, the number is tried as a percentage. Single labels are
    tried too, up to 50. Metrics that need an option per label are not tried.

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
    target = sought(value, decimals)
    given = {"y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    missing = [reads for reads, other in given.items() if other is None]
    if len(missing) == len(given):
        raise ValueError(
            "y_pred, y_score and y_prob are all missing: give the data behind the number"
        )
    candidates = [
        matches
        for reads, other in given.items()
        if other is not None
        for matches in _candidates(reads, y_true, other)
    ]
    matches = _fitting(candidates, target)
    if not matches and 1 < target.value <= 100:
        share = target._replace(value=target.value / 100, decimals=target.decimals + 2)
        matches = [replace(match, fit="as a percentage") for match in _fitting(candidates, share)]
    nearest = [] if matches else _nearest(candidates, target.value)
    title = f"{len(matches)} way{'s' * (len(matches) > 1)} to get it"
    title = title if matches else "no metric gives it here, as far as was tried"
    steps = _steps(matches, nearest, missing)
    return Identification(f"{inputs.shown(value)}: {title}", steps, tuple(matches), tuple(nearest))


# ---------------------------------------------------------------------------- what is tried


def _candidates(reads: str, y_true: Any, y_other: Any) -> list[list[Match]]:
    """Of each quantity, and of each label alone, the values under each convention."""
    found = []
    for quantity in quantities().values():
        if quantity.reads == reads:
            found.append(_of_quantity(quantity, *read(quantity, y_true, y_other)))
    for record in catalogue.METRICS:
        if record.along == "label" and record.reads == reads and not record.required:
            found += _of_columns(record, *read(of_record(record)[0], y_true, y_other))
    return [matches for matches in found if matches]


def _of_quantity(quantity: Quantity, truth: Matrix, other: Matrix) -> list[Match]:
    """A match for each convention, with the tools that follow it, and for each tool's own rule."""
    if quantity.bound.get("k", 1) > truth.shape[1]:
        return []
    answers = [
        (tool, setting, translation)
        for tool in TOOLS.values()
        for setting, translation in tool.answers(quantity.general)
    ]
    choices = {option: [*quantity.choices[option]] for option in _telling(quantity, truth, other)}
    for _, setting, translation in answers:
        for option, tried in choices.items():
            tried.append(translation.asked(setting)[option])
    by_convention = {
        way(chosen): Match(quantity.name, chosen, float(quantity.function(truth, other, **chosen)))
        for chosen in ways({option: _different(tried) for option, tried in choices.items()})
    }
    own_rules = []
    for tool, setting, translation in answers:
        asked, key = translation.asked(setting), tool.key(setting)
        convention = way({option: asked[option] for option in choices})
        match, ours = by_convention[convention], functools.partial(quantity.function, **asked)
        departure = departed(tool, translation.departing(setting), ours, truth, other)
        if departure is None or close(departure[1], match.value):
            by_convention[convention] = replace(match, tools=(*match.tools, key))
        else:
            says, value = departure[0].says, departure[1]
            own_rules.append(Match(quantity.name, {}, value, tools=(key,), says=says))
    return [*by_convention.values(), *own_rules]


def _of_columns(record: catalogue.Metric, truth: Matrix, other: Matrix) -> list[list[Match]]:
    """A metric of each label alone; of one label, "agree" is always one of the others."""
    quantity, labels = of_record(record)[0], range(min(truth.shape[1], _COLUMNS))
    choices = {option: quantity.choices[option] for option in _telling(quantity, truth, other)}
    found: list[list[Match]] = [[] for _ in labels]
    for chosen in ways(choices):
        if "agree" not in chosen.values():
            each = record.function(truth, other, average=None, **chosen)
            for j in labels:
                name = f"{record.name} of column {j} alone"
                found[j].append(Match(name, chosen, float(each[j]), column=j))
    return found


def _telling(quantity: Quantity, truth: Matrix, other: Matrix) -> list[str]:
    """Its options, but for rules for 0/0 where nothing is 0/0, and for ties where there are none."""
    idle = set()
    if quantity.general not in DERIVED:
        if not catalogue.without_value(quantity.function, truth, other).any():
            idle |= {"zero_division", "undefined"}
        if isinstance(other, np.ndarray) and len(np.unique(other)) == other.size:
            idle.add("ties")
    return [option for option in quantity.choices if option not in idle]


def _different(values: Iterable[Any]) -> list[Any]:
    """Each value once; two nan are one."""
    return list({repr(value): value for value in values}.values())


# ---------------------------------------------------------------------------- what fits


def _fitting(candidates: list[list[Match]], target: Sought) -> list[Match]:
    """The candidates that fit, the conventions of each told as shortly as they can be."""
    found = []
    for tried in candidates:
        fits = [replace(match, fit=fit(target, match.value)) for match in tried]
        for equal in _by_value(match for match in fits if match.fit):
            found += _shortly(equal, tried)
    return sorted(found, key=_unusual)


def _by_value(matches: Iterable[Match]) -> list[list[Match]]:
    """Those of one value together."""
    groups: list[list[Match]] = []
    for match in matches:
        group = next((group for group in groups if close(match.value, group[0].value)), [])
        if not group:
            groups.append(group)
        group.append(match)
    return groups


def _shortly(equal: list[Match], tried: list[Match]) -> list[Match]:
    """Leave out the options that make no difference, and join what is then the same."""
    own_rules = [match for match in equal if match.says]
    equal = [match for match in equal if not match.says]
    for option in list(equal[0].options) if equal else []:
        fitting = {way(match.options) for match in equal}
        values = _different(match.options[option] for match in tried if not match.says)
        if all(way({**match.options, option: v}) in fitting for match in equal for v in values):
            equal = [replace(match, options=_without(option, match.options)) for match in equal]
    alike: dict[tuple[str, ...], list[Match]] = {}
    for match in equal:
        alike.setdefault(way(match.options), []).append(match)
    return [replace(group[0], tools=_users(group)) for group in alike.values()] + own_rules


def _without(option: str, options: Options) -> Options:
    return {name: value for name, value in options.items() if name != option}


def _users(matches: list[Match]) -> tuple[str, ...]:
    """Tools that do so by default first; those need no setting named."""
    tools = dict.fromkeys(tool for match in matches for tool in match.tools)
    by_default = [tool for tool in tools if tool in TOOLS]
    return (*by_default, *(t for t in tools if t.partition(", ")[0] not in by_default))


def way(options: Options) -> tuple[str, ...]:
    """Options as something to compare and to show: unlike nan, it equals itself."""
    return tuple(f"{option}={value!r}" for option, value in options.items())


def _unusual(match: Match) -> tuple[Any, ...]:
    """Sorts exact before rounded, then by how many tools print it without being asked to."""
    by_default = sum(tool in TOOLS for tool in match.tools)
    return (match.fit != "exactly", -by_default, -len(match.tools), match.column is not None)


def _nearest(candidates: list[list[Match]], value: float) -> list[Match]:
    """The quantities nearest to the value, one match each, at most three."""

    def distance(match: Match) -> float:
        off = math.inf if isinstance(match.value, str) else abs(match.value - value)
        return math.inf if math.isnan(off) else off

    near = []
    for tried in candidates:
        best = min(tried, key=distance)
        equal = [match for match in tried if close(match.value, best.value)]
        near.append(min(_shortly(equal, tried), key=_unusual))
    near = [match for match in near if distance(match) < math.inf]
    return sorted(near, key=lambda match: (distance(match), _unusual(match)))[:3]


# ---------------------------------------------------------------------------- what is told


def _steps(matches: list[Match], nearest: list[Match], missing: list[str]) -> tuple[Step, ...]:
    """The table, the rules in it that are a tool's own, and what is not shown or was not tried."""
    steps: list[Step] = []
    if shown := (matches or nearest)[:_SHOWN]:
        caption = "What fits, most usual first" if matches else "The nearest"
        header = ("metric", "convention", "value", "fits", "tools")
        steps.append(Table(caption, header, tuple(map(_row, shown))))
        own_rules = (f"{brief(m.tools[0])}, {m.metric}: {m.says}." for m in shown if m.says)
        steps += map(Sentence, dict.fromkeys(own_rules))
    if len(matches) > _SHOWN:
        steps.append(Sentence(f"{len(matches) - _SHOWN} more, less usual, are in .matches."))
    if not matches:
        steps.append(Sentence(f"Not tried: {', '.join(_untried(missing))}."))
    kinds = {"y_pred": "Set", "y_score": "Ranking", "y_prob": "Probability"}
    for reads in missing:
        steps.append(Sentence(f"{kinds[reads]} metrics were not tried: they need {reads}."))
    return tuple(steps)


def _row(match: Match) -> tuple[str, ...]:
    convention = "its own rule" if match.says else match.convention
    tools = ", ".join(brief(key, match.metric) for key in match.tools) or "–"
    return match.metric, convention, written(match.value, 6), match.fit or "no", tools


def _untried(missing: list[str]) -> list[str]:
    """What can lie behind a number that nothing gives."""
    found, per_label = ["sample weights", "other thresholds", "a part of the samples or labels"], []
    for record in catalogue.METRICS:
        for name in record.required:
            option = record.parameters[name]
            if option.per_label:
                per_label += [f"metrics that need {name}"] * (record.reads not in missing)
            else:
                tried = (inputs.shown(value) for value in option.values + option.also)
                found.append(f"{name} other than {', '.join(v.removesuffix('.0') for v in tried)}")
    return list(dict.fromkeys(found + per_label))


def brief(tool: str, metric: str = "") -> str:
    """A tool with its setting in brackets, or with the column where papers have its number."""
    name, _, setting = tool.partition(", ")
    if metric and TOOLS[name].says_columns:
        setting = TOOLS[name].metrics[quantity_of(metric).general].call
    return f"{name} ({setting})" if setting else name
