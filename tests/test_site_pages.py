"""What the pages of the site say: nothing that the package does not."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from mlm_helpers import (
    catalogue,
    conventions,
    example_based,
    inequalities,
    invariance,
    records,
)
from mlm_helpers.catalogue import METRICS
from mlm_helpers.conventions.identify import brief
from tools import glossary as words
from tools import notebooks
from tools.site.pages import PAGES, api, changes, cite, glossary, questions, tools
from tools.site.pages import inequalities as claims
from tools.site.pages.markdown import code, folded, formula, plain, slug, table

ROOT = Path(__file__).parent.parent
ASKED = questions.questions()
NUMBER = re.compile(r"(?<![\w.])\d+(?:[./]\d+)*")
NOTEBOOKS = [path.stem for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))]


@cache
def written(page: str) -> str:
    return PAGES[page]()


def rows(page: str) -> list[str]:
    return [line for line in written(page).splitlines() if line.startswith("| ")]


# --- pieces


def test_no_sign_of_a_text_is_markup() -> None:
    assert plain("a_b | *c* <d> [e] $f$") == r"a\_b \| \*c\* \<d\> \[e\] \$f\$"


def test_a_bar_ends_no_cell() -> None:
    assert code("a|b") == r"`a\|b`"
    f1 = formula(catalogue.of(example_based.f1))
    assert "|" not in f1 and f1.count(r"\vert") == 6


def test_a_table() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_what_is_folded_has_a_line_and_a_place() -> None:
    assert folded("a < b", "c", "d") == (
        '<details id="d">\n<summary>a &lt; b</summary>\n\nc\n\n</details>'
    )


def test_an_anchor_is_made_of_plain_letters() -> None:
    assert slug("metric", "samples Fβ") == "metric-samples-fbeta"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_one_title_and_places_of_their_own(name: str) -> None:
    text = re.sub(r"```.*?```", "", written(name), flags=re.S)
    assert len(re.findall("^# ", text, re.M)) == 1 and text.lstrip().startswith("# ")
    places = re.findall(r'id="([^"]*)"|^\(([^)]*)\)=$', text, re.M)
    assert [place for place, often in Counter(places).items() if often > 1] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_link_within_a_page_leads_to_a_place(name: str) -> None:
    text = written(name)
    headings = {slug(title) for title in re.findall("^##+ (.*)$", text, re.M)}
    places = {one or other for one, other in re.findall(r'id="([^"]*)"|^\(([^)]*)\)=$', text, re.M)}
    elsewhere = {question.anchor for question in ASKED}
    elsewhere |= {f"mlm_helpers.{metric.id}" for metric in METRICS}  # which autodoc makes
    linked = set(re.findall(r'href="#([^"]*)"|\]\(#([^)]*)\)', text))
    assert {one or other for one, other in linked} <= headings | places | elsewhere


# --- questions


@pytest.mark.parametrize("question", ASKED, ids=lambda question: question.id)
def test_a_question_leads_to_the_cell_that_answers(question: questions.Question) -> None:
    (place,) = questions.places(question)
    cell = notebooks.read(notebooks.NOTEBOOKS / f"{question.notebook}.ipynb").cells[place]
    assert not cell.source.startswith("<"), "Sphinx loses an anchor that stands before raw HTML"
    held = NUMBER.findall(questions.cell_text(cell))
    assert [number for number in NUMBER.findall(question.says) if number not in held] == []
    assert f"[{question.asks}](#{question.anchor})" in written("questions")


def test_every_notebook_answers_some_questions() -> None:
    asked = Counter(question.notebook for question in ASKED)
    assert [name for name in NOTEBOOKS if asked[name] < 2] == []
    assert len({question.asks for question in ASKED}) == len(ASKED)
    ids = [
        anchor
        for name in NOTEBOOKS
        for found in questions.anchors(name).values()
        for anchor in found
    ]
    assert sorted(ids) == sorted({question.anchor for question in ASKED})


def test_an_anchor_stands_at_the_position_of_its_cell() -> None:
    cells = notebooks.read(notebooks.NOTEBOOKS / "02_example_based.ipynb").cells
    (place,) = (
        at
        for at, ids in questions.anchors("02_example_based").items()
        if "answer-perfect-model-half" in ids
    )
    assert "A perfect model scores 0.5" in cells[place].source


# --- what changes if


def test_every_metric_and_change_leads_to_its_reason_or_its_data() -> None:
    found = invariance.all_changes()
    kinds = Counter(type(outcome) for outcome in found.values())
    signs = re.findall(r"<a href=\"#[^\"]*\">(=|\d+)</a>", changes.overview(found))
    assert Counter(sign == "=" for sign in signs) == {
        True: kinds[str],
        False: kinds[invariance.Change],
    }
    assert len(found) == 36 * 9 and changes.overview(found).count("| – ") == kinds[type(None)]


FOLDED = re.compile(r'<details id="(.*?)">\n<summary>(.*?)</summary>\n\n(.*?)\n\n</details>', re.S)
LINK = re.compile(r'<a href="#(.*?)">(.*?)</a>')
CHANGED = {
    "swap": "swap-truth-and-prediction",
    "unused label": "append-an-unused-label",
    "empty sample": "append-an-empty-sample",
    "repeat": "repeat-every-sample",
    "labels&#x27; order": "reorder-labels",
    "samples&#x27; order": "reorder-samples",
    "rescale": "rescale-scores-monotonically",
    "shift": "shift-a-sample-s-scores",
    "flip": "flip-all-cells",
}


def test_a_sign_of_the_table_leads_to_the_outcome_of_its_row_and_column() -> None:
    found = invariance.all_changes()
    folded = {place: (says, body) for place, says, body in FOLDED.findall(written("changes"))}
    head, _, *lines = changes.overview(found).splitlines()
    assert {name: place for place, name in LINK.findall(head)} == CHANGED
    assert [CHANGED[name] for _, name in LINK.findall(head)] == [
        *map(slug, invariance.TRANSFORMATIONS)
    ]
    assert "a number counts the cells (samples × labels)" in " ".join(written("changes").split())
    for name, line in zip(catalogue.variants(), lines, strict=True):
        cells = line.strip("| ").split(" | ")
        assert cells[0] == plain(name)
        for how, cell in zip(invariance.TRANSFORMATIONS, cells[1:], strict=True):
            outcome = found[name, how]
            if outcome is None:
                assert cell == "–"
                continue
            ((place, sign),) = LINK.findall(cell)
            says, body = folded[place]
            if isinstance(outcome, str):
                assert sign == "=" and says.endswith(f"for {html.escape(outcome)}")
                assert plain(name) in body.removesuffix(".").split(", ")
            else:
                assert int(sign) == sum(map(len, outcome.y_true))  # cells, as the page says
                assert says.startswith(f"{name}: {sign} cell") and place.startswith(slug(how))
                is_scored = catalogue.of(outcome.metric).reads == "y_score"
                assert f"| truth | {'scores' if is_scored else 'prediction'} |" in body


def test_the_smallest_change_of_macro_f1_by_hand() -> None:
    """One hit, F1 1; a label beside it that nobody has is 0/0 and counts 0: 1/2."""
    change = invariance.all_changes()["macro F1", "append an unused label"]
    assert isinstance(change, invariance.Change)
    said = changes.example("macro F1", "append an unused label", change)
    assert "macro F1: 1 cell, 1 → 1/2 = 0.5" in said
    assert "| before | 1 | 1 | 1 |\n| after | 1 | 1 0 | 1 0 |" in said


def test_each_change_says_what_it_does() -> None:
    for how, change in invariance.TRANSFORMATIONS.items():
        assert f"\n## {how[0].upper()}{how[1:]}\n\n{change.says}\n\n" in written("changes")


def test_a_change_says_whom_it_never_matters_to() -> None:
    said = changes.section("swap truth and prediction", invariance.all_changes())
    assert "Each takes the place of the other." in said
    why = "misses become false alarms, and the formula counts both alike"
    assert re.search(rf"never changes: \d+ metrics, for {why}</summary>\n\n.*samples F1", said)
    assert 'id="swap-truth-and-prediction-macro-precision"' in said


# --- inequalities


def test_every_claim_stands_with_its_reason_or_its_data() -> None:
    text = written("inequalities")
    for claim in inequalities.ALL:
        assert plain(claim.says) in text or f"{claim.says}: there, " in text
        assert plain(claim.why) in text
    assert text.count("<details") == sum(not claim.why for claim in inequalities.ALL)
    reasons = {plain(claim.says): plain(claim.why) for claim in inequalities.ALL if claim.why}
    assert [line.strip("| ").split(" | ") for line in rows("inequalities")[2:]][: len(reasons)] == [
        list(pair) for pair in reasons.items()
    ]


def test_a_claim_that_fails_by_hand() -> None:
    """Nothing true and nothing said: exactly right, and a Jaccard of 0/0, which counts 0."""
    (claim,) = (one for one in inequalities.ALL if one.says == "subset accuracy ≤ samples Jaccard")
    said = claims.counterexample(claim)
    assert "there, 1 &gt; 0" in said and "| 1 | 0 | 0 |" in said
    assert "subset accuracy 1; samples accuracy (Jaccard) 0." in said


def test_the_data_of_a_claim_that_fails_have_the_truth_first() -> None:
    bodies = [body for _, _, body in FOLDED.findall(written("inequalities"))]
    false = [claim for claim in inequalities.ALL if not claim.why]
    for claim, body in zip(false, bodies, strict=True):
        found = inequalities.refuted(claim)
        assert found is not None
        scored = any(catalogue.of(metric).reads == "y_score" for metric in claim.metrics)
        assert f"| truth | {'scores' if scored else 'prediction'} |" in body
        for place, row in enumerate(found.y_true, start=1):
            assert re.search(rf"^\| {place} \| {' '.join(map(str, row))} \| ", body, re.M)


# --- tools


def test_the_page_counts_what_the_last_run_counted() -> None:
    """Options, departures and differences of a made-up run: 7 + 2 + 1 answers."""
    counts = {"agree by an option": 7, "not expressible by an option": 2, "differ": 1}
    made_up = {"date": "2031-02-03", "counts": {"a tool": counts}, "differ": ["one line"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tools, "last_run", lambda: made_up)
        said = tools.checked()
    assert (
        "held 10 answers" in said
        and "; 1 of them differed" in said
        and "gives 2 of them: those" in said
    )
    assert "; none of them differed" in tools.checked()


def test_run_is_said_of_what_the_last_run_ran() -> None:
    known = {tool.name: tool.known for tool in conventions.TOOLS.values()}
    assert {name for name in known if known[name] == "run"} == set(
        records.load("peers")["versions"]
    )
    assert set(known.values()) == {"run", "recorded run", "read in source"}
    said = " ".join(written("tools").split())
    assert (
        "*Run* says that `make peers` runs a tool anew; *recorded run*, that it was run once"
        in said
    )
    assert "*read in source*, that its numbers are what its published rule gives" in said


def test_every_answer_of_every_tool_stands_there() -> None:
    text = written("tools")
    for tool in conventions.TOOLS.values():
        assert f'id="{slug("tool", tool.name)}"' in text
        for name, found in tool.metrics.items():
            assert f"\n### {name}\n" in text and code(found.call) in text
            for one in found.departures:
                assert plain(one.says) in text and code(str(one.y_true)) in text
        assert all(plain(note.says) in text for note in tool.notes)


def test_a_tool_has_its_own_version_and_a_departure_its_own_input() -> None:
    entries = {place: body for place, _, body in FOLDED.findall(written("tools"))}
    for tool in conventions.TOOLS.values():
        version = records.load("peers")["versions"].get(tool.name, tool.version)
        assert entries[slug("tool", tool.name)].startswith(f"Version: {plain(version)}. ")
        for note in [*tool.notes, *(one for m in tool.metrics.values() for one in m.departures)]:
            given = f"truth {code(str(note.y_true))}, given {code(str(note.y_other))}: "
            assert f"{plain(note.says)}. On {given}{plain(note.shows)}." in written("tools")


def test_an_answer_stands_in_the_line_of_its_tool() -> None:
    for tool in conventions.TOOLS.values():
        for name, found in tool.metrics.items():
            _, _, entry = written("tools").partition(f"\n### {name}\n")
            lines = entry.partition("\n### ")[0].splitlines()
            own = [line for line in lines if line.startswith(f"| {plain(brief(tool.name))} ")]
            assert any(f" | {code(found.call)} | " in line for line in own), (tool.name, name)


def test_how_many_answers_were_held_is_the_sum_of_the_record() -> None:
    counts = records.load("peers")["counts"]
    total = sum(number for found in counts.values() for number in found.values())
    assert f" held {total:,} answers of tools, numbers and refusals," in written("tools")


def test_where_tools_part_their_numbers_are_shown() -> None:
    """A prediction that is empty as it should be: MULAN lets it count 1, scikit-learn 0."""
    reading, case = tools.telling("samples F1") or ("", None)
    assert reading == "samples F1" and case is not None
    rows = dict(re.findall(r"^\| (\S+) \| (.*) \|$", tools.apart(reading, case), re.M))
    assert "scikit-learn" in rows["0"] and "MULAN" in rows["1"] and rows["nan"] == "Spark MLlib"


def test_a_setting_is_shown_where_it_changes_our_options() -> None:
    said = "\n".join(tools.metric_entry("samples F1"))
    assert (
        r"| scikit-learn (zero\_division=1) | `f1_score(average='samples')` | `zero_division=1.0` |"
        in said
    )
    assert (
        "thresholds=5)" not in "\n".join(tools.metric_entry("macro AP")).partition("departure")[0]
    )


# --- quiz


def test_without_scripts_the_first_question_stands_and_of_four_recipes_one_is_right() -> None:
    data, _, without = written("quiz").partition('json">')[2].partition("</script>")
    asked = json.loads(data)["questions"]
    assert f"Which number is this: {asked[0]['number']}?" in without
    assert {(len(one["choices"]), sum(c["right"] for c in one["choices"])) for one in asked} == {
        (4, 1)
    }
    assert "four recipes, one of which gives it. The other three are " in written("quiz")


# --- words, package, citation


def test_every_word_has_its_place_and_its_languages() -> None:
    for term in words.terms():
        said = glossary.entry(term)
        also = f" (also: {', '.join(map(plain, term.also))})" * bool(term.also)
        assert said.startswith(f"({glossary.anchor(term)})=\n**{plain(term.name)}**{also}: ")
        assert all(plain(word) in said for word in term.foreign) and plain(term.means) in said
    (macro,) = (term for term in words.terms() if term.name == "macro")
    assert (
        '<span lang="zh-Hans">简体中文</span> <span lang="zh-Hans">宏观</span>'
        in glossary.entry(macro)
    )


def test_a_word_is_said_in_three_languages_and_where_no_document_has_it_the_mark_says_so() -> None:
    said = {term.name: glossary.entry(term) for term in words.terms()}
    (first,) = (entry for entry in said.values() if "多ラベル分類<" in entry)
    assert re.findall('<span lang="(.*?)">(.*?)</span>', first) == [
        ("zh-Hant", "繁體中文"), ("zh-Hant", "多標籤分類"),
        ("zh-Hans", "简体中文"), ("zh-Hans", "多标签分类"),
        ("ja", "日本語"), ("ja", "多ラベル分類"),
    ]  # fmt: skip
    for term in words.terms():
        assert ("†" in said[term.name]) == (bool(term.foreign) and not term.called)


def test_every_room_has_a_page_with_its_formulas() -> None:
    assert api.rooms()[:2] == ["exact_match", "example_based"] and len(set(api.rooms())) == len(
        api.rooms()
    )
    assert {"scorecard", "conventions", "practice", "uncertainty"} < set(api.rooms())
    for metric in METRICS:
        room = metric.id.partition(".")[0]
        first = (ROOT / f"mlm_helpers/{room}.py").read_text(encoding="utf-8").splitlines()[0]
        assert f"(api/{room}.md): {plain(first.strip(chr(34)))}\n" in written("api")
        assert formula(metric) in written(f"api/{room}")


def test_a_room_shows_what_stands_in_it_alone() -> None:
    assert "Table" in api.elsewhere("worked") and "Table" not in api.elsewhere("board")
    assert not {"solve", "Solution"} & set(api.elsewhere("worked"))
    assert "partial" in api.elsewhere("example_based")
    assert "f1" not in api.elsewhere("example_based")


def test_the_citation_says_what_the_file_says() -> None:
    work = cite.citation()
    assert cite.plain_text(work | {"version": "7.1", "date-released": "2031-02-03"}) == (
        "The contributors of Multi-label metrics by hand (2031). Multi-label metrics by hand, version 7.1."
    )
    entry = cite.bibtex(work | {"date-released": "2031-02-03"})
    assert "  year = {2031},\n" in entry and f"  version = {{{work['version']}}},\n" in entry
    assert "  title = {{Multi-label metrics by hand}}" in entry
    assert entry.count("{") == entry.count("}")
    assert all(name in written("cite") for name in work["license"])


def test_the_licences_of_the_file_are_those_of_the_page() -> None:
    assert set(cite.LICENCES) == set(cite.citation()["license"])
