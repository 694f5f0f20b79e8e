#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py DIR [--mark PERCENT] [--again] [--suite NAME]: what the tests built in DIR run, by room; fails below the mark.

DIR is a build with -Db_coverage=true. Every test program runs by itself with a folder of counters of its own, so that it
is known afterwards which program reaches which line; tools/mutate asks for that. The result lies in DIR/coverage.json:

    seconds   {test: how long it took}
    lines     {file: {line: [tests that run it]}}
    branches  {file: {line: [how often each way out of the line was taken]}}
    failed    [tests that failed; what they ran is counted all the same]

It is made anew where a source is younger than it, or with --again; with --suite only the named suites run, and what they run
is added to what is known of the others. Branches that cannot be taken in a test are listed, with the
reason, in tools/coverage-exceptions (FILE, a piece of the line, the reason): they do not count. Blanks in front of a piece
count, so that it means lines of that indentation alone. What reads and writes files must be whole: every branch that no
test takes there is printed, and is a failure.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXCEPTIONS = ROOT / "tools" / "coverage-exceptions"
WHOLE = re.compile(r"^src/(archive|bytes|export|io)/|^src/nn/nn_checkpoint\.c$")  # parsers, outputs and checkpoints
SKIPPED = re.compile(r"#\s*(skip|todo)", re.IGNORECASE)
LONGEST_TEST = 900  # in seconds; a test that hangs must not hold up the others
NOT_OK = re.compile(r"^not ok\b(.*)", re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dir")
    parser.add_argument("--mark", type=float, default=0, help="least share of branches taken, in percent")
    parser.add_argument("--again", action="store_true", help="run the tests even if nothing changed")
    parser.add_argument("--suite", action="append", help="run the tests of this suite alone (may be given several times)")
    parser.add_argument("--missing", metavar="FILE", help="list the branches of FILE that no test takes")
    options = parser.parse_args()
    data = load(options.dir, options.again, options.suite)
    if options.missing:
        print(*missing(data, options.missing), sep="\n")
        return 0
    return report(data, options.mark)


# ---- running ----

def load(folder, again=False, suites=None):
    """The coverage of a build, from its file where that is younger than every source."""
    path = pathlib.Path(folder) / "coverage.json"
    fresh = path.exists() and path.stat().st_mtime >= youngest_source()
    if again or suites or not fresh:
        known = json.loads(path.read_text()) if suites and fresh else empty()
        path.write_text(json.dumps(collect(folder, suites, known)))
    return json.loads(path.read_text())


def empty():
    return {"seconds": {}, "lines": {}, "branches": {}, "failed": []}


def youngest_source():
    files = subprocess.run(["git", "ls-files", "src", "include", "tests", "fuzz"], cwd=ROOT, check=True, text=True,
                           stdout=subprocess.PIPE).stdout.split("\n")
    return max((ROOT / name).stat().st_mtime for name in files if name and (ROOT / name).exists())


def tests_of(folder):
    """Every test as Meson would run it, in the build's folder: name, command, environment."""
    said = subprocess.run(["meson", "introspect", "--tests", folder], check=True, text=True, stdout=subprocess.PIPE).stdout
    return [{**test, "workdir": test.get("workdir") or os.path.abspath(folder)} for test in json.loads(said)]


def run_test(test, extra, seconds=None):
    """True if the test passes; also what it printed. What it leaves in the folder for temporary files goes."""
    with tempfile.TemporaryDirectory(prefix="dgm-tests-", ignore_cleanup_errors=True) as scratch:
        os.chmod(scratch, 0o755)  # some tests become another user, who must get in
        return run_test_in(scratch, test, extra, seconds)


def run_test_in(scratch, test, extra, seconds):
    environment = {**os.environ, "TMPDIR": scratch, "UBSAN_OPTIONS": "halt_on_error=1", "MALLOC_PERTURB_": "85",
                   "LSAN_OPTIONS": f"print_suppressions=0:suppressions={ROOT / 'tests' / 'leaks'}",
                   **(test.get("env") or {}), **extra}
    process = subprocess.Popen(test["cmd"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               cwd=test["workdir"], env=environment, start_new_session=True)
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return False, "too slow"
    text = said.decode(errors="replace")
    failed = [rest for rest in NOT_OK.findall(text) if not SKIPPED.search(rest)]
    return process.returncode in (0, 77) and not failed, text


def collect(folder, suites, data):
    """Runs every test of the suites, or of all, and adds its counters to the data."""
    tests = [test for test in tests_of(folder) if test["name"] not in data["seconds"] and in_suites(test, suites)]
    known = set()  # objects whose lines were listed; those that a test does not run are left out after that
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for done, (name, seconds, complaint, files) in enumerate(pool.map(lambda test: measure(test, known), tests), 1):
            if sys.stderr.isatty():
                print(f"\r{done} of {len(tests)} tests", end="", file=sys.stderr, flush=True)
            data["seconds"][name] = seconds
            if complaint:
                data["failed"].append(name)
                print(f"\n{name} fails:\n{complaint}", file=sys.stderr)
            for file in files:
                add(data, name, file)
    print(file=sys.stderr)
    return data


def in_suites(test, suites):
    """Meson writes a suite as PROJECT:SUITE."""
    return not suites or any(suite.split(":")[-1] in suites for suite in test["suite"])


def measure(test, known):
    """One test's counters, as gcov says them; and what it complains of, if it fails."""
    with tempfile.TemporaryDirectory() as counters:
        start = time.monotonic()
        good, said = run_test(test, {"GCOV_PREFIX": counters}, LONGEST_TEST)
        seconds = time.monotonic() - start
        complaint = "" if good else "\n".join((NOT_OK.findall(said) or said.splitlines())[-20:]) or "nothing was said"
        return test["name"], seconds, complaint, read_counters(pathlib.Path(counters), known)


def read_counters(counters, known):
    """The files of the library in gcov's words; a counter needs the notes of its object beside it."""
    found = sorted(path for path in counters.rglob("*.gcda") if "/src/" in str(path))
    objects = [path for path in found if str(path.relative_to(counters)) not in known or was_run(path.read_bytes())]
    known.update(str(path.relative_to(counters)) for path in objects)
    for path in objects:
        notes = pathlib.Path("/", *path.relative_to(counters).parts).with_suffix(".gcno")
        shutil.copyfile(notes, path.with_suffix(".gcno"))
    files = []
    for first in range(0, len(objects), 40):
        for line in ask_gcov(objects[first:first + 40], counters).splitlines():
            files.extend(json.loads(line)["files"])
    return [file for file in files if re.search(r"(^|/)src/", file["file"])]


def was_run(data):
    """Whether any counter is not 0, as far as records of GCC 12 and later tell: one of zeros has a length below 0 and no numbers.
    A test runs few of the objects that it loads, and gcov takes as long over the others."""
    at, arcs = 16, 0x01A10000
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, at)
        if tag == arcs and length > 0:
            return True
        at += 8 + max(length, 0)
    return any(data[at:])  # a word of 0 is the end; what ends otherwise is of another kind, and gcov is asked


def ask_gcov(objects, folder):
    """A test that was killed while it wrote its counters leaves one that gcov cannot read; then it is asked for each alone."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *objects], check=False, cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if not done.returncode:
        return done.stdout
    return b"".join(ask_gcov([path], folder) for path in objects) if len(objects) > 1 else b""


def add(data, test, file):
    name = re.sub(r"^.*?(?=src/)", "", file["file"])
    lines, branches = data["lines"].setdefault(name, {}), data["branches"].setdefault(name, {})
    for line in file["lines"]:
        number = str(line["line_number"])
        reached = lines.setdefault(number, [])
        if line["count"] and (not reached or reached[-1] != test):
            reached.append(test)
        ways = [branch["count"] for branch in line["branches"]]
        before = branches.get(number)
        if ways and (not before or len(before) == len(ways)):
            branches[number] = [a + b for a, b in zip(before or [0] * len(ways), ways)]
        elif ways:  # a line of a header, compiled into several objects
            branches[number] = max(before, ways, key=len)


# ---- reporting ----

def exceptions():
    """{file: [(piece of the line, reason)]}"""
    found = collections.defaultdict(list)
    if EXCEPTIONS.exists():
        for line in EXCEPTIONS.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                file, piece, reason = re.split(r"\t+", line, maxsplit=2)
                found[file].append((piece, reason))
    return found


def is_meant(line, piece):
    """Whether an exception means this line. A piece with blanks in front is the beginning of a line, so indented."""
    return line.startswith(piece) if piece[0] == " " else piece in line


def stale_exceptions():
    """What is wrong with exceptions whose line is no longer there."""
    def is_there(file, piece):
        return (ROOT / file).exists() and any(is_meant(line, piece) for line in (ROOT / file).read_text().splitlines())
    return [f"{EXCEPTIONS}: {file} has no line with \"{piece}\"" for file, pieces in exceptions().items()
            for piece, _ in pieces if not is_there(file, piece)]


def uncounted(file, known):
    """The numbers of the lines that the list of exceptions names."""
    if file not in known:
        return set()
    text = (ROOT / file).read_text().splitlines()
    return {str(number) for number, line in enumerate(text, 1) if any(is_meant(line, piece) for piece, _ in known[file])}


def tally(data):
    """{room: [lines run, lines, branches taken, branches]}"""
    rooms, known = collections.defaultdict(lambda: [0, 0, 0, 0]), exceptions()
    for file, lines in data["lines"].items():
        room, left_out = rooms[file.split("/")[1]], uncounted(file, known)
        counted = [tests for number, tests in lines.items() if number not in left_out]
        ways = [way for number, taken in data["branches"][file].items() if number not in left_out for way in taken]
        for place, amount in enumerate([sum(map(bool, counted)), len(counted), sum(map(bool, ways)), len(ways)]):
            room[place] += amount
    return rooms


def report(data, mark):
    rooms = tally(data)
    whole = [sum(column) for column in zip(*rooms.values())]
    print(f"{'room':<10} {'lines':>8} {'run':>7} {'branches':>9} {'taken':>7}")
    below = []
    for room, counts in sorted(rooms.items()) + [("all", whole)]:
        lines, branches = (100 * counts[at] / max(counts[at + 1], 1) for at in (0, 2))
        print(f"{room:<10} {counts[1]:>8} {lines:>6.1f}% {counts[3]:>9} {branches:>6.1f}%")
        if branches < mark:
            below.append(room)
    if data["failed"]:
        print(f"coverage: these tests fail: {', '.join(data['failed'])}", file=sys.stderr)
    if below:
        print(f"coverage: below {mark:g}% of the branches: {', '.join(below)}", file=sys.stderr)
    gaps = [line for file in sorted(data["branches"]) if WHOLE.match(file) for line in missing(data, file)]
    if gaps:
        print("coverage: files are read and written where no test is, and tools/coverage-exceptions gives no reason:",
              *gaps, sep="\n", file=sys.stderr)
    return 1 if below or gaps or data["failed"] else 0


def missing(data, file):
    """The lines of a file with branches that no test takes and no exception names."""
    text = (ROOT / file).read_text().splitlines()
    left_out = uncounted(file, exceptions())
    return [f"{file}:{number}: {sum(map(bool, taken))} of {len(taken)}: {text[int(number) - 1].strip()}"
            for number, taken in sorted(data["branches"].get(file, {}).items(), key=lambda item: int(item[0]))
            if number not in left_out and not all(taken)]


if __name__ == "__main__":
    sys.exit(main())
