"""How to mend a refused argument, if possible by a line of code, which keeps names and masks, and mends all cells."""

import re
from collections import Counter
from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from mlm_helpers._core.inputs import kinds

LABELS = re.compile(r"y(_true|_pred|_train)?|annotations\[\d+\]")  # arguments of 0 and 1
_DECIDE = "decide whether the label is relevant, or leave such samples out and report how many"
_YES, _NO = {"true", "yes", "y", "t", "1", "1.0"}, {"false", "no", "n", "f", "0", "0.0", ""}


def array_expression(raw: Any, name: str) -> str:
    """Code for the argument as an array or a frame, which operators such as ``>=`` need."""
    return f"np.asarray({name})" if kinds.is_sequence(raw) else name


def for_names(expected: Any, actual: Any, raw: Any, axis: str, name: str, code: str) -> str:
    """Remedy for a frame whose names on an axis are not those expected; ``code`` is code for the expected ones."""
    expected_texts, texts = [*map(repr, expected)], [*map(repr, actual)]
    remedy = "give both the same names in the same order"
    if len({*texts}) < len(texts):
        duplicate = next(text for text, n in Counter(texts).items() if n > 1)
        remedy = f"{duplicate} is there more than once, so give each a different name"
    elif {*texts} == {*expected_texts} and not isinstance(raw, np.ma.MaskedArray):
        call = f"reindex({axis}={code})" if hasattr(raw, "reindex") else f"select(list({code}))"
        remedy = f"{remedy}, for example {name}.{call}"
    row_numbers = [str(i) for i in range(len(texts))]
    if row_numbers in (texts, expected_texts) and hasattr(raw, "set_axis"):
        call = f"{name}.set_axis({code}, axis={axis!r})"
        remedy = f"if both are already in the same order, pass {call}, else {remedy}"
    return remedy


def for_numbers(wrong: Any, raw: Any, name: str) -> str:
    """Remedy for a matrix with numbers other than 0 and 1, which are ``wrong``; raw is None for a masked array."""
    is_nan, is_missing = wrong != wrong, (wrong != wrong) | (wrong == -1)
    if is_missing.all():
        return for_missing(is_nan.any(), (~is_nan).any(), raw, name)
    are_scores = np.isinf(wrong).any() or (wrong[~is_nan] % 1 != 0).any()
    mean = "if it is a mean, pass each annotator's matrix, else " * name.startswith("annotations")
    if are_scores and "pred" not in name and (raw is None or is_missing.any()):  # > 0.5 makes 0
        if np.isinf(wrong).any():
            return "write 0, 1 or nan in place of inf"
        code = f"pd.DataFrame({name}{'.toarray()' * kinds.is_sparse(raw)}).astype(float).round()"
        return f"{mean}round scores, {code} (0.5 to 0, blanks stay)"
    if is_nan.any():
        return _DECIDE
    half = ">= 0.5" if "pred" in name or not LABELS.fullmatch(name) else "> 0.5"  # a tie is no
    threshold = f"{mean}threshold scores first, for example {array_expression(raw, name)} {half}"
    return threshold if are_scores else "correct the cell, or use one column per class"


def for_annotators(raw: Any, name: str) -> str:
    """What to pass in place of matrices of several annotators; a majority has the names of the first DataFrame."""
    majority = f"np.ma.stack([mlm_helpers.data.unknown(y, [-1, np.nan]) for y in {name}]).mean(axis=0) > 0.5"
    if frames := [f"{name}[{i}]" for i, y in enumerate(raw) if hasattr(y, "iloc")]:
        majority = f"pd.DataFrame({majority}, {frames[0]}.index, {frames[0]}.columns)"
    has_majority = name == "y_true" and not any(map(kinds.is_sparse, raw))
    return f"one at a time, such as {name}[0]" + f", or their majority {majority}" * has_majority


def for_missing(has_blanks: bool, has_minus: bool, raw: Any, name: str) -> str:
    """Remedy for cells that may be unknown: blank ones (nan, None, NA), cells of -1, or both."""
    mark, value = ("a blank or -1", "[-1, np.nan]") if has_minus else ("a blank", "np.nan")
    mark, value = (mark, value) if has_blanks else ("-1", "-1")
    dense, zeros = name + ".toarray()" * kinds.is_sparse(raw), array_expression(raw, name)
    if has_blanks:
        zeros = f"pd.DataFrame({dense}).fillna(0).to_numpy()"
        zeros = f"{name}.fillna(0)" if hasattr(raw, "iloc") else zeros
    irrelevant = f"if {mark} means 'not relevant', pass {zeros}" + " > 0" * bool(has_minus)
    code = f"mlm_helpers.data.unknown({dense}, {value})"
    if name.startswith("annotations") and dense == name:
        code = f"[mlm_helpers.data.unknown(y, {value}) for y in annotations]"
        code += " (only np.ma.stack keeps masks)" * (raw is None or hasattr(raw, "flat"))
    elif name != "y_true" and not name.startswith("annotations"):
        return _DECIDE if has_blanks else irrelevant
    unknown = f"if {mark} means 'not annotated', pass {code}"
    if has_blanks and has_minus and name == "y_true":
        code = f"mlm_helpers.data.unknown({zeros}, -1)"
        irrelevant += f"; if a blank means 'not relevant' and -1 'not annotated', pass {code}"
    return unknown if raw is None else f"{unknown}; {irrelevant}"


def for_cells(value: Any, cells: Any, raw: Any, name: str) -> str:
    """Remedy for a matrix in which ``value`` is the first cell that is not a number; empty if none is known."""
    if isinstance(value, str) and raw is not None:
        return _for_text(
            value, cells.astype(object), raw, name
        )  # the repr of np.str_ names its type
    if LABELS.fullmatch(name) and kinds.is_missing(value):
        has_minus = any(kinds.is_number(x) and x == -1 for x in cells.flat)
        return for_missing(True, has_minus, raw, name)
    return for_rows([*cells.flat], raw, name)


def _for_text(value: Any, cells: Any, raw: Any, name: str) -> str:
    """Remedy for cells with text: numbers, words for yes and no, names of samples, or tags."""
    texts, words = sorted({x for x in cells.flat if isinstance(x, str)}), {*map(_word, cells.flat)}
    array, has_columns = array_expression(raw, name), cells.shape[1:] > (1,)
    if all(map(becomes_float, cells.flat)):
        return f"turn text into numbers with {array}.astype(float)"
    are_yes_or_no = words <= _YES | _NO | {None}
    has_labels = bool(LABELS.fullmatch(name))
    is_matrix = has_labels and has_columns and _are_mostly_0_or_1([*cells.flat])
    are_words = has_columns and not is_matrix and _are_one_or_two_words(cells)
    if has_labels and (are_yes_or_no or are_words):
        # Of two unknown words, such as "absent" and "present", the later in the alphabet may mean
        # yes.
        yes = [text for text in texts if _word(text) in _YES] if are_yes_or_no else texts[-1:]
        if len(yes) > 1 or (are_yes_or_no and None in words):  # one == does not match them all
            return "write 1 and 0"
        (yes_text,) = yes or ["yes"]  # every cell may say no
        code = f"{array} == {yes_text!r}"
        return f"if {yes_text!r} means yes and all else no, pass {code}, else write 1, 0 and nan"
    if hasattr(raw, "iloc") and has_columns:
        return _for_text_columns(cells, raw, name)
    if is_matrix:
        then = ", then turn text into numbers with astype(float)" * any(map(becomes_float, texts))
        return f"write 0, 1 or nan in place of {str(value)!r}{then}"
    return _for_tags(texts, name, cells.size == len(cells)) if has_labels else ""


def _for_text_columns(cells: Any, raw: Any, name: str) -> str:
    """Remedy for a DataFrame with a row per sample and label, maybe with a score, or a column that names samples."""
    first, second, *others = raw.columns
    n_samples, n_pairs = (len({*map(repr, cells[:, :n].tolist())}) for n in (1, 2))
    are_names = n_samples < n_pairs == len(cells) and not _are_mostly_0_or_1(cells[:, 1])
    if are_names and len(others) < 2 and raw.columns.is_unique:
        wide = f"{name}.pivot(index={first!r}, columns={second!r}, values={raw.columns[-1]!r})"
        wide = wide if others else f"pd.crosstab({name}[{first!r}], {name}[{second!r}])"
        return f"if each row holds a sample and one of its labels, pass {wide}, which sorts both"
    if n_samples == len(cells) and raw.columns.is_unique and not _are_mostly_0_or_1(cells[:, 0]):
        return f"if column {first!r} names the samples, pass {name}.set_index({first!r})"
    return "leave out columns that are not labels, and write 1, 0 and nan in place of words"


def _are_one_or_two_words(rows: Any) -> bool:
    """Whether rows hold marks or words for yes and no: one text, or two that are repeated in a row, unlike tags."""
    texts = [[x for x in row if isinstance(x, str) and x.strip()] for row in rows]
    n_words = len({text for row in texts for text in row})
    has_repetition = any(len({*row}) < len(row) for row in texts)
    are_texts = all(isinstance(x, str) or kinds.is_missing(x) for row in rows for x in row)
    return are_texts and len(rows[0]) > 1 and (n_words == 1 or (n_words == 2 and has_repetition))


def _are_mostly_0_or_1(cells: Any) -> bool:
    """Whether half of the cells or more are 0, 1, or a text or truth value for no or yes, and not blank."""
    return 2 * sum(_word(str(cell)) in (_YES | _NO) - {""} for cell in cells) >= len(cells)


def _word(cell: Any) -> Any:
    """A text without its case and the blanks around it; None for any other cell."""
    return cell.strip().casefold() if isinstance(cell, str) else None


def becomes_float(cell: Any) -> bool:
    """Whether ``astype(float)`` converts a cell of an array with text, in which NumPy made text of booleans."""
    try:
        return cell is None or (not isinstance(cell, (bool, np.bool_)) and float(cell) is not None)
    except (TypeError, ValueError):
        return False


def for_rows(rows: list[Any], raw: Any, name: str) -> str:
    """Remedy for cells that are rows: of a matrix, or lists of tags or class numbers; empty for other cells."""
    are_rows = all(isinstance(row, (Set, list, tuple, Mapping, np.ndarray)) for row in rows)
    if raw is None or len(getattr(raw, "columns", ())) > 1 or not are_rows:
        return ""
    cells = [cell for row in rows for cell in row]
    texts = [cell for cell in cells if isinstance(cell, str)]
    are_numbers = all(map(becomes_float, texts)) or _are_mostly_0_or_1(cells)
    have_one_length = len({*map(len, rows)}) == 1 and not isinstance(rows[0], Set)
    is_matrix = have_one_length and (are_numbers or _are_one_or_two_words(rows))
    if is_matrix or {*map(type, rows)} == {dict}:
        arguments = f"[*np.ravel({name})], {name}.index" if hasattr(raw, "iloc") else f"[*{name}]"
        return f"make a matrix of the rows, pd.DataFrame({arguments})"
    are_tags = texts or (all(map(kinds.is_integer, cells)) and not {*cells} <= {0, 1})
    return _for_tags(texts, name, False) if LABELS.fullmatch(name) and are_tags else ""


def _for_tags(texts: list[str], name: str, needs_separator: bool) -> str:
    """Remedy for tags: a call of `data.from_tags`, with a separator if each sample has its tags in one text."""
    separator = next((mark for mark in ";|," if any(mark in text for text in texts)), ";")
    pair = "y_true, y_pred" if name in ("y_true", "y_pred") else f"{name}, {name}"
    arguments = pair + (f", separator={separator!r}" if needs_separator else "")
    arguments += ", labels=labels).y_true" if name.startswith("annotations") else ")"
    arguments += "; with scores, pass y_true twice, and their columns as labels=" * (
        name == "y_true"
    )
    return f"if each row lists tags or class numbers, pass mlm_helpers.data.from_tags({arguments}"
