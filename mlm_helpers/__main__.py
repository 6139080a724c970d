"""Tables of results in a terminal: ``python -m mlm_helpers truth.csv predicted.csv --id COLUMN``."""

import argparse
import csv
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np

from mlm_helpers import label_based, summary
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.refuse import few
from mlm_helpers.board import Board


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables; if a file or an option is wrong, print one sentence and exit with status 2."""
    parser = _parser()
    asked = parser.parse_args(argv)
    if isinstance(sys.stdout, TextIOWrapper):  # its encoding may lack an arrow or a dash
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _check_options(asked)
        print(_written([*_tables(asked)], asked.format), flush=True)
    except (TypeError, ValueError) as error:
        parser.exit(2, f"{error}\n")
    except OSError as error:  # a full disk, or `head` that has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        is_closed = isinstance(error, BrokenPipeError)
        parser.exit(2, "" if is_closed else f"the tables cannot be written: {error.strerror}\n")


def _parser() -> argparse.ArgumentParser:
    about = "Metrics of each label and of all, from CSV files with a row per sample."
    parser = argparse.ArgumentParser("python -m mlm_helpers", description=about)
    add = parser.add_argument
    add("truth", metavar="TRUTH", help="true labels: a column of 0 and 1 per label, or of tags")
    add("predicted", metavar="PREDICTED", nargs="*", help="a model's predicted labels")
    add("--id", metavar="COLUMN", required=True, help="column that names the samples in each file")
    add("--tags", metavar="COLUMN", help="column of tags, such as sea;sun, in files that have it")
    add("--separator", metavar="TEXT", help="text between two tags, by default ;")
    others = "tags that TRUTH never has (with SCORES: that have no column there): make them labels"
    others += " (add), leave them out (drop) or stop (refuse); by default add, with SCORES refuse"
    add("--others", choices=("add", "drop", "refuse"), help=others)
    unknown = "value of cells of TRUTH that nobody annotated (may be given twice)"
    add("--unknown", choices=inputs.UNKNOWN, action="append", default=[], help=unknown)
    add("--scores", metavar="SCORES", help="a model's scores, a column per label")
    add("--threshold", type=float, metavar="SCORE", help="predict labels from this score on")
    add("--level", type=float, metavar="SHARE", help="level of intervals, such as 0.95")
    add("--groups", metavar="COLUMN", help="column of TRUTH: intervals draw its groups whole")
    add("--by", metavar="COLUMN", help="column of TRUTH: adds the micro F1 of each of its values")
    add("--format", choices=("text", "csv", "json"), default="text", help="format of the tables")
    return parser


def _check_options(asked: argparse.Namespace) -> None:
    """Refuse options that cannot stand together, or would change nothing."""
    names, cut = {Path(path).stem for path in asked.predicted}, asked.threshold is not None
    for is_wrong, sentence in (
        (not names and not asked.scores, "PREDICTED is missing: name a file, or give --scores"),
        (len(names) < len(asked.predicted), "PREDICTED has two files of one name: rename one"),
        (cut and not asked.scores, "--threshold is given without --scores: give both"),
        (cut and names, "--threshold is given beside PREDICTED: leave out one of them"),
        (cut and not math.isfinite(asked.threshold or 0), "--threshold is not a finite number"),
        (asked.separator == "", "--separator is empty: give the text between two tags"),
        (asked.separator and not asked.tags, "--separator is given without --tags: give both"),
        (asked.others and not asked.tags, "--others is given without --tags: give both"),
        (asked.groups and asked.level is None, "--groups is given without --level: give both"),
        (asked.by and not names and not cut, "--by needs labels: give PREDICTED or --threshold"),
    ):
        if is_wrong:
            raise ValueError(sentence)


def _tables(asked: argparse.Namespace) -> Iterator[Board]:
    """Every table that was asked for."""
    separator, apart = asked.separator or ";", [asked.groups, asked.by]
    read = partial(
        inputs.file, sample=asked.id, left_out=apart, tags=asked.tags, separator=separator
    )
    truth = read(asked.truth, needed=[*filter(None, apart)], unknown=asked.unknown)
    predicted = [read(path) for path in asked.predicted]
    scores = [read(path, tags=None, unknown=None) for path in filter(None, [asked.scores])]
    for file in (*predicted, *scores):
        _refuse_lacking("samples", file.path, file.rows, truth.path, truth.rows)
    labels = _labels(truth, predicted, scores, asked)
    y_true, y_score = truth.matrix(truth.rows, labels), None
    y_true = np.ma.MaskedArray(y_true, y_true < 0) if asked.unknown else y_true
    models = {Path(file.path).stem: file.matrix(truth.rows, labels) for file in predicted}
    of_scores = {Path(file.path).stem: file.matrix(truth.rows, labels) for file in scores}
    for name, y_score in of_scores.items():
        if asked.threshold is not None:
            models = {f"{name} >= {asked.threshold:g}": y_score >= asked.threshold}
    groups, by = truth.columns.get(asked.groups), truth.columns.get(asked.by)
    drawn: dict[str, Any] = {"level": asked.level, "groups": groups}
    for name, y_pred in models.items():
        of_model = y_score if len(models) == 1 else None
        table = summary.labels(y_true, y_pred, y_score=of_model, labels=labels, **drawn)
        yield replace(table, title=name)
    for matrices in filter(None, (models, of_scores)):
        yield summary.models(y_true, matrices, **drawn)
    micro_f1 = partial(label_based.f1, average="micro")
    for name, y_pred in models.items() if by else ():
        table = summary.groups(micro_f1, y_true, y_pred, by, level=asked.level, together=groups)
        yield replace(table, title=name)


def _labels(
    truth: inputs.File, models: list[inputs.File], scores: list[inputs.File], asked: Any
) -> list[str]:
    """The labels of all tables: those of the truth (of the scores, if it has tags), and added ones."""
    first = scores[0] if scores and truth.tags else truth
    if truth.tags and asked.unknown:
        raise ValueError(f"--unknown is given, and {truth.path} has tags, none of them unknown")
    if not asked.tags:
        for file in (*models, *scores):
            _refuse_lacking("labels", file.path, file.labels, truth.path, truth.labels)
        return truth.labels
    tags = [file.tags for file in (truth, *models) if file.tags]
    if not tags:
        raise ValueError(f"no file has the column {asked.tags!r}: name the column of tags")
    inputs.one_separator(tags, asked.separator)
    inputs.none_alike(tags)
    others: Counter[str] = Counter()
    for file in (truth, *models):
        counts = zip(file.labels, file.cells.sum(axis=0).tolist(), strict=True)
        others.update({label: n for label, n in counts if label not in first.labels})
    labels = first.labels
    if others:
        which = few([f"{label!r} ({n}×)" for label, n in others.most_common()])
        if asked.others == "refuse" or (scores and not asked.others):
            raise ValueError(f"{first.path} lacks the labels {which}: give --others add or drop")
        what = "left out" if asked.others == "drop" else "added, and count in macro averages"
        print(f"{first.path} lacks the labels {which}: they are {what}.", file=sys.stderr)
        labels = labels if asked.others == "drop" else [*labels, *sorted(others)]
    for file in scores:
        _refuse_lacking("labels", file.path, file.labels, truth.path, labels)
    return labels


def _refuse_lacking(what: str, path: str, names: Any, other: str, other_names: Any) -> None:
    """Refuse two files of which one has samples or labels that the other lacks."""
    for lacks, has, lacking in (
        (path, other, {*other_names} - {*names}),
        (other, path, {*names} - {*other_names}),
    ):
        if lacking:
            which = few([*map(repr, sorted(lacking))])
            raise ValueError(
                f"{lacks} lacks the {what} {which}, which {has} has: give both the same"
            )


def _written(boards: list[Board], form: str) -> str:
    """The tables as text, as CSV with an empty line between two, or as JSON."""
    if form == "text":
        return "\n\n".join(map(Board.to_text, boards))
    tables = []
    for board in boards:
        names, columns = zip(*board.columns(), strict=True)
        cells = ([None if x != x else x for x in column] for column in columns)  # nan
        rows = [*zip(*cells, strict=True)]
        tables.append({"title": board.title, "columns": names, "rows": rows})
    if form == "json":
        return json.dumps(tables, indent=1, default=int)
    text = StringIO()
    for table in tables:
        csv.writer(text, lineterminator="\n").writerows([table["columns"], *table["rows"], []])
    return text.getvalue().rstrip()


if __name__ == "__main__":
    main()
