#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/nn_pyg.txt and nn_pyg_*.safetensors: networks as PyTorch Geometric saves them, and what
they answer there.

    python3 tools/oracle/nn_pyg.py tests/data/oracle        (torch, torch_geometric, safetensors, numpy)

A weighted graph of 24 nodes, read as undirected and as directed; node 23 has no edges. Weights are single precision,
answers are computed in double. The files are written in the way that docs/networks.md tells people to:

    nn_pyg_conv.safetensors      conv1, conv2                 no metadata
    nn_pyg_convs.safetensors     convs.0, convs.1, convs.2    torch_geometric.nn.GCN
    nn_pyg_head.safetensors      conv1, conv2, lin            normalise=true

A line "NAME ROWS COLUMNS" of the text is followed by ROWS lines of COLUMNS numbers.
"""
import sys

sys.path.pop(0)  # the script beside this one is called safetensors, too

import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
import torch_geometric  # noqa: E402
from safetensors.torch import save_file  # noqa: E402
from torch_geometric.nn import GCN, GCNConv  # noqa: E402

NODES, FEATURES, HIDDEN, CLASSES = 24, 9, 6, 3
random = np.random.default_rng(5)
torch.manual_seed(5)
lines = []


class Convolutions(torch.nn.Module):
    def __init__(self, head):
        super().__init__()
        self.conv1 = GCNConv(FEATURES, HIDDEN)
        self.conv2 = GCNConv(HIDDEN, HIDDEN if head else CLASSES)
        self.lin = torch.nn.Linear(HIDDEN, CLASSES) if head else None

    def forward(self, x, edges, weights):
        x = F.relu(self.conv1(x, edges, weights))
        x = self.conv2(x, edges, weights)
        return self.lin(F.relu(x)) if self.lin else x


def write(name, table):
    table = np.atleast_2d(np.asarray(table))
    lines.append(f"{name} {table.shape[0]} {table.shape[1]}")
    lines.extend(" ".join(f"{value:.9g}" for value in row) for row in table)


def make_edges():
    pairs = {(i, (i + 1) % (NODES - 1)) for i in range(NODES - 1)}
    while len(pairs) < 2 * NODES:
        u, v = random.integers(NODES - 1, size=2)
        if u != v and (v, u) not in pairs:
            pairs.add((int(u), int(v)))
    return np.array(sorted(pairs)), np.round(random.uniform(0.2, 3, len(pairs)), 2)


def make_features():
    """Bag-of-words like: non-negative, mostly 0; row 7 has none."""
    table = np.where(random.random((NODES, FEATURES)) < 0.4, np.round(random.uniform(0.1, 2, (NODES, FEATURES)), 2), 0)
    table[7] = 0
    return np.float64(np.float32(table))


def normalised(table):
    sums = table.sum(axis=1, keepdims=True)
    return np.divide(table, sums, out=np.zeros_like(table), where=sums > 0)


def answer(model, table, pairs, weights, directed):
    """Of a copy in double precision; biases start at 0 there, so they are drawn."""
    edges = torch.tensor(np.concatenate([pairs, pairs[:, ::-1]] if not directed else [pairs]).T.copy())
    both = torch.tensor(np.concatenate([weights, weights] if not directed else [weights]))
    with torch.no_grad():
        result = model.double()(torch.tensor(table), edges, both).numpy()
        model.float()
    return result


def draw_biases(model):
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                weight.uniform_(-0.5, 0.5)
    return model.eval()


folder = sys.argv[1]
pairs, edge_weights = make_edges()
edge_weights = np.float64(np.float32(edge_weights))
features = make_features()
write("edges", np.column_stack([pairs, edge_weights]))
write("features", features)

model = draw_biases(Convolutions(head=False))
save_file(model.state_dict(), f"{folder}/nn_pyg_conv.safetensors")
write("conv", answer(model, features, pairs, edge_weights, False))
write("conv_directed", answer(model, features, pairs, edge_weights, True))

model = draw_biases(GCN(FEATURES, HIDDEN, num_layers=3, out_channels=CLASSES))
save_file(model.state_dict(), f"{folder}/nn_pyg_convs.safetensors")
write("convs", answer(model, features, pairs, edge_weights, False))

model = draw_biases(Convolutions(head=True))
save_file(model.state_dict(), f"{folder}/nn_pyg_head.safetensors", metadata={"normalise": "true"})
write("head", answer(model, normalised(features), pairs, edge_weights, False))

with open(f"{folder}/nn_pyg.txt", "w") as file:
    file.write(f"# PyTorch {torch.__version__.split('+')[0]}, PyTorch Geometric {torch_geometric.__version__}: tools/oracle/nn_pyg.py\n"
               + "\n".join(lines) + "\n")
