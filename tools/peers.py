"""Run every recorded input through the tools installed here, and hold them against our numbers.

python -m tools.peers

A tool's number must be the one that `conventions` says the tool gives, and the one on record. The
result, with versions and date, goes to mlm_helpers/conventions/peers.json; any difference fails.
"""

import datetime
import json
import math
import platform
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from mlm_helpers import conventions
from mlm_helpers.conventions import RecordedCase, Tool
from mlm_helpers.conventions.quantities import Quantity, quantities
from mlm_helpers.conventions.tool import NO_RULE, is_close
from mlm_helpers.conventions.translate import numbers_of
from tools.live import LIVE

RECORD = Path(__file__).parent.parent / "mlm_helpers" / "conventions" / "peers.json"
OUTCOMES = ("agree by an option", "not expressible by an option", "differ")

Number = float | str  # of strings only "raises ValueError" and the like


def is_same_number(a: Number, b: Number) -> bool:
    """Whether a tool's number is the expected one to 1e-6, nan included, or a refusal the same.

    Single precision leaves no more of a tool's number, and some tools divide by x + 1e-9.
    """
    return is_close(a, b, relative=0, absolute=1e-6)


class Run(NamedTuple):
    """One metric of one tool on one input."""

    tool: str
    key: str  # the tool and its setting
    metric: str
    input: str
    live: Number
    ours: Number
    recorded: Number | None
    expressible: bool

    @property
    def agrees(self) -> bool:
        known = [number for number in (self.ours, self.recorded) if number not in (None, NO_RULE)]
        return all(is_same_number(self.live, number) for number in known)

    @property
    def outcome(self) -> str:
        by_option, by_none, differ = OUTCOMES
        return differ if not self.agrees else by_option if self.expressible else by_none


def runs(tool: Tool, ask: Callable[..., Any], inputs: Sequence[RecordedCase]) -> Iterator[Run]:
    """Every metric of a tool on every input it can read, under each of its settings."""
    for case in tqdm(inputs, tool.name):
        reads = {quantities()[name].reads for name in case.numbers}
        if "y_score" in reads and not is_sparse(case):
            reads.add("y_prob")  # of scores that are none the metric itself refuses to be asked
        for quantity in quantities().values():
            if quantity.reads in reads and quantity.general_name in tool.metrics:
                yield from _answers(tool, ask, quantity, case)


def _answers(
    tool: Tool, ask: Callable[..., Any], quantity: Quantity, case: RecordedCase
) -> Iterator[Run]:
    """A tool's number of one metric, under each setting that it listens to or that is on record.

    One label alone, and scores that are not all there, many tools refuse: only what is on record is
    asked.
    """
    translation = tool.metrics[quantity.general_name]
    recorded = case.numbers.get(quantity.name, {})
    data = case.y_true, case.prediction_for(quantity.name)
    try:
        quantity.function(*data)
    except ValueError:  # these data cannot have it, such as k above the number of labels
        return
    is_refused = is_sparse(case) or len(case.y_true[0]) == 1
    for setting in ("", *tool.settings):
        key, listens = tool.key(setting), setting in ("", *translation.settings)
        if key in recorded or (listens and not is_refused):
            asked = translation.call, *data, setting if listens else ""
            found = answer(ask, *asked, **quantity.required)
            theirs, ours = numbers_of(key, quantity.name, *data)
            names = tool.name, key, quantity.name, case.name
            yield Run(*names, found, theirs, recorded.get(key), is_close(theirs, ours))


def is_sparse(case: RecordedCase) -> bool:
    """Whether some label of a sample was not scored."""
    return any(None in row for row in case.y_score)


def answer(
    run: Callable[..., Any], call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any
) -> Number:
    """Ask the tool; a refusal is an answer too."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            data = _matrices(y_true, y_pred)
            return float(run(call, *data, setting, **bound))
        except ImportError:
            raise
        except Exception as error:
            return f"raises {type(error).__name__}"


def _matrices(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Arrays, or CSR matrices (arrays are unknown to many tools) where the scores are not all there."""
    if not hasattr(y_pred, "tocsr"):
        return np.array(y_true), np.array(y_pred)
    from scipy import sparse

    return sparse.csr_matrix(y_true), sparse.csr_matrix(y_pred)


def as_json(results: list[Run], inputs: Sequence[RecordedCase], versions: dict[str, str]) -> str:
    """The results as JSON, in the shape of field.json, one line a metric."""
    numbers: dict[str, dict[str, dict[str, Any]]] = {case.name: {} for case in inputs}
    for run in results:
        value = run.live if isinstance(run.live, str) or math.isfinite(run.live) else f"{run.live}"
        numbers[run.input].setdefault(run.metric, {})[run.key] = value
    counts = {tool: dict.fromkeys(OUTCOMES, 0) for tool in versions}
    for run in results:
        counts[run.tool][run.outcome] += 1
    head = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "versions": versions,
        "counts": counts,
        "differ": [line(run, versions) for run in results if not run.agrees],
    }
    order = list(quantities())
    blocks = [
        {"name": name, "numbers": {m: metrics[m] for m in sorted(metrics, key=order.index)}}
        for name, metrics in numbers.items()
    ]
    text = json.dumps(head | {"inputs": blocks}, indent=1, ensure_ascii=False, allow_nan=False)
    return re.sub(r"{[^{}]*}", lambda inner: " ".join(inner[0].split()), text) + "\n"


def line(run: Run, versions: dict[str, str]) -> str:
    """What differs, in one line."""
    return (
        f"{run.key} ({versions[run.tool]}), {run.metric}, {run.input}:"
        f" tool {run.live}, ours {run.ours}, recorded {run.recorded}"
    )


def main(
    asked: Mapping[str, tuple[str, Callable[..., Any]]] = LIVE,
    inputs: Sequence[RecordedCase] = (),
    to: Path = RECORD,
) -> int:
    """Run all, write the record, and print what differs."""
    inputs = inputs or conventions.recorded_cases()
    results: list[Run] = []
    versions, absent = {}, []
    for name, (package, ask) in asked.items():
        try:
            results += runs(conventions.TOOLS[name], ask, inputs)
            versions[name] = version(package)
        except ImportError as error:
            absent.append(f"{name} ({error})")
    print("ran:", ", ".join(f"{tool} {versions[tool]}" for tool in versions) or "none")
    print("not installed:", ", ".join(absent) or "none")
    if not versions:
        return 1
    to.write_text(as_json(results, inputs, versions), encoding="utf-8", newline="\n")
    different = [run for run in results if not run.agrees]
    for run in different:
        print(line(run, versions))
    print(f"{len(results)} numbers, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
