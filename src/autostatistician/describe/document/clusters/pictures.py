"""Figures of reports on clusters: rows by their columns, in the latent space, and the chains as small multiples."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.document.document import Figure, Line, Marker, Panel
from autostatistician.describe.document.panels import DensityPanel, GroupPoints
from autostatistician.describe.facts.clusters import ChainCourse, ClusterFindings, ClusterMap
from autostatistician.wording.messages import again, say, say_as, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import capital, count, fixed, joined

__all__ = ["course_figure", "latent_figure", "observed_figure", "states_figure"]

DENSITY = "density"  # what is on the vertical axis where there is one column


def observed_figure(findings: ClusterFindings) -> Figure:
    """Rows by the columns that tell the clusters apart."""
    maps, clusters = findings.observed, len(findings.clusters)
    pairs = joined([say("{first} and {second}", first=quoted(seen.x_name), second=_y_name(seen)) for seen in maps])
    alt = say_count(
        clusters,
        "{rows} rows in one group of points, by {columns}.",
        "{rows} rows in {n} groups of points, by {columns}.",
        rows=capital(count(findings.n)),
        n=count(clusters),
        columns=pairs,
    )
    return Figure("fig-observed", _observed_caption(findings), alt, tuple(_panel(seen) for seen in maps))


def _observed_caption(findings: ClusterFindings) -> str:
    first = findings.observed[0]
    if first.y_name == DENSITY:
        return say(
            "Rows by {column}, at the height of the density that further rows are expected to have.",
            column=quoted(first.x_name),
        )
    caption = say(
        "Rows in the colours of their clusters. Shaded is where half and nine in ten of further rows are expected."
    )
    columns, clusters = len(findings.columns), len(findings.clusters)
    shown = len({name for seen in findings.observed for name in (seen.x_name, seen.y_name)})
    if columns <= shown or clusters == 1:
        return caption
    best = say(
        "Of {columns} columns these {shown} tell the clusters apart best.", columns=count(columns), shown=count(shown)
    )
    return f"{caption} {best}"


def _y_name(seen: ClusterMap) -> str:
    """The name of what is on the vertical axis, in quotes."""
    return quoted(say_as("of rows", "density")) if seen.y_name == DENSITY else quoted(seen.y_name)


def latent_figure(findings: ClusterFindings) -> Figure | None:
    """Rows in the latent space."""
    if findings.latent is None:
        return None
    caption = say(
        "The same rows by their hidden coordinates, of the draw that is nearest to the partition told: here clusters "
        "are normal distributions, shaded where half and nine in ten of their rows are expected. The coordinates have "
        "no unit, and could as well be turned or mirrored."
    )
    clusters = len(findings.clusters)
    alt = say_count(
        clusters,
        "One group of points over two coordinates without unit.",
        "{n} groups of points over two coordinates without unit.",
        n=capital(count(clusters)),
    )
    return Figure("fig-latent", caption, alt, (_panel(findings.latent),))


def course_figure(findings: ClusterFindings) -> Figure:
    """The number of clusters in each chain, sweep by sweep."""
    panels = tuple(_course(course, number) for number, course in enumerate(findings.courses, start=1))
    ends = joined([count(int(chain.clusters[-1])) for chain in findings.courses])
    warm = all(chain.warm_up < chain.sweeps[-1] for chain in findings.courses)
    caption = (
        say(
            "The number of clusters in each chain, sweep by sweep. Draws are kept after the dashed line; where chains "
            "agree, they swing about the same numbers there."
        )
        if warm
        else say(
            "The number of clusters in each chain, sweep by sweep. Where chains agree, they swing about the same "
            "numbers."
        )
    )
    return Figure("fig-chains", caption, say("Stepped lines that end at {numbers} clusters.", numbers=ends), panels)


def states_figure(findings: ClusterFindings) -> Figure | None:
    """The first chain on its way."""
    if not findings.states:
        return None
    panels = tuple(
        _panel(state, say("sweep {n}", n=fixed(sweep, 0)) if sweep else say("at the start"))
        for sweep, state in findings.states
    )
    sweeps = joined([fixed(sweep, 0) for sweep, _ in findings.states])
    caption = say(
        "The first chain on its way: the rows by their hidden coordinates, and the clusters of that sweep in the "
        "colours of those told above that hold most of their rows."
    )
    alt = say("Groups of points over two coordinates, after sweeps {sweeps}.", sweeps=sweeps)
    return Figure("fig-states", caption, alt, panels)


def _panel(seen: ClusterMap, title: str = "") -> Panel:
    named = bool(seen.x_name)
    layers = tuple(
        GroupPoints(x, y, say("cluster {number}", number=place), (), group=place, mark=str(place) if named else "")
        for place, x, y in seen.groups
    )
    if seen.y_name == DENSITY:
        line = Line(seen.x, seen.y, say_as("in a picture", "expected"), "mean")
        return Panel(title, clean_name(seen.x_name), say_as("of rows", "density"), (line, *layers))
    names = clean_name(again(seen.x_name)), clean_name(again(seen.y_name))
    return DensityPanel(
        title, *names, layers, x_places=seen.x, y_places=seen.y, density=tuple(seen.density), levels=seen.levels
    )


def _course(course: ChainCourse, number: int) -> Panel:
    line = Line(np.repeat(course.sweeps, 2)[1:], np.repeat(course.clusters, 2)[:-1], "", "mean")
    marker = (Marker(float(course.warm_up), ""),) if course.warm_up < course.sweeps[-1] else ()
    return Panel(say("Chain {number}", number=number), say("sweep"), say("clusters"), (line, *marker), counts=True)
