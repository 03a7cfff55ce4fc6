"""How much memory a process of ours may take, held by the system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autostatistician.errors import InputError
from autostatistician.wording.messages import note

__all__ = ["limit_memory", "memory_for_reading", "too_much_memory"]

READ_MEGABYTES = 6000  # megabytes; the largest table of text that is read takes two thirds of it


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more memory than it has; a request beyond fails with a `MemoryError`.

    A lower limit stays. Where the system has no such limit (Windows; macOS has one that it does not keep) nothing is
    limited.
    """
    with suppress(ImportError, ValueError, OSError):
        import resource

        limits = resource.getrlimit(resource.RLIMIT_AS)
        lower = [limit for limit in limits if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([_size() + megabytes * 10**6, *lower]), limits[1]))


@contextmanager
def memory_for_reading(megabytes: int = READ_MEGABYTES) -> Iterator[None]:
    """Limit the memory of the block, in which a table is read, to so much or what the machine has.

    Afterwards the limit is the one from before.

    Raises
    ------
    InputError
        When the table takes more.
    """
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    megabytes = min(megabytes, os.sysconf("SC_PHYS_PAGES") * resource.getpagesize() // 10**6)
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit_memory(megabytes)
    try:
        yield
    except MemoryError:
        raise too_much_memory(megabytes) from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def too_much_memory(megabytes: int) -> InputError:
    """The error for a table that takes more memory than its reading may.

    >>> str(too_much_memory(1000))[:75]
    'expected a table of usual size; found one that takes more than 1000 MB of m'
    """
    found = note("one that takes more than {size} MB of memory", size=megabytes)
    return InputError.of(note("a table of usual size"), found, note("give it as CSV, with fewer rows or columns"))


def _size() -> int:
    """The bytes of address space that this process has; zero where the system does not say."""
    import resource

    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
