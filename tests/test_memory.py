"""Processes get so much memory and no more, and a table that takes more is refused."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps this limit")

LIMITED = """
from autostatistician._io.processes import limit_memory
limit_memory(300)
small = bytearray(100 * 10**6)
try:
    bytearray(10**9)
except MemoryError:
    raise SystemExit(7)
"""
READING = """
from autostatistician.errors import InputError
from autostatistician._io.processes import memory_for_reading
try:
    with memory_for_reading(300):
        bytearray(10**9)
except InputError as error:
    assert "found one that takes more than 300 MB of memory; give it as CSV" in str(error)
    bytearray(10**9)
    raise SystemExit(7)
"""
KEPT = """
import resource
from autostatistician._io.processes import limit_memory
limit_memory(300)
lower = resource.getrlimit(resource.RLIMIT_AS)
limit_memory(3000)
raise SystemExit(7 if resource.getrlimit(resource.RLIMIT_AS) == lower else 0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", [LIMITED, READING, KEPT], ids=["limited", "reading", "kept"])
def test_a_process_gets_so_much_memory_and_no_more(program: str) -> None:
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=120).returncode == 7
