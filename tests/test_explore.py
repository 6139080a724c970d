"""The explorer without a browser: its page's data, numbers, widget, and plain table."""

import json

import numpy as np
import pandas as pd
import pytest

from mlm_course import practice
from mlm_course.practice.page import page_json
from mlm_helpers import catalogue, ranking
from tools import notebooks

# The documents' examples:
# 多標籤分類的評估指標筆記, and sklearn中多标签分类场景下的常见的模型评估指标.
Y_TRUE = [[0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1]]
Y_PRED = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
Y_SCORE = [[0.9, 0.5, 0.3, 0.3], [0.1, 0.6, 0.2, 0.4], [0.5, 0.5, 0.5, 0.2]]


def test_predictions_are_by_default_scores_of_0_5_or_more_and_else_empty():
    truth_only = page_json(Y_TRUE)["shown"]
    assert truth_only["samples"] == ["sample 1", "sample 2", "sample 3"]
    assert truth_only["labels"] == ["label 1", "label 2", "label 3", "label 4"]
    assert (truth_only["y_true"], truth_only["y_pred"]) == (Y_TRUE, [[0] * 4] * 3)
    assert truth_only["y_score"] is truth_only["threshold"] is None
    assert truth_only["options"] == {}
    scored = page_json(Y_TRUE, y_score=Y_SCORE)["shown"]
    assert scored["y_pred"] == [[1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]
    assert (scored["threshold"], scored["y_score"]) == (0.5, Y_SCORE)
    logits = page_json([[1, 0, 0]], y_score=[[3.0, 0.2, -1.0]])["shown"]
    assert logits["y_pred"] == [[1, 0, 0]]
    predicted = page_json(Y_TRUE, Y_PRED, Y_SCORE)["shown"]
    assert (predicted["y_pred"], predicted["threshold"]) == (Y_PRED, None)


def test_names_are_those_given_or_those_of_a_frame():
    frame = pd.DataFrame([[True, False]], index=["beach"], columns=["sea", "sun"])
    state = page_json(frame)["shown"]
    assert (state["labels"], state["samples"]) == (["sea", "sun"], ["beach"])
    assert page_json([[1, 0]], y_score=1.0 * frame)["shown"]["labels"] == ["sea", "sun"]
    assert page_json(frame, samples=["a"])["shown"]["samples"] == ["a"]
    unprintable = page_json(frame, labels=["sea\n side", "sun\a"])["shown"]
    assert (unprintable["labels"], unprintable["y_true"]) == (["sea side", "sun\ufffd"], [[1, 0]])


REFUSED = {
    "truth": ([[0, 2]],),
    "prediction": ([[0, 1]], [[0, 1, 1]]),
    "scores": ([[0, 1]], None, [[0.5, np.inf]]),
    "labels": ([[0] * 13],),
    "samples": ([[0]] * 13,),
    "unknown": (np.ma.masked_equal([[0, -1]], -1),),
}


@pytest.mark.parametrize("matrices", REFUSED.values(), ids=REFUSED)
def test_wrong_matrices_are_refused(matrices, snapshot):
    with pytest.raises(ValueError) as refused:
        practice.explore(*matrices)
    assert str(refused.value) == snapshot


WITHOUT_SWITCH = {"average", "per_sample", "sample_weight", "start", "interpolation"}


def test_every_other_option_of_a_metric_can_be_switched(snapshot):
    """The averages are not switched: each is a row of the table."""
    page = page_json(Y_TRUE)
    json.dumps(page, allow_nan=False)  # JSON has no nan
    choices = [
        (switch["says"], choice["says"], choice["options"])
        for switch in page["switches"]
        for choice in switch["choices"]
    ]
    offered = {pair for *_, options in choices for pair in options.items()}
    for record in catalogue.taught_records():
        assert set(record.defaults) - WITHOUT_SWITCH <= {name for name, _ in offered}
        for name, parameter in record.parameters.items():
            pairs = {(name, value) for value in parameter.values}
            assert name in WITHOUT_SWITCH or pairs <= offered
    assert "\n".join(f"{name}: {text}: {options}" for name, text, options in choices) == snapshot


def test_a_rule_for_ties_does_what_its_words_say():
    """The ranks of two tied labels under each choice."""
    tie_switch, *_ = page_json(Y_TRUE)["switches"]
    ranks = {
        choice["says"]: ranking.ranks([[0.5, 0.5]], **choice["options"]).tolist()[0]
        for choice in tie_switch["choices"][:-2]  # the last two are rules of top k alone
    }
    assert ranks == {
        "as each metric has it": [2, 2],
        "tied labels share the last rank": [2, 2],
        "tied labels share the first rank": [1, 1],
        "tied labels share the mean rank": [1.5, 1.5],
        "the first label wins": [1, 2],
        "the last label wins": [2, 1],
    }


def test_without_a_kernel_the_same_table_is_shown_each_time(snapshot):
    """The table names the conventions that are chosen."""
    widgets = [practice.explore(Y_TRUE, Y_PRED, Y_SCORE) for _ in range(2)]
    bundles = [widget._repr_mimebundle_()[0] for widget in widgets]
    views = [bundle.pop(notebooks.WIDGET) for bundle in bundles]  # each has an id of its own
    assert views[0] != views[1]
    assert bundles[0] == bundles[1]
    assert bundles[0]["text/plain"] == repr(widgets[0])
    assert bundles[0]["text/html"] == snapshot
    widgets[0].shown = {**widgets[0].shown, "options": {"k": 2, "zero_division": "nan"}}
    table = widgets[0]._repr_mimebundle_()[0]["text/html"]
    assert ">precision at 2</th>" in table
    assert ">macro F1, zero_division=nan</th>" in table
