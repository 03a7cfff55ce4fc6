"""The page on clusters: how many and how sure, what each is like, which rows are between, how it was found."""

from __future__ import annotations

from autostatistician.describe.document.clusters.pictures import (
    course_figure,
    latent_figure,
    observed_figure,
    states_figure,
)
from autostatistician.describe.document.clusters.verdict import cluster_verdict
from autostatistician.describe.document.document import Block, Bullets, Document, Figure, Paragraph, Section, Table
from autostatistician.describe.document.record import fact_json, stored
from autostatistician.describe.document.verdict import verdict_section
from autostatistician.describe.facts.clusters import Cluster, ClusterFindings
from autostatistician.describe.words.clusters import (
    READING,
    agreement_text,
    between_texts,
    chance,
    cluster_texts,
    count_text,
    method_texts,
    shared_texts,
    trait_range,
)
from autostatistician.wording.lists import in_turn
from autostatistician.wording.messages import say, say_as, say_count
from autostatistician.wording.names import clean_name, quoted
from autostatistician.wording.numbers import count, fixed, joined, percent

__all__ = ["cluster_document", "cluster_record", "cluster_sentences"]

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
    return Document(
        title=say("Clusters in {name}", name=clean_name(findings.name)),
        subtitle=_subtitle(findings),
        abstract=f"{count_text(findings.count)} {agreement_text(findings.agreement)}",
        sections=_sections(findings),
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


def _sections(findings: ClusterFindings) -> tuple[Section, ...]:
    latent = latent_figure(findings)
    return (
        _brief(findings),
        verdict_section(cluster_verdict(findings)),
        _each(findings),
        _between(findings),
        *([Section("latent", say("The clusters without their bends"), (latent,))] if latent else []),
        _chains(findings),
        Section(
            "method",
            say("How the method works"),
            tuple(Paragraph(text) for text in method_texts(len(findings.columns))),
            folded=True,
        ),
    )


def _brief(findings: ClusterFindings) -> Section:
    clusters = findings.clusters
    sentences = cluster_texts(clusters)
    blocks: list[Block] = [observed_figure(findings)]
    if sentences:
        blocks += [
            Bullets(sentences, ("each",) * len(sentences)),
            Paragraph(say(READING), tuple(cluster.id for cluster in clusters)),
        ]
    else:
        blocks.append(Paragraph(count_text(findings.count), (findings.count.id,)))
    return Section("brief", say("In brief"), tuple(blocks))


def _each(findings: ClusterFindings) -> Section:
    blocks: list[Block] = [_sizes(findings), _probabilities(findings)]
    shared = shared_texts(findings.clusters)
    if shared:
        blocks.append(Bullets(shared))
    return Section("each", say("The clusters one by one"), tuple(blocks))


def _sizes(findings: ClusterFindings) -> Table:
    rows = tuple(
        (
            str(cluster.place),
            fixed(int(cluster.number), 0),
            percent(cluster.number / cluster.of),
            _told(cluster),
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
            say("range of nine in ten rows where it differs most"),
            say_as("how often rows are", "together"),
        ),
        rows,
        (True, True, True, False, True),
        say("Together: in how many of the draws two of its rows are in one cluster, on the mean."),
    )


def _told(cluster: Cluster) -> str:
    if cluster.number == cluster.of:
        return say_as("a cluster", "there is no other")
    traits = [f"{clean_name(trait.column)} {trait_range(trait, int(cluster.number))}" for trait in cluster.traits]
    return in_turn(traits) or say("no single column")


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
        Paragraph(agreement_text(findings.agreement), (findings.agreement.id,)),
        course_figure(findings),
        *([states] if states else []),
    ]
    return Section("chains", say("Can the chains be trusted?"), tuple(blocks))
