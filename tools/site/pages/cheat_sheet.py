"""The cheat sheet: what is known of every metric, a line each."""

from __future__ import annotations

import functools
import inspect
import re
from functools import cache
from typing import NamedTuple

from mlm_helpers import catalogue, invariance
from mlm_helpers.catalogue import FAMILIES, Metric
from tools import notebooks
from tools.site.pages.markdown import code, formula, page, plain, table

INTRO = """\
Every metric of the course, a line each, by family, under the default conventions. Your browser prints
this page without the site around it, A4 landscape.
"""
LEGEND = (
    (
        "$Y, Z$",
        "the true and the predicted labels of a sample; in curves, $Y$ are the samples that have a label",
    ),
    ("$TP, FP, FN$", "of one label: hits, false alarms, misses"),
    ("$L, n$", "how many labels, how many samples"),
    (
        "$r(j), r_Y(j)$",
        "the rank of $j$ by score, from 1 for the highest: among all, and within $Y$",
    ),
    ("$T$", "the first $k$ labels of a sample"),
    ("$[\\;]$", "1 where what stands in it is true, else 0"),
    ("unused, empty", "appended, never true, never predicted, and scored below all others"),
    (
        "=, ≠",
        "if the data are so changed, the metric (of labels, its macro mean) never changes; or it can",
    ),
    (
        "worst, average",
        "ties share their last place; or the mean over their orders, so in AUROC a tied pair is 1/2",
    ),
    ("average=", "is asked for by scikit-learn, if label-based"),
)
CHANGES = {
    "append an unused label": "unused\nlabel",
    "append an empty sample": "empty\nsample",
    "swap truth and prediction": "swap\n$Y, Z$",
}
"""Changes of the data, and how they are called above the column that says what they do."""
GUIDE = "| your users see … | use | and beside it |"
ADVISED = {
    "exact_match.subset_accuracy": "subset accuracy",
    "example_based.accuracy": "example-based Jaccard",
    "example_based.precision": "its precision and recall",
    "example_based.recall": "its precision and recall",
    "example_based.f1": "example-based F1",
    "example_based.fbeta": "Fβ",
    "hamming.hamming_loss": "Hamming loss",
    "label_based.precision": "precision and recall per label",
    "label_based.recall": "precision and recall per label",
    "label_based.f1": "macro F1",
    "label_based.fbeta": "Fβ",
    "ranking.coverage": "coverage",
    "ranking.one_error": "one-error",
    "ranking.ranking_loss": "ranking loss",
    "ranking.average_precision": "average precision",
    "curves.average_precision": "mAP",
    "curves.roc_auc": "AUROC",
    "top_k.precision": "P@k",
    "top_k.recall": "recall at k",
    "top_k.ndcg": "nDCG@k",
}
"""What the guide of notebook 09 calls the metrics that it advises."""


class Line(NamedTuple):
    """What the sheet says of a metric beside its record."""

    metric: Metric
    values: str
    undefined: str
    ties: str
    changes: tuple[str, ...]
    use: str


def text() -> str:
    families = [_family(family, counts) for family, counts in FAMILIES.items()]
    signs = "\n".join(f"* {sign}: {says}" for sign, says in LEGEND)
    return page("The cheat sheet", INTRO, *families, f"## The signs\n\n{signs}")


def _family(family: str, counts: str) -> str:
    title = f"## {family[0].upper()}{family[1:]}\n\n{counts[0].upper()}{counts[1:]}."
    rows = [row(line) for line in lines() if line.metric.family == family]
    return f"{title}\n\n{table(['metric', 'formula', 'what to know'], rows)}"


def row(line: Line) -> list[str]:
    """A metric as cells of Markdown."""
    metric = line.metric
    never = [how for how, sign in zip(CHANGES, line.changes, strict=True) if sign == "="]
    advised = "advised by notebook 09" + ", if users see" * (not line.use.startswith("beside "))
    facts = {
        "values": f"{line.values}, {metric.direction}",
        "by default": plain(line.undefined),
        "ties": code(line.ties) if "ties" in metric.defaults else "",
        "scikit-learn": code(metric.sklearn_name) if metric.sklearn else "none",
        advised: plain(line.use),
        "never changes, if you": ", ".join(never),
    }
    said = " <br>".join(f"{name}: {fact}." for name, fact in facts.items() if fact)
    return [f"**{metric.name}** {arrow(metric)} <br>{code(metric.id)}", formula(metric), said]


@cache
def lines() -> tuple[Line, ...]:
    return tuple(
        Line(
            metric,
            values(metric),
            undefined(metric),
            metric.defaults.get("ties", "–"),
            changes(metric),
            use(metric),
        )
        for metric in catalogue.taught()
    )


def arrow(metric: Metric) -> str:
    return "↑" if metric.higher_is_better else "↓"


# ---------------------------------------------------------------------------- what it makes of data


def values(metric: Metric) -> str:
    """From the lowest value to the highest: what has no value may count less than all that has."""
    low, high = metric.range
    return f"{min(low, metric.defaults.get('undefined', low)):g}–{high}"


def undefined(metric: Metric) -> str:
    """What the default makes of 0/0, or of what has no value, where the docstring says it arises."""
    said = " ".join((inspect.getdoc(metric.function) or "").split()).replace("``", "")
    default, parts = metric.defaults, []
    if zero := re.search(r"0/0 where ([^.(]+?)(?= \(|\.)", said):
        parts.append(f"{default['zero_division']:g} where {zero[1]}")
    if empty := re.search(
        r"The value of (a (?:sample|label) without [^,]+?),? (?:returned )?as it", said
    ):
        value = default["undefined"]
        parts.append(f"{empty[1]} is left out" if value != value else f"{value:g} for {empty[1]}")
    return "; ".join(parts) or "no 0/0"


def changes(metric: Metric) -> tuple[str, ...]:
    """Of each change, = where it never matters to the metric (of labels, its macro mean), else ≠."""
    found = invariance.all_changes()
    bound = functools.partial(metric.function, **metric.required)
    name = catalogue.describe(
        bound if "average" not in metric.options else functools.partial(bound, average="macro")
    )
    signs = {None: "–", True: "=", False: "≠"}
    return tuple(
        signs[None if (one := found[name, how]) is None else isinstance(one, str)]
        for how in CHANGES
    )


# ---------------------------------------------------------------------------- when to use


def use(metric: Metric) -> str:
    """What users see where notebook 09 advises the metric, or beside which metric it does."""
    called = ADVISED.get(metric.id, "no metric")
    rows = guide()
    advised = [seen for seen, chosen, _ in rows if called in chosen]
    second = [f"beside {chosen}" for _, chosen, beside in rows if called in beside]
    return next(iter([*advised, *second]), "")


@cache
def guide() -> tuple[tuple[str, str, str], ...]:
    """The rows of the guide of notebook 09: what users see, what to use, and what beside it."""
    cells = notebooks.read(notebooks.NOTEBOOKS / "09_choosing_a_metric.ipynb").cells
    (advice,) = (cell.source for cell in cells if GUIDE in cell.source)
    _, _, rest = advice.partition(f"{GUIDE}\n|---|---|---|\n")
    rows = (line.strip("| ").split(" | ") for line in rest.splitlines() if line.startswith("| "))
    return tuple((seen, chosen, beside) for seen, chosen, beside in rows)
