"""What notebook 12 says, beside what makes it true."""

import inspect
import json
import re
from math import isclose
from pathlib import Path

import distributed
import numpy as np
from scipy.sparse import csr_array

from claims import claim, on_trust
from mlm_helpers import catalogue, example_based, label_based
from mlm_helpers.records import load
from mlm_helpers.scorecard import Scorecard

ROOT = Path(__file__).parents[2]
FOUR = {"tp", "fp", "fn", "tn"}


SOURCE = "\n".join(
    "".join(cell["source"])
    for cell in json.loads((ROOT / "notebooks/12_at_scale.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
)


def drawn(samples, labels):
    return np.random.default_rng(0).integers(2, size=(2, samples, labels))


def by_rows(metric, *batches):
    """The mean of the batches' values, the rows being the weights."""
    return np.average([metric(*batch) for batch in batches], weights=[len(b[0]) for b in batches])


def kept(card):
    """How many numbers a scorecard keeps."""
    return len(re.findall(r"\d+", card.to_json()))


@claim(
    "After this notebook you can say why a mean can be merged and a metric cannot, compute every"
    " metric of notebooks 01 to 05 and 07 in one pass over more data than you let into memory, do it"
    " on many processes or machines with the same three lines, and trust the result after one of them"
    " has died."
)
def _():
    values = Scorecard.from_batch([[1, 0]], [[1, 0]], [[0.9, 0.1]]).values()
    families = [*catalogue.FAMILIES]
    taught = {n for n, f in catalogue.variants().items() if catalogue.of(f).family != "curves"}
    return families.index("curves") == 5 and len(taught) == 30 and taught <= set(values)


@claim(
    "You need: 02_example_based and 04_label_based, or their last paragraphs, and the packages of"
    " the extra scale, which make lab installs."
)
def _():
    """It installs them; beside curves, for one picture of bins, it calls functions of no other family."""
    families = "|".join({record.id.split(".")[0] for record in catalogue.METRICS})
    used = set(re.findall(rf"\b({families})\.(?!ipynb)\w", SOURCE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return (
        used == {"example_based", "label_based", "curves"}
        and "\nlab: $(VENV)/scale.done " in makefile
    )


@claim(
    "Three rows, two labels, and a program that sees the rows in two batches: first two of them,"
    " then one."
)
def _(first, second):
    return np.shape(first) == (2, 2, 2) and np.shape(second) == (2, 1, 2)


@claim(
    "For macro F1, and for F1 per sample:",
    "F1 per sample is a mean over samples, so the weighted mean of the batches is right: 7/9.",
    "Macro F1 is 3/4, and neither mean of 5/6 and 1/2 says so.",
)
def _(first, second, everything):
    samples = by_rows(example_based.f1, first, second)
    a, b = label_based.f1(*first), label_based.f1(*second)
    macro = label_based.f1(*everything)
    return (
        isclose(samples, 7 / 9)
        and isclose(samples, example_based.f1(*everything))
        and (macro, b) == (3 / 4, 1 / 2)
        and isclose(a, 5 / 6)
        and macro not in (round((a + b) / 2, 9), round((2 * a + b) / 3, 9))
    )


@claim(
    "A mean is a sum divided by a count, and sums and counts add up.",
    "What adds up are the hits, false alarms and misses of each label; that is the left part of"
    " the picture.",
    "Sums over samples and counts per label add up; metrics do not.",
    "A scorecard is what adds up.",
)
def _():
    one, other = drawn(5, 3), drawn(4, 3)
    whole = np.concatenate([one, other], axis=1)
    total = Scorecard.from_batch(*one) + Scorecard.from_batch(*other)
    counts = [
        ours + theirs
        for ours, theirs in zip(
            label_based.confusion(*one), label_based.confusion(*other), strict=True
        )
    ]
    f1s = sum(example_based.f1(*b, per_sample=True).sum() for b in (one, other))
    return (
        np.array_equal(counts, label_based.confusion(*whole))
        and np.array_equal(counts, total.confusion)
        and isclose(f1s / 9, example_based.f1(*whole))
        and not isclose(label_based.f1(*one) + label_based.f1(*other), label_based.f1(*whole))
    )


@claim(
    "By hand: label 1 is found once, missed once and called once in vain, 2·1/(2·1 + 1 + 1) = 1/2.",
    "Label 2 is found both times, F1 = 1.",
)
def _(everything):
    counts = label_based.confusion(*everything)
    return (counts.tp[0], counts.fn[0], counts.fp[0]) == (1, 1, 1) and list(
        label_based.f1(*everything, average=None)
    ) == [1 / 2, 1] == [2 * 1 / (2 * 1 + 1 + 1), counts.tp[1] / 2]


@claim("The mistake in the second batch meets the hit in the first inside the fraction.")
def _(first, second):
    one, other = label_based.confusion(*first), label_based.confusion(*second)
    return (one.tp[0], one.fp[0], other.tp[0], other.fp[0]) == (1, 0, 0, 1)


@claim(
    "After dividing, it is too late:",
    "So: add first, divide last.",
    "What does not is the column on the right.",
)
def _(first, second, everything):
    """The picture's column of macro F1s: neither mean of the first two is the third."""
    a, b, whole = (label_based.f1(*batch) for batch in (first, second, everything))
    return whole != (a + b) / 2 and sum(label_based.confusion(*everything).tp) == 3


@claim(
    "Many programs average over batches all the same, and their number then depends on the size"
    " of a batch."
)
def _(everything):
    y_true, y_pred = map(np.array, everything)
    sizes = [
        np.mean([label_based.f1(y_true[i : i + n], y_pred[i : i + n]) for i in range(0, 3, n)])
        for n in (1, 2, 3)
    ]
    return len({round(mean, 9) for mean in sizes}) == 3


@claim(
    "A scorecard keeps what adds up, and nothing else: sums over samples, and four counts for each"
    " label.",
    "Its size depends on the number of labels, never on the number of rows.",
    "Its size depends on the labels, not on the rows.",
)
def _():
    small, long, wide = (
        Scorecard.from_batch(*drawn(*shape)) for shape in [(2, 3), (99, 3), (2, 9)]
    )
    four = set(small.confusion._fields) == FOUR and np.shape(small.confusion) == (4, 3)
    return (
        four and kept(small) <= kept(long) <= 1.5 * kept(small) and kept(wide) - kept(small) >= 24
    )


@claim(
    "All set metrics of the course come out at once, with scikit-learn's name for each:",
)
def _(total, printed):
    shown = total.table().to_text()
    sets = [record for record in catalogue.METRICS if record.reads == "y_pred"]
    return shown in printed and all(record.sklearn_name in shown for record in sets)


@claim(
    "The conventions of 02 have not gone away.",
    "A scorecard remembers them, counts how often they were needed, travels as JSON text, and"
    " refuses what does not fit:",
)
def _(empty, total, same, printed):
    return (
        empty.conventions["zero_division"] == 1.0 != total.conventions["zero_division"]
        and empty.undefined()["samples recall"] == 1
        and same(empty, Scorecard.from_json(empty.to_json()))
        and "in one scorecard and" in printed
    )


@claim("Seven million rows of 40 labels, in chunks.")
def _(ROWS, LABELS, CHUNKS, here):
    return (ROWS * CHUNKS, LABELS) == (7_000_000, 40) == (here.n_samples, here.n_labels)


@claim("Truth and prediction of a chunk are two .npy files with a byte per cell.")
def _(on_disk, ROWS, LABELS, CHUNKS):
    return 0 < on_disk - 2 * ROWS * LABELS * CHUNKS <= 2 * 128 * CHUNKS  # a head of 128 bytes


@claim(
    "(Your data may lie in Zarr, Parquet or a database; all that matters is that one chunk can be read alone.)"
)
def _(card_of):
    return list(inspect.signature(card_of).parameters) == ["chunk"]


@claim("We allow each worker less than that, by a limit, as if they did not.")
def _(on_disk, code):
    said = re.search(r"LIMIT = (\d+) \* 2\*\*20", SOURCE)
    return int(said[1]) * 2**20 < on_disk


@claim(
    "One random byte decides each cell, true and predicted.",
    "The first label is the rarest and the last the most frequent.",
    "Of 256 bytes, 20 make the first label true, 20 make it predicted, and 10 do both: an F1 of 0.5.",
    "Of the last label's 137, all but 10 are hits.",
)
def _(cut, here):
    byte = np.arange(256)[:, None]
    true, said = byte < cut, (byte >= 10) & (byte < cut + 10)
    counts, f1s = label_based.confusion(true, said), label_based.f1(true, said, average=None)
    support = here.confusion.tp + here.confusion.fn
    return (
        (true[:, 0].sum(), said[:, 0].sum(), counts.tp[0], f1s[0]) == (20, 20, 10, 0.5)
        and (true[:, -1].sum(), counts.tp[-1]) == (137, 127)
        and (support.argmin(), support.argmax()) == (0, 39)
        and np.allclose(label_based.f1(true, said), here.values()["macro F1"], atol=1e-3)
    )


@claim("We count on the side, to have a number that no scorecard has touched.")
def _(hits, positives, here, code):
    return isclose(2 * hits / positives, here.values()["micro F1"]) and "hits += np" in code


@claim("A memory-mapped file takes memory only for what is read of it.")
def _(code):
    return 'mmap_mode="r"' in code and issubclass(np.memmap, np.ndarray)


@claim(
    "This function reads one chunk and forgets it:",
    "Send names, not data, and let the function only read: then a worker may die.",
    "That is safe because card_of only reads.",
)
def _(text):
    (body,) = re.findall(r"def card_of.*?\n\n?(?=\S|$)", SOURCE, re.S)
    return 'mmap_mode="r"' in body and "save" not in body and "global" not in body


@claim(
    "And these are the three lines, still without Dask:",
    "One per chunk, then sum: the same three lines on one core and on a cluster.",
)
def _():
    lines = ["cards = map(card_of, chunks)", "here = sum(cards)", "here.values()"]
    dask = ["cards = client.map(card_of, chunks)", "client.submit(sum, cards)"]
    return all(line in SOURCE for line in lines + dask)


@claim(
    "Macro: the ten bytes that are missed weigh most where a label is rare. map makes a card only"
    " when sum asks for it, so there are never more than two."
)
def _(cut, here):
    f1s = 1 - 10 / cut
    called: list[str] = []
    waiting = map(called.append, ["chunk"])
    values = here.values()
    return (
        f1s.argmin() == cut.argmin() == 0
        and values["macro F1"] < values["micro F1"]
        and not called
        and next(waiting) is None
        and called == ["chunk"]
    )


@claim("LocalCluster is the embedded one: processes on this machine, nothing to install or start.")
def _():
    return inspect.signature(distributed.LocalCluster).parameters["processes"].default is None


@claim(
    "If you have a real cluster, put the address of its scheduler into the environment, and nothing"
    " else changes (the files must then lie where all workers can read them)."
)
def _(code):
    return (
        'os.environ.get("DASK_SCHEDULER_ADDRESS")' in code and "scheduler or LocalCluster" in code
    )


@claim("Workers get the name of a chunk and send back a scorecard; the data never travel.")
def _(chunks, cards):
    return all(isinstance(chunk, str) for chunk in chunks) and len(cards) == len(chunks)


@claim("(Tests set TQDM_DISABLE: nobody watches them.)")
def _():
    return 'os.environ["TQDM_DISABLE"] = "1"' in (ROOT / "conftest.py").read_text(encoding="utf-8")


@claim(
    "Dask looks at the memory of each worker twice a second, and ends a worker that goes too far;"
    " we ask for the largest number that it has seen."
)
def _():
    import dask

    seconds = dask.config.get("distributed.admin.system-monitor.interval")
    ends = dask.config.get("distributed.worker.memory.terminate")
    return seconds == "500ms" and 0 < ends < 1 and "max(dask_worker.monitor" in SOURCE


@claim(
    "submit(sum, cards) lets one worker collect all cards.",
    "With 40 labels they are small.",
    "With half a million a card is large; then let workers add up neighbours first,"
    " [client.submit(sum, cards[i : i + 16]) for i in range(0, len(cards), 16)], and add up those.",
)
def _(same):
    one = Scorecard.from_batch(*drawn(3, 2))
    cards = [one] * 40
    neighbours = [sum(cards[i : i + 16]) for i in range(0, len(cards), 16)]
    bytes_of = 4 * 8  # counts of a label
    return same(sum(neighbours), sum(cards)) and 40 * bytes_of < 2**12 < 2**23 < 500_000 * bytes_of


@claim(
    "Half of the chunks are done, and their cards lie in the memory of the workers.",
    "The other half is under way.",
    "Now we kill the worker that holds most.",
    "All its cards are lost, and the sum is the same.",
    "Dask knows from which call each card came, and makes that call again on another worker.",
)
def _(half, CHUNKS, lost, holders, victim, here, after, same, printed):
    return (
        half * 2 == CHUNKS
        and sum(holders.values()) >= half
        and lost == max(holders.values()) > 0
        and "the worker is gone: True" in printed
        and same(here, after)
    )


@claim(
    "And no chunk is counted twice, because the sum takes each card once; a counter that all"
    " workers add to would count the repeated chunks again."
)
def _(here, after, lost, ROWS):
    return after.n_samples == here.n_samples < here.n_samples + lost * ROWS


@claim("Seconds depend on the machine, so the last make bench says them, in its own file.")
def _(record):
    return record == load("bench")


@claim("It runs one thread in each worker, on files just written.")
def _():
    code = (ROOT / "benchmarks/scale.py").read_text(encoding="utf-8")
    return '"threads_per_worker": 1' in code


@claim(
    "Compare the first two lines: that is what Dask costs.",
    "Compare the last two: that is what a second worker brings, if a second core is free.",
)
def _(files, record):
    alone, one, two = files["ways"]
    names = [way["way"] for way in files["ways"]] == [
        "one process, without Dask", "1 worker", "2 workers"
    ]  # fmt: skip
    return (
        names
        and one["s"] > alone["s"]
        and one["s"] > two["s"]
        and record["environment"]["cores"] == 2
    )


@claim("More rows take more time, and no more memory.")
def _(files, on_disk):
    """The benchmark's data are several times those above; its workers keep to about as little."""
    larger = files["data_mib"] * 2**20 > 4 * on_disk
    return larger and all(way.get("peak_mib", 0) < files["limit_mib"] for way in files["ways"])


@claim(
    "In extreme classification (tags, products, articles) the labels are many, most of them are"
    " rare, and each sample has few."
)
def _(y_true, LABELS, ROWS):
    support = y_true.sum(axis=0)
    return LABELS == 500_000 and np.median(support) < 1e-5 * ROWS and y_true.nnz == 5 * ROWS


@claim("As a dense matrix this does not fit on one machine.")
def _(ROWS, LABELS):
    return 2 * ROWS * LABELS / 2**30 > 900  # GiB


@claim("As a sparse one (CSR: only the places of the ones are stored) it does:")
def _(y_true, y_pred):
    stored = sum(m.data.nbytes + m.indices.nbytes + m.indptr.nbytes for m in (y_true, y_pred))
    return isinstance(y_true, csr_array) and set(np.unique(y_true.data)) == {1} and stored < 2**28


@claim(
    "The model guesses one label in four, and mostly rare ones.",
    "Micro F1 looks well, macro F1 does not: most labels are rare, and those the model hardly knows.",
)
def _(knows, true, values, WIDTH):
    guessed = true[~knows]
    return (
        isclose(1 - knows.mean(), 1 / 4, abs_tol=1e-3)
        and np.median(guessed) > 4 * np.median(true)
        and values["micro F1"] > 0.74 > 0.51 > values["macro F1"]
        and knows[true > 0.9 * WIDTH].mean() < 0.1
    )


@claim(
    "(Samples F1 equals micro F1 here, because every sample has five true labels and five predicted"
    " ones.)"
)
def _(y_true, y_pred, values):
    five = {5} == set(np.diff(y_true.indptr)) == set(np.diff(y_pred.indptr))
    return five and isclose(values["samples F1"], values["micro F1"])


@claim(
    "Hamming loss is 0 for everybody to four decimals; nearly all it counts is zeros rightly left"
    " out."
)
def _(values, y_true, ROWS, LABELS, total):
    silence = y_true.nnz / (ROWS * LABELS)
    return (
        round(values["Hamming loss"], 4) == round(silence, 4) == 0
        and total.confusion.tn.sum() > 0.9999 * ROWS * LABELS
    )


on_trust("On a large cluster some machine fails sooner or later.", "experience")
on_trust("So take F1, micro and macro side by side.", "advice")
on_trust(
    "Where users see only the first few labels, what counts is the precision among those.", "advice"
)
