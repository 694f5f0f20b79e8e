#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""choose.py PROGRAM GRAPH: seconds of `dgm map GRAPH` without options, of the command that it wrote down, and what is
between them: the price of choosing. The best of three; one JSON object on stdout."""
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time


def best(command, out):
    seconds = []
    for _ in range(3):
        began = time.monotonic()
        subprocess.run(command + ["--quiet", "-o", out], check=True)
        seconds.append(time.monotonic() - began)
    return min(seconds)


def main():
    program, graph = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "summary.csv")
        bare = best([program, "map", graph], out)
        subprocess.run([program, "map", graph, "--quiet", "-o", os.path.join(folder, "summary.json")], check=True)
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        words = shlex.split(summary["provenance"]["command"])
        if "--chance" in words:  # what is asked of chance belongs to the price
            at = words.index("--chance")
            del words[at:at + 2]
        told = best([program] + words[1:], out)
    print(json.dumps({"graph": os.path.basename(graph), "edges": summary["graph"]["edges"], "bare": round(bare, 2),
                      "told": round(told, 2), "choosing": round(bare - told, 2), "command": " ".join(words[3:])}))


if __name__ == "__main__":
    main()
