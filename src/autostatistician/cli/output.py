"""What commands print: sentences or JSON with the exit code that goes with them, and the plan of a search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autostatistician._io.files import write_whole
from autostatistician._io.rows import finite_only, plain_rows
from autostatistician.cli.options import FitOptions
from autostatistician.cli.terminal import DONE, INTERRUPTED
from autostatistician.i18n.messages import again
from autostatistician.i18n.names import clean

if TYPE_CHECKING:
    from autostatistician.data.dataset import Dataset
    from autostatistician.estimators.backtest import BacktestScores
    from autostatistician.estimators.changes import EventEffect
    from autostatistician.estimators.clusters import ClusterReport
    from autostatistician.estimators.loading import Fitted
    from autostatistician.estimators.mixture import InfiniteWarpedMixture

__all__ = ["clear", "finish", "finish_answer", "finish_backtest", "print_json", "print_plan"]


def finish(model: Fitted | ClusterReport, path: Path, as_json: bool, quiet: bool, pressed: Sequence[int]) -> int:
    """Print what was found, and return the exit code; ``pressed`` is not empty when Ctrl-C came meanwhile."""
    result, sentences = model.to_dict(), [] if as_json or quiet else model.describe()
    stopped = bool(pressed or getattr(model, "interrupted_", False))
    if not (quiet or as_json):
        for warning in result["warnings"]:
            if warning not in sentences:  # how the table was read is said with what was found
                click.echo(f"note: {clean(warning)}", err=True)
    if stopped and not quiet:
        result_kind = "the best model" if "expression" in result else "what the chains have"
        click.echo(f"note: interrupted; this is {result_kind} found so far", err=True)
    if as_json:
        print_json({**result, "output": str(path)})
    elif not quiet:
        if "expression" in result:
            click.echo(f"Model: {clean(result['expression'])}")
        click.echo("\n".join(f"- {clean(sentence)}" for sentence in sentences))
        click.echo(f"Wrote {clean(path)}")
    return INTERRUPTED if stopped else DONE


def finish_answer(effect: EventEffect, warnings: Sequence[str], as_json: bool, quiet: bool) -> None:
    """Print the effect of an event, as sentences or as one JSON object."""
    if as_json:
        names = ("share", "p_value", "placebo_dates", "placebo_p", "is_event", "expression")
        sizes = {name: _named_range(getattr(effect, name)) for name in ("average", "total")}
        plain = {name: getattr(effect, name) for name in names} | {"share": _named_range(effect.share)}
        rows = plain_rows(effect.rows)
        print_json({"rows": rows, **sizes, **plain, "warnings": list(warnings), "sentences": list(effect.sentences)})
        return
    if not quiet:
        for warning in warnings:
            click.echo(f"note: {clean(again(warning))}", err=True)
    click.echo("\n".join(clean(sentence) for sentence in effect.sentences))


def finish_backtest(
    scores: BacktestScores, warnings: Sequence[str], path: Path | None, as_json: bool, quiet: bool
) -> None:
    """Print the scores of forecasts from earlier origins, and write these forecasts."""
    if path:
        write_whole(path, scores.forecasts.to_csv(index=False, lineterminator="\n").encode())
    if as_json:
        names = ("scores", "by_step", "forecasts")
        rows = {name: plain_rows(getattr(scores, name).reset_index()) for name in names}
        print_json({**rows, "searched": scores.searched, "warnings": list(warnings), "output": path and str(path)})
        return
    for warning in () if quiet else warnings:
        click.echo(f"note: {clean(again(warning))}", err=True)
    click.echo(str(scores))
    if path and not quiet:
        click.echo(f"Wrote {clean(path)}")


def _named_range(values: tuple[float, float, float] | None) -> dict[str, float] | None:
    return None if values is None else dict(zip(("mean", "lower", "upper"), values, strict=True))


def clear(checkpoint: Path | None, model: Fitted | InfiniteWarpedMixture) -> None:
    """Remove the checkpoint of a model from which nothing more can come."""
    from autostatistician.estimators.loading import forget

    if checkpoint is not None and model.complete_:
        forget(checkpoint, len(getattr(model, "models_", "1")))


def print_json(record: Mapping[str, object]) -> None:
    """Print a record; NaN and infinities, which JSON lacks, become null."""
    click.echo(json.dumps(finite_only(record), indent=2))


def print_plan(dataset: Dataset, options: FitOptions, as_json: bool) -> None:
    """Print the plan of the search for the model of a data set."""
    from autostatistician.data.classes import against_rest
    from autostatistician.search.settings import Settings
    from autostatistician.search.stages.planned import planned

    settings = Settings(options["depth"], criterion=options["criterion"], n_jobs=options["jobs"], seed=options["seed"])
    several = len(dataset.classes) > 2
    plan = planned(against_rest(dataset, 0) if several else dataset, options["language"], settings)
    if as_json:
        print_json({"target": dataset.target, "plan": plan.to_json()})
    else:
        click.echo(f"Target: {clean(dataset.target)}")
        if several:
            click.echo(f"Each of {len(dataset.classes)} classes has a search against all others; that of the first:")
        click.echo("\n".join(plan.lines))
