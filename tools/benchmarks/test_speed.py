"""Time and memory of the metrics beside scikit-learn and torchmetrics, measured by pytest-benchmark.

`make bench` measures; `make test` runs everything once on tiny data, where the tools' numbers have
to agree. Every call gets arrays of its own, so that no tool finds in a cache what an earlier call
left there.
"""

from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlm_helpers import hierarchy, label_based, top_k
from mlm_helpers.scorecard import Scorecard
from tools.benchmarks import data, scale
from tools.benchmarks.contests import (
    ERRORS,
    OURS,
    PROBABILITY_METRICS,
    RANKING_METRICS,
    RATES,
    SCORE_METRICS,
    SET_METRICS,
    contest,
)

pytestmark = pytest.mark.filterwarnings("ignore")  # scikit-learn's, of 0/0

MIB = 2**20
DENSITY, DECIMALS, PER_SAMPLE = 0.05, 4, 5
ROUNDS = 3
SHAPES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {  # to measure; to try
    "dense": ((100_000, 100), (300, 10)),
    "sparse": ((300_000, 30_000), (300, 50)),
    "scores": ((100_000, 100), (300, 10)),
    "probabilities": ((100_000, 100), (300, 10)),
    "resampling": ((20_000, 2_000), (300, 50)),
    "files": ((300_000_000, 5, 100_000), (2_000, 5, 300)),
    "extreme": ((1_000_000, 500_000), (300, 500)),
    "top_k": ((200_000, 100_000), (300, 500)),
    "tree": ((100_000, 1_000), (300, 50)),
}
MAKE: dict[str, Callable[..., Any]] = {
    "dense": partial(data.dense, density=DENSITY),
    "sparse": partial(data.sparse, per_sample=PER_SAMPLE),
    "scores": partial(data.dense, density=DENSITY, decimals=DECIMALS),
    "probabilities": partial(data.dense, density=DENSITY),
    "resampling": partial(data.dense, density=0.0025),
}
METRICS = {
    "dense": SET_METRICS + RATES + RANKING_METRICS,
    "sparse": SET_METRICS,
    "scores": SCORE_METRICS,
    "probabilities": tuple(PROBABILITY_METRICS),
    "resampling": tuple(ERRORS),
}
SCORED = "scores", "probabilities"
CASES = [
    (section, metric, tool)
    for section, names in METRICS.items()
    for metric in names
    for tool in contest(metric, section)
]


@pytest.fixture(scope="module")
def shapes(request: pytest.FixtureRequest) -> dict[str, tuple[int, ...]]:
    measures = request.config.getoption("benchmark_enable")
    return {name: large if measures else tiny for name, (large, tiny) in SHAPES.items()}


@pytest.fixture(scope="module")
def drawn(shapes: dict[str, tuple[int, ...]]) -> Callable[[str], Any]:
    made: dict[str, Any] = {}

    def of(section: str) -> Any:
        if section not in made:
            made.clear()  # one at a time in memory
            made[section] = MAKE[section](*shapes[section])
        return made[section]

    return of


@pytest.mark.parametrize(("section", "metric", "tool"), CASES)
def test_a_metric(benchmark: Any, drawn: Any, section: str, metric: str, tool: str) -> None:
    tools = contest(metric, section)
    reads = "y_score" if section in SCORED or metric in RANKING_METRICS else "y_pred"

    def fresh(name: str) -> Any:
        return tools[name].prepare(*drawn(section).fresh(reads))

    one = tools[tool]
    value = benchmark.pedantic(one.function, setup=lambda: (fresh(tool), {}), rounds=ROUNDS)
    known: dict[str, Any] = {"section": section, "metric": metric, "tool": tool}
    if tool == OURS:
        known["extra_mib"] = scale.extra_memory(one.function, *fresh(OURS)) / MIB
    benchmark.extra_info |= known
    ours = float(tools[OURS].function(*fresh(OURS)))
    assert float(value) == pytest.approx(ours, rel=one.tolerance, abs=one.tolerance)


@pytest.mark.parametrize("section", METRICS)
def test_reading_or_sorting_the_input(benchmark: Any, drawn: Any, section: str) -> None:
    """The time that no metric can undercut: to read both matrices, or to sort all scores."""
    reads = "y_score" if section in SCORED else "y_pred"
    once = _sort if section == "scores" else _read
    benchmark.pedantic(once, setup=lambda: (drawn(section).fresh(reads), {}), rounds=ROUNDS)
    benchmark.extra_info |= {"section": section, "unit": "sorts" if once is _sort else "reads"}


@pytest.mark.parametrize("kind", ["bool", "int8", "int64"])
def test_a_kind_of_number(benchmark: Any, drawn: Any, kind: str) -> None:
    arrays = [matrix.astype(kind) for matrix in drawn("dense").fresh("y_pred")]
    benchmark.pedantic(label_based.f1, arrays, rounds=ROUNDS)
    benchmark.extra_info |= {"section": "kinds", "kind": kind}


@pytest.fixture(scope="module")
def chunks(shapes: Any, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return scale.write_chunks(tmp_path_factory.mktemp("chunks"), *shapes["files"])


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_one_scorecard_of_files(benchmark: Any, shapes: Any, chunks: Any, workers: int) -> None:
    """More data than the workers may hold, every way with the same values."""
    pytest.importorskip("distributed")
    with scale.adder(workers, chunks) as (add, peak):
        card = benchmark.pedantic(add, rounds=1)
        peak_mib = peak()
    paths = chain.from_iterable(chunk.parent.glob(f"{chunk.name}_*") for chunk in chunks)
    benchmark.extra_info |= {
        "section": "files",
        "workers": workers,
        "chunks": len(chunks),
        "data_mib": sum(path.stat().st_size for path in paths) / MIB,
        "limit_mib": scale.LIMIT,
        "peak_mib": peak_mib,
    }
    samples, labels, _ = shapes["files"]
    assert (card.n_samples, card.n_labels) == (samples, labels)
    if workers:
        assert peak_mib < scale.LIMIT
    # of 256 bytes 50 are true and 50 predicted, 40 of them both: every F1 is about 40 / 50
    assert card.values()["micro F1"] == pytest.approx(0.8, abs=0.03)


def test_very_many_labels(benchmark: Any, shapes: Any) -> None:
    given = MAKE["sparse"](*shapes["extreme"])

    def values(y_true: Any, y_pred: Any) -> dict[str, float]:
        return Scorecard.from_batch(y_true, y_pred).values()

    arrays = given.fresh("y_pred")
    benchmark.pedantic(values, arrays, rounds=1)
    benchmark.extra_info |= {
        "section": "extreme",
        "per_sample": PER_SAMPLE,
        "extra_mib": scale.extra_memory(values, *arrays) / MIB,
    }


def test_top_k_of_sparse_scores(benchmark: Any, shapes: Any) -> None:
    samples, labels = shapes["top_k"]
    truth = data.sparse(samples, labels, 5).truth
    cells = data.sparse(samples, labels, 20).prediction
    stored = np.random.default_rng(0).random(cells.nnz)
    score = type(cells)((stored, cells.indices, cells.indptr), shape=cells.shape)

    def ndcg() -> Any:
        return top_k.ndcg(truth, score, k=5)

    value = benchmark.pedantic(ndcg, rounds=1)
    benchmark.extra_info |= {
        "section": "top_k",
        "stored_mib": (_held(truth) + _held(score)) / MIB,
        "extra_mib": scale.extra_memory(ndcg) / MIB,
    }
    assert 0 <= value <= 1


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_labels_in_a_tree(benchmark: Any, shapes: Any, kind: str) -> None:
    samples, labels = shapes["tree"]
    drawn = data.sparse(samples, labels, PER_SAMPLE)
    arrays = [matrix.astype(np.int8) for matrix in (drawn.truth, drawn.prediction)]
    if kind == "dense":
        arrays = [matrix.toarray() for matrix in arrays]
    parents = [[(j - 1) // 10] * (j > 0) for j in range(labels)]
    value = benchmark.pedantic(hierarchy.f1, (*arrays, parents), rounds=ROUNDS)
    closed = [hierarchy.closure(matrix, parents) for matrix in arrays]
    held = _held(closed[0])
    extra = scale.extra_memory(hierarchy.closure, arrays[0], parents)
    benchmark.extra_info |= {
        "section": "tree",
        "kind": kind,
        "extra_mib": scale.extra_memory(hierarchy.f1, *arrays, parents) / MIB,
        "closure_mib": extra / MIB,
        "closed_mib": held / MIB,
    }
    assert extra < 2 * held + MIB  # the result, and no copy that is larger
    assert value == pytest.approx(label_based.f1(*closed, average="micro"))


def _parts(matrix: Any) -> list[Any]:
    dense = isinstance(matrix, np.ndarray)
    return [matrix] if dense else [matrix.data, matrix.indices, matrix.indptr]


def _held(matrix: Any) -> int:
    return sum(part.nbytes for part in _parts(matrix))


def _read(*matrices: Any) -> float:
    return float(sum(part.sum() for part in chain.from_iterable(map(_parts, matrices))))


def _sort(_: Any, y_score: Any) -> float:
    return float(np.sort(y_score, axis=None)[0])
