"""Clusters of rows in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from autostatistician.describe.facts.clusters import Agreement, BetweenRow, Cluster, ClusterCount, Trait, TraitSide
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, count, fixed, joined, pair, percent, plural

__all__ = [
    "AGREED", "READING", "agreement_text", "agrees", "between_text", "between_texts", "chance", "cluster_text",
    "cluster_texts", "count_text", "method_texts", "shared_texts", "trait_range",
]  # fmt: skip

SURE, LIKELY = 0.95, 0.5  # probabilities of a number of clusters
AGREED = 1.05  # R-hat up to which chains agree
NEARLY_ALL = 0.97  # share of pairs in one order
OFTEN = 0.1  # share of draws in which two clusters are one that is worth a word
MOST_ROWS = 10  # that are told one by one
FIRST = "take all numbers for a first impression"
READING = "Ranges hold nine of ten rows of a cluster or more, and others are the rows of all other clusters."


def chance(share: float) -> str:
    """A share of draws in whole per cent: there are too few of them for more.

    >>> chance(0.385), chance(0.001), chance(1.0), chance(0.0)
    ('38%', 'less than 1%', 'more than 99%', '0%')
    """
    if share <= 0.0:
        return "0%"
    if share < 0.005:
        return "less than 1%"
    return "more than 99%" if share >= 0.995 else f"{100.0 * share:.0f}%"


def count_text(fact: ClusterCount) -> str:
    """How many clusters there are, and how sure that is."""
    number, probability = int(fact.number), fact.probability or 0.0
    rows = f"the {fact.rows:,} rows"
    if probability > LIKELY:
        likely = "" if probability >= SURE else "probably "
        said = f"{capital(rows)} {likely}fall into {plural(number, 'cluster')} (probability {chance(probability)})"
        if number == 1:
            said = f"{capital(f'{likely}no')} clusters stand apart: {rows} are one group"
            said = f"{said} (probability {chance(probability)})"
        others = [pair for pair in fact.probabilities if pair[0] != number]
        other, next_best = max(others, key=lambda pair: (pair[1], -pair[0]), default=(0, 0.0))
        return (
            f"{said}; the next most probable number is {count(other)} ({chance(next_best)})." if other else f"{said}."
        )
    low, high = fact.interval or (fact.number, fact.number)
    inside = sum(share for clusters, share in fact.probabilities if low <= clusters <= high)
    to = "or" if high == low + 1 else "to"
    between = count(int(low)) if low == high else f"{count(int(low))} {to} {count(int(high))}"
    likeliest, most = fact.likeliest
    best = f", most probably {count(likeliest)} ({chance(most)})" if likeliest != number else ""
    of_partition = f" ({chance(probability)})" if probability > 0.0 else ", as none of them has"
    return (
        f"How many clusters there are is not sure: {between} with a probability of {chance(inside)}{best}. The "
        f"partition nearest to all draws has {count(number)}{of_partition}."
    )


def cluster_text(fact: Cluster) -> str:
    """How large a cluster is, and in which columns it differs."""
    size = int(fact.number)
    rows = f"row {fact.row:,} alone" if fact.row is not None else f"{size:,} rows"
    head = f"Cluster {fact.place}: {rows}, {percent(size / fact.of)} of all"
    if not fact.traits:
        return f"{head}; no single column tells it from the others."
    return f"{head}; {'; '.join(_traits(fact.traits, size))}."


def cluster_texts(clusters: Sequence[Cluster]) -> tuple[str, ...]:
    """A sentence on each of several clusters; on those of one row together."""
    if len(clusters) < 2:
        return ()
    alone = [cluster for cluster in clusters if cluster.row is not None]
    of_several = tuple(cluster_text(cluster) for cluster in clusters if cluster.row is None)
    if len(alone) < 2:
        return of_several + tuple(map(cluster_text, alone))
    rows = [f"{cluster.row:,}" for cluster in alone[:MOST_ROWS]]
    more = [f"{len(alone) - MOST_ROWS} more"] if len(alone) > MOST_ROWS else []
    most = max(cluster.shared for cluster in alone)
    return (
        *of_several,
        f"Rows {joined([*rows, *more])} stand alone, each a cluster of its own; with the rows of another cluster they "
        f"are in up to {chance(most)} of the draws.",
    )


def _traits(traits: Sequence[Trait], size: int) -> list[str]:
    """The traits, those of one kind together."""
    kinds: dict[str, list[str]] = {}
    for trait in traits:
        kinds.setdefault(_kind(trait), []).append(f"{quoted(trait.column)} ({trait_range(trait, size)})")
    return [f"{kind} {joined(columns)}" for kind, columns in kinds.items()]


def _kind(trait: Trait) -> str:
    if trait.side is TraitSide.AMONG:
        degree = "" if trait.clear >= 1.0 else "nearly " if trait.clear >= NEARLY_ALL else "mostly "
        return f"{degree}alone in its range of"
    if trait.clear >= 1.0:
        return f"{trait.side.value} than all others in"
    if trait.clear >= NEARLY_ALL:
        return f"{trait.side.value} than nearly all others in"
    return f"mostly {trait.side.value} than the others in"


def trait_range(trait: Trait, size: int = 2) -> str:
    """The range of a column in a cluster."""
    low, high = pair(trait.low, trait.high, 2)
    return low if size == 1 or low == high else f"{low} to {high}"


def shared_texts(clusters: Sequence[Cluster]) -> tuple[str, ...]:
    """The clusters that are often one."""
    alone = {cluster.place for cluster in clusters if cluster.row is not None}
    pairs = {
        tuple(sorted((cluster.place, cluster.partner))): cluster.shared
        for cluster in clusters
        if cluster.partner is not None
        and cluster.shared >= OFTEN
        and cluster.row is None
        and cluster.partner not in alone
    }
    return tuple(
        f"Rows of clusters {first} and {second} are together in {chance(share)} of the draws: the two may be one."
        for (first, second), share in sorted(pairs.items(), key=lambda item: -item[1])
    )


def between_text(fact: BetweenRow) -> str:
    """A row that lies between clusters."""
    return (
        f"Row {int(fact.number):,}: with the rows of cluster {fact.place} in {chance(fact.own_share)} of the draws, "
        f"with those of cluster {fact.other} in {chance(fact.other_share)}."
    )


def between_texts(facts: Sequence[BetweenRow], clusters: Sequence[Cluster]) -> tuple[str, tuple[str, ...]]:
    """How many rows lie between clusters, and the first of them one by one."""
    several = sum(cluster.row is None for cluster in clusters)
    if len(clusters) < 2:
        return "With one cluster no row lies between others.", ()
    if several < 2:
        return "Rows can lie between clusters of several rows alone, and there are no two of these.", ()
    if not facts:
        each = "each" if several == len(clusters) else "of those with several rows each row"
        return f"No row lies between clusters: {each} is with its own more than twice as often as with any other.", ()
    rest = f" The {MOST_ROWS} that are the least sure:" if len(facts) > MOST_ROWS else ""
    verb, their = ("lies", "its") if len(facts) == 1 else ("lie", "their")
    row_texts = tuple(between_text(fact) for fact in facts[:MOST_ROWS])
    often = f"with the rows of another at least half as often as with those of {their} own, on the mean"
    return f"{capital(plural(len(facts), 'row'))} {verb} between clusters: {often}.{rest}", row_texts


def agrees(fact: Agreement) -> bool:
    """Whether several chains agree."""
    return not fact.cold and fact.draws > fact.chains > 1 and isfinite(fact.number) and fact.number <= AGREED


def agreement_text(fact: Agreement) -> str:
    """Whether the chains agree, told plainly."""
    chains = f"{plural(fact.chains, 'chain')} of {fact.sweeps:,} sweeps"
    if fact.cold or fact.draws <= fact.chains:
        few = (
            f"of {fact.asked:,}, before they had warmed up" if fact.cold else f"with {plural(fact.draws, 'draw')} alone"
        )
        return f"{capital(plural(fact.chains, 'chain'))} ended after {plural(fact.sweeps, 'sweep')} {few}: {FIRST}."
    worth = f"Their draws of the number of clusters are worth {fact.effective:,.0f} independent ones."
    if fact.chains == 1:
        said = f"There is {chains} alone, so nothing says whether another one would find the same."
        return f"{said} {worth.replace('Their', 'Its')}"
    if agrees(fact):
        return f"{capital(chains)} found the same (R-hat {fixed(fact.number, 2)}, where 1 is full agreement). {worth}"
    r_hat = fixed(fact.number, 2) if isfinite(fact.number) else "beyond all bounds"
    return f"{capital(chains)} do not agree yet (R-hat {r_hat}, where up to {AGREED} would do): {FIRST}. {worth}"


def method_texts(columns: int) -> tuple[str, ...]:
    """How clusters are found."""
    return (
        "The rows are modelled as seen through smooth functions of hidden coordinates, and these come from a mixture "
        "of normal distributions, as many as the data call for (the infinite warped mixture: Iwata, Duvenaud and "
        "Ghahramani 2013). A cluster can so be bent or drawn out and still be one cluster. "
        f"{'Before that every column is' if columns > 1 else 'Before that the column is'} brought to mean 0 and "
        "deviation 1, so units do not matter.",
        "Markov chains draw partitions of the rows together with coordinates and functions. The clusters told here are "
        "the single partition with the least expected distance (variation of information) from all draws; how often "
        "two rows are together in the draws says how sure that is.",
    )
