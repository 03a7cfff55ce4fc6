"""What can be relied on in a partition."""

from __future__ import annotations

from tests.describe.cluster_cases import findings

from autostatistician.describe.document.clusters.verdict import cluster_verdict


def test_clusters_that_stay_together_can_be_relied_on_where_chains_agree() -> None:
    verdict = cluster_verdict(findings(counts=((3, 0.9), (4, 0.1))))
    assert verdict.rely == (
        "The number of clusters: it has a probability of 90%.",
        "Cluster 1: its rows are together in 97% of the draws, on the mean.",
    )
    assert verdict.doubt[:2] == (
        "Rows of clusters 2 and 3 are together in 22% of the draws: the two may be one.",
        "One row between clusters.",
    )


def test_nothing_can_be_relied_on_where_they_do_not() -> None:
    verdict = cluster_verdict(findings(r_hat=1.2))
    assert verdict.rely == ()
    assert verdict.doubt[0] == "Everything: the chains do not agree yet."
    assert verdict.next[0] == "Run it longer, with --sweeps 30."


def test_a_number_that_is_not_sure_is_told_with_its_probability() -> None:
    verdict = cluster_verdict(findings(counts=((2, 0.7), (3, 0.3))))
    assert verdict.doubt[0] == "The number of clusters: three has a probability of 30%."


def test_one_chain_says_nothing_of_itself_and_time_that_was_spent_is_said() -> None:
    verdict = cluster_verdict(findings(traces=findings_traces()))
    assert verdict.doubt[0] == "Everything: there is one chain alone."
    assert verdict.next[0] == "Run it longer, with --chains 4."
    assert cluster_verdict(findings(draws=2)).doubt[0] == "Everything: the chains are too short."
    cut = cluster_verdict(findings(draws=2, asked=500))
    assert cut.doubt[0] == "Everything: the chains ended before they had warmed up."
    assert cluster_verdict(findings(asked=500)).next[0] == (
        "Give it more time: the chains ended after 6 of 500 sweeps."
    )


def findings_traces() -> tuple[object, ...]:
    """One chain of the two."""
    from tests.describe.cluster_cases import found

    return found().traces[:1]
