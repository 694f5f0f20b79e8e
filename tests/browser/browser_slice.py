#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_slice.py ADDRESS: uses the page at an address as a person would, in a headless Chromium, and prints TAP.

The address is that of `dgm explore` with its token, or of mock.mjs. DGM_BROWSER_SHOTS names a folder that keeps a picture
of each view. Ends with 77 where there is no browser."""
import os
import re
import sys
import time
import traceback
import urllib.parse

from driver import Driver, Missing

SHOTS = os.environ.get("DGM_BROWSER_SHOTS")

# Goes over the map with made-up movements until a tooltip appears, and returns where. 'mark' or 'link'; skips what
# lies near places found before.
FIND = """
const [kind, avoid, id] = arguments;
const map = document.getElementById(id), tip = document.getElementById('tooltip'), box = map.getBoundingClientRect();
const over = (x, y) => document.elementFromPoint(x, y) === map;
for (let step = 24; step >= 6; step /= 2)
  for (let y = box.top + step; y < box.bottom; y += step)
    for (let x = box.left + step; x < box.right; x += step) {
      if (!over(x, y) || avoid.some(([ax, ay]) => Math.hypot(ax - x, ay - y) < 130)) continue;
      map.dispatchEvent(new PointerEvent('pointermove', {clientX: x, clientY: y, pointerType: 'mouse', bubbles: true}));
      if (tip.hidden) continue;
      const isLink = tip.innerText.includes('between');
      const isPile = /^\\d[\\d,]* (small|single)/.test(tip.innerText);
      if (isLink === (kind === 'link') && !isPile) return [x, y, tip.innerText];
    }
return null;
"""


# Ends when nothing has changed for as long as this, in milliseconds.
CALM = """
const [quiet] = arguments;
return new Promise((done) => {
  const began = performance.now();
  let last = began;
  const watch = new MutationObserver(() => (last = performance.now()));
  watch.observe(document.documentElement, {subtree: true, childList: true, attributes: true, characterData: true});
  const look = () => {
    const now = performance.now();
    if (now - last < quiet && now - began < 2000) return setTimeout(look, 10);
    watch.disconnect();
    done();
  };
  look();
});
"""


class Session:
    """The page, with words for what people do. `still`: nothing flies, so that there is less to wait for."""

    def __init__(self, driver, address, still=False):
        self.driver = driver
        self.address = address
        self.still = still

    def load(self, fragment=""):
        parts = urllib.parse.urlsplit(self.driver.address())
        self.driver.open("about:blank")
        self.driver.open(f"{parts.scheme}://{parts.netloc}/#{fragment}" if fragment else self.address)
        self.settle()

    def settle(self):
        """Waits until no picture is under way and the panel has followed."""
        self.driver.wait("a picture", "return document.body.dataset.serial !== undefined && document.body.dataset.busy === 'false'")
        self.driver.script(CALM, 120 if self.still else 320)

    def serial(self):
        return int(self.driver.script("return document.body.dataset.serial"))

    def changed(self, before):
        self.driver.wait("another picture", "return Number(document.body.dataset.serial) > arguments[0]", before)
        self.settle()

    def ledger(self):
        return self.driver.text("#ledger-counts")

    def find(self, kind="mark", avoid=(), canvas="map"):
        found = self.driver.script(FIND, kind, list(avoid), canvas)
        assert found, f"the map shows no {kind}"
        return found

    def shot(self, name):
        if SHOTS:
            os.makedirs(SHOTS, exist_ok=True)
            self.driver.screenshot(os.path.join(SHOTS, f"{name}.png"))

    def sliders(self):
        return self.driver.script("return [...document.querySelectorAll('#controls input[type=range]')].filter(e => e.offsetParent).map(e => e.id)")

    def value(self, slider):
        return float(self.driver.script("return document.getElementById(arguments[0]).value", slider))


# ---- what must hold ----


def the_page_shows_a_map(page):
    page.load()
    d = page.driver
    assert "cluster" in page.ledger(), page.ledger()
    assert d.text("#title"), "the graph has no title"
    assert "token" not in d.address(), d.address()
    for part in ("#ledger-nodes", "#ledger-edges", "#ledger-shape", "#ledger-time", "#legend"):
        assert d.text(part), f"{part} is empty"
    ink = d.script("const c = document.getElementById('map'), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                   "const s = new Set(); for (let i = 0; i < p.length; i += 44) s.add(p[i] << 16 | p[i+1] << 8 | p[i+2]); return s.size")
    assert ink > 8, f"the map has {ink} colours"
    page.shot("map")


def every_slider_moves_by_keys(page):
    d = page.driver
    sliders = page.sliders()
    assert len(sliders) >= 2, sliders
    for slider in sliders:
        before, serial = page.value(slider), page.serial()
        d.script("document.getElementById(arguments[0]).focus()", slider)
        d.keys("Right", "Right", "Right")
        page.changed(serial)
        assert page.value(slider) != before, f"{slider} stayed at {before}"
    page.shot("sliders")


def every_slider_moves_by_pointer(page):
    d = page.driver
    for slider in page.sliders():
        before, serial = page.value(slider), page.serial()
        box = d.script("const e = document.getElementById(arguments[0]); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]", slider)
        x, y = box[0] + 0.3 * box[2], box[1] + box[3] / 2
        d.pointer((x, y), "down", (x + 12, y), (x + 24, y), "up")
        page.changed(serial)
        assert page.value(slider) != before, f"{slider} stayed at {before}"


def changes_are_taken_back(page):
    d = page.driver
    page.load()
    first = page.ledger()
    slider = page.sliders()[0]
    before = page.value(slider)
    serial = page.serial()
    d.script("document.getElementById(arguments[0]).focus()", slider)
    d.keys(*["Left"] * 8)
    page.changed(serial)
    assert page.value(slider) < before
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)
    assert (page.value(slider), page.ledger()) == (before, first), (page.value(slider), page.ledger(), first)
    serial = page.serial()
    d.keys("z", hold=("Control", "Shift"))
    page.changed(serial)
    assert page.value(slider) < before
    serial = page.serial()
    d.click("#undo")
    page.changed(serial)


def links_and_colours_change(page):
    d = page.driver
    serial = page.serial()
    d.click("#controls input[name=edges][value=structural]")
    page.changed(serial)
    assert "eps" in page.sliders(), "structural edges have no eps"
    serial, before = page.serial(), page.value("eps")
    d.script("document.getElementById('eps').focus()")
    d.keys("Right", "Right")
    page.changed(serial)
    assert page.value("eps") > before
    page.shot("structural")
    serial = page.serial()
    d.script("document.querySelector('#controls input[name=edges][value=nerve]').focus()")
    d.click("#controls input[name=edges][value=nerve]")
    page.changed(serial)
    for value in d.script("return [...document.getElementById('colour').options].map(o => o.value)"):
        serial = page.serial()
        d.script("const s = document.getElementById('colour'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", value)
        page.changed(serial)
        assert d.text("#legend h2"), f"no legend for {value}"
        page.shot("colour-" + value.replace(":", "-"))
    page.load()


def a_click_opens_a_cluster(page):
    d = page.driver
    x, y, words = page.find()
    page.shot("tooltip")
    d.pointer((x, y), "down", "up")
    d.wait("the panel", "return !document.getElementById('panel').hidden && document.querySelectorAll('#panel .line').length > 0")
    page.settle()
    name, size = words.split("\n")[0], words.split("\n")[1].split(" ")[0]
    facts = d.text("#panel")
    assert name in facts and f"{size} " in d.text("#panel .facts"), (name, size, facts[:300])
    assert d.text(".members .tools .count") == size, (d.text(".members .tools .count"), size)
    for heading in ("On the lens", "Neighbours", "Members"):
        assert heading in facts, f"the panel says nothing of '{heading}'"
    page.shot("cluster")


def members_are_searched(page):
    d = page.driver
    first = d.text("#panel .line .name")
    d.script("const s = document.querySelector('.members input[type=search]'); s.focus(); s.scrollIntoView()")
    d.keys(*first)
    d.wait("matches", "return document.querySelector('.members .tools .count').innerText.includes('found')")
    assert first in d.text("#panel .line .name")
    d.keys("Q", "~", "Q")
    d.wait("no match", "return document.querySelectorAll('#panel .line').length === 0")


def mistakes_are_sorted_out(page):
    d = page.driver
    if not d.visible("#open-mistakes"):
        return
    d.script("document.querySelector('.members input[type=search]').value = ''")
    d.script("document.querySelector('input[name=only-mistakes]').click()")
    d.wait("mistakes", "const rows = [...document.querySelectorAll('#panel .line')]; return rows.every(row => row.classList.contains('wrong'))")
    wrong = d.script("return [...document.querySelectorAll('.facts dd')].map(e => e.innerText).find(t => t.includes('judged'))")
    assert wrong and d.text(".members .tools .count") == wrong.split(" ")[0], (wrong, d.text(".members .tools .count"))
    d.script("document.querySelector('input[name=only-mistakes]').click()")


def neighbours_are_opened(page):
    d = page.driver
    before = d.text("#panel .subtitle")
    d.script("document.querySelector('#panel .links .entry').scrollIntoView({block: 'center'})")
    d.click("#panel .links .entry")
    d.wait("another cluster", "return document.querySelector('#panel .subtitle').innerText !== arguments[0]", before)
    page.settle()


def what_is_refused_is_said(page):
    d = page.driver
    page.load()
    counts, serial = page.ledger(), page.serial()
    box = "document.querySelector('[data-option=overlap] input.number')"
    d.script(f"const b = {box}; b.focus(); b.select()")
    d.keys("7", "Enter")
    d.wait("a complaint", "return [...document.querySelectorAll('.fault')].some(e => e.innerText.length > 10)")
    assert (page.ledger(), page.serial()) == (counts, serial)
    page.shot("refused")
    d.script(f"const b = {box}; b.focus(); b.select()")
    d.keys("0", ".", "3", "Enter")
    page.changed(serial)
    assert not d.script("return [...document.querySelectorAll('.fault')].some(e => e.innerText)")
    assert "No cluster is left" not in d.text("#message")
    page.load("min-size=1000000")
    d.wait("a word about it", "return /No cluster is left/.test(document.getElementById('message').innerText)")
    page.load("overlap=nonsense&select=99999999")
    assert "cluster" in page.ledger()
    # The browser calls the refusals errors; they were meant.
    meant = [entry for entry in d.console() if not re.search("status of 4(00|09)", entry["message"])]
    assert not meant, meant
    page.load()


def the_address_holds_the_state(page):
    d = page.driver
    slider = page.sliders()[-1]
    serial = page.serial()
    d.script("document.getElementById(arguments[0]).focus()", slider)
    d.keys("Left", "Left")
    page.changed(serial)
    d.keys("+")
    d.script("return new Promise(done => setTimeout(done, 700))")
    fragment = urllib.parse.urlsplit(d.address()).fragment
    assert "select=" in fragment and "view=" in fragment, fragment
    seen = (page.value(slider), page.ledger(), d.text("#panel h2"), d.text("#panel .subtitle"))
    page.load(fragment)
    d.wait("the panel", "return !document.getElementById('panel').hidden")
    again = (page.value(slider), page.ledger(), d.text("#panel h2"), d.text("#panel .subtitle"))
    assert seen == again, (seen, again)
    assert urllib.parse.urlsplit(d.address()).fragment == fragment, (d.address(), fragment)
    d.keys("Escape")
    d.wait("no panel", "return document.getElementById('panel').hidden")
    page.load()


def a_click_opens_a_link(page):
    d = page.driver
    x, y, words = page.find("link")
    d.pointer((x, y), "down", "up")
    d.wait("the panel", "return document.querySelector('#panel .subtitle')?.innerText.includes('between')")
    page.settle()
    shared = words.split("\n")[1].split(" ")[0]
    assert d.text("#panel .subtitle").startswith(shared + " shared"), (words, d.text("#panel .subtitle"))
    page.shot("link")
    d.keys("Escape")


def a_lasso_selects(page):
    d = page.driver
    box = d.script("const b = document.getElementById('map').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]")
    at = lambda u, v: (box[0] + u * box[2], box[1] + v * box[3])
    d.click("#lasso")
    d.pointer(at(0.45, 0.15), "down", at(0.7, 0.15), at(0.9, 0.2), at(0.9, 0.85), at(0.45, 0.85), at(0.45, 0.3), "up")
    d.click("#lasso")
    d.wait("the selection", "return /clusters$/.test(document.querySelector('#panel h2')?.innerText ?? '')")
    page.settle()
    union = d.text("#panel .subtitle")
    assert "in any" in union, union
    page.shot("lasso")
    d.click("#panel input[value=all]")
    d.wait("what they share", "return document.querySelector('#panel .subtitle').innerText.includes('in all')")
    d.keys("Escape")
    # The panel makes the map narrower, so that marks are looked for again when it has closed or opened.
    page.settle()
    for _ in range(2):
        first = page.find()
        d.pointer(first[:2], "down", "up")
        d.wait("the panel", "return document.querySelectorAll('#panel .facts').length > 0")
        page.settle()
    d.pointer(page.find(avoid=[first[:2]])[:2], "down", "up", hold=("Shift",))
    d.wait("two clusters", "return document.querySelector('#panel h2').innerText === '2 clusters'")
    d.keys("Escape")


def a_search_lights_clusters(page):
    d = page.driver
    page.load()
    d.keys("/")
    assert d.script("return document.activeElement.id") == "search"
    d.keys("1")
    d.wait("results", "return document.querySelectorAll('#search-results .entry').length > 0")
    assert "cluster" in d.text("#search-results .note")
    page.shot("search")
    d.keys("Down", "Enter")
    d.wait("the panel", "return !document.getElementById('panel').hidden")
    d.keys("/")
    d.keys("Escape")
    assert d.script("return document.getElementById('search').value") == ""


def lists_are_shown(page):
    d = page.driver
    page.load()
    d.keys("l")
    d.wait("the list", "return document.querySelectorAll('#cluster-table tbody tr').length > 3")
    sizes = d.script("return [...document.querySelectorAll('#cluster-table tbody tr td:nth-child(2)')].map(e => Number(e.innerText.replaceAll(',', '')))")
    assert sizes == sorted(sizes, reverse=True), sizes
    page.shot("list")
    d.click("#cluster-table th:nth-child(3) button")
    links = d.script("return [...document.querySelectorAll('#cluster-table tbody tr td:nth-child(3)')].map(e => Number(e.innerText.replaceAll(',', '')))")
    assert links == sorted(links, reverse=True), links
    d.keys("b")
    d.wait("bridges", "return document.querySelector('#panel h2').innerText === 'Bridges'")
    page.shot("bridges")
    d.keys("Escape")


def truth_and_prediction_stand_side_by_side(page):
    d = page.driver
    page.load()
    if not d.visible("#open-mistakes"):
        return
    d.keys("m")
    d.wait("mistakes", "return document.querySelector('#panel h2').innerText === 'Mistakes'")
    serial = page.serial()
    d.click("#split")
    page.changed(serial)
    size = "const b = document.getElementById(arguments[0]).getBoundingClientRect(); return [b.width, b.height]"
    assert d.script(size, "map") == d.script(size, "twin") or abs(d.script(size, "map")[0] - d.script(size, "twin")[0]) < 2
    page.shot("side-by-side")
    x, y, _ = page.find()
    width = d.script(size, "map")[0]
    d.pointer((x + width, y), "down", "up")
    d.wait("the cluster", "return document.querySelectorAll('#panel .facts').length > 0")
    page.settle()
    assert "split=1" in d.address(), d.address()
    serial = page.serial()
    d.script("document.getElementById('map').focus()")
    d.keys("c")
    page.changed(serial)
    assert not d.visible("#twin")


def the_keyboard_is_enough(page):
    d = page.driver
    page.load()
    d.script("document.getElementById('map').focus()")
    d.keys("Right")
    first = d.text("#live")
    assert "node" in first, first
    for key in ("Left", "Down", "Right", "Up"):
        d.keys(key)
    assert d.text("#live") and d.visible("#tooltip")
    d.keys("Enter")
    d.wait("the panel", "return !document.getElementById('panel').hidden")
    page.settle()
    page.shot("keyboard")
    d.keys("Escape")
    assert not d.visible("#panel")
    d.keys("+", "+", "0", "?")
    assert d.script("return document.getElementById('help-dialog').open")
    page.shot("help")
    d.keys("Escape")
    seen = set()
    d.script("document.getElementById('toggle-sidebar').focus()")
    for _ in range(45):
        d.keys("Tab")
        seen.add(d.script("const e = document.activeElement; return e.id || e.name || e.className"))
    for name in ("search", "open-list", "download", "dark", "help", "colour", "map", "fit"):
        assert name in seen, f"Tab does not reach '{name}': {sorted(seen)}"


def the_menu_has_files(page):
    d = page.driver
    d.click("#download")
    words = d.text(".menu")
    for item in ("SVG", "PDF", "PNG", "JSON", "GRAPHML", "GEXF", "Copy command"):
        assert item in words, words
    page.shot("menu")
    status = d.script("return Promise.all([...document.querySelectorAll('.menu a')].map(a => fetch(a.href).then(r => r.status)))")
    assert status and set(status) == {200}, status
    d.keys("Escape")
    assert not d.visible(".menu")


def dark_is_dark(page):
    d = page.driver
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = d.script(ground)
    serial = page.serial()
    d.click("#dark")
    page.changed(serial)
    assert d.script(ground) != light
    corner = d.script("const c = document.getElementById('map'); return [...c.getContext('2d').getImageData(c.width - 8, 8, 1, 1).data]")
    assert max(corner[:3]) < 60, corner
    page.shot("dark")
    d.click("#dark")


def narrow_windows_work(page):
    d = page.driver
    for width, height in ((1024, 700), (390, 844)):
        d.resize(width, height)
        page.load()
        assert d.script("return document.documentElement.scrollWidth <= innerWidth"), f"{width} is too narrow"
        page.shot(f"map-{width}")
        d.script("document.getElementById('map').focus()")
        d.keys("Right", "Enter")
        d.wait("the panel", "return !document.getElementById('panel').hidden")
        page.settle()
        assert d.script("return document.getElementById('map').getBoundingClientRect().height") > 200
        page.shot(f"cluster-{width}")
        d.keys("Escape")
    d.click("#toggle-sidebar")
    page.settle()
    assert d.visible("#colour")
    page.shot("settings-390")
    d.resize(1440, 900)


def names_are_inert(page):
    assert page.driver.script("return window.alert.toString()").count("native"), "somebody replaced alert"
    assert page.driver.script("return document.querySelectorAll('img, iframe, object, #panel script').length") == 0


def the_console_is_silent(page):
    said = [entry for entry in page.driver.console() if entry["level"] in ("SEVERE", "WARNING")]
    assert not said, "\n".join(entry["message"] for entry in said)


CASES = [
    the_page_shows_a_map, every_slider_moves_by_keys, every_slider_moves_by_pointer, changes_are_taken_back, links_and_colours_change,
    a_click_opens_a_cluster, members_are_searched, mistakes_are_sorted_out, neighbours_are_opened, the_address_holds_the_state, what_is_refused_is_said, a_click_opens_a_link,
    a_lasso_selects, a_search_lights_clusters, lists_are_shown, truth_and_prediction_stand_side_by_side, the_keyboard_is_enough, the_menu_has_files, dark_is_dark,
    narrow_windows_work, names_are_inert, the_console_is_silent,
]


def run(page, number, case):
    """Runs one case and says how it went."""
    words = case.__name__.replace("_", " ")
    began = time.monotonic()
    try:
        case(page)
        print(f"ok {number} - {words}\n# {time.monotonic() - began:.1f} s", flush=True)
        return True
    except Exception:  # A case that fails must not keep the others from running.
        print(f"not ok {number} - {words}")
        print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="", flush=True)
        page.shot("failed-" + case.__name__)
        return False


def main(cases, still=True, **browser):
    """Runs cases one after the other in one browser."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} ADDRESS")
    try:
        driver = Driver(still=still, **browser)
    except Missing as missing:
        print(f"1..0 # SKIP {missing}")
        sys.exit(77)
    with driver:
        page = Session(driver, sys.argv[1], still)
        results = [run(page, number, case) for number, case in enumerate(cases, 1)]
    print(f"1..{len(cases)}")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main(CASES, still=False)
