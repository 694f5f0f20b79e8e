# SPDX-License-Identifier: Apache-2.0
"""Arrays of any library and any layout, hostile ones among them."""
import re
import subprocess
import sys

import numpy as np
import pytest

import dgm
from dgm import _call

RING = [(i, (i + 1) % 12) for i in range(12)]
VALUES = np.minimum(np.arange(12), 12 - np.arange(12)).astype(float)
OPTIONS = {"intervals": 4, "overlap": 0.5}


class Dlpack:
    """What has nothing but DLPack."""

    def __init__(self, values, device=(1, 0)):
        self.values, self.device = values, device

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


class ArrayLike:
    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


class Tensor:
    """What looks like a tensor on another device."""

    device = type("device", (), {"type": "cuda", "__str__": lambda self: "cuda:0"})()

    def detach(self):
        return self


def wanted():
    return dgm.map(RING, lens=VALUES, **OPTIONS).to_json()


@pytest.mark.parametrize("change", [
    list, tuple, ArrayLike, memoryview, lambda a: a.astype(np.float32), lambda a: a.astype(np.int8), lambda a: a.astype(">f8"),
    lambda a: a.astype(">i4"), lambda a: np.stack([a, a])[::-1].T[:, 0], lambda a: a[::-1][::-1], lambda a: a.astype(object),
    lambda a: np.asfortranarray(a[:, None]), lambda a: a.astype(np.float16), lambda a: a.astype(np.longdouble),
    lambda a: np.ma.masked_array(a), lambda a: np.lib.stride_tricks.as_strided(np.repeat(a, 3), (12,), (24,)),
])
def test_layouts_and_types_do_not_matter(change):
    assert dgm.map(RING, lens=change(VALUES), **OPTIONS).to_json() == wanted()


@pytest.mark.skipif(not hasattr(np, "from_dlpack"), reason="this NumPy has no DLPack")
def test_dlpack_is_seen_without_a_copy():
    values = np.arange(12.0)
    assert np.shares_memory(_call.take(Dlpack(values), "x"), values)
    assert np.shares_memory(_call.flat(Dlpack(values), np.float64, "x"), values)
    assert dgm.map(RING, lens=Dlpack(VALUES), **OPTIONS).to_json() == wanted()


def test_half_of_dlpack_is_none():
    class Half(ArrayLike):
        def __dlpack__(self, **options):
            raise AssertionError("without a device this is not asked")

    assert dgm.map(RING, lens=Half(VALUES), **OPTIONS).to_json() == wanted()


def test_one_name_in_a_list_is_a_lens():
    options = {"intervals": 3, "overlap": 0.2}
    assert dgm.map(RING, lens=["degree"], **options).to_json() == dgm.map(RING, lens="degree", **options).to_json()


@pytest.mark.parametrize("bad", [Tensor(), Dlpack(VALUES, (2, 0))])
def test_what_lies_on_another_device_is_refused(bad):
    for call in (lambda: dgm.map(RING, lens=bad), lambda: dgm.map(RING, lens=VALUES, predictions=bad), lambda: dgm.graph(bad),
                 lambda: dgm.reduce.PCA().fit(bad)):
        with pytest.raises(ValueError, match="CPU"):
            call()


def test_arrays_are_not_copied_and_not_changed():
    values = np.random.default_rng(1).random((12, 2))
    assert np.shares_memory(_call.flat(values, np.float64, "x"), values)
    values.flags.writeable = False
    before = values.copy()
    dgm.map(RING, lens=values, **OPTIONS)
    dgm.reduce.PCA().fit(values)
    assert np.array_equal(values, before)


RAGGED = [[0, 1], [2]]


@pytest.mark.parametrize("edges", [
    RAGGED, np.array([[0, 1], [1, -2]]), np.array([[0.5, 1]]), np.array([[np.nan, 1]]), np.array([[np.inf, 1]]), np.array([[0, 2**33]]),
    np.array([[0, 2**63]], np.uint64), [[0, 2**70]], np.array([[0, 1j]]), np.array([["a", "b"]]), np.array([[None, 1]], object),
    np.array([[0, 1]], object), np.array([[True, False]]), np.zeros((2, 2, 2), int), np.array(3), np.array([1, 2, 3]), 1.5, None, object(),
    np.array([["2020-01-01", "2020-01-02"]], "M8[D]"), np.zeros((4, 3), int), np.ma.masked_array([[0, 1]], mask=[[0, 1]]), [[1e300, 0]],
])
def test_hostile_edges_are_refused(edges):
    with pytest.raises((ValueError, TypeError)):
        dgm.graph(edges)


@pytest.mark.parametrize("values", [
    RAGGED, [1, 2, 3], np.full(12, np.nan), np.full(12, -np.inf), np.full(12, 1j), ["a"] * 12, [None] * 12, [object()] * 12,
    np.zeros((12, 0)), np.zeros((12, 2, 1)), np.zeros((0, 12)), np.float64(3), np.array(["1"] * 12), np.zeros(12, "M8[s]"),
    np.ma.masked_array(np.zeros(12), mask=[1] + [0] * 11),
])
def test_hostile_tables_are_refused(values):
    with pytest.raises((ValueError, TypeError, dgm.Error)):
        dgm.map(RING, lens=values, **OPTIONS)
    with pytest.raises((ValueError, TypeError, dgm.Error)):
        dgm.map(RING, lens=VALUES, predictions=values, **OPTIONS)


@pytest.mark.parametrize("said", [
    np.full(12, 2**31), np.full(12, 2**40), np.full(12, -2), np.full(12, 0.5), np.full(12, 2**63, np.uint64), np.zeros((12, 3, 1)),
    np.full((12, 2), np.nan), np.full((12, 2), np.inf),
])
def test_hostile_predictions_are_refused(said):
    with pytest.raises((ValueError, dgm.Error)):
        dgm.map(RING, lens=VALUES, predictions=said, **OPTIONS)


@pytest.mark.parametrize("change", [
    lambda m: m.astype(np.float32), lambda m: m.astype(np.int64), lambda m: m.astype(bool), lambda m: m.asformat("lil"),
    lambda m: m.asformat("dok"), lambda m: m + m.T * 0,
])
def test_matrices_of_any_type_are_one_graph(change):
    sparse = pytest.importorskip("scipy.sparse")
    ends = np.array(RING + [(b, a) for a, b in RING])
    matrix = sparse.csr_matrix((np.ones(24), (ends[:, 0], ends[:, 1])), (12, 12))
    made = dgm.graph(change(matrix))
    assert (len(made), made.edges) == (12, 12)


def test_a_matrix_stays_as_it_is():
    sparse = pytest.importorskip("scipy.sparse")
    twice = sparse.csr_matrix((np.ones(4), np.array([1, 1, 0, 0]), np.array([0, 2, 4])), (2, 2))  # each entry twice, not in order
    before = twice.data.copy(), twice.indices.copy(), twice.indptr.copy()
    assert dgm.graph(twice).edges == 1
    assert all(np.array_equal(a, b) for a, b in zip(before, (twice.data, twice.indices, twice.indptr)))


@pytest.mark.parametrize("bad", ["nan", "wide"])
def test_hostile_matrices_are_refused(bad):
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(np.array([[0, 1.0], [1, 0]]))
    if bad == "wide":
        matrix = sparse.csr_matrix(np.ones((2, 3)))
    else:
        matrix.data[:] = np.nan
    with pytest.raises((ValueError, dgm.Error)):
        dgm.map(dgm.graph(matrix), lens="pagerank", intervals=2)


# ---- torch ----


def test_tensors_come_in_without_a_copy():
    torch = pytest.importorskip("torch")
    values = torch.arange(12, dtype=torch.float64, requires_grad=True)
    seen = _call.take(values, "x")
    assert seen.ctypes.data == values.data_ptr() and isinstance(seen, np.ndarray)
    assert _call.flat(values, np.float64, "x").ctypes.data == values.data_ptr()
    lens = torch.as_tensor(VALUES)
    for tensor in (lens, lens.float(), lens.to(torch.bfloat16), lens.requires_grad_(), torch.stack([lens, lens], 1)[:, 1]):
        assert dgm.map(RING, lens=tensor, **OPTIONS).to_json() == wanted()
    assert dgm.graph(torch.as_tensor(RING)).edges == dgm.graph(torch.as_tensor(RING).T).edges == 12
    for bad in (lens.to_sparse(), torch.empty(12, device="meta"), torch.full((12,), float("nan"))):
        with pytest.raises((ValueError, dgm.Error)):
            dgm.map(RING, lens=bad, **OPTIONS)


def test_a_tensor_on_a_gpu_is_refused():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("there is no GPU")
    with pytest.raises(ValueError, match="move it to the CPU first"):
        dgm.map(RING, lens=torch.as_tensor(VALUES).cuda())


def test_data_of_pytorch_geometric_is_a_graph():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    index = torch.as_tensor(RING + [(b, a) for a, b in RING]).T
    made = dgm.graph(data.Data(x=torch.rand(12, 3), edge_index=index, y=torch.arange(12) % 3, train_mask=torch.arange(12) < 4))
    assert (len(made), made.edges) == (12, 12) and made.features.shape == (12, 3) and made.classes == ["0", "1", "2"]
    with pytest.raises(ValueError, match="edge_index"):
        dgm.graph(data.Data(x=torch.rand(12, 3), num_nodes=12, edge_index=None))


BEFORE_AND_AFTER = """
import sys
order = sys.argv[1].split(",")
for name in order:
    __import__(name)
import numpy as np, torch, dgm
from dgm import reduce
a = np.random.default_rng(1).random((400, 400))
t = torch.as_tensor(a)
first = a @ a, np.linalg.svd(a)[1], (t @ t).numpy(), torch.linalg.svdvals(t).numpy()
for _ in range(2):
    dgm.map("papers", lens="dgi:epochs=3", intervals=4, overlap=0.3)
    reduce.PCA().fit(a)
    again = a @ a, np.linalg.svd(a)[1], (t @ t).numpy(), torch.linalg.svdvals(t).numpy()
    assert all(np.array_equal(x, y) for x, y in zip(first, again))
print(dgm.map("papers", lens="dgi:epochs=3", intervals=4, overlap=0.3).to_json())
"""


def test_other_libraries_of_linear_algebra_live_beside_it():
    pytest.importorskip("torch")
    said = [subprocess.run([sys.executable, "-c", BEFORE_AND_AFTER, order], check=True, capture_output=True, text=True).stdout
            for order in ("numpy,torch,dgm", "dgm,torch,numpy")]
    alone = dgm.map("papers", lens="dgi:epochs=3", intervals=4, overlap=0.3).to_json()
    assert said[0].rstrip() == said[1].rstrip() == alone.rstrip()


# ---- progress ----


class FakeBar:
    made: list = []

    def __init__(self, **options):
        self.n, self.stages, self.closed = 0, [], False
        FakeBar.made.append(self)

    def set_description_str(self, text, refresh=True):
        self.stages.append(text)

    def refresh(self):
        pass

    def close(self):
        self.closed = True


def test_true_shows_a_bar_of_tqdm(monkeypatch):
    import types

    FakeBar.made = []
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=FakeBar))
    dgm.map("karate", lens="degree", intervals=4, overlap=0.2, progress=True)
    bar, = FakeBar.made
    assert bar.closed and bar.stages and 0 <= bar.n <= 1


def test_without_tqdm_stages_are_lines(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    dgm.map("karate", lens="degree", intervals=4, overlap=0.2, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines and len(lines) == len([line for i, line in enumerate(lines) if i == 0 or line != lines[i - 1]])


def test_tqdm_itself_shows_a_bar(capsys):
    pytest.importorskip("tqdm")
    dgm.map("papers", lens="dgi:epochs=40", intervals=4, overlap=0.2, progress=True)
    told = re.findall(r"epoch (\d+) of 40, loss [\d.]+ +(\d+)%", capsys.readouterr().err)
    assert told and all(abs(int(percent) - 100 * int(epoch) / 40) <= 1 for epoch, percent in told)


def test_progress_is_a_function_or_true():
    with pytest.raises(TypeError, match="progress"):
        dgm.map(RING, lens=VALUES, progress=3, **OPTIONS)
    assert dgm.map(RING, lens=VALUES, progress=False, **OPTIONS).to_json() == wanted()
