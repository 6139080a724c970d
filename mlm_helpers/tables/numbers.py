"""How numbers are written: fractions to follow by hand, decimals without needless zeros."""

from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

ONE = Fraction(1)
Number: TypeAlias = Fraction | float  # a float where there is no value (nan), a root or a logarithm


def decimal(value: float, places: int = 3, fixed: bool = False) -> str:
    """Text of a number rounded to so many places: fixed ones, or without needless zeros, and two digits for 0."""
    text = f"{value or 0:.{places}f}"
    if fixed:
        return text if float(text) else text.lstrip("-")
    if value and not float(text):
        return f"{value:.2g}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_number(value: Number) -> str:
    """Write a whole number, a decimal where there is an exact one, else a fraction; a float rounded."""
    if isinstance(value, float):
        return decimal(value)
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{exact:f}" if Fraction(exact) == value else str(value)


def sign_and_decimal(value: Fraction) -> tuple[str, str]:
    """Sign (= or ≈) and text of a value with three digits, or with four places if these are exact."""
    if round(value, 4) == value:
        return " = ", format_number(value)
    three = f"{float(value):.3f}" if abs(value) >= Fraction(1, 100) else f"{float(value):.2e}"
    return " ≈ ", f"{Decimal(three):f}"
