"""Reading tags: the labels of each sample, from lists of names or from texts that are split."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs.kinds import as_list, is_collection, is_list_like, is_missing
from mlm_helpers._core.inputs.options import resolve_names
from mlm_helpers._core.inputs.refuse import check_same_order, short_repr

Normalize = Callable[[str], str]

# A list as text: quotes, with brackets or alone (["a"], 'a'), or brackets around commas, numbers or
# nothing ([a, b], [1]).
_LIST_AS_TEXT = re.compile(
    r"(?s)\(+\s*['\"].*|.*([\[{]\s*['\"]|['\"]\s*[\]}]).*|(['\"]).*\2|[\[{](.*,.*|[\d\s.]*)[\]}]"
    r"|\(([\d\s.]+,[\d\s.,]*)?\)|set\(\)"
)


class SampleTags(NamedTuple):
    """All tags of all samples: ``names[i]`` is a tag of the sample in row ``rows[i]``."""

    argument: str  #: the name of the argument, or of the file, in messages
    raw: Any  #: the argument itself, with an entry per sample
    lines: Sequence[int]  #: the line of each sample in the file; empty if there is no file
    rows: Sequence[int]
    names: list[Any]

    def matrix(self, labels: Sequence[str]) -> NDArray[np.int8]:
        """The matrix of 0 and 1 of these labels; other tags are left out."""
        y = np.zeros((len(self.raw), len(labels)), np.int8)
        column_of = {label: j for j, label in enumerate(labels)}
        for row, name in zip(self.rows, self.names, strict=True):
            if name in column_of:
                y[row, column_of[name]] = 1
        return y

    def position_text(self, i: int) -> str:
        """The start of a message about ``names[i]``: the argument, the tag and its sample."""
        row = self.rows[i]
        position = f"line {self.lines[row]}" if self.lines else f"sample {row}"
        return f"{self.argument} has {short_repr(self.names[i])} at {position}"


def read_tag_pair(true: Any, predicted: Any, separator: Any, normalize: Any) -> list[SampleTags]:
    """Read true and predicted tags; only the predicted ones if the truth is a frame of 0 and 1.

    The options are those of `read_tags`.
    """
    # A Series, which holds tags, has ``set_axis``, too, but one dimension.
    is_frame = hasattr(true, "set_axis") and len(true.shape) == 2
    pair = [] if is_frame else [read_tags(true, "true_tags", separator, normalize)]
    pair.append(read_tags(predicted, "predicted_tags", separator, normalize))
    if len(predicted) != len(true):
        lengths = f"predicted_tags has length {len(predicted)} and true_tags has {len(true)}"
        raise ValueError(f"{lengths}: give both the same samples")
    check_same_order({"true_tags": true, "predicted_tags": predicted})
    return pair


def read_tags(
    raw: Any, argument: str, separator: Any, normalize: Any, lines: Sequence[int] = ()
) -> SampleTags:
    """Read lists, sets, tuples or arrays of names, or texts to be split at ``separator``.

    Each tag is replaced by ``normalize(tag)``, unless ``normalize`` is None. ``lines`` are those of
    the samples if ``argument`` is a file.
    """
    if not (is_list_like(raw) and len(raw)):
        remedy = "give a list, or a Series, with the tags of one or more samples"
        raise TypeError(f"{argument} is of type {type(raw).__name__}: {remedy}")
    # At first each sample has one "tag": its whole cell, which messages can name.
    cells = SampleTags(argument, raw, lines, range(len(raw)), as_list(raw))
    rows = []
    names = []
    for i in cells.rows:
        for tag in _tags_of_sample(cells, i, separator):
            rows.append(i)
            names.append(tag)
    tags = cells._replace(rows=rows, names=names)
    name_of: dict[Any, str] = {}  # the normalized name of each different tag
    for i, tag in enumerate(tags.names):
        if not (isinstance(tag, str) or is_missing(tag)):
            raise TypeError(f"{tags.position_text(i)}, which is not text: {_remedy(tag)}")
        if tag not in name_of:
            name_of[tag] = _read_name(tag, normalize, tags.position_text(i))
    return tags._replace(names=[name_of[tag] for tag in tags.names])


def _tags_of_sample(cells: SampleTags, i: int, separator: str | None) -> list[Any]:
    """The tags of a sample: the items of a list, or the parts of a text.

    ``cells`` are the samples before they are split: ``cells.names[i]`` is all that sample i has.
    """
    cell = cells.names[i]
    is_text = isinstance(cell, str) and not _LIST_AS_TEXT.fullmatch(cell.strip())
    if is_text and (separator or not cell):
        return cell.split(separator) if cell else []  # "".split(";") would be [""]
    if not is_collection(cell):
        raise TypeError(f"{cells.position_text(i)}, which is not a list of tags: {_remedy(cell)}")
    return [*cell]


def _remedy(wrong: Any) -> str:
    """Remedy for a cell that is neither a list of tags nor split, or for a tag that is not text."""
    if is_missing(wrong):
        return "leave the sample out of both if nobody annotated it, or give [] or '' for no tags"
    if not isinstance(wrong, str):
        return "give names, class numbers as text; a matrix of 0 and 1 goes to a metric as it is"
    if _LIST_AS_TEXT.fullmatch(wrong.strip()):
        return "give names without brackets and quotes: json.loads and ast.literal_eval parse lists"
    return "give the text between two tags, for example with separator=';'"


def read_label_names(labels: Any, normalize: Normalize | None) -> list[str]:
    """Read a list of labels: normalized and checked as tags are, and different afterwards, too."""
    resolve_names(labels, None, "label")  # refuses a set, and labels that are equal from the start
    names = [_read_name(x, normalize, f"labels has {short_repr(x)}") for x in as_list(labels)]
    return resolve_names(names, None, "label")


def _read_name(tag: Any, normalize: Normalize | None, position: str) -> str:
    """The normalized name of a tag or label.

    Refused are names that are empty, that look like a list, or that begin or end with a blank.
    ``position`` is the start of a message about the tag.
    """
    name = normalize(str(tag)) if normalize else str(tag)
    if not isinstance(name, str):
        problem = f"normalize returns {short_repr(name)} for {tag!r}"
        raise TypeError(f"{problem}: pass a function that returns text, such as str.casefold")
    if is_missing(tag) or not _key(name):
        raise ValueError(f"{position}, which is or becomes empty: leave it out")
    if _LIST_AS_TEXT.fullmatch(name):
        raise ValueError(f"{position}, with brackets or quotes: parse a list, do not split it")
    if name != name.strip():
        remedy = "strip all tags, for example with normalize=str.strip"
        raise ValueError(f"{position}, with a blank before or after it: {remedy}")
    return name


def natural_key(name: str) -> tuple[float, str]:
    """Sort key: numerals by number of digits, then as text (9 before 10); other names follow."""
    return len(name) if name.isdecimal() else np.inf, name


def check_no_near_duplicates(
    columns: list[SampleTags], labels: Any = (), others: str = "add", normalize: Any = None
) -> None:
    """Refuse a tag that differs from another name only in case, blanks or invisible characters.

    ``columns`` are the true and predicted tags, or those of several files. Tags that are labels
    themselves pass. With ``others="drop"`` tags are compared with labels only, else also with the
    tags before them. ``normalize`` is what the caller passed, if anything.
    """
    labels = dict.fromkeys(labels)
    name_of_key = {_key(label): label for label in labels}  # the first name that has a key
    for column in columns:
        for name in dict.fromkeys(column.names):
            similar = name if name in labels else name_of_key.get(_key(name), name)
            if similar != name:
                position = column.position_text(column.names.index(name))
                problem = f"differs from {similar!r} only in case, blanks or invisible characters"
                remedy = "write both the same way"
                if name.casefold() == similar.casefold() and not (normalize or column.lines):
                    remedy += ", for example with normalize=str.casefold"
                raise ValueError(f"{position}, which {problem}: {remedy}")
            if others != "drop":
                name_of_key[_key(name)] = name


def check_all_are_split(columns: Sequence[SampleTags], separator: str | None) -> None:
    """Refuse a tag such as "b,c" if it is probably two tags with another separator.

    ``columns`` are the true and predicted tags, or those of several files. The tag is refused if b
    and c are tags, too, and "b,c" is in one column only. It is also refused if no text of its
    column was split, and b and c are tags or the separator is None, which stands for ";".
    """
    # In how many columns each tag is.
    n_columns = Counter(name for column in columns for name in {*column.names})
    for column in columns:
        is_unsplit = len(column.names) == len({*column.rows})
        for name in dict.fromkeys(column.names):
            parts = {part.strip() for part in re.split(r"[;|,\t\n]", name)}
            are_tags = parts <= n_columns.keys() and (is_unsplit or n_columns[name] == 1)
            if len(parts) > 1 and (are_tags or (is_unsplit and separator is None)):
                position = column.position_text(column.names.index(name))
                remedy = "write the same separator between all tags, and pass it"
                raise ValueError(f"{position}, which {separator or ';'!r} does not split: {remedy}")


def _key(name: str) -> str:
    """Key that names share if they differ only in case, blanks, or characters that nobody sees.

    Names are also equal if an accented letter is one character in one, and two in the other.
    """
    # Cf are Unicode's format characters; U+FE0E and U+FE0F select the text or emoji style.
    visible = (c for c in name.casefold() if unicodedata.category(c) != "Cf" and not c.isspace())
    return unicodedata.normalize("NFC", "".join(c for c in visible if c not in "\ufe0e\ufe0f"))
