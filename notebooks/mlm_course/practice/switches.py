"""The conventions that can be chosen in the explorer."""

from collections.abc import Iterator
from typing import Any

from mlm_helpers._core import inputs

_TIES = {
    "worst": "tied labels share the last rank",
    "best": "tied labels share the first rank",
    "average": "tied labels share the mean rank",
    "first": "the first label wins",
    "last": "the last label wins",
}
_EMPTY = {0: "0", 1: "1", "nan": "left out of the mean"}
_BETAS = {2: "2", 1: "1", 0.5: "1/2", 0: "0"}
_POINTS = {None: "none", "all": "at every recall", 11: "at 11 recalls", 101: "at 101 recalls"}


def switches(n_labels: int) -> Iterator[dict[str, Any]]:
    """The switches for conventions: each choice in words, with the options that it sets."""
    each: list[dict[str, Any]] = [{"says": "as each metric has it", "options": {}}]
    ties = [{"says": _TIES[one], "options": {"ties": one}} for one in inputs.TIES]
    yield {"says": "Ties", "choices": each + ties}
    empty = [
        {"says": says, "options": {"zero_division": value, "undefined": value}}
        for value, says in _EMPTY.items()
    ]
    agree = {"says": "1 where nothing is wrong", "options": {"zero_division": "agree"}}
    yield {"says": "0/0 is", "choices": [*each, *empty, agree]}
    own: dict[str, tuple[str, dict[Any, str]]] = {
        "k": ("k", {k: str(k) for k in range(1, n_labels + 1)}),
        "beta": ("β", _BETAS),
        "start": ("The top rank is", {1: "1", 0: "0"}),
        "interpolation": ("Interpolation", _POINTS),
    }
    for option, (name, words) in own.items():
        choices = [{"says": says, "options": {option: value}} for value, says in words.items()]
        yield {"says": name, "choices": choices}
