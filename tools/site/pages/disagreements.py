"""The page "Which metrics can disagree": pairs, changes of the data, and inequalities."""

from collections.abc import Mapping
from typing import Any

from mlm_course import small_data
from mlm_course.disagreement import SAME_ORDER, Disagreement, all_pairs
from mlm_course.inequalities import ALL, Claim, smallest_counterexample
from mlm_course.invariance import TRANSFORMATIONS, Change, all_changes
from tools.site.pages.markdown import code, details, escaped, filled_template, slug, table


def page() -> str:
    """The page in Markdown, with the smallest data for everything that can happen."""
    pairs, changes = all_pairs(), all_changes()
    metrics = dict.fromkeys(a for a, _ in pairs)
    never = [[" and ".join(pair), escaped(reason)] for pair, reason in SAME_ORDER.items()]
    true = [[escaped(claim.text), escaped(claim.reason)] for claim in ALL if claim.reason]
    false = [inequality_row(claim) for claim in ALL if not claim.reason]
    pair_sections = [details(name, opponent_table(name, pairs), slug(name)) for name in metrics]
    change_sections = [details(n, change_section(n, changes), slug(n)) for n in TRANSFORMATIONS]
    return filled_template(
        "disagreements",
        never=table(["never disagree", "because"], never),
        pairs="\n\n".join(pair_sections),
        changes="\n\n".join(change_sections),
        true=table(["always true", "because"], true),
        false=table(["not always true", "truth", "prediction, or scores", "there"], false),
    )


def opponent_table(metric: str, pairs: Mapping[tuple[str, str], Disagreement | None]) -> str:
    """A table of the pairs with a metric: the smallest data, and two models' values of both."""
    rows = [disagreement_row(b, pairs[a, b]) for a, b in pairs if a == metric]
    header = ["beside", "truth", "first", "second", escaped(f"{metric}: first, second")]
    return table([*header, "the other: first, second"], rows)


def disagreement_row(opponent: str, disagreement: Disagreement | None) -> list[str]:
    """The smallest data on which an opponent prefers the other model, and the values there."""
    if not disagreement:
        return [escaped(opponent), "never", "", "", "", ""]
    matrices = disagreement.y_true, disagreement.first, disagreement.second
    values = values_text(disagreement.values_a), values_text(disagreement.values_b)
    return [escaped(opponent), *map(matrix_code, matrices), *values]


def change_section(name: str, changes: Mapping[tuple[str, str], Change | None]) -> str:
    """A change of the data in a sentence, and a table of the metrics whose value it can change."""
    examples = {metric: change for (metric, of_name), change in changes.items() if of_name == name}
    rows = [change_row(metric, change) for metric, change in examples.items() if change]
    header = ["metric", "truth", "prediction, or scores", "truth after", "and after", "value"]
    return f"{TRANSFORMATIONS[name].sentence}\n\n{table(header, rows)}"


def change_row(metric: str, change: Change) -> list[str]:
    """The smallest data on which a metric changes, before and after, and its two values."""
    matrices = change.y_true, change.y_pred, change.changed_true, change.changed_other
    return [escaped(metric), *map(matrix_code, matrices), values_text(change.values, " → ")]


def inequality_row(claim: Claim) -> list[str]:
    """The smallest data on which a false claim fails, and its two sides there."""
    example = smallest_counterexample(claim)
    assert example, f"{claim.text} has no reason, and fails nowhere"
    matrices = matrix_code(example.y_true), matrix_code(example.y_pred)
    return [escaped(claim.text), *matrices, escaped(example.relation)]


def matrix_code(matrix: Any) -> str:
    """A matrix as inline code, its rows separated by slashes: `0 1 / 1 0`."""
    return code(" / ".join(small_data.row_texts(matrix)))


def values_text(values: tuple[float, float], separator: str = ", ") -> str:
    """Two values as fractions or roots."""
    return separator.join(map(small_data.fraction_or_root, values))
