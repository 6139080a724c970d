"""The decks: what a walkthrough needs is on the slides, in the notebook's own words and at their size."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

import pytest
from nbformat import v4

from mlm_helpers.course import documents, figures
from mlm_helpers.course.practice.page import board, page
from tools.notebooks import NOTEBOOKS, read
from tools.slides import decks, size, usual

CHOICES = decks.choices()
DECKS = {name: decks.deck(name, chosen) for name, chosen in CHOICES.items()}
NAMES = sorted(CHOICES)


def slides(name):
    """The cells of each slide, as a reader sees them."""
    found = []
    for cell in DECKS[name].cells:
        if decks.UNSEEN in cell.metadata.get("tags", ()):
            continue
        if cell.metadata.slideshow.slide_type == "slide":
            found.append([])
        found[-1].append(cell)
    return found


def kind(slide):
    return slide[0].metadata.tags[0]


def notes(slide):
    return "".join(c.source for c in slide if c.metadata.slideshow.slide_type == "notes")


def shows_picture(slide):
    html = "".join(c.source if c.cell_type == "markdown" else size.html_of(c) for c in slide)
    return "<img" in html or "<table" in html


def test_every_notebook_has_a_deck():
    assert [file.stem for file in sorted(NOTEBOOKS.glob("*.ipynb"))] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_goes_from_the_question_to_what_to_remember(name):
    deck = slides(name)
    kinds = list(map(kind, deck))
    assert 15 <= len(deck) <= 30
    assert kinds[0] == "title" and deck[0][0].source.startswith("# ")
    assert deck[1][0].source == "## The question" and deck[-1][0].source == "## To remember"
    first = kinds.index("predict")
    assert any(shows_picture(slide) for slide in deck[: first + 3])


@pytest.mark.parametrize("name", NAMES)
def test_after_a_question_there_is_a_pause_a_note_and_an_answer(name):
    deck = slides(name)
    asked = [place for place, slide in enumerate(deck) if kind(slide) == "predict"]
    assert asked
    for place in asked:
        seen = [c.source for c in deck[place] if c.metadata.slideshow.slide_type != "notes"]
        assert "?" in "".join(seen[1:]) or "before you go on" in "".join(seen)
        assert seen[-1] == decks.PAUSE
        assert notes(deck[place])
        assert kind(deck[place + 1]) in ("answer", "plain")


@pytest.mark.parametrize("name", NAMES)
def test_no_slide_announces_what_it_does_not_show(name):
    for slide in slides(name):
        last = [c for c in slide if c.metadata.slideshow.slide_type != "notes"][-1]
        assert last.cell_type == "code" or not last.source.endswith(":")


@pytest.mark.parametrize("name", NAMES)
def test_every_word_is_the_notebooks(name):
    cells = read(NOTEBOOKS / f"{name}.ipynb").cells
    words = " ".join(" ".join(c.source for c in cells if c.cell_type == "markdown").split())
    for cell in DECKS[name].cells:
        is_text = cell.cell_type == "markdown" and cell.metadata.slideshow.slide_type != "notes"
        if is_text and cell.source != decks.PAUSE and not cell.source.startswith("<div"):
            source = cell.source.removeprefix("**Predict").strip("*#| \n")
            for part in source.split("\n"):
                assert " ".join(part.split()) in words


@pytest.mark.parametrize("name", NAMES)
def test_code_on_a_slide_has_at_most_ten_lines_and_a_kernel_gets_all_of_it(name):
    code = [cell for cell in DECKS[name].cells if cell.cell_type == "code"]
    seen = [cell for cell in code if not cell.metadata.jupyter.source_hidden]
    assert all(len(cell.source.splitlines()) <= 10 for cell in seen)
    cells = decks.walkthrough(read(NOTEBOOKS / f"{name}.ipynb").cells)
    assert [c.source for c in code] == [c.source for c in cells if c.cell_type == "code"]
    assert [c.outputs for c in code] == [c.outputs for c in cells if c.cell_type == "code"]


def test_an_eleventh_line_hides_code():
    output = [v4.new_output("stream", text="1\n")]
    ten = v4.new_code_cell("\n".join(["print(1)"] * 10), outputs=output)
    eleven = v4.new_code_cell("\n".join(["print(1)"] * 11), outputs=output)
    assert size.shows_code(ten) and not size.shows_code(eleven)


@pytest.mark.parametrize(
    ("chosen", "count"),
    [({"leave": ["no such words"]}, 0), ({"notes": {"samples": "…"}}, "[0-9]+"), ({"beside": "no such"}, 0)],
)  # fmt: skip
def test_a_phrase_that_is_not_in_exactly_one_cell_is_refused(chosen, count):
    with pytest.raises(decks.DeckError, match=f"01_exact_match: “.*” stands in {count} cells"):
        decks.deck("01_exact_match", chosen)


def test_a_note_for_what_no_slide_shows_is_refused():
    chosen = {"leave": ["Two rows are equal"], "notes": {"Two rows are equal": "…"}}
    with pytest.raises(decks.DeckError, match="no slide shows “Two rows are equal”"):
        decks.deck("01_exact_match", chosen)


def test_what_is_to_be_said_is_in_the_notes_and_on_no_slide():
    deck = DECKS["01_exact_match"].cells
    (note,) = (cell for cell in deck if "Nothing smaller exists." in cell.source)
    assert note.metadata.slideshow.slide_type == "notes"
    assert "figures.disagreement(found)" in deck[deck.index(note) - 1].source


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("word " * 14, 1),
        ("word " * 15, 2),
        (f"[word](https://example.org/{'long' * 20})", 1),
        ("字" * 36, 1),
        ("字" * 37, 2),
    ],
)
def test_a_paragraph_is_as_high_as_its_lines_as_a_reader_sees_them(text, lines):
    assert size.text_height(text) == 42 * lines + 14


def test_a_printed_line_that_is_too_long_takes_two():
    assert size.code_height("1" * 101, 22) == 1.3 * 18 + 22
    assert size.code_height("1" * 102, 22) == 1.3 * 18 * 2 + 22


@pytest.mark.parametrize(
    ("before", "part", "expected"),
    [
        (["text", "picture"], "It shows …", []),  # as much would be torn off as stays
        (["text " * 50, "picture"], "It shows …", ["picture"]),
        (["text " * 50, "Look at it:", "picture"], "It shows …", ["Look at it:", "picture"]),
        (["Look at it:", "picture"], "It shows …", []),  # nothing would stay
        (["text " * 50, "picture"], "Now the next:", []),
        (["text " * 50, "picture"], "$$1$$", []),  # a formula tells nothing of a picture
        (["text", "Now the next."], "picture", ["Now the next."]),
        (["text " * 50, "picture"], "text " * 130, []),  # has no room beside
    ],
)
def test_what_goes_along_to_a_new_slide(before, part, expected):
    picture = v4.new_output("display_data", {"text/html": "<img>"})
    cells = {"picture": v4.new_code_cell("figures.show(a)", outputs=[picture])}
    parts = [cells.get(one, one) for one in before]
    found = decks.along(parts, cells.get(part, part))
    assert found == [cells.get(one, one) for one in expected]


def test_a_long_paragraph_ends_with_a_whole_sentence_and_the_rest_is_said():
    text = "Is **this bold?** Yes. It says (once) “stop.” And e.g. this: goes on. " + "Long. " * 60
    shown, rest = decks.shortened(text.strip())
    assert f"{shown} {rest}" == text.strip()
    assert len(size.seen(shown)) < size.LONG and shown.startswith("Is **this bold?** Yes.")
    assert decks.shortened("* a list. " * 60)[1] == ""
    assert decks.shortened("Long. " * 60 + "This shows it:")[1] == ""
    assert decks.shortened(f"[A link](https://example.org/{'long' * 70}). The rest.")[1] == ""


# ---------------------------------------------------------------------------- the data in `decks.toml`

WITH_EXPLORER = [name for name in NAMES if "metrics" in CHOICES[name].get("data", {})]


def test_the_explorer_stands_where_the_notebooks_have_it():
    has_it = [name for name in NAMES if any(map(size.is_explorer, DECKS[name].cells))]
    assert has_it == WITH_EXPLORER


@pytest.mark.parametrize("name", WITH_EXPLORER)
def test_the_explorer_starts_with_the_data_of_its_notebook(name):
    data = CHOICES[name]["data"]
    start = page(**{key: data[key] for key in data if key != "metrics"})
    cell = next(cell for cell in DECKS[name].cells if size.is_explorer(cell))
    assert board(start["shown"])._repr_html_() in size.html_of(cell)
    assert {*data["metrics"]} <= {metric["key"] for metric in start["metrics"]}
    assert "example_based.f1" in data["metrics"]  # the module looks at it first


def test_other_data_are_those_of_their_notebooks():
    guide = documents.SKLEARN_GUIDE
    for name in ("01_exact_match", "03_hamming_loss"):
        assert CHOICES[name]["data"] == {"y_true": guide.y_true, "y_pred": guide.y_pred}
    source = next(c.source for c in DECKS["07_top_k"].cells if "y_score = [[" in c.source)
    for name in ("y_true", "y_score"):
        literal = re.search(rf"^{name} = (.*)$", source, re.MULTILINE)[1]
        assert CHOICES["07_top_k"]["data"][name] == ast.literal_eval(literal)
    assert [*figures.PHOTOS] == [CHOICES["06_curves"]["data"][key] for key in ("y_true", "y_score")]


def test_the_usual_answers_are_the_numbers_that_the_mistakes_make():
    """By hand, for the data of notebook 03: of 3, 2 and 4 named cells 2, 0 and 3 are wrong."""
    by_named = (Fraction(2, 3) + Fraction(0, 2) + Fraction(3, 4)) / 3
    data = CHOICES["03_hamming_loss"]["data"]
    said = usual.answers({"metric": "hamming.hamming_loss"}, data)
    assert said.startswith("Hamming loss is 5/12 ≈ 0.417. Other answers: ")
    assert f"{by_named} ≈ 0.472 if the wrong cells are divided by the labels that are true" in said
    assert "5/3 ≈ 1.667 if the wrong cells are divided by the number of samples alone" in said


def test_of_the_other_metrics_those_of_the_family_are_told():
    """By hand, for notebook 02: hits 1, 1 and 2, of 1, 2 and 3 predicted labels and 3, 2 and 2 true ones."""
    precision, recall = (1 + Fraction(1, 2) + Fraction(2, 3)) / 3, (Fraction(1, 3) + Fraction(1, 2) + 1) / 3  # fmt: skip
    jaccard = (Fraction(1, 3) + Fraction(1, 3) + Fraction(2, 3)) / 3
    said = usual.answers({"metric": "example_based.f1"}, CHOICES["02_example_based"]["data"])
    assert said.endswith(
        f"; {jaccard} ≈ 0.444 is samples accuracy (Jaccard); {precision} ≈ 0.722 is samples precision;"
        f" {recall} ≈ 0.611 is samples recall."
    )


@pytest.mark.parametrize("name", [name for name in NAMES if "usual" in CHOICES[name]])
def test_the_right_number_of_the_usual_answers_is_printed_on_a_slide(name):
    seen = " ".join(
        f"{cell.source} {size.printed_by(cell)} {size.html_of(cell)}" if cell.cell_type == "code" else cell.source
        for slide in slides(name) for cell in slide if cell.metadata.slideshow.slide_type != "notes"
    )  # fmt: skip
    for asked in CHOICES[name]["usual"].values():
        right = (
            usual.answers(asked, CHOICES[name]["data"]).split(" is ")[1].split(".")[0].split(" ")[0]
        )
        assert right in seen
