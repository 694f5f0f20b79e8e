#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_file.py PROGRAM: an exported page, opened from the disk by a browser that finds no host. What a slider shows there
is what the program gives for the command that the page names. Prints TAP; ends with 77 where there is no browser."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from browser_slice import Session
from driver import Driver, Missing


def counts_of(page):
    """Clusters, links, pieces and loops as the page writes them."""
    words = page.ledger() + " " + page.driver.text("#ledger-shape")
    found = {}
    for number, noun in re.findall(r"([\d,]+) (cluster|link|piece|loop)s?", words):
        found[noun] = int(number.replace(",", ""))
    return found


def counts_by(program, command, folder):
    """The same by the program, for a command that a page names."""
    words = shlex.split(command)
    assert words[:2] == ["dgm", "map"], command
    path = os.path.join(folder, "by-program.json")
    subprocess.run([program, *words[1:], "--quiet", "-o", path], check=True, cwd=folder)
    with open(path, encoding="utf-8") as file:
        summary = json.load(file)
    return {"cluster": len(summary["nodes"]), "link": len(summary["edges"]), "piece": summary["topology"]["b0"],
            "loop": summary["topology"]["b1"]}


def command_of(page):
    """What "Copy command" says; where there is no clipboard, it is shown."""
    d = page.driver
    d.click("#download")
    d.script("[...document.querySelectorAll('[role=menuitem]')].find(e => e.innerText.includes('Copy command')).click()")
    d.wait("the command", "return document.body.innerText.match(/dgm map [^\\n]*/)?.[0]")
    return d.script("return document.body.innerText.match(/dgm map [^\\n]*/)[0]")


def check_same(program, page, folder):
    command = command_of(page)
    ours, theirs = counts_of(page), counts_by(program, command, folder)
    assert ours == theirs, f"{command}: the page has {ours}, the program {theirs}"
    return ours


def the_file_shows_what_the_program_gives(program, page, folder):
    page.settle()
    check_same(program, page, folder)
    page.shot("file")


def a_slider_changes_it_to_what_the_program_gives(program, page, folder):
    d, before = page.driver, counts_of(page)
    for slider in page.sliders():
        serial = page.serial()
        d.script("document.getElementById(arguments[0]).focus()", slider)
        d.keys(*["Left"] * 60)
        page.changed(serial)
        check_same(program, page, folder)
    assert counts_of(page) != before, before


def a_cluster_is_described(_program, page, _folder):
    x, y, _ = page.find()
    page.driver.pointer((x, y), "down", "up")
    page.driver.wait("the panel", "return document.querySelector('#panel')?.innerText.includes('Nodes')")
    page.shot("file-panel")


def linked_views_answer_too(_program, page, _folder):
    d = page.driver
    d.keys("Escape", "v")
    d.wait("the lens", "return document.getElementById('lens-pane').dataset.serial === document.body.dataset.serial")
    d.script("document.getElementById('lens-plot').focus()")
    d.keys("Right", "Enter")
    d.wait("nodes", "return document.querySelector('#panel .subtitle')?.innerText.includes('selected')")
    page.shot("file-lens")
    d.keys("Escape", "g")
    d.wait("the grid", "const [a, b] = (document.getElementById('multiples').dataset.drawn ?? '0/1').split('/'); return a === b", seconds=60)
    page.shot("file-grid")
    d.keys("Escape")


def nodes_are_drawn_and_mapped_again(_program, page, _folder):
    d = page.driver
    d.script("document.getElementById('map').focus()")
    d.keys("Right", "n")
    d.wait("the nodes", "const e = document.getElementById('drill'); return !e.hidden && e.dataset.busy === 'false' && e.dataset.nodes > 0")
    nodes, whole, serial = int(d.script("return document.getElementById('drill').dataset.nodes")), d.text("#subtitle"), page.serial()
    page.shot("file-drill")
    d.keys("r")
    page.changed(serial)
    assert d.text("#subtitle").startswith(f"{nodes:,} node"), (d.text("#subtitle"), nodes)
    serial = page.serial()
    d.keys("u")
    page.changed(serial)
    assert d.text("#subtitle") == whole
    d.keys("Escape", "Escape")


def it_asks_for_nothing(_program, page, _folder):
    asked = page.driver.script("return performance.getEntriesByType('resource').map(e => e.name).filter(n => !/^(blob|data|file):/.test(n))")
    assert asked == [], asked
    said = page.driver.console()
    assert not said, said


CASES = [the_file_shows_what_the_program_gives, a_slider_changes_it_to_what_the_program_gives, a_cluster_is_described,
         linked_views_answer_too, nodes_are_drawn_and_mapped_again, it_asks_for_nothing]


def main(program):
    program = os.path.abspath(program)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "papers.html")
        subprocess.run([program, "map", "papers", "--quiet", "-o", path], check=True)
        try:
            driver = Driver(offline=True)
        except Missing as missing:
            print(f"skipped: {missing}")
            return 77
        with driver:
            page = Session(driver, f"file://{path}")
            driver.open(page.address)
            print(f"1..{len(CASES)}", flush=True)
            for number, case in enumerate(CASES, 1):
                try:
                    case(program, page, folder)
                    print(f"ok {number} - {case.__name__.replace('_', ' ')}", flush=True)
                except Exception as error:  # told, and the next case runs
                    good = False
                    print(f"not ok {number} - {case.__name__.replace('_', ' ')}\n# {error}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
