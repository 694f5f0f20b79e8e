# SPDX-License-Identifier: Apache-2.0
"""Mapper-based pooling as a module of torch. What is heavy, and its derivatives, are computed by the library."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from . import _call, _dgm
from ._graph import Parts


def _numbers(tensor: Optional[torch.Tensor]) -> Any:
    """The numbers of a tensor in double precision, side by side, or None."""
    if tensor is None:
        return None
    return tensor.detach().to("cpu", torch.float64).contiguous().numpy()


def _address(values: Optional[_call.Array]) -> Optional[int]:
    return None if values is None or not values.size else values.ctypes.data


class Assignment(NamedTuple):
    """Which nodes of a batch go where: it depends on the graphs alone, so that it can be made once and used in every epoch."""

    coarsening: _dgm.Handle  #: what the library needs
    values: Optional[torch.Tensor]  #: the entries of S, row by row; None where a lens learns them
    edge_index: torch.Tensor  #: the edges of the pooled graphs
    batch: torch.Tensor  #: the graph of each pooled node
    ranks: Optional[torch.Tensor]  #: where a lens that learns begins, a number for each node


class _Coarsen(torch.autograd.Function):
    """S'x and S'AS, whose derivatives are those of the library."""

    @staticmethod
    def forward(ctx: Any, values: torch.Tensor, x: torch.Tensor, edge_weight: Optional[torch.Tensor],
                assignment: Assignment) -> Tuple[torch.Tensor, torch.Tensor]:
        s, features, weights = _numbers(values), _numbers(x), _numbers(edge_weight)
        pooled = np.zeros((len(assignment.batch), x.shape[1]))
        strengths = np.zeros(assignment.edge_index.shape[1])
        _dgm.coarsen(_call.context(), assignment.coarsening, x.shape[1],
                     (_address(s), _address(features), _address(weights)), (_address(pooled), _address(strengths)), None)
        ctx.save_for_backward(values, x, edge_weight)
        ctx.assignment = assignment
        return torch.from_numpy(pooled).to(x), torch.from_numpy(strengths).to(x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, by_x: Optional[torch.Tensor], by_weights: Optional[torch.Tensor]) -> Any:
        given = ctx.saved_tensors
        inputs = [_numbers(tensor) for tensor in given]
        outputs = [_numbers(by_x), _numbers(by_weights)]
        made = [np.zeros(tensor.shape) if wanted else None for tensor, wanted in zip(given, ctx.needs_input_grad)]
        _dgm.coarsen(_call.context(), ctx.assignment.coarsening, given[1].shape[1], tuple(map(_address, inputs)),
                     tuple(map(_address, outputs)), tuple(map(_address, made)))
        return tuple(None if gradient is None else torch.from_numpy(gradient).to(tensor)
                     for gradient, tensor in zip(made, given)) + (None,)


class MPR(torch.nn.Module):
    """Mapper-based pooling with PageRank, in the shape of PyTorch Geometric's poolers.

    ``forward(x, edge_index, edge_weight=None, batch=None)`` returns ``x, edge_index, edge_weight, batch`` of the pooled graphs:
    a node for each cell of a lens that holds nodes, with the features S'x and the weights S'AS. Gradients reach ``x`` and
    ``edge_weight`` by the library's own backward pass.

    Args:
        clusters: the number of cells; without it a quarter of the nodes of each graph.
        lens: a lens of ``dgm lens`` (``"pagerank"``, ``"degree"``, ``"density:delta=2"``), which the graphs alone decide, or
            ``"learned"``: f = sigmoid(start + x w + b), which begins at the rank of PageRank and learns w, b and the cells.
        overlap: what neighbouring cells share of their length: 0.25.
        cover: ``"uniform"`` or ``"quantile"``.
        channels: the number of columns of ``x``; a lens that learns needs it.
        axes: the axes of a lens that learns, 1 or 2.
        seed: the seed of a random lens.

    >>> import torch, dgm
    >>> pool = dgm.pool.MPR(clusters=3)
    >>> path = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]])
    >>> x, edge_index, edge_weight, batch = pool(torch.eye(6), torch.cat([path, path.flip(0)], dim=1))
    >>> x.shape[0] == len(batch) and edge_index.shape[1] == len(edge_weight)
    True
    """

    def __init__(self, clusters: Optional[int] = None, lens: str = "pagerank", overlap: Optional[float] = None, *,
                 cover: Optional[str] = None, channels: Optional[int] = None, axes: int = 1, seed: int = 1):
        super().__init__()
        self.clusters, self.lens, self.seed = clusters, lens, seed
        self.learns = lens == "learned"
        keys = {"lens": lens.replace(",", ";"), "clusters": clusters, "overlap": overlap, "cover": cover}
        self.method = "mpr:" + ",".join(f"{name}={value}" for name, value in keys.items() if value is not None)
        if self.learns:
            if not clusters or not channels:
                raise ValueError("a lens that learns needs clusters and channels")
            self._learn(clusters, channels, axes)

    def _learn(self, clusters: int, channels: int, axes: int) -> None:
        if axes not in (1, 2):
            raise ValueError("a lens that learns has 1 or 2 axes")
        self.channels, self.axes = channels, axes
        parameter = torch.nn.Parameter
        self.weight, self.bias = parameter(torch.empty(axes, channels)), parameter(torch.empty(axes))
        self.centres, self.spreads = parameter(torch.empty(axes, clusters)), parameter(torch.empty(clusters))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """The lens begins at PageRank alone, and its cells have equal distances and spreads of half of them."""
        if not self.learns:
            return
        with torch.no_grad():
            self.weight.zero_()
            self.bias.zero_()
            cells = len(self.spreads)
            number = torch.arange(cells, dtype=self.centres.dtype)
            self.centres[0] = (number + 0.5) / cells
            if self.axes == 2:
                self.centres[1] = 0.25 + 0.5 * (number % 2)
            self.spreads.fill_(float(np.log(0.5 / cells)))

    def extra_repr(self) -> str:
        return repr(self.method)

    def assign(self, edge_index: torch.Tensor, edge_weight: Optional[torch.Tensor] = None, batch: Optional[torch.Tensor] = None,
               nodes: Optional[int] = None) -> Assignment:
        """Decides which nodes go where. It may be kept and given to ``forward`` as often as the same graphs come again."""
        ends = edge_index.detach().cpu().numpy()
        if batch is not None:
            nodes = len(batch)
        elif nodes is None:
            nodes = int(ends.max()) + 1 if ends.size else 0
        groups = np.zeros(nodes, np.int64) if batch is None else batch.detach().cpu().numpy()
        if nodes and (np.any(np.diff(groups) < 0) or groups[0] < 0):
            raise ValueError("the graphs of a batch are one after the other, so that batch never falls")
        count = int(groups[-1]) + 1 if nodes else 0
        starts = np.searchsorted(groups, np.arange(count + 1)).astype(np.int64)
        parts = Parts(nodes)
        parts.spec["loops"] = True
        parts.edges(ends[0], ends[1], _numbers(edge_weight))
        graphs = _dgm.set_build(_call.context(), parts.spec, count, starts.ctypes.data, None)
        offsets, columns, values, pooled, ranks = (self._cells if self.learns else self._look)(graphs, groups, starts)
        made, part = _dgm.coarsening(_call.context(), nodes, int(pooled[-1]), offsets.ctypes.data, _address(columns),
                                      len(ends[0]), parts.spec["edges"][1])
        edges = np.zeros((0, 2)) if part is None else _call.array(made, part).reshape(-1, 2)
        owner = np.repeat(np.arange(count), np.diff(pooled))
        place = edge_index.device
        return Assignment(made, None if values is None else torch.tensor(values, device=place),
                          torch.tensor(edges.T.astype(np.int64), device=place), torch.tensor(owner, device=place),
                          None if ranks is None else torch.tensor(ranks, device=place))

    def _look(self, graphs: _dgm.Handle, groups: _call.Array, starts: _call.Array) -> Tuple[Any, ...]:
        """Cells of a lens, which the graphs decide."""
        pooled = np.zeros(len(starts), np.int64)
        owner, info = _dgm.pool_set(_call.context(), graphs, self.method.encode(), int(self.seed), pooled.ctypes.data)
        offsets, columns, values = (_call.array(owner, info[name]) for name in ("offsets", "columns", "values"))
        return np.array(offsets), np.array(columns, np.uint32), np.array(values), pooled, None

    def _cells(self, graphs: _dgm.Handle, groups: _call.Array, starts: _call.Array) -> Tuple[Any, ...]:
        """Every node is in every cell of its graph."""
        k = len(self.spreads)
        owner, table = _dgm.pool_ranks(_call.context(), graphs)
        columns = (groups[:, None] * k + np.arange(k)).astype(np.uint32).ravel()
        return (np.arange(len(groups) + 1, dtype=np.int64) * k, columns, None,
                np.arange(len(starts), dtype=np.int64) * k, np.array(_call.table(owner, table)[0][:, 0]))

    def _memberships(self, x: torch.Tensor, ranks: torch.Tensor) -> torch.Tensor:
        """S of a lens that learns: of each node exp(-|f - c|^2 / (2 s^2)), divided by the sum over all cells."""
        start = torch.zeros(len(x), self.axes, dtype=x.dtype, device=x.device)
        start[:, 0] = ranks.to(x)
        f = torch.sigmoid(start + torch.nn.functional.linear(x, self.weight, self.bias))
        distance = ((f[:, :, None] - self.centres) ** 2).sum(dim=1)
        return torch.softmax(-0.5 * distance * torch.exp(-2 * self.spreads), dim=1).reshape(-1)

    def forward(self, x: torch.Tensor, edge_index: torch.Tensor, edge_weight: Optional[torch.Tensor] = None,
                batch: Optional[torch.Tensor] = None, assignment: Optional[Assignment] = None
                ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        if x.dim() != 2:
            raise ValueError(f"x has a row for each node, not the shape {tuple(x.shape)}")
        if batch is not None and len(batch) != len(x):
            raise ValueError(f"a batch of {len(batch):,} nodes for {len(x):,} rows of x")
        made = self.assign(edge_index, edge_weight, batch, len(x)) if assignment is None else assignment
        values = self._memberships(x, made.ranks) if self.learns else made.values
        pooled, strengths = _Coarsen.apply(values, x, edge_weight, made)
        return pooled, made.edge_index, strengths, made.batch


MPR.__module__ = "dgm.pool"  # where it is found
