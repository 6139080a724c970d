"""Tables from files in a terminal: what is printed, and what is refused."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from mlm_helpers import data, label_based, summary
from mlm_helpers.__main__ import main

COMMANDS = Path(__file__).parent / "commands.txt"
LABELS = ["cat", "sea"]
Y_TRUE = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
Y_PRED = np.array([[1, 0], [1, 0], [1, 1], [0, 0]])
SCORE = np.array([[0.9, 0.1], [0.8, 0.4], [0.7, 0.6], [0.2, 0.3]])
LANG = ["de", "NA", "NA", "de"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files that are right, in the folder where the command runs."""
    monkeypatch.chdir(tmp_path)
    write("truth.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "NA,0,0")
    write("named.csv", "id,cat,sea,lang", "01,1,0,de", "1,1,1,NA", "x,0,1,NA", "NA,0,0,de")
    write("model.csv", "sea,id,cat", "1,x,1", "0,NA,0", "0,01,1", "0,1,1")  # in another order
    write("scores.csv", "cat,sea,id", "0.9,0.1,01", "0.8,0.4,1", "0.7,0.6,x", "0.2,0.3,NA")
    write("tags.csv", "id,tags", "01,cat", "1,cat;sea", "x,sea", "NA,")
    write("said.csv", "tags,id", ",NA", "cat,01", "NA;sea ; cat,x", "cat,1")
    return tmp_path


def write(name, *lines, encoding="utf-8"):
    with open(name, "w", encoding=encoding) as file:
        file.writelines(f"{line}\n" for line in lines)


def printed(capsys, *argv):
    main([*argv, "--id", "id"])
    return capsys.readouterr().out.rstrip("\n")


def refused(capsys, *argv):
    """The one sentence, and nothing else."""
    with pytest.raises(SystemExit) as ended:
        main([*argv, "--id", "id"])
    out, error = capsys.readouterr()
    assert ended.value.code == 2 and not out and error.endswith("\n") and error.count("\n") == 1
    return error.rstrip()


def text(*parts):
    return "\n\n".join(map(str, parts))


# ---------------------------------------------------------------------------- what is printed


def test_samples_and_labels_of_two_files_meet_by_name(capsys):
    micro_f1 = partial(label_based.f1, average="micro")
    assert printed(capsys, "named.csv", "model.csv", "--by", "lang") == text(
        "model",
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS),
        summary.models(Y_TRUE, {"model": Y_PRED}),
        "model",
        summary.subgroups(micro_f1, Y_TRUE, Y_PRED, LANG),
    )


def test_blank_rows_of_a_spreadsheet_are_left_out(capsys):
    write("sheet.csv", "id,cat,sea", "01,1,0", "1,1,1", ",,", "x,0,1", "NA,0,0", ",,", "", ",")
    assert printed(capsys, "sheet.csv", "model.csv") == printed(capsys, "truth.csv", "model.csv")


def test_intervals_draw_groups_and_labels_are_sorted_and_cut_off(capsys):
    lines = "01,1,0,de,p", "1,1,1,NA,q", "x,0,1,NA,p", "NA,0,0,de,p"
    write("grouped.csv", "id,cat,sea,lang,patient", *lines)
    options = "--level 0.9 --groups patient --by lang --sort=-FP --most 1 --decimals 2"
    every = {"level": 0.9, "groups": ["p", "q", "p", "p"], "decimals": 2}
    micro_f1 = partial(label_based.f1, average="micro")
    assert printed(capsys, "grouped.csv", "model.csv", *options.split()) == text(
        "model",
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS, sort="-FP", most=1, **every),
        summary.models(Y_TRUE, {"model": Y_PRED}, **every),
        "model",
        summary.subgroups(micro_f1, Y_TRUE, Y_PRED, LANG, **every),
    )


def test_several_models_stand_side_by_side(capsys):
    write("best.csv", "id,cat,sea", "01,1,0", "1,1.0,True", "", "x, 0,1", "NA,FALSE,0")
    files = "truth.csv", "model.csv", "best.csv"
    both = {"model": Y_PRED, "best": Y_TRUE}
    assert printed(capsys, *files).endswith(str(summary.models(Y_TRUE, both)))
    scored = printed(capsys, *files, "--scores", "scores.csv")
    assert "AP" not in scored.split("macro")[0]  # nobody knows which model's scores these are
    assert scored.endswith(str(summary.models(Y_TRUE, {"scores": SCORE})))


@pytest.mark.parametrize("truth", [["truth.csv"], ["tags.csv", "--tags", "tags"]])
def test_scores_alone_and_with_a_threshold(capsys, truth):
    """Scores need no predicted labels, and a threshold makes them."""
    of_scores = summary.models(Y_TRUE, {"scores": SCORE})
    assert printed(capsys, *truth, "--scores", "scores.csv") == str(of_scores)
    cut = SCORE >= 0.4
    assert printed(capsys, *truth, "--scores", "scores.csv", "--threshold", "0.4") == text(
        "scores >= 0.4",
        summary.labels(Y_TRUE, cut, y_score=SCORE, labels=LABELS),
        summary.models(Y_TRUE, {"scores >= 0.4": cut}),
        of_scores,
    )


def test_cells_that_nobody_annotated(capsys):
    write("partly.csv", "id,cat,sea", "01,1,", "1,1,-1", "x,-1.0,1", "NA,0,0")
    y_true = data.unknown([[1, -1], [1, -1], [-1, 1], [0, 0]])
    found = printed(capsys, "partly.csv", "model.csv", "--unknown", "-1", "--unknown", "nan")
    assert str(summary.labels(y_true, Y_PRED, labels=LABELS)) in found


def test_tags_are_labels(capsys):
    """An invented tag is a label that is never true, below the others; "NA" is a tag as any other."""
    y_true, y_pred = (np.hstack([matrix, np.zeros((4, 1), int)]) for matrix in (Y_TRUE, Y_PRED))
    y_pred[2, 2] = 1
    three = summary.labels(y_true, y_pred, labels=[*LABELS, "NA"])
    two = summary.labels(Y_TRUE, Y_PRED, labels=LABELS)
    lacks = "TRUTH (or SCORES) lacks the labels 'NA': --others"
    for truth, model, drop, table, note in (
        ("tags.csv", "said.csv", [], three, f"{lacks} add\n"),
        ("truth.csv", "said.csv", [], three, f"{lacks} add\n"),
        ("tags.csv", "model.csv", [], two, ""),
        ("tags.csv", "said.csv", ["--others", "drop"], two, f"{lacks} drop\n"),
    ):
        main([truth, model, "--tags", "tags", *drop, "--id", "id"])
        out, error = capsys.readouterr()
        assert str(table) in out and error == note
    write("bars.csv", "id,tags", "01,cat", "1,cat | sea", "x,sea", "NA,")
    both = printed(capsys, "bars.csv", "bars.csv", "--tags", "tags", "--separator", "|")
    assert str(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in both


def test_csv_and_json_have_every_number_and_the_model_in_each_row(capsys):
    write("right.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "NA,0,0")
    files = "truth.csv", "model.csv", "right.csv"
    found = printed(capsys, *files, "--level", "0.9", "--format", "csv").split("\n\n")
    tables = [[*csv.reader(table.splitlines())] for table in found]
    columns = "metric,model,model low,model high,right,right low,right high,best"
    assert len(tables) == 3 and tables[2][0] == columns.split(",")
    macro = label_based.f1(Y_TRUE, Y_PRED)
    assert tables[2][2][:2] == ["macro F1", str(macro)] and tables[2][2][4] == "1.0"
    assert tables[1][0][:6] == ["model", "label", "support", "TP", "FP", "FN"]
    assert [row[:6] for row in tables[1][2:]] == [
        ["right", "sea", "2", "2", "0", "0"],
        ["right", "macro", "", "", "", ""],
        ["right", "micro", "4", "4", "0", "0"],
    ]
    as_json = json.loads(printed(capsys, *files, "--format", "json"))
    assert [table["title"] for table in as_json] == ["model", "right", ""]
    assert as_json[2]["columns"] == ["metric", "model", "right"]
    assert as_json[2]["rows"][1] == ["macro F1", macro, 1]
    sea = ["model", "sea", 2, 1, 0, 1, 1.0, 0.5, pytest.approx(2 / 3)]
    assert as_json[0]["rows"][1] == sea and as_json[0]["rows"][2][2] is None


def test_a_terminal_of_another_encoding(folder):
    """What it cannot show is written as its number, and nothing is lost."""
    command = [sys.executable, "-m", "mlm_helpers", "truth.csv", "model.csv", "--id", "id"]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(command, cwd=folder, env=ascii_only, capture_output=True, check=True)
    assert b"Hamming loss \\u2193 " in ran.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="of Linux")
def test_a_full_disk(monkeypatch, capsys):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert refused(capsys, "truth.csv", "model.csv") == "output: No space left on device"


# ---------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "command", [line for line in COMMANDS.read_text().splitlines() if line[:1] not in ("", "#")]
)
def test_what_is_refused_gets_a_sentence(capsys, command, snapshot):
    """A line of commands.txt is a command, and what stands in bad.csv."""
    argv, _, lines = command.partition("<")
    write("bad.csv", *filter(None, lines.strip().split(" / ")))
    write("latin.csv", "id,cat,sée", "01,1,0", encoding="latin-1")
    assert refused(capsys, *argv.split()) == snapshot


def test_a_tag_may_have_a_comma_where_its_parts_are_no_tags(capsys):
    write("commas.csv", "id,tags", '01,"sea, open"', "1,cat", "x,cat", "NA,")
    found = printed(capsys, "commas.csv", "commas.csv", "--tags", "tags", "--separator", ";")
    assert "sea, open  1        1   0   0" in found


def test_the_samples_must_be_named(capsys):
    """Rows are matched by name, and never by position."""
    with pytest.raises(SystemExit, match="2"):
        main(["truth.csv", "model.csv"])
    assert "required: --id" in capsys.readouterr().err


def test_a_column_without_a_name_can_name_the_samples(capsys):
    """As pandas' to_csv() writes an index."""
    write("index.csv", ",cat,sea", "0,1,0", "1,1,1", "2,0,1", "3,0,0")
    main(["index.csv", "index.csv", "--id", ""])
    found = capsys.readouterr().out
    assert str(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in found
