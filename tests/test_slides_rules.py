"""The rules of a deck, on cells small enough to say by hand what is on which slide."""

from __future__ import annotations

from nbformat import v4

from tools.slides import decks, size
from tools.slides.decks import Slide

text = v4.new_markdown_cell
PICTURE = '<img alt="a grid" src="data:,">'


def code(source, html="", printed=""):
    outputs = [v4.new_output("display_data", {"text/html": html})] if html else []
    outputs += [v4.new_output("stream", text=printed)] if printed else []
    return v4.new_code_cell(source, outputs=outputs)


def seen(slides):
    return [(slide.heading, slide.kind, slide.parts, slide.notes) for slide in slides]


# ---------------------------------------------------------------------------- what is on a slide


def test_the_title_says_what_you_will_be_able_to_do_and_what_you_need():
    title = decks.title("# Rows\n\nYou will be able to count.\n\nYou need a pencil.\n\nMore.")
    said = ["You will be able to count.", "You need a pencil."]
    assert seen([title]) == [("Rows", "title", said, [])]


def test_an_answer_stands_on_the_next_slide_and_in_the_notes_of_the_question():
    cells = [
        text("## Count\n\nPredict: how many?"),
        text("<details><summary>Answer</summary>\n\nTwo, and both in row 3.\n\n</details>"),
        text("Go on."),
    ]
    told = "Two, and both in row 3."
    assert seen(decks.body(cells, {})) == [
        ("Count", "predict", ["Predict: how many?"], [told]),
        ("Answer", "answer", [told], []),
        ("Answer", "plain", ["Go on."], []),
    ]


def test_a_folded_prediction_asks_with_its_summary():
    cells = [
        text("## Count\n\nThree rows.\n\n<details><summary>Predict: how many?</summary>\n\nTwo.\n\n</details>")
    ]  # fmt: skip
    assert seen(decks.body(cells, {})) == [
        ("Count", "predict", ["Three rows.", "**Predict: how many?**"], ["Two."]),
        ("Count", "answer", ["Two."], []),
    ]


def test_what_does_not_fit_goes_to_another_slide_of_that_heading():
    formula = "$$x$$"  # four fit, five are too high
    assert 4 * size.height(formula) < size.ROOM < 5 * size.height(formula)
    slides = decks.body([text("## Sum\n\n" + "\n\n".join([formula] * 5))], {})
    assert seen(slides) == [
        ("Sum", "plain", [formula] * 4, []),
        ("Sum", "plain", [formula], []),
    ]


def test_a_list_is_shown_whole():
    for mark in ("1.", "* one.", "> one.", "| one. |"):
        long = f"{mark} A sentence. " + "Another. " * 60
        assert decks.shortened(long) == (long, "")


def test_large_type_needs_room_and_neither_code_nor_picture():
    short, formula = Slide("", parts=["Short."]), "$$x$$"
    assert short.tags == ["plain", "large"]
    assert Slide("", "title", ["Short."]).tags == ["title"]
    for parts in ([formula] * 4, [code("print(1)", printed="1")], [code("x", PICTURE)]):
        assert Slide("", parts=["Short.", *parts]).tags == ["plain"]


# ---------------------------------------------------------------------------- beside the question


def asked(*pictures, phrase=None, lines=1):
    """The parts of a question below pictures, each of a cell of its own."""
    slides = [Slide("Data", parts=[code(f"show({name})", f"{PICTURE}{name}") for name in pictures])]
    slides.append(Slide("Predict before you run", "predict", ["How many?\n" * lines]))
    decks.beside(slides, phrase)
    return slides[1].parts[1:]


def test_the_last_picture_stands_beside_the_question_or_the_one_of_a_phrase():
    assert asked("first", "last") == [f'<div class="fill">{PICTURE}last</div>']
    assert asked("first", "last", phrase="show(first)") == [
        f'<div class="fill">{PICTURE}first</div>'
    ]
    assert asked() == []


def test_no_picture_stands_where_there_is_no_room():
    assert asked("one", lines=4) and not asked("one", lines=5)


# ---------------------------------------------------------------------------- notes, and what is hidden


def test_a_note_is_for_the_first_slide_that_has_its_phrase_and_is_read_first():
    slides = [Slide("One"), Slide("Two", parts=["See this."], notes=["The rest."])]
    slides.append(Slide("Three", parts=["See this."]))
    decks.annotate(slides, {"notes": {"See this": "Ask."}})
    assert [slide.notes for slide in slides] == [[], ["Ask.", "The rest."], []]


def test_a_kernel_runs_what_is_on_no_slide_and_it_shows_nothing():
    first, shown, last = code("x = 1", printed="1"), code("f(x)", PICTURE), code("y = 2")
    slides = [Slide("Sum", "predict", ["How many?", shown], ["Two."])]
    written = list(decks.written(slides, [first, shown, last]))
    assert [(cell["source"], cell["metadata"]["slideshow"]["slide_type"]) for cell in written] == [
        ("## Sum", "slide"), ("How many?", "-"), ("x = 1", "-"), ("f(x)", "-"), (decks.PAUSE, "-"),
        ("Two.", "notes"), ("y = 2", "-"),
    ]  # fmt: skip
    for cell in (written[2], written[6]):
        assert cell["metadata"]["tags"] == [decks.UNSEEN]
        assert cell["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
    assert written[3]["metadata"]["tags"] == []
    assert written[3]["metadata"]["jupyter"] == {"source_hidden": False, "outputs_hidden": False}


def test_every_part_of_a_long_table_has_its_head():
    head, rows = ["| a | b |", "|---|---|"], [f"| {i} | x |" for i in range(40)]
    parts = [part.splitlines() for part in size.tables_that_fit("\n".join([*head, *rows]))]
    assert len(parts) > 2
    assert all(part[:2] == head for part in parts)
    assert [row for part in parts for row in part[2:]] == rows
    assert all(size.text_height("\n".join(part)) <= size.ROOM for part in parts)
