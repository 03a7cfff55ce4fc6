"""The command ``autostatistician check``: the sentences of a text beside what a saved model claims."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autostatistician.cli.options import machine_options, model_argument
from autostatistician.cli.output import print_json
from autostatistician.cli.saved import saved_model
from autostatistician.cli.terminal import DONE, SURPRISING
from autostatistician.errors import InputError
from autostatistician.i18n.names import clean

__all__ = ["check"]

MOST_BYTES = 2_000_000  # of a text


@click.command()
@model_argument
@click.argument("memo", metavar="MEMO")
@machine_options
def check(model: Path, memo: str, as_json: bool, quiet: bool, seed: int) -> int:
    """Check a text against a saved model: which of its sentences are borne out, contradicted or unknown.

    MEMO is a file of text in English, or "-" for standard input. Every sentence with a number, a direction or a date is
    held against the claims of the model, without a language model; --quiet prints those that are contradicted alone.
    The exit code is 0 where none is contradicted, 3 where one is.
    """
    from autostatistician.estimators.memos import memo_of, memo_record

    text = _text(memo)
    record = memo_record(memo_of(saved_model(model)), text)
    wrong = record["counts"]["contradicted"]
    if as_json:
        print_json(record)
    else:
        for each in record["sentences"]:
            if not quiet or each["verdict"] == "contradicted":
                _print(each["verdict"], each["sentence"], each["model"])
        if not quiet:
            click.echo(", ".join(f"{count} {name}" for name, count in record["counts"].items()))
    return SURPRISING if wrong else DONE


def _print(verdict: str, sentence: str, told: list[str]) -> None:
    click.echo(f"{verdict:12}  {clean(sentence)}")
    for each in told if verdict == "contradicted" else ():
        click.echo(f"{'':12}  The model: {clean(each)}")


def _text(memo: str) -> str:
    """The text of a file or of standard input."""
    path = Path(memo)
    if memo != "-" and not path.is_file():
        raise InputError.of(f"a text at '{memo}'", "a folder" if path.is_dir() else "no file", "give its path, or -")
    content = sys.stdin.buffer.read(MOST_BYTES + 1) if memo == "-" else path.read_bytes()[: MOST_BYTES + 1]
    if len(content) > MOST_BYTES:
        raise InputError.of(f"a text of at most {MOST_BYTES // 1_000_000} MB", "a longer one", "check it in parts")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError.of("a text in UTF-8", "other bytes", "save it as plain text (.txt or .md)") from None
