"""The command ``autostatistician serve``."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from pathlib import Path

import click

from autostatistician.errors import InputError

__all__ = ["is_loopback", "serve"]


@click.command(short_help="A web page where anyone can get a report.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 for any free one.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("autostatistician-runs"),
    show_default=True,
    help="Where tables and reports are kept.",
)
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Searches at a time.")
@click.option("--waiting", type=click.IntRange(1, 10_000), default=30, show_default=True, help="Searches in the queue.")
@click.option("--time-budget", type=click.IntRange(10, 86400), default=600, show_default=True, help="Longest search.")
@click.option("--megabytes", type=click.IntRange(1, 200), default=10, show_default=True, help="Largest table.")
@click.option("--name", multiple=True, help="A further name by which the server is called (behind a proxy).")
def serve(
    host: str, port: int, folder: Path, workers: int, waiting: int, time_budget: int, megabytes: int,
    name: tuple[str, ...],
) -> int:  # fmt: skip
    """Serve a page where a table can be dropped and its report read.

    Everybody who reaches the address can use it: it listens on this machine alone unless --host says otherwise.
    """
    try:
        import uvicorn

        from autostatistician.web.app import LOOPBACK_NAMES, make_app
        from autostatistician.web.safety import TimeoutProtocol
    except ImportError as error:
        missing, remedy = f"that {error.name} is not installed", "pip install starlette uvicorn python-multipart"
        raise InputError.of("the packages of the page", missing, remedy) from None
    from autostatistician._io.files import held
    from autostatistician.web.tables import Bounds

    if not is_loopback(host):
        click.echo(f"warning: whoever reaches {host} can use this server; it knows no passwords.", err=True)
    bounds = Bounds(megabytes=megabytes, seconds=time_budget, waiting=waiting)
    logging.captureWarnings(True)
    with held(folder, "server", "--folder"), _listening(host, port) as listener:
        app = make_app(folder, workers, bounds, LOOPBACK_NAMES | {host.lower(), *name})
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"http://{shown}:{listener.getsockname()[1]}/", err=True)
        config = uvicorn.Config(
            app, log_level="warning", server_header=False, access_log=False, http=TimeoutProtocol, ws="none",
            timeout_graceful_shutdown=5,
        )  # fmt: skip
        logging.getLogger("uvicorn.error").addFilter(_is_fault)
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a record tells more than that the end of the server cut a request short, which hundreds may be at once.

    Whoever reads our log might not keep up, and we would wait for them.
    """
    return record.exc_info is None or not isinstance(record.exc_info[1], asyncio.CancelledError)


def _listening(host: str, port: int) -> socket.socket:
    """The socket to listen on; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        address = f"{host}:{port} ({error.strerror or error})"
        raise InputError.of("an address to listen on", address, "choose another --port or --host") from None


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
