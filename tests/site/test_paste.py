"""The page for a reader's own tables: numbers and steps are the package's, bad input is refused, nothing is sent."""

import math
import re
from fractions import Fraction

import browser
import pytest
from playwright.sync_api import BrowserContext, Page
from random_inputs import random_matrices

from mlm_course.practice.page import metric_key, with_options
from mlm_helpers import catalogue, thresholds
from tools.site.pages.paste import METRICS

pytestmark = browser.needs_chromium

STEPS = """() => Object.fromEntries([...document.querySelectorAll(".mlm-paste details:has([data-metric])")].map((details) => {
  details.dispatchEvent(new Event("toggle"));
  const { metric, value } = details.querySelector("[data-metric]").dataset;
  return [metric, [value, [...details.querySelectorAll("li")].map((line) => line.textContent)]];
}))"""
# The steps of a calibration error are of bins, not of samples or labels.
COUNTED = {
    metric_key(metric): metric
    for metric in METRICS
    if "bins" not in catalogue.record_of(metric).defaults
}
OTHER_CHOICES = {"Ties": ("the first label wins", {"ties": "first"}),
         "0/0 is": ("left out of the mean", {"zero_division": math.nan, "undefined": math.nan}),
         "β": ("1/2", {"beta": 0.5}), "k": ("2", {"k": 2})}  # fmt: skip


@pytest.fixture
def paste(visitor: BrowserContext, site: str) -> Page:
    page = visitor.new_page()
    page.goto(f"{site}paste.html")
    page.wait_for_selector(".mlm-paste textarea")
    return page


def status(page: Page, *texts: str) -> str:
    """The message of the page after two texts are pasted and counted."""
    for area, text in zip(page.locator("textarea").all(), texts, strict=True):
        area.evaluate("(area, text) => (area.value = text)", text)
    page.get_by_role("button", name="Count").click()
    return page.locator(".mlm-paste [role=status]").inner_text()


def last_number(line: str) -> float:
    """The number at the end of a step."""
    end = re.split("[:=≈]|, so|taken as", line)[-1].strip()
    return math.nan if end.endswith(("nan", "left out")) else float(Fraction(end))


def unit_values(metric, *data):
    """The values of a metric for each sample or label; under micro a list of its only value."""
    if catalogue.record_of(metric).unit == "sample":
        return metric(*data, per_sample=True)
    return [metric(*data)] if metric.keywords["average"] == "micro" else metric(*data, average=None)


def test_every_number_and_every_step_is_the_package_s_and_nothing_is_sent(paste: Page) -> None:
    requests: list[str] = []
    paste.on("request", lambda request: requests.append(request.url))
    options: dict[str, object] = {}
    paste.get_by_text("Conventions").click()
    pairs = [(y_true, y_score) for y_true, y_score, _ in random_matrices("y_score")]
    pairs = [pair for pair in pairs if pair[0].shape[1] > 1 and (pair[1] == 0.5).any()][:12]
    for number, (y_true, y_score) in enumerate(pairs):
        if number == len(pairs) // 2:  # the second half has other conventions
            for name, (choice, values) in OTHER_CHOICES.items():
                paste.get_by_label(name, exact=True).select_option(label=choice)
                options |= values
        texts = ("\n".join(",".join(map(str, row)) for row in m) for m in (y_true, y_score))
        assert status(paste, *texts).startswith("Read: ")
        steps = paste.evaluate(STEPS)
        assert set(steps) == set(COUNTED)  # all scores are probabilities as well
        for name, (value, lines) in steps.items():
            metric = with_options(COUNTED[name], options)
            reads_sets = catalogue.record_of(metric).reads == "y_pred"
            data = y_true, thresholds.at(y_score) if reads_sets else y_score
            values_by_unit = unit_values(metric, *data)
            value_of_all = metric(*data)
            expected = [value_of_all, *values_by_unit]
            if len(values_by_unit) > 1:  # the last step combines them
                expected.append(value_of_all)
            numbers = [last_number(line) for line in (value, *lines)]
            assert numbers == pytest.approx(expected, abs=5.1e-4, nan_ok=True)
    assert requests == []


TRUTH, SCORES = "1,0\n0,1\n1,1", "0.9,0.2\n0.4,0.7\n0.6,0.1"
TRUTH_FORMATS = [
    "1\t0\n0\t1\n1\t1\n", "1;0\r\n0;1\r\n1;1\r\n", "\n 1 0\n 0  1\n1 1\n\n", "dog,sea\n1,0\n0,1\n1,1",
    ",0,1\n0,1,0\n1,0,1\n2,1,1", '\ufeff"photo","dog","sea"\na,1.0,0\nb,0,1\nc,1,1',
    "True,False\nFalse,True\nTrue,True", "a,1,0\nb,0,1\nc,1,1", "ID,0,b\n7,1,0\n8,0,1\n9,1,1", "[[1, 0], [0, 1], [1, 1]]",
    "tensor([[1., 0.],\n        [0., 1.],\n        [1., 1.]], device='cuda:0', grad_fn=<RoundBackward0>)",
]  # fmt: skip
WRONG = {
    ("", SCORES): "The truth is empty",
    (TRUTH, "dog,sea"): "The other table has names in line 1, and no sample below",
    ("dog,sea\n1,0\n0,2\n1,1", SCORES): "The truth, line 3, column 2 (sea): “2” is neither 0 nor 1",
    ("a,1,0\n\nb,,1\nc,1,1", SCORES): "The truth, line 3, column 2: the cell is empty. If nobody annotated it, 14_",
    ("1,0\n0,-1\n1,1", SCORES): "The truth, line 2, column 2: “-1” is neither 0 nor 1. If nobody annotated it, 14_",
    (TRUTH, "1,0\n0,\n1,1"): "The other table, line 2, column 2: the cell is empty.",
    (TRUTH, "  (0, 0)\t1\n  (1, 1)\t1"): "The other table is a sparse matrix as Python prints it",
    ("a,1\na,0", "a,1\na,0"): "The truth has “a” twice",
    ("dog,dog\n1,0", "1,0"): "The truth has “dog” twice",
    (TRUTH, "1e999,0\n0,1\n1,1"): "The other table, line 1, column 1: “1e999” is not a number",
    ("1,0\n0,1,1\n1,1", SCORES): "The truth, line 2: 3 columns, and line 1 has 2",
    (TRUTH, "1,0\n0,1"): "The truth has 3 samples, the other table 2",
    (TRUTH, "1\n0\n1"): "The truth has 2 labels, the other table 1",
    ("a,1\nb,0", "b,1\na,0"): "The sample in place 1 is “a” in the truth and “b” in the other table",
    ("a\nb", "c\nd"): "The truth has names of samples alone",
    ("1\n" * 2001, "1\n" * 2001): "These are 2001 cells, more than the 2000",
}  # fmt: skip


def test_a_table_is_read_in_many_formats_or_the_wrong_place_is_named(paste: Page) -> None:
    status(paste, TRUTH, SCORES)
    expected = [value for value, _ in paste.evaluate(STEPS).values()]
    for text in TRUTH_FORMATS:
        assert status(paste, text, SCORES).startswith("Read: 3 samples, 2 labels")
        assert [value for value, _ in paste.evaluate(STEPS).values()] == expected
    for texts, message in WRONG.items():
        assert status(paste, *texts).startswith(message)
        assert paste.locator("[data-metric]").count() == 0


def test_scores_beyond_0_and_1_are_noted_and_an_edit_removes_the_numbers(paste: Page) -> None:
    assert "usual threshold of logits is 0" not in status(paste, TRUTH, SCORES)
    assert "usual threshold of logits is 0" in status(paste, TRUTH, "2,-1\n-3,1\n1,0.5")
    assert paste.locator("[data-metric]").count()
    paste.locator("textarea").first.type("1")
    assert paste.locator("[data-metric]").count() == 0


def test_lists_of_labels_are_read_or_refused(paste: Page) -> None:
    """True are {a, b}, {} and {c}, predicted {b}, {a} and {c}: recall is 1/2, 0 and 1, and its mean 1/2."""
    paste.get_by_label("You paste").select_option("two lists of labels")
    assert status(paste, "b, a\n\nc\n", "b\na\nc").startswith("Read: 3 samples, 3 labels")
    assert paste.evaluate(STEPS)["example_based.recall"][0] == "1/2"
    assert status(paste, "狗，太阳\n犬、猫", "狗\n猫").startswith("Read: 2 samples, 4 labels")
    assert "has 2 lines, the other list 1" in status(paste, "a\nb", "a")
    assert status(paste, "a", "A") == "“A” and “a” differ by case alone: write a label in one way."
    for text in (
        "['dog', 'sun']\n[]",
        "[['dog'],[]]",
        "{'dog'}\nset()",
        "('dog',)\n()",
        '1,"dog;sun"',
    ):
        assert "has brackets or quotes" in status(paste, text, text)
    for text in ("id,tags\n1,dog", "labels\ndog", "photo_id;genre\n1;dog"):
        assert status(paste, text, text).startswith("The first line, “")
    assert status(paste, "children's\nid, en", "children's\nid").startswith("Read: 2 samples")
    assert status(paste, "", "").startswith("No line has a label")
