"""The problem to solve, in plain Python: the data, their names and the options of the metric."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mlm_helpers import catalogue
from mlm_helpers._core.inputs.ancestry import align_to_labels
from mlm_helpers._core.inputs.data import Data
from mlm_helpers._core.inputs.kinds import as_list, is_sparse
from mlm_helpers._core.inputs.options import read_k, resolve_names
from mlm_helpers.catalogue.arguments import resolve_options
from mlm_helpers.tables import Table, count_phrase, printable
from mlm_helpers.tables.numbers import ONE, format_number

Matrix: TypeAlias = list[list[Any]]
MAX_SIZE = 50  # samples, and labels: nobody follows more by hand
SCORE_NOUNS = {"y_score": "score", "y_prob": "probability"}


class Problem(NamedTuple):
    """The data, names and options from which the steps are computed; a row is a sample."""

    record: catalogue.Metric
    options: dict[str, Any]  # all options of the metric, checked
    truth: Matrix  # True, False, or None where the truth is unknown
    prediction: Matrix  # 0 and 1, or scores
    weights: list[Fraction]  # of the samples
    labels: list[str]
    samples: list[str]


def read_problem(
    metric: Any, y_true: Any, y_pred: Any, labels: Any, samples: Any, options: dict[str, Any]
) -> Problem:
    """The arguments of `solve` as a `Problem`, checked as the metric function checks them."""
    record, options = catalogue.record_of(metric), resolve_options(metric, **options)
    data = record.read_data(y_true, y_pred, options["sample_weight"])
    n_samples, n_labels = data.shape
    if max(data.shape) > MAX_SIZE:
        raise ValueError(f"y_true has shape {data.shape}: give up to {MAX_SIZE} samples and labels")
    for name in record.required_per_label:
        values = align_to_labels(options[name], name, y_true=y_true, y_pred=y_pred)
        options[name] = as_list(record.parameters[name].resolve(values, n_labels))
    if "k" in options:
        read_k(options["k"], n_labels)  # refuses more than n_labels, unknown ones included
    labels = resolve_names(labels, range(1, n_labels + 1), "label", y_true, y_pred)
    samples = resolve_names(samples, range(1, n_samples + 1), "sample", y_true, y_pred)
    weights = [1] * n_samples if data.weight is None else data.weight.tolist()
    return Problem(
        record,
        options,
        truth=data.dense().y_true.astype(bool).tolist(),  # None for masked cells
        prediction=_prediction_rows(record, data),
        weights=list(map(as_fraction, weights)),
        labels=list(map(printable, labels)),
        samples=list(map(printable, samples)),
    )


def _prediction_rows(record: catalogue.Metric, data: Data) -> Any:
    """A list of predictions, or of scores, for each sample.

    In a sparse matrix of scores, a cell that is not stored has a score below all stored ones.
    """
    if record.reads == "y_pred" or not is_sparse(data.prediction):
        return data.dense().prediction.tolist()
    n_samples, n_labels = data.shape
    rows = [[-math.inf] * n_labels for _ in range(n_samples)]
    stored = data.prediction.tocoo()
    for i, j, score in zip(stored.row, stored.col, stored.data, strict=True):
        rows[i][j] = float(score)
    return rows


def as_fraction(number: Any) -> Any:
    """The fraction with the decimal digits of a number: 1/10 for the float 0.1; nan stays nan."""
    return math.nan if math.isnan(number) else Fraction(str(float(number)))


def table_of(caption: str, columns: Mapping[str, Sequence[Any]]) -> Table:
    """The table of these columns of cells, by their names."""
    return Table(caption, tuple(columns), tuple(zip(*columns.values(), strict=True)))


def data_table(problem: Problem) -> Table:
    """The table of the data: each sample's true labels, and its predicted labels or its scores."""
    caption = "The data"
    columns: dict[str, Sequence[Any]] = {"sample": problem.samples}
    columns["true labels"] = label_sets(problem, problem.truth)
    if problem.record.reads == "y_pred":
        caption += f": {count_phrase(len(problem.labels), 'label')}"
        columns["predicted labels"] = label_sets(problem, problem.prediction)
    else:
        noun = SCORE_NOUNS[problem.record.reads]
        for j, label in enumerate(problem.labels):
            columns[f"{noun} of label {label}"] = [f"{row[j]:g}" for row in problem.prediction]
    if set(problem.weights) != {ONE}:
        columns["weight"] = list(map(format_number, problem.weights))
    return table_of(caption, columns)


def label_sets(problem: Problem, rows: Matrix) -> list[str]:
    """Text of each row's label set, ``{a, b}`` or ∅; an unknown label has a question mark: ``a?``.

    A row has a cell per label: true or false, or None if it is unknown.
    """
    texts = []
    for row in rows:
        cells = zip(problem.labels, row, strict=True)
        names = [name + "?" * (cell is None) for name, cell in cells if cell or cell is None]
        texts.append("{" + ", ".join(names) + "}" if names else "∅")
    return texts
