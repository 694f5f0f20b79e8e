# SPDX-License-Identifier: Apache-2.0
"""The shapes of scikit-learn: mapper and reductions."""
import numpy as np
import pytest

import dgm
from dgm import reduce

RING = [(i, (i + 1) % 60) for i in range(60)]
LENS = np.minimum(np.arange(60), 60 - np.arange(60)).astype(float)


def test_a_mapper_keeps_its_settings():
    mapper = dgm.DeepGraphMapper(lens=LENS, intervals=6, overlap=0.3)
    params = mapper.get_params()
    assert params["lens"] is LENS and params["intervals"] == 6 and params["overlap"] == 0.3 and params["min_size"] is None
    assert mapper.fit(RING).summary_.topology["b1"] == 1
    mapper.set_params(intervals=3)
    assert mapper.get_params()["intervals"] == 3
    with pytest.raises(TypeError, match="intervls"):
        dgm.DeepGraphMapper(intervls=3)
    with pytest.raises(ValueError, match="intervls"):
        mapper.set_params(intervls=3)
    for written in (dgm.DeepGraphMapper, dgm.map):
        assert "    intervals: " in written.__doc__ and "    min_size: " in written.__doc__
    assert "    perplexity: " in reduce.TSNE.__doc__ and "    colour: " in dgm.Summary.draw.__doc__


def test_a_parameter_and_a_method_of_one_name_live_together():
    mapper = dgm.DeepGraphMapper(lens=LENS, transform="log", intervals=4, overlap=0.3).fit(RING)
    assert mapper.get_params()["transform"] == "log" and callable(mapper.transform)
    assert mapper.summary_.to_dict()["lens"]["transforms"] == ["log1p"]
    assert mapper.set_params(transform="rank").get_params()["transform"] == "rank"


def test_membership_is_that_of_the_summary():
    pytest.importorskip("scipy")
    membership = dgm.DeepGraphMapper(lens=LENS, intervals=6, overlap=0.3).fit_transform(RING)
    summary = dgm.map(RING, lens=LENS, intervals=6, overlap=0.3)
    for cluster in range(len(summary)):
        assert list(membership[:, cluster].nonzero()[0]) == summary.members(cluster)


def test_new_nodes_join_the_cluster_of_their_neighbours():
    pytest.importorskip("scipy")
    mapper = dgm.DeepGraphMapper(lens=LENS, intervals=6, overlap=0.3).fit(RING)
    old = mapper.summary_.membership
    again = mapper.transform(LENS, [[i] for i in range(60)])  # each beside itself: where it is already
    assert (again != old).nnz == 0
    far = mapper.transform([15.0], [[44]])  # its neighbour is on the other side of the ring, at the value 16
    assert set(far[0].nonzero()[1]) <= set(old[44].nonzero()[1])
    assert mapper.transform([15.0], [[0]]).nnz == 0 and mapper.transform([99.0]).nnz == 0
    with pytest.raises(ValueError):
        mapper.transform([[1, 2]])


@pytest.mark.parametrize("kind", [reduce.PCA, reduce.TSNE, reduce.UMAP, reduce.Isomap])
def test_reductions_have_the_shapes_of_scikit_learn(kind):
    points = np.random.default_rng(2).normal(size=(150, 6))
    made = kind(n_components=2)
    places = made.fit_transform(points)
    assert places.shape == (150, 2) and np.isfinite(places).all() and made.embedding_ is not None
    assert np.array_equal(kind(n_components=2).fit_transform(points), places)
    assert kind(**made.get_params()).get_params() == made.get_params()
    with pytest.raises(TypeError, match="nonsense"):
        kind(nonsense=3)
    for wrong in (np.zeros(3), np.zeros((0, 3)), np.full((5, 2), np.nan), [["a", "b"]]):
        with pytest.raises((ValueError, dgm.Error)):
            kind().fit(wrong)


def test_principal_components_are_those_of_numpy():
    points = np.random.default_rng(4).normal(size=(200, 5)) * [5, 3, 1, 1, 0.5]
    made = reduce.PCA().fit(points)
    centred = points - points.mean(axis=0)
    basis = np.linalg.svd(centred, full_matrices=False)[2][:2]
    assert np.allclose(np.abs(centred @ basis.T), np.abs(made.embedding_), atol=1e-6)
    assert np.allclose(made.transform(points), made.embedding_, atol=1e-6)


def test_new_points_get_a_place_near_their_likes():
    random = np.random.default_rng(5)
    points = np.concatenate([random.normal(size=(80, 4)), random.normal(size=(80, 4)) + 12])
    made = reduce.TSNE(n_components=2).fit(points)
    first = made.embedding_[:80].mean(axis=0), made.embedding_[80:].mean(axis=0)
    placed = made.transform(random.normal(size=(10, 4)))
    near = np.linalg.norm(placed - first[0], axis=1) < np.linalg.norm(placed - first[1], axis=1)
    assert near.all()


def test_predictions_of_ones_own_make_mistakes():
    networkx = pytest.importorskip("networkx")
    graph = networkx.karate_club_graph()
    for i in graph:
        graph.nodes[i]["label"] = graph.nodes[i]["club"]
    truth = np.array(dgm.graph(graph).labels)
    said = truth.copy()
    said[:5] = 1 - said[:5]
    summary = dgm.map(graph, lens="degree", intervals=3, overlap=0.3, predictions=said)
    assert summary.nodes["mistakes"].sum() >= 5
    assert "svg" in summary.draw(colour="error").svg
    scores = np.full((34, 2), 0.1)
    scores[np.arange(34), said] = 0.9
    assert np.array_equal(dgm.map(graph, lens="degree", intervals=3, overlap=0.3, predictions=scores).nodes["mistakes"],
                          summary.nodes["mistakes"])
    assert np.array_equal(dgm.map(graph, lens="degree", intervals=3, overlap=0.3, predictions=np.log(scores) * 3).nodes["mistakes"],
                          summary.nodes["mistakes"])
