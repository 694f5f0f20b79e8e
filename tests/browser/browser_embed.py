#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_embed.py PROGRAM: an exported page inside another one, as a notebook has it, tells its parent what is selected. In a
frame of any other kind it tells nobody. Prints TAP; ends with 77 where there is no browser."""
import html
import json
import os
import subprocess
import sys
import tempfile

from browser_slice import Session
from driver import Driver, Missing

PARENT = """<!doctype html><meta charset="utf-8"><title>parent</title>
<script>
window.told = [];
addEventListener("message", (event) => {
    if (event.source === document.querySelector("iframe").contentWindow) told.push(event.data);
});
</script>
<iframe sandbox="allow-scripts" style="width: 1200px; height: 800px" %s></iframe>"""


class Frame(Session):
    """A session inside the frame, and what its parent has heard."""

    def enter(self):
        self.driver._call("POST", "/frame", {"id": 0})

    def leave(self):
        self.driver._call("POST", "/frame", {"id": None})

    def wait_for(self, what, condition):
        """Waits for the last that was told to be so, and goes back into the frame."""
        self.leave()
        try:
            return self.driver.wait(what, f"const last = told[told.length - 1]; return last && ({condition}) ? JSON.stringify(last) : null")
        finally:
            self.enter()

    def heard(self):
        self.leave()
        try:
            return self.driver.script("return told.length")
        finally:
            self.enter()


def members_of(summary, cluster):
    return sorted(summary["nodes"][cluster]["members"])


def select_one(page):
    d = page.driver
    d.script("document.getElementById('map').focus()")
    d.keys("Right", "Enter")
    d.wait("the panel", "return document.querySelector('#panel')?.innerText.includes('Nodes')")


def a_cluster_is_told_with_its_members(page, summary):
    select_one(page)
    last = json.loads(page.wait_for("a selection", "last.clusters.length === 1"))
    assert last["type"] == "dgm-selection", last
    assert sorted(last["nodes"]) == members_of(summary, last["clusters"][0]), last


def a_slider_tells_what_has_become_of_it(page, _summary):
    d, serial, before = page.driver, page.serial(), page.heard()
    d.script("document.getElementById(arguments[0]).focus()", page.sliders()[0])
    d.keys("Left")
    page.changed(serial)
    page.leave()
    d.wait("another message", "return told.length > arguments[0]", before)
    page.enter()


def nothing_selected_is_told_too(page, _summary):
    page.driver.keys("Escape")
    page.driver.script("document.getElementById('map').focus()")
    page.driver.keys("Escape")
    page.wait_for("an empty selection", "last.nodes.length === 0 && last.clusters.length === 0")


def a_frame_by_address_tells_nobody(page, _summary):
    page.leave()
    page.driver.open(page.address.replace("written", "by-address"))
    page.enter()
    page.settle()
    select_one(page)
    page.settle()
    assert page.heard() == 0


CASES = [a_cluster_is_told_with_its_members, a_slider_tells_what_has_become_of_it, nothing_selected_is_told_too, a_frame_by_address_tells_nobody]


def prepare(program, folder):
    """The page, two parents of it, and the summary that it begins with."""
    path = os.path.join(folder, "papers.html")
    subprocess.run([program, "map", "papers", "--quiet", "-o", path, "-o", os.path.join(folder, "papers.json"),
                    "-o", os.path.join(folder, "papers.svg")], check=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, source in (("written", f'srcdoc="{html.escape(text)}"'), ("by-address", 'src="papers.html"')):
        with open(os.path.join(folder, f"{name}.html"), "w", encoding="utf-8") as file:
            file.write(PARENT % source)
    with open(os.path.join(folder, "papers.json"), encoding="utf-8") as file:
        return json.load(file)


def main(program):
    good = True
    with tempfile.TemporaryDirectory() as folder:
        summary = prepare(os.path.abspath(program), folder)
        try:
            driver = Driver(offline=True, still=True)
        except Missing as missing:
            print(f"skipped: {missing}")
            return 77
        with driver:
            page = Frame(driver, f"file://{folder}/written.html", still=True)
            driver.open(page.address)
            page.enter()
            page.settle()
            print(f"1..{len(CASES)}", flush=True)
            for number, case in enumerate(CASES, 1):
                try:
                    case(page, summary)
                    print(f"ok {number} - {case.__name__.replace('_', ' ')}", flush=True)
                except Exception as error:  # told, and the next case runs
                    good = False
                    print(f"not ok {number} - {case.__name__.replace('_', ' ')}\n# {error}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
