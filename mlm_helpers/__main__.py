"""Print tables of metrics of multi-label predictions in CSV files. Blanks around a cell are ignored."""

import argparse
import csv
import json
import math
import os
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mlm_helpers import label_based, summary
from mlm_helpers._core.inputs import refuse, tags
from mlm_helpers.tables import Display

_CELL_VALUES = {"0": 0, "0.0": 0, "False": 0, "FALSE": 0, "1": 1, "1.0": 1, "True": 1, "TRUE": 1}
_UNKNOWN = {"-1": ("-1", "-1.0"), "nan": ("", "NA", "nan", "NaN", "None", "null", "<NA>")}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables; if a file or an option is wrong, print one sentence and exit with status 2."""
    parser = argparse.ArgumentParser("python -m mlm_helpers", description=__doc__)
    add = parser.add_argument
    add("truth", metavar="TRUTH", help="true labels: a column of 0 and 1 per label, or one of tags")
    add("predicted", metavar="PREDICTED", nargs="*", help="predicted labels, one file per model")
    add("--id", metavar="COLUMN", required=True, help="column that names the samples in each file")
    add("--tags", metavar="COLUMN", help="column of tags, such as sea;sun, in files that have it")
    add("--separator", metavar="TEXT", help="text between two tags (default: ;)")
    others = "labels that TRUTH or SCORES lacks (default: add; with --scores: refuse)"
    add("--others", choices=("add", "drop", "refuse"), help=others)
    add("--unknown", choices=_UNKNOWN, action="append", default=[], help="unknown cells of TRUTH")
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        parser.exit(2, "" if isinstance(error, BrokenPipeError) else f"output: {error.strerror}\n")


def _tables(options: argparse.Namespace) -> Iterator[Display]:
    """The tables of labels by model, of models by metric, and of subgroups of the samples."""
    has_y_pred = options.predicted or options.threshold is not None
    if not has_y_pred and (options.by is not None or not options.scores):
        raise ValueError("PREDICTED is missing: name a file, or give --scores and --threshold")
    if len(options.scores) > 1:
        raise ValueError("--scores is given twice: run the command once for each model")
    if options.threshold is not None and not (options.scores and np.isfinite(options.threshold)):
        raise ValueError(f"--threshold is {options.threshold}: give a finite number, and --scores")
    true_cells = _CELL_VALUES | {text: -1 for mark in options.unknown for text in _UNKNOWN[mark]}
    truth = _read_file(options.truth, options, true_cells)
    models = [_read_file(path, options, _CELL_VALUES, truth) for path in options.predicted]
    scores = [_read_file(path, options, {}, truth) for path in options.scores]
    labels = _labels(truth, models, scores, options)
    groups, by = truth.texts.get(options.groups), truth.texts.get(options.by)
    y_true = np.ma.masked_less(truth.matrix(labels), 0)  # unknown cells are -1
    scored = {Path(file.path).stem: file.matrix(labels) for file in scores}
    names = [Path(file.path).stem for file in models]
    predicted = {name: file.matrix(labels) for name, file in zip(names, models, strict=True)}
    score_of = dict.fromkeys(predicted, *scored.values()) if len(predicted) == 1 else {}
    for name, y_score in scored.items() if options.threshold is not None else ():
        names.append(model := f"{name} >= {options.threshold:g}")
        predicted[model], score_of[model] = y_score >= options.threshold, y_score
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two models are named {repeated[0]!r}: rename a file")
    level = 0.95 if groups and options.level is None else options.level
    common: Any = {"level": level, "groups": groups, "decimals": options.decimals}
    for name, y_pred in predicted.items():
        rows: Any = {"labels": labels, "sort": options.sort, "most": options.most}
        table = summary.labels(y_true, y_pred, y_score=score_of.get(name), **rows, **common)
        yield replace(table, title=name)
    of_scores = {name: (None, y_score) for name, y_score in scored.items()}  # even if all are 0, 1
    for matrices in filter(None, (predicted, of_scores)):
        yield summary.models(y_true, matrices, **common)
    micro_f1 = partial(label_based.f1, average="micro")
    for name, y_pred in predicted.items() if by else ():
        yield replace(summary.subgroups(micro_f1, y_true, y_pred, by, **common), title=name)


class File(NamedTuple):
    """A file: the line of each sample, columns of text, the cells of each label, and where labels are named."""

    path: str
    line_of: dict[str, int]
    texts: dict[str, list[str]]
    cells: dict[str, Any]
    names: tags.SampleTags  # all tags, or the columns of labels, in line 1
    has_tags: bool
    unread: list[str]  # columns

    def matrix(self, labels: list[str]) -> Any:
        """The cells of these labels, shape (n_samples, n_labels); 0 for a label that the file lacks."""
        return np.array([self.cells.get(label, [0] * len(self.line_of)) for label in labels]).T


def _check_tag_options(truth: File, files: list[File], options: Any) -> None:
    """Refuse options that need tags if no file has tags, and columns of labels that options hide."""
    for option in () if any(file.has_tags for file in files) else ("tags", "separator", "others"):
        if getattr(options, option) is not None:
            raise ValueError(f"--{option} is given, but no file has tags: check --tags")
    if truth.has_tags and options.unknown:
        raise ValueError(f"--unknown is given, but tags, as in {truth.path}, are never unknown")
    labels = {label for file in files for label in file.cells}
    if not truth.has_tags:  # columns of 0 and 1 may be labels in other files
        labels |= {x for x, column in truth.texts.items() if {*column} <= _CELL_VALUES.keys()}
    for file in files:
        if hidden := sorted(labels.intersection(file.unread)):
            problem = f"{file.path} has unread columns {refuse.first_three(hidden)}"
            remedy = (
                f"copy them in {truth.path} under new names for --by or --groups, or cut them here"
            )
            if file.has_tags:
                problem += f" beside tags in {options.tags!r}"
                remedy = "remove them or the tags; for text that is no tags use --by or --groups"
            raise ValueError(f"{problem}, maybe labels: {remedy}")


def _labels(truth: File, models: list[File], scores: list[File], options: Any) -> list[str]:
    """The labels of all tables: those of the truth (of the scores, if the truth has tags), and added others."""
    _check_tag_options(truth, [truth, *models, *scores], options)
    tagged = [file.names for file in (truth, *models) if file.has_tags]
    tags.check_all_are_split(tagged, options.separator)
    source = scores[0] if scores and truth.has_tags else truth
    labels = [*source.cells]
    others = {label for file in (truth, *models) for label in file.cells} - {*labels}
    names = [file.names for file in (truth, *models, *scores)]
    tags.check_no_near_duplicates(names, [] if source.has_tags else labels)
    if tagged and others:
        choice = options.others or ("refuse" if scores else "add")
        needs_scores = choice != "drop" and not all(others <= {*file.cells} for file in scores)
        file = scores[0] if needs_scores else source
        lacking = refuse.first_three(sorted(others - {*file.cells}))
        problem = f"{file.path} lacks the labels {lacking}"
        if choice == "refuse" or needs_scores:
            remedy = f"add their scores to {file.path}" if needs_scores else "pass --others add"
            raise ValueError(f"{problem}: {remedy}, or pass --others drop")
        print(f"{problem}: --others {choice}", file=sys.stderr)
        labels += sorted(others, key=tags.natural_key) if choice == "add" else []
    if not labels:
        raise ValueError(f"{truth.path} has no label: give a column per label, or one of tags")
    for file in scores if tagged else (*models, *scores):
        _check_same_names("labels", file.path, file.cells, truth.path, labels)
    return labels


def _check_same_names(noun: str, path: str, names: Any, other_path: str, other_names: Any) -> None:
    """Refuse two files if one has samples or labels that the other lacks."""
    if different := sorted({*names} ^ {*other_names}):
        problem = f"only one of {path} and {other_path} has the {noun}"
        remedy = f"give both the same {noun}, spelled alike (007 is not 7), and no others"
        raise ValueError(f"{problem} {refuse.first_three(different)}: {remedy}")


def _read_file(path: str, options: Any, values: dict[str, int], truth: File | None = None) -> File:
    """Read a file, its samples in the order of the truth; ``values`` are numbers by cell text, {} for scores."""
    needed = [options.id, *(() if truth else (options.groups, options.by))]
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, skipinitialspace=True, strict=True)
            header, line_of, texts, labels, cells = _read_rows(path, lines, options, values, needed)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problem = f"{path} cannot be read: {getattr(error, 'strerror', error)}"
        remedy = "close each quote" if isinstance(error, csv.Error) else "give a CSV file in UTF-8"
        raise ValueError(f"{problem}: {remedy}") from None
    unread = [name for name in header if name not in (*needed, *labels, options.tags)]
    names = tags.SampleTags(path, labels, [1] * len(labels), np.arange(len(labels)), labels)
    if has_tags := bool(values) and options.tags in texts:
        separator = ";" if options.separator is None else options.separator
        names = tags.read_tags(texts[options.tags], path, separator, str.strip, [*line_of.values()])
        labels = sorted({*names.names}, key=tags.natural_key)
        cells = names.matrix(labels)
    other_path, order = (truth.path, truth.line_of) if truth else (path, line_of)
    _check_same_names("samples", path, line_of, other_path, order)
    row_of = {sample: i for i, sample in enumerate(line_of)}
    columns = cells[[row_of[sample] for sample in order]].T
    cell_of = dict(zip(labels, columns, strict=True))
    return File(path, line_of, texts, cell_of, names, has_tags, unread)


def _read_rows(path: str, lines: Any, options: Any, values: Any, needed: Any) -> Any:
    """Read the header, the line of each sample, the columns of text, the labels, and the matrix of their cells."""
    header = [name.strip() for name in next(lines, [])]
    for name in (*needed, *header):
        problem, n = f"{path}, line 1, has", header.count(name)
        if name is not None and not n:
            option = next(x for x in ("id", "by", "groups") if getattr(options, x) == name)
            raise ValueError(f"{problem} no column {name!r}: check --{option} and the commas")
        if name == "" and name not in needed:
            raise ValueError(f"{problem} a column without a name: leave it out, or name it")
        if n > 1:
            raise ValueError(f"{problem} {n} columns named {name!r}: name each column once")
    text_columns = (options.id, options.groups, options.by, options.tags)
    texts: dict[str, list[str]] = {name: [] for name in header if name in text_columns}
    labels = [name for name in header if name not in text_columns]
    labels = [] if options.tags in texts and values else labels
    columns, line_of = [header.index(label) for label in labels], dict[str, int]()
    cells: Any = array("b" if values else "d")
    rows = ([cell.strip() for cell in row] for row in lines)
    for row in filter(any, rows):  # rows of empty cells, as spreadsheets write them, are left out
        position = f"{path}, line {lines.line_num}, has"
        if len(row) != len(header):
            remedy = "put text with commas in double quotes"
            raise ValueError(f"{position} {len(row)} cells under {len(header)} names: {remedy}")
        for name, column in texts.items():
            column.append(text := row[header.index(name)])
            if (name == options.id and text in line_of) or (
                name in needed and name != options.tags and not text
            ):
                problem = "there twice: give each sample one line" if text else "empty: fill it in"
                raise ValueError(f"{position} {text!r} in {name!r}, which is {problem}")
        line_of[texts[options.id][-1]] = lines.line_num
        for j in columns:
            try:
                cells.append(values[row[j]] if values else float(row[j]))
                if not values and ("_" in row[j] or not math.isfinite(cells[-1])):  # 1_0 is 10
                    raise ValueError
            except (KeyError, ValueError):
                remedy = "give 0 or 1; scores go with --scores, text with --tags, --groups or --by"
                remedy = remedy if values else "give a finite score, in a column per label"
                if marks := [mark for mark in _UNKNOWN if values and row[j] in _UNKNOWN[mark]]:
                    remedy = f"write 0 for no; --unknown {marks[0]} leaves such cells of TRUTH out"
                raise ValueError(f"{position} {row[j]!r} in {header[j]!r}: {remedy}") from None
    if not line_of:
        raise ValueError(f"{path} has no line below the header: give one line per sample")
    return header, line_of, texts, labels, np.array(cells).reshape(len(line_of), len(labels))


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
