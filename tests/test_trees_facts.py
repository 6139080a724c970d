"""What notebook 13 says of labels in a hierarchy, and what its cells show, counted by a pencil."""

from fractions import Fraction as F

import hiclass.metrics as hiclass
import numpy as np
import pytest
from facts import always, rows, said, shown

from mlm_helpers import hierarchy, label_based

NOTEBOOK = "13_trees"
ABOVE = {"cat": "animal", "dog": "animal", "car": "vehicle", "boat": "vehicle"}
LABELS = ["animal", "vehicle", "cat", "dog", "car", "boat"]
PARENTS = [[], [], [0], [0], [1], [1]]
LEAVES = ["cat", "dog", "car", "boat"]


def closed(names):
    """A label set with what stands above, by a pencil: the tree has two levels."""
    return {*names} | {ABOVE[name] for name in names if name in ABOVE}


def score(pairs, precision=True, recall=True):
    """hF of pairs of label sets, or hP, or hR."""
    both = [(closed(true), closed(predicted)) for true, predicted in pairs]
    hits = sum(len(true & predicted) for true, predicted in both)
    whole = [len(sets[1]) for sets in both] * precision + [len(sets[0]) for sets in both] * recall
    return F((precision + recall) * hits, sum(whole))


def matrix(*names):
    return np.array([[int(label in some) for label in LABELS] for some in names])


# ---------------------------------------------------------------------------- facts


def test_a_sibling_is_worth_half_and_another_branch_nothing_in_a_tree_of_two_levels():
    for true in LEAVES:
        for predicted in LEAVES:
            worth = 1 if true == predicted else F(1, 2) if ABOVE[true] == ABOVE[predicted] else 0
            assert hierarchy.f1(matrix({true}), matrix({predicted}), PARENTS) == worth


def test_under_micro_a_deeper_sample_weighs_more():
    """Of two samples, one right and one in another branch; the deeper one weighs by its labels."""
    path = [[], [0], [1], []]
    truth, said = [[0, 0, 1, 0], [0, 0, 0, 1]], [[0, 0, 1, 0], [1, 0, 0, 0]]
    assert hierarchy.f1(truth, said, path) == F(2 * 3, 4 + 4)  # right where it is deep
    shallow = [[0, 0, 0, 1], [0, 0, 0, 1]]
    assert hierarchy.f1(truth, shallow, path) == pytest.approx(2 * 1 / (4 + 2))
    assert hierarchy.f1(truth, said, path, average="samples") == F(1, 2)


def test_an_ancestor_is_hit_wherever_its_descendant_is():
    def holds(y_true, y_pred):
        path = [[j - 1] * (j > 0) for j in range(y_true.shape[1])]
        hits = hierarchy.closure(y_true, path) & hierarchy.closure(y_pred, path)
        return (hits[:, :-1] >= hits[:, 1:]).all()

    always(holds, ((1, 3), (2, 2)))


def test_closing_one_side_alone_costs_precision_or_recall():
    """Of predictions that are right: never more of one, always all of the other."""
    micro = {"average": "micro", "zero_division": 1.0}

    def holds(y_true, y_pred):
        path = [[j - 1] * (j > 0) for j in range(y_true.shape[1])]
        full = hierarchy.closure(y_true, path)
        return (
            label_based.precision(full, y_true, **micro) == 1
            and label_based.recall(y_true, full, **micro) == 1
            and (label_based.recall(full, y_true, **micro) < 1) == (full > y_true).any()
            and (label_based.precision(y_true, full, **micro) < 1) == (full > y_true).any()
        )

    always(holds)


def test_closing_twice_is_closing_once():
    def holds(y_true, y_pred):
        path = [[j - 1] * (j > 0) for j in range(y_true.shape[1])]
        once = hierarchy.closure(y_true, path)
        return np.array_equal(hierarchy.closure(once, path), once) and (
            hierarchy.f1(once, y_pred, path) == hierarchy.f1(y_true, y_pred, path)
        )

    always(holds)


def test_hiclass_raises_for_macro_f1_where_0_over_0_counts_0():
    """In 5.0.8, whose code asks "if zero_division"; with 1, a car for a cat counts 1."""
    truth = np.array([["animal", "cat"], ["animal", "cat"]])
    predicted = np.array([["animal", "dog"], ["vehicle", "car"]])
    assert hiclass.f1(truth, predicted, "micro", 0.0) == score([({"cat"}, {"dog"}), ({"cat"}, {"car"})])  # fmt: skip
    with pytest.raises(TypeError):
        hiclass.f1(truth, predicted, "macro", 0.0)
    assert hiclass.f1(truth, predicted, "macro", 1) == (1 / 2 + 1) / 2


# ---------------------------------------------------------------------------- what the cells show


def test_flat_f1_cannot_tell_a_sibling_from_another_branch():
    words = said(NOTEBOOK, "13-03")
    assert "Predicts dog: hit animal, false alarm dog, miss cat; F1 1/2 = 0.5." in words
    assert "Predicts car: false alarm vehicle and car, miss animal and cat; F1 0." in words
    flat = [
        label_based.f1(matrix({"cat"}), matrix({name}), average=None) for name in ("dog", "car")
    ]
    assert not np.any(flat)


def test_the_five_predictions():
    lines = [
        (name, *(score([({"cat"}, name.split())], *of) for of in ((1, 0), (0, 1), (1, 1))))
        for name in ("cat", "animal", "dog", "car", "cat car")
    ]
    assert shown(NOTEBOOK, "13-08") == rows(["hP", "hR", "hF"], *lines)
    sets = {"true: cat": closed({"cat"}), "predicted: dog": closed({"dog"})}
    lines = [(name, *(int(label in some) for label in LABELS)) for name, some in sets.items()]
    assert shown(NOTEBOOK, "13-06") == rows(LABELS, *lines)
    both = float(score([({"cat"}, {"dog"}), ({"cat"}, {"car"})]))
    assert said(NOTEBOOK, "13-12").split() == ["helper", str(both), "scikit-learn", str(both)]


def test_micro_and_samples():
    pairs = [({"cat", "car"}, {"cat", "car"}), ({"vehicle"}, {"animal"})]
    mean = sum(score([pair]) for pair in pairs) / 2
    lines = [("micro", float(score(pairs))), ("samples", float(mean))]
    assert shown(NOTEBOOK, "13-14") == rows(["hF"], *lines)


def test_several_parents():
    """{vehicle, car, boat, amphibian} against {vehicle, car}: 2 · 2 ÷ (4 + 2)."""
    words = said(NOTEBOOK, "13-17")
    assert "hit vehicle and car, miss boat and amphibian; F1 2/3 ≈ 0.667" in words


def test_ancestors_that_are_counted():
    """Once: {animal, cat} of {animal, cat, dog}. Counted: two animals are true, and one is predicted."""
    once, counted = F(2 * 2, 3 + 2), F(2 * (1 + 1), (2 + 1 + 1) + (1 + 1))
    lines = [("once", str(once)), ("as often as it is reached", str(counted))]
    assert shown(NOTEBOOK, "13-18-2") == rows(["F1"], *lines)


def test_the_root():
    """{thing, animal, cat} against {thing, vehicle, car}; then without the thing."""
    lines = [("root counted", float(F(2 * 1, 3 + 3))), ("root left out", 0.0)]
    assert shown(NOTEBOOK, "13-20") == rows(["hF"], *lines)


def test_who_guesses_high_up():
    said_of = {
        "only the branch": ["animal", "animal", "vehicle", "vehicle"],
        "one leaf right": ["cat", "cat", "boat", "car"],
        "two leaves right": ["cat", "cat", "car", "car"],
    }
    lines = []
    for name, names in said_of.items():
        pairs = [({true}, {one}) for true, one in zip(LEAVES, names, strict=True)]
        right = sum(true == one for true, one in pairs)
        lines.append((name, float(score(pairs)), right / 4))
    assert shown(NOTEBOOK, "13-23") == rows(["hF", "leaves right"], *lines)


def test_levels_pooled():
    """Of four levels three are right: 2 · 3 ÷ (4 + 4)."""
    levels = [(f"level {i}", float(i < 4)) for i in (1, 2, 3, 4)]
    lines = [("all levels pooled", float(F(2 * 3, 4 + 4))), *levels]
    assert shown(NOTEBOOK, "13-26") == rows(["F1"], *lines)


def test_only_one_side_closed():
    lines = [("neither", 1, 1), ("the truth", 1, 0.5), ("the prediction", 0.5, 1), ("both", 1, 1)]
    assert shown(NOTEBOOK, "13-29") == rows(["precision", "recall"], *lines)


def test_the_worked_steps_of_two_predictions():
    found = shown("13_trees", "13-10")["predicts car"]
    assert found == {"true labels": "{cat}", "predicted labels": "{car}"}


def test_13_the_ladder():
    """Missed are cat and animal. Steps of one parent: {2, 3} against {0, 1}; all: 2 · 2 ÷ (4 + 2)."""
    assert said(NOTEBOOK, "13-43").split() == ["2"]
    assert said(NOTEBOOK, "13-51").split() == ["hF:", "0.0"]
    assert said(NOTEBOOK, "13-53").split() == ["hF:", "0.667"]
    found = shown(NOTEBOOK, "13-55")
    assert found["only the branch"] == {"hF": "0.667", "samples F1 of the leaves": "0"}
    assert found["one leaf right"] == {"hF": "0.625", "samples F1 of the leaves": "0.25"}
