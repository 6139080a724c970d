"""Facts of notebook 16 on sums over batches, and on its largest data, counted without a scorecard."""

import pickle

import distributed
import numpy as np
from facts import always, as_table, cell_table, cell_text, decimal

from mlm_course import records
from mlm_helpers import example_based, label_based
from mlm_helpers.scorecard import Scorecard

NOTEBOOK = "16_at_scale"


def test_hits_false_alarms_and_misses_of_batches_add_up():
    def add_up(y_true, y_pred):
        batches = [label_based.confusion(y_true[[i]], y_pred[[i]]) for i in range(len(y_true))]
        return (np.sum(batches, axis=0) == label_based.confusion(y_true, y_pred)).all()

    always(add_up)


def test_a_scorecard_of_more_rows_is_no_larger_and_one_of_more_labels_is():
    def n_bytes(n_samples, n_labels):
        truth = np.eye(n_samples, n_labels, dtype=int)
        return len(pickle.dumps(Scorecard.from_batch(truth, truth, truth)))

    assert abs(n_bytes(3_000, 20) - n_bytes(300, 20)) <= 16  # pickled integers take 2 or 4 bytes
    assert n_bytes(300, 40) > n_bytes(300, 20) + 16


def test_a_chunk_that_is_read_twice_counts_twice():
    card = Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    assert (card + card).n_samples == 2 * card.n_samples
    assert ((card + card).confusion.tp == 2 * card.confusion.tp).all()


def test_dask_checks_memory_twice_a_second_and_terminates_workers_over_the_limit():
    options = distributed.config["distributed"]
    assert options["admin"]["system-monitor"]["interval"] == "500ms"
    assert 0 < options["worker"]["memory"]["terminate"] < 1


def test_with_as_many_true_as_predicted_labels_in_each_sample_samples_f1_is_micro_f1():
    def are_equal(y_true, y_pred):
        sizes = {*y_true.sum(axis=1), *y_pred.sum(axis=1)}
        f1s = example_based.f1(y_true, y_pred), label_based.f1(y_true, y_pred, average="micro")
        return len(sizes) > 1 or np.isclose(*f1s)

    always(are_equal)


def test_seconds_and_throughput_of_the_benchmark():
    table, record = cell_table(NOTEBOOK, "12-39"), records.load("bench")
    for timing in record["scale"]["files"]["ways"]:
        seconds, throughput = decimal(timing["s"], 0), decimal(timing["mib_per_s"], 0)
        row = table[timing["way"]]
        assert (row["seconds"], row["MiB/s"]) == (seconds, throughput)
    assert max(record["kinds"][dtype] for dtype in ("bool", "int8")) < record["kinds"]["int64"] / 2


def test_half_a_million_labels():
    """Each sample has five true and five predicted labels: F1 is the share of hits; a label's is from np.bincount."""
    rng, width = np.random.default_rng(0), 100_000  # five slots, each with labels of its own
    true, guess = (width * rng.random((2, 1_000_000, 5)) ** 3).astype(int)  # label 0 most often
    is_known = rng.random(true.shape) > true / width  # else the model guesses, rare labels most
    predicted = np.where(is_known, true, guess)
    is_hit, first_label = true == predicted, width * np.arange(5)
    support, n_predicted, hits = (
        np.bincount((label + first_label).ravel(), weights, minlength=5 * width)
        for label, weights in ((true, None), (predicted, None), (true, is_hit.ravel()))
    )
    f1 = 2 * hits / np.maximum(support + n_predicted, 1)
    is_rare = support <= np.median(support)
    assert np.median(support) < 10  # of a million samples: most labels are rare
    assert f1[is_rare].mean() < f1.mean() < f1[~is_rare].mean()
    rows = [
        ("samples F1", float(is_hit.mean())),
        ("micro F1", float(is_hit.mean())),
        ("macro F1", float(f1.mean())),
        ("wrong cells in a million", float(2 * (~is_hit).sum() / (5 * width))),
        ("the same, of a model that says nothing", 10),
        ("share guessed", float(1 - is_known.mean())),
        ("labels without any true sample", int((support == 0).sum())),
    ]
    assert cell_table(NOTEBOOK, "12-44") == as_table(("value",), *rows)
    gib = 2 * 1_000_000 * 500_000 / 2**30
    assert cell_text(NOTEBOOK, "12-42").startswith(f"dense, a byte per cell: {gib:.0f} GiB\n")
    assert "False" not in cell_text(NOTEBOOK, "12-45")
