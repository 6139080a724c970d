"""The chooser: all answers lead to metrics whose lines of code run."""

import re

import facts
import numpy as np
import pytest
from sklearn import metrics

import mlm_helpers
from mlm_helpers import catalogue
from tools.site import search
from tools.site.pages.choose import bound_metric, code_line, paper_sentence, questions, sklearn_call

LEAVES = [a for answers in questions().values() for a in answers.values() if "metric" in a]
DATA = {
    "y_true": np.array([[1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 0, 0]]),
    "y_pred": np.array([[1, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 0]]),
    "y_score": (scores := np.array(
        [[0.9, 0.1, 0.3, 0.6], [0.7, 0.8, 0.55, 0.95], [0.2, 0.75, 0.4, 0.05]]
    )),
    "y_prob": scores,
    "parents": [[], [0], [0], [1]],
}  # fmt: skip


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: str(leaf["metric"]))
def test_the_lines_run_and_both_libraries_have_the_same_number(leaf):
    names = {**vars(mlm_helpers), **DATA}
    for entry in (leaf["metric"], *leaf.get("beside", [])):
        metric = bound_metric(entry)
        value, sklearn_code = eval(code_line(metric), names), sklearn_call(metric)
        assert np.isfinite(value).all()
        if sklearn_code:
            assert value == pytest.approx(eval(sklearn_code, {**vars(metrics), **DATA}))


GUIDED = [leaf for leaf in LEAVES if "guide" in leaf]


@pytest.mark.parametrize("leaf", GUIDED, ids=lambda leaf: leaf["guide"])
def test_the_guide_of_notebook_11_has_the_same_metrics(leaf):
    cells = facts.cells_by_id("11_choosing_a_metric").values()
    lines = "".join(line for cell in cells for line in cell["source"]).splitlines()
    (row,) = (line for line in lines if line.startswith(f"| {leaf['guide']}"))
    _, use, beside = row.strip("| ").split(" | ")
    entries = [(leaf["metric"], use), *((e, use + beside) for e in leaf.get("beside", []))]
    for entry, text in entries:
        metric = bound_metric(entry)
        name = catalogue.record_of(metric).name
        if entry["id"] == "label_based.f1":
            name = catalogue.full_name(metric)  # with its average
        names = {name, *re.findall(r"\((\w+)\)", name)}  # accuracy (Jaccard), Jaccard
        names |= {other for same, *_ in search.terms() if name in same for other in same}
        assert any(other in text for other in names), f"the row has no {name}"


def test_the_sentence_has_the_numbers_of_the_options():
    f2 = paper_sentence(bound_metric({"id": "label_based.fbeta", "beta": 2, "average": "macro"}))
    words = "macro F2", "(1 + 2²) × hits", "mean over labels", "by scikit-learn *version* ("
    assert [word for word in words if word not in f2] == []
    at_3 = paper_sentence(bound_metric({"id": "top_k.precision", "k": 3}))
    assert "hits among the first 3 ÷ 3" in at_3 and "Computed by mlm_helpers" in at_3
