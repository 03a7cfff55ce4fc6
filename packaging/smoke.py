"""Build wheel and sdist, install each in an empty environment, and use it: ``python packaging/smoke.py``.

``--oldest`` takes the oldest version of every dependency that is allowed, ``--python`` another interpreter, and
``--tests tests/data`` runs fast tests with the wheel, beside which the newest version of every extra is installed.
The first line that fails ends it, with what was printed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

__all__ = ["main", "oldest"]

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (  # what a first hour consists of, on data that come along
    ("examples",),
    ("report", "airline", "--max-depth", "2", "--output", "airline.html"),
    ("fit", "airline", "--max-depth", "1", "--output", "airline.json"),
    ("forecast", "airline.json", "--horizon", "12", "--output", "ahead.csv"),
    ("ask", "airline.json", "trend"),
)
MADE = ("airline.html", "airline.json", "ahead.csv")


def oldest(project: dict[str, object]) -> list[str]:
    """The requirements of a project at their lower bounds: ``numpy>=2.0`` becomes ``numpy==2.0``."""
    dependencies = project["dependencies"]
    assert isinstance(dependencies, list)
    return [re.sub(r"\s*>=\s*", "==", str(text)) for text in dependencies]


def _run(command: list[str], folder: Path) -> float:
    """The seconds that a command took.

    Raises
    ------
    SystemExit
        When it failed, with what it printed.
    """
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"FAILED: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - start


def _used(archive: Path, python: str, pinned: list[str], tests: list[str], folder: Path) -> None:
    """Install one archive in an environment of its own, use it, run tests with it, and say how long that took."""
    folder.mkdir()
    _run([python, "-m", "venv", "venv"], folder)
    bin_ = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    asked = f"{archive}[test]" if tests else str(archive)
    seconds = _run([str(bin_ / "python"), "-m", "pip", "install", "--quiet", asked, *pinned], folder)
    print(f"{archive.name}: installed in {seconds:.0f} s", flush=True)
    for words in COMMANDS:
        seconds = _run([str(bin_ / "autostatistician"), *words], folder)
        print(f"  {' '.join(words)}: {seconds:.1f} s", flush=True)
    if tests:
        seconds = _run([str(bin_ / "python"), "-m", "pytest", "-q", "-x", "-m", "not slow", *tests], ROOT)
        print(f"  {' '.join(tests)}: {seconds:.0f} s", flush=True)
    empty = [name for name in MADE if not (folder / name).stat().st_size]
    if empty:
        raise SystemExit(f"FAILED: {', '.join(empty)} of {archive.name} is empty")


def main(arguments: list[str] | None = None) -> int:
    """Build both, use both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the environments")
    parser.add_argument("--oldest", action="store_true", help="the oldest dependencies that are allowed")
    parser.add_argument("--tests", nargs="+", default=[], help="tests that are run with the wheel")
    options = parser.parse_args(arguments)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = oldest(project) if options.oldest else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", name, str(ROOT)], folder)
        sdist = f"import os; os.chdir({str(ROOT)!r}); from hatchling.build import build_sdist; build_sdist({name!r})"
        _run([sys.executable, "-c", sdist], folder)
        for archive in (*folder.glob("*.whl"), *folder.glob("*.tar.gz")):
            is_wheel = archive.suffix == ".whl"
            tests = options.tests if is_wheel else []
            _used(archive, options.python, pinned, tests, folder / ("wheel" if is_wheel else "sdist"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
