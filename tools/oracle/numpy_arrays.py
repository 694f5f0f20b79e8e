#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/unit/numpy_arrays.h: files as NumPy itself saves them, for the readers' tests.

    python3 tools/oracle/numpy_arrays.py > tests/unit/numpy_arrays.h
"""
import io
import sys
import textwrap

import numpy as np
from numpy.lib import format as npy_format


def saved(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def in_version(array, version):
    out = io.BytesIO()
    npy_format.write_array(out, array, version=version)
    return out.getvalue()


def archived(save, **arrays):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


def emit(name, data):
    print(f"static const unsigned char {name}[] = {{")
    print(textwrap.fill(", ".join(map(str, data)), 96, initial_indent="    ", subsequent_indent="    "))
    print("};")


GRID = np.array([[1, 2], [3, 4], [5, 6]])
# A path 0-1-2-3 in both directions, as PyTorch Geometric holds it, and an isolated node 4.
GRAPH = dict(
    edge_index=np.array([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]]),
    edge_weight=np.array([0.5, 0.5, 2, 2, 1.25, 1.25], dtype=np.float32),
    x=np.arange(15, dtype=np.float32).reshape(5, 3),
    y=np.array([0, 1, 1, 2, -1]),
    train_mask=np.array([1, 0, 0, 0, 0], dtype=bool),
    val_mask=np.array([0, 1, 0, 0, 0], dtype=bool),
    test_mask=np.array([0, 0, 1, 1, 0], dtype=bool),
    num_nodes=np.array(5),
    pos=np.zeros((5, 2)),
)


def main():
    print("/* SPDX-License-Identifier: Apache-2.0 */")
    print(f"/* Made by tools/oracle/numpy_arrays.py with NumPy {np.__version__}; do not edit. */")
    print("/* clang-format off */")
    for kind in ("i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8",
                 "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"):
        name = kind.replace("<", "little_").replace(">", "big_")
        emit(f"grid_{name}", saved(GRID.astype(kind)))
    emit("grid_fortran", saved(np.asfortranarray(GRID.astype("<f8"))))
    emit("grid_version2", in_version(GRID.astype("<f8"), (2, 0)))
    emit("grid_version3", in_version(GRID.astype("<f8"), (3, 0)))
    emit("vector_bool", saved(np.array([True, False, True])))
    emit("vector_half", saved(np.array([0, -1.5, 65504, 2**-24, 2**-14], dtype="<f2")))
    emit("scalar", saved(np.array(7)))
    emit("empty", saved(np.zeros((0, 2))))
    emit("objects", saved(np.array([{}, None], dtype=object), allow_pickle=True))
    emit("records", saved(np.zeros(2, dtype=[("a", "<i4"), ("b", "<f8")])))
    emit("strings", saved(np.array(["a", "bc"])))
    emit("complexes", saved(np.array([1j])))
    emit("graph_stored", archived(np.savez, **GRAPH))
    emit("graph_deflated", archived(np.savez_compressed, **GRAPH))
    emit("graph_fortran", archived(np.savez, edge_index=np.asfortranarray(GRAPH["edge_index"].astype(">i4"))))
    emit("graph_down", archived(np.savez, edge_index=np.ascontiguousarray(GRAPH["edge_index"].T.astype("<u2"))))
    emit("edge_index_alone", saved(GRAPH["edge_index"]))


if __name__ == "__main__":
    sys.exit(main())
