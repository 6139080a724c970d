"""Tables of results in a terminal: ``python -m mlm_helpers truth.csv predicted.csv --id COLUMN``."""

import argparse
import csv
import json
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
from mlm_helpers._core.inputs.refuse import first_three
from mlm_helpers._core.inputs.tags import (
    SampleTags,
    natural_key,
    read_tags,
    refuse_near_duplicates,
    refuse_unsplit,
)
from mlm_helpers.tables import Display

_CELLS = {"0": 0, "0.0": 0, "False": 0, "FALSE": 0, "1": 1, "1.0": 1, "True": 1, "TRUE": 1}
_UNKNOWN = {"-1": ("-1", "-1.0"), "nan": ("", "NA", "nan", "NaN", "None", "null", "<NA>")}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables; if a file or an option is wrong, print one sentence and exit with status 2."""
    parser = argparse.ArgumentParser("python -m mlm_helpers", description=__doc__)
    add = parser.add_argument
    add("truth", metavar="TRUTH", help="true labels: a column of 0 and 1 per label, or of tags")
    add("predicted", metavar="PREDICTED", nargs="*", help="a model's predicted labels")
    add("--id", metavar="COLUMN", required=True, help="column that names the samples in each file")
    add("--tags", metavar="COLUMN", help="column of tags, such as sea;sun, in files that have it")
    add("--separator", metavar="TEXT", help="text between two tags, by default ;")
    add("--others", choices=("add", "drop", "refuse"), help="labels that TRUTH or SCORES lacks")
    add("--unknown", choices=_UNKNOWN, action="append", default=[], help="unknown cells of TRUTH")
    add("--scores", metavar="SCORES", help="a model's scores, a column per label")
    add("--threshold", type=float, metavar="SCORE", help="predict labels from this score on")
    add("--level", type=float, metavar="SHARE", help="level of intervals, such as 0.95")
    add("--groups", metavar="COLUMN", help="column of TRUTH: intervals draw its groups whole")
    add("--by", metavar="COLUMN", help="column of TRUTH: adds the micro F1 of each of its values")
    add("--sort", metavar="COLUMN", help="sort labels, such as F1, or from the highest on: =-F1")
    add("--most", type=int, metavar="N", help="show so many labels, the first in this order")
    add("--decimals", type=int, metavar="N", help="fixed decimals of the numbers in text")
    add("--format", choices=("text", "csv", "json"), default="text", help="format of the tables")
    asked = parser.parse_args(argv)
    if isinstance(sys.stdout, TextIOWrapper):  # its encoding may lack an arrow or a dash
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(_written([*_tables(asked)], asked.format), flush=True)
    except (TypeError, ValueError) as error:
        parser.exit(2, f"{error}\n")
    except OSError as error:  # of stdout: a full disk, or `head` that has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        parser.exit(2, "" if isinstance(error, BrokenPipeError) else f"output: {error.strerror}\n")


def _tables(asked: argparse.Namespace) -> Iterator[Display]:
    """Every table that was asked for."""
    names, threshold = {Path(path).stem for path in asked.predicted}, asked.threshold
    if not names and threshold is None and (asked.by or not asked.scores):
        raise ValueError("PREDICTED is missing: name a file, or give --scores and --threshold")
    if len(names) < len(asked.predicted):
        raise ValueError("PREDICTED has two files of one name: rename one")
    if threshold is not None and not (asked.scores and np.isfinite(threshold)):
        raise ValueError(f"--threshold is {threshold}: give a finite number, and --scores")
    spelled = _CELLS | {text: -1 for sign in asked.unknown for text in _UNKNOWN[sign]}
    truth = _file(asked.truth, asked, spelled)
    models = [_file(path, asked, _CELLS, truth) for path in asked.predicted]
    scores = [_file(path, asked, {}, truth) for path in filter(None, [asked.scores])]
    labels = _labels(truth, models, scores, asked)
    groups, by = truth.texts.get(asked.groups), truth.texts.get(asked.by)
    y_true = np.ma.masked_less(truth.matrix(labels), 0)  # unknown cells
    scored = {Path(file.path).stem: file.matrix(labels) for file in scores}
    predicted = {Path(file.path).stem: file.matrix(labels) for file in models}
    of_model = dict.fromkeys(predicted, next(iter(scored.values()), None))
    of_model = of_model if len(predicted) == 1 else {}  # of several, nobody knows whose scores
    for name, y_score in scored.items() if threshold is not None else ():
        cut = f"{name} >= {threshold:g}"
        predicted[cut], of_model[cut] = y_score >= threshold, y_score
    every: dict[str, Any] = {"level": asked.level, "groups": groups, "decimals": asked.decimals}
    some = {"labels": labels, "sort": asked.sort, "most": asked.most} | every
    for name, y_pred in predicted.items():
        table = summary.labels(y_true, y_pred, y_score=of_model.get(name), **some)
        yield replace(table, title=name)
    for matrices in filter(None, (predicted, scored)):
        yield summary.models(y_true, matrices, **every)
    micro_f1 = partial(label_based.f1, average="micro")
    for name, y_pred in predicted.items() if by else ():
        yield replace(summary.subgroups(micro_f1, y_true, y_pred, by, **every), title=name)


class File(NamedTuple):
    """A file: the line of each sample, columns of text, the cells of each label, and its tags."""

    path: str
    rows: dict[str, int]
    texts: dict[str, list[str]]
    cells: dict[str, Any]
    tags: list[SampleTags]

    def matrix(self, labels: list[str]) -> Any:
        """The cells of these labels; 0 where the file lacks the label."""
        return np.array([self.cells.get(label, [0] * len(self.rows)) for label in labels]).T


def _labels(truth: File, models: list[File], scores: list[File], asked: Any) -> list[str]:
    """The labels of all tables: those of the truth (of the scores, if it has tags), and added ones."""
    tags = [tags for file in (truth, *models) for tags in file.tags]
    for option in () if tags else ("tags", "separator", "others"):
        if getattr(asked, option) is not None:
            raise ValueError(f"--{option} is given, and no file has the column of --tags")
    if truth.tags and asked.unknown:
        raise ValueError(f"--unknown is given, and {truth.path} has tags, none of them unknown")
    refuse_unsplit(tags, asked.separator)
    named = scores[0] if scores and truth.tags else truth
    labels = [*named.cells]
    refuse_near_duplicates(tags, [] if named.tags else labels)
    others = {label for file in (truth, *models) for label in file.cells} - {*labels}
    if tags and others:
        lacks = f"TRUTH (or SCORES) lacks the labels {first_three(sorted(others))}: --others"
        choice = asked.others or ("refuse" if scores else "add")
        if choice == "refuse":
            raise ValueError(f"{lacks} add or --others drop says what to do with them")
        print(lacks, choice, file=sys.stderr)
        labels += sorted(others, key=natural_key) if choice == "add" else []
    if not labels:
        raise ValueError(f"{truth.path} has no label: give a column per label, or of tags")
    for file in scores if tags else (*models, *scores):
        _refuse_unlike("labels", file.path, file.cells, truth.path, labels)
    return labels


def _refuse_unlike(what: str, path: str, names: Any, other: str, other_names: Any) -> None:
    """Refuse two files of which one has samples or labels that the other lacks."""
    if unlike := sorted({*names} ^ {*other_names}):
        raise ValueError(
            f"only one of {path} and {other} has the {what} {first_three(unlike)}: add them"
        )


def _file(path: str, asked: Any, spelled: dict[str, int], truth: File | None = None) -> File:
    """Read a file, in the truth's order; its cells are spelled as given, or scores where none is."""
    needed = [asked.id, *filter(None, () if truth else (asked.groups, asked.by))]
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, skipinitialspace=True, strict=True)
            rows, texts, labels, columns = _columns(path, lines, asked, spelled, needed)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", error)
        raise ValueError(f"{path} cannot be read: {why}: give a CSV file in UTF-8") from None
    tags = []
    if asked.tags in texts and spelled:
        separator = ";" if asked.separator is None else asked.separator
        tags = [read_tags(texts[asked.tags], path, separator, str.strip, [*rows.values()])]
        labels = sorted({*tags[0].names}, key=natural_key)
        columns = tags[0].matrix(labels)
    truth = truth or File(path, rows, {}, {}, [])
    _refuse_unlike("samples", path, rows, truth.path, truth.rows)
    row_of = {sample: i for i, sample in enumerate(rows)}
    ordered = columns[[row_of[sample] for sample in truth.rows]].T
    return File(path, rows, texts, dict(zip(labels, ordered, strict=True)), tags)


def _columns(path: str, lines: Any, asked: Any, spelled: dict[str, int], needed: list[str]) -> Any:
    """The line of each sample, columns of text, and labels with a matrix of their cells."""
    number: Any = spelled.__getitem__ if spelled else float
    header: list[str] = next(lines, [])
    for name in (*needed, *header):
        if header.count(name) != 1 or not (name or name in needed):
            what = f"{path}, line 1, has {header.count(name)} columns {name!r}"
            raise ValueError(f"{what}: name each column once, with commas between names")
    apart = (asked.id, asked.groups, asked.by, asked.tags)
    texts: dict[str, list[str]] = {name: [] for name in header if name in apart}
    at = [j for j, name in enumerate(header) if name not in apart]
    at = [] if asked.tags in texts and spelled else at
    cells, rows = array("b" if spelled else "d"), dict[str, int]()
    for row in filter(any, lines):  # blank lines, also of a spreadsheet, are left out
        where = f"{path}, line {lines.line_num}, has"
        if len(row) != len(header):
            remedy = "put a text with commas in double quotes"
            raise ValueError(f"{where} {len(row)} cells under {len(header)} names: {remedy}")
        for name, column in texts.items():
            column.append(text := row[header.index(name)])
            if (name == asked.id and text in rows) or not (text or name == asked.tags):
                remedy = "give each sample a name, and one line with all its tags"
                raise ValueError(f"{where} {text!r} in {name!r}, empty or a second time: {remedy}")
        rows[texts[asked.id][-1]] = lines.line_num
        try:
            cells.extend(map(number, [row[j] for j in at]))
        except (KeyError, ValueError):
            j = at[len(cells) % len(at)]
            remedy = "give 0 or 1, or name the column by --tags, --groups or --by"
            remedy = remedy if spelled else "give a score, in a column per label"
            for sign in (sign for sign in _UNKNOWN if row[j] in _UNKNOWN[sign] and spelled):
                remedy = f"write 0 for no; --unknown {sign} leaves such cells of TRUTH out"
            raise ValueError(f"{where} {row[j]!r} in {header[j]!r}: {remedy}") from None
    if not rows:
        raise ValueError(f"{path} has no line below the names: give each sample one")
    return rows, texts, [header[j] for j in at], np.array(cells).reshape(len(rows), len(at))


def _written(boards: list[Display], form: str) -> str:
    """The tables as text, as CSV with an empty line between two, or as JSON."""
    if form == "text":
        return "\n\n".join(map(Display.to_text, boards))
    tables = []
    for board in boards:
        columns = board.columns()
        if board.title:
            columns.insert(0, ("model", [board.title] * len(columns[0][1])))
        names, cells = zip(*columns, strict=True)
        rows = [[None if x != x else x for x in row] for row in zip(*cells, strict=True)]  # nan
        tables.append({"title": board.title, "columns": names, "rows": rows})
    if form == "json":
        return json.dumps(tables, indent=1, default=int)
    text = StringIO()
    for table in tables:
        csv.writer(text, lineterminator="\n").writerows([table["columns"], *table["rows"], []])
    return text.getvalue().rstrip()


if __name__ == "__main__":
    main()
