"""Numbers as text: fractions that can be checked by hand, decimals without trailing zeros."""

from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

ONE = Fraction(1)
Number: TypeAlias = Fraction | float  # a float for nan, roots and logarithms


def decimal(value: float, places: int = 3, fixed: bool = False) -> str:
    """Text of a rounded number: "0.5", or "0.500" if fixed; if not, 0.0004 is not written as 0."""
    text = f"{value or 0:.{places}f}"  # no sign for −0.0
    if fixed:
        return text if float(text) else text.lstrip("-")
    if value and not float(text):
        return f"{value:.2g}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_number(value: Number) -> str:
    """Text of a number: 3, 0.75, or 1/3 if no decimal is exact; a float is rounded."""
    if isinstance(value, float):
        return decimal(value)
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{exact:f}" if Fraction(exact) == value else str(value)


def sign_and_decimal(value: Fraction) -> tuple[str, str]:
    """Sign and decimal of a value: = and up to four places if exact, else ≈ and three digits."""
    if round(value, 4) == value:
        return " = ", format_number(value)
    three = f"{float(value):.3f}" if abs(value) >= Fraction(1, 100) else f"{float(value):.2e}"
    return " ≈ ", f"{Decimal(three):f}"
