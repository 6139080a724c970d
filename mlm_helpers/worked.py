"""Worked solutions: any metric of the catalogue on data small enough to follow, step by step.

This is the second road to every number. It is plain Python with `fractions.Fraction`, reads its
input through the same gate as the metric functions, and shares nothing else with them: it calls no
metric and imports no NumPy. Which steps belong to a metric is found through its catalogue record.
"""

from __future__ import annotations

import functools
import inspect
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from mlm_helpers import catalogue, inputs
from mlm_helpers.board import (
    Board,
    Cell,
    Equation,
    Ratio,
    Sentence,
    Step,
    Table,
    equation,
    printable,
    slashed,
)
from mlm_helpers.board.numbers import plain

LARGEST = 50  # samples or labels: more than that nobody follows by hand

Number = Fraction | float  # the float is nan: left out, or no value
Value = Number | tuple[Number, ...]


@dataclass(frozen=True, repr=False)
class Solution(Board):
    """How a number comes about.

    Attributes
    ----------
    title : str
        The metric and its options.
    steps : tuple of Table, Sentence and Equation
        What is written on the board, in order.
    value : Fraction, or nan where there is none; a tuple of them for one value per label or sample
    """

    value: Value

    def __float__(self) -> float:
        """Return the value as a float; several values have none, and raise a TypeError."""
        if isinstance(self.value, tuple):
            raise TypeError(f"the solution has {len(self.value)} values: read them from .value")
        return float(self.value)


# ---------------------------------------------------------------------------- solve


def solve(
    metric: Callable[..., Any],
    y_true: Any,
    y_pred_or_score: Any,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
    **options: Any,
) -> Solution:
    r"""Compute a metric by hand and show every step.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 50 of each
    y_pred_or_score : matrix of the same shape
        Predictions (0 and 1), or scores for a ranking metric.
    labels, samples : names, optional
        By default a DataFrame's own, else numbers from 1.
    **options
        The metric's own keyword arguments. Weights and beta are read as they are written: 0.1 is
        exactly 1/10.

    Returns
    -------
    Solution
        ``.value`` is an exact Fraction in the metric's range (nan where there is no value), or a
        tuple of them where the metric returns an array. It shows itself in a notebook.

    Raises
    ------
    TypeError, ValueError
        One sentence: whatever the metric itself refuses, more than 50 samples or labels, an option
        that the metric does not take, or names that do not fit.

    References
    ----------
    The formula and the source of each metric are in its own docstring.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> y_true = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
    >>> y_pred = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
    >>> solve(example_based.precision, y_true, y_pred).value
    Fraction(2, 3)
    >>> print(solve(example_based.precision, y_true, y_pred).to_text().splitlines()[-1])
    ⅓(½ + 2/2 + ½) = 2/3 ≈ 0.667
    """
    record = catalogue.of(metric)
    settings = _settings(record, metric, options)
    read = inputs.label_scores if record.reads == "y_score" else inputs.label_sets
    truth, other, weight = read(y_true, y_pred_or_score, settings["sample_weight"])
    _check_size(truth.shape, record)
    problem = _Problem(
        record,
        settings,
        truth=_rows(truth.astype(bool)),
        other=_rows(other),
        written=_written(other) if record.reads == "y_score" else [],
        weight=None if weight is None else [Fraction(str(w)) for w in weight.tolist()],
        labels=_names(labels, y_true, "columns", truth.shape[1], "labels"),
        samples=_names(samples, y_true, "index", truth.shape[0], "samples"),
    )
    steps, value = _FAMILIES[record.family](problem)
    return Solution(_title(record, settings), tuple(steps), value)


class _Problem(NamedTuple):
    """All that the steps are made of, as plain Python."""

    record: catalogue.Metric
    settings: dict[str, Any]
    truth: list[list[bool]]
    other: list[list[Any]]
    written: list[list[str]]
    weight: list[Fraction] | None
    labels: list[str]
    samples: list[str]


def _settings(
    record: catalogue.Metric, metric: Callable[..., Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Every option of the metric: given, bound by the partial, or its default; all checked."""
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    given = {**bound, **options}
    defaults = _defaults(record.function)
    for name in given:
        if name not in defaults:
            raise TypeError(
                f"{name} is not an option of {record.id}: it takes {', '.join(defaults)}"
            )
    settings = defaults | given
    if settings.get("beta", 1) is inspect.Parameter.empty:
        raise TypeError(f"beta is missing: {record.id} needs it, for example beta=2")
    for name, check in _CHECKS.items():
        if name in settings:
            check(settings[name])
    return settings


@functools.cache
def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """The keyword arguments of a metric with their defaults."""
    parameters = list(inspect.signature(function).parameters.values())[2:]
    return {parameter.name: parameter.default for parameter in parameters}


_CHECKS: dict[str, Callable[[Any], None]] = {
    "average": lambda value: inputs.one_of(value, inputs.AVERAGES, "average"),
    "beta": inputs.beta,
    "per_sample": lambda value: inputs.one_of(value, (True, False), "per_sample"),
    "start": lambda value: inputs.one_of(value, (0, 1), "start"),
    "ties": lambda value: inputs.one_of(value, inputs.TIES, "ties"),
    "undefined": inputs.undefined,
    "zero_division": inputs.zero_division,
}


def _check_size(shape: tuple[int, ...], record: catalogue.Metric) -> None:
    for size, what in zip(shape, ("samples", "labels"), strict=True):
        if size > LARGEST:
            raise ValueError(
                f"y_true has {size} {what}, more than the {LARGEST} that a person can follow:"
                f" for large data call {record.id} itself"
            )


def _rows(matrix: Any) -> list[list[Any]]:
    dense = matrix.toarray() if hasattr(matrix, "toarray") else matrix
    rows: list[list[Any]] = dense.tolist()
    return rows


def _written(score: Any) -> list[list[str]]:
    """Scores as a person would write them."""
    return [[text.removesuffix(".0") for text in row] for row in _rows(score.astype(str))]


def _names(
    given: Sequence[str] | None, y_true: Any, axis: str, count: int, argument: str
) -> list[str]:
    own = getattr(y_true, axis, None)
    if given is None and own is not None and not callable(own):
        given = list(own)
    if given is None:
        return [str(i) for i in range(1, count + 1)]
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise TypeError(
            f"{argument} is of type {type(given).__name__}: give a list of {count} names"
        )
    if len(given) != count:
        raise ValueError(
            f"{argument} has {len(given)} names for {count} {argument}: name each once"
        )
    return [printable(str(name)) for name in given]


def _title(record: catalogue.Metric, settings: Mapping[str, Any]) -> str:
    """Name, function, the average, and the other options that are not at their default."""
    defaults = _defaults(record.function)
    changed = [
        f"{name}={_option(value)}"
        for name, value in settings.items()
        if name == "average" or (name != "sample_weight" and value != defaults[name])
    ]
    weighted = ["with sample weights"] if settings["sample_weight"] is not None else []
    return ", ".join([f"{record.name}: {record.id}", *changed, *weighted])


# ---------------------------------------------------------------------------- set metrics


class _Counts(NamedTuple):
    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


def _option(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)


def _count(cells: Iterable[tuple[bool, bool, Fraction]]) -> _Counts:
    """Count (truth, prediction) cells, each as often as its weight says."""
    found = {(True, True): Fraction(0), (False, True): Fraction(0)}
    found |= {(True, False): Fraction(0), (False, False): Fraction(0)}
    for truth, prediction, weight in cells:
        found[truth, prediction] += weight
    return _Counts(*found.values())


def _ratio(name: str, counts: _Counts, settings: Mapping[str, Any]) -> Ratio:
    """The metric's fraction of four counts, as written."""
    tp, fp, fn, tn = counts
    if name == "hamming_loss":
        return Ratio(fp + fn, tp + fp + fn + tn)
    if name == "precision":
        return Ratio(tp, tp + fp)
    if name == "recall":
        return Ratio(tp, tp + fn)
    if name in ("f1", "fbeta"):
        beta = _exact(settings.get("beta", 1))
        for_recall, for_precision = beta.numerator**2, beta.denominator**2
        hits = (for_recall + for_precision) * tp
        return Ratio(hits, hits + for_recall * fn + for_precision * fp)
    return Ratio(tp, tp + fp + fn)  # accuracy, which is Jaccard


def _formula(name: str, settings: Mapping[str, Any]) -> str:
    """The same fraction in symbols."""
    if name in ("f1", "fbeta"):
        beta = _exact(settings.get("beta", 1))
        misses, alarms = beta.numerator**2, beta.denominator**2
        hits = _times(misses + alarms, "✓")
        terms = [hits, _times(alarms, "✗"), _times(misses, "○")]
        return f"{hits} / ({' + '.join(filter(None, terms))})"
    return {
        "hamming_loss": "(✗ + ○) / labels",
        "precision": "✓ / (✓ + ✗)",
        "recall": "✓ / (✓ + ○)",
    }.get(name, "✓ / (✓ + ✗ + ○)")


def _times(factor: int, symbol: str) -> str:
    return {0: "", 1: symbol}.get(factor, f"{factor}{symbol}")


def _worth(ratio: Ratio, counts: _Counts, settings: Mapping[str, Any]) -> Number:
    """The value of a fraction, by the rule of ``zero_division`` where it is 0/0."""
    if ratio.below:
        return ratio.above / ratio.below
    rule = settings["zero_division"]
    if rule == "agree":
        return Fraction(int(counts.tp + counts.fp + counts.fn == 0))
    return math.nan if math.isnan(rule) else Fraction(int(rule))


def _judged(ratio: Ratio, value: Number, settings: Mapping[str, Any]) -> tuple[Cell, str]:
    """The fraction, and where it is 0/0 the rule that gave it its value."""
    if ratio.below:
        return ratio, str(value)
    rule = f"by zero_division={_option(settings['zero_division'])}"
    if settings["zero_division"] == "agree":
        rule += ": both are empty" if value else ": only one is empty"
    return ratio, f"left out, {rule}" if _is_nan(value) else f"{value}, {rule}"


def _solve_exact_match(problem: _Problem) -> tuple[list[Step], Value]:
    wanted_right = problem.record.function.__name__ == "subset_accuracy"
    rows: list[tuple[Cell, ...]] = []
    values: list[Fraction] = []
    for sample, t, p in zip(problem.samples, problem.truth, problem.other, strict=True):
        wrong = [name for name, a, b in zip(problem.labels, t, p, strict=True) if a != b]
        value = Fraction(int((not wrong) == wanted_right))
        rows.append((sample, _set(wrong), str(value)))
        values.append(value)
    table = Table("Each sample", ("sample", "wrong labels", "value"), tuple(rows))
    steps: list[Step] = [_data(problem), table]
    return _average_samples(problem, steps, list(map(str, values)), values)


def _solve_per_sample(problem: _Problem) -> tuple[list[Step], Value]:
    name = problem.record.function.__name__
    rows: list[tuple[Cell, ...]] = []
    written: list[Cell] = []
    values: list[Number] = []
    for sample, t, p in zip(problem.samples, problem.truth, problem.other, strict=True):
        counts = _count((a, b, Fraction(1)) for a, b in zip(t, p, strict=True))
        ratio = _ratio(name, counts, problem.settings)
        value = _worth(ratio, counts, problem.settings)
        rows.append((sample, *map(plain, counts[:3]), *_judged(ratio, value, problem.settings)))
        written.append(_as_term(ratio, value))
        values.append(value)
    formula = _formula(name, problem.settings)
    header = ("sample", "✓ hits", "✗ false alarms", "○ misses", formula, "value")
    steps: list[Step] = [_data(problem), Table("Each sample", header, tuple(rows))]
    return _average_samples(problem, steps, written, values)


def _solve_label_based(problem: _Problem) -> tuple[list[Step], Value]:
    average, name = problem.settings["average"], problem.record.function.__name__
    weight = problem.weight or [Fraction(1)] * len(problem.samples)
    columns = [list(zip(t, p, weight, strict=True)) for t, p in _columns(problem)]
    rows: list[tuple[Cell, ...]] = []
    written: list[Cell] = []
    values: list[Number] = []
    supports: list[Fraction] = []
    for label, column in zip(problem.labels, columns, strict=True):
        counts = _count(column)
        ratio = _ratio(name, counts, problem.settings)
        value = _worth(ratio, counts, problem.settings)
        judged = ("", "") if average == "micro" else _judged(ratio, value, problem.settings)
        rows.append((label, *map(plain, counts), *judged))
        written.append(_as_term(ratio, value))
        values.append(value)
        supports.append(counts.tp + counts.fn)
    header = ("label", "✓ TP", "✗ FP", "○ FN", "TN", _formula(name, problem.settings), "value")
    steps: list[Step] = [_data(problem)]
    if average == "micro":
        total = _count(cell for column in columns for cell in column)
        ratio = _ratio(name, total, problem.settings)
        value = _worth(ratio, total, problem.settings)
        rows.append(("all labels", *map(plain, total), *_judged(ratio, value, problem.settings)))
        steps.append(Table("Each label, and all together", header, tuple(rows)))
        return _mean(steps, [_as_term(ratio, value)], [value], None, "label")
    steps.append(Table("Each label", header, tuple(rows)))
    if average is None:
        return steps, tuple(values)
    if average == "macro":
        return _mean(steps, written, values, None, "label")
    kept = [s for s, v in zip(supports, values, strict=True) if not _is_nan(v)]
    if any(kept):
        steps.append(Sentence("Each label weighs as much as it has relevant samples, TP + FN."))
        return _mean(steps, written, values, supports, "label")
    if kept:
        steps.append(Sentence("No label that is left has a relevant sample: all weigh the same."))
    return _mean(steps, written, values, None, "label")


def _columns(problem: _Problem) -> Iterable[tuple[Iterable[bool], Iterable[bool]]]:
    return zip(zip(*problem.truth, strict=True), zip(*problem.other, strict=True), strict=True)


def _data(problem: _Problem) -> Table:
    """The data with their label sets written out."""
    header: tuple[str, ...] = ("sample", "true labels", "predicted labels")
    rows: list[tuple[str, ...]] = [
        (sample, _set(_chosen(problem.labels, t)), _set(_chosen(problem.labels, p)))
        for sample, t, p in zip(problem.samples, problem.truth, problem.other, strict=True)
    ]
    if problem.weight:
        header = (*header, "weight")
        rows = [(*row, plain(w)) for row, w in zip(rows, problem.weight, strict=True)]
    number = f"{len(problem.labels)} label{'s' * (len(problem.labels) > 1)}"
    return Table(f"The data: {number}", header, tuple(rows))


def _chosen(names: Sequence[str], flags: Sequence[bool]) -> list[str]:
    return [name for name, flag in zip(names, flags, strict=True) if flag]


def _set(names: Sequence[str]) -> str:
    return "{" + ", ".join(names) + "}" if names else "∅"


# ---------------------------------------------------------------------------- ranking metrics


def _solve_ranking(problem: _Problem) -> tuple[list[Step], Value]:
    reader = _READERS[problem.record.function.__name__]
    steps: list[Step] = []
    rows: list[tuple[Cell, ...]] = []
    written: list[Cell] = []
    values: list[Number] = []
    for i, sample in enumerate(problem.samples):
        table, ranked = _ranked(problem, i)
        steps.append(table)
        found = reader(ranked, problem, steps) if any(problem.truth[i]) else None
        value, shown = _defined(found) if found else _undefined(problem.settings["undefined"])
        if not found:
            why = "No label is relevant"
            if any(problem.truth[i]):
                why = "Every label is relevant, so there is no pair"
            steps.append(Sentence(f"{why}: {slashed(shown)}."))
        relevant = _set(_chosen(problem.labels, problem.truth[i]))
        weight = () if problem.weight is None else (plain(problem.weight[i]),)
        rows.append((sample, relevant, *weight, shown))
        written.append(shown if found else str(value))
        values.append(value)
    if len(rows) == 1 and not problem.weight and not problem.settings["per_sample"]:
        if isinstance(steps[-1], Equation):  # which ends with this sample's value
            return steps, values[0]
    else:
        header = ("sample", "relevant labels", *(("weight",) if problem.weight else ()), "value")
        steps.append(Table("Each sample", header, tuple(rows)))
    return _average_samples(problem, steps, written, values)


class _Label(NamedTuple):
    """A label of one sample as the ranking metrics see it."""

    name: str
    relevant: bool
    rank: Fraction
    rank_among_relevant: Fraction
    place: int
    score: Any


def _ranked(problem: _Problem, i: int) -> tuple[Table, list[_Label]]:
    """The labels of a sample from the top down, and the table that shows them."""
    score, ties = problem.other[i], problem.settings["ties"]
    everyone = range(len(score))
    relevant = [j for j in everyone if problem.truth[i][j]]
    labels = [
        _Label(
            problem.labels[j],
            problem.truth[i][j],
            _rank(j, everyone, score, ties),
            _rank(j, relevant, score, ties),
            j,
            score[j],
        )
        for j in everyone
    ]
    backwards = -1 if ties == "last" else 1
    labels.sort(key=lambda label: (label.rank, backwards * label.place))
    rows = tuple(
        (
            plain(label.rank),
            label.name,
            problem.written[i][label.place],
            "✓" if label.relevant else "",
        )
        for label in labels
    )
    weight = f", weight {plain(problem.weight[i])}" if problem.weight else ""
    caption = f"Sample {problem.samples[i]}{weight}"
    return Table(caption, ("rank", "label", "score", "relevant"), rows), labels


def _rank(j: int, others: Iterable[int], score: Sequence[Any], ties: str) -> Fraction:
    """Rank of label j among the others: how many stand before it, and who wins a tie."""
    rivals = [k for k in others if k != j]
    above = len([k for k in rivals if score[k] > score[j]])
    tied = [k for k in rivals if score[k] == score[j]]
    lost = {
        "worst": Fraction(len(tied)),
        "best": Fraction(0),
        "average": Fraction(len(tied), 2),
        "first": Fraction(sum(k < j for k in tied)),
        "last": Fraction(sum(k > j for k in tied)),
    }[ties]
    return 1 + above + lost


def _read_coverage(ranked: list[_Label], problem: _Problem, steps: list[Step]) -> Ratio:
    deepest = max((label for label in ranked if label.relevant), key=lambda label: label.rank)
    depth = deepest.rank - 1 + problem.settings["start"]
    counted = "" if problem.settings["start"] else f", counted from 0: {plain(depth)}"
    steps.append(
        Sentence(
            f"The deepest relevant label is {deepest.name}, at rank {plain(deepest.rank)}{counted}."
        )
    )
    return Ratio(depth, Fraction(1))


def _read_one_error(ranked: list[_Label], problem: _Problem, steps: list[Step]) -> Ratio:
    ties = problem.settings["ties"]
    top = [label for label in ranked if label.rank == ranked[0].rank]
    wrong = [label for label in top if not label.relevant]
    error = {
        "worst": Ratio(Fraction(int(bool(wrong))), Fraction(1)),
        "best": Ratio(Fraction(int(wrong == top)), Fraction(1)),
    }.get(ties, Ratio(Fraction(len(wrong)), Fraction(len(top))))
    if len(top) > 1:
        names = ", ".join(label.name for label in top)
        share = f"{len(wrong)} of {len(top)} are irrelevant"
        worth = f"ties={ties!r} makes it {slashed(_defined(error)[1])}"
        steps.append(Sentence(f"At the top are tied: {names}; {share}, and {worth}."))
    else:
        kind = "not relevant" if wrong else "relevant"
        steps.append(Sentence(f"The top label is {top[0].name}, which is {kind}."))
    return error


def _read_ranking_loss(ranked: list[_Label], problem: _Problem, steps: list[Step]) -> Ratio | None:
    ties = problem.settings["ties"]
    relevant = [label for label in ranked if label.relevant]
    irrelevant = [label for label in ranked if not label.relevant]
    if not irrelevant:
        return None
    errors, words = Fraction(0), []
    for a in relevant:
        for b in irrelevant:
            error = _pair_error(a, b, ties)
            errors += error
            if error:
                tied = a.score == b.score
                words.append(
                    f"{b.name} tied with {a.name} (counts {error})"
                    if tied
                    else f"{b.name} before {a.name}"
                )
    number = len(relevant) * len(irrelevant)
    pairs = f"{len(relevant)} × {len(irrelevant)} = {number} pairs"
    pairs += " of a relevant and an irrelevant label"
    found = f"misordered: {'; '.join(words)}" if words else "none is misordered"
    steps.append(Sentence(f"{pairs}; {found}."))
    return Ratio(errors, Fraction(number))


def _pair_error(relevant: _Label, irrelevant: _Label, ties: str) -> Fraction:
    if relevant.score != irrelevant.score:
        return Fraction(int(relevant.score < irrelevant.score))
    return {
        "worst": Fraction(1),
        "best": Fraction(0),
        "average": Fraction(1, 2),
        "first": Fraction(int(irrelevant.place < relevant.place)),
        "last": Fraction(int(irrelevant.place > relevant.place)),
    }[ties]


def _read_average_precision(ranked: list[_Label], problem: _Problem, steps: list[Step]) -> Ratio:
    relevant = [label for label in ranked if label.relevant]
    rows = tuple(
        (
            label.name,
            plain(label.rank_among_relevant),
            plain(label.rank),
            Ratio(label.rank_among_relevant, label.rank),
        )
        for label in relevant
    )
    header = ("relevant label", "rank among the relevant", "rank among all", "fraction")
    steps.append(Table("Each relevant label", header, rows))
    shares = [Ratio(label.rank_among_relevant, label.rank) for label in relevant]
    mean = sum((s.above / s.below for s in shares), Fraction(0)) / len(shares)
    steps.append(equation(_sum(shares), mean))
    return Ratio(Fraction(mean.numerator), Fraction(mean.denominator))


_READERS: dict[str, Callable[[list[_Label], _Problem, list[Step]], Ratio | None]] = {
    "coverage": _read_coverage,
    "one_error": _read_one_error,
    "ranking_loss": _read_ranking_loss,
    "average_precision": _read_average_precision,
}


def _defined(found: Ratio) -> tuple[Number, Cell]:
    return found.above / found.below, plain(found.above) if found.below == 1 else found


def _undefined(rule: Any) -> tuple[Number, Cell]:
    """What ``undefined`` says that a sample without a value is worth."""
    words = f"by undefined={_option(rule)}"
    if math.isnan(rule):
        return math.nan, f"left out, {words}"
    return _exact(rule), f"{plain(_exact(rule))}, {words}"


# ---------------------------------------------------------------------------- averages


def _average_samples(
    problem: _Problem, steps: list[Step], written: Sequence[Cell], values: Sequence[Number]
) -> tuple[list[Step], Value]:
    if problem.settings["per_sample"]:
        return steps, tuple(values)
    return _mean(steps, written, values, problem.weight, "sample")


def _mean(
    steps: Sequence[Step],
    written: Sequence[Cell],
    values: Sequence[Number],
    weights: Sequence[Fraction] | None,
    what: str,
) -> tuple[list[Step], Number]:
    """The mean of the values that are not left out, written as a sum."""
    kept = [i for i, value in enumerate(values) if not _is_nan(value)]
    weight = [weights[i] if weights else Fraction(1) for i in kept]
    if not sum(weight):
        missing = "weight" if kept else what
        return [*steps, Sentence(f"No {missing} is left to average: the value is nan.")], math.nan
    total = sum(w * Fraction(values[i]) for w, i in zip(weight, kept, strict=True))
    terms = [written[i] for i in kept]
    left = _weighted_sum(terms, weight) if weights else _sum(terms)
    value = Fraction(total) / sum(weight)
    return [*steps, equation(left, value)], value


def _as_term(ratio: Ratio, value: Number) -> Cell:
    """The fraction as written, or the number that a rule put in the place of 0/0."""
    return ratio if ratio.below else str(value)


def _sum(terms: Sequence[Cell]) -> tuple[Cell, ...]:
    """1/n (a + b + …); a single term stands alone."""
    if len(terms) == 1:
        return (terms[0],)
    joined = [part for term in terms for part in (" + ", term)][1:]
    return (Ratio(Fraction(1), Fraction(len(terms))), "(", *joined, ")")


def _weighted_sum(terms: Sequence[Cell], weights: Sequence[Fraction]) -> tuple[Cell, ...]:
    """(u × a + v × b + …) ÷ (u + v + …)."""
    joined = [
        part
        for weight, term in zip(weights, terms, strict=True)
        for part in (" + ", plain(weight), " × ", term)
    ][1:]
    total = " + ".join(plain(weight) for weight in weights)
    return ("(", *joined, ")", " ÷ ", "(", total, ")")


# ---------------------------------------------------------------------------- numbers


def _exact(value: Any) -> Fraction:
    """A number as it is written: 0.1 is 1/10."""
    return Fraction(str(float(value)))


def _is_nan(value: Number) -> bool:
    return isinstance(value, float)


# ---------------------------------------------------------------------------- steps by family

_FAMILIES: dict[str, Callable[[_Problem], tuple[list[Step], Value]]] = {
    "exact match": _solve_exact_match,
    "example-based": _solve_per_sample,
    "Hamming": _solve_per_sample,
    "label-based": _solve_label_based,
    "ranking": _solve_ranking,
}


# ---------------------------------------------------------------------------- exercises


class Exercise(NamedTuple):
    """Fresh data to compute a metric on, the sheet that asks for it, and how it is done."""

    y_true: list[list[int]]
    y_pred_or_score: list[list[Any]]
    task: Board
    solution: Solution

    def _repr_html_(self) -> str:
        """Show the sheet in a notebook, the solution folded below it."""
        solution = f"<details>\n<summary>Solution</summary>\n{self.solution.to_html()}\n</details>"
        return f"{self.task.to_html()}\n{solution}"


def exercise(
    metric: Callable[..., Any],
    *,
    seed: int,
    n_samples: int,
    n_labels: int,
    ties: bool = False,
) -> Exercise:
    """Make data on which a metric is not trivial, and solve it.

    Every sample has at least one relevant and one irrelevant label, the value is neither the lowest
    nor the highest possible, and scores are untied unless ties are asked for.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of one
    seed : int
        The same seed gives the same data, everywhere.
    n_samples, n_labels : int, from 1 (2 for labels) to 50
    ties : bool
        Whether every sample shall have tied scores (ranking metrics).

    Returns
    -------
    Exercise
        Named tuple (y_true, y_pred_or_score, task, solution): two nested lists of shape
        (n_samples, n_labels), a `Board` with the data alone, and the `Solution`.

    Raises
    ------
    TypeError, ValueError
        If a size is not a whole number in its bounds, or if no such data turn up.

    References
    ----------
    The formula and the source of each metric are in its own docstring.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> sheet = exercise(hamming.hamming_loss, seed=1, n_samples=2, n_labels=3)
    >>> 0 < sheet.solution.value < 1
    True
    """
    record = catalogue.of(metric)
    _check_count(n_samples, "n_samples", 1)
    _check_count(n_labels, "n_labels", 2)
    if not isinstance(seed, int):
        raise TypeError(f"seed is {seed!r}: give a whole number")
    settings = _settings(record, metric, {})
    lowest = settings.get("start", 0)
    highest = n_labels - 1 + lowest if "start" in settings else 1
    rng = random.Random(seed)
    for _ in range(1000):
        y_true = [_mixed_row(rng, n_labels) for _ in range(n_samples)]
        if record.reads == "y_score":
            other: list[list[Any]] = [_score_row(rng, n_labels, ties) for _ in range(n_samples)]
        else:
            other = [[int(rng.random() < 0.5) for _ in range(n_labels)] for _ in range(n_samples)]
        solution = solve(metric, y_true, other)
        if _is_worth_asking(solution.value, lowest, highest):
            return Exercise(y_true, other, _task(solution), solution)
    raise ValueError(
        f"no data of {n_samples} samples and {n_labels} labels on which {record.id} is neither at its"
        " lowest nor at its highest turned up: ask for more samples or labels"
    )


def _task(solution: Solution) -> Board:
    """What a solution starts from: the data, with nothing worked out."""
    data: list[Step] = []
    for step in solution.steps:
        if isinstance(step, Table) and step.header[0] == "rank":
            rows = sorted((row[1:] for row in step.rows), key=lambda row: int(str(row[0])))
            data.append(Table(step.caption, step.header[1:], tuple(rows)))
    return Board(f"Compute {solution.title}", tuple(data) or solution.steps[:1])


def _check_count(value: Any, name: str, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= LARGEST:
        raise ValueError(f"{name} is {value!r}: give a whole number from {least} to {LARGEST}")


def _mixed_row(rng: random.Random, n_labels: int) -> list[int]:
    """A row of 0 and 1 that has both."""
    row = [int(rng.random() < 0.5) for _ in range(n_labels)]
    if len(set(row)) == 1:
        place = int(rng.random() * n_labels)
        row[place] = 1 - row[place]
    return row


def _score_row(rng: random.Random, n_labels: int, ties: bool) -> list[float]:
    """Scores of two decimals between 0 and 1: all different, or some of them the same."""
    if ties:
        levels = (n_labels + 1) // 2  # fewer levels than labels, so some must share one
        step = 100 // (levels + 1)
        return [step * (1 + int(rng.random() * levels)) / 100 for _ in range(n_labels)]
    chosen: list[float] = []
    while len(chosen) < n_labels:
        score = int(1 + rng.random() * 99) / 100
        chosen += [] if score in chosen else [score]
    return chosen


def _is_worth_asking(value: Value, lowest: int, highest: int) -> bool:
    if isinstance(value, tuple):
        return any(_is_worth_asking(one, lowest, highest) for one in value)
    return not _is_nan(value) and lowest < value < highest
