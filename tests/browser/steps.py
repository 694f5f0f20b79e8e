# SPDX-License-Identifier: Apache-2.0
"""What several programs of this folder do with the page: they go back to the whole graph, open a cluster and wait for the
drawing of its nodes."""

DRILL = "const d = document.getElementById('drill'); return !d.hidden && d.dataset.busy === 'false' && d.dataset.nodes !== undefined"


def drawn(page):
    """Waits until nodes are drawn, and says how many."""
    page.driver.wait("the nodes", DRILL)
    page.settle()
    return int(page.driver.script("return document.getElementById('drill').dataset.nodes"))


# Asks the engine for what was there at first: the whole graph, its settings and its lens, and no pins.
HOME = """
const [kept] = arguments;
const ask = async (name, settings = {}) => {
  const reply = await fetch(`/api/${name}`, {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'}, body: new URLSearchParams(settings)});
  const bytes = await reply.arrayBuffer();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, new DataView(bytes).getUint32(4, true))));
};
return (async () => {
  await ask('home');
  const start = await ask('back', {level: '0'}), first = kept ?? {lens: start.lens.settings, settings: start.settings};
  if (start.lens.settings.lens !== first.lens.lens) await ask('lens', first.lens);
  const names = new Set([...Object.keys(first.lens), ...start.lens_options.map((option) => option.name)]);
  const {serial} = await ask('picture', Object.fromEntries(Object.entries(first.settings).filter(([name]) => !names.has(name))));
  await ask('pin', {serial, off: '1'});
  return first;
})();
"""


def begin(page, fragment=""):
    """The whole graph, as it is at first, by classes."""
    if not hasattr(page, "first"):
        page.load()
        page.first = None
        page.is_made_up = page.driver.text("#title") == "ring world"
    page.first = page.driver.script(HOME, page.first)
    page.load("&".join(part for part in (fragment, "" if page.is_made_up else "colour=labels") if part))


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
