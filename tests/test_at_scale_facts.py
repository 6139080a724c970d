"""What notebook 16 says of sums over batches and of its largest data, counted without a scorecard."""

import pickle

import distributed
import numpy as np
from facts import always, as_table, cell_table, cell_text, decimal

from mlm_course import records
from mlm_helpers import example_based, label_based
from mlm_helpers.scorecard import Scorecard

NOTEBOOK = "16_at_scale"


def test_hits_false_alarms_and_misses_of_batches_add_up():
    def holds(y_true, y_pred):
        parts = [label_based.confusion(y_true[[i]], y_pred[[i]]) for i in range(len(y_true))]
        return (np.sum(parts, axis=0) == label_based.confusion(y_true, y_pred)).all()

    always(holds)


def test_a_scorecard_of_more_rows_is_no_larger_and_one_of_more_labels_is():
    def size(n_samples, n_labels):
        truth = np.eye(n_samples, n_labels, dtype=int)
        return len(pickle.dumps(Scorecard.from_batch(truth, truth, truth)))

    assert abs(size(3_000, 20) - size(300, 20)) <= 16  # a whole number takes 2 bytes or 4
    assert size(300, 40) > size(300, 20) + 16


def test_a_chunk_that_is_read_twice_counts_twice():
    once = Scorecard.from_batch([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    assert (once + once).n_samples == 2 * once.n_samples
    assert ((once + once).confusion.tp == 2 * once.confusion.tp).all()


def test_dask_checks_memory_twice_a_second_and_terminates_workers_over_the_limit():
    options = distributed.config["distributed"]
    assert options["admin"]["system-monitor"]["interval"] == "500ms"
    assert 0 < options["worker"]["memory"]["terminate"] < 1


def test_with_as_many_true_as_predicted_labels_in_each_sample_samples_f1_is_micro_f1():
    def holds(y_true, y_pred):
        sizes = {*y_true.sum(axis=1), *y_pred.sum(axis=1)}
        both = example_based.f1(y_true, y_pred), label_based.f1(y_true, y_pred, average="micro")
        return len(sizes) > 1 or np.isclose(*both)

    always(holds)


def test_seconds_and_throughput_of_the_benchmark():
    for way in records.load("bench")["scale"]["files"]["ways"]:
        row = cell_table(NOTEBOOK, "12-39")[way["way"]]
        assert [row["seconds"], row["MiB/s"]] == [decimal(way[of], 0) for of in ("s", "mib_per_s")]
    kinds = records.load("bench")["kinds"]
    assert max(kinds["bool"], kinds["int8"]) < kinds["int64"] / 2


def test_half_a_million_labels():
    """Five true and five predicted labels of a sample: the hits decide; a label's F1 is counted by np.bincount."""
    rng, width = np.random.default_rng(0), 100_000
    true, guess = (width * rng.random((2, 1_000_000, 5)) ** 3).astype(int)
    knows = rng.random(true.shape) > true / width
    predicted = np.where(knows, true, guess)
    same, fifth = true == predicted, width * np.arange(5)
    support, chosen, hits = (
        np.bincount((label + fifth).ravel(), weights, minlength=5 * width)
        for label, weights in ((true, None), (predicted, None), (true, same.ravel()))
    )
    each = 2 * hits / np.maximum(support + chosen, 1)
    rare = support <= np.median(support)
    assert np.median(support) < 10  # of a million samples: most labels are rare
    assert each[rare].mean() < each.mean() < each[~rare].mean()
    lines = [
        ("samples F1", float(same.mean())),
        ("micro F1", float(same.mean())),
        ("macro F1", float(each.mean())),
        ("wrong cells in a million", float(2 * (~same).sum() / (5 * width))),
        ("the same, of a model that says nothing", 10),
        ("share guessed", float(1 - knows.mean())),
        ("labels without any true sample", int((support == 0).sum())),
    ]
    assert cell_table(NOTEBOOK, "12-44") == as_table(("value",), *lines)
    gib = 2 * 1_000_000 * 500_000 / 2**30
    assert cell_text(NOTEBOOK, "12-42").startswith(f"dense, a byte per cell: {gib:.0f} GiB\n")
    assert "False" not in cell_text(NOTEBOOK, "12-45")
