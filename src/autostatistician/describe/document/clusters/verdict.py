"""What can be relied on in a partition, what cannot, and what to try next."""

from __future__ import annotations

from autostatistician.describe.document.verdict import Verdict
from autostatistician.describe.facts.clusters import Agreement, Cluster, ClusterFindings
from autostatistician.describe.words.clusters import agrees, chance, shared_texts
from autostatistician.wording.numbers import capital, count, joined, plural

__all__ = ["cluster_verdict"]

FIRM = 0.9  # share of draws in which the rows of a cluster are together
SURE, DOUBTFUL = 0.8, 0.5  # probabilities of the number of clusters
MOST_PAIRS = 3  # of clusters that may be one: the others are told with the clusters
ENOUGH = 100.0  # effective samples


def cluster_verdict(findings: ClusterFindings) -> Verdict:
    """Judge from the agreement of the chains, and from how often rows are together."""
    return Verdict(tuple(_rely(findings)), tuple(_doubt(findings)), tuple(_next(findings)))


def _rely(findings: ClusterFindings) -> list[str]:
    if not agrees(findings.agreement):
        return []
    items, firm = [], _firm(findings)
    if (findings.count.probability or 0.0) >= SURE:
        items.append(f"The number of clusters: it has a probability of {chance(findings.count.probability or 0.0)}.")
    if firm:
        names = joined([str(cluster.place) for cluster in firm])
        which = f"Cluster {names}: its" if len(firm) == 1 else f"Clusters {names}: their"
        least = chance(min(cluster.together for cluster in firm))
        items.append(f"{which} rows are together in {least} of the draws{', or more' * (len(firm) > 1)}, on the mean.")
    return items


def _firm(findings: ClusterFindings) -> list[Cluster]:
    """The clusters whose rows are nearly always together, and with no others."""
    every = findings.clusters if len(findings.clusters) > 1 else ()
    return [each for each in every if each.together >= FIRM and each.shared <= 1.0 - FIRM and each.number > 1.0]


def _doubt(findings: ClusterFindings) -> list[str]:
    items, agreement = [], findings.agreement
    if not agrees(agreement):
        items.append(f"Everything: {_why(agreement)}.")
    if (probability := findings.count.probability or 0.0) <= DOUBTFUL:
        number = count(int(findings.count.number))
        items.append(f"The number of clusters: {number} has a probability of {chance(probability)}.")
    items += shared_texts(findings.clusters)[:MOST_PAIRS]
    if findings.between:
        items.append(f"{capital(plural(len(findings.between), 'row'))} between clusters.")
    items.append("What the clusters mean: they say which rows are alike, not why.")
    return items


def _why(agreement: Agreement) -> str:
    """Why chains cannot be relied on."""
    if agreement.cold:
        return "the chains ended before they had warmed up"
    if agreement.draws <= agreement.chains:
        return "the chains are too short"
    return "there is one chain alone" if agreement.chains == 1 else "the chains do not agree yet"


def _next(findings: ClusterFindings) -> list[str]:
    agreement, items = findings.agreement, []
    if agreement.cut:
        items.append(f"Give it more time: the chains ended after {agreement.sweeps:,} of {agreement.asked:,} sweeps.")
    elif not agrees(agreement) or agreement.effective < ENOUGH:
        more = "--chains 4" if agreement.chains == 1 else f"--sweeps {5 * agreement.asked}"
        items.append(f"Run it longer, with {more}.")
    if findings.between:
        items.append("Look at the rows between clusters: they may be of a kind of their own, or mistakes.")
    items.append("Compare the clusters with a column that was left out, if one says what rows are.")
    return items
