"""Scripts beside the package, as modules."""

import importlib.util
from pathlib import Path
from types import ModuleType

__all__ = ["script"]


def script(path: Path) -> ModuleType:
    """What a script defines, run as a module of its name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
