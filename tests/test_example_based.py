"""Metrics of samples by hand. test_all_small.py compares them with scikit-learn."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mlm_helpers.example_based import accuracy, f1, fbeta, precision, recall

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
    "f huge": [1 / 3, 1 / 2, 1],  # recall, to the precision of floats
    "f tiny": [1, 1 / 2, 2 / 3],  # precision
}
MEAN = {"accuracy": 4 / 9, "precision": 13 / 18, "recall": 11 / 18, "f1": 3 / 5}  # as printed


@pytest.mark.parametrize("name", METRICS)
def test_values_of_the_document(name):
    values = METRICS[name](*DOCUMENT, per_sample=True)
    assert_allclose(values, PER_SAMPLE[name], rtol=1e-15)
    assert (values.dtype, values.shape) == (np.float64, (3,))
    value = METRICS[name](*DOCUMENT)
    assert type(value) is float
    assert value == pytest.approx(MEAN.get(name, sum(PER_SAMPLE[name]) / 3), rel=1e-15)
