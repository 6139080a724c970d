"""The cheat sheet as a page: what it says of a metric is what the package does, and notebook 09 advises."""

from __future__ import annotations

from functools import cache, partial

import pytest
import sklearn.metrics as skm

from mlm_helpers import catalogue, invariance, ranking
from mlm_helpers.catalogue import METRICS
from tools import glossary as words
from tools.site.pages import cheat_sheet
from tools.site.pages.markdown import code, formula


@cache
def text() -> str:
    return cheat_sheet.text()


def rows() -> list[str]:
    return [line for line in text().splitlines() if line.startswith("| ")]


def test_what_the_sheet_says_of_nothing() -> None:
    said = {line.metric.id: line.undefined for line in cheat_sheet.lines()}
    assert said["example_based.recall"] == "0 where a sample has no true label"
    assert said["ranking.one_error"] == "1 for a sample without relevant labels"
    assert said["curves.roc_auc"] == "a label without positives or without negatives is left out"
    assert said["hamming.hamming_loss"] == "no 0/0"


def test_only_what_has_no_rule_has_no_0_by_0() -> None:
    for line in cheat_sheet.lines():
        rules = {"zero_division", "undefined"} & set(line.metric.defaults)
        assert (line.undefined == "no 0/0") == (not rules)


def test_the_values_hold_what_an_empty_sample_counts() -> None:
    """Of data without labels coverage is 0, below the place of any label."""
    said = {line.metric.id: line.values for line in cheat_sheet.lines()}
    assert said.pop("ranking.coverage") == "0–L" and set(said.values()) == {"0–1"}
    assert ranking.coverage([[0, 0]], [[0.2, 0.1]]) == 0
    assert ranking.coverage([[0, 1]], [[0.2, 0.1]]) == 2


def test_scikit_learn_asks_for_an_average_of_label_based_metrics_alone() -> None:
    for metric in METRICS:
        if metric.sklearn and "(" not in metric.sklearn_name:
            call = partial(getattr(skm, metric.sklearn_name), [[1, 0], [0, 1]], [[1, 0], [1, 1]])
            beta = {"beta": 2} if "beta" in metric.options else {}
            if metric.id.startswith("label_based."):
                with pytest.raises(ValueError, match="average"):
                    call(**beta)
            else:
                call(**beta)


def test_what_the_sheet_says_of_changes() -> None:
    """Of an unused label: exact match counts no cell; Hamming loss counts one more right one."""
    said = {line.metric.id: line.changes for line in cheat_sheet.lines()}
    assert said["exact_match.subset_accuracy"] == ("=", "≠", "=")
    assert said["hamming.hamming_loss"] == ("≠", "≠", "=")
    assert said["label_based.precision"] == ("≠", "=", "≠")
    assert said["ranking.coverage"][2] == "–"
    (line,) = (line for line in rows() if "`exact_match.subset_accuracy`" in line)
    assert line.endswith(
        "never changes, if you: append an unused label, swap truth and prediction |"
    )


def test_every_advice_is_in_the_guide() -> None:
    assert set(cheat_sheet.ADVISED) <= {metric.id for metric in METRICS}
    said = {line.metric.id: line.use for line in cheat_sheet.lines()}
    assert [name for name in cheat_sheet.ADVISED if not said[name]] == []
    assert said["ranking.one_error"] == "only the first suggestion"
    assert said["curves.roc_auc"] == "beside mAP"
    assert len(cheat_sheet.guide()) == 11


def test_the_page_says_of_a_metric_whether_it_is_advised_or_stands_beside() -> None:
    said = text()
    assert "advised by notebook 09, if users see: only the first suggestion" in said
    assert "advised by notebook 09: beside mAP" in said and "see: beside" not in said


def test_the_line_of_a_metric_has_its_name_its_formula_and_its_call() -> None:
    for metric in METRICS:
        (line,) = (line for line in rows() if code(metric.id) in line)
        assert formula(metric) in line and f"**{metric.name}** " in line
        assert f"scikit-learn: {code(metric.sklearn_name) if metric.sklearn else 'none'}" in line


def test_the_three_counts_are_called_as_in_the_glossary() -> None:
    called = {short: term.name for term in words.terms() for short in term.also}
    said = dict(cheat_sheet.LEGEND)["$TP, FP, FN$"]
    places = [said.index(called[short]) for short in ("TP", "FP", "FN")]
    assert places == sorted(set(places))


def test_the_other_signs_mean_what_the_package_does() -> None:
    said = dict(cheat_sheet.LEGEND)
    assert ranking.ranks([[0.2, 0.9]]).tolist() == [[2, 1]]
    assert "the rank of $j$ by score, from 1 for the highest: " in said["$r(j), r_Y(j)$"]
    assert "it scores below all others" in invariance.TRANSFORMATIONS["append an unused label"].says
    assert said["unused, empty"].endswith("scored below all others")
    three_labels = catalogue.of(ranking.coverage).bounds(3, {"start": 1})
    assert three_labels == (1, 3) and said["$L, n$"] == "how many labels, how many samples"
    assert "in curves, $Y$ are the samples that have a label" in said["$Y, Z$"]


def test_values_and_ties_by_hand() -> None:
    """Coverage of a sample without labels is 0, of any other from 1 to L."""
    said = {line.metric.id: (line.values, line.ties) for line in cheat_sheet.lines()}
    assert said["hamming.hamming_loss"] == ("0–1", "–")
    assert said["ranking.coverage"] == ("0–L", "worst")
    assert said["top_k.ndcg"] == ("0–1", "average")
    (line,) = (line for line in rows() if "`ranking.coverage`" in line)
    assert "values: 0–L, lower is better" in line and "<br>ties: `worst`" in line


def test_an_arrow_points_to_what_is_better() -> None:
    said = "\n".join(rows())
    assert "** ↓<br>`hamming.hamming_loss`" in said and "** ↑<br>`example_based.f1`" in said
    assert said.count("**") // 2 == said.count("** ↑") + said.count("** ↓") == len(METRICS)
