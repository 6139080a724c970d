"""The benchmark measures what it says; nothing here is timed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import contests, data, measure, scale, sections
from benchmarks.measure import Result, Tool
from mlm_helpers import example_based, ranking
from mlm_helpers.scorecard import Scorecard
from tools import readme

PEERS = ["scikit-learn", *["torchmetrics"] * (find_spec("torchmetrics") is not None)]


def clock(monkeypatch: pytest.MonkeyPatch, ticks: Sequence[float]) -> None:
    """Let each reading of the clock give the next of some numbers."""
    readings = iter(ticks)
    monkeypatch.setattr(measure, "perf_counter", lambda: next(readings))


def test_every_call_gets_fresh_arrays_and_tools_take_turns() -> None:
    given: list[Any] = []
    called: list[str] = []

    def fresh() -> tuple[Any, Any]:
        given.append((np.zeros(3), np.zeros(3)))
        return given[-1]

    def spoiling(name: str) -> Callable[[Any, Any], float]:
        def call(y_true: Any, y_other: Any) -> float:
            assert y_true is given[-1][0]
            assert not y_true.any()
            assert not y_other.any()
            y_true += 1
            y_other += 1
            called.append(name)
            return 0.5

        return call

    results = measure.race({name: Tool(spoiling(name)) for name in "ab"}, fresh, repetitions=3)
    assert called == list("ababab")
    assert len({id(array) for arrays in given for array in arrays}) == 12
    assert [result.value for result in results.values()] == [0.5, 0.5]


def test_the_shortest_time_counts_and_preparing_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock(monkeypatch, [0, 5, 10, 13, 20, 24])
    prepared = []

    def prepare(y_true: Any, y_other: Any) -> tuple[Any, Any]:
        prepared.append((y_true, y_other))
        return y_other, y_true

    tool = Tool(lambda y_true, y_other: 10 * y_true + y_other, prepare)
    assert measure.race({"a": tool}, lambda: (1, 2)) == {"a": Result(3, 21)}
    assert prepared == [(1, 2)] * 3


def test_what_has_run_for_long_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    clock(monkeypatch, [0, 1, 0, 3, 0, 2])  # slow is called once, fast twice
    both = {"fast": Tool(lambda *_: 1), "slow": Tool(lambda *_: 1)}
    results = measure.race(both, lambda: (0, 0), patience=2)
    assert results == {"fast": Result(1, 1), "slow": Result(3, 1)}


def test_unequal_numbers_are_refused() -> None:
    both = {"ours": Tool(max), "theirs": Tool(max), "rough": Tool(max, tolerance=1e-2)}
    results = {"ours": Result(1, 0.5), "theirs": Result(1, 0.5 + 4e-7), "rough": Result(1, 0.501)}
    measure.check_equal("F1", both, results)
    with pytest.raises(ValueError, match=r"F1 is 0\.5 for ours and 0\.501 for theirs"):
        measure.check_equal("F1", both, results | {"theirs": Result(1, 0.501)})
    with pytest.raises(ValueError, match="nan for rough"):
        measure.check_equal("F1", both, results | {"rough": Result(1, float("nan"))})


def test_a_section_refuses_unequal_numbers() -> None:
    wrong = contests.contest("samples F1")
    wrong.tools["other"] = Tool(example_based.accuracy)
    with pytest.raises(ValueError, match="say nothing"):
        sections._row("dense", wrong, data.dense(50, 5, 0.3))


def test_reads_are_our_time_in_times_of_summing(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = [0.0]
    monkeypatch.setattr(measure, "perf_counter", lambda: ticks[0])

    def lasting(seconds: float, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def call(y_true: Any, y_other: Any) -> Any:
            ticks[0] += seconds
            return function(y_true, y_other)

        return call

    monkeypatch.setattr(sections, "read_once", lasting(0.002, measure.read_once))
    given = data.dense(50, 5, 0.3)
    entrants = {contests.OURS: Tool(lasting(0.007, ranking.coverage)),
                "other": Tool(lasting(0.07, ranking.coverage))}  # fmt: skip
    row = sections._row("dense", contests.Contest("coverage", "y_score", entrants), given)
    assert row["reads"] == 3.5
    assert row["ms"] == {contests.OURS: 7, "other": 70}


def test_one_read_sums_everything_that_is_stored() -> None:
    assert measure.read_once(np.array([[1, 2]]), np.array([[0.5, 3]])) == 6.5
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_array(np.array([[0, 5], [0, 7]]))  # data 5 7, indices 1 1, ends 0 1 2
    assert measure.read_once(matrix, matrix) == 2 * (12 + 2 + 3)


def test_extra_memory_is_the_peak_of_what_a_call_holds() -> None:
    kept = np.ones(2_000_000)

    def call(array: Any) -> float:
        first = np.ones(1_000_000)
        del first
        return float((array[:500_000] + np.ones(500_000)).sum())

    assert measure.extra_memory(call, kept) == pytest.approx(8_000_000, rel=0.01)
    assert measure.extra_memory(lambda: None) < 10_000


@pytest.mark.parametrize("power", [0, 0.5, 1, 2])
def test_the_exponent_of_a_power_law(power: float) -> None:
    sizes = [10, 100, 1_000, 10_000]
    times: list[float | None] = [3e-6 * size**power for size in sizes]
    assert measure.exponent(sizes, times) == pytest.approx(power)
    assert measure.exponent(sizes, [*times[:2], None, None]) == pytest.approx(power)
    assert measure.exponent(sizes, [1.0, None, None, None]) is None


def test_what_is_foreseen_to_take_long_is_left_out_for_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, list[str]]] = []

    def timed(
        one: contests.Contest, entrants: dict[str, Tool], given: data.Dense
    ) -> dict[str, float]:
        cells = given.truth.size
        asked.append((cells, list(entrants)))
        return {name: cells * {"quick": 0.001, "slow": 1.0}[name] for name in entrants}

    contest = contests.Contest("F1", "y_pred", {"quick": Tool(max), "slow": Tool(max)})
    monkeypatch.setattr(sections, "FEW", ["F1"])
    monkeypatch.setattr(sections, "contest", lambda metric: contest)
    monkeypatch.setattr(sections, "_timed", timed)
    points = [sections.Point(n, n, 5, 0.5) for n in (2, 4, 8, 16)]
    curves = sections._curves("five labels", points)
    assert asked == [
        (10, ["quick", "slow"]),
        (20, ["quick", "slow"]),
        (40, ["quick"]),
        (80, ["quick"]),
    ]
    assert curves["ms"] == {"F1": {"quick": [10, 20, 40, 80], "slow": [10_000, 20_000, None, None]}}
    assert curves["exponents"] == {"F1": {"quick": 1, "slow": 1}}
    assert curves["sizes"] == [2, 4, 8, 16]


def test_dense_data_are_as_dense_as_they_should_be() -> None:
    given = data.dense(4_000, 50, 0.05)
    truth, prediction = given.fresh("y_pred")
    again, score = given.fresh("y_score")
    assert truth.dtype == prediction.dtype == np.int64
    assert score.dtype == np.float64
    assert again is not truth
    assert score is not given.fresh("y_score")[1]
    assert truth.mean() == pytest.approx(0.05, abs=0.005)
    assert prediction.mean() == pytest.approx(0.05, abs=0.005)
    assert truth[prediction == 1].mean() == pytest.approx(data.KEPT, abs=0.05)
    assert 0 <= score.min() < score.max() < 1


def test_sparse_data_have_as_many_labels_in_each_sample() -> None:
    pytest.importorskip("scipy")
    truth, prediction = data.sparse(200, 53, 5).fresh("y_pred")
    for matrix in (truth, prediction):
        assert matrix.shape == (200, 53)
        assert matrix.dtype == np.int64
        assert set(np.diff(matrix.indptr)) == {5}
        assert set(np.unique(matrix.toarray())) == {0, 1}
    assert truth.multiply(prediction).sum() / 1000 == pytest.approx(data.KEPT, abs=0.08)


def test_chunks_are_what_is_said_of_them(tmp_path: Path) -> None:
    chunks = scale.write_chunks(tmp_path, 2_500, 20, 1_000)
    assert len(chunks) == 3
    assert len(list(tmp_path.iterdir())) == 6
    truth, prediction = (
        np.concatenate([np.load(f"{chunk}_{of}.npy") for chunk in chunks])
        for of in ("true", "pred")
    )
    assert truth.dtype == prediction.dtype == np.uint8
    assert truth.shape == prediction.shape == (2_500, 20)
    assert truth.mean() == pytest.approx(50 / 256, abs=0.01)
    assert prediction.mean() == pytest.approx(50 / 256, abs=0.01)
    assert truth[prediction == 1].mean() == pytest.approx(0.8, abs=0.02)
    card, seconds = scale.alone(chunks)
    assert seconds > 0
    assert scale.same(card, Scorecard.from_batch(truth, prediction))


def test_scorecards_of_other_data_are_not_the_same() -> None:
    card, other = (Scorecard.from_batch([[1, 0]], [prediction]) for prediction in ([1, 0], [1, 1]))
    assert scale.same(card, card)
    assert not scale.same(card, other)
    assert not scale.same(card, card + card)


def test_neighbours_are_added_before_they_are_sent() -> None:
    class Client:
        @staticmethod
        def submit(function: Callable[[Any], Any], cards: Any) -> Any:
            return function(cards)

    assert scale.merged(Client, list(range(10)), 4) == [6, 22, 17]
    assert sum(scale.merged(Client, list(range(1_000)))) == sum(range(1_000))


def test_workers_that_give_another_value_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Scorecard.from_batch([[1] * 4], [[0] * 4])
    monkeypatch.setattr(scale, "with_workers", lambda *_: ((wrong, 1.0), 50.0))
    with pytest.raises(ValueError, match="2 workers give another value"):
        scale.on_disk(10, 4, 5, [2])


def test_peak_memory_is_that_of_this_process() -> None:
    psutil = pytest.importorskip("psutil")
    now = psutil.Process().memory_info().rss / 2**20
    assert scale.peak_memory() > 0.9 * now


def test_sections_measured_alone_leave_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "bench.json"
    out.write_text('{"environment": {"date": "then"}, "dense": 1, "scale": 2}', encoding="utf-8")
    monkeypatch.setitem(sections.SECTIONS, "scale", lambda sizes: {"measured": sizes.workers})
    command.main(["--quick", "--only", "scale", "--out", str(out)])
    again = json.loads(out.read_text(encoding="utf-8"))
    today = again["environment"].pop("again")
    assert again == {"environment": {"date": "then"}, "dense": 1, "scale": {"measured": [1]}}
    assert list(today) == ["scale"]


def test_quick_run_and_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "bench.json"
    command.main(["--quick", "--out", str(out)])
    assert str(out) in capsys.readouterr().err
    text = out.read_text(encoding="utf-8")
    results = json.loads(text)
    assert list(results) == ["environment", *sections.SECTIONS]
    assert {"NumPy", "Python", "scikit-learn"} <= set(results["environment"]["versions"])
    assert [row["metric"] for row in results["dense"]["rows"]] == [
        *contests.SET_METRICS,
        *contests.RANKING_METRICS,
    ]
    assert [row["metric"] for row in results["scores"]["rows"]] == [*contests.SCORE_METRICS]
    for row in results["scores"]["rows"]:
        assert ("scikit-learn" in row["ms"]) == (row["metric"] != "precision at 5")
        assert min(row["extra_mib"], row["sorts"]) > 0
    for row in results["dense"]["rows"]:
        peers = [peer for peer in PEERS if peer in row["ms"]]
        assert list(row["ms"]) == ["mlm_helpers", *peers]
        assert ("scikit-learn" in row["ms"]) == (row["metric"] != "one-error")
        assert row["extra_mib"] > 0
        assert row["reads"] > 0
    assert len(max(text.splitlines(), key=len)) <= command.WIDTH
    alone, worker = results["scale"]["files"]["ways"]
    assert [alone["way"], worker["way"]] == ["one process, without Dask", "1 worker"]
    assert 0 < worker["peak_mib"] < results["scale"]["files"]["limit_mib"]
    words = readme.speed(results)
    assert "| one process, without Dask |" in words
    assert "300 samples × 500 labels, 5 labels a sample: every set metric" in words
    assert "| one-error |" in words
    assert "| nDCG at 5 |" in words
    assert "300 samples × 500 labels, 5 true and 20 scored labels a sample" in words
    assert "![](figures/growth_density.svg)" in words
    assert "an interval of macro F1 from 200 resamples in" in words
    assert "nan" not in words


def test_a_quick_run_never_writes_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--quick"])
    assert "--out" in capsys.readouterr().err


def test_pretty_writes_json_in_lines_of_a_width() -> None:
    value = {"a": [list(range(40)), {"b": "é" * 90}], "c": {}, "d": [], "e": None}
    text = command.pretty(value)
    assert json.loads(text) == value
    assert text.splitlines()[:2] == ["{", ' "a": [']
    assert command.pretty({"a": [1, 2]}) == '{"a": [1, 2]}'
