"""The sections that the metrics' docstrings share: parameters, returns and errors.

The type of each parameter and, below it, the text that most metrics share:

y_true
    matrix of 0 and 1, shape (n_samples, n_labels)
    Nested lists, a NumPy array, a pandas DataFrame or a SciPy sparse matrix. Masked cells of
    ``y_true`` are unknown and left out, see `data.unknown`.
y_true, y_pred
    matrix of 0 and 1, shape (n_samples, n_labels)
    Nested lists, a NumPy array, a pandas DataFrame or a SciPy sparse matrix. Masked cells of
    ``y_true`` are unknown and left out, see `data.unknown`.
y_score
    matrix of finite numbers, shape (n_samples, n_labels)
y_prob
    matrix of numbers from 0 to 1, shape (n_samples, n_labels)
    The probability that a sample has a label.
clip
    float between 0 and 1/2, optional
    Probabilities below ``clip`` count as ``clip``, those above 1 − ``clip`` as 1 − ``clip``. The
    default is the machine epsilon of their type, as in scikit-learn: 2.2e-16 of float64.
bins
    int
    The number of bins of equal width.
norm
    "l1", "l2" or "max"
    The mean of the bins' distances, weighted by their samples; the root of the weighted mean of
    their squares; or the largest distance.
inverse_propensities
    array of shape (n_labels,)
    A number of 1 or more for each label, see `inverse_propensities`.
parents
    list of n_labels lists of int
    For each label the indices of its parents, [] at the top, see `closure`.
beta
    float, 0 or more
    How many times as much recall weighs as precision; 1 gives F1, 0 gives precision.
k
    int
    From 1 to n_labels.
start
    1 or 0
    The rank of the top label: 1 in scikit-learn, 0 in the papers and in MULAN.
average
    "macro", "micro", "weighted" or None
    Mean over labels, one ratio of all cells, mean weighted by support, or a value per label.
normalize
    bool
ties
    "worst", "best", "average", "first" or "last"
    How tied labels are ranked, see `ranking.ranks`.
interpolation
    None, "all", 11 or 101
zero_division
    0.0, 1.0, nan or "agree"
    The value of 0/0: nan leaves the ratio out, "agree" is 1 where truth and prediction are equal,
    else 0.
undefined
    float
    The value of a sample without relevant labels; nan leaves the sample out.
sample_weight
    array of shape (n_samples,), optional
    The weight of each sample.
per_sample
    bool
    Return the value of each sample (nan where it is left out) instead of their mean.
"""

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

PARAMETERS = {
    name: textwrap.dedent(text).strip()
    for name, text in re.findall(r"^(\w.*)\n((?:    .*\n)+)", __doc__ or "", re.M)
}
RETURNS = {
    "per_sample": "float, or array of shape (n_samples,) if ``per_sample``",
    "average": "float, or array of shape (n_labels,) for ``average=None``",
}
RAISES = """TypeError, ValueError
    Bad input raises an error of one sentence: which argument, which value, where, and the remedy."""


def documented(**own: str) -> Callable[[Function], Function]:
    """Add to a metric's docstring the sections Parameters, Returns and Raises, by its signature.

    The text of a parameter comes from `PARAMETERS`, unless it is given here (with its type, if it has two
    lines). The sections stand before the References; a section Returns of the docstring's own stays.

    Examples
    --------
    >>> @documented(k="At most 5.")
    ... def hits(*, k):
    ...     '''Number of hits among the first k.'''
    >>> print(*hits.__doc__.splitlines()[2:6], sep="; ")
    Parameters; ----------; k : int;     At most 5.
    """

    def add(function: Function) -> Function:
        if function.__doc__ is None:  # under python -OO
            return function
        signature = inspect.signature(function)
        names = list(signature.parameters)
        if names[:2] == ["y_true", "y_pred"]:
            names[:2] = ["y_true, y_pred"]
        returns = "float"
        if signature.return_annotation is not float:
            returns = next((RETURNS[name] for name in names if name in RETURNS), returns)
        head, *rest = re.split(r"\n\n(?=\w+\n---)", inspect.cleandoc(function.__doc__))
        if rest and rest[0].startswith("Returns"):
            returns = rest.pop(0).split("\n", 2)[2]
        parameters = "\n".join(_entry(name, own.get(name, "")) for name in names)
        for title, body in ("Parameters", parameters), ("Returns", returns), ("Raises", RAISES):
            head += f"\n\n{title}\n{'-' * len(title)}\n{body}"
        function.__doc__ = "\n\n".join([head, *rest])
        return function

    return add


def _entry(name: str, own: str) -> str:
    """The lines of a parameter: name and type, and below them its text."""
    kind, _, text = (own if "\n" in own else PARAMETERS[name]).partition("\n")
    text = own if own and "\n" not in own else text
    return "\n    ".join([f"{name} : {kind}", *textwrap.wrap(" ".join(text.split()), 96)])
