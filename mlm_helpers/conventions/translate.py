"""A tool's number, said in options of ours."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

from mlm_helpers import catalogue, inputs
from mlm_helpers.conventions.readings import listed, read, reading, reads_scores
from mlm_helpers.conventions.records import Tool, Translation, same
from mlm_helpers.conventions.tools import TOOLS


def choices_of(name: str) -> dict[str, tuple[Any, ...]]:
    """The conventions of a reading, and the values that each can take."""
    taken = tuple(inspect.signature(reading(name)).parameters)
    undefined = [0.0, 1.0, math.nan]
    for tool in TOOLS.values():
        translation = tool.metrics.get(name)
        value = translation.options.get("undefined", 0.0) if translation else 0.0
        undefined += [value] if not math.isnan(value) and value not in undefined else []
    values: dict[str, tuple[Any, ...]] = {
        "zero_division": (0.0, 1.0, math.nan, "agree"),
        "start": (1, 0),
        "ties": inputs.TIES,
        "undefined": tuple(undefined),
    }
    return {option: values[option] for option in values if option in taken}


def options(tool: str, metric: Callable[..., Any]) -> dict[str, Any]:
    """Keyword arguments with which our function returns a tool's number.

    Parameters
    ----------
    tool : str
        A key of `TOOLS`; for another answer than the tool's default, the setting behind a comma, as
        in ``"scikit-learn, zero_division=1"``.
    metric : public metric function, or a ``functools.partial`` of it
        A label-based metric is meant with its average, "macro" if none is bound.

    Returns
    -------
    dict
        Options of ours. Where the tool departs from every option, its record in `TOOLS` says so.

    Raises
    ------
    ValueError
        If there is no such tool or setting, or the tool lacks the metric; the sentence names what
        there is.

    References
    ----------
    The tools themselves, see `TOOLS`.

    Examples
    --------
    >>> from mlm_helpers import example_based, ranking
    >>> options("MULAN", ranking.coverage)
    {'start': 0, 'ties': 'last', 'undefined': 0.0}
    >>> example_based.f1([[1, 0], [0, 0]], [[1, 0], [0, 0]], **options("MULAN", example_based.f1))
    1.0
    """
    return options_of(*tool_of(tool), name_of(metric))


def name_of(metric: Callable[..., Any]) -> str:
    """The name of a metric with its average alone: Fβ whatever β."""
    record = catalogue.of(metric)
    bound = metric.keywords if isinstance(metric, functools.partial) else {}
    average = {}
    if "average" in record.options and "average" in bound:
        inputs.one_of(bound["average"], inputs.AVERAGES, "average")
        average = {"average": bound["average"] or "macro"}
    return catalogue.describe(functools.partial(record.function, **average))


def tool_of(tool: str) -> tuple[Tool, str]:
    """The tool, and the setting behind the comma."""
    name, _, setting = str(tool).partition(", ")
    if name not in TOOLS:
        raise ValueError(f"tool is {tool!r}: choose one of {listed(TOOLS)}")
    return TOOLS[name], setting


def _translation(tool: Tool, name: str) -> Translation:
    key = any_beta(name)
    if key not in tool.metrics:
        have = [other.name for other in TOOLS.values() if key in other.metrics]
        who = f"ask for {listed(have)}, which have it" if have else "no tool here has it"
        raise ValueError(f"{tool.name} has no {name}: {who}")
    return tool.metrics[key]


def any_beta(name: str) -> str:
    return name.replace(" F2", " Fβ")


def options_of(tool: Tool, setting: str, name: str) -> dict[str, Any]:
    if setting and setting not in tool.settings:
        settings = listed(tool.settings) if tool.settings else "its default alone"
        raise ValueError(f"{tool.name} has no setting {setting!r}: choose {settings}")
    translation = _translation(tool, name)
    return {**translation.options, **translation.settings.get(setting, {})}


def number(tool: str, name: str, y_true: Any, y_other: Any) -> float | str:
    """Say what a tool gives on data: our function with its options, or its departure.

    Parameters
    ----------
    tool : str
        As for `options`.
    name : str
        A metric as `catalogue.describe` names it, or one of `DERIVED`.
    y_true, y_other : matrix of shape (n_samples, n_labels)
        Truth, and predictions or (for a ranking metric) scores.

    Returns
    -------
    float, or the error that the tool raises, as ``"raises NameOfError"``

    Examples
    --------
    >>> number("Spark MLlib", "samples recall", [[1, 0], [0, 0]], [[1, 0], [0, 0]])
    nan
    """
    departed = departed_of(tool, name, y_true, y_other)
    return ours_of(tool, name, y_true, y_other) if departed is None else departed


def expressible(tool: str, name: str, y_true: Any, y_other: Any) -> bool:
    """Whether our function with the tool's options gives the tool's number on these data."""
    departed = departed_of(tool, name, y_true, y_other)
    return departed is None or same(departed, ours_of(tool, name, y_true, y_other))


def ours_of(tool: str, name: str, y_true: Any, y_other: Any) -> float:
    return float(reading(name)(y_true, y_other, **options_of(*tool_of(tool), name)))


def departed_of(tool: str, name: str, y_true: Any, y_other: Any) -> float | str | None:
    scores = reads_scores(name)
    record, setting = tool_of(tool)
    asked = options_of(record, setting, name)
    for departure in _translation(record, name).departures:
        if departure.number is not None:
            departed = departure.number(*read(y_true, y_other, scores=scores), asked)
            if departed is not None:
                return departed
    return None
