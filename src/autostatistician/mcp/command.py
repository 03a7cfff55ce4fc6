"""The command ``autostatistician mcp``."""

from __future__ import annotations

from pathlib import Path

import click

from autostatistician.errors import InputError

__all__ = ["mcp"]


@click.command(short_help="A server for agents, by the Model Context Protocol.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=Path("."),
    show_default=True,
    help="The folder with the tables; all that is written goes into its folder 'autostatistician'.",
)
@click.option("--time-budget", type=click.IntRange(10, 86400), default=600, show_default=True, help="Longest search.")
@click.option("--megabytes", type=click.IntRange(1, 200), default=10, show_default=True, help="Largest table.")
def mcp(folder: Path, time_budget: int, megabytes: int) -> int:
    """Serve the tables of a folder to an agent, on standard input and output.

    It has seven tools: look, fit, ask, forecast, explain, check and report. Nothing outside of the folder can be read.
    """
    try:
        from autostatistician.mcp.server import make_server
    except ImportError as error:
        missing = f"that {error.name} is not installed"
        raise InputError.of("the package of the protocol", missing, "pip install mcp") from None
    from autostatistician.web.tables import Bounds

    make_server(folder.resolve(), Bounds(megabytes=megabytes, seconds=time_budget)).run("stdio")
    return 0
