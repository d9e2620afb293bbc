#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the powers of ten that base/jm-number.c reckons with.

usage: powers-of-ten.py FIRST LAST

Each is its first 128 bits, rounded up: 10^n / 2^(e - 127), where 2^e is the greatest power of two that is
not above 10^n. Whole numbers of any size are exact in Python.
"""

import sys

BITS = 128
HALF = 64


def first_bits(power: int) -> int:
    if power >= 0:
        exact = 10**power
        shift = exact.bit_length() - BITS
        return exact << -shift if shift <= 0 else -(-exact >> shift)
    divisor = 10**-power
    # No power of ten but the first is one of two, so the quotient has as many bits as are asked for.
    return -(-(1 << (divisor.bit_length() + BITS - 1)) // divisor)


def main() -> None:
    first, last = int(sys.argv[1]), int(sys.argv[2])
    print("/* made by core/powers-of-ten.py */")
    for power in range(first, last + 1):
        bits = first_bits(power)
        assert bits.bit_length() == BITS
        print(f"{{ 0x{bits >> HALF:016x}, 0x{bits & ((1 << HALF) - 1):016x} }}, /* 10^{power} */")


if __name__ == "__main__":
    main()
