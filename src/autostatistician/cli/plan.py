"""What ``--plan`` prints: what a search would do, and about how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from autostatistician.cli.options import FitOptions
from autostatistician.cli.output import print_json
from autostatistician.i18n.names import clean

if TYPE_CHECKING:
    from autostatistician.data.dataset import Dataset

__all__ = ["print_plan"]


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
