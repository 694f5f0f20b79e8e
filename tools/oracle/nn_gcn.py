#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/nn_gcn.txt: five steps of training a GCN and Deep Graph Infomax, by PyTorch in double precision.

    python3 tools/oracle/nn_gcn.py > tests/data/oracle/nn_gcn.txt

A weighted graph of 30 nodes, sparse features, 3 classes, all of fixed seeds. The GCN (Kipf and Welling, 2017) has one
hidden layer of 8, no dropout, Adam with rate 0.01 and L2 5e-4 on the first layer (weights and bias). Deep Graph Infomax
(Velickovic and others, 2019) has one layer of 8 with PReLU, a bilinear discriminator without bias, the corruption of
each step a given permutation, Adam with rate 0.001; and, as the authors of Deep Graph Mapper have it, three layers of 32, 32
and 6 with ELU between them and none after the last.

A line "NAME ROWS COLUMNS" is followed by ROWS lines of COLUMNS numbers. Names that end in a number are of that step,
from 0 on: the loss and the gradients (of the loss alone) before its update; scores likewise. What has no number is
there before the first step.
"""
import sys

import numpy as np
import torch

NODES, FEATURES, HIDDEN, CLASSES, STEPS = 30, 20, 8, 3, 5
random = np.random.default_rng(11)
lines = []


def write(name, table):
    table = np.atleast_2d(np.asarray(table.detach() if torch.is_tensor(table) else table))
    lines.append(f"{name} {table.shape[0]} {table.shape[1]}")
    lines.extend(" ".join(f"{value:.9g}" for value in row) for row in table)


def single(table):
    """Numbers that single precision holds, so that both sides start from the same."""
    return np.float64(np.float32(table))


def make_edges():
    """A ring, that nobody is alone, and as many chords, more within a class than between."""
    pairs = {(i, (i + 1) % NODES) for i in range(NODES)}
    while len(pairs) < 2 * NODES:
        u, v = random.integers(NODES, size=2)
        if u != v and (u % CLASSES == v % CLASSES or random.random() < 0.3) and (v, u) not in pairs:
            pairs.add((u, v))
    return [(int(min(p)), int(max(p)), float(single(np.round(random.uniform(0.2, 3), 2)))) for p in sorted(pairs)]


def propagation(edges):
    """D^-1/2 (A + I) D^-1/2"""
    matrix = np.eye(NODES)
    for u, v, weight in edges:
        matrix[u, v] = matrix[v, u] = weight
    root = matrix.sum(axis=1) ** -0.5
    return torch.tensor(root[:, None] * matrix * root)


def make_features(classes):
    kept = random.random((NODES, FEATURES)) < np.where(np.arange(FEATURES) % CLASSES == classes[:, None], 0.3, 0.08)
    kept[7] = False  # a row without entries
    return single(np.round(kept * random.uniform(0.1, 2, kept.shape), 3))


def weight(rows, columns):
    """Glorot and Bengio, 2010"""
    bound = np.sqrt(6 / (rows + columns))
    return torch.tensor(single(random.uniform(-bound, bound, (rows, columns))), requires_grad=True)


def small(columns):
    return torch.tensor(single(random.uniform(-0.1, 0.1, (1, columns))), requires_grad=True)


def train(prefix, named, adam, loss_of, briefly=False):
    """Briefly: of gradients those of the last step alone, and no weights after it."""
    for name, tensor in named.items():
        write(f"{prefix}_{name}", tensor)
    for step in range(STEPS):
        adam.zero_grad()
        loss = loss_of(step)
        loss.backward()
        write(f"{prefix}_loss_{step}", loss)
        for name, tensor in named.items():
            if step == STEPS - 1 or not briefly:
                write(f"{prefix}_gradient_{name}_{step}", tensor.grad)
        adam.step()
    for name, tensor in named.items():
        if not briefly:
            write(f"{prefix}_final_{name}", tensor)


def train_gcn(matrix, features, classes, rows):
    named = {"w0": weight(FEATURES, HIDDEN), "b0": small(HIDDEN), "w1": weight(HIDDEN, CLASSES), "b1": small(CLASSES)}
    adam = torch.optim.Adam([{"params": [named["w0"], named["b0"]], "weight_decay": 5e-4},
                             {"params": [named["w1"], named["b1"]]}], lr=0.01)

    def loss_of(step):
        hidden = torch.relu(matrix @ (features @ named["w0"]) + named["b0"])
        scores = matrix @ (hidden @ named["w1"]) + named["b1"]
        write(f"gcn_scores_{step}", scores)
        return torch.nn.functional.cross_entropy(scores[rows], torch.tensor(classes)[rows])

    train("gcn", named, adam, loss_of)


def infomax_loss(prefix, features, discriminator, encode):
    targets = torch.cat([torch.ones(NODES, 1), torch.zeros(NODES, 1)]).double()

    def loss_of(step):
        order = random.permutation(NODES)
        write(f"{prefix}_order_{step}", order)
        real, corrupt = encode(features), encode(features[torch.tensor(order)])
        summary = torch.sigmoid(real.mean(dim=0, keepdim=True))
        scores = torch.cat([real, corrupt]) @ discriminator @ summary.T
        write(f"{prefix}_scores_{step}", scores.T)
        return torch.nn.functional.binary_cross_entropy_with_logits(scores, targets)

    return loss_of


def train_dgi(matrix, features):
    named = {"w": weight(FEATURES, HIDDEN), "b": small(HIDDEN),
             "slope": torch.full((1, 1), 0.25, dtype=torch.float64, requires_grad=True), "m": weight(HIDDEN, HIDDEN)}
    adam = torch.optim.Adam(named.values(), lr=0.001)

    def encode(rows):
        return torch.nn.functional.prelu(matrix @ (rows @ named["w"]) + named["b"], named["slope"][0])

    train("dgi", named, adam, infomax_loss("dgi", features, named["m"], encode))


def train_reference(matrix, features):
    sizes = [FEATURES, 32, 32, 6]
    named = {}
    for layer, (rows, columns) in enumerate(zip(sizes, sizes[1:])):
        named[f"w{layer}"], named[f"b{layer}"] = weight(rows, columns), small(columns)
    named["m"] = weight(sizes[-1], sizes[-1])
    adam = torch.optim.Adam(named.values(), lr=0.001)

    def encode(rows):
        for layer in range(3):
            rows = matrix @ (rows @ named[f"w{layer}"]) + named[f"b{layer}"]
            rows = torch.nn.functional.elu(rows) if layer < 2 else rows
        return rows

    train("reference", named, adam, infomax_loss("reference", features, named["m"], encode), briefly=True)


def main():
    torch.set_num_threads(1)
    edges = make_edges()
    classes = np.arange(NODES) % CLASSES
    classes[::7] = (classes[::7] + 1) % CLASSES
    features = make_features(classes)
    order = random.permutation(NODES)
    rows = np.sort(order[:9])
    write("edges", edges)
    write("features", features)
    write("classes", classes)
    write("train", rows)
    write("validation", np.sort(order[9:18]))
    write("test", np.sort(order[18:]))
    matrix = propagation(edges)
    write("propagation", matrix)
    train_gcn(matrix, torch.tensor(features), classes, rows)
    train_dgi(matrix, torch.tensor(features))
    train_reference(matrix, torch.tensor(features))
    print(f"# PyTorch {torch.__version__.split('+')[0]}, NumPy {np.__version__}: tools/oracle/nn_gcn.py")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
