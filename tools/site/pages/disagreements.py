"""Which metrics can disagree: pairs, changes of the data, and inequalities, with the smallest data."""

from __future__ import annotations

from typing import Any

from mlm_course import small_data
from mlm_course.disagreement import Disagreement, all_pairs
from mlm_course.inequalities import ALL, Claim, refuted
from mlm_course.invariance import TRANSFORMATIONS, Change, all_changes
from tools.site.pages.markdown import code, folded, page, plain, slug, table

INTRO = """\
Every metric of the course, each average apart, under the default conventions. A slash stands between samples:
`1 0 / 0 1` are two samples of two labels. [Notebook 11](notebooks/11_choosing_a_metric.ipynb) explains the tables.

## Two models, two metrics

Unfold a metric to see, for each other metric, the smallest data on which the two prefer different models, and their values for the
first and the second model. A loss prefers the lower value. All data of up to 2 samples × 3 labels were tried.
"""
CHANGES = """\
Unfold a change of the data to see which metrics it can change, and the smallest data on which it does.
"""
CLAIMS = """\
A true claim holds on all data. A false one is shown with the smallest data on which it fails. “Samples Jaccard” is accuracy (Jaccard), CF1
is the F1 of macro precision and macro recall, and a set metric reads the labels that score at least 0.5.
"""
Pairs = dict[tuple[str, str], Disagreement | None]


def text() -> str:
    pairs = all_pairs()
    names = dict.fromkeys(name for pair in pairs for name in pair)
    true = [[plain(claim.says), plain(claim.why)] for claim in ALL if claim.why]
    false = [counterexample(claim) for claim in ALL if not claim.why]
    return page(
        "Which metrics can disagree",
        INTRO,
        *(folded(name, opponents(name, pairs), slug("pairs", name)) for name in names),
        f"## One change of the data\n\n{CHANGES}",
        *(folded(how, changed(how), slug(how)) for how in TRANSFORMATIONS),
        f"## One metric at most another\n\n{CLAIMS}",
        table(["always true", "because"], true),
        table(["not always true", "truth", "prediction, or scores", "there"], false),
    )


def opponents(name: str, pairs: Pairs) -> str:
    """A row for each other metric: the data, and what both metrics make of the two models."""
    rows = []
    for (a, b), found in pairs.items():
        if name in (a, b):
            data, values = ["none", "", ""], ["", ""]
            if found:
                data = [written(one) for one in (found.y_true, found.first, found.second)]
                values = [shown(found.values_a), shown(found.values_b)]
            rows.append([b, *data, *values] if name == a else [a, *data, *reversed(values)])
    return table(["beside", "truth", "first", "second", plain(name), "the other"], rows)


def changed(how: str) -> str:
    """What one change does, and a row for each metric that it can change."""
    found = {name: one.change for (name, way), one in all_changes().items() if way == how}
    rows = [example(name, change) for name, change in found.items() if change]
    header = ["metric", "truth", "prediction, or scores", "truth after", "and after", "value"]
    return f"{TRANSFORMATIONS[how].says}\n\n{table(header, rows)}"


def example(name: str, change: Change) -> list[str]:
    """The smallest data on which a metric changes, before and after, and its two values."""
    data = change.y_true, change.y_other, change.changed_true, change.changed_other
    return [plain(name), *map(written, data), shown(change.values, " → ")]


def counterexample(claim: Claim) -> list[str]:
    """The smallest data on which a claim fails, and its two sides there."""
    found = refuted(claim)
    assert found, f"{claim.says} has no reason, and fails nowhere"
    return [plain(claim.says), written(found.y_true), written(found.y_other), plain(found.said)]


def written(matrix: list[list[Any]]) -> str:
    return code(" / ".join(" ".join(f"{cell:g}" for cell in row) for row in matrix))


def shown(values: tuple[float, float], between: str = ", ") -> str:
    return between.join(map(small_data.shown, values))
