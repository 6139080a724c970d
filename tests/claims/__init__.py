"""What the text says, beside what makes it true.

    @claim("Precision divides by what was predicted: how much of what the model said is true?")
    def _(y_true, y_pred):
        return example_based.precision(y_true, y_pred) == ...

A quote is a whole sentence of a notebook or of the README, as a reader sees it (`prose.sentences`);
one check may take several, wherever they stand. The check returns True or False. Its arguments are
variables of the notebook as they are at the end of the quote's section (from heading to heading);
`printed` is what that section prints, `code` its code, `text` all the Markdown of the place.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import worlds

Check = Callable[..., bool]


class Claim(NamedTuple):
    quote: str
    check: Check


CLAIMS: list[Claim] = []
ON_TRUST: dict[str, str] = {}  # sentences that no check can compute, and where to look


def claim(*quotes: str) -> Callable[[Check], Check]:
    """Put a check beside the sentences that it guards."""

    def beside(check: Check) -> Check:
        CLAIMS.extend(Claim(quote, check) for quote in quotes)
        return check

    return beside


def on_trust(quote: str, look: str) -> None:
    """List a sentence that can't be computed, with where to look."""
    assert look, f"say where to look: {quote}"
    ON_TRUST[quote] = look


SHAPES = ((2, 2), (1, 3), (3, 1))  # samples, labels


def always(says: Check, shapes: Iterable[tuple[int, int]] = SHAPES) -> bool:
    """Whether it holds of every truth with every prediction, or with every order: y_score.

    always(lambda y_true, y_pred: example_based.f1(y_true, y_pred) <= 1)
    """
    return not sometimes(says, shapes, holds=False)


def sometimes(
    says: Check, shapes: Iterable[tuple[int, int]] = SHAPES, *, holds: bool = True
) -> bool:
    """Whether it holds of some truth with some prediction, or some order: y_score."""
    assert callable(says), "give it a function of y_true and y_pred, or of y_true and y_score"
    for shape in shapes:
        for world in _worlds(*shape, _scores(says)):
            if bool(says(*world)) is holds:
                print(
                    "it does" if holds else "it does not", "hold of", *map(np.ndarray.tolist, world)
                )
                return True
    return False


def _scores(says: Check) -> bool:
    _, read = inspect.signature(says).parameters
    assert read in ("y_pred", "y_score"), "name the second argument y_pred or y_score"
    return read == "y_score"


@cache
def _worlds(n_samples: int, n_labels: int, scores: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    return [
        (np.array(y_true), np.array(read))
        for y_true, read in worlds.pairs(n_samples, n_labels, scores)
    ]
