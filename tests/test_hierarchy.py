"""Hierarchical metrics: ancestors by another road, published values, the gate, live tools."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import hiclass.metrics as hiclass
import networkx
import numpy as np
import pandas as pd
import pytest
import sklearn_hierarchical_classification.metrics as of_graphs
from drawing import same
from scipy import sparse

from mlm_course import disagreement, invariance
from mlm_helpers import catalogue, conventions, example_based, hierarchy, label_based, worked
from mlm_helpers._core import counts, inputs
from mlm_helpers.scorecard import Scorecard

PATH = [[], [0], [1], [2]]
#       all    animal, vehicle  cat, dog, car, boat; the amphibian is a car and a boat
DAG = [[], [0], [0], [1], [1], [2], [2], [5, 6]]
METRICS = hierarchy.precision, hierarchy.recall, hierarchy.f1


def matrix(*label_sets, n_labels=4):
    return np.array([[int(j in some) for j in range(n_labels)] for some in label_sets])


def problems(number=20):
    """Truth, prediction and any hierarchy: several parents each, the labels in any order."""
    random = np.random.default_rng(13)
    for _ in range(number):
        n_samples, n_labels = random.integers(1, 6), random.integers(1, 8)
        y_true, y_pred = (random.random((2, n_samples, n_labels)) < 0.4).astype(int)
        order, parents = random.permutation(n_labels).tolist(), [[] for _ in range(n_labels)]
        for i, label in enumerate(order):
            parents[label] = [one for one in order[:i] if random.random() < 0.4]
        yield y_true, y_pred, parents, random


# ---------------------------------------------------------------------------- published values

# sklearn_hierarchical_classification/tests/test_metrics.py, on the path 0 → 1 → 2 → 3
FIRST = matrix({1}, {1, 2}, {3}), matrix({1}, {0, 1}, {1})
SECOND = matrix({1}, {1, 2}, {0}), matrix({1}, {0, 1}, {3})
PUBLISHED = [(FIRST, (6 / 6, 6 / 9, 0.8)), (SECOND, (5 / 8, 5 / 6, 0.7142))]
# and on a tree: 0 and 1 at the top, 2 and 3 below 1, 4 and 5 below 2, 6 below 5
TREE = [[], [], [1], [1], [2], [2], [5]]
OF_TREE = [
    ([{4}], [{3}], (1 / 2, 1 / 3, 2 / 5)),
    ([{4}, {3}], [{3}, {4}], (2 / 5, 2 / 5, 2 / 5)),
    ([{0, 4}, {1, 3}], [{4, 6}, {1}], (4 / 6, 4 / 6, 2 / 3)),
]


@pytest.mark.parametrize(
    ("data", "parents", "values"),
    [(data, PATH, values) for data, values in PUBLISHED]
    + [([matrix(*one, n_labels=7) for one in pair], TREE, values) for *pair, values in OF_TREE],
)
def test_values_of_sklearn_hierarchical_classification(data, parents, values):
    for metric, value in zip(METRICS, values, strict=True):
        assert metric(*data, parents) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(
    ("data", "values"), [(FIRST, (1, 1 / 2, 2 / 3)), (SECOND, (2 / 5, 2 / 3, 1 / 2))]
)
def test_without_the_root_its_column_is_left_out_of_the_closed_sets(data, values):
    closed = [hierarchy.closure(matrix, PATH)[:, 1:] for matrix in data]
    for metric, value in zip(("precision", "recall", "f1"), values, strict=True):
        assert getattr(label_based, metric)(*closed, average="micro") == pytest.approx(value)


def test_a_root_that_labels_do_not_have_as_a_parent_is_not_added():
    """Where no sample has the root itself, it is enough not to name it as a parent."""
    no_root = [[], [], [1], [2]]
    assert [metric(*FIRST, no_root) for metric in METRICS[1:]] != [2 / 3, 0.8]
    closed = [hierarchy.closure(matrix, PATH)[:, 1:] for matrix in FIRST]
    assert hierarchy.recall(*FIRST, no_root) == label_based.recall(*closed, average="micro")


# ---------------------------------------------------------------------------- closure


@pytest.mark.parametrize(("y", "_", "parents", "random"), [*problems()])
def test_closure_is_what_walking_up_from_each_label_reaches(y, _, parents, random):
    def reached(label):
        return {label}.union(*map(reached, parents[label]))

    expected = [[any(row[j] and k in reached(j) for j in range(len(row))) for k in range(len(row))] for row in y]  # fmt: skip
    for made in (np.array, sparse.csr_array, sparse.csc_matrix, pd.DataFrame, np.asfortranarray):
        closed = hierarchy.closure(made(y), parents)
        dense = closed.toarray() if sparse.issparse(closed) else np.asarray(closed)
        assert np.array_equal(dense, expected)
        assert getattr(closed, "has_sorted_indices", True)
        assert np.array_equal(hierarchy.closure(dense, parents), expected)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i8", "f4", "f8"])
def test_closure_keeps_container_names_and_kind_of_number(dtype):
    y = np.array([[0, 0, 1, 0], [1, 0, 0, 0]], dtype=dtype)
    before = y.copy()
    frame = pd.DataFrame(y, index=["x", "y"], columns=list("abcd"))
    for made in (y, sparse.csr_array(y), sparse.csc_matrix(y), sparse.lil_array(y), frame):
        closed = hierarchy.closure(made, PATH)
        assert type(closed) is type(made)
        cells = closed.toarray() if sparse.issparse(closed) else np.asarray(closed)
        assert cells.dtype == y.dtype and cells.tolist() == [[1, 1, 1, 0], [1, 0, 0, 0]]
    assert list(closed.index) == ["x", "y"] and list(closed.columns) == list("abcd")
    assert np.array_equal(y, before)


def test_three_hundred_children_are_one_parent():
    """Of truth values a sum is one, too: in one byte 256 children would add up to none."""
    y = sparse.csr_array(np.array([[0] + [1] * 256], dtype=np.int8))
    assert hierarchy.closure(y, [[]] + [[0]] * 256).toarray().tolist() == [[1] * 257]


def test_several_parents_are_all_added_and_counted_once():
    truth = matrix({7}, n_labels=8)
    assert hierarchy.closure(truth, DAG).tolist() == matrix({0, 2, 5, 6, 7}, n_labels=8).tolist()
    assert hierarchy.recall(truth, matrix({5}, n_labels=8), DAG) == 3 / 5


# ---------------------------------------------------------------------------- the metrics


@pytest.mark.parametrize("weigh", [True, False])
@pytest.mark.parametrize("zero", [0.0, 1.0, np.nan, "agree"])
@pytest.mark.parametrize(("y_true", "y_pred", "parents", "random"), [*problems(10)])
def test_they_are_flat_metrics_of_closed_sets(y_true, y_pred, parents, random, zero, weigh):
    closed = [hierarchy.closure(matrix, parents) for matrix in (y_true, y_pred)]
    options = {"zero_division": zero}
    options |= {"sample_weight": np.arange(1, len(y_true) + 1)} if weigh else {}
    for metric in METRICS:
        of = {
            "micro": partial(getattr(label_based, metric.__name__), average="micro"),
            "samples": getattr(example_based, metric.__name__),
        }
        for average, flat in of.items():
            value = metric(y_true, y_pred, parents, average=average, **options)
            assert same(value, flat(*closed, **options))


@pytest.mark.parametrize(("y_true", "y_pred", "parents", "random"), [*problems()])
def test_labels_in_another_order_with_their_parents_change_nothing(y_true, y_pred, parents, random):
    order = random.permutation(len(parents))
    place = {label: i for i, label in enumerate(order)}
    moved = [[place[parent] for parent in parents[label]] for label in order]
    for metric in METRICS:
        value = metric(y_true, y_pred, parents)
        assert same(metric(y_true[:, order], y_pred[:, order], moved), value)


def test_labels_in_another_order_alone_are_another_hierarchy():
    metric = partial(hierarchy.f1, parents=lambda n: [[]] + [[0]] * (n - 1))
    found = invariance.smallest_change(metric, "reorder labels")
    assert (found.y_true, found.y_other) == (
        [[0, 1]],
        [[1, 1]],
    )  # the child alone brings its parent
    assert (found.changed_true, found.values) == ([[1, 0]], (1, 2 / 3))  # the parent brings none


def test_the_smallest_disagreement_with_flat_f1_is_a_sibling_against_another_branch():
    two_branches = [[], [], [0], [0], [1], [1]]
    cat, dog, car = (matrix({j}, n_labels=6) for j in (2, 3, 4))
    assert hierarchy.f1(cat, dog, two_branches) == 1 / 2
    assert hierarchy.f1(cat, car, two_branches) == 0
    assert label_based.f1(cat, dog, average="micro") == label_based.f1(cat, car, average="micro")
    first = partial(hierarchy.f1, parents=lambda n: [[j - 1] * (j > 0) for j in range(n)])
    found = disagreement.smallest_disagreement(first, partial(label_based.f1, average="micro"))
    assert (found.y_true, found.first, found.second) == ([[0, 1, 1]], [[0, 1, 0]], [[1, 0, 1]])
    assert found.values_a == (4 / 5, 1) and found.values_b == (2 / 3, 1 / 2)


def test_micro_and_samples_disagree():
    both = (
        partial(hierarchy.f1, parents=lambda n: [[]] * n, average=a) for a in hierarchy.AVERAGES
    )
    found = disagreement.smallest_disagreement(*both)
    assert len(found.y_true) == 2  # of one sample both are its F1


# ---------------------------------------------------------------------------- in the rooms


def test_worked_steps_show_the_added_ancestors_before_the_counts():
    solution = worked.solve(hierarchy.f1, *FIRST, parents=PATH, labels=list("abcd"))
    assert solution.value == Fraction(4, 5)
    captions = [step.caption for step in solution.steps if hasattr(step, "caption")]
    assert captions[1:] == ["Above each label", "Ancestors that are added", "Each sample, and all together"]  # fmt: skip
    above, added = solution.steps[1], solution.steps[2]
    assert above.rows[3] == ("d", "{c}", "{a, b, c}")
    assert added.rows == (("1", "{a}", "{a}"), ("2", "{a}", "∅"), ("3", "{a, b, c}", "{a}"))


def test_each_sample_has_a_part_and_a_whole_of_its_closed_sets():
    """hF of the three: 4/4, 4/5 and 4/6."""
    record = catalogue.of(hierarchy.f1)
    part, whole = record.parts(
        counts.count(record.prepare(inputs.label_sets(*FIRST), {"parents": PATH}), axis=1)
    )
    assert part.tolist() == [4, 4, 4] and whole.tolist() == [4, 5, 6]


def test_the_report_tells_which_samples_are_0_by_0():
    metric = partial(hierarchy.f1, parents=PATH, average="samples")
    told = conventions.report([metric], matrix({1}, set()), matrix({1}, set()))
    assert "samples hierarchical F1 = 0.5: a value per sample" in told
    assert "0/0 counts 0 (1 of 2 samples)" in told


def test_scorecards_of_closed_sets_add_up_to_the_hierarchical_numbers():
    closed = [hierarchy.closure(matrix, PATH) for matrix in FIRST]
    cards = [Scorecard.from_batch(*(matrix[i : i + 1] for matrix in closed)) for i in range(3)]
    values = sum(cards).values()
    for metric, average in product(METRICS, hierarchy.AVERAGES):
        name = catalogue.describe(partial(metric, average=average)).replace("hierarchical ", "")
        assert values[name] == pytest.approx(metric(*FIRST, PATH, average=average))
    with pytest.raises(TypeError, match="parents is no convention of a scorecard"):
        Scorecard.from_batch(*FIRST, parents=PATH)


# ---------------------------------------------------------------------------- what is refused

REMEDY = "give for each label the list of the indices of its parents, [] at the top"
TAKES = "which takes a list of indices from 0 to 1"


@pytest.mark.parametrize(
    ("parents", "says"),
    [
        ([[], [2]], f"parents holds 2 at position 1, {TAKES}: {REMEDY}"),
        ([[], [-1]], f"parents holds -1 at position 1, {TAKES}: {REMEDY}"),
        ([[]], f"parents is [[]], not a list for 2 labels: {REMEDY}"),
        ([None, [0]], f"parents holds None at position 0, {TAKES}: {REMEDY}"),
        ([-1, 0], f"parents holds -1 at position 0, {TAKES}: {REMEDY}"),
        (np.array([-1, 0]), f"parents holds -1 at position 0, {TAKES}: {REMEDY}"),
        ([[], ["a"]], f"parents holds 'a' at position 1, {TAKES}: {REMEDY}"),
        ([[], [0.0]], f"parents holds 0.0 at position 1, {TAKES}: {REMEDY}"),
        ([[], [False]], f"parents holds False at position 1, {TAKES}: {REMEDY}"),
        ([[], "0"], f"parents holds '0' at position 1, {TAKES}: {REMEDY}"),
        ({1: [0]}, f"parents is {{1: [0]}}, not a list for 2 labels: {REMEDY}"),
        (None, f"parents is None, not a list for 2 labels: {REMEDY}"),
        ([[], [1]], "parents has a circle, 1 → 1, each label the parent of the next: leave out one of these parents"),
        ([[1], [0]], "parents has a circle, 0 → 1 → 0, each label the parent of the next: leave out one of these parents"),
    ],
)  # fmt: skip
def test_one_sentence_says_what_is_wrong_with_the_parents(parents, says):
    for ask in (
        partial(hierarchy.closure, [[0, 1]]),
        *(partial(metric, [[0, 1]], [[1, 0]]) for metric in METRICS),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            ask(parents)
        assert str(caught.value) == says


def test_a_circle_is_named_by_its_labels_alone():
    with pytest.raises(ValueError) as caught:
        hierarchy.closure(np.zeros((1, 6)), [[], [0], [1, 4], [2], [3], [4]])
    circle = str(caught.value).split(", ")[1]
    assert set(circle.split(" → ")) == {"2", "3", "4"}


@pytest.mark.parametrize("average", ["macro", "weighted", None, "Micro"])
def test_averages_that_it_has_not_are_refused(average):
    with pytest.raises(ValueError, match=r"choose one of 'micro', 'samples'$"):
        hierarchy.f1([[1]], [[1]], [[]], average=average)


@pytest.mark.parametrize(
    "parents", [([], (0,)), ([], {0}), (np.array([], int), np.array([0])), np.array([[], [0]], object)]
)  # fmt: skip
def test_containers_of_parents(parents):
    assert hierarchy.closure([[0, 1]], parents).tolist() == [[1, 1]]
    assert hierarchy.closure([[0, 1]], np.array([[0], [0]], int)[:, :0]).tolist() == [[0, 1]]


# ---------------------------------------------------------------------------- live tools


def paths(closed, names, depth):
    """A path a sample, as HiClass reads it: a name a level, "" below the last."""
    rows = [[names[j] for j in np.flatnonzero(row)] for row in closed]
    return np.array([row + [""] * (depth - len(row)) for row in rows])


def test_hiclass_prints_our_numbers_of_paths():
    """Its "macro" is the mean over samples; "" counts for nothing (since when, its history does not say)."""
    two_branches = [[], [], [0], [0], [1], [1]]
    names = ["animal", "vehicle", "cat", "dog", "car", "boat"]
    sets = [{0}, {1}, {2}, {3}, {4}, {5}]
    rng = np.random.default_rng(0)
    for _ in range(20):
        pair = [matrix(*rng.choice(sets, 5), n_labels=6) for _ in "ab"]
        given = [paths(hierarchy.closure(m, two_branches), names, 2) for m in pair]
        for metric, (ours, theirs) in product(
            METRICS[:2], [("micro", "micro"), ("samples", "macro")]
        ):
            value = getattr(hiclass, metric.__name__)(*given, average=theirs)
            assert value == pytest.approx(metric(*pair, two_branches, average=ours))


def test_hiclass_merges_equal_names_of_two_levels():
    truth, said = np.array([["jazz", "jazz"]]), np.array([["jazz", "blues"]])
    assert hiclass.recall(truth, said) == 1  # {jazz} against {jazz, blues}
    assert hierarchy.recall([[1, 1, 0]], [[1, 0, 1]], [[], [0], [0]]) == 1 / 2
    assert hiclass.precision(truth, np.array([["jazz", ""]])) == 1  # "" is discarded


@pytest.mark.parametrize(("data", "values"), PUBLISHED)
def test_sklearn_hierarchical_classification_counts_all_but_a_root_of_its_own(data, values):
    graph = networkx.DiGraph([(-1, 0), (0, 1), (1, 2), (2, 3)])
    for name, value in zip(("precision", "recall", "fbeta"), values, strict=True):
        found = getattr(of_graphs, f"h_{name}_score")(*data, graph, root=-1)
        assert found == pytest.approx(value, abs=1e-4)
    without = networkx.DiGraph(
        [(0, 1), (1, 2), (2, 3)]
    )  # of each label the last ancestor is dropped
    with pytest.raises(IndexError):
        of_graphs.h_recall_score(*data, without, root=-1)
