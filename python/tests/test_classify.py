# SPDX-License-Identifier: Apache-2.0
"""Classes of whole graphs: the numbers of the program, from folders and from lists."""
import json
import subprocess
import types

import numpy as np
import pytest

import dgm

OPTIONS = {"folds": 3, "epochs": 12, "rate": 0.01, "width": 8, "batch": 8, "seed": 2}


def make_graphs(count=24):
    """Rings and stars, whose nodes have one of two labels, as edge lists."""
    for number in range(count):
        size = 5 + number % 4
        star = number % 2
        edges = [(0, i) for i in range(1, size)] if star else [(i, (i + 1) % size) for i in range(size)]
        yield size, edges, [i % 2 for i in range(size)], star


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same in the form of TU Dortmund."""
    home = tmp_path_factory.mktemp("sets") / "SHAPES"
    home.mkdir()
    lines = {"A": [], "graph_indicator": [], "graph_labels": [], "node_labels": []}
    first = 1
    for number, (size, edges, labels, star) in enumerate(make_graphs()):
        lines["A"] += [f"{u + first}, {v + first}" for a, b in edges for u, v in ((a, b), (b, a))]
        lines["graph_indicator"] += [str(number + 1)] * size
        lines["node_labels"] += map(str, labels)
        lines["graph_labels"].append(str(star))
        first += size
    for name, rows in lines.items():
        (home / f"SHAPES_{name}.txt").write_text("\n".join(rows) + "\n")
    return home


def without_times(result):
    result = dict(result, seconds=None)
    result["runs"] = [dict(run, seconds=None) for run in result["runs"]]
    return result


def numbers(result):
    """What came out of each training."""
    return [(run["accuracy"], run["loss"], run["epoch"], run["confusion"]) for run in result["runs"]]


@pytest.fixture(scope="module")
def theirs(program, folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("result") / "result.json"
    words = [word for name, value in OPTIONS.items() for word in (f"--{name}", str(value))]
    subprocess.run([program, "classify", str(folder), "--pool", "mpr:clusters=3-2", *words, "--quiet", "-o", str(path)],
                   check=True, capture_output=True)
    return json.loads(path.read_text())


def test_a_folder_gives_the_numbers_of_the_program(folder, theirs):
    result = dgm.classify(folder, "mpr:clusters=3-2", **OPTIONS)
    assert without_times(result.to_dict()) == without_times(theirs)
    assert result.accuracies.tolist() == theirs["folds"]
    assert (result.mean, result.deviation, result.ci95) == (theirs["mean"], theirs["deviation"], theirs["ci95"])
    assert result.mean == pytest.approx(np.mean(theirs["folds"]))
    assert result.confusion.sum() == 24 and result.folds["tested"].sum() == 24
    assert "over 3 folds" in repr(result)


def test_networkx_graphs_give_the_same(theirs):
    networkx = pytest.importorskip("networkx")
    made = []
    for size, edges, labels, star in make_graphs():
        graph = networkx.Graph(label=star)
        graph.add_nodes_from((i, {"label": label}) for i, label in enumerate(labels))
        graph.add_edges_from(edges)
        made.append(graph)
    assert numbers(dgm.classify(made, "mpr:clusters=3-2", **OPTIONS).to_dict()) == numbers(theirs)
    with pytest.raises(ValueError):
        dgm.classify(made, labels=[1, 2])
    del made[3].nodes[0]["label"]
    with pytest.raises(ValueError, match="graph 3"):
        dgm.classify(made)


def made_like_data(**more):
    """The graphs as whatever looks like Data of PyTorch Geometric: rows with a single 1 stand for labels."""
    for size, edges, labels, star in make_graphs():
        ends = np.array([end for a, b in edges for end in ((a, b), (b, a))]).T
        parts = {"num_nodes": size, "x": np.eye(2, dtype=np.float32)[labels], "edge_index": ends, "y": np.array([star])}
        yield types.SimpleNamespace(**{**parts, **{name: make(parts) for name, make in more.items()}})


def test_rows_with_a_single_1_are_labels(theirs):
    made = list(made_like_data())
    assert repr(dgm.graphs(made)) == "<dgm.GraphSet: 24 graphs of 2 classes, 156 nodes>"
    result = dgm.classify(made, "mpr:clusters=3-2", **OPTIONS).to_dict()
    assert numbers(result) == numbers(theirs) and result["features"] == theirs["features"]


@pytest.mark.parametrize("make", [
    lambda data: np.ones((data["num_nodes"], 1), np.float32), lambda data: np.ones((data["num_nodes"], 2), np.float32),
    lambda data: data["x"] * 0.5, lambda data: data["x"] * 0,
])
def test_other_rows_are_features(make):
    assert dgm.classify(list(made_like_data(x=make)), "sum", **OPTIONS).to_dict()["features"] == "attributes"


def test_weights_of_edges_tell():
    plain, ones, heavy = (dgm.classify(list(made_like_data(**more)), "sum", **OPTIONS).to_dict() for more in (
        {}, {"edge_weight": lambda data: np.ones(data["edge_index"].shape[1])},
        {"edge_weight": lambda data: 2.0 + data["edge_index"].min(axis=0)}))
    assert numbers(plain) == numbers(ones) != numbers(heavy)


def test_data_of_pytorch_geometric_gives_the_same(theirs):
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    made = []
    for size, edges, labels, star in make_graphs():
        index = torch.tensor([end for a, b in edges for end in ((a, b), (b, a))]).T
        made.append(data.Data(x=torch.nn.functional.one_hot(torch.tensor(labels), 2).float(), edge_index=index, y=torch.tensor([star])))
    assert repr(dgm.graphs(made)) == "<dgm.GraphSet: 24 graphs of 2 classes, 156 nodes>"
    assert numbers(dgm.classify(made, "mpr:clusters=3-2", **OPTIONS).to_dict()) == numbers(theirs)
    for one in made:
        one.x = torch.cat([one.x, one.x * 0.5], dim=1)  # no labels any longer
    by_features = dgm.classify(made, "sum", **OPTIONS)
    assert by_features.to_dict()["features"] == "attributes" and len(by_features.accuracies) == 3


def test_labels_may_be_words():
    networkx = pytest.importorskip("networkx")
    made = [networkx.cycle_graph(6) if i % 2 else networkx.star_graph(6) for i in range(12)]
    result = dgm.classify(made, "mean", labels=["ring" if i % 2 else "star" for i in range(12)], keep_model=True,
                          **dict(OPTIONS, epochs=40))
    assert set(result.predict(made)) <= {0, 1} and len(result.predict(made)) == 12
    with pytest.raises(ValueError):
        dgm.graphs(made)  # without classes


def test_results_and_networks_are_saved(folder, tmp_path, theirs):
    result = dgm.classify(folder, "mpr:clusters=3-2", keep_model=True, **OPTIONS)
    result.save(tmp_path / "ours.json")
    result.save(tmp_path / "net.safetensors")
    assert numbers(json.loads((tmp_path / "ours.json").read_text())) == numbers(theirs)
    assert (tmp_path / "net.safetensors").stat().st_size > 1000
    other = dgm.classify(folder, "sum", against=tmp_path / "ours.json", **OPTIONS)
    assert other.paired["folds"] == 3 and other.paired["difference"] == pytest.approx(other.mean - result.mean)
    with pytest.raises(ValueError, match="keep_model"):
        other.save(tmp_path / "none.safetensors")
    with pytest.raises(ValueError, match="keep_model"):
        other.predict(folder)


def test_wrong_sets_and_options(tmp_path, folder):
    with pytest.raises(dgm.Error):
        dgm.classify(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="did you mean"):
        dgm.classify(folder, epoch=3)
    with pytest.raises(ValueError):
        dgm.classify(folder, "mpr:cells=3")


def test_a_cross_validation_is_ended(folder):
    with pytest.raises(dgm.Error) as error:
        dgm.classify(folder, epochs=100000, progress=lambda stage, share: False)
    assert error.value.code == "cancelled"
