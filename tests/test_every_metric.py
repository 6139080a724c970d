"""Properties of every metric, of the catalogue and of the three of `throwaway`.

``y`` is the matrix that the metric reads beside the truth: predictions, scores or probabilities.
"""

from __future__ import annotations

import inspect
import tracemalloc
from functools import cache, partial
from itertools import cycle, islice, permutations, product
from math import inf, isinf, isnan, nan
from unittest import mock
from xml.etree import ElementTree

import all_small
import numpy as np
import pandas as pd
import pytest
import throwaway
from random_inputs import NUMBERS, agree, on_random_problems, option_values, takes
from scipy import sparse
from sklearn import metrics

from mlm_course import disagreement, practice
from mlm_course.documents import DOCUMENTS
from mlm_course.practice import page
from mlm_course.practice.judging import small_cases, verdict_on
from mlm_helpers import catalogue, conventions, exact_match, thresholds, uncertainty, worked
from mlm_helpers._core import blocks, counts
from mlm_helpers._core.inputs.options import CHECKS
from mlm_helpers._core.inputs.refuse import short_repr
from mlm_helpers.scorecard import Scorecard
from mlm_helpers.worked.solution import STEPS

RECORDS = (*catalogue.METRICS, *throwaway.RECORDS)
SHARED_OPTIONS = {"zero_division", "undefined", "ties", "average", "sample_weight", "per_sample"}


def for_each(records):
    return pytest.mark.parametrize("record", records, ids=lambda record: record.id)


every_metric = for_each(RECORDS)
without_options_per_label = for_each([r for r in RECORDS if not r.required_per_label])
throwaway_metrics = for_each(throwaway.RECORDS)  # the others have tests of their own
set_metrics = for_each([record for record in RECORDS if record.reads == "y_pred"])


@pytest.fixture(autouse=True, scope="module")
def throwaways():
    with throwaway.installed():
        yield


def with_required(record):
    """The metric with its required options bound."""
    return partial(record.function, **record.required) if record.required else record.function


def variants(record):
    """Options and metric under every average, with the required options bound."""
    for average in record.averages or ["none"]:
        options = dict(record.required) | ({} if average == "none" else {"average": average})
        yield options, partial(record.function, **options)


def by_fractions(record, y_true, y, options):
    """The value or values that the worked solution gets in exact fractions."""
    value = worked.solve(record.function, y_true, y, **options).value
    return [*map(float, value)] if isinstance(value, tuple) else float(value)


def undefined_as_nan(record):
    """The options under which an undefined value is nan."""
    return {name: nan for name in ("zero_division", "undefined") if name in record.defaults}


Y_TRUE = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]])
Y_PRED = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
Y_SCORE = np.array([[0.9, 0.8, 0.3], [0.2, 0.7, 0.7], [0.6, 0.1, 0.5], [0.4, 0.4, 0.6]])
BAD_VALUES = (*NUMBERS, "?", None, True, -1, nan, inf, [0.5], [[1]], object())
CELLS = {"y_pred": (0, 1), "y_score": (1, 2), "y_prob": (0, 0.3, 1)}


def matrix_for(record):
    """The matrix above that the metric reads beside the truth."""
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


def in_random_containers(record, y_true, y, random):
    """Truth and ``y``, each in a container drawn at random.

    In at least a third of the draws both are sparse.
    """
    unsuitable = {"bool", "bytes"} if y.dtype == float else set()  # they cannot hold scores
    if record.reads == "y_prob":  # their precision decides where a logarithm is clipped
        unsuitable |= {"single"}
    names = sorted(CONTAINERS), sorted(CONTAINERS.keys() - unsuitable)
    if random.integers(3) == 0:
        names = [["csr", "csc", "coo"]] * 2
    container_of_truth, container_of_y = (CONTAINERS[random.choice(choices)] for choices in names)
    return container_of_truth(y_true), container_of_y(y)


# ---------------------------------------------------------------------------- the record itself


@every_metric
def test_record_and_function_agree(record):
    parameters = inspect.signature(record.function).parameters
    assert list(parameters)[:2] == ["y_true", record.reads]
    assert ("per_sample" in parameters) == (record.unit == "sample")
    assert ("average" in parameters) == bool(record.averages)
    assert set(record.defaults) <= SHARED_OPTIONS | record.parameters.keys()
    assert set(record.parameters) <= set(parameters)
    assert record.family in catalogue.FAMILIES, f"{record}.family is none of catalogue.FAMILIES"
    assert record.id in STEPS, f"write steps of {record.id} into worked/*_steps.py"
    assert catalogue.record_of(with_required(record)) is record
    assert catalogue.record_of(partial(partial(record.function, sample_weight=[1]))) is record
    for name, parameter in record.parameters.items():
        for value in option_values(parameter, n_labels=3):
            parameter.resolve(value, n_labels=3)
            full_name = catalogue.full_name(partial(record.function, **{name: value}))
            short_value = short_repr(value).strip("'").removesuffix(".0")
            assert parameter.per_label or short_value in full_name
    assert ElementTree.fromstring(page.mathml(record.teaching.latex)).tag in ("math", "code")


def choices(record):
    """All combinations of the values of its options, those by default first."""
    values = [option_values(parameter) for parameter in record.parameters.values()]
    for combination in product(*values):
        yield dict(zip(record.parameters, combination, strict=True))


@for_each(catalogue.METRICS)
def test_a_value_that_the_check_of_an_option_refuses_is_refused_with_advice(record):
    """The message names the option, and gives no advice for matrices."""
    required, matrix = with_required(record), matrix_for(record)
    for name in record.defaults.keys() - {"sample_weight"}:
        parameter = record.parameters.get(name)
        check = parameter.check if parameter else CHECKS[name]
        n_labels = [3] if parameter and parameter.per_label else []
        refused = [value for value in BAD_VALUES if not takes(check, value, *n_labels)]
        assert "?" in refused, f"{record} does not check {name}"
        for value in refused:
            with pytest.raises((TypeError, ValueError), match=rf"^{name} (?!.*matrix)"):
                required(Y_TRUE, matrix, **{name: value})


@for_each([record for record in catalogue.METRICS if record.required_per_label])
def test_an_option_per_label_has_the_order_of_the_columns(record):
    labels = [*"bac"]
    truth, y = (pd.DataFrame(cells, columns=labels) for cells in (Y_TRUE, matrix_for(record)))
    for name in record.required_per_label:
        values = record.parameters[name].values[1](3)
        metric = partial(record.function, **record.required)
        of_series = metric(truth, y, **{name: pd.Series(values, labels)})
        assert of_series == metric(Y_TRUE, matrix_for(record), **{name: values})
        with pytest.raises(ValueError, match=f"^{name} has 'a' at position 0 of its index"):
            metric(truth, y, **{name: pd.Series(values, sorted(labels))})


@cache
def small_values(record):
    """Options, and the values on all data of one sample and two labels, or the reverse.

    They are nan if undefined.
    """
    cells = product((0, 1), (0, 1), *[CELLS[record.reads]] * 2)  # two of the truth, two of y
    data = [np.reshape(four, (2, *shape)) for four in cells for shape in ((1, 2), (2, 1))]
    averages = [{"average": average} for average in record.averages] or [{}]
    pairs = []
    for options, average in product(choices(record), averages):
        bound = options | average | undefined_as_nan(record)
        fitting = [pair for pair in data if bound.get("k", 1) <= pair.shape[2]]
        values = [np.ravel(record.function(*pair, **bound)) for pair in fitting]
        pairs += [(options, np.concatenate(values))] if values else []
    return pairs


@every_metric
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")  # for 0/0
@pytest.mark.filterwarnings("ignore:No positive class found")
def test_the_scikit_learn_expression_has_our_value(record):
    """Under every average except those in the record's `sklearn_differs`."""
    differ = set()
    for example in (example for document in DOCUMENTS for example in document.examples.values()):
        y = example.y_pred if record.reads == "y_pred" else example.y_score
        if record.sklearn and y:
            data = {"y_true": np.array(example.y_true), record.reads: np.array(y)}
            for options, metric in variants(record):
                value = metric(example.y_true, y)
                expected = eval(record.sklearn, vars(metrics) | data | options)
                if not np.allclose(value, expected, rtol=1e-12, atol=0, equal_nan=True):
                    differ.add(options.get("average"))
    assert differ == set(record.sklearn_differs), (
        f"{record}.sklearn ({record.sklearn or 'empty'}) has another value under the averages"
        f" {differ or 'none'}, and sklearn_differs says {record.sklearn_differs or 'none'}"
    )


@every_metric
def test_range_and_direction_on_all_small_data(record):
    """All values are in the range.

    The better end is reached, and more than half the way to the worse one.
    """
    truth = np.eye(4, dtype=int)
    reaches_best = reaches_worse_half = False
    for options, metric in variants(record):
        right, wrong = (
            np.mean(metric(truth, y, **undefined_as_nan(record))) for y in (truth, 1 - truth)
        )
        assert (right > wrong) == record.higher_is_better, (
            f"{record}.higher_is_better is {record.higher_is_better}: where all is right it is"
            f" {right}, where all is wrong {wrong}"
        )
        ends = record.bounds(n_labels=4, options=record.defaults | options)
        worst, best = ends if record.higher_is_better else ends[::-1]
        reaches_worse_half |= abs(wrong - worst) < abs(wrong - best)
    for options, values in small_values(record):
        low, high = record.bounds(n_labels=2, options=record.defaults | options)
        ends = np.nanmin(values), np.nanmax(values)
        message = f"{record}.range is {record.range}, and under {options} the ends are {ends}"
        assert low <= ends[0] and ends[1] <= high + 1e-12, message
        worst, best = (low, high) if record.higher_is_better else (high, low)
        reaches_best |= isinf(best) or np.isclose(values, best).any()
        reaches_worse_half |= isinf(worst) or (abs(values - worst) < abs(values - best)).any()
    assert reaches_best and reaches_worse_half, f"{record}.range is {record.range}"
    is_sometimes_undefined = any(np.isnan(values).any() for _, values in small_values(record))
    assert is_sometimes_undefined == bool(record.teaching.undefined_where), (
        f"{record}.undefined_where"
    )


@set_metrics
def test_a_record_describes_its_formula_under_all_options(record):
    """What adds up over cells, what reads TN, and what are odds.

    Cells are counts of TP, FP, FN and TN.
    """
    cells = np.array(list(product(range(3), repeat=4))).T
    first, second = np.repeat(cells, 81, axis=1), np.tile(cells, 81)
    with_tn = cells + np.array([[0], [0], [0], [1]])
    reads_tn = False
    for options in choices(record):
        formula = record.bound_formula(options)

        def ratios(cells, formula=formula):
            pair = formula(counts.Counts(*cells))
            return np.array(np.broadcast_arrays(*pair), dtype=float)

        adds_up = np.allclose(ratios(first) + ratios(second), ratios(first + second))
        single_cells = [*zip(*ratios(np.eye(4)), strict=True)]  # a TP, an FP, an FN, a TN
        has_value = ratios(cells)[1] > 0
        values, values_with_tn = (counts.safe_divide(*ratios(c), 0) for c in (cells, with_tn))
        reads_tn |= not np.allclose(values[has_value], values_with_tn[has_value])
        if record.unit == "label":
            assert record.linear == adds_up, f"{record}.linear under {options}"
        is_share = (
            record.unit == "sample" and adds_up and {whole for _, whole in single_cells} == {1}
        )
        assert record.is_share_of_cells == is_share, f"{record}.is_share_of_cells under {options}"
        if factor := record.odds_factor:  # a cell of a has w ÷ w, of b 0 ÷ 1, and any other 0 ÷ 0
            kinds = {(factor, factor), (0, 1)}
            assert kinds <= {*single_cells} <= kinds | {(0, 0)}, f"{record}.odds_factor"
    assert record.reads_tn == reads_tn, f"{record}.reads_tn"


# ---------------------------------------------------------------------------- in every module


@every_metric
def test_worked_solutions_and_exercises_have_the_metric_s_value(record):
    metric = with_required(record)
    solution = worked.solve(metric, Y_TRUE, matrix_for(record))
    assert agree(float(solution), metric(Y_TRUE, matrix_for(record)))
    assert solution.title.startswith(f"{record.name}: {record.id}")
    sheet = worked.exercise(metric, seed=3, n_samples=3, n_labels=4)
    assert agree(float(sheet.solution), metric(sheet.y_true, sheet.y_pred_or_score))
    low, high = record.bounds(n_labels=4, options=record.defaults)
    assert low < sheet.solution.value < high


@throwaway_metrics
def test_a_sheet_tells_right_from_wrong(record):
    sheet = practice.sheet(with_required(record), seed=2)
    assert sheet.check(sheet.solution().value).right
    assert sheet.check("0.0001").right is False


@throwaway_metrics
def test_a_function_is_judged(record):
    metric = with_required(record)
    cases = list(islice(small_cases(metric), 30))
    assert verdict_on(metric, metric, cases).right is not False
    assert verdict_on(metric, lambda y_true, y: 0.123, cases).right is False


@every_metric
@on_random_problems(4, without=["average"])
def test_on_the_scorecard(record, y_true, y, weights, options, random):
    if not record.is_additive:
        options = {name: options[name] for name in options.keys() - record.parameters.keys()}
    half = len(y_true) // 2
    batches = []
    y = y + (record.reads == "y_score")  # no score is 0, which would not be stored; no rank changes
    for rows in (slice(0, half), slice(half, None)):
        if len(y_true[rows]):
            truth, part = in_random_containers(record, y_true[rows], y[rows], random)
            arguments = {record.reads: part, "sample_weight": weights[rows], **options}
            batches.append(Scorecard.from_batch(truth, **arguments))
    for name in () if record.is_additive else record.required_per_label:
        with pytest.raises(TypeError, match=f"{name} is not a convention of a scorecard"):
            Scorecard.from_batch(y_true, **{record.reads: y, name: record.required[name]})
    required = {name: options.get(name, value) for name, value in record.required.items()}
    values = sum(batches).values()
    reloaded = Scorecard.from_json(sum(batches).to_json()).values()
    for average in [{"average": a} for a in record.averages if a] or [{}]:
        name = catalogue.full_name(partial(record.function, **required, **average))
        assert (name in values) == record.is_additive
        if record.is_additive:
            value = record.function(y_true, y, sample_weight=weights, **options, **average)
            assert agree(values[name], value) and agree(reloaded[name], value)


@throwaway_metrics
def test_identified_and_reported(record):
    for name, metric in catalogue.variants([record]).items():
        y = {record.reads: matrix_for(record)}
        matches = conventions.identify(metric(Y_TRUE, matrix_for(record)), Y_TRUE, **y).matches
        assert record.required_per_label or name in [match.metric for match in matches]
        assert f" {name} = " in conventions.report([metric], Y_TRUE, **y)


@throwaway_metrics
def test_disagreement_with_another_metric(record):
    metric = with_required(record)
    smallest = disagreement.smallest_disagreement(metric, exact_match.subset_accuracy, max_labels=2)
    assert smallest
    for model, value in zip((smallest.first, smallest.second), smallest.values_a, strict=True):
        y = np.array(model) >= 0.5 if record.reads == "y_pred" else model
        assert agree(metric(smallest.y_true, y), value)
    assert len({*smallest.values_a}) == len({*smallest.values_b}) == 2


@every_metric
@on_random_problems(2)
def test_an_interval_has_the_value_and_ordered_ends(record, y_true, y, weights, options, random):
    options["average"] = options.get("average") or "macro"
    options = {name: value for name, value in options.items() if name in record.defaults}
    y = y + (record.reads == "y_score")  # no score is 0, which would not be stored; no rank changes
    data = in_random_containers(record, np.tile(y_true, (2, 1)), np.tile(y, (2, 1)), random)
    metric = partial(record.function, **options, sample_weight=np.tile(weights, 2))
    interval = uncertainty.interval(metric, *data, n_resamples=40)
    assert agree(interval.value, metric(*data))
    assert isnan(interval.low) or interval.low <= interval.high


@set_metrics
@on_random_problems(6)
def test_tune_returns_the_highest_best_threshold(record, y_true, y, weights, options, random):
    """Candidates are the scores and infinity.

    If 0/0 is left out of the mean, tune refuses the metric.
    """
    if options.get("average", "macro") is None:
        options["average"] = "micro" if "micro" in record.averages else "macro"
    metric = partial(record.function, **options, sample_weight=weights)
    scores = random.integers(1, 5, y.shape) / 4
    sign = 1 if record.higher_is_better else -1
    candidates = inf, 1, 0.75, 0.5, 0.25  # from the highest to the lowest
    values = {t: sign * metric(y_true, (scores >= t) * 1) for t in candidates}
    data = in_random_containers(record, y_true, scores, random)
    if options.get("zero_division", 0) is nan:
        with pytest.raises(ValueError, match="zero_division is nan, under which a threshold"):
            thresholds.tune(metric, *data)
    else:
        best = (t for t, value in values.items() if value >= max(values.values()) - 1e-12)
        assert thresholds.tune(metric, *data) == next(best)


# ---------------------------------------------------------------------------- values


@every_metric
@on_random_problems(20)
def test_a_metric_has_the_value_in_exact_fractions(record, y_true, y, weights, options, random):
    """In any containers and sizes of blocks. For all small data sets see test_all_small.py."""
    weight = [None, weights, weights / 8][random.integers(3)]
    options = options | {"sample_weight": weight}
    if "per_sample" in record.defaults:
        options["per_sample"] = bool(random.integers(2))
    y = y + (record.reads == "y_score")  # no score is 0, which would not be stored; no rank changes
    expected = by_fractions(record, *in_random_containers(record, y_true, y, random), options)
    with mock.patch.object(blocks, "BLOCK_CELLS", int(random.choice([1, 10, 64]))):
        assert agree(record.function(y_true, y, **options), expected)
        assert agree(
            record.function(*in_random_containers(record, y_true, y, random), **options), expected
        )


@every_metric
@on_random_problems(8)
def test_a_weight_says_how_often_a_sample_counts(record, y_true, y, weights, options, random):
    """Integers are like repeated samples, equal weights like none; only ratios matter."""
    if record.unit == "label" and "ties" in options:
        options["ties"] = "max"  # under other rules, copies of a sample get different ranks
    metric = partial(record.function, **options)
    value = metric(y_true, y, sample_weight=weights)
    assert agree(value, metric(np.repeat(y_true, weights, axis=0), np.repeat(y, weights, axis=0)))
    for factor in (1e-30, 0.3, 1e30):
        assert agree(metric(y_true, y, sample_weight=weights * factor), value)
    assert agree(metric(y_true, y, sample_weight=[0.25] * len(y)), metric(y_true, y))


@every_metric
def test_products_of_weights_do_not_vanish(record):
    """Positives weigh 1e-100 and negatives 1e-10, or the other way round."""
    columns = all_small.rows(3) if record.reads == "y_pred" else all_small.weak_orderings(3)
    if record.reads == "y_prob":
        columns = [[cell / 2 for cell in column] for column in columns]
    truths, weights = ((0, 0, 1), (0, 1, 1)), ((1e-100, 1e-10), (1e-10, 1e-100))
    metrics_in_turn, cases = cycle(variants(record)), product(columns, truths, weights)
    for column, truth, (of_positive, of_negative) in islice(cases, 0, None, 3):  # every third
        y_true, y = np.reshape(truth, (3, 1)), np.reshape(column, (3, 1))
        weight = [of_positive if cell else of_negative for cell in truth]
        options, metric = next(metrics_in_turn)
        value = metric(y_true, y, sample_weight=weight)
        expected = by_fractions(record, y_true, y, options | {"sample_weight": weight})
        assert agree(value, expected), (
            f"{record} gives {value} for {truth} and {column} under the weights {weight} and"
            f" {options}; in fractions it is {expected}"
        )


def per_single_sample(metric, y_true, y, **options):
    """The metric of each sample as a data set of its own."""
    return [metric([truth], [row], **options) for truth, row in zip(y_true, y, strict=True)]


@for_each([record for record in RECORDS if "ties" in record.defaults and record.unit != "label"])
def test_a_rule_for_ties_is_a_value_over_all_orders_of_tied_labels(record):
    """On all data of a sample and three labels: the worst, best or mean value.

    Or it is that of one order.
    """
    cases = list(product(all_small.rows(3), all_small.weak_orderings(3)))
    cases = cases if record.unit == "sample" else cases[::5]
    truth, score = map(np.array, zip(*cases, strict=True))
    # Scores are whole numbers apart, so that adding less than 1 orders only the tied labels.
    untied_scores = [score + order for order in permutations((0, 0.3, 0.6))]
    worst, best = (np.min, np.max) if record.higher_is_better else (np.max, np.min)
    holds = True
    choices = {name: p.values for name, p in record.parameters.items() if name != "ties"}
    for choice in product(*choices.values()):
        metric = partial(record.function, **dict(zip(choices, choice, strict=True)))
        if record.unit == "sample":
            metric = partial(metric, per_sample=True)
        else:  # one ratio of sums over all samples
            metric = partial(per_single_sample, metric)
        values = [metric(truth, untied) for untied in untied_scores]
        extremes = worst(values, axis=0), best(values, axis=0)
        rules = dict(zip(record.tie_rules, [*extremes, np.mean(values, axis=0)], strict=False))
        rules |= {"first": values[-1], "last": values[0]}
        holds &= all(agree(metric(truth, score, ties=ties), value) for ties, value in rules.items())
    assert record.over_tie_orders == holds


@without_options_per_label  # which weigh labels, so that the truth is not always the best answer
@on_random_problems(8)
def test_the_perfect_answer_is_exactly_the_best(record, y_true, y, weights, options, random):
    """Dense and sparse, under any weights, if the fractions reach the best.

    No other answer is better.
    """
    best, sign = (1.0, 1) if record.higher_is_better else (0.0, -1)
    rules = {"zero_division": "agree", "undefined": best}
    options = record.required | {n: v for n, v in rules.items() if n in record.defaults}
    options |= {"sample_weight": weights / 10}
    metric = partial(record.function, **options)
    expected = by_fractions(record, y_true, y_true, options)
    for matrix in (y_true, sparse.csr_array(y_true)):
        value = metric(matrix, matrix)
        assert value == expected if expected == best else agree(value, expected)
    assert not sign * metric(y_true, y) > sign * expected + 1e-12


# ---------------------------------------------------------------------------- memory

KINDS = (("i8", "rows first"), ("?", "rows first"), ("f8", "columns first"), ("f4", "every second"))


@cache
def large_data(has_scores, dtype, layout):
    """Random truth and predictions or scores of 5000 samples and 100 labels."""
    rng, shape = np.random.default_rng(0), (5000, 100)
    y_true, y = rng.random(shape) < 0.05, rng.random(shape)
    y = y.astype("f4" if dtype == "?" else dtype) if has_scores else (y < 0.05).astype(dtype)
    return CONTAINERS[layout](y_true.astype(dtype)), CONTAINERS[layout](y)


@pytest.mark.parametrize("step", [29, pytest.param(7, marks=pytest.mark.exhaustive)])
@for_each(catalogue.METRICS)
def test_memory_beside_the_input(record, step, monkeypatch):
    """A metric allocates less than a boolean copy of both matrices.

    With scores: of the truth.

    Micro metrics of scores need more: they sort an eighth of all cells at a time, or three full
    copies under ``ties="first"`` and "last". A part of all combinations of dtypes, options and
    weights is tried.
    """
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 2**12)
    random_weights, has_scores = np.random.default_rng(0).random(5000), record.reads != "y_pred"
    tie_rules = [{"ties": ties} for ties in record.tie_rules] or [{}]
    cases = list(product(tie_rules, KINDS, variants(record), (None, random_weights)))
    begin = RECORDS.index(record) % min(step, len(cases))  # each metric has other cases
    for tie_rule, kind, (options, metric), weights in cases[begin::step]:
        y_true, y = large_data(has_scores, *kind)
        y_true_before, y_before = y_true.copy(), y.copy()
        metric(y_true[:9], y[:9], sample_weight=random_weights[:9], **tie_rule)  # fills caches
        allowed = y_true.size + (0 if has_scores else y.size)
        if record.required_per_label:  # the option's value for each of the first k labels
            allowed += y.size // 8
        if has_scores and options.get("average") == "micro":
            is_by_index = tie_rule.get("ties") in ("first", "last")
            allowed += 3 * 8 * y.size if is_by_index else y.nbytes // 4
            n_floats = 6 if weights is None else 12  # per positive
            allowed += 8 * n_floats * np.count_nonzero(y_true)
        tracemalloc.start()
        metric(y_true, y, sample_weight=weights, **tie_rule)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= 1.01 * allowed, (kind, options, tie_rule)  # measuring coverage takes some
        assert np.array_equal(y_true, y_true_before) and np.array_equal(y, y_before)
