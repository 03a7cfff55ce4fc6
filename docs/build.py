"""Build the site with warnings as errors, and check that it needs nothing from elsewhere when it is read.

Usage: python docs/build.py [FOLDER]      (needs the extra 'docs'; FOLDER is docs/_build by default)
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from re import findall

__all__ = ["main", "outside"]

HERE = Path(__file__).resolve().parent
# Attributes by which a page loads something; links that a reader may follow are none.
LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "object": "data",
    "use": "href",
}
KINDS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"}


class _Loaded(HTMLParser):
    """What a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and KINDS & set(given.get("rel", "").split()):
            self.found.append(given.get("href", ""))
        self.found.append(given.get(LOADS.get(tag, ""), ""))
        self.found += [part.split()[0] for part in given.get("srcset", "").split(",") if part.strip()]


def _loaded(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".css":
        return findall(r"""(?:url\(|@import)\s*["']?([^"')\s]+)""", text)
    page = _Loaded()
    page.feed(text)
    return page.found + findall(r"""url\(["']?(https?:[^"')]+)""", text)


def outside(folder: Path) -> Iterator[str]:
    """What pages and style sheets of a folder load from other hosts."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".html", ".css"}:
            for target in _loaded(path):
                if target.startswith(("http:", "https:", "//")):
                    yield f"{path.relative_to(folder)} loads {target}"


def main(arguments: list[str] | None = None) -> int:
    """Build and check; the exit code is 0 where all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=HERE / "_build", help="where the site is written")
    folder = parser.parse_args(arguments).folder
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-b",
        "html",
        "-d",
        str(folder / ".doctrees"),
    ]
    code = subprocess.run([*command, str(HERE), str(folder)], check=False).returncode
    found = list(outside(folder))
    sys.stderr.writelines(f"{line}\n" for line in found)
    sys.stdout.write(f"{len(list(folder.rglob('*.html')))} pages in {folder}\n")
    return code or int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
