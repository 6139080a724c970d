"""Run the installed tools on every recorded input, and compare their numbers with ours.

python -m tools.peers

A tool's number must be the one that `conventions.number` computes for it, and the stored one. The
result, with versions and date, goes to tools/peers.json; any difference fails.
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
from mlm_helpers.conventions import Tool
from mlm_helpers.conventions.quantities import Quantity, quantities
from mlm_helpers.conventions.tool import NO_RULE, Number, RecordedCase, is_close
from mlm_helpers.conventions.translate import number, options
from tools.live import LIVE

RECORD = Path(__file__).with_suffix(".json")


def is_same_number(a: Number, b: Number) -> bool:
    """Whether two numbers are equal to 1e-6, nan included, or two errors have the same name.

    Numbers of tools are not more precise: some have single precision, and some divide by x + 1e-9.
    """
    return is_close(a, b, absolute=1e-6)


class Run(NamedTuple):
    """The number of one metric of one tool on one input, with those to compare it with."""

    tool: str
    key: str  # the tool with its setting, from `Tool.key`
    metric: str
    input: str
    live: Number  # the tool's number now
    ours: Number  # the one that `conventions` computes for the tool
    recorded: Number | None  # the stored one
    expressible: bool  # whether options of our metric give the number, without a departure

    @property
    def agrees(self) -> bool:
        """Whether the number is ours and the stored one, as far as there are any."""
        expected = [n for n in (self.ours, self.recorded) if n not in (None, NO_RULE)]
        return all(is_same_number(self.live, number) for number in expected)


def runs(tool: Tool, compute: Callable[..., Any], cases: Sequence[RecordedCase]) -> Iterator[Run]:
    """Every metric of a tool on every input that the metric can read, under each setting."""
    for case in tqdm(cases, tool.name):
        reads = {quantities()[name].reads for name in case.numbers}
        if "y_score" in reads and not is_sparse(case):
            reads.add("y_prob")  # the metric itself refuses scores that are not probabilities
        for quantity in quantities().values():
            if quantity.reads in reads and quantity.general_name in tool.metrics:
                yield from _runs_of_metric(tool, compute, quantity, case)


def _runs_of_metric(
    tool: Tool, compute: Callable[..., Any], quantity: Quantity, case: RecordedCase
) -> Iterator[Run]:
    """One metric of a tool on one input, under each setting that changes it or has a stored number.

    Many tools refuse a single label or sparse scores: on these only settings with a stored number
    are run.
    """
    translation = tool.metrics[quantity.general_name]
    recorded = case.numbers.get(quantity.name, {})
    data = case.y_true, case.prediction_for(quantity.name)
    try:
        quantity.function(*data)
    except ValueError:  # the metric is impossible on these data, such as k = 3 of two labels
        return
    is_often_refused = is_sparse(case) or len(case.y_true[0]) == 1
    for setting in ("", *tool.settings):
        key, has_effect = tool.key(setting), setting in ("", *translation.settings)
        if key in recorded or (has_effect and not is_often_refused):
            effective = setting if has_effect else ""
            live = answer(compute, translation.call, *data, effective, **quantity.required)
            ours = number(key, quantity.name, *data)
            by_options = quantity.function(*data, **options(key, quantity.name))
            names = tool.name, key, quantity.name, case.name
            yield Run(*names, live, ours, recorded.get(key), is_close(ours, by_options))


def is_sparse(case: RecordedCase) -> bool:
    """Whether some label has no score for some sample."""
    return any(None in row for row in case.y_score)


def answer(
    tool: Callable[..., Any], call: str, y_true: Any, y_pred: Any, setting: str = "", **options: Any
) -> Number:
    """The tool's number, or the name of its error; an ImportError is raised."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            data = _matrices(y_true, y_pred)
            return float(tool(call, *data, setting, **options))
        except ImportError:
            raise
        except Exception as error:
            return f"raises {type(error).__name__}"


def _matrices(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Arrays; if the scores are sparse, CSR matrices, since many tools do not know CSR arrays."""
    if not hasattr(y_pred, "tocsr"):
        return np.array(y_true), np.array(y_pred)
    from scipy import sparse

    return sparse.csr_matrix(y_true), sparse.csr_matrix(y_pred)


def last_run() -> dict[str, Any]:
    """Date, versions, counts and numbers of the last run."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return record


def as_json(
    results: list[Run], cases: Sequence[RecordedCase], versions: dict[str, str], differ: list[str]
) -> str:
    """The results as JSON, in the form of field.json, with one line per metric."""
    numbers: dict[str, dict[str, dict[str, Any]]] = {case.name: {} for case in cases}
    for run in results:
        value = run.live if isinstance(run.live, str) or math.isfinite(run.live) else f"{run.live}"
        numbers[run.input].setdefault(run.metric, {})[run.key] = value
    header = {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "python": platform.python_version(),
        "versions": versions,
        "answers": len(results),
        "departures": sum(run.agrees and not run.expressible for run in results),
        "differ": differ,
    }
    order = list(quantities())
    blocks = [
        {"name": name, "numbers": {m: metrics[m] for m in sorted(metrics, key=order.index)}}
        for name, metrics in numbers.items()
    ]
    text = json.dumps(header | {"inputs": blocks}, indent=1, ensure_ascii=False, allow_nan=False)
    # Each innermost object, such as {"MULAN": 1.0}, is written in one line.
    return re.sub(r"{[^{}]*}", lambda inner: " ".join(inner[0].split()), text) + "\n"


def line(run: Run, versions: dict[str, str]) -> str:
    """A run with its numbers, in one line."""
    return (
        f"{run.key} ({versions[run.tool]}), {run.metric}, {run.input}:"
        f" tool {run.live}, ours {run.ours}, recorded {run.recorded}"
    )


def main(
    tools: Mapping[str, tuple[str, Callable[..., Any]]] = LIVE,
    cases: Sequence[RecordedCase] = (),
    path: Path = RECORD,
) -> int:
    """Run the tools, write the record and print the differences; the exit status is 1 if any."""
    cases = cases or conventions.recorded_cases()
    results: list[Run] = []
    versions, absent = {}, []
    for name, (package, compute) in tools.items():
        try:
            results += runs(conventions.TOOLS[name], compute, cases)
            versions[name] = version(package)
        except ImportError as error:
            absent.append(f"{name} ({error})")
    print("ran:", ", ".join(f"{tool} {versions[tool]}" for tool in versions) or "none")
    print("not installed:", ", ".join(absent) or "none")
    if not versions:
        return 1
    differ = [line(run, versions) for run in results if not run.agrees]
    text = as_json(results, cases, versions, differ)
    path.write_text(text, encoding="utf-8", newline="\n")
    print(*differ, f"{len(results)} numbers, {len(differ)} differ", sep="\n")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
