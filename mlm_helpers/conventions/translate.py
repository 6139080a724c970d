"""A tool's number by options of this package, and the tools' numbers side by side."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

from mlm_helpers import catalogue
from mlm_helpers._core import inputs
from mlm_helpers.conventions.cached_data import CachedData
from mlm_helpers.conventions.quantities import Quantity, quantity_of
from mlm_helpers.conventions.tool import Departure, Options, Translation, is_close, recorded_cases
from mlm_helpers.conventions.tools import TOOLS
from mlm_helpers.tables import Display, Table, format_value


def options(tool: str, metric: Callable[..., Any] | str) -> dict[str, Any]:
    """Keyword arguments with which our function returns a tool's number; its `TOOLS` say where none does.

    An unknown tool, setting or metric of the tool raises a ValueError that names the known ones.

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
    general = (
        quantity_of(metric).general_name
        if isinstance(metric, str)
        else catalogue.general_name(metric)
    )
    setting, translation = _translation(tool, general)
    return translation.options_under(setting)


def number(tool: str, name: str, y_true: Any, y_pred: Any) -> float | str:
    """A tool's number on data: from our function with the tool's options, or by the tool's departure.

    Instead of a number it can be an error, ``"raises NameOfError"``, or ``"no rule holds"``.

    Parameters
    ----------
    tool : str
        As for `options`.
    name : str
        A metric as `catalogue.full_name` names it, or one of `DERIVED`.
    y_true, y_pred : matrix of shape (n_samples, n_labels)
        Truth, and predictions, scores for a ranking metric, or probabilities for a probability metric.

    Examples
    --------
    >>> number("Spark MLlib", "samples recall", [[1, 0], [0, 0]], [[1, 0], [0, 0]])
    nan
    """
    return numbers_of(tool, name, y_true, y_pred)[0]


def names(metric: Callable[..., Any]) -> dict[str, str]:
    """The names of a metric in tools, then in documents; its average is as in `options`.

    Examples
    --------
    >>> from mlm_helpers import label_based
    >>> micro = names(functools.partial(label_based.f1, average="micro"))
    >>> micro["Spark MLlib"], micro["macro_micro"]
    ('microF1Measure', 'micro-F1')
    """
    record, general = catalogue.record_of(metric), catalogue.general_name(metric)
    called = {t.name: t.metrics[general].call for t in TOOLS.values() if general in t.metrics}
    for document, terms in record.names.items():
        macro, _, micro = terms.partition(", ")  # if a document tells averages apart, these two
        by_average = {"macro": macro, "micro": micro} if micro else {}
        called[document] = by_average.get(general.partition(" ")[0], "" if micro else terms)
    return {name: term for name, term in called.items() if term}


def compare(name: str, case: str) -> Display:
    """Table of the tools' numbers of one metric on one recorded input, beside ours with the tool's options.

    The number of a tool that was only read in source is what its rule gives. A ValueError says which
    metrics or inputs there are.

    Parameters
    ----------
    name : str
        The metric, as `catalogue.full_name` names it.
    case : str
        The name of a recorded input.

    Examples
    --------
    >>> print(compare("samples F1", "perfect+both_empty").steps[0].rows[0][:2])
    ('scikit-learn', '0.5')
    """
    quantity, cases = quantity_of(name), {one.name: one for one in recorded_cases()}
    inputs.check_choice(case, list(cases), "case")
    record, rows = cases[case], []
    for tool in (tool for tool in TOOLS.values() if quantity.general_name in tool.metrics):
        translation = tool.metrics[quantity.general_name]
        theirs, ours = numbers_of(tool.name, name, record.y_true, record.prediction_for(name))
        by_option = format_value(ours, 6) if is_close(theirs, ours) else "no option says it"
        shown = format_value(record.numbers.get(name, {}).get(tool.name, theirs), 6)
        asked = ", ".join(options_in_words(translation.options)) or "–"
        rows.append((tool.name, shown, translation.call, asked, by_option))
    header = ("tool", "its number", "its name for it", "our options", "ours")
    given = record.y_pred if quantity.reads == "y_pred" else record.y_score
    caption = f"truth {record.y_true}, given {given}"
    return Display(f"{name}: {record.why}", (Table(caption, header, tuple(rows)),))


def numbers_of(tool: str, name: str, y_true: Any, y_pred: Any) -> tuple[float | str, float]:
    """A tool's number, and ours with its options: the same if an option gives it."""
    quantity = quantity_of(name)
    setting, translation = _translation(tool, quantity.general_name)
    ours = functools.partial(quantity.function, **translation.options_under(setting))
    data = read_cached(quantity, y_true, y_pred)
    value = data.value(ours)
    departs = first_departure(translation.departures_under(setting), ours, data)
    return (departs[1] if departs else value), value


def first_departure(
    departures: Iterable[Departure], ours: Any, data: CachedData
) -> tuple[Departure, float | str] | None:
    """The first departure that the data bring about, and the tool's number there."""
    found = ((one, one.number(ours, data)) for one in departures if one.number)
    return next(((one, theirs) for one, theirs in found if theirs is not None), None)


def read_cached(quantity: Quantity, y_true: Any, y_pred: Any) -> CachedData:
    """Both matrices, through the gate; sparse ones stay so if the metric reads them as such."""
    metric = quantity.function
    gate = (
        inputs.read_label_sets if metric.args else catalogue.record_of(metric).read_data
    )  # args: a derived number
    data = gate(y_true, y_pred)
    if data.known is not None:
        raise ValueError(
            "y_true has unknown cells, which tools treat differently: leave samples with them out"
        )
    return CachedData(data.truth, data.prediction)


def options_in_words(options: Options) -> tuple[str, ...]:
    """Options as something to compare and to show: unlike nan, it equals itself."""
    return tuple(f"{option}={value!r}" for option, value in options.items())


def _translation(key: str, general: str) -> tuple[str, Translation]:
    """The setting behind the comma, and what the tool has of a metric."""
    name, _, setting = str(key).partition(", ")
    inputs.check_choice(name, list(TOOLS), "tool")
    tool = TOOLS[name]
    inputs.check_choice(setting, ["", *tool.settings], f"setting of {name}")
    inputs.check_choice(general, list(tool.metrics), f"metric of {name}")
    return setting, tool.metrics[general]
