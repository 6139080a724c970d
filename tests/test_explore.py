"""The explorer without a browser: its page, the package's numbers, the widget, the table without a kernel."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mlm_course import practice
from mlm_course.practice.page import page, values
from mlm_helpers import catalogue, ranking
from mlm_helpers._core import inputs
from tools import notebooks

# The documents' examples: 多標籤分類的評估指標筆記, and sklearn中多标签分类场景下的常见的模型评估指标.
Y_TRUE = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
Y_PRED = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
Y_SCORE = [[0.9, 0.5, 0.3, 0.3], [0.1, 0.6, 0.2, 0.4], [0.5, 0.5, 0.5, 0.2]]


# ---------------------------------------------------------------------------- what is given


def test_without_prediction_and_scores_nothing_is_predicted():
    assert page(Y_TRUE)["shown"] == {
        "labels": ["label 1", "label 2", "label 3", "label 4"],
        "samples": ["sample 1", "sample 2", "sample 3"],
        "y_true": Y_TRUE,
        "y_pred": [[0] * 4] * 3,
        "y_score": None,
        "cut": None,
        "options": {},
    }


def test_scores_are_cut_at_a_half_unless_there_is_a_prediction():
    cut = page(Y_TRUE, y_score=Y_SCORE)["shown"]
    assert cut["y_pred"] == [[1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]
    assert (cut["cut"], cut["y_score"]) == (0.5, Y_SCORE)
    given = page(Y_TRUE, Y_PRED, Y_SCORE)["shown"]
    assert (given["y_pred"], given["cut"]) == (Y_PRED, None)


def test_names_are_given_or_those_of_a_frame():
    frame = pd.DataFrame([[True, False]], index=["beach"], columns=["sea", "sun"])
    assert page(frame)["shown"]["labels"] == ["sea", "sun"]
    assert page(frame)["shown"]["samples"] == ["beach"]
    assert page([[1, 0]], y_score=1.0 * frame)["shown"]["labels"] == ["sea", "sun"]
    assert page(frame, samples=["a"])["shown"]["samples"] == ["a"]
    assert page(frame)["shown"]["y_true"] == [[1, 0]]
    assert page([[1, 0]], labels=["sea\n side", "sun\a"])["shown"]["labels"] == [
        "sea side",
        "sun\ufffd",
    ]


REFUSED = [
    (([[0, 2]],), {}, "y_true holds 2 at row 0, column 1"),
    (([[0, 1]], [[0, 1, 1]]), {}, r"y_pred has shape \(1, 3\)"),
    (([[0, 1]],), {"y_score": [[0.5, np.inf]]}, "y_score holds inf at row 0, column 1"),
    (([[0, 1]],), {"labels": ["a"]}, "labels has 1 names for 2 labels"),
    (([[0] * 13],), {}, "y_true has 13 labels, more than the 12 that a screen shows"),
    (
        (np.ma.masked_equal([[0, -1]], -1),),
        {},
        "y_true has unknown cells, and each cell of the explorer",
    ),
    (([[0]] * 13,), {}, "y_true has 13 samples, more than the 12 that a screen shows"),
]


@pytest.mark.parametrize(("given", "named", "sentence"), REFUSED)
def test_bad_input_gets_a_sentence(given, named, sentence):
    with pytest.raises(ValueError, match=sentence):
        practice.explore(*given, **named)


def test_it_is_json_without_what_json_lacks():
    written = json.dumps(page(Y_TRUE, y_score=Y_SCORE), allow_nan=False)
    assert json.loads(written)["metrics"][0]["key"] == "exact_match.subset_accuracy"


# ---------------------------------------------------------------------------- the numbers


def test_numbers_of_the_documents():
    found = values(page(Y_TRUE, Y_PRED)["shown"])
    assert found["exact_match.subset_accuracy"] == "1/3"
    assert found["hamming.hamming_loss"] == "5/12"
    assert found["example_based.precision"] == "2/3"
    assert "ranking.coverage" not in found
    assert values(page(Y_TRUE, y_score=Y_SCORE)["shown"])["ranking.coverage"] == "11/3"


def test_conventions_are_taken_where_a_metric_has_them():
    shown = page([[0, 0], [1, 0]], y_score=[[0.1, 0.2], [0.3, 0.3]])["shown"]

    def of(**options):
        return values({**shown, "options": options})

    assert of()["example_based.precision"] == "0"
    assert of(zero_division="nan")["example_based.precision"] == "nan"
    assert of(zero_division="agree")["example_based.recall"] == "1/2"
    assert of(ties="best", undefined="nan")["ranking.coverage"] == "1"
    assert of(ties="worst", undefined="nan")["ranking.coverage"] == "2"
    assert of(undefined=0.5, ties="worst")["ranking.coverage"] == "5/4"
    assert of(k=2)["top_k.precision"] == "1/4"


def test_what_holds_logarithms_is_a_decimal():
    found = values(page([[1, 0]], y_score=[[0.1, 0.9]])["shown"] | {"options": {"k": 2}})
    assert found["top_k.ndcg"] == "0.630930"  # 1 / log2(3)


LEFT_OUT = {"average", "per_sample", "sample_weight", "start", "interpolation"}


def test_every_other_option_of_a_metric_can_be_switched():
    """The average has rows of its own."""
    switches = page(Y_TRUE)["switches"]
    choices = [choice["options"].items() for one in switches for choice in one["choices"]]
    offered = {pair for pairs in choices for pair in pairs}
    taken = {option for record in catalogue.taught() for option in record.defaults}
    assert {name for name, _ in offered} == taken - LEFT_OUT
    for record in catalogue.taught():  # all that searches try
        for name, parameter in record.parameters.items():
            if name not in LEFT_OUT:
                assert {(name, value) for value in parameter.values} <= offered
    ties = {value for name, value in offered if name == "ties"}
    assert ties == set(inputs.TIES)


def test_a_choice_sets_what_its_words_say():
    """Of two tied labels: which rank each has."""
    said = {
        one["says"]: {choice["says"]: choice["options"] for choice in one["choices"]}
        for one in page(Y_TRUE)["switches"]
    }
    ties = said["Ties"]
    assert ties.pop("as each metric has it") == {}
    assert {
        words: ranking.ranks([[0.5, 0.5]], **chosen).tolist()[0] for words, chosen in ties.items()
    } == {
        "tied labels share the last rank": [2, 2],
        "tied labels share the first rank": [1, 1],
        "tied labels share the mean rank": [1.5, 1.5],
        "the first label wins": [1, 2],
        "the last label wins": [2, 1],
    }
    assert said["0/0 is"] == {
        "as each metric has it": {},
        "0": {"zero_division": 0, "undefined": 0},
        "1": {"zero_division": 1, "undefined": 1},
        "left out of the mean": {"zero_division": "nan", "undefined": "nan"},
        "1 where nothing is wrong": {"zero_division": "agree"},
    }
    assert said["k"] == {"1": {"k": 1}, "2": {"k": 2}, "3": {"k": 3}, "4": {"k": 4}}
    assert said["β"] == {str(Fraction(beta)): {"beta": beta} for beta in (2, 1, 0.5, 0)}


# ---------------------------------------------------------------------------- the widget


@pytest.fixture
def widget():
    return practice.explore(Y_TRUE, Y_PRED, Y_SCORE)


def test_without_a_kernel_a_table_stands_there_the_same_each_time(widget):
    bundles = [
        shown._repr_mimebundle_()[0]
        for shown in (widget, practice.explore(Y_TRUE, Y_PRED, Y_SCORE))
    ]
    views = [bundle.pop(notebooks.WIDGET) for bundle in bundles]
    assert views[0] != views[1]
    assert bundles[0] == bundles[1]
    f1 = values(widget.shown)["example_based.f1"]
    assert bundles[0]["text/plain"] == (
        f"The explorer: 3 samples, 4 labels, samples F1 {f1}. Run the cell to click."
    )
    table = bundles[0]["text/html"]
    assert table.startswith(f"<details><summary>{bundles[0]['text/plain']}</summary>")
    assert table.endswith("</details>")
    assert (
        '<tr><th scope="row">sample 1</th><td>rightly left out</td><td>✓ hit</td><td>✗ false alarm</td><td>○ miss</td></tr>'
        in table
    )
    assert '<tr><th scope="row">Hamming loss</th><td>5/12 ≈ 0.417</td></tr>' in table


def test_the_table_names_the_conventions_that_are_chosen(widget):
    widget.shown = {**widget.shown, "options": {"k": 2, "zero_division": "nan"}}
    table = widget._repr_mimebundle_()[0]["text/html"]
    assert '<th scope="row">precision at 2</th>' in table
    assert '<th scope="row">macro F1, zero_division=nan</th>' in table
