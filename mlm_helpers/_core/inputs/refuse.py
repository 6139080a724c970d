"""Errors of one sentence: argument, value, position, remedy.

``check_…`` raises for bad input; ``not_…`` and `not_a_matrix` always raise.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import kinds, remedies
from mlm_helpers._core.inputs.remedies import LABELS

_ADVICE = {
    "sample_weight": "give one finite weight of 0 or more per sample, not all 0",
    "inverse_propensities": "give one finite number of 1 or more per label, 1 ÷ the chance that it is annotated",
    "parents": "give a list of parents for each label, [] for a label without parents",
    "threshold": "give one number for all labels, or one per label",
    "the value in constraint": "give one number, or with per_label=True one per label",
    "miss": "give one finite cost of 0 or more for all labels, or one per label",
    "false_alarm": "give one finite cost of 0 or more for all labels, or one per label",
    "shares": "give one number from 0 to 1 for all labels, or one per label",
}
_ROUNDING = 1e-6  # how far single precision may round a probability beyond 0 and 1
_CELLS = {"y_score": "a score", "y_prob": "a probability"}


def advice(name: str) -> str:
    """Advice for an argument of the wrong shape or type."""
    matrix = "give a matrix with one row per sample and one column per label, and {} in each cell"
    cell = "0 or 1" if LABELS.fullmatch(name.removesuffix("_new")) else _CELLS.get(name, "a number")
    return _ADVICE.get(name) or matrix.format(cell)


def short_repr(value: Any) -> str:
    """Text of a value for a message, of at most 60 characters, without NumPy's type or a memory address."""
    if isinstance(value, np.generic):
        if not isinstance(value, np.character):
            return str(value)
        value = value.item()
    try:
        text = re.sub(r"\s*\n\s*| at 0x\w+", " ", repr(value)).replace(" >", ">")
    except Exception:  # an integer of more digits than Python prints, say
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def position_text(*position: Any) -> str:
    """Text of a position in a matrix, such as "row 0, column 1", or in a list, such as "row 0"."""
    return ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), position, strict=False))


def first_three(names: Sequence[Any], as_text: Callable[[Any], str] = repr) -> str:
    """Text of the first three names, such as "'a', 'b', 'c' and 2 more"."""
    n_more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(as_text, names[:3])) + n_more


def first_value_and_place(matrix: Any, mask: NDArray[np.bool_]) -> tuple[Any, str]:
    """The first of the stored values that a mask selects, and text of its position, row by row."""
    i = int(np.argmax(mask))
    value = kinds.stored_values(matrix).flat[i]
    if kinds.is_sparse(matrix):
        cells = matrix.tocoo()
        return value, position_text(int(cells.row[i]), int(cells.col[i]))
    return value, position_text(*np.unravel_index(i, matrix.shape))


def not_binary(matrix: Any, mask: NDArray[np.bool_], name: str, raw: Any) -> NoReturn:
    """Refuse numbers other than 0 and 1, which ``mask`` selects; ``raw`` is None for a masked array."""
    value, position = first_value_and_place(matrix, mask)
    remedy = remedies.for_numbers(kinds.stored_values(matrix)[mask], raw, name)
    number = f"the score {short_repr(value)}" if "scores" in remedy else short_repr(value)
    raise ValueError(f"{name} holds {number} at {position}, where only 0 or 1 is allowed: {remedy}")


def not_a_probability(matrix: Any, mask: NDArray[np.bool_], name: str, raw: Any) -> NoReturn:
    """Refuse numbers below 0, above 1 or nan, which ``mask`` selects."""
    value, position = first_value_and_place(matrix, mask)
    wrong, array = kinds.stored_values(matrix)[mask], remedies.array_expression(raw, name)
    array += ".toarray()" * kinds.is_sparse(raw)
    array += ".astype(float)" * (str(getattr(raw, "dtype", "")) == "object")  # for np.exp
    remedy = f"if these are logits, pass 1 / (1 + np.exp(-{array})), else give probabilities"
    if np.isnan(wrong).any():
        remedy = "give each label a probability"
    elif (np.abs(wrong - 0.5) <= 0.5 + _ROUNDING).all():
        remedy = f"if rounding is the cause, pass np.clip({array}, 0, 1)"
    problem = f"{name} holds {short_repr(value)} at {position}, which is not a number from 0 to 1"
    raise ValueError(f"{problem}: {remedy}")


def not_rankable(matrix: Any, mask: NDArray[np.bool_], name: str) -> NoReturn:
    """Refuse numbers that are not finite, or that floats round."""
    value, position = first_value_and_place(matrix, mask)
    reason = "which is not finite, or is an integer beyond ±2**53, which a float would round"
    remedy = "give finite numbers, or scale all of them down"
    if LABELS.fullmatch(name):
        reason, remedy = "where only 0 or 1 is allowed", "correct the cell"
    raise ValueError(f"{name} holds {short_repr(value)} at {position}, {reason}: {remedy}")


def not_real(value: Any, position: str, name: str, noun: str, remedy: str) -> NoReturn:
    """Refuse a cell that is not a "real number", or a row that is not a "row of numbers"."""
    problem = f"{name} holds {short_repr(value)} at {position}, which is not a {noun}"
    raise TypeError(f"{problem}: {remedy or advice(name)}")


def check_not_masked(raw: Any, name: str) -> None:
    """Refuse masks of any argument but the truth: NumPy would silently drop them."""
    rows = raw if kinds.is_sequence(raw) else ()
    if any(isinstance(x, np.ma.MaskedArray) for x in (raw, *rows)):
        rule = "only y_true and annotations can have unknown cells, as one masked array each"
        remedy = f"give every cell of {name} a value, or leave out the rows with unknown cells"
        raise TypeError(f"{name} is or holds a masked array, and {rule}: {remedy}")


def check_not_sparse(matrix: Any, name: str) -> None:
    """Refuse a sparse matrix where cells are unknown."""
    if kinds.is_sparse(matrix):
        raise TypeError(f"{name} is sparse, but unknown cells need arrays: pass {name}.toarray()")


def check_not_list_of_matrices(raw: Any, name: str) -> None:
    """Refuse a list of matrices: one per annotator, or one per label, as predict_proba may return it."""
    if isinstance(raw, (list, tuple)) and raw and all(getattr(x, "ndim", 0) == 2 for x in raw):
        check_same_order({f"{name}[{i}]": matrix for i, matrix in enumerate(raw)})
        problem, code = "where metrics read one", remedies.for_annotators(raw, name)
        remedy = f"if they are annotators' answers in one order, pass {code}"
        are_floats = all(isinstance(x, np.ndarray) and x.dtype.kind == "f" for x in raw)
        if are_floats and all(x.shape[1] < 3 and np.allclose(x.sum(axis=1), 1) for x in raw):
            problem = "as predict_proba returns one per label"
            code = f"np.column_stack([p[:, 1] for p in {name}])"
            code = code if all(x.shape[1] == 2 for x in raw) else "see the model's classes_"
            remedy = f"keep the column of class 1, {code}"
        raise ValueError(f"{name} is a list of matrices, {problem}: {remedy}")


def not_two_dimensional(shape: tuple[int, ...], name: str, raw: Any) -> NoReturn:
    """Refuse a shape that does not have two dimensions, or has no cells."""
    is_empty = 0 in shape
    problem, remedy = "is empty" if is_empty else "is not two-dimensional", advice(name)
    if len(shape) == 1 and not is_empty:
        row, column = f"np.reshape({name}, (1, -1))", f"np.reshape({name}, (-1, 1))"
        if hasattr(raw, "to_frame"):  # a Series keeps its index, which is compared with others
            row, column = f"{name}.to_frame(0).T", f"{name}.to_frame(0)"
        remedy = f"for a single sample pass {row}, for a single label {column}"
    if len(shape) == 3 and not is_empty and not kinds.is_sparse(raw):
        remedy = f"if the first axis is annotators, pass {remedies.for_annotators(raw, name)}; "
        remedy += f"else if labels are the last, pass np.reshape({name}, (-1, {shape[-1]})), or use np.moveaxis first"
    raise ValueError(f"{name} has shape {shape}, which {problem}: {remedy}")


def not_a_matrix(rows: NDArray[Any], name: str, raw: Any) -> NoReturn:
    """Refuse rows that do not make a matrix: one is not a row, lengths differ, or a frame holds rows in cells."""
    remedy = remedies.for_rows([*rows], raw, name) or advice(name)
    for i, row in enumerate(rows):
        if not kinds.is_list_like(row):
            not_real(row, position_text(i), name, "row of numbers", remedy)
        if len(row) != len(rows[0]):
            lengths = f"row {i} has length {len(row)} and row 0 has length {len(rows[0])}"
            raise ValueError(f"{name} is ragged, {lengths}: {remedy}")
    raise TypeError(f"{name} holds a whole row in each cell: {remedy}")


def check_equal_shapes(first: Any, second: Any, name: str, first_name: str = "y_true") -> None:
    """Refuse a matrix, such as the prediction, whose shape is not that of the first, such as the truth."""
    if second.shape != first.shape:
        problem = f"{name} has shape {second.shape} and {first_name} has shape {first.shape}"
        remedy = "give both the same samples as rows and the same labels as columns"
        remedy += ", masked where nobody looked (mlm_helpers.data.unknown)" * ("[" in name)
        raise ValueError(f"{problem}: {remedy}")


def check_one_matrix_per_annotator(raw: Any) -> None:
    """Refuse annotations that are not a list of two or more matrices, or an array of three dimensions."""
    remedy = "give a list of matrices of two or more annotators (pivot a table of answers)"
    if len(getattr(raw, "shape", ())) == 2:
        array = "annotations.toarray()" if kinds.is_sparse(raw) else "np.ma.asarray(annotations)"
        code = f"{array}.T[:, :, None] if columns are annotators, {array}[:, :, None] if rows are"
        raise ValueError(f"annotations is one matrix: for one label pass {code}, else {remedy}")
    if not (kinds.is_list_like(raw) or getattr(raw, "ndim", False)) or len(raw) < 2:
        remedy = "pass [*annotations.values()]" if isinstance(raw, Mapping) else remedy
        raise TypeError(f"annotations is {short_repr(raw)}: {remedy}")


def check_same_order(arguments: Mapping[str, Any], *axes: str) -> None:
    """Refuse arguments whose columns or indices differ in names or order from those of the first with names."""
    for axis in axes or kinds.AXES:
        with_names = [x for x in arguments if kinds.axis_names(arguments[x], axis) is not None]
        for name in with_names[1:]:
            check_equal_names(arguments[with_names[0]], arguments[name], axis, name, with_names[0])


def check_label_order(matrix: Any, raw: Any, name: str, matrix_name: str = "y_score") -> None:
    """Refuse a Series of numbers per label whose index is not equal to the columns of the matrix, in order."""
    names = kinds.axis_names(raw, "index")
    if names is not None and list(names) != [*range(len(names))]:
        check_equal_names(matrix, raw, "index", name, matrix_name, "columns")


def check_equal_names(
    first: Any, second: Any, axis: str, name: str, first_name: str, first_axis: str = ""
) -> None:
    """Refuse frames whose names on an axis differ, as cells are matched by position; both have ``axis`` by default."""
    first_axis = first_axis or axis
    expected, names = kinds.axis_names(first, first_axis), kinds.axis_names(second, axis)
    if expected is None or names is None:
        return
    if hasattr(expected, "equals") and expected.equals(names):  # fast, also for a million names
        return
    for i, (expected_name, actual) in enumerate(zip(expected, names, strict=False)):
        if repr(expected_name) != repr(actual) and not _are_equal(expected_name, actual):
            difference = f"{short_repr(actual)} at position {i} of its {axis}"
            problem = f"{name} has {difference} where {first_name} has {short_repr(expected_name)}"
            attribute = "column_names" if hasattr(first, "column_names") else first_axis
            code = f"{first_name}.{attribute}"
            remedy = remedies.for_names(expected, names, second, axis, name, code)
            raise ValueError(f"{problem}: {remedy}")


def _are_equal(name: Any, other_name: Any) -> bool:
    """Whether two names are equal as members of a set: == of pandas' NA is neither true nor false."""
    try:
        return other_name in {name}
    except TypeError:  # a list, say, which a set cannot hold
        return False
