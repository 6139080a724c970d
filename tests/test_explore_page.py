"""The explorer on a page, in a real browser: what is clicked, slid and typed is what is counted and said.

And a question with four recipes. The scripts are those of explore_page.js, all on one page, one after the other, each
with an element of its own.
"""

from __future__ import annotations

import html
import json
import math
import random
import re
from fractions import Fraction
from itertools import islice, product
from pathlib import Path

import all_small
import browser
import pytest
from random_inputs import random_matrices

from mlm_course.practice import quiz
from mlm_course.practice.page import SCRIPT, STYLE, VARIANTS, metric_values, page_json, with_options

pytestmark = browser.needs_chromium
PAGE, ACTS = (
    (Path(__file__).parent / f"explore_page.{kind}").read_text("utf-8") for kind in ("html", "js")
)

LABELS = ["cat", "dog", "sea"]
Y_TRUE = [[1, 0, 1], [0, 1, 0]]
Y_PRED = [[1, 1, 0], [0, 1, 0]]
Y_SCORE = [[0.9, 0.6, 0.2], [0.4, 0.8, 0.4]]
SETS = page_json(Y_TRUE, Y_PRED, labels=LABELS)
RANKS = page_json(Y_TRUE, y_score=Y_SCORE, labels=LABELS)
# A tie below and one above an odd score; a sample and a label without a positive.
TIED = [[1, 0, 0], [0, 0, 0], [1, 1, 0]], [[0.3, 0.9, 0.3], [0.8, 0.2, 0.2], [0.5, 0.7, 0.7]]
NEW = {**SETS["metrics"][0], "key": "new.metric", "id": "new.metric", "name": "new metric"}
QUESTION = quiz(seed=3).page_json()  # macro precision of truth and prediction, C

APPROVED = {
    "keys go from cell to cell, change either side and reach nobody else": RANKS,
    "the metric in focus shows its numbers put in": SETS,
    "a name is only ever text": page_json([[1]], [[1]], labels=["<img src=x onerror=alert(1)>"]),
    "what cannot be counted is left out, and named": SETS | {"metrics": [*SETS["metrics"], NEW]},
    "a question shows outcomes": QUESTION,
    "a choice is judged": QUESTION,
}
COMPUTED = {
    "truth and prediction are toggled apart": SETS,
    "what changed is said": SETS,
    "a threshold slides through the scores": RANKS,
    "every choice of every switch": page_json(TIED[0], y_score=TIED[1]),
    "the widget and its model": SETS,
}


def run(given, folder):
    """What each script pushed onto its list `seen`, by name."""
    parts = {"style": STYLE, "script": SCRIPT, "acts": ACTS, "given": json.dumps(given)}
    source = re.sub("%(style|script|acts|given)%", lambda found: parts[found[1]], PAGE)
    (folder / "page.html").write_text(source, encoding="utf-8")
    address = (folder / "page.html").as_uri()
    dom = browser.opened(address, folder / "profile", "--virtual-time-budget=60000")
    seen = json.loads(html.unescape(re.search('<pre id="seen">(.*?)</pre>', dom, re.DOTALL)[1]))
    assert {name: error for name, error in seen.items() if isinstance(error, str)} == {}
    return seen


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    scripts = APPROVED | COMPUTED | {"counted": {"metrics": METRICS, "cases": SOME}}
    return run(scripts, tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("name", APPROVED)
def test_what_is_seen(name, answers, snapshot):
    assert json.dumps(answers[name], ensure_ascii=False, indent=1) == snapshot


def shown(y_true, y_pred=None, y_score=None, **options):
    """The package's numbers of what should be on the screen."""
    return metric_values(
        {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "options": options}
    )


def test_truth_and_prediction_are_toggled_apart_and_every_metric_counts(answers):
    seen = answers["truth and prediction are toggled apart"]
    cells, numbers, hit, one, both, two, apart, three = seen
    words = ["hit", "false alarm", "miss", "rightly left out", "hit", "rightly left out"]
    assert [cell.partition(": ")[2] for cell in cells] == words
    assert numbers == shown(Y_TRUE, Y_PRED)
    assert numbers["example_based.f1"] == "3/4" and numbers["hamming.hamming_loss"] == "1/3"
    assert (hit, both) == ("sample 1, sea: hit", "sample 1, dog: hit")
    assert apart == ["sample 2, cat: miss", "sample 2, dog: miss"]
    assert one == shown(Y_TRUE, [[1, 1, 1], [0, 1, 0]])
    assert two == shown([[1, 1, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]])
    assert three == shown([[1, 1, 1], [1, 1, 0]], [[1, 1, 1], [0, 0, 0]])


def test_what_changed_is_said_and_one_can_start_again(answers):
    start, one, two, *again = answers["what changed is said"]
    assert start == "samples F1 is 3/4."
    before, after = shown(Y_TRUE, Y_PRED), shown(Y_TRUE, [[1, 0, 0], [0, 1, 0]])
    moved = sum(before[key] != after[key] for key in before)
    assert one == (
        f"sample 1, dog: rightly left out. samples F1 was 3/4, is 5/6. {moved} metrics changed."
    )
    assert two == f"sample 1, dog: false alarm. macro recall is 2/3. {moved} metrics changed."
    assert again == ["sample 1, dog: false alarm", "The start"]


def test_a_cut_slides_through_the_scores(answers):
    """The thresholds are 0.2, 0.4, 0.6, 0.8, 0.9, and one above them all."""
    start, all_, one, none, by_hand = answers["a threshold slides through the scores"]
    assert start == ["5", "2", "Predicted is what scores at least 0.5."]
    assert all_[:2] == [6, "Predicted is what scores at least 0.2."]
    assert one[:2] == [1, "Predicted is what scores at least 0.9."]
    assert one[2] == shown(Y_TRUE, [[1, 0, 0], [0, 0, 0]], Y_SCORE)
    assert none[:2] == [0, "No score is high enough."]
    assert by_hand == "Predictions are set by hand."


def test_every_choice_of_every_switch_is_counted(answers):
    *found, name, ways = answers["every choice of every switch"]
    given = page_json(TIED[0], y_score=TIED[1])
    now = TIED[0], given["shown"]["y_pred"], TIED[1]
    switches = [[choice["options"] for choice in one["choices"]] for one in given["switches"]]
    for choices in switches:
        some, found = found[: len(choices)], found[len(choices) :]
        for options, numbers in zip(choices, some, strict=True):
            assert numbers == shown(*now, **options), options
        assert len({str(numbers) for numbers in some}) > 1  # it makes a difference somewhere
    assert name == "nDCG at 3\u00a0↑"
    assert ways == ["↑ higher is better", "↓ lower is better"]


def test_the_widget_tells_its_model_what_is_shown_and_shows_what_that_has(answers):
    sent, kept, back, f1, left = answers["the widget and its model"]
    assert sent == [[[1, 1, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]]]
    assert (kept, back, f1) == ("sample 1, sea: hit", "sample 1, sea: miss", "3/4")
    assert left == []


# ---------------------------------------------------------------------------- its own arithmetic

METRICS = page_json([[1]])["metrics"]
EMPTY = ("nan", 0, 1)


def same(text, value):
    """A fraction is the float that the package finds; what holds logarithms has six decimals."""
    if "." in text or text == "nan":
        return text == (f"{value:.6f}" if "." in text else str(value))
    return math.isclose(Fraction(text), value, rel_tol=1e-12)


def sets(shape, step):
    """Truth and prediction of every kind, with everything that 0/0 can be worth; β takes turns."""
    every = product(all_small.representatives(*shape), (*EMPTY, "agree"))
    for number, (world, empty) in list(enumerate(every))[::step]:
        options = {
            "zero_division": empty,
            "beta": all_small.BETAS[number // 4 % len(all_small.BETAS)],
        }
        yield {"y_true": world.y_true, "y_pred": world.y_pred, "options": options}


def ranked(shape, step):
    """Every truth with scores in every order, ties included, under every tie; the rest takes turns."""
    rest = list(product(EMPTY, (0, 1), range(1, shape[1] + 1)))
    tied = product(all_small.TIES, all_small.pairs(*shape, True))
    for number, (ties, (y_true, y_score)) in list(enumerate(tied))[::step]:
        names, one = ("ties", "undefined", "start", "k"), (ties, *rest[number % len(rest)])
        options = dict(zip(names, one, strict=True))
        yield {"y_true": y_true, "y_score": y_score, "options": options}


def drawn(number):
    """Truths with empty rows, predictions, scores with ties, and any conventions."""
    draw = random.Random(1)
    each = zip(random_matrices("y_pred"), random_matrices("y_score"), strict=True)
    for (y_true, y_pred, _), (_, y_score, _) in islice(each, number):
        options = {
            "zero_division": draw.choice((*EMPTY, "agree")),
            "undefined": draw.choice((*EMPTY, 0.25)),
            "ties": draw.choice(all_small.TIES),
            "start": draw.randint(0, 1),
            "k": draw.randint(1, y_true.shape[1]),
            "beta": draw.choice((0, 0.5, 1, 1.5, 2)),
        }
        kept = {name: value for name, value in options.items() if draw.random() < 0.7}
        names, matrices = ("y_true", "y_pred", "y_score"), (y_true, y_pred, y_score)
        yield {"options": kept} | {n: m.tolist() for n, m in zip(names, matrices, strict=True)}


def agree(cases, answers):
    """Whether the module has the package's number of every metric, case by case."""
    for case, numbers in zip(cases, answers, strict=True):
        asked = [metric for metric in METRICS if case.get(metric["reads"]) is not None]
        assert list(numbers) == [metric["key"] for metric in asked]
        for metric in asked:
            key, other = metric["key"], case[metric["reads"]]
            value = float(with_options(VARIANTS[key], case["options"])(case["y_true"], other))
            assert same(numbers[key], value), (key, case, numbers[key], value)


SOME = [*sets((2, 2), 3), *ranked((2, 2), 53), *drawn(30)]


def test_on_small_and_on_drawn_data_it_counts_as_the_package(answers):
    """And writes the same fractions."""
    agree(SOME, answers["counted"])
    assert answers["counted"][-15:] == [metric_values(case) for case in SOME[-15:]]


@pytest.mark.exhaustive
def test_on_more_data_it_counts_as_the_package(tmp_path):
    some = [*sets((2, 2), 1), *sets((3, 2), 9), *sets((2, 3), 12), *drawn(100)]
    some += [*ranked((1, 3), 1), *ranked((2, 2), 2), *ranked((3, 2), 27), *ranked((2, 3), 180)]
    agree(some, run({"counted": {"metrics": METRICS, "cases": some}}, tmp_path)["counted"])
