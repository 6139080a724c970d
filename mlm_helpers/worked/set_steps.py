"""Set metrics by hand: count hits, false alarms and misses, and divide.

In a hierarchy, all ancestors are added first. Symbols in formulas: ✓ is the number of hits (true
positives), ✗ of false alarms (false positives), ○ of misses (false negatives).
"""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from mlm_helpers._core.averages import AVERAGES
from mlm_helpers._core.inputs.ancestry import find_roots
from mlm_helpers.tables import Ratio, Sentence, Step, Table
from mlm_helpers.tables.numbers import ONE, Number, format_number
from mlm_helpers.worked import average
from mlm_helpers.worked.average import MetricSteps, StepsAndValue, Term
from mlm_helpers.worked.problem import (
    Matrix,
    Problem,
    as_fraction,
    data_table,
    label_sets,
    table_of,
)

COUNT_HEADERS = {
    "sample": ("✓ hits", "✗ false alarms", "○ misses"),
    "label": ("✓ TP", "✗ FP", "○ FN", "TN"),
}


class ExactCounts(NamedTuple):
    """Weighted numbers of ✓ hits, ✗ false alarms, ○ misses and true negatives."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction


def count_outcomes(cells: Iterable[tuple[Any, Any, Any]]) -> ExactCounts:
    """The counts of cells (truth, prediction, weight); cells whose truth is None are left out."""
    totals = {outcome: Fraction(0) for outcome in ((1, 1), (0, 1), (1, 0), (0, 0))}
    for truth, prediction, weight in cells:
        if truth is not None:
            totals[truth, prediction] += weight
    return ExactCounts(*totals.values())  # in the order tp, fp, fn, tn


class SetRatio(NamedTuple):
    """A metric as a ratio of counts that is not reduced, and its formula in symbols."""

    ratio: Callable[[ExactCounts], Ratio]
    formula: str


def fbeta(beta: float) -> SetRatio:
    """Fβ with whole numbers as factors: for β = p/q, of hits p² + q², of misses p², of alarms q².

    The definition has the factors 1 + β², β² and 1; both sides of the ratio are multiplied by q².
    """
    of_misses, of_alarms = (n**2 for n in as_fraction(beta).as_integer_ratio())
    of_hits = of_misses + of_alarms
    return SetRatio(
        lambda c: Ratio(of_hits * c.tp, of_hits * c.tp + of_misses * c.fn + of_alarms * c.fp),
        f"{of_hits}✓ / ({of_hits}✓ + {of_alarms}✗ + {of_misses}○)",
    )


def square_root(value: Fraction) -> Number:
    """The square root of a fraction: a fraction if it is rational, else a float.

    √(a/b) = √(ab) / b, where the square root of the whole number ab is rounded down by `isqrt`.
    Multiplied by 2¹²⁸ before the root and divided by 2⁶⁴ after it, ab has 64 more binary digits in
    its root, so that the float is precise for small values, too.
    """
    numerator, denominator = value.as_integer_ratio()
    root = Fraction(math.isqrt(numerator * denominator << 128), denominator << 64)
    return root if root**2 == value else float(root)


PRECISION = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fp), "✓ / (✓ + ✗)")
RECALL = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fn), "✓ / (✓ + ○)")
F1 = SetRatio(lambda c: Ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn), "2✓ / (2✓ + ✗ + ○)")
JACCARD = SetRatio(lambda c: Ratio(c.tp, c.tp + c.fp + c.fn), "✓ / (✓ + ✗ + ○)")
ACCURACY = SetRatio(lambda c: Ratio(c.tp + c.tn, sum(c)), "(✓ + TN) / cells")
SPECIFICITY = SetRatio(lambda c: Ratio(c.tn, c.tn + c.fp), "TN / (TN + ✗)")
NEGATIVE_VALUE = SetRatio(lambda c: Ratio(c.tn, c.tn + c.fn), "TN / (TN + ○)")
BALANCED = SetRatio(
    lambda c: Ratio(c.tp * (c.tn + c.fp) + c.tn * (c.tp + c.fn), 2 * (c.tp + c.fn) * (c.tn + c.fp)),
    "(✓ (TN + ✗) + TN (✓ + ○)) / 2 (✓ + ○) (TN + ✗)",
)
MATTHEWS = SetRatio(
    lambda c: Ratio(
        c.tp * c.tn - c.fp * c.fn,
        square_root((c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)),
    ),
    "(✓ TN − ✗ ○) / √((✓ + ✗) (✓ + ○) (TN + ✗) (TN + ○))",
)
KAPPA = SetRatio(
    lambda c: Ratio(
        2 * (c.tp * c.tn - c.fp * c.fn),
        (c.tp + c.fp) * (c.tn + c.fp) + (c.tp + c.fn) * (c.tn + c.fn),
    ),
    "2 (✓ TN − ✗ ○) / ((✓ + ✗) (TN + ✗) + (✓ + ○) (TN + ○))",
)
HAMMING = SetRatio(lambda c: Ratio(c.fp + c.fn, sum(c)), "(✗ + ○) / labels")
ALL_RIGHT = SetRatio(lambda c: Ratio(Fraction(c.fp + c.fn == 0), ONE), "1 if ✗ + ○ = 0")
ANY_WRONG = SetRatio(lambda c: Ratio(Fraction(c.fp + c.fn != 0), ONE), "1 if ✗ + ○ > 0")


def term(metric: SetRatio, counts: ExactCounts, zero_division: Any = 0.0) -> Term:
    """The metric's ratio of these counts, or ``zero_division`` for 0/0; nan if no cell is counted.

    If ``zero_division`` is "agree", 0/0 is 1 if no cell is wrong, else 0.
    """
    if not any(counts):
        return math.nan
    ratio = metric.ratio(counts)
    if ratio.denominator:
        return ratio
    is_right = counts.fp + counts.fn == 0
    value: Number = as_fraction(is_right if zero_division == "agree" else zero_division)
    return value


def ratio_of_samples(metric: SetRatio, problem: Problem, is_pooled: bool = False) -> StepsAndValue:
    """Steps and value of a ratio of each sample's counts, averaged.

    If pooled, it is one ratio of the counts of all samples, each multiplied by the sample's weight.
    """
    counts = _sample_counts(problem, is_weighted=is_pooled)
    steps, terms = _ratio_steps(metric, problem, "sample", counts, is_pooled)
    if is_pooled:  # the mean of the only term shows its value
        return average.mean_steps(steps, terms, [ONE])
    return average.average_steps(problem, steps, terms)


def ratio_of_cells(metric: SetRatio, problem: Problem) -> StepsAndValue:
    """Steps and value of a ratio of all cells together, such as Hamming loss.

    If all cells are known, samples have equally many: the ratio is the mean of their ratios, and is
    shown as this mean. With unknown cells the counts are pooled, unless ``per_sample`` asks for
    a value of each sample.
    """
    has_unknown = any(None in row for row in problem.truth)
    return ratio_of_samples(metric, problem, has_unknown and not problem.options["per_sample"])


def wrong_labels_per_sample(metric: SetRatio, problem: Problem) -> StepsAndValue:
    """Steps and value of exact match: each sample's wrong labels and its 0 or 1, then the mean."""
    counts = _sample_counts(problem)
    terms = [average.value_of(term(metric, c)) for c in counts]  # the mean shows 1, not 1/1
    is_wrong = _cell_by_cell(  # known, and not as predicted
        lambda true, predicted: true not in (None, predicted), problem.truth, problem.prediction
    )
    columns = {"sample": problem.samples, "wrong labels": label_sets(problem, is_wrong)}
    table = average.table_of_terms("Each sample", columns, terms)
    return average.average_steps(problem, [data_table(problem), table], terms)


def _cell_by_cell(function: Callable[..., Any], first: Matrix, second: Matrix) -> Matrix:
    """The matrix of a function of two matrices' cells at the same place."""
    return [list(map(function, *rows)) for rows in zip(first, second, strict=True)]


def ratio_of_labels(metric: SetRatio, problem: Problem) -> StepsAndValue:
    """Steps and value of a ratio of each label's counts, averaged; for micro, of all counts."""
    counts, is_pooled = _label_counts(problem), AVERAGES[problem.options["average"]].is_pooled
    steps, terms = _ratio_steps(metric, problem, "label", counts, is_pooled)
    return average.average_steps(problem, steps, terms, [c.tp + c.fn for c in counts])


def cost_per_label(problem: Problem) -> StepsAndValue:
    """Steps and value of the price of each label's wrong cells ÷ its cells, averaged."""
    counts = _label_counts(problem)
    misses, alarms = (list(map(as_fraction, problem.options[n])) for n in ("miss", "false_alarm"))
    ratios = []
    for c, miss, alarm in zip(counts, misses, alarms, strict=True):  # the label's two prices
        ratios.append(Ratio(miss * c.fn + alarm * c.fp, sum(c)))
    terms = [ratio if ratio.denominator else math.nan for ratio in ratios]
    _, fp, fn, _ = zip(*counts, strict=True)
    columns: dict[str, Sequence[Any]] = {"label": problem.labels}
    numbers = {"○ FN": fn, "price of ○": misses, "✗ FP": fp, "price of ✗": alarms}
    columns |= {name: list(map(format_number, column)) for name, column in numbers.items()}
    columns["price of all / cells"] = ratios
    table = average.table_of_terms("Each label", columns, terms)
    supports = [c.tp + c.fn for c in counts]
    return average.average_steps(problem, [data_table(problem), table], terms, supports)


def _label_counts(problem: Problem) -> list[ExactCounts]:
    """The weighted counts of each label."""
    truths, predictions = (zip(*m, strict=True) for m in (problem.truth, problem.prediction))
    columns = zip(truths, predictions, strict=True)
    return [count_outcomes(zip(t, p, problem.weights, strict=True)) for t, p in columns]


def _sample_counts(problem: Problem, is_weighted: bool = False) -> list[ExactCounts]:
    """The counts of each sample, multiplied by its weight if they are weighted."""
    weights = problem.weights if is_weighted else [ONE] * len(problem.samples)
    rows = zip(problem.truth, problem.prediction, weights, strict=True)
    return [count_outcomes(zip(t, p, [w] * len(t), strict=True)) for t, p, w in rows]


def _ratio_steps(
    metric: SetRatio, problem: Problem, unit: str, counts: list[ExactCounts], is_pooled: bool
) -> tuple[list[Step], list[Term]]:
    """The data, a table of the counts and ratio of each sample or label, and the ratios as terms.

    ``unit`` is "sample" or "label". If pooled, there is one ratio: that of all counts together.
    """
    names = problem.samples if unit == "sample" else problem.labels
    caption, with_ratio = f"Each {unit}", counts
    if is_pooled:  # a last row has the sums of the counts, and only this row has a ratio
        total = ExactCounts(*(sum(column, Fraction(0)) for column in zip(*counts, strict=True)))
        caption, names = f"{caption}, and all together", [*names, f"all {unit}s"]
        counts, with_ratio = [*counts, total], [total]
    terms = [term(metric, c, problem.options.get("zero_division")) for c in with_ratio]
    blank = [""] * (len(counts) - len(with_ratio))
    columns: dict[str, Sequence[Any]] = {unit: names}
    for i, name in enumerate(COUNT_HEADERS[unit]):
        columns[name] = [format_number(c[i]) for c in counts]
    columns[metric.formula] = [*blank, *map(metric.ratio, with_ratio)]
    columns["value"] = [*blank, *map(average.format_term, terms)]
    return [data_table(problem), table_of(caption, columns)], terms


def ratio_with_ancestors(metric: SetRatio, problem: Problem) -> StepsAndValue:
    """Steps and value of a ratio of label sets to which all ancestors of their labels are added."""
    parents = problem.options["parents"]
    above = [ancestors(j, parents) for j in range(len(problem.labels))]
    truth = [_with_ancestors(row, above) for row in problem.truth]
    prediction = [_with_ancestors(row, above) for row in problem.prediction]
    tables = _ancestor_tables(problem, above, truth, prediction)
    roots = [] if problem.options["root"] else find_roots(parents)
    for row, root in product(truth, roots):
        row[root] = None  # as unknown, which is not counted
    closed = problem._replace(truth=truth, prediction=prediction)
    is_pooled = AVERAGES[problem.options["average"]].is_pooled
    (_, *steps), value = ratio_of_samples(metric, closed, is_pooled)  # _: the table of closed data
    notes = [Sentence(f"The root, {problem.labels[j]}, is not counted.") for j in roots]
    return [data_table(problem), *tables, *notes, *steps], value


def _ancestor_tables(
    problem: Problem, above: Sequence[set[int]], truth: Matrix, prediction: Matrix
) -> tuple[Table, Table]:
    """Tables of the labels above each label, and of the ancestors added to each sample.

    ``truth`` and ``prediction`` have the ancestors that the problem lacks.
    """
    added = partial(_cell_by_cell, lambda before, after: after and not before)
    tree = {
        "label": problem.labels,
        "parents": label_sets(problem, _rows_of(problem.options["parents"])),
        "all ancestors": label_sets(problem, _rows_of(above)),
    }
    samples = {
        "sample": problem.samples,
        "to the true": label_sets(problem, added(problem.truth, truth)),
        "to the predicted": label_sets(problem, added(problem.prediction, prediction)),
    }
    return table_of("Above each label", tree), table_of("Ancestors that are added", samples)


def _rows_of(relatives: Sequence[Collection[int]]) -> Matrix:
    """For each label a row that is True at its relatives, which are positions of labels."""
    positions = range(len(relatives))
    return [[j in labels for j in positions] for labels in relatives]


def ancestors(label: int, parents: Sequence[Sequence[int]]) -> set[int]:
    """The parents of a label, their parents, and so on."""
    return set(parents[label]).union(*(ancestors(parent, parents) for parent in parents[label]))


def _with_ancestors(row: Sequence[Any], above: Sequence[set[int]]) -> list[bool | None]:
    """The row with ancestors: True for a label if the cell of it or of a descendant is true.

    Else it is None if one of these cells is unknown; ``above`` has the ancestors of each label.
    """
    closed = []
    for label in range(len(row)):
        cells = [row[j] for j in range(len(row)) if label in {j, *above[j]}]
        without_true = None if None in cells else False
        closed.append(any(cells) or without_true)
    return closed


STEPS: MetricSteps = {  # by the id of the metric's record
    "exact_match.subset_accuracy": partial(wrong_labels_per_sample, ALL_RIGHT),
    "exact_match.zero_one_loss": partial(wrong_labels_per_sample, ANY_WRONG),
    "example_based.accuracy": partial(ratio_of_samples, JACCARD),
    "example_based.precision": partial(ratio_of_samples, PRECISION),
    "example_based.recall": partial(ratio_of_samples, RECALL),
    "example_based.f1": partial(ratio_of_samples, F1),
    "example_based.fbeta": lambda p: ratio_of_samples(fbeta(p.options["beta"]), p),
    "hamming.hamming_loss": partial(ratio_of_cells, HAMMING),
    "label_based.precision": partial(ratio_of_labels, PRECISION),
    "label_based.recall": partial(ratio_of_labels, RECALL),
    "label_based.f1": partial(ratio_of_labels, F1),
    "label_based.fbeta": lambda p: ratio_of_labels(fbeta(p.options["beta"]), p),
    "label_based.jaccard": partial(ratio_of_labels, JACCARD),
    "label_based.accuracy": partial(ratio_of_labels, ACCURACY),
    "label_based.cost": cost_per_label,
    "label_based.specificity": partial(ratio_of_labels, SPECIFICITY),
    "label_based.negative_predictive_value": partial(ratio_of_labels, NEGATIVE_VALUE),
    "label_based.balanced_accuracy": partial(ratio_of_labels, BALANCED),
    "label_based.matthews_correlation": partial(ratio_of_labels, MATTHEWS),
    "label_based.kappa": partial(ratio_of_labels, KAPPA),
    "hierarchy.precision": partial(ratio_with_ancestors, PRECISION),
    "hierarchy.recall": partial(ratio_with_ancestors, RECALL),
    "hierarchy.f1": partial(ratio_with_ancestors, F1),
}
