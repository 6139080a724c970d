"""What holds for every record: all of it for each metric of the catalogue, and for three that it lacks."""

from __future__ import annotations

import inspect
import math
import re
from functools import partial
from itertools import product
from math import isnan, nan

import numpy as np
import pandas as pd
import pytest
import throwaway
import worlds
from drawing import drawn, few, many, problems, same
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics

from mlm_helpers import catalogue, conventions, disagreement, exact_match, inputs, ranking, worked
from mlm_helpers.course import figures
from mlm_helpers.course.documents import DOCUMENTS
from mlm_helpers.scorecard import Scorecard

RECORDS = (*catalogue.METRICS, *throwaway.RECORDS)
every_metric = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.id)
per_sample_metrics = pytest.mark.parametrize(
    "record", [r for r in RECORDS if r.along == "sample"], ids=lambda record: record.id
)
per_label_metrics = pytest.mark.parametrize(
    "record", [r for r in RECORDS if r.along == "label"], ids=lambda record: record.id
)


@pytest.fixture(autouse=True, scope="module")
def throwaways():
    with throwaway.installed():
        yield


def usual(record):
    """The metric with what it requires."""
    return partial(record.function, **record.required) if record.required else record.function


def by_steps(record, y_true, y, options):
    """Worked in fractions; of as many samples as a person follows."""
    value = worked.solve(record.function, y_true, y, **options).value
    return [float(one) for one in value] if isinstance(value, tuple) else float(value)


Y_TRUE = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]])
Y_PRED = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]])
Y_SCORE = np.array([[0.9, 0.8, 0.3], [0.2, 0.7, 0.7], [0.6, 0.1, 0.5], [0.4, 0.4, 0.6]])


def read(record):
    return Y_SCORE if record.reads == "y_score" else Y_PRED


# ---------------------------------------------------------------------------- the record itself


@every_metric
def test_record_and_function_agree(record):
    parameters = inspect.signature(record.function).parameters
    assert list(parameters)[:2] == ["y_true", record.reads]
    assert all(p.kind.name == "KEYWORD_ONLY" for p in list(parameters.values())[2:])
    assert ("per_sample" in parameters) == (record.along == "sample")
    assert ("average" in parameters) == (record.along == "label")
    assert set(record.parameters) <= set(parameters)
    known = {*inputs.CHECKS, "sample_weight", *record.parameters}
    assert set(record.options) <= known  # nothing else would be checked
    assert record.family in catalogue.FAMILIES
    assert catalogue.of(usual(record)) is record
    assert bool(record.left_out) == (record.parts is None)
    for name, parameter in record.parameters.items():
        for value in parameter.values:
            parameter.check(value)
            assert str(value).removesuffix(".0") in catalogue.describe(
                partial(record.function, **{name: value})
            )


@every_metric
def test_docstring_is_complete(record):
    text = inspect.getdoc(record.function)
    sections = re.findall(r"^(\w+)\n-{3,}$", text, re.MULTILINE)
    assert sections == ["Parameters", "Returns", "References", "Examples"]
    documented = re.search(r"Parameters\n-+\n(.*?)\n\nReturns", text, re.DOTALL)[1]
    names = ", ".join(re.findall(r"^(\S.*?) : ", documented, re.MULTILINE)).split(", ")
    assert names == list(inspect.signature(record.function).parameters)
    assert f">>> {record.function.__name__}(" in text
    assert ".. math::" in text and re.search(r"\bRange\b", text)
    assert "raises a TypeError or a ValueError" in " ".join(text.split())
    assert record.direction in " ".join(text.split())


MATRICES = [np.reshape(cells, (2, 2)) for cells in product((0, 1), repeat=4)]
SCORES = [np.array(rows) for rows in product([(2, 1), (1, 2), (1, 1)], repeat=2)]


def variants(record):
    """Its function with every average, or as it is, and with what it requires."""
    for average in inputs.AVERAGES if record.along == "label" else ["none"]:
        options = dict(record.required) | ({} if average == "none" else {"average": average})
        yield options, partial(record.function, **options)


@every_metric
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")  # theirs, of 0/0
@pytest.mark.filterwarnings("ignore:No positive class found")
def test_the_scikit_learn_expression_has_our_value(record):
    for example in (example for document in DOCUMENTS for example in document.examples.values()):
        other = example.y_score if record.reads == "y_score" else example.y_pred
        if record.sklearn and other:
            data = {"y_true": np.array(example.y_true), record.reads: np.array(other)}
            for options, metric in variants(record):
                theirs = eval(record.sklearn, vars(metrics) | data | options)
                np.testing.assert_allclose(metric(example.y_true, other), theirs, rtol=1e-12)


@every_metric
def test_range_on_every_small_world(record):
    low, high = record.bounds(2, record.defaults)
    others = SCORES if record.reads == "y_score" else MATRICES
    undefined = {"undefined": math.nan} if "undefined" in record.options else {}
    for _, metric in variants(record):
        values = [np.ravel(metric(t, o, **undefined)) for t in MATRICES for o in others]
        reached = np.concatenate(values)
        # What is relevant is never below the last rank: 2 of 2, or of 4 where all cells are one list.
        low = {"average precision": 1 / 2, "AP": 1 / 4, "AP of a label": 1 / 4}.get(
            record.name, low
        )
        assert low <= np.nanmin(reached) <= max(low, 1 / 2) and np.nanmax(reached) == high
        assert np.nanmin(reached) == low or "AP" in record.name


@every_metric
def test_direction(record):
    truth = np.array([[1, 0], [0, 1]])
    for _, metric in variants(record):
        right, wrong = np.mean(metric(truth, truth)), np.mean(metric(truth, 1 - truth))
        assert (right > wrong) == record.higher_is_better


@every_metric
def test_of(record):
    assert catalogue.of(record.function) is record
    assert catalogue.of(partial(record.function, sample_weight=[1])) is record
    assert catalogue.of(partial(partial(record.function, sample_weight=[1]))) is record


@every_metric
def test_it_is_listed(record):
    rows = [row for row in catalogue.markdown_table().splitlines() if f"`{record.id}`" in row]
    assert len(rows) == 1 and rows[0].startswith(f"| {record.name} | ")
    arrow = "↑" if record.higher_is_better else "↓"
    assert f"{record.name} {arrow}" in figures.alt_text(figures.metric_map())
    named = [name for name, m in catalogue.variants().items() if catalogue.of(m) is record]
    assert len(named) == (3 if record.along == "label" else 1)


# ---------------------------------------------------------------------------- in every room


@every_metric
def test_solved_and_asked(record):
    metric = usual(record)
    solution = worked.solve(metric, Y_TRUE, read(record))
    assert same(float(solution), metric(Y_TRUE, read(record)))
    assert solution.title.startswith(f"{record.name}: {record.id}")
    sheet = worked.exercise(metric, seed=3, n_samples=3, n_labels=4)
    assert same(float(sheet.solution), metric(sheet.y_true, sheet.y_pred_or_score))
    low, high = record.bounds(4, record.defaults)
    assert low < sheet.solution.value < high


@every_metric
@few
@given(data=st.data())
def test_on_the_scorecard(record, data):
    idle = record.parameters if record.left_out else ()
    (y_true, y), weights, options = drawn(data, record, without=["average", *idle])
    half = len(y_true) // 2
    batches = [
        Scorecard.from_batch(
            y_true[rows], **{record.reads: y[rows]}, sample_weight=weights[rows], **options
        )
        for rows in (slice(0, half), slice(half, None))
        if len(y_true[rows])
    ]
    required = {name: options[name] for name in record.required}
    if record.left_out:
        name = catalogue.describe(record.function)
        assert batches[0].left_out()[name] == record.left_out
        assert f"Left out: {name}: {record.left_out}." in repr(batches[0])
        return
    averages = [{"average": a} for a in ("macro", "micro", "weighted")]
    for average in averages if record.along == "label" else [{}]:
        name = catalogue.describe(partial(record.function, **required, **average))
        value = record.function(y_true, y, sample_weight=weights, **options, **average)
        if name in catalogue.variants() or "1" not in name:  # Fβ with β = 1 is called F1
            assert same(sum(batches).values()[name], value)


@every_metric
def test_identified_and_reported(record):
    for name, metric in catalogue.variants().items():
        if catalogue.of(metric) is record:
            value = metric(Y_TRUE, read(record))
            known = {name: record.required[name] for name in record.asks_per_label}
            found = conventions.identify(value, Y_TRUE, **{record.reads: read(record)}, **known)
            assert name in [match.metric for match in found.matches]
            said = conventions.report([metric], Y_TRUE, **{record.reads: read(record)})
            assert f" {name} = " in said


@every_metric
def test_held_against_another(record):
    metric = usual(record)
    found = disagreement.smallest_disagreement(
        metric, exact_match.subset_accuracy, max_labels=2 if record.reads == "y_score" else 3
    )
    if found is None:
        assert record.family == "exact match"  # itself, and what is 1 minus it
        return
    for other, value in zip((found.first, found.second), found.values_a, strict=True):
        cut = other if record.reads == "y_score" else np.array(other) >= 0.5
        assert same(metric(found.y_true, cut), value)
    assert found.values_a[0] != found.values_a[1] and found.values_b[0] != found.values_b[1]
    assert catalogue.describe(metric) in repr(found)


# ---------------------------------------------------------------------------- two roads


@every_metric
def test_package_and_fractions_meet_on_every_small_world(record):
    """Two samples, two labels; predictions up to reordering, scores in every order with ties."""
    some = worlds.representatives(2, 2)
    if record.reads == "y_score":
        orders = list(product(worlds.weak_orderings(2), repeat=2))
        some = [(truth, scores) for truth in worlds.matrices(2, 2) for scores in orders]
    for y_true, y in some:
        for options, metric in variants(record):
            assert same(metric(y_true, y), by_steps(record, y_true, y, options)), (y_true, y)


@every_metric
@many
@given(data=st.data())
def test_package_and_fractions_meet(record, data):
    (y_true, y), weights, options = drawn(data, record)
    options["sample_weight"] = data.draw(
        st.sampled_from([None, weights, tuple(w / 8 for w in weights)])
    )
    if "per_sample" in record.options:
        options["per_sample"] = data.draw(st.booleans())
    value = record.function(y_true, y, **options)
    assert same(value, by_steps(record, y_true, y, options))


@every_metric
@few
@given(data=st.data())
def test_whole_weights_are_repeated_samples(record, data):
    (y_true, y), weights, options = drawn(data, record)
    if record.along == "label" and "ties" in options:
        options["ties"] = "worst"  # under the others, copies of a sample stand above one another
    repeated = np.repeat(y_true, weights, axis=0), np.repeat(y, weights, axis=0)
    weighted = record.function(y_true, y, **options, sample_weight=weights)
    assert same(weighted, record.function(*repeated, **options))


@every_metric
@few
@given(data=st.data(), factor=st.sampled_from([1e-9, 0.3, 7, 1e9]))
def test_scaling_the_weights_changes_nothing(record, data, factor):
    (y_true, y), weights, options = drawn(data, record)
    scaled = np.array(weights) * factor
    value = record.function(y_true, y, **options, sample_weight=weights)
    assert same(record.function(y_true, y, **options, sample_weight=scaled), value)


@every_metric
@few
@given(data=st.data())
def test_equal_weights_change_nothing(record, data):
    (y_true, y), _, options = drawn(data, record)
    equal = [0.25] * len(y_true)
    value = record.function(y_true, y, **options)
    assert same(record.function(y_true, y, **options, sample_weight=equal), value)


@per_sample_metrics
@few
@given(data=st.data())
def test_metric_is_the_weighted_mean_of_its_samples(record, data):
    (y_true, y), weights, options = drawn(data, record)
    values = record.function(y_true, y, **options, sample_weight=weights, per_sample=True)
    assert same(values, record.function(y_true, y, **options, per_sample=True))
    left = [(v, w) for v, w in zip(values, weights, strict=True) if not isnan(v)]
    total = sum(w for _, w in left)
    mean = sum(v * w for v, w in left) / total if total else nan
    assert same(record.function(y_true, y, **options, sample_weight=weights), mean)


@every_metric
@few
@given(data=st.data())
def test_order_of_samples_does_not_matter(record, data):
    (y_true, y), weights, options = drawn(data, record)
    if record.along == "label" and "ties" in options:
        options["ties"] = data.draw(st.sampled_from(["worst", "best", "average"]))
    order = data.draw(st.permutations(range(len(y_true))))
    y_true, y, weights = np.array(y_true), np.array(y), np.array(weights)
    value = record.function(y_true, y, **options, sample_weight=weights)
    shuffled = y_true[order], y[order]
    assert same(record.function(*shuffled, **options, sample_weight=weights[order]), value)
    if "per_sample" in record.options:
        values = record.function(y_true, y, **options, per_sample=True)
        assert same(record.function(*shuffled, **options, per_sample=True), values[order])


@every_metric
@few
@given(data=st.data())
def test_order_of_labels_does_not_matter(record, data):
    (y_true, y), weights, options = drawn(data, record)
    if "ties" in options:
        options["ties"] = data.draw(st.sampled_from(["worst", "best", "average"]))
    y_true, y = np.array(y_true), np.array(y)
    order = data.draw(st.permutations(range(y.shape[1])))
    value = record.function(y_true, y, **options, sample_weight=weights)
    if options.get("average", "macro") is None:
        value = value[order]
    shuffled = y_true[:, order], y[:, order]
    assert same(record.function(*shuffled, **options, sample_weight=weights), value)


# ---------------------------------------------------------------------------- containers

CONTAINERS = {
    "list": lambda rows: [list(row) for row in rows],
    "bool": lambda rows: np.array(rows, dtype=bool),
    "int": lambda rows: np.array(rows, dtype=np.int8),
    "float": lambda rows: np.array(rows, dtype=float),
    "columns first": lambda rows: np.asfortranarray(np.array(rows)),
    "DataFrame": lambda rows: pd.DataFrame(list(rows)),
    "csr": lambda rows: sparse.csr_array(np.array(rows)),
    "csc": lambda rows: sparse.csc_matrix(np.array(rows)),
    "coo": lambda rows: sparse.coo_array(np.array(rows)),
}


def without_zeros(record, y):
    """Scores of which a sparse matrix stores all, for a metric that counts only what is stored."""
    return np.array(y) + 1 if record.keeps_sparse else y


@every_metric
@few
@given(data=st.data())
def test_container_does_not_matter(record, data):
    """Truth and prediction, or scores, in containers of their own: sparse beside dense, too."""
    (y_true, y), weights, options = drawn(data, record)
    y = without_zeros(record, y)
    value = record.function(y_true, y, **options, sample_weight=weights)
    sets = st.sampled_from(sorted(CONTAINERS))
    scores = st.sampled_from(sorted(CONTAINERS.keys() - {"bool", "int"}))
    a = data.draw(sets, label="y_true")
    b = data.draw(sets if record.reads == "y_pred" else scores, label=record.reads)
    pair = CONTAINERS[a](y_true), CONTAINERS[b](y)
    assert same(record.function(*pair, **options, sample_weight=np.array(weights)), value)


@every_metric
@few
@given(data=st.data())
def test_sparse_is_dense(record, data):
    (y_true, y), weights, options = drawn(data, record)
    y = without_zeros(record, y)
    both = sparse.csr_array(np.array(y_true)), sparse.csr_array(np.array(y))
    for weight in (None, weights):
        value = record.function(y_true, y, **options, sample_weight=weight)
        assert same(record.function(*both, **options, sample_weight=weight), value)


@per_label_metrics
@many
@given(data=st.data())
def test_macro_is_the_mean_of_the_labels(record, data):
    (y_true, y_pred), weights, options = drawn(data, record, without=["average"])
    options["sample_weight"] = weights
    values = record.function(y_true, y_pred, **options, average=None)
    left = values[~np.isnan(values)]
    macro = record.function(y_true, y_pred, **options, average="macro")
    assert same(macro, left.mean() if left.size else nan)


@per_label_metrics
@many
@given(data=st.data())
def test_one_label_has_one_average(record, data):
    (y_true, y_pred), weights, options = drawn(data, record, without=["average"])
    one = [row[:1] for row in y_true], [row[:1] for row in y_pred]
    options["sample_weight"] = weights
    (value,) = record.function(*one, **options, average=None)
    for average in ("macro", "micro", "weighted"):
        assert same(record.function(*one, **options, average=average), value), average


@every_metric
@many
@given(data=st.data())
def test_values_stay_in_range(record, data):
    (y_true, y), weights, options = drawn(data, record, without=["undefined", "average"])
    lowest, highest = record.bounds(len(y_true[0]), options)
    options |= {"undefined": nan} if "undefined" in record.options else {}
    averages = worlds.AVERAGES if "average" in record.options else (None,)
    for average in averages:
        chosen = options | ({"average": average} if "average" in record.options else {})
        values = np.atleast_1d(record.function(y_true, y, **chosen, sample_weight=weights))
        left = values[~np.isnan(values)]
        assert (lowest - 1e-12 <= left).all() and (left <= highest + 1e-12).all()


@every_metric
@few
@given(problem=problems())
def test_the_perfect_answer_is_exactly_the_best(record, problem):
    """Under any weights, dense and sparse; where nothing can be found, as if it had been."""
    y_true, _, weights = problem
    weights = np.array(weights) / 10
    best = 1.0 if record.higher_is_better else 0.0
    options = dict(record.required)
    options |= {"zero_division": "agree"} if "zero_division" in record.options else {}
    options |= {"undefined": best} if "undefined" in record.options else {}
    if record.function is ranking.coverage:  # the best there is, is to end with the last relevant
        best = (weights @ np.array(y_true).sum(axis=1)) / weights.sum()
    elif record in throwaway.RECORDS[:2]:
        return  # specificity of a sample with every label is 0/0; without any, nothing is hit
    elif record.id in ("top_k.precision", "top_k.recall"):
        return  # few labels are no full window, and many do not fit in
    for matrix in (np.array(y_true), sparse.csr_array(np.array(y_true))):
        value = record.function(matrix, matrix, **options, sample_weight=weights)
        assert value == best if record.function is not ranking.coverage else same(value, best)
