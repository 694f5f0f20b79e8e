#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_views.py ADDRESS: the linked views of the page, used as a person would in a headless Chromium: the lens, the
confusion matrix, histograms that filter, thumbnails and the grid of small multiples. Prints TAP.

The address is that of mock.mjs or of `dgm explore`. DGM_BROWSER_SHOTS keeps a picture of each view."""
import re
import urllib.parse

from browser_slice import main


def fragment(page):
    page.driver.script("return new Promise(done => setTimeout(done, 350))")
    return urllib.parse.urlsplit(page.driver.address()).fragment


def box_of(page, selector):
    """left, top, width, height of an element, scrolled into view."""
    return page.driver.script("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'nearest'}); const b = e.getBoundingClientRect();"
                              "return [b.left, b.top, b.width, b.height]", selector)


def drag(page, selector, start, end):
    """Drags over an element, from one place to another given as shares of its size."""
    left, top, width, height = box_of(page, selector)
    at = lambda u, v: (left + u * width, top + v * height)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.driver.pointer(at(*start), "down", at(*middle), at(*end), "up")


def lens_is_there(page):
    page.driver.wait("the lens", "return document.getElementById('lens-pane').dataset.serial === document.body.dataset.serial")
    page.settle()


def inks(page, selector):
    return page.driver.script("const c = document.querySelector(arguments[0]), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                              "const s = new Set(); for (let i = 0; i < p.length; i += 4) s.add(p[i] << 16 | p[i+1] << 8 | p[i+2]); return s.size", selector)


def picture_of(page, selector):
    return page.driver.script("return document.querySelector(arguments[0]).toDataURL()", selector)


def settle_frames(page):
    page.driver.script("return new Promise(done => setTimeout(done, 250))")


def selected(page, words="selected"):
    """Waits for nodes in the panel, and returns how many there are."""
    page.driver.wait("the selection", "return (document.querySelector('#panel .subtitle')?.innerText ?? '').includes(arguments[0])", words)
    page.settle()
    return int(page.driver.text("#panel .subtitle").split(" ")[0].replace(",", ""))


# ---- the lens ----


def the_lens_shows_its_cells(page):
    d = page.driver
    page.load()
    d.keys("v")
    lens_is_there(page)
    assert d.visible("#lens-plot")
    assert inks(page, "#lens-plot") > 8
    cells = int(d.script("return document.getElementById('lens-pane').dataset.cells"))
    assert cells > 3 and str(cells) in d.text("#lens-said"), (cells, d.text("#lens-said"))
    page.shot("lens-2d")
    d.wait("the table", "return document.querySelectorAll('#lens-table tbody tr').length === Math.min(200, arguments[0])", cells)
    serial = page.serial()
    d.script("document.querySelector('#controls input[type=range]').focus()")
    d.keys("Left", "Left")
    page.changed(serial)
    lens_is_there(page)
    assert int(d.script("return document.getElementById('lens-pane').dataset.cells")) != cells
    assert "pane=lens" in fragment(page)


def the_lens_and_the_map_light_each_other(page):
    d = page.driver
    before = picture_of(page, "#lens-plot")
    x, y, _ = page.find()
    settle_frames(page)
    assert picture_of(page, "#lens-plot") != before, "a mark under the pointer lights no cell"
    page.shot("lens-hover-mark")
    d.pointer((x, y), (5, 5))
    settle_frames(page)
    left, top, width, height = box_of(page, "#lens-plot")
    quiet = picture_of(page, "#map")
    d.pointer((left + 0.4 * width, top + 0.5 * height), (left + 0.5 * width, top + 0.45 * height))
    settle_frames(page)
    assert picture_of(page, "#map") != quiet, "a cell under the pointer lights no mark"
    page.shot("lens-hover-cell")
    d.pointer((5, 5))
    settle_frames(page)
    assert picture_of(page, "#map") == quiet


def a_brush_on_the_lens_selects(page):
    d = page.driver
    quiet = picture_of(page, "#map")
    drag(page, "#lens-plot", (0.3, 0.2), (0.6, 0.7))
    total = selected(page)
    assert total > 0
    assert d.text(".members .tools .count").replace(",", "") == str(total)
    assert "Lens:" in d.text(".chips"), d.text(".chips")
    for heading in ("Classes", "On the lens", "Members"):
        assert heading in d.text("#panel"), heading
    assert picture_of(page, "#map") != quiet, "the marks are not lit"
    page.shot("lens-brush")
    kept = fragment(page)
    assert "box=" in kept and "axes=0,1" in kept, kept
    page.load(kept)
    assert selected(page) == total
    lens_is_there(page)
    d.script("document.getElementById('lens-plot').focus()")
    d.keys("Escape")
    d.wait("nothing selected", "return document.getElementById('panel').hidden")
    drag(page, "#lens-plot", (0.3, 0.2), (0.6, 0.7))
    assert selected(page) == total
    left, top, width, height = box_of(page, "#lens-plot")
    place = (left + 0.45 * width, top + 0.4 * height)
    d.pointer(place, "down", "up", "down", "up")
    d.wait("nothing selected", "return !document.querySelector('.chips')")
    d.keys("Escape")


def the_keyboard_walks_over_cells(page):
    d = page.driver
    d.script("document.getElementById('lens-plot').focus()")
    d.keys("Right")
    first = d.text("#live")
    assert first.startswith("Cell 1 of"), first
    d.keys("Right")
    assert d.text("#live") != first
    d.keys("Up", "Enter")
    assert selected(page) > 0
    page.shot("lens-keys")
    d.script("document.getElementById('lens-plot').focus()")
    d.keys("Escape")
    d.wait("nothing selected", "return document.getElementById('panel').hidden")


def the_pane_is_docked_and_sized(page):
    d = page.driver
    height = box_of(page, "#lens-pane")[3]
    d.script("document.querySelector('#lens-pane .grip').focus()")
    d.keys("Up", "Up")
    assert box_of(page, "#lens-pane")[3] > height + 20
    d.click("#dock")
    settle_frames(page)
    left, top, width, _ = box_of(page, "#lens-pane")
    stage = box_of(page, "#stage")
    assert left >= stage[0] + stage[2] - 1 and abs(top - stage[1]) < 2, (left, stage)
    page.shot("lens-right")
    d.click("#dock")
    d.script("document.querySelector('#lens-pane .grip').dispatchEvent(new MouseEvent('dblclick'))")


def one_axis_is_a_histogram(page):
    d = page.driver
    if not d.visible("#lens-axis-1"):
        return
    d.script("const s = document.getElementById('lens-axis-1'); s.value = '-1'; s.dispatchEvent(new Event('change'))")
    d.wait("one axis", "return document.getElementById('lens-said').innerText.includes('interval')")
    settle_frames(page)
    page.shot("lens-1d")
    drag(page, "#lens-plot", (0.3, 0.4), (0.5, 0.4))
    assert selected(page) > 0
    page.shot("lens-1d-brush")
    assert re.search(r"axes=0(&|$)", fragment(page)), fragment(page)
    d.keys("Escape", "Escape")


def of_three_axes_two_are_chosen(page):
    d = page.driver
    if not d.script("return [...document.getElementById('lens').options].some(o => o.value === 'space')"):
        return
    serial = page.serial()
    d.script("const s = document.getElementById('lens'); s.value = 'space'; s.dispatchEvent(new Event('change'))")
    page.changed(serial)
    lens_is_there(page)
    assert d.script("return document.getElementById('lens-axis-1').options.length") == 4
    d.script("const s = document.getElementById('lens-axis-1'); s.value = '2'; s.dispatchEvent(new Event('change'))")
    d.wait("the axes", "return document.getElementById('lens-axis-1').value === '2'")
    settle_frames(page)
    page.shot("lens-3-axes")
    drag(page, "#lens-plot", (0.2, 0.2), (0.7, 0.7))
    assert selected(page) > 0
    assert "axes=0,2" in fragment(page), fragment(page)
    d.keys("Escape", "Escape", "v")
    assert not d.visible("#lens-pane")
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)


# ---- mistakes ----


def fields_of_mistakes_select(page):
    d = page.driver
    page.load()
    if not d.visible("#open-mistakes"):
        return
    d.keys("m")
    d.wait("the matrix", "return document.querySelectorAll('.matrix td button').length > 0")
    page.settle()
    page.shot("mistakes")
    quiet = picture_of(page, "#map")
    left, top, width, height = box_of(page, ".matrix td.wrong button")
    d.pointer((left + width / 2, top + height / 2))
    settle_frames(page)
    assert picture_of(page, "#map") != quiet, "a field under the pointer lights no mark"
    d.pointer((5, 5))
    settle_frames(page)
    assert picture_of(page, "#map") == quiet
    field = d.script("const b = document.querySelector('.matrix td.wrong button'); b.click(); return [b.dataset.field, b.innerText]")
    assert selected(page) == int(field[1]), field
    assert d.script("return document.querySelectorAll('.matrix button[aria-pressed=true]').length") == 1
    assert "called" in d.text(".chips"), d.text(".chips")
    d.wait("members", "return document.querySelectorAll('#panel .line.wrong').length > 0")
    assert f"field={field[0]}" in fragment(page), fragment(page)
    page.shot("mistakes-field")
    d.script("document.querySelector('.matrix button[aria-pressed=true]').focus()")
    d.keys("Left")
    moved = d.script("return document.activeElement.dataset.field")
    assert moved and moved != field[0], moved
    d.keys("Enter")
    d.wait("another field", "return document.querySelector('.matrix button[aria-pressed=true]')?.dataset.field === arguments[0]", moved)
    page.settle()
    d.keys("Enter")
    d.wait("no field", "return !document.querySelector('.matrix button[aria-pressed=true]')")
    d.keys("Escape", "Escape")


MANY_CLASSES = """
const own = window.fetch, n = 40;
window.fetch = async (address, init) => {
  if (!String(address).endsWith('/api/mistakes')) return own(address, init);
  const text = JSON.stringify({serial: 0, classes: Array.from({length: n}, (_, i) => 'class_number_' + i), judged: 9000, wrong: 900, arrays: {matrix: ['u4', 0, n * n]}});
  const padded = text + ' '.repeat((8 - text.length % 8) % 8), bytes = new Uint8Array(8 + padded.length + 4 * n * n);
  bytes.set(new TextEncoder().encode('DGM1')); new DataView(bytes.buffer).setUint32(4, padded.length, true); bytes.set(new TextEncoder().encode(padded), 8);
  const values = Uint32Array.from({length: n * n}, (_, k) => { const i = Math.floor(k / n), j = k % n; return i === j ? 180 + 13 * i : (7 * i + 3 * j) % 11 === 0 ? 1 + (i * j) % 19 : 0; });
  bytes.set(new Uint8Array(values.buffer), 8 + padded.length);
  return new Response(bytes);
};
"""


def forty_classes_fit(page):
    d = page.driver
    page.load()
    if not d.visible("#open-mistakes"):
        return
    d.script(MANY_CLASSES)
    d.keys("m")
    d.wait("the matrix", "return document.querySelectorAll('.matrix tbody tr').length === 40")
    page.settle()
    d.script("const s = document.querySelector('.matrix .scroll'); s.scrollLeft = 300; s.scrollTop = 200")
    settle_frames(page)
    page.shot("mistakes-40")
    heads = d.script("const s = document.querySelector('.matrix .scroll').getBoundingClientRect(); const h = document.querySelector('.matrix tbody tr:nth-child(14) th').getBoundingClientRect();"
                     "const c = document.querySelector('.matrix thead th:nth-child(14)').getBoundingClientRect(); return [Math.abs(h.left - s.left) < 3, Math.abs(c.top - s.top) < 3]")
    assert heads == [True, True], heads
    assert d.script("return document.documentElement.scrollWidth <= innerWidth")
    page.load()


# ---- columns ----


def histograms_filter(page):
    d = page.driver
    page.load()
    d.keys("h")
    d.wait("histograms", "return document.querySelectorAll('.column .histogram').length > 0")
    page.settle()
    page.shot("columns")
    quiet = picture_of(page, "#map")
    drag(page, ".column .field", (0.3, 0.5), (0.7, 0.5))
    total = selected(page)
    assert picture_of(page, "#map") != quiet, "the marks are not lit"
    assert "where=" in fragment(page), fragment(page)
    page.shot("columns-brush")
    d.script("document.querySelector('.column .category').click()")
    d.wait("two filters", "return document.querySelectorAll('.chip').length === 2")
    both = selected(page)
    assert both <= total, (both, total)
    assert d.script("return document.querySelectorAll('.category[aria-pressed=true]').length") == 1
    assert d.text(".members .tools .count").replace(",", "") == str(both)
    page.shot("columns-two")
    kept = fragment(page)
    page.load(kept)
    assert selected(page) == both
    d.click(".chips li:last-child .chip, .chips li:nth-last-child(2) .chip")
    d.wait("one filter", "return document.querySelectorAll('.chip').length === 1")
    assert selected(page) == total
    d.click("#clear-selection")
    d.wait("no filter", "return !document.querySelector('.chips')")
    assert d.visible(".column .histogram"), "the histograms are gone"


def ranges_are_typed(page):
    d = page.driver
    d.script("document.querySelector('.column .range input').focus()")
    d.keys("5", "Enter")
    total = selected(page)
    assert total > 0
    assert d.script("return document.activeElement === document.querySelector('.column .range input')"), "the field lost the focus"
    drag(page, ".column .field", (0.1, 0.5), (0.2, 0.5))
    d.wait("another range", "return !document.querySelector('#panel .subtitle').innerText.startsWith(arguments[0] + ' ')", str(total))
    page.settle()


def filters_go_on_through_another_lens(page):
    d = page.driver
    page.load()
    d.keys("h")
    d.wait("categories", "return document.querySelectorAll('.category').length > 1")
    d.script("[...document.querySelectorAll('.category')][1].click()")
    total, words = selected(page), d.text(".chip .name")
    lenses = d.script("return [...document.getElementById('lens').options].map(o => o.value)")
    serial = page.serial()
    d.script("const s = document.getElementById('lens'); s.value = 'degree'; s.dispatchEvent(new Event('change'))")
    assert "degree" in lenses, lenses
    page.changed(serial)
    assert selected(page) == total
    assert d.text(".chip .name") == words, (d.text(".chip .name"), words)
    serial = page.serial()
    d.keys("Escape", "Escape")
    d.keys("z", hold=("Control",))
    page.changed(serial)


def conditions_that_mean_nothing_select_nothing(page):
    d = page.driver
    page.load("where=999:1:2")
    d.wait("a message", "return !document.getElementById('message').hidden")
    page.settle()
    assert not d.visible("#panel") and "cluster" in page.ledger()
    meant = [entry for entry in d.console() if "status of 400" not in entry["message"]]  # The browser calls the refusal an error.
    assert not meant, meant
    page.load()


def a_member_under_the_pointer_is_shown(page):
    d = page.driver
    d.script("document.querySelector('#panel .line').scrollIntoView({block: 'center'})")
    settle_frames(page)
    quiet = picture_of(page, "#map")
    left, top, width, height = box_of(page, "#panel .line:nth-child(2)")
    d.pointer((left + 30, top + height / 2))
    settle_frames(page)
    settle_frames(page)
    assert picture_of(page, "#map") != quiet, "a member under the pointer shows nowhere"
    page.shot("member-hover")
    d.pointer((5, 5))
    d.keys("Escape", "Escape")


# ---- several clusters, dust ----


def several_clusters_are_described(page):
    d = page.driver
    page.load()
    first = page.find()
    d.pointer(tuple(first[:2]), "down", "up")
    d.wait("the panel", "return !document.getElementById('panel').hidden")
    page.settle()
    second = page.find(avoid=[first[:2]])  # the panel has moved the map
    d.pointer(tuple(second[:2]), "down", "up", hold=("Shift",))
    d.wait("two clusters", "return document.querySelector('#panel h2')?.innerText === '2 clusters'")
    page.settle()
    for heading in ("Classes", "On the lens", "Members"):
        assert heading in d.text("#panel"), heading
    any_of = int(d.text("#panel .subtitle").split(" ")[0])
    assert d.text(".members .tools .count") == str(any_of)
    page.shot("two-clusters")
    d.script("document.querySelector('#panel input[value=all]').click()")
    d.wait("those in all", "return document.querySelector('#panel .subtitle').innerText.includes('in all')")
    assert int(d.text("#panel .subtitle").split(" ")[0]) <= any_of
    d.keys("Escape")


# ---- other settings ----


def grid_is_drawn(page):
    page.driver.wait("the grid", "const [a, b] = (document.getElementById('multiples').dataset.drawn ?? '0/1').split('/'); return a === b", seconds=60)


def a_grid_of_other_settings_opens_them(page):
    d = page.driver
    page.load()
    serial, counts = page.serial(), page.ledger()
    d.keys("g")
    d.wait("the grid", "return document.querySelectorAll('.multiple').length >= 9")
    grid_is_drawn(page)
    d.wait("what lasts", "return document.querySelectorAll('.lasting .barcode').length > 0 && document.getElementById('grid-stop').hidden", seconds=60)
    page.shot("grid")
    assert page.serial() == serial, "the grid has changed the map"
    for words in ("cluster", "piece", "loop"):
        assert words in d.text(".multiple[aria-current]"), d.text(".multiple[aria-current]")
    assert d.text(".multiple[aria-current] .name") == re.match(r"[\d,]+ clusters?", counts)[0], (d.text(".multiple[aria-current] .name"), counts)
    rows = d.script("return [...document.querySelectorAll('.steps tbody th')].map(e => e.innerText)")
    assert {"clusters", "pieces", "loops"} <= set(rows), rows
    d.script("document.querySelector('.multiple[aria-current]').focus()")
    d.keys("Right")
    wanted = d.script("const e = document.activeElement; return [e.dataset.row, e.dataset.column, e.querySelector('.name').innerText]")
    assert wanted[1] != d.script("return document.querySelector('.multiple[aria-current]').dataset.column"), wanted
    d.keys("Enter")
    page.changed(serial)
    assert not d.visible("#multiples")
    assert page.ledger().startswith(wanted[2]), (page.ledger(), wanted)
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)
    assert page.ledger() == counts


def the_grid_follows_sliders_and_stops(page):
    d = page.driver
    d.keys("g")
    d.wait("the grid", "return document.querySelectorAll('.multiple').length > 0")
    serial = page.serial()
    before = d.script("return document.querySelector('.multiple[aria-current]').dataset.column")
    d.script("document.querySelector('#controls input[type=range]').focus()")
    d.keys("Right", "Right")
    page.changed(serial)
    assert d.script("return document.querySelector('.multiple[aria-current]').dataset.column") != before
    d.script("const b = document.getElementById('grid-stop'); if (!b.hidden) b.click()")
    settle_frames(page)
    d.keys("Escape")
    assert not d.visible("#multiples")
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)


def sliders_move_while_a_lens_is_computed(page):
    d = page.driver
    page.load()
    if not d.script("return [...document.getElementById('lens').options].some(o => o.value === 'gcn') && document.title.startsWith('ring_world')"):
        return
    serial, axes = page.serial(), d.text("#ledger-counts")
    d.script("const s = document.getElementById('lens'); s.value = 'gcn'; s.dispatchEvent(new Event('change'))")
    d.wait("the lens", "return document.body.dataset.lens === 'runs'")
    d.script("document.querySelector('#controls input[type=range]').focus()")
    d.keys("Left", "Left")
    d.wait("a picture", "return Number(document.body.dataset.serial) > arguments[0]", serial)
    assert d.script("return document.body.dataset.lens") == "runs", "the picture has waited for the lens"
    assert d.visible("#progress") and page.ledger() != axes
    page.shot("lens-runs")
    d.click("#cancel")
    d.wait("the old lens", "return document.body.dataset.lens === 'there' && document.getElementById('lens').value !== 'gcn'")
    page.settle()
    d.script("const s = document.getElementById('lens'); s.value = 'gcn'; s.dispatchEvent(new Event('change'))")
    d.wait("the lens", "return document.body.dataset.lens === 'runs'")
    serial = page.serial()
    d.wait("the lens", "return document.body.dataset.lens === 'there'")
    page.changed(serial)
    assert d.script("return document.getElementById('lens').value") == "gcn"
    # Another one is chosen while the first is computed: the first counts no more.
    d.script("const s = document.getElementById('lens'); s.value = 'x'; s.dispatchEvent(new Event('change'))")
    page.changed(page.serial())
    d.script("const s = document.getElementById('lens'); s.value = 'gcn'; s.dispatchEvent(new Event('change'))")
    d.wait("the lens", "return document.body.dataset.lens === 'runs'")
    serial = page.serial()
    d.script("const s = document.getElementById('lens'); s.value = 'degree'; s.dispatchEvent(new Event('change'))")
    page.changed(serial)
    d.script("return new Promise(done => setTimeout(done, 1500))")
    assert d.script("return [document.getElementById('lens').value, document.body.dataset.lens]") == ["degree", "there"]
    serial = page.serial()
    d.script("const s = document.getElementById('lens'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", "place")
    page.changed(serial)


# ---- looks ----


def everything_is_dark_too(page):
    d = page.driver
    page.load("pane=lens&side=columns")
    page.settle()
    serial = page.serial()
    d.script("document.getElementById('map').focus()")
    d.keys("d")
    page.changed(serial)
    lens_is_there(page)
    corner = d.script("const c = document.getElementById('lens-plot'); return [...c.getContext('2d').getImageData(c.width - 6, 3, 1, 1).data]")
    assert max(corner[:3]) < 60, corner
    drag(page, "#lens-plot", (0.3, 0.2), (0.6, 0.7))
    selected(page)
    page.shot("dark-lens-columns")
    d.keys("Escape", "Escape", "v", "m")
    d.wait("the matrix", "return document.querySelectorAll('.matrix td button').length > 0 || document.getElementById('open-mistakes').hidden")
    page.settle()
    page.shot("dark-mistakes")
    d.keys("g")
    grid_is_drawn(page)
    settle_frames(page)
    page.shot("dark-grid")
    d.keys("Escape", "Escape")
    serial = page.serial()
    d.script("document.getElementById('map').focus()")
    d.keys("d")
    page.changed(serial)


def narrow_windows_have_the_views(page):
    d = page.driver
    for width, height in ((1024, 700), (390, 844)):
        d.resize(width, height)
        page.load("pane=lens")
        lens_is_there(page)
        assert d.script("return document.documentElement.scrollWidth <= innerWidth"), f"{width} is too narrow"
        page.shot(f"lens-{width}")
        d.keys("v", "h")
        d.wait("histograms", "return document.querySelectorAll('.column .histogram').length > 0")
        page.settle()
        page.shot(f"columns-{width}")
        d.keys("Escape", "g")
        grid_is_drawn(page)
        settle_frames(page)
        assert d.script("return document.documentElement.scrollWidth <= innerWidth"), f"{width} is too narrow for the grid"
        page.shot(f"grid-{width}")
        d.keys("Escape")
    d.resize(1440, 900)


def nothing_is_said_on_the_console(page):
    said = [entry for entry in page.driver.console() if entry["level"] in ("SEVERE", "WARNING")]
    assert not said, "\n".join(entry["message"] for entry in said)


CASES = [
    the_lens_shows_its_cells, the_lens_and_the_map_light_each_other, a_brush_on_the_lens_selects, the_keyboard_walks_over_cells,
    the_pane_is_docked_and_sized, one_axis_is_a_histogram, of_three_axes_two_are_chosen, fields_of_mistakes_select, forty_classes_fit,
    histograms_filter, ranges_are_typed, a_member_under_the_pointer_is_shown,
    filters_go_on_through_another_lens, conditions_that_mean_nothing_select_nothing, several_clusters_are_described, a_grid_of_other_settings_opens_them, the_grid_follows_sliders_and_stops,
    sliders_move_while_a_lens_is_computed, everything_is_dark_too, narrow_windows_have_the_views, nothing_is_said_on_the_console,
]

if __name__ == "__main__":
    main(CASES)
