# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import signal

import pytest

import dgm


@pytest.fixture
def interrupts():
    """Ctrl-C is heard, also where these tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def pages():
    """The library can be built without the page."""
    try:
        dgm.map("karate", lens="degree", intervals=2).html()
    except (ValueError, dgm.Error) as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def program():
    """The program of the same version, whose results are the package's."""
    path = os.environ.get("DGM_PROGRAM") or shutil.which("dgm")
    if not path:
        pytest.skip("there is no program dgm: set DGM_PROGRAM")
    return path
