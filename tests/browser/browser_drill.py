#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_drill.py ADDRESS: nodes drawn on their own. Prints TAP as browser_slice.py does. The address is that of mock.mjs or
of `dgm explore`."""
import re

from browser_slice import main, the_console_is_silent
from browser_views import box_of, drag, lens_is_there, picture_of, selected, settle_frames
from steps import begin, drawn, open_cluster

MAP = "const c = document.getElementById('map'); return c.toDataURL()"


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
    assert words.split("\n")[0] in card and "luster" in card, card
    assert ("Predicted" in card) == d.visible("#open-mistakes"), card
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
    d.script("const s = document.getElementById('colour'); s.value = 'lens'; s.dispatchEvent(new Event('change'))")
    page.changed(serial)
    d.wait("other colours", "return document.querySelector('#drill-legend h2').textContent.startsWith(arguments[0])", "class" if page.is_made_up else "lens")
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
    page.settle()  # on a busy machine the panel comes late, and the map moves for it
    second = page.find(avoid=[first[:2]])
    d.pointer(second[:2], "down", "up", hold=("Shift",))
    d.wait("two clusters", "return document.querySelector('#panel h2').innerText === '2 clusters' && document.getElementById('show-nodes')")
    page.settle()
    d.click("#show-nodes")
    assert f"{drawn(page)} node" in d.text("#panel .subtitle"), d.text("#panel .subtitle")
    d.script("document.querySelector('#panel input[value=all]').click()")
    d.wait("what they share", "return document.querySelector('#panel .subtitle').innerText.includes('all of them')")
    page.settle()
    shared = int(d.text("#panel .subtitle").split(" ")[0])
    assert d.visible("#drill") == (shared > 0) == d.visible("#show-nodes"), shared
    assert not shared or drawn(page) == shared
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


def conditions_have_nodes(page):
    """Boxes of the lens, filters and fields of mistakes: what they select can be drawn, and the drawing follows them."""
    d = page.driver
    begin(page, "pane=lens")
    lens_is_there(page)
    drag(page, "#lens-plot", (0.2, 0.1), (0.7, 0.8))
    total = selected(page)
    d.click("#show-nodes")
    assert drawn(page) == total
    assert " to " in d.text("#drill-title"), d.text("#drill-title")
    page.shot("drill-lens")
    d.keys("h")
    d.wait("columns", "return document.querySelectorAll('.column .category').length > 0")
    page.settle()
    d.script("document.querySelector('.column .category').click()")
    fewer = selected(page)
    assert drawn(page) == fewer, (drawn(page), fewer)
    d.wait("the address", "return location.hash.includes('where=') && location.hash.includes('drill=')")
    page.load(d.address().split("#")[1])
    assert selected(page) == fewer and drawn(page) == fewer, "the address does not hold the nodes"
    d.keys("Escape", "Escape")
    if d.visible("#open-mistakes"):
        d.click("#open-mistakes")
        d.wait("the matrix", "return document.querySelectorAll('.matrix td button').length > 0")
        page.settle()
        d.script("document.querySelector('.matrix td.wrong button').click()")
        total = selected(page)
        d.click("#show-nodes")
        assert drawn(page) == total
        assert "called" in d.text("#drill-title"), d.text("#drill-title")
        page.shot("drill-field")


def the_lens_and_the_nodes_light_each_other(page):
    d = page.driver
    begin(page, "pane=lens")
    lens_is_there(page)
    open_cluster(page)
    d.click("#show-nodes")
    drawn(page)
    d.pointer((5, 5))
    page.settle()
    quiet = picture_of(page, "#lens-plot")
    x, y, _ = page.find(canvas="drill-map")
    d.pointer((x, y))
    page.settle()
    assert picture_of(page, "#lens-plot") != quiet, "a node under the pointer is not shown on the lens"
    page.shot("drill-hover")
    d.pointer((5, 5))
    page.settle()
    assert picture_of(page, "#lens-plot") == quiet
    quiet = picture_of(page, "#drill-map")
    left, top, width, height = box_of(page, "#lens-plot")
    for step in range(1, 19):
        d.pointer((left + 0.05 * step * width, top + (0.25 + 0.1 * (step % 5)) * height))
        settle_frames(page)
        if picture_of(page, "#drill-map") != quiet:
            break
    else:
        raise AssertionError("the lens lights no node")
    d.pointer((5, 5))
    page.settle()
    assert picture_of(page, "#drill-map") == quiet


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
    links_selections_and_piles_have_nodes, conditions_have_nodes, the_lens_and_the_nodes_light_each_other, keys_are_enough_for_nodes, dark_and_narrow_work, the_console_is_silent,
]

if __name__ == "__main__":
    main(CASES)
