"""Clusters of rows in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from autostatistician.describe.facts.clusters import Agreement, BetweenRow, Cluster, ClusterCount, Trait, TraitSide
from autostatistician.wording.messages import message, say, say_count
from autostatistician.wording.names import in_turn, quoted
from autostatistician.wording.numbers import capital, count, fixed, in_percent, joined, pair, percent, rounded_percent

__all__ = [
    "AGREED", "READING", "agreement_text", "agrees", "between_text", "between_texts", "chance", "cluster_text",
    "cluster_texts", "count_text", "method_texts", "shared_texts", "trait_range",
]  # fmt: skip

SURE, LIKELY = 0.95, 0.5  # probabilities of a number of clusters
AGREED = 1.05  # R-hat up to which chains agree
NEARLY_ALL = 0.97  # share of pairs in one order
OFTEN = 0.1  # share of draws in which two clusters are one that is worth a word
MOST_ROWS = 10  # that are told one by one
READING = message("Ranges hold nine of ten rows of a cluster or more, and others are the rows of all other clusters.")


def chance(share: float) -> str:
    """A share of draws in whole per cent: there are too few of them for more.

    >>> chance(0.385), chance(0.001), chance(1.0), chance(0.0)
    ('38%', 'less than 1%', 'more than 99%', '0%')
    """
    if share <= 0.0:
        return in_percent("0")
    if share < 0.005:
        return say("less than {percent}", percent=in_percent("1"))
    if share >= 0.995:
        return say("more than {percent}", percent=in_percent("99"))
    return rounded_percent(share)


def count_text(fact: ClusterCount) -> str:
    """How many clusters there are, and how sure that is."""
    number, probability = int(fact.number), fact.probability or 0.0
    if probability <= LIKELY:
        return " ".join([_which_numbers(fact, number), _nearest(number, probability)])
    told = {"rows": fixed(fact.rows, 0), "n": count(number), "chance": chance(probability)}
    said = say(_FOUND[number == 1, probability >= SURE], **told)
    others = [pair for pair in fact.probabilities if pair[0] != number]
    other, next_best = max(others, key=lambda pair: (pair[1], -pair[0]), default=(0, 0.0))
    if not other:
        return f"{said}."
    return say(
        "{text}; the next most probable number is {other} ({chance}).", text=said, other=count(other),
        chance=chance(next_best),
    )  # fmt: skip


_FOUND = {  # by whether there is one cluster alone, and whether that is sure
    (True, True): message("No clusters stand apart: the {rows} rows are one group (probability {chance})"),
    (True, False): message("Probably no clusters stand apart: the {rows} rows are one group (probability {chance})"),
    (False, True): message("The {rows} rows fall into {n} clusters (probability {chance})"),
    (False, False): message("The {rows} rows probably fall into {n} clusters (probability {chance})"),
}


def _which_numbers(fact: ClusterCount, number: int) -> str:
    """Between which numbers of clusters the truth may lie."""
    low, high = map(int, fact.interval or (fact.number, fact.number))
    inside = chance(sum(share for clusters, share in fact.probabilities if low <= clusters <= high))
    first, last = count(low), count(high)
    between = say("{first} or {last}", first=first, last=last) if high == low + 1 else first
    between = say("{low} to {high}", low=first, high=last) if high > low + 1 else between
    likeliest, most = fact.likeliest
    if likeliest == number:
        return say(
            "How many clusters there are is not sure: {between} with a probability of {inside}.", between=between,
            inside=inside,
        )  # fmt: skip
    return say(
        "How many clusters there are is not sure: {between} with a probability of {inside}, most probably {likeliest} "
        "({most}).", between=between, inside=inside, likeliest=count(likeliest), most=chance(most),
    )  # fmt: skip


def _nearest(number: int, probability: float) -> str:
    """How many clusters the partition has that is told."""
    if probability > 0.0:
        share = chance(probability)
        return say("The partition nearest to all draws has {n} ({chance}).", n=count(number), chance=share)
    return say("The partition nearest to all draws has {n}, as none of them has.", n=count(number))


def cluster_text(fact: Cluster) -> str:
    """How large a cluster is, and in which columns it differs."""
    size = int(fact.number)
    told = {"place": fact.place, "share": percent(size / fact.of)}
    head = (
        say("Cluster {place}: row {row} alone, {share} of all", row=fixed(fact.row, 0), **told)
        if fact.row is not None
        else say("Cluster {place}: {n} rows, {share} of all", n=fixed(size, 0), **told)
    )
    traits = _traits(fact.traits, size) if fact.traits else [say("no single column tells it from the others")]
    return f"{in_turn([head, *traits])}."


def cluster_texts(clusters: Sequence[Cluster]) -> tuple[str, ...]:
    """A sentence on each of several clusters; on those of one row together."""
    if len(clusters) < 2:
        return ()
    alone = [cluster for cluster in clusters if cluster.row is not None]
    of_several = tuple(cluster_text(cluster) for cluster in clusters if cluster.row is None)
    if len(alone) < 2:
        return of_several + tuple(map(cluster_text, alone))
    rows = [fixed(cluster.row, 0) for cluster in alone[:MOST_ROWS] if cluster.row is not None]
    more = [say("{n} more", n=len(alone) - MOST_ROWS)] if len(alone) > MOST_ROWS else []
    together = say(
        "Rows {rows} stand alone, each a cluster of its own; with the rows of another cluster they are in up to {most} "
        "of the draws.", rows=joined([*rows, *more]), most=chance(max(cluster.shared for cluster in alone)),
    )  # fmt: skip
    return *of_several, together


_TRAITS = {  # by the side, and to what degree
    (TraitSide.AMONG, 2): message("alone in its range of {columns}"),
    (TraitSide.AMONG, 1): message("nearly alone in its range of {columns}"),
    (TraitSide.AMONG, 0): message("mostly alone in its range of {columns}"),
    (TraitSide.BELOW, 2): message("lower than all others in {columns}"),
    (TraitSide.BELOW, 1): message("lower than nearly all others in {columns}"),
    (TraitSide.BELOW, 0): message("mostly lower than the others in {columns}"),
    (TraitSide.ABOVE, 2): message("higher than all others in {columns}"),
    (TraitSide.ABOVE, 1): message("higher than nearly all others in {columns}"),
    (TraitSide.ABOVE, 0): message("mostly higher than the others in {columns}"),
}


def _traits(traits: Sequence[Trait], size: int) -> list[str]:
    """The traits, those of one kind together."""
    kinds: dict[tuple[TraitSide, int], list[str]] = {}
    for trait in traits:
        degree = 2 if trait.clear >= 1.0 else 1 if trait.clear >= NEARLY_ALL else 0
        columns = kinds.setdefault((trait.side, degree), [])
        columns.append(f"{quoted(trait.column)} ({trait_range(trait, size)})")
    return [say(_TRAITS[kind], columns=joined(columns)) for kind, columns in kinds.items()]


def trait_range(trait: Trait, size: int = 2) -> str:
    """The range of a column in a cluster."""
    low, high = pair(trait.low, trait.high, 2)
    return low if size == 1 or low == high else say("{low} to {high}", low=low, high=high)


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
    text = message("Rows of clusters {first} and {second} are together in {share} of the draws: the two may be one.")
    return tuple(
        say(text, first=first, second=second, share=chance(share))
        for (first, second), share in sorted(pairs.items(), key=lambda item: -item[1])
    )


def between_text(fact: BetweenRow) -> str:
    """A row that lies between clusters."""
    return say(
        "Row {row}: with the rows of cluster {own} in {own_share} of the draws, with those of cluster {other} in "
        "{other_share}.",
        row=fixed(fact.number, 0), own=fact.place, own_share=chance(fact.own_share), other=fact.other,
        other_share=chance(fact.other_share),
    )  # fmt: skip


def between_texts(facts: Sequence[BetweenRow], clusters: Sequence[Cluster]) -> tuple[str, tuple[str, ...]]:
    """How many rows lie between clusters, and the first of them one by one."""
    several = sum(cluster.row is None for cluster in clusters)
    if len(clusters) < 2:
        return say("With one cluster no row lies between others."), ()
    if several < 2:
        return say("Rows can lie between clusters of several rows alone, and there are no two of these."), ()
    if not facts:
        return _none_between(every=several == len(clusters)), ()
    lead = say_count(
        len(facts), "{n} row lies between clusters: with the rows of another at least half as often as with those of "
        "its own, on the mean.", "{n} rows lie between clusters: with the rows of another at least half as often as "
        "with those of their own, on the mean.", n=count(len(facts)),
    )  # fmt: skip
    rest = say("The {n} that are the least sure:", n=MOST_ROWS) if len(facts) > MOST_ROWS else ""
    return " ".join(filter(None, [capital(lead), rest])), tuple(between_text(fact) for fact in facts[:MOST_ROWS])


def _none_between(*, every: bool) -> str:
    if every:
        return say("No row lies between clusters: each is with its own more than twice as often as with any other.")
    return say(
        "No row lies between clusters: of those with several rows each row is with its own more than twice as often as "
        "with any other."
    )


def agrees(fact: Agreement) -> bool:
    """Whether several chains agree."""
    return not fact.cold and fact.draws > fact.chains > 1 and isfinite(fact.number) and fact.number <= AGREED


def agreement_text(fact: Agreement) -> str:
    """Whether the chains agree, told plainly."""
    chains = capital(say_count(fact.chains, "{n} chain", "{n} chains", n=count(fact.chains)))
    if fact.cold or fact.draws <= fact.chains:
        return _ended(fact, chains)
    lead, worth = _agreement(fact, chains), fixed(fact.effective, 0)
    if fact.chains == 1:
        effective = say("Its draws of the number of clusters are worth {n} independent ones.", n=worth)
    else:
        effective = say("Their draws of the number of clusters are worth {n} independent ones.", n=worth)
    return " ".join([lead, effective])


def _ended(fact: Agreement, chains: str) -> str:
    """That chains ended too early to say anything."""
    sweeps = say_count(fact.sweeps, "{n} sweep", "{n} sweeps", n=count(fact.sweeps))
    if fact.cold:
        return say(
            "{chains} ended after {sweeps} of {asked}, before they had warmed up: take all numbers for a first "
            "impression.", chains=chains, sweeps=sweeps, asked=fixed(fact.asked, 0),
        )  # fmt: skip
    draws = say_count(fact.draws, "{n} draw", "{n} draws", n=count(fact.draws))
    return say(
        "{chains} ended after {sweeps} with {draws} alone: take all numbers for a first impression.", chains=chains,
        sweeps=sweeps, draws=draws,
    )  # fmt: skip


def _agreement(fact: Agreement, chains: str) -> str:
    """Whether chains that went on for long enough found the same."""
    sweeps = fixed(fact.sweeps, 0)
    if fact.chains == 1:
        return say(
            "There is one chain of {sweeps} sweeps alone, so nothing says whether another one would find the same.",
            sweeps=sweeps,
        )  # fmt: skip
    r_hat = fixed(fact.number, 2) if isfinite(fact.number) else say("beyond all bounds")
    told = {"chains": chains, "sweeps": sweeps, "r_hat": r_hat}
    if agrees(fact):
        return say("{chains} of {sweeps} sweeps found the same (R-hat {r_hat}, where 1 is full agreement).", **told)
    return say(
        "{chains} of {sweeps} sweeps do not agree yet (R-hat {r_hat}, where up to {bound} would do): take all numbers "
        "for a first impression.", bound=fixed(AGREED, 2), **told,
    )  # fmt: skip


def method_texts(columns: int) -> tuple[str, ...]:
    """How clusters are found."""
    before = (
        say("Before that every column is brought to mean 0 and deviation 1, so units do not matter.")
        if columns > 1
        else say("Before that the column is brought to mean 0 and deviation 1, so units do not matter.")
    )
    return f"{say(_MIXTURE)} {before}", say(_DRAWS)


_MIXTURE = message(
    "The rows are modelled as seen through smooth functions of hidden coordinates, and these come from a mixture of "
    "normal distributions, as many as the data call for (the infinite warped mixture: Iwata, Duvenaud and Ghahramani "
    "2013). A cluster can so be bent or drawn out and still be one cluster."
)
_DRAWS = message(
    "Markov chains draw partitions of the rows together with coordinates and functions. The clusters told here are the "
    "single partition with the least expected distance (variation of information) from all draws; how often two rows "
    "are together in the draws says how sure that is."
)
