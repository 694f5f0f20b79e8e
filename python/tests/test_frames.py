# SPDX-License-Identifier: Apache-2.0
"""Summaries as frames, or as structured arrays where there is no pandas."""
import concurrent.futures
import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

import dgm

HAS_PANDAS = importlib.util.find_spec("pandas") is not None


def columns(frame):
    return list(frame.columns) if HAS_PANDAS else list(frame.dtype.names)


def test_nodes_edges_and_frames_agree():
    summary = dgm.map("karate", lens="degree", intervals=4, overlap=0.3)
    nodes, edges = summary.frames()
    assert columns(nodes) == list(summary.nodes.dtype.names) and columns(edges) == list(summary.edges.dtype.names)
    assert len(nodes) == len(summary) and len(edges) == len(summary.edges)
    assert list(nodes["size"]) == [len(summary.members(cluster)) for cluster in range(len(summary))]
    told = summary.to_dict()
    assert [edge["shared"] for edge in told["edges"]] == list(edges["shared"])
    assert [node["size"] for node in told["nodes"]] == list(nodes["size"])


@pytest.mark.parametrize("kind", ["classes", "probabilities", "logits"])
def test_mistakes_are_rows(kind):
    graph = dgm.graph("karate")
    truth = graph.labels
    said = truth.copy()
    wrong = [3, 7, 30]
    said[wrong] = 1 - said[wrong]
    scores = np.full((34, 2), 0.2)
    scores[np.arange(34), said] = 0.8
    scores[7] = [0.05, 0.95] if said[7] else [0.95, 0.05]
    given = {"classes": said, "probabilities": scores, "logits": np.log(scores) + 3}[kind]
    summary = dgm.map(graph, lens="degree", intervals=4, overlap=0.3, predictions=given)
    rows = summary.mistakes()
    assert columns(rows) == ["node", "truth", "prediction", "confidence", "clusters"]
    assert sorted(rows["node"]) == wrong and len(rows) == 3
    for node, was, is_said, confidence, clusters in zip(*(rows[name] for name in columns(rows))):
        assert was == graph.classes[truth[node]] and is_said == graph.classes[said[node]]
        assert all(node in summary.members(cluster) for cluster in clusters) and clusters
        assert np.isnan(confidence) if kind == "classes" else confidence == pytest.approx(0.95 if node == 7 else 0.8)
    assert kind == "classes" or rows["node"][0] == 7  # the most confident first
    counted = np.bincount([cluster for clusters in rows["clusters"] for cluster in clusters], minlength=len(summary))
    assert list(counted) == list(summary.nodes["mistakes"])


def test_mistakes_of_nodes_that_are_left_out_are_there_too():
    said = 1 - dgm.graph("karate").labels
    summary = dgm.map("karate", lens="degree", intervals=4, overlap=0.3, min_size=4, predictions=said)
    rows = summary.mistakes()
    assert len(rows) == 34 and sum(len(clusters) == 0 for clusters in rows["clusters"]) == summary.coverage["filtered"] > 0


def test_without_predictions_or_classes_there_are_no_mistakes():
    with pytest.raises(ValueError, match="no predictions"):
        dgm.map("karate", lens="degree").mistakes()
    with pytest.raises(ValueError, match="no classes"):
        dgm.map([(0, 1), (1, 2)], lens=[0, 1, 2], predictions=[0, 1, 1]).mistakes()


def test_a_lens_that_classifies_has_mistakes():
    summary = dgm.map("papers", lens="gcn:epochs=20", intervals=4, overlap=0.3)
    rows = summary.mistakes()
    assert len(rows) > 0 and set(rows["split"]) <= {"train", "val", "test", "rest"}
    assert {node for node, clusters in zip(rows["node"], rows["clusters"]) if 0 in clusters} <= set(summary.members(0))
    assert list(rows["confidence"]) == sorted(rows["confidence"], reverse=True)


def test_suggestions_are_rows():
    rows = dgm.suggest("karate")
    assert {"lens", "cover", "score", "reason", "clusters", "marks", "bits", "bits_saved"} <= set(columns(rows))
    assert all(saved < whole for saved, whole in zip(rows["bits_saved"], rows["bits"]))
    best = dgm.map("karate")
    assert str(rows["reason"][0]) == best.reason and rows["lens"][0] == best.chosen["lens"]


def test_classes_are_asked_of_clusters_that_are_there():
    summary = dgm.map("karate", lens="degree", intervals=4, overlap=0.3)
    assert sum(summary.classes(0).values()) == len(summary.members(0)) and summary.classes(0, "predictions") == {}
    for ask, error in ((lambda: summary.classes(999), IndexError), (lambda: summary.classes(-1), IndexError),
                       (lambda: summary.members(len(summary)), IndexError), (lambda: summary.classes(0, "nonsense"), ValueError),
                       (lambda: summary.draw(intervals=3), ValueError), (lambda: summary.draw(colour="nonsense"), ValueError)):
        with pytest.raises(error):
            ask()


def test_figures_keep_what_the_map_was_given():
    summary = dgm.map("karate", lens="degree", intervals=4, overlap=0.3, colour="labels", mixture="pie", names=0)
    assert summary.draw().svg == summary.draw(colour="labels", mixture="pie", names=0).svg != summary.draw(mixture="majority").svg


def test_nothing_is_a_table_without_rows():
    summary = dgm.map("karate", lens="degree", intervals=4, overlap=0.3, min_component=1000)
    assert len(summary) == len(summary.nodes) == len(summary.edges) == 0 and len(summary.nodes.dtype.names) > 2


def test_a_node_may_have_no_prediction():
    said = dgm.graph("karate").labels.copy()
    said[[3, 5]] = -1
    summary = dgm.map("karate", lens="degree", intervals=1, predictions=said)
    counted = sum(sum(summary.classes(cluster, "predictions").values()) for cluster in range(len(summary)))
    assert counted == len({node for cluster in range(len(summary)) for node in summary.members(cluster)}) - 2 == 32
    with pytest.raises(ValueError, match="-1 for none"):
        dgm.map("karate", lens="degree", intervals=1, predictions=said - 1)


def test_a_picture_is_saved_as_it_is_shown(tmp_path):
    picture = dgm.map("karate", lens="degree", intervals=4, overlap=0.3).draw(colour="labels")
    picture.save(tmp_path / "karate.svg")
    assert (tmp_path / "karate.svg").read_text(encoding="utf-8") == picture.svg == picture._repr_svg_()


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    summary = dgm.map("karate", lens="degree", intervals=4, overlap=0.3)
    path = tmp_path / "karate.json"
    path.write_text("older")
    path.chmod(0o640)
    (tmp_path / "link.json").symlink_to(path)
    summary.save(tmp_path / "link.json")
    assert path.read_text() == summary.to_json() and path.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link.json").is_symlink()
    path.write_text("older")
    limited = ("import resource, sys, dgm; summary = dgm.map('karate', lens='degree', intervals=4, overlap=0.3)\n"
               "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); summary.save(sys.argv[1])")
    done = subprocess.run([sys.executable, "-c", limited, str(path)], capture_output=True, text=True)
    assert "OSError" in done.stderr and path.read_text() == "older"
    with pytest.raises(OSError):
        summary.save(tmp_path / "nowhere" / "karate.json")
    with pytest.raises(ValueError, match="karate.txt"):
        summary.save(tmp_path / "karate.txt")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["karate.json", "link.json"]


def test_what_is_no_file_is_written_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.svg")
    picture = dgm.map("karate", lens="degree", intervals=4, overlap=0.3).draw()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        heard = pool.submit((tmp_path / "pipe.svg").read_text)
        picture.save(tmp_path / "pipe.svg")
        assert heard.result(60) == picture.svg
