"""What is to be solved, as plain Python: the data, their names and the options of the metric."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.kinds import as_list
from mlm_helpers.tables import Table, printable
from mlm_helpers.tables.numbers import format_number

Matrix: TypeAlias = list[list[Any]]
MAX_SIZE = 50  # samples or labels: more than that nobody follows by hand
ONE = Fraction(1)
SCORE_NOUNS = {"y_score": "score", "y_prob": "probability"}


class Problem(NamedTuple):
    """The data, names and options that the steps are made of; every row is a sample."""

    record: catalogue.Metric
    options: dict[str, Any]  # every option of the metric, checked
    truth: Matrix  # True, False, or None where it is unknown
    prediction: Matrix  # predictions, or scores
    weight: list[Fraction]
    labels: list[str]
    samples: list[str]


def read_problem(
    metric: Any, y_true: Any, other: Any, labels: Any, samples: Any, options: dict[str, Any]
) -> Problem:
    """Read data through the gate and options through the catalogue."""
    record, settings = catalogue.record_of(metric), catalogue.resolve_options(metric, **options)
    data = record.read_data(y_true, other, settings["sample_weight"])
    n_samples, n_labels = data.shape
    if max(data.shape) > MAX_SIZE:
        raise ValueError(f"y_true has shape {data.shape}: the most is ({MAX_SIZE}, {MAX_SIZE})")
    for name, option in record.parameters.items():
        if option.per_label:
            given = inputs.align_to_labels(settings[name], name, y_true=y_true, y_pred=other)
            settings[name] = as_list(option.check(given, n_labels))
    if "k" in settings:  # of all labels, those that are unknown in a sample included
        inputs.read_k(settings["k"], n_labels)
    labels = inputs.resolve_names(labels, range(1, n_labels + 1), "label", y_true, other)
    samples = inputs.resolve_names(samples, range(1, n_samples + 1), "sample", y_true, other)
    dense = data.dense()
    matrix = dense.prediction.tolist()
    if record.reads != "y_pred" and inputs.is_sparse(data.prediction):
        matrix = [[-math.inf] * n_labels for _ in matrix]  # below all that is stored, as 0 may be
        stored = data.prediction.tocoo()
        for i, j, score in zip(stored.row, stored.col, stored.data, strict=True):
            matrix[i][j] = float(score)
    return Problem(
        record,
        settings,
        truth=dense.y_true.astype(bool).tolist(),  # a masked array holds None where it is masked
        prediction=matrix,
        weight=[ONE] * n_samples if data.weight is None else list(map(exact, data.weight.tolist())),
        labels=list(map(printable, labels)),
        samples=list(map(printable, samples)),
    )


def exact(value: Any) -> Any:
    """Read a number as it is written, 0.1 as 1/10; nan stays nan."""
    return math.nan if math.isnan(value) else Fraction(str(float(value)))


def table_of(caption: str, columns: Mapping[str, Sequence[Any]]) -> Table:
    """A table of named columns."""
    return Table(caption, tuple(columns), tuple(zip(*columns.values(), strict=True)))


def data_table(problem: Problem) -> Table:
    """Show the data: true labels, and predicted ones or the scores of each label."""
    caption, n_labels = "The data", len(problem.labels)
    columns: dict[str, Sequence[Any]] = {"sample": problem.samples}
    columns["true labels"] = label_sets(problem, problem.truth)
    if problem.record.reads == "y_pred":
        caption += f": {n_labels} label{'s' * (n_labels > 1)}"
        columns["predicted labels"] = label_sets(problem, problem.prediction)
    else:
        for label, scores in zip(
            problem.labels, zip(*problem.prediction, strict=True), strict=True
        ):
            columns[f"{SCORE_NOUNS[problem.record.reads]} of label {label}"] = [
                f"{s:g}" for s in scores
            ]
    if set(problem.weight) != {ONE}:
        columns["weight"] = list(map(format_number, problem.weight))
    return table_of(caption, columns)


def label_sets(problem: Problem, rows: Matrix) -> list[str]:
    """Write the labels that each row marks, and those of which that is unknown: ``{a, b?}``, or ∅."""
    written = []
    for row in rows:
        marked = zip(problem.labels, row, strict=True)
        names = [name + "?" * (flag is None) for name, flag in marked if flag or flag is None]
        written.append("{" + ", ".join(names) + "}" if names else "∅")
    return written
