"""What can be relied on in a partition, what cannot, and what to try next."""

from __future__ import annotations

from autostatistician.describe.document.verdict import Verdict
from autostatistician.describe.facts.clusters import Agreement, Cluster, ClusterFindings
from autostatistician.describe.words.clusters import agrees, chance, shared_texts
from autostatistician.wording.messages import say, say_count
from autostatistician.wording.numbers import capital, count, fixed, joined

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
    firm, probability = _firm(findings), findings.count.probability or 0.0
    items: list[str] = []
    if probability >= SURE:
        items.append(say("The number of clusters: it has a probability of {chance}.", chance=chance(probability)))
    if firm:
        text = say_count(
            len(firm),
            "Cluster {numbers}: its rows are together in {share} of the draws, on the mean.",
            "Clusters {numbers}: their rows are together in {share} of the draws, or more, on the mean.",
            numbers=joined([str(cluster.place) for cluster in firm]),
            share=chance(min(cluster.together for cluster in firm)),
        )
        items.append(text)
    return items


def _firm(findings: ClusterFindings) -> list[Cluster]:
    """The clusters whose rows are nearly always together, and with no others."""
    every = findings.clusters if len(findings.clusters) > 1 else ()
    return [each for each in every if each.together >= FIRM and each.shared <= 1.0 - FIRM and each.number > 1.0]


def _doubt(findings: ClusterFindings) -> list[str]:
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
    if findings.between:
        rows = len(findings.between)
        items.append(say_count(rows, "One row between clusters.", "{n} rows between clusters.", n=capital(count(rows))))
    items.append(say("What the clusters mean: they say which rows are alike, not why."))
    return items


def _why(agreement: Agreement) -> str:
    """Why chains cannot be relied on."""
    if agreement.cold:
        return say("Everything: the chains ended before they had warmed up.")
    if agreement.draws <= agreement.chains:
        return say("Everything: the chains are too short.")
    if agreement.chains == 1:
        return say("Everything: there is one chain alone.")
    return say("Everything: the chains do not agree yet.")


def _next(findings: ClusterFindings) -> list[str]:
    agreement = findings.agreement
    items: list[str] = []
    if agreement.cut:
        items.append(
            say(
                "Give it more time: the chains ended after {sweeps} of {asked} sweeps.",
                sweeps=fixed(agreement.sweeps, 0), asked=fixed(agreement.asked, 0),
            )
        )  # fmt: skip
    elif not agrees(agreement) or agreement.effective < ENOUGH:
        more = "--chains 4" if agreement.chains == 1 else f"--sweeps {5 * agreement.asked}"
        items.append(say("Run it longer, with {option}.", option=more))
    if findings.between:
        items.append(say("Look at the rows between clusters: they may be of a kind of their own, or mistakes."))
    items.append(say("Compare the clusters with a column that was left out, if one says what rows are."))
    return items
