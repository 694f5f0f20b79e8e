#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_levels.py ADDRESS: parts mapped again, files dropped, marks pinned. Prints TAP as browser_slice.py does. The address
is that of mock.mjs or of `dgm explore`."""
import base64
import os
import re
import tempfile
import urllib.parse
import urllib.request
import zlib

from browser_slice import main, the_console_is_silent
from browser_views import drag, lens_is_there, selected
from steps import begin, drawn, open_cluster


# ---- levels ----


def a_part_is_mapped_again(page):
    d = page.driver
    begin(page)
    serial = page.serial()
    d.script("document.getElementById('intervals').focus()")
    d.keys("Right")
    page.changed(serial)
    title, whole = d.text("#title"), d.text("#subtitle")
    size = open_cluster(page)
    serial = page.serial()
    d.click("#map-again")
    page.changed(serial)
    assert d.text("#subtitle").startswith(f"{size} node"), d.text("#subtitle")
    assert d.text("#levels").strip() == title, d.text("#levels")
    assert not d.visible("#panel") and "select=" not in d.address(), d.address()
    assert d.script("return document.getElementById('undo').disabled"), "undo goes across levels"
    page.shot("level-1")
    serial = page.serial()
    d.script("document.getElementById('intervals').focus()")
    d.keys("Left", "Left", "Left", "Left")
    page.changed(serial)
    d.wait("the address", "return location.hash.includes('part=') && location.hash.includes(`intervals=${document.getElementById('intervals').value}`)")
    inner = page.ledger()
    page.load(d.address().split("#")[1])
    assert page.ledger() == inner, "the address of a part is not read"
    page.load("intervals=3&select=0")
    assert not d.visible("#panel"), "an address of the whole graph is read in a part"
    d.script("document.querySelector('#levels button').focus()")
    serial = page.serial()
    d.keys("Enter")
    page.changed(serial)
    assert d.text("#subtitle") == whole and not d.visible("#levels")
    assert "part=" not in d.address()


def levels_keep_what_was_chosen(page):
    d = page.driver
    begin(page)
    serial, before = page.serial(), page.value("intervals")
    d.script("document.getElementById('intervals').focus()")
    d.keys("Right", "Right")
    page.changed(serial)
    ledger, value = page.ledger(), page.value("intervals")
    open_cluster(page)
    title = d.text("#panel h2")
    d.click("#show-nodes")
    drawn(page)
    d.script("document.getElementById('drill-map').focus()")
    d.keys("]")
    page.settle()
    drawn(page)
    serial = page.serial()
    d.keys("r")
    page.changed(serial)
    assert not d.visible("#drill")
    assert page.value("intervals") == value, "a part has other settings than the whole"
    open_cluster(page)
    serial = page.serial()
    d.keys("r")
    page.changed(serial)
    assert d.script("return document.querySelectorAll('#levels li').length") == 2
    page.shot("level-2")
    serial = page.serial()
    d.keys("u")
    page.changed(serial)
    assert d.script("return document.querySelectorAll('#levels li').length") == 1
    serial = page.serial()
    d.click("#levels li:first-child button")
    page.changed(serial)
    assert (page.ledger(), page.value("intervals")) == (ledger, value), (page.ledger(), ledger)
    assert d.text("#panel h2") == title, "the selection is gone"
    assert d.visible("#drill"), "the nodes are not shown any more"
    d.keys("Escape")
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)
    assert page.value("intervals") == before


def levels_reset_the_linked_views(page):
    d = page.driver
    begin(page, "pane=lens&side=columns")
    lens_is_there(page)
    drag(page, "#lens-plot", (0.15, 0.1), (0.75, 0.85))
    total, whole = selected(page), d.text("#lens-said")
    d.keys("g")
    d.wait("the grid", "return !document.getElementById('multiples').hidden")
    page.settle()
    page.shot("grid")
    serial = page.serial()
    d.keys("r")
    page.changed(serial)
    lens_is_there(page)
    assert d.text("#subtitle").startswith(f"{total:,} node"), (d.text("#subtitle"), total)
    assert not d.visible("#multiples") and not d.visible("#panel") and not d.visible("#close-brush")
    assert "box=" not in d.address() and d.visible("#lens-plot")
    page.shot("level-lens")
    d.keys("h")
    d.wait("columns", "return document.querySelectorAll('.column').length > 0")
    page.settle()
    assert not d.visible(".chips")
    counts = "return [...document.querySelectorAll('.column .category .count')].reduce((n, e) => n + Number(e.innerText.replace(/[^0-9].*/, '')), 0)"
    assert d.script(counts) <= 3 * total, "counts are of the whole graph"
    drag(page, "#lens-plot", (0.3, 0.3), (0.6, 0.6))
    d.wait("a selection", "return document.querySelector('.chips') !== null")
    serial = page.serial()
    d.keys("u")
    page.changed(serial)
    lens_is_there(page)
    assert selected(page) == total and d.text("#lens-said") == whole, "the whole graph is not as it was left"
    d.keys("Escape", "Escape")


def a_lens_under_way_ends_with_its_graph(page):
    if not page.is_made_up:
        return  # No lens of the program takes so long on so small a graph.
    d = page.driver
    begin(page)
    open_cluster(page)
    d.script("const s = document.getElementById('lens'); s.value = 'gcn'; s.dispatchEvent(new Event('change'))")
    d.wait("progress", "return /training/.test(document.getElementById('progress').innerText)")
    serial = page.serial()
    d.keys("r")
    page.changed(serial)
    assert not d.visible("#progress") and d.script("return document.body.dataset.lens") == "there"
    assert d.text("#message") != "Cancelled.", d.text("#message")


def levels_leave_nothing_behind(page):
    """After many levels one key press is one change, and the page has as many elements as before."""
    d = page.driver
    begin(page)
    count = "return document.querySelectorAll('*').length"
    before = None
    for _ in range(3):
        serial = page.serial()
        open_cluster(page)
        d.keys("r")
        page.changed(serial)
        serial = page.serial()
        d.keys("u")
        page.changed(serial)
        d.keys("Escape")
        page.settle()
        before = before or d.script(count)
    assert d.script(count) == before, (d.script(count), before)
    d.script("performance.clearResourceTimings()")
    serial = page.serial()
    d.script("document.getElementById('intervals').focus()")
    d.keys("Right")
    page.changed(serial)
    asked = d.script("return performance.getEntriesByType('resource').filter(e => e.name.endsWith('/api/picture')).length")
    assert asked == 1, f"{asked} questions for one change"


def settings_are_chosen_for_a_part(page):
    d = page.driver
    begin(page)
    assert not d.visible("#choose")
    serial = page.serial()
    open_cluster(page)
    d.keys("r")
    page.changed(serial)
    before = page.value("intervals")
    if page.is_made_up:  # which takes its time
        d.click("#choose")
        d.wait("progress", "return /trying/.test(document.getElementById('progress').innerText)")
        page.shot("choosing")
        d.click("#cancel")
        d.wait("the end", "return document.getElementById('progress').hidden")
        assert page.value("intervals") == before
    serial, reasons = page.serial(), d.text("#reasons")
    d.click("#choose")
    page.changed(serial)
    assert d.text("#reasons") != reasons and "lens of the whole" not in d.text("#part-settings"), d.text("#part-settings")
    if page.is_made_up:
        assert page.value("intervals") == 4 and "fit this part" in d.text("#reasons")
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)
    assert page.value("intervals") == before
    serial = page.serial()
    d.keys("u")
    page.changed(serial)


# ---- files ----

DROP = """
const data = new DataTransfer();
for (const [name, text] of arguments[1]) data.items.add(new File([text], name));
for (const type of arguments[0].split(' ')) document.getElementById('map').dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
"""


def a_file_is_dropped(page):
    d = page.driver
    begin(page)
    title = d.text("#title")
    ring = "\n".join(f"{i} {(i + k) % 60}" for i in range(60) for k in (1, 2))
    d.script(DROP, "dragenter dragover", [["ring.edges", ring]])
    assert d.visible("#drop") and "open" in d.text("#drop")
    page.shot("drop")
    d.script(DROP, "dragleave", [["ring.edges", ring]])
    assert not d.visible("#drop")
    serial = page.serial()
    d.script(DROP, "dragenter drop", [["ring.edges", ring]])
    if page.is_made_up:
        d.wait("progress", "return !document.getElementById('progress').hidden && /reading|Reading|choosing/.test(document.getElementById('progress').innerText)")
        page.shot("opening")
    page.changed(serial)
    assert d.text("#title") == "ring.edges" and d.text("#subtitle") == "60 nodes, 120 edges", d.text(".heading")
    page.shot("opened")
    serial = page.serial()
    d.click("#go-home")
    page.changed(serial)
    assert d.text("#title") == title


def what_cannot_be_opened_is_said(page):
    d = page.driver
    begin(page)
    serial, title = page.serial(), d.text("#title")
    for files, words in (([["bad.edges", "one\ntwo three"]], "line 1"), ([["a.gml", "a b"], ["b.gml", "a b"]], "one file"), ([["empty.gml", ""]], "empty")):
        d.script("document.getElementById('message').hidden = true")
        d.script(DROP, "dragenter drop", files)
        d.wait("a complaint", "return document.getElementById('message').className === 'fault' && !document.getElementById('message').hidden")
        assert words in d.text("#message"), d.text("#message")
    page.shot("not-opened")
    assert (page.serial(), d.text("#title")) == (serial, title)
    if page.is_made_up:
        d.script(DROP, "dragenter drop", [["ring.edges", "a b\nb c\nc a"]])
        d.wait("progress", "return !document.getElementById('progress').hidden")
        d.click("#cancel")
        d.wait("the end", "return document.getElementById('progress').hidden")
        assert d.text("#title") == title
    d.click("#download")
    assert "Open a file" in d.text(".menu")
    d.keys("Escape")
    meant = [entry for entry in d.console() if entry["level"] in ("SEVERE", "WARNING") and not "api/open" in entry["message"]]
    assert not meant, meant


def a_file_of_its_own_opens_no_other(page):
    """An exported file, here of answers that were kept, says what is needed."""
    d = page.driver
    begin(page)
    if not page.is_made_up:
        return  # The program keeps its answers from others; browser_file.py has its files.

    def fetch(path, data=None):
        with urllib.request.urlopen(urllib.parse.urljoin(page.address, path), data) as reply:
            return reply.read()
    def wrap(name):
        return f'<script type="application/octet-stream" id="dgm-{name}">{base64.b64encode(zlib.compress(fetch("api/" + name, b""))).decode()}</script>'
    with tempfile.TemporaryDirectory() as folder:
        for name in ("page.js", "page.css"):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(fetch(name))
        with open(os.path.join(folder, "summary.html"), "w") as file:
            file.write(fetch("/").decode().replace("</body>", wrap("start") + wrap("picture") + "</body>"))
        d.open(f"file://{folder}/summary.html")
        page.settle()
        d.script(DROP, "dragenter dragover", [["ring.edges", "a b"]])
        assert "program" in d.text("#drop"), d.text("#drop")
        page.shot("drop-file")
        d.script(DROP, "drop", [["ring.edges", "a b"]])
        d.wait("a sentence", "return /start the program/.test(document.getElementById('message').innerText)")
        d.click("#download")
        assert "Open a file" not in d.text(".menu")
        d.console()
    d.open(page.address)


# ---- pins ----


def a_mark_is_pinned(page):
    d = page.driver
    begin(page)
    # A camera that somebody has put somewhere does not follow the marks.
    d.click("#zoom-out")
    page.settle()
    x, y, words = page.find()
    d.pointer((x, y), "down", (x + 20, y - 20), (x + 70, y - 60), "up")
    page.settle()
    assert not d.visible("#panel"), "a drag is a click, too"
    assert "pinned" in d.text("#legend")
    page.shot("pinned")
    name = words.split("\n")[0]
    d.pointer((x + 70, y - 60))
    assert d.text("#tooltip").startswith(name), d.text("#tooltip")
    serial = page.serial()
    d.script("const s = document.getElementById('colour'); s.value = 'lens'; s.dispatchEvent(new Event('change'))")
    page.changed(serial)
    d.pointer((5, 5), (x + 70, y - 60))
    assert d.visible("#tooltip") and d.text("#tooltip") == words, f"the mark has not stayed: {words} {d.text('#tooltip')}"
    d.keys("l")
    d.wait("the list", "return document.querySelectorAll('#cluster-table tbody tr').length > 3")
    assert "pinned" in d.text("#cluster-table")
    d.keys("Escape")
    page.settle()
    serial = page.serial()
    d.double_click(x + 70, y - 60)
    page.changed(serial)
    assert "pinned" not in d.text("#legend")


def to_a_cluster(page):
    """Goes by keys to a mark that is no dust."""
    for _ in range(40):
        page.driver.keys("Right")
        if not re.match(r"\d+ (small|single)", page.driver.text("#live")):
            return
    raise AssertionError("there is nothing but dust")


def pins_go_by_menu_and_keys(page):
    d = page.driver
    begin(page)
    d.script("document.getElementById('map').focus()")
    to_a_cluster(page)
    d.keys("p")
    page.settle()
    assert "pinned" in d.text("#legend")
    serial = page.serial()
    d.keys("p")
    page.changed(serial)
    assert "pinned" not in d.text("#legend")
    d.script("document.getElementById('map').focus()")
    to_a_cluster(page)
    d.keys("Up", "Up", hold=("\ue00a",))
    page.settle()
    assert "pinned" in d.text("#legend")
    d.click("#download")
    assert "1 pinned cluster" in d.text(".menu")
    serial = page.serial()
    d.script("[...document.querySelectorAll('.menu button')].find(e => e.innerText.includes('Let all go')).click()")
    page.changed(serial)
    assert "pinned" not in d.text("#legend")


def dragging_still_moves_and_selects(page):
    d = page.driver
    begin(page)
    box = d.script("const b = document.getElementById('map').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
    corner = (box[0] + box[2] - 90, box[1] + 40)
    d.pointer(corner, "down", (corner[0] - 30, corner[1] + 10), (corner[0] - 60, corner[1] + 20), "up")
    d.wait("the address", "return location.hash.includes('view=')")
    assert "pinned" not in d.text("#legend")
    at = lambda u, v: (box[0] + u * box[2], box[1] + v * box[3])
    d.click("#lasso")
    d.pointer(at(0.45, 0.15), "down", at(0.7, 0.15), at(0.9, 0.2), at(0.9, 0.85), at(0.45, 0.85), at(0.45, 0.3), "up")
    d.click("#lasso")
    d.wait("the selection", "return /clusters$/.test(document.querySelector('#panel h2')?.innerText ?? '')")
    assert "pinned" not in d.text("#legend")
    d.keys("Escape")


CASES = [
    a_part_is_mapped_again, levels_keep_what_was_chosen, levels_reset_the_linked_views, a_lens_under_way_ends_with_its_graph, levels_leave_nothing_behind,
    settings_are_chosen_for_a_part, a_file_is_dropped, what_cannot_be_opened_is_said, a_file_of_its_own_opens_no_other, a_mark_is_pinned, pins_go_by_menu_and_keys,
    dragging_still_moves_and_selects, the_console_is_silent,
]

if __name__ == "__main__":
    main(CASES)
