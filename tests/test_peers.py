"""The runner of live tools, tried on made-up tools, and its last result."""

import json
import math
import sys
from unittest.mock import Mock

import pytest

from mlm_helpers import conventions, hamming
from mlm_helpers.conventions import RecordedCase, Tool, Translation
from mlm_helpers.conventions.quantities import quantities
from tools import live, peers
from tools.live import LIVE
from tools.peers import is_same_number

ONE_WRONG = RecordedCase(
    "one_wrong", "one wrong cell in four",
    [[1, 0], [0, 1]], [[1, 0], [0, 0]], [[1.0, 0.0], [0.0, 0.0]],
    {"Hamming loss": {"scikit-learn": 0.25}},
)  # fmt: skip


def test_numbers_are_compared_as_numbers_and_refusals_as_words():
    for a, b in ((0.5, 0.5 + 1e-7), (math.nan, math.nan), (math.inf, math.inf)):
        assert is_same_number(a, b)
    for a, b in ((0.5, 0.5 + 1e-5), (math.nan, 0.0), (math.inf, 1.0), ("raises ValueError", 0.0)):
        assert not is_same_number(a, b)


@pytest.fixture
def ask(monkeypatch, tmp_path):
    """Ask a made-up tool of scikit-learn's name, which has a Hamming loss alone."""
    metrics = {"Hamming loss": Translation("hamming_loss")}
    tool = Tool("scikit-learn", "", "run", metrics)
    monkeypatch.setitem(conventions.TOOLS, "scikit-learn", tool)
    to = tmp_path / "peers.json"

    def asked(run):
        status = peers.main({"scikit-learn": ("scikit-learn", run)}, [ONE_WRONG], to)
        return status, json.loads(to.read_text(encoding="utf-8")) if to.exists() else None

    return asked


def test_a_refusal_is_an_answer():
    assert peers.answer(lambda *asked: 1 / 0, "", [[1, 0]], [[1, 0]]) == "raises ZeroDivisionError"


def test_a_tool_that_agrees_passes_and_is_on_record(ask, capsys):
    status, written = ask(lambda call, truth, other, setting: hamming.hamming_loss(truth, other))
    assert (status, written["differ"]) == (0, [])
    counts = dict.fromkeys(peers.OUTCOMES, 0) | {"agree by an option": 1}
    assert written["counts"]["scikit-learn"] == counts
    numbers = {"Hamming loss": {"scikit-learn": 0.25}}
    assert written["inputs"] == [{"name": "one_wrong", "numbers": numbers}]
    assert "1 numbers, 0 differ" in capsys.readouterr().out


@pytest.mark.parametrize(("value", "shown"), [(0.75, 0.75), (math.nan, "nan")])
def test_a_difference_fails_and_names_tool_version_metric_and_input(value, shown, ask, capsys):
    status, written = ask(lambda *asked: value)
    tool = f"scikit-learn ({peers.version('scikit-learn')})"
    expected = f"{tool}, Hamming loss, one_wrong: tool {shown}, ours 0.25, recorded 0.25"
    assert (status, written["differ"]) == (1, [expected])
    assert expected in capsys.readouterr().out
    assert written["inputs"][0]["numbers"]["Hamming loss"]["scikit-learn"] == shown


def test_a_tool_that_is_not_installed_is_named_and_none_at_all_fails(ask, capsys):
    def absent(*asked):
        raise ImportError("No module named 'absent'")

    assert ask(absent) == (1, None)
    assert "not installed: scikit-learn (No module named 'absent')" in capsys.readouterr().out


class Anything(Mock):
    """Stands for all that the package of a tool holds: every name, every call, a number."""

    def __getitem__(self, place):
        return self

    def __rsub__(self, other):
        return self

    def __float__(self):
        return 0.5


PACKAGES = (
    "torch", "torchmetrics", "pyspark.ml.evaluation", "pyspark.sql", "keras", "torcheval",
    "torcheval.metrics", "ignite", "river", "napkinxc", "xcolumns",
)  # fmt: skip
RUN = [
    "torchmetrics",
    "Spark MLlib",
    "keras",
    "torcheval",
    "ignite",
    "river",
    "napkinXC",
    "xCOLUMNs",
]


@pytest.mark.parametrize("name", RUN)
def test_what_a_tool_calls_a_metric_reads_as_a_call(name, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "anywhere")
    calls = [translation.call for translation in conventions.TOOLS[name].metrics.values()]
    functions = [call.partition("(")[0] for call in calls if call[0].islower()]
    for package in PACKAGES:
        monkeypatch.setitem(sys.modules, package, Anything())
    functional = Mock(classification=Anything(functions))
    monkeypatch.setitem(sys.modules, "torchmetrics.functional", functional)
    for quantity in quantities().values():
        for setting, translation in conventions.TOOLS[name].translations_of(quantity.general_name):
            asked = translation.call, [[1, 0]], [[1, 0]], setting
            assert peers.answer(LIVE[name][1], *asked, **quantity.required) == 0.5, asked


def test_spark_without_java_counts_as_not_installed(monkeypatch):
    monkeypatch.setattr(live.shutil, "which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ImportError, match="Java 17"):
        peers.answer(live.spark, "accuracy", [[1]], [[1]])


def test_the_last_run_held_every_tool_that_can_be_asked_and_nothing_differed():
    assert list(LIVE) == [tool.name for tool in conventions.TOOLS.values() if tool.known == "run"]
    last = conventions.last_run()
    assert last["versions"].keys() == LIVE.keys()
    assert last["differ"] == []


def test_scikit_learn_agrees_with_its_record_live():
    """The one tool that every environment of the tests has."""
    tool = "scikit-learn"
    some = conventions.recorded_cases()[::9]
    results = list(peers.runs(conventions.TOOLS[tool], LIVE[tool][1], some))
    assert results
    version = {"scikit-learn": peers.version("scikit-learn")}
    assert [peers.line(run, version) for run in results if not run.agrees] == []
