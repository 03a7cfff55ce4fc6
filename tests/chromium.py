"""A headless Chromium for tests of pages as a reader uses them."""

import shutil
from collections.abc import Callable, Iterator

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.wait import WebDriverWait

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PROGRAMS = (shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver"))
IN_BROWSER = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(None in PROGRAMS, reason="needs chromium and chromedriver on the PATH"),
]


def browsing(width: int) -> Iterator[webdriver.Chrome]:
    """A browser that ends with its fixture, its window so wide."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(PROGRAMS[0])
    for flag in (*FLAGS, f"--window-size={width},900"):
        options.add_argument(flag)
    browser = _started(options)
    yield browser
    browser.quit()


def arrive(browser: webdriver.Chrome, go: Callable[[], None], seconds: float = 60.0) -> None:
    """Wait until the page that ``go`` leads to is loaded: a driver may return while the page before still stands."""
    before = browser.find_element(By.TAG_NAME, "html")
    go()
    wait = WebDriverWait(browser, seconds)
    wait.until(staleness_of(before))
    wait.until(lambda page: page.execute_script("return document.readyState") == "complete")


def _started(options: webdriver.ChromeOptions, tries: int = 3) -> webdriver.Chrome:
    """A browser; on a machine that is busy the first start may be given up by its driver."""
    try:
        return webdriver.Chrome(options, webdriver.ChromeService(str(PROGRAMS[1])))
    except WebDriverException:
        if tries == 1:
            raise
        return _started(options, tries - 1)
