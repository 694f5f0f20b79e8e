#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""binding.py PROGRAM EDGES: what the Python package costs beside the program, an object a line. The program and the package map the
same edge list and write the same JSON; times are the best of several. The program's time has the start of a process in it."""
import json
import os
import subprocess
import sys
import time

import numpy as np

WORDS = ["--lens", "pagerank", "--intervals", "20", "--overlap", "0.2"]
OPTIONS = {"lens": "pagerank", "intervals": 20, "overlap": 0.2}
TURNS = 9


def best(work, turns=TURNS):
    found = []
    for _ in range(turns):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return round(min(found), 4)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def processor_time(code, turns=25):
    """The least time that a processor spent on it, which other work on the machine moves little."""
    found = []
    for _ in range(turns):
        child = os.fork()
        if child == 0:
            os.execv(sys.executable, [sys.executable, "-c", code])
        used = os.wait4(child, 0)[2]
        found.append(used.ru_utime + used.ru_stime)
    return round(min(found), 4)


def main(program, path):
    import dgm

    program_time = best(lambda: run(program, "map", path, *WORDS, "--quiet", "-o", path + ".json", "-o", path + ".svg"))
    package_time = best(lambda: dgm.map(path, **OPTIONS).to_json())
    ends = np.loadtxt(path, dtype=np.int64, comments="#")[:, :2]
    rows = {"what": "map", "edges": len(ends), "program": program_time, "package, from the file": package_time,
            "ratio": round(package_time / program_time, 3), "package, from an array": best(lambda: dgm.map(ends, **OPTIONS).to_json())}
    try:
        import scipy.sparse
    except ImportError:
        pass
    else:
        matrix = scipy.sparse.coo_matrix((np.ones(len(ends)), ends.T), (ends.max() + 1,) * 2)
        matrix = ((matrix + matrix.T) > 0).astype(float).tocsr()
        rows["package, from SciPy"] = best(lambda: dgm.map(matrix, **OPTIONS).to_json())
    print(json.dumps(rows))
    alone, both = processor_time("import numpy"), processor_time("import numpy, dgm")
    print(json.dumps({"what": "import, processor time", "numpy": alone, "numpy and dgm": both, "beyond": round(both - alone, 4)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
