"""Print tables of metrics of multi-label predictions in CSV files.

A model is called as its file. Blanks around a cell are ignored.
"""

import argparse
import csv
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import StringIO, TextIOWrapper
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import label_based, summary
from mlm_helpers._core.inputs import tags
from mlm_helpers._core.inputs.refuse import first_three
from mlm_helpers.tables import Display

_CELL_VALUES = {"0": 0, "0.0": 0, "False": 0, "FALSE": 0, "1": 1, "1.0": 1, "True": 1, "TRUE": 1}
# the value of --unknown that declares cells with each of these texts
_UNKNOWN = dict.fromkeys(("", "NA", "nan", "NaN", "None", "null", "<NA>"), "nan")
_UNKNOWN |= {"-1": "-1", "-1.0": "-1"}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables; for a wrong file or option, print one sentence and exit with status 2."""
    parser = argparse.ArgumentParser("python -m mlm_helpers", description=__doc__)
    add = parser.add_argument
    add("truth", metavar="TRUTH", help="true labels: a column of 0 and 1 per label, or one of tags")
    add("predicted", metavar="PREDICTED", nargs="*", help="predicted labels, one file per model")
    add("--id", metavar="COLUMN", required=True, help="column that names the samples in each file")
    add("--tags", metavar="COLUMN", help="column of tags, such as sea;sun, in files that have it")
    add("--separator", metavar="TEXT", help="text between two tags (default: ;)")
    others = "labels in tags of PREDICTED that TRUTH lacks (default: add)"
    add("--others", choices=("add", "drop"), default="add", help=others)
    add(
        "--unknown",
        choices=("-1", "nan"),
        action="append",
        default=[],
        help="unknown cells of TRUTH",
    )
    # "append", so that a second --scores is refused and does not replace the first
    add("--scores", action="append", default=[], help="scores of one model, one column per label")
    add("--threshold", type=float, metavar="SCORE", help="predict labels with this score or more")
    add("--level", type=float, metavar="LEVEL", help="level of confidence intervals, such as 0.95")
    add("--groups", metavar="COLUMN", help="column of TRUTH: groups drawn for intervals (of 0.95)")
    add("--by", metavar="COLUMN", help="column of TRUTH: also print the micro F1 for each value")
    add("--sort", metavar="COLUMN", help="sort labels by a column, such as F1, or descending: =-F1")
    add("--most", type=int, metavar="N", help="print the first N labels only")
    add("--decimals", type=int, metavar="N", help="number of decimals in tables as text")
    add("--format", choices=("text", "csv", "json"), default="text", help="format of the tables")
    options = parser.parse_args(argv)
    if isinstance(sys.stdout, TextIOWrapper):  # its encoding may lack an arrow or a dash
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(_as_text([*_tables(options)], options.format), flush=True)
    except (TypeError, ValueError) as error:
        parser.exit(2, f"{error}\n")
    except OSError as error:  # stdout is on a full disk, or `head` has closed it
        # to the null device, so that the flush when Python exits does not fail, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        parser.exit(2, "" if isinstance(error, BrokenPipeError) else f"output: {error.strerror}\n")


def _tables(options: argparse.Namespace) -> Iterator[Display]:
    """The tables of labels by model, of models by metric, and of subgroups of the samples."""
    _check_scores_and_predictions(options)
    truth = _read_file(options.truth, options, partial(_read_label, unknown=options.unknown))
    files = [_read_file(path, options, _read_label, truth) for path in options.predicted]
    scored = [_read_file(path, options, _read_score, truth) for path in options.scores]
    labels = _labels(truth, files, scored, options)
    y_true = np.ma.masked_less(truth.matrix(labels), 0)  # unknown cells are -1
    models = _models(files, scored, labels, options.threshold)
    groups, by = truth.columns.get(options.groups), truth.columns.get(options.by)
    level = 0.95 if groups and options.level is None else options.level
    common: Any = {"level": level, "groups": groups, "decimals": options.decimals}
    rows: Any = {"labels": labels, "sort": options.sort, "most": options.most}
    for name, (y_pred, y_score) in models.items():
        table = summary.labels(y_true, y_pred, y_score=y_score, **rows, **common)
        yield replace(table, title=name)
    if models:
        y_preds = {name: y_pred for name, (y_pred, _) in models.items()}
        yield summary.models(y_true, y_preds, **common)
    for file in scored:
        # as a pair without predictions: alone, scores of 0 and 1 would be read as predictions
        pair = None, file.matrix(labels)
        yield summary.models(y_true, {file.path: pair}, **common)
    micro_f1 = partial(label_based.f1, average="micro")
    for name, (y_pred, _) in models.items() if by else ():
        yield replace(summary.subgroups(micro_f1, y_true, y_pred, by, **common), title=name)


def _check_scores_and_predictions(options: argparse.Namespace) -> None:
    """Refuse two files of scores, a threshold without scores, and tables without predictions."""
    if len(options.scores) > 1:
        raise ValueError("--scores is given twice: run the command once for each model")
    has_threshold = options.threshold is not None
    if has_threshold and not (options.scores and math.isfinite(options.threshold)):
        raise ValueError(f"--threshold is {options.threshold}: give a finite number, and --scores")
    needs_y_pred = options.by is not None or not options.scores
    if needs_y_pred and not (options.predicted or has_threshold):
        raise ValueError("PREDICTED is missing: name a file, or give --scores and --threshold")


class File(NamedTuple):
    """A CSV file: its columns as text, and the cells of its labels in the order of ``samples``.

    Its labels are columns of 0 and 1 or of scores, or they are the tags in one column.
    """

    path: str
    columns: dict[str, list[str]]
    lines: list[int]  # the line in the file of each row below the header
    samples: Sequence[str] = ()  # in the order of the truth
    cells: Mapping[str, Any] = {}  # by label, an array of a number per sample
    tagged: Sequence[tags.SampleTags] = ()  # the column of tags, if the labels are tags

    def read(self, name: str, read_cell: Callable[[str], Any]) -> list[Any]:
        """The values of a column's cells.

        ``read_cell`` makes a value of a text; its ValueError has the remedy for a wrong text.
        """
        cells = []
        for line, text in zip(self.lines, self.columns[name], strict=True):
            try:
                cells.append(read_cell(text))
            except ValueError as remedy:
                raise ValueError(
                    f"{self.path}, line {line}, has {text!r} in {name!r}: {remedy}"
                ) from None
        return cells

    def matrix(self, labels: list[str]) -> Any:
        """The cells of labels, shape (n_samples, n_labels); 0 for a label that the file lacks."""
        return np.array([self.cells.get(label, [0] * len(self.samples)) for label in labels]).T


def _models(
    files: list[File], scored: list[File], labels: list[str], threshold: float | None
) -> dict[str, tuple[Any, Any]]:
    """The predictions of each model and its scores, or None, by the name of the model.

    The scores are those of the only file of predictions; beside several such files it is not known
    whose scores they are. With a threshold the scores make one more model.
    """
    scores = [file.matrix(labels) for file in scored]  # one matrix or none
    scores_of_file = scores[0] if scores and len(files) == 1 else None
    models = {file.path: (file.matrix(labels), scores_of_file) for file in files}
    if threshold is not None:
        models[f"{scored[0].path} >= {threshold:g}"] = scores[0] >= threshold, scores[0]
    return models


def _labels(truth: File, files: list[File], scored: list[File], options: Any) -> list[str]:
    """The labels of the tables: those of the truth or, if it has tags, of the scores.

    If a file has tags, the labels that are only in the truth or in predictions are added or
    dropped, as --others says. ``scored`` has one file of scores or none.
    """
    all_files = [truth, *files, *scored]
    tagged = [column for file in all_files for column in file.tagged]
    tags.check_all_are_split(tagged, options.separator)
    untagged_labels = {label for file in all_files if not file.tagged for label in file.cells}
    tags.check_no_near_duplicates(tagged, sorted(untagged_labels))
    source = scored[0] if scored and truth.tagged else truth
    labels = [*source.cells]
    others = {label for file in (truth, *files) for label in file.cells} - {*labels}
    if tagged and others and options.others == "add":
        labels += sorted(others, key=tags.natural_key)
    if not labels:
        raise ValueError(f"{truth.path} has no label: give a column per label, or one of tags")
    # beside tags, a file of predictions may lack labels, which then count 0; scores may not
    for file in scored if tagged else (*files, *scored):
        other = "the other files (see --others)" if tagged else truth.path
        _check_same_names("labels", file.path, file.cells, other, labels)
    if tagged and others:
        note = f"{source.path} lacks the labels {first_three(sorted(others))}"
        print(f"{note}: --others {options.others}", file=sys.stderr)
    return labels


def _check_same_names(noun: str, path: str, names: Any, other: str, other_names: Any) -> None:
    """Refuse two files if one has names of samples or labels that the other lacks.

    ``noun`` is "samples" or "labels"; ``other`` is the path of the other file.
    """
    if different := sorted({*names} ^ {*other_names}):
        raise ValueError(
            f"only one of {path} and {other} has the {noun} {first_three(different)}: "
            f"give both the same {noun}, spelled alike (007 is not 7), and no others"
        )


def _read_file(path: str, options: Any, read_cell: Any, truth: File | None = None) -> File:
    """Read a file, its samples in the order of the truth; without ``truth``, it is the truth.

    ``read_cell`` is `_read_label` or, for a file of scores, `_read_score`.
    """
    file = _read_columns(path, options.id)
    _check_columns_of_options(file, ("id",) if truth else ("id", "groups", "by"), options)
    if truth and not truth.tagged:
        _check_is_no_label(file, truth, {options.groups, options.by})
    own_samples = file.columns[options.id]
    row_of = {sample: i for i, sample in enumerate(own_samples)}
    if len(row_of) < len(own_samples):
        repeated, _ = Counter(own_samples).most_common(1)[0]
        raise ValueError(f"{path} has two lines for {repeated!r}: give each sample one line")
    if truth:
        _check_same_names("samples", path, row_of, truth.path, truth.samples)
    elif options.unknown and options.tags in file.columns:
        raise ValueError(f"--unknown is given, but tags, as in {path}, are never unknown")
    file = _with_cells(file, options, read_cell)
    samples = truth.samples if truth else own_samples
    rows = [row_of[sample] for sample in samples]
    cells = {label: column[rows] for label, column in file.cells.items()}
    return file._replace(samples=samples, cells=cells)


def _check_columns_of_options(file: File, names: Sequence[str], options: Any) -> None:
    """Refuse a file without a column that one of these options names, or with an empty cell there.

    An option that is not given names no column.
    """
    for option in names:
        column = getattr(options, option)
        if column is None:
            continue
        if column not in file.columns:
            raise ValueError(
                f"{file.path}, line 1, has no column {column!r}: check --{option} and the commas"
            )
        file.read(column, _read_text)


def _check_is_no_label(file: File, truth: File, names: set[str]) -> None:
    """Refuse a file that has a column of --groups or --by, too, if that column may be a label.

    Tables would lack this label. A column may be a label if the truth holds 0 and 1 only there.
    """
    for name in names & file.columns.keys():
        if {*truth.columns[name]} <= _CELL_VALUES.keys():
            raise ValueError(
                f"{name!r}, of 0 and 1, is in {file.path} and may be a label: "
                f"copy it in {truth.path} under a new name for --by or --groups"
            )


def _with_cells(file: File, options: Any, read_cell: Any) -> File:
    """The file with the cells of its labels, and its tags; a file of scores has no tags."""
    if options.tags not in file.columns or read_cell is _read_score:
        text_columns = options.id, options.groups, options.by, options.tags
        labels = [name for name in file.columns if name not in text_columns]
        cells = {label: np.array(file.read(label, read_cell)) for label in labels}
        return file._replace(cells=cells)
    texts, separator = file.columns[options.tags], options.separator or ";"
    column = tags.read_tags(texts, file.path, separator, str.strip, file.lines)
    labels = sorted({*column.names}, key=tags.natural_key)
    cells = dict(zip(labels, column.matrix(labels).T, strict=True))
    return file._replace(tagged=[column], cells=cells)


def _read_columns(path: str, id_column: str) -> File:
    """The columns of a file as text.

    Only the column that names the samples may lack a name, as the index that pandas writes does.
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True, strict=True)
            rows = [  # each with its line; without the empty rows that spreadsheets write
                (reader.line_num, [*map(str.strip, row)]) for row in reader if "".join(row).strip()
            ]
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}: check its name") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(
            f"{path} cannot be read: {error}: give a CSV file in UTF-8 that closes each quote"
        ) from None
    if len(rows) < 2:
        raise ValueError(f"{path} has no line below the header: give one line per sample")
    (_, header), *rows = rows
    if wrong := [x for x in header if header.count(x) > 1 or (not x and id_column)]:
        raise ValueError(
            f"{path}, line 1, has columns named {first_three(wrong)}: "
            "give each column a name of its own"
        )
    for line, cells in rows:
        if len(cells) != len(header):
            raise ValueError(
                f"{path}, line {line}, has {len(cells)} cells under {len(header)} names: "
                "put text with commas in double quotes"
            )
    columns = {name: [cells[j] for _, cells in rows] for j, name in enumerate(header)}
    return File(path, columns, [line for line, _ in rows])


def _read_text(text: str) -> str:
    """The text of a cell; an empty one raises a ValueError with the remedy."""
    if not text:
        raise ValueError("fill it in")
    return text


def _read_label(text: str, unknown: Sequence[str] = ()) -> int:
    """The label 1 or 0 that a text means, or -1 if it is a mark that ``unknown`` has.

    Another text raises a ValueError with the remedy. ``unknown`` holds the values of --unknown.
    """
    mark = _UNKNOWN.get(text)
    if mark in unknown:
        return -1
    if mark:
        raise ValueError(f"write 0 for no; --unknown {mark} leaves such cells of TRUTH out")
    if text not in _CELL_VALUES:
        raise ValueError("give 0 or 1; scores go with --scores, text with --tags, --groups or --by")
    return _CELL_VALUES[text]


def _read_score(text: str) -> float:
    """The finite number that a text means; another text raises a ValueError with the remedy."""
    with suppress(ValueError):
        score = float(text)
        if math.isfinite(score) and "_" not in text:  # Python reads 1_0 as 10
            return score
    raise ValueError("give a finite score, in a column per label")


def _as_text(tables: list[Display], text_format: str) -> str:
    """The tables as text, as CSV with an empty line between two, or as JSON."""
    if text_format == "text":
        return "\n\n".join(map(Display.to_text, tables))
    records = []
    for table in tables:
        columns = table.columns()
        if table.title:
            columns.insert(0, ("model", [table.title] * len(columns[0][1])))
        names, cells = zip(*columns, strict=True)
        rows = [[None if x != x else x for x in row] for row in zip(*cells, strict=True)]  # nan
        records.append({"title": table.title, "columns": names, "rows": rows})
    if text_format == "json":
        return json.dumps(records, indent=1, default=int)
    text = StringIO()
    for record in records:
        csv.writer(text, lineterminator="\n").writerows([record["columns"], *record["rows"], []])
    return text.getvalue().rstrip()


if __name__ == "__main__":
    main()
