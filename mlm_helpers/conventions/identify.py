"""Which metric and which convention give a number."""

import functools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import is_integer, is_number
from mlm_helpers.conventions.cached_data import CachedData, as_two_classes, pooled
from mlm_helpers.conventions.quantities import (
    RARER,
    Quantity,
    option_combinations,
    quantities,
    read_sets,
)
from mlm_helpers.conventions.tool import Options, is_close
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import first_departure, options_in_words, read_cached
from mlm_helpers.tables import Display, Sentence, Step, Table, format_value

_SHOWN = 20  # rows of a table that one still reads
_COLUMNS = 50  # single labels that are tried
_PATIENCE = 3  # seconds after which a search shows how far it is
_NOT_TRIED = (
    "Not tried: sample weights, thresholds, parts of the data, batches (torchmetrics decides on a"
    " sigmoid in each), other values of β and k"
)
_NOR = "; nor, since tools print it, exchanged or transposed matrices, or both classes of a label"


class Target(NamedTuple):
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
    view: str = ""  # what else other code would have to take the data for: a key of `VIEWS`

    @property
    def convention(self) -> str:
        """The options that make a difference, in words for a table."""
        if self.says:
            return "its own rule"
        return ", ".join((*options_in_words(self.options), *filter(None, [self.view]))) or "any"


@dataclass(frozen=True, repr=False)
class Identification(Display):
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
    Single labels are tried too, up to 50. Metrics that need an option per label are not tried. Where no tool
    prints the number, so are rarer means, and what other code may have taken the data for, see `VIEWS`.

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
    target = parse_target(value, decimals)
    others = {"y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    missing = [reads for reads, other in others.items() if other is None]
    if len(missing) == len(others):
        raise ValueError(f"{', '.join(missing)} are all missing: give the data behind the number")
    inputs.check_same_order({"y_true": y_true, **others})
    tried = usual = [*_usual(y_true, others)]
    usual.sort(key=lambda match: -sum(tool in TOOLS for tool in match.tools))  # not if asked to
    matches = _fitting(target, usual)
    is_printed = any(match.tools for match in matches)
    if not is_printed and y_pred is not None:
        known = {round(match.value, 9) for match in usual}
        tried = [*usual, *_unusual(read_sets(y_true, y_pred), known)]
        matches = _fitting(target, tried)
    if not matches and 1 < target.value <= 100:
        share = target._replace(value=target.value / 100, decimals=target.decimals + 2)
        matches = [replace(match, fit="as a percentage") for match in _fitting(share, tried)]
    nearest = []
    if not matches and math.isfinite(target.value):
        finite = [match for match in usual if math.isfinite(match.value)]
        nearest = sorted(finite, key=lambda one: round(abs(one.value - target.value), 9))[:3]
    title = f"{len(matches)} way{'s' * (len(matches) > 1)} to get it"
    title = title if matches else "no metric gives it here, as far as was tried"
    not_tried = [f"{_NOT_TRIED}{_NOR if is_printed else ''}."]
    not_tried += [f"Metrics that read {one} were not tried: it is missing." for one in missing]
    steps = _steps(matches, nearest, not_tried)
    return Identification(
        f"{inputs.short_repr(value)}: {title}", steps, tuple(matches), tuple(nearest)
    )


# ---------------------------------------------------------------------------- what is tried


def _usual(y_true: Any, others: Mapping[str, Any]) -> Iterator[Match]:
    """The values of each quantity, and of each label alone, with a progress bar if they take long."""
    from tqdm import tqdm

    kept: dict[Any, CachedData] = {}  # each matrix is read once
    given = [one for one in quantities().values() if others[one.reads] is not None]
    for quantity in tqdm(given, leave=False, delay=_PATIENCE):
        record = None if quantity.function.args else catalogue.record_of(quantity.function)
        gate = quantity.reads, record is not None and record.keeps_sparse
        if gate not in kept:
            kept[gate] = read_cached(quantity, y_true, others[quantity.reads])
        data = kept[gate]
        if quantity.required.get("k", 1) <= len(data.support):
            yield from _of_quantity(quantity, data)
        if (
            record
            and quantity.function.keywords.get("average") == "macro"
            and not quantity.required
        ):
            yield from _of_labels(quantity, record.name, data)


def _of_quantity(quantity: Quantity, data: CachedData) -> list[Match]:
    """A match for each convention, with the tools that follow it; and one for each tool's own rule."""
    answers = [
        (
            tool.key(setting),
            translation.options_under(setting),
            translation.departures_under(setting),
        )
        for tool in TOOLS.values()
        for setting, translation in tool.translations_of(quantity.general_name)
    ]
    tried = _by_convention(quantity, data, [asked for _, asked, _ in answers])
    by_convention, own_rules = {options_in_words(match.options): match for match in tried}, []
    for tool, asked, departures in answers:
        convention = options_in_words({option: asked[option] for option in quantity.conventions})
        match, ours = by_convention[convention], functools.partial(quantity.function, **asked)
        departs = first_departure(departures, ours, data)
        if departs is None or is_close(departs[1], match.value):
            by_convention[convention] = replace(match, tools=(*match.tools, tool))
        elif not isinstance(departs[1], str):
            says, value = departs[0].says, departs[1]
            own_rules.append(Match(quantity.name, {}, value, tools=(tool,), says=says))
    short = _shortly(by_convention.values())
    return [replace(one, tools=_by_default_first(one.tools)) for one in short] + own_rules


def _of_labels(quantity: Quantity, name: str, data: CachedData) -> Iterator[Match]:
    """The values of single labels; for 0/0 of one label "agree" is always one of the others."""
    conventions = [
        c for c in option_combinations(quantity.conventions) if "agree" not in c.values()
    ]
    values = np.array([data.values(quantity.function, **c) for c in conventions])
    for j in range(min(len(data.support), _COLUMNS)):
        named = functools.partial(Match, f"{name} of column {j} alone", column=j)
        yield from _shortly(map(named, conventions, values[:, j].tolist()))


def _unusual(data: CachedData, known: Collection[float]) -> Iterator[Match]:
    """What other code may have made of label sets: rarer numbers, and views that have other values."""
    for quantity in RARER:
        yield from _shortly(_by_convention(quantity, data))
    of_sets = [one for one in quantities().values() if one.reads == "y_pred"]
    for view, taken in VIEWS.items():
        seen = taken(data)
        for quantity in of_sets:
            for match in _shortly(_by_convention(quantity, seen)):
                if round(match.value, 9) not in known:
                    yield replace(match, view=view)


VIEWS: dict[str, Callable[[CachedData], CachedData]] = {
    "truth and prediction exchanged": lambda data: CachedData.of_counts(
        *(one._replace(fp=one.fn, fn=one.fp) for one in (data.rows, data.labels))
    ),
    "both matrices transposed": lambda data: CachedData.of_counts(data.labels, data.rows),
    "both classes of each label count": lambda data: as_two_classes(data.rows, data.labels),
    "all cells in one list, both classes count": lambda data: as_two_classes(
        data.rows, pooled(data.labels)
    ),
}
"""Label sets as other code may take them, in words, from the counts as they are."""


def _by_convention(
    quantity: Quantity, data: CachedData, asked: Sequence[Options] = ()
) -> list[Match]:
    """The value under each convention, with the options that tools ask for."""
    choices = {
        option: {repr(value): value for value in (*tried, *(one[option] for one in asked))}.values()
        for option, tried in quantity.conventions.items()
    }
    value = functools.partial(data.value, quantity.function)
    return [Match(quantity.name, c, value(**c)) for c in option_combinations(choices)]


def _shortly(tried: Iterable[Match]) -> list[Match]:
    """The same matches; where all values of an option give one number, one match without the option."""
    short = [*tried]
    n_values = {o: len({repr(one.options[o]) for one in short}) for o in short[0].options}
    for option, n in n_values.items():
        alike: dict[tuple[str, ...], list[Match]] = {}
        for match in short:
            others = {o: value for o, value in match.options.items() if o != option}
            alike.setdefault(options_in_words(others), []).append(match)
        short = []
        for matches in alike.values():
            is_one = len(matches) == n and all(is_close(m.value, matches[0].value) for m in matches)
            short += [_without(option, matches)] if is_one else matches
    return short


def _without(option: str, matches: list[Match]) -> Match:
    """One match of several that differ in an option."""
    options = {o: value for o, value in matches[0].options.items() if o != option}
    tools = tuple(tool for match in matches for tool in match.tools)
    return replace(matches[0], options=options, tools=tools)


def _by_default_first(tools: tuple[str, ...]) -> tuple[str, ...]:
    """Each tool once: with a setting only where it does not print the number without."""
    by_default = [tool for tool in tools if tool in TOOLS]
    if_asked = [tool for tool in tools if tool.partition(", ")[0] not in by_default]
    return tuple(dict.fromkeys(by_default + if_asked))


# ---------------------------------------------------------------------------- what fits


def parse_target(value: Any, decimals: Any) -> Target:
    """Read the number that is sought; what is not a number is refused."""
    if not is_number(value) or (is_integer(value) and abs(value) >= 2**1023):
        raise TypeError(f"value is {inputs.short_repr(value)}: give it as a float, such as 0.5")
    _, digits, exponent = Decimal(str(value)).as_tuple()
    if decimals is None:
        least = 0 if is_integer(value) and abs(value) > 1 else 1
        decimals = max(least, -int(exponent) if math.isfinite(value) else 1)
    decimals = min(inputs.read_int(decimals, "decimals", 0), 400)
    return Target(float(value), decimals, len(digits) >= 7)


def match_kind(target: Target, candidate: float) -> str:
    """How a candidate gives the number, in words; empty where it does not."""
    value, step = target.value, 10.0**-target.decimals
    off, slack = abs(candidate - value), step * 1e-6
    if is_close(value, candidate):
        return "exactly"
    if off <= step / 2 + slack:
        return "rounded"
    if candidate * value >= 0 and -slack <= abs(candidate) - abs(value) < step - slack:
        return "truncated"
    is_near = off <= 1e-6 * abs(candidate) < math.inf
    return "in single precision" if target.is_single and is_near else ""


def _fitting(target: Target, tried: list[Match]) -> list[Match]:
    """The matches that fit, exact ones first."""
    fits = [
        replace(match, fit=kind) for match in tried if (kind := match_kind(target, match.value))
    ]
    return sorted(fits, key=lambda match: match.fit != "exactly")


# ---------------------------------------------------------------------------- what is told


def _steps(matches: list[Match], nearest: list[Match], not_tried: list[str]) -> tuple[Step, ...]:
    """The table, the rules in it that are a tool's own, and what is not shown or was not tried."""
    rows, own_rules = [], []
    for match in (matches or nearest)[:_SHOWN]:
        tools = "; ".join(match.tools) or "–"
        value = format_value(match.value, 6)
        rows.append((match.metric, match.convention, value, match.fit or "no", tools))
        if match.says:
            own_rules.append(Sentence(f"{tools}, {match.metric}: {match.says}."))
    steps: list[Step] = []
    if rows:
        caption = "What fits, most usual first" if matches else "The nearest"
        header = ("metric", "convention", "value", "fits", "tools")
        steps += [Table(caption, header, tuple(rows)), *dict.fromkeys(own_rules)]
    if len(matches) > _SHOWN:
        steps.append(Sentence(f"{len(matches) - _SHOWN} more, less usual, are in .matches."))
    steps += map(Sentence, not_tried)
    return tuple(steps)
