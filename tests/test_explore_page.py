"""The explorer and a quiz in a real browser: mouse, slider and keys change the page.

The scripts are those of explore_page.js. They run on one page, one after the other, each with an
element of its own.
"""

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
PAGE, SCRIPTS = (
    (Path(__file__).parent / f"explore_page.{kind}").read_text("utf-8") for kind in ("html", "js")
)
DOCS = Path(__file__).parents[1] / "docs"
SITE_SCRIPTS = {"paste": "static/paste.js", "search": "search.js"}

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


def run_scripts(pages, folder):
    """The values that each script of explore_page.js observed on the page with its data.

    Both are keyed by the script's name.
    """
    parts = {
        "style": STYLE,
        "script": SCRIPT,
        "scripts": SCRIPTS,
        "pages": json.dumps(pages, allow_nan=False),
    }
    parts |= {name: (DOCS / path).read_text("utf-8") for name, path in SITE_SCRIPTS.items()}
    parts["paste"] = re.sub("^import .*", "", parts["paste"], flags=re.M)  # all is one script here
    source = re.sub(f"%({'|'.join(parts)})%", lambda match: parts[match[1]], PAGE)
    (folder / "page.html").write_text(source, encoding="utf-8")
    address = (folder / "page.html").as_uri()
    dom = browser.page_source(address, folder / "profile", "--virtual-time-budget=60000")
    results = re.search('<pre id="observed">(.*?)</pre>', dom, re.DOTALL)[1]
    observed = json.loads(html.unescape(results))
    assert {name: error for name, error in observed.items() if isinstance(error, str)} == {}
    return observed


@pytest.fixture(scope="module")
def observed(tmp_path_factory):
    """The values that the scripts observed in one browser, by the name of the script."""
    pages = APPROVED | COMPUTED | {"counted": {"metrics": METRICS, "cases": CASES}}
    return run_scripts(pages, tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize("name", APPROVED)
def test_the_page_shows(name, observed, snapshot):
    assert json.dumps(observed[name], ensure_ascii=False, indent=1) == snapshot


def expected_values(y_true, y_pred=None, y_score=None, **options):
    """The package's numbers for data that should be on the screen."""
    data = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}
    return metric_values({**data, "options": options})


def test_truth_and_prediction_are_toggled_apart_and_every_metric_counts(observed):
    steps = iter(observed["truth and prediction are toggled apart"])
    cells, numbers = next(steps), next(steps)
    words = ["hit", "false alarm", "miss", "rightly left out", "hit", "rightly left out"]
    assert [cell.partition(": ")[2] for cell in cells] == words
    assert numbers == expected_values(Y_TRUE, Y_PRED)
    assert numbers["example_based.f1"] == "3/4" and numbers["hamming.hamming_loss"] == "1/3"
    assert next(steps) == "sample 1, sea: hit"
    assert next(steps) == expected_values(Y_TRUE, [[1, 1, 1], [0, 1, 0]])
    assert next(steps) == "sample 1, dog: hit"
    assert next(steps) == expected_values([[1, 1, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]])
    assert next(steps) == ["sample 2, cat: miss", "sample 2, dog: miss"]
    assert next(steps) == expected_values([[1, 1, 1], [1, 1, 0]], [[1, 1, 1], [0, 0, 0]])


def test_the_status_names_every_change_and_the_start_can_be_restored(observed):
    start, cell_changed, metric_chosen, *restored = observed["what changed is said"]
    assert start == "samples F1 is 3/4."
    values = expected_values(Y_TRUE, Y_PRED)
    new_values = expected_values(Y_TRUE, [[1, 0, 0], [0, 1, 0]])
    changed = f"{sum(values[key] != new_values[key] for key in values)} metrics changed."
    assert cell_changed == (
        f"sample 1, dog: rightly left out. samples F1 was 3/4, is 5/6. {changed}"
    )
    assert metric_chosen == f"sample 1, dog: false alarm. macro recall is 2/3. {changed}"
    assert restored == ["sample 1, dog: false alarm", "The start"]


def test_a_threshold_slides_through_the_scores(observed):
    """The thresholds are 0.2, 0.4, 0.6, 0.8, 0.9, and one above them all."""
    start, lowest, highest, above, by_hand = observed["a threshold slides through the scores"]
    assert start == ["5", "2", "Predicted is what scores at least 0.5."]
    # at each threshold: the number of predicted cells, the text of the slider, the values of the
    # metrics
    assert lowest[:2] == [6, "Predicted is what scores at least 0.2."]
    assert highest[:2] == [1, "Predicted is what scores at least 0.9."]
    assert highest[2] == expected_values(Y_TRUE, [[1, 0, 0], [0, 0, 0]], Y_SCORE)
    assert above[:2] == [0, "No score is high enough."]
    assert by_hand == "Predictions are set by hand."


def test_every_choice_of_every_switch_is_counted(observed):
    *numbers, last_metric, directions = observed["every choice of every switch"]
    page, remaining = COMPUTED["every choice of every switch"], iter(numbers)
    data = [page["shown"][name] for name in ("y_true", "y_pred", "y_score")]
    for switch in page["switches"]:
        expected = [expected_values(*data, **choice["options"]) for choice in switch["choices"]]
        assert list(islice(remaining, len(expected))) == expected
        assert len(set(map(str, expected))) > 1  # the choice makes a difference to some metric
    assert last_metric == "nDCG at 3\u00a0↑"
    assert directions == ["↑ higher is better", "↓ lower is better"]


def test_the_widget_and_its_model_follow_each_other(observed):
    """After two clicks the model gets back the data of the start.

    At the end no listener of the model remains.
    """
    values = observed["the widget and its model"]
    saved_predictions, cell_clicked, cell_at_start, f1_at_start, listeners = values
    assert saved_predictions == [[[1, 1, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]]]
    assert (cell_clicked, cell_at_start) == ("sample 1, sea: hit", "sample 1, sea: miss")
    assert f1_at_start == "3/4" and listeners == []


# -------------------------------------------------------------------------- the script's arithmetic

METRICS = page_json([[1]])["metrics"]
VALUES_OF_0_OVER_0 = ("nan", 0, 1)


def is_same(text, value):
    """Whether the script's text is the package's float: nan, a fraction, or six decimals.

    It has six decimals if logarithms are involved.
    """
    if text == "nan":
        return math.isnan(value)
    if "." in text:
        return text == f"{value:.6f}"
    return math.isclose(Fraction(text), value, rel_tol=1e-12)


def set_cases(shape, step):
    """Every step-th of all label sets of a shape with all conventions for 0/0.

    The values of β alternate.
    """
    cases = product(all_small.representatives(*shape), (*VALUES_OF_0_OVER_0, "agree"))
    for i, (data, zero_division) in list(enumerate(cases))[::step]:
        # each β is used with all four conventions for 0/0 in turn
        beta = all_small.BETAS[i // 4 % len(all_small.BETAS)]
        options = {"zero_division": zero_division, "beta": beta}
        yield {"y_true": data.y_true, "y_pred": data.y_pred, "options": options}


def score_cases(shape, step):
    """Every step-th of all orders of scores of a shape, ties included, with all tie rules.

    Other options alternate.
    """
    other_options = list(product(VALUES_OF_0_OVER_0, (0, 1), range(1, shape[1] + 1)))
    cases = product((*all_small.TIES, "worst", "best"), all_small.pairs(*shape, True))
    for i, (ties, (y_true, y_score)) in list(enumerate(cases))[::step]:
        undefined, start, k = other_options[i % len(other_options)]
        options = {"ties": ties, "undefined": undefined, "start": start, "k": k}
        yield {"y_true": y_true, "y_score": y_score, "options": options}


def random_cases(n_cases):
    """Random truths, predictions, tied scores and options; some samples have no true label."""
    rng = random.Random(1)
    pairs = zip(random_matrices("y_pred"), random_matrices("y_score"), strict=True)
    for (y_true, y_pred, _), (_, y_score, _) in islice(pairs, n_cases):
        options = {
            "zero_division": rng.choice((*VALUES_OF_0_OVER_0, "agree")),
            "undefined": rng.choice((*VALUES_OF_0_OVER_0, 0.25)),
            "ties": rng.choice(all_small.TIES + all_small.TOP_K_TIES),
            "start": rng.randint(0, 1),
            "k": rng.randint(1, y_true.shape[1]),
            "beta": rng.choice((0, 0.5, 1, 1.5, 2)),
        }
        matrices = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score}
        bound = {name: value for name, value in options.items() if rng.random() < 0.7}
        yield {"options": bound} | {name: matrix.tolist() for name, matrix in matrices.items()}


def check_numbers(cases, numbers_by_case):
    """Fail unless the script has the package's number for every metric, case by case."""
    for case, numbers in zip(cases, numbers_by_case, strict=True):
        metrics = [metric for metric in METRICS if case.get(metric["reads"]) is not None]
        assert list(numbers) == [metric["key"] for metric in metrics]
        for metric in metrics:
            key, prediction = metric["key"], case[metric["reads"]]
            value = float(with_options(VARIANTS[key], case["options"])(case["y_true"], prediction))
            assert is_same(numbers[key], value), (key, case, numbers[key], value)


N_WITH_TEXT = 15  # random cases whose texts are compared, too
CASES = [*set_cases((2, 2), 3), *score_cases((2, 2), 53), *random_cases(30)]


def test_the_script_has_the_package_s_numbers_on_small_and_random_data(observed):
    """The last cases, which are random, also have the same text, such as 19/30."""
    check_numbers(CASES, observed["counted"])
    texts = [metric_values(case) for case in CASES[-N_WITH_TEXT:]]
    assert observed["counted"][-N_WITH_TEXT:] == texts


@pytest.mark.exhaustive
def test_the_script_has_the_package_s_numbers_on_more_data(tmp_path):
    cases = [*set_cases((2, 2), 1), *set_cases((3, 2), 9), *set_cases((2, 3), 12)]
    cases += [*score_cases((1, 3), 1), *score_cases((2, 2), 2), *score_cases((3, 2), 27)]
    cases += [*score_cases((2, 3), 180), *random_cases(100)]
    page = {"metrics": METRICS, "cases": cases}
    check_numbers(cases, run_scripts({"counted": page}, tmp_path)["counted"])
