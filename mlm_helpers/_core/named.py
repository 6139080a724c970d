"""Results with the names of a DataFrame that was passed: DataFrames and masked arrays."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from mlm_helpers._core.inputs.kinds import AXES, axis_names


def as_frame_like(cells: Any, like: Any, columns: Any = None) -> Any:
    """Cells as a DataFrame if ``like`` is a pandas object, else unchanged.

    The rows have the names of ``like``; the columns, too, unless ``columns`` names them.
    """
    if not hasattr(like, "iloc"):
        return cells
    from pandas import DataFrame

    return DataFrame(cells, index=like.index, columns=like.columns if columns is None else columns)


class MaskedTruth(np.ma.MaskedArray[Any, Any]):
    """Masked labels with the names of a DataFrame's columns and rows.

    Copies and pickles keep the names. Other arrays made from this one, such as a part of it, have
    no names.
    """

    def copy(self, *args: Any, **options: Any) -> Any:
        """A copy with the same names; NumPy's arguments, such as ``order``, have no effect."""
        return masked_truth(self.data, self.mask, like=self)

    __copy__ = copy

    def __reduce__(self) -> Any:
        # Unpickling calls `masked_truth` with an object that has the same names.
        names = {axis: axis_names(self, axis) for axis in AXES}
        return masked_truth, (self.data, self.mask, SimpleNamespace(**names))


def masked_truth(values: Any, mask: Any, like: Any) -> Any:
    """A masked array of labels, with the names of rows and columns that ``like`` has.

    The cells that ``mask`` selects hold -1, which metrics refuse if the mask is lost.
    """
    cells = np.where(mask, -1, values).astype(np.int8)
    truth = MaskedTruth(cells, mask, fill_value=-1)
    for axis in AXES:
        if (names := axis_names(like, axis)) is not None:
            setattr(truth, axis, names)
    return truth
