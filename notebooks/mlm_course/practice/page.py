"""The explorer's page: its data as JSON, its metrics, and a table for where no kernel runs.

The JavaScript module `SCRIPT`, styled by `STYLE`, computes the metrics itself, in a widget or on a
page: ``mount(element, page_json(...))``. It also asks the quiz: ``mountQuiz(element,
quiz(...).page_json())``. `metric_values` computes the same numbers in Python.
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
from mlm_helpers._core.inputs.data import dense
from mlm_helpers._core.inputs.options import resolve_names
from mlm_helpers._core.inputs.read import read_label_scores, read_label_sets, read_truth
from mlm_helpers.catalogue.arguments import resolve_options
from mlm_helpers.tables import Display, Sentence, Table, printable

LARGEST = 12  # samples or labels: no screen shows more
_STATIC = Path(__file__).parent / "static"
STYLE = (_STATIC / "explorer.css").read_text(encoding="utf-8")
SCRIPT = (_STATIC / "explorer.js").read_text(encoding="utf-8")
_TIE_RULES = {
    "tied labels share the last rank": "max",
    "tied labels share the first rank": "min",
    "tied labels share the mean rank": "average",
    "the first label wins": "first",
    "the last label wins": "last",
    "of the first k labels, the worst order counts": "worst",
    "of the first k labels, the best order counts": "best",
}
_VALUES_OF_0_OVER_0 = {"0": 0, "1": 1, "left out of the mean": "nan"}
_formulas: Callable[[], dict[str, str]] = functools.cache(partial(records.load, "mathml"))


def mathml(latex: str) -> str:
    """A formula as MathML if `python -m tools.readme` has stored it, else its LaTeX as code."""
    return _formulas().get(latex, f"<code>{html.escape(latex)}</code>")


def metric_key(metric: Callable[..., Any]) -> str:
    """The id of a metric's record, with the average if it has one: ``label_based.f1:macro``."""
    record, average = catalogue.record_of(metric), resolve_options(metric).get("average")
    return f"{record.id}:{average}" if average else record.id


_taught = catalogue.variants(catalogue.taught_records()).values()
VARIANTS = {metric_key(metric): metric for metric in _taught}
"""Every taught metric that gives one number, by its key."""


def page_json(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    *,
    labels: Sequence[str] | None = None,
    samples: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The explorer's page as JSON, for ``mount`` in `SCRIPT`; arguments as in `explore`.

    Under ``"shown"`` it has the data, the names, the threshold and the options on the screen.

    Examples
    --------
    >>> page_json([[1, 0]], [[1, 1]])["shown"]["y_pred"]
    [[1, 1]]
    """
    checked, known = read_truth(y_true)
    if known is not None:
        problem = "y_true has unknown cells, and each cell of the explorer is 0 or 1"
        raise ValueError(f"{problem}: explore the samples of which all labels are known")
    truth = dense(checked).astype(int)
    state = {"y_true": truth.tolist(), "y_score": None, "threshold": None, "options": {}}
    nouns = (("sample", samples), ("label", labels))
    for length, (noun, given_names) in zip(truth.shape, nouns, strict=True):
        if length > LARGEST:
            problem = f"y_true has {length} {noun}s, more than the {LARGEST} that a screen shows"
            raise ValueError(f"{problem}: explore a part of them")
        numbered = [f"{noun} {i}" for i in range(1, length + 1)]
        names = resolve_names(given_names, numbered, noun, y_true, y_pred, y_score)
        state[f"{noun}s"] = list(map(printable, names))
    prediction = 0 * truth
    if y_score is not None:
        score = read_label_scores(y_true, y_score).prediction
        prediction = thresholds.at(score, 0.5)
        state |= {"y_score": score.tolist(), "threshold": 0.5 if y_pred is None else None}
    if y_pred is not None:
        prediction = dense(read_label_sets(y_true, y_pred).prediction)
    state["y_pred"] = prediction.astype(int).tolist()
    return {
        "shown": state,
        "metrics": list(map(metric_json, VARIANTS.values())),
        "switches": _switches(truth.shape[1]),
    }


def metric_values(state: Mapping[str, Any]) -> dict[str, str]:
    """Every metric's value by key, for a page's ``"shown"``; metrics that lack scores are left out.

    The value is that of `worked.solve`: a fraction as text, "nan" where it is undefined, or six
    decimals where it has logarithms.

    Examples
    --------
    >>> metric_values(page_json([[1, 0]], [[1, 1]])["shown"])["example_based.f1"]
    '2/3'
    """
    values = {}
    for key, metric in VARIANTS.items():
        prediction = state[catalogue.record_of(metric).reads]
        if prediction is not None:
            bound = with_options(metric, state["options"])
            value = worked.solve(bound, state["y_true"], prediction).value
            values[key] = f"{value:.6f}" if isinstance(value, float) else str(value)
    return values


def with_options(metric: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    """The metric with those of the options that it takes; the text "nan" of JSON becomes nan."""
    record = catalogue.record_of(metric)
    values = {name: math.nan if value == "nan" else value for name, value in options.items()}
    names = record.defaults.keys() & values.keys()
    if values.get("ties") not in record.tie_rules:
        names -= {"ties"}
    return partial(metric, **{name: values[name] for name in names})


def static_display(state: Mapping[str, Any]) -> Display:
    """The grid in words and every metric's value, for a page without a kernel."""
    outcomes = [["rightly left out", "✗ false alarm"], ["○ miss", "✓ hit"]]  # [truth][prediction]
    rows = []
    matrices = state["y_true"], state["y_pred"]
    for sample, truth, prediction in zip(state["samples"], *matrices, strict=True):
        cells = (outcomes[t][p] for t, p in zip(truth, prediction, strict=True))
        rows.append((sample, *cells))
    metrics = []
    for key, value in metric_values(state).items():
        name = catalogue.full_name(with_options(VARIANTS[key], state["options"]))
        metrics.append((name, with_decimal(Fraction(value)) if "/" in value else value))
    hint = Sentence("Run this cell in a notebook: then the cells can be clicked.")
    grid = Table("The grid", ("sample", *state["labels"]), tuple(rows))
    values = Table("Every metric", ("metric", "value"), tuple(metrics))
    return Display("The explorer", (hint, grid, values))


# --------------------------------------------------------------------------- what the script reads


def metric_json(metric: Callable[..., Any]) -> dict[str, Any]:
    """A metric's record and options as JSON: its name, formula, range, average and the like."""
    record, options = catalogue.record_of(metric), resolve_options(metric)
    average = options.pop("average", None)
    return {
        "key": metric_key(metric),
        "id": record.id,
        "name": catalogue.general_name(metric),
        "family": record.family,
        "reads": record.reads,
        "along": record.unit,
        "average": average,
        "higher": record.higher_is_better,
        "range": ["inf" if end == math.inf else end for end in record.range],  # JSON has no ∞
        "options": {
            name: "nan" if isinstance(value, float) and math.isnan(value) else value
            for name, value in options.items()
            if name not in ("per_sample", "sample_weight")
        },
        "ties": list(record.tie_rules),
        "symbols": {name: p.symbol for name, p in record.parameters.items() if p.symbol},
        "formula": mathml(record.teaching.latex),
        "words": record.teaching.words,
    }


def _switches(n_labels: int) -> list[dict[str, Any]]:
    """The switches for conventions: each choice in words, with the options that it sets."""
    default = _choice("as each metric has it")
    zero_division = [
        _choice(text, zero_division=value, undefined=value)
        for text, value in _VALUES_OF_0_OVER_0.items()
    ]
    agree = _choice("1 where nothing is wrong", zero_division="agree")
    switches = {
        "Ties": [default, *(_choice(text, ties=rule) for text, rule in _TIE_RULES.items())],
        "0/0 is": [default, *zero_division, agree],
        "k": [_choice(str(k), k=k) for k in range(1, n_labels + 1)],
        "β": [_choice(str(Fraction(beta)), beta=beta) for beta in (2, 1, 0.5, 0)],
    }
    return [{"says": name, "choices": choices} for name, choices in switches.items()]


def _choice(says: str, **options: Any) -> dict[str, Any]:
    """A choice of a switch: its words, and the options that it sets."""
    return {"says": says, "options": options}
