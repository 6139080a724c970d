"""The explorer without a browser: its page, the package's numbers, the widget, the table without a kernel."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from mlm_course import practice
from mlm_course.practice.page import metric_values, page_json
from mlm_helpers import catalogue, ranking
from tools import notebooks

# The documents' examples: 多標籤分類的評估指標筆記, and sklearn中多标签分类场景下的常见的模型评估指标.
Y_TRUE = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
Y_PRED = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
Y_SCORE = [[0.9, 0.5, 0.3, 0.3], [0.1, 0.6, 0.2, 0.4], [0.5, 0.5, 0.5, 0.2]]


# ---------------------------------------------------------------------------- what is given


def test_predicted_is_what_is_given_or_scores_a_half_or_nothing():
    nothing = page_json(Y_TRUE)["shown"]
    assert nothing["samples"] == ["sample 1", "sample 2", "sample 3"]
    assert nothing["labels"] == ["label 1", "label 2", "label 3", "label 4"]
    assert (nothing["y_true"], nothing["y_pred"]) == (Y_TRUE, [[0] * 4] * 3)
    assert (nothing["y_score"], nothing["threshold"], nothing["options"]) == (None, None, {})
    threshold = page_json(Y_TRUE, y_score=Y_SCORE)["shown"]
    assert threshold["y_pred"] == [[1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]
    assert (threshold["threshold"], threshold["y_score"]) == (0.5, Y_SCORE)
    assert page_json([[1, 0]], y_score=[[3.0, -1.0]])["shown"]["y_pred"] == [
        [1, 0]
    ]  # no probabilities
    given = page_json(Y_TRUE, Y_PRED, Y_SCORE)["shown"]
    assert (given["y_pred"], given["threshold"]) == (Y_PRED, None)


def test_names_are_given_or_those_of_a_frame():
    frame = pd.DataFrame([[True, False]], index=["beach"], columns=["sea", "sun"])
    shown = page_json(frame)["shown"]
    assert (shown["labels"], shown["samples"]) == (["sea", "sun"], ["beach"])
    assert page_json([[1, 0]], y_score=1.0 * frame)["shown"]["labels"] == ["sea", "sun"]
    assert page_json(frame, samples=["a"])["shown"]["samples"] == ["a"]
    strange = page_json(frame, labels=["sea\n side", "sun\a"])["shown"]
    assert (strange["labels"], strange["y_true"]) == (["sea side", "sun\ufffd"], [[1, 0]])


REFUSED = {
    "truth": ([[0, 2]],),
    "prediction": ([[0, 1]], [[0, 1, 1]]),
    "scores": ([[0, 1]], None, [[0.5, np.inf]]),
    "labels": ([[0] * 13],),
    "samples": ([[0]] * 13,),
    "unknown": (np.ma.masked_equal([[0, -1]], -1),),
}


@pytest.mark.parametrize("given", REFUSED.values(), ids=REFUSED)
def test_bad_input_gets_a_sentence(given, snapshot):
    with pytest.raises(ValueError) as refused:
        practice.explore(*given)
    assert str(refused.value) == snapshot


# ---------------------------------------------------------------------------- the numbers


def test_numbers_of_the_documents():
    found = metric_values(page_json(Y_TRUE, Y_PRED)["shown"])
    assert found["exact_match.subset_accuracy"] == "1/3"
    assert found["hamming.hamming_loss"] == "5/12"
    assert found["example_based.precision"] == "2/3"
    assert "ranking.coverage" not in found
    assert metric_values(page_json(Y_TRUE, y_score=Y_SCORE)["shown"])["ranking.coverage"] == "11/3"


def test_conventions_are_taken_where_a_metric_has_them():
    shown = page_json([[0, 0], [1, 0]], y_score=[[0.1, 0.2], [0.3, 0.3]])["shown"]

    def of(**options):
        return metric_values({**shown, "options": options})

    assert of()["example_based.precision"] == "0"
    assert of(zero_division="nan")["example_based.precision"] == "nan"
    assert of(zero_division="agree")["example_based.recall"] == "1/2"
    assert of(ties="best", undefined="nan")["ranking.coverage"] == "1"
    assert of(undefined=0.5, ties="worst")["ranking.coverage"] == "5/4"
    assert of(k=2)["top_k.precision"] == "1/4"
    logarithms = metric_values(
        page_json([[1, 0]], y_score=[[0.1, 0.9]])["shown"] | {"options": {"k": 2}}
    )
    assert logarithms["top_k.ndcg"] == "0.630930"  # 1 / log2(3)


LEFT_OUT = {"average", "per_sample", "sample_weight", "start", "interpolation"}


def test_every_other_option_of_a_metric_can_be_switched(snapshot):
    """The average has rows of its own."""
    start = page_json(Y_TRUE)
    json.dumps(start, allow_nan=False)  # without what JSON lacks
    choices = [
        (one["says"], c["says"], c["options"]) for one in start["switches"] for c in one["choices"]
    ]
    offered = {pair for *_, options in choices for pair in options.items()}
    for record in catalogue.taught_records():
        assert set(record.defaults) - LEFT_OUT <= {name for name, _ in offered}
        for name, parameter in record.parameters.items():
            assert name in LEFT_OUT or {(name, v) for v in parameter.values} <= offered
    assert "\n".join(f"{name}: {says}: {options}" for name, says, options in choices) == snapshot


def test_a_rule_for_ties_does_what_its_words_say():
    """Of two tied labels: which rank each has."""
    ties, *_ = page_json(Y_TRUE)["switches"]
    ranks = {
        choice["says"]: ranking.ranks([[0.5, 0.5]], **choice["options"]).tolist()[0]
        for choice in ties["choices"]
    }
    assert ranks == {
        "as each metric has it": [2, 2],
        "tied labels share the last rank": [2, 2],
        "tied labels share the first rank": [1, 1],
        "tied labels share the mean rank": [1.5, 1.5],
        "the first label wins": [1, 2],
        "the last label wins": [2, 1],
    }


# ---------------------------------------------------------------------------- the widget


def test_without_a_kernel_a_table_stands_there_the_same_each_time(snapshot):
    """It names the conventions that are chosen."""
    widgets = [practice.explore(Y_TRUE, Y_PRED, Y_SCORE) for _ in range(2)]
    bundles = [widget._repr_mimebundle_()[0] for widget in widgets]
    views = [bundle.pop(notebooks.WIDGET) for bundle in bundles]
    assert views[0] != views[1]
    assert bundles[0] == bundles[1]
    assert bundles[0]["text/plain"] == repr(widgets[0])
    assert bundles[0]["text/html"] == snapshot
    widgets[0].shown = {**widgets[0].shown, "options": {"k": 2, "zero_division": "nan"}}
    table = widgets[0]._repr_mimebundle_()[0]["text/html"]
    assert '<th scope="row">precision at 2</th>' in table
    assert '<th scope="row">macro F1, zero_division=nan</th>' in table
