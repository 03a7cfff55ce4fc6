"""The page on clusters."""

from __future__ import annotations

import json

import numpy as np
from tests.describe.cluster_cases import findings, found

from autostatistician.describe.document.clusters.page import cluster_document, cluster_record
from autostatistician.describe.document.document import Bullets, Paragraph
from autostatistician.report.render import to_html, to_json, to_markdown


def test_facts_behind_sentences_are_in_the_record() -> None:
    document = cluster_document(findings())
    known = {fact["id"] for fact in document.record["facts"]}  # type: ignore[attr-defined]
    told = [block for one in document.sections for block in one.blocks if isinstance(block, Paragraph)]
    assert {fact for block in told for fact in block.facts} <= known
    assert {"clusters", "cluster/3", "row/33", "agreement"} <= known


def test_the_record_is_plain_and_names_the_cluster_of_every_row() -> None:
    record = json.loads(json.dumps(cluster_record(findings())))
    assert record["sizes"] == [20, 12, 8]
    assert record["probabilities"] == {"2": 0.22, "3": 0.7, "4": 0.08}
    assert record["labels"][0] == {"row": 2, "cluster": 1}
    assert len(record["labels"]) == 40
    json.dumps(cluster_record(findings(r_hat=np.inf)), allow_nan=False)


def test_it_becomes_a_page_the_same_each_time_and_hostile_names_stay_text() -> None:
    known = findings(columns=("<script>alert(1)</script>", "$x_1$"), name="<b>")
    page = to_html(cluster_document(known))
    assert page == to_html(cluster_document(known))
    assert "<script" not in page
    assert page.count("<svg") > 6
    assert "var(--group-3" in page
    assert "cluster 2" in to_markdown(cluster_document(known)).lower()
    assert json.loads(to_json(cluster_document(known)))["title"] == "Clusters in <b>"


def test_one_cluster_of_one_column_has_a_page_too() -> None:
    known = findings(
        rows=found().rows[:, :1], columns=("mass",), drawn=found().drawn[:, :1], latent=found().latent[:, :1],
        labels=np.zeros(40, dtype=np.intp), counts=((1, 1.0),),
    )  # fmt: skip
    document = cluster_document(known)
    assert "latent" not in {one.id for one in document.sections}
    assert not any(isinstance(block, Bullets) for block in document.sections[0].blocks)
    assert "<svg" in to_html(document)
