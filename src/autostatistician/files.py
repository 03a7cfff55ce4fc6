"""Files are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from autostatistician.errors import WriteError

__all__ = ["write_whole"]


def write_whole(path: str | Path, content: bytes) -> Path:
    """Write a file by way of a temporary one beside it: the old content stays until the new one is complete.

    Raises
    ------
    WriteError
        When the folder does not exist or the system does not allow it; nothing is left behind.
    """
    path = Path(path).resolve()  # a link is followed, not replaced
    beside = path.with_name(f".autostatistician-{secrets.token_hex(8)}.tmp")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WriteError.of(f"to be able to write {str(path)!r}", reason, "choose another place") from error
    finally:
        beside.unlink(missing_ok=True)
    return path
