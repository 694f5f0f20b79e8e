# SPDX-License-Identifier: Apache-2.0
"""Pooling: a graph becomes a smaller one, with the features of its nodes gathered.

>>> import dgm
>>> pooled = dgm.pool.pool("karate", "mpr:clusters=5")
>>> pooled.assignment.shape[0]
34
"""
import numpy as np

from . import _call, _dgm
from ._graph import graph as make_graph


class Pooled:
    """A pooled graph: ``assignment`` S (a SciPy matrix, a row for each node), ``adjacency`` S'AS, ``features`` S'X or None."""

    def __init__(self, handle):
        import scipy.sparse

        info = _dgm.pool_step(handle, _dgm.pool_step(handle, 0)["steps"] - 1)
        part = lambda name: _call.array(handle, info[name])
        self._handle = handle
        self.assignment = scipy.sparse.csr_matrix((part("values"), part("columns").astype(np.int64), part("offsets")),
                                                  (info["nodes"], info["clusters"]))
        weights = part("graph_weights")
        targets = part("graph_targets").astype(np.int64)
        self.adjacency = scipy.sparse.csr_matrix((np.ones(len(targets)) if weights is None else weights, targets, part("graph_offsets")),
                                                 (info["clusters"], info["clusters"]))
        self.features = None if info["features"] is None else _call.table(handle, info["features"])[0]


def pool(graph, method="mpr", *, features=None, steps=1, seed=1, progress=None):
    """Pools a graph by a method of ``dgm pool``: ``"mpr:lens=pagerank,clusters=8"``, ``"graclus"``, ``"topk"``, ...

    ``features`` has a row for each node. Of several steps the last is returned.
    """
    made = make_graph(graph)
    table = values = None
    if features is not None:
        values = _call.flat(features, np.float64, "features")
        if values.ndim != 2 or len(values) != len(made):
            raise ValueError(f"features of the shape {values.shape} for a graph of {len(made):,} nodes")
        table = _dgm.matrix_borrow(_call.context(), values.ctypes.data, *values.shape, None)
    return Pooled(_dgm.pool(_call.context(progress), made._handle, _call.text(method), int(steps), table, int(seed)))


def _method(lens, clusters, overlap):
    keys = [f"lens={lens.replace(',', ';')}"]
    if clusters is not None:
        keys.append(f"clusters={clusters}")
    if overlap is not None:
        keys.append(f"overlap={overlap}")
    return "mpr:" + ",".join(keys)


def __getattr__(name):
    """``MPR`` needs torch, and is made when it is asked for."""
    if name == "MPR":
        made = _make_module()
        globals()["MPR"] = made
        return made
    raise AttributeError(f"module 'dgm.pool' has no attribute {name!r}")


def _make_module():
    import torch

    class MPR(torch.nn.Module):
        """Mapper-based pooling with PageRank, in the shape of PyTorch Geometric's poolers.

        ``forward(x, edge_index, edge_weight=None, batch=None)`` returns ``x, edge_index, edge_weight, batch`` of the pooled
        graphs. Which nodes go where is decided by the graphs alone, so that gradients reach ``x`` through S' x.
        """

        def __init__(self, clusters=None, lens="pagerank", overlap=None):
            super().__init__()
            self.method = _method(lens, clusters, overlap)

        def extra_repr(self):
            return repr(self.method)

        def forward(self, x, edge_index, edge_weight=None, batch=None):
            batch = torch.zeros(len(x), dtype=torch.long, device=x.device) if batch is None else batch
            ends = edge_index.detach().cpu().numpy()
            weights = None if edge_weight is None else edge_weight.detach().cpu().numpy()
            groups = batch.detach().cpu().numpy()
            rows, columns, values, pooled = [], [], [], 0
            sources, targets, strengths, owners = [], [], [], []
            for number in range(int(groups.max()) + 1 if len(groups) else 0):
                nodes = np.flatnonzero(groups == number)
                made = self._pool_one(nodes, ends, weights, len(groups))
                s, a = made.assignment.tocoo(), made.adjacency.tocoo()
                rows.append(nodes[s.row])
                columns.append(s.col + pooled)
                values.append(s.data)
                sources.append(a.row + pooled)
                targets.append(a.col + pooled)
                strengths.append(a.data)
                owners.append(np.full(s.shape[1], number))
                pooled += s.shape[1]
            join = lambda parts: np.concatenate(parts) if parts else np.zeros(0)
            s = torch.sparse_coo_tensor(torch.as_tensor(np.stack([join(columns), join(rows)]).astype(np.int64)),
                                        torch.as_tensor(join(values)), (pooled, len(groups)), check_invariants=True).to(x.device, x.dtype).coalesce()
            index = torch.as_tensor(np.stack([join(sources), join(targets)]).astype(np.int64), device=x.device)
            return (torch.sparse.mm(s, x), index, torch.as_tensor(join(strengths), device=x.device, dtype=x.dtype),
                    torch.as_tensor(join(owners).astype(np.int64), device=x.device))

        def _pool_one(self, nodes, ends, weights, count):
            from ._graph import Parts

            place = np.full(count, -1)
            place[nodes] = np.arange(len(nodes))
            mine = (place[ends[0]] >= 0) & (place[ends[1]] >= 0)
            parts = Parts(len(nodes))
            parts.edges(place[ends[0][mine]], place[ends[1][mine]], None if weights is None else weights[mine])
            return pool(parts.build(), self.method)

    return MPR
