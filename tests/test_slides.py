"""The metadata that turn cells into slides, and the numbers in the teacher's notes."""

import pytest
from test_expected import ENTRIES, given_names, stated

from tools.notebooks import NOTEBOOKS, read_notebook, sections
from tools.slides.lessons import hand_out, lessons

CELLS = {path.stem: read_notebook(path).cells for path in sorted(NOTEBOOKS.glob("*.ipynb"))}


def slideshow(cell):
    """The metadata of a cell about its slide."""
    return cell.metadata.get("slideshow", {})


@pytest.mark.parametrize("lesson", [*lessons()], ids=lambda lesson: lesson.name)
def test_a_lesson_has_the_sections_that_its_plan_names(lesson):
    for name, wanted in lesson.parts:
        notebook = read_notebook(NOTEBOOKS / f"{name}.ipynb")
        assert wanted <= {heading for _, headings in sections(notebook) for heading in headings}
    questions = [
        part for part in lesson.parts if "Predict before you run" in part[1] or not part[1]
    ]
    assert hand_out(lesson).count("## Predict before you run") >= len(questions) > 0


@pytest.mark.parametrize("name", CELLS)
def test_a_question_starts_a_slide_and_has_a_note(name):
    ids = [cell.id for cell in CELLS[name]]
    questions = [cell for cell in CELLS[name] if "predict" in cell.metadata.get("tags", [])]
    assert questions
    for cell in questions:
        assert slideshow(cell)["slide_type"] in ("slide", "subslide")
        assert slideshow(cell).get("notes")
        beside = slideshow(cell).get("beside")
        assert beside is None or beside in ids  # the cell whose picture is repeated beside it


@pytest.mark.parametrize("key", [key for key in ENTRIES if "notes" in ENTRIES[key]])
def test_a_note_has_the_values_of_its_expressions(key):
    (notes,) = (slideshow(c)["notes"] for cells in CELLS.values() for c in cells if c.id == key[1])
    for piece in ENTRIES[key]["notes"]:
        stated(piece, " ".join(notes), given_names(key[0]), places=0)
