#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_drill.py ADDRESS: nodes drawn on their own, parts mapped again, files dropped, marks pinned. Prints TAP as
browser_slice.py does; the engine is that of mock.mjs."""
import base64
import os
import re
import tempfile
import urllib.parse
import urllib.request
import zlib

from browser_slice import main, the_console_is_silent

DRILL = "const d = document.getElementById('drill'); return !d.hidden && d.dataset.busy === 'false' && d.dataset.nodes !== undefined"
MAP = "const c = document.getElementById('map'); return c.toDataURL()"


def drawn(page):
    """Waits until nodes are drawn, and says how many."""
    page.driver.wait("the nodes", DRILL)
    page.settle()
    return int(page.driver.script("return document.getElementById('drill').dataset.nodes"))


def begin(page):
    """The whole graph, as it is at first."""
    page.load()
    page.driver.script("return fetch('/api/home', {method: 'POST'}).then(() => 1)")
    page.load()


def open_cluster(page):
    """Opens the largest cluster, and says how many nodes it has."""
    d = page.driver
    d.script("document.getElementById('map').focus()")
    if not d.visible("#cluster-table"):
        d.keys("l")
    d.wait("the list", "return document.querySelectorAll('#cluster-table tbody tr').length > 0")
    d.script("document.querySelector('#cluster-table .entry').click()")
    d.wait("the panel", "return document.querySelectorAll('#panel .facts').length > 0")
    page.settle()
    return int(d.text(".members .tools .count").replace(",", ""))


def colours(page, selector):
    return page.driver.script("const c = document.querySelector(arguments[0]), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                              "const s = new Set(); for (let i = 0; i < p.length; i += 4) s.add(p[i] << 16 | p[i+1] << 8 | p[i+2]); return s.size", selector)


# ---- the nodes themselves ----


def a_cluster_shows_its_nodes(page):
    d = page.driver
    begin(page)
    size = open_cluster(page)
    d.pointer((400, 870))
    before = d.script(MAP)
    d.click("#show-nodes")
    assert drawn(page) == size
    assert d.script("return document.activeElement.id") == "drill-map"
    assert "node" in d.text("#drill-counts") and d.text("#drill-title"), d.text("#drill .drill-bar")
    assert d.text("#drill-legend h2"), "no legend"
    assert colours(page, ".drill-base") > 3
    page.shot("drill")
    x, y, words = page.find(canvas="drill-map")
    assert "neighbour" in words and len(words.split("\n")) >= 3, words
    page.shot("drill-tooltip")
    d.pointer((x, y), "down", "up")
    d.wait("the card", "return /Class/.test(document.getElementById('node-card').innerText)")
    card = d.text("#node-card")
    assert words.split("\n")[0] in card and "Predicted" in card and "luster" in card, card
    page.shot("drill-node")
    d.keys("Escape")
    assert not d.visible("#node-card") and d.visible("#drill")
    d.keys("Escape")
    assert not d.visible("#drill") and d.visible("#panel")
    d.pointer((400, 870))
    page.settle()
    assert d.script(MAP) == before, "the map has changed"


def surroundings_are_added(page):
    d = page.driver
    d.keys("n")
    alone = drawn(page)
    d.click("#drill-hops label:nth-child(3)")
    d.wait("more nodes", "return Number(document.getElementById('drill').dataset.nodes) > arguments[0]", alone)
    two = drawn(page)
    assert "pale" in d.text("#drill-legend")
    page.shot("drill-hops")
    d.script("document.getElementById('drill-map').focus()")
    d.keys("[")
    d.wait("fewer nodes", "return Number(document.getElementById('drill').dataset.nodes) < arguments[0]", two)
    assert alone < drawn(page) < two
    d.keys("]")
    d.wait("more nodes", "return Number(document.getElementById('drill').dataset.nodes) === arguments[0]", two)
    d.wait("the address", "return location.hash.includes('drill=2')")
    page.load(d.address().split("#")[1])
    assert drawn(page) == two, "the address does not hold the surroundings"


def one_node_has_surroundings(page):
    d = page.driver
    x, y, words = page.find(canvas="drill-map")
    d.pointer((x, y), "down", "up")
    d.wait("the card", "return document.querySelectorAll('#node-card .entry').length > 0")
    before = drawn(page)
    d.click("#node-around")
    d.wait("fewer", "return Number(document.getElementById('drill').dataset.nodes) !== arguments[0]", before)
    drawn(page)
    assert d.text("#drill-title") == words.split("\n")[0]
    page.shot("drill-around")
    d.keys("Escape")
    d.wait("all of them", "return Number(document.getElementById('drill').dataset.nodes) === arguments[0]", before)
    assert not d.visible("#drill-outer")


def the_drawing_is_moved_and_zoomed(page):
    d = page.driver
    box = d.script("const b = document.getElementById('drill-map').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
    x, y = box[0] + box[2] * 0.6, box[1] + box[3] * 0.6
    drawn(page)
    first = d.script("return document.querySelector('.drill-base').toDataURL()")
    d.pointer((x, y), "down", (x + 40, y + 20), (x + 80, y + 40), "up")
    page.settle()
    second = d.script("return document.querySelector('.drill-base').toDataURL()")
    d.wheel(x, y, -240)
    d.wheel(x, y, -240)
    page.settle()
    third = d.script("return document.querySelector('.drill-base').toDataURL()")
    assert len({first, second, third}) == 3
    page.shot("drill-zoomed")
    d.click("#fit")
    page.settle()
    assert d.script("return document.querySelector('.drill-base').toDataURL()") == first
    d.click("#zoom-in")
    d.keys("Escape")
    assert not d.visible("#drill")


def the_drawing_follows(page):
    """Another selection, another colour and another cover: the nodes are those of what is selected then."""
    d = page.driver
    begin(page)
    size = open_cluster(page)
    d.click("#show-nodes")
    assert drawn(page) == size
    serial = page.serial()
    d.script("const s = document.getElementById('colour'); s.value = 'prediction'; s.dispatchEvent(new Event('change'))")
    page.changed(serial)
    d.wait("other colours", "return document.querySelector('#drill-legend h2').textContent === 'prediction'")
    assert drawn(page) == size
    title = d.text("#panel .subtitle")
    d.script("document.querySelector('#panel .links .entry').click()")
    d.wait("another cluster", "return document.querySelector('#panel .subtitle').innerText !== arguments[0]", title)
    page.settle()
    now = d.script("return Number(document.querySelector('.members .tools .count').innerText.replace(',', ''))")
    assert drawn(page) == now
    serial = page.serial()
    d.script("document.getElementById('intervals').focus()")
    d.keys("Left", "Left")
    page.changed(serial)
    drawn(page)
    assert d.script("return document.getElementById('drill').dataset.serial") == str(page.serial())
    d.keys("Escape")
    page.load()


def members_and_matches_are_shown_in_it(page):
    d = page.driver
    begin(page)
    open_cluster(page)
    d.click("#show-nodes")
    drawn(page)
    d.script("document.querySelector('#panel .line').scrollIntoView({block: 'center'})")
    name = d.text("#panel .line .name")
    d.click("#panel .line .name")
    d.wait("the card", "return document.querySelector('#node-card h2')?.textContent === arguments[0]", name)
    d.keys("Escape")
    top = "return document.getElementById('drill-map').toDataURL()"
    d.pointer((5, 5))
    page.settle()
    before = d.script(top)
    d.keys("/")
    d.keys("1", "4")
    d.wait("matches", "return document.querySelectorAll('#search-results .entry').length > 0")
    page.settle()
    assert d.script(top) != before, "no node is lit"
    page.shot("drill-search")
    d.keys("Escape")
    d.pointer((5, 5))
    page.settle()
    assert d.script(top) == before, "nodes stay lit"
    d.script("document.querySelector('#drill-legend .entry').focus()")
    d.keys("Escape")


def links_selections_and_piles_have_nodes(page):
    d = page.driver
    begin(page)
    x, y, words = page.find("link")
    d.pointer((x, y), "down", "up")
    d.wait("the link", "return document.querySelectorAll('#panel .pairs, #panel .members').length > 0")
    page.settle()
    shared = int(re.match(r"([\d,]+) shared", d.text("#panel .subtitle")).group(1))
    d.click("#show-nodes")
    assert drawn(page) == shared
    page.shot("drill-link")
    d.keys("Escape", "Escape")
    page.settle()
    first = page.find()
    d.pointer(first[:2], "down", "up")
    page.settle()
    page.settle()
    first = page.find()
    d.pointer(first[:2], "down", "up")
    second = page.find(avoid=[first[:2]])
    d.pointer(second[:2], "down", "up", hold=("Shift",))
    d.wait("two clusters", "return document.querySelector('#panel h2').innerText === '2 clusters' && document.getElementById('show-nodes')")
    page.settle()
    d.click("#show-nodes")
    assert f"{drawn(page)} node" in d.text("#panel .subtitle"), d.text("#panel .subtitle")
    d.script("document.querySelector('#panel input[value=all]').click()")
    page.settle()
    d.keys("Escape")
    page.load()
    d.keys("l")
    d.wait("the list", "return document.querySelectorAll('#cluster-table tbody tr').length > 3")
    d.script("[...document.querySelectorAll('#cluster-table .entry')].find(e => e.querySelector('.pile')).click()")
    d.wait("members of the pile", "return document.querySelectorAll('#panel .line').length > 0")
    page.settle()
    total = int(d.text(".members .tools .count").replace(",", ""))
    page.shot("pile")
    d.click("#show-nodes")
    assert drawn(page) == total
    d.keys("Escape")
    name = d.text("#panel .line .name")
    d.script("const s = document.querySelector('.members input[type=search]'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", name)
    d.wait("matches", "return document.querySelector('.members .tools .count').innerText.includes('found')")
    assert name in d.text("#panel .line .name")


def keys_are_enough_for_nodes(page):
    d = page.driver
    begin(page)
    d.script("document.getElementById('map').focus()")
    d.keys("Right", "n")
    drawn(page)
    d.keys("Right")
    assert "neighbour" in d.text("#live"), d.text("#live")
    seen = set()
    for _ in range(30):
        d.keys("Tab")
        seen.add(d.script("return document.activeElement.id || document.activeElement.name"))
    assert {"drill-back", "hops", "drill-focus"} <= seen and "map" not in seen, sorted(seen)
    d.script("document.getElementById('drill-map').focus()")
    d.keys("Left", "Down", "Right", "Up", "Enter")
    d.wait("the card", "return !document.getElementById('node-card').hidden")
    page.shot("drill-keys")
    d.keys("Escape", "Escape")
    assert not d.visible("#drill") and d.script("return document.activeElement.id") == "map"
    rows = d.script("return document.querySelectorAll('#drill table tbody tr').length")
    assert rows > 1, "no table for those who do not see the drawing"


# ---- levels ----


def a_part_is_mapped_again(page):
    d = page.driver
    begin(page)
    serial = page.serial()
    d.script("document.getElementById('intervals').focus()")
    d.keys("Right")
    page.changed(serial)
    ledger = page.ledger()
    size = open_cluster(page)
    serial = page.serial()
    d.click("#map-again")
    page.changed(serial)
    assert d.text("#subtitle").startswith(f"{size} node"), d.text("#subtitle")
    assert d.text("#levels").strip() == "ring world", d.text("#levels")
    assert not d.visible("#panel") and "select=" not in d.address(), d.address()
    assert d.script("return document.getElementById('undo').disabled"), "undo goes across levels"
    page.shot("level-1")
    serial = page.serial()
    d.script("document.getElementById('intervals').focus()")
    d.keys("Left", "Left", "Left", "Left")
    page.changed(serial)
    d.wait("the address", "return location.hash.includes('part=')")
    inner = page.ledger()
    page.load(d.address().split("#")[1])
    assert page.ledger() == inner, "the address of a part is not read"
    page.load("intervals=3&select=0")
    assert not d.visible("#panel"), "an address of the whole graph is read in a part"
    d.script("document.querySelector('#levels button').focus()")
    serial = page.serial()
    d.keys("Enter")
    page.changed(serial)
    assert d.text("#subtitle").startswith("900 nodes") and not d.visible("#levels")
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
    assert page.value("intervals") == before
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


def levels_leave_nothing_behind(page):
    """After many levels one key press is one change, and the page has as many elements as before."""
    d = page.driver
    begin(page)
    count = "return document.querySelectorAll('*').length"
    before = None
    for _ in range(5):
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
    d.click("#choose")
    d.wait("progress", "return /trying/.test(document.getElementById('progress').innerText)")
    page.shot("choosing")
    d.click("#cancel")
    d.wait("the end", "return document.getElementById('progress').hidden")
    assert page.value("intervals") == before
    serial = page.serial()
    d.click("#choose")
    page.changed(serial)
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
    ring = "\n".join(f"{i} {(i + k) % 60}" for i in range(60) for k in (1, 2))
    d.script(DROP, "dragenter dragover", [["ring.edges", ring]])
    assert d.visible("#drop") and "open" in d.text("#drop")
    page.shot("drop")
    d.script(DROP, "dragleave", [["ring.edges", ring]])
    assert not d.visible("#drop")
    serial = page.serial()
    d.script(DROP, "dragenter drop", [["ring.edges", ring]])
    d.wait("progress", "return !document.getElementById('progress').hidden && /reading|Reading|choosing/.test(document.getElementById('progress').innerText)")
    page.shot("opening")
    page.changed(serial)
    assert d.text("#title") == "ring" and d.text("#subtitle") == "60 nodes, 120 edges", d.text(".heading")
    page.shot("opened")
    serial = page.serial()
    d.click("#go-home")
    page.changed(serial)
    assert d.text("#title") == "ring world"


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
    d.script(DROP, "dragenter drop", [["ring.edges", "a b\nb c\nc a"]])
    d.wait("progress", "return !document.getElementById('progress').hidden")
    d.click("#cancel")
    d.wait("the end", "return document.getElementById('progress').hidden")
    assert d.text("#title") == title
    d.click("#download")
    assert "Open a file" in d.text(".menu")
    d.keys("Escape")
    meant = [entry for entry in d.console() if entry["level"] in ("SEVERE", "WARNING") and not re.search("status of 4(00|09)", entry["message"])]
    assert not meant, meant


def a_file_of_its_own_opens_no_other(page):
    """An exported file, here of answers that were kept, says what is needed."""
    d = page.driver
    begin(page)
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
    d.pointer((x + 71, y - 60))
    assert d.text("#tooltip") == words, f"the mark has not stayed: {words} {d.text('#tooltip')}"
    d.keys("l")
    d.wait("the list", "return document.querySelectorAll('#cluster-table tbody tr').length > 3")
    assert "pinned" in d.text("#cluster-table")
    d.keys("Escape")
    page.settle()
    serial = page.serial()
    d.double_click(x + 71, y - 60)
    page.changed(serial)
    assert "pinned" not in d.text("#legend")


def pins_go_by_menu_and_keys(page):
    d = page.driver
    begin(page)
    d.script("document.getElementById('map').focus()")
    d.keys("Right", "p")
    page.settle()
    assert "pinned" in d.text("#legend")
    serial = page.serial()
    d.keys("p")
    page.changed(serial)
    assert "pinned" not in d.text("#legend")
    d.script("document.getElementById('map').focus()")
    d.keys("Right")
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


# ---- looks ----


def dark_and_narrow_work(page):
    d = page.driver
    begin(page)
    open_cluster(page)
    d.click("#show-nodes")
    drawn(page)
    serial = page.serial()
    d.click("#dark")
    page.changed(serial)
    drawn(page)
    corner = d.script("const c = document.querySelector('.drill-base'); return [...c.getContext('2d').getImageData(c.width - 8, c.height - 8, 1, 1).data]")
    assert max(corner[:3]) < 60, corner
    x, y, _ = page.find(canvas="drill-map")
    d.pointer((x, y), "down", "up")
    d.wait("the card", "return /Class/.test(document.getElementById('node-card').innerText)")
    page.shot("drill-dark")
    d.click("#dark")
    for width, height in ((1024, 700), (390, 844)):
        d.resize(width, height)
        page.load()
        d.script("document.getElementById('map').focus()")
        d.keys("Right", "Right", "n")
        drawn(page)
        assert d.script("return document.documentElement.scrollWidth <= innerWidth"), f"{width} is too narrow"
        page.shot(f"drill-{width}")
        serial = page.serial()
        d.keys("r")
        page.changed(serial)
        assert d.script("return document.documentElement.scrollWidth <= innerWidth"), f"{width} is too narrow"
        page.shot(f"level-{width}")
        serial = page.serial()
        d.click("#levels button")
        page.changed(serial)
    d.resize(1440, 900)


CASES = [
    a_cluster_shows_its_nodes, surroundings_are_added, one_node_has_surroundings, the_drawing_is_moved_and_zoomed, the_drawing_follows, members_and_matches_are_shown_in_it,
    links_selections_and_piles_have_nodes, keys_are_enough_for_nodes, a_part_is_mapped_again, levels_keep_what_was_chosen, levels_leave_nothing_behind,
    settings_are_chosen_for_a_part, a_file_is_dropped, what_cannot_be_opened_is_said, a_file_of_its_own_opens_no_other, a_mark_is_pinned, pins_go_by_menu_and_keys,
    dragging_still_moves_and_selects, dark_and_narrow_work, the_console_is_silent,
]

if __name__ == "__main__":
    main(CASES)
