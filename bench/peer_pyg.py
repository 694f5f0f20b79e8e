# SPDX-License-Identifier: Apache-2.0
"""peer_pyg.py FOLDER MODEL... : seconds of training in PyTorch Geometric, one JSON object a line.

MODEL is gcn, gcn-reference, dgi or dgi-reference, with the same layers, epochs and optimiser as dgm's presets; dense
features, as PyTorch Geometric's own data sets have them. Two threads.
"""
import json
import sys
import time

import numpy
import scipy.io
import torch
from torch_geometric.nn import GCNConv

EPOCHS = {"gcn": 200, "gcn-reference": 81, "dgi": 200, "dgi-reference": 201}


def load(folder):
    features = scipy.io.mmread(f"{folder}/features.mtx").toarray().astype(numpy.float32)
    features /= numpy.maximum(features.sum(1, keepdims=True), 1e-12)
    edges = numpy.loadtxt(f"{folder}/edges.tsv", dtype=numpy.int64, usecols=(0, 1))
    edges = edges[edges[:, 0] != edges[:, 1]]
    both = numpy.unique(numpy.vstack([edges, edges[:, ::-1]]), axis=0).T
    labels = torch.from_numpy(numpy.loadtxt(f"{folder}/labels.txt", dtype=numpy.int64))
    train, test = (torch.from_numpy(numpy.loadtxt(f"{folder}/{part}.txt", dtype=numpy.int64)) for part in ("train", "test"))
    return torch.from_numpy(features), torch.from_numpy(numpy.ascontiguousarray(both)), labels, train, test


class Stack(torch.nn.Module):
    """Convolutions of the given sizes, an activation between (and after, if `last`) them."""

    def __init__(self, sizes, activation, last):
        super().__init__()
        self.layers = torch.nn.ModuleList(GCNConv(a, b, cached=True) for a, b in zip(sizes, sizes[1:]))
        self.activation, self.last = activation, last

    def forward(self, x, edges, dropout=0.0):
        for i, layer in enumerate(self.layers):
            x = layer(torch.nn.functional.dropout(x, dropout, self.training), edges)
            if self.last or i + 1 < len(self.layers):
                x = self.activation(x)
        return x


def train_gcn(data, reference, epochs):
    x, edges, labels, train, test = data
    classes = int(labels.max()) + 1
    relu = torch.nn.functional.relu
    body = Stack([x.shape[1], 32, 64, 128, 128], relu, True) if reference else Stack([x.shape[1], 16, classes], relu, False)
    head = torch.nn.Linear(128, classes) if reference else torch.nn.Identity()
    parameters = [{"params": body.layers[0].parameters(), "weight_decay": 0 if reference else 5e-4},
                  {"params": [*body.layers[1:].parameters(), *head.parameters()]}]
    optimiser = torch.optim.Adam(parameters, lr=1e-3 if reference else 0.01)

    def forward():
        hidden = body(x, edges, 0.0 if reference else 0.5)
        return head(torch.nn.functional.dropout(hidden, 0.5, body.training)) if reference else hidden

    start = time.perf_counter()
    for _ in range(epochs):
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(forward()[train], labels[train]).backward()
        optimiser.step()
    seconds = time.perf_counter() - start
    body.eval()
    with torch.no_grad():
        return seconds, float((forward()[test].argmax(1) == labels[test]).float().mean())


def train_dgi(data, reference, epochs):
    x, edges = data[:2]
    width = 512
    prelu = torch.nn.PReLU()
    body = Stack([x.shape[1], 32, 64, width], torch.nn.functional.elu, False) if reference else \
        Stack([x.shape[1], width], prelu, True)
    weight = torch.nn.Parameter(torch.empty(width, width).uniform_(-0.005, 0.005))
    optimiser = torch.optim.Adam([*body.parameters(), weight, *([] if reference else prelu.parameters())], lr=1e-3)
    targets = torch.cat([torch.ones(len(x)), torch.zeros(len(x))])
    start = time.perf_counter()
    for _ in range(epochs):
        optimiser.zero_grad()
        real, fake = body(x, edges), body(x[torch.randperm(len(x))], edges)
        direction = weight @ torch.sigmoid(real.mean(0))
        scores = torch.cat([real @ direction, fake @ direction])
        torch.nn.functional.binary_cross_entropy_with_logits(scores, targets).backward()
        optimiser.step()
    return time.perf_counter() - start, None


def main():
    torch.set_num_threads(2)
    data = load(sys.argv[1])
    for model in sys.argv[2:]:
        train = train_gcn if model.startswith("gcn") else train_dgi
        runs = []
        for seed in range(3 if model.startswith("gcn") else 1):
            torch.manual_seed(seed)
            runs.append(train(data, model.endswith("reference"), EPOCHS[model]))
        print(json.dumps({"peer": "pytorch-geometric", "bench": model, "epochs": EPOCHS[model], "torch": torch.__version__,
                          "seconds_best": min(run[0] for run in runs), "test_accuracy": runs[0][1]}), flush=True)


main()
