"""The command ``autostatistician``, also as ``python -m autostatistician``.

Nothing is imported before Ctrl-C is watched for: a first start, when the files are not in the memory of the disk yet,
can take seconds. By ``python -m`` the working folder is the first on the path: it is taken off, the tables of others
lie in it.
"""

from __future__ import annotations

import gc
import os
import sys

__all__ = ["main"]

OBJECTS_BETWEEN_LOOKS = 10_000  # for garbage: at the usual 700 a tenth of the seconds of imports goes there


def main() -> int:
    """Run the command line and return its exit code."""
    gc.set_threshold(OBJECTS_BETWEEN_LOOKS)
    try:
        from autostatistician._io.processes import OWN_ENVIRONMENT

        os.environ.update(OWN_ENVIRONMENT)
        from autostatistician.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted before the work was done\n")
        return 130


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]
    sys.exit(main())
