"""From the SVG that matplotlib writes to a small one that is safe inside a page.

Nothing in the result has an id or refers to one (marker definitions are copied to where they are used), there is no
style sheet and no metadata, coordinates have one decimal, and the colours are CSS variables.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from autostatistician.report.draw import DOTS
from autostatistician.report.palette import with_variables
from autostatistician.report.thin import simplified

__all__ = ["page_svg"]

_HREF = "{http://www.w3.org/1999/xlink}href"
_DROPPED = frozenset({"metadata", "defs"})
_FONT = re.compile(r"font-family:.*?(; |$)")
_TOLERANCE = 0.2  # px, how far a simplified path may stray

Element = ElementTree.Element


def page_svg(source: str, label: str | None = None, over: Element | None = None) -> str:
    """Rewrite the text of a matplotlib SVG file as one ``<svg>`` element.

    With a ``label`` the result stands alone (a namespace, a title for those who cannot see it); without, it is
    decoration of an element that already says it. What lies ``over`` it comes last.
    """
    old = ElementTree.fromstring(source)
    view = f"0 0 {' '.join(old.attrib['viewBox'].split()[2:])}"
    new = Element("svg", {"viewBox": view, "style": "font-family: var(--font, system-ui, sans-serif)"})
    if label is None:
        new.attrib.update({"aria-hidden": "true", "focusable": "false"})
    else:
        _, _, width, height = view.split()
        new.attrib.update({"xmlns": "http://www.w3.org/2000/svg", "role": "img", "width": width, "height": height})
        ElementTree.SubElement(new, "title").text = label
    shapes = {path.attrib["id"]: path for path in old.iter() if "id" in path.attrib and _name(path) == "path"}
    _copy_children(old, new, shapes)
    if over is not None:
        new.append(over)
    return ElementTree.tostring(new, encoding="unicode")


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _copy_children(old: Element, new: Element, shapes: dict[str, Element]) -> None:
    for child in old:
        match _name(child):
            case "g" if child.attrib.get("id", "").startswith(DOTS):
                new.append(_dots(child))
            case "g":
                _copy_children(child, new, shapes)
            case "path":
                new.append(Element("path", _styled(child, d=_path(child.attrib["d"]))))
            case "use":
                shape = shapes[child.attrib[_HREF][1:]].attrib["d"]
                new.append(Element("path", _styled(child, d=_path(shape), transform=_shift(child))))
            case "text":
                new.append(_text(child))
            case name:
                assert name in _DROPPED, name


def _styled(element: Element, **attributes: str) -> dict[str, str]:
    return {**attributes, "style": with_variables(_FONT.sub("", element.attrib.get("style", "")).rstrip("; "))}


def _shift(use: Element) -> str:
    return f"translate({_short(use.attrib['x'])} {_short(use.attrib['y'])})"


def _text(old: Element) -> Element:
    new = Element("text", _styled(old, x=_short(old.attrib["x"]), y=_short(old.attrib["y"])))
    new.text = old.text
    return new


def _dots(group: Element) -> Element:
    """Observations as one path of strokes without length and with round ends: a few bytes for each."""
    uses = [element for element in group.iter() if _name(element) == "use"]
    places = [(round(float(use.attrib["x"]) * 10), round(float(use.attrib["y"]) * 10)) for use in uses]
    d = "".join(f"M{_tenths(x)} {_tenths(y)}h0" for x, y in places)
    width = _tenths(int(group.attrib["id"].removeprefix(DOTS)))
    colour = re.search(r"fill: (#[0-9a-f]{6})", uses[0].attrib["style"] if uses else "")
    stroke = with_variables(f"stroke: {colour[1] if colour else 'none'}")
    return Element("path", {"d": d, "style": f"fill: none; {stroke}; stroke-width: {width}; stroke-linecap: round"})


def _tenths(number: int) -> str:
    """A number of tenths as a decimal.

    >>> [_tenths(number) for number in (120, -5, 7)]
    ['12', '-.5', '.7']
    """
    text = f"{number / 10:g}" if number % 10 == 0 else f"{number / 10:.1f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _short(number: str) -> str:
    return _tenths(round(float(number) * 10))


def _path(d: str) -> str:
    """A path with few digits and without the vertices that make no difference.

    >>> _path("M 1.04 2 L 2 2 L 3 2.0 L 3 9 z")
    'M1 2l2 0l0 7z'
    """
    parts = re.findall(r"[ML][^ML]*", d.replace("\n", " "))
    if "C" in d or "Q" in d or not parts:
        return " ".join(d.split())
    return "".join(_subpath(run) for run in re.findall(r"M[^M]*", " ".join(parts)))


def _subpath(run: str) -> str:
    numbers = re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", run)
    points = np.array(numbers, dtype=np.float64).reshape(-1, 2)
    return _relative(simplified(points, _TOLERANCE)) + ("z" if "z" in run else "")


def _relative(points: NDArray[np.float64]) -> str:
    places = np.rint(points * 10).astype(np.int64)
    steps = np.diff(places, axis=0)
    steps = steps[np.any(steps != 0, axis=1)] if len(steps) > 1 else steps
    x, y = places[0].tolist()
    return f"M{_tenths(x)} {_tenths(y)}" + "".join(
        f"l{_tenths(dx)}{'' if dy < 0 else ' '}{_tenths(dy)}" for dx, dy in steps.tolist()
    )
