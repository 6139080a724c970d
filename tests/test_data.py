"""Tags, unknown cells, what a label matrix is like, and folds: by hand, and real data.

What is refused, and in which words, stands in refusals/data.txt.
"""

import ast
import json
import re
import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from mlm_course import emoji
from mlm_helpers import example_based, hamming, label_based
from mlm_helpers._core import blocks, inputs
from mlm_helpers.data import describe, folds, from_tags, unknown

DATA = emoji.load()
NAN = float("nan")


def test_what_nobody_annotated_is_masked():
    signs, missing = [[1, -1], [0, 1]], [[1, None], [0, 1]]
    frame, masked = pd.DataFrame(missing), np.ma.masked_array([[1, 5], [0, 1]], [[0, 1], [0, 0]])
    for rows in (signs, np.array(signs, "f2"), pd.DataFrame(signs), masked):
        assert unknown(rows).tolist() == unknown(rows, (-1, None)).tolist() == missing
        assert unknown(rows).filled().tolist() == signs
    for rows in (missing, np.array(missing, float), frame.astype("Int64"), frame.astype(object)):
        for value in (NAN, None, [-1, NAN]):
            assert unknown(rows, value).tolist() == missing


def test_the_names_of_a_frame_go_along():
    """A part of the truth has no names that could be wrong."""
    truth = unknown(pd.DataFrame({"cat": [1, -1], "dog": [0, 1]}, index=["x", "y"]))
    said = pd.DataFrame({"dog": [0, 1], "cat": [1, 1]}, index=["x", "y"])
    assert hamming.hamming_loss(truth, said.reindex(columns=truth.columns)) == 0
    assert hamming.hamming_loss(truth[:1], said[:1].to_numpy()) == 1
    assert inputs.resolve_names(None, range(2), "label", truth) == ["cat", "dog"]
    assert inputs.resolve_names(None, range(2), "label", truth[:1]) == ["0", "1"]


def test_what_a_fifth_of_unknown_cells_shifts_in_notebook_14():
    """The numbers in the docstring of `unknown`."""
    some = DATA.y[:, :12].any(axis=1)
    y_true, y_pred = DATA.y[some, :12], emoji.scores()["trees"][some, :12] >= 0.2
    masked = np.ma.MaskedArray(y_true, np.random.default_rng(0).random(y_true.shape) < 0.2)
    metrics = partial(label_based.f1, average="micro"), example_based.f1
    values = [f"{metric(y, y_pred):.3f}" for metric in metrics for y in (masked, y_true)]
    assert re.findall(r"0\.\d{3}", unknown.__doc__) == values


# ---------------------------------------------------------------------------- tags

TRUE, SAID = [["a"], ["b"]], [["a", "x"], ["b"]]


def test_which_labels_there_are_decides_macro_f1():
    for options, value in (
        ({"labels": from_tags(TRUE, TRUE).labels, "others": "drop"}, 1),
        ({}, 2 / 3),
        ({"labels": ["a", "b", "c", "x"]}, 1 / 2),
        ({"labels": ["a", "b", "c"], "others": "add"}, 1 / 2),
    ):
        tags = from_tags(TRUE, SAID, **options)
        assert label_based.f1(tags.y_true, tags.y_pred) == pytest.approx(value)


@pytest.mark.parametrize(
    "kind", [list, set, np.array, pd.Series, lambda tags: dict.fromkeys(tags).keys(), ";".join]
)
@pytest.mark.parametrize("rows", [list, lambda rows: np.array([*rows, 0], object)[:-1]])
def test_tags_come_in_lists_sets_arrays_and_texts(kind, rows):
    true, said = ([kind(tags) for tags in each] for each in ([["b", "a"], []], [["b"], ["a"]]))
    tags = from_tags(rows(true), rows(said), separator=";")
    assert tags.labels == ("a", "b")
    assert tags.y_true.tolist() == [[1, 1], [0, 0]] and tags.y_pred.tolist() == [[0, 1], [1, 0]]
    assert tags.y_true.dtype.kind == "i"


def test_columns_of_pandas_become_frames_with_their_names():
    files, options = ["x.png", "y.png"], {"labels": ["sea", "dog"], "separator": "|"}
    true = pd.Series(["dog|sea", ""], files)
    expected = pd.DataFrame([[1, 1], [0, 0]], index=files, columns=["sea", "dog"], dtype="int8")
    for kind in (str, "string", "category"):
        tags = from_tags(true.astype(kind), SAID, others="drop", **options)
        pd.testing.assert_frame_equal(tags.y_true, expected)
        assert tags.y_pred.index.tolist() == files and not tags.y_pred.to_numpy().any()


def test_what_is_left_out_or_added_is_told():
    said = [["y", "x", "a", "a"], ["x", "x"]]
    for others, labels in (("drop", ("b", "a")), ("add", ("b", "a", "x", "y"))):
        tags = from_tags(TRUE, said, labels=["b", "a"], others=others)
        assert tags.labels == labels and tags.others == {"x": 3, "y": 1}
    assert from_tags(TRUE, said).others == {}
    lower = {"labels": ["doG"], "normalize": lambda tag: tag.strip().lower()}
    alike = from_tags([["Dog"]], [[" dog", "DOG"]], **lower)
    assert alike.labels == ("dog",) and alike.y_pred.tolist() == [[1]]
    both = from_tags([["Dog"]], [["dog"]], labels=["dog", "Dog"])
    assert both.y_true.tolist() == [[0, 1]] and both.y_pred.tolist() == [[1, 0]]


def test_a_truth_of_0_and_1_beside_tags():
    true = pd.DataFrame([[1, -1], [0, 1]], index=["p", "q"], columns=["b", "A"])
    said = pd.Series(["b;x", "a;a"], index=["p", "q"])
    options = {"separator": ";", "normalize": str.casefold}
    tags = from_tags(true, said, **options, others="drop")
    assert (tags.labels, tags.others) == (("b", "a"), {"x": 1})
    assert label_based.f1(unknown(tags.y_true), tags.y_pred) == 1
    added = from_tags(true, said, **options, others="add").y_true.to_numpy()
    assert added.tolist() == [[1, -1, 0], [0, 1, 0]]


def mended(kind, tags, **options):
    """The tags after the code that each refusal names; None where one names none."""
    given = {"true_tags": kind(tags), "predicted_tags": kind(tags), **options}
    for _ in range(6):
        try:
            return from_tags(**given)
        except (TypeError, ValueError) as refused:
            code = re.search("for example (?:with (.*?)=)?(.*)", str(refused))
        if code is None:
            return None
        option = code[1] or re.search("true_tags|predicted_tags", code[2])[0]
        given[option] = eval(code[2], {"ast": ast, "json": json, **given})
    pytest.fail("the remedies go in a circle")


@pytest.mark.parametrize("kind", [list, pd.Series])
@pytest.mark.parametrize(
    ("tags", "labels"),
    [
        (["['b', 'a']", "['a']"], ["a", "b"]),
        (["{'b', 'a'}", "('a',)"], ["a", "b"]),
        (['["\\ud83d\\ude00", "a/b"]', '["a\\/b"]'], ["a/b", "\U0001f600"]),
        ([["10", "9"], ["9"]], ["9", "10"]),
        ([[10, 9], [9]], ["9", "10"]),
        (["[1, 0]", "[1]"], ["0", "1"]),
        (["b; a", "a"], ["a", "b"]),
        ([["A", "b"], ["a"]], ["a", "b"]),
        ([["new york", "a"], ["newyork"]], ["a", "new york"]),
        ([["a b", "caf\u00e9"], ["cafe\u0301"]], ["a b", "caf\u00e9"]),
        ([["b", "a\u00adc"], ["ac"]], ["a\u00adc", "b"]),
        ([["b", "\u2764\ufe0f"], ["\u2764"]], ["b", "\u2764\ufe0f"]),
    ],
)
def test_what_a_refusal_of_tags_says_is_right_when_done(kind, tags, labels):
    """The second sample has one tag, which the first has, too, if its name is read as it is meant."""
    found = mended(kind, tags)
    assert [*found.labels] == labels
    for y in (found.y_true, found.y_pred):
        assert sorted(np.asarray(y).sum(axis=0)) == [1, 2] and np.asarray(y)[0].all()


@pytest.mark.parametrize(
    "tags",
    [["['a' 'b']"], ["[a, b]"], ["['a'", "['b']"], ["{'a': 1}"], ["'a'"], [["'a"], ["a'"], ["'a'"]],
     ['```json\n["a"]\n```'], ['```{"a": 1}```'], [["['a'"]], ["a", None], [["a", None]], ["a;;b"], [["\u200b"]], [["a"], 0.5], [[0.5]]],
)  # fmt: skip
def test_where_no_code_mends_tags_there_is_a_sentence(tags):
    assert mended(list, tags) is None and mended(pd.Series, tags) is None


@pytest.mark.parametrize("name", ["[CLS]", "[laughter]", "(2020)", '12"', "'90s", "f('x')", "{x}"])
def test_brackets_and_quotes_within_a_name_are_no_list(name):
    assert from_tags([[name]], [[name]]).labels == (name,)


def test_another_sign_between_tags_that_are_known_is_no_part_of_a_tag():
    true, said = ["a, b, c", "b"], ["a, b,c", "b"]
    with pytest.raises(ValueError, match="predicted_tags has 'b,c' at sample 0"):
        from_tags(true, said, separator=", ")
    both = from_tags(["a;b,c", "b;c"], ["b,c;a", "b;c"], separator=";")  # a label of its own
    assert both.labels == ("a", "b", "b,c", "c") and (both.y_true == both.y_pred).all()


@pytest.mark.parametrize("others", ["refuse", "drop", "add"])
@pytest.mark.parametrize("name", ["A", "a\u200b"])
def test_a_tag_that_looks_like_a_label_is_that_label(others, name):
    for labels, tags in (([name], [["a"]]), (["a"], [[name]])):
        assert mended(list, tags, labels=labels, others=others).y_true.tolist() == [[1]]


def test_twenty_thousand_samples_are_read_in_seconds():
    rows = [["sea", "sun"], ["sky"], [], ["sun", "sky", "dog"]] * 5_000
    begin = time.perf_counter()
    tags = from_tags(rows, rows)
    assert time.perf_counter() - begin < 3  # a hundredth of it on a quiet machine
    assert tags.y_true.sum(axis=0).tolist() == [5_000, 5_000, 10_000, 10_000]


# ---------------------------------------------------------------------------- what a matrix is like


@pytest.mark.parametrize("dtype", ["u1", "f4", bool])
@pytest.mark.parametrize("kind", [np.array, pd.DataFrame, csr_array])
def test_the_measures_of_a_label_matrix_by_hand(kind, dtype):
    """IRLbl 1, 2, 4 and 0; SCUMBLE of {1, 2}: 1 − √2 ÷ 3/2; of {1, 2, 4}: 1 − 2 ÷ 7/3 = 1/7."""
    rows = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]])
    found = describe(kind(rows.astype(dtype)))
    assert (found.samples, found.labels) == (5, ("0", "1", "2", "3"))
    assert found.positives.tolist() == [4, 2, 1, 0] and found.imbalance.tolist() == [1, 2, 4, 0]
    assert (found.cardinality, found.density) == pytest.approx((7 / 5, 7 / 20))
    assert (found.label_sets, found.most_frequent_share) == (4, 2 / 5)
    assert found.mean_imbalance == 7 / 4
    assert found.scumble == pytest.approx((1 - 2**0.5 / 1.5 + 1 / 7) / 5)


def test_a_description_of_many_rows_is_that_of_all_of_them(monkeypatch):
    """Large data are read in parts; repeated rows change no measure but the number of samples."""
    y = DATA.y[:100]
    once = describe(y)
    assert once.label_sets == len({tuple(row) for row in y.tolist()})
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 7 * y.shape[1])
    often = describe(np.tile(y, (3, 1)))
    assert often.samples == 3 * once.samples and often.label_sets == once.label_sets
    for name in ("cardinality", "density", "most_frequent_share", "mean_imbalance", "scumble"):
        assert getattr(often, name) == pytest.approx(getattr(once, name))
    assert describe(csr_array(y)).scumble == pytest.approx(once.scumble)


def test_a_description_shows_its_labels_by_name_the_most_frequent_first(snapshot):
    frame = pd.DataFrame([[0, 1], [1, 1], [0, 1]], columns=["rare", "often"])
    thirty = describe(np.tri(30, dtype=int))  # 10 labels, and the last 10
    assert f"{describe(frame)}\n\n{thirty}\n\n{describe([[0, 0]])}" == snapshot
    assert repr(describe(frame.to_numpy(), labels=["rare", "often"])) == repr(describe(frame))


# ---------------------------------------------------------------------------- folds


def spread(y, fold, n_folds):
    """How far each label's positives differ between the folds."""
    return np.ptp([y[fold == i].sum(axis=0) for i in range(n_folds)], axis=0)


def test_a_small_deal_by_hand():
    """The rare label's two samples part; then each fold gets one of the two others that have the first.

    The two without labels part as well: whatever is drawn, all is even.
    """
    y = np.array([[1, 1], [1, 1], [1, 0], [1, 0], [0, 0], [0, 0]])
    for seed in range(5):
        fold = folds(y, 2, seed=seed)
        assert [sorted(fold[pair]) for pair in ([0, 1], [2, 3], [4, 5])] == [[0, 1]] * 3


def test_the_rarest_goes_first():
    """Three samples have the frequent label, two the rare one: these are apart, whatever is drawn.

    Then the fold that has no sample with the frequent label gets one, and the smaller one the last.
    """
    for seed in range(10):
        fold = folds([[1, 0], [1, 0], [1, 1], [0, 1]], 2, seed=seed)
        assert fold[2] != fold[3] and fold[0] != fold[1]


def test_labels_are_spread_more_evenly_than_by_chance():
    """On average the counts of three folds differ by less than 1, at random by more than 3."""
    rng = np.random.default_rng(0)
    by_chance = [spread(DATA.y, rng.permutation(len(DATA.y)) % 3, 3).mean() for _ in range(10)]
    assert spread(DATA.y, folds(DATA.y, 3), 3).mean() < 1 and min(by_chance) > 3


@pytest.mark.parametrize("n_folds", [2, 5])
def test_every_fold_of_the_emoji_has_every_label(n_folds):
    fold = folds(DATA.y, n_folds)
    positives = np.array([DATA.y[fold == i].sum(axis=0) for i in range(n_folds)])
    assert positives[:, DATA.y.sum(axis=0) >= n_folds].min() >= 1
    assert np.ptp(np.bincount(fold, minlength=n_folds)) <= 1


@pytest.mark.parametrize("kind", [np.array, pd.DataFrame, csr_array])
def test_any_matrix_of_0_and_1_is_dealt_out(kind):
    y = np.array([[1, 0], [1, 1], [0, 1], [1, 0]])
    assert folds(kind(y.astype(float)), 2).tolist() == folds(y, 2).tolist()
    assert folds(unknown(np.where(y == 1, 1, -1)), 2).tolist() == folds(y, 2).tolist()


def test_a_seed_says_which_folds_and_groups_of_one_sample_change_nothing():
    y, names = DATA.y[:60], [f"photo {i}" for i in range(60)][::-1]
    one, again, other = (folds(y, 3, seed=seed) for seed in (1, 1, 2))
    assert (one == again).all() and (one != other).any()
    assert (one == folds(y, 3, seed=1, groups=names)).all()


def test_no_group_is_divided_and_positives_are_spread_no_wider_than_the_largest():
    """The label shared out first goes where it is fewest, so the spread is at most a group's share."""
    rng = np.random.default_rng(0)
    for n_samples, n_groups, n_folds in [(40, 12, 2), (40, 12, 5), (60, 9, 9), (300, 40, 3)]:
        for seed in range(4):
            y = (rng.random((n_samples, 3)) < [0.2, 0.4, 0.6]).astype(int)
            some = rng.integers(n_groups, size=n_samples - n_groups)
            groups = np.append(np.arange(n_groups), some)
            fold = folds(y, n_folds, seed=seed, groups=groups)
            assert all(len(set(fold[groups == group])) == 1 for group in range(n_groups))
            assert len(set(fold)) == n_folds
            rarest = np.argmin(y.sum(axis=0))
            each = np.bincount(groups, y[:, rarest])
            assert spread(y, fold, n_folds)[rarest] <= each.max()


def test_the_group_with_most_positives_goes_first():
    """Groups of 4, 3, 2 and 1 positives: 4 + 1 and 3 + 2; by any order in which 1 is early, not.

    So it is where those with few positives have most samples, and with samples without labels.
    """
    sizes = np.array([1, 2, 3, 4])
    positives, others = (np.repeat(list("abcd"), n) for n in (sizes, 3 * (4 - sizes)))
    for y, groups in (
        (np.ones(10), positives),
        (np.zeros(10), positives),
        (np.arange(28) < 10, np.append(positives, others)),
    ):
        for seed in range(6):
            fold = folds(y.reshape(-1, 1), 2, seed=seed, groups=groups)
            assert np.bincount(fold[:10]).tolist() == [5, 5]
