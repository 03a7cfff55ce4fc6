"""What the code of a page registers is gone after it, so that pages and tests can run in any order."""

from collections.abc import Iterator

import pytest

from autostatistician.kernels import LANGUAGES
from autostatistician.kernels.leaves import LEAVES


@pytest.fixture(autouse=True)
def _nothing_stays_registered() -> Iterator[None]:
    leaves, languages = set(LEAVES), set(LANGUAGES)
    yield
    for name in set(LEAVES) - leaves:
        del LEAVES[name]
    for name in set(LANGUAGES) - languages:
        del LANGUAGES[name]
