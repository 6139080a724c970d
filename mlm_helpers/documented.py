"""What the docstrings of the metrics share, written once: what their arguments are, and what they return."""

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_LABELS = """matrix of 0 and 1, shape (n_samples, n_labels)
    Nested lists, a NumPy array, a pandas DataFrame or a SciPy sparse matrix. Masked cells of ``y_true``
    are unknown and left out, see `data.unknown`."""
_RULES = '"worst", "best", "average", "first" or "last"'
PARAMETERS = {
    "y_true": _LABELS,
    "y_true, y_pred": _LABELS,
    "y_score": "matrix of finite numbers, shape (n_samples, n_labels)",
    "y_prob": """matrix of numbers from 0 to 1, shape (n_samples, n_labels)
    The probability that a sample has a label.""",
    "clip": """float between 0 and 1/2, optional
    Probabilities below it count as it, those above 1 − ``clip`` as that. By default the machine
    epsilon of their type, as in scikit-learn: 2.2e-16 of float64.""",
    "bins": """int
    The number of bins of equal width.""",
    "norm": """"l1", "l2" or "max"
    Mean distance of the bins, weighted by their samples, root of the mean of its square, or the
    largest distance.""",
    "inverse_propensities": """array of shape (n_labels,)
    Of 1 or more each, see `inverse_propensities`.""",
    "parents": """list of n_labels lists of int
    For each label the indices of its parents, [] at the top, see `closure`.""",
    "beta": """float, 0 or more
    How many times as much recall weighs as precision; 1 gives F1, 0 gives precision.""",
    "k": """int
    From 1 to n_labels.""",
    "start": """1 or 0
    The rank of the top label: 1 in scikit-learn, 0 in the papers and in MULAN.""",
    "average": """"macro", "micro", "weighted" or None
    Mean over labels, one ratio of all cells, mean weighted by support, or a value per label.""",
    "normalize": "bool",
    "ties": f"""{_RULES}
    Who wins a tie, see `ranking.ranks`.""",
    "interpolation": 'None, "all", 11 or 101',
    "zero_division": """0.0, 1.0, nan or "agree"
    The value of 0/0; nan leaves it out, "agree" is 1 where truth and prediction are equal, else 0.""",
    "undefined": """float
    The value of a sample without relevant labels, returned as it is; nan leaves it out.""",
    "sample_weight": """array of shape (n_samples,), optional
    How much each sample counts.""",
    "per_sample": """bool
    Return the value of each sample (nan where it is left out) instead of their mean.""",
}
"""Of each parameter its type and, below, what it does, where most metrics agree."""
RETURNS = {
    "per_sample": "float, or array of shape (n_samples,) if ``per_sample``",
    "average": "float, or array of shape (n_labels,) for ``average=None``",
}
RAISES = """TypeError, ValueError
    Bad input gets one sentence: which argument, which value, where, and what to do."""


def documented(**own: str) -> Callable[[Function], Function]:
    """Add to a metric's docstring the sections Parameters, Returns and Raises, by its signature.

    What a parameter does is taken from `PARAMETERS`, unless it is given here, if on two lines with its
    type. They stand before the References; where there is a section Returns, that one stays.

    Examples
    --------
    >>> @documented(k="At most 5.")
    ... def hits(*, k):
    ...     '''Number of hits among the first k.'''
    >>> print(*hits.__doc__.splitlines()[2:6], sep="; ")
    Parameters; ----------; k : int;     At most 5.
    """

    def add(function: Function) -> Function:
        names = list(inspect.signature(function).parameters)
        if names[:2] == ["y_true", "y_pred"]:
            names[:2] = ["y_true, y_pred"]
        returns = [RETURNS[name] for name in names if name in RETURNS] or ["float"]
        text = inspect.cleandoc(function.__doc__ or "")
        head, *rest = re.split(r"\n\n(?=\w+\n---)", text)
        if rest and rest[0].startswith("Returns"):
            returns = [rest.pop(0).split("\n", 2)[2]]
        sections = {
            "Parameters": "\n".join(_entry(name, own.get(name)) for name in names),
            "Returns": returns[0],
            "Raises": RAISES,
        }
        made = [f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items()]
        function.__doc__ = "\n\n".join([head, *made, *rest])
        return function

    return add


def _entry(name: str, own: str | None) -> str:
    """A parameter, its type, and below what it does."""
    kind, _, does = PARAMETERS[name].partition("\n")
    if own:
        kind, _, does = own.partition("\n") if "\n" in own else (kind, "", own)
    lines = textwrap.wrap(does.strip(), 96)
    return "\n    ".join([f"{name} : {kind}", *lines])
