"""What notebook 13 says of labels in a hierarchy, counted by hand; its cells are in `expected/13.toml`."""

from fractions import Fraction as F

import hiclass.metrics as hiclass
import numpy as np
import pytest
from facts import always

from mlm_helpers import hierarchy, label_based

ABOVE = {"cat": "animal", "dog": "animal", "car": "vehicle", "boat": "vehicle"}
LABELS = ["animal", "vehicle", *ABOVE]
PARENTS = [[], [], [0], [0], [1], [1]]


def test_in_a_tree_of_two_levels_a_sibling_counts_half_and_another_branch_0():
    for true in ABOVE:
        for predicted in ABOVE:
            worth = 1 if true == predicted else F(1, 2) if ABOVE[true] == ABOVE[predicted] else 0
            one, other = ([[int(label == name) for label in LABELS]] for name in (true, predicted))
            assert hierarchy.f1(one, other, PARENTS) == worth


def test_under_micro_a_deeper_sample_weighs_more():
    """Of two samples, one right and one in another branch; the deeper one weighs by its labels."""
    path = [[], [0], [1], []]
    truth, said = [[0, 0, 1, 0], [0, 0, 0, 1]], [[0, 0, 1, 0], [1, 0, 0, 0]]
    assert hierarchy.f1(truth, said, path) == F(2 * 3, 4 + 4)  # right where it is deep
    shallow = [[0, 0, 0, 1], [0, 0, 0, 1]]
    assert hierarchy.f1(truth, shallow, path) == pytest.approx(2 * 1 / (4 + 2))
    assert hierarchy.f1(truth, said, path, average="samples") == F(1, 2)


def test_closing_one_side_alone_costs_precision_or_recall():
    """Of predictions that are right: never more of one, always all of the other."""
    micro = {"average": "micro", "zero_division": 1.0}

    def holds(y_true, y_pred):
        full = hierarchy.closure(y_true, [[], [0], [1]])
        return (
            label_based.precision(full, y_true, **micro) == 1
            and label_based.recall(y_true, full, **micro) == 1
            and (label_based.recall(full, y_true, **micro) < 1) == (full > y_true).any()
            and (label_based.precision(y_true, full, **micro) < 1) == (full > y_true).any()
        )

    always(holds, ((1, 3),))


def test_hiclass_raises_for_macro_f1_where_0_over_0_counts_0():
    """In 5.0.8, whose code asks "if zero_division"; with 1, a car for a cat counts 1."""
    truth = np.array([["animal", "cat"], ["animal", "cat"]])
    predicted = np.array([["animal", "dog"], ["vehicle", "car"]])
    assert hiclass.f1(truth, predicted, "micro", 0.0) == F(2 * 1, 4 + 4)
    with pytest.raises(TypeError):
        hiclass.f1(truth, predicted, "macro", 0.0)
    assert hiclass.f1(truth, predicted, "macro", 1) == (1 / 2 + 1) / 2
