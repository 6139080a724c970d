"""Time and memory of the package beside scikit-learn and torchmetrics, measured on one machine."""
