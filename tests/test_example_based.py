"""Accuracy (Jaccard), precision, recall, F1 and Fβ per sample: by hand; scikit-learn: test_small_worlds.py."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlm_helpers.example_based import accuracy, f1, fbeta, precision, recall

NAN = math.nan
METRICS = {
    "accuracy": accuracy,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "f2": partial(fbeta, beta=2),
    "f huge": partial(fbeta, beta=1e200),
    "f tiny": partial(fbeta, beta=1e-200),
}

# The document "多標籤分類的評估指標筆記": hits 1, 1, 2; predicted 1, 2, 3; true 3, 2, 2.
DOCUMENT = (
    [[1, 0, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0]],
    [[1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]],
)
PER_SAMPLE = {
    "accuracy": [1 / 3, 1 / 3, 2 / 3],  # unions of 3, 3 and 3
    "precision": [1, 1 / 2, 2 / 3],
    "recall": [1 / 3, 1 / 2, 1],
    "f1": [2 / 4, 2 / 4, 4 / 5],
    "f2": [5 / 13, 5 / 10, 10 / 11],  # 5·hits of 4·true + predicted
    "f huge": [1 / 3, 1 / 2, 1],  # recall, but for less than floats show
    "f tiny": [1, 1 / 2, 2 / 3],  # precision
}
MEAN = {"accuracy": 4 / 9, "precision": 13 / 18, "recall": 11 / 18, "f1": 3 / 5}  # as printed


@pytest.mark.parametrize("name", METRICS)
def test_of_the_document(name):
    each = METRICS[name](*DOCUMENT, per_sample=True)
    assert_allclose(each, PER_SAMPLE[name], rtol=1e-15)
    assert (each.dtype, each.shape) == (np.float64, (3,))
    value = METRICS[name](*DOCUMENT)
    assert type(value) is float
    assert value == pytest.approx(MEAN.get(name, sum(PER_SAMPLE[name]) / 3), rel=1e-15)


# Samples: ✓ ○ ✗; nothing true or predicted; only ✗; only ○.
CORNERS = (
    [[1, 1, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0]],
    [[1, 0, 1], [0, 0, 0], [0, 1, 0], [0, 0, 0]],
)
EMPTY, LOST = "both sets are empty", "0/0, but not both empty"
CORNER_VALUES = {
    "accuracy": [1 / 3, EMPTY, 0, 0],
    "precision": [1 / 2, EMPTY, 0, LOST],
    "recall": [1 / 2, EMPTY, LOST, 0],
    "f1": [1 / 2, EMPTY, 0, 0],
    "f2": [1 / 2, EMPTY, 0, 0],
    "f huge": [1 / 2, EMPTY, 0, 0],
    "f tiny": [1 / 2, EMPTY, 0, 0],
}
WORTH = {0.0: (0, 0), 1.0: (1, 1), NAN: (NAN, NAN), "agree": (1, 0)}  # of EMPTY and of LOST


@pytest.mark.parametrize("weight", [None, (1, 2, 0, 5)])
@pytest.mark.parametrize("zero_division", WORTH)
@pytest.mark.parametrize("name", METRICS)
def test_every_zero_division(name, zero_division, weight):
    empty, lost = WORTH[zero_division]
    values = [{EMPTY: empty, LOST: lost}.get(v, v) for v in CORNER_VALUES[name]]
    metric = partial(METRICS[name], *CORNERS, zero_division=zero_division, sample_weight=weight)
    assert_allclose(metric(per_sample=True), values, rtol=1e-15)
    kept = [(v, w) for v, w in zip(values, weight or (1, 1, 1, 1), strict=True) if v == v]
    expected = sum(v * w for v, w in kept) / sum(w for _, w in kept)
    assert metric() == pytest.approx(expected, rel=1e-15)
