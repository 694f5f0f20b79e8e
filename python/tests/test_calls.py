# SPDX-License-Identifier: Apache-2.0
"""Threads, processes, interrupts, and nothing left behind."""
import multiprocessing
import os
import resource
import signal
import threading
import time

import numpy as np
import pytest

import dgm

RING = [(i, (i + 1) % 60) for i in range(60)]
LENS = np.minimum(np.arange(60), 60 - np.arange(60))


def work(_=None):
    return dgm.map(RING, lens=LENS, intervals=6, overlap=0.3).to_json()


def test_a_thousand_calls_leave_nothing():
    for _ in range(100):
        work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1000):
        work()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024  # kilobytes


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


def test_an_interrupt_ends_a_call():
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        long_work()
    assert time.monotonic() - began < 20
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


def test_a_page_is_served_and_closed():
    import urllib.error
    import urllib.request

    with dgm.map("karate").explore() as server:
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(server.address.split("?")[0], timeout=10)
    html = dgm.map("karate").html()
    assert html.lower().startswith("<!doctype html>") and "dgm-pack" in html
