"""Which metric? Questions that lead to a metric, its line of code and the sentence for the paper."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import mlm_helpers
from mlm_helpers import catalogue
from tools.site.pages.markdown import code, folded, page

TABLE = Path(__file__).parents[1] / "choices.toml"
INTRO = """\
At most four questions lead to a metric, its line of code and a sentence for your paper. Choose before you see
the results. [The guide of notebook 11](notebooks/11_choosing_a_metric.ipynb#a-guide-for-monday) has the reasons,
and data on which the metrics disagree.
"""


@cache
def questions() -> dict[str, dict[str, Any]]:
    """What each question asks, and its answers by name."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def answers(question: str) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, one) for name, one in questions()[question].items() if name != "asks"]


def leaves(question: str = "start", depth: int = 1) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The answers that name a metric, each with how many questions lead to it."""
    for _, one in answers(question):
        yield from leaves(one["then"], depth + 1) if "then" in one else [(depth, one)]


def text() -> str:
    return page(
        "Which metric?", INTRO, f'<div class="mlm-choose">\n\n{_question("start")}\n\n</div>'
    )


def _question(name: str, path: str = "") -> str:
    asked = [f"**{questions()[name]['asks']}**"]
    for key, one in answers(name):
        below = _question(one["then"], f"{path}{key}-") if "then" in one else _metric(one)
        asked.append(folded(one["says"], below, path + key, group=f"choice-{path}"))
    return "\n\n".join(asked)


def _metric(answer: Mapping[str, Any]) -> str:
    """What the answers lead to."""
    metric, beside = bound(answer["metric"]), map(bound, answer.get("beside", []))
    record, theirs = catalogue.of(metric), sklearn(metric)
    notebook = answer.get("notebook", record.taught)
    parts = [
        f"**Use {catalogue.describe(metric)}**, where {record.direction}. {answer['note']}",
        f"```python\nfrom mlm_helpers import {record.id.partition('.')[0]}\n\n{call(metric)}\n```",
        f"In scikit-learn the same number is {code(theirs)}." if theirs else "",
        f"For the paper:\n\n> {sentence(metric)}",
        *(f"Beside it: {code(call(one))}, {_named(one)}." for one in beside),
        f"By hand: [{notebook}](notebooks/{notebook}.ipynb).",
    ]
    return "\n\n".join(filter(None, parts))


def _named(metric: partial[Any]) -> str:
    each = " of each label" * (metric.keywords.get("average", "") is None)
    return catalogue.describe(metric) + each


# --------------------------------------------------------------------------- what the record says


def bound(named: Mapping[str, Any]) -> partial[Any]:
    """The metric of the record with that id, its options bound; the average "each" is None."""
    (record,) = (one for one in catalogue.METRICS if one.id == named["id"])
    options = {name: None if one == "each" else one for name, one in named.items() if name != "id"}
    return partial(record.function, **options)


def call(metric: partial[Any]) -> str:
    """The line of code: ``example_based.fbeta(y_true, y_pred, beta=2)``."""
    record = catalogue.of(metric)
    named = [f"{name}={name}" for name in record.asks_per_label]
    given = [f"{name}={value!r}" for name, value in metric.keywords.items()]
    return f"{record.id}({', '.join(['y_true', record.reads, *named, *given])})".replace("'", '"')


def sklearn(metric: partial[Any]) -> str:
    """The same in scikit-learn; empty where it has another number, or none."""
    record, options = catalogue.of(metric), metric.keywords
    if options.get("average", "") in record.sklearn_but:
        return ""
    return re.sub(r"\b(\w+)=\1\b", lambda one: f"{one[1]}={options[one[1]]!r}", record.sklearn)


def sentence(metric: partial[Any]) -> str:
    """What a paper says of the metric: formula, averaging, 0/0, the version that computed it."""
    record = catalogue.of(metric)
    chosen, words, along = record.defaults | metric.keywords, record.words, record.along
    for name, parameter in record.parameters.items():
        if parameter.symbol:
            words = re.sub(rf"(?<![a-z]){parameter.symbol}(?![a-z])", str(chosen[name]), words)
    each = f"For each {along}: {words}; we report the mean over {along}s."
    value = chosen.get("zero_division", chosen.get("undefined", 0.0))
    counts = "is left out" if value != value else f"is set to {value:g}"
    empty = f" Where {record.undefined_where}, the value {counts}." * bool(record.undefined_where)
    if record.reads == "y_prob":
        each = f"For each sample and label: {words}; we report the mean of all."
    elif chosen.get("average") == "micro":
        each, empty = f"Over all samples and labels together: {words}.", ""
    ties = f" with ties={chosen['ties']!r}" if "ties" in chosen else ""
    return (
        f"We report {catalogue.describe(metric)} ({record.direction}). {each}{empty}"
        f" Computed by mlm_helpers {mlm_helpers.__version__}{ties}."
    )
