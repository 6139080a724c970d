"""Numbers as text: fractions that can be checked by hand, decimals without trailing zeros."""

from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

ONE = Fraction(1)
Number: TypeAlias = Fraction | float  # a float for nan, roots and logarithms


def decimal(value: float, places: int = 3, fixed: bool = False) -> str:
    """Text of a rounded number: "0.5", or "0.500" if fixed.

    A number that rounds to 0 has no sign if fixed; else it keeps two digits, such as "0.00042".
    """
    text = f"{value or 0:.{places}f}"  # "or 0": −0.0 has no sign
    is_zero = float(text) == 0
    if fixed:
        return text.lstrip("-") if is_zero else text
    if is_zero and value:
        return f"{value:.2g}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_number(value: Number) -> str:
    """Text of a number: 3, 0.75, or 1/3 if no decimal is exact; a float is rounded."""
    if isinstance(value, float):
        return decimal(value)
    exact = Decimal(value.numerator) / Decimal(value.denominator)  # to 28 digits
    return f"{exact:f}" if Fraction(exact) == value else str(value)


def relation_and_decimal(value: Fraction) -> tuple[str, str]:
    """The decimal of a value, after " = " if up to four places are exact, else after " ≈ ".

    A rounded decimal has three places or, below 1/100, three digits that are not leading zeros.
    """
    if round(value, 4) == value:
        return " = ", format_number(value)
    number = float(value)
    rounded = f"{number:.3f}" if abs(number) >= 0.01 else f"{number:.2e}"
    return " ≈ ", f"{Decimal(rounded):f}"  # without an exponent
