"""Reading tags: the names that each sample has, from lists of names or from texts that are split."""

import functools
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.kinds import is_missing, is_nested, listed
from mlm_helpers._core.inputs.refuse import few, shown

Normalize = Callable[[str], str]


class Tagged(NamedTuple):
    """Every tag of every sample: its name, and the row of its sample; for a file, also its lines."""

    argument: str
    n_samples: int
    rows: NDArray[np.intp]
    names: list[str]
    lines: Sequence[int] | None = None

    def place(self, name: str) -> str:
        """Text that says where a name stands first."""
        row = self.rows[self.names.index(name)]
        where = f"at sample {row}" if self.lines is None else f"in line {self.lines[row]}"
        return f"{self.argument} has {name!r} {where}"

    def matrix(self, labels: Sequence[str]) -> NDArray[np.int8]:
        """The matrix of 0 and 1 of these labels, shape (n_samples, n_labels)."""
        column = {label: j for j, label in enumerate(labels)}
        columns = np.array([column.get(name, -1) for name in self.names], dtype=np.intp)
        y = np.zeros((self.n_samples, len(labels)), np.int8)
        y[self.rows[columns >= 0], columns[columns >= 0]] = 1
        return y


def tags(true: Any, said: Any, separator: str | None, normalize: Normalize | None) -> list[Tagged]:
    """Read the tags of each sample, true ones and those predicted for the same samples.

    Where the truth is a DataFrame with a column per label, only the predicted ones.
    """
    if separator is not None and not (isinstance(separator, str) and separator):
        raise ValueError(f"separator is {shown(separator)}: give what stands between tags, as ';'")
    read = [] if _has_columns(true) else [tagged(true, "true", separator, normalize)]
    read.append(tagged(said, "said", separator, normalize))
    if read[-1].n_samples != len(true):
        sizes = f"said has {read[-1].n_samples} samples and true has {len(true)}"
        raise ValueError(f"{sizes}: give both the same")
    refuse.another_order(true, said, "index", "said", "true")
    return read


def _has_columns(true: Any) -> bool:
    """Whether the truth is a DataFrame with a column for each label; one of tags is refused."""
    if not hasattr(true, "set_axis") or len(true.shape) == 1:
        return False
    for name in true if len(true) else ():
        cell = true[name].iloc[0]
        if isinstance(cell, (str, Sequence, Set)):
            remedy = f"pass true[{name!r}] if these are tags, else leave the column out"
            raise TypeError(f"true has {shown(cell)} in column {name!r}: {remedy}")
    return True


def tagged(
    raw: Any,
    argument: str,
    separator: str | None,
    normalize: Normalize | None,
    lines: Sequence[int] | None = None,
) -> Tagged:
    """Read lists, sets, tuples or arrays of names, or texts that are split."""
    remedy = "give one list of tags per sample"
    if not (is_nested(raw) or len(getattr(raw, "shape", ())) == 1):
        if hasattr(raw, "iloc"):
            remedy = f"pass its column of tags, such as {argument}['tags']"
        raise TypeError(f"{argument} is of type {type(raw).__name__}: {remedy}")
    rows = list(listed(raw))
    if not rows:
        raise ValueError(f"{argument} is empty: {remedy}")
    if separator is not None:
        split = functools.cache(lambda text: text.split(separator) if text else [])
        rows = [split(row) if isinstance(row, str) else row for row in rows]
    if not set(map(type, rows)) <= {list, tuple, set, frozenset}:
        rows = [_row(row, i, argument, rows) for i, row in enumerate(rows)]
    found = [tag for row in rows for tag in row]
    places = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    read = Tagged(argument, len(rows), places, found, lines)
    if not all(issubclass(kind, str) for kind in set(map(type, found))):
        tag = next(tag for tag in found if not isinstance(tag, str))
        remedy = "give names of labels as text; a matrix of 0 and 1 goes to a metric as it is"
        raise TypeError(f"{read.place(tag)}, which is not a text: {remedy}")
    names = {tag: normalize(tag) if normalize else str(tag) for tag in dict.fromkeys(found)}
    for tag, name in names.items():
        if not isinstance(name, str):
            raise TypeError(f"normalize makes {shown(name)} of {tag!r}: return a text")
        if not name:
            raise ValueError(f"{read.place(tag)}, which is an empty tag: leave it out")
        if name != name.strip():
            remedy = "strip tags by normalize, or give the separator with its blanks"
            raise ValueError(f"{read.place(tag)}, with a blank before or after it: {remedy}")
    return read._replace(names=[names[tag] for tag in found])


def _row(row: Any, i: int, argument: str, rows: list[Any]) -> list[Any]:
    """The tags of one sample, in whatever sequence or set they came."""
    if is_nested(row) or isinstance(row, Set) or len(getattr(row, "shape", ())) == 1:
        return list(row)
    remedy = "give a list of tags"
    if isinstance(row, str):
        texts = [text for text in rows if isinstance(text, str)]
        likely = next((s for s in refuse.SEPARATORS if any(s in text for text in texts)), ";")
        remedy += f", or say what stands between two, such as separator={likely!r}"
    elif is_missing(row):
        remedy = "give [] for a sample without tags, and leave out samples that nobody annotated"
    raise TypeError(
        f"{argument} has {shown(row)} at sample {i}, which is not a list of tags: {remedy}"
    )


def not_named(others: Counter[str], labels: Sequence[str], read: Sequence[Tagged]) -> NoReturn:
    """Refuse tags that are not among the labels, by name."""
    name = next(iter(others))
    alike = [repr(label) for label in labels if _key(label) == _key(name)]
    but = f", but {alike[0]} is" if alike else ""
    listed = few([f"{other!r} ({n}×)" for other, n in others.most_common()])
    raise ValueError(
        f"{_place(name, read)}, which is not in labels{but} (not in labels: {listed}): write"
        " tags as in labels, or pass others='drop' to leave them out or others='add' to keep them"
    )


def none_alike(read: Sequence[Tagged]) -> None:
    """Refuse two names that a reader takes for one."""
    first: dict[str, str] = {}
    for name in (name for tagged in read for name in dict.fromkeys(tagged.names)):
        alike = first.setdefault(_key(name), name)
        if alike != name:
            raise ValueError(
                f"{_place(name, read)} and {_place(alike, read)}, which differ only by case, blanks"
                " or signs that do not show: write them alike"
            )


def one_separator(read: Sequence[Tagged], separator: str | None) -> None:
    """Refuse tags of a file that no separator divides, while another sign does."""
    known = {name for tagged in read for name in tagged.names}
    for tagged in read:
        if np.bincount(tagged.rows, minlength=1).max() > 1:
            continue
        for name in dict.fromkeys(tagged.names):
            for sign in ";|,\t":
                parts = name.split(sign)[1:] and {part.strip() for part in name.split(sign)}
                if parts and (separator is None or parts <= known):
                    raise ValueError(
                        f"{tagged.place(name)} and never {separator or ';'!r} between two tags: name"
                        " what stands between tags with --separator, the same in all files"
                    )


def _place(name: str, read: Sequence[Tagged]) -> str:
    return next(tagged for tagged in read if name in tagged.names).place(name)


def _key(name: str) -> str:
    """A name without its case, its blanks and signs that do not show; é is one character."""
    whole = unicodedata.normalize("NFC", name.casefold())
    return "".join(c for c in whole if not (c.isspace() or unicodedata.category(c) == "Cf"))
