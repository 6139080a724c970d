"""Facts of notebook 13 about labels in a hierarchy, by hand.

expected/13.toml has the values of its cells.
"""

from fractions import Fraction as F
from itertools import product

import pytest
from facts import always

from mlm_helpers import hierarchy, label_based

ABOVE = {"cat": "animal", "dog": "animal", "car": "vehicle", "boat": "vehicle"}
LABELS = ["animal", "vehicle", *ABOVE]
PARENTS = [[], [], [0], [0], [1], [1]]


def test_in_a_tree_of_two_levels_a_sibling_counts_half_and_another_branch_0():
    for true, above_true in ABOVE.items():
        for predicted, above_predicted in ABOVE.items():
            value = 1 if true == predicted else F(1, 2) if above_true == above_predicted else 0
            y_true, y_pred = ([[int(x == name) for x in LABELS]] for name in (true, predicted))
            assert hierarchy.f1(y_true, y_pred, PARENTS) == value


def test_under_micro_a_deeper_sample_weighs_more():
    """One of two samples is right, the other predicted in another branch.

    The first has 3 labels, closed.
    """
    path = [[], [0], [1], []]
    truth, right_in_first = [[0, 0, 1, 0], [0, 0, 0, 1]], [[0, 0, 1, 0], [1, 0, 0, 0]]
    assert hierarchy.f1(truth, right_in_first, path) == F(2 * 3, 4 + 4)
    right_in_second = [[0, 0, 0, 1], [0, 0, 0, 1]]
    assert hierarchy.f1(truth, right_in_second, path) == pytest.approx(2 * 1 / (4 + 2))
    assert hierarchy.f1(truth, right_in_first, path, average="samples") == F(1, 2)


def test_closing_one_side_alone_costs_precision_or_recall():
    """If only the truth of a right prediction is closed, recall is lost.

    If only the prediction is, precision is lost.
    """
    options = {"average": "micro", "zero_division": 1.0}

    def costs_recall_or_precision(y, y_pred):
        closed = hierarchy.closure(y, [[], [0], [1]])
        adds_labels = (closed > y).any()
        return (
            label_based.precision(closed, y, **options) == 1
            and label_based.recall(y, closed, **options) == 1
            and (label_based.recall(closed, y, **options) < 1) == adds_labels
            and (label_based.precision(y, closed, **options) < 1) == adds_labels
        )

    always(costs_recall_or_precision, ((1, 3),))


def test_the_hf_of_two_labels_of_a_path_is_that_of_their_depths():
    """A label at depth d of a path has d labels when it is closed.

    The smaller set is a part of the larger.
    """
    for n in (2, 4, 7):
        path = [[]] + [[i] for i in range(n - 1)]
        for true, predicted in product(range(1, n + 1), repeat=2):
            data = [
                [[int(depth == label) for depth in range(1, n + 1)]] for label in (true, predicted)
            ]
            value = F(2 * min(true, predicted), true + predicted)
            assert hierarchy.f1(*data, path) == pytest.approx(float(value))
