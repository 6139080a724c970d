"""Reading tags: the names that each sample has, from lists of names or from texts that are split."""

import ast
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.kinds import as_list, is_list, is_missing, is_real
from mlm_helpers._core.inputs.options import resolve_names
from mlm_helpers._core.inputs.refuse import first_three, short_repr

Normalize = Callable[[str], str]

_READERS: dict[str, Any] = {"json.loads": json.loads, "ast.literal_eval": ast.literal_eval}
# A list written out: quotes, beside brackets or alone; and commas, numbers or nothing in brackets.
_WRITTEN_OUT = re.compile(
    r"(?s)\(+\s*['\"].*|.*([\[{]\s*['\"]|['\"]\s*[\]}]).*|(['\"]).*\2|[\[{](.*,.*|[\d\s.]*)[\]}]"
    r"|\(([\d\s.]+,[\d\s.,]*)?\)|set\(\)"
)
_OF_NUMPY = re.compile(r"['\"]\s+['\"]")  # an array written out has no commas


class SampleTags(NamedTuple):
    """Every tag of every sample: its name, and the row of its sample; the samples' lines in a file."""

    argument: str
    raw: Any
    lines: Sequence[int]
    rows: NDArray[np.intp]
    names: list[Any]

    def matrix(self, labels: Sequence[str]) -> NDArray[np.int8]:
        """The matrix of 0 and 1 of these labels, shape (n_samples, n_labels)."""
        column = {label: j for j, label in enumerate(labels)}
        columns = np.array([column.get(name, -1) for name in self.names], dtype=np.intp)
        y = np.zeros((len(self.raw), len(labels)), np.int8)
        y[self.rows[columns >= 0], columns[columns >= 0]] = 1
        return y

    def position_text(self, i: int) -> str:
        """Text that says where the name of number ``i`` stands."""
        row = self.rows[i]
        where = f"line {self.lines[row]}" if self.lines else f"sample {row}"
        return f"{self.argument} has {short_repr(self.names[i])} at {where}"

    def per_sample_code(self, name: str, expression: str) -> str:
        """The end of a remedy: the code that makes an expression of each sample."""
        series = f"{self.argument}.map(lambda {name}: {expression}, na_action='ignore')"
        rows = f"[{expression} for {name} in {self.argument}]"
        return f", such as by {series if hasattr(self.raw, 'map') else rows}"


def read_tag_pair(true: Any, predicted: Any, separator: Any, normalize: Any) -> list[SampleTags]:
    """Read the true and the predicted tags; only these if the truth is a DataFrame of labels."""
    has_columns = hasattr(true, "set_axis") and len(true.shape) == 2
    for name in true if has_columns and len(true) else ():
        if isinstance(cell := true[name].iloc[0], (str, Sequence, Set)):
            remedy = f"pass true_tags[{name!r}] if these are tags, else write 0 and 1, or drop it"
            raise TypeError(f"true_tags has {short_repr(cell)} in column {name!r}: {remedy}")
    read = [] if has_columns else [read_tags(true, "true_tags", separator, normalize)]
    read.append(read_tags(predicted, "predicted_tags", separator, normalize))
    if len(predicted) != len(true):
        sizes = f"predicted_tags has {len(predicted)} samples and true_tags has {len(true)}"
        raise ValueError(f"{sizes}: give both the same")
    refuse.different_names(true, predicted, "index", "predicted_tags", "true_tags")
    return read


def read_tags(
    raw: Any, argument: str, separator: Any, normalize: Any, lines: Sequence[int] = ()
) -> SampleTags:
    """Read lists, sets, tuples or arrays of names, or texts that are split."""
    if not is_list(raw) or not len(raw):
        remedy = "give one list of tags per sample"
        for column in getattr(raw, "columns", ())[:1] if hasattr(raw, "iloc") else ():
            remedy += f", such as {argument}[{column!r}]"
        raise TypeError(f"{argument} is an empty or wrong {type(raw).__name__}: {remedy}")
    if separator is not None and not (isinstance(separator, str) and separator):
        raise ValueError(
            f"separator is {short_repr(separator)}: give what stands between tags, as ';'"
        )
    cells = as_list(raw)
    read = SampleTags(argument, raw, lines, np.arange(len(cells)), cells)
    rows = []
    for i, row in enumerate(cells):
        if isinstance(row, str) and not _WRITTEN_OUT.fullmatch(row.strip()):
            row = [] if not row else row.split(separator) if separator else row
        if isinstance(row, str) or not (is_list(row) or isinstance(row, Set)):
            what = f"{read.position_text(i)}, which is not a list of tags"
            raise TypeError(f"{what}: {_remedy(read, row, '[str(int(tags))]')}")
        rows.append(list(row))
    places = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    read = read._replace(rows=places, names=[tag for row in rows for tag in row])
    names: dict[Any, str] = {}
    for i, tag in enumerate(read.names):
        if not (isinstance(tag, str) or is_missing(tag)):
            remedy = _remedy(read, tag, "[str(int(tag)) for tag in tags]")
            raise TypeError(f"{read.position_text(i)}, which is not text: {remedy}")
        if tag not in names:
            names[tag] = _name(tag, normalize, read.position_text(i))
    return read._replace(names=[names[tag] for tag in read.names])


def read_label_names(labels: Any, normalize: Normalize | None) -> list[str]:
    """Read a list of labels, whose names are like those of tags."""
    resolve_names(labels, None, "label")
    names = [
        _name(label, normalize, f"labels has {short_repr(label)}") for label in as_list(labels)
    ]
    return resolve_names(names, None, "label")


def _name(tag: Any, normalize: Normalize | None, place: str) -> str:
    """The name of a tag or label, for which the text ``place`` says where it stands."""
    try:
        name: Any = normalize(str(tag)) if normalize else str(tag)
    except Exception as error:
        name = error
    if not isinstance(name, str) or (_key(str(tag)) and not _key(name)):
        remedy = "pass a function that returns text, such as str.casefold"
        raise TypeError(f"normalize makes {short_repr(name)} of {tag!r}: {remedy}")
    if is_missing(tag) or not _key(name):
        raise ValueError(f"{place}, which is empty: leave it out")
    if _WRITTEN_OUT.fullmatch(name):
        raise ValueError(f"{place}, with brackets or quotes: read a list before it is divided")
    if name != name.strip():
        remedy = "strip all tags, such as by normalize=str.strip"
        raise ValueError(f"{place}, with a blank before or after it: {remedy}")
    return str(name)


def _remedy(read: SampleTags, wrong: Any, as_text: str) -> str:
    """What to do with a sample that is not a list of tags, or with a tag that is not text."""
    if is_missing(wrong):
        return "leave the sample out of both if nobody looked, or give [] or '' if it has no tags"
    if isinstance(wrong, str) and not _WRITTEN_OUT.fullmatch(wrong.strip()):
        return "say what stands between two tags, such as by separator=';'"
    texts = [text for text in read.names if not (is_missing(text) and hasattr(read.raw, "map"))]
    for name, reads in () if read.lines else _READERS.items():
        with suppress(Exception):  # of another form, or not text
            lists = [isinstance(reads(text), (list, tuple, set)) for text in texts]
            if all(lists) and not any(map(_OF_NUMPY.search, texts)):
                return "read the lists" + read.per_sample_code("text", f"{name}(text)")
    if not all(is_real(tag) and tag % 1 == 0 for tag in read.names):
        return "give the names of labels, without brackets and quotes"
    remedy = "pass a matrix of 0 and 1 to a metric as it is, or write class numbers as text"
    return remedy + read.per_sample_code("tags", as_text)


def natural_key(name: str) -> tuple[float, str]:
    """A key that sorts whole numbers by size, and before names."""
    return len(name) if name.isdecimal() else np.inf, name


def refuse_unlisted(others: Counter[str], read: Sequence[SampleTags]) -> None:
    """Refuse tags that are not among the labels, by name."""
    first = next(iter(others))
    place = next(
        tags.position_text(tags.names.index(first)) for tags in read if first in tags.names
    )
    lacking = first_three(others.most_common(), lambda other: f"{other[0]!r} ({other[1]}×)")
    remedy = "pass others='drop' to leave them out or others='add' to keep them"
    raise ValueError(f"{place}, which is not in labels (not in labels: {lacking}): {remedy}")


def refuse_near_duplicates(
    read: Sequence[SampleTags],
    labels: Sequence[str] = (),
    others: str = "add",
    normalize: Any = None,
) -> None:
    """Refuse names that a reader takes for one, unless labels name both; others may be dropped."""
    known = {*labels}
    first = {_key(label): label for label in reversed(labels)}
    remember = first.get if others == "drop" else first.setdefault
    for tagged in read:
        for name in (name for name in dict.fromkeys(tagged.names) if name not in known):
            if (alike := remember(_key(name), name)) != name:
                code = f"lambda tag: {{{name!a}: {alike!a}}}.get(tag, tag)"
                code = "str.casefold" if name.casefold() == alike.casefold() else code
                how = "" if normalize or tagged.lines else f", such as by normalize={code}"
                place = tagged.position_text(tagged.names.index(name))
                what = f"which differs from {alike!r} only by case, blanks or unseen signs"
                raise ValueError(f"{place}, {what}: write both alike{how}")


def refuse_undivided(read: Sequence[SampleTags], separator: str | None) -> None:
    """Refuse tags that another sign divides: into tags that are known, or where no separator divides any."""
    names = Counter(name for tagged in read for name in {*tagged.names})
    for tagged in read:
        is_whole = len(tagged.names) == len({*tagged.rows.tolist()})
        for name in dict.fromkeys(tagged.names):
            parts = {part.strip() for part in re.split(r"[;|,\t\n]", name)}
            are_tags = parts <= names.keys() and (is_whole or names[name] == 1)
            if len(parts) > 1 and (are_tags or (is_whole and separator is None)):
                place = tagged.position_text(tagged.names.index(name))
                remedy = "write the same sign between all tags, and give it as the separator"
                raise ValueError(f"{place}, which {separator or ';'!r} does not divide: {remedy}")


def _key(name: str) -> str:
    """A name without its case, its blanks and signs that do not show; é is one character."""
    signs = (c for c in name.casefold() if unicodedata.category(c) != "Cf" and not c.isspace())
    return unicodedata.normalize("NFC", "".join(c for c in signs if c not in "\ufe0e\ufe0f"))
