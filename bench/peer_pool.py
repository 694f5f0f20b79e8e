# SPDX-License-Identifier: Apache-2.0
"""peer_pool.py FOLDER: milliseconds of a training step of one graph in PyTorch Geometric, one JSON object a line.

minCUT and DiffPool as PyTorch Geometric has them, on dense adjacency matrices, with the layers of dgm's preset: one
ReLU(convolution + linear) of 32 before each of two poolings and after them, mean, linear, Adam. Steps of the first 300
graphs of a TU folder, the best mean of three rounds, one thread.
"""
import json
import os
import sys
import time

import numpy
import torch
from torch_geometric.nn import DenseGCNConv, dense_diff_pool, dense_mincut_pool

GRAPHS, WIDTH, MEAN_NODES = 300, 32, 39.06


def load(folder):
    """Features, adjacency matrix and class of each graph."""
    name = os.path.basename(folder.rstrip("/"))
    file = lambda what, **more: numpy.loadtxt(f"{folder}/{name}_{what}.txt", dtype=numpy.int64, **more)
    graph_of, labels, classes = file("graph_indicator"), file("node_labels"), file("graph_labels")
    edges = file("A", delimiter=",") - 1
    starts = numpy.searchsorted(graph_of, numpy.arange(1, len(classes) + 2))
    one_hot = torch.eye(int(labels.max()) + 1)[labels]
    out = []
    for k in range(GRAPHS):
        begin, end = starts[k], starts[k + 1]
        inside = edges[(edges[:, 0] >= begin) & (edges[:, 0] < end)] - begin
        a = torch.zeros(end - begin, end - begin)
        a[inside[:, 0], inside[:, 1]] = 1
        out.append((one_hot[begin:end], a, torch.tensor([int(classes[k] - classes.min())])))
    return out


class Net(torch.nn.Module):
    def __init__(self, features, ratio, diffpool):
        super().__init__()
        sizes = [features, WIDTH, WIDTH]
        self.diffpool = diffpool
        self.convolutions = torch.nn.ModuleList(DenseGCNConv(n, WIDTH) for n in sizes)
        self.skips = torch.nn.ModuleList(torch.nn.Linear(n, WIDTH, bias=False) for n in sizes)
        clusters = [int(numpy.ceil(MEAN_NODES * ratio ** (k + 1))) for k in range(2)]
        kinds = DenseGCNConv if diffpool else torch.nn.Linear
        self.assign = torch.nn.ModuleList(kinds(n if diffpool else WIDTH, k) for n, k in zip(sizes, clusters))
        self.last = torch.nn.Linear(WIDTH, 2)

    def forward(self, x, a):
        extra = 0
        for k in range(3):
            before = x
            x = torch.relu(self.convolutions[k](x, a) + self.skips[k](x))
            if k == 2:
                break
            if self.diffpool:
                x, a, first, second = dense_diff_pool(x, a, self.assign[k](before, a))
            else:
                x, a, first, second = dense_mincut_pool(x, a, self.assign[k](x))
            extra = extra + first + second
        return self.last(x.mean(1)), extra


def measure(graphs, ratio, diffpool):
    best = float("inf")
    for _ in range(3):
        torch.manual_seed(1)
        net = Net(graphs[0][0].shape[1], ratio, diffpool)
        optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
        begin = time.perf_counter()
        for x, a, target in graphs:
            optimiser.zero_grad()
            scores, extra = net(x, a)
            (torch.nn.functional.cross_entropy(scores, target) + extra).backward()
            optimiser.step()
        best = min(best, (time.perf_counter() - begin) / len(graphs))
    return 1e3 * best


def main():
    torch.set_num_threads(1)
    graphs = load(sys.argv[1])
    for name, ratio, diffpool in (("diffpool", 0.1, True), ("mincut", 0.25, False)):
        print(json.dumps({"what": "pool step", "peer": "PyTorch Geometric", "pool": name, "threads": 1,
                          "milliseconds": round(measure(graphs, ratio, diffpool), 3)}), flush=True)


if __name__ == "__main__":
    main()
