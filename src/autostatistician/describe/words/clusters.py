"""Clusters of rows in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import KINDS, Kind
from autostatistician.describe.words.chances import share_text
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import in_turn, quoted
from autostatistician.i18n.numbers import capital, count, fixed, joined, pair, percent

__all__ = ["agreement_text", "between_texts", "cluster_text", "cluster_texts", "count_text", "shared_texts"]

MOST_ROWS = 10  # that are told one by one


def count_text(claim: Claim, rows: int) -> str:
    """How many clusters there are, and how sure that is."""
    number, probability = round(claim.number.value), claim.probability or 0.0
    if probability <= KINDS[Kind.CLUSTERS].told:
        return _open_text(claim)
    text = sentence(
        "clusters.found", n=number, sure=claim.sure, rows=fixed(rows, 0), number=count(number),
        chance=share_text(probability),
    )  # fmt: skip
    others = [part for part in claim.parts if part.number.value != number]
    if not others:
        return f"{text}."
    other = max(others, key=lambda part: part.probability or 0.0)
    return sentence("clusters.next", text=text, other=count(round(other.number.value)), chance=_probability(other))


def _probability(claim: Claim) -> str:
    return share_text(claim.probability or 0.0)


def _open_text(claim: Claim) -> str:
    """Between which numbers of clusters the truth may lie, and how many the partition has that is told."""
    low, high = map(round, claim.number.interval)
    inside = sum(part.probability or 0.0 for part in claim.parts if low <= part.number.value <= high)
    most = max(claim.parts, key=lambda part: part.probability or 0.0)
    between = sentence(
        "clusters.range", ends="same" if low == high else "next" if high == low + 1 else "apart", low=count(low),
        high=count(high),
    )  # fmt: skip
    return sentence(
        "clusters.open", likeliest=most.number.value == claim.number.value, between=between, inside=share_text(inside),
        most=count(round(most.number.value)), most_chance=_probability(most), number=count(round(claim.number.value)),
        chance=_probability(claim),
    )  # fmt: skip


def cluster_text(claim: Claim, rows: int) -> str:
    """How large one cluster of so many rows is, and in which columns it differs."""
    size, row = claim.number.value, claim.get("row")
    head = sentence(
        "clusters.cluster", alone=row is not None, place=round(claim.at[0]), share=percent(size / rows),
        n=fixed(size, 0), row=fixed(row or 0.0, 0),
    )  # fmt: skip
    return f"{in_turn([head, *(_traits(claim) or [sentence('clusters.trait', side='none')])])}."


def cluster_texts(clusters: Sequence[Claim], rows: int) -> tuple[str, ...]:
    """A sentence on each of several clusters; on those of one row together."""
    if len(clusters) < 2:
        return ()
    alone = [cluster for cluster in clusters if "row" in cluster.more]
    if len(alone) < 2:
        return tuple(cluster_text(cluster, rows) for cluster in clusters)
    numbers = [fixed(cluster["row"], 0) for cluster in alone[:MOST_ROWS]]
    more = [sentence("clusters.more", n=len(alone) - MOST_ROWS)] if len(alone) > MOST_ROWS else []
    most = share_text(max(cluster["shared"] for cluster in alone))
    together = sentence("clusters.alone", rows=joined([*numbers, *more]), most=most)
    return *(cluster_text(cluster, rows) for cluster in clusters if cluster not in alone), together


def _traits(claim: Claim) -> list[str]:
    """The traits, those of one kind together."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for trait in claim.parts:
        told = sentence("clusters.column", column=quoted(trait.columns[0]), range=_range(trait, claim))
        kinds.setdefault((trait.form, trait.number.value >= 1.0), []).append(told)
    return [
        sentence("clusters.trait", side=side, all=of_all, columns=joined(columns))
        for (side, of_all), columns in kinds.items()
    ]


def _range(trait: Claim, cluster: Claim) -> str:
    """The range of a column in a cluster."""
    low, high = pair(trait.at[0], trait.at[1], 2)
    same = "row" in cluster.more or low == high
    return sentence("clusters.range", ends="same" if same else "apart", low=low, high=high)


def shared_texts(clusters: Sequence[Claim]) -> tuple[str, ...]:
    """The clusters that are often one."""
    several = {cluster.at[0] for cluster in clusters if "row" not in cluster.more}
    pairs = {
        tuple(sorted((round(cluster.at[0]), round(cluster["partner"])))): cluster["shared"]
        for cluster in clusters
        if "partner" in cluster.more
        and cluster["shared"] >= KINDS[Kind.CLUSTER].smallest
        and {cluster.at[0], cluster["partner"]} <= several
    }
    return tuple(
        sentence("clusters.may_be_one", first=first, second=second, share=share_text(share))
        for (first, second), share in sorted(pairs.items(), key=lambda item: -item[1])
    )


def between_texts(claims: Sequence[Claim], clusters: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """How many rows lie between clusters, and the first of them one by one."""
    several = sum("row" not in cluster.more for cluster in clusters)
    known = "few" if several < 2 else "some" if claims else "none"
    lead: str = capital(sentence("clusters.between", known=known, n=len(claims), number=count(len(claims))))
    lead = sentence("clusters.least_sure", text=lead, n=MOST_ROWS) if len(claims) > MOST_ROWS else lead
    return lead, tuple(map(_row_text, claims[:MOST_ROWS]))


def _row_text(claim: Claim) -> str:
    row, own, other = map(round, claim.at)
    return sentence(
        "clusters.row", row=fixed(row, 0), own=own, own_share=share_text(claim["own"]), other=other,
        other_share=share_text(claim.number.value),
    )  # fmt: skip


def agreement_text(claim: Claim) -> str:
    """Whether the chains agree, told plainly."""
    chains = round(claim["chains"])
    r_hat = fixed(claim.number.value, 2) if isfinite(claim.number.value) else sentence("clusters.unbounded")
    said = sentence(
        "clusters.agreement", state=claim.form, sweeps=fixed(claim["sweeps"], 0), asked=fixed(claim["asked"], 0),
        draws=count(round(claim["draws"])), r_hat=r_hat,
        bound=fixed(KINDS[Kind.CHAINS].smallest, 2),
        chains=capital(sentence("clusters.chains", n=chains, number=count(chains))),
    )  # fmt: skip
    if claim.form in ("cold", "short"):
        return said
    return sentence("clusters.effective", text=said, n=fixed(claim["effective"], 0))
