"""The scripts of the website that need no other page: a reader's tables, and synonyms.

Numbers and steps are the package's, bad input is refused, nothing is sent, and each name of the
glossary leads to its term.
"""

import math
import re
from fractions import Fraction
from itertools import islice

import browser
import pytest
from random_inputs import random_matrices
from test_explore_page import run_scripts

from mlm_course.practice.page import metric_key, with_options
from mlm_helpers import catalogue, thresholds
from tools.site.pages import paste
from tools.site.search import synonyms

pytestmark = browser.needs_chromium

# The steps of a calibration error are of bins, not of samples or labels.
COUNTED = {
    metric_key(metric): metric
    for metric in paste.METRICS
    if "bins" not in catalogue.record_of(metric).defaults
}
OTHER_CHOICES = {"Ties": ("the first label wins", {"ties": "first"}),
         "0/0 is": ("left out of the mean", {"zero_division": math.nan, "undefined": math.nan}),
         "β": ("1/2", {"beta": 0.5}), "k": ("2", {"k": 2})}  # fmt: skip
# Some scores equal the threshold, 0.5.
TABLES = [
    (y_true, y_score)
    for y_true, y_score, _ in random_matrices("y_score")
    if y_true.shape[1] > 1 and (y_score == 0.5).any()
][:12]

TRUTH, SCORES = "1,0\n0,1\n1,1", "0.9,0.2\n0.4,0.7\n0.6,0.1"
TRUTH_FORMATS = [
    "1\t0\n0\t1\n1\t1\n", "1;0\r\n0;1\r\n1;1\r\n", "\n 1 0\n 0  1\n1 1\n\n",
    "dog,sea\n1,0\n0,1\n1,1",
    ",0,1\n0,1,0\n1,0,1\n2,1,1", '\ufeff"photo","dog","sea"\na,1.0,0\nb,0,1\nc,1,1',
    "True,False\nFalse,True\nTrue,True", "a,1,0\nb,0,1\nc,1,1", "ID,0,b\n7,1,0\n8,0,1\n9,1,1",
    "[[1, 0], [0, 1], [1, 1]]",
    "tensor([[1., 0.],\n        [0., 1.],\n        [1., 1.]],"
    " device='cuda:0', grad_fn=<RoundBackward0>)",
]  # fmt: skip
WRONG = {
    ("", SCORES): "The truth is empty",
    (TRUTH, "dog,sea"): "The other table has names in line 1, and no sample below",
    ("dog,sea\n1,0\n0,2\n1,1", SCORES): "The truth, line 3, column 2 (sea): “2” is neither 0 nor 1",
    ("a,1,0\n\nb,,1\nc,1,1", SCORES):
        "The truth, line 3, column 2: the cell is empty. If nobody annotated it, 14_",
    ("1,0\n0,-1\n1,1", SCORES):
        "The truth, line 2, column 2: “-1” is neither 0 nor 1. If nobody annotated it, 14_",
    (TRUTH, "1,0\n0,\n1,1"): "The other table, line 2, column 2: the cell is empty.",
    (TRUTH, "  (0, 0)\t1\n  (1, 1)\t1"): "The other table is a sparse matrix as Python prints it",
    ("a,1\na,0", "a,1\na,0"): "The truth has “a” twice",
    ("dog,dog\n1,0", "1,0"): "The truth has “dog” twice",
    (TRUTH, "1e999,0\n0,1\n1,1"): "The other table, line 1, column 1: “1e999” is not a number",
    ("1,0\n0,1,1\n1,1", SCORES): "The truth, line 2: 3 columns, and line 1 has 2",
    (TRUTH, "1,0\n0,1"): "The truth has 3 samples, the other table 2",
    (TRUTH, "1\n0\n1"): "The truth has 2 labels, the other table 1",
    ("a,1\nb,0", "b,1\na,0"):
        "The sample in place 1 is “a” in the truth and “b” in the other table",
    ("a\nb", "c\nd"): "The truth has names of samples alone",
    ("1\n" * 2001, "1\n" * 2001): "These are 2001 cells, more than the 2000",
}  # fmt: skip

# The first of two lists of labels has {a, b}, {} and {c}, the second {b}, {a} and {c}.
LISTS = {
    ("b, a\n\nc\n", "b\na\nc"): "Read: 3 samples, 3 labels",
    ("\na\n\n", "a\n\n\n"): "Read: 3 samples, 1 label",
    ("狗，太阳\n犬、猫", "狗\n猫"): "Read: 2 samples, 4 labels",
    ("a\nb", "a"): "The truth has 2 lines, the other list 1",
    ("a", "A"): "“A” and “a” differ by case alone: write a label in one way.",
    ("children's\nid, en", "children's\nid"): "Read: 2 samples",
    ("", ""): "No line has a label",
}
IN_CODE = ["['dog', 'sun']\n[]", "[['dog'],[]]", "{'dog'}\nset()", "('dog',)\n()", '1,"dog;sun"']
WITH_HEADER = ["id,tags\n1,dog", "labels\ndog", "photo_id;genre\n1;dog"]
LOGITS = "2,-1\n-3,1\n1,0.5"


def as_text(matrix):
    return "\n".join(",".join(map(str, row)) for row in matrix)


def pasted():
    """All that is pasted, one after the other, with the choices made before it."""
    for number, matrices in enumerate(TABLES):  # from the seventh on under other conventions
        choices = {name: choice for name, (choice, _) in OTHER_CHOICES.items()}
        yield {"texts": [*map(as_text, matrices)], "choices": choices if number == 6 else {}}
    tables = [(TRUTH, SCORES), *((text, SCORES) for text in TRUTH_FORMATS), *WRONG, (TRUTH, LOGITS)]
    tables.append((TRUTH, f"dog,sea\n{SCORES}"))
    yield from ({"texts": texts, "choices": {}} for texts in tables)
    lists = [*LISTS, *((text, text) for text in [*IN_CODE, *WITH_HEADER])]
    yield from ({"texts": t, "choices": {"You paste": "two lists of labels"}} for t in lists)


@pytest.fixture(scope="module")
def observed(tmp_path_factory):
    """The values that both scripts observed, by the name of the script."""
    page = {"start": paste.start(), "pasted": [*pasted()]}
    search = {"same": synonyms()}
    return run_scripts({"paste": page, "search": search}, tmp_path_factory.mktemp("page"))


def last_number(line):
    """The number at the end of a step."""
    end = re.split("[:=≈]|, so|taken as", line)[-1].strip()
    return math.nan if end.endswith(("nan", "left out")) else float(Fraction(end))


def unit_values(metric, *data):
    """The values of a metric for each sample or label; under micro a list of its only value."""
    if catalogue.record_of(metric).unit == "sample":
        return metric(*data, per_sample=True)
    return [metric(*data)] if metric.keywords["average"] == "micro" else metric(*data, average=None)


def test_every_number_and_every_step_of_pasted_tables_is_the_package_s(observed):
    options, results = {}, iter(observed["paste"])
    for number, (y_true, y_score) in enumerate(TABLES):
        if number == 6:
            options = {k: v for _, values in OTHER_CHOICES.values() for k, v in values.items()}
        result = next(results)
        assert result["status"].startswith("Read: ")
        assert {name for name, *_ in result["values"]} == set(COUNTED)  # scores are probabilities
        for name, value, lines in result["values"]:
            metric = with_options(COUNTED[name], options)
            reads_sets = catalogue.record_of(metric).reads == "y_pred"
            data = y_true, thresholds.at(y_score) if reads_sets else y_score
            values_by_unit = unit_values(metric, *data)
            value_of_all = metric(*data)
            expected = [value_of_all, *values_by_unit]
            if len(values_by_unit) > 1:  # the last step combines them
                expected.append(value_of_all)
            numbers = [last_number(line) for line in (value, *lines)]
            assert numbers == pytest.approx(expected, abs=5.1e-4, nan_ok=True), name


def test_pasted_text_is_read_in_many_formats_or_the_wrong_place_is_named(observed):
    """Recall of the first lists is 1/2, 0/0, which is left out here, and 1: its mean is 3/4."""
    *results, n_values_after_edit, n_requests = observed["paste"]
    results = iter(results[len(TABLES) :])
    values = [value for _, value, _ in next(results)["values"]]
    for result in islice(results, len(TRUTH_FORMATS)):
        assert result["status"].startswith("Read: 3 samples, 2 labels"), result["status"]
        assert "usual threshold of logits is 0" not in result["status"]
        assert [value for _, value, _ in result["values"]] == values
    for message, result in zip(WRONG.values(), results, strict=False):
        assert result["status"].startswith(message)
        assert result["values"] == []
    assert "usual threshold of logits is 0" in next(results)["status"]
    assert "sea" in str(next(results)["values"])  # a name of the second table
    of_lists = [*islice(results, len(LISTS))]
    for message, result in zip(LISTS.values(), of_lists, strict=True):
        assert result["status"].startswith(message)
    recall = {name: value for name, value, _ in of_lists[0]["values"]}["example_based.recall"]
    assert recall == "3/4"
    for _ in IN_CODE:
        assert "has brackets or quotes" in next(results)["status"]
    for _ in WITH_HEADER:
        assert next(results)["status"].startswith("The first line, “")
    assert (n_values_after_edit, n_requests) == (0, 0)


def test_the_search_has_the_course_s_word_for_every_name(observed):
    assert observed["search"] == [word.lower() for word in synonyms().values()]
