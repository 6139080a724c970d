"""Tables from files in a terminal: what is printed, and what a wrong file is told."""

from __future__ import annotations

import io
import subprocess
import sys

import numpy as np
import pandas
import pytest

from mlm_helpers import data, errors, label_based, summary
from mlm_helpers.__main__ import main

LABELS = ["cat", "sea"]
Y_TRUE = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
Y_PRED = np.array([[1, 0], [1, 0], [1, 1], [0, 0]])
SCORE = np.array([[0.9, 0.1], [0.8, 0.4], [0.7, 0.6], [0.2, 0.3]])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files that are right, in the folder where the command runs."""
    monkeypatch.chdir(tmp_path)
    write("truth.csv", "cat,sea", "1,0", "1,1", "0,1", "0,0")
    write("model.csv", "sea,cat", "0,1", "0,1", "1,1", "0,0")  # in another order
    write("scores.csv", "sea,cat", "0.1,0.9", "0.4,0.8", "0.6,0.7", "0.3,0.2")
    write("named.csv", "id,cat,sea,lang", "01,1,0,de", "1,1,1,NA", "x,0,1,NA", "NA,0,0,de")
    write("shuffled.csv", "cat,id,sea", "1,x,1", "0,NA,0", "1,01,0", "1,1,0")
    write("partly.csv", "cat,sea", "1,0", "1,-1", "0,1", "0,0")
    write("empty_cells.csv", "cat,sea", "1,0", "1,", "NA,1", "0,0")
    write("both.csv", "cat,sea", "1,0", "1,", "0,-1", "0,0")
    write("tags.csv", "id,tags", "1,cat", "2,cat|sea", "3,sea", "4,")
    write("said_tags.csv", "id,tags", "1,cat", "2,cat", "3,NA|sea|cat", "4,")
    write("moved_tags.csv", "tags,id", ",4", "cat,1", "NA|sea|cat,3", "cat,2")
    write("upper.csv", "id,tags", "1,CAT", "2,Cat|sea", "3,SEA", "4,")
    return tmp_path


def write(name, *lines):
    with open(name, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def printed(capsys, *argv):
    main(argv)
    return capsys.readouterr().out.rstrip("\n")


def told(capsys, *argv):
    """The one sentence, and nothing else."""
    with pytest.raises(SystemExit) as ended:
        main(argv)
    out, error = capsys.readouterr()
    assert ended.value.code == 2 and not out and error.endswith("\n") and error.count("\n") == 1
    return error.rstrip()


# ---------------------------------------------------------------------------- what is printed


def test_tables_of_two_files(capsys):
    tables = (
        summary.labels(Y_TRUE, Y_PRED, labels=LABELS),
        summary.models(Y_TRUE, {"model": Y_PRED}),
    )
    found = printed(capsys, "truth.csv", "model.csv")
    assert found == "\n\n".join(["model", *map(repr, tables)])


def test_scores_add_their_tables(capsys):
    tables = [
        summary.labels(Y_TRUE, Y_PRED, y_score=SCORE, labels=LABELS, level=0.9),
        summary.models(Y_TRUE, {"model": Y_PRED}, level=0.9),
        summary.models(Y_TRUE, {"scores": SCORE}, level=0.9),
    ]
    found = printed(capsys, "truth.csv", "model.csv", "--scores", "scores.csv", "--level", "0.9")
    assert found == "\n\n".join(["model", *map(repr, tables)])


def test_several_models_stand_side_by_side(capsys):
    found = printed(capsys, "truth.csv", "model.csv", "truth.csv")
    models = summary.models(Y_TRUE, {"model": Y_PRED, "truth": Y_TRUE})
    assert found.endswith(repr(models)) and found.startswith("model\n\n4 samples")


def test_the_largest_pairs_of_errors(capsys):
    """Sea is missed in the second sample, and cat predicted falsely in the third; then in one sample."""
    found = printed(capsys, "truth.csv", "model.csv", "--errors", "3")
    assert found.endswith(f"model\n\n{errors.instead(Y_TRUE, Y_PRED, labels=LABELS).table(3)!r}")
    write("false.csv", "cat,sea", "0,1", "1,0", "0,1", "0,0")
    found = printed(capsys, "truth.csv", "false.csv", "--errors", "1").splitlines()
    assert found[-1].split() == ["cat", "sea", "1", "1", "0.25"]
    assert "n is 0" in told(capsys, "truth.csv", "false.csv", "--errors", "0")


def test_rows_meet_by_the_names_of_the_samples(capsys):
    found = printed(capsys, "named.csv", "shuffled.csv", "--id", "id", "--groups", "lang")
    assert repr(summary.labels(Y_TRUE, Y_PRED, labels=LABELS)) in found
    assert "NA     2        0.667     yes" in found and "de     2        1\n" in found


@pytest.mark.parametrize(("file", "value", "given"), [
    ("partly.csv", "-1", [[1, 0], [1, -1], [0, 1], [0, 0]]),
    ("empty_cells.csv", "nan", [[1, 0], [1, -1], [-1, 1], [0, 0]]),
    ("both.csv", "-1 nan", [[1, 0], [1, -1], [0, -1], [0, 0]]),
])  # fmt: skip
def test_cells_that_nobody_looked_at(capsys, file, value, given):
    signs = [text for sign in value.split() for text in ("--unknown", sign)]
    found = printed(capsys, file, "model.csv", *signs)
    assert found.partition("\n\n")[2].startswith(
        repr(summary.labels(data.unknown(given), Y_PRED, labels=LABELS))
    )


def test_tags_are_labels(capsys):
    """An invented tag is a label that is never true, below the others; "NA" is a tag as any other."""
    options = ["--tags", "tags", "--separator", "|"]
    found = printed(capsys, "tags.csv", "said_tags.csv", *options)
    y_true, y_pred = (np.hstack([matrix, np.zeros((4, 1), int)]) for matrix in (Y_TRUE, Y_PRED))
    y_pred[2, 2] = 1
    both = summary.labels(y_true, y_pred, labels=[*LABELS, "NA"])
    assert found.startswith(f"said_tags\n\n{both!r}")
    main(["tags.csv", "said_tags.csv", *options])
    assert "'NA'. They count in the macro averages of every model" in capsys.readouterr().err
    moved = printed(capsys, "tags.csv", "moved_tags.csv", *options, "--id", "id")
    assert f"moved_tags\n\n{both!r}" in moved
    several = printed(capsys, "tags.csv", "tags.csv", "said_tags.csv", *options)
    assert "NA     0        0   0   0" in several  # every model is judged on the same labels
    assert several.endswith(repr(summary.models(y_true, {"tags": y_true, "said_tags": y_pred})))
    alone = summary.labels(Y_TRUE, Y_PRED, labels=LABELS)
    main(["tags.csv", "said_tags.csv", *options, "--others", "drop"])
    out, said = capsys.readouterr()
    assert repr(alone) in out
    assert said == "said_tags.csv: left out, as they are no labels: 'NA' (1×).\n"
    scored = printed(capsys, "tags.csv", "tags.csv", *options, "--scores", "scores.csv")
    turned = [matrix[:, ::-1] for matrix in (Y_TRUE, Y_TRUE, SCORE)]  # as the scores have them
    shown = summary.labels(*turned[:2], y_score=turned[2], labels=LABELS[::-1])
    assert repr(shown) in scored
    scores = "--scores", "scores.csv", "--threshold", "0.4"
    cut = printed(capsys, "named.csv", *scores, "--ignore", "lang", "--ignore", "id")
    assert (
        f"scores >= 0.4\n\n{summary.labels(Y_TRUE, SCORE >= 0.4, y_score=SCORE, labels=LABELS)!r}"
        in cut
    )
    upper = printed(capsys, "tags.csv", "upper.csv", *options, "--normalize", "casefold")
    assert repr(summary.labels(Y_TRUE, Y_TRUE, labels=LABELS)) in upper
    write("spaced.csv", "tags", "sea ", "Sea;sun")
    assert "sun " in printed(
        capsys, "spaced.csv", "spaced.csv", "--tags", "tags", "--normalize", "casefold"
    )


def test_tags_beside_columns(capsys):
    """The truth has columns with an unknown cell, a model tags; and the other way round."""
    options = ["--tags", "tags", "--separator", "|"]
    found = printed(capsys, "partly.csv", "said_tags.csv", *options, "--unknown", "-1")
    y_true = data.unknown([[1, 0, 0], [1, -1, 0], [0, 1, 0], [0, 0, 0]])
    y_pred = np.hstack([Y_PRED, [[0], [0], [1], [0]]])
    assert repr(summary.labels(y_true, y_pred, labels=[*LABELS, "NA"])) in found
    found = printed(capsys, "tags.csv", "model.csv", *options)
    assert repr(summary.labels(Y_TRUE, Y_PRED, labels=LABELS)) in found


def test_formats_read_back(capsys):
    found = printed(capsys, "truth.csv", "model.csv", "--format", "csv").split("\n\n")
    frames = [pandas.read_csv(io.StringIO(one), index_col=0) for one in found]
    assert frames[0].loc["sea", "recall"] == 0.5
    assert frames[1].loc["macro F1", "model"] == label_based.f1(Y_TRUE, Y_PRED)
    assert "| cat | 2 |" in printed(capsys, "truth.csv", "model.csv", "--format", "markdown")
    assert r"cat & 2 & 2 & 1 & 0" in printed(capsys, "truth.csv", "model.csv", "--format", "latex")


def test_parquet_is_read_as_csv_is(capsys, monkeypatch):
    """By a stand-in for pyarrow, which pandas asks."""
    frame = pandas.DataFrame(Y_TRUE, columns=LABELS)
    monkeypatch.setattr(pandas, "read_parquet", lambda path: frame)
    found = printed(capsys, "truth.parquet", "model.csv")
    assert found == printed(capsys, "truth.csv", "model.csv")
    frame["sea"] = [0, None, 1, 0]
    partly = data.unknown([[1, 0], [1, -1], [0, 1], [0, 0]])
    found = printed(capsys, "truth.parquet", "model.csv", "--unknown", "nan")
    assert repr(summary.labels(partly, Y_PRED, labels=LABELS)) in found
    frame.loc[1:2, "sea"] = [1, 5]
    assert "truth.parquet has 5.0 in column 'sea', row 2" in told(
        capsys, "truth.parquet", "model.csv"
    )

    def without(path):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pandas, "read_parquet", without)
    assert told(capsys, "truth.parquet", "model.csv") == (
        "truth.parquet is read by pyarrow: pip install pyarrow"
    )


def test_it_runs_as_a_module(folder):
    command = [sys.executable, "-m", "mlm_helpers", "truth.csv", "wrong.csv"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "wrong.csv cannot be read: No such file or directory\n"


# ---------------------------------------------------------------------------- what a wrong file is told


@pytest.mark.parametrize(("lines", "sentence"), [
    ([], "bad.csv is empty: give a line of names"),
    (["cat,sea"], "bad.csv is empty"),
    (["cat;sea", "1;0"], "bad.csv has no comma in line 1: separate columns by commas"),
    (["cat,sea", "1,0", "1,0,1"], "bad.csv is no table: expected 2 fields in line 3, saw 3"),
    (["cat,sea", *["1,0,1"] * 4], "bad.csv has more cells than names in line 2"),
    (["cat,sea", "1,0", "", "1,0", "1,0"], "bad.csv has nothing in column 'cat', line 3, where 0 or 1 must stand"),
    (["cat,sea", "1,0", "1,0", "1", "1,0"], "bad.csv has nothing in column 'sea', line 4"),
    (["cat,sea", "1,0", "1,no", "1,0", "1,0"], "bad.csv has 'no' in column 'sea', line 3, where 0 or 1 must stand: if it names the samples, give --id sea; if it holds tags, --tags sea"),
    (["cat,sea", "1,0", "1,0", "1,0", "0.25,0"], "bad.csv has 0.25 in column 'cat', line 5, where 0 or 1 must stand: scores are given by --scores"),
    (["cat,sea", "1,0", "1,0", "1,-1", "1,0"], "bad.csv has -1 in column 'sea', line 4, where 0 or 1 must stand: only TRUTH, the first file, may have unknown cells, with --unknown -1"),
    (["cat,sea", "1,0", "1,0", "1,x", "1,0"], "bad.csv has 'x' in column 'sea', line 4, where 0 or 1 must stand: if it names the samples, give --id sea; if it holds tags, --tags sea; if it holds groups to compare, --groups sea; if it is no label, --ignore sea"),
    (["cat,sea", "1,0"], "bad.csv has 1 samples and truth.csv has 4: give both the same, or name the column of their names with --id"),
    (["cat,dog,sea ", *["1,0,1"] * 4], "bad.csv lacks 'sea', which truth.csv has"),
    (["cat,dog,sea", *["1,0,1"] * 4], "truth.csv lacks 'dog', which bad.csv has"),
])  # fmt: skip
def test_a_wrong_file_is_told_where(capsys, lines, sentence):
    write("bad.csv", *lines)
    assert told(capsys, "truth.csv", "bad.csv").startswith(sentence)


def test_a_wrong_id_score_tag_or_group_is_told_where(capsys):
    write("twice.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "01,0,0")
    write("other.csv", "id,cat,sea", "01,1,0", "1,1,1", "x,0,1", "y,0,0")
    write("spaced.csv", "tags", "sea ", "Sea;sun")
    write("no_name.csv", "id,cat,sea,lang", "01,1,0,de", ",1,1,de", "x,0,1,de", "NA,0,0,de")
    write("text.csv", "cat,sea", "1,0", "1,inf", "0,1", "0,0")
    write("partly_scored.csv", "cat", *["0.5"] * 4)
    write("moved.csv", "id,cat,sea", "NA,0,0", "x,0,2", "1,1,1", "01,1,0")
    with open("latin.csv", "wb") as file:
        file.write("cat,sée\n1,0\n".encode("latin-1"))
    for argv, sentence in (
        (["named.csv", "twice.csv", "--id", "id"], "twice.csv has '01' twice, again in column 'id', line 5"),
        (["named.csv", "other.csv", "--id", "id"], "other.csv lacks the samples 'NA'"),
        (["other.csv", "named.csv", "--id", "id"], "named.csv lacks the samples 'y'"),
        (["shuffled.csv", "moved.csv", "--id", "id"], "moved.csv has 2 in column 'sea', line 3"),
        (["named.csv", "truth.csv", "--id", "id"], "truth.csv has no column 'id': it has 'cat', 'sea'"),
        (["truth.csv", "model.csv", "--groups", "lang"], "truth.csv has no column 'lang'"),
        (["truth.csv", "model.csv", "--scores", "text.csv"], "text.csv has inf in column 'sea', line 3, where a finite number must stand"),
        (["truth.csv", "model.csv", "--level", "95"], "level is 95.0: give a number between 0 and 1"),
        (["tags.csv", "partly.csv", "--tags", "tags", "--separator", "|", "--unknown", "-1"], "partly.csv has -1 in column 'sea', line 3"),
        (["truth.csv", "model.csv", "truth.csv", "model.csv"], "PREDICTED names 'model' twice"),
        (["tags.csv", "model.csv", "--tags", "tag"], "tags.csv has 2 in column 'id', line 3"),
        (["truth.csv", "model.csv", "--scores", "partly_scored.csv"], "partly_scored.csv lacks 'sea', which truth.csv has"),
        (["tags.csv", "said_tags.csv", "--tags", "tags", "--separator", "|", "--scores", "scores.csv", "--others", "add"], "scores.csv lacks 'NA', which tags.csv has"),
        (["tags.csv", "upper.csv", "--tags", "tags", "--separator", "|"], "said has 'CAT' at sample 0 and true has 'cat'"),
        (["tags.csv", "said_tags.csv", "--tags", "tags", "--separator", "|", "--scores", "scores.csv"], "said has 'NA' at sample 2, which is not in labels"),
        (["tags.csv", "said_tags.csv"], "tags.csv has 2 in column 'id', line 3, where 0 or 1 must stand: if it names the samples, give --id id"),
        (["tags.csv", "moved_tags.csv", "--tags", "tags", "--separator", "|"],
         "moved_tags.csv has '4' in column 'id', line 2, where tags.csv has '1': if it names the samples, give --id id"),
        (["tags.csv", "said_tags.csv", "--tags", "tags"], "no text has ; between its tags, and 'cat|sea' has '|': say what stands between tags, --separator '|'"),
        (["spaced.csv", "spaced.csv", "--tags", "tags", "--normalize", "strip"], "true has 'Sea' at sample 1 and true has 'sea'"),
        (["no_name.csv", "named.csv", "--id", "id"], "no_name.csv has no name in column 'id', line 3"),
        (["both.csv", "model.csv", "--unknown", "-1"], "both.csv has nothing in column 'sea', line 3, where 0 or 1 must stand: also give --unknown nan"),
        (["both.csv", "model.csv", "--unknown", "nan"], "both.csv has '-1' in column 'sea', line 4, where 0 or 1 must stand: also give --unknown -1"),
        (["truth.csv", "--scores", "scores.csv"], "PREDICTED is missing: name a file, or give --scores and --threshold"),
        (["truth.csv", "latin.csv"], "latin.csv is not in UTF-8"),
        (["truth.csv", "."], ". cannot be read: Is a directory"),
    ):  # fmt: skip
        assert told(capsys, *argv).startswith(sentence), argv
