"""Which metrics can disagree: pairs, changes of the data, and inequalities, with the smallest data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mlm_course import small_data
from mlm_course.disagreement import Disagreement, all_pairs
from mlm_course.inequalities import ALL, Claim, smallest_counterexample
from mlm_course.invariance import TRANSFORMATIONS, Change, all_changes
from tools.site.pages.markdown import code, filled, folded, plain, slug, table


def text() -> str:
    pairs, changes = all_pairs(), all_changes()
    names = dict.fromkeys(a for a, _ in pairs)
    true = [[plain(claim.text), plain(claim.reason)] for claim in ALL if claim.reason]
    false = [inequality_row(claim) for claim in ALL if not claim.reason]
    return filled(
        "disagreements",
        pairs="\n\n".join(folded(name, opponents(name, pairs), slug(name)) for name in names),
        changes="\n\n".join(folded(how, moved(how, changes), slug(how)) for how in TRANSFORMATIONS),
        true=table(["always true", "because"], true),
        false=table(["not always true", "truth", "prediction, or scores", "there"], false),
    )


def opponents(name: str, pairs: Mapping[tuple[str, str], Disagreement | None]) -> str:
    """A row for each metric after one: the data, and what both make of the two models."""
    rows = [disagreement_row(b, found) for (a, b), found in pairs.items() if a == name]
    return table(["beside", "truth", "first", "second", plain(name), "the other"], rows)


def disagreement_row(other: str, found: Disagreement | None) -> list[str]:
    if not found:
        return [plain(other), "none", "", "", "", ""]
    data = [written(matrix) for matrix in (found.y_true, found.first, found.second)]
    return [plain(other), *data, shown(found.values_a), shown(found.values_b)]


def moved(how: str, changes: Mapping[tuple[str, str], Change | None]) -> str:
    """What one change does, and a row for each metric that it can change."""
    found = {name: change for (name, way), change in changes.items() if way == how}
    rows = [change_row(name, change) for name, change in found.items() if change]
    header = ["metric", "truth", "prediction, or scores", "truth after", "and after", "value"]
    return f"{TRANSFORMATIONS[how].sentence}\n\n{table(header, rows)}"


def change_row(name: str, change: Change) -> list[str]:
    """The smallest data on which a metric changes, before and after, and its two values."""
    before, after = (change.y_true, change.y_pred), (change.changed_true, change.changed_other)
    data = [written(matrix) for matrix in (*before, *after)]
    return [plain(name), *data, shown(change.values, " → ")]


def inequality_row(claim: Claim) -> list[str]:
    """The smallest data on which a claim fails, and its two sides there."""
    found = smallest_counterexample(claim)
    assert found, f"{claim.text} has no reason, and fails nowhere"
    return [plain(claim.text), written(found.y_true), written(found.y_pred), plain(found.relation)]


def written(matrix: Sequence[Sequence[float]]) -> str:
    return code(" / ".join(small_data.row_texts(matrix)))


def shown(values: tuple[float, float], between: str = ", ") -> str:
    return between.join(map(small_data.fraction_or_root, values))
