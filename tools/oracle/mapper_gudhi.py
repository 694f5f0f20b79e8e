#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/mapper_gudhi.txt: which cells of a cover hold a value, as GUDHI's MapperComplex finds them.

    python3 tools/oracle/mapper_gudhi.py > tests/data/oracle/mapper_gudhi.txt

Needs gudhi and numpy below 2.3 (GUDHI 3.13 fails with later ones at gains of 0.5 and above), scikit-learn and
matplotlib, which GUDHI imports. The first line names the versions. Then covers follow: `cover AXES NODES`, a line
`INTERVALS GAIN` for every axis, and for every node a line with `VALUE FIRST LAST` for every axis, cells counted from 0.

Most values are ties: they stand on ends of cells, or did before the ends were rounded. GUDHI compares with rounded
ends, which it moves up a little by taking the next number after the maximum, so that what happens to a tie depends
on how the end was rounded.
"""
from fractions import Fraction

import gudhi
import numpy as np
from gudhi.cover_complex import MapperComplex

GAINS = [Fraction(p, q) for p, q in ((0, 1), (1, 9), (1, 5), (1, 3), (3, 7), (1, 2), (3, 5), (2, 3), (3, 4))]


class Whole:
    """Everything that lies in a cell is one cluster."""

    def fit_predict(self, points):
        return np.zeros(len(points), int)


def cells(values, intervals, gains):
    """First and last cell of every value, one pair for each axis."""
    complex = MapperComplex(resolutions=intervals, gains=gains, clustering=Whole())
    complex.fit(np.zeros((len(values), 1)), filters=values, colors=np.zeros((len(values), 1)))
    first_cell = 1 if max(gains) < 0.5 else 0
    held = [[] for _ in values]
    for node in complex.node_info_.values():
        for i in node["indices"]:
            held[i].append([int(c) - first_cell for c in node["patch"]])
    for of_node in held:
        axes = list(zip(*of_node))
        spans = [(min(a), max(a)) for a in axes]
        count = 1
        for low, high in spans:
            count *= high - low + 1
        assert len(of_node) == count, "cells of a value lie side by side"
        yield spans


def column(draw, intervals, gain, nodes):
    """Values of which most stand on ends of cells, up to rounding."""
    low = draw.choice([0, 0, draw.integers(-1000, 1000), draw.normal()])
    length = draw.choice([1, 3, 0.1, 8, draw.uniform(0.1, 10)])
    reach = length * float(gain / (2 - 2 * gain))
    high = low + length * intervals
    ends = low + length * draw.integers(0, intervals + 1, nodes) + draw.choice([-reach, 0, reach], nodes)
    loose = draw.uniform(low, high, nodes)
    values = np.clip(np.where(draw.uniform(size=nodes) < 0.8, ends, loose), low, high)
    values[0], values[1] = low, high
    return values


def main():
    draw = np.random.default_rng(17)
    print("gudhi", gudhi.__version__, "numpy", np.__version__)
    for number in range(252):
        axes, nodes = 1 + (number % 6 == 5), 14
        intervals = [int(n) for n in draw.integers(2, 12, axes)]
        gains = [GAINS[(number + 4 * a) % len(GAINS)] for a in range(axes)]
        values = np.stack([column(draw, n, g, nodes) for n, g in zip(intervals, gains)], axis=1)
        print("cover", axes, nodes)
        for n, g in zip(intervals, gains):
            print(n, repr(float(g)))
        for row, spans in zip(values, cells(values, intervals, [float(g) for g in gains])):
            print(*(f"{float(v)!r} {low} {high}" for v, (low, high) in zip(row, spans)))


main()
