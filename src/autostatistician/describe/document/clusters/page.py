"""The page on clusters: how many and how sure, what each is like, which rows are between, how it was found."""

from __future__ import annotations

import numpy as np

from autostatistician.claims.kinds import FEW, KINDS, SEVERAL, Kind
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
from autostatistician.describe.facts.clusters import ChainCourse, ClusterFindings, ClusterMap
from autostatistician.describe.words.chances import share_text
from autostatistician.describe.words.clusters import (
    agreement_text,
    between_texts,
    cluster_texts,
    count_text,
    shared_texts,
)
from autostatistician.forms import Format, json_format
from autostatistician.i18n.messages import again, say, sentence
from autostatistician.i18n.names import clean_name, quoted
from autostatistician.i18n.numbers import capital, count, fixed, joined, percent

__all__ = ["careful_with_clusters", "cluster_document", "cluster_record", "cluster_sentences"]


DENSITY = "density"  # what is on the vertical axis where there is one column


CITATION = (
    "Iwata, Duvenaud and Ghahramani (2013). Warped mixtures for nonparametric cluster shapes. Uncertainty in "
    "Artificial Intelligence."
)


MOST_PROBABILITIES = 8  # of numbers of clusters, in the table


def cluster_sentences(findings: ClusterFindings) -> tuple[str, ...]:
    """How many, what each is like, what is not sure, whether the chains agree."""
    between, _ = between_texts(findings.between, findings.clusters)
    return (
        count_text(findings.count, findings.n),
        *cluster_texts(findings.clusters, findings.n),
        *shared_texts(findings.clusters),
        between,
        agreement_text(findings.chains),
    )


def cluster_document(findings: ClusterFindings) -> Document:
    """The whole report."""
    texts, agreement = cluster_texts(findings.clusters, findings.n), agreement_text(findings.chains)
    return Document(
        title=sentence("clusters.title", name=clean_name(findings.name)),
        subtitle=_subtitle(findings),
        abstract=count_text(findings.count, findings.n),
        picture=observed_figure(findings),
        points=(*texts, sentence("clusters.reading"), agreement) if texts else (agreement,),
        careful=careful_with_clusters(findings),
        sections=(_between(findings),),
        found=_found(findings),
        warnings=findings.warnings,
        record=cluster_record(findings),
        citations=(CITATION,),
    )


def _subtitle(findings: ClusterFindings) -> str:
    """How many rows and columns there are, and the names of the first few columns."""
    names = [quoted(name) for name in findings.columns[:SEVERAL]]
    columns = len(findings.columns)
    names += [sentence("clusters.more", n=columns - len(names))] if columns > len(names) else []
    return sentence("clusters.subtitle", n=columns, rows=fixed(findings.n, 0), names=joined(names))


def cluster_record(findings: ClusterFindings) -> dict[str, object]:
    """Everything stated, for machines, and the cluster of every row."""
    chains = findings.chains
    return {
        "format": json_format(Format.CLUSTERS),
        "n": findings.n,
        "columns": list(findings.columns),
        "n_clusters": len(findings.clusters),
        "probabilities": {str(round(part.number.value)): part.probability for part in findings.count.parts},
        "sizes": [round(cluster.number.value) for cluster in findings.clusters],
        "labels": [{"row": row, "cluster": place} for row, place in findings.labels],
        "r_hat": stored(chains.number.value),
        "effective_samples": stored(chains["effective"]),
        "sweeps": round(chains["sweeps"]),
        "complete": chains["sweeps"] >= chains["asked"],
        "sentences": list(cluster_sentences(findings)),
        "warnings": list(findings.warnings),
        "facts": list(map(fact_json, findings.claims)),
    }


def _found(findings: ClusterFindings) -> tuple[Section, ...]:
    latent = latent_figure(findings)
    return (
        _section("each", _sizes(findings), _probabilities(findings)),
        *([_section("latent", latent)] if latent else []),
        _section("chains", course_figure(findings)),
        Section(
            "method", say("How the method works"),
            (Paragraph(sentence("clusters.standard")), Paragraph(sentence("clusters.draws"))),
        ),
    )  # fmt: skip


def _section(name: str, *blocks: Block) -> Section:
    return Section(name, sentence("clusters.section", section=name), blocks)


def _table(name: str, what: str, columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], note: str = "") -> Table:
    header = tuple(sentence("clusters.head", column=column) for column in columns)
    return Table(name, sentence("clusters.table", what=what), header, rows, (True,) * len(columns), note)


def _sizes(findings: ClusterFindings) -> Table:
    rows = tuple(
        (
            fixed(cluster.at[0], 0), fixed(cluster.number.value, 0), percent(cluster.number.value / findings.n),
            share_text(cluster["together"]),
        )
        for cluster in findings.clusters
    )  # fmt: skip
    together = sentence("clusters.table", what="together")
    return _table("clusters", "sizes", ("cluster", "rows", "share", "together"), rows, together)


def _probabilities(findings: ClusterFindings) -> Table:
    numbers = [(part.probability or 0.0, round(part.number.value)) for part in findings.count.parts]
    likeliest = sorted(numbers, key=lambda pair: (-pair[0], pair[1]))[:MOST_PROBABILITIES]
    rows = tuple((count(number), share_text(share)) for share, number in sorted(likeliest, key=lambda pair: pair[1]))
    return _table("numbers", "numbers", ("clusters", "probability"), rows)


def _between(findings: ClusterFindings) -> Section:
    said, row_texts = between_texts(findings.between, findings.clusters)
    rows = (Bullets(row_texts),) if row_texts else ()
    return _section("between", Paragraph(said, tuple(claim.id for claim in findings.between)), *rows)


# --- What to be careful with ------------------------------------------------------------------------------------------


def careful_with_clusters(findings: ClusterFindings) -> tuple[str, ...]:
    """Judge from the agreement of the chains, and from how often rows are together."""
    chains, number = findings.chains, findings.count
    items = [] if chains.form == "agree" else [sentence("clusters.careful", state=chains.form)]
    if (probability := number.probability or 0.0) <= KINDS[Kind.CLUSTERS].told:
        told = {"number": count(round(number.number.value)), "chance": share_text(probability)}
        items.append(sentence("clusters.doubtful", **told))
    items += shared_texts(findings.clusters)[:FEW]
    if chains["sweeps"] < chains["asked"]:
        sweeps, asked = (fixed(chains[name], 0) for name in ("sweeps", "asked"))
        items.append(sentence("clusters.more_time", sweeps=sweeps, asked=asked))
    return (*items, sentence("clusters.meaning"))


# --- Figures of reports on clusters ---------------------------------------------------------------------------------


def observed_figure(findings: ClusterFindings) -> Figure:
    """Rows by the columns that tell the clusters apart."""
    maps, clusters = findings.observed, len(findings.clusters)
    columns = joined([
        sentence("clusters.pair", first=quoted(seen.x_name), second=quoted(_y_name(seen))) for seen in maps
    ])  # fmt: skip
    rows, number = capital(count(findings.n)), count(clusters)
    alt = sentence("clusters.points", n=clusters, rows=rows, number=number, columns=columns)
    if maps[0].y_name == DENSITY:
        caption = sentence("clusters.density", column=quoted(maps[0].x_name))
    else:
        known, shown = len(findings.columns), len({name for seen in maps for name in (seen.x_name, seen.y_name)})
        caption = sentence(
            "clusters.observed", all=known <= shown or clusters == 1, columns=count(known), shown=count(shown)
        )
    return Figure("fig-observed", caption, alt, tuple(map(_panel, maps)))


def _label(label: str, number: int = 0) -> str:
    return sentence("clusters.label", label=label, n=fixed(number, 0))


def _y_name(seen: ClusterMap) -> str:
    """The name of what is on the vertical axis."""
    return _label(DENSITY) if seen.y_name == DENSITY else seen.y_name


def latent_figure(findings: ClusterFindings) -> Figure | None:
    """Rows in the latent space."""
    if findings.latent is None:
        return None
    clusters = len(findings.clusters)
    alt = sentence("clusters.groups", n=clusters, number=capital(count(clusters)))
    return Figure("fig-latent", sentence("clusters.latent"), alt, (_panel(findings.latent),))


def course_figure(findings: ClusterFindings) -> Figure:
    """The number of clusters in each chain, sweep by sweep."""
    panels = tuple(_course(course, number) for number, course in enumerate(findings.courses, start=1))
    ends = joined([count(int(chain.clusters[-1])) for chain in findings.courses])
    return Figure("fig-chains", sentence("clusters.course"), sentence("clusters.ends", numbers=ends), panels)


def _panel(seen: ClusterMap) -> Panel:
    layers = tuple(
        GroupPoints(x, y, _label("cluster", place), (), group=place, mark=str(place)) for place, x, y in seen.groups
    )
    x_name, y_name = clean_name(again(seen.x_name)), clean_name(again(_y_name(seen)))
    if seen.y_name == DENSITY:
        return Panel("", x_name, y_name, (Line(seen.x, seen.y, _label("expected"), "mean"), *layers))
    return DensityPanel(
        "", x_name, y_name, layers, x_places=seen.x, y_places=seen.y, density=tuple(seen.density),
        levels=seen.levels,
    )  # fmt: skip


def _course(course: ChainCourse, number: int) -> Panel:
    line = Line(np.repeat(course.sweeps, 2)[1:], np.repeat(course.clusters, 2)[:-1], "", "mean")
    marker = (Marker(float(course.warm_up), ""),) if course.warm_up < course.sweeps[-1] else ()
    return Panel(_label("chain", number), _label("sweeps"), _label("clusters"), (line, *marker), counts=True)
