"""The framing data: the record that the script makes, and counts that others published."""

import numpy as np

from mlm_course import figures, framing, records
from tools import framing as tool

DATA = framing.load()


def test_the_record_has_each_yes_and_no_of_the_source(monkeypatch):
    """Two articles, three annotators; neither the outlet nor re1a is a question."""
    articles = {
        "9": {"_source": "rt", "re1": ["yes", ["yes", "no", -1]], "re1a": ["no", ["no", "no", -1]],
              "re4": ["no", ["n/a: problem is resolved", "no", -1]]},
        "2": {"_source": "rt", "re1": ["no", [-1, "no", "yes"]], "re1a": ["no", [-1, "no", "no"]],
              "re4": ["NO AGREEMENT", [-1, "yes", "no"]]},
    }  # fmt: skip
    monkeypatch.setattr(records, "load", lambda _name: tool.packed(articles))
    data = framing.load()
    assert data.labels == ("about a climate problem", "hope for a solution")
    first, second, third = [[1, None], [None, None]], [[0, 0], [0, 1]], [[None, None], [1, 0]]
    assert data.annotations.tolist() == [first, second, third]


def test_articles_with_three_annotators_are_those_of_the_alternative_annotator_test():
    """Its data (github.com/nitaytech/AltTest) have 2,200, 2,552, 638 and 2,266 answers."""
    has_read = ~np.ma.getmaskarray(DATA.annotations)[:, :, 0]
    assert has_read.shape == (4, 428)
    n_annotators = has_read.sum(axis=0)
    assert np.unique(n_annotators, return_counts=True)[1].tolist() == [312, 116]
    assert (has_read[:, n_annotators == 3].sum(axis=1) * 22).tolist() == [2200, 2552, 638, 2266]


def test_a_label_that_half_of_the_annotators_give_has_no_majority():
    ax = figures.annotators([[[1, 1, 0]], [[1, 0, 0]]], [[1, 0, 1]], labels=["sea", "dog", "sun"])
    assert "; majority: sample 1 sea; model" in figures.alt_text(ax)
