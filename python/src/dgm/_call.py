# SPDX-License-Identifier: Apache-2.0
"""Calls of the library: a context for each thread, options as texts, arrays without copies."""
import threading

import numpy as np

from . import _dgm

Error = _dgm.Error
version = _dgm.version

_local = threading.local()
_threads = 0


def threads(count=None):
    """The number of threads that the library uses; 0 means as many as there are cores.

    With a number it is set, for all threads of the program from then on. Results do not depend on it.
    """
    global _threads
    if count is not None:
        if int(count) < 0:
            raise ValueError("threads is 0 or more")
        _threads = int(count)
    return _threads


def context(progress=None):
    """The context of this thread, with whom it tells how far it is, and an empty list for notes."""
    made = getattr(_local, "context", None)
    if made is None or made[1] != _threads:
        made = _local.context = (_dgm.context(_threads), _threads)
    return made[0], progress, []


class View:
    """Memory of the library as NumPy sees it. An array made of it keeps the owner."""

    def __init__(self, owner, address, shape, dtype):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "data": (address, True), "shape": shape, "typestr": np.dtype(dtype).str,
            "descr": np.dtype(dtype).descr,
        }


def array(owner, part, shape=None, dtype=None):
    """An array of the library, which must not be written to; None where there is none."""
    if part is None:
        return None
    address, count, kind = part
    shape = (count,) if shape is None else shape
    if 0 in shape:
        return np.zeros(shape, dtype or kind)
    return np.asarray(View(owner, address, shape, dtype or kind))


def table(owner, part):
    """A table of numbers and the names of its columns."""
    address, rows, columns, names = part
    return array(owner, (address, rows * columns, "<f8"), (rows, columns)), names


def text(value):
    """The value of an option as the library reads it."""
    if value is True:
        return b"true"
    if value is False:
        return b"false"
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (list, tuple, np.ndarray)):
        return b",".join(text(one) for one in value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).encode()
    return str(value).encode()


def settings(options):
    """Keyword arguments as pairs of texts: min_size=3 is ("min-size", "3"). None is not given."""
    pairs = []
    for name, value in options.items():
        if value is None:
            continue
        name = name.replace("_", "-").encode()
        if name in (b"lens", b"transform") and isinstance(value, (list, tuple)):
            pairs += [(name, text(one)) for one in value]  # each adds to those before
        else:
            pairs.append((name, text(value)))
    return pairs


def flat(values, dtype, name, shape=None):
    """The values as an array of that type, side by side in memory and in the machine's order; copied only where they are not."""
    try:
        made = np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("="))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None
    if shape is not None and made.shape != shape:
        raise ValueError(f"{name} has the shape {made.shape}, not {shape}")
    return made
