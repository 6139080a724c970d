"""Sections that the docstrings of metrics share, so that a function writes only its own entries.

An entry with a family before its name, such as ``top_k.ties``, is for that family. In Returns, an
entry is for functions that have the parameter of its name; others return a float.

Parameters
----------
y_true : matrix of 0 and 1, shape (n_samples, n_labels)
    Nested lists, a NumPy array, a pandas DataFrame or a SciPy sparse matrix. Masked cells of
    ``y_true`` are unknown and left out, see `data.unknown`.
y_score : matrix of finite numbers, shape (n_samples, n_labels)
    A cell that a sparse matrix does not store has the score 0, which is above all negative scores.
top_k.y_score
    In a sparse matrix only stored cells have a score; a stored 0 is one.
y_prob : matrix of numbers from 0 to 1, shape (n_samples, n_labels)
    The probability that a sample has a label.
clip : float between 0 and 1/2, optional
    Probabilities below ``clip`` count as ``clip``, those above 1 − ``clip`` as 1 − ``clip``. The
    default is the machine epsilon of their type, as in scikit-learn: 2.2e-16 of float64.
bins : int
    The number of bins of equal width.
norm : "l1", "l2" or "max"
    The mean of the bins' distances, weighted by their samples; the root of the weighted mean of
    their squares; or the largest distance.
inverse_propensities : array of shape (n_labels,)
    A number of 1 or more for each label, see `inverse_propensities`.
parents : list of n_labels lists, or dict
    For each label its parents, by index or by name, see `closure`.
root : bool
    Whether the root counts: the only label that has children and no parents. False is the
    definition of Kiritchenko et al. It changes nothing where no label has parents, and raises a
    ValueError if several labels have children but no parents, because their common root is then not
    among the labels.
beta : float, 0 or more
    How many times as important recall is as precision; 1 gives F1, 0 gives precision.
k : int
    From 1 to n_labels.
start : 1 or 0
    The rank of the top label: 1 in scikit-learn, 0 in the papers and in MULAN.
average : "macro", "micro", "weighted" or None
    Mean over labels, one ratio of all cells, mean weighted by support, or a value per label.
curves.average
    Mean over labels, one list of all cells, mean weighted by positives, or a value per label.
probability.average : "macro" or None
    Mean over labels, or a value per label.
hierarchy.average : "micro" or "samples"
    One ratio over all samples, as Kiritchenko et al. define it, or the mean of a ratio per sample.
normalize : bool
    If False, each sample's sum is divided by that of k hits with inverse propensity 1 (k for
    precision, Σ 1/log2(j + 1) for nDCG); the value can exceed 1.
ties : "max", "min", "average", "first" or "last"
    The rank that tied labels get, see `ranking.ranks`.
top_k.ties : "worst", "best", "average", "first" or "last"
    The lowest, the highest or the mean value over all orders of tied labels, unlike the ranks of
    `ranking.ranks`; or tied labels in the order of their index, lowest or highest first.
interpolation : None, "all", 11 or 101
zero_division : 0.0, 1.0, nan or "agree"
    The value of 0/0: nan leaves the ratio out, "agree" is 1 where truth and prediction are equal,
    else 0.
undefined : float
    The value of a sample without relevant labels; nan leaves the sample out.
curves.undefined
    The value of a label without positives; nan leaves the label out.
sample_weight : array of shape (n_samples,), optional
    The weight of each sample.
per_sample : bool
    Return the value of each sample (nan where it is left out) instead of their mean.

Returns
-------
per_sample : float, or array of shape (n_samples,) if ``per_sample``
average : float, or array of shape (n_labels,) for ``average=None``

Raises
------
TypeError, ValueError
    For invalid input. The message names the argument, the value, its position and how to fix it.
"""

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def documented(function: Function) -> Function:
    """The metric, with the shared parts of Parameters, Returns and Raises in its docstring.

    The metric's own entry for a parameter comes before that of its family, and this before the
    shared one. A section that the metric writes itself, but for Parameters, stays as it is.
    """
    if function.__doc__ is None:  # under python -OO
        return function
    signature = inspect.signature(function)
    family = function.__module__.rpartition(".")[2]
    names = list(signature.parameters)
    if names[:2] == ["y_true", "y_pred"]:
        names[:2] = ["y_true, y_pred"]  # one entry for both
    _, shared_sections = _sections(__doc__)  # those of this file
    summary, metric_sections = _sections(function.__doc__)
    metric_entries = _entries(metric_sections.get("Parameters", ""))
    entries = _entries(shared_sections["Parameters"])
    entries["y_true, y_pred"] = entries["y_true"]
    parameters = []
    for name in names:
        found = metric_entries.get(name), entries.get(f"{family}.{name}"), entries.get(name)
        parameters.append(_parameter_entry(function, name, [*filter(None, found)]))
    returns = _returned_type(signature, shared_sections["Returns"])
    sections = {"Parameters": "", "Returns": returns, "Raises": shared_sections["Raises"]}
    sections |= metric_sections | {"Parameters": "\n".join(parameters)}
    bodies = (f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items())
    function.__doc__ = "\n\n".join([summary, *bodies])
    return function


def _returned_type(signature: inspect.Signature, section: str) -> str:
    """The type that a metric returns: that of the entry for a parameter that it has, or float."""
    entries = {} if signature.return_annotation is float else _entries(section)
    return next((entries[name][0] for name in signature.parameters if name in entries), "float")


def _parameter_entry(function: Any, name: str, sources: list[tuple[str, str]]) -> str:
    """The entry of a parameter: its type and the lines below it, as text.

    Sources are pairs of type and lines, the nearest first. Either can be "", so each of the two is
    the first that is not.
    """
    if not sources:
        problem = f"{function.__module__}.{function.__name__} has no entry for {name}"
        raise ValueError(f"{problem}: write one in its docstring, or in that of documented.py")
    type_name, text = (next(filter(None, parts), "") for parts in zip(*sources, strict=True))
    return f"{name} : {type_name}{text}"


def _sections(docstring: str) -> tuple[str, dict[str, str]]:
    """The text before the first section of a docstring, and each section's body by its title."""
    # A section begins with a title of one word, which is underlined.
    summary, *sections = re.split(r"\n\n(?=\w+\n---)", inspect.cleandoc(docstring))
    return summary, {text.split("\n")[0]: text.split("\n", 2)[2] for text in sections}


def _entries(section: str) -> dict[str, tuple[str, str]]:
    """By name, each entry's type ("name : type") and the lines below it; "" where missing."""
    # A name begins a line; " : type" may follow, and the lines below it are indented.
    entries = re.findall(r"^(\w.*?)(?: : (.*))?((?:\n    .*)*)$", section, re.M)
    return {name: (type_name, text) for name, type_name, text in entries}
