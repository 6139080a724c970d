"""Refusing: which argument, which value, where, and what to do, in one sentence each."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from mlm_helpers._core.inputs import kinds, remedies
from mlm_helpers._core.inputs.remedies import LABELS

_ADVICE = {
    "sample_weight": "give one finite weight of 0 or more per sample, not all 0",
    "inverse_propensities": "give one finite number of 1 or more per label, 1 ÷ the chance that it is noticed",
    "parents": "give for each label the list of its parents, [] at the top",
    "threshold": "give one number for all labels, or one per label",
    "the value in constraint": "give one number, or with per_label=True one per label",
    "miss": "give one finite price of 0 or more for all labels, or one per label",
    "false_alarm": "give one finite price of 0 or more for all labels, or one per label",
    "shares": "give one number from 0 to 1 for all labels, or one per label",
}
_ROUNDING = 1e-6  # beyond 0 and 1, in single precision
_KINDS = {**dict.fromkeys(LABELS, "0 or 1"), "y_score": "score", "y_prob": "probability"}


def advice(name: str) -> str:
    """Advice for an argument of the wrong shape or type."""
    matrix = "give a matrix with one row per sample and one column per label, a {} in each cell"
    return _ADVICE.get(name) or matrix.format(_KINDS.get(name, "number"))


def short_repr(value: Any) -> str:
    """The text of a value for a message: short, without a NumPy type or a memory address."""
    if isinstance(value, np.generic):
        if not isinstance(value, np.character):
            return str(value)
        value = value.item()
    try:
        text = re.sub(r"\s*\n\s*| at 0x\w+", " ", repr(value)).replace(" >", ">")
    except Exception:  # a whole number of more digits than Python prints, say
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def position_text(*position: Any) -> str:
    """Text of a cell's place: its row and its column."""
    return ", ".join(f"{axis} {i}" for axis, i in zip(("row", "column"), position, strict=False))


def first_three(names: Sequence[Any], written: Callable[[Any], str] = repr) -> str:
    """The first three of some names, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(map(written, names[:3])) + more


def first_value_and_place(matrix: Any, wanted: NDArray[np.bool_]) -> tuple[Any, str]:
    """The first wanted value among those stored, row by row, and its place."""
    i = int(np.argmax(wanted))
    value = kinds.stored_values(matrix).flat[i]
    if kinds.is_sparse(matrix):
        cells = matrix.tocoo()
        return value, position_text(int(cells.row[i]), int(cells.col[i]))
    return value, position_text(*np.unravel_index(i, matrix.shape))


def not_binary(matrix: Any, wanted: NDArray[np.bool_], name: str, raw: Any) -> NoReturn:
    """Refuse the first number that is neither 0 nor 1; ``raw`` is None under a mask."""
    value, where = first_value_and_place(matrix, wanted)
    remedy = remedies.for_numbers(kinds.stored_values(matrix)[wanted], raw, name)
    what = f"the score {short_repr(value)}" if ">= 0.5" in remedy else short_repr(value)
    raise ValueError(f"{name} holds {what} at {where}, where only 0 or 1 may stand: {remedy}")


def not_a_probability(matrix: Any, wanted: NDArray[np.bool_], name: str, raw: Any) -> NoReturn:
    """Refuse the first number that is not from 0 to 1."""
    value, where = first_value_and_place(matrix, wanted)
    bad, array = kinds.stored_values(matrix)[wanted], remedies.array_expression(raw, name)
    array += ".toarray()" * kinds.is_sparse(raw)
    array += ".astype(float)" * (str(getattr(raw, "dtype", "")) == "object")
    remedy = f"if these are logits, pass 1 / (1 + np.exp(-{array})), else give probabilities"
    if np.isnan(bad).any():
        remedy = "give each label a probability"
    elif (np.abs(bad - 0.5) <= 0.5 + _ROUNDING).all():
        remedy = f"if that is rounding, pass np.clip({array}, 0, 1)"
    what = f"{name} holds {short_repr(value)} at {where}, where only a number from 0 to 1 may stand"
    raise ValueError(f"{what}: {remedy}")


def not_rankable(matrix: Any, wanted: NDArray[np.bool_], name: str, _raw: Any = None) -> NoReturn:
    """Refuse the first number that floats do not hold, or that has no rank."""
    value, where = first_value_and_place(matrix, wanted)
    what = "which is not finite, or is whole and beyond 2**53, where floats round"
    remedy = "give finite numbers, or scale all of them down"
    if name in LABELS:
        what, remedy = "where only 0 or 1 may stand", "correct the cell"
    raise ValueError(f"{name} holds {short_repr(value)} at {where}, {what}: {remedy}")


def not_real(value: Any, where: str, name: str, remedy: str, kind: str = "real number") -> NoReturn:
    """Refuse a cell that holds no real number, or what should be a row and is none."""
    what = f"{name} holds {short_repr(value)} at {where}, which is not a {kind}"
    raise TypeError(f"{what}: {remedy or advice(name)}")


def masked(raw: Any, name: str) -> None:
    """Refuse masks of anything but the truth, which NumPy would drop without a word."""
    rows = raw if kinds.is_nested(raw) else ()
    if isinstance(raw, np.ma.MaskedArray) or any(isinstance(x, np.ma.MaskedArray) for x in rows):
        only = "only the y_true of a metric can have unknown cells, as one masked array"
        remedy = f"give every cell of {name} a value, or leave out the rows that have unknown ones"
        raise TypeError(f"{name} is or holds a masked array, and {only}: {remedy}")


def sparse(matrix: Any, name: str) -> None:
    """Refuse a sparse matrix where cells are unknown."""
    if kinds.is_sparse(matrix):
        raise TypeError(f"{name} is sparse, and unknown cells are not: pass {name}.toarray()")


def list_of_matrices(raw: Any, name: str) -> None:
    """Refuse what predict_proba returns: a matrix of shape (n_samples, 2) for each label."""
    if isinstance(raw, (list, tuple)) and raw and all(getattr(x, "ndim", 0) == 2 for x in raw):
        what = f"{name} is a list of matrices, as predict_proba returns one per label"
        remedy = f"keep the column of class 1, np.column_stack([p[:, 1] for p in {name}])"
        raise ValueError(f"{what}: {remedy}")


def not_two_dimensional(shape: tuple[int, ...], name: str, raw: Any) -> None:
    """Refuse a shape that is not of two dimensions, or has no cell."""
    what, remedy = f"{name} has shape {shape}, empty or not of two dimensions", advice(name)
    if len(shape) == 1 and shape[0]:
        sample, label = f"np.reshape({name}, (1, -1))", f"np.reshape({name}, (-1, 1))"
        if hasattr(raw, "to_frame"):  # a Series, whose index is compared
            sample, label = f"{name}.to_frame(0).T", f"{name}.to_frame(0)"
        remedy = f"for a single sample pass {sample}, for a single label {label}"
    if len(shape) == 3 and 0 not in shape and not kinds.is_sparse(raw):
        remedy = f"if labels stand last, pass np.reshape({name}, (-1, {shape[-1]})), else use np.moveaxis first"
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"{what}: {remedy}")


def nested_rows(cells: NDArray[Any], name: str, raw: Any) -> NoReturn:
    """Refuse rows that make no matrix: the first that is none or of another length, or all of them."""
    remedy = remedies.for_rows([*cells], raw, name)
    for i, row in enumerate(cells):
        if not kinds.is_list(row):
            not_real(row, position_text(i), name, remedy, "row of numbers")
        if len(row) != len(cells[0]):
            lengths = f"row {i} has length {len(row)} where row 0 has {len(cells[0])}"
            raise ValueError(f"{name} is ragged, {lengths}: {remedy or advice(name)}")
    raise TypeError(f"{name} holds rows within cells: {remedy or advice(name)}")


def different_shapes(true: Any, other: Any, name: str) -> None:
    """Refuse a matrix that has not the truth's shape."""
    if other.shape != true.shape:
        remedy = "give both the same samples as rows and the same labels as columns"
        what = f"{name} has shape {other.shape} and y_true has shape {true.shape}"
        raise ValueError(f"{what}: {remedy}")


def check_same_order(given: Mapping[str, Any]) -> None:
    """Refuse frames and Series of which two name samples or labels differently."""
    for axis in ("columns", "index"):
        first, *others = [x for x in given if kinds.axis_names(given[x], axis) is not None] or [""]
        for name in others:
            different_names(given[first], given[name], axis, name, first)


def check_label_order(matrix: Any, raw: Any, name: str, called: str = "y_score") -> None:
    """Refuse a Series of numbers per label whose labels are not the columns of a matrix, in order."""
    own = kinds.axis_names(raw, "index")
    if own is not None and list(own) != [*range(len(own))]:
        different_names(matrix, raw, "index", name, called, "columns")


def different_names(
    raw_true: Any, raw: Any, axis: str, name: str, truth: str = "y_true", true_axis: str = ""
) -> None:
    """Refuse two frames that name samples or labels differently: they are matched by position."""
    true_axis = true_axis or axis
    true_names, names = kinds.axis_names(raw_true, true_axis), kinds.axis_names(raw, axis)
    if true_names is None or names is None:
        return
    if hasattr(true_names, "equals") and true_names.equals(names):  # of a million names in no time
        return
    for i, (true_name, other) in enumerate(zip(true_names, names, strict=False)):
        if repr(true_name) != repr(other) and not _is_one_name(true_name, other):
            what = f"{name} has {short_repr(other)} at position {i} of its {axis}"
            remedy = "give both the same in one order"
            listed, wanted = ([*map(repr, each)] for each in (names, true_names))
            own = "column_names" if hasattr(raw_true, "column_names") else true_axis
            if len({*listed}) < len(listed):
                twice = next(x for x, n in Counter(listed).items() if n > 1)
                remedy = f"{twice} stands there twice, so give each a name of its own"
            elif {*listed} == {*wanted}:
                how = "reindex({}={}.{})" if hasattr(raw, "reindex") else "select(list({1}.{2}))"
                remedy += f", such as by {name}.{how.format(axis, truth, own)}"
            counts = [*map(str, range(len(listed)))]  # names that only number the rows
            if counts in (listed, wanted) and hasattr(raw, "set_axis"):
                line = f"pass {name}.set_axis({truth}.{own}, axis={axis!r})"
                remedy = f"if both stand in one order by now, {line}, else {remedy}"
            raise ValueError(f"{what} where {truth} has {short_repr(true_name)}: {remedy}")


def _is_one_name(one: Any, other: Any) -> bool:
    """Whether two names are equal; pandas' NA and lists cannot be asked with ==."""
    try:
        return other in {one}
    except TypeError:  # a list, say, which no set can hold
        return False
