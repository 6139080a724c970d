"""An average that is added to the table works wherever values of labels are averaged."""

from functools import partial

import numpy as np
import pytest

from mlm_course import small_data
from mlm_helpers import conventions, curves, data, label_based, thresholds, worked
from mlm_helpers._core.averages import AVERAGES, Averaging
from mlm_helpers.scorecard import Scorecard
from mlm_helpers.uncertainty import interval

Y_TRUE, Y_PRED = [[1, 0, 1], [1, 1, 0]] * 9, [[1, 1, 1], [1, 1, 1]] * 9  # F1: 1, 2/3, 2/3
SCORE = [[0.9, 0.5, 0.5], [0.8, 0.4, 0.6]] * 9


@pytest.fixture(autouse=True)
def lowest(monkeypatch):
    """Macro F1 is 7/9 on these data, and the F1 of the worst label 2/3."""
    averaging = Averaging("the lowest value of a label", combine=lambda v, _: np.nanmin(v))
    monkeypatch.setitem(AVERAGES, "lowest", averaging)
    return partial(label_based.f1, average="lowest")


def test_rooms_that_average_by_the_table_compute_an_average_that_is_added_to_it(lowest):
    assert lowest(Y_TRUE, Y_PRED) == interval(lowest, Y_TRUE, Y_PRED).value == 2 / 3
    assert Scorecard.from_batch(Y_TRUE, Y_PRED).values()["lowest F1"] == 2 / 3
    of_labels = curves.average_precision(Y_TRUE, SCORE, average=None)
    assert curves.average_precision(Y_TRUE, SCORE, average="lowest") == of_labels.min() < 1
    text = conventions.report([lowest], Y_TRUE, Y_PRED)
    assert "lowest F1 = 0.666667: the lowest value of a label; 0/0" in text


def test_rooms_that_compute_means_themselves_refuse_any_other_average(lowest):
    for call in (
        partial(worked.solve, lowest, Y_TRUE, Y_PRED),
        partial(worked.solve, curves.roc_auc, Y_TRUE, SCORE, average="lowest"),
        partial(thresholds.tune, lowest, Y_TRUE, SCORE),
        partial(thresholds.tune, lowest, Y_TRUE, SCORE, per_label=True),
        partial(data.bounds, lowest, Y_TRUE, Y_PRED),
        partial(small_data.unit_values, lowest, np.array([Y_TRUE]), np.array([Y_PRED])),
    ):
        with pytest.raises(ValueError, match=r"lowest.*is not a mean"):
            call()
