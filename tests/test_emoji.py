"""The emoji: what is stored, how labels are chosen, how samples are dealt out, and who scored them."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from mlm_course import emoji, figures
from mlm_helpers.data import folds
from tools import emoji as tool
from tools import emoji_scores

DATA = emoji.load()
MODELS = "neighbours", "trees", "linear", "frequent"


# --- the data


def test_the_known_emoji_have_their_keywords():
    """As CLDR has them; a cat with heart eyes is all of these."""
    at = DATA.characters.index("\N{SMILING CAT FACE WITH HEART-SHAPED EYES}")
    has = {label for label, one in zip(DATA.labels, DATA.y[at], strict=True) if one}
    assert {"cat", "face", "smile", "heart", "animal"} <= has
    assert DATA.names[at] == "smiling cat with heart-eyes"
    for character in ("A", "7", "\N{RIGHTWARDS ARROW}", "\N{EURO SIGN}", "\N{EM DASH}"):
        assert character not in DATA.characters


def test_colours_are_where_they_should_be():
    """A red, a green and a blue circle, each of most of its colour in the middle, on white."""
    for channel, color in enumerate(("RED", "GREEN", "BLUE")):
        character = unicodedata.lookup(f"LARGE {color} CIRCLE")
        picture = DATA.pictures[DATA.characters.index(character)]
        assert picture[8, 8].argmax() == channel
        assert (picture[0, 0] == 255).all()


def test_labels_are_as_the_rule_says():
    count = DATA.y.sum(axis=0)
    assert count.min() >= tool.LEAST and (np.diff(count) <= 0).all()
    assert len(np.unique(DATA.y, axis=1).T) == len(DATA.labels)  # no two are the same
    assert (DATA.y.sum(axis=1) == 0).mean() > 0.1 and count.max() > 10 * count.min()


# --- the command's parts


def test_a_label_is_a_keyword_that_enough_have_and_equals_are_merged():
    keywords = [["cat", "pet", "tail"], ["cat", "pet"], ["tail", "fish"], ["tail"], []]
    assert tool.labels_of(keywords, 2) == {"tail": [0, 2, 3], "cat/pet": [0, 1]}
    assert tool.labels_of(keywords, 3) == {"tail": [0, 2, 3]}
    assert tool.labels_of([["b", "b"], ["a", "b"], ["a"]], 2) == {"a": [1, 2], "b": [0, 1]}


def test_only_listed_emoji_with_annotations_of_their_own_are_taken():
    listed = {"\N{BLACK HEART SUIT}\ufe0f": {}, "\N{CAT FACE}": {}, "\N{DOG FACE}": {}}
    annotations = {"\N{BLACK HEART SUIT}": 1, "\N{CAT FACE}": 2, "{": 3}
    assert tool.annotated(listed, annotations) == {
        "\N{BLACK HEART SUIT}\ufe0f": 1,
        "\N{CAT FACE}": 2,
    }


# --- scores


def test_the_baselines_know_no_picture():
    found = emoji.scores()
    fold = folds(DATA.y, 3, seed=0)
    assert not found["nothing"].any()
    for i in range(3):
        (rows,) = {tuple(row) for row in found["frequent"][fold == i]}
        expected = DATA.y[fold != i].sum(axis=0) / (fold != i).sum()
        assert np.abs(np.array(rows) - expected).max() <= 0.0005 + 1e-12


def test_neighbours_are_found_again():
    """The shares of the three nearest, computed once more without scikit-learn, but for ties."""
    pixels = DATA.pictures.reshape(len(DATA.y), -1) / 255
    fold = folds(DATA.y, 3, seed=0)
    found = emoji.scores()["neighbours"]
    for i in np.random.default_rng(0).integers(len(DATA.y), size=20):
        others = np.flatnonzero(fold != fold[i])
        far = ((pixels[others] - pixels[i]) ** 2).sum(axis=1)
        nearest = others[np.argsort(far)[:3]]
        assert np.abs(found[i] - DATA.y[nearest].mean(axis=0)).max() < 1e-3


def test_no_two_repeats_are_the_same():
    first, second = emoji.scores(0), emoji.scores(1)
    assert all((first[model] != second[model]).any() for model in MODELS)
    with pytest.raises(ValueError, match="give a whole number from 0 to 4"):
        emoji.scores(5)


def test_each_fold_is_scored_by_what_learned_the_others():
    """A model that only remembers how many samples it saw, and the mean of its first label."""

    class Remembers:
        def fit(self, pixels, y):
            self.share = y[:, 0].mean()
            return self

        def predict_proba(self, pixels):
            return np.full((len(pixels), 2), self.share)

    y = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1]])
    data = emoji.Emoji(np.zeros((6, 2, 2, 3), np.uint8), y, ("a", "b"), (), ())
    fold = np.array([0, 0, 1, 1, 2, 2])
    found = emoji_scores.crossed(Remembers, data, fold)
    assert found.tolist() == [[500, 500]] * 6
    found = emoji_scores.crossed(Remembers, data, np.array([0, 1, 0, 1, 2, 2]))
    assert found[:, 0].tolist() == [250, 750, 250, 750, 500, 500]


# --- pictures


def test_pictures_stand_beside_their_own_labels():
    ax = figures.tagged_pictures(DATA)
    said = figures.alt_text(ax).removeprefix("Pictures and their labels. ").removesuffix(".")
    names = [text.get_text() for text in ax.texts if text.get_label() == "name"]
    assert len(names) == len(ax.images) == len(said.split("; "))
    sizes = []
    for part, name, image in zip(said.split("; "), names, ax.images, strict=True):
        i = DATA.names.index(name)
        tags = [label for label, has in zip(DATA.labels, DATA.y[i], strict=True) if has]
        assert part.lower() == f"{name}: {', '.join(tags) or 'no label'}".lower()
        assert (image.get_array() == DATA.pictures[i]).all()
        sizes.append(len(tags))
    assert sizes[0] == DATA.y.sum(axis=1).max() and sizes[-2:] == [0, 0]


def test_pictures_stand_beside_what_is_predicted():
    ax = figures.tagged_pictures(DATA, {"pizza": (["food"], []), "owl": (["animal"], ["face"])})
    assert figures.alt_text(ax) == (
        "True and predicted labels. Pizza: true: food, predicted: no label; owl: true: animal, predicted: face."
    )
    for name, image in zip(("pizza", "owl"), ax.images, strict=True):
        assert (image.get_array() == DATA.pictures[DATA.names.index(name)]).all()
