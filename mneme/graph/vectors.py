"""Stored vectors: little-endian float32 of any dimension, compared in double precision."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from math import fsum, isfinite, sqrt
from operator import mul


def unpack(blob: bytes) -> array[float] | None:
    """Return the numbers of a vector; None when ``blob`` is empty or no whole number of floats."""
    if not blob or len(blob) % 4:
        return None
    numbers = array("f")
    numbers.frombytes(blob)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def pack(numbers: Iterable[float]) -> bytes:
    """Return ``numbers`` as they are stored."""
    values = array("f", numbers)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def cosine(one: array[float], other: array[float]) -> float:
    """Return the cosine of two vectors, -1 to 1; 0 when dimensions differ, a norm is zero or a number is not finite."""
    if len(one) != len(other):
        return 0.0
    norms = sqrt(fsum(map(mul, one, one))) * sqrt(fsum(map(mul, other, other)))
    value = fsum(map(mul, one, other)) / norms if norms else 0.0
    return max(-1.0, min(1.0, value)) if isfinite(value) else 0.0
