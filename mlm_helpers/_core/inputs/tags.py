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
# A list as text: quotes, with brackets or alone (["a"], 'a'), or brackets around commas, numbers or
# nothing ([a, b], [1]).
_LIST_AS_TEXT = re.compile(
    r"(?s)\(+\s*['\"].*|.*([\[{]\s*['\"]|['\"]\s*[\]}]).*|(['\"]).*\2|[\[{](.*,.*|[\d\s.]*)[\]}]"
    r"|\(([\d\s.]+,[\d\s.,]*)?\)|set\(\)"
)
_NUMPY_ARRAY = re.compile(r"['\"]\s+['\"]")  # ['a' 'b'], as NumPy writes an array


class SampleTags(NamedTuple):
    """All tags of all samples: ``names[i]`` is a tag of the sample in row ``rows[i]``.

    Messages name the ``argument``, or the file and the sample's line in it; ``raw`` is the argument
    itself. For messages about cells, `read_tags` first takes a whole cell as the only tag of its
    sample.
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
            remedy = f"pass true_tags[{name!r}] if these are tags, else write 0 and 1 (if text: astype(int)), or drop it"
            raise TypeError(f"true_tags has {short_repr(cell)} in column {name!r}: {remedy}")
    pair = [] if has_columns else [read_tags(true, "true_tags", separator, normalize)]
    pair.append(read_tags(predicted, "predicted_tags", separator, normalize))
    if len(predicted) != len(true):
        lengths = f"predicted_tags has length {len(predicted)} and true_tags has {len(true)}"
        raise ValueError(f"{lengths}: give both the same samples")
    refuse.check_equal_names(true, predicted, "index", "predicted_tags", "true_tags")
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
    tags_of_samples = []
    for i, cell in enumerate(cells.names):
        is_text = isinstance(cell, str) and not _LIST_AS_TEXT.fullmatch(cell.strip())
        tags = cell.split(separator) if is_text and separator else cell
        tags = [] if is_text and not cell else tags  # "".split(";") is [""]
        if isinstance(tags, str) or not (is_list_like(tags) or isinstance(tags, Set)):
            problem = f"{cells.position_text(i)}, which is not a list of tags"
            raise TypeError(f"{problem}: {_remedy(cells, cell, '[str(int(tags))]')}")
        tags_of_samples.append(list(tags))
    rows = np.repeat(cells.rows, [len(tags) for tags in tags_of_samples])
    raw_tags = cells._replace(rows=rows, names=[tag for tags in tags_of_samples for tag in tags])
    name_of: dict[Any, str] = {}
    for i, tag in enumerate(raw_tags.names):
        if not (isinstance(tag, str) or is_missing(tag)):
            remedy = _remedy(raw_tags, tag, "[str(int(tag)) for tag in tags]")
            raise TypeError(f"{raw_tags.position_text(i)}, which is not text: {remedy}")
        if tag not in name_of:
            name_of[tag] = _name(tag, normalize, raw_tags.position_text(i))
    return raw_tags._replace(names=[name_of[tag] for tag in raw_tags.names])


def read_label_names(labels: Any, normalize: Normalize | None) -> list[str]:
    """Read a list of labels; they are normalized and checked as tags are, and must differ."""
    resolve_names(labels, None, "label")
    names = [_name(x, normalize, f"labels has {short_repr(x)}") for x in as_list(labels)]
    return resolve_names(names, None, "label")


def _name(tag: Any, normalize: Normalize | None, position: str) -> str:
    """The normalized name of a tag or label; an empty one, a list as text or outer blanks are refused.

    ``position`` is the start of a message about the tag.
    """
    text = str(tag)
    remedy = "pass a function that returns text that is not empty, such as str.casefold"
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
        strip = "strip all tags, for example with normalize=str.strip"
        raise ValueError(f"{position}, with a blank before or after it: {strip}")
    return str(name)


def _remedy(tags: SampleTags, wrong: Any, class_code: str) -> str:
    """Remedy for a wrong cell, which is not a list of tags, or a wrong tag; the code makes text of class numbers."""
    if is_missing(wrong):
        return "leave the sample out of both if nobody annotated it, or give [] or '' for no tags"
    if isinstance(wrong, str) and not _LIST_AS_TEXT.fullmatch(wrong.strip()):
        return "give the text between two tags, for example with separator=';'"
    # Code maps the cells of a Series except missing ones; for a file, which has lines, nobody runs
    # code.
    texts = [text for text in tags.names if not (is_missing(text) and hasattr(tags.raw, "map"))]
    for code, parse in () if tags.lines else _PARSERS.items():
        if all(_is_list_as_text(text, parse) for text in texts):
            return "parse the lists" + tags.code_per_sample("text", f"{code}(text)")
    if not all(is_real(tag) and tag % 1 == 0 for tag in tags.names):
        return "give the names of labels, without brackets and quotes"
    remedy = "pass a matrix of 0 and 1 to a metric as it is, or write class numbers as text"
    return remedy + tags.code_per_sample("tags", class_code)


def _is_list_as_text(text: Any, parse: Callable[[str], Any]) -> bool:
    """Whether a parser reads a text as a list, tuple or set, and the text is not that of a NumPy array."""
    try:
        return isinstance(parse(text), (list, tuple, set)) and not _NUMPY_ARRAY.search(text)
    except Exception:  # a text of another form, or a value that is not text
        return False


def natural_key(name: str) -> tuple[float, str]:
    """Sort key: numerals first, by number of digits and then as text, so 9 before 10; then names."""
    return len(name) if name.isdecimal() else np.inf, name


def refuse_unlisted(counts: Counter[str], columns: Sequence[SampleTags]) -> None:
    """Refuse tags that are not among the labels; ``counts`` has the number of occurrences of each."""
    first = next(iter(counts))
    column = next(column for column in columns if first in column.names)
    position = column.position_text(column.names.index(first))
    unlisted = first_three(counts.most_common(), lambda item: f"{item[0]!r} ({item[1]}×)")
    remedy = "pass others='drop' to leave them out or others='add' to keep them"
    raise ValueError(f"{position}, which is not in labels (unlisted: {unlisted}): {remedy}")


def check_no_near_duplicates(
    columns: list[SampleTags], labels: Any = (), others: str = "add", normalize: Any = None
) -> None:
    """Refuse a tag that differs from a label or another tag only in case, blanks or invisible characters.

    Tags that are labels themselves pass. With ``others="drop"`` tags are compared with labels only.
    """
    listed = {*labels}
    first_of = {_key(label): label for label in reversed(labels)}
    for column in columns:
        for name in [name for name in dict.fromkeys(column.names) if name not in listed]:
            first = first_of.get(_key(name), name)
            if others != "drop":
                first_of.setdefault(_key(name), name)
            if first != name:
                code = f"lambda tag: {{{name!a}: {first!a}}}.get(tag, tag)"
                code = "str.casefold" if name.casefold() == first.casefold() else code
                option = "" if normalize or column.lines else f", for example with normalize={code}"
                position = column.position_text(column.names.index(name))
                problem = f"differs from {first!r} only in case, blanks or invisible characters"
                raise ValueError(f"{position}, which {problem}: write both the same way{option}")


def check_all_are_split(columns: Sequence[SampleTags], separator: str | None) -> None:
    """Refuse a tag such as "b,c" if it is probably two tags with another separator than the one given.

    That is so if b and c are tags, too, and either "b,c" is in one column only or no text of its
    column was split. With the separator None, which stands for ";", a column without a split text
    suffices.
    """
    n_columns = Counter(name for column in columns for name in {*column.names})
    for column in columns:
        is_unsplit = len(column.names) == len({*column.rows.tolist()})
        for name in dict.fromkeys(column.names):
            parts = {part.strip() for part in re.split(r"[;|,\t\n]", name)}
            are_tags = parts <= n_columns.keys() and (is_unsplit or n_columns[name] == 1)
            if len(parts) > 1 and (are_tags or (is_unsplit and separator is None)):
                position = column.position_text(column.names.index(name))
                remedy = "write the same separator between all tags, and pass it"
                raise ValueError(f"{position}, which {separator or ';'!r} does not split: {remedy}")


def _key(name: str) -> str:
    """Key that names share if they differ only in case, blanks, invisible characters or the encoding of é."""
    visible = (c for c in name.casefold() if unicodedata.category(c) != "Cf" and not c.isspace())
    return unicodedata.normalize("NFC", "".join(c for c in visible if c not in "\ufe0e\ufe0f"))
