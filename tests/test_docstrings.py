"""What the docstrings of metrics say beyond their form, on the data that decide it."""

import inspect
import re
from itertools import product

import numpy as np
import pytest

from mlm_helpers import example_based, label_based
from mlm_helpers.catalogue import METRICS

TEXTS = {record: " ".join(inspect.getdoc(record.function).split()) for record in METRICS}
WHERE = {  # by how many are true, and how many are predicted, of a sample or a label
    "a sample has neither true nor predicted labels": lambda true, said: true + said == 0,
    "nothing is predicted for a sample": lambda true, said: said == 0,
    "a sample has no true label": lambda true, said: true == 0,
    "a label is neither true nor predicted anywhere": lambda true, said: true + said == 0,
    "a label is never predicted": lambda true, said: said == 0,
    "no sample has the label": lambda true, said: true == 0,
}
UNDEFINED = {  # by how many of a sample's labels, or of a label's samples, are true
    "a sample without relevant labels": lambda true, whole: true == 0,
    "a sample without relevant or irrelevant labels": lambda true, whole: true in (0, whole),
    "a label without positives": lambda true, whole: true == 0,
    "a label without positives or without negatives": lambda true, whole: true in (0, whole),
}
COSTS = {
    "any of": 1,
    "full error": 1,
    "only if all": 0,
    "none": 0,
    "share of": 1 / 2,
    "half": 1 / 2,
}


def saying(words):
    """Each metric whose docstring matches, with what is found."""
    found = [(record, re.findall(words, text)) for record, text in TEXTS.items()]
    return pytest.mark.parametrize(
        ("record", "found"), [pytest.param(r, f, id=r.id) for r, f in found if f]
    )


@saying(r"0/0 where ([^.(]+?)(?: \(|\. )")
def test_nothing_by_nothing_is_where_it_is_said_to_be(record, found):
    (where,) = found
    each = {"per_sample": True} if record.along == "sample" else {"average": None}
    for true, said in product(product((0, 1), repeat=3), repeat=2):
        data = (
            [[true], [said]]
            if record.along == "sample"
            else [[[cell] for cell in row] for row in (true, said)]
        )
        zero, one = (
            record.function(*data, **record.required, **each, zero_division=worth)[0]
            for worth in (0.0, 1.0)
        )
        assert (zero != one) == WHERE[where](sum(true), sum(said)), (true, said)


@saying(r"The value of (a (?:sample|label) without [^,]+?),? (?:returned )?as it is")
def test_it_is_undefined_where_it_is_said_to_be(record, found):
    (where,) = found
    each = {"per_sample": True} if record.along == "sample" else {"average": None}
    for true in product((0, 1), repeat=3):
        data = (
            [[true], [(3, 2, 1)]]
            if record.along == "sample"
            else [np.c_[[true]].T, np.c_[[3, 2, 1]]]
        )
        value = record.function(*data, **record.required, **each, undefined=7.0)[0]
        assert (value == 7) == UNDEFINED[where](sum(true), 3), true


@saying(r'([^":.,()]+) \("(worst|best|average)"\)')
def test_a_tie_costs_what_it_is_said_to_cost(record, found):
    assert {rule for _, rule in found} == {"worst", "best", "average"}
    for words, rule in found:
        (cost,) = (cost for word, cost in COSTS.items() if word in words)
        assert record.function([[1, 0]], [[0.5, 0.5]], ties=rule) == cost, words


@saying(r"a sample of (fewer|more) than k relevant labels cannot reach 1")
def test_1_is_out_of_reach_where_it_is_said_to_be(record, found):
    for relevant in range(1, 5):
        truth = [[int(label < relevant) for label in range(4)]]
        below = {"fewer": relevant < 2, "more": relevant > 2}[found[0]]
        assert (record.function(truth, truth, k=2) < 1) == below


def test_what_weighs_the_same_in_each_average():
    """Per label, then the mean; or all cells as one sample."""
    y_true, y_pred = np.array([[1, 1], [1, 0], [0, 0]]), np.array([[1, 0], [1, 0], [1, 0]])
    cells = [y_true.reshape(1, -1), y_pred.reshape(1, -1)]
    by = {
        "label": np.mean(label_based.f1(y_true, y_pred, average=None)),
        "cell": example_based.f1(*cells),
    }
    text = " ".join(label_based.__doc__.split()).lower()
    found = dict(re.findall(r"(macro|micro)[^;.]* so every (\w+) weighs the same", text))
    assert set(found) == {"macro", "micro"} and by["label"] != by["cell"]
    for average, what in found.items():
        assert label_based.f1(y_true, y_pred, average=average) == pytest.approx(by[what])


def test_a_docstring_of_another_metric_is_found():
    """What recall says of 0/0 is wrong of precision, and what one rule costs is not another's."""
    record = next(record for record in METRICS if record.id == "label_based.precision")
    with pytest.raises(AssertionError):
        test_nothing_by_nothing_is_where_it_is_said_to_be(record, ["no sample has the label"])
    record = next(record for record in METRICS if record.id == "ranking.ranking_loss")
    with pytest.raises(AssertionError):
        test_it_is_undefined_where_it_is_said_to_be(record, ["a sample without relevant labels"])
    costs = [("a full error", "best"), ("none", "worst"), ("half of one", "average")]
    with pytest.raises(AssertionError, match="full"):
        test_a_tie_costs_what_it_is_said_to_cost(record, costs)
