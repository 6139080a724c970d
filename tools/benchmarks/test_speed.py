"""Time and memory of the metrics beside scikit-learn and torchmetrics, by pytest-benchmark.

`make bench` measures; `make test` runs everything once on tiny data. The tools' numbers have to
agree. Every call gets new arrays, so that no tool can reuse a cached result of an earlier call.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlm_helpers.scorecard import Scorecard
from tools.benchmarks import data, scale
from tools.benchmarks.comparisons import METRICS, OURS, RANKING_METRICS, tools_with

pytestmark = pytest.mark.filterwarnings("ignore")  # scikit-learn warns of 0/0

DENSITY, DECIMALS, PER_SAMPLE = 0.05, 4, 5
ROUNDS = 3
# By section: the shape that is measured, and a tiny one for `make test`.
SHAPES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "dense": ((100_000, 100), (300, 10)),
    "sparse": ((300_000, 30_000), (300, 50)),
    "scores": ((100_000, 100), (300, 10)),
    "files": ((300_000_000, 5, 100_000), (2_000, 5, 300)),
    "extreme": ((1_000_000, 500_000), (300, 500)),
}
GENERATORS: dict[str, Callable[..., Any]] = {
    "dense": partial(data.dense, density=DENSITY),
    "sparse": partial(data.sparse, per_sample=PER_SAMPLE),
    "scores": partial(data.dense, density=DENSITY, decimals=DECIMALS),
}
CASES = [
    (section, metric, tool)
    for section, names in METRICS.items()
    for metric in names
    for tool in tools_with(metric, section)
]


@pytest.fixture(scope="module")
def shapes(request: pytest.FixtureRequest) -> dict[str, tuple[int, ...]]:
    """The shape of each section's data: large if times are measured, else tiny."""
    measures = request.config.getoption("benchmark_enable")
    return {name: large if measures else tiny for name, (large, tiny) in SHAPES.items()}


@pytest.fixture(scope="module")
def data_of(shapes: dict[str, tuple[int, ...]]) -> Callable[[str], data.Data]:
    """A function that returns the data of a section; only the last section's stay in memory."""
    return lru_cache(maxsize=1)(lambda section: GENERATORS[section](*shapes[section]))


@pytest.mark.parametrize(("section", "metric", "tool"), CASES)
def test_a_metric(benchmark: Any, data_of: Any, section: str, metric: str, tool: str) -> None:
    """Time of one tool, whose value has to agree with ours, and our memory."""
    tools = tools_with(metric, section)
    reads = "y_score" if section == "scores" or metric in RANKING_METRICS else "y_pred"

    def new_arrays(tool: str) -> Any:
        return tools[tool].prepare(*data_of(section).new_arrays(reads))

    function, _, tolerance = tools[tool]
    value = benchmark.pedantic(function, setup=lambda: (new_arrays(tool), {}), rounds=ROUNDS)
    benchmark.extra_info |= {"section": section, "metric": metric, "tool": tool}
    if tool == OURS:
        extra = scale.extra_memory(function, *new_arrays(OURS))
        benchmark.extra_info["extra_mib"] = extra / scale.MIB
    ours = float(tools[OURS].function(*new_arrays(OURS)))
    assert float(value) == pytest.approx(ours, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("section", METRICS)
def test_reading_or_sorting_the_input(benchmark: Any, data_of: Any, section: str) -> None:
    """A lower bound of every metric's time: to read both matrices, or to sort all scores."""
    is_score = section == "scores"
    unit, reads, function = ("sorts", "y_score", _sort) if is_score else ("reads", "y_pred", _read)
    new = data_of(section).new_arrays
    benchmark.pedantic(function, setup=lambda: (new(reads), {}), rounds=ROUNDS)
    benchmark.extra_info |= {"section": section, "unit": unit}


@pytest.fixture(scope="module")
def chunks(shapes: Any, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The stems of the files of all chunks."""
    return scale.write_chunks(tmp_path_factory.mktemp("chunks"), *shapes["files"])


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_one_scorecard_of_files(benchmark: Any, shapes: Any, chunks: Any, workers: int) -> None:
    """Time and peak memory of a scorecard of more data than the workers may hold.

    The values are known.
    """
    pytest.importorskip("distributed")
    with scale.adding(workers, chunks) as (add, peak):
        card = benchmark.pedantic(add, rounds=1)
        peak_mib = peak()
    paths = chain.from_iterable(chunk.parent.glob(f"{chunk.name}_*") for chunk in chunks)
    benchmark.extra_info |= {
        "section": "files",
        "workers": workers,
        "chunks": len(chunks),
        "data_mib": sum(path.stat().st_size for path in paths) / scale.MIB,
        "limit_mib": scale.LIMIT_MIB,
        "peak_mib": peak_mib,
    }
    samples, labels, _ = shapes["files"]
    assert (card.n_samples, card.n_labels) == (samples, labels)
    if workers:
        assert peak_mib < scale.LIMIT_MIB
    # Of 256 bytes, 50 mean true and 50 predicted, 40 of them both: every F1 is about 40 / 50.
    assert card.values()["micro F1"] == pytest.approx(0.8, abs=0.03)


def test_very_many_labels(benchmark: Any, shapes: Any) -> None:
    """Time and memory of all set metrics of sparse matrices with up to 500,000 labels."""
    matrices = GENERATORS["sparse"](*shapes["extreme"])

    def values(y_true: Any, y_pred: Any) -> dict[str, float]:
        return Scorecard.from_batch(y_true, y_pred).values()

    arrays = matrices.new_arrays("y_pred")
    benchmark.pedantic(values, arrays, rounds=1)
    benchmark.extra_info |= {
        "section": "extreme",
        "per_sample": PER_SAMPLE,
        "extra_mib": scale.extra_memory(values, *arrays) / scale.MIB,
    }


def _read(*matrices: Any) -> float:
    """The sum of everything that dense or CSR matrices store, for which each is read once."""
    is_dense = isinstance(matrices[0], np.ndarray)
    arrays = matrices if is_dense else [a for m in matrices for a in (m.data, m.indices, m.indptr)]
    return float(sum(array.sum() for array in arrays))


def _sort(_: Any, y_score: Any) -> float:
    """The lowest score, after all scores are sorted."""
    return float(np.sort(y_score, axis=None)[0])
