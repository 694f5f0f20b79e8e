# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over WebDriver with nothing but the standard library."""
import base64
import http.client
import json
import shutil
import socket
import subprocess
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014",
    "Down": "\ue015", "Home": "\ue011", "End": "\ue010", "Control": "\ue009", "Shift": "\ue008", "Space": " ",
}


class Missing(Exception):
    """There is no browser on this machine."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Driver:
    def __init__(self, width=1440, height=900, dark=False, touch=False, offline=False, gl=False, still=False):
        program = shutil.which("chromedriver")
        browser = shutil.which("chromium") or shutil.which("google-chrome")
        if not program or not browser:
            raise Missing("there is no chromedriver or no chromium")
        self.port = free_port()
        self.process = subprocess.Popen([program, f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = ""
        try:
            self._wait_for_driver()
            self._start(browser, width, height, dark, touch, offline, gl, still)
        except BaseException:
            self.process.terminate()
            self.process.wait(10)
            raise

    def _wait_for_driver(self):
        for _ in range(100):
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def _start(self, browser, width, height, dark, touch, offline, gl, still):
        # The driver talks to the browser through a pipe: on a bare machine localhost may have no address.
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--window-size={width},{height}"]
        # Without a graphics processor WebGL is imitated, if at all.
        arguments += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if gl else ["--disable-gpu"]
        if dark:
            arguments.append("--force-dark-mode")
        if still:
            arguments.append("--force-prefers-reduced-motion")
        if offline:
            arguments.append("--host-resolver-rules=MAP * ~NOTFOUND")
        options = {"binary": browser, "args": arguments}
        if touch:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base = "/session/" + answer["sessionId"]
        if not touch:
            self.resize(width, height)

    def _call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            text = json.dumps(body if body is not None else {}) if method == "POST" else None
            connection.request(method, self.base + path, text, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{path}: {value['error']}: {value.get('message', '')[:300]}")
        return value

    def close(self):
        try:
            self._call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def resize(self, width, height):
        """Makes the page, not the window, this large."""
        frame = self.script("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self._call("POST", "/window/rect", {"width": width + frame[0], "height": height + frame[1]})

    def open(self, address):
        self._call("POST", "/url", {"url": address})

    def address(self):
        return self._call("GET", "/url")

    def reload(self):
        self._call("POST", "/refresh")

    def script(self, text, *arguments):
        return self._call("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def find(self, selector):
        return self._call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self._call("POST", f"/element/{self.find(selector)}/click")

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def visible(self, selector):
        return self.script("const e = document.querySelector(arguments[0]); return !!e && e.getClientRects().length > 0", selector)

    def wait(self, what, condition, *arguments, seconds=15):
        """Waits until a script returns something true, and returns that."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.script(condition, *arguments)
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"waited {seconds} s in vain: {what}")

    def keys(self, *keys, hold=()):
        """Presses keys one after the other, with others held down."""
        held = [KEYS.get(key, key) for key in hold]
        actions = [{"type": "keyDown", "value": key} for key in held]
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        actions += [{"type": "keyUp", "value": key} for key in reversed(held)]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def pointer(self, *steps, hold=()):
        """steps: (x, y) moves there, "down" and "up" press and let go; keys can be held."""
        actions = []
        for step in steps:
            if step in ("down", "up"):
                actions.append({"type": "pointerDown" if step == "down" else "pointerUp", "button": 0})
            else:
                actions.append({"type": "pointerMove", "duration": 30, "x": round(step[0]), "y": round(step[1])})
        held = [KEYS.get(key, key) for key in hold]
        pause = [{"type": "pause"}] * len(actions)
        sources = [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [{"type": "pause"}] * len(held) + actions}]
        if held:
            down = [{"type": "keyDown", "value": key} for key in held]
            up = [{"type": "keyUp", "value": key} for key in held]
            sources.append({"type": "key", "id": "keys", "actions": down + pause + up})
        self._call("POST", "/actions", {"actions": sources})

    def double_click(self, x, y):
        self.pointer((x, y), "down", "up", "down", "up")

    def wheel(self, x, y, delta):
        step = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": delta, "duration": 0}
        self._call("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [step]}]})

    def console(self):
        """What the page has said on the console since the last call."""
        return self._call("POST", "/se/log", {"type": "browser"})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", "/screenshot")))
