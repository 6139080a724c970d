"""The command line: tables of CSV files, and messages about invalid files and options."""

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
MICRO_F1 = partial(label_based.f1, average="micro")
LANG = ["de", "NA", "NA", "de"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Valid files, in the folder where the command runs."""
    monkeypatch.chdir(tmp_path)
    write("truth.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "NA,0,0")
    write("named.csv", "id,cat,sea,lang", "01,1,0,de", "1,1,1,NA", "x,0,1,NA", "NA,0,0,de")
    write("model.csv", "sea,id,cat", "1,x,1", "0,NA,0", "0,01,1", "0,1,1")  # in another order
    write("scores.csv", "cat,sea,id", "0.9,0.1,01", "0.8,0.4,1", "0.7,0.6,x", "0.2,0.3,NA")
    write("tags.csv", "id,tags", "01,cat", "1,cat;sea", "x,sea", "NA,")
    write("predicted.csv", "tags,id", ",NA", "cat,01", "NA;sea ; cat,x", "cat,1")
    return tmp_path


def write(name, *lines, encoding="utf-8"):
    with open(name, "w", encoding=encoding) as file:
        file.writelines(f"{line}\n" for line in lines)


def stdout(capsys, *argv):
    main([*argv, "--id", "id"])
    return capsys.readouterr().out.rstrip("\n")


def error_message(capsys, *argv):
    """The message, which is the only output, and has one line."""
    with pytest.raises(SystemExit) as exit_:
        main([*argv, "--id", "id"])
    out, error = capsys.readouterr()
    assert exit_.value.code == 2 and not out and error.endswith("\n") and error.count("\n") == 1
    return error.rstrip()


def join_tables(*parts):
    return "\n\n".join(map(str, parts))


# ---------------------------------------------------------------------------- output


def test_samples_and_labels_of_two_files_are_matched_by_name(capsys):
    assert stdout(capsys, "named.csv", "model.csv", "--by", "lang") == join_tables(
        "model.csv",
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS),
        summary.models(Y_TRUE, {"model.csv": Y_PRED}),
        "model.csv",
        summary.subgroups(MICRO_F1, Y_TRUE, Y_PRED, LANG),
    )


def test_blank_rows_of_a_spreadsheet_are_left_out(capsys):
    write("sheet.csv", "id,cat,sea", "01,1,0", "1,1,1", ",,", "x,0,1", "NA,0,0", ",,", "", ",")
    assert stdout(capsys, "sheet.csv", "model.csv") == stdout(capsys, "truth.csv", "model.csv")


def test_an_empty_cell_in_a_column_that_no_option_reads_is_ignored(capsys):
    with open("model.csv", encoding="utf-8") as file:
        header, *lines = file.read().splitlines()
    write("blank.csv", f"{header},lang", *(f"{line}," for line in lines))
    tables_of = [
        stdout(capsys, "named.csv", name, "--by", "lang") for name in ("model.csv", "blank.csv")
    ]
    assert tables_of[0] == tables_of[1].replace("blank", "model")


def test_blanks_around_names_and_cells_are_ignored(capsys):
    lines = "01,1 ,0,de ", '1,1,1,"NA "', "x\t, 0,1, NA", "NA,0,0,de"
    write("blanks.csv", "id , cat,sea ,lang", *lines)
    argv = "named.csv", "--by", "lang"
    assert stdout(capsys, "blanks.csv", *argv) == stdout(capsys, "named.csv", *argv)


def test_labels_of_files_without_tags_may_differ_in_case_alone(capsys):
    write("case.csv", "id,cat,Cat", "01,1,0", "1,1,1", "x,0,1", "NA,0,0")
    table = summary.labels(Y_TRUE, Y_TRUE, labels=["cat", "Cat"])
    assert str(table) in stdout(capsys, "case.csv", "case.csv")


def test_groups_for_intervals_and_labels_that_are_sorted_and_cut_off(capsys):
    lines = "01,1,0,de,p", "1,1,1,NA,q", "x,0,1,NA,p", "NA,0,0,de,p"
    write("grouped.csv", "id,cat,sea,lang,patient", *lines)
    argv = "grouped.csv", "model.csv", "--groups", "patient", "--by", "lang"
    options = "--level 0.9 --sort=-FP --most 1 --decimals 2"
    common = {"level": 0.9, "groups": ["p", "q", "p", "p"], "decimals": 2}
    assert stdout(capsys, *argv, *options.split()) == join_tables(
        "model.csv",
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS, sort="-FP", most=1, **common),
        summary.models(Y_TRUE, {"model.csv": Y_PRED}, **common),
        "model.csv",
        summary.subgroups(MICRO_F1, Y_TRUE, Y_PRED, LANG, **common),
    )
    at_95 = summary.models(Y_TRUE, {"model.csv": Y_PRED}, groups=["p", "q", "p", "p"], level=0.95)
    assert str(at_95) in stdout(capsys, *argv)
    of_scores = summary.models(Y_TRUE, {"scores.csv": SCORE}, **common)
    assert str(of_scores) in stdout(capsys, *argv, "--scores", "scores.csv", *options.split())


def test_several_models_are_columns_of_one_table(capsys):
    write("best.csv", "id,cat,sea", "01,1,0", "1,1.0,True", "", "x, 0,1", "NA,FALSE,0")
    files = "truth.csv", "model.csv", "best.csv"
    models = {"model.csv": Y_PRED, "best.csv": Y_TRUE}
    assert stdout(capsys, *files).endswith(str(summary.models(Y_TRUE, models)))
    scored = stdout(capsys, *files, "--scores", "scores.csv")
    assert "AP" not in scored.split("macro")[0]  # the scores may be those of either model
    assert scored.endswith(str(summary.models(Y_TRUE, {"scores.csv": SCORE})))


@pytest.mark.parametrize("truth", [["truth.csv"], ["tags.csv", "--tags", "tags"]])
def test_scores_without_predicted_labels_and_with_a_threshold(capsys, truth):
    """With a threshold, the scores also give predicted labels."""
    of_scores = summary.models(Y_TRUE, {"scores.csv": SCORE})
    assert stdout(capsys, *truth, "--scores", "scores.csv") == str(of_scores)
    y_pred = SCORE >= 0.4
    assert stdout(capsys, *truth, "--scores", "scores.csv", "--threshold", "0.4") == join_tables(
        "scores.csv >= 0.4",
        summary.labels(Y_TRUE, y_pred, y_score=SCORE, labels=LABELS),
        summary.models(Y_TRUE, {"scores.csv >= 0.4": y_pred}),
        of_scores,
    )


def test_a_column_of_0_and_1_beside_tags_is_not_a_label(capsys):
    write("adult.csv", "id,tags,adult", "01,cat,1", "1,cat;sea,0", "x,sea,0", "NA,,1")
    output = stdout(capsys, "adult.csv", "adult.csv", "--tags", "tags", "--by", "adult")
    by_adult = summary.subgroups(MICRO_F1, Y_TRUE, Y_TRUE, ["1", "0", "0", "1"])
    assert output.endswith(str(by_adult))


def test_tags_beside_scores_are_not_read(capsys):
    write("both.csv", "id,cat,sea,tags", "01,.9,.1,x", "1,.8,.4,x", "x,.7,.6,x", "NA,.2,.3,x")
    output = stdout(capsys, "tags.csv", "--tags", "tags", "--scores", "both.csv")
    assert output == str(summary.models(Y_TRUE, {"both.csv": SCORE}))


def test_scores_of_0_and_1_are_scores(capsys):
    of_scores = summary.models(Y_TRUE, {"model.csv": (None, Y_PRED)})
    assert stdout(capsys, "truth.csv", "--scores", "model.csv") == str(of_scores)


def test_unknown_cells(capsys):
    write("partly.csv", "id,cat,sea", "01,1,", "1,1,-1", "x,-1.0,1", "NA,0,0")
    y_true = data.unknown([[1, -1], [1, -1], [-1, 1], [0, 0]])
    output = stdout(capsys, "partly.csv", "model.csv", "--unknown", "-1", "--unknown", "nan")
    assert str(summary.labels(y_true, Y_PRED, labels=LABELS)) in output


def test_tags_are_labels(capsys):
    """An invented tag becomes a label that is never true; "NA" is a tag like any other."""
    y_true, y_pred = (np.hstack([matrix, np.zeros((4, 1), int)]) for matrix in (Y_TRUE, Y_PRED))
    y_pred[2, 2] = 1
    three_labels = summary.labels(y_true, y_pred, labels=[*LABELS, "NA"])
    two_labels = summary.labels(Y_TRUE, Y_PRED, labels=LABELS)
    problem = "lacks the labels 'NA': --others"
    for truth, model, drop, table, note in (
        ("tags.csv", "predicted.csv", [], three_labels, f"{problem} add\n"),
        ("truth.csv", "predicted.csv", [], three_labels, f"{problem} add\n"),
        ("tags.csv", "model.csv", [], two_labels, ""),
        ("tags.csv", "predicted.csv", ["--others", "drop"], two_labels, f"{problem} drop\n"),
    ):
        main([truth, model, "--tags", "tags", *drop, "--id", "id"])
        out, error = capsys.readouterr()
        assert str(table) in out and error == (note and f"{truth} {note}")
    options = "--tags tags --scores scores.csv --others drop"
    output = stdout(capsys, "tags.csv", "predicted.csv", *options.split())
    assert output.endswith(str(summary.models(Y_TRUE, {"scores.csv": SCORE})))
    write("bars.csv", "id,tags", "01,cat", "1,cat | sea", "x,sea", "NA,")
    output = stdout(capsys, "bars.csv", "bars.csv", "--tags", "tags", "--separator", "|")
    assert str(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in output


def test_csv_and_json_have_all_numbers_and_the_name_of_the_model(capsys):
    files = "truth.csv", "model.csv", "truth.csv"
    macro = label_based.f1(Y_TRUE, Y_PRED)
    texts = stdout(capsys, *files, "--level", "0.9", "--format", "csv").split("\n\n")
    labels, _, models = ([*csv.reader(text.splitlines())] for text in texts)
    header, _, macro_row, *_ = models
    columns = "model.csv,model.csv low,model.csv high,truth.csv,truth.csv low,truth.csv high"
    assert header == ["metric", *columns.split(","), "best"]
    assert macro_row[:2] == ["macro F1", str(macro)] and macro_row[4] == "1.0"
    assert [row[:6] for row in labels] == [
        ["model", "label", "support", "TP", "FP", "FN"],
        ["model.csv", "cat", "2", "2", "1", "0"],
        ["model.csv", "sea", "2", "1", "0", "1"],
        ["model.csv", "macro", "", "", "", ""],
        ["model.csv", "micro", "4", "3", "1", "1"],
    ]
    tables = json.loads(stdout(capsys, *files, "--format", "json"))
    assert [table["title"] for table in tables] == ["model.csv", "truth.csv", ""]
    assert tables[2]["columns"] == ["metric", "model.csv", "truth.csv"]
    assert tables[2]["rows"][1] == ["macro F1", macro, 1]
    _, sea, (_, _, macro_support, *_), _ = tables[0]["rows"]
    assert sea[:8] == ["model.csv", "sea", 2, 1, 0, 1, 1.0, 0.5] and macro_support is None


def test_a_terminal_with_another_encoding(folder):
    """Characters that the encoding lacks are written as escapes."""
    command = [sys.executable, "-m", "mlm_helpers", "truth.csv", "model.csv", "--id", "id"]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii"}
    process = subprocess.run(command, cwd=folder, env=ascii_only, capture_output=True, check=True)
    assert b"Hamming loss \\u2193 " in process.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs Linux")
def test_a_full_disk(monkeypatch, capsys):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert error_message(capsys, "truth.csv", "model.csv") == "output: No space left on device"


# ---------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    "command", [line for line in COMMANDS.read_text().splitlines() if line[:1] not in ("", "#")]
)
def test_an_invalid_file_or_option_gets_a_message(capsys, command, snapshot):
    """Each line of commands.txt is a command, and after < the lines of bad.csv."""
    argv, _, lines = command.partition("<")
    write("bad.csv", *filter(None, lines.strip().split(" / ")))
    write("latin.csv", "id,cat,sée", "01,1,0", encoding="latin-1")
    assert error_message(capsys, *argv.split()) == snapshot


def test_a_tag_may_have_a_comma_if_its_parts_are_not_tags(capsys):
    write("commas.csv", "id,tags", '01,"sea, open"', "1,cat", "x,cat", "NA,")
    output = stdout(capsys, "commas.csv", "commas.csv", "--tags", "tags", "--separator", ";")
    assert "sea, open  1        1   0   0" in output


def test_samples_must_have_names(capsys):
    """Rows are matched by name, never by position."""
    with pytest.raises(SystemExit, match="2"):
        main(["truth.csv", "model.csv"])
    assert "required: --id" in capsys.readouterr().err


def test_a_column_without_a_name_can_name_the_samples(capsys):
    """The to_csv() of pandas writes an index as such a column."""
    write("index.csv", ",cat,sea", "0,1,0", "1,1,1", "2,0,1", "3,0,0")
    main(["index.csv", "index.csv", "--id", ""])
    assert str(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in capsys.readouterr().out
