"""Processes for tables of strangers get so much memory and no more."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from autostatistician.web.memory import limit_memory
limit_memory(300)
small = bytearray(100 * 10**6)
try:
    bytearray(10**9)
except MemoryError:
    raise SystemExit(7)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps this limit")
def test_a_process_gets_so_much_memory_and_no_more() -> None:
    assert subprocess.run([sys.executable, "-c", PROGRAM], check=False, timeout=120).returncode == 7
