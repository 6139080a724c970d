"""The cheat sheet: what is known of every metric, a line each."""

from __future__ import annotations

import functools
from itertools import groupby

from mlm_course import invariance
from mlm_course.figures.phrases import capital
from mlm_helpers import catalogue
from mlm_helpers.catalogue import FAMILIES, Metric
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
CHANGES = "append an unused label", "append an empty sample", "swap truth and prediction"
USES = {
    "exact_match.subset_accuracy": "a set of labels, useful only if entirely right (a form to sign)",
    "example_based.accuracy": "beside subset accuracy",
    "example_based.precision": "beside example-based F1",
    "example_based.recall": "beside example-based F1",
    "example_based.f1": "a set of labels, partly right is fine (tags on a photo)",
    "example_based.fbeta": "labels, where one kind of mistake costs more",
    "hamming.hamming_loss": "single answers, yes or no, each wrong one at the same cost (a checklist)",
    "label_based.precision": "each label on its own (ten separate alarms)",
    "label_based.recall": "each label on its own (ten separate alarms)",
    "label_based.f1": "each label on its own (ten separate alarms)",
    "label_based.fbeta": "labels, where one kind of mistake costs more",
    "ranking.coverage": "a ranked list, read until everything is found",
    "ranking.one_error": "only the first suggestion",
    "ranking.ranking_loss": "beside coverage",
    "ranking.average_precision": "a ranked list, where the top matters most",
    "curves.average_precision": "for one label, the samples sorted (a search)",
    "curves.roc_auc": "beside mAP",
    "top_k.precision": "the first k labels (a row of suggestions)",
    "top_k.recall": "beside precision at k",
    "top_k.ndcg": "the first k labels, if places matter",
}
"""What users see where a metric is advised, or the metric beside which it is."""


def text() -> str:
    families = []
    for family, metrics in groupby(catalogue.taught(), lambda metric: metric.family):
        families += [
            f"## {capital(family)}\n\n{capital(FAMILIES[family])}.",
            table(["metric", "formula", "what to know"], map(row, metrics)),
        ]
    signs = "\n".join(f"* {sign}: {says}" for sign, says in LEGEND)
    return page("The cheat sheet", INTRO, *families, f"## The signs\n\n{signs}")


def row(metric: Metric) -> list[str]:
    """A metric as cells of Markdown."""
    use = USES.get(metric.id, "")
    facts = {
        "values": f"{values(metric)}, {metric.direction}",
        "by default": plain(undefined(metric)),
        "ties": code(metric.defaults["ties"]) if "ties" in metric.defaults else "",
        "scikit-learn": code(metric.sklearn_name) if metric.sklearn else "none",
        "advised" + " if users see" * (not use.startswith("beside ")): plain(use),
        "never changes, if you": ", ".join(never(metric)),
    }
    said = " <br>".join(f"{name}: {fact}." for name, fact in facts.items() if fact)
    arrow = "↑" if metric.higher_is_better else "↓"
    return [f"**{metric.name}** {arrow} <br>{code(metric.id)}", formula(metric), said]


# ---------------------------------------------------------------------------- what it makes of data


def values(metric: Metric) -> str:
    """From the lowest value to the highest: what has no value may count less than all that has."""
    low, high = metric.range
    return f"{min(low, metric.defaults.get('undefined', low)):g}–{high}"


def undefined(metric: Metric) -> str:
    """What the default makes of a value that does not exist, and where there is none."""
    if not metric.undefined_where:
        return "no 0/0"
    default = metric.defaults.get("zero_division", metric.defaults.get("undefined"))
    if default != default:
        return f"left out where {metric.undefined_where}"
    return f"{default:g} where {metric.undefined_where}"


def never(metric: Metric) -> list[str]:
    """The changes that never matter to the metric (of labels, to its macro mean)."""
    bound = functools.partial(metric.function, **metric.required)
    if "average" in metric.options:
        bound = functools.partial(bound, average="macro")
    found, name = invariance.all_changes(), catalogue.describe(bound)
    return [how for how in CHANGES if found[name, how].sign == "="]
