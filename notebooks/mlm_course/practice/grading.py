"""Grading of assignments: data of each student's own, and which answers earn points."""

import contextlib
import hashlib
import io
import random
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from mlm_course.practice import limit, quizzes, words
from mlm_course.practice.answers import Verdict, read
from mlm_course.practice.judging import SECONDS, judge, judged, lists
from mlm_course.practice.sheets import Sheet, sheet
from mlm_course.practice.trials import World
from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.board import Board, Sentence
from mlm_helpers.board.render import escape

_LARGER = 20  # worlds that nobody has seen
_LIBRARIES = ("mlm_helpers", "sklearn")


@dataclass(frozen=True, repr=False)
class Points:
    """Points of a rung, which nbgrader reads where a cell shows them, and what is said of the answer."""

    points: float
    says: str

    def __repr__(self) -> str:
        """Show the number alone."""
        return str(self.points)

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.says)}</p>"


def points(most: float, judged: Callable[[], Verdict], student: object) -> Points:
    """All points for an answer that is right, else none; what it prints, warns of or raises is caught.

    Examples
    --------
    >>> points(2, lambda: Verdict(True, "Right."), "ada")
    2
    >>> points(2, lambda: missing, owner()).says
    "There is nothing to grade: name 'missing' is not defined; see whether the cell above runs."
    """
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            verdict = judged()
        except Exception as error:
            verdict = Verdict(
                None, f"There is nothing to grade: {error}; see whether the cell above runs."
            )
    verdict = of(verdict, owner(), student)
    return Points(most if verdict.right else 0, verdict.says.replace(", or look at .hint()", ""))


def seed_of(student: object) -> int:
    """Give every student data of their own: a seed from a name or a number.

    It is the same on every machine. Capitals, spaces around it and the way in which accents are
    stored do not matter.

    Examples
    --------
    >>> seed_of("ada") == seed_of(" Ada ") != seed_of("alan")
    True
    """
    name = unicodedata.normalize("NFKC", str(student)).strip().casefold()
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")


# ---------------------------------------------------------------------------- what is asked


def sheet_of(metric: Callable[..., Any], *, seed: int, **options: Any) -> Sheet:
    """The sheet of a seed; where no such data turn up, that of the next seed for which they do."""
    for attempt in range(seed, seed + 20):
        with contextlib.suppress(ValueError):
            return sheet(metric, seed=attempt, **options)
    return sheet(metric, seed=seed, **options)


def shown(asked: Board) -> Board:
    """A sheet or a reading as an assignment shows it, with nothing that checks or solves it."""
    return Board(asked.title, asked.steps[:-1] if isinstance(asked, Sheet) else asked.steps)


@dataclass(frozen=True, repr=False)
class Reading(Board):
    """Data, a number and four recipes, one of which gives it; the others give other numbers."""

    recipes: quizzes.Recipes
    answer: str

    def check(self, choice: object) -> Verdict:
        """Whether a letter is right; of a wrong one, the number that its recipe gives."""
        letter = str(choice).strip("(.:) \n").upper()
        if not letter:
            return Verdict(None, "No answer yet: write A, B, C or D between the quotes.")
        if letter not in self.recipes:
            return Verdict(None, f"The answer is {inputs.shown(choice)}: give A, B, C or D.")
        recipe, number = self.recipes[letter]
        if letter == self.answer:
            return Verdict(True, f"Right: {recipe} gives {number:.3f}.")
        value = self.recipes[self.answer][1]
        return Verdict(False, f"{letter}, {recipe}, gives {number:.3f}, and not {value:.3f}.")


def quiz(seed: int, *families: str, **options: Any) -> Reading:
    """A number, and the question which of four recipes gives it: a metric of these families, or a slip.

    Examples
    --------
    >>> asked = quiz(1, "hamming")
    >>> [bool(asked.check(letter).right) for letter in "ABCD"].count(True)
    1
    """
    rng = random.Random(seed)
    records = [one for one in catalogue.METRICS if one.id.startswith(families)]
    asked, recipes = quizzes.drawn(rng, records, sheet_of, **options)
    answer = quizzes.LETTERS[int(rng.random() * len(recipes))]
    title = f"Which recipe gives {recipes[answer][1]:.3f}?"
    return Reading(title, quizzes.shown(asked, "Recipes", recipes), recipes, answer)


@dataclass(frozen=True, repr=False)
class Task(Board):
    """A function to be written: the metric that it computes, its name and its options."""

    metric: Callable[..., Any]
    name: str
    options: dict[str, Any]


def task(seed: int, *metrics: Callable[..., Any]) -> Task:
    """One of several metrics, to be written as a function.

    Examples
    --------
    >>> from mlm_helpers import example_based
    >>> task(1, example_based.recall)
    Write samples recall
    <BLANKLINE>
    hits ÷ true labels; a value for each sample, then their mean; 0/0 counts as 0.
    """
    rng = random.Random(seed)
    metric = metrics[int(rng.random() * len(metrics))]
    options = catalogue.settings(metric)
    told = ("zero_division", "undefined", "start", "ties", "clip")
    rules = (
        words.convention(name, options[name]) for name in told if options.get(name) is not None
    )
    said = Sentence(f"{'; '.join([words.recipe(metric), *rules])}.")
    name = catalogue.of(metric).id.partition(".")[2]
    return Task(f"Write {catalogue.describe(metric)}", (said,), metric, name, dict(options))


# ---------------------------------------------------------------------------- what is right


def mended(asked: Sheet, answer: object, script: str, names: dict[str, Any]) -> Verdict:
    """Judge the number of a script that was to be mended; what it prints before, with these names, is known.

    Examples
    --------
    >>> from mlm_helpers import hamming
    >>> asked = sheet(hamming.hamming_loss, seed=1)
    >>> script = 'print("accuracy:", round((y_true == y_pred).mean(), 3))'
    >>> before = float((asked.data[0] == asked.data[1]).mean())
    >>> mended(asked, round(before, 3), script, {}).says
    'The script prints this before it is mended: find the line that is wrong.'
    """
    verdict, given = asked.check(answer), read(answer)
    if verdict.right or given is None:
        return verdict
    y_true, other = asked.data
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(Exception):  # of other names
        exec(script, {**names, "y_true": y_true, "y_pred": other, "y_score": other})
    printed = said.getvalue().split()
    if printed and given.fits(float(printed[-1])):
        told = "The script prints this before it is mended: find the line that is wrong."
        return Verdict(False, told)
    return verdict


def owner() -> str:
    """Whose work is graded: nbgrader runs it in the folder of the student and the assignment."""
    return Path.cwd().parent.name


def of(verdict: Verdict, owner: str, student: object) -> Verdict:
    """Say of a wrong answer that it may be to the question of somebody else: nothing else would help."""
    if verdict.right is not False or seed_of(owner) == seed_of(student):
        return verdict
    said = f"The first cell does not name {owner}, whose data are asked: write this id there, and answer anew."
    return Verdict(verdict.right, said)


def own(metric: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Verdict:
    """Judge a function that a student is to write: on all small data, then on larger ones.

    A function that runs code of this package or of scikit-learn is refused.
    """
    larger = list(_larger(metric))
    library = _library(function, larger[0])
    if library:
        return Verdict(False, f"The function calls {library}: write the formula yourself.")
    verdict = judge(metric, function)
    if not verdict.right:
        return verdict
    on_larger = judged(metric, function, larger)
    return verdict if on_larger.right else on_larger


def _library(function: Callable[[Any, Any], Any], world: World) -> str:
    """The library whose code runs when the function does, or ""."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(str(frame.f_globals.get("__name__", "")).partition(".")[0])

    def call(data: Sequence[Any]) -> None:
        sys.setprofile(note)  # of the thread of this call alone
        with contextlib.suppress(Exception):  # it may take only one of arrays and lists
            function(*data)
        sys.setprofile(None)

    data = world.y_true, world.y_other
    either: list[Any] = [list(map(np.array, data)), list(map(lists, data))]
    limit.results(call, either, SECONDS, SECONDS)
    return next((library for library in _LIBRARIES if library in called), "")


def _larger(metric: Callable[..., Any]) -> Iterator[World]:
    """Drawn data, of more samples and labels than the judge's."""
    rng = random.Random(0)
    levels = [0, 1] if catalogue.of(metric).reads == "y_pred" else [0.1, 0.3, 0.5, 0.7, 0.9]
    for _ in range(_LARGER):
        n_samples, n_labels = rng.randint(5, 9), rng.randint(5, 9)
        y_true, other = (
            tuple(tuple(rng.choice(cells) for _ in range(n_labels)) for _ in range(n_samples))
            for cells in ([0, 1], levels)
        )
        yield World(y_true, other, float(metric(y_true, other)), True)
