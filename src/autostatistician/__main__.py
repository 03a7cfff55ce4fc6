"""``python -m autostatistician`` is the command ``autostatistician``."""

from __future__ import annotations

import sys

from autostatistician.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
