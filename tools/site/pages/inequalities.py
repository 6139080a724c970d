"""What is at most what: the claims of `mlm_course.inequalities`, true and false."""

from __future__ import annotations

from mlm_course import small_data
from mlm_course.inequalities import ALL, Claim, refuted
from mlm_helpers import catalogue
from tools.site.pages.markdown import folded, page, plain, slug, table

INTRO = """\
Claims about the values of metrics on the same data, under the default conventions unless the claim
names others. A true one holds on any data, and has its reason. A false one fails first on the smallest
data shown: all smaller ones were looked at. “Samples Jaccard” is accuracy (Jaccard); CF1 is the F1 of
macro precision and macro recall; a set metric reads the labels that score at least 0.5.
[Notebook 11](notebooks/11_choosing_a_metric.ipynb) comes to them from the metrics.
"""


def text() -> str:
    true = [[plain(claim.says), plain(claim.why)] for claim in ALL if claim.why]
    false = [counterexample(claim) for claim in ALL if not claim.why]
    return page(
        "What is at most what",
        INTRO,
        f"## Always true\n\n{len(true)} claims.",
        table(["claim", "because"], true),
        f"## Believed, and not always true\n\n{len(false)} claims, each with the smallest data on which it fails.",
        *false,
    )


def counterexample(claim: Claim) -> str:
    """The smallest data on which a claim fails, and the values there."""
    found = refuted(claim)
    assert found, f"{claim.says} has no reason, and fails nowhere"
    said = "; ".join(f"{name} {small_data.shown(value)}" for name, value in found.values.items())
    scored = any(catalogue.of(metric).reads == "y_score" for metric in claim.metrics.values())
    header = ["sample", "truth", "scores" if scored else "prediction"]
    data = table(header, small_data.written(found.y_true, found.y_other))
    summary = f"{claim.says}: there, {found.said}"
    return folded(summary, f"{data}\n\n{plain(said)}.", slug(claim.says))
