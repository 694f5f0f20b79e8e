# SPDX-License-Identifier: Apache-2.0
"""The page inside a notebook: an iframe, and with anywidget one that tells what is selected."""
import sys

import pytest

import dgm


@pytest.fixture(scope="module")
def summary(pages):
    networkx = pytest.importorskip("networkx")
    return dgm.map(networkx.les_miserables_graph(), lens="degree", intervals=4, overlap=0.3)


def test_without_anywidget_it_is_an_iframe(summary, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "dgm._widget", raising=False)
    shown = summary.show(height=300)
    assert shown._repr_html_().startswith("<iframe srcdoc=") and "height: 300px" in shown._repr_html_()
    assert not hasattr(shown, "selection")


def test_a_selection_comes_back_as_nodes_and_clusters(summary):
    pytest.importorskip("anywidget")
    page = summary.show()
    assert page.selection == ([], []) and page.page.startswith("<!DOCTYPE html>")
    assert {"page", "height", "told"} <= set(page.traits(sync=True))  # what the page and Python tell each other
    heard = []
    page.observe(lambda change: heard.append(change["new"]), "selection")
    page.told = {"clusters": [2], "nodes": ["Valjean", "Javert"], "settings": {"min-size": "1"}}
    assert page.selection.clusters == [2] and page.selection.nodes == ["Valjean", "Javert"]
    assert page.settings == {"min_size": "1"}
    page.told = {"clusters": [], "nodes": ["Cosette", "nobody of that name"], "settings": {}}
    assert page.selection.nodes == ["Cosette"]
    assert [len(one.nodes) for one in heard] == [2, 1]
    page.told = {"clusters": [], "nodes": [], "settings": {}}
    assert page.selection == ([], [])


def test_nodes_come_back_as_the_objects_that_they_were(pages):
    pytest.importorskip("anywidget")
    networkx = pytest.importorskip("networkx")
    graph = networkx.relabel_nodes(networkx.path_graph(5), {i: (i, "node") for i in range(5)})
    page = dgm.map(graph, lens="degree", intervals=2, overlap=0.3).show()
    page.told = {"nodes": [str((3, "node"))], "clusters": [0], "settings": {}}
    assert page.selection.nodes == [(3, "node")]
    numbers = dgm.map([(0, 1), (1, 2)], lens="degree", intervals=2, overlap=0.3).show()
    numbers.told = {"nodes": ["2", "0"], "clusters": [], "settings": {}}
    assert numbers.selection.nodes == [2, 0]


def test_a_file_of_the_notebook_has_the_page(summary):
    pytest.importorskip("anywidget")
    bundle = summary.show()._repr_mimebundle_()
    shown = bundle[0] if isinstance(bundle, tuple) else bundle
    assert shown["text/html"].startswith("<iframe srcdoc=") and "application/vnd.jupyter.widget-view+json" in shown
