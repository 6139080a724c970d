r"""The formulas of the course, read from their LaTeX as Python.

`translate` reads what the course writes and nothing else: where it stops, rewrite the formula. (Readers
of algebra, such as SymPy's, know no sets of an index, no bracket that is 1 where it holds, no TP_j.)

>>> translate(r"\text{recall} = \frac{1}{n} \sum_i \frac{|Y_i \cap Z_i|}{|Y_i|}")
['recall', 'over(1, n) * sum(worth(over(len(Y[i] & Z[i]), len(Y[i]))) for i in range(1, n + 1))']
"""

import re
from math import isnan, log, log2, nan

TOKEN = re.compile(r"\\(?:text|mathrm)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z]+|\d+|\S")
_SPACE = re.compile(r"\\[,;:! ]|\\(?:left|right)(?![a-z])")
_SETS = {r"\cap": "&", r"\cup": "|", r"\triangle": "^", r"\setminus": "-"}
_SETS |= {"=": "==", r"\neq": "!=", r"\in": "in", r"\notin": "not in"}
_ENCLOSED = {
    "{": ("sum", "}", "{}"), "(": ("items", ")", "({})"),
    "[": ("sets", "]", "({})"), "|": ("sets", "|", "len({})"),
}  # fmt: skip
_OVER = {r"\sum": "sum(worth({}) {})", r"\max": "max(({} {}), default=nan)"}
_CALLED = {r"\frac": "over({}, {})", r"\lb": "log2({})", r"\ln": "log({})", r"\min": "min{}"}
# How a factor begins; `|` opens.
_FACTOR = re.compile(r"\d|[A-Za-z(|[]|\\(?:frac|sum|max|min|lb|ln|beta|text|mathrm)")
_RANK = re.compile(r"r(_Y)?(\[\w\])?")  # the only functions
_LAST = {"i": "n", "j": "L"}  # i counts samples, j labels


def translate(latex):
    """The sides of an equation, or the one expression, as Python source."""
    reader = _Reader(latex)
    sides = [reader.sum()]
    while reader.skip("="):
        sides.append(reader.sum())
    reader.take("")
    return sides


def evaluate(side, signs, undefined):
    """The value of a side, compiled; what has no value is worth `undefined`, in a sum and alone."""
    known = {
        "nan": nan,
        "over": lambda part, whole: part / whole if whole else nan,
        "worth": lambda value: undefined if isnan(value) else value,
        "log": log,
        "log2": _log2,
    }
    return known["worth"](eval(side, known | signs))


def _log2(value):
    """What divides; of 1 it is 0, and what is divided by that is not even 0/0."""
    if value <= 1:
        raise ValueError(f"log2({value}) divides nothing")
    return log2(value)


class _Reader:
    def __init__(self, latex):
        latex = latex.replace(r"\mathbin{\triangle}", r"\triangle").replace(r"\log_2", r"\lb")
        plain = _SPACE.sub(" ", latex)
        self.rest = [*TOKEN.findall(plain), ""]

    def take(self, *wanted):
        if wanted and self.rest[0] not in wanted:
            raise SyntaxError(f"no {' or '.join(wanted) or 'end'} at {' '.join(self.rest)!r}")
        return self.rest.pop(0)

    def skip(self, token):
        return self.rest[0] == token and bool(self.take())

    def sum(self):
        source = "-" * self.skip("-") + self.product()
        while self.rest[0] in ("+", "-"):
            source = f"{source} {self.take()} {self.product()}"
        return source

    def items(self):
        return ", ".join([self.sum(), *(self.sum() for _ in iter(lambda: self.skip(","), False))])

    def product(self):
        source = self.power()
        while self.skip(r"\cdot") or _FACTOR.match(self.rest[0]):
            source = f"{source} * {self.power()}"
        return source

    def power(self):
        base = self.factor()
        return f"{base} ** ({self.factor()})" if self.skip("^") else base

    def factor(self):
        if self.rest[0].isdecimal():
            return self.take()
        if self.rest[0] in _ENCLOSED:
            read, end, source = _ENCLOSED[self.take()]
            source = source.format(getattr(self, read)())
            self.take(end)
            return source
        if self.rest[0] in _CALLED:
            source = _CALLED[self.take()]
            return source.format(*(self.factor() for _ in range(source.count("{}"))))
        if self.rest[0] in _OVER:
            source, domain = _OVER[self.take()], self.domain()
            return source.format(self.product(), domain)
        name = self.name()
        return f"{name}{self.factor()}" if _RANK.fullmatch(name) else name  # r(j)

    def domain(self):
        r"""Under \sum or \max: an index, where it starts and ends, or the set that it goes through."""
        self.take("_")
        braced = self.skip("{")
        index = self.take("i", "j")
        through = self.sets() if self.skip(r"\in") else ""
        first = self.sum() if self.skip("=") else "1"
        if braced:
            self.take("}")
        last = self.factor() if self.skip("^") else _LAST[index]
        return f"for {index} in {through or f'range({first}, {last} + 1)'}"

    def sets(self):
        source = self.name()
        while self.rest[0] in _SETS:
            source = f"{source} {_SETS[self.take()]} {self.name()}"
        return source

    def name(self):
        r"""Y_i is Y[i]; r_Y is a name, and r_{Y_i} is r_Y[i]; \text{top label} is top_label."""
        name = re.sub(r"\\(?:text|mathrm)\{(.*)\}|\\", r"\1", self.take()).strip()
        if not re.match(r"[A-Za-z]", name):
            raise SyntaxError(f"no name: {name!r} before {' '.join(self.rest)!r}")
        name = re.sub(r"\W", "_", name)
        if not self.skip("_"):
            return name
        index = self.factor()
        return f"{name}_{index}" if index.startswith("Y") else f"{name}[{index}]"
