"""What is to be solved, as plain Python: the data, their names and the options of the metric."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import listed
from mlm_helpers.board import Sentence, Step, Table, printable
from mlm_helpers.board.numbers import plain

LARGEST = 50  # samples or labels: more than that nobody follows by hand


class Problem(NamedTuple):
    """The data, names and options that the steps are made of; every row is a sample."""

    record: catalogue.Metric
    settings: dict[str, Any]  # every option of the metric, checked
    truth: list[list[bool | None]]  # None: unknown
    other: list[list[Any]]  # predictions, or scores
    written: list[list[str]]  # scores as a person would write them
    weight: list[Fraction] | None
    labels: list[str]
    samples: list[str]


def read(
    metric: Any, y_true: Any, other: Any, labels: Any, samples: Any, options: dict[str, Any]
) -> Problem:
    """Read data through the gate and options through the catalogue."""
    record, settings = catalogue.of(metric), catalogue.settings(metric, **options)
    scores = record.reads != "y_pred"
    data = record.read(y_true, other, settings["sample_weight"])
    named = y_true, other
    truth, weight = inputs.dense(data.truth), data.weight
    other = _scored(data.other) if scores else inputs.dense(data.other)
    for size, what in zip(truth.shape, ("samples", "labels"), strict=True):
        if size > LARGEST:
            raise ValueError(
                f"y_true has {size} {what}, more than the {LARGEST} that a person can follow:"
                f" for large data call {record.id} itself"
            )
    for name, option in record.parameters.items():
        if option.per_label:
            settings[name] = listed(option.check(settings[name], truth.shape[1]))
    if "k" in settings:  # of all labels, those that are unknown in a sample included
        inputs.k(settings["k"], truth.shape[1])
    n_samples, n_labels = truth.shape
    labels = inputs.named(labels, range(1, n_labels + 1), "label", *named)
    samples = inputs.named(samples, range(1, n_samples + 1), "sample", *named)
    written = other.astype(str).tolist() if scores else []
    cells = truth.astype(bool) if data.known is None else _unknown(truth, data.known)
    return Problem(
        record,
        settings,
        truth=cells.tolist(),
        other=other.tolist(),
        written=[[text.removesuffix(".0").replace("-inf", "–") for text in row] for row in written],
        weight=None if weight is None else [Fraction(str(w)) for w in weight.tolist()],
        labels=list(map(printable, labels)),
        samples=list(map(printable, samples)),
    )


def _scored(score: Any) -> Any:
    """Scores as an array; a label without one is below all others."""
    if not hasattr(score, "tocoo"):
        return score
    full, stored = score.toarray() * 1.0, score.tocoo()
    full[:] = -math.inf
    full[stored.row, stored.col] = stored.data
    return full


def _unknown(truth: Any, known: Any) -> Any:
    """The truth with None where it is unknown."""
    cells = truth.astype(bool).astype(object)
    cells[~known] = None
    return cells


def data(problem: Problem) -> Step:
    """Show the data: true labels, and predicted ones or the scores of each label."""
    columns = {
        "sample": problem.samples,
        "true labels": [label_set(problem.labels, row) for row in problem.truth],
    }
    number = f": {len(problem.labels)} label{'s' * (len(problem.labels) > 1)}"
    if problem.written:
        number, scores = "", zip(*problem.written, strict=True)
        what = "probability" if problem.record.reads == "y_prob" else "score"
        named = [f"{what} of label {name}" for name in problem.labels]
        columns |= {name: [*column] for name, column in zip(named, scores, strict=True)}
    else:
        columns["predicted labels"] = [label_set(problem.labels, row) for row in problem.other]
    if problem.weight:
        columns["weight"] = list(map(plain, problem.weight))
    return Table(f"The data{number}", tuple(columns), tuple(zip(*columns.values(), strict=True)))


def unknown(problem: Problem) -> list[Step]:
    """A sentence on the unknown labels: how many, and how they are left out; none if all are known."""
    cells = [cell for row in problem.truth for cell in row]
    if None not in cells:
        return []
    what = "each sample is judged on its known labels"
    if problem.record.along == "label":
        what = "each label is judged on the samples where it is known"
    elif problem.record.reads == "y_score":
        what = "unknown labels are taken out of their sample's list"
    number = f"{cells.count(None)} of {len(cells)} cells"
    return [Sentence(f"{number} are unknown, marked ?: {what}.")]


def label_set(names: Sequence[str], chosen: Sequence[bool | None]) -> str:
    """Write the names that are chosen, and those of which that is unknown: ``{a, b?}``, or ∅."""
    marked = zip(names, chosen, strict=True)
    kept = [f"{name}{'?' * (flag is None)}" for name, flag in marked if flag or flag is None]
    return "{" + ", ".join(kept) + "}" if kept else "∅"
