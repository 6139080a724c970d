"""Create the framing data from a checkout of https://github.com/phenixace/narrative-framing.

python -m tools.framing CHECKOUT

The labels are all questions that the codebook describes, so not re1a. An answer that is neither yes
nor no is unknown: -1 where an annotator did not read the article, "n/a" where re4 does not apply.
The result, notebooks/mlm_course/records/framing.npz, has the same bytes each time.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tools import RECORDS

RECORD = RECORDS / "framing.npz"


def packed(articles: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Arrays of the record: codes of the questions, and bits (annotators, articles, questions)."""
    questions = [key for key in next(iter(articles.values())) if key[0] != "_" and key != "re1a"]
    table = [[article[question][1] for question in questions] for article in articles.values()]
    answers = np.moveaxis(np.array(table, dtype=object), 2, 0)  # the annotators come first
    is_yes, is_no = answers == "yes", answers == "no"
    bits = {"yes": np.packbits(is_yes, axis=2), "known": np.packbits(is_yes | is_no, axis=2)}
    return {"questions": np.array(questions), **bits}


if __name__ == "__main__":
    text = Path(sys.argv[1], "data/full_annotations.json").read_text(encoding="utf-8")
    np.savez_compressed(RECORD, **packed(json.loads(text)))
