"""The explorer: a label grid to click, and every metric of the catalogue beside it.

In a notebook it is a widget, and the numbers are those of `worked`. On a page without a kernel its
module counts by itself: ``mount(element, page(...))`` of `SCRIPT`, beside `STYLE`. The same module
asks quizzes: ``mountQuiz(element, quizzes.page(...))``.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlm_helpers import catalogue, disagreement, inputs, thresholds, worked
from mlm_helpers.board import Board, Sentence, Table, printable
from mlm_helpers.board.numbers import with_decimal

if TYPE_CHECKING:
    from mlm_helpers.course.practice.widget import Explorer

LARGEST = 12  # samples or labels: more than that no screen shows
_STATIC = Path(__file__).parent / "static"
STYLE = (_STATIC / "explorer.css").read_text(encoding="utf-8")
SCRIPT = "\n".join(  # one module: what the files import, they import from each other
    re.sub(r"^import .*\n", "", (_STATIC / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    for name in ("numbers.js", "search.js", "world.js", "parts.js", "explorer.js", "quiz.js")
)

CHALLENGES: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "samples F1 above 1/2, subset accuracy 0",
        (("example_based.f1", ">", "1/2"), ("exact_match.subset_accuracy", "=", "0")),
    ),
    (
        "Hamming loss below 1/2, micro F1 0",
        (("hamming.hamming_loss", "<", "1/2"), ("label_based.f1:micro", "=", "0")),
    ),
    (
        "macro F1 at most 1/2, micro F1 above 2/3",
        (("label_based.f1:macro", "≤", "1/2"), ("label_based.f1:micro", ">", "2/3")),
    ),
    (
        "samples precision 1, macro recall below 1/2",
        (("example_based.precision", "=", "1"), ("label_based.recall:macro", "<", "1/2")),
    ),
    (
        "one-error 1, average precision above 1/2, average precision below 1",
        (
            ("ranking.one_error", "=", "1"),
            ("ranking.average_precision", ">", "1/2"),
            ("ranking.average_precision", "<", "1"),
        ),
    ),
)
"""What to reach, in words, and as conditions: metric, relation, value."""

_AS_EACH = "as each metric has it"
_TIES = {
    "worst": "tied labels share the last rank",
    "best": "tied labels share the first rank",
    "average": "tied labels share the mean rank",
    "first": "the first label wins",
    "last": "the last label wins",
}
_EMPTY = {0: "0", 1: "1", "nan": "left out of the mean"}
_BETAS = {2: "2", 1: "1", 0.5: "1/2", 0: "0"}
_POINTS = {None: "none", "all": "at every recall", 11: "at 11 recalls", 101: "at 101 recalls"}


def explore(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
) -> "Explorer":
    """Show a grid whose cells one clicks, and beside it every metric, exactly.

    Truth and prediction are changed apart; where there are scores, a cut slides through them and the
    labels of a sample can be moved. The numbers are fractions, and one metric shows its formula with
    its numbers put in. It finds the smallest data on which two metrics disagree. What is on the
    screen is in ``.y_true``, ``.y_pred`` and ``.y_score``. Without a kernel a table stands there.

    Parameters
    ----------
    y_true : matrix of 0 and 1, shape (n_samples, n_labels), at most 12 of each
    y_pred : matrix of 0 and 1, same shape, optional
        By default the labels that score at least 0.5; without scores none.
    y_score : matrix of finite numbers, same shape, optional
        Without it no metric is shown that reads scores.
    labels, samples : names, optional
        By default a DataFrame's own, else numbers from 1.

    Returns
    -------
    Explorer
        A widget, which shows itself in a notebook.

    Raises
    ------
    TypeError, ValueError
        One sentence: what the metrics refuse, more than 12 samples or labels, names that do not fit.
    ImportError
        If the package anywidget is missing.

    Examples
    --------
    >>> shown = explore([[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]], labels=["cat", "dog", "sea"])
    >>> shown
    The explorer: 2 samples, 3 labels, samples F1 5/6. Run the cell to click.
    """
    start = page(y_true, y_pred, y_score, labels=labels, samples=samples)
    try:
        from mlm_helpers.course.practice.widget import Explorer
    except ImportError as error:
        raise ImportError(
            "the explorer needs the package anywidget: install it with pip install anywidget"
        ) from error
    return Explorer(start)


def page(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
) -> dict[str, Any]:
    """All that the module needs to be mounted on a page, as JSON: `explore` says what is taken.

    Examples
    --------
    >>> page([[1, 0]], [[1, 1]])["shown"]["y_pred"]
    [[1, 1]]
    """
    truth = inputs.dense(inputs.labels(y_true, "y_true")).astype(int)
    for size, what in zip(truth.shape, ("samples", "labels"), strict=True):
        if size > LARGEST:
            raise ValueError(
                f"y_true has {size} {what}, more than the {LARGEST} that a screen shows:"
                " explore a part of them"
            )
    score = prediction = None
    if y_score is not None:
        score = inputs.label_scores(y_true, y_score).other
        prediction = thresholds.at(score)
    if y_pred is not None:
        prediction = inputs.dense(inputs.label_sets(y_true, y_pred).other)
    shown = {
        "labels": _names(labels, y_true, "columns", truth.shape[1], "label"),
        "samples": _names(samples, y_true, "index", truth.shape[0], "sample"),
        "y_true": truth.tolist(),
        "y_pred": (truth * 0 if prediction is None else prediction.astype(int)).tolist(),
        "y_score": None if score is None else score.tolist(),
        "cut": 0.5 if y_pred is None and y_score is not None else None,
        "options": {},
    }
    return {
        "shown": shown,
        "metrics": list(map(_record, VARIANTS.values())),
        "switches": list(_switches(truth.shape[1])),
        "challenges": [{"says": says, "goals": goals} for says, goals in CHALLENGES],
    }


def values(shown: Mapping[str, Any]) -> dict[str, str]:
    """Every metric's number as `worked` finds it, by key: a fraction as text, "nan" where there is none.

    Examples
    --------
    >>> values(page([[1, 0]], [[1, 1]])["shown"])["example_based.f1"]
    '2/3'
    """
    found = {}
    for key, metric in VARIANTS.items():
        other = shown[catalogue.of(metric).reads]
        if other is not None:
            solution = worked.solve(chosen(metric, shown["options"]), shown["y_true"], other)
            found[key] = written(solution.value)
    return found


def written(value: Any) -> str:
    """Write an exact value, or six decimals where logarithms stay."""
    is_number = isinstance(value, float) and not math.isnan(value)
    return f"{value:.6f}" if is_number else str(value)


def chosen(metric: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    """A metric with those of some options that it takes; JSON has no nan but the word."""
    taken = catalogue.of(metric).options
    read = {name: math.nan if value == "nan" else value for name, value in options.items()}
    return partial(metric, **{name: value for name, value in read.items() if name in taken})


def disagree(a: str, b: str, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the smallest data on which two metrics, named by their keys, disagree; None if there are none.

    Examples
    --------
    >>> disagree("exact_match.subset_accuracy", "hamming.hamming_loss", {})["second"]["y_pred"]
    [[0, 0, 1], [0, 0, 1]]
    """
    pair = [chosen(VARIANTS[key], options) for key in (a, b)]
    found = disagreement.smallest_disagreement(*pair)
    if found is None:
        return None
    has_scores = any(catalogue.of(metric).reads == "y_score" for metric in pair)

    def shown(other: Any) -> dict[str, Any]:
        start = page(found.y_true, y_score=other) if has_scores else page(found.y_true, other)
        return {**start["shown"], "options": dict(options)}

    return {"first": shown(found.first), "second": shown(found.second)}


def board(shown: Mapping[str, Any]) -> Board:
    """What stands where no kernel is: the grid in words, and every metric's number."""
    words = [["rightly left out", "✗ false alarm"], ["○ miss", "✓ hit"]]
    rows = [
        (sample, *(words[cell][said] for cell, said in zip(truth, prediction, strict=True)))
        for sample, truth, prediction in zip(
            shown["samples"], shown["y_true"], shown["y_pred"], strict=True
        )
    ]
    numbers = values(shown)
    metrics = [
        (catalogue.describe(chosen(metric, shown["options"])), _with_decimal(numbers[key]))
        for key, metric in VARIANTS.items()
        if key in numbers
    ]
    return Board(
        "The explorer",
        (
            Sentence("Run this cell in a notebook: then the cells can be clicked."),
            Table("The grid", ("sample", *shown["labels"]), tuple(rows)),
            Table("Every metric", ("metric", "value"), tuple(metrics)),
        ),
    )


def _with_decimal(number: str) -> str:
    return with_decimal(Fraction(number)) if "/" in number else number


# ---------------------------------------------------------------------------- what the module reads


def _key(metric: Callable[..., Any]) -> str:
    """The id of the record, for label-based ones with the average: ``label_based.f1:macro``."""
    record, average = catalogue.of(metric), catalogue.settings(metric).get("average")
    return f"{record.id}:{average}" if average else record.id


VARIANTS = {_key(metric): metric for metric in catalogue.variants(catalogue.taught()).values()}
"""Every taught metric that gives one number, by its key."""


def _record(metric: Callable[..., Any]) -> dict[str, Any]:
    record, options = catalogue.of(metric), catalogue.settings(metric)
    average = options.pop("average", None)
    kept = {
        name: "nan" if isinstance(value, float) and math.isnan(value) else value
        for name, value in options.items()
        if name not in ("per_sample", "sample_weight")
    }
    return {
        "key": _key(metric),
        "id": record.id,
        "name": catalogue.general(metric),
        "family": record.family,
        "reads": record.reads,
        "along": record.along,
        "average": average,
        "higher": record.higher_is_better,
        "range": list(record.range),
        "options": kept,
        "symbols": {name: one.symbol for name, one in record.parameters.items() if one.symbol},
        "formula": record.mathml,
    }


def _switches(n_labels: int) -> Iterator[dict[str, Any]]:
    """What can be chosen of the conventions, and the options that each choice sets."""
    each: list[dict[str, Any]] = [{"says": _AS_EACH, "options": {}}]
    ties = [{"says": _TIES[one], "options": {"ties": one}} for one in inputs.TIES]
    yield {"says": "Ties", "choices": each + ties}
    empty = [
        {"says": says, "options": {"zero_division": value, "undefined": value}}
        for value, says in _EMPTY.items()
    ]
    agree = {"says": "1 where both sets are empty", "options": {"zero_division": "agree"}}
    yield {"says": "0/0 is", "choices": [*each, *empty, agree]}
    own: dict[str, tuple[str, dict[Any, str]]] = {
        "k": ("k", {k: str(k) for k in range(1, n_labels + 1)}),
        "beta": ("β", _BETAS),
        "start": ("The top rank is", {1: "1", 0: "0"}),
        "interpolation": ("Interpolation", _POINTS),
    }
    for option, (name, words) in own.items():
        choices = [{"says": says, "options": {option: value}} for value, says in words.items()]
        yield {"says": name, "choices": choices}


def _names(given: Any, y_true: Any, axis: str, count: int, noun: str) -> list[str]:
    """The names given, else a DataFrame's own, else numbers from 1."""
    own = getattr(y_true, axis, None)
    if given is None and own is not None and not callable(own):
        given = list(own)
    if given is None:
        given = [f"{noun} {i}" for i in range(1, count + 1)]
    return [printable(name) for name in inputs.names(given, count, f"{noun}s")]
