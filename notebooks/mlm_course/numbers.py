"""Exact numbers as the course shows them."""

from fractions import Fraction

from mlm_helpers.tables.numbers import Number, decimal, format_number


def with_decimal(value: Number) -> str:
    """Text of a fraction with its decimal, or of a rounded float.

    >>> with_decimal(Fraction(1, 3)), with_decimal(Fraction(3, 4)), with_decimal(Fraction(1))
    ('1/3 ≈ 0.333', '3/4 = 0.75', '1')
    """
    if isinstance(value, float) or value.denominator == 1:
        return format_number(value)
    rounded = decimal(float(value))
    return f"{value} {'=' if Fraction(rounded) == value else '≈'} {rounded}"
