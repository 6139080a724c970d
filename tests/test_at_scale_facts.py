"""Facts of notebook 16 on sums over batches, and on its largest data, without a scorecard."""

import pickle

import numpy as np
from facts import always, as_table, cell_table, cell_text, decimal

from mlm_course import records
from mlm_helpers import label_based
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


def test_counters_of_a_stream_are_the_confusion_of_all_samples():
    def agree(y_true, y_pred):
        tp, fp, fn = (np.zeros(y_true.shape[1], int) for _ in range(3))
        for true, predicted in zip(y_true, y_pred, strict=True):
            tp, fp, fn = (
                tp + true * predicted,
                fp + predicted * (1 - true),
                fn + true * (1 - predicted),
            )
        counters = tp, fp, fn, len(y_true) - tp - fp - fn
        return np.array_equal(counters, label_based.confusion(y_true, y_pred))

    always(agree)


def test_macro_f1_is_the_mean_of_the_buckets_weighted_by_their_labels():
    rng = np.random.default_rng(0)
    for n_labels in (5, 30, 200):
        y_true, y_pred = rng.random((2, 40, n_labels)) < rng.random(n_labels) ** 2
        bucket = rng.integers(3, size=n_labels)
        sizes = [(bucket == b).sum() for b in {*bucket}]
        means = [label_based.f1(y_true[:, bucket == b], y_pred[:, bucket == b]) for b in {*bucket}]
        assert np.isclose(np.average(means, weights=sizes), label_based.f1(y_true, y_pred))


def test_seconds_and_throughput_of_the_benchmark():
    table, ways = cell_table(NOTEBOOK, "12-39"), records.load("bench")["scale"]["files"]["ways"]
    for way in ways:
        row, texts = table[way["way"]], [decimal(way[key], 0) for key in ("s", "mib_per_s")]
        assert [row["seconds"], row["MiB/s"]] == texts
    assert ways[-1]["s"] < ways[-2]["s"]


def test_half_a_million_labels():
    """Each sample has five true and five predicted labels: F1 is the share of hits.

    A label's is from np.bincount.
    """
    rng, width = np.random.default_rng(0), 100_000  # five slots, each with labels of its own
    true, guess = (width * rng.random((2, 1_000_000, 5)) ** 3).astype(int)  # label 0 most often
    is_known = rng.random(true.shape) > true / width  # else the model guesses, rare labels most
    predicted = np.where(is_known, true, guess)
    is_hit, first_label = true == predicted, width * np.arange(5)

    def label_counts(label, weights=None):
        return np.bincount((label + first_label).ravel(), weights, minlength=5 * width)

    training, test = label_counts(true[:500_000]), slice(500_000, None)
    support, hits = label_counts(true[test]), label_counts(true[test], is_hit[test].ravel())
    f1 = 2 * hits / np.maximum(support + label_counts(predicted[test]), 1)
    in_bucket = training >= 100, (training >= 20) & (training < 100), training < 20, training >= 0
    columns = "labels", "of positives", "mean F1", "without a true sample"
    rows = []
    for name, b in zip(("head", "medium", "tail", "all labels"), in_bucket, strict=True):
        share, n_without = support[b].sum() / 2_500_000, int((support[b] == 0).sum())
        rows.append((name, int(b.sum()), share, f1[b].mean(), n_without))
    assert cell_table(NOTEBOOK, "12-44") == as_table(columns, *rows)
    text, n_wrong = cell_text(NOTEBOOK, "12-44"), 2 * (~is_hit[test]).sum()
    assert text.startswith(f"micro F1 {is_hit[test].mean():.3f}, macro F1 {f1.mean():.3f}\n")
    assert f"million: {n_wrong / 250_000:.1f}\nif nothing is predicted: 10.0" in text
    assert 0.2 < 1 - is_known.mean() < 0.3
    missed, drawn = (training[(label + first_label)[~is_known]] for label in (true, guess))
    assert (missed < 20).mean() > 0.99 and (drawn > missed).mean() > 0.6
    gib = 2 * 1_000_000 * 500_000 / 2**30
    assert cell_text(NOTEBOOK, "12-42").startswith(f"dense, a byte per cell: {gib:.0f} GiB\n")
