#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/reduce_clouds.txt: clouds without clusters, and how well other programs lay them out by t-SNE.

    python3 tools/oracle/reduce_clouds.py WORK > tests/data/oracle/reduce_clouds.txt

Each case is one of the clouds of bench/peer_tsne.py, to nine digits, with the exact divergences of openTSNE's and of scikit-learn's map: a sum over
all pairs, from affinities that bench/peer_tsne.py makes, at a perplexity of 30. WORK keeps the maps, and may be that of bench/peer_tsne.py.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import peer_tsne as peers  # noqa: E402

CLOUDS = ["normal-100x3", "normal-300x50", "normal-1000x10", "uniform-100x5", "uniform-500x3", "sphere-1000x4", "heavy-150x10", "onehot-100x10"]


def main():
    work = pathlib.Path(sys.argv[1])
    print("#", *(f"{name} {version}" for name, version in peers.versions().items()))
    for number in range(len(peers.CLOUDS)):
        name = peers.name_of(number)
        if name not in CLOUDS:
            continue
        table = peers.cloud(number)
        p = peers.affinities(table)
        maps = [peers.once(work / f"{name}.{peer}.npy", lambda make=make: make(table)) for peer, make in peers.PEERS.items()]
        print("case", name, *table.shape, *(f"{peers.divergence(p, y):.4f}" for y in maps))
        for row in table:
            print(" ".join(f"{x:.9g}" for x in row))


main()
