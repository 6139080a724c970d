"""One function per tool that pip installs: the tool's number of a metric on data.

All have the arguments ``(call, y_true, y_pred, setting, **required)``: a `Translation.call`, the
data, one of `Tool.settings` or "", and the required options of our metric, such as ``beta``.
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


def scikit_learn(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a function of ``sklearn.metrics``, or of an expression.

    An expression without matrices is computed of the data.
    """
    from sklearn import metrics

    if setting.endswith(")"):  # the setting is a call that replaces the usual one
        call, setting = setting, ""
    options = required | keywords(setting)
    data = {"y_true": y_true, "y_pred": y_pred, "y_prob": y_pred}

    def metric_value(name: str, *matrices: Any, **in_call: Any) -> Any:
        return getattr(metrics, name)(*(matrices or (y_true, y_pred)), **options | in_call)

    return evaluate(call, metric_value, **data)


def torchmetrics(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a metric object after one update, or a function's mean value of samples."""
    import torch
    from torchmetrics import classification, retrieval
    from torchmetrics.functional import classification as functional

    truth, prediction = torch.as_tensor(y_true), torch.as_tensor(y_pred)
    n_labels = truth.shape[1]
    in_call, others = split_required(call, required)
    added = others | keywords(setting)

    def metric_value(name: str, **options: Any) -> Any:
        if hasattr(functional, name):  # a function, which returns a value per sample
            return getattr(functional, name)(prediction, truth, **options, **added).double().mean()
        if name.startswith("Retrieval"):
            metric = getattr(retrieval, name)(**options, **added)
            queries = torch.as_tensor(np.indices(y_true.shape)[0].ravel())  # each cell's sample
            metric.update(prediction.ravel(), truth.ravel(), indexes=queries)
        elif name.startswith("Multilabel") and n_labels == 1:  # refused by Multilabel classes
            metric = getattr(classification, name.replace("Multilabel", "Binary"))(**added)
            metric.update(prediction.ravel(), truth.ravel())
        else:
            metric = getattr(classification, name)(num_labels=n_labels, **options, **added)
            metric.update(prediction, truth)
        return metric.compute()

    return evaluate(call, metric_value, **in_call)


def spark(call: Any, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The metric of that name, on a frame with one row of two label lists per sample."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        raise ImportError("Spark needs Java 17 or newer")
    from pyspark.ml.evaluation import MultilabelClassificationEvaluator
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.log.level", "OFF").config("spark.sql.shuffle.partitions", "1")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    rows = [
        tuple(np.flatnonzero(cells).astype(float).tolist() for cells in sample)
        for sample in zip(y_pred, y_true, strict=True)
    ]
    frame = session.createDataFrame(rows, "prediction array<double>, label array<double>")
    return MultilabelClassificationEvaluator(metricName=call).evaluate(frame)


def keras(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a metric object called on the arrays."""
    os.environ.setdefault("KERAS_BACKEND", "torch")
    from keras import metrics

    in_call, added = split_required(call, required)
    if setting:  # no threshold
        added["threshold"] = None

    def metric_value(name: str, **options: Any) -> Any:
        return getattr(metrics, name)(**(options | added))(y_true, y_pred)

    return evaluate(call, metric_value, **in_call)


def torcheval(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a function of ``torcheval.metrics``; a binary one reads labels as rows."""
    import torch
    from torcheval.metrics import functional

    data = torch.as_tensor(y_pred), torch.as_tensor(y_true)
    n_labels = len(y_true[0])

    def metric_value(name: str, **options: Any) -> Any:
        if n_labels == 1:  # some multilabel functions refuse one
            binary = getattr(functional, name.replace("multilabel_", "binary_"))
            return binary(*(matrix.ravel() for matrix in data))
        matrices = [matrix.T for matrix in data] if name.startswith("binary_") else data
        return getattr(functional, name)(*matrices, **options)

    return evaluate(call, metric_value, n_labels=n_labels)


def ignite(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a metric object after one update.

    An F-score is built from a precision and a recall.
    """
    import torch
    from ignite import metrics

    batch = torch.as_tensor(y_pred), torch.as_tensor(y_true)

    def fbeta(beta: float) -> Any:
        options: Any = {"average": False, "is_multilabel": True}
        precision, recall = metrics.Precision(**options), metrics.Recall(**options)
        score = metrics.Fbeta(beta, precision=precision, recall=recall)
        precision.update(batch)  # only now, since Fbeta resets both
        recall.update(batch)
        return score.compute()

    def metric_value(name: str, **options: Any) -> Any:
        metric = getattr(metrics, name)(**{"is_multilabel": True, **options})
        metric.update(batch)
        return metric.compute()

    return evaluate(call, metric_value, Fbeta=fbeta, **required)


def river(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a metric object, as "multioutput.MicroAverage(Jaccard)", updated per sample."""
    from river import metrics

    def new_metric(name: str) -> Any:
        return getattr(metrics, name)(**required)

    with_inner_call = re.sub(r"\((\w+)\)", r"(\1())", call)
    metric = evaluate(with_inner_call, new_metric, multioutput=metrics.multioutput)
    for truth, predicted in zip(np.equal(y_true, 1), np.equal(y_pred, 1), strict=True):
        metric.update(dict(enumerate(truth.tolist())), dict(enumerate(predicted.tolist())))
    return metric.get()


def napkinxc(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a function of ``napkinxc.metrics``, the last one if it has one for each k."""
    from napkinxc import metrics

    def metric_value(name: str, **options: Any) -> Any:
        return np.ravel(getattr(metrics, name)(y_true, y_pred, **options))[-1]

    return evaluate(call, metric_value, **required)


def xcolumns(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The value of a function of ``xcolumns.metrics``; the epsilon of ratios is set to 1e-9."""
    from xcolumns import metrics, weighted_prediction

    in_call, others = split_required(call, required)
    data = {"y_true": y_true, "y_pred": y_pred, "y_score": y_pred}

    def metric_value(name: str, *matrices: Any, **options: Any) -> Any:
        if not name.startswith("hamming") and not name.endswith("_at_k"):
            options |= {"epsilon": 1e-9}
        return getattr(metrics, name)(*(matrices or (y_true, y_pred)), **options, **others)

    top_k = weighted_prediction.predict_top_k
    return evaluate(call, metric_value, predict_top_k=top_k, **data, **in_call)


def libmultilabel(call: str, y_true: Any, y_pred: Any, setting: str, **required: Any) -> Any:
    """The metric of a name, such as "P@k" for some k.

    Its file is run alone, as the package loads slowly.
    """
    package = metadata.distribution("libmultilabel")
    module = runpy.run_path(str(package.locate_file("libmultilabel/linear/metrics.py")))
    name = call.replace("@k", f"@{required.get('k')}")
    return module["compute_metrics"](y_pred, y_true, [name])[name]


def split_required(call: str, required: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The required options that the call names, as k in ``Precision(top_k=k)``; and the others.

    The others, such as β, are floats.
    """
    in_call = {name: value for name, value in required.items() if re.search(rf"\b{name}\b", call)}
    return in_call, {name: float(value) for name, value in required.items() if name not in in_call}


def evaluate(call: str, metric_value: Callable[..., Any], **names: Any) -> Any:
    """The value of a Python expression, in which all names but these are functions.

    Such a name with its arguments is `metric_value(name, …)`; a bare name is called.
    """

    class Names(dict[str, Any]):
        def __missing__(self, name: str) -> Any:
            return functools.partial(metric_value, name)

    return eval(call if call.endswith(")") else f"{call}()", {"__builtins__": {}}, Names(names))


def keywords(setting: str) -> dict[str, Any]:
    """The keyword arguments in a setting such as "zero_division=1"."""
    arguments: dict[str, Any] = eval(f"dict({setting})", {"dict": dict, "nan": math.nan})
    return arguments


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
"""The package and the function above of each tool, by its name in `conventions.TOOLS`."""
