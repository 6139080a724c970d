"""Reading tags: the names that each sample has, from lists of names or from texts that are split."""

import functools
from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.kinds import is_nested, listed
from mlm_helpers._core.inputs.refuse import few, shown

Normalize = Callable[[str], str]
_BOTH = "lambda tag: tag.strip().casefold()"
_PATIENCE = 1  # seconds after which reading shows how far it is
_LISTS = {list, tuple, set, frozenset}


class Tagged(NamedTuple):
    """Every tag of every sample: its name, and the number of its sample."""

    argument: str
    n_samples: int
    samples: NDArray[np.intp]
    names: list[str]


def tags(true: Any, said: Any, separator: str | None, normalize: Normalize | None) -> list[Tagged]:
    """Read the tags of each sample, true ones and those predicted for the same samples.

    Where the truth is a DataFrame with a column per label, only the predicted ones.
    """
    if separator is not None and not (isinstance(separator, str) and separator):
        raise ValueError(f"separator is {shown(separator)}: give what stands between tags, as ';'")
    read = [] if _has_columns(true) else [_tagged(true, "true", separator, normalize)]
    read.append(_tagged(said, "said", separator, normalize))
    for argument, raw in (("true", true), ("said", said)):
        if not getattr(getattr(raw, "index", None), "is_unique", True):
            i = int(raw.index.duplicated().argmax())
            raise ValueError(
                f"{argument} has {shown(raw.index[i])} twice in its index, again at sample {i}: keep one"
            )
    n_samples = read[0].n_samples if read[1:] else len(true)
    if read[-1].n_samples != n_samples:
        raise ValueError(
            f"said has {read[-1].n_samples} samples and true has {n_samples}: give both the same"
        )
    refuse.another_order(true, said, "index", "said", "true")
    return read


def _has_columns(true: Any) -> bool:
    """Whether the truth is a DataFrame with a column for each label, in which no cell is text or a list."""
    if not hasattr(true, "set_axis") or len(true.shape) == 1:
        return False
    for name in true if len(true) else ():
        cell = true[name].iloc[0]
        if isinstance(cell, str) or is_nested(cell) or isinstance(cell, Set):
            raise TypeError(
                f"true has {shown(cell)} in column {name!r}: if these are tags, pass true[{name!r}]; if the"
                f" column is no label, true.drop(columns={name!r})"
            )
    return True


def _tagged(raw: Any, argument: str, separator: str | None, normalize: Normalize | None) -> Tagged:
    """Lists, sets, tuples or arrays of names, or texts that are split."""
    if not (is_nested(raw) or len(getattr(raw, "shape", ())) == 1):
        remedy = "give one list of tags per sample"
        if hasattr(raw, "columns"):
            remedy = f"pass its column of tags, such as {argument}['tags']"
        if np.ma.isMaskedArray(raw):
            remedy = "give it before data.unknown, and call that on the y_true that is returned"
        raise TypeError(f"{argument} is of type {type(raw).__name__}: {remedy}")
    rows = list(listed(raw))
    if not rows:
        raise ValueError(f"{argument} is empty: give one list of tags per sample")
    if separator is not None:
        from tqdm import tqdm

        split = functools.cache(lambda text: text.split(separator) if text else [])
        rows = [
            split(row) if isinstance(row, str) else row
            for row in tqdm(rows, argument, leave=False, delay=_PATIENCE)
        ]
    if not set(map(type, rows)) <= _LISTS:
        rows = [_row(row, i, argument, rows) for i, row in enumerate(rows)]
    found = [tag for row in rows for tag in row]
    samples = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    if not all(issubclass(kind, str) for kind in set(map(type, found))):
        i, tag = next((i, tag) for i, tag in enumerate(found) if not isinstance(tag, str))
        remedy = "give names of labels as text; a matrix of 0 and 1 goes to a metric as it is"
        where = f"at sample {samples[i]}"
        raise TypeError(f"{argument} has {shown(tag)} {where}, which is no text: {remedy}")
    names = {tag: str(normalize(tag) if normalize else tag) for tag in dict.fromkeys(found)}
    for tag, name in names.items():
        if name != name.strip() or not name:
            _blank(tag, name, samples[found.index(tag)], argument, normalize)
    return Tagged(argument, len(rows), samples, [names[tag] for tag in found])


def _row(row: Any, i: int, argument: str, rows: list[Any]) -> list[Any]:
    """The tags of one sample, in whatever sequence or set they came."""
    if isinstance(row, (Sequence, Set)) and not isinstance(row, (str, bytes)):
        return list(row)
    if len(getattr(row, "shape", ())) == 1:
        return list(row)
    said = shown(row)
    if isinstance(row, str):
        texts = [text for text in rows if isinstance(text, str)]
        likely = next((s for s in refuse.SEPARATORS if any(s in text for text in texts)), ";")
        remedy = (
            f"give a list of tags, or say what stands between two, such as separator={likely!r}"
        )
    elif said in ("None", "nan", "<NA>", "NaT"):
        remedy = "give [] if it has no tag, or '' beside a separator, as by fillna(''); leave it out if nobody looked"
    else:
        remedy = "give a list of tags"
    raise TypeError(f"{argument} has {said} at sample {i}, which is no list of tags: {remedy}")


def _blank(
    tag: str, name: str, sample: int, argument: str, normalize: Normalize | None
) -> NoReturn:
    if not name:
        raise ValueError(
            f"{argument} has an empty tag at sample {sample}: leave it out, or name the label"
        )
    how = f"{_BOTH}, which strips" if normalize else "str.strip"
    raise ValueError(
        f"{argument} has {tag!r} at sample {sample}, with a blank before or after it: pass"
        f" normalize={how}, or the separator with its blanks"
    )


def not_named(others: Counter[str], labels: Sequence[str], read: Sequence[Tagged]) -> NoReturn:
    """Refuse tags that are not among the labels, by name."""
    name, differs = next(iter(others)), ""
    alike = {_key(label): label for label in labels}.get(_key(name))
    if alike is not None:
        differs = f" and differs from {alike!r} only by {_difference(name, alike)}"
    listed = few([f"{other!r} ({n}×)" for other, n in others.most_common()])
    raise ValueError(
        f"{_place(name, read)}, which is not in labels{differs} (not in labels: {listed}): write"
        " tags as in labels, or pass others='drop' to leave them out or others='add' to keep them"
    )


def none_alike(read: Sequence[Tagged]) -> None:
    """Refuse two names that differ only by case or blanks."""
    near: dict[str, str] = {}
    for name in (name for tagged in read for name in dict.fromkeys(tagged.names)):
        alike = near.setdefault(_key(name), name)
        if alike != name:
            raise ValueError(
                f"{_place(name, read)} and {_place(alike, read)}, which differ only by"
                f" {_difference(name, alike)}: write them alike, such as with normalize=str.casefold,"
                " or name both in labels"
            )


def _place(name: str, read: Sequence[Tagged]) -> str:
    """Where a name stands first."""
    tagged = next(tagged for tagged in read if name in tagged.names)
    sample = tagged.samples[tagged.names.index(name)]
    return f"{tagged.argument} has {name!r} at sample {sample}"


def _key(name: str) -> str:
    """A name without its case and its blanks."""
    return "".join(name.casefold().split())


def _difference(one: str, other: str) -> str:
    """What two names of the same key differ by."""
    if one.casefold() == other.casefold():
        return "case"
    return "blanks" if "".join(one.split()) == "".join(other.split()) else "case and blanks"
