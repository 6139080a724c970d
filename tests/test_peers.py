"""The runner of live tools, tried on made-up tools, and its last result."""

import json
import math

import pytest

from mlm_helpers import hamming
from tools import peers


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (0.5, 0.5 + 1e-7, True),
        (0.5, 0.5 + 1e-5, False),
        (math.nan, math.nan, True),
        (math.nan, 0.0, False),
        (math.inf, math.inf, True),
        (math.inf, 1.0, False),
        ("raises ValueError", "raises ValueError", True),
        ("raises ValueError", 0.0, False),
    ],
)
def test_numbers_are_compared_as_numbers_and_refusals_as_words(a, b, same):
    assert peers.same(a, b) is same
    assert peers.same(b, a) is same


def test_a_refusal_is_an_answer():
    def refuses(truth, other):
        raise ZeroDivisionError

    assert peers.live(refuses, [[1, 0]], [[1, 0]]) == "raises ZeroDivisionError"


@pytest.fixture
def record(tmp_path, monkeypatch):
    """One input of one wrong cell in four, on record with the right number."""
    data = {
        "name": "one_wrong",
        "y_true": [[1, 0], [0, 1]],
        "y_pred": [[1, 0], [0, 0]],
        "y_score": [[1.0, 0.0], [0.0, 0.0]],
        "numbers": {"Hamming loss": {"scikit-learn": 0.25}},
    }
    (tmp_path / "field.json").write_text(json.dumps({"inputs": [data]}), encoding="utf-8")
    monkeypatch.setattr(peers, "RECORDS", tmp_path)
    return tmp_path / "peers.json"


def only(monkeypatch, measure):
    """Let scikit-learn be the only tool, and `measure` its Hamming loss."""
    settings = {"": {"Hamming loss": measure}}
    peer = peers.Peer("scikit-learn", lambda: settings)
    monkeypatch.setattr(peers, "PEERS", {"scikit-learn": peer})


def test_a_tool_that_agrees_passes_and_is_on_record(record, monkeypatch, capsys):
    only(monkeypatch, hamming.hamming_loss)
    assert peers.main() == 0
    written = json.loads(record.read_text(encoding="utf-8"))
    assert written["counts"]["scikit-learn"] == {
        "agree by an option": 1,
        "not expressible by an option": 0,
        "differ": 0,
    }
    assert written["differ"] == []
    assert written["inputs"] == [
        {"name": "one_wrong", "numbers": {"Hamming loss": {"scikit-learn": 0.25}}}
    ]
    assert "1 numbers, 0 differ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("measure", "shown"), [(lambda t, p: 0.75, 0.75), (lambda t, p: math.nan, "nan")]
)
def test_a_difference_fails_and_names_tool_version_metric_and_input(
    measure, shown, record, monkeypatch, capsys
):
    only(monkeypatch, measure)
    assert peers.main() == 1
    said = capsys.readouterr().out
    version = peers.version("scikit-learn")
    expected = f"scikit-learn ({version}), Hamming loss, one_wrong: tool {shown}, ours 0.25"
    assert f"{expected}, recorded 0.25" in said
    written = json.loads(record.read_text(encoding="utf-8"))
    assert written["differ"] == [f"{expected}, recorded 0.25"]
    assert written["inputs"][0]["numbers"]["Hamming loss"]["scikit-learn"] == shown


def test_a_tool_that_is_not_installed_is_named_and_none_at_all_fails(record, monkeypatch, capsys):
    def absent():
        raise ImportError("No module named 'absent'")

    monkeypatch.setattr(peers, "PEERS", {"absent": peers.Peer("absent", absent)})
    assert peers.main() == 1
    assert "not installed: absent (No module named 'absent')" in capsys.readouterr().out
    assert not record.exists()


def test_spark_without_java_counts_as_not_installed(monkeypatch):
    monkeypatch.setattr(peers.shutil, "which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ImportError, match="Java 17"):
        peers.spark_mllib()


def test_the_last_run_held_every_tool_and_nothing_differed():
    last = json.loads((peers.RECORDS / "peers.json").read_text(encoding="utf-8"))
    assert last["versions"].keys() == peers.PEERS.keys()
    assert last["differ"] == []
    assert sum(count["differ"] for count in last["counts"].values()) == 0


def test_the_last_run_is_of_the_inputs_on_record():
    field = json.loads((peers.RECORDS / "field.json").read_text(encoding="utf-8"))["inputs"]
    last = json.loads((peers.RECORDS / "peers.json").read_text(encoding="utf-8"))["inputs"]
    assert [data["name"] for data in last] == [data["name"] for data in field]
    for old, new in zip(field, last, strict=True):
        for metric, numbers in old["numbers"].items():
            for tool, value in numbers.items():
                if tool.partition(",")[0] in peers.PEERS:
                    live = peers.number(new["numbers"][metric][tool])
                    assert peers.same(live, peers.number(value)), (old["name"], metric, tool)


def test_scikit_learn_agrees_with_its_record_live():
    """The one tool that every environment of the tests has."""
    field = json.loads((peers.RECORDS / "field.json").read_text(encoding="utf-8"))["inputs"]
    results = list(peers.runs(field, {"scikit-learn": peers.scikit_learn()}))
    assert len(results) >= 573
    version = {"scikit-learn": peers.version("scikit-learn")}
    assert [peers.line(run, version) for run in results if not run.agrees] == []
