#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/pool_pyg.txt: poolings, and networks that pool, by PyTorch and PyTorch Geometric.

    python3 tools/oracle/pool_pyg.py tests/data/oracle        (torch, torch_geometric, numpy)

Three small graphs, the first with weights and the second with an isolated node, none with self-loops. Weights are
single precision, answers and gradients are computed in double.

What PyTorch Geometric has is computed by it: dense_mincut_pool, dense_diff_pool, TopKPooling, SAGPooling over GCNConv
(which drops weights, so on the graphs without them), global_add_pool and its like, GCNConv and GINConv. The rest is
written here from its definition: cells of PageRank (MPR), the learned lens, matching along heavy edges.

Self-loops: GCN here is D^-1/2 (A + I) D^-1/2, also where A has a loop already, as pooled graphs have. GCNConv by itself
would keep such a loop's weight in place of adding 1, so it is given A + I and told to add nothing. GIN sums up a node
and its neighbours without weights, as GINConv does, but after a learned assignment, where all nodes are joined, it is
(A + I) X with the weights of A.

A line "NAME ROWS COLUMNS" of the text is followed by ROWS lines of COLUMNS numbers. op_CASE_* is a pooling by itself:
the loss is the sum of sin(1 + i + 2 j) X'_ij, for learned assignments also of cos(i + 3 j) A'_ij, and of the pooling's
own losses. net_CASE_* is a whole network; the gradient of a weight is net_CASE_d.NAME.
"""
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torch_geometric
from torch_geometric.nn import (GCNConv, GINConv, SAGPooling, TopKPooling, dense_diff_pool, dense_mincut_pool,
                                global_add_pool, global_max_pool, global_mean_pool)

torch.set_default_dtype(torch.float64)
random = np.random.default_rng(15)
lines = []
WIDTH, FEATURES, CLASSES = 4, 3, 2
GRAPHS = [
    (7, [(0, 1, 1), (0, 2, 2), (1, 2, 0.5), (2, 3, 1.5), (3, 4, 1), (4, 5, 1), (3, 5, 2), (5, 6, 1)]),
    (5, [(0, 1, 1), (1, 2, 1), (2, 3, 1)]),
    (4, [(0, 1, 1), (0, 2, 1), (0, 3, 1)]),
]
TARGETS = torch.tensor([0, 1, 0])
CLUSTERS, OVERLAP, RATIO = (3, 2), 0.25, 0.5


def write(name, table):
    table = np.atleast_2d(np.asarray(table.detach() if torch.is_tensor(table) else table, dtype=np.float64))
    lines.append(f"{name} {table.shape[0]} {table.shape[1]}")
    lines.extend(" ".join(f"{value:.9g}" for value in row) for row in table)


def draw(rows, columns, low, high):
    return torch.tensor(np.float64(np.float32(random.uniform(low, high, (rows, columns)))))


def away_from_kinks(values, least=1e-4):
    values = torch.as_tensor(values)
    assert values.numel() == 0 or float(values.abs().min()) > least, float(values.abs().min())


def adjacency(nodes, edges):
    a = torch.zeros(nodes, nodes)
    for u, v, weight in edges:
        a[u, v] = a[v, u] = weight
    return a


# ---- layers ----

def propagation(net, a):
    if net == "mlp":
        return torch.eye(len(a))
    full = a + torch.eye(len(a))
    if net == "gin":
        return full
    scale = full.sum(1) ** -0.5
    return scale[:, None] * full * scale[None, :]


def sparse(a):
    edges = a.nonzero().t()
    return edges, a[edges[0], edges[1]]


def check_layers():
    """What is written above is what PyTorch Geometric does."""
    for nodes, edges in GRAPHS:
        a, x = adjacency(nodes, edges), torch.rand(nodes, 3)
        conv = GCNConv(3, 2, add_self_loops=False)
        full = a + torch.eye(nodes)
        full[0, 0] += 2.5
        assert torch.allclose(conv(x, *sparse(full)), propagation("gcn", full - torch.eye(nodes)) @ conv.lin(x))
        once = (a > 0).double()
        gin = GINConv(torch.nn.Linear(3, 2))
        assert torch.allclose(gin(x, sparse(once)[0]), gin.nn(propagation("gin", once) @ x))


# ---- MPR ----

def pagerank(a):
    n, sums = len(a), a.sum(1)
    step = np.where(sums[:, None] > 0, a / np.where(sums > 0, sums, 1)[:, None], 1 / n)
    return np.linalg.solve(np.eye(n) - 0.85 * step.T, np.full(n, 0.15 / n))


def cells(lens, intervals):
    low, span = lens.min(), lens.max() - lens.min()
    if span <= 1e-9 * abs(lens).max():
        return np.ones((len(lens), 1))
    lens = (lens - low) / span
    length = 1 / (intervals - (intervals - 1) * OVERLAP)
    begin = np.arange(intervals) * length * (1 - OVERLAP)
    inside = (lens[:, None] >= begin - 1e-9) & (lens[:, None] < begin + length - 1e-9)
    inside[:, -1] |= lens >= 1 - 1e-9
    for value in lens:
        for end in list(begin[1:]) + list((begin + length)[:-1]):
            assert abs(value - end) > 1e-6, "a node lies on an end"
    return inside.astype(float)


def assign_mpr(a, intervals, variant):
    inside = cells(pagerank(a.numpy()), intervals)
    inside = inside[:, inside.sum(0) > 0]
    if variant == "newest":  # empty cells count as well, after the others
        inside = np.hstack([inside, np.zeros((len(inside), intervals - inside.shape[1]))])
        return F.softmax(torch.tensor(inside), 1)
    return torch.tensor(inside / inside.sum(1, keepdims=True) if variant == "paper" else inside)


def assign_pairs(a):
    """In the order of nodes, each free one with its free neighbour of largest w (1 / d_u + 1 / d_v)."""
    strength, cluster, count = a.sum(1), [-1] * len(a), 0
    for u in range(len(a)):
        if cluster[u] >= 0:
            continue
        best, gain = u, 0
        for v in range(len(a)):
            value = float(a[u, v] * (1 / strength[u] + 1 / strength[v])) if a[u, v] > 0 else 0
            if v != u and cluster[v] < 0 and value > gain + 1e-12:
                best, gain = v, value
        cluster[u] = cluster[best] = count
        count += 1
    s = F.one_hot(torch.tensor(cluster)).double()
    return s / s.sum(0)


# ---- a learned lens ----

def mid_ranks(values):
    ranks = [((values < v - 1e-9).sum() + (values <= v + 1e-9).sum() - 1) / 2 for v in values]
    return (np.array(ranks) + 0.5) / len(values)


def assign_learned(a, x, w):
    r = torch.tensor(mid_ranks(pagerank(a.detach().numpy())))[:, None]
    f = torch.sigmoid(torch.log(r / (1 - r)) + x @ w["lens.weight"] + w["lens.bias"])
    distance = (f - w["cover.centres"]) ** 2
    if "lens2.weight" in w:
        distance = distance + (torch.sigmoid(x @ w["lens2.weight"] + w["lens2.bias"]) - w["cover2.centres"]) ** 2
    near = torch.exp(-distance / (2 * torch.exp(w["cover.spreads"]) ** 2))
    return near / near.sum(1, keepdim=True)


# ---- poolings: graph by graph, (A, X) into (A', X', losses) ----

class Case:
    def __init__(self, name, method, net="gcn", skip=False, variant="paper", gate="sigmoid", axes=1):
        self.name, self.method, self.net, self.skip = name, method, net, skip
        self.variant, self.gate, self.axes = variant, gate, axes


def pool_select(case, a, x, w):
    edges, weights = sparse(a)
    nonlinearity = {"sigmoid": torch.sigmoid, "tanh": torch.tanh}[case.gate]
    if case.method == "topk":
        pool = TopKPooling(x.shape[1], ratio=RATIO, nonlinearity=nonlinearity)
        pool.select.weight = torch.nn.Parameter(w["weight"].t().detach())
        found = pool(x.detach(), edges, weights)
        score = x @ w["weight"] / w["weight"].norm()
    else:
        score = propagation(case.net, a) @ x @ w["weight"] + w["bias"]
        found = None
        if case.net == "gcn" and bool((weights == 1).all()):
            pool = SAGPooling(x.shape[1], ratio=RATIO, GNN=GCNConv, nonlinearity=nonlinearity)
            pool.gnn.lin.weight.data, pool.gnn.bias.data = w["weight"].t().detach(), w["bias"][0].detach()
            pool.select.weight.data = torch.ones(1, 1)
            found = pool(x.detach(), edges, weights)
    order = score[:, 0].argsort(descending=True)
    away_from_kinks(score[order[1:], 0] - score[order[:-1], 0], 1e-4)
    keep = order[:int(np.ceil(RATIO * len(x)))].sort().values
    pooled = x[keep] * nonlinearity(score[keep])
    if found is not None:
        assert torch.equal(found[4].sort().values, keep), "gates of 1 are ties there"
        assert torch.allclose(found[0][found[4].argsort()], pooled)
    return a[keep][:, keep], pooled, {}, keep


def pool_dense(case, a, x, w, before, step):
    if case.method == "mincut":
        out, adj, cut, orthogonality = dense_mincut_pool(x, a, x @ w["weight"] + w["bias"])
        return adj[0], out[0], {"cut": cut, "orthogonality": orthogonality}
    if case.method == "diffpool":
        s = propagation(case.net, seen(case, step, a)) @ before @ w["weight"] + w["bias"]
        out, adj, link, entropy = dense_diff_pool(x, a, s)
        return adj[0], out[0], {"link": link, "entropy": entropy * len(a)}
    s = assign_learned(a, x, w)
    return s.t() @ a @ s, s.t() @ x, {}


def pool(case, a, x, w, before, step):
    if case.method in ("topk", "sagpool"):
        return pool_select(case, a, x, w)[:3]
    if case.method in ("mincut", "diffpool", "learned"):
        return pool_dense(case, a, x, w, before, step)
    if case.method == "none":
        return a, x, {}
    one = torch.zeros(len(x), dtype=torch.long)
    fixed = {"sum": global_add_pool, "mean": global_mean_pool, "max": global_max_pool}
    if case.method in fixed:
        s = torch.ones(len(x), 1) / (len(x) if case.method == "mean" else 1)
        return s.t() @ a @ s, fixed[case.method](x, one), {}
    s = assign_mpr(a, CLUSTERS[step], case.variant) if case.method == "mpr" else assign_pairs(a)
    pooled = s.t() @ a @ s
    return unweighted(pooled) if case.variant == "newest" else pooled, s.t() @ x, {}


def total(losses, nodes):
    """Means over graphs, and of entropy over nodes."""
    sums = {}
    for loss in losses:
        for key, value in loss.items():
            sums[key] = sums.get(key, 0) + value
    return {key: value / (sum(nodes) if key == "entropy" else len(nodes)) for key, value in sums.items()}


def gate_weights(case, step, inputs):
    k = CLUSTERS[step]
    if case.method == "topk":
        return {"weight": draw(WIDTH, 1, -1, 1)}
    if case.method == "sagpool":
        return {"weight": draw(WIDTH, 1, -1, 1), "bias": draw(1, 1, -1, 1)}
    if case.method in ("mincut", "diffpool"):
        return {"weight": draw(inputs if case.method == "diffpool" else WIDTH, k, -1, 1), "bias": draw(1, k, -1, 1)}
    if case.method != "learned":
        return {}
    w = {"lens.weight": draw(WIDTH, 1, -1, 1), "lens.bias": draw(1, 1, -1, 1), "cover.centres": draw(1, k, 0, 1),
         "cover.spreads": draw(1, k, -2, -0.5)}
    if case.axes == 2:
        w |= {"lens2.weight": draw(WIDTH, 1, -1, 1), "lens2.bias": draw(1, 1, -1, 1)}
        w |= {"cover2.centres": draw(1, k, 0, 1)}
    return w


# ---- a pooling by itself ----

def run_operator(case):
    states = draw(sum(n for n, _ in GRAPHS), WIDTH, -1, 1).requires_grad_()
    w = {name: value.requires_grad_() for name, value in gate_weights(case, 0, WIDTH).items()}
    pooled, losses, at = [], [], 0
    for nodes, edges in GRAPHS:
        x = states[at:at + nodes]
        pooled.append(pool(case, adjacency(nodes, edges), x, w, x, 0))
        at += nodes
    x, own = torch.cat([p[1] for p in pooled]), total([p[2] for p in pooled], [n for n, _ in GRAPHS])
    i, j = torch.meshgrid(torch.arange(len(x)), torch.arange(WIDTH), indexing="ij")
    loss = (torch.sin(1.0 + i + 2 * j) * x).sum() + sum(own.values())
    write(f"op_{case.name}_states", states)
    for name, value in w.items():
        write(f"op_{case.name}_{name}", value)
    write(f"op_{case.name}_pooled", x)
    if case.method in ("mincut", "diffpool", "learned"):
        a = torch.cat([p[0] for p in pooled])
        i, j = torch.meshgrid(torch.arange(len(a)), torch.arange(a.shape[1]), indexing="ij")
        loss = loss + (torch.cos(0.0 + i + 3 * j) * a).sum()
        write(f"op_{case.name}_adjacency", a)
    else:
        write(f"op_{case.name}_propagation", torch.block_diag(*[propagation("gcn", p[0]) for p in pooled]))
    for name, value in own.items():
        write(f"op_{case.name}_{name}", value)
    loss.backward()
    write(f"op_{case.name}_loss", loss)
    for name, value in (w | {"states": states}).items():
        write(f"op_{case.name}_d.{name}", value.grad)


# ---- a whole network: [two layers, pool] x 2, two layers, mean, linear ----

def network_weights(case):
    w, inputs = {}, FEATURES
    size = (0.3 if case.net == "gin" else 1) * (0.6 if case.skip else 1)  # sums grow quickly
    for level in range(3):
        before = inputs
        for layer in range(2):
            name = f"level{level}.layer{layer}"
            w[f"{name}.weight"] = draw(inputs, WIDTH, -0.4 * size, 0.9 * size)
            if case.skip:
                w[f"{name}.skip"] = draw(inputs, WIDTH, -0.4 * size, 0.9 * size)
            else:
                w[f"{name}.bias"] = draw(1, WIDTH, -0.2, 0.4)
            if case.net == "gin":
                w[f"{name}.second.weight"] = draw(WIDTH, WIDTH, -0.4, 0.7)
                w[f"{name}.second.bias"] = draw(1, WIDTH, -0.2, 0.4)
            inputs = WIDTH
        if level < 2:
            w |= {f"pool{level}.{name}": value for name, value in gate_weights(case, level, before).items()}
    w |= {"linear.weight": draw(WIDTH, CLASSES, -0.5, 0.5), "linear.bias": draw(1, CLASSES, -0.5, 0.5)}
    return {name: value.requires_grad_() for name, value in w.items()}


def relu(x):
    away_from_kinks(x.detach(), 1e-5)
    return F.relu(x)


def run_layer(case, w, name, a, x):
    y = propagation(case.net, a) @ x @ w[f"{name}.weight"]
    y = relu(y + (x @ w[f"{name}.skip"] if case.skip else w[f"{name}.bias"]))
    if case.net == "gin":
        y = relu(y @ w[f"{name}.second.weight"] + w[f"{name}.second.bias"])
    return y


def run_network(case, features):
    w = network_weights(case)
    graphs = [(adjacency(n, e), x) for (n, e), x in zip(GRAPHS, features)]
    extra = 0
    for level in range(3):
        before = [x for _, x in graphs]
        for layer in range(2):
            graphs = [(a, run_layer(case, w, f"level{level}.layer{layer}", seen(case, level, a), x)) for a, x in graphs]
        if level == 2:
            break
        gate = {name.split(".", 1)[1]: v for name, v in w.items() if name.startswith(f"pool{level}.")}
        sizes = [len(a) for a, _ in graphs]
        pooled = [pool(case, a, x, gate, b, level) for (a, x), b in zip(graphs, before)]
        extra = extra + sum(total([p[2] for p in pooled], sizes).values())
        graphs = [(a, x) for a, x, _ in pooled]
    scores = torch.stack([x.mean(0) for _, x in graphs]) @ w["linear.weight"] + w["linear.bias"]
    loss = F.cross_entropy(scores, TARGETS) + extra
    loss.backward()
    return w, scores, loss


def unweighted(a):
    return (a > 0).double() * (1 - torch.eye(len(a)))


def seen(case, level, a):
    """February 2020: the pooled graphs of the embedding networks have no weights, those of the classifier have. GIN looks
    at no weights of sparse graphs."""
    dense = level > 0 and case.method in ("mincut", "diffpool", "learned")
    return unweighted(a) if (case.variant == "feb2020" and level == 1) or (case.net == "gin" and not dense) else a


def write_network(case, features):
    while True:  # until no number is near a kink
        try:
            w, scores, loss = run_network(case, features)
            break
        except AssertionError as error:
            print(case.name, "is drawn again:", error)
    for name, value in w.items():
        write(f"net_{case.name}_{name}", value)
    write(f"net_{case.name}_scores", scores)
    write(f"net_{case.name}_loss", loss)
    for name, value in w.items():
        write(f"net_{case.name}_d.{name}", value.grad if value.grad is not None else torch.zeros_like(value))


POOLINGS = [
    Case("mpr", "mpr"), Case("feb2020", "mpr", variant="feb2020"), Case("newest", "mpr", variant="newest"),
    Case("topk", "topk"), Case("topk_tanh", "topk", gate="tanh"), Case("sagpool", "sagpool", gate="tanh"),
    Case("mincut", "mincut"), Case("diffpool", "diffpool"), Case("graclus", "graclus"), Case("sum", "sum"),
    Case("mean", "mean"), Case("max", "max"), Case("learned", "learned"), Case("learned2", "learned", axes=2),
]
NETWORKS = POOLINGS + [
    Case("none", "none"), Case("mpr_skip", "mpr", skip=True),
    Case("mpr_gin", "mpr", net="gin"), Case("mpr_gin_skip", "mpr", net="gin", skip=True),
    Case("mpr_mlp", "mpr", net="mlp"), Case("mpr_mlp_skip", "mpr", net="mlp", skip=True),
    Case("mincut_skip", "mincut", skip=True), Case("mincut_gin", "mincut", net="gin"),
    Case("diffpool_gin", "diffpool", net="gin"), Case("diffpool_mlp_skip", "diffpool", net="mlp", skip=True),
    Case("topk_gin", "topk", net="gin", skip=True), Case("sagpool_mlp", "sagpool", net="mlp", gate="tanh"),
    Case("learned_gin_skip", "learned", net="gin", skip=True),
]

check_layers()
write("edges", [(g, u, v, weight) for g, (_, edges) in enumerate(GRAPHS) for u, v, weight in edges])
all_features = [draw(nodes, FEATURES, 0, 1) for nodes, _ in GRAPHS]
write("features", torch.cat(all_features))
for one in POOLINGS:
    run_operator(one)
for one in NETWORKS:
    write_network(one, all_features)
with open(f"{sys.argv[1]}/pool_pyg.txt", "w") as file:
    file.write(f"# PyTorch {torch.__version__.split('+')[0]}, PyTorch Geometric {torch_geometric.__version__}: "
               "tools/oracle/pool_pyg.py\n" + "\n".join(lines) + "\n")
