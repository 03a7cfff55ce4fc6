import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
# The scripts find one another as they do when they are run; last, so that they take no other module's name.
sys.path.append(str(BENCHMARKS))


@pytest.fixture
def folder() -> Path:
    """The scripts."""
    return BENCHMARKS
