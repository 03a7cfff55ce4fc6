"""Pictures that can be zoomed: the numbers of the figure, a page that lets one script run, and a reader who uses it."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from tests.chromium import IN_BROWSER, browsing
from tests.report.factory import airline_like, hostile, key_figure
from tests.report.test_drawing import bars, heat

from autostatistician.describe.document.document import Figure, Line, Marker, Panel, Points
from autostatistician.describe.document.panels import Ranges
from autostatistician.errors import InputError
from autostatistician.report import check_path, interactive, render, to_html, write
from autostatistician.report.interactive import figure_specs, vega_lite

Rows = dict[str, list[Any]]
NEEDS_PACKAGE = pytest.mark.skipif(find_spec("vl_convert") is None, reason="needs vl-convert-python")


def rows(layer: dict[str, Any]) -> Rows:
    values = layer["data"]["values"]
    return {name: [row[name] for row in values] for name in values[0]}


def spec_of(panel: Panel) -> dict[str, Any]:
    spec = vega_lite(panel, 300.0)
    assert spec is not None
    return spec


def odd_panel() -> Panel:
    """Numbers on the horizontal axis, names of its places and of points, a hole, ratios."""
    x = np.arange(1.0, 6.0)
    layers = (
        Line(x, np.array([1.0, 2.0, np.nan, 3.0, 4.0]), 'a "curve" \\'),
        Ranges(x, x, x + 1.0, "ranges"),
        Points(x[::-1], x, "set aside", names=tuple("abcde"), role="aside"),
        Marker(4.0, "late"),
    )
    return Panel("Odd", "", "y", layers, x_ticks=((1.0, "one"), (5.0, "five")), logarithmic=True, counts=True)


def test_layers_hold_the_numbers_of_the_figure() -> None:
    panel = key_figure().panels[0]
    area, ahead, line, _, points, marker, name, strips = spec_of(panel)["layer"]
    band, _, curve, _, seen, _ = panel.layers
    assert rows(points)["y"] == seen.y.tolist()
    np.testing.assert_array_equal(np.array(rows(points)["x"], np.int64).astype("M8[ms]"), seen.x)
    np.testing.assert_allclose(rows(line)["y"], curve.y, atol=2e-3)
    np.testing.assert_allclose(rows(area)["lower"], band.lower, atol=2e-3)
    np.testing.assert_allclose(rows(area)["upper"], band.upper, atol=2e-3)
    assert len(rows(ahead)["x"]) == 25
    assert rows(marker)["x"] == rows(name)["x"] == [np.datetime64("2021-12-01", "ms").astype(int)]
    assert rows(name)["text"] == ["end of the data"]
    assert rows(strips)["text"][0].startswith("Jan 2010 · data ")


def test_all_but_what_names_positions_can_be_switched_off() -> None:
    switched = [layer["transform"] for layer in spec_of(odd_panel())["layer"]]
    assert switched[0] == [{"filter": 'indexof(hidden, "a \\"curve\\" \\\\") < 0'}]
    assert switched[1:] == [
        [{"filter": 'indexof(hidden, "ranges") < 0'}], [{"filter": 'indexof(hidden, "set aside") < 0'}], [], [], [],
    ]  # fmt: skip


def test_axes_are_those_of_the_panel() -> None:
    line, _, points, *_ = spec_of(odd_panel())["layer"]
    assert rows(line)["y"] == [1, 2, None, 3, 4]
    assert line["encoding"]["x"]["axis"] == {
        "values": [1.0, 5.0],
        "labelExpr": '{"1": "one", "5": "five"}[datum.value]',
    }
    assert line["encoding"]["y"]["scale"]["type"] == "log"
    assert line["encoding"]["y"]["axis"] == {"tickMinStep": 1}
    assert line["params"][0]["select"]["encodings"] == ["x"]
    assert points["encoding"]["tooltip"][0]["title"] == "set aside"
    marker = Marker(1.5, "here")
    scattered = Panel("", "x", "y", (marker, Points(np.array([2.0, 1.0, 1.0]), np.ones(3), "rows")))
    first = spec_of(scattered)["layer"][0]
    assert first["mark"]["type"] == "point"
    assert first["params"][0]["select"]["encodings"] == ["x", "y"]
    assert vega_lite(Panel("", "x", "y", (marker,)), 300.0) is None


def test_bars_have_their_names_and_ranges() -> None:
    panel = bars()
    bar, ends = spec_of(panel)["layer"]
    assert rows(bar)["name"] == list(panel.names)
    assert rows(bar)["value"] == panel.values.tolist()
    assert rows(ends)["upper"] == panel.upper.tolist()


def test_a_figure_with_a_surface_stays_as_it_is_drawn() -> None:
    assert len(figure_specs(Figure("f", "", "", (bars(), bars())))) == 2
    assert figure_specs(Figure("f", "", "", (bars(), heat()))) == []


@NEEDS_PACKAGE
@pytest.mark.parametrize("panel", [key_figure().panels[0], odd_panel(), bars()], ids=["series", "odd", "bars"])
def test_vega_lite_takes_them(panel: Panel) -> None:
    import vl_convert

    assert vl_convert.vegalite_to_vega(spec_of(panel))["marks"]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(render, "script", lambda: "const a = 1;")
    return to_html(hostile(), interactive=True)


def test_the_page_lets_its_one_script_run(page: str) -> None:
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
    assert [text for kind, text in scripts if "application/json" not in kind] == ["const a = 1;"]
    assert f"script-src 'sha256-{b64encode(sha256(b'const a = 1;').digest()).decode()}'" in page
    assert all(json.loads(text) for kind, text in scripts if "application/json" in kind)
    assert len(scripts) > 2


def test_pages_have_no_script_unless_asked(page: str) -> None:
    assert "<script" not in to_html(hostile())
    assert "<script" in page


def test_what_cannot_be_interactive_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"a .html file for interactive pictures; found '.md'"):
        check_path(tmp_path / "report.md", interactive=True)
    monkeypatch.setattr(interactive, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install vl-convert-python"):
        check_path(tmp_path / "report.html", interactive=True)


# --- The page in a browser, with its policy in force -----------------------------------------------------------------


def in_browser(test: Any) -> Any:
    for mark in (*IN_BROWSER, NEEDS_PACKAGE):
        test = mark(test)
    return test


@pytest.fixture(scope="module", params=[1280, 390])
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    path = write(airline_like(), tmp_path_factory.mktemp("page") / "report.html", interactive=True)
    for browser in browsing(request.param):
        browser.get(path.as_uri())
        browser.implicitly_wait(20.0)
        browser.find_element(By.CSS_SELECTOR, ".zoom button")
        yield browser
        assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def ticks(browser: webdriver.Chrome) -> list[str]:
    browser.execute_async_script("setTimeout(arguments[0], 300)")
    figure = browser.find_element(By.CSS_SELECTOR, "figure.drawn")
    return [text.text for text in figure.find_elements(By.CSS_SELECTOR, ".live .role-axis-label text")]


@in_browser
def test_buttons_zoom_in_and_show_all(browser: webdriver.Chrome) -> None:
    nearer, _, whole = browser.find_elements(By.CSS_SELECTOR, ".zoom button")[:3]
    before = ticks(browser)
    browser.execute_script("arguments[0].click(); arguments[0].click()", nearer)
    near = ticks(browser)
    browser.execute_script("arguments[0].click()", whole)
    assert "2010" in before
    assert "2010" not in near
    assert set(ticks(browser)) == set(before)


@in_browser
def test_the_legend_switches_series(browser: webdriver.Chrome) -> None:
    key = browser.find_elements(By.CSS_SELECTOR, ".legend button")[0]
    areas = "return document.querySelector('figure.drawn').querySelectorAll('.live .mark-area path').length"
    for count in (1, 2):
        browser.execute_script("arguments[0].click()", key)
        ticks(browser)
        assert browser.execute_script(areas) == count


@in_browser
def test_nothing_is_wider_than_the_window(browser: webdriver.Chrome) -> None:
    script = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert browser.execute_script(script)
