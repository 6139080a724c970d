"""Multi-label metrics by hand: the metrics of the course, each one readable as its formula.

Metrics, by what they are of:

    exact_match     samples of which every label is right
    example_based   the mean over samples of their precision, recall, F1 or accuracy (Jaccard)
    hamming         the share of wrong cells
    label_based     precision, recall, F1, specificity, kappa ...: macro, micro, weighted or per label
    hierarchy       the same of labels that have labels above them
    ranking         the order of a sample's labels: coverage, one-error, ranking loss
    top_k           the first k labels of each sample
    curves          average precision and AUROC: a label at every threshold
    probability     log loss, Brier score and calibration

What one does with them:

    data            tags become matrices; unknown cells, and bounds over all ways to fill them in;
                    what a label matrix is like; folds
    thresholds      from scores to predictions, and the best threshold
    uncertainty     intervals of a metric, and of the difference of two models
    summary         tables of labels, of models and of groups
    errors          which labels were missed beside which false alarms; the worst samples
    scorecard       every metric in one pass, batch by batch
    conventions     what other tools compute; which metric printed a number; a paragraph for the paper

Why a number is what it is:

    worked          any metric on small data, step by step
    catalogue       what is known of each metric
    tables          tables and steps as text, HTML, Markdown, LaTeX or a DataFrame

`python -m mlm_helpers` prints the tables of `summary` in a terminal.
`_core` is what these stand on. What only the notebooks need is beside them, in notebooks/mlm_course.

>>> from mlm_helpers import example_based
>>> example_based.accuracy([[1, 0, 1]], [[1, 1, 0]])
0.3333333333333333
"""

__version__ = "1.0.0"
