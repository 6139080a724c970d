"""Remedies: what mends a matrix that was refused, if possible as the line of code that does.

A line keeps names and masks, and is right for all cells, not for the refused one alone.
"""

from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from mlm_helpers._core.inputs import kinds

LABELS = ("y_true", "y_pred", "y_train", "y")
_DECIDE = "decide whether the label is relevant, or leave the sample out"
_YES, _NO = {"true", "yes", "y", "t", "1", "1.0"}, {"false", "no", "n", "f", "0", "0.0", ""}


def array_expression(raw: Any, name: str) -> str:
    """The argument as operators take it: a list as an array."""
    return f"np.asarray({name})" if kinds.is_nested(raw) else name


def for_numbers(bad: Any, raw: Any, name: str) -> str:
    """For numbers other than 0 and 1, the bad ones of all cells; ``raw`` is None under a mask."""
    is_blank = bad != bad
    if (is_blank | (bad == -1)).all():
        return for_missing(is_blank.any(), raw, name)
    if is_blank.any():
        return _DECIDE
    are_scores = np.isinf(bad).any() or (bad % 1 != 0).any()
    threshold = f"threshold scores first, for example {array_expression(raw, name)} >= 0.5"
    return threshold if are_scores else "correct the cell, or give each class a column"


def for_missing(is_blank: bool, raw: Any, name: str) -> str:
    """For cells that may be unknown: those that hold -1; or blank ones, beside which -1 may stand."""
    what, sign, no = "-1", "-1", f"{array_expression(raw, name)} > 0"
    if is_blank:
        what, sign, no = "a blank", "np.nan", f"pd.DataFrame({name}).fillna(0).to_numpy()"
        no = f"{name}.fillna(0)" if hasattr(raw, "iloc") else no
    no = f"if {what} means 'not relevant', pass {no}"
    if name != "y_true":
        return _DECIDE if is_blank else no
    unknown = f"where nobody annotated, pass mlm_helpers.data.unknown({name}, {sign})"
    return unknown if raw is None else f"{unknown}; {no}"


def for_cells(value: Any, cells: Any, raw: Any, name: str) -> str:
    """For cells of which one is no number, or is a row; empty where there is but general advice."""
    if isinstance(value, str) and raw is not None:
        return _of_text(cells.astype(object), raw, name)  # NumPy's text has a repr of its own
    if name in LABELS and kinds.is_missing(value):
        return for_missing(True, raw, name)
    return for_rows([*cells.flat], raw, name)


def _of_text(cells: Any, raw: Any, name: str) -> str:
    """For text: numbers, words for yes and no, names of samples, or tags."""
    texts, words = sorted({x for x in cells.flat if isinstance(x, str)}), {*map(_word, cells.flat)}
    if all(map(_is_number, cells.flat)):
        return f"turn text into numbers with {array_expression(raw, name)}.astype(float)"
    is_matrix, are_known = cells.shape[1:] > (1,), words <= _YES | _NO | {None}
    if name in LABELS and (are_known or (is_matrix and _are_words(cells))):
        yes = [x for x in texts if _word(x) in _YES] or ["yes"] if are_known else texts[-1:]
        if len(yes) > 1 or (are_known and None in words):
            return "write 1 and 0"
        line = f"{array_expression(raw, name)} == {yes[0]!r}"
        return f"if {yes[0]!r} means yes and all else no, pass {line}, else write 1, 0 and nan"
    if hasattr(raw, "iloc") and is_matrix:
        return _of_columns(cells, raw, name)
    return _tags(texts, name, cells.size == len(cells)) if name in LABELS else ""


def _of_columns(cells: Any, raw: Any, name: str) -> str:
    """For a DataFrame with a row for each sample and label, or with a column that names the samples."""
    first, second, *rest = raw.columns
    n_samples, n_pairs = (len({*map(repr, cells[:, :n].tolist())}) for n in (1, 2))
    has_labels = not {*map(_word, cells[:, 1])} <= _YES | _NO | {None}
    is_long = has_labels and n_samples < n_pairs == len(cells) and len(rest) < 2
    if is_long and raw.columns.is_unique:
        wide = f"{name}.pivot(index={first!r}, columns={second!r}, values={raw.columns[-1]!r})"
        wide = wide if rest else f"pd.crosstab({name}[{first!r}], {name}[{second!r}])"
        return f"if each row holds a sample and one of its labels, pass {wide}, which sorts both"
    if n_samples == len(cells) and raw.columns.is_unique:
        return f"if column {first!r} names the samples, pass {name}.set_index({first!r})"
    return "leave out or convert the columns of text"


def _are_words(rows: Any) -> bool:
    """Whether texts are one mark, or two words of which a row has one twice, as no row of tags does."""
    texts = [[x for x in row if isinstance(x, str) and x.strip()] for row in rows]
    n_words = len({x for row in texts for x in row})
    is_twice = any(len({*row}) < len(row) for row in texts)
    are_texts = all(isinstance(x, str) or kinds.is_missing(x) for row in rows for x in row)
    return are_texts and len(rows[0]) > 1 and (n_words == 1 or (n_words == 2 and is_twice))


def _word(cell: Any) -> Any:
    return cell.strip().casefold() if isinstance(cell, str) else None


def _is_number(cell: Any) -> bool:
    """Whether ``astype(float)`` reads a cell beside text, where NumPy makes text of truth values."""
    try:
        return cell is None or (not isinstance(cell, (bool, np.bool_)) and float(cell) is not None)
    except (TypeError, ValueError):
        return False


def for_rows(rows: list[Any], raw: Any, name: str) -> str:
    """For rows that stand in cells: those of a matrix, or lists of tags or of class numbers."""
    are_rows = all(isinstance(row, (Set, list, tuple, Mapping, np.ndarray)) for row in rows)
    if raw is None or len(getattr(raw, "columns", ())) > 1 or not are_rows:
        return ""
    cells = [cell for row in rows for cell in row]
    texts = [cell for cell in cells if isinstance(cell, str)]
    are_plain = all(_is_number(text) or _word(text) in _YES | _NO for text in texts)
    is_matrix = len({*map(len, rows)}) == 1 and not isinstance(rows[0], Set)
    if {*map(type, rows)} == {dict} or (is_matrix and (are_plain or _are_words(rows))):
        frame = f"[*np.ravel({name})], {name}.index" if hasattr(raw, "iloc") else f"[*{name}]"
        return f"make a matrix of the rows, pd.DataFrame({frame})"
    are_classes = all(map(kinds.is_integer, cells)) and not {*cells} <= {0, 1}
    return _tags(texts, name, False) if name in LABELS and (texts or are_classes) else ""


def _tags(texts: list[str], name: str, is_split: bool) -> str:
    """The line that makes matrices of tags; what these lack, such as text, it says itself."""
    sign = next((sign for sign in ";|," if any(sign in text for text in texts)), ";")
    pair = "y_true, y_pred" if name in ("y_true", "y_pred") else f"{name}, {name}"
    separator = f", separator={sign!r}" * is_split
    line = f"mlm_helpers.data.from_tags({pair}{separator})"
    return f"if each row lists tags or class numbers, pass {line}"
