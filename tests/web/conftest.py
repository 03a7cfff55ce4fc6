"""A server of our own for tests: in the process for its rules, a real one for the browser."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.there import there


class Served:
    """A real server on a free port, which can be killed and started again on the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "autostatistician", "serve"]
        command += ["--port", str(self.port), "--folder", str(self.folder)]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        found = re.match(r"http://127\.0\.0\.1:(\d+)/", there(self.process.stderr).readline())
        assert found, "the server says where it listens"
        self.port = int(found[1])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def end(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(20)
        there(self.process.stderr).close()


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    server = Served(folder)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as server:
        yield server
