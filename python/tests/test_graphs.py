# SPDX-License-Identifier: Apache-2.0
"""Graphs of other libraries, good and bad."""
import types

import numpy as np
import pytest

import dgm

RING = [(i, (i + 1) % 12) for i in range(12)]


def shape(summary):
    return summary.topology["b0"], summary.topology["b1"], summary.coverage["lost"]


def test_members_are_the_objects_of_networkx():
    networkx = pytest.importorskip("networkx")
    nodes = [("a", 1), 7, "seven", None and 0 or frozenset({3}), 2.5, b"x"]
    graph = networkx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((nodes[i], nodes[(i + 1) % len(nodes)]) for i in range(len(nodes)))
    summary = dgm.map(graph, lens=lambda g: np.arange(len(g)), intervals=2, overlap=0.3)
    found = {member for cluster in range(len(summary)) for member in summary.members(cluster)}
    assert found == set(nodes)
    assert set(summary.to_networkx().nodes[0]["members"]) <= set(nodes)


def test_names_that_look_alike_stay_apart():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([(1, "1"), ("1", 2), ("a\0b", 2)])
    made = dgm.graph(graph)
    assert made.names() == ["1", "1 (2)", "2", "a\N{REPLACEMENT CHARACTER}b"]


def test_attributes_and_labels_come_along():
    networkx = pytest.importorskip("networkx")
    graph = networkx.cycle_graph(12)
    for i in graph:
        graph.nodes[i].update(label="left" if i < 6 else "right", year=2000 + i, town=None if i % 3 else "Ulm")
    made = dgm.graph(graph)
    assert made.classes == ["left", "right"] and list(made.labels) == [0] * 6 + [1] * 6
    assert shape(dgm.map(graph, lens="attr:year", intervals=4, overlap=0.4))[2] == 0


def test_classes_of_networkx_may_be_numbers_or_missing():
    networkx = pytest.importorskip("networkx")
    for ends, middle, labels, classes in ((10, 9, [1, 0, 1], ["9", "10"]), ("red", None, [0, -1, 0], ["red"])):
        graph = networkx.path_graph(3)
        networkx.set_node_attributes(graph, {0: ends, 1: middle, 2: ends}, "label")
        made = dgm.graph(graph)
        assert made.labels.tolist() == labels and made.classes == classes


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "array"])
def test_a_ring_is_a_ring_in_scipy(kind):
    sparse = pytest.importorskip("scipy.sparse")
    ends = np.array(RING)
    matrix = sparse.coo_matrix((np.ones(12), (ends[:, 0], ends[:, 1])), (12, 12))
    matrix = matrix + matrix.T
    matrix = sparse.csr_array(matrix) if kind == "array" else matrix.asformat(kind)
    assert shape(dgm.map(matrix, lens=np.minimum(np.arange(12), 12 - np.arange(12)), intervals=4, overlap=0.5)) == (1, 1, 0)


def test_arrays_of_any_layout_are_one_graph():
    ring = np.array(RING)
    wide = np.zeros((12, 4), np.int64)
    wide[:, ::2] = ring
    for edges in (RING, ring, ring.T.copy(), ring.astype(">i4"), wide[:, ::2], np.asfortranarray(ring), ring.astype(np.uint8)):
        made = dgm.graph(edges)
        assert (len(made), made.edges) == (12, 12)


@pytest.mark.parametrize("options", [{"lens": "degree", "intervals": 2, "overlap": 0.2}, {"lens": np.arange(12)}, {}])
def test_arrays_of_the_library_outlive_their_summary(options):
    import gc

    summary = dgm.map(RING, **options)
    assert len(summary.axes) == 12
    axes, edges = summary.axes, summary.edges
    before = axes.copy(), edges.copy()
    del summary
    gc.collect()
    assert np.array_equal(axes, before[0]) and np.array_equal(edges, before[1])
    with pytest.raises(ValueError):
        axes[0] = 1


@pytest.mark.parametrize("bad", [
    [(0, -1)], [(0, 1.5)], [(0, 1), (2,)], np.array([[0, 2**40]]), np.array([["a", "b"]]), np.array([[0, 1]], object)[:, :1],
    np.zeros((3, 3)), [[float("nan"), 1]], 7,
])
def test_what_is_no_graph_is_refused(bad):
    with pytest.raises((ValueError, TypeError)):
        dgm.graph(bad)


@pytest.mark.parametrize("lens", [
    np.zeros(3), np.zeros((12, 2, 2)), [[1, 2], [3]], np.array(["a"] * 12), np.full(12, np.nan), np.full(12, np.inf), [],
])
def test_what_is_no_lens_is_refused(lens):
    with pytest.raises((ValueError, TypeError, dgm.Error)):
        dgm.map(RING, lens=lens, intervals=2, overlap=0.2)


def test_options_of_files_are_for_files():
    with pytest.raises(ValueError, match="directed is an option of files alone"):
        dgm.graph(RING, directed=True)
    assert len(dgm.graph(RING, directed=None)) == 12


def test_options_are_named_as_python_names_them():
    with pytest.raises(ValueError, match="did you mean 'intervals'"):
        dgm.map(RING, intervls=3)
    with pytest.raises(ValueError, match="min_size"):
        dgm.map(RING, lens="degree", intervals=2, min_size=-1)
    with pytest.raises(dgm.Error) as error:
        dgm.graph("no such file")
    assert error.value.code == "file"


def test_an_empty_graph_is_refused_or_mapped_without_a_crash():
    for edges in (np.zeros((0, 2), int), [(0, 0)]):
        try:
            assert dgm.map(edges).coverage["lost"] == 0
        except (ValueError, dgm.Error) as error:
            assert str(error)


# ---- PyTorch Geometric, or whatever looks like it ----


def made_like_data(**parts):
    """The nodes 0 to 5 in a row, with the attributes of a Data of PyTorch Geometric."""
    ends = np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]])
    return types.SimpleNamespace(**{"num_nodes": 6, "edge_index": np.hstack([ends, ends[::-1]]), **parts})


def test_data_with_an_edge_index_is_a_graph():
    made = dgm.graph(made_like_data(x=np.arange(6.0), y=np.array([-1, 0, 1, 2, 1, 0])))
    assert (len(made), made.edges, made.names()) == (6, 5, ["0", "1", "2", "3", "4", "5"])
    assert made.features.tolist() == [[0], [1], [2], [3], [4], [5]]
    assert made.labels.tolist() == [-1, 0, 1, 2, 1, 0] and made.classes == ["0", "1", "2"]
    table = np.arange(18.0).reshape(6, 3)
    made = dgm.graph(made_like_data(x=table, y=np.array([[0], [1], [0], [1], [0], [1]])))
    assert made.features.tolist() == table.tolist() and made.labels.tolist() == [0, 1, 0, 1, 0, 1]
    assert dgm.graph(made_like_data(x=np.zeros((6, 0)))).features is None
    assert dgm.graph(made_like_data(y=np.arange(6.0))).labels is None  # a target of a regression
    assert dgm.graph(made_like_data(y=np.array([3]))).labels is None  # the class of the whole graph


def test_weights_of_data_are_weights_of_edges(tmp_path):
    listed = tmp_path / "weighted.txt"
    listed.write_text("0 1 9\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n")
    heavy = np.array([9.0, 1, 1, 1, 1, 9, 1, 1, 1, 1])
    weighted = {"lens": "pagerank:weighted", "intervals": 2, "overlap": 0.2}
    ours = dgm.map(made_like_data(edge_weight=heavy), **weighted).to_dict()["nodes"]
    assert ours == dgm.map(listed, **weighted).to_dict()["nodes"]
    assert ours != dgm.map(made_like_data(), **weighted).to_dict()["nodes"]


@pytest.mark.parametrize("ends", [None, np.arange(4), np.zeros((3, 4), int), np.zeros((2, 4, 1), int)])
def test_an_edge_index_of_another_shape_is_refused(ends):
    with pytest.raises(ValueError, match="data.edge_index has two rows"):
        dgm.graph(made_like_data(edge_index=ends))


@pytest.mark.parametrize("number", [-2, 2**31])
def test_classes_are_numbers_from_0(number):
    with pytest.raises(ValueError, match="from 0, or -1 for none"):
        dgm.graph(made_like_data(y=np.array([0, 1, 0, number, 0, 1])))


def test_nodes_for_training_are_known_to_networks():
    masks = np.eye(3, dtype=bool)[[0, 0, 1, 1, 2, 2]].T
    made = dgm.graph(made_like_data(x=np.eye(6, dtype=np.float32), y=np.array([0, 1, 0, 1, 0, 1]), train_mask=masks[0],
                                    val_mask=masks[1], test_mask=masks[2]))
    assert dgm.train(made, "gcn", epochs=2, seed=1).splits.tolist() == [1, 1, 2, 2, 3, 3]


# ---- igraph ----


def strength(made):
    """The sum of the weights at each node."""
    offsets, weights = (dgm._call.array(made._handle, made._info[name]) for name in ("offsets", "weights"))
    weights = np.ones(offsets[-1]) if weights is None else weights
    return list(np.add.reduceat(weights, offsets[:-1]))


def test_an_igraph_graph_keeps_names_weights_and_attributes():
    igraph = pytest.importorskip("igraph", minversion="0.10.4")
    other = igraph.Graph(n=12, edges=RING)
    other.vs["name"] = [f"node {i}" for i in range(12)]
    other.vs["year"] = [2000 + i for i in range(12)]
    other.vs["town"] = [None if i % 2 else "Ulm" for i in range(12)]
    other.vs["list"] = [[i] for i in range(12)]  # no attribute of a file
    other.es["weight"] = [1 + i % 3 for i in range(12)]
    made = dgm.graph(other)
    assert (len(made), made.edges) == (12, 12) and made.names() == other.vs["name"] and list(made.nodes) == other.vs["name"]
    summary = dgm.map(other, lens="attr:year", intervals=3, overlap=0.4)
    assert {member for cluster in range(len(summary)) for member in summary.members(cluster)} == set(other.vs["name"])
    assert list(dgm.lens(other, "attr:year")[:, 0]) == other.vs["year"]
    assert strength(made) == other.strength(weights="weight")


def test_an_igraph_graph_without_names_has_numbers():
    igraph = pytest.importorskip("igraph", minversion="0.10.4")
    directed = igraph.Graph(n=4, edges=[(0, 1), (1, 2), (2, 0)], directed=True)
    made = dgm.graph(directed)
    assert list(made.nodes) == [0, 1, 2, 3] and made.edges == 3 and made._info["directed"]
    assert len(dgm.graph(igraph.Graph(n=3))) == 3 and dgm.graph(igraph.Graph(n=3)).edges == 0


def test_an_igraph_graph_is_the_networkx_graph():
    igraph, networkx = pytest.importorskip("igraph", minversion="0.10.4"), pytest.importorskip("networkx")
    graph = networkx.karate_club_graph()
    options = {"lens": "degree", "intervals": 4, "overlap": 0.3}
    ours = dgm.map(igraph.Graph(n=34, edges=list(graph.edges())), **options)
    theirs = dgm.map(networkx.Graph(graph.edges()), **options)
    assert sorted(map(sorted, (ours.members(c) for c in range(len(ours))))) == sorted(
        map(sorted, (theirs.members(c) for c in range(len(theirs)))))


# ---- pandas ----


def test_a_frame_of_edges_is_a_graph():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"from": ["ann", "bob", "cy"], "to": ["bob", "cy", "ann"], "weight": [1.0, 2.0, 5.0], "note": ["x"] * 3})
    made = dgm.graph(frame)
    assert list(made.nodes) == ["ann", "bob", "cy"] and made.edges == 3
    assert strength(made) == [6, 3, 7] and strength(dgm.graph(frame[["from", "to"]])) == [2, 2, 2]
    summary = dgm.map(frame, lens=[0, 1, 2], intervals=2, overlap=0.3)
    assert {member for cluster in range(len(summary)) for member in summary.members(cluster)} == {"ann", "bob", "cy"}


def test_nodes_of_a_frame_may_be_numbers_and_dates():
    pandas = pytest.importorskip("pandas")
    numbers = pandas.DataFrame({"a": [10, 2**40, -3], "b": [2**40, -3, 10]})
    assert list(dgm.graph(numbers).nodes) == [10, 2**40, -3]
    dates = pandas.DataFrame({"a": pandas.to_datetime(["2020-01-01", "2020-01-02"]), "b": pandas.to_datetime(["2020-01-02", "2020-01-03"])})
    assert len(dgm.graph(dates)) == 3
    mixed = pandas.DataFrame({"a": [1, "1"], "b": ["x", "x"]})
    assert len(dgm.graph(mixed)) == 3  # 1 and "1" are two nodes


def test_frames_that_are_no_edges_are_refused():
    pandas = pytest.importorskip("pandas")
    for frame in (pandas.DataFrame({"a": [1]}), pandas.DataFrame({"a": [1, None], "b": [2, 3]}), pandas.DataFrame({"a": ["x", np.nan], "b": ["y", "z"]}),
                  pandas.DataFrame({"a": [1], "b": [2], "weight": ["heavy"]}), pandas.DataFrame({"a": [1], "b": [2], "weight": [np.nan]})):
        with pytest.raises((ValueError, dgm.Error)):
            dgm.graph(frame)
    try:
        assert len(dgm.graph(pandas.DataFrame({"a": [], "b": []}))) == 0
    except (ValueError, dgm.Error) as error:
        assert str(error)
