"""A scorecard of more data than the workers may hold: chunks on disk, one pass, one or more workers."""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import data
from benchmarks.measure import extra_memory, rounded
from mlm_helpers.scorecard import Scorecard
from mlm_helpers.top_k import ndcg

MIB = 2**20
LIMIT = 300  # MiB that a worker may hold
KEEP = {f"MALLOC_{when}_THRESHOLD_": str(256 * MIB) for when in ("TRIM", "MMAP")}
"""Lets glibc keep what is freed: by Dask's setting a worker gives it back, and asks for it again."""

Way = tuple[Scorecard, float]
"""What a way of adding gave, and its seconds."""


def write_chunks(folder: Path, samples: int, labels: int, per_chunk: int) -> list[Path]:
    """Write truth and prediction of each chunk as .npy files of a byte per cell.

    One random byte decides a cell of both: of 256, 50 are true and 50 are predicted, 40 of them both.
    """
    rng = np.random.default_rng(0)
    chunks: list[Path] = []
    for first in range(0, samples, per_chunk):
        size = min(per_chunk, samples - first), labels
        byte = rng.integers(256, size=size, dtype=np.uint8)
        chunks.append(folder / f"{len(chunks):06}")
        np.save(f"{chunks[-1]}_true.npy", (byte < 50).view(np.uint8))
        np.save(f"{chunks[-1]}_pred.npy", ((byte >= 10) & (byte < 60)).view(np.uint8))
    return chunks


def card_of(chunk: Path) -> Scorecard:
    """Read a chunk, mapped into memory, once."""
    y_true, y_pred = (np.load(f"{chunk}_{of}.npy", mmap_mode="r") for of in ("true", "pred"))
    return Scorecard.from_batch(y_true, y_pred)


def alone(chunks: Sequence[Path]) -> Way:
    """Add the scorecards of all chunks in this process."""
    return _timed(lambda: _added(map(card_of, chunks)))


def with_workers(count: int, chunks: Sequence[Path], folder: Path) -> tuple[Way, float]:
    """Add the scorecards on workers of one thread each; also the most MiB that one of them held.

    Starting the workers, which is not timed, includes a first chunk, so that all is imported.
    """
    from distributed import Client, LocalCluster

    options: dict[str, Any] = {"n_workers": count, "threads_per_worker": 1}
    options |= {"memory_limit": f"{LIMIT}MiB", "local_directory": str(folder)}
    options |= {"dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    with patch.dict(os.environ, KEEP):
        cluster = LocalCluster(**options)
    with cluster, Client(cluster) as client:
        started = client.run(os.getpid)
        client.run(card_of, chunks[0])

        def add() -> Scorecard:
            return _added(client.gather(merged(client, client.map(card_of, chunks))))

        way = _timed(add)
        peaks = client.run(peak_memory)
        if client.run(os.getpid) != started:
            raise MemoryError(f"a worker went beyond {LIMIT} MiB and was started again")
    return way, max(peaks.values())


def merged(client: Any, cards: Sequence[Any], at_once: int = 16) -> Sequence[Any]:
    """Let workers add up neighbours, so that few scorecards are left to send."""
    return [client.submit(sum, cards[i : i + at_once]) for i in range(0, len(cards), at_once)]


def _timed(add: Callable[[], Scorecard]) -> Way:
    start = perf_counter()
    card = add()
    return card, perf_counter() - start


def _added(cards: Iterable[Scorecard]) -> Scorecard:
    total = sum(cards)
    assert isinstance(total, Scorecard)
    return total


def peak_memory() -> float:
    """The most MiB that this process has held; on Linux without what its parent held before it."""
    if sys.platform == "linux":
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        (kib,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
        return int(kib) / 1024
    if sys.platform == "win32":
        import psutil

        return float(psutil.Process().memory_info().peak_wset / MIB)
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB


def same(one: Scorecard, other: Scorecard) -> bool:
    """Whether two scorecards hold the same counts and, but for rounding, the same values."""
    if one.undefined() != other.undefined() or one.n_samples != other.n_samples:
        return False
    theirs = other.values()
    return all(math.isclose(v, theirs[name], rel_tol=1e-12) for name, v in one.values().items())


# ------------------------------------------------------------------------------- results


def on_disk(samples: int, labels: int, per_chunk: int, workers: Sequence[int]) -> dict[str, Any]:
    """Measure one pass over chunks on disk in this process and on each number of workers."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        chunks = write_chunks(folder, samples, labels, per_chunk)
        mib = sum(path.stat().st_size for path in folder.iterdir()) / MIB
        card, seconds = alone(chunks)
        ways: list[dict[str, Any]] = [_way("one process, without Dask", seconds, mib)]
        for count in workers:
            (other, seconds), peak = with_workers(count, chunks, folder)
            if not same(card, other):
                raise ValueError(f"{count} workers give another value than one process")
            who = f"{count} {'worker' if count == 1 else 'workers'}"
            ways.append(_way(who, seconds, mib) | {"peak_mib": rounded(peak)})
    shape = {"samples": samples, "labels": labels, "chunks": len(chunks)}
    return {**shape, "data_mib": round(mib), "limit_mib": LIMIT, "ways": ways}


def _way(name: str, seconds: float, mib: float) -> dict[str, Any]:
    return {"way": name, "s": rounded(seconds), "mib_per_s": rounded(mib / seconds)}


def extreme(samples: int, labels: int, per_sample: int) -> dict[str, Any]:
    """Measure a scorecard of sparse data of very many labels, in this process."""
    given = data.sparse(samples, labels, per_sample)

    def values() -> dict[str, float]:
        return Scorecard.from_batch(given.truth, given.prediction).values()

    start = perf_counter()
    values()
    seconds = perf_counter() - start
    shape = {"samples": samples, "labels": labels, "per_sample": per_sample}
    return {**shape, "s": rounded(seconds), "extra_mib": rounded(extra_memory(values) / MIB)}


def top_k(samples: int, labels: int) -> dict[str, Any]:
    """Measure nDCG at 5 of CSR scores, 5 true and 20 scored labels a sample, in this process."""
    truth = data.sparse(samples, labels, 5).truth
    drawn = data.sparse(samples, labels, 20).prediction
    rng = np.random.default_rng(0)
    score = type(drawn)((rng.random(drawn.nnz), drawn.indices, drawn.indptr), shape=drawn.shape)

    def value() -> Any:
        return ndcg(truth, score, k=5)

    start = perf_counter()
    value()
    seconds = perf_counter() - start
    stored = sum(part.nbytes for m in (truth, score) for part in (m.data, m.indices, m.indptr))
    shape = {"samples": samples, "labels": labels, "true": 5, "scored": 20}
    measured = {"s": seconds, "stored_mib": stored / MIB, "extra_mib": extra_memory(value) / MIB}
    return shape | {name: rounded(number) for name, number in measured.items()}
