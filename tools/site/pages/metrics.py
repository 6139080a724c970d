"""The tables of docs/metrics.md: a row of facts for each metric."""

import functools
from itertools import groupby

from mlm_course import invariance
from mlm_course.figures.phrases import capitalized
from mlm_helpers import catalogue
from mlm_helpers.catalogue import FAMILIES, Metric
from mlm_helpers.conventions.report import tie_rule_in_words
from tools.site.pages.markdown import code, escaped, table

CHANGES = "append an unused label", "append an empty sample", "swap truth and prediction"


def tables() -> str:
    """The metrics that the course teaches, in a Markdown table for each family."""
    tables = []
    for family, metrics in groupby(catalogue.taught_records(), lambda metric: metric.family):
        tables += [
            f"## {capitalized(family)}\n\n{capitalized(FAMILIES[family])}.",
            table(["metric", "formula", "what to know"], map(metric_row, metrics)),
        ]
    return "\n\n".join(tables)


def metric_row(metric: Metric) -> list[str]:
    """A metric in cells of Markdown: its name, its formula, and facts from its record."""
    facts = {
        "values": f"{range_of(metric)}, {direction(metric)}",
        "by default": escaped(undefined_rule(metric)),
        "ties": tie_rule_in_words(metric, metric.defaults["ties"]) if metric.tie_rules else "",
        "unchanged, if you": ", ".join(unchanged_by(metric)),
    }
    text = " <br>".join(f"{name}: {fact}." for name, fact in facts.items() if fact)
    arrow = "↑" if metric.higher_is_better else "↓"
    latex = metric.teaching.latex.replace("|", r"\vert ")  # a bar ends the cell of a table
    sklearn = code(metric.sklearn_call()) if metric.sklearn else "none"
    name = f"**{metric.name}** {arrow} <br>scikit-learn: {sklearn} <br>here: {code(metric.id)}"
    return [name, rf"$\displaystyle {latex}$", text]


def direction(metric: Metric) -> str:
    """Whether higher or lower values are better, in words."""
    return "higher is better" if metric.higher_is_better else "lower is better"


def range_of(metric: Metric) -> str:
    """The lowest and the highest value; an undefined value may count less than any defined one."""
    low, high = metric.range
    return f"{min(low, metric.defaults.get('undefined', low)):g}–{high}"


def undefined_rule(metric: Metric) -> str:
    """What an undefined value counts as by default, and where the metric is undefined."""
    if not metric.teaching.undefined_where:
        return "no 0/0"
    default = metric.defaults.get("zero_division", metric.defaults.get("undefined"))
    if default != default:  # nan
        return f"left out where {metric.teaching.undefined_where}"
    return f"{default:g} where {metric.teaching.undefined_where}"


def unchanged_by(metric: Metric) -> list[str]:
    """Changes of the data that leave the metric (or its macro average) as it is."""
    bound = functools.partial(metric.function, **metric.required)
    if "average" in metric.defaults:
        bound = functools.partial(bound, average="macro")
    changes = [name for name in CHANGES if invariance.TRANSFORMATIONS[name].applies(bound)]
    return [name for name in changes if invariance.smallest_change(bound, name) is None]
