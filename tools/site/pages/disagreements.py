"""Which metrics can disagree: pairs, changes of the data, and inequalities, with the smallest data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mlm_course import small_data
from mlm_course.disagreement import Disagreement, all_pairs
from mlm_course.inequalities import ALL, Claim, refuted
from mlm_course.invariance import TRANSFORMATIONS, Change, all_changes
from tools.site.pages.markdown import code, filled, folded, plain, slug, table

Pairs = Mapping[tuple[str, str], Disagreement | None]


def text() -> str:
    pairs = all_pairs()
    names = dict.fromkeys(name for pair in pairs for name in pair)
    against = [folded(name, opponents(name, pairs), slug("pairs", name)) for name in names]
    true = [[plain(claim.says), plain(claim.why)] for claim in ALL if claim.why]
    false = [counterexample(claim) for claim in ALL if not claim.why]
    return filled(
        "disagreements",
        pairs="\n\n".join(against),
        changes="\n\n".join(folded(how, changed(how), slug(how)) for how in TRANSFORMATIONS),
        true=table(["always true", "because"], true),
        false=table(["not always true", "truth", "prediction, or scores", "there"], false),
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
    found = {name: one for (name, way), one in all_changes().items() if way == how}
    rows = [example(name, change) for name, change in found.items() if change]
    header = ["metric", "truth", "prediction, or scores", "truth after", "and after", "value"]
    return f"{TRANSFORMATIONS[how].says}\n\n{table(header, rows)}"


def example(name: str, change: Change) -> list[str]:
    """The smallest data on which a metric changes, before and after, and its two values."""
    before, after = (change.y_true, change.y_other), (change.changed_true, change.changed_other)
    data = [written(matrix) for matrix in (*before, *after)]
    return [plain(name), *data, shown(change.values, " → ")]


def counterexample(claim: Claim) -> list[str]:
    """The smallest data on which a claim fails, and its two sides there."""
    found = refuted(claim)
    assert found, f"{claim.says} has no reason, and fails nowhere"
    return [plain(claim.says), written(found.y_true), written(found.y_other), plain(found.said)]


def written(matrix: Sequence[Sequence[float]]) -> str:
    return code(" / ".join(" ".join(f"{cell:g}" for cell in row) for row in matrix))


def shown(values: tuple[float, float], between: str = ", ") -> str:
    return between.join(map(small_data.shown, values))
