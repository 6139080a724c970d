"""`tools.peers`, which runs the installed tools: on made-up tools; and its last result."""

import json
import math

import pytest

from mlm_helpers import conventions, hamming
from mlm_helpers.conventions import Tool, Translation
from mlm_helpers.conventions.tool import RecordedCase
from tools import peers
from tools.live import LIVE
from tools.peers import is_same_number

ONE_WRONG = RecordedCase(
    name="one_wrong", why="one wrong cell in four",
    y_true=[[1, 0], [0, 1]], y_pred=[[1, 0], [0, 0]], y_score=[[1.0, 0.0], [0.0, 0.0]],
    numbers={"Hamming loss": {"scikit-learn": 0.25}},
)  # fmt: skip


def test_numbers_are_compared_as_numbers_and_errors_as_words():
    error, other_error = "raises ValueError", "raises TypeError"
    for a, b in ((0.5, 0.5 + 1e-7), (math.nan, math.nan), (math.inf, math.inf), (error, error)):
        assert is_same_number(a, b)
    different = (0.5, 0.5 + 1e-5), (math.nan, 0.0), (math.inf, 1.0)
    for a, b in (*different, (error, 0.0), (error, other_error)):
        assert not is_same_number(a, b)


@pytest.fixture
def main(monkeypatch, tmp_path):
    """Run `peers.main` for a made-up "scikit-learn" that has only the Hamming loss."""
    metrics = {"Hamming loss": Translation("hamming_loss")}
    tool = Tool("scikit-learn", version="", known="run", metrics=metrics)
    monkeypatch.setitem(conventions.TOOLS, "scikit-learn", tool)
    path = tmp_path / "peers.json"

    def main(compute):
        """The exit status and the JSON file, of a function that computes the tool's number."""
        status = peers.main({"scikit-learn": ("scikit-learn", compute)}, [ONE_WRONG], path)
        return status, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    return main


def test_an_error_is_an_answer():
    number = peers.answer(lambda *arguments: 1 / 0, "", [[1, 0]], [[1, 0]])
    assert number == "raises ZeroDivisionError"


def test_a_tool_that_agrees_passes_and_is_on_record(main, capsys):
    status, record = main(lambda call, truth, y, setting: hamming.hamming_loss(truth, y))
    assert (status, record["differ"]) == (0, [])
    assert (record["answers"], record["departures"]) == (1, 0)
    numbers = {"Hamming loss": {"scikit-learn": 0.25}}
    assert record["inputs"] == [{"name": "one_wrong", "numbers": numbers}]
    assert "1 numbers, 0 differ" in capsys.readouterr().out


@pytest.mark.parametrize(("value", "in_json"), [(0.75, 0.75), (math.nan, "nan")])
def test_a_difference_fails_and_names_tool_version_metric_and_input(value, in_json, main, capsys):
    status, record = main(lambda *arguments: value)
    tool = f"scikit-learn ({peers.version('scikit-learn')})"
    expected = f"{tool}, Hamming loss, one_wrong: tool {in_json}, ours 0.25, recorded 0.25"
    assert (status, record["differ"]) == (1, [expected])
    assert expected in capsys.readouterr().out
    assert record["inputs"][0]["numbers"]["Hamming loss"]["scikit-learn"] == in_json


def test_the_last_run_included_every_tool_that_can_be_run_and_nothing_differed():
    run = [tool.name for tool in conventions.TOOLS.values() if tool.known == "run"]
    assert sorted(LIVE) == sorted(run)
    last = peers.last_run()
    assert last["versions"].keys() == LIVE.keys()
    assert last["differ"] == []


def test_scikit_learn_agrees_with_its_record_live():
    """scikit-learn is installed wherever the tests run."""
    tool = "scikit-learn"
    cases = conventions.recorded_cases()[::9]
    results = list(peers.runs(conventions.TOOLS[tool], LIVE[tool][1], cases))
    assert results
    version = {"scikit-learn": peers.version("scikit-learn")}
    assert [peers.line(run, version) for run in results if not run.agrees] == []
