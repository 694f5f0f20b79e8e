# SPDX-License-Identifier: Apache-2.0
"""The shapes of scikit-learn: mapper and reductions."""
import copy
import pickle

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


@pytest.mark.parametrize("ask", [
    lambda: dgm.DeepGraphMapper().transform([1.0]), lambda: reduce.PCA().transform([[1.0]]), lambda: reduce.TSNE().transform([[1.0]]),
    lambda: reduce.UMAP().get_feature_names_out(),
])
def test_what_is_not_fitted_says_so(ask):
    with pytest.raises(ValueError, match="not fitted yet") as found:
        ask()
    assert isinstance(found.value, AttributeError)  # with scikit-learn or without


def test_frames_have_names_that_are_kept():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(np.random.default_rng(1).random((40, 3)), columns=["a", "b", "c"])
    made = reduce.PCA().fit(table)
    assert list(made.feature_names_in_) == ["a", "b", "c"] and list(made.get_feature_names_out()) == ["pca0", "pca1"]
    with pytest.raises(ValueError, match="same order"):
        made.transform(table[["b", "a", "c"]])
    assert not hasattr(made.fit(table.to_numpy()), "feature_names_in_")
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        made.transform(table)


@pytest.mark.parametrize("kind", [reduce.PCA, reduce.TSNE])
def test_a_fitted_reduction_can_be_put_aside(kind):
    points = np.random.default_rng(3).random((60, 4))
    made = kind().fit(points)
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert np.array_equal(other.embedding_, made.embedding_)
        assert np.allclose(other.transform(points[:5]), made.transform(points[:5]))


# ---- transform ----


def test_ranks_are_those_among_the_nodes_of_the_fit():
    from dgm._mapper import ranks

    old, new = np.array([[1.0], [4], [2], [2]]), np.array([[1.0], [2], [3], [4], [0], [9]])
    assert ranks(old, new)[:, 0].tolist() == [0, 1.5, 2.25, 3, -1, 4]


@pytest.mark.parametrize("options", [
    {"intervals": 6, "overlap": 0.3}, {"intervals": 5, "overlap": 0.2, "compat": "kepler"}, {"intervals": 4, "compat": "gudhi"},
    {"cover": "quantile", "intervals": 5, "overlap": 0.4}, {"cover": "intervals:-inf..8,6..20,18..inf"}, {"cover": "gmeans"},
    {"cover": "cmo"}, {"cover": "simplex"}, {"cover": "adaptive:size=20"}, {"cover": "balls:radius=6"}, {"cover": "landmarks:k=5"},
])
def test_nodes_beside_themselves_are_where_they_are(options):
    pytest.importorskip("scipy")
    mapper = dgm.DeepGraphMapper(lens=LENS, **options).fit(RING)
    again = mapper.transform(LENS, [[i] for i in range(60)]).toarray() > 0
    old = mapper.summary_.membership.toarray() > 0
    if options.get("cover", "").startswith(("adaptive", "balls", "landmarks")):
        assert (again >= old).all()  # a cell is the box of its nodes there, which may hold more
    else:
        assert (again == old).all()


def test_a_value_lies_in_the_cells_of_the_cover_and_not_between_its_nodes():
    pytest.importorskip("scipy")
    values = np.array([0, 1, 2, 3, 4, 10.0])
    path = [(i, i + 1) for i in range(5)]
    mapper = dgm.DeepGraphMapper(lens=values, intervals=2, overlap=0).fit(path)  # [0, 5) and [5, 10]
    assert [mapper.summary_.members(c) for c in range(2)] == [[0, 1, 2, 3, 4], [5]]
    placed = mapper.transform([4.9, 5.0, 7.0, 10.0, 10.5, -0.1], [[4], [5], [5], [5], [5], [0]])
    assert placed.toarray().tolist() == [[1, 0], [0, 1], [0, 1], [0, 1], [0, 0], [0, 0]]
    assert mapper.transform([7.0], [[4]]).nnz == 0 and mapper.transform([7.0], [[]]).nnz == 0
    assert mapper.transform([7.0]).toarray().tolist() == [[0, 1]]
    for axes, neighbours in (([np.nan], [[0]]), ([1.0], [[99]]), ([1.0], [[-1]]), ([1.0], [[0], [1]]), ([[1, 2]], [[0]]), (["a"], [[0]])):
        with pytest.raises(ValueError):
            mapper.transform(axes, neighbours)


def test_most_neighbours_decide_in_two_axes():
    pytest.importorskip("scipy")
    grid = [(3 * i + j, 3 * k + m) for i in range(3) for j in range(3) for k, m in ((i + 1, j), (i, j + 1)) if k < 3 and m < 3]
    axes = np.array([(i, j) for i in range(3) for j in range(3)], float)
    mapper = dgm.DeepGraphMapper(lens=axes, intervals=2, overlap=0.2).fit(grid)
    old = mapper.summary_.membership.toarray() > 0
    assert (mapper.transform(axes, [[i] for i in range(9)]).toarray() > 0).tolist() == old.tolist()
    assert mapper.transform([[0.2, 0.3]], [[0, 1, 8]]).nnz == 1
