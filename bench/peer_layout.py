# SPDX-License-Identifier: Apache-2.0
"""peer_layout.py LINKS [LAYOUT...]: NetworkX's layouts of a file of pairs, one JSON object each; stress as bench_layout's."""
import json
import sys
import time

import networkx as nx
import numpy as np


def stress(graph, places):
    """The mean of (|x_i - x_j| / d_ij - 1)^2 over pairs, places scaled to make it least."""
    ratios = []
    for source, hops in nx.all_pairs_shortest_path_length(graph):
        ratios += [np.hypot(*(np.subtract(places[source], places[t]))) / d for t, d in hops.items() if d > 0]
    ratios = np.array(ratios)
    ratios *= ratios.sum() / (ratios**2).sum()
    return float(((ratios - 1) ** 2).mean())


graph = nx.Graph(tuple(map(int, line.split())) for line in open(sys.argv[1]))
for name in sys.argv[2:] or ["spring", "kamada_kawai"]:
    start = time.perf_counter()
    places = getattr(nx, name + "_layout")(graph, **({"seed": 1} if name == "spring" else {}))
    seconds = time.perf_counter() - start
    print(json.dumps({"peer": "networkx " + nx.__version__, "layout": name, "marks": len(graph), "links": graph.number_of_edges(),
                      "seconds": round(seconds, 4), "stress": round(stress(graph, places), 4)}))
