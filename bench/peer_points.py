# SPDX-License-Identifier: Apache-2.0
"""peer_points.py LENS [N [OVERLAP]]: cover and nerve alone in KeplerMapper, giotto-tda and GUDHI, where they are installed.

They take points, not graphs: every preimage is one cluster, so they do strictly less than `dgm map` (no components, no links).
Prints one JSON object a peer.
"""
import json
import sys
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

warnings.filterwarnings("ignore")


class OneCluster(ClusterMixin, BaseEstimator):
    """A clusterer that does nothing, in scikit-learn's form."""

    def fit(self, points, y=None):
        self.labels_ = np.zeros(len(points), dtype=int)
        return self

    def fit_predict(self, points, y=None):
        return self.fit(points).labels_


def kepler(lens, intervals, overlap):
    import kmapper
    mapper = kmapper.KeplerMapper(verbose=0)
    cover = kmapper.Cover(n_cubes=intervals, perc_overlap=overlap)
    graph = mapper.map(lens, lens, cover=cover, clusterer=OneCluster(), remove_duplicate_nodes=False)
    return len(graph["nodes"]), f"kmapper {kmapper.__version__}"


def giotto(lens, intervals, overlap):
    import gtda
    from gtda.mapper import CubicalCover, make_mapper_pipeline
    pipeline = make_mapper_pipeline(filter_func=lambda x: x, cover=CubicalCover(n_intervals=intervals, overlap_frac=overlap),
                                    clusterer=OneCluster(), n_jobs=2, verbose=False)
    graph = pipeline.fit_transform(lens)
    return graph.vcount(), f"giotto-tda {gtda.__version__}"


def gudhi(lens, intervals, overlap):
    import gudhi as library
    from gudhi.cover_complex import MapperComplex
    complex_ = MapperComplex(input_type="point cloud", min_points_per_node=0, clustering=OneCluster(), filter_bnds=None,
                             resolutions=[intervals], gains=[overlap])
    complex_.fit(lens, filters=lens, colors=lens)
    return complex_.simplex_tree_.num_vertices(), f"gudhi {library.__version__}"


def main():
    lens = np.load(sys.argv[1]).reshape(-1, 1)
    intervals = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    overlap = float(sys.argv[3]) if len(sys.argv) > 3 else 0.2
    for name, run in (("kepler", kepler), ("giotto", giotto), ("gudhi", gudhi)):
        start = time.perf_counter()
        try:
            clusters, peer = run(lens, intervals, overlap)
        except Exception as error:  # a peer that is absent or fails is reported, not hidden
            print(json.dumps({"peer": name, "error": f"{type(error).__name__}: {error}"[:200]}))
            continue
        print(json.dumps({"peer": peer, "points": len(lens), "clusters": clusters, "map_s": time.perf_counter() - start}))


if __name__ == "__main__":
    main()
