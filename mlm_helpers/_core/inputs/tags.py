"""Reading tags: the names that each sample has, from lists of names or from texts that are split."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.kinds import is_list, listed
from mlm_helpers._core.inputs.refuse import few, shown

Normalize = Callable[[str], str]


class Tagged(NamedTuple):
    """Every tag of every sample: its name, and the row of its sample; samples are named or numbered."""

    argument: str
    samples: Sequence[Any]
    rows: NDArray[np.intp]
    names: list[str]

    def matrix(self, labels: Sequence[str]) -> NDArray[np.int8]:
        """The matrix of 0 and 1 of these labels, shape (n_samples, n_labels)."""
        column = {label: j for j, label in enumerate(labels)}
        columns = np.array([column.get(name, -1) for name in self.names], dtype=np.intp)
        y = np.zeros((len(self.samples), len(labels)), np.int8)
        y[self.rows[columns >= 0], columns[columns >= 0]] = 1
        return y


def tags(
    true: Any, predicted: Any, separator: str | None, normalize: Normalize | None
) -> list[Tagged]:
    """Read the tags of each sample, true ones and those predicted for the same samples.

    Where the truth is a DataFrame with a column per label, only the predicted ones.
    """
    has_columns = hasattr(true, "set_axis") and len(true.shape) == 2
    for name in true if has_columns and len(true) else ():
        if isinstance(cell := true[name].iloc[0], (str, Sequence, Set)):
            remedy = f"pass true_tags[{name!r}] if these are tags, else leave the column out"
            raise TypeError(f"true_tags has {shown(cell)} in column {name!r}: {remedy}")
    read = [] if has_columns else [tagged(true, "true_tags", separator, normalize)]
    read.append(tagged(predicted, "predicted_tags", separator, normalize))
    if len(predicted) != len(true):
        sizes = f"predicted_tags has {len(predicted)} samples and true_tags has {len(true)}"
        raise ValueError(f"{sizes}: give both the same")
    refuse.another_order(true, predicted, "index", "predicted_tags", "true_tags")
    return read


def tagged(
    raw: Any,
    argument: str,
    separator: str | None,
    normalize: Normalize | None,
    samples: Sequence[Any] | None = None,
) -> Tagged:
    """Read lists, sets, tuples or arrays of names, or texts that are split."""
    if not is_list(raw) or not len(raw):
        remedy = f"give one list of tags per sample, such as {argument}['tags'] of a frame"
        raise TypeError(f"{argument} is an empty or wrong {type(raw).__name__}: {remedy}")
    if separator is not None and not (isinstance(separator, str) and separator):
        raise ValueError(f"separator is {shown(separator)}: give what stands between tags, as ';'")
    rows = []
    for i, row in enumerate(listed(raw)):
        if isinstance(row, str) and separator is not None:
            row = row.split(separator) if row else []
        if not (is_list(row) or isinstance(row, Set)):
            remedy = "give a list of tags, or say what stands between two, such as separator=';'"
            where = f"{shown(row)} at sample {i}, which is not a list of tags"
            raise TypeError(f"{argument} has {where}: {remedy}")
        rows.append(list(row))
    found = [tag for row in rows for tag in row]
    places = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    read = Tagged(argument, samples or range(len(rows)), places, found)
    for tag in found:
        if not isinstance(tag, str):
            raise TypeError(f"{_place(tag, read)}, which is no text: give names of labels as text")
    names = {tag: normalize(tag) if normalize else str(tag) for tag in dict.fromkeys(found)}
    for tag, name in names.items():
        if not isinstance(name, str):
            raise TypeError(f"normalize makes {shown(name)} of {tag!r}: return a text")
        if not name or name != name.strip():
            what = "which is an empty tag or has a blank before or after it: leave it out"
            raise ValueError(f"{_place(tag, read)}, {what}, or strip tags by normalize")
    return read._replace(names=[names[tag] for tag in found])


def _place(name: Any, *read: Tagged) -> str:
    """Text that says where a name stands first."""
    argument, samples, rows, names = next(tagged for tagged in read if name in tagged.names)
    return f"{argument} has {shown(name)} at sample {samples[rows[names.index(name)]]!r}"


def not_named(others: Counter[str], labels: Sequence[str], read: Sequence[Tagged]) -> None:
    """Refuse tags that are not among the labels, by name."""
    for name in others:
        alike = few([label for label in labels if _key(label) == _key(name)])
        but = f", but {alike} is" if alike else ""
        lacking = few(others.most_common(), lambda other: f"{other[0]!r} ({other[1]}×)")
        what = f"{_place(name, *read)}, which is not in labels{but} (not in labels: {lacking})"
        others_say = "pass others='drop' to leave them out or others='add' to keep them"
        raise ValueError(f"{what}: write tags as in labels, or {others_say}")


def none_alike(read: Sequence[Tagged]) -> None:
    """Refuse two names that a reader takes for one."""
    first: dict[str, str] = {}
    for name in dict.fromkeys(name for tagged in read for name in tagged.names):
        alike = first.setdefault(_key(name), name)
        if alike != name:
            what = "which differ only by case, blanks or signs that do not show"
            both = f"{_place(name, *read)} and {_place(alike, *read)}"
            raise ValueError(f"{both}, {what}: write them alike")


def one_separator(read: Sequence[Tagged], separator: str | None) -> None:
    """Refuse tags of a file that no separator divides, while another sign does."""
    known = {name for tagged in read for name in tagged.names}
    for tagged in read:
        is_divided = len(tagged.names) > len({*tagged.rows.tolist()})
        for name in () if is_divided else dict.fromkeys(tagged.names):
            parts = {part.strip() for part in re.split(r"[;|,\t]", name)}
            if len(parts) > 1 and (separator is None or parts <= known):
                raise ValueError(
                    f"{_place(name, tagged)} and never {separator or ';'!r} between two tags: name"
                    " what stands between tags with --separator, the same in all files"
                )


def _key(name: str) -> str:
    """A name without its case, its blanks and signs that do not show; é is one character."""
    whole = unicodedata.normalize("NFC", name.casefold())
    return "".join(c for c in whole if not (c.isspace() or unicodedata.category(c) == "Cf"))
