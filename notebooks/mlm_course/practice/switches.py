"""The conventions that can be chosen in the explorer."""

from typing import Any

_EACH: tuple[str, dict[str, Any]] = ("as each metric has it", {})
_TIES = {
    "tied labels share the last rank": "worst",
    "tied labels share the first rank": "best",
    "tied labels share the mean rank": "average",
    "the first label wins": "first",
    "the last label wins": "last",
}
_EMPTY = {"0": 0, "1": 1, "left out of the mean": "nan"}


def switches(n_labels: int) -> list[dict[str, Any]]:
    """The switches for conventions: each choice in words, with the options that it sets."""
    empty = [(says, {"zero_division": v, "undefined": v}) for says, v in _EMPTY.items()]
    agree = ("1 where nothing is wrong", {"zero_division": "agree"})
    points = {"none": None, "at every recall": "all", "at 11 recalls": 11, "at 101 recalls": 101}
    every = {
        "Ties": [_EACH, *_options("ties", _TIES)],
        "0/0 is": [_EACH, *empty, agree],
        "k": _options("k", {str(k): k for k in range(1, n_labels + 1)}),
        "β": _options("beta", {"2": 2, "1": 1, "1/2": 0.5, "0": 0}),
        "The top rank is": _options("start", {"1": 1, "0": 0}),
        "Interpolation": _options("interpolation", points),
    }
    return [
        {"says": name, "choices": [{"says": says, "options": options} for says, options in choices]}
        for name, choices in every.items()
    ]


def _options(name: str, values: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """In words, each value of an option."""
    return [(says, {name: value}) for says, value in values.items()]
