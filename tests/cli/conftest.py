"""Commands as people give them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from tests.schemas import check_printed

from autostatistician.cli.main import main

Run = Callable[..., Any]  # words, and the code they end with, to what is printed


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """What a command prints, which ends with this code; JSON as its schema has it."""

    def printed(words: Iterable[object], code: int = 0) -> Any:
        said = [str(word) for word in words]
        assert main(said) == code
        captured = capsys.readouterr()
        if "--json" in said:
            check_printed(captured.out)
        return captured

    return printed
