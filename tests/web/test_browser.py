"""The page as a visitor uses it, in a real headless Chromium."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait
from tests.chromium import IN_BROWSER, arrive, browsing
from tests.web.conftest import Served

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    yield from browsing(1100)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    months = np.arange("2015-01", "2020-01", dtype="M8[M]")
    y = 20.0 + 0.2 * np.arange(60) + 4.0 * np.sin(np.arange(60) * np.pi / 6) + np.random.default_rng(0).normal(size=60)
    path = tmp_path_factory.mktemp("data") / "sales <b>.csv"
    rows = "\n".join(f"{month},{value:.3f},x" for month, value in zip(months, y, strict=True))
    path.write_text(f"month,<script>alert(1)</script>,note\n{rows}\n")
    return path


def until(browser: webdriver.Chrome, done: Any, seconds: float = 120.0) -> Any:
    return WebDriverWait(browser, seconds, ignored_exceptions=[StaleElementReferenceException]).until(done)


def text(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.TAG_NAME, "body").text


def upload(browser: webdriver.Chrome, server: Served, table: Path) -> None:
    arrive(browser, lambda: browser.get(server.address))
    browser.find_element(By.ID, "table").send_keys(str(table))
    browser.find_element(By.CSS_SELECTOR, ".drop button").click()


def start(browser: webdriver.Chrome, depth: int, language: str = "linear") -> None:
    until(browser, lambda page: page.find_elements(By.CSS_SELECTOR, ".settings"))
    browser.find_element(By.CSS_SELECTOR, "summary").click()
    Select(browser.find_element(By.ID, "language")).select_by_value(language)
    for name, value in (("depth", depth), ("steps", 6)):
        field = browser.find_element(By.ID, name)
        field.clear()
        field.send_keys(str(value))
    browser.find_element(By.CSS_SELECTOR, ".settings > button").click()


def level(browser: webdriver.Chrome) -> int:
    found = re.search(r"Level (\d+) of at most", text(browser))
    return int(found[1]) if found else 0


def fetched(browser: webdriver.Chrome, link: str | None) -> Any:
    """What the page gets from the server, read as JSON."""
    return browser.execute_script("return (async (link) => (await fetch(link)).json())(arguments[0])", link)


def is_report(browser: webdriver.Chrome) -> bool:
    return bool(browser.find_elements(By.CSS_SELECTOR, "iframe.report"))


def test_two_visitors_upload_watch_and_read_each_their_own(
    browser: webdriver.Chrome, server: Served, table: Path
) -> None:
    first = browser.current_window_handle
    upload(browser, server, table)
    until(browser, lambda page: page.find_elements(By.CSS_SELECTOR, ".settings"))
    assert "60 rows, 3 columns" in text(browser)
    assert "<script>alert(1)</script>" in text(browser)  # as text
    assert Select(browser.find_element(By.ID, "time")).first_selected_option.text == "month"
    assert Select(browser.find_element(By.ID, "target")).first_selected_option.text == "<script>alert(1)</script>"
    start(browser, 2)
    browser.switch_to.new_window("tab")
    arrive(browser, lambda: browser.get(server.address))
    browser.find_element(By.CSS_SELECTOR, "button[value=nile]").click()
    start(browser, 1)
    second = browser.current_window_handle
    browser.switch_to.window(first)
    until(browser, lambda page: "Level" in text(page) or is_report(page))
    until(browser, is_report)
    browser.switch_to.frame(browser.find_element(By.CSS_SELECTOR, "iframe.report"))
    assert "Automatic report on sales" in text(browser)
    browser.switch_to.default_content()
    names = [link.text for link in browser.find_elements(By.CSS_SELECTOR, ".files a")]
    assert names == ["page (HTML)", "PDF", "Markdown", "JSON", "forecast (CSV)", "model"]
    link = browser.find_element(By.PARTIAL_LINK_TEXT, "forecast").get_attribute("href")
    rows = browser.execute_script("return (async (link) => (await fetch(link)).text())(arguments[0])", link).split("\n")
    assert len(rows) == 1 + 6 + 1  # a header, the steps that were asked for, and the end of the last line
    assert rows[0].split(",")[1:] == ["mean", "std", "lower", "median", "upper"]
    browser.switch_to.window(second)
    until(browser, is_report)
    assert "nile" in browser.title
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert severe == []
    arrive(browser, lambda: browser.get(server.address))
    assert all(name in text(browser) for name in ("sales", "nile"))


def test_the_fit_is_shown_a_killed_server_goes_on_where_it_was_and_the_search_can_be_stopped(
    browser: webdriver.Chrome, server: Served, table: Path
) -> None:
    upload(browser, server, table)
    start(browser, 10, "extended")
    until(
        browser, lambda page: page.find_element(By.ID, "fit").is_displayed() and page.find_elements(By.TAG_NAME, "li")
    )
    width = browser.execute_script("return document.getElementById('fit').naturalWidth")
    assert width > 100
    before = level(browser)
    server.end(signal.SIGKILL)
    server.start()
    run = browser.find_element(By.ID, "watch").get_attribute("data-run")
    until(browser, lambda page: fetched(page, f"/runs/{run}/progress")["state"] == "running")
    browser.find_element(By.CSS_SELECTOR, "main > form button").click()
    until(browser, is_report)
    model = fetched(browser, browser.find_element(By.PARTIAL_LINK_TEXT, "model").get_attribute("href"))
    assert len(model["search"]["trace"]) > before > 0  # the levels from before, and that of noise alone


def test_a_file_can_be_dropped_anywhere_on_the_page(browser: webdriver.Chrome, server: Served, table: Path) -> None:
    arrive(browser, lambda: browser.get(server.address))
    data = {"items": [], "files": [str(table)], "dragOperationsMask": 1}

    def is_over(page: webdriver.Chrome) -> bool:  # a hand that holds a file goes on moving
        for kind in ("dragEnter", "dragOver"):
            page.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 500, "data": data})
        return bool(page.find_elements(By.CSS_SELECTOR, ".drop.over"))

    until(browser, is_over)
    browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": "drop", "x": 300, "y": 500, "data": data})
    until(browser, lambda page: page.find_elements(By.CSS_SELECTOR, ".settings"))
    assert "60 rows, 3 columns" in text(browser)


def test_two_files_at_once_are_refused_with_words(
    browser: webdriver.Chrome, server: Served, table: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    arrive(browser, lambda: browser.get(server.address))
    data = {"items": [], "files": [str(table), str(other)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 500, "data": data})
    until(browser, lambda page: "One file at a time" in text(page))
    assert browser.current_url == server.address


def test_a_bad_file_gets_words(browser: webdriver.Chrome, server: Served, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_bytes(b"\x00\x01\x02" * 100)
    upload(browser, server, tmp_path / "bad.csv")
    until(browser, lambda page: "That did not work" in text(page))
    assert "expected" in text(browser)
