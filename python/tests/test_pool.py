# SPDX-License-Identifier: Apache-2.0
"""Pooling as a function and as a module of torch."""
import json
import subprocess

import numpy as np
import pytest

import dgm

pytest.importorskip("scipy")


def test_a_pooled_graph_is_what_its_assignment_makes():
    features = np.random.default_rng(1).random((34, 3))
    pooled = dgm.pool.pool("karate", "mpr:clusters=5", features=features)
    s = pooled.assignment
    assert np.allclose(np.asarray(s.sum(axis=1)).ravel(), 1)
    assert np.allclose(s.T @ features, pooled.features)
    assert pooled.adjacency.shape == (s.shape[1], s.shape[1])
    with pytest.raises(ValueError):
        dgm.pool.pool("karate", "no such method")
    with pytest.raises(ValueError):
        dgm.pool.pool("karate", features=features[:3])


@pytest.mark.parametrize("change", [lambda edges: edges, lambda edges: edges.T, lambda edges: edges.tolist()])
def test_edges_and_matrices_are_one_graph(change):
    edges = np.array([(i, (i + 1) % 9) for i in range(9)])
    matrix = np.zeros((9, 9))
    matrix[edges[:, 0], edges[:, 1]] = matrix[edges[:, 1], edges[:, 0]] = 1
    points = np.random.default_rng(1).random((9, 2))
    ours, theirs = (dgm.pool(points, graph).assignment.toarray() for graph in (change(edges), matrix))
    assert ours.tolist() == theirs.tolist()


def test_it_is_the_pooling_of_the_program(program, tmp_path):
    path = tmp_path / "pooled.json"
    subprocess.run([program, "pool", "karate", "--method", "mpr:clusters=5", "--quiet", "-o", str(path)], check=True)
    theirs = json.loads(path.read_text())
    s = dgm.pool.pool("karate", "mpr:clusters=5").assignment
    names = dgm.graph("karate").names()
    ours = [sorted(names[node] for node in s[:, cluster].nonzero()[0]) for cluster in range(s.shape[1])]
    assert sorted(ours) == sorted(sorted(cluster["members"]) for cluster in theirs["nodes"])


def test_gradients_reach_the_features():
    torch = pytest.importorskip("torch")
    graph = dgm.graph("karate")
    offsets = dgm._call.array(graph._handle, graph._info["offsets"])
    targets = dgm._call.array(graph._handle, graph._info["targets"]).astype(np.int64)
    one = np.stack([np.repeat(np.arange(34), np.diff(offsets)), targets])
    index = torch.as_tensor(np.concatenate([one, one + 34], axis=1))
    batch = torch.arange(2).repeat_interleave(34)
    x = torch.rand(68, 4, dtype=torch.float64, requires_grad=True)
    module = dgm.pool.MPR(clusters=5)
    out, pooled_index, weight, owner = module(x, index, None, batch)
    assert owner.max() == 1 and len(owner) == len(out) and pooled_index.max() < len(out) and len(weight) == pooled_index.shape[1]
    assert (owner == 0).sum() == (owner == 1).sum()  # both are the same graph
    assert torch.autograd.gradcheck(lambda values: module(values, index, None, batch)[0], (x,))


def karate_twice():
    """Two copies of the same graph, as a batch."""
    torch = pytest.importorskip("torch")
    graph = dgm.graph("karate")
    offsets = dgm._call.array(graph._handle, graph._info["offsets"])
    targets = dgm._call.array(graph._handle, graph._info["targets"]).astype(np.int64)
    one = np.stack([np.repeat(np.arange(34), np.diff(offsets)), targets])
    return torch.as_tensor(np.concatenate([one, one + 34], axis=1)), torch.arange(2).repeat_interleave(34)


def test_the_module_can_be_called():
    import scipy.sparse

    rng = np.random.default_rng(2)
    a = scipy.sparse.random(20, 20, 0.2, random_state=1)
    a = a + a.T
    x = rng.random((20, 3))
    pooled = dgm.pool(x, a, "mpr:clusters=4")
    features, adjacency = pooled
    assert np.allclose(features, pooled.assignment.T @ x)
    a.setdiag(0)  # a graph of the library has no self-loops
    assert np.allclose(adjacency.toarray(), (pooled.assignment.T @ a @ pooled.assignment).toarray())
    dense, _ = dgm.pool(x, a.toarray(), "mpr:clusters=4")
    assert np.array_equal(dense, features)


def test_a_batch_is_pooled_as_its_graphs_are_alone():
    torch = pytest.importorskip("torch")
    index, batch = karate_twice()
    module = dgm.pool.MPR(clusters=5)
    x = torch.rand(68, 4)
    out, edges, weight, owner = module(x, index, None, batch)
    alone = dgm.pool.pool("karate", "mpr:clusters=5", features=x[:34].double().numpy())
    half = len(alone.features)
    assert out.dtype == torch.float32 and np.allclose(out[:half], alone.features, atol=1e-6)
    s = alone.assignment
    pooled = np.zeros((half, half))
    mine = (owner[edges[0]] == 0).numpy()
    pooled[edges[0].numpy()[mine], edges[1].numpy()[mine]] = weight.numpy()[mine]
    assert np.allclose(pooled, alone.adjacency.toarray(), atol=1e-5)
    assert (owner[edges[0]] == owner[edges[1]]).all()
    again = module(x, index, None, batch, assignment=module.assign(index, None, batch))
    assert all(torch.equal(a, b) for a, b in zip((out, edges, weight, owner), again))


def test_gradients_are_those_of_differences():
    torch = pytest.importorskip("torch")
    index, batch = karate_twice()
    x = torch.rand(68, 3, dtype=torch.float64, requires_grad=True)
    weight = torch.rand(index.shape[1], dtype=torch.float64) + 0.5
    weight.requires_grad_()
    module = dgm.pool.MPR(clusters=4, lens="degree")
    assert torch.autograd.gradcheck(lambda a, w: module(a, index, w, batch)[::2], (x, weight))


@pytest.mark.parametrize("axes", [1, 2])
def test_a_lens_learns(axes):
    torch = pytest.importorskip("torch")
    index, batch = karate_twice()
    torch.manual_seed(1)
    module = dgm.pool.MPR(clusters=4, lens="learned", channels=3, axes=axes).double()
    x = torch.rand(68, 3, dtype=torch.float64, requires_grad=True)
    out, edges, weight, owner = module(x, index, None, batch)
    assert out.shape == (8, 3) and len(weight) == 2 * 16 and torch.allclose(out.sum(0), x.sum(0))
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    names = [name for name, _ in module.named_parameters()]
    values = tuple(parameter.detach().clone().requires_grad_() for parameter in module.parameters())

    def run(x, *parameters):
        return torch.func.functional_call(module, dict(zip(names, parameters)), (x, index, None, batch))[::2]

    assert torch.autograd.gradcheck(run, (x, *values))
    module.reset_parameters()
    (module(x, index, None, batch)[0] ** 2).sum().backward()
    assert all(parameter.grad is not None and parameter.grad.abs().max() > 0 for parameter in module.parameters())


def test_a_lens_that_has_learned_nothing_is_that_of_the_library():
    torch = pytest.importorskip("torch")
    index, _ = karate_twice()
    index = index[:, index[0] < 34]
    module = dgm.pool.MPR(clusters=4, lens="learned", channels=34).double()
    ours = module(torch.eye(34, dtype=torch.float64), index)
    theirs = dgm.pool.pool("karate", "mpr:lens=learned,clusters=4")
    assert np.allclose(ours[0].detach().numpy().T, theirs.assignment.toarray(), atol=1e-6)
    assert np.allclose(ours[2].detach().numpy().reshape(4, 4), theirs.adjacency.toarray(), atol=1e-3)


def test_a_network_with_two_poolings_learns():
    """Rings against stars, which a network tells apart after a few steps."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(3)
    edges, batch, labels, first = [], [], [], 0
    for number in range(24):
        size = 6 + number % 4
        ring = [(i, (i + 1) % size) for i in range(size)]
        star = [(0, i) for i in range(1, size)]
        edges += [(u + first, v + first) for u, v in (star if number % 2 else ring)]
        batch += [number] * size
        labels.append(number % 2)
        first += size
    index = torch.tensor(edges).T
    index = torch.cat([index, index.flip(0)], dim=1)
    batch, labels = torch.tensor(batch), torch.tensor(labels)
    degree = torch.zeros(first).index_add_(0, index[0], torch.ones(index.shape[1]))
    one, two = torch.nn.Linear(1, 8), torch.nn.Linear(8, 2)
    pools = [dgm.pool.MPR(clusters=4), dgm.pool.MPR(clusters=2)]
    optimiser = torch.optim.Adam([*one.parameters(), *two.parameters()], 0.05)
    for _ in range(60):
        x, e, w, b = torch.relu(one(degree[:, None] / 5)), index, None, batch
        for pool in pools:
            x, e, w, b = pool(x, e, w, b)
        scores = two(torch.zeros(24, 8).index_add_(0, b, x) / 8)
        loss = torch.nn.functional.cross_entropy(scores, labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert (scores.argmax(1) == labels).float().mean() > 0.9


def test_a_module_is_saved_and_says_what_it_is(tmp_path):
    torch = pytest.importorskip("torch")
    module = dgm.pool.MPR(clusters=4, lens="learned", channels=3)
    torch.save(module, tmp_path / "module.pt")
    again = torch.load(tmp_path / "module.pt", weights_only=False)
    assert repr(again) == repr(module) == "MPR('mpr:lens=learned,clusters=4')"
    assert all(torch.equal(a, b) for a, b in zip(module.parameters(), again.parameters()))


def test_wrong_batches_are_refused():
    torch = pytest.importorskip("torch")
    index, batch = karate_twice()
    module, x = dgm.pool.MPR(clusters=5), torch.rand(68, 2)
    with pytest.raises(ValueError):
        module(x, index, None, batch.flip(0))
    with pytest.raises(ValueError):
        module(x[:40], index, None, batch)
    with pytest.raises(ValueError):
        module(x[:, 0], index, None, batch)
    with pytest.raises(ValueError):  # no such node
        module(x, torch.tensor([[0], [68]]), None, batch)
    with pytest.raises(dgm.Error):  # an edge between two graphs
        module(x, torch.tensor([[0], [40]]), None, batch)
    with pytest.raises(ValueError):
        dgm.pool.MPR(clusters=5, lens="no such lens")(x, index, None, batch)
    with pytest.raises(ValueError):
        dgm.pool.MPR(lens="learned")
    nothing = module(torch.zeros(0, 2), torch.zeros(2, 0, dtype=torch.long))
    assert [len(part) for part in nothing] == [0, 2, 0, 0]
