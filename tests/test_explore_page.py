"""The explorer on a page, in a real browser: what is clicked, slid and typed is what is counted and said."""

from __future__ import annotations

import browser
import mounted

from mlm_course.practice.page import page, values

pytestmark = browser.needs_chromium
on = mounted.Scripts()
answers, seen = on.fixtures()

LABELS = ["cat", "dog", "sea"]
Y_TRUE = [[1, 0, 1], [0, 1, 0]]
Y_PRED = [[1, 1, 0], [0, 1, 0]]
Y_SCORE = [[0.9, 0.6, 0.2], [0.4, 0.8, 0.4]]
SETS = page(Y_TRUE, Y_PRED, labels=LABELS)
RANKS = page(Y_TRUE, y_score=Y_SCORE, labels=LABELS)


def shown(y_true, y_pred=None, y_score=None, **options):
    """The package's numbers of what should be on the screen."""
    return values({"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "options": options})


# ---------------------------------------------------------------------------- the grid


@on(SETS, """mount(here, given); seen.push(cells(), numbersNow());
    press("sample 1, sea"); seen.push(cells()[2], numbersNow());
    find("label", "the truth").click(); press("sample 1, dog"); seen.push(cells()[1], numbersNow());
    press("sample 2, cat"); find("label", "the prediction").click(); press("sample 2, dog"); seen.push(cells().slice(3, 5), numbersNow());""")  # fmt: skip
def test_truth_and_prediction_are_toggled_apart_and_every_metric_counts(seen):
    cells, numbers, hit, one, both, two, apart, three = seen
    assert cells == [
        "sample 1, cat: hit",
        "sample 1, dog: false alarm",
        "sample 1, sea: miss",
        "sample 2, cat: rightly left out",
        "sample 2, dog: hit",
        "sample 2, sea: rightly left out",
    ]
    assert numbers == shown(Y_TRUE, Y_PRED)
    assert numbers["example_based.f1"] == "3/4" and numbers["hamming.hamming_loss"] == "1/3"
    assert (hit, both) == ("sample 1, sea: hit", "sample 1, dog: hit")
    assert apart == ["sample 2, cat: miss", "sample 2, dog: miss"]
    assert one == shown(Y_TRUE, [[1, 1, 1], [0, 1, 0]])
    assert two == shown([[1, 1, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]])
    assert three == shown([[1, 1, 1], [1, 1, 0]], [[1, 1, 1], [0, 0, 0]])


@on(RANKS, """mount(here, given);
    const tabbed = () => all("[role=grid] button").filter((one) => one.tabIndex === 0).map(nameOf);
    const now = () => nameOf(document.activeElement);
    seen.push(tabbed()); key("sample 1, cat", "ArrowRight"); seen.push(now());
    key("sample 1, dog", "ArrowDown"); key("sample 2, dog", "ArrowDown"); seen.push(now(), tabbed());
    key("sample 2, dog", "t"); seen.push(now()); key("sample 2, dog", "P"); seen.push(now());
    const heard = []; document.addEventListener("keydown", (event) => heard.push(event.key));
    const isFree = (name, key, rest = {}) => find("button", name).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...rest }));
    for (const key of ["t", "ArrowDown", "Tab", "a"]) seen.push(isFree("sample 1, cat", key));
    seen.push(isFree("sample 1, cat", "p", { ctrlKey: true }), heard);""")  # fmt: skip
def test_keys_go_from_cell_to_cell_change_either_side_and_reach_nobody_else(seen):
    *moved, (*free, heard) = *seen[:6], seen[6:]
    assert moved == [
        ["sample 1, cat: hit"], "sample 1, dog: false alarm", "sample 2, dog: hit",
        ["sample 2, dog: hit"], "sample 2, dog: false alarm", "sample 2, dog: rightly left out",
    ]  # fmt: skip
    assert free == [False, False, True, True, True]
    assert heard == ["Tab", "a", "p"]


@on(SETS, """mount(here, given); seen.push(said()); press("sample 1, dog"); seen.push(said());
    press("macro recall"); press("sample 1, dog"); seen.push(said());
    press("Start again"); seen.push(cells()[1], said().split(". ")[0]);""")  # fmt: skip
def test_what_changed_is_said_and_one_can_start_again(seen):
    start, one, two, *again = seen
    assert start == "samples F1 is 3/4."
    before, after = shown(Y_TRUE, Y_PRED), shown(Y_TRUE, [[1, 0, 0], [0, 1, 0]])
    moved = sum(before[key] != after[key] for key in before)
    assert one == (
        f"sample 1, dog: rightly left out. samples F1 was 3/4, is 5/6. {moved} metrics changed."
    )
    assert two == f"sample 1, dog: false alarm. macro recall is 2/3. {moved} metrics changed."
    assert again == ["sample 1, dog: false alarm", "The start"]


@on(SETS, """mount(here, given); const look = () => here.querySelector(".mlm-focus");
    const lines = () => [...look().querySelectorAll("li, .mlm-sum")].map((one) => one.innerText);
    seen.push(lines(), look().querySelector("math").textContent);
    for (const name of ["macro precision", "micro recall", "weighted recall", "subset accuracy"]) { press(name); seen.push(lines()); }
    pick("0/0 is", "left out of the mean"); press("macro precision"); seen.push(lines());""")  # fmt: skip
def test_the_metric_in_focus_shows_its_numbers_put_in(seen):
    f1, formula, macro, micro, weighted, exact, left_out = seen
    assert f1 == ["sample 1: 2/4", "sample 2: 2/2", "(2/4 + 2/2) ÷ 2 = 3/4 = 0.75"]
    assert "".join(formula.split()) == "2|Y∩Z||Y|+|Z|"
    assert macro[2:] == ["sea: 0/0, taken as 0", "(1/1 + 1/2 + 0) ÷ 3 = 1/2 = 0.5"]
    assert micro == ["all cells: 2/3", "2/3 ≈ 0.667"]
    assert weighted[-1] == "(1/1 + 1/1 + 0/1) ÷ 3 = 2/3 ≈ 0.667"
    assert exact[-1] == "(0/1 + 1/1) ÷ 2 = 1/2 = 0.5"
    assert left_out[2:] == ["sea: 0/0, left out", "(1/1 + 1/2) ÷ 2 = 3/4 = 0.75"]


@on(page([[1, 0], [0, 1], [1, 0]], y_score=[[0.9, 0.1], [0.8, 0.2], [0.3, 0.5]]), """mount(here, given);
    const look = () => [...here.querySelectorAll(".mlm-focus > p, .mlm-focus li")].map((one) => one.innerText);
    press("macro AP"); seen.push(look()); press("coverage"); seen.push(look().at(-1));
    press("samples F2"); pick("β", "1/2"); seen.push(look()[0]); press("weighted recall"); seen.push(look().at(-1));""")  # fmt: skip
def test_the_focus_says_what_is_averaged(seen):
    """Positives of label 1 stand at 1 and 3, with precisions 1 and 2/3; that of label 2 at 2, with 1/2."""
    precision, coverage, name, weighted = seen
    assert precision[1:] == ["label 1: 5/6", "label 2: 1/2", "(5/6 + 1/2) ÷ 2 = 2/3 ≈ 0.667"]
    assert coverage == "(1 + 2 + 2) ÷ 3 = 5/3 ≈ 1.667"
    assert name == "samples F0.5 example_based.fbeta"
    assert weighted == "(2 × 1/2 + 1 × 0/1) ÷ 3 = 1/3 ≈ 0.333"


@on(page([[1]], [[1]], labels=["<img src=x onerror=alert(1)>"]), "mount(here, given); seen.push(cells(), all('img').length);")  # fmt: skip
def test_a_name_is_only_ever_text(seen):
    assert seen == [["sample 1, <img src=x onerror=alert(1)>: hit"], 0]


# ---------------------------------------------------------------------------- scores


@on(RANKS, """mount(here, given); const cut = here.querySelector("input[type=range]");
    seen.push([cut.max, cut.value, cut.getAttribute("aria-valuetext")]);
    for (const place of [0, 4, 5]) { set(cut, place, "input"); seen.push([cells().filter((one) => /hit|alarm/.test(one)).length, cut.getAttribute("aria-valuetext"), numbersNow()]); }
    press("sample 1, cat"); seen.push(cut.getAttribute("aria-valuetext"));""")  # fmt: skip
def test_a_cut_slides_through_the_scores(seen):
    """The cuts are 0.2, 0.4, 0.6, 0.8, 0.9, and one above them all."""
    start, all_, one, none, by_hand = seen
    assert start == ["5", "2", "Predicted is what scores at least 0.5."]
    assert all_[:2] == [6, "Predicted is what scores at least 0.2."]
    assert one[:2] == [1, "Predicted is what scores at least 0.9."]
    assert one[2] == shown(Y_TRUE, [[1, 0, 0], [0, 0, 0]], Y_SCORE)
    assert none[:2] == [0, "No score is high enough."]
    assert by_hand == "Predictions are set by hand."


# ---------------------------------------------------------------------------- switches

TIED = (
    [[1, 0, 0], [0, 0, 0], [1, 1, 0]],
    [[0.3, 0.9, 0.3], [0.8, 0.2, 0.2], [0.5, 0.7, 0.7]],
)
"""A tie below and one above an odd score; a sample and a label without a positive."""


@on(page(TIED[0], y_score=TIED[1]), """mount(here, given);
    for (const { says, choices } of given.switches) {
      for (const choice of choices) { pick(says, choice.says); seen.push(numbersNow()); }
      pick(says, choices[0].says);
    }
    pick("k", "3"); seen.push(all(".mlm-metrics button").at(-1).textContent);
    seen.push([...new Set(all(".mlm-metrics button").map((one) => one.textContent.at(-1) + " " + one.title))].sort());""")  # fmt: skip
def test_every_choice_of_every_switch_is_counted(seen):
    *found, name, ways = seen
    given = page(TIED[0], y_score=TIED[1])
    now = TIED[0], given["shown"]["y_pred"], TIED[1]
    switches = [[choice["options"] for choice in one["choices"]] for one in given["switches"]]
    for choices in switches:
        some, found = found[: len(choices)], found[len(choices) :]
        for options, numbers in zip(choices, some, strict=True):
            assert numbers == shown(*now, **options), options
        assert len({str(numbers) for numbers in some}) > 1  # it makes a difference somewhere
    assert name == "nDCG at 3\u00a0↑"
    assert ways == ["↑ higher is better", "↓ lower is better"]


NEW = {**SETS["metrics"][0], "key": "new.metric", "id": "new.metric", "name": "new metric"}


@on({**SETS, "metrics": [*SETS["metrics"], NEW]}, """mount(here, given); const isSeen = (one) => one.checkVisibility();
    for (const fold of all("details")) fold.open = true;
    seen.push(all("select").filter(isSeen).map(nameOf), all("input[type=range]").filter(isSeen).length);
    seen.push(here.innerText.includes("Not in the explorer: new metric."), "new.metric" in numbersNow());""")  # fmt: skip
def test_what_asks_for_scores_or_cannot_be_counted_is_left_out_and_the_last_is_named(seen):
    choices = ["0/0 is", "β"]
    assert seen == [choices, 0, True, False]


# ---------------------------------------------------------------------------- the widget


@on(SETS, """const state = { page: given, shown: given.shown }, heard = {}, sent = [];
    const model = {
      get: (name) => state[name], set: (name, value) => (state[name] = value), save_changes: () => sent.push(state.shown.y_pred),
      on: (name, act) => (heard[name] = act), off: (name) => delete heard[name],
    };
    const end = render({ model, el: here }); press("sample 1, sea"); press("sample 1, dog"); seen.push(sent);
    heard["change:shown"](); seen.push(cells()[2]);
    state.shown = given.shown; heard["change:shown"](); seen.push(cells()[2], numbersNow()["example_based.f1"]);
    end(); seen.push(Object.keys(heard));""")  # fmt: skip
def test_the_widget_tells_its_model_what_is_shown_and_shows_what_that_has(seen):
    sent, kept, back, f1, left = seen
    assert sent == [[[1, 1, 1], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]]]
    assert (kept, back, f1) == ("sample 1, sea: hit", "sample 1, sea: miss", "3/4")
    assert left == []
