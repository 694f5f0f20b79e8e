# SPDX-License-Identifier: Apache-2.0
"""Threads, processes, interrupts, and nothing left behind."""
import ctypes
import gc
import multiprocessing
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import dgm

RING = [(i, (i + 1) % 60) for i in range(60)]
LENS = np.minimum(np.arange(60), 60 - np.arange(60))


def work(_=None):
    return dgm.map(RING, lens=LENS, intervals=6, overlap=0.3).to_json()


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
                                                     "fordblks", "keepcost")]


def bytes_held():
    """The bytes that are allocated now: by a sanitizer's count, or by that of the C library."""
    library = ctypes.CDLL(None)
    if hasattr(library, "__sanitizer_get_current_allocated_bytes"):
        count = library.__sanitizer_get_current_allocated_bytes
        count.restype = ctypes.c_size_t
        return count()
    if not hasattr(library, "mallinfo2"):
        pytest.skip("this C library does not count what is allocated")
    library.mallinfo2.restype = Mallinfo2
    told = library.mallinfo2()
    return told.uordblks + told.hblkhd


def leaves_nothing(work, count):
    """Whether many calls leave less than the smallest object of Python for each. They are made in fifths. Caches and scratch memory
    fill up slowly, those of the C library too, which counts what lies in them as allocated, so that more fifths follow until one
    leaves nothing; what a call does not give back is there in all of them."""
    for turn in range(100):
        gc.collect()
        before = bytes_held()
        for _ in range(count // 5):
            work()
        gc.collect()
        if bytes_held() - before < 16 * (count // 5) and turn >= 4:
            return True
    return False


def test_a_thousand_calls_leave_nothing():
    assert leaves_nothing(work, 1000)


def test_calls_that_fail_leave_nothing():
    def fail():
        for call in (lambda: dgm.map(RING, lens=LENS, intervals=6, overlap=7), lambda: dgm.graph("no such file"),
                     lambda: dgm.map(RING, lens=np.full(60, np.nan), intervals=6), lambda: dgm.map(RING, lens="nonsense")):
            try:
                call()
            except (ValueError, dgm.Error):
                continue
            raise AssertionError("this is no error")

    assert leaves_nothing(fail, 400)


def test_threads_do_not_disturb_each_other():
    wanted, found = work(), []
    threads = [threading.Thread(target=lambda: found.extend(work() for _ in range(20))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 80


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_give_the_same(method):
    wanted = work()  # a context lives in this process before the others begin
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(work, range(4)) == [wanted] * 4


def long_work(**options):
    return dgm.map("papers", lens="dgi:epochs=100000,preset=reference", intervals=4, overlap=0.2, **options)


def test_an_interrupt_ends_a_call(interrupts):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        long_work()
    assert work()


def test_progress_tells_and_ends():
    told = []

    def progress(stage, fraction):
        told.append((stage, fraction))
        return len(told) < 3

    with pytest.raises(dgm.Error) as error:
        long_work(progress=progress)
    assert error.value.code == "cancelled" and len(told) == 3 and told[0][0]
    assert work()


def test_what_progress_raises_comes_through():
    def progress(stage, fraction):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        long_work(progress=progress)
    assert work()


def test_a_page_is_served_and_closed(pages):
    import urllib.error
    import urllib.request

    with dgm.map("karate").explore() as server:
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(server.address.split("?")[0], timeout=10)
    for options in ({}, {"lens": np.arange(34)}, {"lens": np.arange(34), "intervals": 4, "overlap": 0.3},
                    {"lens": "pagerank", "auto": False}):
        html = dgm.map("karate", **options).html()
        assert html.lower().startswith("<!doctype html>") and "dgm-pack" in html


def test_the_page_of_a_summary_is_that_of_the_program(pages, program, tmp_path):
    """Graph, settings and what was chosen are all in it: the bytes are the same."""
    wanted = ["--lens", "pagerank", "--intervals", "4", "--overlap", "0.3", "--colour", "labels"]
    path = tmp_path / "karate.html"
    subprocess.run([program, "map", "karate", *wanted, "--quiet", "-o", str(path)], check=True, capture_output=True)
    html = dgm.map("karate", lens="pagerank", intervals=4, overlap=0.3, colour="labels").html()
    assert html == path.read_text(encoding="utf-8")
    assert html != dgm.map("karate", lens="pagerank", intervals=5, overlap=0.3, colour="labels").html()
    one, other = (dgm.map("karate", lens=lens, intervals=4, overlap=0.3).html() for lens in (np.arange(34), np.arange(34)[::-1] ** 2))
    assert one != other  # and a lens of numbers


def test_a_page_stands_inside_a_notebook(pages):
    shown = dgm.map("karate").show(height=500)._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "sandbox=" in shown and "height: 500px" in shown
    assert shown.count("<") == 2  # the page itself is escaped
