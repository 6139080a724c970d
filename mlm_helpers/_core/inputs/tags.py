"""Reading tags: the labels that each sample has, from lists of names or from texts that are split."""

import ast
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import refuse
from mlm_helpers._core.inputs.kinds import as_list, is_list_like, is_missing, is_real
from mlm_helpers._core.inputs.options import resolve_names
from mlm_helpers._core.inputs.refuse import first_three, short_repr

Normalize = Callable[[str], str]

_PARSERS: dict[str, Any] = {"json.loads": json.loads, "ast.literal_eval": ast.literal_eval}
# A list written as text: quotes, with brackets or alone; or brackets around commas, numbers or nothing.
_LIST_AS_TEXT = re.compile(
    r"(?s)\(+\s*['\"].*|.*([\[{]\s*['\"]|['\"]\s*[\]}]).*|(['\"]).*\2|[\[{](.*,.*|[\d\s.]*)[\]}]"
    r"|\(([\d\s.]+,[\d\s.,]*)?\)|set\(\)"
)
_OF_NUMPY = re.compile(r"['\"]\s+['\"]")  # an array as text has no commas


class SampleTags(NamedTuple):
    """All tags of all samples: ``names[i]`` is a tag of the sample in row ``rows[i]``.

    Messages name the ``argument``, or the file and the sample's line in it; ``raw`` is what was passed. In
    `read_tags` a text that is not split yet counts as one tag.
    """

    argument: str
    raw: Any
    lines: Sequence[int]
    rows: NDArray[np.intp]
    names: list[Any]

    def matrix(self, labels: Sequence[str]) -> NDArray[np.int8]:
        """The matrix of 0 and 1 of these labels, shape (n_samples, n_labels); other tags are left out."""
        index_of = {label: j for j, label in enumerate(labels)}
        columns = np.array([index_of.get(name, -1) for name in self.names], dtype=np.intp)
        y = np.zeros((len(self.raw), len(labels)), np.int8)
        y[self.rows[columns >= 0], columns[columns >= 0]] = 1
        return y

    def position_text(self, i: int) -> str:
        """Text that says at which sample the tag ``names[i]`` is: the start of a message."""
        row = self.rows[i]
        position = f"line {self.lines[row]}" if self.lines else f"sample {row}"
        return f"{self.argument} has {short_repr(self.names[i])} at {position}"

    def code_per_sample(self, variable: str, expression: str) -> str:
        """The end of a remedy: code that computes an expression for each sample."""
        series = f"{self.argument}.map(lambda {variable}: {expression}, na_action='ignore')"
        rows = f"[{expression} for {variable} in {self.argument}]"
        return f", for example {series if hasattr(self.raw, 'map') else rows}"


def read_tag_pair(true: Any, predicted: Any, separator: Any, normalize: Any) -> list[SampleTags]:
    """Read the true and the predicted tags; only the predicted ones if the truth is a DataFrame of 0 and 1."""
    has_columns = hasattr(true, "set_axis") and len(true.shape) == 2
    for name in true if has_columns and len(true) else ():
        if isinstance(cell := true[name].iloc[0], (str, Sequence, Set)):
            remedy = f"pass true_tags[{name!r}] if these are tags, else write 0 and 1, or drop it"
            raise TypeError(f"true_tags has {short_repr(cell)} in column {name!r}: {remedy}")
    pair = [] if has_columns else [read_tags(true, "true_tags", separator, normalize)]
    pair.append(read_tags(predicted, "predicted_tags", separator, normalize))
    if len(predicted) != len(true):
        lengths = f"predicted_tags has length {len(predicted)} and true_tags has {len(true)}"
        raise ValueError(f"{lengths}: give both the same samples")
    refuse.different_names(true, predicted, "index", "predicted_tags", "true_tags")
    return pair


def read_tags(
    raw: Any, argument: str, separator: Any, normalize: Any, lines: Sequence[int] = ()
) -> SampleTags:
    """Read lists, sets, tuples or arrays of names, or texts to be split; tags are normalized and checked."""
    if not is_list_like(raw) or not len(raw):
        problem = "empty" if is_list_like(raw) else f"of type {type(raw).__name__}"
        columns = [*getattr(raw, "columns", ())] if hasattr(raw, "iloc") else []
        example = f", for example {argument}[{columns[0]!r}]" if columns else ""
        raise TypeError(f"{argument} is {problem}: give one list of tags per sample{example}")
    if separator is not None and not (isinstance(separator, str) and separator):
        raise ValueError(f"separator is {short_repr(separator)}: give a text, such as ';'")
    cells = SampleTags(argument, raw, lines, np.arange(len(raw)), as_list(raw))
    tags_of = []
    for i, cell in enumerate(cells.names):
        tags = cell
        if isinstance(cell, str) and not _LIST_AS_TEXT.fullmatch(cell.strip()):
            tags = cell.split(separator) if cell and separator else cell or []
        if isinstance(tags, str) or not (is_list_like(tags) or isinstance(tags, Set)):
            problem = f"{cells.position_text(i)}, which is not a list of tags"
            raise TypeError(f"{problem}: {_remedy(cells, cell, '[str(int(tags))]')}")
        tags_of.append(list(tags))
    rows = np.repeat(np.arange(len(tags_of)), list(map(len, tags_of)))
    raw_tags = cells._replace(rows=rows, names=[tag for tags in tags_of for tag in tags])
    name_of: dict[Any, str] = {}
    for i, tag in enumerate(raw_tags.names):
        if not (isinstance(tag, str) or is_missing(tag)):
            remedy = _remedy(raw_tags, tag, "[str(int(tag)) for tag in tags]")
            raise TypeError(f"{raw_tags.position_text(i)}, which is not text: {remedy}")
        if tag not in name_of:
            name_of[tag] = _name(tag, normalize, raw_tags.position_text(i))
    return raw_tags._replace(names=[name_of[tag] for tag in raw_tags.names])


def read_label_names(labels: Any, normalize: Normalize | None) -> list[str]:
    """Read a list of different labels, normalized and checked as tags are."""
    resolve_names(labels, None, "label")
    names = [_name(x, normalize, f"labels has {short_repr(x)}") for x in as_list(labels)]
    return resolve_names(names, None, "label")


def _name(tag: Any, normalize: Normalize | None, position: str) -> str:
    """The normalized name of a tag or label; ``position`` is the start of a message about it."""
    text, remedy = str(tag), "pass a function that returns text, such as str.casefold"
    try:
        name = normalize(text) if normalize else text
    except Exception as error:
        raise TypeError(f"normalize raises {short_repr(error)} for {text!r}: {remedy}") from None
    if not isinstance(name, str) or (_key(text) and not _key(name)):
        raise TypeError(f"normalize returns {short_repr(name)} for {text!r}: {remedy}")
    if is_missing(tag) or not _key(name):
        raise ValueError(f"{position}, which is empty: leave it out")
    if _LIST_AS_TEXT.fullmatch(name):
        raise ValueError(f"{position}, with brackets or quotes: parse a list, do not split it")
    if name != name.strip():
        remedy = "strip all tags, for example with normalize=str.strip"
        raise ValueError(f"{position}, with a blank before or after it: {remedy}")
    return str(name)


def _remedy(tags: SampleTags, wrong: Any, class_code: str) -> str:
    """Remedy for a sample that is not a list of tags, or a tag that is not text; the code is for class numbers."""
    if is_missing(wrong):
        return "leave the sample out of both if nobody annotated it, or give [] or '' for no tags"
    if isinstance(wrong, str) and not _LIST_AS_TEXT.fullmatch(wrong.strip()):
        return "give the text between two tags, for example with separator=';'"
    texts = [text for text in tags.names if not (is_missing(text) and hasattr(tags.raw, "map"))]
    for code, parse in () if tags.lines else _PARSERS.items():
        if all(_is_list_as_text(text, parse) for text in texts):
            return "parse the lists" + tags.code_per_sample("text", f"{code}(text)")
    if not all(is_real(tag) and tag % 1 == 0 for tag in tags.names):
        return "give the names of labels, without brackets and quotes"
    remedy = "pass a matrix of 0 and 1 to a metric as it is, or write class numbers as text"
    return remedy + tags.code_per_sample("tags", class_code)


def _is_list_as_text(text: Any, parse: Callable[[str], Any]) -> bool:
    """Whether a parser reads a text as a list, tuple or set; texts in a NumPy array have no commas."""
    try:
        return isinstance(parse(text), (list, tuple, set)) and not _OF_NUMPY.search(text)
    except Exception:  # a text of another form, or a value that is not text
        return False


def natural_key(name: str) -> tuple[float, str]:
    """Sort key that puts whole numbers first, by size, and then names."""
    return len(name) if name.isdecimal() else np.inf, name


def refuse_unlisted(counts: Counter[str], pair: Sequence[SampleTags]) -> None:
    """Refuse tags that are not among the labels; ``counts`` has how often each of them occurs."""
    first = next(iter(counts))
    tags = next(tags for tags in pair if first in tags.names)
    position = tags.position_text(tags.names.index(first))
    unlisted = first_three(counts.most_common(), lambda item: f"{item[0]!r} ({item[1]}×)")
    remedy = "pass others='drop' to leave them out or others='add' to keep them"
    raise ValueError(f"{position}, which is not in labels (unlisted: {unlisted}): {remedy}")


def refuse_near_duplicates(
    pair: list[SampleTags], labels: Sequence[str] = (), others: str = "add", normalize: Any = None
) -> None:
    """Refuse a tag that differs from a label or another tag only in case, blanks or invisible characters.

    Tags that are labels themselves pass. With ``others="drop"`` tags are compared with labels only.
    """
    listed, first_of = {*labels}, {_key(label): label for label in reversed(labels)}
    for tags in pair:
        for name in [name for name in dict.fromkeys(tags.names) if name not in listed]:
            first = first_of.get(_key(name), name)
            if others != "drop":
                first_of.setdefault(_key(name), name)
            if first != name:
                code = f"lambda tag: {{{name!a}: {first!a}}}.get(tag, tag)"
                code = "str.casefold" if name.casefold() == first.casefold() else code
                option = "" if normalize or tags.lines else f", for example with normalize={code}"
                position = tags.position_text(tags.names.index(name))
                problem = (
                    f"which differs from {first!r} only in case, blanks or invisible characters"
                )
                raise ValueError(f"{position}, {problem}: write both the same way{option}")


def refuse_unsplit(pair: Sequence[SampleTags], separator: str | None) -> None:
    """Refuse a tag such as "b,c" that seems to be several, which another separator divides.

    It seems so if its parts are tags, and it is not in both truth and prediction, or no text there was
    split; or if no text was split at ";", which None stands for.
    """
    n_columns = Counter(name for tags in pair for name in {*tags.names})
    for tags in pair:
        is_unsplit = len(tags.names) == len({*tags.rows.tolist()})
        for name in dict.fromkeys(tags.names):
            parts = {part.strip() for part in re.split(r"[;|,\t\n]", name)}
            are_tags = parts <= n_columns.keys() and (is_unsplit or n_columns[name] == 1)
            if len(parts) > 1 and (are_tags or (is_unsplit and separator is None)):
                position = tags.position_text(tags.names.index(name))
                remedy = "write the same separator between all tags, and pass it"
                raise ValueError(f"{position}, which {separator or ';'!r} does not split: {remedy}")


def _key(name: str) -> str:
    """Key that is the same for names that differ only in case, blanks, invisible characters or encoding of é."""
    visible = (c for c in name.casefold() if unicodedata.category(c) != "Cf" and not c.isspace())
    return unicodedata.normalize("NFC", "".join(c for c in visible if c not in "\ufe0e\ufe0f"))
