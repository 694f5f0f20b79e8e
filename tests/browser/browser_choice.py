#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""browser_choice.py ADDRESS: what a page begins with where nothing was asked for: candidates, what was found against chance,
and a cover of parts. Prints TAP as browser_slice.py does. The address is that of `dgm explore`."""
from browser_slice import main, the_console_is_silent
from browser_views import grid_is_drawn


def candidates_are_drawn(page):
    d = page.driver
    page.load()
    assert d.script("return document.querySelectorAll('.candidate .thumb').length") > 1
    framed = "return [...document.querySelectorAll('.candidate')].map(e => e.getAttribute('aria-pressed') === 'true')"
    assert d.script(framed).count(True) == 1, d.script(framed)
    d.script("document.getElementById('sidebar').scrollTop = 0")
    page.shot("candidates")
    serial = page.serial()
    other = d.script(framed).index(False)
    d.script("document.querySelectorAll('.candidate')[arguments[0]].click()", other)
    page.changed(serial)
    assert d.script(framed).index(True) == other
    serial = page.serial()
    d.keys("z", hold=("Control",))
    page.changed(serial)


def what_was_found_is_said(page):
    d = page.driver
    page.load()
    found = d.text("#reasons .reason")
    assert found.startswith(("This summary explains", "There is more structure", "No structure beyond")), found
    assert "rewired" in found, found
    bits = d.text("#ledger-bits")
    assert bits.endswith("bits an edge"), bits
    assert d.script("return document.querySelector('#ledger-bits').title").startswith("This summary"), "the sentence of the map"
    whole = float(bits.split(" ")[2])
    assert 0 <= float(bits.split(" ")[0]) <= whole, bits


def shares_move_the_cells_of_parts(page):
    d = page.driver
    page.load()
    serial, clusters = page.serial(), page.ledger()
    share = "return document.querySelector('[data-option=cover-number] input.number').value"
    assert d.script(share) == "0.3", d.script(share)
    d.script("document.getElementById('cover-number').focus()")
    d.keys("Home")
    page.changed(serial)
    assert page.ledger() != clusters
    assert d.script(share) == "0.05", d.script(share)
    d.wait("the address", "return decodeURIComponent(location.hash).includes('cover=parts:share=0.05')")


def a_grid_shows_other_shares(page):
    d = page.driver
    page.load()
    d.keys("g")
    d.wait("the grid", "return document.querySelectorAll('.multiple').length >= 3")
    grid_is_drawn(page)
    columns = d.script("return [...document.querySelectorAll('.multiple')].map(e => Number(e.dataset.column))")
    assert 0.3 in columns and all(0 < share <= 1 for share in columns), columns
    page.shot("shares")
    d.keys("Escape")


CASES = [candidates_are_drawn, what_was_found_is_said, shares_move_the_cells_of_parts, a_grid_shows_other_shares, the_console_is_silent]

if __name__ == "__main__":
    main(CASES)
