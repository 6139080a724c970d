"""A scorecard of chunks on disk, by one process or several workers; and functions for memory."""

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
LIMIT_MIB = 300  # MiB that a worker may hold
MALLOC_SETTINGS = {f"MALLOC_{when}_THRESHOLD_": str(256 * MIB) for when in ("TRIM", "MMAP")}
"""With these settings glibc keeps freed memory; under Dask's, a worker returns and requests it."""


def write_chunks(folder: Path, samples: int, labels: int, per_chunk: int) -> list[Path]:
    """Write truth and prediction of each chunk as .npy files; return how each chunk's paths begin.

    One random byte decides a cell of both: of its 256 values bytes, 50 mean true and 50 predicted,
    40 both.
    """
    rng = np.random.default_rng(0)
    chunks: list[Path] = []
    for first in range(0, samples, per_chunk):
        shape = min(per_chunk, samples - first), labels
        byte = rng.integers(256, size=shape, dtype=np.uint8)
        chunks.append(folder / f"{len(chunks):06}")
        np.save(f"{chunks[-1]}_true.npy", (byte < 50).view(np.uint8))
        np.save(f"{chunks[-1]}_pred.npy", ((byte >= 10) & (byte < 60)).view(np.uint8))
    return chunks


def scorecard_of(chunk: Path) -> Scorecard:
    """The scorecard of a chunk, whose files are mapped into memory and read once."""
    y_true, y_pred = (np.load(f"{chunk}_{kind}.npy", mmap_mode="r") for kind in ("true", "pred"))
    return Scorecard.from_batch(y_true, y_pred)


@contextmanager
def adding(workers: int, chunks: Sequence[Path]) -> Iterator[tuple[Callable[[], Any], Any]]:
    """A function that adds all chunks' scorecards, and one for the largest worker's peak in MiB.

    With 0 workers, this process adds, and the peak is None. Workers start here, so that their start
    is not timed; each reads a chunk first, so that it has imported what it needs.
    """
    if not workers:
        yield lambda: sum(map(scorecard_of, chunks)), lambda: None
        return
    from distributed import Client, LocalCluster

    with patch.dict(os.environ, MALLOC_SETTINGS):
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=f"{LIMIT_MIB}MiB",
            local_directory=str(chunks[0].parent),
            dashboard_address="127.0.0.1:0",
            silence_logs="CRITICAL",
        )
    with cluster, Client(cluster) as client:
        started = client.run(os.getpid)
        client.run(scorecard_of, chunks[0])

        def add() -> Any:
            return sum(client.gather(partial_sums(client, client.map(scorecard_of, chunks))))

        def peak() -> float:
            if client.run(os.getpid) != started:
                raise MemoryError(f"a worker exceeded {LIMIT_MIB} MiB and was restarted")
            return float(max(client.run(peak_memory).values()))

        yield add, peak


def partial_sums(client: Any, cards: Sequence[Any]) -> Sequence[Any]:
    """Futures of sums of 16 scorecards each, added by workers, so that few are sent here."""
    return [client.submit(sum, cards[i : i + 16]) for i in range(0, len(cards), 16)]


def peak_memory() -> float:
    """The largest memory of this process so far, in MiB; on Linux without its parent's."""
    if sys.platform == "linux":
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        (kib,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
        return int(kib) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB


def extra_memory(function: Callable[..., Any], *arrays: Any) -> int:
    """Peak memory of a call in bytes, beyond what was allocated before it."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        function(*arrays)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
