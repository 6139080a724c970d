"""Reading CSV files with a row per sample, as text."""

import csv
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs.refuse import few
from mlm_helpers._core.inputs.tags import Tagged, tagged

_CELLS = {"0": 0, "0.0": 0, "False": 0, "FALSE": 0, "1": 1, "1.0": 1, "True": 1, "TRUE": 1}
UNKNOWN = {"-1": ("-1", "-1.0"), "nan": ("", "NA", "nan", "NaN", "None", "null", "<NA>")}
"""How cells that nobody annotated are written."""


class File(NamedTuple):
    """A file that was read: its samples with their rows, and columns of text apart from the labels.

    The cells are 0, 1 and -1 for unknown, or scores, shape (n_samples, n_labels).
    """

    path: str
    rows: dict[str, int]
    columns: dict[str, list[str]]
    labels: list[str]
    cells: NDArray[Any]
    tags: Tagged | None

    def matrix(self, samples: Iterable[str], labels: list[str]) -> NDArray[Any]:
        """The cells of samples and labels in this order; 0 where the file lacks the label."""
        cells = self.cells[[self.rows[sample] for sample in samples]]
        if labels == self.labels:
            return cells
        column = {label: j for j, label in enumerate(self.labels)}
        return np.pad(cells, ((0, 0), (0, 1)))[:, [column.get(label, -1) for label in labels]]


def file(
    path: str,
    sample: str,
    needed: Sequence[str] = (),
    left_out: Sequence[str | None] = (),
    tags: str | None = None,
    separator: str = ";",
    unknown: Sequence[str] | None = (),
) -> File:
    """Read a file whose column ``sample`` names its rows; the other columns are labels, or one has tags.

    ``needed`` columns are read as text, ``left_out`` ones are not labels, and ``unknown`` says how unknown
    cells are written, as "-1" or "nan"; None reads scores.
    """
    cells: array[Any] = array("d")
    number: Callable[[str], float] = float
    wanted = "a number"
    if unknown is not None:
        spelled = _CELLS | {text: -1 for sign in unknown for text in UNKNOWN[sign]}
        cells, number, wanted = array("b"), spelled.__getitem__, "0 or 1"
    numbered = _lines(path, [sample, *needed])
    _, header = next(numbered)
    columns: dict[str, list[str]] = {name: [] for name in header if name in (sample, tags, *needed)}
    is_label = [tags not in header and name not in (sample, *left_out) for name in header]
    labels, lines = [*compress(header, is_label)], list[int]()
    rows: dict[str, int] = {}
    for line, row in numbered:
        for name, column in columns.items():
            column.append(row[header.index(name)])
            if name != tags and not column[-1]:
                raise ValueError(f"{path} has nothing in column {name!r}, line {line}: fill it in")
        if rows.setdefault(columns[sample][-1], len(lines)) != len(lines):
            twice = f"{columns[sample][-1]!r} twice in column {sample!r}"
            raise ValueError(f"{path} has {twice}, again in line {line}: leave one out")
        lines.append(line)
        try:
            cells.extend(map(number, compress(row, is_label)))
        except (KeyError, ValueError):
            j = len(cells) % len(labels)
            text = [*compress(row, is_label)][j]
            cell = f"{text!r} in column {labels[j]!r}, line {line}, where {wanted} must stand"
            remedy = "leave the column out, or say by --tags, --groups or --by what it holds"
            for sign in (sign for sign, texts in UNKNOWN.items() if text in texts):
                remedy = f"in TRUTH, --unknown {sign} leaves such cells out"
            raise ValueError(f"{path} has {cell}: {remedy}") from None
    if tags in header:
        read = tagged(columns[tags], path, separator, str.strip, lines)
        labels = sorted({*read.names})
        return File(path, rows, columns, labels, read.matrix(labels), read)
    if not cells:
        raise ValueError(f"{path} is empty: give a line of names, and below it one per sample")
    return File(path, rows, columns, labels, np.array(cells).reshape(len(lines), -1), None)


def _lines(path: str, needed: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of a file with their numbers, each a list of texts; the names come first."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True, strict=True)
            header = next(reader, [])
            for name in needed:
                if name not in header:
                    names = few([*map(repr, header)])
                    raise ValueError(f"{path} has no column {name!r}: it has {names or 'none'}")
            if "" in header and "" not in needed:
                raise ValueError(f"{path} has a column without a name in line 1: name or drop it")
            for name in header:
                if header.count(name) > 1:
                    raise ValueError(f"{path} has the column {name!r} twice: rename one of them")
            yield 1, header
            for row in filter(None, reader):  # blank lines are left out
                if len(row) != len(header):
                    found = f"{len(row)} cells in line {reader.line_num} under {len(header)} names"
                    raise ValueError(f"{path} has {found}: name each column in line 1")
                yield reader.line_num, row
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"{path} is not CSV in UTF-8: save it as such") from None
