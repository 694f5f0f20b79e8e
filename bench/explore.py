#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""explore.py PROGRAM GRAPH...: how long a slider of `dgm explore` takes, from the request to the last byte of its answer.

Overlap and intervals (or the size of cells) move in small steps around what was chosen, as a hand moves them."""
import http.client
import json
import os
import statistics
import struct
import subprocess
import sys
import time
import urllib.parse


class Page:
    def __init__(self, program, graph):
        self.process = subprocess.Popen([program, "explore", graph, "--no-browser", "--quiet"], stdout=subprocess.PIPE, text=True)
        parts = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port)
        self.connection.request("GET", f"/?{parts.query}")
        response = self.connection.getresponse()
        response.read()
        self.headers = {"Origin": f"http://{parts.netloc}", "Cookie": response.getheader("Set-Cookie").split(";")[0]}

    def ask(self, question, **settings):
        begin = time.perf_counter()
        self.connection.request("POST", f"/api/{question}", urllib.parse.urlencode(settings), self.headers)
        data = self.connection.getresponse().read()
        seconds = time.perf_counter() - begin
        return json.loads(data[8 : 8 + struct.unpack("<I", data[4:8])[0]]), seconds

    def stop(self):
        self.process.terminate()
        self.process.wait()


def steps(settings):
    """Settings beside those that were chosen."""
    cover = settings["cover"]
    for i in range(20):
        if ":" in cover:
            kind, _, size = cover.partition("=")
            yield {"cover": f"{kind}={int(int(size) * (1 + (i - 10) / 50))}"}
        else:
            yield {"intervals": ",".join(str(int(n) + i % 4) for n in settings["intervals"].split(","))}
        yield {"overlap": f"{0.25 + 0.01 * i:.2f}"}


def measure(program, graph):
    page = Page(program, graph)
    start, _ = page.ask("start")
    _, first = page.ask("picture")
    times, clusters = [], []
    for settings in steps(start["settings"]):
        answer, seconds = page.ask("picture", **settings)
        times.append(1000 * seconds)
        clusters.append(answer["clusters"])
    colour = [1000 * page.ask("picture", theme=theme)[1] for theme in ("dark", "light") * 5]
    page.stop()
    return {"what": "explore", "graph": os.path.basename(graph.rstrip("/")), "nodes": start["nodes"], "edges": start["edges"],
            "clusters": [min(clusters), max(clusters)], "first_ms": round(1000 * first, 1),
            "median_ms": round(statistics.median(times), 1), "worst_ms": round(max(times), 1),
            "colour_ms": round(min(colour), 1)}


for path in sys.argv[2:]:
    print(json.dumps(measure(sys.argv[1], path)), flush=True)
