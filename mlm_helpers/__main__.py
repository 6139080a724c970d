"""Tables of results in a terminal, read from files: ``python -m mlm_helpers truth.csv predicted.csv``."""

import argparse
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mlm_helpers import data, errors, label_based, summary
from mlm_helpers._core import inputs
from mlm_helpers._core.inputs.refuse import few
from mlm_helpers.board import Board

_FORMATS: dict[str, Callable[[Board], str]] = {
    "text": Board.to_text,
    "markdown": Board.markdown,
    "latex": Board.latex,
    "csv": lambda table: str(table.frame().to_csv()).rstrip(),
}
_NORMALIZE: dict[str | None, Callable[[str], str]] = {
    None: str,
    "strip": str.strip,
    "casefold": lambda tag: tag.strip().casefold(),
}
_NOTHING = ("", "na", "nan", "none", "null", "<na>")


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables; if a file or an option is wrong, print one sentence and exit with status 2."""
    parser = _parser()
    asked = parser.parse_args(argv)
    try:
        tables = [_FORMATS[asked.format](table) for table in _tables(asked)]
    except (ImportError, TypeError, ValueError) as error:
        parser.exit(2, f"{error}\n")
    try:
        print("\n\n".join(tables), flush=True)
    except BrokenPipeError:  # of a reader such as head, which has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m mlm_helpers",
        description="Metrics of each label and of all, from CSV or Parquet files with a row per sample"
        " and a column of 0 and 1 per label, or one column of tags.",
    )
    add = parser.add_argument
    add("truth", metavar="TRUTH", help="file of the true labels")
    add("predicted", metavar="PREDICTED", nargs="*", help="file of a model's predicted labels")
    add("--scores", metavar="FILE", help="a model's scores, for AP and ranking metrics")
    add(
        "--threshold",
        type=float,
        metavar="SCORE",
        help="without PREDICTED: labels with at least this score are predicted",
    )
    add(
        "--id",
        metavar="COLUMN",
        help="column with the samples' names; without it the files have the samples in one order",
    )
    add(
        "--tags",
        metavar="COLUMN",
        help="column with all labels of a sample, such as sea;sun; a file without it has a column per label",
    )
    add("--separator", metavar="TEXT", help="text between tags, by default ;")
    add(
        "--others",
        choices=("add", "drop", "refuse"),
        help="tags not among the labels: make them labels (add), leave them out (drop) or stop (refuse);"
        " by default add, with --scores refuse",
    )
    add(
        "--normalize",
        choices=("strip", "casefold"),
        help="strip blanks around tags (strip), or ignore their case as well (casefold); by default neither",
    )
    add(
        "--unknown",
        choices=("-1", "nan"),
        action="append",
        default=[],
        help="value in TRUTH of cells that nobody annotated (may be given twice)",
    )
    add(
        "--ignore",
        metavar="COLUMN",
        action="append",
        default=[],
        help="column that is no label, such as a comment (may be given several times)",
    )
    add(
        "--groups",
        metavar="COLUMN",
        help="column of TRUTH, such as a hospital: adds the micro F1 of each group",
    )
    add(
        "--errors",
        type=int,
        metavar="N",
        help="adds the N most frequent pairs of a label that was missed and one that was predicted instead",
    )
    add(
        "--level",
        type=float,
        metavar="SHARE",
        help="level of bootstrap intervals, such as 0.95; by default none",
    )
    add("--format", choices=_FORMATS, default="text", help="format of the tables")
    return parser


def _tables(asked: argparse.Namespace) -> Iterator[Board]:
    """Every table that was asked for."""
    if not asked.predicted and (asked.scores is None or asked.threshold is None):
        raise ValueError("PREDICTED is missing: name a file, or give --scores and --threshold")
    paths = [asked.truth, *asked.predicted, *filter(None, [asked.scores])]
    files = _together([_read(path, asked) for path in paths], asked.id, asked.tags)
    groups = files[0].column(asked.groups) if asked.groups else None
    truth, *said = (file.without([asked.groups, *asked.ignore]) for file in files)
    scores = said.pop() if asked.scores else None
    if asked.tags:
        labels, y_true, *sets = _of_tags(truth, said, scores, asked)
    else:
        labels, y_true = list(truth.frame), truth.numbers(unknown=asked.unknown)
        sets = [file.like(labels, truth.path).numbers() for file in said]
    if asked.unknown:
        y_true = data.unknown(y_true, [*map(float, asked.unknown)])
    names = [Path(path).stem for path in asked.predicted]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"PREDICTED names {name!r} twice: give each file a name of its own")
    models = dict(zip(names, sets, strict=True))
    y_score = scores and scores.like(labels, truth.path).numbers("a finite number")
    if not models:
        models = {f"{Path(asked.scores).stem} >= {asked.threshold:g}": y_score >= asked.threshold}
    of_label = partial(summary.labels, y_true, labels=labels, level=asked.level)
    for name, y_pred in models.items():
        yield replace(of_label(y_pred, y_score=None if len(models) > 1 else y_score), title=name)
    yield summary.models(y_true, models, level=asked.level)
    if y_score is not None:
        yield summary.models(y_true, {Path(asked.scores).stem: y_score}, level=asked.level)
    if asked.errors is not None:
        for name, y_pred in models.items():
            pairs = errors.instead(y_true, y_pred, labels=labels)
            yield replace(pairs.table(asked.errors), title=name)
    if groups is not None:
        micro = partial(label_based.f1, average="micro")
        for name, y_pred in models.items():
            found = summary.groups(micro, y_true, y_pred, groups, level=asked.level)
            yield replace(found, title=name)
    never = [repr(name) for name, true in zip(labels, y_true.T, strict=True) if not true.any()]
    if never and asked.tags and not asked.scores and asked.others != "drop":
        print(
            f"Labels that {truth.path} never has: {few(never)}. They count in the macro averages of"
            " every model; --others drop leaves them out.",
            file=sys.stderr,
        )


@dataclass(frozen=True)
class _File:
    """A file that was read; the index of the frame holds the rows' numbers in the file."""

    path: str
    frame: Any

    def column(self, name: str) -> Any:
        """One column."""
        if name not in self.frame:
            raise ValueError(
                f"{self.path} has no column {name!r}: it has {few([*map(repr, self.frame)])}"
            )
        return self.frame[name]

    def without(self, names: list[str | None]) -> "_File":
        """The same file without these columns, as far as it has them."""
        return replace(self, frame=self.frame.drop(columns=names, errors="ignore"))

    def like(self, names: list[str], path: str) -> "_File":
        """The same file with its columns in the order of another file's."""
        for lacks, those, has, these in (
            (self.path, self.frame, path, names),
            (path, names, self.path, self.frame),
        ):
            lacking = [repr(name) for name in these if name not in those]
            if lacking:
                raise ValueError(
                    f"{lacks} lacks {few(lacking)}, which {has} has: give both a column for each"
                    " label"
                )
        return replace(self, frame=self.frame[names])

    def tags(self, column: str, unknown: Sequence[str] | None = None) -> list[Any]:
        """The tags of each sample, from their column or else the names of the columns that hold 1."""
        if column in self.frame:
            return list(self.frame[column].fillna(""))
        names = self.frame.columns
        return [list(names[row == 1]) for row in self.numbers(unknown=unknown)]

    def place(self, name: str, i: int) -> str:
        """Where a cell is: its column, and its line in a text or its row in a Parquet file."""
        row = int(self.frame.index[i])
        where = f"row {row}" if _is_parquet(self.path) else f"line {row + 2}"
        return f"in column {name!r}, {where}"

    def numbers(self, wanted: str = "0 or 1", unknown: Sequence[str] | None = None) -> Any:
        """All columns as one matrix: of 0, 1 and the sign for unknown cells, or of finite numbers."""
        from pandas import to_numeric

        columns = []
        for name, cells in self.frame.items():
            column = to_numeric(cells, errors="coerce").to_numpy(float, na_value=math.nan)
            right = np.isin(column, (0, 1)) if wanted == "0 or 1" else np.isfinite(column)
            text = cells.astype(str).str.strip().str.lower()
            missing = (cells.isna() | text.isin(_NOTHING)).to_numpy()
            for sign in unknown or []:
                right |= missing if sign == "nan" else column == -1
            if not right.all():
                i = int(np.argmin(right))
                value = "nothing" if missing[i] else inputs.shown(cells.iloc[i])
                raise ValueError(
                    f"{self.path} has {value} {self.place(name, i)}, where {wanted} must stand"
                    f"{_remedy(name, value, wanted, unknown)}"
                )
            columns.append(column)
        return np.column_stack(columns)


def _remedy(name: str, value: str, wanted: str, unknown: Sequence[str] | None) -> str:
    """The remedy for a cell that is neither 0 nor 1."""
    if wanted != "0 or 1":
        return ""
    value = value.strip("'")
    if value in ("nothing", "-1", "-1.0"):
        also = "also " if unknown else ""
        sign = "nan" if value == "nothing" else "-1"
        return (
            f": {also}give --unknown {sign}, which leaves such cells of TRUTH out"
            if unknown is not None
            else f": only TRUTH, the first file, may have unknown cells, with --unknown {sign}"
        )
    if re.fullmatch(r"0?\.\d+", value):
        return ": scores are given by --scores"
    column = shlex.quote(name)
    return (
        f": if it names the samples, give --id {column}; if it holds tags, --tags {column}; if it holds"
        f" groups to compare, --groups {column}; if it is no label, --ignore {column}"
    )


def _is_parquet(path: str) -> bool:
    return Path(path).suffix in (".parquet", ".pq")


def _read(path: str, asked: argparse.Namespace) -> _File:
    """Read a file; names and tags stay text, also a tag "NA"."""
    try:
        import pandas
    except ImportError:
        raise ImportError("files are read by pandas: pip install pandas") from None
    try:
        if _is_parquet(path):
            frame = pandas.read_parquet(path).reset_index(drop=True)
        else:
            text = dict.fromkeys(filter(None, [asked.id, asked.tags, asked.groups]), str)
            options: dict[str, Any] = {"skip_blank_lines": False, "keep_default_na": False}
            frame = pandas.read_csv(
                path, dtype=text, encoding="utf-8-sig", low_memory=False, **options
            )
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or 'no such file'}") from None
    except ImportError:
        raise ImportError(f"{path} is read by pyarrow: pip install pyarrow") from None
    except pandas.errors.EmptyDataError:
        frame = pandas.DataFrame()
    except pandas.errors.ParserError as error:
        said = str(error).rpartition("error: ")[2].strip()
        raise ValueError(f"{path} is no table: {said[:1].lower()}{said[1:]}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not in UTF-8: save it again in that encoding") from None
    if frame.empty:
        raise ValueError(f"{path} is empty: give a line of names, and below it one for each sample")
    if not isinstance(frame.index, pandas.RangeIndex):  # where every line has too many cells
        raise ValueError(f"{path} has more cells than names in line 2: name each column in line 1")
    if len(frame.columns) == 1 and re.search(r"[;\t]", str(frame.columns[0])):
        raise ValueError(f"{path} has no comma in line 1: separate columns by commas")
    return _File(path, frame)


def _together(files: list[_File], name: str | None, tags: str | None) -> list[_File]:
    """The files with the same samples in the same rows: by a column of names, else as many rows in each."""
    if name:
        return [_in_order(file, files[0], name) for file in files]
    for file in files[1:] if tags else []:  # of columns that are no label
        _not_shuffled(file, files[0], tags)
    sizes = [len(file.frame) for file in files]
    for file, size in zip(files, sizes, strict=True):
        if size != sizes[0]:
            raise ValueError(
                f"{file.path} has {size} samples and {files[0].path} has {sizes[0]}: give both the"
                " same, or name the column of their names with --id"
            )
    return files


def _not_shuffled(file: _File, first: _File, tags: str | None) -> None:
    """Refuse files that share a column with another value in each row, but not in the same order."""
    for name in first.frame.columns.intersection(file.frame.columns):
        wanted, given = (one.frame[name].astype(str) for one in (first, file))
        differ = wanted[: len(given)].to_numpy() != given[: len(wanted)].to_numpy()
        if name != tags and wanted.is_unique and differ.any():
            i = int(differ.argmax())
            column = shlex.quote(name)
            raise ValueError(
                f"{file.path} has {given.iloc[i]!r} {file.place(name, i)}, where {first.path} has"
                f" {wanted.iloc[i]!r}: if it names the samples, give --id {column}, which brings them"
                f" into one order; else leave that column out of {file.path}"
            )


def _in_order(file: _File, first: _File, name: str) -> _File:
    """A file with its rows in the order of the first file's, without the column of names."""
    wanted, given = first.column(name), file.column(name)
    for i in np.flatnonzero(given.isin(["", "nan"]))[:1]:
        raise ValueError(f"{file.path} has no name {file.place(name, i)}: name the sample")
    for i in np.flatnonzero(given.duplicated())[:1]:
        raise ValueError(f"{file.path} has {given.iloc[i]!r} twice, again {file.place(name, i)}")
    for one, other, lacks in ((wanted, given, file), (given, wanted, first)):
        lacking = [repr(sample) for sample in one[~one.isin(other)]]
        if lacking:
            raise ValueError(f"{lacks.path} lacks the samples {few(lacking)}")
    row = {sample: i for i, sample in enumerate(given)}
    rows = [row[sample] for sample in wanted]
    return replace(file, frame=file.frame.iloc[rows].drop(columns=[name]))


def _of_tags(
    truth: _File, said: list[_File], scores: _File | None, asked: argparse.Namespace
) -> tuple[Any, ...]:
    """The labels (those of truth or scores, then others), the truth, and each model's label sets."""
    separator = asked.separator or ";"
    read = partial(data.from_tags, separator=separator, normalize=_NORMALIZE[asked.normalize])
    is_matrix, true = asked.tags not in truth.frame, truth.tags(asked.tags, asked.unknown)
    named = truth if is_matrix else scores
    labels = list(named.frame) if named else list(read(true, true).labels)
    labels = list(map(_NORMALIZE[asked.normalize], labels))
    others, occurring = asked.others or ("refuse" if scores else "add"), set()
    tags = [file.tags(asked.tags) for file in said]
    if not asked.separator:
        _between([text for own in (true, *tags) for text in own if isinstance(text, str)])
    for file, own in zip(said, tags, strict=True):
        try:
            occurring |= {*read(true, own).labels} - {*labels}
            if others == "refuse":
                read(true, own, labels=labels)
        except ValueError as error:
            where = f"true: {truth.path}, said: {file.path}, sample 0: the first"
            options = "here the options are --separator, --normalize strip or casefold, --others"
            raise ValueError(f"{error} ({where}; {options})") from None
    labels += sorted(occurring) if others == "add" else []
    sets = [read(true, own, labels=labels, others="drop") for own in tags]
    for file, made in zip(said, sets, strict=True):
        if made.others:
            left = few([f"{name!r} ({n}×)" for name, n in made.others.items()])
            print(f"{file.path}: left out, as they are no labels: {left}.", file=sys.stderr)
    y_true = sets[0].y_true.astype(float)
    if is_matrix:  # in which cells may be unknown
        y_true[:, : truth.frame.shape[1]] = truth.numbers(unknown=asked.unknown)
    return labels, y_true, *(one.y_pred for one in sets)


def _between(texts: list[str]) -> None:
    """Refuse to take ; for what stands between tags where it never occurs and another sign does."""
    other = next((s for s in "|,\t" if any(s in text for text in texts)), None)
    if other and not any(";" in text for text in texts):
        example = next(text for text in texts if other in text)
        raise ValueError(
            f"no text has ; between its tags, and {inputs.shown(example)} has {other!r}: say what stands"
            f" between tags, --separator '{other}', or --separator ';' if each text is one tag"
        )


if __name__ == "__main__":
    main()
