"""Run every recorded input through the tools installed here, and hold them against our numbers.

python -m tools.peers

A tool's number must be the one that `conventions` says the tool gives, and the one on record. The
result, with versions and date, goes to mlm_helpers/records/peers.json; any difference fails.
"""

from __future__ import annotations

import datetime
import functools
import json
import math
import os
import platform
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlm_helpers import catalogue, conventions
from mlm_helpers.conventions import LABEL_WISE, same

RECORDS = Path(__file__).parent.parent / "mlm_helpers" / "records"
OUTCOMES = ("agree by an option", "not expressible by an option", "differ")

Measure = Callable[[NDArray[Any], NDArray[Any]], Any]
Settings = dict[str, dict[str, Measure]]
Number = float | str  # of strings only "raises ValueError" and the like


# ------------------------------------------------------------------ what each tool calls a metric


def scikit_learn() -> Settings:
    from sklearn import metrics

    names = {
        "precision": metrics.precision_score,
        "recall": metrics.recall_score,
        "F1": metrics.f1_score,
        "F2": functools.partial(metrics.fbeta_score, beta=2),
        "Jaccard": metrics.jaccard_score,
    }

    def set_metrics(zero_division: float) -> dict[str, Measure]:
        return {
            "subset accuracy": metrics.accuracy_score,
            "zero-one loss": metrics.zero_one_loss,
            "Hamming loss": metrics.hamming_loss,
        } | {
            _name(average, name): functools.partial(
                function, average=average, zero_division=zero_division
            )
            for average in ("samples", "macro", "micro", "weighted")
            for name, function in names.items()
        }

    return {
        "": set_metrics(0.0)
        | {
            "coverage": metrics.coverage_error,
            "one-error": lambda truth, score: 1 - metrics.ndcg_score(truth, score, k=1),
            "ranking loss": metrics.label_ranking_loss,
            "average precision": metrics.label_ranking_average_precision_score,
        },
        "zero_division=1": set_metrics(1.0),
        "zero_division=nan": set_metrics(math.nan),
    }


def torchmetrics() -> Settings:
    import torch
    from torchmetrics import classification as multilabel
    from torchmetrics.functional import classification as functional

    def measure(name: str, **options: Any) -> Measure:
        def compute(truth: NDArray[Any], other: NDArray[Any]) -> Any:
            metric = getattr(multilabel, f"Multilabel{name}")(num_labels=truth.shape[1], **options)
            return metric(torch.tensor(other), torch.tensor(truth))

        return compute

    def per_sample(name: str, **options: Any) -> Measure:
        function = functools.partial(
            getattr(functional, f"binary_{name}"), multidim_average="samplewise", **options
        )
        return lambda truth, other: function(torch.tensor(other), torch.tensor(truth)).mean()

    beta = {"beta": 2.0}

    def set_metrics(zero_division: float) -> dict[str, Measure]:
        zero = {"zero_division": zero_division}
        measures = {
            "subset accuracy": measure("ExactMatch"),
            "Hamming loss": measure("HammingDistance"),
            LABEL_WISE: measure("Accuracy"),
            "samples precision": per_sample("precision", **zero),
            "samples recall": per_sample("recall", **zero),
            "samples F1": per_sample("f1_score", **zero),
            "samples F2": per_sample("fbeta_score", **zero, **beta),
        }
        for average in ("macro", "micro", "weighted"):
            measures |= {
                f"{average} precision": measure("Precision", average=average, **zero),
                f"{average} recall": measure("Recall", average=average, **zero),
                f"{average} F1": measure("F1Score", average=average, **zero),
                f"{average} F2": measure("FBetaScore", average=average, **zero, **beta),
                f"{average} Jaccard": measure("JaccardIndex", average=average, **zero),
            }
        return measures

    ranking: dict[str, Measure] = {
        "coverage": measure("CoverageError"),
        "ranking loss": measure("RankingLoss"),
        "average precision": measure("RankingAveragePrecision"),
    }
    return {"": set_metrics(0.0) | ranking, "zero_division=1": set_metrics(1.0)}


def spark_mllib() -> Settings:
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise ImportError("Spark needs Java 17 or newer")
    from pyspark.ml.evaluation import MultilabelClassificationEvaluator
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.log.level", "OFF").config("spark.sql.shuffle.partitions", "1")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()

    def measure(name: str) -> Measure:
        def compute(truth: NDArray[Any], other: NDArray[Any]) -> Any:
            frame = session.createDataFrame(
                list(zip(_label_sets(other), _label_sets(truth), strict=True)),
                "prediction array<double>, label array<double>",
            )
            return MultilabelClassificationEvaluator(metricName=name).evaluate(frame)

        return compute

    names = {
        "subset accuracy": "subsetAccuracy",
        "Hamming loss": "hammingLoss",
        "samples accuracy (Jaccard)": "accuracy",
        "samples precision": "precision",
        "samples recall": "recall",
        "samples F1": "f1Measure",
        "micro precision": "microPrecision",
        "micro recall": "microRecall",
        "micro F1": "microF1Measure",
    }
    return {"": {name: measure(theirs) for name, theirs in names.items()}}


def keras() -> Settings:
    os.environ.setdefault("KERAS_BACKEND", "torch")
    from keras import metrics

    def measure(metric: Callable[[], Any]) -> Measure:
        return lambda truth, other: metric()(truth, other)

    def f_scores(threshold: float | None) -> dict[str, Measure]:
        return {
            f"{average} F{beta:.0f}": measure(
                functools.partial(
                    metrics.FBetaScore, beta=beta, average=average, threshold=threshold
                )
            )
            for average in ("macro", "micro", "weighted")
            for beta in (1.0, 2.0)
        }

    other: dict[str, Measure] = {
        LABEL_WISE: measure(metrics.BinaryAccuracy),
        "micro precision": measure(metrics.Precision),
        "micro recall": measure(metrics.Recall),
    }
    return {"": f_scores(0.5) | other, "no threshold": f_scores(None)}


def torcheval() -> Settings:
    import torch
    from torcheval.metrics.functional import multilabel_accuracy

    def accuracy(truth: NDArray[Any], other: NDArray[Any], criteria: str) -> Any:
        return multilabel_accuracy(torch.tensor(other), torch.tensor(truth), criteria=criteria)

    hamming = functools.partial(accuracy, criteria="hamming")
    return {
        "": {
            "subset accuracy": functools.partial(accuracy, criteria="exact_match"),
            "Hamming loss": lambda truth, other: 1 - hamming(truth, other),
            LABEL_WISE: hamming,
        }
    }


def ignite() -> Settings:
    import torch
    from ignite.metrics import Accuracy, Fbeta, Metric, Precision, Recall

    def measure(make: Callable[[], Metric]) -> Measure:
        def compute(truth: NDArray[Any], other: NDArray[Any]) -> Any:
            metric = make()
            metric.update((torch.tensor(other), torch.tensor(truth)))
            return metric.compute()

        return compute

    def macro_f(beta: float) -> Measure:
        def compute(truth: NDArray[Any], other: NDArray[Any]) -> Any:
            parts = [make(average=False, is_multilabel=True) for make in (Precision, Recall)]
            score = Fbeta(beta, precision=parts[0], recall=parts[1])
            for part in parts:  # after Fbeta, which resets them
                part.update((torch.tensor(other), torch.tensor(truth)))
            return score.compute()

        return compute

    averaged = {
        f"{average} {name}": measure(functools.partial(make, average=average, is_multilabel=True))
        for average in ("samples", "macro", "micro", "weighted")
        for name, make in (("precision", Precision), ("recall", Recall))
    }
    subset = measure(functools.partial(Accuracy, is_multilabel=True))
    return {
        "": {"subset accuracy": subset, **averaged, "macro F1": macro_f(1), "macro F2": macro_f(2)}
    }


def river() -> Settings:
    from river import metrics
    from river.metrics import multioutput

    def measure(make: Callable[[], Any]) -> Measure:
        def compute(truth: NDArray[Any], other: NDArray[Any]) -> Any:
            metric = make()
            for row, predicted in zip(truth == 1, other == 1, strict=True):
                metric.update(dict(enumerate(row.tolist())), dict(enumerate(predicted.tolist())))
            return metric.get()

        return compute

    averages = {
        "samples": multioutput.SampleAverage,
        "macro": multioutput.MacroAverage,
        "micro": multioutput.MicroAverage,
    }
    parts: dict[str, Callable[[], Any]] = {
        "precision": metrics.Precision,
        "recall": metrics.Recall,
        "F1": metrics.F1,
        "F2": functools.partial(metrics.FBeta, beta=2),
        "Jaccard": metrics.Jaccard,
    }

    def averaged(wrap: Callable[[Any], Any], part: Callable[[], Any]) -> Measure:
        return measure(lambda: wrap(part()))

    return {
        "": {
            "subset accuracy": measure(multioutput.ExactMatch),
            LABEL_WISE: averaged(multioutput.MicroAverage, metrics.Accuracy),
        }
        | {
            _name(average, name): averaged(wrap, part)
            for average, wrap in averages.items()
            for name, part in parts.items()
        }
    }


def napkinxc() -> Settings:
    from napkinxc import metrics

    return {
        "": {
            "Hamming loss": metrics.hamming_loss,
            "samples F1": metrics.samples_f1_measure,
            "macro F1": metrics.macro_f1_measure,
            "micro F1": metrics.micro_f1_measure,
            "one-error": lambda truth, score: 1 - metrics.precision_at_k(truth, score, k=1)[0],
        }
    }


def xcolumns() -> Settings:
    from xcolumns import metrics

    names = {
        "precision": "precision",
        "recall": "recall",
        "F1": "f1_score",
        "F2": "fbeta_score",
        "Jaccard": "jaccard_score",
    }

    def measure(average: str, name: str) -> Measure:
        options = {"epsilon": 1e-9} | ({"beta": 2} if name == "F2" else {})
        return functools.partial(getattr(metrics, f"{average}_{names[name]}"), **options)

    def per_sample(name: str) -> Measure:  # what it averages over are columns
        function = measure("macro", name)
        return lambda truth, other: function(truth.T, other.T)

    return {
        "": {"Hamming loss": metrics.hamming_loss, LABEL_WISE: metrics.hamming_score}
        | {_name("samples", name): per_sample(name) for name in names}
        | {
            _name(average, name): measure(average, name)
            for average in ("macro", "micro")
            for name in names
        }
    }


def _name(average: str, name: str) -> str:
    """Name a variant as the catalogue does."""
    return f"{average} {name}".replace("samples Jaccard", "samples accuracy (Jaccard)")


def _label_sets(matrix: NDArray[Any]) -> list[list[float]]:
    return [[float(label) for label in np.flatnonzero(row)] for row in matrix]


class Peer(NamedTuple):
    package: str
    settings: Callable[[], Settings]


PEERS = {
    "scikit-learn": Peer("scikit-learn", scikit_learn),
    "torchmetrics": Peer("torchmetrics", torchmetrics),
    "Spark MLlib": Peer("pyspark", spark_mllib),
    "keras": Peer("keras", keras),
    "torcheval": Peer("torcheval", torcheval),
    "ignite": Peer("pytorch-ignite", ignite),
    "river": Peer("river", river),
    "napkinXC": Peer("napkinxc", napkinxc),
    "xCOLUMNs": Peer("xcolumns", xcolumns),
}


# ------------------------------------------------------------------------------- the comparison


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
        known = [self.ours] if self.recorded is None else [self.ours, self.recorded]
        return all(same(self.live, number) for number in known)

    @property
    def outcome(self) -> str:
        by_option, by_none, differ = OUTCOMES
        return differ if not self.agrees else by_option if self.expressible else by_none


def runs(inputs: list[dict[str, Any]], tools: dict[str, Settings]) -> Iterator[Run]:
    """Compute every metric of every tool on every input it can read."""
    scored = {
        name
        for name, metric in catalogue.variants().items()
        if catalogue.of(metric).reads == "y_score"
    }
    for tool, settings in tools.items():
        print(f"{tool} ", end="", file=sys.stderr, flush=True)
        for data in inputs:
            ranks = bool(scored & data["numbers"].keys())
            y_true, y_other = data["y_true"], data["y_score" if ranks else "y_pred"]
            for setting, measures in settings.items():
                key = f"{tool}, {setting}" if setting else tool
                for name in measures:
                    if (name in scored) == ranks:
                        yield Run(
                            tool,
                            key,
                            name,
                            data["name"],
                            live(measures[name], y_true, y_other),
                            conventions.number(key, name, y_true, y_other),
                            number(data["numbers"].get(name, {}).get(key)),
                            conventions.expressible(key, name, y_true, y_other),
                        )
            print(".", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)


def live(measure: Measure, y_true: Any, y_other: Any) -> Number:
    """Ask the tool; a refusal is an answer too."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return float(measure(np.array(y_true), np.array(y_other)))
        except Exception as error:
            return f"raises {type(error).__name__}"


def number(recorded: Any) -> Any:
    """Read a recorded number: JSON has no nan and no inf."""
    return float(recorded) if recorded in ("nan", "inf") else recorded


def report(results: list[Run], inputs: list[dict[str, Any]], versions: dict[str, str]) -> str:
    """Write the results as JSON, in the shape of field.json, one line a metric."""
    numbers: dict[str, dict[str, dict[str, Any]]] = {data["name"]: {} for data in inputs}
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
    order = [*catalogue.variants(), LABEL_WISE]
    blocks = []
    for name, metrics in numbers.items():
        lines = (f"{_json(m)}: {_json(metrics[m])}" for m in sorted(metrics, key=order.index))
        body = ",\n    ".join(lines)
        blocks.append(f'  {{\n   "name": {_json(name)},\n   "numbers": {{\n    {body}\n   }}\n  }}')
    top = json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}")
    return f'{top},\n "inputs": [\n' + ",\n".join(blocks) + "\n ]\n}\n"


def line(run: Run, versions: dict[str, str]) -> str:
    """Say in one line what differs."""
    return (
        f"{run.key} ({versions[run.tool]}), {run.metric}, {run.input}:"
        f" tool {run.live}, ours {run.ours}, recorded {run.recorded}"
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def main() -> int:
    """Run all, write the record, and say what differs."""
    tools, absent = {}, []
    for tool, peer in PEERS.items():
        try:
            tools[tool] = peer.settings()
        except ImportError as error:
            absent.append(f"{tool} ({error})")
    versions = {tool: version(PEERS[tool].package) for tool in tools}
    print("ran:", ", ".join(f"{tool} {versions[tool]}" for tool in tools) or "none")
    print("not installed:", ", ".join(absent) or "none")
    if not tools:
        return 1
    inputs = json.loads((RECORDS / "field.json").read_text(encoding="utf-8"))["inputs"]
    results = list(runs(inputs, tools))
    (RECORDS / "peers.json").write_text(
        report(results, inputs, versions), encoding="utf-8", newline="\n"
    )
    different = [run for run in results if not run.agrees]
    for run in different:
        print(line(run, versions))
    print(f"{len(results)} numbers, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
