r"""The formulas of the course, translated from LaTeX to Python.

`translate` knows only what the course writes: where it stops, rewrite the formula. (Parsers of
algebra such as SymPy's do not know sets with an index, brackets that are 1 if a condition holds, or
TP_j.)

>>> name, value = translate(r"\text{recall} = \frac{1}{n} \sum_i \frac{|Y_i \cap Z_i|}{|Y_i|}")
>>> value
'ratio(1, n) * sum(defined(ratio(len(Y[i] & Z[i]), len(Y[i]))) for i in range(1, n + 1))'
"""

import re
from math import isnan, log, log2, nan, sqrt

TOKEN = re.compile(r"\\(?:text|mathrm)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z]+|\d+|\S")
_HAT = re.compile(r"\\(hat|bar) ?\{?(\w)\}?")  # \hat Y or \bar{p}
_SPACE = re.compile(r"\\[,;:! ]|\\(?:left|right)(?![a-z])")  # \, or \left
_SETS = {r"\cap": "&", r"\cup": "|", r"\triangle": "^", r"\setminus": "-"}
_SETS |= {"=": "==", r"\neq": "!=", r"\in": "in", r"\notin": "not in", r"\leq": "<="}
_ENCLOSED = {
    "{": ("sum", "}", "{}"), "(": ("items", ")", "({})"),
    "[": ("sets", "]", "({})"), "|": ("sets", "|", "len({})"),
    r"\lvert": ("sum", r"\rvert", "abs({})"),
}  # fmt: skip
_LOOPS = {r"\sum": "sum(defined({}) {})", r"\max": "max(({} {}), default=nan)"}
_FUNCTIONS = {r"\frac": "ratio({}, {})", r"\lb": "log2({})", r"\ln": "log({})"}
_FUNCTIONS |= {r"\min": "min{}", r"\sqrt": "sqrt({})"}
# The start of a factor, such as 2, n, ( or \frac; `|` opens one, as in |Y_i|.
_FACTOR = re.compile(r"\d|[A-Za-z(|[]|\\(?:frac|sum|max|min|lb|ln|sqrt|lvert|beta|text|mathrm)")
_RANK = re.compile(r"r(_Y)?(\[\w\])?")  # r(j), r[i](j) or r_Y[i](j): the only function calls
_LAST = {"i": "n", "j": "L", "b": "n_bins"}  # i counts samples, j labels, b bins


def translate(latex):
    """Python source of each side of an equation, or of a single expression."""
    parser = _Parser(latex)
    sides = [parser.sum()]
    while parser.skip("="):
        sides.append(parser.sum())
    parser.take("")
    return sides


def evaluate(side, symbols, undefined):
    """The value of a compiled side.

    Terms of a sum, or the side, that are nan have the value `undefined`.
    """
    functions = {
        "nan": nan,
        "ratio": lambda part, whole: part / whole if whole else nan,
        "defined": lambda value: undefined if isnan(value) else value,
        "log": log,
        "sqrt": sqrt,
        "log2": _log2,
    }
    return functions["defined"](eval(side, functions | symbols))


def _log2(value):
    """A logarithm as a divisor, which must not be 0: such a formula is wrong, and not 0/0."""
    if value <= 1:
        raise ValueError(f"log2({value}) divides nothing")
    return log2(value)


class _Parser:
    """A recursive-descent parser.

    Each method after `skip` consumes one construct and returns its source.
    """

    def __init__(self, latex):
        latex = latex.replace(r"\mathbin{\triangle}", r"\triangle").replace(r"\log_2", r"\lb")
        plain = _SPACE.sub(" ", _HAT.sub(r"\\mathrm{\1 \2}", latex))
        self.tokens = [*TOKEN.findall(plain), ""]

    def take(self, *expected):
        """Remove and return the next token, which must be one of the expected."""
        if expected and self.tokens[0] not in expected:
            raise SyntaxError(f"no {' or '.join(expected) or 'end'} at {' '.join(self.tokens)!r}")
        return self.tokens.pop(0)

    def skip(self, token):
        """Remove the next token if it is this one; return whether it was."""
        return self.tokens[0] == token and bool(self.take())

    def sum(self):
        """Products with + or − between them: -a + 2 b."""
        source = "-" * self.skip("-") + self.product()
        while self.tokens[0] in ("+", "-"):
            source = f"{source} {self.take()} {self.product()}"
        return source

    def items(self):
        """Sums with commas between them, the arguments of a function: a + 1, b."""
        source = self.sum()
        while self.skip(","):
            source = f"{source}, {self.sum()}"
        return source

    def product(self):
        r"""Powers side by side or with \cdot between them: 2 a^2 \cdot b."""
        source = self.power()
        while self.skip(r"\cdot") or _FACTOR.match(self.tokens[0]):
            source = f"{source} * {self.power()}"
        return source

    def power(self):
        base = self.factor()
        return f"{base} ** ({self.factor()})" if self.skip("^") else base

    def factor(self):
        r"""A number, name, call, bracket, fraction or loop: \frac{1}{n}, |Y_i|, \sum_i a."""
        if self.tokens[0].isdecimal():
            return self.take()
        if self.tokens[0] in _ENCLOSED:
            method, end, template = _ENCLOSED[self.take()]
            source = template.format(getattr(self, method)())
            self.take(end)
            return source
        if self.tokens[0] in _FUNCTIONS:
            template = _FUNCTIONS[self.take()]
            return template.format(*(self.factor() for _ in range(template.count("{}"))))
        if self.tokens[0] in _LOOPS:
            template, domain = _LOOPS[self.take()], self.domain()
            return template.format(self.product(), domain)
        name = self.name()
        return f"{name}{self.factor()}" if _RANK.fullmatch(name) else name

    def domain(self):
        r"""The loop below \sum or \max: an index and its set, or its first and last value."""
        self.take("_")
        is_braced = self.skip("{")
        index = self.take(*_LAST)
        members = self.sets() if self.skip(r"\in") else ""
        first = self.sum() if self.skip("=") else "1"
        if is_braced:
            self.take("}")
        last = self.factor() if self.skip("^") else _LAST[index]
        return f"for {index} in {members or f'range({first}, {last} + 1)'}"

    def sets(self):
        r"""Sets or numbers with operators or a relation: Y_i \cap Z_i, r(j) \leq |Y|."""
        source = self.factor()
        while self.tokens[0] in _SETS:
            source = f"{source} {_SETS[self.take()]} {self.factor()}"
        return source

    def name(self):
        r"""A name, with or without index: Y[i] for Y_i, r_Y for r_Y, top_label for \text{…}."""
        name = re.sub(r"\\(?:text|mathrm)\{(.*)\}|\\", r"\1", self.take()).strip()
        if not re.match(r"[A-Za-z]", name):
            raise SyntaxError(f"no name: {name!r} before {' '.join(self.tokens)!r}")
        name = re.sub(r"\W", "_", name)
        if not self.skip("_"):
            return name
        index = self.factor()
        return f"{name}_{index}" if index.startswith("Y") else f"{name}[{index}]"
