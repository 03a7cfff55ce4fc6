"""How much memory a process of ours may take, held by the system."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

__all__ = ["limit_memory"]


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more memory than it has; a request beyond fails with a `MemoryError`.

    Where the system has no such limit (Windows; macOS has one that it does not keep) nothing is limited.
    """
    with suppress(ImportError, ValueError, OSError):  # a limit that is lower already stays
        import resource

        most = _size() + megabytes * 10**6
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _size() -> int:
    """The bytes of address space that this process has; zero where the system does not say."""
    import resource

    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
