#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_large.py ADDRESS: many nodes and edges drawn, by our own pixels and by WebGL. Prints TAP as browser_slice.py does.
The engine is that of mock.mjs with DGM_MOCK_LARGE; WebGL is imitated, so that it is not chosen unless somebody says so."""
import base64
import statistics

from browser_slice import main, the_console_is_silent
from steps import drawn, open_cluster

# Zooms in every frame for a while; says how long frames took or, told to look (which takes longer), how many of them showed
# another picture than the one before.
MOVE = """
const map = document.getElementById('drill-map'), box = map.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
const base = document.querySelector('.drill-base'), look = arguments[0];
return new Promise((done) => {
  const times = [], pictures = [];
  let last = 0;
  const frame = (now) => {
    if (last) times.push(now - last);
    last = now;
    if (look) pictures.push(base.toDataURL());
    if (times.length >= 20) return done({times, others: pictures.filter((picture, k) => k && picture !== pictures[k - 1]).length});
    map.dispatchEvent(new WheelEvent('wheel', {clientX: x, clientY: y, deltaY: times.length < 10 ? -40 : 40, bubbles: true, cancelable: true}));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
});
"""


def show(page, renderer):
    d = page.driver
    page.load()
    d.script("localStorage.setItem('dgm-drill', arguments[0])", renderer)
    open_cluster(page)
    d.click("#show-nodes")
    return drawn(page)


def renderer(page):
    return page.driver.script("return document.querySelector('#drill .canvases').dataset.renderer")


def picture(page):
    """The bytes of a screenshot: a drawing has many, an empty ground few."""
    page.settle()
    return len(base64.b64decode(page.driver._call("GET", "/screenshot")))


def an_imitation_is_not_chosen(page):
    nodes = show(page, "auto")
    assert nodes >= 10000, nodes
    assert renderer(page) == "canvas", renderer(page)
    page.shot("large-canvas")


def every_frame_shows_the_zoom(page):
    """The times are for bench/run frames."""
    times = page.driver.script(MOVE, False)["times"]
    print(f"# frames while zooming: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms")
    others = page.driver.script(MOVE, True)["others"]
    assert others >= 18, others


def nodes_are_found_among_many(page):
    x, y, words = page.find(canvas="drill-map")
    assert "neighbour" in words, words
    page.driver.pointer((x, y), "down", "up")
    page.driver.wait("the card", "return !document.getElementById('node-card').hidden")
    page.shot("large-node")
    page.driver.keys("Escape")


def webgl_draws_the_same(page):
    page.driver.pointer((5, 5))
    by_canvas = picture(page)
    page.driver.keys("Escape")
    empty = picture(page)
    show(page, "webgl")
    assert renderer(page) == "webgl", renderer(page)
    by_gl = picture(page)
    page.shot("large-webgl")
    assert min(by_gl, by_canvas) > 1.3 * empty and 0.5 < by_gl / by_canvas < 2, (by_gl, by_canvas, empty)


def webgl_comes_back(page):
    d = page.driver
    d.script("document.getElementById('drill-map').focus()")
    d.keys("Escape")
    assert not d.visible("#drill")
    d.keys("n")
    drawn(page)
    assert renderer(page) == "webgl", renderer(page)
    assert d.script("return document.querySelectorAll('.drill-base').length") == 1


def a_lost_context_is_replaced(page):
    d = page.driver
    before = picture(page)
    d.script("document.querySelector('.drill-base').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    d.wait("the canvas", "return document.querySelector('#drill .canvases').dataset.renderer === 'canvas'")
    assert picture(page) > 0.5 * before
    # The browser says that the context was lost; it was meant.
    said = [entry for entry in d.console() if entry["level"] == "SEVERE" or "CONTEXT_LOST" not in entry["message"] and "WebGL" not in entry["message"]]
    assert not said, said
    d.script("localStorage.removeItem('dgm-drill')")


CASES = [an_imitation_is_not_chosen, every_frame_shows_the_zoom, nodes_are_found_among_many, webgl_draws_the_same, webgl_comes_back, a_lost_context_is_replaced, the_console_is_silent]

if __name__ == "__main__":
    main(CASES, gl=True)
