"""What notebook 12 says of a card's replicates."""

import numpy as np
import places

from claims import claim
from mlm_helpers import label_based
from mlm_helpers.scorecard import Scorecard, poisson_weights


@claim("Other rows would give another number.")
def _(truth, said):
    halves = zip(np.split(truth, 2), np.split(said, 2), strict=True)
    return len({label_based.f1(*half) for half in halves}) == 2


@claim("A bootstrap, as in 10_how_sure, draws the rows anew, each so and so many times.")
def _():
    """There it is drawn by hand."""
    taught = "".join(p.text for s in places.sections("10_how_sure") for p in s.passages)
    times = poisson_weights(1_000, 1)
    return "resample" in taught and {0, 1, 2} <= {*times.ravel().tolist()}


@claim(
    "A card can do that while it reads: how often a replicate draws a row depends on the seed and the"
    " row's number alone, so that every batch and every machine draws the same, and replicates add up"
    " as the card does."
)
def _(truth, said, whole, merged):
    """A replicate's macro F1 is that of all rows, each as often as its weight says."""
    weights = np.asarray(poisson_weights(len(truth), 200))
    weights = weights if len(weights) == 200 else weights.T
    found = merged.replicated_values()["macro F1"]
    by_hand = [label_based.f1(truth, said, sample_weight=w.astype(float)) for w in weights[:5]]
    same = [
        (a == b).all()
        for a, b in zip(whole.replicates.confusion, merged.replicates.confusion, strict=True)
    ]
    return all(same) and np.allclose(found[:5], by_hand, rtol=0, atol=1e-12)


@claim("A row that two cards have read is refused.")
def _(printed):
    return "row 5 is in both scorecards" in printed


@claim("The card grows with the number of replicates, never with the rows.")
def _(truth, said):
    def size(rows, replicates):
        card = Scorecard.from_batch(truth[:rows], said[:rows], replicates=replicates)
        held = card.replicates
        return sum(array.nbytes for array in (held.sums, *held.confusion))

    return size(100, 20) == size(2_000, 20) < size(100, 40)
