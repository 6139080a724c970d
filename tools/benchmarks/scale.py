"""One scorecard of chunks on disk, by one process or several workers; and memory."""

import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from mlm_helpers.scorecard import Scorecard

MIB = 2**20
LIMIT = 300  # MiB that a worker may hold
KEEP = {f"MALLOC_{when}_THRESHOLD_": str(256 * MIB) for when in ("TRIM", "MMAP")}
"""Lets glibc keep freed memory: under Dask's setting a worker gives it back and asks for it again."""


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


@contextmanager
def adder(workers: int, chunks: Sequence[Path]) -> Iterator[tuple[Callable[[], Any], Any]]:
    """A function that adds the scorecards of all chunks, and one that gives the largest worker's MiB.

    Without workers this process adds. Workers are started before, which is not timed, and have read
    a first chunk, so that all is imported.
    """
    if not workers:
        yield lambda: sum(map(card_of, chunks)), lambda: None
        return
    from distributed import Client, LocalCluster

    options: dict[str, Any] = {"n_workers": workers, "threads_per_worker": 1}
    options |= {"memory_limit": f"{LIMIT}MiB", "local_directory": str(chunks[0].parent)}
    options |= {"dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    with patch.dict(os.environ, KEEP):
        cluster = LocalCluster(**options)
    with cluster, Client(cluster) as client:
        started = client.run(os.getpid)
        client.run(card_of, chunks[0])

        def add() -> Any:
            return sum(client.gather(merged(client, client.map(card_of, chunks))))

        def peak() -> float:
            if client.run(os.getpid) != started:
                raise MemoryError(f"a worker went beyond {LIMIT} MiB and was started again")
            return float(max(client.run(peak_memory).values()))

        yield add, peak


def merged(client: Any, cards: Sequence[Any], at_once: int = 16) -> Sequence[Any]:
    """Let workers add up neighbours, so that few scorecards are left to send."""
    return [client.submit(sum, cards[i : i + at_once]) for i in range(0, len(cards), at_once)]


def peak_memory() -> float:
    """The most MiB that this process has held; on Linux without what its parent held before it."""
    if sys.platform == "linux":
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        (kib,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
        return int(kib) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB


def extra_memory(function: Callable[..., Any], *arrays: Any) -> int:
    """Bytes that a call holds at its peak beyond those held before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        function(*arrays)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
