"""Which metric and which convention give a number."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from mlm_helpers import catalogue, counts
from mlm_helpers.board import Board, Sentence, Step, Table
from mlm_helpers.conventions.readings import read, reading, readings, reads_scores
from mlm_helpers.conventions.records import Matrix, Options, same
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import any_beta, choices_of, departed_of, options_of


@dataclass(frozen=True)
class Match:
    """One way to get a number.

    Attributes
    ----------
    metric : str
    options : mapping
        The conventions that matter on these data; any value of the others gives the same number.
    value : float or str
    fit : str
        "exactly" (to 1e-6), "rounded", "truncated", "as a percentage", or "" for a near miss.
    tools : tuple of str
        Who prints it: tools that do so by default first.
    says : str
        What a tool does there that no option can say.
    """

    metric: str
    options: Options
    value: float | str
    fit: str
    tools: tuple[str, ...] = ()
    says: str = ""

    @property
    def convention(self) -> str:
        """The options that matter, in words for a table."""
        return self.says or ", ".join(way_of(self.options)) or "any"


@dataclass(frozen=True, repr=False)
class Identification(Board):
    """Which metrics and conventions give a number.

    Attributes
    ----------
    title : str
    steps : tuple
        What is shown, see `worked.Board`.
    matches : tuple of Match
        All that fit, exact ones first, then most tools first; empty where nothing fits.
    nearest : tuple of Match
        Where nothing fits: the nearest candidates.
    """

    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]


def identify(
    value: float,
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    decimals: int | None = None,
) -> Identification:
    """Find every metric and convention that gives a number on these data.

    Parameters
    ----------
    value : float
        The number from a paper, a colleague or a log; nan and inf are numbers too.
    y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    y_pred : matrix of 0 and 1, same shape, optional
        Needed for set metrics.
    y_score : matrix of finite numbers, same shape, optional
        Needed for ranking metrics.
    decimals : int, optional
        How many decimals were printed, if not those of ``value``: pass 2 for 0.50.

    Returns
    -------
    Identification
        ``matches``, most usual first, with the tools that print the number; where there are none,
        ``nearest``. It shows itself as a table, in text and in a notebook. A number fits exactly,
        rounded or truncated to its decimals, or, where nothing else fits, as a percentage. Single
        labels are tried too, up to 50 of them.

    Raises
    ------
    TypeError, ValueError
        One sentence that names the argument, the first offending value and the remedy.

    References
    ----------
    The tools themselves, see `TOOLS`.

    Examples
    --------
    >>> found = identify(0.5, [[1, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    >>> found.matches[1].metric, found.matches[1].options
    ('samples F1', {'zero_division': 0.0})
    """
    value, digits = _value(value, decimals)
    if y_pred is None and y_score is None:
        raise ValueError("y_pred and y_score are both missing: give the data behind the number")
    candidates = [
        *(_candidates(y_true, y_pred, scores=False) if y_pred is not None else ()),
        *(_candidates(y_true, y_score, scores=True) if y_score is not None else ()),
    ]
    matches = _fitting(candidates, value, digits)
    if not matches and 1 < value <= 100:
        found = _fitting(candidates, value / 100, digits + 2)
        matches = [replace(match, fit="as a percentage") for match in found]
    nearest = [] if matches else _nearest(candidates, value)
    title, steps = _told(value, matches, nearest, y_pred is None, y_score is None)
    return Identification(title, steps, tuple(matches), tuple(nearest))


def _value(value: Any, decimals: Any) -> tuple[float, int]:
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"value is {value!r}: give it as a float, such as 0.5")
    if decimals is None:
        exponent = Decimal(repr(float(value))).as_tuple().exponent
        return float(value), max(1, -exponent if isinstance(exponent, int) else 1)
    if isinstance(decimals, bool) or not isinstance(decimals, (int, np.integer)) or decimals < 0:
        raise ValueError(f"decimals is {decimals!r}: give a whole number of 0 or more")
    return float(value), int(decimals)


def _candidates(y_true: Any, y_other: Any, *, scores: bool) -> list[list[Match]]:
    """Per reading, its value under each convention and each departure of a tool, with the tools."""
    truth, other = read(y_true, y_other, scores=scores)
    untied = scores and not (np.diff(np.sort(other, axis=1), axis=1) == 0).any()
    found = []
    for name, function in readings().items():
        if reads_scores(name) == scores:
            choices = choices_of(name)
            if untied:
                del choices["ties"]
            undefined = choices.pop("undefined", ())
            matches = []
            for values in itertools.product(*choices.values()):
                way = dict(zip(choices, values, strict=True))
                if scores:
                    matches += _worth_of_undefined(name, way, undefined, truth, other)
                else:
                    matches.append(Match(name, way, float(function(truth, other, **way)), ""))
            found.append(_with_tools(name, matches, truth, other))
    return found if scores else found + _single_labels(truth, other)


def _worth_of_undefined(
    name: str, way: Options, undefined: Iterable[float], truth: Matrix, score: Matrix
) -> list[Match]:
    """One match per worth of the samples without a value; a single one where all have a value."""
    each = reading(name)(truth, score, **way, undefined=math.nan, per_sample=True)
    lacks = np.isnan(each)
    if not lacks.any():
        return [Match(name, way, counts.mean(each), "")]
    return [
        Match(name, {**way, "undefined": worth}, counts.mean(np.where(lacks, worth, each)), "")
        for worth in undefined
    ]


def _single_labels(truth: Any, other: Any) -> list[list[Match]]:
    """The label-based metrics of each label alone."""
    found = []
    for record in catalogue.METRICS:
        if record.family == "label-based" and "beta" not in record.options:
            ways = [{"zero_division": value} for value in (0.0, 1.0, math.nan)]
            columns = [record.function(truth, other, average=None, **way) for way in ways]
            for j in range(min(truth.shape[1], 50)):
                name = f"{record.name} of column {j} alone"
                found.append(
                    [
                        Match(name, way, float(column[j]), "")
                        for way, column in zip(ways, columns, strict=True)
                    ]
                )
    return found


def _with_tools(name: str, matches: list[Match], truth: Any, other: Any) -> list[Match]:
    """The matches with the tools that use each, and those of tools that depart."""
    users: list[list[str]] = [[] for _ in matches]
    departed = []
    for tool in TOOLS.values():
        for setting in ("", *tool.settings):
            translation = tool.metrics.get(any_beta(name))
            if translation is None or (setting and setting not in translation.settings):
                continue
            label = f"{tool.name}, {setting}" if setting else tool.name
            asked = options_of(tool, setting, name)
            (i,) = (
                i
                for i, match in enumerate(matches)
                if all(_is_same_option(match.options[o], asked[o]) for o in match.options)
            )
            theirs = departed_of(label, name, truth, other)
            if theirs is None or same(theirs, matches[i].value):
                users[i].append(label)
            else:
                departures = [d.says for d in translation.departures if d.number is not None]
                departed.append(Match(name, {}, theirs, "", (label,), departures[0]))
    return [
        *(replace(m, tools=tuple(u)) for m, u in zip(matches, users, strict=True)),
        *departed,
    ]


def _is_same_option(a: Any, b: Any) -> bool:
    return a is b or a == b or (a != a and b != b)


def _fitting(candidates: list[list[Match]], value: float, decimals: int) -> list[Match]:
    """The candidates that fit, the conventions of each told as shortly as they can be."""
    found = []
    for matches in candidates:
        fits = [replace(match, fit=_fit(value, match.value, decimals)) for match in matches]
        fitting = [match for match in fits if match.fit]
        for one in {decimal_of(match.value): match for match in fitting}.values():
            equal = [match for match in fitting if decimal_of(match.value) == decimal_of(one.value)]
            found += _without_idle_options([match for match in equal if not match.says], fits)
            found += [match for match in equal if match.says]
    return sorted(found, key=_unusual)


def _fit(value: float, candidate: float | str, decimals: int) -> str:
    if isinstance(candidate, str):
        return ""
    if same(value, candidate):
        return "exactly"
    step = 10.0**-decimals
    if abs(candidate - value) <= step / 2 + 1e-9:
        return "rounded"
    if candidate * value >= 0 and -1e-9 <= abs(candidate) - abs(value) < step - 1e-9:
        return "truncated"
    return ""


def _without_idle_options(equal: list[Match], tried: list[Match]) -> list[Match]:
    """Leave out the options that make no difference, and join what is then the same."""
    for option in list(equal[0].options) if equal else []:
        ways = {way_of(match.options) for match in equal}
        values = [match.options[option] for match in tried if option in match.options]
        if all(way_of({**m.options, option: v}) in ways for m in equal for v in values):
            equal = [
                replace(m, options={o: v for o, v in m.options.items() if o != option})
                for m in equal
            ]
    joined: dict[tuple[str, ...], Match] = {}
    for match in equal:
        earlier = joined.get(way_of(match.options), replace(match, tools=()))
        tools = dict.fromkeys((*earlier.tools, *match.tools))
        # A tool that does so by default needs no setting named.
        named = [tool for tool in tools if tool in TOOLS or tool.partition(", ")[0] not in tools]
        named.sort(key=lambda tool: tool not in TOOLS)
        joined[way_of(match.options)] = replace(earlier, tools=tuple(named))
    return list(joined.values())


def way_of(options: Options) -> tuple[str, ...]:
    """Options as something to compare: unlike nan, it equals itself."""
    return tuple(f"{option}={value!r}" for option, value in options.items())


def _unusual(match: Match) -> tuple[Any, ...]:
    """Sorts exact before rounded, then by how many tools print it without being asked to."""
    by_default = sum("," not in tool for tool in match.tools)
    return (match.fit != "exactly", -by_default, -len(match.tools), "alone" in match.metric)


def _nearest(candidates: list[list[Match]], value: float) -> list[Match]:
    """The readings nearest to the value, one match each, at most three."""

    def distance(match: Match) -> float:
        near = abs(match.value - value) if isinstance(match.value, float) else math.inf
        return math.inf if math.isnan(near) else near

    near = []
    for matches in candidates:
        best = min(matches, key=distance)
        equal = [m for m in matches if decimal_of(m.value) == decimal_of(best.value)]
        told = _without_idle_options([m for m in equal if not m.says], matches)
        near.append(min([*told, *(m for m in equal if m.says)], key=_unusual))
    near = [match for match in near if distance(match) < math.inf]
    return sorted(near, key=lambda m: (distance(m), _unusual(m)))[:3]


_SHOWN = 20  # rows of a table that one still reads


def _told(
    value: float,
    matches: list[Match],
    nearest: list[Match],
    without_pred: bool,
    without_score: bool,
) -> tuple[str, tuple[Step, ...]]:
    """The title and the tables of an identification."""
    ways = f"{len(matches)} way{'s' if len(matches) != 1 else ''} to get it"
    title = f"{value!r}: {ways if matches else 'no metric gives it here, under no convention'}"
    steps: list[Step] = []
    for caption, rows in (("What fits, most usual first", matches), ("The nearest", nearest)):
        if rows:
            header = ("metric", "convention", "value", "fits", "tools")
            cells = [
                (
                    m.metric,
                    "its own rule" if m.says else m.convention,
                    decimal_of(m.value),
                    m.fit or "no",
                    ", ".join(map(brief, m.tools)) or "–",
                )
                for m in rows[:_SHOWN]
            ]
            steps.append(Table(caption, header, tuple(cells)))
            for rule in dict.fromkeys(
                f"{brief(m.tools[0])}, {m.metric}: {m.says}." for m in rows[:_SHOWN] if m.says
            ):
                steps.append(Sentence(rule))
    if len(matches) > _SHOWN:
        steps.append(Sentence(f"{len(matches) - _SHOWN} more, less usual, are in .matches."))
    if without_pred:
        steps.append(Sentence("Set metrics were not tried: they need y_pred."))
    if without_score:
        steps.append(Sentence("Ranking metrics were not tried: they need y_score."))
    return title, tuple(steps)


def brief(tool: str) -> str:
    """A tool with its setting in brackets."""
    name, _, setting = tool.partition(", ")
    return f"{name} ({setting})" if setting else name


def decimal_of(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6f}".rstrip("0").rstrip(".")
