"""Which metric and which convention give a number.

A candidate is a value on the data together with the metric and convention that have it; a
convention is a set of options with their values. Candidates that give the number are matches.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers._core import counts
from mlm_helpers._core.inputs.data import LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.kinds import MAX_EXACT_INT, is_integer, is_number
from mlm_helpers._core.inputs.options import read_int
from mlm_helpers._core.inputs.refuse import check_same_order, short_repr
from mlm_helpers._core.progress import progress
from mlm_helpers.conventions.cached_data import CachedData, as_two_classes
from mlm_helpers.conventions.quantities import RARE, Quantity, option_combinations, quantities
from mlm_helpers.conventions.tool import Options, is_close
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.conventions.translate import options_in_words, read_cached, tool_number
from mlm_helpers.tables import Display, Sentence, Step, count_phrase, table

_MAX_ROWS = 20  # of the displayed table
_MAX_COLUMNS = 50  # labels that are tried alone, the first ones
_NOT_TRIED = (
    "Not tried: sample weights, thresholds, parts of the data, batches (torchmetrics decides on a"
    " sigmoid in each), other values of β and k"
)
_NOT_TRIED_IF_PRINTED = (
    ". Because tools print this number, exchanged or transposed matrices, and both classes of a"
    " label, were not tried"
)


class Target(NamedTuple):
    """The number to identify, as it was printed."""

    value: float
    decimals: int
    may_be_single: bool = False  # whether its digits may come from single precision


@dataclass(frozen=True)
class Match:
    """A metric and a convention with their value on the data: a match, or a candidate for one."""

    metric: str
    options: Options  # the conventions that matter on these data, and no others
    value: float
    fit: str = ""  # how it fits, from `match_kind`, or "as a percentage"; "" for a near miss
    tools: tuple[str, ...] = ()  # the tools that print it, those that do so by default first
    says: str = ""  # the tool's own rule, if no option of ours expresses it
    column: int | None = None  # the label's index, if only one label is evaluated
    view: str = ""  # a key of `VIEWS`, if other code would have to read the data in this way

    @property
    def convention(self) -> str:
        """The options that make a difference, in words for a table."""
        if self.says:
            return "its own rule"
        words = (*options_in_words(self.options), self.view)
        return ", ".join(filter(None, words)) or "any"


@dataclass(frozen=True, repr=False)
class Identification(Display):
    """The metrics and conventions that give a number, displayed as a table."""

    matches: tuple[Match, ...]  # all that fit: exact ones first, then those of most tools
    nearest: tuple[Match, ...]  # where nothing fits, the nearest candidates


def identify(
    value: float,
    y_true: LabelMatrix,
    y_pred: LabelMatrix | None = None,
    y_score: ScoreMatrix | None = None,
    *,
    y_prob: ScoreMatrix | None = None,
    decimals: int | None = None,
) -> Identification:
    """Every metric and convention that gives a number on these data, and the tools that print it.

    A value fits if it equals the number exactly, or after rounding or truncation to the number's
    decimals; a number of 7 digits or more may come from single precision. If nothing fits, the
    number is tried as a percentage. Single labels are tried too, up to 50. Cost, propensity-scored
    and hierarchical metrics are not tried. If no tool prints the number, rarer means of label sets
    are tried as well, and other readings of the data: truth and prediction exchanged, both matrices
    transposed, or both classes of each label counted.

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
        The number of decimals printed, if ``value`` lost some: 2 for 0.50. A whole number above 1
        is taken as rounded.

    Examples
    --------
    >>> identification = identify(0.5, [[1, 0, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0]])
    >>> [match.options for match in identification.matches if match.metric == "samples F1"]
    [{'zero_division': 0.0}]
    """
    target = parse_target(value, decimals)
    predictions = {"y_pred": y_pred, "y_score": y_score, "y_prob": y_prob}
    missing = [name for name, matrix in predictions.items() if matrix is None]
    if len(missing) == len(predictions):
        raise ValueError("y_pred, y_score, y_prob are all missing: give the data behind the number")
    check_same_order({"y_true": y_true, **predictions})
    common = [*_common_candidates(y_true, predictions)]
    # First those that most tools print by default: with a setting, a tool is not a key of TOOLS.
    common.sort(key=lambda c: -sum(tool in TOOLS for tool in c.tools))
    candidates = common
    matches = _matches(target, candidates)
    # What no tool prints is tried only if no tool prints the number.
    is_printed = any(match.tools for match in matches)
    if not is_printed and y_pred is not None:
        known_values = {round(candidate.value, 9) for candidate in common}
        data = read_cached(RARE[0], y_true, y_pred)  # read like every quantity of label sets
        candidates = [*common, *_rare_candidates(data, known_values)]
        matches = _matches(target, candidates)
    if not matches and 1 < target.value <= 100:
        # 77.8 as a percentage is 0.778, which has two decimals more.
        ratio = target._replace(value=target.value / 100, decimals=target.decimals + 2)
        matches = [replace(match, fit="as a percentage") for match in _matches(ratio, candidates)]
    nearest = []
    if not matches and math.isfinite(target.value):
        finite = [candidate for candidate in common if math.isfinite(candidate.value)]
        # Rounded, so that candidates with the same value stay in their order, most tools first.
        nearest = sorted(finite, key=lambda c: round(abs(c.value - target.value), 9))[:3]
    n_ways = f"{count_phrase(len(matches), 'way')} to get it"
    outcome = n_ways if matches else "no metric gives it here, as far as was tried"
    title = f"{short_repr(value)}: {outcome}"
    not_tried = [f"{_NOT_TRIED}{_NOT_TRIED_IF_PRINTED if is_printed else ''}."]
    not_tried += [f"Metrics that read {name} were not tried: it is missing." for name in missing]
    steps = _steps(matches, nearest, not_tried)
    return Identification(title, steps, tuple(matches), tuple(nearest))


def _common_candidates(y_true: Any, predictions: Mapping[str, Any]) -> Iterator[Match]:
    """Candidates of all quantities and single labels; a progress bar appears if they take long."""
    cached: dict[Any, CachedData] = {}  # by how metrics read the matrices, see `reading`
    readable = [q for q in quantities().values() if predictions[q.reads] is not None]
    for quantity in progress(readable):
        record = quantity.record
        reading = quantity.reads, record is not None and record.keeps_sparse
        if reading not in cached:
            cached[reading] = read_cached(quantity, y_true, predictions[quantity.reads])
        data = cached[reading]
        if quantity.required.get("k", 1) <= len(data.support):
            yield from _candidates(quantity, data)
        is_macro = quantity.function.keywords.get("average") == "macro"
        if record and is_macro and not quantity.required:
            yield from _single_label_candidates(quantity, record.name, data)


def _candidates(quantity: Quantity, data: CachedData) -> list[Match]:
    """A candidate per convention, with its tools; then one per tool with a rule of its own.

    Options that make no difference are dropped from a convention.
    """
    # Each tool under each setting, by its key such as "keras, no threshold".
    translations = {
        tool.key(setting): translation
        for tool in TOOLS.values()
        for setting, translation in tool.translations_of(quantity.general_name)
    }
    candidates = _try_conventions(quantity, data, [t.options for t in translations.values()])
    # The keys are sets, because files of tools name options in any order.
    by_convention = {frozenset(options_in_words(c.options)): c for c in candidates}
    own_rules = []  # candidates of tools that depart from our number on these data
    for key, translation in translations.items():
        convention = frozenset(options_in_words(translation.options))
        candidate = by_convention[convention]
        number, departure = tool_number(translation, quantity, data, candidate.value)
        if is_close(number, candidate.value):
            by_convention[convention] = replace(candidate, tools=(*candidate.tools, key))
        elif departure and not isinstance(number, str):  # text says that the tool raises an error
            own_rules.append(Match(quantity.name, {}, number, tools=(key,), says=departure.says))
    merged = _merge_equal(by_convention.values())
    return [replace(match, tools=_by_default_first(match.tools)) for match in merged] + own_rules


def _single_label_candidates(quantity: Quantity, name: str, data: CachedData) -> Iterator[Match]:
    """Candidates of each label alone, whose metric is called by a name without an average.

    The value "agree" of ``zero_division`` is left out: under it a single 0/0 counts 0 or 1, which
    are tried anyway.
    """
    combinations = option_combinations(quantity.conventions)
    conventions = [options for options in combinations if "agree" not in options.values()]
    # Shape (n_conventions, n_labels)
    values = np.array([data.values(quantity.function, **options) for options in conventions])
    for j in range(min(len(data.support), _MAX_COLUMNS)):
        # A function of options and value, which makes the candidate with them.
        candidate_with = functools.partial(Match, f"{name} of column {j} alone", column=j)
        yield from _merge_equal(map(candidate_with, conventions, values[:, j].tolist()))


def _rare_candidates(data: CachedData, known_values: set[float]) -> Iterator[Match]:
    """Candidates that no tool prints: rare quantities, then new values in each of `VIEWS`.

    A value is new if it is not among the known ones, which are rounded to 9 decimals.
    """
    for quantity in RARE:
        yield from _merge_equal(_try_conventions(quantity, data))
    set_quantities = [q for q in quantities().values() if q.reads == "y_pred"]
    for view, transform in VIEWS.items():
        viewed = transform(data)
        for quantity in set_quantities:
            for candidate in _merge_equal(_try_conventions(quantity, viewed)):
                if round(candidate.value, 9) not in known_values:
                    yield replace(candidate, view=view)


VIEWS: dict[str, Callable[[CachedData], CachedData]] = {
    # A false alarm then is a miss, and a miss a false alarm.
    "truth and prediction exchanged": lambda data: CachedData.from_counts(
        *(c._replace(fp=c.fn, fn=c.fp) for c in (data.sample_counts, data.label_counts))
    ),
    "both matrices transposed": lambda data: CachedData.from_counts(
        data.label_counts, data.sample_counts
    ),
    "both classes of each label count": as_two_classes,
    "all cells in one list, both classes count": lambda data: as_two_classes(
        CachedData.from_counts(data.sample_counts, counts.pool(data.label_counts, "micro"))
    ),
}
"""How other code may read the data, in words, each with a function that reads the data so."""


def _try_conventions(
    quantity: Quantity, data: CachedData, tool_options: Sequence[Options] = ()
) -> list[Match]:
    """A candidate for each combination of the options' usual values and those that tools use."""
    values = {}
    for option, usual_values in quantity.conventions.items():
        tool_values = [options[option] for options in tool_options]
        # A value is kept once; by its text, since nan is not equal to nan.
        by_text = {repr(value): value for value in (*usual_values, *tool_values)}
        values[option] = by_text.values()
    conventions = option_combinations(values)
    return [Match(quantity.name, c, quantity.value(data, **c)) for c in conventions]


def _merge_equal(candidates: Iterable[Match]) -> list[Match]:
    """The candidates, where an option that makes no difference is dropped.

    All candidates come with the same options. Those that differ in one option alone become one
    candidate without it if their values are equal and every value of the option is among them.
    """
    merged = [*candidates]
    for option in merged[0].options:
        n_values = len({repr(candidate.options[option]) for candidate in merged})
        # Groups of candidates that differ in this option alone, by their other options in words.
        groups = defaultdict(list)
        for candidate in merged:
            groups[options_in_words(_without(option, candidate.options))].append(candidate)
        merged = []
        for group in groups.values():
            is_equal = all(is_close(candidate.value, group[0].value) for candidate in group)
            if is_equal and len(group) == n_values:
                tools = tuple(tool for candidate in group for tool in candidate.tools)
                others = _without(option, group[0].options)
                merged.append(replace(group[0], options=others, tools=tools))
            else:
                merged += group
    return merged


def _without(option: str, options: Options) -> Options:
    """The options without the one of that name."""
    return {name: value for name, value in options.items() if name != option}


def _by_default_first(tools: tuple[str, ...]) -> tuple[str, ...]:
    """Tools that print a number by default, then those that print it under a setting.

    A tool that prints it by default is not named again with its settings.
    """
    by_default = [tool for tool in tools if tool in TOOLS]
    by_setting = [tool for tool in tools if tool.partition(", ")[0] not in by_default]
    return (*by_default, *by_setting)


def parse_target(value: Any, decimals: Any) -> Target:
    """The number as a float, with its decimals: those given, or as many as it is written with."""
    if not is_number(value):
        raise TypeError(f"value is {short_repr(value)}: give it as a float, such as 0.5")
    fewest = 1  # decimals: 1.0 can be written 1, but a larger whole number was rounded
    if is_integer(value):
        read_int(value, "value", -MAX_EXACT_INT, MAX_EXACT_INT)
        if abs(value) > 1:
            fewest = 0
    _, digits, exponent = Decimal(str(value)).as_tuple()  # of 0.778: (7, 7, 8) and -3
    if decimals is None:
        decimals = max(fewest, -int(exponent) if math.isfinite(value) else 1)
    # Numbers of single precision are printed with 7 digits or more.
    return Target(float(value), read_int(decimals, "decimals", 0), len(digits) >= 7)


def match_kind(target: Target, candidate: float) -> str:
    """How a candidate's value gives the target.

    "exactly", "rounded", "truncated", "in single precision", or "" if it does not.
    """
    value = target.value
    step = 10.0**-target.decimals  # of the last decimal
    slack = step * 1e-6  # for errors of floats
    distance = abs(candidate - value)
    if is_close(value, candidate):
        return "exactly"
    if distance <= step / 2 + slack:
        return "rounded"
    # Truncation cuts decimals off: the candidate is further from 0, on the same side.
    if candidate * value >= 0 and -slack <= abs(candidate) - abs(value) < step - slack:
        return "truncated"
    is_near = distance <= 1e-6 * abs(candidate) < math.inf  # 1e-6: sums are rounded, too
    return "in single precision" if target.may_be_single and is_near else ""


def _matches(target: Target, candidates: list[Match]) -> list[Match]:
    """The candidates that give the target, exact ones first."""
    fitted = [replace(c, fit=match_kind(target, c.value)) for c in candidates]
    matches = [candidate for candidate in fitted if candidate.fit]
    return sorted(matches, key=lambda match: match.fit != "exactly")


def _steps(matches: list[Match], nearest: list[Match], not_tried: list[str]) -> tuple[Step, ...]:
    """The table of matches, or of the nearest candidates; then what it leaves out, in sentences."""
    rows = []
    own_rules = []  # each tool's own rule, in a sentence below the table
    for match in (matches or nearest)[:_MAX_ROWS]:
        tools = "; ".join(match.tools) or "–"
        rows.append((match.metric, match.convention, match.value, match.fit or "no", tools))
        if match.says:
            own_rules.append(Sentence(f"{tools}, {match.metric}: {match.says}."))
    steps: list[Step] = []
    if rows:
        caption = "What fits, most usual first" if matches else "The nearest"
        header = ("metric", "convention", "value", "fits", "tools")
        steps += [*table(header, rows, caption, decimals=6).steps, *dict.fromkeys(own_rules)]
    if len(matches) > _MAX_ROWS:
        steps.append(Sentence(f"{len(matches) - _MAX_ROWS} more, less usual, are in .matches."))
    steps += map(Sentence, not_tried)
    return tuple(steps)
