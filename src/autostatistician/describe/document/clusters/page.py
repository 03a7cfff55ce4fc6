"""The page on clusters: how many and how sure, what each is like, which rows are between, how it was found."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.document.document import (
    Block,
    Bullets,
    Document,
    Figure,
    Line,
    Marker,
    Panel,
    Paragraph,
    Section,
    Table,
)
from autostatistician.describe.document.panels import DensityPanel, GroupPoints
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.facts.clusters import Agreement, ChainCourse, ClusterFindings, ClusterMap
from autostatistician.describe.words.clusters import (
    READING,
    agreement_text,
    agrees,
    between_texts,
    chance,
    cluster_texts,
    count_text,
    method_texts,
    shared_texts,
)
from autostatistician.wording.messages import again, say, say_as, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import capital, count, fixed, joined, percent

__all__ = ["careful_with_clusters", "cluster_document", "cluster_record", "cluster_sentences"]


DENSITY = "density"  # what is on the vertical axis where there is one column

DOUBTFUL = 0.5  # probability of the number of clusters, up to which it is doubted

MOST_PAIRS = 3  # of clusters that may be one: the others are told with the clusters

CITATION = (
    "Iwata, Duvenaud and Ghahramani (2013). Warped mixtures for nonparametric cluster shapes. Uncertainty in "
    "Artificial Intelligence."
)

MOST_COLUMNS_NAMED = 6

MOST_PROBABILITIES = 8  # of numbers of clusters, in the table


def cluster_sentences(findings: ClusterFindings) -> tuple[str, ...]:
    """How many, what each is like, what is not sure, whether the chains agree."""
    between, _ = between_texts(findings.between, findings.clusters)
    return (
        count_text(findings.count),
        *cluster_texts(findings.clusters),
        *shared_texts(findings.clusters),
        between,
        agreement_text(findings.agreement),
    )


def cluster_document(findings: ClusterFindings) -> Document:
    """The whole report."""
    texts, agreement = cluster_texts(findings.clusters), agreement_text(findings.agreement)
    return Document(
        title=say("Clusters in {name}", name=clean_name(findings.name)),
        subtitle=_subtitle(findings),
        abstract=count_text(findings.count),
        picture=observed_figure(findings),
        points=(*texts, say(READING), agreement) if texts else (agreement,),
        careful=careful_with_clusters(findings),
        sections=(_between(findings),),
        found=_found(findings),
        warnings=findings.warnings,
        record=cluster_record(findings),
        citations=(CITATION,),
    )


def _subtitle(findings: ClusterFindings) -> str:
    """How many rows and columns there are, and the names of the first few columns."""
    names = [quoted(name) for name in findings.columns[:MOST_COLUMNS_NAMED]]
    more, columns = len(findings.columns) - len(names), len(findings.columns)
    others = [say_as("columns", "{n} more", n=more)] if more else []
    return say_count(
        columns,
        "{rows} rows by {n} column: {names}",
        "{rows} rows by {n} columns: {names}",
        rows=fixed(findings.n, 0),
        n=columns,
        names=joined([*names, *others]),
    )


def cluster_record(findings: ClusterFindings) -> dict[str, object]:
    """Everything stated, for machines, and the cluster of every row."""
    agreement = findings.agreement
    facts = (findings.count, *findings.clusters, *findings.between, agreement)
    return {
        "n": findings.n,
        "columns": list(findings.columns),
        "n_clusters": len(findings.clusters),
        "probabilities": {str(number): stored(share) for number, share in findings.count.probabilities},
        "sizes": [int(cluster.number) for cluster in findings.clusters],
        "labels": [{"row": row, "cluster": place} for row, place in findings.labels],
        "r_hat": stored(agreement.number),
        "effective_samples": stored(agreement.effective),
        "sweeps": agreement.sweeps,
        "complete": not agreement.cut,
        "sentences": list(cluster_sentences(findings)),
        "warnings": list(findings.warnings),
        "facts": [fact_json(fact) for fact in facts],
    }


def _found(findings: ClusterFindings) -> tuple[Section, ...]:
    latent = latent_figure(findings)
    method = tuple(Paragraph(text) for text in method_texts(len(findings.columns)))
    return (
        Section("each", say("The clusters one by one"), (_sizes(findings), _probabilities(findings))),
        *([Section("latent", say("The clusters without their bends"), (latent,))] if latent else []),
        _chains(findings),
        Section("method", say("How the method works"), method),
    )


def _sizes(findings: ClusterFindings) -> Table:
    rows = tuple(
        (
            str(cluster.place),
            fixed(int(cluster.number), 0),
            percent(cluster.number / cluster.of),
            chance(cluster.together),
        )
        for cluster in findings.clusters
    )
    return Table(
        "clusters",
        say("The clusters, the largest first."),
        (
            say("cluster"),
            say("rows"),
            say_as("of all rows", "share"),
            say_as("how often rows are", "together"),
        ),
        rows,
        (True, True, True, True),
        say("Together: in how many of the draws two of its rows are in one cluster, on the mean."),
    )


def _probabilities(findings: ClusterFindings) -> Table:
    likeliest = sorted(findings.count.probabilities, key=lambda pair: (-pair[1], pair[0]))[:MOST_PROBABILITIES]
    rows = tuple((count(number), chance(share)) for number, share in sorted(likeliest))
    header = (say("clusters"), say("probability"))
    return Table("numbers", say("How probable each number of clusters is."), header, rows, (False, True))


def _between(findings: ClusterFindings) -> Section:
    said, row_texts = between_texts(findings.between, findings.clusters)
    blocks: list[Block] = [Paragraph(said, tuple(fact.id for fact in findings.between))]
    if row_texts:
        blocks.append(Bullets(row_texts))
    return Section("between", say("Which rows are between clusters?"), tuple(blocks))


def _chains(findings: ClusterFindings) -> Section:
    states: Figure | None = states_figure(findings)
    blocks: list[Block] = [
        course_figure(findings),
        *([states] if states else []),
    ]
    return Section("chains", say("Can the chains be trusted?"), tuple(blocks))


# --- What to be careful with ------------------------------------------------------------------------------------------


def careful_with_clusters(findings: ClusterFindings) -> tuple[str, ...]:
    """Judge from the agreement of the chains, and from how often rows are together."""
    agreement = findings.agreement
    items: list[str] = []
    if not agrees(agreement):
        items.append(_why(agreement))
    if (probability := findings.count.probability or 0.0) <= DOUBTFUL:
        items.append(
            say(
                "The number of clusters: {number} has a probability of {chance}.",
                number=count(int(findings.count.number)), chance=chance(probability),
            )
        )  # fmt: skip
    items += shared_texts(findings.clusters)[:MOST_PAIRS]
    if agreement.cut:
        items.append(
            say(
                "Give it more time: the chains ended after {sweeps} of {asked} sweeps.",
                sweeps=fixed(agreement.sweeps, 0), asked=fixed(agreement.asked, 0),
            )
        )  # fmt: skip
    items.append(say("What the clusters mean: they say which rows are alike, not why."))
    return tuple(items)


def _why(agreement: Agreement) -> str:
    """Why chains cannot be relied on."""
    if agreement.cold:
        return say("Everything: the chains ended before they had warmed up.")
    if agreement.draws <= agreement.chains:
        return say("Everything: the chains are too short.")
    if agreement.chains == 1:
        return say("Everything: there is one chain alone.")
    return say("Everything: the chains do not agree yet.")


# --- Figures of reports on clusters ---------------------------------------------------------------------------------


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
