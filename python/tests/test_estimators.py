# SPDX-License-Identifier: Apache-2.0
"""The checks of scikit-learn itself, and what they cannot ask of a mapper of graphs."""
import numpy as np
import pytest

import dgm
from dgm import reduce

sklearn = pytest.importorskip("sklearn", minversion="1.6")
from sklearn.base import clone  # noqa: E402
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


def test_a_pipeline_runs_through_a_reduction():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    points = np.random.default_rng(4).random((50, 5))
    assert make_pipeline(StandardScaler(), reduce.PCA(n_components=3)).fit_transform(points).shape == (50, 3)
