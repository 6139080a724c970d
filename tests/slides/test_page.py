"""What a deck becomes in its file, a cell at a time: without a browser, and before anything is built."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbformat import v4

from tools.notebooks import METADATA, parse
from tools.slides import __main__ as command
from tools.slides import decks, page
from tools.slides.decks import Slide

DATA = {"y_true": [[1, 0]], "y_pred": [[1, 1]], "metrics": ["example_based.f1"]}


def file_of(*slides: Slide, code: tuple[v4.NotebookNode, ...] = ()) -> str:
    """The slides of a deck as they stand in its file."""
    made = {"cells": [*decks.written(list(slides), code)], "metadata": METADATA, "nbformat": 4}
    return page.page(parse(made | {"nbformat_minor": 5}), DATA)


def sections(text: str) -> list[str]:
    return re.findall(r"<section.*?</section>", text, re.DOTALL)


def test_notes_are_for_the_teacher_and_a_title_has_no_marks() -> None:
    text = file_of(Slide("Hits < misses", "title", ["Count."], ["Say two."]))
    assert "<title>Hits &lt; misses</title>" in text
    (slide,) = sections(text)
    assert '<div class="text"><p>Count.</p>' in slide
    assert '<aside class="notes"><p>Say two.</p>\n</aside>' in slide and slide.count("two") == 1


def test_what_is_on_no_slide_is_not_in_the_file() -> None:
    shown = v4.new_code_cell("print(1 < 2)", outputs=[v4.new_output("stream", text="<b> & 1\n")])
    unseen = v4.new_code_cell("answer = 42")
    slide = sections(file_of(Slide("One", parts=[shown]), code=(unseen, shown)))[0]
    assert "answer" not in slide and "42" not in slide
    assert "&lt;b&gt; &amp; 1</pre>" in slide


def test_a_formula_of_its_own_is_displayed_and_one_in_a_line_is_not() -> None:
    assert 'display="block"' in page.markdown("$$x^2$$")
    assert 'display="block"' not in page.markdown("It is $x^2$.")
    assert all("<math" in page.markdown(text) for text in ("$$x$$", "It is $x$."))


@pytest.mark.parametrize(
    ("written", "link"),
    [
        ("[03](03_hamming_loss.ipynb)", "03_hamming_loss.html"),
        ("[03](03_hamming_loss.ipynb#one)", "03_hamming_loss.html#one"),
        ("[there](https://example.org/x.ipynb)", "https://example.org/x.ipynb"),
    ],
)
def test_a_link_to_a_notebook_leads_to_its_slides(written: str, link: str) -> None:
    assert re.findall('href="(.*?)"', page.markdown(written)) == [link]


def test_the_explorer_has_the_metrics_that_are_chosen() -> None:
    said = page.explorer(DATA)
    keys = re.findall(r'"key": "(.*?)"', said.partition("</script>")[0])
    assert keys == ["example_based.f1"]


def test_a_script_cannot_end_before_its_end(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("a = '</script><!--';\n//# sourceMappingURL=one.js.map\n")
    assert page.script(tmp_path / "one.js").strip() == r"a = '<\/script><\!--';"


def test_the_list_counts_from_the_first_notebook_and_says_the_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keys are those that reveal.js and its notes name in their own help."""
    names, every = ["00_start_here", "01_exact_match"], decks.choices()
    monkeypatch.setattr(decks, "choices", lambda: {name: every[name] for name in names})
    command.build(tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<ol start="0">' in text
    assert re.findall(r'<li><a href="(.*?)">', text) == [f"{name}.html" for name in names]
    assert all((tmp_path / f"{name}.html").is_file() for name in names)
    said = " ".join(text.split())
    assert "S opens the speaker's notes, O shows all slides, F fills the screen." in said
    folder = page.reveal_folder()
    assert 'key:"S",description:"Speaker notes' in (folder / "plugin/notes/notes.js").read_text(
        "utf-8"
    )
    helped = (folder / "dist/reveal.js").read_text("utf-8")
    assert 'shortcuts["ESC, O"]="Slide overview"' in helped and 'shortcuts.F="Full' in helped
