"""Blocks of Python without a prompt run on the files of the tutorial; those with one are doctests.

A comment before a block holds what is there already (`<!-- before: CODE -->`), or why it is not run.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from tests.docs.blocks import FILES, PAGES, ROOT, Block, blocks

from autostatistician import AutomaticStatistician

SHORT = {"max_depth": 1, "n_restarts": 2, "n_jobs": 1}  # for what a block leaves open
SHOWN = [(page, block) for page in PAGES for block in blocks(page) if block.language in {"py", "python"}]
EXAMPLES = [(page, block) for page, block in SHOWN if ">>> " not in block.text]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "block"),
    [example for example in EXAMPLES if not example[1].not_run],
    ids=lambda value: str(value.relative_to(ROOT)) if isinstance(value, Path) else "",
)
def test_the_block_runs(page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shutil.copytree(FILES, tmp_path / "files"))
    for name, value in SHORT.items():
        monkeypatch.setitem(AutomaticStatistician.__init__.__kwdefaults__, name, value)
    names = {"__name__": "__main__", "pd": pd, "AutomaticStatistician": AutomaticStatistician}
    exec(compile(block.before, f"before {page.name}", "exec"), names)
    exec(compile(block.text, page.name, "exec"), names)
    plt.close("all")


def test_every_other_block_says_why_it_is_not_run() -> None:
    for page, block in EXAMPLES:
        compile(block.text, page.name, "exec")
        assert len(block.not_run) > 10 or block.before, page


def test_blocks_with_a_prompt_are_doctests() -> None:
    """Pytest looks for these in the pages of the folders of docs (`--doctest-glob`), not in the README."""
    assert [page for page, block in SHOWN if ">>> " in block.text and page.parent == ROOT] == []
