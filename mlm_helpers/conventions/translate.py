"""A tool's number on data, from our functions and the tool's departures."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mlm_helpers import catalogue
from mlm_helpers._core.inputs.data import LabelMatrix, ScoreMatrix
from mlm_helpers._core.inputs.options import check_choice, look_up
from mlm_helpers._core.inputs.read import read_label_sets
from mlm_helpers.conventions.cached_data import CachedData
from mlm_helpers.conventions.quantities import Quantity, quantity_of
from mlm_helpers.conventions.tool import Departure, Number, Options, Translation
from mlm_helpers.conventions.tools import TOOLS


def options(tool: str, metric: Callable[..., Any] | str) -> dict[str, Any]:
    """Keyword arguments with which our function returns a tool's number, or the nearest.

    Where none returns it, the tool's entry in `TOOLS` has a `Departure`. An unknown tool, setting
    or metric of the tool raises a ValueError that names the known ones.

    Parameters
    ----------
    tool : str
        A key of `TOOLS`, with a setting other than the tool's default after a comma:
        ``"scikit-learn, zero_division=1"``.
    metric : public metric function, or a ``functools.partial`` of it, or a name
        A label-based metric with its average, "macro" if none is bound; or a name as in `number`.

    Examples
    --------
    >>> from mlm_helpers import example_based, ranking
    >>> options("MULAN", ranking.coverage)
    {'start': 0, 'ties': 'last', 'undefined': 0.0}
    >>> example_based.f1([[1, 0], [0, 0]], [[1, 0], [0, 0]], **options("MULAN", example_based.f1))
    1.0
    """
    if isinstance(metric, str):
        general_name = quantity_of(metric).general_name
    else:
        general_name = catalogue.general_name(metric)
    return dict(_translation(tool, general_name).options)


def number(
    tool: str, name: str, y_true: LabelMatrix, y_pred: LabelMatrix | ScoreMatrix
) -> float | str:
    """A tool's number on data: our function's with the tool's options, or that of a departure.

    Instead of a number it can be an error, ``"raises NameOfError"``, or ``"no rule holds"``.

    Parameters
    ----------
    tool : str
        As for `options`.
    name : str
        A metric as `catalogue.full_name` names it, or a number that tools print under a metric's
        name, such as "F1 of macro precision and macro recall".
    y_true, y_pred : matrix of shape (n_samples, n_labels)
        Truth, and predictions, scores for a ranking metric, or probabilities for a probability
        metric.

    Examples
    --------
    >>> number("Spark MLlib", "samples recall", [[1, 0], [0, 0]], [[1, 0], [0, 0]])
    nan
    """
    quantity = quantity_of(name)
    translation = _translation(tool, quantity.general_name)
    data = read_cached(quantity, y_true, y_pred)
    value = quantity.value(data, **translation.options)
    return tool_number(translation, quantity, data, value)[0]


def tool_number(
    translation: Translation, quantity: Quantity, data: CachedData, value: float
) -> tuple[Number, Departure | None]:
    """The tool's number or error, and the departure that causes it; None if none does.

    ``value`` is our function's number with the tool's options, which then is the tool's too.
    """
    bound = quantity._replace(function=partial(quantity.function, **translation.options))
    for departure in translation.departures:
        number = departure.rule(bound, data) if departure.rule else None
        # A rule returns None where the tool does not depart from our number.
        if number is not None:
            return number, departure
    return value, None


def read_cached(quantity: Quantity, y_true: Any, y_pred: Any) -> CachedData:
    """Both matrices, read as the metric reads them; a ValueError if the truth has unknown cells."""
    record = quantity.record
    data = (record.read_data if record else read_label_sets)(y_true, y_pred)
    if data.known is not None:
        raise ValueError(
            "y_true has unknown cells, which tools treat differently: leave samples with them out"
        )
    return CachedData(data.truth, data.prediction)


def options_in_words(options: Options) -> tuple[str, ...]:
    """Options as text, such as "zero_division=nan": to show, and to compare, as nan is not nan."""
    return tuple(f"{option}={value!r}" for option, value in options.items())


def _translation(key: str, general_name: str) -> Translation:
    """What a tool computes for a metric; its key names a setting, as in "keras, no threshold"."""
    name, _, setting = str(key).partition(", ")
    tool = look_up(TOOLS, name, "tool")
    check_choice(setting, ["", *tool.settings], f"setting of {name}")
    return look_up(tool.metrics, general_name, f"metric of {name}").under(setting)
