"""What notebook 16 says of sums over batches, and what its cells show, counted without a scorecard."""

import inspect
import pickle
from fractions import Fraction as F

import dask
import distributed
import numpy as np
import pytest
import sklearn.metrics as skm
from facts import always, decimal, rows, said, shown

from mlm_course import records
from mlm_helpers import catalogue, example_based, label_based, worked
from mlm_helpers.scorecard import Scorecard

NOTEBOOK = "16_at_scale"
FIRST = [[1, 0], [1, 1]], [[1, 0], [0, 1]]  # truth and prediction
SECOND = [[0, 1]], [[1, 1]]
WHOLE = [one + other for one, other in zip(FIRST, SECOND, strict=True)]


def f1(truth, predicted):
    """Of one label or sample; 0/0 is 0."""
    hits = sum(map(min, truth, predicted))
    return F(2 * hits, (sum(truth) + sum(predicted)) or 1)


def macro_f1(y_true, y_pred):
    labels = zip(zip(*y_true, strict=True), zip(*y_pred, strict=True), strict=True)
    each = [f1(*label) for label in labels]
    return sum(each) / len(each)


def samples_f1(y_true, y_pred):
    return sum(map(f1, y_true, y_pred)) / len(y_true)


# ---------------------------------------------------------------------------- facts


def test_hits_false_alarms_and_misses_of_batches_add_up_and_macro_f1_does_not():
    def holds(y_true, y_pred):
        parts = [label_based.confusion(y_true[[i]], y_pred[[i]]) for i in range(len(y_true))]
        return (np.sum(parts, axis=0) == label_based.confusion(y_true, y_pred)).all()

    always(holds)
    assert macro_f1(*WHOLE) not in (
        (macro_f1(*FIRST) + macro_f1(*SECOND)) / 2,
        (2 * macro_f1(*FIRST) + macro_f1(*SECOND)) / 3,
    )


def test_a_scorecard_of_more_rows_is_no_larger_and_one_of_more_labels_is():
    def size(n_samples, n_labels):
        truth = np.eye(n_samples, n_labels, dtype=int)
        return len(pickle.dumps(Scorecard.from_batch(truth, truth, truth)))

    assert abs(size(30_000, 20) - size(300, 20)) <= 16  # a whole number takes 2 bytes or 4
    assert size(300, 40) > size(300, 20) + 16


def test_the_mean_of_batches_depends_on_their_size():
    sizes = [
        [macro_f1(WHOLE[0][i : i + n], WHOLE[1][i : i + n]) for i in range(0, 3, n)]
        for n in (1, 2, 3)
    ]
    assert len({sum(values) / len(values) for values in sizes}) == 3


def test_what_no_scorecard_has():
    """Counted by the families that read all samples at once, or labels above labels."""
    card = Scorecard.from_batch(*2 * [np.eye(2, dtype=int)], np.eye(2), y_prob=np.eye(2))
    table = shown(NOTEBOOK, "12-17-3")
    missing = {}
    for name, metric in catalogue.variants().items():
        if name not in card.values():
            record = catalogue.of(metric)
            missing.setdefault(record.family, {})[record.name] = None
    assert {
        family: {"not on the card": ", ".join(names)} for family, names in missing.items()
    } == table
    assert [*table] == ["curves", "top k", "probability", "hierarchy"]
    assert table["top k"]["not on the card"].count("propensity-scored") == 2
    assert table["probability"] == {"not on the card": "calibration error"}


def test_a_chunk_that_is_read_twice_counts_twice():
    once = Scorecard.from_batch(*FIRST)
    assert (once + once).n_samples == 2 * once.n_samples
    assert ((once + once).confusion.tp == 2 * once.confusion.tp).all()


def test_map_makes_a_card_only_when_sum_asks_for_it():
    made = []
    waiting = map(made.append, ["chunk"])
    assert made == []
    next(waiting)
    assert made == ["chunk"]


def test_dask_looks_twice_a_second_and_ends_a_worker_that_goes_too_far():
    assert dask.config.get("distributed.admin.system-monitor.interval") == "500ms"
    assert 0 < dask.config.get("distributed.worker.memory.terminate") < 1
    assert inspect.signature(distributed.LocalCluster).parameters["n_workers"].default is None


def test_with_as_many_true_as_predicted_labels_in_each_sample_samples_f1_is_micro_f1():
    def holds(y_true, y_pred):
        sizes = {*y_true.sum(axis=1), *y_pred.sum(axis=1)}
        both = example_based.f1(y_true, y_pred), label_based.f1(y_true, y_pred, average="micro")
        return len(sizes) > 1 or np.isclose(*both)

    always(holds)


# ---------------------------------------------------------------------------- what the cells show


def test_batches_and_the_whole():
    lines = [
        (name, float(macro_f1(*batch))) for name, batch in (("first", FIRST), ("second", SECOND))
    ]
    assert shown(NOTEBOOK, "12-03") == rows(("macro F1",), *lines)
    lines = []
    for name, metric in (("macro F1", macro_f1), ("samples F1", samples_f1)):
        a, b, whole = (metric(*batch) for batch in (FIRST, SECOND, WHOLE))
        lines.append((name, a, b, (a + b) / 2, (2 * a + b) / 3, whole))
    heads = "batch of 2", "batch of 1", "plain mean", "weighted mean", "all rows"
    assert shown(NOTEBOOK, "12-06") == rows(heads, *lines)
    picture = "sample 2: hit label 2, miss label 1; sample 3: hit label 2, false alarm label 1."
    assert said(NOTEBOOK, "12-02-2").endswith(picture)
    labels = zip(zip(*WHOLE[0], strict=True), zip(*WHOLE[1], strict=True), strict=True)
    assert (
        said(NOTEBOOK, "12-08").split()[-2:]
        == [str(f1(*label)) for label in labels]
        == ["1/2", "1"]
    )


def test_the_plain_mean_is_too_low_by_a_twelfth():
    mean, whole = (macro_f1(*FIRST) + macro_f1(*SECOND)) / 2, macro_f1(*WHOLE)
    lines = f"plain mean: {mean}", f"all rows: {whole}", f"too low by {whole - mean}"
    assert said(NOTEBOOK, "12-ladder-2").splitlines() == [*lines]
    assert whole - mean == F(1, 12)


def test_the_counts_of_batches_add_up():
    """Label 1: a hit and a miss, then a false alarm; label 2: a hit each."""
    heads = "label 1", "label 2", "macro F1"
    assert shown(NOTEBOOK, "12-09") == rows(
        heads,
        ("batch of 2", "✓ 1, ✗ 0, ○ 1", "✓ 1, ✗ 0, ○ 0", "5/6"),
        ("batch of 1", "✓ 0, ✗ 1, ○ 0", "✓ 1, ✗ 0, ○ 0", "1/2"),
        ("all rows", "✓ 1, ✗ 1, ○ 1", "✓ 2, ✗ 0, ○ 0", "3/4"),
    )


def test_12_the_scorecard():
    """Samples' F1: 1, 2/3 and 2/3; every value by steps in fractions."""
    assert said(NOTEBOOK, "12-12").splitlines() == [
        "hits per label: [1 1] + [0 1] = [1 2]",
        f"sum of the samples' F1: {1 + 4 / 3:.3f}",
        "over as many samples: 3",
    ]
    table = shown(NOTEBOOK, "12-14")
    assert len({row["value"] for row in table.values()}) > 3
    for name, row in table.items():
        metric = catalogue.variants()[name]
        assert row["value"] == decimal(worked.solve(metric, *WHOLE).value, 6), name
        assert row["better"] == "↑↓"[not catalogue.of(metric).higher_is_better]
        call = row["in scikit-learn"].partition("(")
        options = dict(
            part.split("=") for part in call[2].rstrip(")").replace("'", "").split(", ") if part
        )
        if call[0] not in ("fbeta_score", "zero_one_loss", "none"):
            assert row["value"] == decimal(getattr(skm, call[0])(*WHOLE, **options), 6), name
    assert said(NOTEBOOK, "12-16") == "same values: True\n"
    assert said(NOTEBOOK, "12-18").splitlines()[:2] == [
        "0/0 in samples recall: 1",
        "0/0 in macro recall: 1",
    ]


def test_the_drawn_rows_by_their_bytes():
    """Of 256 bytes so many make a label true, as many predicted, all but ten both."""
    cut = 20 + 3 * np.arange(40)
    hits, each = cut - 10, 1 - 10 / cut
    exact = {
        "micro F1": hits.sum() / cut.sum(),
        "macro F1": each.mean(),
        "weighted F1": (each * cut).sum() / cut.sum(),
        "Hamming loss": 20 / 256,
    }
    table = shown(NOTEBOOK, "12-24")
    for name, value in exact.items():
        assert table[name]["value"] == decimal(value), name
    rng = np.random.default_rng(5)  # samples F1 has no such formula: drawn
    byte = rng.integers(256, size=(20_000, 40))
    truth, predicted = byte < cut, (byte >= 10) & (byte < cut + 10)
    f1s = 2 * (truth & predicted).sum(1) / (truth.sum(1) + predicted.sum(1))
    assert float(table["samples F1"]["value"]) == pytest.approx(f1s.mean(), abs=0.002)
    mib = 2 * 4_500_000 * 40 / 2**20
    assert said(NOTEBOOK, "12-20") == f"4,500,000 rows in 45 chunks, {mib:.0f} MiB\n"
    assert said(NOTEBOOK, "12-25").endswith(
        f"bytes: {each.mean():.3f}; from {each[0]:.2f} to {each[-1]:.2f}\n"
    )
    for cell in ("12-25", "12-32", "12-35"):
        assert "False" not in said(NOTEBOOK, cell)


def test_the_bill_of_the_benchmark():
    record = records.load("bench")["scale"]["files"]
    for way in record["ways"]:
        row = shown(NOTEBOOK, "12-39")[way["way"]]
        assert row["seconds"] == decimal(way["s"], 0) and row["MiB/s"] == decimal(
            way["mib_per_s"], 0
        )
    assert f"{record['samples']:,} samples × {record['labels']} labels" in said(NOTEBOOK, "12-39")


def test_12_half_a_million_labels():
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
    wrong = 2 * (~same).sum() / (5 * width)  # in a million cells, of a million samples
    assert np.median(support) < 10  # of a million samples: most labels are rare
    each = 2 * hits / np.maximum(support + chosen, 1)
    rare = support <= np.median(support)
    assert each[rare].mean() < each.mean() < each[~rare].mean()
    lines = [
        ("samples F1", float(same.mean())),
        ("micro F1", float(same.mean())),
        ("macro F1", float(each.mean())),
        ("wrong cells in a million", float(wrong)),
        ("the same, of a model that says nothing", 10),
        ("share guessed", float(1 - knows.mean())),
        ("labels without any true sample", int((support == 0).sum())),
    ]
    assert shown(NOTEBOOK, "12-44") == rows(("value",), *lines)
    gib = 2 * 1_000_000 * 500_000 / 2**30
    assert said(NOTEBOOK, "12-42").splitlines() == [
        f"dense, a byte per cell: {gib:.0f} GiB",
        "ones in both: 10,000,000",
    ]
    assert "False" not in said(NOTEBOOK, "12-45")


def test_12_the_ladder():
    """The last of nine samples has no hit: its batch counts a third; and of two checkpoints one errs once."""
    assert said(NOTEBOOK, "12-ladder-7") == f"samples F1 {(1 + 1 + 0) / 3:.3f}\n"
    assert said(NOTEBOOK, "12-ladder-9").splitlines() == [
        "samples in each batch: 4 4 1",
        f"samples F1 {F(8, 9)}",
    ]
    truth, lines = [1, 1, 1, 0], []
    for name, predicted in (("first", [1, 1, 0, 0]), ("second", [1, 0, 1, 1])):
        halves = [f1(truth[i : i + 2], predicted[i : i + 2]) for i in (0, 2)]
        lines.append((name, float(sum(halves) / 2), float(f1(truth, predicted))))
    assert shown(NOTEBOOK, "12-ladder-11") == rows(
        ("mean of the batches' F1", "F1 of all rows"), *lines
    )
