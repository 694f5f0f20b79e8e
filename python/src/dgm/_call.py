# SPDX-License-Identifier: Apache-2.0
"""Calls of the library: a context for each thread, options as texts, arrays without copies."""
from __future__ import annotations

import os
import shutil
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _dgm

Error = _dgm.Error
version = _dgm.version

#: Called with a stage and how far it is, from 0 to 1 or None; it ends the work by returning False. True shows a bar.
Progress = Union[None, bool, Callable[[str, Optional[float]], Any]]
Array = npt.NDArray[Any]

_local = threading.local()
_threads = 0


def threads(count: Optional[int] = None) -> int:
    """The number of threads that the library uses; 0 means as many as there are cores.

    With a number it is set, for all threads of the program from then on. Results do not depend on it.

    >>> import dgm
    >>> dgm.threads(2)
    2
    >>> dgm.threads(0)
    0
    """
    global _threads
    if count is not None:
        if int(count) < 0:
            raise ValueError("threads is 0 or more")
        _threads = int(count)
    return _threads


def context(progress: Progress = None) -> _dgm.Context:
    """The context of this thread, with whom it tells how far it is, and an empty list for notes."""
    made = getattr(_local, "context", None)
    if made is None or made[1] != _threads:
        made = _local.context = (_dgm.context(_threads), _threads)
    told = _show_progress() if progress is True else progress or None
    if told is not None and not callable(told):
        raise TypeError(f"progress is a function of a stage and a fraction, or True for a bar, not {type(told).__name__}")
    return made[0], told, []


# ---- progress ----


class _Bar:
    """A bar of tqdm with a stage and how far it is. It goes when the call is over and nobody has it any more."""

    def __init__(self, tqdm: Any):
        self.bar = tqdm(total=1.0, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}", leave=False)

    def __call__(self, stage: str, fraction: Optional[float]) -> None:
        self.bar.set_description_str(stage, refresh=False)
        self.bar.n = self.bar.n if fraction is None else fraction
        self.bar.refresh()

    def __del__(self) -> None:
        self.bar.close()


class _Lines:
    """Without tqdm: a line for each stage."""

    def __init__(self) -> None:
        self.stage: Optional[str] = None

    def __call__(self, stage: str, fraction: Optional[float]) -> None:
        if stage != self.stage:
            import sys

            print(stage, file=sys.stderr)
        self.stage = stage


def _show_progress() -> Callable[[str, Optional[float]], Any]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Bar(tqdm)


# ---- arrays out ----


class View:
    """Memory of the library as NumPy sees it. An array made of it keeps the owner."""

    def __init__(self, owner: object, address: int, shape: Tuple[int, ...], dtype: npt.DTypeLike, writable: bool = False):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "data": (address, not writable), "shape": shape, "typestr": np.dtype(dtype).str,
            "descr": np.dtype(dtype).descr,
        }


def array(owner: object, part: Optional[_dgm.Part], shape: Optional[Tuple[int, ...]] = None,
          dtype: Optional[npt.DTypeLike] = None) -> Any:
    """An array of the library, which must not be written to; None where there is none."""
    if part is None:
        return None
    address, count, kind = part
    shape = (count,) if shape is None else shape
    if 0 in shape:
        return np.zeros(shape, dtype or kind)
    return np.asarray(View(owner, address, shape, dtype or kind))


def table(owner: object, part: _dgm.Table) -> Tuple[Array, List[str]]:
    """A table of numbers and the names of its columns."""
    address, rows, columns, names = part
    return array(owner, (address, rows * columns, "<f8"), (rows, columns)), names


def frame(columns: Mapping[str, Any]) -> Any:
    """Columns of one length as a pandas frame, or as a structured array where there is no pandas."""
    try:
        import pandas
    except ImportError:
        arrays = {name: np.asarray(values) for name, values in columns.items()}
        count = len(next(iter(arrays.values()))) if arrays else 0
        made = np.zeros(count, [(name, values.dtype) for name, values in arrays.items()])
        for name, values in arrays.items():
            made[name] = values
        return made
    return pandas.DataFrame(dict(columns))


def objects(values: Sequence[Any]) -> Array:
    """A column of any objects, tuples among them."""
    made = np.empty(len(values), object)
    for i, value in enumerate(values):
        made[i] = value
    return made


# ---- options ----


def text(value: Any) -> bytes:
    """The value of an option as the library reads it."""
    if value is True:
        return b"true"
    if value is False:
        return b"false"
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, os.PathLike):
        return os.fsencode(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return b",".join(text(one) for one in value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).encode()
    return str(value).encode()


def settings(options: Mapping[str, Any]) -> _dgm.Settings:
    """Keyword arguments as pairs of texts: min_size=3 is ("min-size", "3"). None is not given."""
    pairs: List[Tuple[bytes, Optional[bytes]]] = []
    for keyword, value in options.items():
        if value is None:
            continue
        name = keyword.replace("_", "-").encode()
        if name in (b"lens", b"transform") and isinstance(value, (list, tuple)):
            pairs += [(name, text(one)) for one in value]  # each adds to those before
        else:
            pairs.append((name, text(value)))
    return pairs


def document(options: Sequence[_dgm.Option], leave_out: Sequence[str] = ()) -> str:
    """A line for each keyword argument of the option tables, for docstrings."""
    lines = []
    for option in options:
        name = option["name"].replace("-", "_")
        if name not in leave_out:
            default = f" (default {option['default']})" if option["default"] else ""
            lines.append(f"    {name}: {option['help']}{default}")
    return "\n".join(lines)


# ---- arrays in ----

_CPU = 1  # the device of that number in DLPack


def write(path: Union[str, os.PathLike[str]], data: bytes) -> None:
    """Writes a file whole or not at all: beside it first, and then in its place. What is no file, as a pipe, is written at once."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            file.write(data)
        return
    part = f"{target}.{os.getpid()}-{threading.get_ident()}.part"
    try:
        with open(part, "wb") as file:
            file.write(data)
        if os.path.exists(target):
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def take(values: Any, name: str) -> Array:
    """Anything that holds numbers as an array, without a copy where its memory can be seen: tensors of torch (detached), whatever
    has ``__dlpack__``, ``__array__`` or the buffer protocol, lists. What lies on another device is refused: a copy from there is
    for the caller to ask for."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked entries: fill them in first")
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "detach"):
        return _take_tensor(values, name)
    if hasattr(values, "__dlpack__") and hasattr(values, "__dlpack_device__"):
        kind = int(values.__dlpack_device__()[0])
        if kind != _CPU:
            raise ValueError(f"{name} is not in the memory of the CPU (device {kind} of DLPack): copy it there first")
        try:
            return np.from_dlpack(values)
        except (AttributeError, BufferError, RuntimeError, TypeError):
            pass  # an older NumPy, or a type that DLPack does not know: it may still have __array__
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None


def _take_tensor(tensor: Any, name: str) -> Array:
    device = getattr(tensor, "device", None)
    if getattr(device, "type", "cpu") != "cpu":
        raise ValueError(f"{name} is on the device '{device}': move it to the CPU first, with .cpu()")
    if getattr(tensor, "layout", None) is not None and "strided" not in str(tensor.layout):
        raise ValueError(f"{name} is a sparse tensor: a dense one is needed here, as .to_dense() makes it")
    tensor = tensor.detach()
    try:
        return np.asarray(tensor)
    except (RuntimeError, TypeError):  # a type that NumPy does not have, such as bfloat16
        try:
            return np.asarray(tensor.double())
        except (AttributeError, RuntimeError, TypeError) as error:
            raise ValueError(f"{name}: {error}") from None


def flat(values: Any, dtype: npt.DTypeLike, name: str, shape: Optional[Tuple[int, ...]] = None) -> Array:
    """The values as an array of that type, side by side in memory and in the machine's order; copied only where they are not."""
    taken = take(values, name)
    if taken.dtype.kind not in "biufO":
        raise ValueError(f"{name}: numbers are wanted, not {taken.dtype}")
    try:
        made = np.ascontiguousarray(taken, dtype=np.dtype(dtype).newbyteorder("="))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None
    if shape is not None and made.shape != shape:
        raise ValueError(f"{name} has the shape {made.shape}, not {shape}")
    return made


def whole(values: Any, name: str) -> Array:
    """Whole numbers of any kind, refused where they are none."""
    taken = take(values, name)
    if taken.dtype.kind not in "iu":
        if taken.size and (taken.dtype.kind != "f" or not np.all(np.isfinite(taken)) or not np.all(taken == np.floor(taken))):
            raise ValueError(f"{name} are whole numbers, not {taken.dtype}")
        if taken.size and np.max(np.abs(taken)) >= 2.0**63:
            raise ValueError(f"{name}: {np.max(np.abs(taken))} is too large")
        taken = taken.astype(np.int64)
    return taken


Options = Dict[str, Any]
