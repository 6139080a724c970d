"""The metadata that turn cells into slides, and the numbers in the teacher's notes."""

from fractions import Fraction

import numpy as np
import pytest

from mlm_course import documents
from mlm_helpers import example_based, label_based, ranking
from tools.notebooks import NOTEBOOKS, read_notebook, sections
from tools.slides.lessons import hand_out, lessons

CELLS = {path.stem: read_notebook(path).cells for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
# truth and prediction of the examples of the documents
GUIDE = np.array(documents.SKLEARN_GUIDE.y_true), np.array(documents.SKLEARN_GUIDE.y_pred)
CREDIT = np.array(documents.PARTIAL_CREDIT.y_true), np.array(documents.PARTIAL_CREDIT.y_pred)
AVERAGES = np.array(documents.MACRO_MICRO.y_true), np.array(documents.MACRO_MICRO.y_pred)
PRECISION, RECALL = (f(*CREDIT) for f in (example_based.precision, example_based.recall))
# truth and prediction of three samples: the first two are a batch, the third is another batch
BATCHES = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]]


def slideshow(cell):
    """The metadata of a cell about its slide."""
    return cell.metadata.get("slideshow", {})


@pytest.mark.parametrize("name", CELLS)
def test_exercises_are_not_on_slides(name):
    sources = [cell.source for cell in CELLS[name]]
    (ladder,) = (i for i, source in enumerate(sources) if source.startswith("## The ladder"))
    (summary,) = (i for i, source in enumerate(sources) if source.startswith("## To remember"))
    kinds = [slideshow(cell).get("slide_type") for cell in CELLS[name]]
    assert {*kinds[ladder:summary]} == {"skip"}
    assert kinds[0] == kinds[summary] == "slide"


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


@pytest.mark.parametrize(
    ("cell", "text", "value"),
    [
        ("00-10", "4/7", Fraction(int((GUIDE[0] & GUIDE[1]).sum()), int(GUIDE[0].sum()))),
        ("01-38", "six", next(n for n in range(20) if 1 - Fraction(n, 10) < Fraction(1, 2))),
        ("01-38", "seven", next(n for n in range(20) if Fraction(9, 10) ** n < Fraction(1, 2))),
        ("02-04", "1/4", Fraction(int((CREDIT[0] & CREDIT[1])[0].sum()), CREDIT[0].shape[1])),
        ("02-28", "0.662", 2 * PRECISION * RECALL / (PRECISION + RECALL)),
        # wrong answers of students: of 3, 2 and 4 true or predicted labels, 2, 0 and 3 are wrong
        ("03-06", "17/36", (Fraction(2, 3) + Fraction(0, 2) + Fraction(3, 4)) / 3),
        ("03-06", "5/3", Fraction(5, 3)),
        ("02-24", "13/18", PRECISION),
        ("02-24", "11/18", RECALL),
        ("03-05", "5/9", (GUIDE[0] != GUIDE[1]).sum() / (GUIDE[0] | GUIDE[1]).sum()),
        ("04-05", "seven in all", (AVERAGES[0] & AVERAGES[1]).sum()),
        ("04-05", "one in the column of label 3", (AVERAGES[0] & AVERAGES[1])[:, 2].sum()),
        ("05-10", "third", ranking.ranks(documents.RANKING.examples["model one"].y_score)[0, 0]),
        ("05-10", "fourth", ranking.ranks(documents.RANKING.examples["model two"].y_score)[0, 0]),
        ("12-04", "2/3", (Fraction(5, 6) + Fraction(1, 2)) / 2),
        ("12-04", "13/18", (2 * Fraction(5, 6) + Fraction(1, 2)) / 3),
        ("12-04", "3/4", label_based.f1(*BATCHES)),
    ],
)
def test_a_number_in_a_note_is_the_value_computed_here(cell, text, value):
    words = {"one": 1, "third": 3, "fourth": 4, "six": 6, "seven": 7}
    first_word, *_ = text.split()
    number = words.get(first_word) or Fraction(text)
    assert float(value) == pytest.approx(float(number), abs=0.0005)
    (notes,) = (slideshow(c)["notes"] for cells in CELLS.values() for c in cells if c.id == cell)
    assert text in " ".join(notes)
