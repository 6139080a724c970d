"""Which metric and which convention give a number."""

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import counts, inputs
from mlm_helpers.board import Board, Sentence, Step, Table
from mlm_helpers.board.values import written
from mlm_helpers.conventions.quantities import (
    Matrix,
    Quantity,
    keeps_sparse,
    of_record,
    quantities,
    quantity_of,
    telling,
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
    **per_label: Any,
) -> Identification:
    """Every metric and convention that gives a number on these data, and the tools that print it.

    A value fits if it equals the number, exactly, rounded or truncated to the number's decimals, or in
    single or half precision. If nothing fits, the number is tried as a percentage. Single labels are
    tried too, up to 50.

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
    **per_label
        Options with an entry for each label, such as ``inverse_propensities``. Metrics that require an
        option that is not given are not tried.

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
    asked = sought(value, decimals)
    given = {"y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    if not any(one is not None for one in given.values()):
        raise ValueError(
            "y_pred, y_score and y_prob are all missing: give the data behind the number"
        )
    asks = {option for quantity in quantities().values() for option in quantity.asks}
    for name in per_label.keys() - asks:
        raise TypeError(
            f"{name} is no option per label: identify takes {', '.join(sorted(asks)) or 'none'}"
        )
    candidates, left_out = [], []
    for kind, (argument, one) in zip(("Set", "Ranking", "Probability"), given.items(), strict=True):
        if one is not None:
            candidates += _candidates(argument, y_true, one, per_label)
        else:
            left_out.append(Sentence(f"{kind} metrics were not tried: they need {argument}."))
    matches = _fitting(candidates, asked)
    if not matches and 1 < asked.value <= 100:
        percentage = asked._replace(value=asked.value / 100, decimals=asked.decimals + 2)
        found = _fitting(candidates, percentage)
        matches = [replace(match, fit="as a percentage") for match in found]
    nearest = [] if matches else _nearest(candidates, asked.value)
    title = "no metric gives it here, as far as was tried"
    if matches:
        title = f"{len(matches)} way{'s' if len(matches) != 1 else ''} to get it"
    tried = (one for one in quantities().values() if given[one.reads] is not None)
    missing = sorted({option for quantity in tried for option in quantity.asks} - per_label.keys())
    steps = (*_told(matches, nearest, missing), *left_out)
    return Identification(f"{inputs.shown(value)}: {title}", steps, tuple(matches), tuple(nearest))


# ---------------------------------------------------------------------------- what is tried


def _candidates(
    reads: str, y_true: Any, y_other: Any, per_label: Mapping[str, Any]
) -> list[list[Match]]:
    """Per quantity, its value under each convention and each departure of a tool, with the tools."""
    every = [quantity for quantity in quantities().values() if quantity.reads == reads]
    truth, other = read(every[0], y_true, y_other)
    found: list[list[Match]] = []
    for quantity in every:
        if set(quantity.asks) - per_label.keys():
            continue
        quantity = quantity.knowing(per_label)
        data = (truth, other)
        if reads == "y_score" and keeps_sparse(quantity):
            data = read(quantity, y_true, y_other)
        found.append(_of_quantity(quantity, *data))
    for record in catalogue.METRICS:
        if record.along == "label" and record.reads == reads and not record.required:
            found += _of_columns(record, truth, other)
    return [matches for matches in found if matches]


def _of_quantity(quantity: Quantity, truth: Matrix, other: Matrix) -> list[Match]:
    answers = [
        (tool, setting, translation)
        for tool in TOOLS.values()
        for setting, translation in tool.answers(quantity.general)
    ]
    theirs = [translation.asked(setting) for _, setting, translation in answers]
    try:
        options = telling(quantity, truth, other)
        choices = {
            o: dict.fromkeys([*quantity.choices[o], *(a[o] for a in theirs)]) for o in options
        }
        matches = list(_ways(quantity, choices, truth, other))
    except ValueError:  # these data cannot have it, such as k above the number of labels
        return []
    own = []
    for (tool, setting, translation), asked in zip(answers, theirs, strict=True):
        i = next(i for i, m in enumerate(matches) if m.options.items() <= asked.items())
        key, ours = tool.key(setting), functools.partial(quantity.function, **asked)
        found = departed(tool, translation.departing(setting), ours, truth, other)
        if found is None or close(found[1], matches[i].value):
            matches[i] = replace(matches[i], tools=(*matches[i].tools, key))
        else:
            own.append(Match(quantity.name, {}, found[1], tools=(key,), says=found[0].says))
    return matches + own


def _ways(
    quantity: Quantity, choices: dict[str, Any], truth: Matrix, other: Matrix
) -> Iterator[Match]:
    """The value under each choice; what a sample or label without one is worth changes no other's."""
    ask, average = quantity.function, quantity.function.keywords.get("average")
    each_of = {"per_sample": True} if quantity.along == "sample" else {"average": None}
    is_mean = quantity.along == "sample" or average in ("macro", "weighted")
    worths = choices.pop("undefined", None) if is_mean else None
    for chosen in ways(choices):
        if worths is None:
            yield Match(quantity.name, chosen, float(ask(truth, other, **chosen)))
            continue
        each = ask(truth, other, **chosen, undefined=math.nan, **each_of)
        support = np.ones(len(each)) if average is None else truth.sum(axis=0)
        for worth in worths:
            filled = np.where(np.isnan(each), worth, each)
            mean = float(counts.averaged(filled, support, average or "macro"))
            yield Match(quantity.name, {**chosen, "undefined": worth}, mean)


def _of_columns(record: catalogue.Metric, truth: Matrix, other: Matrix) -> list[list[Match]]:
    """A metric of each label alone; of one label, "agree" is always one of the others."""
    quantity = of_record(record)[0]
    choices = {option: quantity.choices[option] for option in telling(quantity, truth, other)}
    tried = [chosen for chosen in ways(choices) if "agree" not in chosen.values()]
    values = [record.function(truth, other, average=None, **chosen) for chosen in tried]
    return [
        [
            Match(f"{record.name} of column {j} alone", chosen, float(each[j]), column=j)
            for chosen, each in zip(tried, values, strict=True)
        ]
        for j in range(min(truth.shape[1], _COLUMNS))
    ]


# ---------------------------------------------------------------------------- what fits


def _fitting(candidates: list[list[Match]], asked: Sought) -> list[Match]:
    """The candidates that fit, the conventions of each told as shortly as they can be."""
    found = []
    for matches in candidates:
        fits = [replace(match, fit=fit(asked, match.value)) for match in matches]
        for equal in _equal([match for match in fits if match.fit]):
            found += _shortly(equal, fits)
    return sorted(found, key=_unusual)


def _equal(matches: list[Match]) -> list[list[Match]]:
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
    own = [match for match in equal if match.says]
    equal = [match for match in equal if not match.says]
    for option in list(equal[0].options) if equal else []:
        there = {way(match.options) for match in equal}
        values = [match.options[option] for match in tried if option in match.options]
        if all(way({**m.options, option: v}) in there for m in equal for v in values):
            equal = [
                replace(m, options={o: v for o, v in m.options.items() if o != option})
                for m in equal
            ]
    alike: dict[tuple[str, ...], list[Match]] = {}
    for match in equal:
        alike.setdefault(way(match.options), []).append(match)
    return [replace(group[0], tools=_users(group)) for group in alike.values()] + own


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
        near = math.inf if isinstance(match.value, str) else abs(match.value - value)
        return math.inf if math.isnan(near) else near

    near = []
    for matches in candidates:
        best = min(matches, key=distance)
        equal = [match for match in matches if close(match.value, best.value)]
        near.append(min(_shortly(equal, matches), key=_unusual))
    near = [match for match in near if distance(match) < math.inf]
    return sorted(near, key=lambda match: (distance(match), _unusual(match)))[:3]


# ---------------------------------------------------------------------------- what is told


def _told(matches: list[Match], nearest: list[Match], missing: list[str]) -> list[Step]:
    """The table, the rules in it that are a tool's own, and what is not shown."""
    steps: list[Step] = []
    shown = (matches or nearest)[:_SHOWN]
    if shown:
        caption = "What fits, most usual first" if matches else "The nearest"
        header = ("metric", "convention", "value", "fits", "tools")
        steps.append(Table(caption, header, tuple(map(_row, shown))))
        own = [match for match in shown if match.says]
        rules = dict.fromkeys(f"{brief(m.tools[0])}, {m.metric}: {m.says}." for m in own)
        steps += map(Sentence, rules)
    if len(matches) > _SHOWN:
        steps.append(Sentence(f"{len(matches) - _SHOWN} more, less usual, are in .matches."))
    if not matches:
        steps.append(Sentence(f"Not tried: {', '.join(_untried(missing))}."))
    return steps


def _row(match: Match) -> tuple[str, ...]:
    convention = "its own rule" if match.says else match.convention
    tools = ", ".join(brief(key, match.metric) for key in match.tools) or "–"
    return match.metric, convention, written(match.value, 6), match.fit or "no", tools


def _untried(missing: list[str]) -> list[str]:
    """What can lie behind a number that nothing gives."""
    found = ["sample weights", "other thresholds", "a part of the samples or labels"]
    for record in catalogue.METRICS:
        for name in (n for n in record.required if n not in record.asks_per_label):
            values = (*record.parameters[name].values, *record.parameters[name].also)
            shown = ", ".join(inputs.shown(value).removesuffix(".0") for value in values)
            found.append(f"{name} other than {shown}")
    return list(dict.fromkeys([*found, *(f"metrics that need {name}" for name in missing)]))


def brief(tool: str, metric: str = "") -> str:
    """A tool with its setting in brackets, or with the column where papers have its number."""
    name, _, setting = tool.partition(", ")
    if metric and TOOLS[name].says_columns:
        setting = TOOLS[name].metrics[quantity_of(metric).general].call
    return f"{name} ({setting})" if setting else name
