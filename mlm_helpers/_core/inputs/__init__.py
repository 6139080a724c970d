"""Reading and checking of input: the only code of the package that looks at raw arguments.

A metric receives one `Data`: the truth, a prediction of zeros and ones or of finite numbers, and
the weights of their cells. Valid matrices are neither copied nor converted (CSR arrays stay sparse
where a metric reads them): they are large, and a metric should read each matrix once. Invalid input
raises an error of one sentence: the argument, the value, its position, and the remedy. Rows are
samples and columns are labels; both are numbered from 0, as in Python.
"""
