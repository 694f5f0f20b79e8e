# SPDX-License-Identifier: Apache-2.0
"""The checks of scikit-learn itself, and what they cannot ask of a mapper of graphs."""
import copy
import pickle

import numpy as np
import pytest

import dgm
from dgm import reduce

sklearn = pytest.importorskip("sklearn", minversion="1.6")
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.utils.estimator_checks import (  # noqa: E402
    check_estimator_cloneable, check_estimator_repr, check_get_params_invariance,
    check_no_attributes_set_in_init, check_parameters_default_constructible, check_set_params, parametrize_with_checks)

RING = [(i, (i + 1) % 60) for i in range(60)]
LENS = np.minimum(np.arange(60), 60 - np.arange(60)).astype(float)

# Checks that cannot hold, with the reason.
EXPECTED = {
    "TSNE": {
        "check_transformer_general": "new points get places in a map that stays as it is, also where they are the old ones",
        "check_transformer_data_not_an_array": "as above",
        "check_fit2d_1sample": "scikit-learn asks its own TSNE for a perplexity of 0.5, which this one refuses first",
    },
}


@parametrize_with_checks([reduce.PCA(), reduce.TSNE(), reduce.UMAP(), reduce.Isomap()],
                         expected_failed_checks=lambda estimator: EXPECTED.get(type(estimator).__name__, {}))
def test_reductions_are_estimators(estimator, check):
    check(estimator)


# The other checks fit tables of points, and a mapper fits graphs.
@pytest.mark.parametrize("check", [
    check_estimator_cloneable, check_estimator_repr, check_get_params_invariance,
    check_parameters_default_constructible, check_set_params,
])
def test_a_mapper_is_an_estimator(check):
    check("DeepGraphMapper", dgm.DeepGraphMapper())


def test_a_clone_has_the_same_settings_and_nothing_else():
    from sklearn.cluster import DBSCAN

    mapper = dgm.DeepGraphMapper(lens=LENS, intervals=6, overlap=0.3, clusterer=DBSCAN(eps=2)).fit(RING)
    other = clone(mapper)
    assert other.get_params()["clusterer__eps"] == 2 and other.clusterer is not mapper.clusterer
    assert not hasattr(other, "summary_") and other.intervals == 6
    mapper.set_params(clusterer__eps=3)
    assert mapper.clusterer.eps == 3 and other.clusterer.eps == 2
    assert repr(dgm.DeepGraphMapper(lens="degree", intervals=[3, 4])) == "DeepGraphMapper(lens='degree', intervals=[3, 4])"


@pytest.mark.parametrize("ask", [
    lambda: dgm.DeepGraphMapper().transform([1.0]), lambda: reduce.PCA().transform([[1.0]]), lambda: reduce.TSNE().transform([[1.0]]),
    lambda: reduce.UMAP().get_feature_names_out(),
])
def test_what_is_not_fitted_says_so(ask):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        ask()


def test_frames_have_names_that_are_kept():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(np.random.default_rng(1).random((40, 3)), columns=["a", "b", "c"])
    made = reduce.PCA().fit(table)
    assert list(made.feature_names_in_) == ["a", "b", "c"] and list(made.get_feature_names_out()) == ["pca0", "pca1"]
    with pytest.raises(ValueError, match="same order"):
        made.transform(table[["b", "a", "c"]])
    assert not hasattr(made.fit(table.to_numpy()), "feature_names_in_")


@pytest.mark.parametrize("kind", [reduce.PCA, reduce.TSNE])
def test_a_fitted_reduction_can_be_put_aside(kind):
    points = np.random.default_rng(3).random((60, 4))
    made = kind().fit(points)
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert np.array_equal(other.embedding_, made.embedding_)
        assert np.allclose(other.transform(points[:5]), made.transform(points[:5]))


def test_a_pipeline_runs_through_a_reduction():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    points = np.random.default_rng(4).random((50, 5))
    assert make_pipeline(StandardScaler(), reduce.PCA(n_components=3)).fit_transform(points).shape == (50, 3)


# ---- transform ----


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
