"""How to mend a refused argument, where that is sure: a sentence, often with code for the argument.

Each ``for_…`` returns the remedy for one kind of mistake, or "" if it does not apply. ``raw`` is
the argument as it was passed, and ``name`` its name. Code in a remedy works on the argument as it
is, keeps its names and masks, and never guesses what a word means.
"""

import re
from typing import Any

import numpy as np

from mlm_helpers._core.inputs import kinds
from mlm_helpers._core.inputs.kinds import Array

LABELS = re.compile(r"y(_true|_pred|_train)?|annotations\[\d+\]")  # arguments of 0 and 1


def array_code(raw: Any, name: str) -> str:
    """Code for the argument as an array or a frame, which operators such as ``>=`` need."""
    if kinds.is_sparse(raw):
        return f"{name}.toarray()"
    return f"np.asarray({name})" if kinds.is_sequence(raw) else name


def for_list(raw: Any, name: str) -> str:
    """Remedy for a list of cells in place of a matrix.

    A Series becomes a frame, which keeps its index, so that it can be compared with others.
    """
    if hasattr(raw, "to_frame"):
        column = f"{name}.to_frame(0)"
        return f"for a single label pass {column}, for a single sample {column}.T"
    row = f"np.reshape({name}, (1, -1))"
    column = f"np.reshape({name}, (-1, 1))"
    return f"for a single sample pass {row}, for a single label {column}"


def for_names(expected: Any, actual: Any, raw: Any, axis: str, name: str, code: str) -> str:
    """Remedy for a frame whose names on an axis, ``actual``, are not those expected.

    ``code`` is where the expected names are from, such as "y_true.columns".
    """
    remedy = "give both the same names in the same order"
    texts = [*map(repr, actual)]
    # ``reindex`` needs each name once.
    is_reordered = sorted(texts) == sorted(map(repr, expected)) and len({*texts}) == len(texts)
    if is_reordered and hasattr(raw, "reindex"):
        return f"{remedy}, for example {name}.reindex({axis}={code})"
    return remedy


def for_number(value: Any, raw: Any, name: str) -> str:
    """Remedy for a number other than 0 and 1 in a matrix of 0 and 1."""
    if value != value or (value == -1 and _may_be_unknown(name)):
        return for_unknown(raw, name)
    # A truth of fractions gets no threshold, because it may also hold -1 for unknown cells, and a
    # threshold would make them 0.
    if np.trunc(value) != value and not _may_be_unknown(name):
        return f"threshold scores first, for example {array_code(raw, name)} >= 0.5"
    return "write 0 or 1, or use one column per class"


def for_unknown(raw: Any, name: str) -> str:
    """Remedy for cells of 0 and 1 that are blank (nan, None, NA) or -1."""
    if not _may_be_unknown(name):
        return "write 0 or 1, or leave such samples out and report how many"
    array = f"{name}.toarray()" if kinds.is_sparse(raw) else name
    code = f"mlm_helpers.data.unknown({array}, [-1, np.nan])"
    if name != "y_true":
        code = "[mlm_helpers.data.unknown(y, [-1, np.nan]) for y in annotations]"
    return f"if nobody annotated cells of -1 or nan, pass {code}, else write 0 or 1"


def _may_be_unknown(name: str) -> bool:
    """Whether an argument may have unknown cells."""
    return name == "y_true" or name.startswith("annotations")


def for_cells(value: Any, cells: Array, raw: Any, name: str) -> str:
    """Remedy for cells that are not all real numbers, of which ``value`` is the one named.

    ``cells`` are those of the argument, as an array of objects with two dimensions.
    """
    values = [*cells.flat]
    if all(map(becomes_float, values)):
        return f"turn text into numbers with {array_code(raw, name)}.astype(float)"
    remedy = for_long_table(cells, raw, name) or for_tags(values, name)
    if remedy:
        return remedy
    if not LABELS.fullmatch(name):
        return ""
    if kinds.is_missing(value):
        return for_unknown(raw, name)
    return "write 0, 1 or nan in its place, and leave out columns that are not labels"


def becomes_float(cell: Any) -> bool:
    """Whether ``astype(float)`` converts a cell; NumPy may turn the cell into text first."""
    try:
        float(str(cell))
    except ValueError:
        return False
    return True


def for_long_table(cells: Array, raw: Any, name: str) -> str:
    """Remedy for a DataFrame with a row per sample and label, and perhaps a column of values."""
    if not hasattr(raw, "pivot") or cells.shape[1] not in (2, 3) or not raw.columns.is_unique:
        return ""
    # Samples have to repeat, their labels have to be text, and a pair of both must not repeat.
    samples = {*map(repr, cells[:, 0])}
    pairs = {*map(repr, cells[:, :2].tolist())}
    if len(samples) == len(cells) or len(pairs) < len(cells) or not isinstance(cells[0, 1], str):
        return ""
    sample, label, *values = raw.columns
    code = f"pd.crosstab({name}[{sample!r}], {name}[{label!r}])"
    if values:
        code = f"{name}.pivot(index={sample!r}, columns={label!r}, values={values[0]!r})"
    return f"if each row holds a sample and one of its labels, pass {code}, which sorts both"


def for_tags(values: list[Any], name: str) -> str:
    """Remedy for words, or lists of words, in place of a matrix.

    ``values`` are the cells, or the rows where these are lists.
    """
    tags: list[Any] = []
    for value in values:
        tags.extend(value if kinds.is_collection(value) else [value])
    are_words = all(isinstance(tag, str) and not becomes_float(tag) for tag in tags)
    if name not in ("y_true", "y_pred") or not are_words:
        return ""
    marks = [mark for mark in ";|," if mark in "".join(tags)]
    separator = f", separator={marks[0]!r}" if marks else ""
    code = f"mlm_helpers.data.from_tags(y_true, y_pred{separator})"
    return f"if each row lists tags, make both matrices with {code}, else write 0, 1 or nan"
