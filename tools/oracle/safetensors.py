#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/tensors.safetensors: tensors as the safetensors package itself saves them.

    python3 tools/oracle/safetensors.py tests/data/oracle/tensors.safetensors
    python3 tools/oracle/safetensors.py --check FILE...

Needs safetensors (0.8) and numpy. With --check it loads files that dgm wrote with the package and prints what is in
them. The package writes metadata in any order, so the file's bytes differ from run to run.
"""
import sys

# This file has the package's name: its own folder must not come first.
sys.path = sys.path[1:]

import numpy as np  # noqa: E402
from safetensors import TensorSpec, safe_open, serialize_file  # noqa: E402

METADATA = {"format": "pt", "says": "\"quoted\", \\ and\na new line", "größe": "ü"}


# NumPy has no such type: 1, -2.5, 2**-133 and infinity as bits.
BRAIN = np.array([0x3F80, 0xC020, 0x0001, 0x7F80], dtype="<u2")
TENSORS = {
    "conv1.lin.weight": ("float32", np.arange(6, dtype="<f4").reshape(2, 3) / np.float32(4)),
    "conv1.bias": ("float32", np.array([-1.5, 3e-41, 1e30], dtype="<f4")),
    "half": ("float16", np.array([0, -1.5, 65504, 2**-24, 2**-14], dtype="<f2")),
    "brain": ("bfloat16", BRAIN),
    "double": ("float64", np.array([[1 / 3], [-2.0]], dtype="<f8")),
    "steps": ("int64", np.array([-(2**62), 7], dtype="<i8")),
    "state": ("uint8", np.array([0, 1, 255], dtype="u1")),
    "scalar": ("float32", np.array(2.5, dtype="<f4")),
    "nothing": ("float32", np.zeros((0, 4), dtype="<f4")),
    "naïve \"name\"": ("uint64", np.array([2**64 - 1], dtype="<u8")),
}


def spec(dtype, array):
    assert array.flags.c_contiguous
    return TensorSpec(dtype=dtype, shape=list(array.shape), data_ptr=array.ctypes.data, data_len=array.nbytes)


def check(path):
    with safe_open(path, framework="np") as file:
        print(path, file.metadata())
        for name in file.keys():
            tensor = file.get_tensor(name)
            print("   ", repr(name), tensor.dtype, tensor.shape, tensor.ravel()[:8].tolist())


def main():
    if sys.argv[1] == "--check":
        for path in sys.argv[2:]:
            check(path)
    else:
        serialize_file({name: spec(*tensor) for name, tensor in TENSORS.items()}, sys.argv[1], metadata=METADATA)


if __name__ == "__main__":
    main()
