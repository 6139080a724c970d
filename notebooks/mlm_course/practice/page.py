"""The page of the explorer: the data, the metrics, and the table where no kernel runs.

The module in `SCRIPT` counts by itself, in a widget and on a page: ``mount(element, page_json(...))``, beside
`STYLE`. It asks questions, too: ``mountQuiz(element, quiz(...).page_json())``. `metric_values` is the package's count.
"""

import functools
import html
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from mlm_course import records
from mlm_course.numbers import with_decimal
from mlm_helpers import catalogue, thresholds, worked
from mlm_helpers._core import inputs
from mlm_helpers.tables import Display, Sentence, Table, printable

LARGEST = 12  # samples or labels: more than that no screen shows
_STATIC = Path(__file__).parent / "static"
STYLE = (_STATIC / "explorer.css").read_text(encoding="utf-8")
SCRIPT = (_STATIC / "explorer.js").read_text(encoding="utf-8")
_EACH: tuple[str, dict[str, Any]] = ("as each metric has it", {})
_TIES = {
    "tied labels share the last rank": "worst",
    "tied labels share the first rank": "best",
    "tied labels share the mean rank": "average",
    "the first label wins": "first",
    "the last label wins": "last",
}
_EMPTY = {"0": 0, "1": 1, "left out of the mean": "nan"}
_mathml: Callable[[], dict[str, str]] = functools.cache(partial(records.load, "mathml"))


def mathml(latex: str) -> str:
    """A formula as browsers draw and read it, made by `python -m tools.readme`; else its LaTeX."""
    return _mathml().get(latex, f"<code>{html.escape(latex)}</code>")


def metric_key(metric: Callable[..., Any]) -> str:
    """The id of the record, for label-based ones with the average: ``label_based.f1:macro``."""
    record, average = catalogue.record_of(metric), catalogue.resolve_options(metric).get("average")
    return f"{record.id}:{average}" if average else record.id


VARIANTS = {
    metric_key(metric): metric for metric in catalogue.variants(catalogue.taught_records()).values()
}
"""Every taught metric that gives one number, by its key."""


def page_json(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The page as JSON, for ``mount`` of the module; arguments as in `explore`.

    Examples
    --------
    >>> page_json([[1, 0]], [[1, 1]])["shown"]["y_pred"]
    [[1, 1]]
    """
    read, known = inputs.read_truth(y_true)
    if known is not None:
        raise ValueError(
            "y_true has unknown cells, and each cell of the explorer is 0 or 1: explore the samples of"
            " which all labels are known"
        )
    truth = inputs.dense(read).astype(int)
    shown: dict[str, Any] = {
        "y_true": truth.tolist(),
        "y_score": None,
        "threshold": None,
        "options": {},
    }
    nouns = (("sample", samples), ("label", labels))
    for count, (noun, given) in zip(truth.shape, nouns, strict=True):
        if count > LARGEST:
            raise ValueError(
                f"y_true has {count} {noun}s, more than the {LARGEST} that a screen shows:"
                " explore a part of them"
            )
        numbered = [f"{noun} {i}" for i in range(1, count + 1)]
        names = inputs.resolve_names(given, numbered, noun, y_true, y_pred, y_score)
        shown[f"{noun}s"] = list(map(printable, names))
    prediction = 0 * truth
    if y_score is not None:
        score = inputs.read_label_scores(y_true, y_score).prediction
        prediction = thresholds.at(score, 0.5)
        shown |= {"y_score": score.tolist(), "threshold": 0.5 if y_pred is None else None}
    if y_pred is not None:
        prediction = inputs.dense(inputs.read_label_sets(y_true, y_pred).prediction)
    shown["y_pred"] = prediction.astype(int).tolist()
    return {
        "shown": shown,
        "metrics": list(map(metric_json, VARIANTS.values())),
        "switches": _switches(truth.shape[1]),
    }


def metric_values(shown: Mapping[str, Any]) -> dict[str, str]:
    """Every metric's value by key, as `worked` finds it: a fraction as text, "nan" where there is none.

    Where logarithms stay, it has six decimals.

    Examples
    --------
    >>> metric_values(page_json([[1, 0]], [[1, 1]])["shown"])["example_based.f1"]
    '2/3'
    """
    found = {}
    for key, metric in VARIANTS.items():
        other = shown[catalogue.record_of(metric).reads]
        if other is not None:
            value = worked.solve(
                with_options(metric, shown["options"]), shown["y_true"], other
            ).value
            found[key] = f"{value:.6f}" if isinstance(value, float) else str(value)
    return found


def with_options(metric: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    """A metric with those options bound that it takes; JSON writes nan as a word."""
    taken = catalogue.record_of(metric).defaults
    read = {name: math.nan if value == "nan" else value for name, value in options.items()}
    return partial(metric, **{name: value for name, value in read.items() if name in taken})


def static_display(shown: Mapping[str, Any]) -> Display:
    """The grid in words and every metric's value, for a page without a kernel."""
    words = [["rightly left out", "✗ false alarm"], ["○ miss", "✓ hit"]]
    rows = [
        (sample, *(words[cell][said] for cell, said in zip(truth, prediction, strict=True)))
        for sample, truth, prediction in zip(
            shown["samples"], shown["y_true"], shown["y_pred"], strict=True
        )
    ]
    metrics = [
        (
            catalogue.full_name(with_options(VARIANTS[key], shown["options"])),
            with_decimal(Fraction(number)) if "/" in number else number,
        )
        for key, number in metric_values(shown).items()
    ]
    return Display(
        "The explorer",
        (
            Sentence("Run this cell in a notebook: then the cells can be clicked."),
            Table("The grid", ("sample", *shown["labels"]), tuple(rows)),
            Table("Every metric", ("metric", "value"), tuple(metrics)),
        ),
    )


# --------------------------------------------------------------------------- what the module reads


def metric_json(metric: Callable[..., Any]) -> dict[str, Any]:
    """What the module needs to know of a metric."""
    record, options = catalogue.record_of(metric), catalogue.resolve_options(metric)
    average = options.pop("average", None)
    kept = {
        name: "nan" if isinstance(value, float) and math.isnan(value) else value
        for name, value in options.items()
        if name not in ("per_sample", "sample_weight")
    }
    return {
        "key": metric_key(metric),
        "id": record.id,
        "name": catalogue.general_name(metric),
        "family": record.family,
        "reads": record.reads,
        "along": record.unit,
        "average": average,
        "higher": record.higher_is_better,
        "range": list(record.range),
        "options": kept,
        "symbols": {name: one.symbol for name, one in record.parameters.items() if one.symbol},
        "formula": mathml(record.latex),
        "words": record.formula_in_words,
    }


def _switches(n_labels: int) -> list[dict[str, Any]]:
    """The switches for conventions: each choice in words, with the options that it sets."""
    empty = [(says, {"zero_division": v, "undefined": v}) for says, v in _EMPTY.items()]
    agree = ("1 where nothing is wrong", {"zero_division": "agree"})
    every = {
        "Ties": [_EACH, *((says, {"ties": ties}) for says, ties in _TIES.items())],
        "0/0 is": [_EACH, *empty, agree],
        "k": [(str(k), {"k": k}) for k in range(1, n_labels + 1)],
        "β": [(str(Fraction(beta)), {"beta": beta}) for beta in (2, 1, 0.5, 0)],
    }
    return [
        {"says": name, "choices": [{"says": says, "options": options} for says, options in choices]}
        for name, choices in every.items()
    ]
