# SPDX-License-Identifier: Apache-2.0
"""The notebooks run, and what they show in the repository is what they show when they run."""
import os
import pathlib

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

HOME = pathlib.Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(HOME.glob("*.ipynb"))
#: What a notebook needs: modules, and a folder of $DGM_DATA.
NEEDS = {
    "cora-pyg": (["torch", "torch_geometric", "scipy", "pandas"], "cora"),
    "points": (["matplotlib", "sklearn"], None),
    "pooling-pyg": (["torch", "torch_geometric", "matplotlib", "networkx", "scipy"], "PROTEINS"),
    "spam": (["pandas"], None),
}


def shown(cell):
    """The kinds of what a cell shows; what it prints counts once."""
    return sorted({kind for output in cell.get("outputs", [])
                   for kind in (output.get("data", {}) if output["output_type"] != "stream" else {output["name"]})})


def test_every_chapter_has_a_notebook():
    assert [path.stem for path in NOTEBOOKS] == sorted(NEEDS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_showed(path, monkeypatch):
    modules, data = NEEDS[path.stem]
    for name in modules:
        pytest.importorskip(name)
    if data and not (pathlib.Path(os.environ.get("DGM_DATA", "data")) / data).is_dir():
        pytest.skip(f"there is no folder {data} in $DGM_DATA")
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")  # those of other libraries
    stored = nbformat.read(path, as_version=4)
    again = nbformat.from_dict(stored)
    nbclient.NotebookClient(again, timeout=900, kernel_name="python3").execute()
    before, after = ([shown(cell) for cell in book.cells if cell.cell_type == "code"] for book in (stored, again))
    assert before == after


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_in_the_repository_is_small_and_whole(path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert path.stat().st_size < 300_000
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.execution_count, "a cell was not run"
            assert all(output["output_type"] != "error" and output.get("name") != "stderr" for output in cell.outputs)
