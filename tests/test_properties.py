"""Laws that hold for any truth and prediction, on larger random data."""

from __future__ import annotations

from functools import partial
from itertools import cycle

import all_small
import pytest
from random_inputs import agree, random_matrices

from mlm_helpers import exact_match, example_based, hamming, label_based

SETS = random_matrices("y_pred")[:20]


def test_subset_accuracy_and_zero_one_loss_are_complements():
    for y_true, y_pred, weights in SETS:
        right = exact_match.subset_accuracy(y_true, y_pred, sample_weight=weights)
        wrong = exact_match.zero_one_loss(y_true, y_pred, sample_weight=weights)
        assert agree(right + wrong, 1)


def test_hamming_loss_is_fp_and_fn_of_four_counts_that_add_up_to_the_weights():
    for y_true, y_pred, weights in SETS:
        tp, fp, fn, tn = label_based.confusion(y_true, y_pred, sample_weight=weights)
        loss = hamming.hamming_loss(y_true, y_pred, sample_weight=weights)
        assert agree(loss, (fp + fn).sum() / (tp + fp + fn + tn).sum())
        assert agree(tp + fp + fn + tn, [sum(weights)] * len(y_true[0]))


SWAPS = [
    (example_based, {}),
    *((label_based, {"average": average}) for average in ("macro", "micro", None)),
]


@pytest.mark.parametrize(("family", "average"), SWAPS)
def test_swapping_truth_and_prediction(family, average):
    """Precision becomes recall, and F1 and Jaccard stay.

    "weighted" is left out, as it reads the truth.
    """
    for (y_true, y_pred, weights), zero_division in zip(SETS, cycle(all_small.ZERO_DIVISIONS)):
        options = average | {"zero_division": zero_division, "sample_weight": weights}
        precision = family.precision(y_true, y_pred, **options)
        assert agree(family.recall(y_pred, y_true, **options), precision)
        jaccard = family.accuracy if family is example_based else family.jaccard
        for metric in (family.f1, jaccard):
            assert agree(metric(y_pred, y_true, **options), metric(y_true, y_pred, **options))


@pytest.mark.parametrize(("family", "average"), [*SWAPS, (label_based, {"average": "weighted"})])
def test_fbeta_is_precision_f1_and_recall_at_beta_0_1_and_infinity(family, average):
    for (y_true, y_pred, weights), zero_division in zip(SETS, cycle(all_small.ZERO_DIVISIONS)):
        options = average | {"zero_division": zero_division, "sample_weight": weights}
        fbeta = partial(family.fbeta, y_true, y_pred, **options)
        assert agree(fbeta(beta=1), family.f1(y_true, y_pred, **options))
        assert agree(fbeta(beta=0), family.precision(y_true, y_pred, **options))
        # Without relevant labels recall is 0/0, but Fβ may not be. So every sample and label has
        # one here.
        relevant = y_true.copy()
        relevant[:, 0] = relevant[0, :] = 1
        options["sample_weight"] = weights + 1  # The only relevant sample of a label may weigh 0.
        large = family.fbeta(relevant, y_pred, **options, beta=1e8)
        assert agree(large, family.recall(relevant, y_pred, **options))
