"""The picture of the README: the first screen of the page that its command writes.

The PNG keeps the sentences at the head of that page, so that CI can compare them with those that the command writes
today; numbers may differ a little from machine to machine.

Usage: python docs/images/readme_picture.py airline-report.html [--check]
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

PICTURE = Path(__file__).with_name("airline-report.png")
KEY = "head of the page"
SIZE = (1200, 1032)  # in CSS pixels, each drawn as two by two
ALIKE = 0.15  # relative difference of numbers that count as the same: chances are of draws
NUMBER = re.compile(r"\d[\d,]*\.?\d*")


def head(page: str) -> str:
    """The sentences at the head of a page, without markup."""
    matched = re.search(r'<p class="lead">(.*?)</p>.*?<ul class="points">(.*?)</ul>', page, re.DOTALL)
    if matched is None:
        raise SystemExit("expected a page with a lead and points below its picture; found none; give a report in HTML")
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", " ".join(matched.groups()))).split())


def tells_the_same(one: str, other: str) -> bool:
    """Whether two texts have the same words and about the same numbers.

    >>> tells_the_same("rose to 495", "rose to 496"), tells_the_same("rose to 495", "fell to 495")
    (True, False)
    >>> tells_the_same("rose to 495", "rose to 595")
    False
    """
    numbers = [[float(text.replace(",", "")) for text in NUMBER.findall(told)] for told in (one, other)]
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    return all(abs(a - b) <= ALIKE * max(abs(a), abs(b)) for a, b in zip(*numbers, strict=True))


def draw(page: Path) -> None:
    """Draw the first screen of a page with Chromium."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        raise SystemExit("expected a Chromium on the PATH; found none; install one")
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "shot.png"
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2"]
        size = f"--window-size={SIZE[0]},{SIZE[1]}"
        subprocess.run([browser, *flags, size, f"--screenshot={shot}", page.resolve().as_uri()], check=True)
        kept = PngInfo()
        kept.add_text(KEY, head(page.read_text(encoding="utf-8")))
        with Image.open(shot) as image:
            image.quantize(128).save(PICTURE, pnginfo=kept, optimize=True)


def main() -> None:
    """Draw the picture, or compare it with a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--check", action="store_true", help="compare, and draw nothing")
    given = parser.parse_args()
    if not given.check:
        draw(given.page)
        return
    today = head(given.page.read_text(encoding="utf-8"))
    with Image.open(PICTURE) as image:
        shown = str(image.info.get(KEY, ""))
    if not tells_the_same(shown, today):
        sys.exit(f"{PICTURE.name} shows another report than the command writes; draw it anew\n- {shown}\n+ {today}")


if __name__ == "__main__":
    main()
