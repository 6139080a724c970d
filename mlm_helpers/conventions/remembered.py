"""A curve metric that sorts each column once, whatever is asked about it."""

import functools
import hashlib
import math
from typing import Any

import numpy as np

from mlm_helpers import catalogue, counts
from mlm_helpers.conventions.quantities import Matrix, Quantity
from mlm_helpers.inputs import Average


def remembering(quantity: Quantity, truth: Matrix, kept: dict[Any, Any]) -> functools.partial[Any]:
    """Its function; if that gives labels a value by their scores, one that keeps what it finds.

    Macro and weighted averages, each label alone, and whatever a label without a value is worth, need
    the same values of the labels. Asked about another truth, it answers as ever.
    """
    function = quantity.function.func
    if (
        quantity.along == "sample"
        or quantity.reads == "y_pred"
        or "undefined" not in quantity.choices
    ):
        return quantity.function
    supports, defaults = truth.sum(axis=0), catalogue.of(function).defaults
    rest = {o: defaults[o] for o in quantity.choices if o != "undefined"}

    def ask(
        y_true: Matrix,
        y_score: Matrix,
        *,
        average: Average,
        undefined: float = 0.0,
        **given: Any,
    ) -> Any:
        chosen = rest | given
        if y_true is not truth:
            return function(y_true, y_score, average=average, undefined=undefined, **chosen)
        one_list = "micro" if average == "micro" else None
        scores = hashlib.sha256(y_score.tobytes()).digest()
        key = (function, one_list, *chosen.items(), scores, y_score.dtype)
        if key not in kept:
            values = function(truth, y_score, average=one_list, undefined=math.nan, **chosen)
            kept[key] = np.atleast_1d(values)
        values = np.where(np.isnan(kept[key]), undefined, kept[key])
        return counts.averaged(values, np.ones(1) if one_list else supports, average)

    return functools.partial(ask, **quantity.function.keywords)
