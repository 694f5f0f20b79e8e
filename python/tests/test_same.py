# SPDX-License-Identifier: Apache-2.0
"""The package gives what the program gives."""
import json
import re
import subprocess

import numpy as np
import pytest

import dgm


def by_program(program, folder, *words):
    path = folder / "summary.json"
    # A picture beside it: clusters then stand where they stand in the picture, as they do in the package.
    subprocess.run([program, "map", *words, "--quiet", "-o", str(path), "-o", str(folder / "summary.svg")], check=True)
    return path.read_text()


def without_origin(text):
    """The bytes of a summary without what says where it comes from."""
    text, sources = re.subn(r', "source": "(\\.|[^"\\])*"', "", text, count=1)
    text, origins = re.subn(r',\s*"provenance": \{.*\}\}\s*$', "}", text, flags=re.DOTALL)
    assert origins == 1 and sources <= 1
    return text


@pytest.mark.parametrize("options", [
    {},
    {"lens": "degree", "intervals": 4, "overlap": 0.3},
    {"lens": ["degree", "clustering"], "transform": ["log", "none"], "intervals": [5, 3], "overlap": 0.4, "min_size": 2},
    {"lens": "density", "edges": "structural", "eps": 0.1, "cover": "quantile", "intervals": 6, "overlap": 0.25},
    {"lens": "pagerank", "auto": False},
    {"lens": "degree", "compat": "kepler"},
    {"cover": "simplex", "lens": "degree"},
])
def test_summaries_are_those_of_the_program(program, tmp_path, options):
    words = ["karate"]
    for name, value in options.items():
        if name == "auto":
            words += ["--auto", "off"]
        elif name in ("lens", "transform") and isinstance(value, list):
            for one in value:
                words += [f"--{name}", one]
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words += [f"--{name.replace('_', '-')}", text]
    ours = dgm.map("karate", **options)
    theirs = by_program(program, tmp_path, *words)
    assert without_origin(ours.to_json()) == without_origin(theirs)


def test_a_networkx_graph_is_the_file_of_its_edges(program, tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.relabel_nodes(networkx.les_miserables_graph(), {})
    lines = [f"{u}\t{v}\t{data['weight']}" for u, v, data in graph.edges(data=True)]
    path = tmp_path / "edges.tsv"
    path.write_text("\n".join(lines) + "\n")
    ours = dgm.map(graph, lens="degree", intervals=4, overlap=0.3).to_dict()
    theirs = json.loads(by_program(program, tmp_path, str(path), "--lens", "degree", "--intervals", "4", "--overlap", "0.3"))
    assert ours["topology"] == theirs["topology"] and ours["coverage"] == theirs["coverage"]
    members = [sorted(cluster["members"]) for cluster in ours["nodes"]]
    assert sorted(members) == sorted(sorted(cluster["members"]) for cluster in theirs["nodes"])


def test_an_array_is_the_lens_of_that_file(program, tmp_path):
    values = np.random.default_rng(3).random((34, 2))
    np.save(tmp_path / "lens.npy", values)
    ours = dgm.map("karate", lens=values, intervals=4, overlap=0.3).to_dict()
    theirs = json.loads(by_program(program, tmp_path, "karate", "--lens-file", str(tmp_path / "lens.npy"), "--intervals", "4",
                                   "--overlap", "0.3"))
    assert [cluster["members"] for cluster in ours["nodes"]] == [cluster["members"] for cluster in theirs["nodes"]]


def test_what_is_chosen_for_an_array_is_what_the_program_chooses(program, tmp_path):
    values = np.random.default_rng(3).random((34, 2))
    np.save(tmp_path / "lens.npy", values)
    ours = dgm.map("karate", lens=values)
    theirs = json.loads(by_program(program, tmp_path, "karate", "--lens-file", str(tmp_path / "lens.npy")))
    assert ours.reason and set(ours.chosen) >= {"intervals", "overlap"}
    assert [cluster["members"] for cluster in ours.to_dict()["nodes"]] == [cluster["members"] for cluster in theirs["nodes"]]


@pytest.mark.parametrize("lens", [None, "communities", "degree"])
def test_a_summary_says_of_chance_what_the_program_says(program, tmp_path, lens):
    theirs = json.loads(by_program(program, tmp_path, "karate", *(["--lens", lens] if lens else [])))
    ours = dgm.map("karate", lens=lens).to_dict()
    assert ours["bits"] == theirs["bits"] and ours["cover"] == theirs["cover"]
    assert ("chance" in ours["bits"]) == (lens != "communities")  # where nothing is chosen, nothing is compared


def test_a_picture_is_that_of_the_program(program, tmp_path):
    path = tmp_path / "summary.svg"
    subprocess.run([program, "map", "karate", "--lens", "degree", "--intervals", "4", "--overlap", "0.3", "--colour", "labels",
                    "--quiet", "-o", str(path)], check=True)
    ours = dgm.map("karate", lens="degree", intervals=4, overlap=0.3, colour="labels").draw().svg
    assert ours == path.read_text()
