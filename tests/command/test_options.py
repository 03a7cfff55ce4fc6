"""Options that commands share: the names they offer are those that the library knows."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from autostatistician.command import options
from autostatistician.data.outliers import OUTLIERS
from autostatistician.data.steps import MOST_STEPS
from autostatistician.data.transform import TRANSFORMS
from autostatistician.inference.criteria import CRITERIA
from autostatistician.language.languages import LANGUAGES


def test_names_written_out_are_those_of_the_library() -> None:
    assert sorted(options.LANGUAGES) == sorted(LANGUAGES)
    assert sorted(options.CRITERIA) == sorted(("auto", *CRITERIA))
    assert sorted(options.TRANSFORMS) == sorted(("auto", *TRANSFORMS))
    assert sorted(options.OUTLIERS) == sorted(OUTLIERS)
    assert options.MOST_STEPS == MOST_STEPS


@click.command()
@options.search_options
def _asked(**values: Any) -> None:
    click.echo(repr(values))


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        ([], "limits", "auto"),
        (["--limits", "none"], "limits", None),
        (["--limits", "0,"], "limits", (0.0, None)),
        (["--limits", "-1.5,2"], "limits", (-1.5, 2.0)),
        (["--where", "a=1", "--where", "b=2"], "where", ("a=1", "b=2")),
        (["--budget", "2.5"], "budget", 2.5),
    ],
)
def test_values_are_read(arguments: list[str], name: str, value: object) -> None:
    answer = CliRunner().invoke(_asked, arguments)
    assert answer.exit_code == 0
    assert f"{name!r}: {value!r}" in answer.output


@pytest.mark.parametrize(
    "arguments",
    [["--limits", "1"], ["--limits", "a,b"], ["--limits", "1,2,3"], ["--budget", "inf"], ["--budget", "nan"],
     ["--depth", "0"], ["--language", "french"], ["--jobs", "0"]],
)  # fmt: skip
def test_values_that_mean_nothing_are_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(_asked, arguments).exit_code == 2
