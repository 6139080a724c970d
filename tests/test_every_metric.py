"""What holds for every record: all of it for each metric of the catalogue, and for three that it lacks."""

from __future__ import annotations

import inspect
import tracemalloc
from functools import cache, partial
from itertools import cycle, islice, permutations, product
from math import inf, isnan, nan
from unittest import mock
from xml.etree import ElementTree

import all_small
import numpy as np
import pandas as pd
import pytest
import throwaway
from random_inputs import agree, on_random_problems, option_values
from scipy import sparse
from sklearn import metrics

from mlm_course import disagreement, practice
from mlm_course.documents import DOCUMENTS
from mlm_course.practice import page
from mlm_course.practice.judging import small_cases, verdict_on
from mlm_helpers import catalogue, conventions, exact_match, thresholds, uncertainty, worked
from mlm_helpers._core import blocks, counts, inputs
from mlm_helpers.scorecard import Scorecard

RECORDS = (*catalogue.METRICS, *throwaway.RECORDS)


def each(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


every_metric = each(RECORDS)
per_sample_metrics = each([record for record in RECORDS if record.unit == "sample"])
per_label_metrics = each([record for record in RECORDS if record.unit == "label"])
without_options_per_label = each([record for record in RECORDS if not record.required_per_label])
newcomers = each(throwaway.RECORDS)  # those of the catalogue: tests of rooms
set_metrics = each([record for record in RECORDS if record.reads == "y_pred"])


@pytest.fixture(autouse=True, scope="module")
def throwaways():
    with throwaway.installed():
        yield


def usual(record):
    """The metric with what it requires."""
    return partial(record.function, **record.required) if record.required else record.function


def variants(record):
    """Its function with every average, or as it is, and with what it requires."""
    for average in record.averages or ["none"]:
        options = dict(record.required) | ({} if average == "none" else {"average": average})
        yield options, partial(record.function, **options)


def by_steps(record, y_true, y, options):
    """Worked in fractions; of as many samples as a person follows."""
    value = worked.solve(record.function, y_true, y, **options).value
    return [float(one) for one in value] if isinstance(value, tuple) else float(value)


def nothing_counted(record):
    """The options under which what has no value is nan."""
    return {name: nan for name in ("zero_division", "undefined") if name in record.defaults}


Y_TRUE = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]])
Y_PRED = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
Y_SCORE = np.array([[0.9, 0.8, 0.3], [0.2, 0.7, 0.7], [0.6, 0.1, 0.5], [0.4, 0.4, 0.6]])
CELLS = {"y_pred": (0, 1), "y_score": (1, 2), "y_prob": (0, 0.3, 1)}


def read(record):
    return Y_PRED if record.reads == "y_pred" else Y_SCORE


CONTAINERS = {
    "list": np.ndarray.tolist,
    "bool": lambda cells: cells.astype(bool),
    "bytes": lambda cells: cells.astype("u1"),
    "single": lambda cells: cells.astype("f4"),
    "rows first": np.ascontiguousarray,
    "columns first": np.asfortranarray,
    "every second": lambda cells: np.repeat(cells, 2, axis=1)[:, ::2],
    "DataFrame": pd.DataFrame,
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_array,
}


def packed(record, y_true, y, random):
    """Truth, and predictions or scores, in containers of their own; of a third of them both are sparse.

    Of scores a sparse matrix has to store all, as only what is stored is a score.
    """
    scored = y.dtype == float
    not_taken = {"bool", "bytes"} if scored else {}
    if record.reads == "y_prob":  # a logarithm is clipped by the precision of what it is given
        not_taken |= {"single"}
    both = sorted(CONTAINERS), sorted(CONTAINERS.keys() - not_taken)
    if random.integers(3) == 0:
        both = [["csr", "csc", "coo"]] * 2
    return [CONTAINERS[random.choice(some)](y) for some, y in zip(both, (y_true, y), strict=True)]


# ---------------------------------------------------------------------------- the record itself


@every_metric
def test_record_and_function_agree(record):
    parameters = inspect.signature(record.function).parameters
    assert list(parameters)[:2] == ["y_true", record.reads]
    assert ("per_sample" in parameters) == (record.unit == "sample")
    assert ("average" in parameters) == bool(record.averages)
    assert set(record.defaults) <= {*inputs.CHECKS, "sample_weight", *record.parameters}
    assert set(record.parameters) <= set(parameters)
    assert record.family in catalogue.FAMILIES, f"{record}.family is none of catalogue.FAMILIES"
    assert record.formula_in_words, (
        f"{record}.formula_in_words is empty: say the formula in words, as exercises show it"
    )
    assert record.latex, f"{record}.latex is empty"
    assert catalogue.record_of(usual(record)) is record
    assert catalogue.record_of(partial(partial(record.function, sample_weight=[1]))) is record
    for name, parameter in record.parameters.items():
        for value in option_values(parameter, 3):
            parameter.check(value, *[3] * parameter.per_label)
            named = catalogue.full_name(partial(record.function, **{name: value}))
            assert (
                parameter.per_label
                or inputs.short_repr(value).strip("'").removesuffix(".0") in named
            )
    assert ElementTree.fromstring(page.mathml(record.latex)).tag in ("math", "code")


@cache
def reached(record):
    """Every value on a sample of two labels and on two samples of one; what has none is nan."""
    own, cells = nothing_counted(record), product((0, 1), (0, 1), *[CELLS[record.reads]] * 2)
    worlds = [np.reshape(world, (2, *shape)) for world in cells for shape in ((1, 2), (2, 1))]
    each = (metric(*world, **own) for _, metric in variants(record) for world in worlds)
    return np.concatenate([np.ravel(value) for value in each])


@every_metric
def test_where_it_is_undefined_is_said(record):
    left_out = np.isnan(reached(record)).any()
    assert left_out == bool(record.undefined_where), (
        f"{record}.undefined_where is {record.undefined_where!r}, but a small world"
        f" {'has' if left_out else 'has never'} a sample or label without a value"
    )


@every_metric
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")  # theirs, of 0/0
@pytest.mark.filterwarnings("ignore:No positive class found")
def test_the_scikit_learn_expression_has_our_value(record):
    """Under all averages, but for those of which the record says that it has another."""
    differ = set()
    for example in (example for document in DOCUMENTS for example in document.examples.values()):
        other = example.y_pred if record.reads == "y_pred" else example.y_score
        if record.sklearn and other:
            data = {"y_true": np.array(example.y_true), record.reads: np.array(other)}
            for options, metric in variants(record):
                theirs = eval(record.sklearn, vars(metrics) | data | options)
                if not np.allclose(
                    metric(example.y_true, other), theirs, rtol=1e-12, atol=0, equal_nan=True
                ):
                    differ.add(options.get("average"))
    assert differ == set(record.sklearn_differs), (
        f"{record}.sklearn ({record.sklearn or 'empty'}) has another value under the averages"
        f" {differ or 'none'}, and sklearn_differs says {record.sklearn_differs or 'none'}"
    )


@every_metric
def test_range_and_direction_on_every_small_world(record):
    """Nothing is beyond the bounds, the better one is reached, and half the way to the worse one."""
    low, high = record.bounds(2, record.defaults)
    own, truth = nothing_counted(record), np.array([[1, 0], [0, 1]])
    for _, metric in variants(record):
        right, wrong = (np.mean(metric(truth, said, **own)) for said in (truth, 1 - truth))
        assert (right > wrong) == record.higher_is_better, (
            f"{record}.higher_is_better is {record.higher_is_better}: where all is right it is {right},"
            f" where all is wrong {wrong}"
        )
    least, most = np.nanmin(reached(record)), np.nanmax(reached(record))
    said = f"{record}.range is {record.range}, and its values are from {least} to {most}"
    assert low <= least <= most <= high, said
    best, worst, half = (most, least, (low + high) / 2)
    if not record.higher_is_better:
        best, worst = worst, best
    assert agree(best, high if record.higher_is_better else low), said
    assert inf in (low, high) or (worst <= half if record.higher_is_better else worst >= half), said


@set_metrics
def test_what_the_record_reads_off_the_formula_holds_of_the_metric(record):
    """Rightly left out cells matter, as it says."""
    along = {"per_sample": True} if record.unit == "sample" else {"average": None}
    own = record.required | nothing_counted(record)
    metric = partial(record.function, **own, **along) if record.unit != "all" else None
    if metric is None or record.required_per_label:
        return
    units = list(product((0, 1), repeat=3))
    grown = True
    for true, said in product(units, repeat=2):
        longer = [(*true, 0, 0), (*said, 0, 0)]
        columns = [[true], [said]], [[longer[0]], [longer[1]]]
        if record.unit == "label":
            columns = [[[[cell] for cell in one[0]] for one in pair] for pair in columns]
        value, more = (metric(*pair)[0] for pair in columns)
        grown &= np.allclose(value, more, equal_nan=True) or isnan(value)
    assert record.reads_tn != grown, f"{record}.reads_tn is {record.reads_tn}, not so the function"


@set_metrics
def test_linear_is_what_adds_up_over_cells(record):
    """And where the whole is the same of a cell of each kind, a sample weighs as much as its cells."""
    chosen = {name: one.values[0] for name, one in record.parameters.items()}
    formula = record.formula(chosen)

    def parts(cells):
        both = (np.asarray(one, dtype=float) for one in formula(counts.Counts(*cells)))
        return np.array(np.broadcast_arrays(*both))

    cells = np.array(list(product(range(3), repeat=8))).T
    one, other, together = map(parts, (cells[:4], cells[4:], cells[:4] + cells[4:]))
    adds_up = np.allclose(one + other, together)
    if record.unit == "label":
        assert record.linear == adds_up
    whole = parts(np.eye(4))[1]
    share_of_cells = record.unit == "sample" and adds_up and bool((whole == whole[0]).all())
    assert record.is_share_of_cells == share_of_cells


# ---------------------------------------------------------------------------- in every room


@every_metric
def test_solved_and_asked(record):
    metric = usual(record)
    solution = worked.solve(metric, Y_TRUE, read(record))
    assert agree(float(solution), metric(Y_TRUE, read(record)))
    assert solution.title.startswith(f"{record.name}: {record.id}")
    sheet = worked.exercise(metric, seed=3, n_samples=3, n_labels=4)
    assert agree(float(sheet.solution), metric(sheet.y_true, sheet.y_pred_or_score))
    low, high = record.bounds(4, record.defaults)
    assert low < sheet.solution.value < high


@newcomers
def test_a_sheet_tells_right_from_wrong(record):
    asked = practice.sheet(usual(record), seed=2)
    assert asked.check(asked.solution().value).right
    assert asked.check("0.0001").right is False


@newcomers
def test_a_function_is_judged(record):
    metric = usual(record)
    some = list(islice(small_cases(metric), 30))
    assert verdict_on(metric, metric, some).right is not False
    assert verdict_on(metric, lambda y_true, y: 0.123, some).right is False


@every_metric
@on_random_problems(4, without=["average"])
def test_on_the_scorecard(record, y_true, y, weights, options, random):
    if not record.is_additive:
        options = {name: options[name] for name in options.keys() - record.parameters.keys()}
    half, batches = len(y_true) // 2, []
    y = y + (record.reads == "y_score")  # no ranks change
    for rows in (slice(0, half), slice(half, None)):
        if len(y_true[rows]):
            truth, other = packed(record, y_true[rows], y[rows], random)
            given = {record.reads: other, "sample_weight": weights[rows]}
            batches.append(Scorecard.from_batch(truth, **given, **options))
    for name in () if record.is_additive else record.required_per_label:
        with pytest.raises(TypeError, match=f"{name} is not a convention of a scorecard"):
            Scorecard.from_batch(y_true, **{record.reads: y, name: record.required[name]})
    required = {name: options.get(name, value) for name, value in record.required.items()}
    values = sum(batches).values()
    again = Scorecard.from_json(sum(batches).to_json()).values()
    for average in [{"average": a} for a in record.averages if a] or [{}]:
        name = catalogue.full_name(partial(record.function, **required, **average))
        assert (name in values) == record.is_additive
        if record.is_additive:
            value = record.function(y_true, y, sample_weight=weights, **options, **average)
            assert agree(values[name], value) and agree(again[name], value)


@newcomers
def test_identified_and_reported(record):
    for name, metric in catalogue.variants([record]).items():
        given = {record.reads: read(record)}
        found = conventions.identify(metric(Y_TRUE, read(record)), Y_TRUE, **given)
        assert record.required_per_label or name in [match.metric for match in found.matches]
        assert f" {name} = " in conventions.report([metric], Y_TRUE, **given)


@newcomers
def test_held_against_another(record):
    metric = usual(record)
    found = disagreement.smallest_disagreement(metric, exact_match.subset_accuracy, max_labels=2)
    if found is None:
        assert record.family == "exact match"  # itself, and what is 1 minus it
        return
    for other, value in zip((found.first, found.second), found.values_a, strict=True):
        cut = np.array(other) >= 0.5 if record.reads == "y_pred" else other
        assert agree(metric(found.y_true, cut), value)
    assert found.values_a[0] != found.values_a[1] and found.values_b[0] != found.values_b[1]


@every_metric
@on_random_problems(2)
def test_an_interval_is_around_the_value(record, y_true, y, weights, options, random):
    options["average"] = options.get("average") or "macro"
    options = {name: value for name, value in options.items() if name in record.defaults}
    y = y + (record.reads == "y_score")  # no ranks change
    data = packed(record, np.tile(y_true, (2, 1)), np.tile(y, (2, 1)), random)
    metric = partial(record.function, **options, sample_weight=np.tile(weights, 2))
    found = uncertainty.interval(metric, *data, n_resamples=40)
    assert agree(found.value, metric(*data))
    assert isnan(found.low) or found.low <= found.high


@set_metrics
@on_random_problems(6)
def test_the_best_cut(record, y_true, y, weights, options, random):
    """Of all scores and of nothing predicted, the highest of the best; where 0/0 is left out, a sentence."""
    if options.get("average", "macro") is None:
        options["average"] = "micro" if "micro" in record.averages else "macro"
    metric = partial(record.function, **options, sample_weight=weights)
    scores = random.integers(1, 5, y.shape) / 4
    sign = 1 if record.higher_is_better else -1
    values = {cut: sign * metric(y_true, (cut <= scores) * 1) for cut in (inf, 1, 0.75, 0.5, 0.25)}
    ask = partial(thresholds.tune, metric, *packed(record, y_true, scores, random))
    if options.get("zero_division", 0) is nan:
        with pytest.raises(ValueError, match="zero_division is nan, under which a threshold"):
            ask()
    else:
        best = [cut for cut in values if values[cut] >= max(values.values()) - 1e-12]
        assert values[ask()] >= max(values.values()) - 1e-12
        assert ask() == best[0]


# ---------------------------------------------------------------------------- two roads


@every_metric
@on_random_problems(20)
def test_package_and_fractions_meet(record, y_true, y, weights, options, random):
    """In any containers, whatever the number of cells at a time. All small worlds: test_all_small.py."""
    weight = [None, weights, weights / 8][random.integers(3)]
    options = options | {"sample_weight": weight}
    if "per_sample" in record.defaults:
        options["per_sample"] = bool(random.integers(2))
    y = y + (record.reads == "y_score")  # no ranks change
    expected = by_steps(record, *packed(record, y_true, y, random), options)
    with mock.patch.object(blocks, "BLOCK_CELLS", int(random.choice([1, 10, 64]))):
        assert agree(record.function(y_true, y, **options), expected)
        assert agree(record.function(*packed(record, y_true, y, random), **options), expected)


@every_metric
@on_random_problems(8)
def test_a_weight_says_how_often_a_sample_counts(record, y_true, y, weights, options, random):
    """Whole ones are repeated samples, equal ones are none, and only their ratios matter."""
    if record.unit == "label" and "ties" in options:
        options["ties"] = "worst"  # under the others, copies of a sample stand above one another
    metric = partial(record.function, **options)
    value = metric(y_true, y, sample_weight=weights)
    assert agree(value, metric(np.repeat(y_true, weights, axis=0), np.repeat(y, weights, axis=0)))
    for factor in (1e-30, 0.3, 1e30):
        assert agree(metric(y_true, y, sample_weight=weights * factor), value)
    assert agree(metric(y_true, y, sample_weight=[0.25] * len(y)), metric(y_true, y))


@every_metric
def test_products_of_weights_do_not_vanish(record):
    """Positives that weigh 1e-100 beside negatives of 1e-10, then the other way round."""
    orders = all_small.rows(3) if record.reads == "y_pred" else all_small.weak_orderings(3)
    if record.reads == "y_prob":
        orders = [[cell / 2 for cell in cells] for cells in orders]
    truths, weights = ((0, 0, 1), (0, 1, 1)), ((1e-100, 1e-10), (1e-10, 1e-100))
    averages, cases = cycle(variants(record)), product(orders, truths, weights)
    for cells, truth, (positive, negative) in islice(cases, 0, None, 3):
        column, other = ([[cell] for cell in one] for one in (truth, cells))
        weight = [positive if cell else negative for cell in truth]
        options, metric = next(averages)
        value = metric(column, other, sample_weight=weight)
        expected = by_steps(record, column, other, options | {"sample_weight": weight})
        assert agree(value, expected), (
            f"{record} gives {value} of the column {truth} with {cells} under the weights {weight},"
            f" by hand it is {expected}, {options}"
        )


@per_sample_metrics
@on_random_problems(8)
def test_metric_is_the_weighted_mean_of_its_samples(record, y_true, y, weights, options, random):
    values = record.function(y_true, y, **options, sample_weight=weights, per_sample=True)
    assert agree(values, record.function(y_true, y, **options, per_sample=True))
    left = [(v, w) for v, w in zip(values, weights, strict=True) if not isnan(v)]
    total = sum(w for _, w in left)
    mean = sum(v * w for v, w in left) / total if total else nan
    assert agree(record.function(y_true, y, **options, sample_weight=weights), mean)


IN_ANY_ORDER = ("worst", "best", "average")


@every_metric
@on_random_problems(8)
def test_order_of_samples_does_not_matter(record, y_true, y, weights, options, random):
    if record.unit == "label" and "ties" in options:
        options["ties"] = str(random.choice(IN_ANY_ORDER))
    order = random.permutation(len(y))
    value = record.function(y_true, y, **options, sample_weight=weights)
    shuffled = y_true[order], y[order]
    assert agree(record.function(*shuffled, **options, sample_weight=weights[order]), value)
    if "per_sample" in record.defaults:
        values = record.function(y_true, y, **options, per_sample=True)
        assert agree(record.function(*shuffled, **options, per_sample=True), values[order])


@without_options_per_label
@on_random_problems(8)
def test_order_of_labels_does_not_matter(record, y_true, y, weights, options, random):
    if "ties" in options:
        options["ties"] = str(random.choice(IN_ANY_ORDER))
    order = random.permutation(y.shape[1])
    value = record.function(y_true, y, **options, sample_weight=weights)
    if options.get("average", "macro") is None:
        value = value[order]
    shuffled = y_true[:, order], y[:, order]
    assert agree(record.function(*shuffled, **options, sample_weight=weights), value)


def each_alone(metric, y_true, y, **options):
    return [metric([true], [row], **options) for true, row in zip(y_true, y, strict=True)]


@each([record for record in RECORDS if "ties" in record.defaults and record.unit != "label"])
def test_a_rule_for_ties_is_a_value_over_all_orders_of_tied_labels(record):
    """Of all truths and scores of three labels, in one order the first or the last by index comes first."""
    cases = list(product(all_small.rows(3), all_small.weak_orderings(3)))
    cases = cases if record.unit == "sample" else cases[::5]
    truth, score = map(np.array, zip(*cases, strict=True))
    # less than 1 on top of the scores makes every order of the tied labels
    orders = [score + order for order in permutations((0, 0.3, 0.6))]
    worst, best = (np.min, np.max) if record.higher_is_better else (np.max, np.min)
    holds = True
    for choice in product(*(parameter.values for parameter in record.parameters.values())):
        metric = partial(record.function, **dict(zip(record.parameters, choice, strict=True)))
        if record.unit == "sample":
            metric = partial(metric, per_sample=True)
        else:  # a ratio of sums over all samples
            metric = partial(each_alone, metric)
        values = [metric(truth, order) for order in orders]
        rules = {"worst": worst(values, axis=0), "best": best(values, axis=0)}
        rules |= {"average": np.mean(values, axis=0), "first": values[-1], "last": values[0]}
        holds &= all(agree(metric(truth, score, ties=ties), value) for ties, value in rules.items())
    assert record.over_tie_orders == holds


@per_label_metrics
@on_random_problems(8, without=["average"])
def test_averages_are_of_the_labels(record, y_true, y, weights, options, random):
    """Macro is their mean; and one label has one value under every average."""
    metric = partial(record.function, **options, sample_weight=weights)
    values = metric(y_true, y, average=None)
    left = values[~np.isnan(values)]
    assert agree(metric(y_true, y, average="macro"), left.mean() if left.size else nan)
    for average in filter(None, record.averages):
        assert agree(metric(y_true[:, :1], y[:, :1], average=average), values[0]), average


@without_options_per_label  # where labels count more than others, which truth does not tell
@on_random_problems(8)
def test_the_perfect_answer_is_exactly_the_best(record, y_true, y, weights, options, random):
    """Dense and sparse, under any weights, where it is by the steps; no other answer is better."""
    best, sign = (1.0, 1) if record.higher_is_better else (0.0, -1)
    worth = {"zero_division": "agree", "undefined": best}
    options = record.required | {n: v for n, v in worth.items() if n in record.defaults}
    options |= {"sample_weight": weights / 10}
    metric, found = partial(record.function, **options), by_steps(record, y_true, y_true, options)
    for matrix in (y_true, sparse.csr_array(y_true)):
        value = metric(matrix, matrix)
        assert value == found if found == best else agree(value, found)
    assert not sign * metric(y_true, y) > sign * found + 1e-12


# ---------------------------------------------------------------------------- memory

KINDS = (("i8", "rows first"), ("?", "rows first"), ("f8", "columns first"), ("f4", "every second"))


@cache
def cells(scored, kind, layout):
    """Truth, and predictions or scores."""
    rng, shape = np.random.default_rng(0), (5000, 100)
    y_true, y = rng.random(shape) < 0.05, rng.random(shape)
    y = y.astype("f4" if kind == "?" else kind) if scored else (y < 0.05).astype(kind)
    return CONTAINERS[layout](y_true.astype(kind)), CONTAINERS[layout](y)


@pytest.mark.parametrize("step", [29, pytest.param(7, marks=pytest.mark.exhaustive)])
@each(catalogue.METRICS)
def test_memory_beside_the_input(record, step, monkeypatch):
    """Less than one boolean copy of the input (of the truth alone where scores are ranked).

    But where all cells are one list, an eighth of it is sorted at a time, which takes twice that; three copies where
    tied ones stay in line. Of kinds of cells, options and weights some are tried.
    """
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 2**12)
    weight, ranked = np.random.default_rng(0).random(5000), record.reads != "y_pred"
    choices = [{"ties": ties} for ties in inputs.TIES] if "ties" in record.defaults else [{}]
    every = list(product(choices, KINDS, variants(record), (None, weight)))
    begin = RECORDS.index(record) % min(step, len(every))
    for choice, kind, (options, metric), weights in every[begin::step]:
        y_true, y = cells(ranked, *kind)
        before = y_true.copy(), y.copy()
        metric(y_true[:9], y[:9], sample_weight=weight[:9], **choice)
        room = y_true.size + (0 if ranked else y.size)
        if record.required_per_label:  # what a label is worth, of each of the first k
            room += y.size // 8
        if ranked and options.get("average") == "micro":
            in_line = choice.get("ties") in ("first", "last")
            room += 3 * 8 * y.size if in_line else y.nbytes // 4
            numbers = 6 if weights is None else 12  # of each positive
            room += 8 * numbers * np.count_nonzero(y_true)
        tracemalloc.start()
        metric(y_true, y, sample_weight=weights, **choice)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 1.01 * room, (kind, options, choice)  # what measures coverage takes some
        assert np.array_equal(y_true, before[0]) and np.array_equal(y, before[1])
