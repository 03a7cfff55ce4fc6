"""Questions of a new reader, with the clicks from the first page to the place that answers them: two at most.

The clicks were made in a browser on the built site, by the words of the links; here they are followed in the pages.
A click is a link on a page, or an entry of the list of pages at the side, which stands on every page.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath

import pytest
from tests.docs.blocks import ROOT

DOCS = ROOT / "docs"
LINK = re.compile(r"(?<!!)\[((?:\\.|[^\[\]])*)\]\(([^()\s:]+)\)")
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Question:
    """What is asked, the words of the links that are followed, where they lead, and what stands there."""

    asked: str
    clicks: tuple[str, ...]
    leads: str
    answer: str


QUESTIONS = (
    Question("How do I say what a promotion did to my sales?", ("promotions and holidays",),
             "how-to/columns-in-time.md", "promo"),
    Question("How do I forecast the hourly load?", ("hourly load",), "how-to/hourly-load.md", "fit load.csv"),
    Question("What did the event change?", ("before and after",), "how-to/before-and-after.md",
             "autostatistician impact"),
    Question("How do I find which columns of a survey matter?", ("tables",), "how-to/tables.md",
             "which columns matter"),
    Question("How do I forecast a thousand series of one table?", ("many series",), "how-to/panels.md",
             "autostatistician panel stores.csv"),
    Question("How do I model accidents for each thousand cars?", ("counts and shares",), "how-to/counts-and-shares.md",
             "--exposure cars"),
    Question("How do I get the chance of yes and no?", ("classes",), "how-to/classes.md",
             "autostatistician report people.csv --target survived"),
    Question("How do I find groups of customers?", ("clusters",), "how-to/clusters.md", "autostatistician clusters"),
    Question("Why was July higher than last year?", ("before and after", "why one month"),
             "how-to/before-and-after.md#why-one-month-is-higher-than-another", "explain"),
    Question("How do I get an alarm when new rows are odd?", ("new data", "alarm"),
             "how-to/new-rows.md#alarm-when-new-rows-are-odd", "update --dry-run"),
    Question("How do I fit a paper's kernel?", ("your own kernel",), "how-to/researchers.md", "register_leaf"),
    Question("How do I use it in a pipeline of scikit-learn?", ("how-to guides", "scikit-learn"),
             "how-to/scikit-learn.md", "pipeline"),
    Question("How do I serve the web app?", ("how-to guides", "web app"), "how-to/serve.md", "autostatistician serve"),
    Question("What happens to missing values?", ("how-to guides", "missing values"), "how-to/tables.md#missing-values",
             "empty cells"),
    Question("What happens to outliers?", ("how-to guides", "outliers"), "reference/command-line.md#outliers",
             "set aside"),
    Question("Where are the changepoints?", ("how-to guides", "changepoints"),
             "how-to/before-and-after.md#changepoints", "ask nile.json events"),
    Question("How do I get prediction intervals?", ("how-to guides", "prediction intervals"),
             "how-to/forecast-quality.md", "95 % prediction interval"),
    Question("How do I decompose a series?", ("how-to guides", "seasonal decomposition"), "how-to/repeats.md",
             "seasonal_decompose"),
    Question("Is it better than the method I use now?", ("results", "short series"), "results/competitions.md",
             "AutoARIMA"),
    Question("When should I not use it?", ("limits", "When not to use it"), "explanation/limits.md#when-not-to-use-it",
             "boosted trees"),
)  # fmt: skip


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _title(page: str) -> str:
    found = re.search(r"^# (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1) if found else Path(page).stem


def _ways(page: str) -> list[tuple[str, str]]:
    """Words and targets of all that can be clicked on a page: links, its own headings, the pages of its lists."""
    text = (DOCS / page).read_text(encoding="utf-8")
    folder = str(Path(page).parent)
    links = [(words, normpath(f"{folder}/{target}")) for words, target in LINK.findall(text)]
    headings = [(words, f"{page}#{_slug(words)}") for words in re.findall(r"^##+ (.+)$", text, re.MULTILINE)]
    listed = [line for block in TOCTREE.findall(text) for line in block.splitlines() if line and line[0] != ":"]
    pages = [normpath(f"{folder}/{line}.md") for line in listed]
    return [*links, *headings, *((_title(path), path) for path in pages if (DOCS / path).exists())]


def _followed(clicks: tuple[str, ...], leads: str) -> str:
    """Where the clicks lead from the first page; of several links with the same words the one that leads there."""
    page = "index.md"
    for words in clicks:
        targets = [target for shown, target in _ways(page.partition("#")[0]) if words.lower() in shown.lower()]
        assert targets, f"no link '{words}' on {page}"
        page = leads if leads in targets else targets[0]
    return page


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.asked)
def test_the_answer_is_two_clicks_away(question: Question) -> None:
    assert 1 <= len(question.clicks) <= 2
    assert _followed(question.clicks, question.leads) == question.leads
    page, _, anchor = question.leads.partition("#")
    text = (DOCS / page).read_text(encoding="utf-8")
    if anchor:
        heading = next(part for part in re.split(r"^(?=##+ )", text, flags=re.MULTILINE) if f"# {anchor}" in
                       f"# {_slug(part.splitlines()[0].lstrip('# '))}")  # fmt: skip
        text = heading
    assert question.answer in text


def test_a_link_that_is_gone_would_be_seen() -> None:
    with pytest.raises(AssertionError, match="no link 'quantum'"):
        _followed(("quantum",), "how-to/quantum.md")
