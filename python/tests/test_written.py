# SPDX-License-Identifier: Apache-2.0
"""What is written down holds: examples, types, and the keyword arguments that are made from the option tables."""
import ast
import doctest
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import pathlib
import pkgutil
import runpy
import subprocess
import sys

import pytest

import dgm
from dgm import _dgm

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(dgm.__file__).parent
MODULES = ["dgm"] + sorted(f"dgm.{module.name}" for module in pkgutil.iter_modules([str(PACKAGE)]) if module.name != "_dgm")


def has(*names):
    return all(importlib.util.find_spec(name) is not None for name in names)


# Some modules, or their examples, need more than NumPy.
LARGE = {"dgm._classify": "networkx", "dgm._mapper": "scipy", "dgm._mpr": "torch", "dgm._widget": "anywidget", "dgm.pool": "scipy"}


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module):
    pytest.importorskip(LARGE.get(module, "numpy"))
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for example in doctest.DocTestFinder().find(importlib.import_module(module)):
        runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_everything_public_is_described():
    for name in dgm.__all__:
        thing = getattr(dgm, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for method, value in vars(thing).items():
                assert method.startswith("_") or inspect.getdoc(getattr(thing, method)) or not callable(value), f"{name}.{method}"


def test_keyword_arguments_are_those_of_the_option_tables():
    tool = HERE.parent.parent / "tools" / "python-options"
    if not tool.exists():
        pytest.skip("the sources of the library are not here")
    written = runpy.run_path(str(tool))["write"]()
    if os.environ.get("DGM_RECORD"):
        (HERE.parent / "src" / "dgm" / "_options.py").write_text(written, encoding="utf-8")
    assert (PACKAGE / "_options.py").read_text(encoding="utf-8") == written, (
        "DGM_RECORD=1 meson test -C build-test python writes src/dgm/_options.py again")


def test_the_extension_has_a_stub_for_everything():
    stub = ast.parse((PACKAGE / "_dgm.pyi").read_text(encoding="utf-8"))
    functions = {node.name: len(node.args.args) for node in stub.body if isinstance(node, ast.FunctionDef)}
    there = {name for name in dir(_dgm) if callable(getattr(_dgm, name)) and not isinstance(getattr(_dgm, name), type)}
    assert there - {name for name in dir(object)} <= set(functions)


def test_every_file_of_the_package_is_installed():
    build = (HERE.parent / "meson.build").read_text(encoding="utf-8")
    listed = {line.strip().strip("',") for line in build.splitlines() if line.strip().startswith("'src/dgm/")}
    assert listed == {f"src/dgm/{path.name}" for path in (HERE.parent / "src" / "dgm").iterdir() if path.is_file()}


def need_mypy():
    """Older ones know no keyword arguments by table."""
    version = importlib.metadata.version("mypy") if has("mypy") else "0"
    if tuple(map(int, version.split(".")[:2])) < (1, 7):
        pytest.skip("there is no mypy from 1.7 on")


def test_types_are_complete():
    need_mypy()
    said = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(HERE.parent / "pyproject.toml"), "-p", "dgm"],
                          capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr


WRONG = """
import dgm
dgm.map("karate", intervals="many")
dgm.map("karate", intervls=3)
dgm.map("karate", edges="nonsense")
dgm.reduce.TSNE(perplexity="x")
dgm.DeepGraphMapper(lens="degree", nonsense=1)
dgm.map("karate").draw(theme="grey")
"""
RIGHT = """
import dgm
summary: dgm.Summary = dgm.map("karate", lens=["degree", "pagerank"], intervals=[3, 4], overlap=0.3, edges="structural", names=3)
summary.draw(theme="dark", width="89mm")
made: dgm.DeepGraphMapper = dgm.DeepGraphMapper(lens="degree", transform=["log"], min_size=None).fit("karate")
places = dgm.reduce.TSNE(perplexity=5).fit_transform([[1.0]])
"""


def test_a_checker_of_types_finds_wrong_keyword_arguments(tmp_path):
    need_mypy()
    for name, code in (("wrong", WRONG), ("right", RIGHT)):
        (tmp_path / f"{name}.py").write_text(code)
        said = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(tmp_path / f"{name}.py")],
                              capture_output=True, text=True).stdout
        lines = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
        assert lines == (set(range(3, 9)) if name == "wrong" else set()), said
