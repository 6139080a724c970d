"""Tables from files in a terminal: what is printed, and what a wrong file is told."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from mlm_helpers import data, label_based, summary
from mlm_helpers.__main__ import main

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


def run(folder, *argv, **environment):
    command = [sys.executable, "-m", "mlm_helpers", *argv, "--id", "id"]
    return subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, check=False
    )


# ---------------------------------------------------------------------------- what is printed


def test_samples_and_labels_of_two_files_meet_by_name(capsys):
    micro_f1 = partial(label_based.f1, average="micro")
    groups = summary.groups(micro_f1, Y_TRUE, Y_PRED, LANG)
    assert printed(capsys, "named.csv", "model.csv", "--by", "lang") == text(
        "model",
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS),
        summary.models(Y_TRUE, {"model": Y_PRED}),
        "model",
        groups,
    )


def test_intervals_draw_groups(capsys):
    drawn = {"level": 0.9, "groups": LANG}
    options = "--level", "0.9", "--groups", "lang"
    assert printed(capsys, "named.csv", "model.csv", *options) == text(
        "model",
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS, **drawn),
        summary.models(Y_TRUE, {"model": Y_PRED}, **drawn),
    )


def test_several_models_stand_side_by_side(capsys):
    write("best.csv", "id,cat,sea", "01,1,0", "1,1.0,True", "", "x, 0,1", "NA,FALSE,0")
    found = printed(capsys, "truth.csv", "model.csv", "best.csv")
    assert found.endswith(str(summary.models(Y_TRUE, {"model": Y_PRED, "best": Y_TRUE})))
    assert "AP" not in printed(capsys, "truth.csv", "model.csv", "best.csv", "--scores", "scores.csv").split("macro")[0]  # fmt: skip


@pytest.mark.parametrize("truth", [["truth.csv"], ["tags.csv", "--tags", "tags"]])
def test_scores_alone_and_with_a_threshold(capsys, truth):
    """X05 and 15: scores need no predicted labels, and a threshold makes them."""
    of_scores = summary.models(Y_TRUE, {"scores": SCORE})
    assert printed(capsys, *truth, "--scores", "scores.csv") == str(of_scores)
    cut = SCORE >= 0.4
    assert printed(capsys, *truth, "--scores", "scores.csv", "--threshold", "0.4") == text(
        "scores >= 0.4",
        summary.labels(Y_TRUE, cut, y_score=SCORE, labels=LABELS),
        summary.models(Y_TRUE, {"scores >= 0.4": cut}),
        of_scores,
    )


@pytest.mark.parametrize(("cells", "signs", "given"), [
    (["-1", "0"], ["-1"], [-1, 0]),
    (["", "NA"], ["nan"], [-1, -1]),
    (["nan", "-1.0"], ["-1", "nan"], [-1, -1]),
])  # fmt: skip
def test_cells_that_nobody_annotated(capsys, cells, signs, given):
    write("partly.csv", "id,cat,sea", "01,1,0", f"1,1,{cells[0]}", f"x,{cells[1]},1", "NA,0,0")
    y_true = data.unknown([[1, 0], [1, given[0]], [given[1], 1], [0, 0]])
    options = [text for sign in signs for text in ("--unknown", sign)]
    found = printed(capsys, "partly.csv", "model.csv", *options)
    assert str(summary.labels(y_true, Y_PRED, labels=LABELS)) in found


def test_tags_are_labels(capsys):
    """An invented tag is a label that is never true, below the others; "NA" is a tag as any other."""
    options = "--tags", "tags"
    y_true, y_pred = (np.hstack([matrix, np.zeros((4, 1), int)]) for matrix in (Y_TRUE, Y_PRED))
    y_pred[2, 2] = 1
    three = summary.labels(y_true, y_pred, labels=[*LABELS, "NA"])
    two = summary.labels(Y_TRUE, Y_PRED, labels=LABELS)
    added = "TRUTH (or SCORES) lacks the labels 'NA': --others add\n"
    for truth, model, table, note in (
        ("tags.csv", "said.csv", three, added),
        ("truth.csv", "said.csv", three, added),
        ("tags.csv", "model.csv", two, ""),
        ("tags.csv", "said.csv", two, "TRUTH (or SCORES) lacks the labels 'NA': --others drop\n"),
    ):
        drop = ["--others", "drop"] * note.endswith("drop\n")
        main([truth, model, *options, *drop, "--id", "id"])
        out, error = capsys.readouterr()
        assert (str(table) in out, error) == (True, note)
    write("bars.csv", "id,tags", "01,cat", "1,cat | sea", "x,sea", "NA,")
    both = printed(capsys, "bars.csv", "bars.csv", *options, "--separator", "|")
    assert str(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in both


def test_csv_and_json_have_every_number(capsys):
    write("best.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "NA,0,0")  # "best" is a column, too
    options = "--level", "0.9", "--format"
    found = printed(capsys, "truth.csv", "model.csv", "best.csv", *options, "csv").split("\n\n")
    tables = [[*csv.reader(table.splitlines())] for table in found]
    columns = "metric,model,model low,model high,best,best low,best high,best"
    assert len(tables) == 3 and tables[2][0] == columns.split(",")
    macro = label_based.f1(Y_TRUE, Y_PRED)
    assert tables[2][2][:2] == ["macro F1", str(macro)] and tables[2][2][4] == "1.0"
    as_json = json.loads(printed(capsys, "truth.csv", "model.csv", "best.csv", *options, "json"))
    assert [table["title"] for table in as_json] == ["model", "best", ""]
    assert as_json[2]["columns"] == columns.split(",")
    assert as_json[2]["rows"][1][:2] == ["macro F1", macro]
    sea = ["sea", 2, 1, 0, 1, 1.0, 0.5, pytest.approx(2 / 3)]
    assert as_json[0]["rows"][1][:8] == sea and as_json[0]["rows"][2][1] is None


def test_a_terminal_of_another_encoding(folder):
    """16: what it cannot show is written as its number, and nothing is lost."""
    write("é.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "NA,0,0")
    for encoding in ("cp1252", "latin-1", "ascii"):
        ran = run(folder, "truth.csv", "model.csv", "é.csv", PYTHONIOENCODING=encoding)
        assert ran.returncode == 0 and b"Hamming loss \\u2193 " in ran.stdout, ran.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="of Linux")
def test_a_full_disk(folder):
    """17."""
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "mlm_helpers", "truth.csv", "model.csv", "--id", "id"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.stderr == "output: No space left on device\n"
    assert ran.returncode == 2


# ---------------------------------------------------------------------------- what a wrong file is told

ROWS = "01,1,0", "1,1,1", "x,0,1", "NA,0,0"


@pytest.mark.parametrize(("lines", "sentence"), [
    ([], "bad.csv has 0 columns 'id'"),
    (["id,cat,sea"], "only one of bad.csv and truth.csv has the samples '01', '1', 'NA' and 1 more"),
    (["name,cat,sea", *ROWS], "bad.csv has 0 columns 'id': name it once"),
    ([",cat,sea", *ROWS], "bad.csv has 0 columns 'id'"),  # X02: of to_csv()
    ([",id,cat,sea", "0,01,1,0", "1,1,1,1"], "bad.csv has 1 columns '': name it once"),  # X02
    (["id,cat,sea,cat", *ROWS], "bad.csv has 2 columns 'cat'"),  # X01
    (["id,id,cat,sea", *ROWS], "bad.csv has 2 columns 'id'"),
    (["id,cat", *ROWS], "bad.csv, line 2, has 3 cells under 2 names"),  # 2: of R
    (["id,cat,sea", ROWS[0], "1,1"], "bad.csv, line 3, has 2 cells under 3 names"),
    (["id,cat,sea", *ROWS, '"y,0,0'], "bad.csv cannot be read as CSV in UTF-8"),
    (["id,cat,sea", *ROWS[:3]], "only one of bad.csv and truth.csv has the samples 'NA'"),
    (["id,cat,sea", *ROWS, "y,0,0"], "only one of bad.csv and truth.csv has the samples 'y'"),
    (["id,cat,sea", *ROWS, "01,0,0"], "bad.csv, line 6, has '01' in 'id', empty or a second time"),
    (["id,cat,sea", *ROWS[:3], ",0,0"], "bad.csv, line 5, has '' in 'id', empty or a second time"),
    (["id,cat", "01,1", "1,1", "x,1", "NA,1"], "only one of bad.csv and truth.csv has the labels 'sea'"),
    (["id,cat,sea,dog", *(f"{row},1" for row in ROWS)], "only one of bad.csv and truth.csv has the labels 'dog'"),
    (["id,cat,sea", *ROWS[:3], "NA,2,0"], "bad.csv, line 5, has '2' in 'cat': give 0, 1 or a score"),
    (["id,cat,sea", "01,1,", *ROWS[1:]], "bad.csv, line 2, has '' in 'sea': give"),
    (["id,cat,sea", "01,-1,0", *ROWS[1:]], "bad.csv, line 2, has '-1' in 'cat': give"),
])  # fmt: skip
def test_a_wrong_file_is_told_where(capsys, lines, sentence):
    write("bad.csv", *lines)
    assert refused(capsys, "truth.csv", "bad.csv", "--unknown", "-1").startswith(sentence)


TAGGED = "--tags", "tags"
SCORED = "--scores", "scores.csv"


@pytest.mark.parametrize(("tags", "sentence"), [
    (["cat", "cat,sea", "sea"], "bad.csv has 'cat,sea' at sample '1' and never ';' between two tags"),  # X04
    (["cat", "cat|sea", "sea"], "bad.csv has 'cat|sea' at sample '1' and never ';' between two tags"),
    (["dog|owl", "owl|fox", "fox|dog"], "bad.csv has 'dog|owl' at sample '01' and never ';' between two tags"),
    (["cat", "cat;sea;", "sea"], "bad.csv has '' at sample '1', which is an empty tag"),  # X03
    (["Cat", "cat;sea", "sea"], "bad.csv has 'Cat' at sample '01' and tags.csv has 'cat' at sample '01', which differ only by case"),  # X11
    (["cat", "s\u200bea", "sea"], "bad.csv has 's\\u200bea' at sample '1' and tags.csv has 'sea' at sample '1'"),
])  # fmt: skip
def test_tags_are_never_guessed(capsys, tags, sentence):
    rows = [f'{name},"{own}"' for name, own in zip(["01", "1", "x"], tags, strict=True)]
    write("bad.csv", "id,tags", *rows, "NA,")
    assert refused(capsys, "tags.csv", "bad.csv", *TAGGED).startswith(sentence)
    if ";" in sentence and "owl" not in sentence:  # nor if ; was named: its parts are tags
        assert refused(capsys, "tags.csv", "bad.csv", *TAGGED, "--separator", ";").startswith(
            sentence
        )


def test_a_tag_may_have_a_comma_where_its_parts_are_no_tags(capsys):
    write("commas.csv", "id,tags", '01,"sea, open"', "1,cat", "x,cat", "NA,")
    found = printed(capsys, "commas.csv", "commas.csv", *TAGGED, "--separator", ";")
    assert "sea, open  1        1   0   0" in found


@pytest.mark.parametrize(("argv", "sentence"), [
    (["truth.csv"], "PREDICTED is missing"),
    (["truth.csv", "model.csv", "./model.csv"], "PREDICTED has two files of one name"),
    (["truth.csv", "model.csv", "--threshold", "0.5"], "--threshold is 0.5: give a finite number, and --scores"),
    (["truth.csv", *SCORED, "--threshold", "nan"], "--threshold is nan: give a finite number"),  # 9
    (["truth.csv", *SCORED, "--threshold", "inf"], "--threshold is inf: give a finite number"),
    (["tags.csv", "said.csv", *TAGGED, "--unknown", "nan"], "--unknown is given, and tags.csv has tags"),  # 10
    (["named.csv", "model.csv"], "named.csv, line 2, has 'de' in 'lang': give 0, 1 or a score"),
    (["truth.csv", *SCORED, "--by", "lang"], "PREDICTED is missing"),
    (["named.csv", "model.csv", "--by", "town"], "named.csv has 0 columns 'town'"),
    (["truth.csv", "model.csv", "--level", "95"], "level is 95.0: give a number between 0 and 1"),
    (["tags.csv", "said.csv", "--tags", "tag"], "tags.csv, line 2, has 'cat' in 'tags': give"),
    (["tags.csv", "said.csv", *TAGGED, "--others", "refuse"], "TRUTH (or SCORES) lacks the labels 'NA': --others add or"),
    (["tags.csv", "said.csv", *TAGGED, *SCORED], "TRUTH (or SCORES) lacks the labels 'NA': --others add or"),
    (["truth.csv", "model.csv", "--scores", "text.csv"], "text.csv, line 2, has 'high' in 'sea': give 0, 1 or a score"),
    (["truth.csv", "model.csv", "--scores", "nan.csv"], "y_score holds nan at row 0, column 1"),
    (["truth.csv", "missing.csv"], "missing.csv cannot be read as CSV in UTF-8"),
    (["truth.csv", "."], ". cannot be read as CSV in UTF-8"),
    (["truth.csv", "latin.csv"], "latin.csv cannot be read as CSV in UTF-8"),
    (["truth.csv", "zip.csv.zip"], "zip.csv.zip cannot be read as CSV in UTF-8"),  # 17
    (["truth.csv", "a.parquet"], "a.parquet cannot be read as CSV in UTF-8"),  # 3 and 20: one kind of file is read
])  # fmt: skip
def test_what_does_not_go_together(capsys, argv, sentence):
    for name, cell in (("text", "high"), ("nan", "nan")):
        write(f"{name}.csv", "id,cat,sea", f"01,0.5,{cell}", *ROWS[1:])
    write("latin.csv", "id,cat,sée", *ROWS, encoding="latin-1")
    for name, begin in (("zip.csv.zip", b"PK\x03\x04\xff"), ("a.parquet", b"PAR1\x15\x80")):
        with open(name, "wb") as file:
            file.write(begin)
    assert refused(capsys, *argv).startswith(sentence)


def test_the_samples_must_be_named(folder):
    """2, 3: rows are matched by name, and never by position."""
    command = [sys.executable, "-m", "mlm_helpers", "truth.csv", "model.csv"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and "required: --id" in ran.stderr


def test_a_column_without_a_name_can_name_the_samples(capsys):
    """As pandas' to_csv() writes an index."""
    write("index.csv", ",cat,sea", "0,1,0", "1,1,1", "2,0,1", "3,0,0")
    main(["index.csv", "index.csv", "--id", ""])
    found = capsys.readouterr().out
    assert str(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in found
