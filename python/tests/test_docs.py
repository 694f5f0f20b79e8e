# SPDX-License-Identifier: Apache-2.0
"""The sessions of docs/python.md, chapter by chapter, come out as printed there."""
import doctest
import importlib.util
import pathlib
import re

import pytest

import dgm

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "python.md"
# What more than NumPy a chapter may need, by words that occur in its sessions.
NEEDS = {"networkx": "networkx", "sklearn": "sklearn", "fit_transform": "scipy", "DeepGraphMapper": "scipy"}


def chapters():
    """The sessions of each chapter, in their order. A chapter may be read alone, so it is run alone."""
    found = {}
    title = ""
    if not PAGE.exists():
        return found
    for part in re.split(r"(^##+ .*$)", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE):
        if part.startswith("##"):
            title = part.lstrip("# ")
        else:
            sessions = re.findall(r"^```python\n(.*?)^```", part, flags=re.MULTILINE | re.DOTALL)
            if any(">>>" in session for session in sessions):
                found[title] = "\n".join(sessions)
    return found


def needs(sessions):
    return sorted({module for word, module in NEEDS.items() if word in sessions})


CHAPTERS = chapters()


@pytest.mark.parametrize("title", list(CHAPTERS))
def test_sessions_come_out_as_printed(title, request):
    for module in needs(CHAPTERS[title]):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"there is no {module}")
    if "explore()" in CHAPTERS[title]:
        request.getfixturevalue("pages")
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(doctest.DocTestParser().get_doctest(CHAPTERS[title], {}, title, str(PAGE), 0), out=said.append)
    assert runner.tries > 0 and runner.failures == 0, "".join(said)
