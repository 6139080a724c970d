"""What is to be solved, as plain Python: the data, their names and the options of the metric."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import listed
from mlm_helpers.board import Sentence, Step, Table, printable
from mlm_helpers.board.numbers import plain

Columns: TypeAlias = dict[str, Sequence[Any]]
Matrix: TypeAlias = list[list[Any]]
LARGEST = 50  # samples or labels: more than that nobody follows by hand


class Problem(NamedTuple):
    """The data, names and options that the steps are made of; every row is a sample."""

    record: catalogue.Metric
    settings: dict[str, Any]  # every option of the metric, checked
    truth: Matrix  # True, False, or None where it is unknown
    other: Matrix  # predictions, or scores
    written: list[list[str]]  # scores as a person would write them
    weight: list[Fraction] | None
    labels: list[str]
    samples: list[str]


def read(
    metric: Any, y_true: Any, other: Any, labels: Any, samples: Any, options: dict[str, Any]
) -> Problem:
    """Read data through the gate and options through the catalogue."""
    record, settings = catalogue.of(metric), catalogue.settings(metric, **options)
    data = record.read(y_true, other, settings["sample_weight"])
    n_samples, n_labels = data.shape
    for size, what in ((n_samples, "samples"), (n_labels, "labels")):
        if size > LARGEST:
            raise ValueError(
                f"y_true has {size} {what}, more than the {LARGEST} that a person can follow:"
                f" for large data call {record.id} itself"
            )
    for name, option in record.parameters.items():
        if option.per_label:
            settings[name] = listed(option.check(settings[name], n_labels))
    if "k" in settings:  # of all labels, those that are unknown in a sample included
        inputs.k(settings["k"], n_labels)
    labels = inputs.named(labels, range(1, n_labels + 1), "label", y_true, other)
    samples = inputs.named(samples, range(1, n_samples + 1), "sample", y_true, other)
    dense, has_scores = data.dense(), record.reads != "y_pred"
    matrix = dense.other
    if has_scores and inputs.is_sparse(data.other):
        matrix = matrix + 0.0
        matrix[matrix == 0] = -math.inf  # a label without a score is below all others
    written = matrix.astype(str).tolist() if has_scores else []
    return Problem(
        record,
        settings,
        truth=dense.y_true.astype(bool).tolist(),  # a masked array holds None where it is masked
        other=matrix.tolist(),
        written=[[text.removesuffix(".0").replace("-inf", "–") for text in row] for row in written],
        weight=None if data.weight is None else [Fraction(str(w)) for w in data.weight.tolist()],
        labels=list(map(printable, labels)),
        samples=list(map(printable, samples)),
    )


def table_of(caption: str, columns: Mapping[str, Sequence[Any]]) -> Table:
    """A table of named columns."""
    return Table(caption, tuple(columns), tuple(zip(*columns.values(), strict=True)))


def data(problem: Problem) -> Step:
    """Show the data: true labels, and predicted ones or the scores of each label."""
    columns: Columns = {
        "sample": problem.samples,
        "true labels": [label_set(problem.labels, row) for row in problem.truth],
    }
    number = f": {len(problem.labels)} label{'s' * (len(problem.labels) > 1)}"
    if problem.written:
        number, scores = "", zip(*problem.written, strict=True)
        what = "probability" if problem.record.reads == "y_prob" else "score"
        columns |= dict(zip((f"{what} of label {n}" for n in problem.labels), scores, strict=True))
    else:
        columns["predicted labels"] = [label_set(problem.labels, row) for row in problem.other]
    if problem.weight:
        columns["weight"] = list(map(plain, problem.weight))
    return table_of(f"The data{number}", columns)


def unknown(problem: Problem) -> list[Step]:
    """A sentence on the unknown labels: none if all are known."""
    cells = [cell for row in problem.truth for cell in row]
    if None not in cells:
        return []
    number = f"{cells.count(None)} of {len(cells)} cells"
    return [Sentence(f"{number} are unknown, marked ?, and left out.")]


def label_set(names: Sequence[str], chosen: Sequence[bool | None]) -> str:
    """Write the names that are chosen, and those of which that is unknown: ``{a, b?}``, or ∅."""
    marked = zip(names, chosen, strict=True)
    kept = [f"{name}{'?' * (flag is None)}" for name, flag in marked if flag or flag is None]
    return "{" + ", ".join(kept) + "}" if kept else "∅"
