"""Which metric? Questions that lead to a metric, its line of code and the sentence for the paper."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import mlm_helpers
from mlm_helpers import catalogue
from tools.site.pages.markdown import ROOT, code, filled, folded
from tools.site.pages.metrics import direction


@cache
def questions() -> dict[str, dict[str, Any]]:
    """What each question asks, and its answers by name."""
    return tomllib.loads((ROOT / "tools/site/choices.toml").read_text(encoding="utf-8"))


def text() -> str:
    return filled("choose", questions=ask("start"))


def ask(name: str, path: str = "") -> str:
    """A question, and its answers folded, each above the next question or the metric."""
    parts = [f"**{questions()[name]['question']}**"]
    for key, answer in questions()[name].items():
        if key != "question":
            is_last = "then" not in answer
            below = advice(answer) if is_last else ask(answer["then"], f"{path}{key}-")
            parts.append(folded(answer["answer"], below, path + key, group=f"choice-{path}"))
    return "\n\n".join(parts)


def advice(answer: Mapping[str, Any]) -> str:
    """What the answers lead to."""
    metric, beside = bound_metric(answer["metric"]), map(bound_metric, answer.get("beside", []))
    record, theirs = catalogue.record_of(metric), sklearn_call(metric)
    notebook = answer.get("notebook", record.taught)
    parts = [
        f"**Use {catalogue.full_name(metric)}**, where {direction(record)}. {answer['note']}",
        f"```python\nfrom mlm_helpers import {record.id.partition('.')[0]}\n\n{code_line(metric)}\n```",
        f"In scikit-learn the same number is {code(theirs)}." if theirs else "",
        f"For the paper:\n\n> {paper_sentence(metric)}",
        *(f"Beside it: {code(code_line(one))}." for one in beside),
        f"By hand: [{notebook}](notebooks/{notebook}.ipynb).",
    ]
    return "\n\n".join(filter(None, parts))


def bound_metric(named: Mapping[str, Any]) -> partial[Any]:
    """The metric of the record with that id, its options bound; the average "each" is None."""
    (record,) = (one for one in catalogue.METRICS if one.id == named["id"])
    options = {name: None if one == "each" else one for name, one in named.items() if name != "id"}
    return partial(record.function, **options)


def code_line(metric: partial[Any]) -> str:
    """The line of code: ``example_based.fbeta(y_true, y_pred, beta=2)``."""
    record = catalogue.record_of(metric)
    named = [f"{name}={name}" for name in record.required_per_label]
    given = [f"{name}={value!r}" for name, value in metric.keywords.items()]
    return f"{record.id}({', '.join(['y_true', record.reads, *named, *given])})".replace("'", '"')


def sklearn_call(metric: partial[Any]) -> str:
    """The same in scikit-learn; empty where it has another number, or none."""
    record, options = catalogue.record_of(metric), metric.keywords
    if options.get("average", "") in record.sklearn_differs:
        return ""
    return re.sub(r"\b(\w+)=\1\b", lambda one: f"{one[1]}={options[one[1]]!r}", record.sklearn)


def paper_sentence(metric: partial[Any]) -> str:
    """What a paper says of the metric: formula, averaging, 0/0, ties, the version that computed it."""
    record = catalogue.record_of(metric)
    chosen, words = record.defaults | metric.keywords, record.formula_in_words
    for name, parameter in record.parameters.items():
        if parameter.symbol:
            words = re.sub(rf"(?<![a-z]){parameter.symbol}(?![a-z])", str(chosen[name]), words)
    along = "cell" if record.reads == "y_prob" else record.unit
    each = f"For each {along}: {words}; we report the mean over {along}s."
    if chosen.get("average") == "micro":
        each = f"Over all samples and labels together: {words}."
    elif record.undefined_where:
        value = chosen.get("zero_division", chosen.get("undefined"))
        counts = "is left out" if value != value else f"is set to {value:g}"
        each += f" Where {record.undefined_where}, the value {counts}."
    ties = f" with ties={chosen['ties']!r}" if "ties" in chosen else ""
    return (
        f"We report {catalogue.full_name(metric)} ({direction(record)}). {each}"
        f" Computed by mlm_helpers {mlm_helpers.__version__}{ties}."
    )
