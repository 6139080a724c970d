"""The recipes run, print the text below them, and give the numbers of other libraries.

Messages come, remedies run.

Recipes for large libraries are skipped where these are not installed; `make test-recipes` installs
them all.
"""

import io
import multiprocessing
import os
import re
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics as skm
from sklearn.metrics import f1_score, hamming_loss, label_ranking_average_precision_score
from sklearn.model_selection import KFold, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier

from mlm_helpers import curves, data, hamming, label_based, probability, ranking, top_k
from mlm_helpers._core.inputs.options import resolve_names

DOCS = Path(__file__).parent.parent / "docs"
PAGE, MESSAGES = ((DOCS / f"{n}.md").read_text(encoding="utf-8") for n in ("recipes", "messages"))
MESSAGE_OR_BLOCK = r"^(``?)([^`\n][^\n]*)\1$|^```python( message)?\n(.*?)^```$"
RECIPE = r"^```python {}\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?"
Y_PROB_BY_HAND = [[1.0, 0.0, 0.5, 1.0], [0.0, 0.0, 1.0, 1.0]]


def run(name: str, *libraries: str) -> dict[str, Any]:
    """The names that a recipe defines.

    If the page has a text below the recipe, it must print that text.
    """
    for library in libraries:
        pytest.importorskip(library)
    match = re.search(RECIPE.format(name), PAGE, re.M | re.S)
    assert match, name
    code, expected_text = match.groups()
    names: dict[str, Any] = {"__name__": name}
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, f"recipe {name}", "exec"), names)
    assert expected_text in (None, printed.getvalue()), printed.getvalue()
    return names


@pytest.mark.parametrize("name", ["folds", "frames3d", "traces"])
def test_a_recipe_runs_and_prints_the_text_below_it(name):
    run(name)


def test_a_scorer_takes_the_model_s_method_and_the_sign_from_the_record():
    names = run("record")
    model, X, y = names["model"], names["X"], names["y"]
    for metric, sign, method, sklearn_metric in [
        (hamming.hamming_loss, -1, "predict", hamming_loss),
        (ranking.average_precision, 1, "decision_function", label_ranking_average_precision_score),
        (probability.brier, -1, "predict_proba", lambda y, p: np.mean((p - y) ** 2)),
    ]:
        values = cross_val_score(model, X, y, scoring=names["scorer"](metric))
        for value, (train, test) in zip(values, KFold(5).split(X), strict=True):
            prediction = getattr(model.fit(X[train], y[train]), method)(X[test])
            assert value == pytest.approx(sign * sklearn_metric(y[test], prediction))


def test_each_label_has_a_scorer_and_the_model_predicts_once_per_fold():
    names = run("labels")
    model, X, y, folds = names["model"], names["X"], names["y"], names["folds"]
    for i, (train, test) in enumerate(KFold(5).split(X)):
        y_pred = model.fit(X[train], y[train]).predict(X[test])
        f1_per_label = f1_score(y[test], y_pred, average=None)
        assert_allclose([folds[f"test_{name}"][i] for name in names["names"]], f1_per_label)
        assert_allclose(folds["test_macro F1"][i], f1_per_label.mean())
    spy = mock.patch.object(OneVsRestClassifier, "predict", autospec=True, return_value=y[:60])
    with spy as predict:
        cross_validate(model, X, y, scoring=names["scoring"])
    assert predict.call_count == 5


def test_a_label_that_was_constant_in_training_gets_its_column_back():
    """The two neighbours of 0.2 are samples 0 and 1, those of 2.8 samples 2 and 3."""
    names = run("constant")
    model, matrices = names["model"], names["matrices"]
    assert_array_equal(names["y_prob"], Y_PROB_BY_HAND)
    assert_array_equal(matrices[1][:, -1], [1, 1])  # a label without positives in training
    with pytest.raises(ValueError, match="if predict_proba returned two columns per label"):
        probability.brier(names["y_train"][:2], matrices)
    one_vs_rest = OneVsRestClassifier(model)
    with pytest.warns(UserWarning, match="present in all training"):
        one_vs_rest.fit(names["X_train"], names["y_train"])
    assert_array_equal(one_vs_rest.predict_proba([[0.2], [2.8]]), Y_PROB_BY_HAND)


def test_a_long_table_becomes_matrices_and_a_sample_without_a_row_stays():
    """True are {cat, dog}, {dog} and {}, predicted {cat}, {cat, dog} and {}."""
    names = run("long")
    assert names["labels"] == ("cat", "dog")
    assert names["y_true"].to_numpy().tolist() == [[1, 1], [0, 1], [0, 0]]
    assert names["y_pred"].to_numpy().tolist() == [[1, 0], [1, 1], [0, 0]]
    assert names["y_score"].to_numpy().tolist() == [[0.9, 0.9], [0.7, 0.7], [0.2, 0.2]]


def test_metrics_of_other_fields_are_as_by_hand():
    """Recipe "fields": sample 0 has a miss and a false alarm, sample 1 a false alarm.

    Five labels are true.

    So the error rate of audio is (1 + 1) / 5, the larger of misses and false alarms in each sample.
    """
    names = run("fields")
    y_true, y_score = names["y_true"], names["y_score"]
    assert names["fpr"].tolist() == [0, 0.5, 0.5, 1]  # two of the four samples lack label 0
    assert names["tpr"].tolist() == [0.5, 0.5, 1, 1]
    n_misses = (y_true > names["y_pred"]).sum(axis=1)
    n_false_alarms = (y_true < names["y_pred"]).sum(axis=1)
    assert np.maximum(n_misses, n_false_alarms).tolist() == [1, 1, 0, 0]
    values = top_k.ndcg(names["hits"], y_score, k=2, per_sample=True)
    assert_allclose(values, [1, 1 / np.log2(3), 1, 1])  # the label of sample 1 is at place 2


def test_what_an_invented_tag_costs_is_a_choice_and_so_is_how_an_answer_is_read():
    """Dog has a false alarm.

    Each of the two invented tags is one more, and a label with F1 0 if it is added.
    """
    names = run("answers")
    tags = [["Dog", "beach", "beach", "sea"], ["Sunset", "dog"], ["None of these."]]
    assert names["predicted"] == tags
    options = {"labels": names["labels"], "normalize": str.casefold}
    for others, f1_of_invented, micro_f1 in [("drop", [], 6 / 7), ("add", [0, 0], 6 / 9)]:
        answers = data.from_tags(names["true"], names["predicted"], others=others, **options)
        assert answers.others == {"sea": 1, "none of these.": 1}
        matrices = answers.y_true, answers.y_pred
        assert_allclose(label_based.f1(*matrices, average=None), [1, 2 / 3, 1, *f1_of_invented])
        assert label_based.f1(*matrices, average="micro") == pytest.approx(micro_f1)
    # The lenient rule has two hits; cat in the second answer, and all three labels in the third
    assert run("reading")["f1"] == 2 * 2 / (2 * 2 + 4 + 0)


def test_pairs_of_annotators_are_as_by_hand_and_the_model_is_the_majority():
    names = run("annotators")
    pairs = [[2 / 3, 1 / 3, 1, 2 / 3, 0], [3 / 4, 0, 1, 1, 0], [2 / 3, 1 / 3, 1, 2 / 3, 0]]
    of_model = [[6 / 7, 2 / 3, 1, 1, 0], [4 / 5, 1 / 2, 1, 2 / 3, 0], [6 / 7, 1 / 2, 1, 1, 0]]
    for key, rows in {"pairs": pairs, "of_model": of_model}.items():
        assert_allclose([[*row.values()] for row in names[key].values()], rows)
    assert_array_equal(names["majority"], names["model"])


@pytest.mark.filterwarnings("ignore:'pin_memory':UserWarning")
def test_a_trainer_has_the_f1_of_logits_above_0(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = run("trainer", "transformers", "accelerate")
    output = names["trainer"].predict(names["rows"])
    f1 = f1_score(output.label_ids, output.predictions > 0, average="micro")
    assert output.metrics["test_micro_f1"] == pytest.approx(f1) and f1 > 0
    by_hand = names["compute_metrics"]((np.array([[0.2, -1], [-3, 0.4]]), np.eye(2)))
    assert by_hand == {"micro_f1": 1, "macro_ap": 1}


def test_a_class_of_evaluate_adds_up_batches_without_a_network():
    """Two hits, two misses and no false alarm: recall is 1/2, where precision is 1."""
    names = run("evaluate", "evaluate")
    names["recall"].add(references=[1, 0], predictions=[1, 1])
    assert names["recall"].compute(average="macro") == {"recall": 0.5}  # of the new batch only


def test_batches_add_up_to_the_whole_in_any_order():
    names = run("torch", "torch")
    card, model, (X, y) = names["card"], names["model"], names["dataset"].tensors
    y_pred = model(X) > 0
    assert card.n_samples == 100
    assert card.values()["macro F1"] == pytest.approx(f1_score(y, y_pred, average="macro"))
    batches = zip(y.split(32), y_pred.split(32), strict=True)
    mean_f1 = np.mean([f1_score(*batch, average="macro", zero_division=0) for batch in batches])
    assert abs(mean_f1 - card.values()["macro F1"]) > 0.001


def test_scorecards_of_two_processes_add_up_to_that_of_all_samples(tmp_path):
    names = run("processes", "torch")
    y_true, y_pred, card = (names[name] for name in ("y_true", "y_pred", "card"))
    assert card.values()["macro F1"] == pytest.approx(f1_score(y_true, y_pred, average="macro"))

    def evaluate(rank: int) -> None:
        store = names["distributed"].FileStore(str(tmp_path / "store"), 2)
        names["distributed"].init_process_group("gloo", store=store, rank=rank, world_size=2)
        own = names["Scorecard"].from_batch(y_true[rank::2], y_pred[rank::2])
        (tmp_path / f"{rank}.json").write_text(names["of_all_processes"](own).to_json())

    process = multiprocessing.get_context("fork").Process
    processes = [process(target=evaluate, args=(rank,)) for rank in range(2)]
    for each in processes:
        each.start()
    for each in processes:
        each.join(60)
    for text in ((tmp_path / f"{rank}.json").read_text() for rank in range(2)):
        assert names["Scorecard"].from_json(text).values() == pytest.approx(card.values())


def test_xgboost_stops_where_the_cost_is_lowest_unless_its_name_is_that_of_a_score():
    names = run("xgboost", "xgboost")
    model, cost, X, y = (names[name] for name in ("model", "cost", "X", "y"))
    f1 = f1_score(y[200:], model.predict(X[200:]), average="micro")
    assert model.best_score == pytest.approx(1 - f1, abs=1e-5)  # XGBoost rounds
    assert model.best_score == min(model.evals_result()["validation_0"]["cost"])

    def score(y_true: Any, y_prob: Any) -> float:
        return 1 - cost(y_true, y_prob)

    for name in ("score", "auc_cost", "map_cost", "ndcg_cost", "precision_cost"):
        metric = score if name == "score" else cost
        metric.__name__ = name
        model.set_params(eval_metric=metric)
        model.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])], verbose=False)
        assert f1_score(y[200:], model.predict(X[200:]), average="micro") < f1 - 0.05


def test_fairlearn_s_difference_lies_above_0_where_no_group_differs():
    names = run("fairlearn", "fairlearn")
    y_true, y_pred, frame = names["y_true"], names["y_pred"], names["frame"]
    f1 = f1_score(y_true.T, y_pred.T, average=None, zero_division=0).reshape(3, 20).mean(axis=1)
    assert frame.difference() == pytest.approx(np.ptp(f1))
    assert frame.difference("to_overall") == pytest.approx(np.abs(f1 - f1.mean()).max())


def test_cleanlab_weighs_the_cell_that_looks_wrong_most():
    names = run("cleanlab", "cleanlab")
    y_true, y_prob = names["y_true"], names["y_prob"]
    of_annotation = np.sort(np.where(y_true, y_prob, 1 - y_prob))
    assert_allclose(names["quality"], of_annotation @ [0.8, 0.16, 0.04])


def test_mapie_has_the_threshold_of_notebook_10_and_refuses_samples_without_labels():
    names = run("mapie", "mapie")
    control, y_true, y_score = names["control"], names["y_true"], names["y_score"]
    assert_allclose(control.r_hat_plus[[39, 40]], [2 / 15, 7 / 30])
    with pytest.raises(ValueError, match="at least one label"):
        control.calibrate(y_score, 0 * y_true)
    with pytest.warns(UserWarning, match="cannot be controlled"):
        assert control.calibrate(y_score[:3], y_true[:3]).best_predict_param == 0


def test_polars_and_arrow_are_read_and_their_labels_compared_by_name():
    """F1 is 2·1/(2 + 1) for dog and 2·2/(4 + 1) for sun."""
    names = run("frames", "polars", "pyarrow")
    y_true, y_pred = names["y_true"], names["y_pred"]
    assert_allclose(label_based.f1(y_true, y_pred, average=None), [2 / 3, 4 / 5])
    swapped = y_pred.select(["sun", "dog"])
    for truth in (y_true, y_true.to_arrow(), y_true.to_pandas()):
        for prediction in (swapped, names["pl"].from_arrow(swapped), swapped.to_pandas()):
            with pytest.raises(ValueError, match="'sun' at position 0"):
                label_based.f1(truth, prediction)
    assert resolve_names(None, range(2), "label", swapped) == ["sun", "dog"]


# ------------------------------------------------------------------------- messages of scikit-learn


@pytest.mark.skipif("OTHER_VERSIONS" in os.environ, reason="messages differ between versions")
def test_each_call_gives_its_message_and_each_remedy_gives_none():
    names: dict[str, Any] = {}
    message = ""
    for _, found, is_call, code in re.findall(MESSAGE_OR_BLOCK, MESSAGES, re.M | re.S):
        message, error = found or message, ""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                exec(code, names)
            except ValueError as raised:
                error = str(raised)
        given = error + "".join(str(warning.message) for warning in caught)
        assert message in given if is_call else not given, (code, given)


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_gives_other_numbers_than_those_of_the_labels_without_an_error():
    """Both matrices are flattened; no sample has the last label.

    The labels of a sample are not classes.
    """
    names: dict[str, Any] = {}
    exec(re.findall(MESSAGE_OR_BLOCK, MESSAGES, re.M | re.S)[0][-1], names)
    y_true, y_pred, score = (names[name].to_numpy() for name in ("y_true", "y_pred", "y_score"))
    flat, never = (y_true.ravel(), y_pred.ravel()), y_true * [1, 1, 0]
    classes = f1_score(y_true, y_pred, average="micro"), f1_score(1 - flat[0], 1 - flat[1])
    assert f1_score(*flat) == classes[0] and f1_score(*flat, average="macro") == np.mean(classes)
    assert f1_score(never, never, average="macro") == pytest.approx(2 / 3)
    assert np.isnan(skm.roc_auc_score(never, score))
    assert curves.roc_auc(never, score) == skm.roc_auc_score(never[:, :2], score[:, :2])
    ap = skm.average_precision_score(never[:, :2], score[:, :2])
    assert skm.average_precision_score(never, score) == pytest.approx(ap * 2 / 3)
    assert curves.average_precision(never, score, undefined=np.nan) == pytest.approx(ap)
    loss = np.mean([skm.log_loss(y_true[:, j], score[:, j]) for j in range(3)])
    assert probability.log_loss(y_true, score) == pytest.approx(loss)
    assert skm.log_loss(y_true, score) != pytest.approx(loss, abs=0.01)
