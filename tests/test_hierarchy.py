"""Hierarchical metrics: published values, ancestors by recursion, and two other packages."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial
from itertools import product

import hiclass.metrics as hiclass
import networkx
import numpy as np
import pandas as pd
import pytest
import sklearn_hierarchical_classification.metrics as graph_metrics
from random_inputs import agree
from scipy import sparse

from mlm_helpers import data, example_based, hierarchy, label_based, thresholds, top_k
from mlm_helpers.conventions import report
from mlm_helpers.hamming import hamming_loss
from mlm_helpers.scorecard import Scorecard
from mlm_helpers.summary import models
from mlm_helpers.uncertainty import interval
from mlm_helpers.worked import solve

PATH = [[], [0], [1], [2]]
METRICS = hierarchy.precision, hierarchy.recall, hierarchy.f1


def matrix(*label_sets, n_labels=4):
    return np.array([[int(j in labels) for j in range(n_labels)] for labels in label_sets])


def random_problems(number=10):
    """Truth, prediction, parents, a generator; labels have several parents, in any order."""
    random = np.random.default_rng(13)
    for _ in range(number):
        n_samples, n_labels = random.integers(1, 6), random.integers(1, 8)
        y_true, y_pred = (random.random((2, n_samples, n_labels)) < 0.4).astype(int)
        order, parents = random.permutation(n_labels).tolist(), [[] for _ in range(n_labels)]
        for i, label in enumerate(order):
            parents[label] = [parent for parent in order[:i] if random.random() < 0.4]
        yield y_true, y_pred, parents, random


# ---------------------------------------------------------------------------- published values

# sklearn_hierarchical_classification/tests/test_metrics.py, on the path 0 → 1 → 2 → 3
FIRST = matrix({1}, {1, 2}, {3}), matrix({1}, {0, 1}, {1})
SECOND = matrix({1}, {1, 2}, {0}), matrix({1}, {0, 1}, {3})
# and on a tree with 0 and 1 at the top, 2 and 3 below 1, 4 and 5 below 2, and 6 below 5
TREE = [[], [], [1], [1], [2], [2], [5]]
of_tree = partial(matrix, n_labels=7)
PUBLISHED = [
    (FIRST, PATH, (6 / 6, 6 / 9, 0.8)),
    (SECOND, PATH, (5 / 8, 5 / 6, 0.7142)),
    ((of_tree({4}), of_tree({3})), TREE, (1 / 2, 1 / 3, 2 / 5)),
    ((of_tree({4}, {3}), of_tree({3}, {4})), TREE, (2 / 5, 2 / 5, 2 / 5)),
    ((of_tree({0, 4}, {1, 3}), of_tree({4, 6}, {1})), TREE, (4 / 6, 4 / 6, 2 / 3)),
]


@pytest.mark.parametrize(("data", "parents", "values"), PUBLISHED)
def test_values_of_sklearn_hierarchical_classification(data, parents, values):
    """That package counts all labels except a root of its own above them."""
    edges = [(top, label) for label, tops in enumerate(parents) for top in tops or ["root"]]
    graph = networkx.DiGraph(edges)
    for metric, name, value in zip(METRICS, ("precision", "recall", "fbeta"), values, strict=True):
        assert metric(*data, parents) == pytest.approx(value, abs=1e-4)
        package_value = getattr(graph_metrics, f"h_{name}_score")(*data, graph, root="root")
        assert package_value == pytest.approx(value, abs=1e-4)


def test_without_the_root_by_hand():
    """On the path 0 → 1 → 2 → 3, samples have {1}, {1, 2}, {1, 2, 3}; each is predicted {1}."""
    for parents, order in ((PATH, [0, 1, 2, 3]), ([[1], [2], [3], []], [3, 2, 1, 0])):
        data = [matrix[:, order] for matrix in FIRST]
        for metric, value in zip(METRICS, (F(1), F(1, 2), F(2, 3)), strict=True):
            assert solve(metric, *data, parents=parents, root=False).value == value
            for pair in (data, map(sparse.csr_array, data)):
                assert metric(*pair, parents, root=False) == pytest.approx(float(value))
    samples = hierarchy.f1(*FIRST, PATH, average="samples", root=False)
    assert samples == pytest.approx((1 + 2 / 3 + 1 / 2) / 3)
    flat = example_based.f1(*FIRST)
    assert hierarchy.f1(*FIRST, [[]] * 4, average="samples", root=False) == flat  # no root


# ---------------------------------------------------------------------------- parents by name

FRAMES = [pd.DataFrame(matrix(*sets), columns=[*"CBDA"]) for sets in ([{0}, {2}], [{2}, {1}])]
SERIES = pd.Series([["A"], [], ["A", "B"], []], [*"CBDA"])


@pytest.mark.parametrize(
    "parents",
    [{"C": np.array(["A"]), "D": {"A", "B"}}, [["A"], [], ["B", 3], ()], SERIES],
    ids=type,
)
def test_parents_by_name_or_index(parents):
    """{C, A} and {D, A, B}; predicted {D, A, B} and {B}: 2 hits, of 5 true, 4 predicted labels."""
    assert hierarchy.f1(*FRAMES, parents) == 2 * 2 / 9
    assert hierarchy.f1(FRAMES[0].to_numpy(), FRAMES[1], parents) == 2 * 2 / 9
    hf1 = partial(hierarchy.f1, parents=parents)
    assert solve(hf1, *FRAMES).value == F(4, 9)
    assert interval(hf1, *FRAMES, n_resamples=40).value == pytest.approx(4 / 9)
    assert thresholds.tune(hf1, *FRAMES) == 0  # all labels: 2 × 5 ÷ (5 + 8)
    assert models(FRAMES[0], {"m": FRAMES[1]}, metrics=[hf1]).frame().iloc[0, -1] == 4 / 9
    assert "0/0 counts 0 (this ratio is not 0/0)" in report([hf1], *FRAMES)


def test_a_closed_truth_with_unknown_cells_keeps_its_names():
    truth = data.unknown(pd.DataFrame([[0, 1, -1]], ["x"], ["a", "b", "c"]))
    closed = hierarchy.closure(truth, {"b": ["a"]})
    assert closed.tolist() == [[1, 1, None]]
    with pytest.raises(ValueError, match="'c' at position 0 of its columns"):
        hamming_loss(closed, pd.DataFrame([[0, 0, 1]], ["x"], ["c", "b", "a"]))


@pytest.mark.parametrize("call", [
    lambda values: interval(
        partial(top_k.propensity_scored_ndcg, inverse_propensities=values, k=1),
        *FRAMES, n_resamples=40,
    ),
    lambda values: Scorecard.from_batch(
        FRAMES[0], y_score=FRAMES[1], inverse_propensities=values, k=1
    ),
    lambda values: thresholds.at(FRAMES[1], values),
    lambda values: thresholds.share(FRAMES[1], values / 9),
    lambda values: hierarchy.closure(FRAMES[0], values.map(lambda _: [])),
])  # fmt: skip
def test_a_series_of_values_per_label_must_have_the_order_of_the_columns(call):
    values = pd.Series([1.0, 2, 3, 4], [*"CBDA"])
    call(values)
    for wrong in (values[[*"ABCD"]], values.rename({"A": "E"})):
        with pytest.raises(ValueError, match=r"at position \d of its index where y"):
            call(wrong)


# ---------------------------------------------------------------------------- closure


@pytest.mark.parametrize(("y", "_", "parents", "random"), [*random_problems()])
def test_closure_is_what_walking_up_from_each_label_reaches(y, _, parents, random):
    def closed(label):
        return {label}.union(*map(closed, parents[label]))

    labels = range(len(parents))
    expected = [[any(row[j] and k in closed(j) for j in labels) for k in labels] for row in y]
    assert np.array_equal(hierarchy.closure(y, parents), expected)
    assert np.array_equal(hierarchy.closure(expected, parents), expected)
    stored = hierarchy.closure(sparse.csr_array(y), parents)
    assert np.array_equal(stored.toarray(), expected) and stored.has_sorted_indices


def test_closure_keeps_container_names_and_dtype():
    y = np.array([[0, 0, 1, 0], [1, 0, 0, 0]], dtype="f4")
    copy = y.copy()
    frame = pd.DataFrame(y, index=["x", "y"], columns=list("abcd"))
    for container in (y, sparse.csr_array(y), sparse.csc_matrix(y), frame):
        closed = hierarchy.closure(container, PATH)
        assert type(closed) is type(container)
        cells = closed.toarray() if sparse.issparse(closed) else np.asarray(closed)
        assert cells.dtype == y.dtype and cells.tolist() == [[1, 1, 1, 0], [1, 0, 0, 0]]
    assert list(closed.index) == ["x", "y"] and list(closed.columns) == list("abcd")
    assert np.array_equal(y, copy)


def test_a_parent_of_256_children_is_there_once():
    """Sums of bools are bools, whereas 256 children would add up to 0 in one byte."""
    y = sparse.csr_array(np.array([[0] + [1] * 256], dtype=np.int8))
    assert hierarchy.closure(y, [[]] + [[0]] * 256).toarray().tolist() == [[1] * 257]


@pytest.mark.parametrize("zero", [0.0, 1.0, np.nan, "agree"])
@pytest.mark.parametrize(("y_true", "y_pred", "parents", "random"), [*random_problems(5)])
def test_hierarchical_metrics_are_flat_metrics_of_closed_sets(
    y_true, y_pred, parents, random, zero
):
    closed = [hierarchy.closure(matrix, parents) for matrix in (y_true, y_pred)]
    for metric, weights in product(METRICS, (None, np.arange(1, len(y_true) + 1))):
        options = {"zero_division": zero, "sample_weight": weights}
        micro = partial(getattr(label_based, metric.__name__), average="micro")
        per_sample = getattr(example_based, metric.__name__)
        for average, flat in (("micro", micro), ("samples", per_sample)):
            value = metric(y_true, y_pred, parents, average=average, **options)
            assert agree(value, flat(*closed, **options))


def paths(closed, names, depth):
    """One row of names per sample, from the top down, with "" below the last, as in HiClass."""
    rows = [[names[j] for j in np.flatnonzero(row)] for row in closed]
    return np.array([row + [""] * (depth - len(row)) for row in rows])


def test_hiclass_prints_our_numbers_of_paths():
    """In HiClass, "macro" is the mean over samples, and "" does not count."""
    two_branches = [[], [], [0], [0], [1], [1]]
    names = ["animal", "vehicle", "cat", "dog", "car", "boat"]
    sets = [{0}, {1}, {2}, {3}, {4}, {5}]
    rng = np.random.default_rng(0)
    for _ in range(5):
        data = [matrix(*rng.choice(sets, 5), n_labels=6) for _ in range(2)]
        data_paths = [paths(hierarchy.closure(m, two_branches), names, depth=2) for m in data]
        averages = ("micro", "micro"), ("samples", "macro")
        for metric, (average, hiclass_average) in product(METRICS[:2], averages):
            value = getattr(hiclass, metric.__name__)(*data_paths, average=hiclass_average)
            assert value == pytest.approx(metric(*data, two_branches, average=average))
