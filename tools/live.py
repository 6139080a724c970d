"""How the tools that pip installs are asked for a number: they run a call of `conventions`.

Each asks ``(call, y_true, y_pred, setting, **bound)``: the call is a `Translation.call`, the setting one
of `Tool.settings`, and bound is what our metric requires, such as β.
"""

import functools
import math
import os
import re
import runpy
import shutil
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any

import numpy as np


def scikit_learn(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Call a function of ``sklearn.metrics``."""
    from sklearn import metrics

    if setting.endswith(")"):  # another function for the same number
        call, setting = setting, ""
    asked, both = bound | keywords(setting), (y_true, y_pred)
    data = {"y_true": y_true, "y_pred": y_pred, "y_prob": y_pred}

    def find(name: str) -> Any:
        if name in data:
            return data[name]
        function = functools.partial(getattr(metrics, name), **asked)
        return lambda *given, **options: function(*(given or both), **options)

    return evaluated(call, find)


def torchmetrics(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Update a metric once, or call a function that gives a value per sample."""
    import torch
    from torchmetrics import classification, retrieval
    from torchmetrics.functional import classification as functional

    truth, other = torch.as_tensor(y_true), torch.as_tensor(y_pred)
    n_labels = truth.shape[1]
    own, rest = parted(call, bound)
    asked = {option: float(value) for option, value in rest.items()} | keywords(setting)

    def compute(name: str, **options: Any) -> Any:
        if hasattr(functional, name):
            return getattr(functional, name)(other, truth, **options, **asked).double().mean()
        if name.startswith("Retrieval"):
            made = getattr(retrieval, name)(**options, **asked)
            queries = torch.as_tensor(np.indices(y_true.shape)[0].ravel())
            made.update(other.ravel(), truth.ravel(), indexes=queries)
        elif name.startswith("Multilabel") and n_labels == 1:
            made = getattr(classification, name.replace("Multilabel", "Binary"))(**asked)
            made.update(other.ravel(), truth.ravel())
        else:
            made = getattr(classification, name)(num_labels=n_labels, **options, **asked)
            made.update(other, truth)
        return made.compute()

    return evaluated(call, lambda name: own.get(name, functools.partial(compute, name)))


def spark(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Evaluate a metric of that name on arrays of label numbers."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise ImportError("Spark needs Java 17 or newer")
    from pyspark.ml.evaluation import MultilabelClassificationEvaluator
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.log.level", "OFF").config("spark.sql.shuffle.partitions", "1")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    rows = [
        tuple(np.flatnonzero(row).astype(float).tolist() for row in rows)
        for rows in zip(y_pred, y_true, strict=True)
    ]
    frame = session.createDataFrame(rows, "prediction array<double>, label array<double>")
    return MultilabelClassificationEvaluator(metricName=call).evaluate(frame)


def keras(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Call a metric object on the arrays."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    from keras import metrics

    own, rest = parted(call, bound)
    asked: dict[str, Any] = {option: float(value) for option, value in rest.items()}  # β must be
    if setting:  # no threshold
        asked["threshold"] = None

    def compute(name: str, **options: Any) -> Any:
        return getattr(metrics, name)(**(options | asked))(y_true, y_pred)

    return evaluated(call, lambda name: own.get(name, functools.partial(compute, name)))


def torcheval(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Call a function of ``torcheval.metrics``; a binary one reads labels as rows, or a single one."""
    import torch
    from torcheval.metrics import functional

    data = torch.as_tensor(y_pred), torch.as_tensor(y_true)
    n_labels = len(y_true[0])

    def find(name: str) -> Any:
        if name == "n_labels":
            return n_labels
        if n_labels == 1:
            one = getattr(functional, name.replace("multilabel_", "binary_"))
            return lambda **options: one(*(side.ravel() for side in data))
        sides = [side.T for side in data] if name.startswith("binary_") else data
        return functools.partial(getattr(functional, name), *sides)

    return evaluated(call, find)


def ignite(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Update a metric once; an F-score is made of a precision and a recall."""
    import torch
    from ignite import metrics

    batch = torch.as_tensor(y_pred), torch.as_tensor(y_true)

    def f_score(beta: float) -> Any:
        part = {"average": False, "is_multilabel": True}
        precision, recall = metrics.Precision(**part), metrics.Recall(**part)
        score = metrics.Fbeta(beta, precision=precision, recall=recall)
        precision.update(batch)  # after Fbeta, which resets it
        recall.update(batch)
        return score.compute()

    def compute(name: str, **options: Any) -> Any:
        metric = getattr(metrics, name)(**{"is_multilabel": True, **options})
        metric.update(batch)
        return metric.compute()

    given = {"Fbeta": f_score, **bound}
    return evaluated(call, lambda name: given.get(name, functools.partial(compute, name)))


def river(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Update a metric with each sample."""
    from river import metrics

    def find(name: str) -> Any:
        return metrics.multioutput if name == "multioutput" else getattr(metrics, name)(**bound)

    metric = evaluated(call, find)
    for truth, other in zip(np.equal(y_true, 1), np.equal(y_pred, 1), strict=True):
        metric.update(dict(enumerate(truth.tolist())), dict(enumerate(other.tolist())))
    return metric.get()


def napkinxc(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Call a function of ``napkinxc.metrics``; one of k gives a value for each k up to it."""
    from napkinxc import metrics

    def compute(name: str, **options: Any) -> Any:
        return np.ravel(getattr(metrics, name)(y_true, y_pred, **options))[-1]

    return evaluated(call, lambda name: bound.get(name, functools.partial(compute, name)))


def xcolumns(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Call a function of ``xcolumns.metrics``, a ratio with almost no epsilon."""
    from xcolumns import metrics, weighted_prediction

    own, rest = parted(call, bound)
    data = {"y_true": y_true, "y_pred": y_pred}
    top_k = weighted_prediction.predict_top_k
    known = data | own | {"y_score": y_pred, "predict_top_k": top_k}

    def find(name: str) -> Any:
        if name in known or name.endswith("_at_k"):
            return known[name] if name in known else getattr(metrics, name)
        options = rest if name.startswith("hamming") else {"epsilon": 1e-9, **rest}
        return lambda *given: getattr(metrics, name)(*(given or data.values()), **options)

    return evaluated(call, find)


def libmultilabel(call: str, y_true: Any, y_pred: Any, setting: str = "", **bound: Any) -> Any:
    """Compute a metric of that name, such as ``P@k`` with its k, without what the package imports."""
    package = metadata.distribution("libmultilabel")
    found = runpy.run_path(str(package.locate_file("libmultilabel/linear/metrics.py")))
    name = call.replace("@k", f"@{bound.get('k')}")
    return found["compute_metrics"](y_pred, y_true, [name])[name]


def parted(call: str, bound: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What our metric requires: what the call names itself, as in ``(top_k=k)``, and the rest."""
    own = {option: v for option, v in bound.items() if re.search(rf"\b{option}\b", call)}
    return own, {option: v for option, v in bound.items() if option not in own}


def evaluated(call: str, find: Callable[[str], Any]) -> Any:
    """Read a call as Python does, with what `find` gives for its names; a bare name is called."""

    class Names(dict[str, Any]):
        def __missing__(self, name: str) -> Any:
            return find(name)

    return eval(call if call.endswith(")") else f"{call}()", {"__builtins__": {}}, Names())


def keywords(setting: str) -> dict[str, Any]:
    """Read a setting, such as "zero_division=1", as the keyword arguments that it is."""
    asked: dict[str, Any] = eval(f"dict({setting})", {"dict": dict, "nan": math.nan})
    return asked


LIVE: dict[str, tuple[str, Callable[..., Any]]] = {
    "scikit-learn": ("scikit-learn", scikit_learn),
    "torchmetrics": ("torchmetrics", torchmetrics),
    "Spark MLlib": ("pyspark", spark),
    "keras": ("keras", keras),
    "torcheval": ("torcheval", torcheval),
    "ignite": ("pytorch-ignite", ignite),
    "river": ("river", river),
    "napkinXC": ("napkinxc", napkinxc),
    "xCOLUMNs": ("xcolumns", xcolumns),
    "LibMultiLabel": ("libmultilabel", libmultilabel),
}
"""What pip calls each tool, and who asks it, by the names of `conventions.TOOLS`, in their order."""
