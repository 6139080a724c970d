"""Tags, unknown cells, descriptions and folds: computed by hand, and on real data.

The approved messages about invalid arguments are those of refusals/data.txt.
"""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from mlm_course import emoji
from mlm_helpers import example_based, hamming, label_based
from mlm_helpers._core import blocks
from mlm_helpers._core.inputs.options import resolve_names
from mlm_helpers.data import describe, folds, from_tags, unknown

DATA = emoji.load()
NAN = float("nan")


def test_cells_that_nobody_annotated_are_masked():
    markers, missing = [[1, -1], [0, 1]], [[1, None], [0, 1]]
    frame, masked = pd.DataFrame(missing), np.ma.masked_array([[1, 5], [0, 1]], [[0, 1], [0, 0]])
    for rows in (markers, np.array(markers, "f2"), pd.DataFrame(markers), masked):
        assert unknown(rows).tolist() == unknown(rows, (-1, None)).tolist() == missing
        assert unknown(rows).filled().tolist() == markers
    for rows in (missing, np.array(missing, float), frame.astype("Int64"), frame.astype(object)):
        for value in (NAN, None, [-1, NAN]):
            assert unknown(rows, value).tolist() == missing


def test_a_masked_truth_keeps_the_names_of_its_frame():
    """A slice of it has no names, as they would be wrong."""
    truth = unknown(pd.DataFrame({"cat": [1, -1], "dog": [0, 1]}, index=["x", "y"]))
    prediction = pd.DataFrame({"dog": [0, 1], "cat": [1, 1]}, index=["x", "y"])
    assert hamming.hamming_loss(truth, prediction.reindex(columns=truth.columns)) == 0
    assert hamming.hamming_loss(truth[:1], prediction[:1].to_numpy()) == 1
    assert resolve_names(None, range(2), "label", truth) == ["cat", "dog"]
    assert resolve_names(None, range(2), "label", truth[:1]) == ["0", "1"]


def test_a_fifth_of_unknown_cells_shifts_samples_f1_in_notebook_14():
    """The numbers in the docstring of `unknown`."""
    rows = DATA.y[:, :12].any(axis=1)
    y_true, y_pred = DATA.y[rows, :12], emoji.scores()["trees"][rows, :12] >= 0.2
    masked = np.ma.MaskedArray(y_true, np.random.default_rng(0).random(y_true.shape) < 0.2)
    metrics = partial(label_based.f1, average="micro"), example_based.f1
    values = [f"{metric(y, y_pred):.3f}" for metric in metrics for y in (masked, y_true)]
    assert re.findall(r"0\.\d{3}", unknown.__doc__) == values


# ---------------------------------------------------------------------------- tags

TRUE, PREDICTED = [["a"], ["b"]], [["a", "x"], ["b"]]


def test_macro_f1_depends_on_the_list_of_labels():
    for options, value in (
        ({"labels": from_tags(TRUE, TRUE).labels, "others": "drop"}, 1),
        ({}, 2 / 3),
        ({"labels": ["a", "b", "c", "x"]}, 1 / 2),
        ({"labels": ["a", "b", "c"], "others": "add"}, 1 / 2),
    ):
        tags = from_tags(TRUE, PREDICTED, **options)
        assert label_based.f1(tags.y_true, tags.y_pred) == pytest.approx(value)


@pytest.mark.parametrize(
    "kind", [list, set, np.array, pd.Series, lambda tags: dict.fromkeys(tags).keys(), ";".join]
)
@pytest.mark.parametrize("rows", [list, lambda rows: np.array([*rows, 0], object)[:-1]])
def test_tags_come_in_lists_sets_arrays_and_texts(kind, rows):
    true, predicted = map(kind, (["b", "a"], [])), map(kind, (["b"], ["a"]))
    tags = from_tags(rows([*true]), rows([*predicted]), separator=";")
    assert tags.labels == ("a", "b")
    assert tags.y_true.tolist() == [[1, 1], [0, 0]] and tags.y_pred.tolist() == [[0, 1], [1, 0]]
    assert tags.y_true.dtype.kind == "i"


def test_columns_of_pandas_become_frames_with_their_names():
    files, options = ["x.png", "y.png"], {"labels": ["sea", "dog"], "separator": "|"}
    true = pd.Series(["dog|sea", ""], files)
    expected = pd.DataFrame([[1, 1], [0, 0]], index=files, columns=["sea", "dog"], dtype="int8")
    for kind in (str, "string", "category"):
        tags = from_tags(true.astype(kind), PREDICTED, others="drop", **options)
        pd.testing.assert_frame_equal(tags.y_true, expected)
        assert tags.y_pred.index.tolist() == files and not tags.y_pred.to_numpy().any()


def test_tags_that_are_dropped_or_added_are_counted():
    predicted = [["y", "x", "a", "a"], ["x", "x"]]
    for others, labels in (("drop", ("b", "a")), ("add", ("b", "a", "x", "y"))):
        tags = from_tags(TRUE, predicted, labels=["b", "a"], others=others)
        assert tags.labels == labels and tags.others == {"x": 3, "y": 1}
    assert from_tags(TRUE, predicted).others == {}
    lower = {"labels": ["doG"], "normalize": lambda tag: tag.strip().lower()}
    one_label = from_tags([["Dog"]], [[" dog", "DOG"]], **lower)
    assert one_label.labels == ("dog",) and one_label.y_pred.tolist() == [[1]]
    two_labels = from_tags([["Dog"]], [["dog"]], labels=["dog", "Dog"])
    assert two_labels.y_true.tolist() == [[0, 1]] and two_labels.y_pred.tolist() == [[1, 0]]


def test_a_truth_of_0_and_1_with_predicted_tags():
    true = pd.DataFrame([[1, -1], [0, 1]], index=["p", "q"], columns=["b", "A"])
    predicted = pd.Series(["b;x", "a;a"], index=["p", "q"])
    options = {"separator": ";", "normalize": str.casefold}
    tags = from_tags(true, predicted, **options, others="drop")
    assert (tags.labels, tags.others) == (("b", "a"), {"x": 1})
    assert label_based.f1(unknown(tags.y_true), tags.y_pred) == 1
    added = from_tags(true, predicted, **options, others="add").y_true.to_numpy()
    assert added.tolist() == [[1, -1, 0], [0, 1, 0]]


@pytest.mark.parametrize("kind", [list, pd.Series])
@pytest.mark.parametrize(
    ("tags", "option", "labels"),
    [
        (["b; a", "a"], {"separator": ";", "normalize": str.strip}, ["a", "b"]),
        ([["A", "b"], ["a"]], {"normalize": str.casefold}, ["a", "b"]),
        ([["10", "9"], ["9"]], {}, ["9", "10"]),
    ],
)
def test_the_remedies_for_tags_lead_to_the_right_labels(kind, tags, option, labels):
    """The first sample has all tags, the second one of them; a message names each option."""
    for name in option:
        with pytest.raises((TypeError, ValueError), match=name):
            from_tags(kind(tags), kind(tags), **{**option, name: None})
    mended = from_tags(kind(tags), kind(tags), **option)
    assert [*mended.labels] == labels
    for y in (mended.y_true, mended.y_pred):
        assert sorted(np.asarray(y).sum(axis=0)) == [1, 2] and np.asarray(y)[0].all()


@pytest.mark.parametrize("separator", [None, ", "])
@pytest.mark.parametrize(
    "tags",
    [["['b', 'a']"], ["{'b', 'a'}"], ["['a' 'b']"], ["[a, b]"], ["[1, 0]"], ["{'a': 1}"], ["'a'"],
     ['```json\n["a"]\n```'], ["[]"], [["['a'", "'b']"]], [["['a'"]],
     [["'a", "a"], ["a'"], ["'a'"]],
     [["a", None]], [["a"], None], [["\u200b"]], [["a"], 0.5], [[1]],
     [["new york"], ["newyork"]], [["caf\u00e9"], ["cafe\u0301"]], [["\u2764\ufe0f"], ["\u2764"]]],
)  # fmt: skip
def test_tags_that_may_mean_something_else_are_refused(tags, separator):
    for kind in (list, pd.Series):
        with pytest.raises((TypeError, ValueError), match="true_tags has "):
            from_tags(kind(tags), kind(tags), separator=separator)


@pytest.mark.parametrize("name", ["[CLS]", "[laughter]", "(2020)", '12"', "'90s", "f('x')", "{x}"])
def test_a_name_with_brackets_or_quotes_is_not_a_list(name):
    assert from_tags([[name]], [[name]]).labels == (name,)


def test_a_tag_whose_parts_are_tags_is_refused_unless_truth_and_prediction_have_it():
    true, predicted = ["a, b, c", "b"], ["a, b,c", "b"]
    with pytest.raises(ValueError, match="predicted_tags has 'b,c' at sample 0"):
        from_tags(true, predicted, separator=", ")
    tags = from_tags(["a;b,c", "b;c"], ["b,c;a", "b;c"], separator=";")
    assert tags.labels == ("a", "b", "b,c", "c") and (tags.y_true == tags.y_pred).all()


@pytest.mark.parametrize("others", ["refuse", "drop", "add"])
@pytest.mark.parametrize("name", ["A", "a\u200b"])
def test_a_tag_that_is_spelled_almost_like_a_label_is_refused(others, name):
    for label, tag in ((name, "a"), ("a", name)):
        with pytest.raises(ValueError, match="only in case, blanks or invisible"):
            from_tags([[tag]], [[tag]], labels=[label], others=others)


# ---------------------------------------------------------------------------- descriptions


@pytest.mark.parametrize("dtype", ["u1", "f4", bool])
@pytest.mark.parametrize("kind", [np.array, pd.DataFrame, csr_array])
def test_the_measures_of_a_label_matrix_by_hand(kind, dtype):
    """IRLbl 1, 2, 4 and 0; SCUMBLE of {1, 2}: 1 − √2 ÷ 3/2; of {1, 2, 4}: 1 − 2 ÷ 7/3 = 1/7."""
    rows = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]])
    data = describe(kind(rows.astype(dtype)))
    assert (data.samples, data.labels) == (5, ("0", "1", "2", "3"))
    assert data.positives.tolist() == [4, 2, 1, 0] and data.imbalance.tolist() == [1, 2, 4, 0]
    assert (data.cardinality, data.density) == pytest.approx((7 / 5, 7 / 20))
    assert (data.label_sets, data.most_frequent_share) == (4, 2 / 5)
    assert data.mean_imbalance == 7 / 4
    assert data.scumble == pytest.approx((1 - 2**0.5 / 1.5 + 1 / 7) / 5)


def test_repeated_rows_change_no_measure(monkeypatch):
    """Large data are read in blocks of rows."""
    y = DATA.y[:100]
    single = describe(y)
    assert single.label_sets == len({tuple(row) for row in y.tolist()})
    monkeypatch.setattr(blocks, "BLOCK_CELLS", 7 * y.shape[1])
    for triple in (describe(np.tile(y, (3, 1))), describe(csr_array(np.tile(y, (3, 1))))):
        assert triple.label_sets == single.label_sets
        assert triple.scumble == pytest.approx(single.scumble)


def test_a_description_shows_its_labels_by_name_the_most_frequent_first(snapshot):
    frame = pd.DataFrame([[0, 1], [1, 1], [0, 1]], columns=["rare", "often"])
    thirty = describe(np.tri(30, dtype=int))  # 10 labels, and the last 10
    assert f"{describe(frame)}\n\n{thirty}\n\n{describe([[0, 0]])}" == snapshot
    assert repr(describe(frame.to_numpy(), labels=["rare", "often"])) == repr(describe(frame))


# ---------------------------------------------------------------------------- folds


def ranges(y, fold, n_folds):
    """For each label, the most positives in a fold less the fewest."""
    return np.ptp([y[fold == i].sum(axis=0) for i in range(n_folds)], axis=0)


def test_pairs_of_equal_samples_are_split_by_hand():
    """Each fold gets a sample with both labels, one with the first, and one with none."""
    y = np.array([[1, 1], [1, 1], [1, 0], [1, 0], [0, 0], [0, 0]])
    for seed in range(5):
        fold = folds(y, 2, seed=seed)
        assert [sorted(fold[pair]) for pair in ([0, 1], [2, 3], [4, 5])] == [[0, 1]] * 3


def test_the_rarest_label_is_distributed_first():
    """Three samples have the first label, two the second: these two are in different folds.

    Next, the fold without the first label gets a sample with it, and the smaller fold the last one.
    """
    for seed in range(10):
        fold = folds([[1, 0], [1, 0], [1, 1], [0, 1]], 2, seed=seed)
        assert fold[2] != fold[3] and fold[0] != fold[1]


def test_labels_are_spread_more_evenly_than_by_chance():
    """On average the counts of three folds differ by less than 1, at random by more than 3."""
    rng = np.random.default_rng(0)
    by_chance = [ranges(DATA.y, rng.permutation(len(DATA.y)) % 3, 3).mean() for _ in range(10)]
    assert ranges(DATA.y, folds(DATA.y, 3), 3).mean() < 1 and min(by_chance) > 3


@pytest.mark.parametrize("n_folds", [2, 5])
def test_every_fold_of_the_emoji_has_every_label(n_folds):
    fold = folds(DATA.y, n_folds)
    positives = np.array([DATA.y[fold == i].sum(axis=0) for i in range(n_folds)])
    assert positives[:, DATA.y.sum(axis=0) >= n_folds].min() >= 1
    assert np.ptp(np.bincount(fold, minlength=n_folds)) <= 1


@pytest.mark.parametrize("kind", [np.array, pd.DataFrame, csr_array])
def test_folds_of_all_containers_are_equal(kind):
    y = np.array([[1, 0], [1, 1], [0, 1], [1, 0]])
    assert folds(kind(y.astype(float)), 2).tolist() == folds(y, 2).tolist()
    assert folds(unknown(np.where(y == 1, 1, -1)), 2).tolist() == folds(y, 2).tolist()


def test_a_seed_determines_the_folds_and_groups_of_one_sample_change_nothing():
    y, names = DATA.y[:60], [f"photo {i}" for i in range(60)][::-1]
    first, second, third = (folds(y, 3, seed=seed) for seed in (1, 1, 2))
    assert (first == second).all() and (first != third).any()
    assert (first == folds(y, 3, seed=1, groups=names)).all()


def test_groups_are_not_split_and_folds_differ_by_at_most_the_largest_group():
    """The rarest label goes where it has fewest positives: folds differ by one group at most."""
    rng = np.random.default_rng(0)
    for n_samples, n_groups, n_folds in [(40, 12, 2), (40, 12, 5), (60, 9, 9), (300, 40, 3)]:
        for seed in range(4):
            y = (rng.random((n_samples, 3)) < [0.2, 0.4, 0.6]).astype(int)
            random_groups = rng.integers(n_groups, size=n_samples - n_groups)
            groups = np.append(np.arange(n_groups), random_groups)
            fold = folds(y, n_folds, seed=seed, groups=groups)
            assert all(len(set(fold[groups == group])) == 1 for group in range(n_groups))
            assert len(set(fold)) == n_folds
            rarest = np.argmin(y.sum(axis=0))
            positives = np.bincount(groups, y[:, rarest])
            assert ranges(y, fold, n_folds)[rarest] <= positives.max()


def test_the_group_with_most_positives_goes_first():
    """Groups of 4, 3, 2 and 1 positives become folds of 4 + 1 and 3 + 2.

    The same holds without labels, and if groups with fewer positives have more samples.
    """
    sizes = np.array([1, 2, 3, 4])
    of_positives, of_negatives = (np.repeat(list("abcd"), n) for n in (sizes, 3 * (4 - sizes)))
    for y, groups in (
        (np.ones(10), of_positives),
        (np.zeros(10), of_positives),
        (np.arange(28) < 10, np.append(of_positives, of_negatives)),
    ):
        for seed in range(6):
            fold = folds(y.reshape(-1, 1), 2, seed=seed, groups=groups)
            assert np.bincount(fold[:10]).tolist() == [5, 5]
