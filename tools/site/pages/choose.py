"""The page "Which metric?": questions that lead to a metric, its code, and words for a paper."""

import math
import re
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import mlm_helpers
from mlm_helpers import catalogue
from mlm_helpers.conventions.report import tie_rule_in_words
from tools.site.pages.markdown import ROOT, code, details, filled_template
from tools.site.pages.metrics import direction


@cache
def questions() -> dict[str, dict[str, Any]]:
    """The questions of choices.toml by name: the text of each, and its answers by name."""
    return tomllib.loads((ROOT / "tools/site/choices.toml").read_text(encoding="utf-8"))


def page() -> str:
    """The page in Markdown, with all questions folded into one another."""
    return filled_template("choose", questions=question_block("start"))


def question_block(name: str, path: str = "") -> str:
    """A question, with the next question or a recommendation folded below each answer.

    The path has the answers that lead to the question, as "labels-set-"; anchors begin with it.
    """
    (_, question), *answers = questions()[name].items()
    parts = [f"**{question}**"]
    for key, answer in answers:
        if "then" in answer:
            content = question_block(answer["then"], f"{path}{key}-")
        else:
            content = recommendation(answer)
        parts.append(details(answer["answer"], content, path + key, group=f"choice-{path}"))
    return "\n\n".join(parts)


def recommendation(answer: Mapping[str, Any]) -> str:
    """The metric that an answer recommends: scikit-learn's code, ours, and words for a paper."""
    metric = bound_metric(answer["metric"])
    record, sklearn = catalogue.record_of(metric), sklearn_call(metric)
    module, ours = record.id.partition(".")[0], code_line(metric)
    notebook = answer.get("notebook", record.teaching.notebook)
    parts = [
        f"**Use {catalogue.full_name(metric)}**, where {direction(record)}. {answer['note']}",
        code_block("sklearn.metrics", sklearn.partition("(")[0], sklearn)
        if sklearn
        else "scikit-learn does not have it; this package does:\n\n"
        f"{code_block('mlm_helpers', module, ours)}",
        f"In this package the same number is {code(ours)}." if sklearn else "",
        f"For the paper:\n\n> {answer.get('paper') or paper_sentence(metric)}",
        *(f"Beside it: {code(code_line(bound_metric(e)))}." for e in answer.get("beside", [])),
        f"By hand: [{notebook}](notebooks/{notebook}.ipynb).",
    ]
    return "\n\n".join(filter(None, parts))


def code_block(package: str, name: str, call: str) -> str:
    """A block of code that imports a name and has a call."""
    return f"```python\nfrom {package} import {name}\n\n{call}\n```"


def bound_metric(entry: Mapping[str, Any]) -> partial[Any]:
    """The metric of an entry of choices.toml (record and options); its average "each" is None."""
    (record,) = (record for record in catalogue.METRICS if record.id == entry["id"])
    options = {name: value for name, value in entry.items() if name != "id"}
    options |= {"average": None} if options.get("average") == "each" else {}
    return partial(record.function, **options)


def code_line(metric: partial[Any]) -> str:
    """The call of a metric, such as ``example_based.fbeta(y_true, y_pred, beta=2)``."""
    record = catalogue.record_of(metric)
    per_label = [f"{name}={name}" for name in record.required_per_label]
    options = [f"{name}={value!r}" for name, value in metric.keywords.items()]
    arguments = ", ".join(["y_true", record.reads, *per_label, *options])
    return f"{record.id}({arguments})".replace("'", '"')


def sklearn_call(metric: partial[Any]) -> str:
    """scikit-learn's expression of the same number; empty if scikit-learn does not have it."""
    record, options = catalogue.record_of(metric), metric.keywords
    if options.get("average", "") in record.sklearn_differs:
        return ""
    option = re.compile(r"\b(\w+)=\1\b")  # the record writes beta=beta
    return option.sub(lambda match: f"{match[1]}={options[match[1]]!r}", record.sklearn)


def paper_sentence(metric: partial[Any]) -> str:
    """A sentence for a paper: formula, averaging, 0/0, how ties are broken, tool and version."""
    record = catalogue.record_of(metric)
    options, formula = record.defaults | metric.keywords, record.teaching.words
    for name, parameter in record.parameters.items():
        if parameter.symbol:
            symbol = rf"(?<![a-z]){parameter.symbol}(?![a-z])"  # k, but not that of "rank"
            formula = re.sub(symbol, str(options[name]), formula)
    unit = "cell" if record.reads == "y_prob" else record.unit
    definition = f"For each {unit}: {formula}; we report the mean over {unit}s."
    if options.get("average") == "micro":
        definition = f"Over all samples and labels together: {formula}."
    elif record.teaching.undefined_where:
        value: Any = options.get("zero_division", options.get("undefined"))
        rule = "is left out" if math.isnan(value) else f"is set to {value:g}"
        definition += f" Where {record.teaching.undefined_where}, the value {rule}."
    ties = f"; {tie_rule_in_words(record, options['ties'])}" if "ties" in options else ""
    tool = f"mlm_helpers {mlm_helpers.__version__}"
    tool = f"scikit-learn *version* (as by {tool})" if sklearn_call(metric) else tool
    name = f"{catalogue.full_name(metric)} ({direction(record)})"
    return f"We report {name}. {definition} Computed by {tool}{ties}."
