"""Figures of reports on clusters: rows by their columns, in the latent space, and the chains as small multiples."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.document.document import Figure, Line, Marker, Panel
from autostatistician.describe.document.panels import DensityPanel, GroupPoints
from autostatistician.describe.facts.clusters import ChainCourse, ClusterFindings, ClusterMap
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import capital, count, joined

__all__ = ["course_figure", "latent_figure", "observed_figure", "states_figure"]


def observed_figure(findings: ClusterFindings) -> Figure:
    """Rows by the columns that tell the clusters apart."""
    maps, clusters = findings.observed, len(findings.clusters)
    if maps[0].y_name == "density":
        what = f"Rows by {quoted(maps[0].x_name)}, at the height of the density that further rows are expected to have."
    else:
        shown = len({name for pictured in maps for name in (pictured.x_name, pictured.y_name)})
        best = f" Of {count(len(findings.columns))} columns these {count(shown)} tell the clusters apart best."
        most = best if len(findings.columns) > shown and clusters > 1 else ""
        what = (
            "Rows in the colours of their clusters. Shaded is where half and nine in ten of further rows are "
            f"expected.{most}"
        )
    pairs = joined([f"{quoted(pictured.x_name)} and {quoted(pictured.y_name)}" for pictured in maps])
    alt = f"{capital(count(findings.n))} rows in {count(clusters)} groups of points, by {pairs}."
    return Figure("fig-observed", what, alt, tuple(_panel(pictured) for pictured in maps))


def latent_figure(findings: ClusterFindings) -> Figure | None:
    """Rows in the latent space."""
    if findings.latent is None:
        return None
    caption = (
        "The same rows by their hidden coordinates, of the draw that is nearest to the partition told: here clusters "
        "are normal distributions, shaded where half and nine in ten of their rows are expected. The coordinates have "
        "no unit, and could as well be turned or mirrored."
    )
    alt = f"{capital(count(len(findings.clusters)))} groups of points over two coordinates without unit."
    return Figure("fig-latent", caption, alt, (_panel(findings.latent),))


def course_figure(findings: ClusterFindings) -> Figure:
    """The number of clusters in each chain, sweep by sweep."""
    panels = tuple(_course(course, number) for number, course in enumerate(findings.courses, start=1))
    ends = joined([count(int(chain.clusters[-1])) for chain in findings.courses])
    warm = all(chain.warm_up < chain.sweeps[-1] for chain in findings.courses)
    kept = "Draws are kept after the dashed line; where" if warm else "Where"
    caption = (
        f"The number of clusters in each chain, sweep by sweep. {kept} chains agree, they swing about the same numbers"
        f"{' there' if warm else ''}."
    )
    return Figure("fig-chains", caption, f"Stepped lines that end at {ends} clusters.", panels)


def states_figure(findings: ClusterFindings) -> Figure | None:
    """The first chain on its way."""
    if not findings.states:
        return None
    panels = tuple(_panel(state, f"sweep {sweep:,}" if sweep else "at the start") for sweep, state in findings.states)
    sweeps = joined([f"{sweep:,}" for sweep, _ in findings.states])
    caption = (
        "The first chain on its way: the rows by their hidden coordinates, and the clusters of that sweep in the "
        "colours of those told above that hold most of their rows."
    )
    return Figure("fig-states", caption, f"Groups of points over two coordinates, after sweeps {sweeps}.", panels)


def _panel(seen: ClusterMap, title: str = "") -> Panel:
    named = bool(seen.x_name)
    layers = tuple(
        GroupPoints(x, y, f"cluster {place}", (), group=place, mark=str(place) if named else "")
        for place, x, y in seen.groups
    )
    if seen.y_name == "density":
        return Panel(title, clean_name(seen.x_name), seen.y_name, (Line(seen.x, seen.y, "expected", "mean"), *layers))
    names = clean_name(seen.x_name), clean_name(seen.y_name)
    return DensityPanel(
        title, *names, layers, x_places=seen.x, y_places=seen.y, density=tuple(seen.density), levels=seen.levels
    )


def _course(course: ChainCourse, number: int) -> Panel:
    line = Line(np.repeat(course.sweeps, 2)[1:], np.repeat(course.clusters, 2)[:-1], "", "mean")
    marker = (Marker(float(course.warm_up), ""),) if course.warm_up < course.sweeps[-1] else ()
    return Panel(f"Chain {number}", "sweep", "clusters", (line, *marker), counts=True)
