"""Sentences about made series and tables, true and altered, as `autostatistician check` marks them.

What a model found is told in words of our own, which share no templates with the library; then one number, direction,
date or name in each sentence is changed so that it is wrong. A false alarm is a true sentence that is called
contradicted; an altered one is found when it is.

About 2 minutes of one core.

Usage: python benchmarks/memos.py [--kind months table] [--seed 0]
"""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.data.load import load
from autostatistician.estimators.loading import memo_of
from common import Bench, Row, command

COLUMNS = ("code", "sentences", "false_alarms", "borne_out", "found", "missed", "seconds")
KINDS = {"months": 6, "falling": 5, "days": 3, "years": 5, "shop": 2, "table": 5, "groups": 5}  # and so many of each
MOST = 12  # pairs of sentences on each model
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
Fact = Mapping[str, Any]
Pair = tuple[str, str]


def table_of(kind: str, seed: int) -> tuple[dict[str, Any], str]:
    """A made table of a kind, and its target."""
    rng = np.random.default_rng(seed)
    if kind in ("months", "falling"):
        n, way = 120, 1.0 if kind == "months" else -1.0
        t, peak = np.arange(n), rng.integers(12)
        y = 500.0 + way * rng.uniform(1.0, 3.0) * t + rng.uniform(20.0, 60.0) * np.cos(2.0 * np.pi * (t - peak) / 12.0)
        return {"month": pd.date_range("2010-01-01", periods=n, freq="MS"), "orders": y + rng.normal(0, 9, n)}, "orders"
    if kind in ("days", "shop"):
        n = 280
        t, at, peak = np.arange(n), int(rng.integers(90, 190)), rng.integers(7)
        y = 200.0 + 20.0 * np.cos(2.0 * np.pi * (t - peak) / 7.0) + rng.choice([-1, 1]) * 60.0 * (t >= at)
        promo = (rng.random(n) < 0.25).astype(float)
        more = {"promo": promo} if kind == "shop" else {}
        y = y + (25.0 * promo if more else 0.0) + rng.normal(0.0, 5.0, n)
        return {"day": pd.date_range("2022-01-03", periods=n), **more, "visits": y}, "visits"
    if kind == "years":
        x, top = np.arange(1900.0, 2000.0), rng.integers(1935, 1965)
        y = 100.0 + rng.uniform(1.0, 2.0) * np.minimum(x, top) - 1.5 * np.maximum(x, top)
        return {"year": x, "catch": y - y.min() + 40.0 + rng.normal(0.0, 3.0, 100)}, "catch"
    n = 160
    age, weight, noise = rng.uniform(20, 70, n).round(1), rng.normal(80, 12, n).round(1), rng.normal(size=n).round(2)
    region, treated = rng.choice(["north", "south"], n), rng.choice(["placebo", "drug"], n)
    y = 300.0 + rng.choice([-1, 1]) * 2.0 * age + 1.5 * weight * (kind == "table") + 25.0 * (region == "north")
    y = y - 40.0 * (treated == "drug") * (kind == "groups") + rng.normal(0.0, 8.0, n)
    columns = {"age": age, "region": region.tolist()}
    columns |= {"weight": weight, "luck": noise} if kind == "table" else {"treatment": treated.tolist()}
    return {**columns, "cost": y}, "cost"


def about(value: float, digits: int = 3) -> str:
    """A number as people write it."""
    return f"{float(f'{value:.{digits}g}'):,.10g}"


def day(text: str) -> str:
    """A date as people write it."""
    return pd.Timestamp(text).strftime("%-d %B %Y")


def year(text: str, shift: float = 0.0) -> str:
    """A year, shifted by so many."""
    return str(int(pd.Timestamp(text).year + shift))


def pairs(facts: list[Fact], target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """True sentences on facts, each with the same sentence made wrong."""
    tell = {
        "rise": of_rise, "run": of_run, "season": of_season, "step": of_step, "outlier": of_outlier, "noise": of_noise,
        "course": of_effect, "adds": of_column, "matters": of_matter, "explained": of_explained,
    }  # fmt: skip
    for fact in facts:
        if fact.get("kind") in tell and fact.get("told"):
            yield from tell[fact["kind"]](fact, target, rng)


def wrong(value: float, rng: np.random.Generator) -> float:
    """A number that is clearly another."""
    return value * float(rng.choice([0.55, 0.65, 1.5, 1.8]))


def verbs(up: bool, rng: np.random.Generator) -> tuple[str, str]:
    """A word for the direction, and one for the other."""
    ups, downs = ("climbed", "increased", "went up"), ("declined", "decreased", "went down")
    k = int(rng.integers(3))
    return (ups[k], downs[k]) if up else (downs[k], ups[k])


def both(sentence: str, *values: tuple[Any, Any]) -> Pair:
    """A sentence with the first of each two values in its gaps, and with the second ones."""
    right, other = zip(*values, strict=True)
    return sentence.format(*right), sentence.format(*other)


def numbers(value: float, rng: np.random.Generator, digits: int = 2) -> tuple[str, str]:
    """A number and a wrong one, as people write them."""
    return about(value, digits), about(wrong(value, rng), digits)


def of_rise(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On the whole of a series that goes one way."""
    first, last, begin, end = fact["first"], fact["last"], year(fact["from"]), year(fact["to"])
    if abs(fact["number"]) < 0.1 * abs(first) or fact["form"] == "runs":
        return
    verb, by = verbs(fact["number"] > 0, rng), about(abs(fact["number"]), 2)
    there = f"Starting near {about(first)} in {begin}, {target} stood at about {{}} in {end}."
    yield both(there, numbers(last, rng, 3))
    yield both(f"All in all, {target} {{}} by roughly {by}.", verb)
    yield both(f"Over the decade we saw {target} change by {{}} percent.", numbers(100 * abs(last / first - 1), rng))
    yield both(f"Seen from {begin} on, {target} mostly {{}}.", verb)


def of_run(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On a rise or fall between two years."""
    verb, begin, end = verbs(fact["number"] > 0, rng), year(fact["from"]), year(fact["to"])
    by, shift = about(abs(fact["number"]), 2), float(rng.choice([-18.0, 18.0]))
    yield both(f"Between {begin} and {end} the {target} {{}} by around {by}.", verb)
    yield both(f"From {begin} until {end}, {target} {verb[0]}, ending close to {{}}.", numbers(fact["last"], rng, 3))
    moved = year(fact["from"], shift), year(fact["to"], shift)
    yield both(f"Between {{}} and {{}} {target} {verb[0]}.", (begin, moved[0]), (end, moved[1]))


def of_season(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On what repeats over the year or the week."""
    is_year = len(fact["parts"]) > 7
    names, period, on = (MONTHS, "year", "in") if is_year else (DAYS, "week", "on")
    places = (pd.Timestamp(fact[name]) for name in ("high", "low"))
    k, j = (each.month - 1 if is_year else each.day_of_week for each in places)
    top, low = names[k], names[j]
    off = names[(k + len(names) // 2 + int(rng.integers(-1, 2))) % len(names)]
    yield both(f"Business is at its peak {on} {{}}.", (top, off))
    yield both(f"{{}} is the busiest time of the {period}, {{}} the quietest.", (top, low), (low, top))
    yield both(f"{target} bottoms out {on} {{}} every {period}.", (low, top))
    rhythm = ("yearly", "weekly") if is_year else ("weekly", "yearly")
    yield both("One can see a {} rhythm in the figures.", rhythm)


def of_step(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On a sudden change of the level."""
    verb = ("leapt", "dropped") if fact["number"] > 0 else ("dropped", "leapt")
    at, size = pd.Timestamp(fact["at"]), abs(fact["number"])
    moved = at + pd.Timedelta(days=int(rng.choice([-45, -30, 30, 45])))
    days = day(str(at)), day(str(moved))
    yield both(f"On {{}} {target} {verb[0]} overnight by {about(size, 2)}.", days)
    yield both(f"Then, in {at:%B %Y}, {target} suddenly {{}} to a new level.", verb)
    took = f"An abrupt shift took {target} from {about(fact['before'])} to {{}} on {days[0]}."
    yield both(took, numbers(fact["after"], rng, 3))
    yield both("The level shift amounted to {} visits.", numbers(size, rng))


def of_outlier(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On a value that stands out."""
    values = about(fact["value"]), about(1.6 * fact["value"])
    yield both(f"{day(fact['at'])} was an anomaly with {{}} {target}.", values)


def of_noise(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On the size of the noise."""
    sizes = about(fact["number"], 2), about(3.5 * fact["number"], 2)
    yield both("The random scatter has a standard deviation of {}.", sizes)


def of_effect(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On what a column of a table does."""
    name, size = fact["columns"][0], fact["change"]
    if fact["levels"]:
        told = [part for part in fact["parts"] if part["kind"] == "level"]
        sizes = {fact["levels"][int(part["places"][0])]: part["number"] for part in told}
        low, high = sorted(sizes, key=lambda level: sizes[level])
        apart = sizes[high] - sizes[low]
        by = about(apart, 2)
        there = f"In the {{}} group of {name} the {target} is {by} higher than in the {{}} one."
        yield both(there, (high, low), (low, high))
        yield both(f"{low} {name} means lower {target}, a gap of {{}}.", (by, about(2.0 * apart, 2)))
    elif fact["form"] != "turning":
        words = ("higher", "lower") if size > 0 else ("lower", "higher")
        yield both(f"The further along the {name}, the {{}} the {target}.", words)
        yield both(f"Across the sample, {name} moves {target} by {{}}.", numbers(abs(size), rng))
        goes = ("goes up", "goes down") if size > 0 else ("goes down", "goes up")
        yield both(f"{target} {{}} with {name}, in total by {about(abs(size), 2)}.", goes)


def of_column(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On what a column beside a series adds."""
    name, size = fact["columns"][0], fact["number"]
    by = f"{about(100.0 * abs(np.expm1(size)), 2)} %" if fact["unit"] == "log target" else about(abs(size), 2)
    for sentence, up, down in (
        (f"A {name} {{}} {target} by {by}.", "lifts", "reduces"),
        (f"Days with {name} see {{}} {target}.", "more", "fewer"),
    ):
        yield both(sentence, (up, down) if size > 0 else (down, up))


def of_matter(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On whether a column matters."""
    name = fact["columns"][0]
    words = ("clearly influences", "has no influence on")
    if fact["form"] in ("matters", "nothing", "next to nothing"):
        yield both(f"{name} {{}} {target}.", words if fact["form"] == "matters" else words[::-1])


def of_explained(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On how much all columns explain."""
    shares = about(fact["number"], 2), about(0.6 * fact["number"], 2)
    yield both("Together these variables account for {}% of the variance.", shares)


def of_forecast(rows: list[Row], target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """On the first and a later row of a forecast."""
    is_monthly = all(row["time"].endswith("-01") for row in rows[:2])
    for row in (rows[0], rows[len(rows) // 2]):
        when = f"{pd.Timestamp(row['time']):%B %Y}" if is_monthly else day(row["time"])
        yield both(f"We project {{}} {target} for {when}.", numbers(row["mean"], rng, 3))
        ends = [(about(row[name]), about(1.6 * row[name])) for name in ("lower", "upper")]
        yield both(f"For {when} the outlook is between {{}} and {{}}.", *ends)


def run(case: Row, _: argparse.Namespace) -> Row:
    """The sentences on one model."""
    table, target = table_of(case["kind"], case["seed"])
    named = {} if case["kind"] in ("table", "groups") else {"time": next(iter(table))}
    data = load(table, target=target, **named, **({} if named else {"inputs": ["*"]}))
    model = AutomaticStatistician(n_jobs=1, max_depth=3, random_state=0).fit(data)
    memo, rng = memo_of(model), np.random.default_rng(case["seed"])
    asked = ("what", "events", "columns") if named else ("columns",)
    answers = [model.ask(question).to_json()["facts"] for question in asked]
    facts = list({fact["id"]: fact for answer in answers for fact in answer if "kind" in fact}.values())
    made = list(pairs(facts, target, rng))
    if case["kind"] in ("months", "days"):
        made += of_forecast(list(memo.forecast()), target, rng)
    chosen = [made[k] for k in sorted(rng.permutation(len(made))[:MOST])]
    verdicts = [[_verdict(memo, sentence) for sentence in pair] for pair in chosen]
    alarms = [pair[0] for pair, each in zip(chosen, verdicts, strict=True) if each[0] == "contradicted"]
    missed = [pair[1] for pair, each in zip(chosen, verdicts, strict=True) if each[1] != "contradicted"]
    return {
        "sentences": len(chosen), "false_alarms": len(alarms), "found": len(chosen) - len(missed),
        "borne_out": sum(each[0] == "borne out" for each in verdicts),
        "missed": " | ".join([*(f"alarm: {each}" for each in alarms), *missed]),
    }  # fmt: skip


def _verdict(memo: Any, sentence: str) -> str:
    found = [each.verdict.value for each in memo.check(sentence)]
    return "contradicted" if "contradicted" in found else "borne out" if "borne out" in found else "unknown"


BENCH = Bench(
    file="memos.csv", case=("kind", "seed"), columns=COLUMNS, run=run,
    options={"kind": tuple(KINDS), "seed": tuple(range(max(KINDS.values())))},
    wanted=lambda case: case["seed"] < KINDS.get(case["kind"], 0),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
