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
