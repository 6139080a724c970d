"""The explorer on a page, in a real browser: what is clicked, slid, moved and typed is what is counted and said."""

from __future__ import annotations

from functools import partial

import browser
import mounted
import pytest

from mlm_helpers.course.practice.explore import disagree, page, values

pytestmark = browser.needs_chromium

LABELS = ["cat", "dog", "sea"]
Y_TRUE = [[1, 0, 1], [0, 1, 0]]
Y_PRED = [[1, 1, 0], [0, 1, 0]]
Y_SCORE = [[0.9, 0.6, 0.2], [0.4, 0.8, 0.4]]
SETS = page(Y_TRUE, Y_PRED, labels=LABELS)
RANKS = page(Y_TRUE, y_score=Y_SCORE, labels=LABELS)


@pytest.fixture
def seen(tmp_path):
    """What a script sees on the page of an explorer."""
    return partial(mounted.seen, tmp_path)


def shown(y_true, y_pred=None, y_score=None, **options):
    """The package's numbers of what should be on the screen."""
    return values({"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "options": options})


# ---------------------------------------------------------------------------- the grid


def test_a_cell_says_what_it_is_and_every_metric_its_number(seen):
    cells, numbers = seen(SETS, "mount(here, given); seen.push(cells(), numbersNow());")
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


def test_truth_and_prediction_are_toggled_apart(seen):
    act = """mount(here, given);
    press("sample 1, sea"); seen.push(cells()[2], numbersNow());
    find("label", "the truth").click(); press("sample 1, dog"); seen.push(cells()[1], numbersNow());
    press("sample 2, cat"); seen.push(cells()[3], numbersNow());
    find("label", "the prediction").click(); press("sample 2, dog"); seen.push(cells()[4], numbersNow());"""
    found = seen(SETS, act)
    assert found[::2] == [f"{at}: {word}" for at, word in (
        ("sample 1, sea", "hit"), ("sample 1, dog", "hit"), ("sample 2, cat", "miss"), ("sample 2, dog", "miss")
    )]  # fmt: skip
    assert found[1] == shown(Y_TRUE, [[1, 1, 1], [0, 1, 0]])
    assert found[3] == shown([[1, 1, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]])
    assert found[7] == shown([[1, 1, 1], [1, 1, 0]], [[1, 1, 1], [0, 0, 0]])


def test_keys_go_from_cell_to_cell_and_change_either_side(seen):
    act = """mount(here, given);
    const tabbed = () => all("[role=grid] button").filter((one) => one.tabIndex === 0).map(nameOf);
    seen.push(tabbed()); key("sample 1, cat", "ArrowRight"); seen.push(nameOf(document.activeElement));
    key("sample 1, dog", "ArrowDown"); key("sample 2, dog", "ArrowDown"); seen.push(nameOf(document.activeElement), tabbed());
    key("sample 2, dog", "t"); seen.push(nameOf(document.activeElement)); key("sample 2, dog", "P"); seen.push(nameOf(document.activeElement));"""
    assert seen(SETS, act) == [
        ["sample 1, cat: hit"], "sample 1, dog: false alarm", "sample 2, dog: hit",
        ["sample 2, dog: hit"], "sample 2, dog: false alarm", "sample 2, dog: rightly left out",
    ]  # fmt: skip


def test_what_changed_is_said(seen):
    act = """mount(here, given); seen.push(said()); press("sample 1, dog"); seen.push(said());
    press("macro recall"); press("sample 1, dog"); seen.push(said(), here.querySelector(".mlm-said").getAttribute("role"));"""
    start, one, two, role = seen(SETS, act)
    assert start == "samples F1 is 3/4."
    before, after = shown(Y_TRUE, Y_PRED), shown(Y_TRUE, [[1, 0, 0], [0, 1, 0]])
    moved = sum(before[key] != after[key] for key in before)
    assert one == (
        f"sample 1, dog: rightly left out. samples F1 was 3/4, is 5/6. {moved} metrics changed."
    )
    assert two == f"sample 1, dog: false alarm. macro recall is 2/3. {moved} metrics changed."
    assert role == "status"


def test_the_metric_in_focus_shows_its_numbers_put_in(seen):
    act = """mount(here, given); const look = () => here.querySelector(".mlm-focus");
    const lines = () => [...look().querySelectorAll("li, .mlm-sum")].map((one) => one.innerText);
    seen.push(lines(), look().querySelector("math").textContent);
    for (const name of ["macro precision", "micro recall", "weighted recall", "subset accuracy"]) { press(name); seen.push(lines()); }
    pick("0/0 is", "left out of the mean"); press("macro precision"); seen.push(lines());"""
    f1, formula, macro, micro, weighted, exact, left_out = seen(SETS, act)
    assert f1 == ["sample 1: 2/4", "sample 2: 2/2", "(2/4 + 2/2) ÷ 2 = 3/4 = 0.75"]
    assert formula == "2|Y∩Z||Y|+|Z|"
    assert macro[2:] == ["sea: 0/0, taken as 0", "(1/1 + 1/2 + 0) ÷ 3 = 1/2 = 0.5"]
    assert micro == ["all cells: 2/3", "2/3 ≈ 0.667"]
    assert weighted[-1] == "(1/1 + 1/1 + 0/1) ÷ 3 = 2/3 ≈ 0.667"
    assert exact[-1] == "(0/1 + 1/1) ÷ 2 = 1/2 = 0.5"
    assert left_out[2:] == ["sea: 0/0, left out", "(1/1 + 1/2) ÷ 2 = 3/4 = 0.75"]


def test_a_weighted_mean_shows_its_weights(seen):
    given = page([[1, 0], [1, 1]], [[1, 0], [1, 0]])
    act = 'mount(here, given); press("weighted recall"); seen.push(here.querySelector(".mlm-sum").innerText);'
    assert seen(given, act) == ["(2 × 2/2 + 1 × 0/1) ÷ 3 = 2/3 ≈ 0.667"]


def test_keys_that_it_takes_reach_nobody_else(seen):
    act = """mount(here, given); const heard = [];
    document.addEventListener("keydown", (event) => heard.push(event.key));
    const isFree = (name, key, rest = {}) => find("button", name).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...rest }));
    for (const key of ["t", "ArrowDown", "Tab", "a"]) seen.push(isFree("sample 1, cat", key));
    seen.push(isFree("rank 1, cat", "ArrowDown"), isFree("rank 1", "x"), isFree("sample 1, cat", "p", { ctrlKey: true }), heard);"""
    *free, heard = seen(RANKS, act)
    assert free == [False, False, True, True, False, True, True]
    assert heard == ["Tab", "a", "x", "p"]


def test_bars_move(seen):
    act = """mount(here, given); const bar = (key) => here.querySelector(`[data-metric="${key}"]`).closest("tr").querySelector(".mlm-bar span").style.width;
    for (const key of ["example_based.f1", "ranking.coverage", "ranking.one_error"]) seen.push(bar(key));
    press("sample 1, dog"); seen.push(bar("example_based.f1")); pick("The top rank is", "0"); seen.push(bar("ranking.coverage"));"""
    # Coverage is 3 and 1 of 1 to 3: the mean of the depths, 2, is half way; as is 1 of 0 to 2.
    start, coverage, one_error, later, from_0 = seen(RANKS, act)
    assert from_0 == coverage
    assert (start, coverage, one_error) == ("75%", "50%", "0%")
    assert later == f"{100 * (2 / 3 + 1) / 2:.4f}%"


# ---------------------------------------------------------------------------- scores


def test_a_cut_slides_through_the_scores(seen):
    act = """mount(here, given); const cut = here.querySelector("input[type=range]");
    seen.push([cut.max, cut.value, cut.getAttribute("aria-valuetext")]);
    for (const place of [0, 4, 5]) { set(cut, place, "input"); seen.push([cells().filter((one) => /hit|alarm/.test(one)).length, cut.getAttribute("aria-valuetext"), numbersNow()]); }
    press("sample 1, cat"); seen.push(cut.getAttribute("aria-valuetext"));"""
    start, all_, one, none, by_hand = seen(RANKS, act)
    assert start == [
        "5",
        "2",
        "Predicted is what scores at least 0.5.",
    ]  # 0.2, 0.4, 0.6, 0.8, 0.9, none
    assert all_[:2] == [6, "Predicted is what scores at least 0.2."]
    assert one == [
        1,
        "Predicted is what scores at least 0.9.",
        shown(Y_TRUE, [[1, 0, 0], [0, 0, 0]], Y_SCORE),
    ]
    assert none[:2] == [0, "No score is high enough."]
    assert by_hand == "Predictions are set by hand."


def test_ranks_are_moved_by_keys_and_buttons(seen):
    act = """mount(here, given); seen.push(places());
    key("rank 3, sea", "ArrowUp"); seen.push(places(), nameOf(document.activeElement), cells().slice(0, 3), numbersNow());
    press("Down"); press("Down"); seen.push(places());
    pick("Ranks of", "sample 2"); seen.push(places());
    key("rank 3, sea", "="); seen.push(places());
    press("rank 2, cat"); press("Tie with"); seen.push(places(), numbersNow());"""
    start, up, focused, outcomes, numbers, down, second, parted, tied, last = seen(RANKS, act)
    assert start == [
        "rank 1, cat, relevant, score 0.9",
        "rank 2, dog, irrelevant, score 0.6",
        "rank 3, sea, relevant, score 0.2",
    ]
    assert [place.split(", ")[1] for place in up] == ["cat", "sea", "dog"]
    assert focused == "rank 2, sea, relevant, score 0.6"
    assert outcomes == [
        "sample 1, cat: hit",
        "sample 1, dog: rightly left out",
        "sample 1, sea: hit",
    ]
    assert numbers == shown(Y_TRUE, [[1, 0, 1], [0, 1, 0]], [[0.9, 0.2, 0.6], Y_SCORE[1]])
    assert down == start
    assert second[1:] == [
        "rank 3, cat, irrelevant, score 0.4",
        "rank 3, sea, irrelevant, score 0.4",
    ]
    assert parted[1:] == [
        "rank 2, cat, irrelevant, score 0.4",
        "rank 3, sea, irrelevant, score 0.3",
    ]
    assert tied[:2] == ["rank 2, cat, irrelevant, score 0.8", "rank 2, dog, relevant, score 0.8"]
    assert last == shown(Y_TRUE, [[1, 1, 0], [1, 1, 0]], [Y_SCORE[0], [0.8, 0.8, 0.3]])


def test_a_tie_is_with_the_nearest_above(seen):
    act = """mount(here, given); press("rank 3, sea"); press("Tie with"); seen.push(places());
    press("rank 1, cat"); press("Tie with"); seen.push(places()); press("Up"); seen.push(places());"""
    tied, top, up = seen(RANKS, act)
    assert tied[1:] == ["rank 3, dog, irrelevant, score 0.6", "rank 3, sea, relevant, score 0.6"]
    assert up == top == tied  # nothing is above the first


def test_a_name_is_only_ever_text(seen):
    given = page([[1]], [[1]], labels=["<img src=x onerror=alert(1)>"])
    act = "mount(here, given); seen.push(cells(), all('img').length);"
    assert seen(given, act) == [["sample 1, <img src=x onerror=alert(1)>: hit"], 0]


def test_a_label_is_dragged_to_another_place(seen):
    act = """mount(here, given);
    const drag = (from, to) => {
      find("button", from).dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      const target = find("button", to);
      target.scrollIntoView();
      const { x, y } = target.getBoundingClientRect();
      target.dispatchEvent(new PointerEvent("pointerup", { bubbles: true, clientX: x + 9, clientY: y + 9 }));
    };
    drag("rank 3, sea", "rank 1, cat"); seen.push(places()); drag("rank 2, cat", "rank 2, cat"); seen.push(places());"""
    one, same = seen(RANKS, act)
    assert [place.split(", ")[1] for place in one] == ["sea", "cat", "dog"]
    assert same == one


def test_switches_choose_conventions(seen):
    y_true = [[1, 0, 1], [0, 0, 0]]
    given = page(y_true, y_score=Y_SCORE, labels=LABELS)
    act = """mount(here, given); pick("Ranks of", "sample 2"); pick("Ties", "tied labels share the first rank"); seen.push(numbersNow(), places());
    pick("0/0 is", "1"); seen.push(numbersNow()); pick("0/0 is", "1 where both sets are empty"); seen.push(numbersNow());
    pick("0/0 is", "as each metric has it"); pick("Ties", "as each metric has it"); pick("k", "3"); seen.push(numbersNow(), all(".mlm-metrics button").at(-1).innerText);
    seen.push(all(".mlm-metrics button").map((one) => one.innerText.at(-1) + " " + one.title));"""
    ties, places, one, agree, k, name, ways = seen(given, act)
    now = y_true, [[1, 1, 0], [0, 1, 0]], Y_SCORE
    assert ties == shown(*now, ties="best")
    assert places[1].startswith("rank 2, cat") and places[2].startswith("rank 2, sea")
    assert one == shown(*now, ties="best", zero_division=1, undefined=1)
    assert agree == shown(*now, ties="best", zero_division="agree")
    assert k == shown(*now, k=3)
    assert name == "nDCG at 3\u00a0↑"
    assert set(ways) == {"↑ higher is better", "↓ lower is better"}


def test_every_choice_of_every_switch_is_counted(seen):
    """Above an odd score of a tie, and with a sample and a label without a positive."""
    y_true, y_score = (
        [[1, 0, 0], [0, 0, 0], [1, 1, 0]],
        [[0.3, 0.9, 0.3], [0.8, 0.2, 0.2], [0.5, 0.7, 0.7]],
    )
    act = """mount(here, given);
    for (const { says, choices } of given.switches) {
      for (const choice of choices) { pick(says, choice.says); seen.push(numbersNow()); }
      pick(says, choices[0].says);
    }"""
    given = page(y_true, y_score=y_score)
    now = y_true, given["shown"]["y_pred"], y_score
    choices = [choice["options"] for one in given["switches"] for choice in one["choices"]]
    found = seen(given, act)
    for options, numbers in zip(choices, found, strict=True):
        assert numbers == shown(*now, **options), options
    for one in given["switches"]:  # each choice is another number somewhere
        some = [
            numbers
            for numbers, options in zip(found, choices, strict=True)
            if options in [c["options"] for c in one["choices"]]
        ]
        assert len({str(numbers) for numbers in some}) > 1


def test_the_focus_says_what_is_averaged(seen):
    """Positives of label 1 stand at 1 and 3, with precisions 1 and 2/3; that of label 2 at 2, with 1/2."""
    act = """mount(here, given); const look = () => [...here.querySelectorAll(".mlm-focus > p, .mlm-focus li")].map((one) => one.innerText);
    press("macro AP"); pick("Interpolation", "at 11 recalls"); seen.push(look()); pick("Interpolation", "at every recall"); seen.push(look());
    pick("Interpolation", "none"); seen.push(here.querySelector(".mlm-focus math") !== null);
    press("coverage"); pick("The top rank is", "0"); seen.push(look().at(-1)); press("samples F2"); pick("β", "1/2"); seen.push(look()[0]);"""
    given = page([[1, 0], [0, 1], [1, 0]], y_score=[[0.9, 0.1], [0.8, 0.2], [0.3, 0.5]])
    eleven, every, is_formula, coverage, name = seen(given, act)
    assert eleven[1:] == [
        "The mean, over the recalls 0, 1/10, …, 1, of the largest precision there or beyond.",
        "label 1: 28/33",  # (6 × 1 + 5 × 2/3) ÷ 11
        "label 2: 1/2",
        "(28/33 + 1/2) ÷ 2 = 89/132 ≈ 0.674",
    ]
    assert every[1:3] == [
        "The mean, over the recalls that are reached, of the largest precision there or beyond.",
        "label 1: 5/6",
    ]
    assert is_formula
    assert coverage == "(0 + 1 + 1) ÷ 3 = 2/3 ≈ 0.667"
    assert name == "samples F0.5 example_based.fbeta"


def test_without_scores_nothing_asks_for_them(seen):
    act = """mount(here, given); const isSeen = (one) => one.checkVisibility();
    seen.push(all("select").filter(isSeen).map(nameOf), all("input[type=range]").filter(isSeen).length, places());"""
    assert seen(SETS, act) == [
        ["0/0 is", "β", "Challenge", "First metric", "Second metric"], 0, []
    ]  # fmt: skip


# ---------------------------------------------------------------------------- disagreement, challenge


def test_data_are_found_where_two_disagree(seen):
    act = """mount(here, given); pick("First metric", "subset accuracy"); pick("Second metric", "Hamming loss"); press("Find"); await rest(200);
    seen.push(cells(), here.querySelector(".mlm-found").innerText.split("\\n").filter(Boolean)); press("Show the second"); seen.push(cells());
    press("Start again"); seen.push(cells().length);
    pick("Second metric", "zero-one loss"); press("Find"); await rest(500); seen.push(here.querySelector(".mlm-found").innerText);
    pick("Second metric", "subset accuracy"); press("Find"); seen.push(here.querySelector(".mlm-found").innerText);"""
    first, words, second, length, none, same = seen(SETS, act)
    expected = disagree("exact_match.subset_accuracy", "hamming.hamming_loss", {})
    names = [["rightly left out", "false alarm"], ["miss", "hit"]]
    for found, side in ((first, "first"), (second, "second")):
        data = expected[side]
        outcomes = [
            names[t][p]
            for rows in zip(data["y_true"], data["y_pred"], strict=True)
            for t, p in zip(*rows, strict=True)
        ]
        assert [cell.partition(": ")[2] for cell in found] == outcomes
    assert words[:2] == [
        "subset accuracy: first 1/2, second 0; it prefers the first.",
        "Hamming loss: first 1/2, second 1/3; it prefers the second.",
    ]
    assert length == 6
    assert none == "None on data this small."
    assert same == "Choose two different metrics."


def test_a_challenge_is_met(seen):
    act = """mount(here, given); pick("Challenge", "samples F1 above 1/2, subset accuracy 0"); seen.push(said());
    press("sample 2, sea"); seen.push(said()); press("sample 2, sea"); seen.push(said());"""
    start, met, lost = seen(SETS, act)
    assert start.startswith("Reach: samples F1 above 1/2") and "Challenge met" not in start + lost
    assert met.endswith(" Challenge met.")


# ---------------------------------------------------------------------------- with a kernel


def test_the_kernel_is_told_and_its_numbers_stand(seen):
    act = """const told = [], asked = [];
    const explorer = mount(here, given, { show: (shown) => told.push(shown), search: (...pair) => asked.push(pair) });
    press("sample 1, sea"); press("sample 1, dog"); seen.push(told.map(({ turn, y_pred }) => [turn, y_pred]));
    const answer = (turn, number) => explorer.receive({ turn, values: { ...numbersNow(), "example_based.f1": number } });
    answer(1, "7/8"); seen.push(numbersNow()["example_based.f1"]); answer(2, "8/9"); seen.push(numbersNow()["example_based.f1"]);
    press("Find"); seen.push(asked);
    explorer.found(null); seen.push(here.querySelector(".mlm-found").innerText);"""
    told, late, now, asked, none = seen(SETS, act)
    assert told == [[1, [[1, 1, 1], [0, 1, 0]]], [2, [[1, 0, 1], [0, 1, 0]]]]
    assert late == "1"  # the kernel's answer to what was shown before
    assert now == "8/9"
    assert asked == [["example_based.f1", "exact_match.subset_accuracy", {"k": 1}]]
    assert none == "None on data this small."


def test_the_widget_speaks_with_its_model(seen):
    act = """const state = { page: given, shown: given.shown, counted: { turn: 0, values: { "example_based.f1": "1/7" } } };
    const heard = {}, sent = [];
    const model = {
      get: (name) => state[name], set: (name, value) => (state[name] = value), save_changes: () => sent.push(state.shown.turn),
      send: (message) => sent.push(message), on: (name, act) => (heard[name] = act), off: (name) => delete heard[name],
    };
    const end = render({ model, el: here }); seen.push(numbersNow()["example_based.f1"]);
    press("sample 1, sea"); seen.push(sent.slice()); press("Find"); seen.push(sent.at(-1));
    state.counted = { turn: 1, values: { "example_based.f1": "2/7" } }; heard["change:counted"](); seen.push(numbersNow()["example_based.f1"]);
    state.shown = { ...given.shown, turn: 5 }; heard["change:shown"](); seen.push(cells()[2]);
    const side = { ...given.shown, y_pred: given.shown.y_true }; heard["msg:custom"]({ found: { first: side, second: given.shown } }); seen.push(cells()[2]);
    end(); seen.push(Object.keys(heard));"""
    first, sent, asked, counted, back, found, left = seen(SETS, act)
    assert (first, counted) == ("1/7", "2/7")
    assert sent == [1]
    assert asked == {
        "a": "example_based.f1", "b": "exact_match.subset_accuracy", "options": {"k": 1}
    }  # fmt: skip
    assert (back, found) == ("sample 1, sea: miss", "sample 1, sea: hit")
    assert left == []


def test_a_metric_that_the_module_does_not_know_needs_a_kernel(seen):
    new = {**SETS["metrics"][0], "key": "new.metric", "id": "new.metric", "name": "new"}
    given = {**SETS, "metrics": [*SETS["metrics"], new]}
    act = """const explorer = mount(here, given); seen.push(numbersNow()["new.metric"]);
    explorer.receive({ turn: 0, values: { ...numbersNow(), "new.metric": "1/3" } }); press("new"); seen.push(numbersNow()["new.metric"]);
    pick("First metric", "new"); press("Find"); seen.push(here.querySelector(".mlm-found").innerText);"""
    assert seen(given, act) == ["needs a kernel", "1/3", "That needs a kernel."]


# ---------------------------------------------------------------------------- its look


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone_and_all_is_legible(tmp_path, theme):
    assert mounted.is_legible(tmp_path, RANKS, "mount(here, given);", theme, least=100)
