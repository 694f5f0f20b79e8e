# SPDX-License-Identifier: Apache-2.0
"""Clusters of a cell by an object of the caller's."""
import gc
import os
import signal
import threading
import weakref

import numpy as np
import pytest

import dgm

NODES = 60
RING = [(i, (i + 1) % NODES) for i in range(NODES)]
LENS = np.minimum(np.arange(NODES), NODES - np.arange(NODES)).astype(float)
SIDE = (np.arange(NODES) >= NODES // 2).astype(float)[:, None] * 100  # the two halves of the ring lie far apart
COVER = {"lens": LENS, "intervals": 5, "overlap": 0.3}


class Halves:
    """Splits by the first column; what is negative is noise."""

    seen: list = []

    def fit(self, rows):
        Halves.seen.append(rows)
        self.labels_ = np.where(rows[:, 0] < 0, -1, (rows[:, 0] > 50) * 7)
        return self


class Broken:
    def __init__(self, answer):
        self.answer = answer

    def fit_predict(self, rows):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer(rows)


def members(summary):
    return sorted(summary.members(cluster) for cluster in range(len(summary)))


def test_a_clusterer_splits_each_cell():
    Halves.seen = []
    clusterer = Halves()
    summary = dgm.map(RING, clusterer=clusterer, points=SIDE, **COVER)
    whole = dgm.map(RING, cluster="none", **COVER)
    halves = [[node for node in cell if (node >= NODES // 2) == side] for cell in members(whole) for side in (False, True)]
    assert members(summary) == sorted(half for half in halves if half)
    assert len(Halves.seen) == len(whole) and not hasattr(clusterer, "labels_")  # a clone for each cell
    assert summary.coverage["filtered"] == 0 and summary.to_dict()["mapper"]["cluster"] == "given"
    assert summary.reason is None


def test_noise_is_left_out_and_counted():
    points = SIDE.copy()
    points[10:20] = -1
    summary = dgm.map(RING, clusterer=Halves(), points=points, **COVER)
    coverage = summary.coverage
    assert coverage["filtered_noise"] == coverage["filtered"] == 10 and coverage["covered"] == 50 and coverage["lost"] == 0
    assert summary.to_dict()["coverage"]["filtered_by"] == {"noise": 10}
    assert not set(range(10, 20)) & {node for cluster in members(summary) for node in cluster}
    assert "left out as noise" in summary.report()


def test_rows_are_those_of_points_or_of_features_or_of_the_lens():
    Halves.seen = []
    dgm.map(RING, clusterer=Halves(), **COVER)
    assert all(rows.shape[1] == 1 and rows.dtype == np.float64 for rows in Halves.seen)
    assert {value for rows in Halves.seen for value in rows[:, 0]} == set(LENS)
    Halves.seen = []
    graph = dgm.graph("spam")
    dgm.map(graph, lens="degree", intervals=3, overlap=0.2, clusterer=Halves())
    assert all(rows.shape[1] == graph.features.shape[1] for rows in Halves.seen)
    dgm.map("karate", lens=["degree", "pagerank"], intervals=2, overlap=0.2, clusterer=Halves())
    assert Halves.seen[-1].shape[1] == 2


@pytest.mark.parametrize("answer", [
    lambda rows: [0], lambda rows: rows[:, 0] + 0.5, lambda rows: None, lambda rows: [[0]] * len(rows), lambda rows: ["a"] * len(rows),
])
def test_labels_that_are_none_are_refused(answer):
    with pytest.raises(ValueError):
        dgm.map(RING, clusterer=Broken(answer), **COVER)


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyError("x"), KeyboardInterrupt(), StopIteration()])
def test_what_a_clusterer_raises_comes_through(error):
    with pytest.raises(type(error)) as caught:
        dgm.map(RING, clusterer=Broken(error), **COVER)
    assert type(caught.value) is type(error) and caught.value.args == error.args
    assert len(dgm.map(RING, **COVER)) > 0  # the next call is as good as ever


def test_an_interrupt_ends_a_clusterer(interrupts):
    def slowly(rows):
        threading.Event().wait(0.05)
        return [0] * len(rows)

    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        dgm.map([(i, i + 1) for i in range(2000)], lens=np.arange(2001), intervals=1000, overlap=0, clusterer=Broken(slowly))


def test_nothing_is_kept_when_a_summary_goes():
    clusterer = Halves()
    gone = weakref.ref(clusterer)
    summary = dgm.map(RING, clusterer=clusterer, points=SIDE, **COVER)
    del summary, clusterer
    gc.collect()
    assert gone() is None


def test_calls_with_a_clusterer_leave_nothing():
    from test_calls import leaves_nothing

    class Plain:
        def fit_predict(self, rows):
            return np.zeros(len(rows), int)

    def fail():
        try:
            dgm.map(RING, clusterer=Broken(RuntimeError("no")), **COVER)
        except RuntimeError:
            return
        raise AssertionError("this is no error")

    assert leaves_nothing(lambda: dgm.map(RING, clusterer=Plain(), points=SIDE, **COVER), 200)
    assert leaves_nothing(fail, 200)


def test_what_makes_no_sense_is_refused():
    for options in ({"clusterer": 3}, {"clusterer": Halves}, {"clusterer": Halves(), "cluster": "louvain"}, {"points": SIDE},
                    {"clusterer": Halves(), "points": SIDE[:5]}):
        with pytest.raises((TypeError, ValueError)):
            dgm.map(RING, **COVER, **options)
    summary = dgm.map(RING, clusterer=Halves(), **COVER)
    for ask in (summary.html, summary.explore, summary.show):
        with pytest.raises(ValueError, match="page"):
            ask()
    assert "svg" in summary.draw().svg


def scikit_learn():
    pytest.importorskip("sklearn", minversion="1.3")  # the first with HDBSCAN
    return pytest.importorskip("sklearn.cluster")


@pytest.mark.parametrize("name,params", [
    ("DBSCAN", {"eps": 3, "min_samples": 2}), ("AgglomerativeClustering", {"n_clusters": 2}), ("KMeans", {"n_clusters": 2}),
    ("HDBSCAN", {"min_cluster_size": 3, "copy": True}), ("AgglomerativeClustering", {"n_clusters": None, "distance_threshold": 50}),
])
def test_clusterers_of_scikit_learn_see_two_sides(name, params):
    cluster = scikit_learn()
    summary = dgm.map(RING, clusterer=getattr(cluster, name)(**params), points=SIDE, **COVER)
    assert members(summary) == members(dgm.map(RING, clusterer=Halves(), points=SIDE, **COVER))


def test_a_mapper_takes_a_clusterer():
    cluster = scikit_learn()
    mapper = dgm.DeepGraphMapper(clusterer=cluster.DBSCAN(eps=3, min_samples=2), **COVER).fit(RING, points=SIDE)
    assert members(mapper.summary_) == members(dgm.map(RING, clusterer=cluster.DBSCAN(eps=3, min_samples=2), points=SIDE, **COVER))


def test_a_cell_that_is_too_small_is_not_asked():
    cluster = scikit_learn()
    lone = {"lens": [0.0, 1.0, 9.0], "intervals": 3, "overlap": 0}
    edges = [(0, 1), (1, 2)]
    kept = dgm.map(edges, clusterer=cluster.AgglomerativeClustering(n_clusters=2), **lone)
    assert members(kept) == [[0], [1], [2]]
    noise = dgm.map(edges, clusterer=cluster.HDBSCAN(min_cluster_size=3), **lone)
    assert len(noise) == 0 and noise.coverage["filtered_noise"] == 3
