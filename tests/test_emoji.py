"""The emoji: the stored data, the choice of labels and samples, the scores, and the pictures."""

from __future__ import annotations

import unicodedata

import numpy as np

from mlm_course import emoji, figures
from mlm_helpers.data import folds
from tools import emoji as tool

DATA = emoji.load()
MODELS = "neighbours", "trees", "linear", "frequent"


# --- the data


def test_an_emoji_has_its_keywords_and_letters_and_signs_are_not_among_them():
    """The keywords and the name of the cat are those of CLDR."""
    i = DATA.characters.index("\N{SMILING CAT FACE WITH HEART-SHAPED EYES}")
    keywords = {label for label, has in zip(DATA.labels, DATA.y[i], strict=True) if has}
    assert {"cat", "face", "smile", "heart", "animal"} <= keywords
    assert DATA.names[i] == "smiling cat with heart-eyes"
    for character in ("A", "7", "\N{RIGHTWARDS ARROW}", "\N{EURO SIGN}", "\N{EM DASH}"):
        assert character not in DATA.characters


def test_pixels_are_red_green_and_blue_in_this_order():
    """The middle of a red, a green and a blue circle has most of this colour.

    The corner is white.
    """
    for channel, color in enumerate(("RED", "GREEN", "BLUE")):
        character = unicodedata.lookup(f"LARGE {color} CIRCLE")
        picture = DATA.pictures[DATA.characters.index(character)]
        assert picture[8, 8].argmax() == channel
        assert (picture[0, 0] == 255).all()


def test_labels_are_frequent_enough_sorted_by_frequency_and_distinct():
    counts = DATA.y.sum(axis=0)
    assert counts.min() >= tool.MIN_SAMPLES and (np.diff(counts) <= 0).all()
    assert len(np.unique(DATA.y, axis=1).T) == len(DATA.labels)
    assert (DATA.y.sum(axis=1) == 0).mean() > 0.1 and counts.max() > 10 * counts.min()


# --- python -m tools.emoji


# --- scores


def test_the_baselines_do_not_depend_on_the_picture():
    scores, fold = emoji.scores(), folds(DATA.y, 3, seed=0)
    assert not scores["nothing"].any()
    for i in range(3):
        (frequencies,) = {tuple(row) for row in scores["frequent"][fold == i]}
        expected = DATA.y[fold != i].sum(axis=0) / (fold != i).sum()
        assert np.abs(np.array(frequencies) - expected).max() <= 0.0005 + 1e-12


def test_scores_of_neighbours_are_the_shares_of_the_three_nearest_pictures():
    """Computed by NumPy alone, for twenty random pictures."""
    pixels = DATA.pictures.reshape(len(DATA.y), -1) / 255
    fold, scores = folds(DATA.y, 3, seed=0), emoji.scores()["neighbours"]
    for i in np.random.default_rng(0).integers(len(DATA.y), size=20):
        others = np.flatnonzero(fold != fold[i])
        distances = ((pixels[others] - pixels[i]) ** 2).sum(axis=1)
        nearest = others[np.argsort(distances)[:3]]
        assert np.abs(scores[i] - DATA.y[nearest].mean(axis=0)).max() < 1e-3


# --- pictures


def test_pictures_stand_beside_their_names_and_labels():
    ax = figures.tagged_pictures(DATA)
    alt = figures.alt_text(ax).removeprefix("Pictures and their labels. ").removesuffix(".")
    names = [text.get_text() for text in ax.texts if text.get_label() == "name"]
    n_labels = []
    for phrase, name, image in zip(alt.split("; "), names, ax.images, strict=True):
        i = DATA.names.index(name)
        labels = [label for label, has in zip(DATA.labels, DATA.y[i], strict=True) if has]
        assert phrase.lower() == f"{name}: {', '.join(labels) or 'no label'}".lower()
        assert (image.get_array() == DATA.pictures[i]).all()
        n_labels.append(len(labels))
    assert n_labels[0] == DATA.y.sum(axis=1).max() and n_labels[-2:] == [0, 0]


def test_pictures_stand_beside_their_true_and_predicted_labels():
    ax = figures.tagged_pictures(DATA, {"pizza": (["food"], []), "owl": (["animal"], ["face"])})
    assert figures.alt_text(ax) == (
        "True and predicted labels. Pizza: true: food, predicted: no label;"
        " owl: true: animal, predicted: face."
    )
    for name, image in zip(("pizza", "owl"), ax.images, strict=True):
        assert (image.get_array() == DATA.pictures[DATA.names.index(name)]).all()
