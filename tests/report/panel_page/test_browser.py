"""The page of a panel as a reader uses it, in a real headless Chromium: quick, by keyboard, on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from tests.chromium import IN_BROWSER, arrive, browsing
from tests.describe.panels.made import made_records

from autostatistician.report.panel_page import write_panel_page

pytestmark = IN_BROWSER

SECONDS = """
const done = arguments[arguments.length - 1], act = arguments[0], began = performance.now();
eval(act);
document.body.getBoundingClientRect();
requestAnimationFrame(() => requestAnimationFrame(() => done((performance.now() - began) / 1000)));
"""  # until what came of it is laid out and drawn
FILTER = "const box = document.getElementById('search'); box.value = '{}'; box.dispatchEvent(new Event('input'));"


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    for browser in browsing(1280):
        browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
        yield browser


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_panel_page(made_records(1000), tmp_path_factory.mktemp("page") / "panel.html", "Sales")


@pytest.fixture
def page(browser: webdriver.Chrome, written: Path) -> webdriver.Chrome:
    browser.set_window_size(1280, 900)
    arrive(browser, lambda: browser.get(written.as_uri()))
    return browser


def shown(page: webdriver.Chrome) -> list[str]:
    """The names of the rows that are shown."""
    names: list[str] = page.execute_script(
        "return [...document.querySelectorAll('#all tbody tr:not([hidden]) th')].map((cell) => cell.firstChild.data)"
    )
    return [name.strip() for name in names]


def head(page: webdriver.Chrome, name: str) -> webdriver.remote.webelement.WebElement:
    return next(
        button for button in page.find_elements(By.CSS_SELECTOR, "#all thead button") if button.text.startswith(name)
    )


def test_a_thousand_series_are_filtered_and_sorted_in_a_second(page: webdriver.Chrome) -> None:
    for cards in (False, True):
        for act in (
            FILTER.format("item 7"),
            FILTER.format(""),
            "document.querySelectorAll('#all thead button')[2].click()",
        ):
            seconds = min(page.execute_async_script(SECONDS.replace("eval(act)", act), act) for _ in range(2))
            assert seconds < 1.0, (cards, act)
        page.find_element(By.ID, "view").click()


def test_search_finds_names_and_what_series_do(page: webdriver.Chrome) -> None:
    box = page.find_element(By.ID, "search")
    box.send_keys("STORE 3/ rising")
    assert all(name.startswith("store 3/") for name in shown(page))
    assert page.find_element(By.ID, "shown").text == f"{len(shown(page))} of 1,000 series shown"
    assert 0 < len(shown(page)) < 25
    page.find_element(By.ID, "clear").click()
    assert len(shown(page)) == 1000
    box.send_keys("tore 3")  # no word begins so
    assert "store 3/item 1" in shown(page)
    page.find_element(By.ID, "clear").click()
    box.send_keys("</script>")
    assert shown(page) == ["odd/</script><script>alert(1)</script>"]


def test_columns_sort_both_ways_with_what_is_missing_last(page: webdriver.Chrome) -> None:
    button = head(page, "Last")
    button.send_keys(Keys.ENTER)  # by keyboard

    def numbers() -> list[str]:
        return page.execute_script(
            "return [...document.querySelectorAll('#all tbody tr')].map((r) => r.cells[6].dataset.v)"
        )

    for sign, word in ((-1.0, "descending"), (1.0, "ascending")):
        values = numbers()
        known = [sign * float(value) for value in values if value]
        assert known == sorted(known)
        assert values[-1] == ""
        sorts = page.execute_script(
            "return [...document.querySelectorAll('[aria-sort]')].map((h) => [h.innerText, h.ariaSort])"
        )
        assert [(name.split()[0], way) for name, way in sorts] == [("Last", word)]
        button.click()
    head(page, "Series").click()
    assert [name for name in shown(page) if name.startswith("store 1/")][:3] == [f"store 1/item {n}" for n in (1, 2, 3)]


def test_a_group_is_shown_by_itself(page: webdriver.Chrome) -> None:
    item = page.find_element(By.CSS_SELECTOR, ".groups li")
    count = int(item.find_element(By.CLASS_NAME, "count").text)
    item.find_element(By.TAG_NAME, "button").click()
    assert len(shown(page)) == count
    assert page.switch_to.active_element.get_attribute("id") == "search"


def test_a_phone_has_tiles_and_nothing_beyond_its_edge(page: webdriver.Chrome) -> None:
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True,
    })  # fmt: skip
    arrive(page, page.refresh)
    assert "cards" in (page.find_element(By.ID, "all").get_attribute("class") or "")
    assert page.execute_script("return document.documentElement.scrollWidth") <= 390
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_it_is_read_without_its_script_and_says_nothing_to_the_console(page: webdriver.Chrome) -> None:
    assert [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"] == []
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    arrive(page, page.refresh)
    assert page.find_elements(By.CSS_SELECTOR, "button") != []  # there, and hidden
    assert not page.find_element(By.ID, "tools").is_displayed()
    assert page.find_element(By.CSS_SELECTOR, "#all tbody th").is_displayed()
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
