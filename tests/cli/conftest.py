"""Commands as people give them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from autostatistician.cli.main import main

Run = Callable[..., Any]  # words, and the code they end with, to what is printed


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """What a command prints, which ends with this code."""

    def printed(words: Iterable[object], code: int = 0) -> Any:
        assert main([str(word) for word in words]) == code
        return capsys.readouterr()

    return printed
