"""Remedies: what mends a matrix that was refused, if possible as the line of code that does.

A line keeps names and masks, and is right for all cells, not for the refused one alone.
"""

from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from mlm_helpers._core.inputs import kinds

LABELS = ("y_true", "y_pred", "y_train", "y")
_DECIDE = "decide whether the label is relevant, or leave the sample out"
_WORDS = {"true": 1, "yes": 1, "y": 1, "t": 1, "false": 0, "no": 0, "n": 0, "f": 0, "": 0}


def operand(raw: Any, name: str) -> str:
    """The argument as operators take it: a list as an array."""
    return f"np.asarray({name})" if kinds.is_nested(raw) else name


def of_numbers(bad: Any, raw: Any, name: str) -> str:
    """For numbers other than 0 and 1, the bad ones of all cells; ``raw`` is None under a mask."""
    blank = bad != bad
    if (blank | (bad == -1)).all():
        return of_gaps(blank.any(), not blank.all(), raw, name)
    if blank.any():
        return _DECIDE
    are_scores = np.isinf(bad).any() or (bad % 1 != 0).any()
    threshold = f"threshold scores first, for example {operand(raw, name)} >= 0.5"
    return threshold if are_scores else "correct the cell, or give each class a column"


def of_gaps(is_blank: bool, is_minus: bool, raw: Any, name: str) -> str:
    """For cells that may be unknown: blank ones, those that hold -1, or both."""
    what, sign, no = "-1", "-1", f"{operand(raw, name)} > 0"
    if is_blank:
        what, sign, no = "a blank", "np.nan", f"pd.DataFrame({name}).fillna(0).to_numpy()"
        no = f"{name}.fillna(0)" if hasattr(raw, "iloc") else no
        if is_minus:
            sign, no = "[-1, np.nan]", f"mlm_helpers.data.unknown({no}, -1)"
    no = f"if {what} means 'not relevant', pass {no}"
    if name != "y_true":
        return _DECIDE if is_blank else no
    unknown = f"where nobody annotated, pass mlm_helpers.data.unknown({name}, {sign})"
    return unknown if raw is None else f"{unknown}; {no}"


def of_cells(value: Any, cells: Any, raw: Any, name: str) -> str:
    """For cells of which one is no number, or is a row; empty where there is but general advice."""
    if isinstance(value, str) and raw is not None:
        return _of_text(cells, raw, name)
    if name in LABELS and kinds.is_missing(value):
        return of_gaps(True, any(kinds.is_real(x) and x == -1 for x in cells.flat), raw, name)
    return of_rows([*cells.flat], raw, name)


def _of_text(cells: Any, raw: Any, name: str) -> str:
    """For text: numbers, blanks, words for yes and no, names of samples, or tags."""
    texts, array = sorted({x for x in cells.flat if isinstance(x, str)}), operand(raw, name)
    if all(map(_is_number, cells.flat)):
        return f"turn text into numbers with {array}.astype(float)"
    words = np.reshape([_word(x) in _WORDS for x in cells.flat], cells.shape)
    plain = words | np.reshape([_is_number(x) for x in cells.flat], cells.shape)
    if name in LABELS and plain.all() and not texts[0].strip():
        blank = f"np.where({array} == {texts[0]!r}, '0', {name})"
        blank = f"{name}.replace({texts[0]!r}, '0')" if hasattr(raw, "iloc") else blank
        return f"if a blank means 'not relevant', pass {blank}, else write nan where nobody knows"
    if name in LABELS and plain.all():
        yes = [text for text in texts if _WORDS.get(_word(text))]
        sign, own = ("==", yes) if yes else ("!=", texts)
        known = f"if the words mean yes and no, pass {array} {sign} {own[0]!r}"
        return known if words.all() and len(own) == 1 else "write 1 and 0"
    if hasattr(raw, "columns") and cells.shape[1] > 1:
        return _of_columns(cells, plain, raw, name)
    return _tags(texts, raw, name, cells.size == len(cells)) if name in LABELS else ""


def _of_columns(cells: Any, plain: Any, raw: Any, name: str) -> str:
    """For a DataFrame with a row for each sample and label, or with a column that names the samples."""
    first, second, *rest = raw.columns
    is_plain = len({*raw.columns}) == cells.shape[1] and all(map(np.isscalar, cells[:, :2].flat))
    pairs = [*map(tuple, cells[:, :2])] if is_plain else []
    n_samples, n_pairs = len(dict(pairs)), len({*pairs})
    if n_samples < n_pairs == len(cells) and len(rest) < 2 and not plain[:, 1].all():
        wide = f"{name}.pivot(index={first!r}, columns={second!r}, values={raw.columns[-1]!r})"
        wide = wide if rest else f"pd.crosstab({name}[{first!r}], {name}[{second!r}])"
        return f"if each row holds a sample and one of its labels, pass {wide}"
    if n_samples == len(cells) and plain[:, 1:].all():
        return f"if column {first!r} names the samples, pass {name}.set_index({first!r})"
    return "leave out or convert the columns of text"


def _word(cell: Any) -> Any:
    return cell.strip().casefold() if isinstance(cell, str) else None


def _is_number(cell: Any) -> bool:
    """Whether ``astype(float)`` reads a cell beside text, where NumPy makes text of truth values."""
    try:
        return cell is None or (not isinstance(cell, (bool, np.bool_)) and float(cell) is not None)
    except (TypeError, ValueError):
        return False


def of_rows(rows: list[Any], raw: Any, name: str) -> str:
    """For rows that stand in cells: those of a matrix, or lists of class numbers or of tags."""
    are_rows = (isinstance(row, (Set, list, tuple, Mapping, np.ndarray)) for row in rows)
    is_wide = len(getattr(raw, "columns", ())) > 1
    if raw is None or is_wide or not all(are_rows):
        return ""
    cells = [cell for row in rows for cell in row]
    texts = [cell for cell in cells if isinstance(cell, str)]
    is_plain = all(_is_number(text) or _word(text) in _WORDS for text in texts)
    if is_plain and len({*map(len, rows)}) == 1 and not isinstance(rows[0], (Set, Mapping)):
        line = f"pd.DataFrame({_column(raw, name)}.tolist(), index={name}.index)"
        return f"make a matrix of the rows, {line if hasattr(raw, 'iloc') else f'np.stack({name})'}"
    if texts and name in LABELS:
        return _tags(texts, raw, name, False)
    are_classes = all(map(kinds.is_whole, cells)) and all(len({*row}) == len(row) for row in rows)
    line = "[[str(int(j)) for j in row] for row in y] for y in (y_true, y_pred)"
    line = f"if each row lists class numbers, pass mlm_helpers.data.from_tags(*({line}))"
    return line if are_classes and name == "y_true" and kinds.is_nested(raw) else ""


def _tags(texts: list[str], raw: Any, name: str, is_split: bool) -> str:
    """The line that makes matrices of tags. Where the prediction is refused, the truth is a matrix."""
    sign = next((sign for sign in ";|," if any(sign in text for text in texts)), ";")
    truth = {"y_true": _column(raw, name), "y_pred": "y_true"}.get(name, name)
    given = f"{truth}, {'y_pred' if name == 'y_true' else _column(raw, name)}"
    given += f", separator={sign!r}" * is_split
    return f"turn tags into matrices with mlm_helpers.data.from_tags({given})"


def _column(raw: Any, name: str) -> str:
    """The only column of a DataFrame; anything else as it is."""
    has_one = hasattr(raw, "iloc") and raw.ndim == 2 and raw.shape[1] == 1
    return f"{name}[{raw.columns[0]!r}]" if has_one else name
