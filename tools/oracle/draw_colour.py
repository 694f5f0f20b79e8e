#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/draw_colour.txt: colormaps as matplotlib has them.

    python3 tools/oracle/draw_colour.py > tests/data/oracle/draw_colour.txt

Needs matplotlib (3.11.2 wrote the file). Lines of `MAP INDEX RED GREEN BLUE`, every third of a table of 256 colours.
"""
import matplotlib
from matplotlib import colormaps

print(f"# matplotlib {matplotlib.__version__}")
for name in ("viridis", "cividis", "coolwarm", "cool"):
    for index in range(0, 256, 3):
        print(name, index, *(round(255 * part) for part in colormaps[name](index)[:3]))
