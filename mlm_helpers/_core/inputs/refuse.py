"""Errors of one sentence: argument, value, position, remedy.

``check_…`` raises for bad input; ``not_…`` always raises. ``name`` is that of an argument, and
``raw`` the argument as it was passed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from mlm_helpers._core.inputs import kinds, remedies
from mlm_helpers._core.inputs.kinds import Array, Mask
from mlm_helpers._core.inputs.remedies import LABELS

_COST = "give one finite cost of 0 or more for all labels, or one per label"
_ADVICE = {
    "sample_weight": "give one weight from 0 to 1e100 per sample, not all 0",
    "inverse_propensities": "give one finite number of 1 or more per label, "
    "1 ÷ the chance that it is annotated",
    "parents": "give a list of parents for each label, [] for a label without parents",
    "threshold": "give one number for all labels, or one per label",
    "the value in constraint": "give one number, or with per_label=True one per label",
    "miss": _COST,
    "false_alarm": _COST,
    "shares": "give one number from 0 to 1 for all labels, or one per label",
}
_CELLS = {"y_score": "a score", "y_prob": "a probability"}


def advice(name: str) -> str:
    """Advice for an argument of the wrong shape or type."""
    # y_pred_new, the prediction of another model, is read as y_pred is.
    has_labels = LABELS.fullmatch(name.removesuffix("_new"))
    cell = "0 or 1" if has_labels else _CELLS.get(name, "a number")
    matrix = "give a matrix with one row per sample and one column per label"
    return _ADVICE.get(name, f"{matrix}, and {cell} in each cell")


def short_repr(value: Any) -> str:
    """Text of a value for a message: at most 60 characters, without NumPy's type or an address."""
    if isinstance(value, np.character):
        value = value.item()
    text = str(value) if isinstance(value, np.generic) else repr(value)
    # An array gets one line; "<function f at 0x1a2b>" becomes "<function f>".
    text = re.sub(r"\s*\n\s*| at 0x\w+", " ", text).replace(" >", ">")
    return text if len(text) <= 60 else f"{text[:57]}..."


def position_text(*position: Any) -> str:
    """Text of one or two indices: "position 0" in a list, "row 0, column 1" in a matrix."""
    if len(position) == 1:
        return f"position {position[0]}"
    return f"row {position[0]}, column {position[1]}"


def first_three(names: Sequence[Any], as_text: Callable[[Any], str] = repr) -> str:
    """Text of the first three names, such as "'a', 'b', 'c' and 2 more"."""
    n_more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(as_text, names[:3])) + n_more


def first_value_and_place(matrix: Any, mask: Mask) -> tuple[Any, str]:
    """The first value that a mask selects, row by row, and text of its position.

    The mask has the shape of an array or, for a CSR array, of the values that it stores.
    """
    i = int(np.argmax(mask))
    if kinds.is_sparse(matrix):
        cells = matrix.tocoo()
        return cells.data[i], position_text(cells.row[i], cells.col[i])
    return matrix.flat[i], position_text(*np.unravel_index(i, matrix.shape))


def not_allowed_values(matrix: Any, mask: Mask, name: str, problem: str, remedy: str) -> NoReturn:
    """Refuse the values that a mask, as in `first_value_and_place`, selects; name the first."""
    value, position = first_value_and_place(matrix, mask)
    raise ValueError(f"{name} holds {short_repr(value)} at {position}, {problem}: {remedy}")


def not_numbers(cells: Array, name: str, raw: Any) -> NoReturn:
    """Refuse cells that are not all real numbers.

    The message names the first cell that is not a number even as text, such as a word; if there is
    none, the first number that is text, such as "1".
    """
    is_wrong = np.array([not kinds.is_real(cell) for cell in cells.flat])
    is_word = is_wrong & [not remedies.becomes_float(cell) for cell in cells.flat]
    value, position = first_value_and_place(cells, is_word if is_word.any() else is_wrong)
    remedy = remedies.for_cells(value, cells, raw, name) or advice(name)
    problem = f"{name} holds {short_repr(value)} at {position}, which is not a real number"
    raise TypeError(f"{problem}: {remedy}")


def not_a_matrix(rows: Array, name: str) -> NoReturn:
    """Refuse rows of different lengths, and a Series of rows."""
    lengths = [len(row) if kinds.is_list_like(row) else 0 for row in rows]
    # The first row whose length differs from that of row 0; 0 if there is none.
    i = next((i for i, length in enumerate(lengths) if length != lengths[0]), 0)
    problem = "holds a whole row in each cell"
    if i:
        problem = f"is ragged, row {i} is {short_repr(rows[i])} and row 0 is {short_repr(rows[0])}"
    raise ValueError(f"{name} {problem}: {remedies.for_tags([*rows], name) or advice(name)}")


def check_not_masked(raw: Any, name: str) -> None:
    """Refuse masks of any argument but the truth: NumPy would silently drop them.

    The argument can be a masked array, or a sequence that has one as a row.
    """
    rows = raw if kinds.is_sequence(raw) else ()
    if any(map(np.ma.isMaskedArray, (raw, *rows))):
        rule = "only y_true and annotations can have unknown cells, as one masked array each"
        remedy = f"give every cell of {name} a value, or leave out the rows with unknown cells"
        raise TypeError(f"{name} is or holds a masked array, and {rule}: {remedy}")


def check_not_sparse(matrix: Any, name: str) -> None:
    """Refuse a sparse matrix; called if cells of the truth are unknown."""
    if kinds.is_sparse(matrix):
        raise TypeError(f"{name} is sparse, but unknown cells need arrays: pass {name}.toarray()")


def check_not_list_of_matrices(raw: Any, name: str) -> None:
    """Refuse a list of matrices, such as one per annotator, or one per label by predict_proba."""
    if isinstance(raw, (list, tuple)) and raw and getattr(raw[0], "ndim", 0) == 2:
        code = f"np.column_stack([p[:, 1] for p in {name}])"
        remedy = f"if predict_proba returned two columns per label, keep the second, {code}"
        raise ValueError(f"{name} is a list of matrices: {remedy}, else give one matrix")


def not_two_dimensional(shape: tuple[int, ...], name: str, raw: Any) -> NoReturn:
    """Refuse a shape that does not have two dimensions, or has no cells."""
    problem = "is not two-dimensional"
    remedy = advice(name)
    if 0 in shape:
        problem = "is empty"
    elif len(shape) == 1:
        remedy = remedies.for_list(raw, name)
    raise ValueError(f"{name} has shape {shape}, which {problem}: {remedy}")


def check_equal_shapes(first: Any, second: Any, name: str, first_name: str = "y_true") -> None:
    """Refuse a matrix, such as the prediction, that does not have the shape of the first."""
    if second.shape != first.shape:
        problem = f"{name} has shape {second.shape} and {first_name} has shape {first.shape}"
        remedy = "give both the same samples as rows and the same labels as columns"
        raise ValueError(f"{problem}: {remedy}")


def check_one_matrix_per_annotator(raw: Any) -> None:
    """Refuse annotations that are neither a list of two or more matrices nor a 3-D array."""
    is_array = len(getattr(raw, "shape", ())) == 3
    if not (is_array or kinds.is_list_like(raw)) or len(raw) < 2:
        remedy = "give a list of matrices of two or more annotators (pivot a table of answers)"
        raise TypeError(f"annotations is {short_repr(raw)}: {remedy}")


def check_same_order(arguments: Mapping[str, Any], *axes: str) -> None:
    """Refuse arguments whose names on an axis differ from those of the first that has names.

    The axes are "columns" and "index"; by default both.
    """
    for axis in axes or kinds.AXES:
        with_names = [x for x in arguments if kinds.axis_names(arguments[x], axis) is not None]
        for name in with_names[1:]:
            first = with_names[0]  # not above the loop: none may have names
            names = kinds.axis_names(arguments[first], axis)
            _check_names(names, arguments[name], axis, name, f"{first}.{axis}")


def check_label_order(matrix: Any, raw: Any, name: str, matrix_name: str = "y_score") -> None:
    """Refuse numbers per label in a Series whose index differs from the columns of the matrix.

    ``raw`` are the numbers. An index of 0, 1, …, which a Series has by default, is not compared.
    """
    labels = kinds.axis_names(matrix, "columns")
    names = kinds.axis_names(raw, "index")
    if labels is None or names is None or list(names) == [*range(len(names))]:
        return
    _check_names(labels, raw, "index", name, f"{matrix_name}.columns")


def _check_names(expected: Any, raw: Any, axis: str, name: str, code: str) -> None:
    """Refuse a frame, ``raw``, that has other names on an axis than those expected.

    ``code`` is where the expected names are from, such as "y_true.columns". Metrics match cells by
    position. Different lengths are left to `check_equal_shapes`.
    """
    names = kinds.axis_names(raw, axis)
    if hasattr(expected, "equals") and expected.equals(names):  # fast, also for a million names
        return
    for i, (expected_name, actual) in enumerate(zip(expected, names, strict=False)):
        if repr(expected_name) != repr(actual):
            problem = f"{name} has {short_repr(actual)} at position {i} of its {axis}"
            remedy = remedies.for_names(expected, names, raw, axis, name, code)
            raise ValueError(f"{problem} where {code} has {short_repr(expected_name)}: {remedy}")
