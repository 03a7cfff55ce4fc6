"""The way into the command line and out of it: signals, errors in one line, exit codes."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

import click

from autostatistician.command.commands import cli
from autostatistician.command.terminal import DEBUG_VARIABLE, DONE, INTERRUPTED, TERMINATED, explained, open_streams
from autostatistician.processes import termination_as_interrupt
from autostatistician.wording.names import clean

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: done; 1: a bug of ours; 2: the input or the arguments are at fault; 3: some series of a batch failed;
    130: interrupted; 143: ended by SIGTERM. Errors are one line on standard error; the environment variable
    ``AUTOSTATISTICIAN_DEBUG=1`` adds the traceback.
    """
    with termination_as_interrupt() as signals:
        code = _run(arguments)
    return TERMINATED if signals and code == INTERRUPTED else code


def _run(arguments: Sequence[str] | None) -> int:
    if not os.environ.get(DEBUG_VARIABLE):
        # Warnings of the libraries below are for developers; what a user must know is in the notes of the result.
        logging.captureWarnings(True)
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        # The process that cleans up behind workers tells of what an interruption left to it; it inherits this.
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
    open_streams()
    try:
        with cli.make_context("autostatistician", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = int(cli.invoke(context) or DONE)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:  # the reader of our output has left (as `head` does): what is written is written
        return DONE
    except KeyboardInterrupt:
        return _failed("interrupted before the work was done", INTERRUPTED)
    except Exception as error:
        return _failed(*explained(error))
    finally:
        _let_go()
    return code


def _let_go() -> None:
    """Drop what the standard streams cannot take: Python would try once more at its end, and answer with code 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _failed(message: str, code: int) -> int:
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exc()
    with suppress(OSError):  # of a standard error that goes to a full disk
        click.echo(f"error: {clean(message)}", err=True)
    return code
