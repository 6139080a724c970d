"""How fast the package is, beside scikit-learn and torchmetrics, in one run on this machine."""
