"""A tool's number, said in options of ours."""

import functools
from collections.abc import Callable
from typing import Any

from mlm_helpers import catalogue, inputs
from mlm_helpers.conventions.readings import Matrix, Reading, reading_of
from mlm_helpers.conventions.records import Departure, Tool, Translation, close
from mlm_helpers.conventions.tools import TOOLS


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
    found, setting = _tool(tool)
    return _translation(found, catalogue.general(metric)).asked(setting)


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
    float, or the error that the tool raises, as ``"raises NameOfError"``, or ``"no rule holds"``

    Examples
    --------
    >>> number("Spark MLlib", "samples recall", [[1, 0], [0, 0]], [[1, 0], [0, 0]])
    nan
    """
    return numbers_of(tool, name, y_true, y_other)[0]


def expressible(tool: str, name: str, y_true: Any, y_other: Any) -> bool:
    """Whether our function with the tool's options gives the tool's number on these data."""
    return close(*numbers_of(tool, name, y_true, y_other))


def names(metric: Callable[..., Any]) -> dict[str, str]:
    """What tools, then documents, call a metric, with its average.

    Parameters
    ----------
    metric : public metric function, or a ``functools.partial`` of it
        A label-based metric is meant with its average, "macro" if none is bound.

    Examples
    --------
    >>> from mlm_helpers import label_based
    >>> micro = names(functools.partial(label_based.f1, average="micro"))
    >>> micro["Spark MLlib"], micro["macro_micro"]
    ('microF1Measure', 'micro-F1')
    """
    record, general = catalogue.of(metric), catalogue.general(metric)
    called = {t.name: t.metrics[general].call for t in TOOLS.values() if general in t.metrics}
    for document, terms in record.names.items():
        macro, _, micro = terms.partition(", ")  # if a document tells averages apart, these two
        by_average = {"macro": macro, "micro": micro} if micro else {}
        called[document] = by_average.get(general.partition(" ")[0], "" if micro else terms)
    return {name: term for name, term in called.items() if term}


def departed(
    tool: Tool, departures: tuple[Departure, ...], ours: Any, truth: Matrix, other: Matrix
) -> tuple[Departure, float | str] | None:
    """The first departure that the data bring about, a metric's or its tool's, and the tool's number."""
    for departure in (*departures, *tool.notes):
        theirs = departure.number and departure.number(ours, truth, other)
        if theirs is not None:
            return departure, theirs
    return None


def read(reading: Reading, y_true: Any, y_other: Any) -> tuple[Matrix, Matrix]:
    """Both matrices, through the gate; label sets that both came sparse stay so."""
    through = inputs.label_scores if reading.reads == "y_score" else inputs.label_sets
    truth, other, _ = through(y_true, y_other)
    return truth, other


def numbers_of(tool: str, name: str, y_true: Any, y_other: Any) -> tuple[float | str, float]:
    """A tool's number, and ours with its options."""
    reading = reading_of(name)
    found, setting = _tool(tool)
    translation = _translation(found, reading.general)
    ours = functools.partial(reading.function, **translation.asked(setting))
    truth, other = read(reading, y_true, y_other)
    value = float(ours(truth, other))
    departure = departed(found, translation.departures, ours, truth, other)
    return (departure[1] if departure else value), value


def _tool(tool: str) -> tuple[Tool, str]:
    """The tool, and the setting behind the comma."""
    name, _, setting = str(tool).partition(", ")
    if name not in TOOLS:
        inputs.one_of(tool, list(TOOLS), "tool")
    found = TOOLS[name]
    if setting and setting not in found.settings:
        choice = ", ".join(map(repr, found.settings)) if found.settings else "its default alone"
        raise ValueError(f"{name} has no setting {setting!r}: choose {choice}")
    return found, setting


def _translation(tool: Tool, general: str) -> Translation:
    if general in tool.metrics:
        return tool.metrics[general]
    have = ", ".join(repr(other.name) for other in TOOLS.values() if general in other.metrics)
    who = f"ask for {have}, which have it" if have else "no tool here has it"
    raise ValueError(f"{tool.name} has no {general}: {who}")
