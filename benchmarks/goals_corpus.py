"""What was to be reached on the series of competitions, and how far each variant of ours has come."""

from __future__ import annotations

from collections.abc import Callable

from common import DEFAULT_LANGUAGE, REFERENCE, read_rows
from corpus_scores import NAIVE, OURS, PEERS, Standing, standing, to_best
from goals import Finding, Goal, Tables
from measures import Variant

__all__ = ["corpus_goals"]

OverTasks = Callable[[list[Standing]], Finding]


def corpus_goals() -> list[Goal]:
    """Every measure, in the order of the page."""
    known = read_rows(REFERENCE / "corpus.csv")

    def anchor(name: str) -> str:
        return min((float(row[name]), f"{row['method']} {row[name]}") for row in known if row[name])[1]

    found = [
        Goal("competitions: MASE / seasonal naive", anchor("mase"), "<= 0.80", _of_corpus(_relative("mase", 0.80))),
        Goal(
            "competitions: quantile loss / seasonal naive", anchor("wql"), "<= 0.64", _of_corpus(_relative("wql", 0.64))
        ),
        Goal("competitions: coverage of 95 % bands by task", "", "0.93 - 0.97", _of_corpus(_coverage)),
        Goal("competitions: share of large models of short series", "", "< 0.05", _of_corpus(_large)),
        Goal("competitions: measures with the first median rank", "", "3 of 3", _first_ranks),
    ]
    return found + [
        Goal(f"{task}: quantile loss / best of four peers and their median", "", "<= 0.97", _to_best(task))
        for task in ("m3-yearly", "m3-quarterly", "m3-monthly")
    ]


def _of_corpus(judge: OverTasks) -> Callable[[Tables, Variant], Finding | None]:
    """A measure over the tasks, without a verdict while ours lacks a series that the seasonal naive rule has."""

    def find(tables: Tables, variant: Variant) -> Finding | None:
        found = standing(tables.corpus)
        own = found.get(_ours(variant))
        return own and _whole(judge(own), own[-1].series, found[Variant(NAIVE)][-1].series)

    return find


def _ours(variant: Variant) -> Variant:
    """The rows of the corpus name the language among the settings, where it is not the default."""
    return Variant(OURS if variant.method == DEFAULT_LANGUAGE else variant.method, variant.settings)


def _whole(found: Finding, series: int, of: int) -> Finding:
    return found if series == of else Finding(found.text, None, f"{series} of {of} series")


def _relative(name: str, limit: float) -> OverTasks:
    return lambda every: Finding(f"{every[-1].relative[name]:.3f}", every[-1].relative[name] <= limit)


def _coverage(every: list[Standing]) -> Finding:
    found = [one.coverage for one in every[:-1]]
    return Finding(f"{min(found):.3f} - {max(found):.3f}", min(found) >= 0.93 and max(found) <= 0.97)


def _large(every: list[Standing]) -> Finding:
    share = every[-1].large
    return Finding("–") if share is None else Finding(f"{share:.3f}", share < 0.05)


def _first_ranks(tables: Tables, variant: Variant) -> Finding | None:
    found = standing(tables.corpus)
    own = found.get(_ours(variant))
    if own is None or None in own[-1].ranks.values():
        return None
    others = [every[-1] for one, every in found.items() if one.method in PEERS]
    first = [all(rank <= other.ranks[name] for other in others) for name, rank in own[-1].ranks.items()]
    return _whole(Finding(f"{sum(first)} of 3", all(first)), own[-1].series, found[Variant(NAIVE)][-1].series)


def _to_best(task: str) -> Callable[[Tables, Variant], Finding | None]:
    def find(tables: Tables, variant: Variant) -> Finding | None:
        best = to_best(tables.corpus, task).get(_ours(variant))
        return best and Finding(f"{best[1]:.3f}", best[1] <= 0.97, best[0])

    return find
