#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/mapper_chance.txt: how likely chance makes sets of nodes differ, as SciPy computes it.

    python3 tools/oracle/mapper_chance.py > tests/data/oracle/mapper_chance.txt

Needs scipy. The file is lines of words:
    count ALL YES DRAWN FOUND P         twice the smaller tail of the hypergeometric distribution, at most 1
    ranks ALL INSIDE DELTA P            Mann and Whitney's U; the next line has all values, those inside first
    rates TESTS                         the next two lines have p, ascending, and q by Benjamini and Yekutieli
"""
import random

import numpy as np
import scipy
from scipy.stats import false_discovery_control, hypergeom, mannwhitneyu


def counts(draw):
    yield from [(10, 5, 5, 5), (10, 5, 5, 0), (34, 17, 8, 8), (2708, 418, 562, 141), (100000, 40, 3000, 9)]
    yield from [(2, 1, 1, 1), (1000, 1, 1, 0), (50, 49, 48, 47), (75879, 700, 20000, 5), (400000, 3000, 90000, 1200)]
    for _ in range(30):
        every = draw.randint(2, 3000)
        yes, drawn = draw.randint(1, every - 1), draw.randint(1, every - 1)
        yield every, yes, drawn, int(hypergeom(every, yes, drawn).ppf(draw.random()))


def values(draw):
    for size, inside, kinds in [(2, 1, 2), (9, 4, 99), (40, 11, 99), (40, 11, 3), (300, 5, 2), (1000, 300, 50)]:
        row = [draw.randint(0, kinds) for _ in range(size)]
        yield inside, [value + (i < inside) for i, value in enumerate(row)]
    yield 6, [round(draw.gauss(0, 1), 3) for _ in range(25)]


def main():
    draw = random.Random(5)
    print("made with scipy", scipy.__version__)
    for every, yes, drawn, found in counts(draw):
        chance = hypergeom(every, yes, drawn)
        p = min(1, 2 * min(chance.sf(found - 1), chance.cdf(found)))
        print("count", every, yes, drawn, found, f"{p:.12g}")
    for inside, row in values(draw):
        u, p = mannwhitneyu(row[:inside], row[inside:], method="asymptotic", use_continuity=True)
        delta = 2 * u / (inside * (len(row) - inside)) - 1
        print("ranks", len(row), inside, f"{delta:.12g} {p:.12g}")
        print(*row)
    for tests in [1, 5, 200]:
        p = np.sort(np.array([draw.random() ** 6 for _ in range(tests)]))
        print("rates", tests)
        print(*(f"{x:.12g}" for x in p))
        print(*(f"{x:.12g}" for x in false_discovery_control(p, method="by")))


main()
