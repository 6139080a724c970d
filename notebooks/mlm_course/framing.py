"""Real data: news articles on climate change, and four people's answers to 22 questions on each.

Each question is a label, which an article has where the answer is yes. Two or three of the four
people read an article. The data are those of Frermann, Li, Khanehzar and Mikolajczak (2023),
"Conflicts, Villains, Resolutions: Towards models of Narrative Media Framing"; the names of the
labels are ours. `python -m tools.framing` made the record, and ``records/framing.txt`` has its
source and licence.
"""

from typing import Any, NamedTuple

import numpy as np

from mlm_course import records

NAMES = {  # by the question's code in the source
    "re1": "about a climate problem", "re2": "suggests a solution", "re3": "problem is resolved",
    "re4": "hope for a solution", "re5": "urgent action needed", "re6": "someone could help",
    "re7": "someone is responsible", "hi1": "shown through people", "hi2": "emotional language",
    "hi3": "someone suffers", "hi4": "someone benefits", "hi5": "private life",
    "co1": "sides disagree", "co2": "one side blames another", "co3": "several points of view",
    "co4": "winners and losers", "mo1": "moral message", "mo2": "refers to religion",
    "mo3": "rules of conduct", "ec1": "financial gain or loss", "ec2": "size of the cost",
    "ec3": "economic consequences",
}  # fmt: skip


class Framing(NamedTuple):
    """Label matrices of four annotators."""

    annotations: Any  # masked array of 0 and 1, shape (n_annotators, n_samples, n_labels)
    labels: tuple[str, ...]  # a short name of each question


def load() -> Framing:
    """The annotations with their labels: a named tuple (annotations, labels).

    A cell is masked where the annotator did not read the article, or where the question did not
    apply: whether there is hope for a solution, if the problem is resolved.

    Examples
    --------
    >>> data = load()
    >>> data.annotations.shape
    (4, 428, 22)
    >>> data.labels[1], data.annotations[:, 0, 1].tolist()
    ('suggests a solution', [0, 0, None, None])
    """
    record = records.load("framing")
    labels = tuple(NAMES[str(question)] for question in record["questions"])
    yes, known = (np.unpackbits(record[key], axis=2, count=len(labels)) for key in ("yes", "known"))
    return Framing(np.ma.masked_array(yes.astype(np.int64), mask=known == 0), labels)
