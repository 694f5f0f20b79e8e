#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/nn_runs.txt: whole runs of training, by PyTorch in double precision, from the draws of dgm.

    python3 tools/oracle/nn_runs.py > tests/data/oracle/nn_runs.txt

Where nn_gcn.py gives ops and kernels their numbers, this is about the runs that `dgm_gcn_train` and `dgm_dgi_train` make of
them: which weights are drawn, what is dropped out, how nodes are shuffled in each epoch, which weights decay. All of these
are drawn here once more from their description, by a Philox of our own in Python:

    weights    layer by layer, then the discriminator, by Glorot's bound; counter i of stream 0x57 << 32 | number of the weight
    dropout    one key an epoch and layer (stream epoch * 32 + layer), scrambled with the place of the number in its table
    shuffles   Fisher and Yates from the last node down; counter i of stream 0x53 << 48 | epoch

A training pass answers for the training nodes alone, so a table has the rows that the layers above it read, and all rows where
these are more than three quarters of the graph.

The graph, features, classes and training nodes are those of nn_gcn.txt. A line "NAME ROWS COLUMNS" is followed by ROWS lines of
COLUMNS numbers: RUN_WEIGHT_E is a weight after E epochs (0: as drawn), RUN_loss_E the loss that epoch E began with.
"""
import pathlib
import sys

import numpy as np
import torch

SEED, EPOCHS = 5, 4
MASK = 0xFFFFFFFF
lines = []


def read_tables():
    """The tables of nn_gcn.txt."""
    path = pathlib.Path(__file__).resolve().parents[2] / "tests/data/oracle/nn_gcn.txt"
    rows, tables = iter(path.read_text().splitlines()[1:]), {}
    for header in rows:
        name, count, _ = header.split()
        tables[name] = np.array([next(rows).split() for _ in range(int(count))], dtype=np.float64)
    return tables


def write(name, table):
    table = np.atleast_2d(np.asarray(table.detach() if torch.is_tensor(table) else table))
    lines.append(f"{name} {table.shape[0]} {table.shape[1]}")
    lines.extend(" ".join(f"{value:.9g}" for value in row) for row in table)


# ---- draws ----

def philox(seed, stream, counter):
    """64 bits of Philox4x32-10 (Salmon and others, 2011)."""
    c = [counter & MASK, counter >> 32, stream & MASK, stream >> 32]
    k = [seed & MASK, seed >> 32]
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & MASK, (p0 >> 32) ^ c[3] ^ k[1], p0 & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c[1] << 32 | c[0]


def draw_weight(number, rows, columns, fans):
    units = [(philox(SEED, 0x57 << 32 | number, i) >> 11) * 2.0**-53 for i in range(rows * columns)]
    return np.float32(np.sqrt(6 / fans) * (2 * np.array(units) - 1)).reshape(rows, columns)


def draw_shuffle(nodes, epoch):
    order = list(range(nodes))
    for i in range(nodes - 1, 0, -1):
        k = philox(SEED, 0x53 << 48 | epoch, i) * (i + 1) >> 64
        order[i], order[k] = order[k], order[i]
    return order


def draw_kept(count, share, epoch, layer):
    """1 / (1 - share) where a number is kept, 0 where it is dropped."""
    key = philox(SEED, epoch * 32 + layer, 0)
    kept = []
    for place in range(count):
        h = place ^ (key & MASK)
        h = ((h ^ h >> 16) * 0x7FEB352D) & MASK
        h = ((h ^ h >> 15) + (key >> 32)) & MASK
        h = ((h ^ h >> 14) * 0x846CA68B) & MASK
        h ^= h >> 16
        kept.append(0.0 if h >> 1 < int(share * 2.0**31) else 1 / (1 - share))
    return np.array(kept)


# ---- the data ----

class Data:
    def __init__(self, tables, dense):
        features = tables["features"]
        sums = features.sum(axis=1, keepdims=True)
        self.features = features / np.where(sums > 0, sums, 1)
        self.entries = np.ones(features.shape, dtype=bool) if dense else features != 0
        self.nodes, self.width = features.shape
        self.classes = tables["classes"][0].astype(int)
        self.train = tables["train"][0].astype(int)
        self.propagation = tables["propagation"]

    def gathered_from(self, rows):
        """The nodes that a convolution reads to answer for some: all, where they are most."""
        columns = np.flatnonzero((self.propagation[rows] != 0).any(axis=0))
        return np.arange(self.nodes) if len(columns) > self.nodes - self.nodes // 4 else columns


def make_named(sizes, discriminator, slopes, linear_last=False):
    """Weights in the order in which they are numbered."""
    named = {}
    for layer, (rows, columns) in enumerate(zip(sizes, sizes[1:])):
        named[f"w{layer}"] = draw_weight(len(named), rows, columns, rows + columns)
        named[f"b{layer}"] = np.zeros((1, columns))
        if slopes:
            named[f"slope{layer}"] = np.full((1, 1), 0.25)
    if discriminator:
        width = sizes[-1]
        named["m"] = draw_weight(len(named), width, width, width * (width + 1))
        named["mb"] = np.zeros((1, 1))
    return {name: torch.tensor(np.float64(values), requires_grad=True) for name, values in named.items()}


def run(prefix, named, adam, loss_of):
    for epoch in range(EPOCHS + 1):
        for name, tensor in named.items():
            write(f"{prefix}_{name}_{epoch}", tensor)
        if epoch < EPOCHS:
            adam.zero_grad()
            loss = loss_of(epoch)
            loss.backward()
            write(f"{prefix}_loss_{epoch + 1}", loss)
            adam.step()


# ---- networks ----

def run_gcn(prefix, data, hidden, kipf, share, decay, rate):
    """Kipf and Welling's network drops out the input of every layer and lets the first one decay; the reference drops out
    before its linear layer alone and lets all decay."""
    sizes = [data.width, *hidden, data.classes.max() + 1]
    named = make_named(sizes, discriminator=False, slopes=False)
    last = len(sizes) - 2
    decaying = [name for name in named if not kipf or name in ("w0", "b0")]
    adam = torch.optim.Adam([{"params": [named[name] for name in decaying], "weight_decay": decay},
                             {"params": [named[name] for name in named if name not in decaying]}], lr=rate)
    levels = [data.train]
    for layer in range(last, -1, -1):
        levels.insert(0, data.gathered_from(levels[0]) if kipf or layer < last else levels[0])

    def loss_of(epoch):
        rows = torch.tensor(data.features)[levels[0]]
        for layer in range(last + 1):
            drops = share if kipf or layer == last else 0
            if drops and layer == 0:
                entries = data.entries[levels[0]]
                kept = np.zeros(entries.shape)
                kept[entries] = draw_kept(entries.sum(), drops, epoch, layer)
                rows = rows * torch.tensor(kept)
            elif drops:
                rows = rows * torch.tensor(draw_kept(rows.numel(), drops, epoch, layer).reshape(rows.shape))
            rows = rows @ named[f"w{layer}"]
            if kipf or layer < last:
                rows = torch.tensor(data.propagation[np.ix_(levels[layer + 1], levels[layer])]) @ rows
            rows = rows + named[f"b{layer}"]
            rows = torch.relu(rows) if layer < last else rows
        return torch.nn.functional.cross_entropy(rows, torch.tensor(data.classes[data.train]))

    run(prefix, named, adam, loss_of)


def run_dgi(prefix, data, hidden, plain):
    """Velickovic and others have PReLU after every layer; the reference ELU between its layers and none after the last."""
    named = make_named([data.width, *hidden], discriminator=True, slopes=plain)
    adam = torch.optim.Adam(named.values(), lr=1e-3)
    matrix, features = torch.tensor(data.propagation), torch.tensor(data.features)
    targets = torch.cat([torch.ones(data.nodes, 1), torch.zeros(data.nodes, 1)]).double()

    def encode(rows):
        for layer in range(len(hidden)):
            rows = matrix @ (rows @ named[f"w{layer}"]) + named[f"b{layer}"]
            if plain:
                rows = torch.nn.functional.prelu(rows, named[f"slope{layer}"][0])
            elif layer + 1 < len(hidden):
                rows = torch.nn.functional.elu(rows)
        return rows

    def loss_of(epoch):
        real, corrupt = encode(features), encode(features[draw_shuffle(data.nodes, epoch)])
        summary = torch.sigmoid(real.mean(dim=0, keepdim=True))
        scores = torch.cat([real, corrupt]) @ named["m"] @ summary.T + named["mb"]
        return torch.nn.functional.binary_cross_entropy_with_logits(scores, targets)

    run(prefix, named, adam, loss_of)


def main():
    torch.set_num_threads(1)
    tables = read_tables()
    sparse, dense = Data(tables, dense=False), Data(tables, dense=True)
    run_gcn("kipf", sparse, [8], kipf=True, share=0.5, decay=0.05, rate=0.01)
    run_gcn("kipfdense", dense, [7, 5], kipf=True, share=0.25, decay=0.05, rate=0.01)
    run_gcn("authors", sparse, [8, 6], kipf=False, share=0.5, decay=0.05, rate=0.01)
    run_dgi("infomax", sparse, [8], plain=True)
    run_dgi("infomaxdense", dense, [8], plain=True)
    run_dgi("infomaxdeep", sparse, [6, 5], plain=True)
    run_dgi("pairs", sparse, [32, 32, 6], plain=False)
    run_dgi("unpaired", sparse, [9, 4, 7, 6], plain=False)
    print(f"# PyTorch {torch.__version__.split('+')[0]}, NumPy {np.__version__}: tools/oracle/nn_runs.py")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
