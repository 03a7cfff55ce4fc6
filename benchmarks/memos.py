"""Sentences about made series and tables, true and altered, as `autostatistician check` marks them.

What a model found is told in words of our own, which share no templates with the library; then one number, direction,
date or name in each sentence is changed so that it is wrong. A false alarm is a true sentence that is called
contradicted; an altered one is found when it is. About 6 minutes of one core.

Usage: python benchmarks/memos.py [--kind months table] [--seed 0]
"""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.data.load import load
from autostatistician.estimators.memos import memo_of
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
        "rise": of_rise, "run": of_run, "season": of_season, "step": of_step, "outlier": of_outlier, "course": of_effect,
        "adds": of_column, "matters": of_matter, "explained": of_explained, "noise": of_noise,
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


def of_rise(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    if abs(fact["number"]) < 0.1 * abs(fact["first"]) or fact["form"] == "runs":
        return
    right, other = verbs(fact["number"] > 0, rng)
    first, last, begin, end = fact["first"], fact["last"], year(fact["from"]), year(fact["to"])
    yield (f"Starting near {about(first)} in {begin}, {target} stood at about {about(last)} in {end}.",
           f"Starting near {about(first)} in {begin}, {target} stood at about {about(wrong(last, rng))} in {end}.")  # fmt: skip
    yield tuple(f"All in all, {target} {verb} by roughly {about(abs(fact['number']), 2)}." for verb in (right, other))
    share = 100.0 * abs(last / first - 1.0)
    yield tuple(f"Over the decade we saw {target} change by {about(x, 2)} percent." for x in (share, wrong(share, rng)))
    yield tuple(f"Since {begin} {target} has mostly {verb.replace('went', 'gone')}." for verb in (right, other))


def of_run(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    right, other = verbs(fact["number"] > 0, rng)
    begin, end, by = year(fact["from"]), year(fact["to"]), about(abs(fact["number"]), 2)
    yield tuple(f"Between {begin} and {end} the {target} {verb} by around {by}." for verb in (right, other))
    yield tuple(
        f"From {begin} until {end}, {target} {right}, ending close to {about(last)}."
        for last in (fact["last"], wrong(fact["last"], rng))
    )
    shift = float(rng.choice([-18.0, 18.0]))
    yield tuple(f"Between {year(fact['from'], by)} and {year(fact['to'], by)} {target} {right}." for by in (0.0, shift))


def of_season(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    is_year = len(fact["parts"]) > 7
    names, period = (MONTHS, "year") if is_year else (DAYS, "week")
    top, low = (pd.Timestamp(fact[name]) for name in ("high", "low"))
    k, j = (each.month - 1 if is_year else each.dayofweek for each in (top, low))
    off = names[(k + len(names) // 2 + int(rng.integers(-1, 2))) % len(names)]
    on = "in" if is_year else "on"
    yield tuple(f"Business is at its peak {on} {name}." for name in (names[k], off))
    yield (f"{names[k]} is the busiest time of the {period}, {names[j]} the quietest.",
           f"{names[j]} is the busiest time of the {period}, {names[k]} the quietest.")  # fmt: skip
    yield tuple(f"{target} bottoms out {on} {name} every {period}." for name in (names[j], names[k]))
    rhythm = ("a yearly", "a weekly") if is_year else ("a weekly", "a yearly")
    yield tuple(f"One can see {name} rhythm in the figures." for name in rhythm)


def of_step(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    right, other = ("leapt", "dropped") if fact["number"] > 0 else ("dropped", "leapt")
    at, before, after = pd.Timestamp(fact["at"]), about(fact["before"]), about(fact["after"])
    moved = at + pd.Timedelta(days=int(rng.choice([-45, -30, 30, 45])))
    yield tuple(f"On {day(str(when))} {target} {right} overnight by {about(abs(fact['number']), 2)}." for when in (at, moved))
    yield tuple(f"Then, in {at:%B %Y}, {target} suddenly {verb} to a new level." for verb in (right, other))
    yield tuple(
        f"An abrupt shift took {target} from {before} to {about(x)} on {day(str(at))}." for x in (fact["after"], wrong(fact["after"], rng))
    )
    yield tuple(f"The level shift amounted to {about(x, 2)} visits." for x in (abs(fact["number"]), wrong(abs(fact["number"]), rng)))
    del after


def of_outlier(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    for value in [(fact["value"], fact["value"] * 1.6)]:
        yield tuple(f"{day(fact['at'])} was an anomaly with {about(x)} {target}." for x in value)


def of_noise(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    yield tuple(f"The random scatter has a standard deviation of {about(x, 2)}." for x in (fact["number"], 3.5 * fact["number"]))


def of_effect(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    name, size = fact["columns"][0], fact["change"]
    if fact["levels"]:
        sizes = {fact["levels"][int(part["places"][0])]: part["number"] for part in fact["parts"] if part["kind"] == "level"}
        low, high = sorted(sizes, key=lambda level: sizes[level])[:: len(sizes) - 1]
        by = about(sizes[high] - sizes[low], 2)
        yield (f"In the {high} group of {name} the {target} is {by} higher than in the {low} one.",
               f"In the {low} group of {name} the {target} is {by} higher than in the {high} one.")  # fmt: skip
        yield tuple(f"{low} {name} means lower {target}, a gap of {about(x, 2)}." for x in (sizes[high] - sizes[low], 2.0 * (sizes[high] - sizes[low])))
        return
    if fact["form"] == "turning":
        return
    right, other = ("higher", "lower") if size > 0 else ("lower", "higher")
    yield tuple(f"The larger the {name}, the {word} the {target}.".replace("larger", "further along") for word in (right, other))
    yield tuple(f"Across the sample, {name} moves {target} by {about(x, 2)}." for x in (abs(size), wrong(abs(size), rng)))
    verb = ("goes up", "goes down") if size > 0 else ("goes down", "goes up")
    yield tuple(f"{target} {word} with {name}, in total by {about(abs(size), 2)}." for word in verb)


def of_column(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    name, size = fact["columns"][0], fact["number"]
    right, other = ("lifts", "reduces") if size > 0 else ("reduces", "lifts")
    by = f"{about(100.0 * abs(np.expm1(size)), 2)} %" if fact["unit"] == "log target" else about(abs(size), 2)
    yield tuple(f"A {name} {verb} {target} by {by}." for verb in (right, other))
    yield tuple(f"Days with {name} see {word} {target}." for word in (("more", "fewer") if size > 0 else ("fewer", "more")))


def of_matter(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    name = fact["columns"][0]
    said = (f"{name} clearly influences {target}.", f"{name} has no influence on {target}.")
    if fact["form"] == "matters":
        yield said
    elif fact["form"] in ("nothing", "next to nothing"):
        yield said[::-1]


def of_explained(fact: Fact, target: str, rng: np.random.Generator) -> Iterator[Pair]:
    yield tuple(f"Together these variables account for {about(x, 2)}% of the variance." for x in (fact["number"], 0.6 * fact["number"]))


def of_forecast(rows: list[Row], target: str, rng: np.random.Generator) -> Iterator[Pair]:
    """True and wrong sentences on the first and a later row of a forecast."""
    for row in (rows[0], rows[len(rows) // 2]):
        when = f"{pd.Timestamp(row['time']):%B %Y}" if rows[0]["time"].endswith("-01") and rows[1]["time"].endswith("-01") else day(row["time"])
        yield tuple(f"We project {about(x)} {target} for {when}." for x in (row["mean"], wrong(row["mean"], rng)))
        yield tuple(f"For {when} the outlook is between {about(k * row['lower'])} and {about(k * row['upper'])}." for k in (1.0, 1.6))


def run(case: Row, _: argparse.Namespace) -> Row:
    """The sentences on one model."""
    table, target = table_of(case["kind"], case["seed"])
    named = {} if case["kind"] in ("table", "groups") else {"time": next(iter(table))}
    data = load(table, target=target, **named, **({} if named else {"inputs": ["*"]}))
    model = AutomaticStatistician(n_jobs=1, max_depth=3, random_state=0).fit(data)
    memo, rng = memo_of(model), np.random.default_rng(case["seed"])
    answers = [model.ask(question).to_json()["facts"] for question in (("what", "events", "columns") if named else ("columns",))]
    facts = list({fact["id"]: fact for answer in answers for fact in answer if "kind" in fact}.values())
    made = list(pairs(facts, target, rng))
    if case["kind"] in ("months", "days"):
        made += of_forecast(list(memo.forecast()), target, rng)
    chosen = [made[k] for k in sorted(rng.permutation(len(made))[:MOST])]
    verdicts = [[_verdict(memo, sentence) for sentence in pair] for pair in chosen]
    alarms = [pair[0] for pair, each in zip(chosen, verdicts, strict=True) if each[0] == "contradicted"]
    missed = [pair[1] for pair, each in zip(chosen, verdicts, strict=True) if each[1] != "contradicted"]
    return {
        "sentences": len(chosen), "false_alarms": len(alarms), "borne_out": sum(each[0] == "borne out" for each in verdicts),
        "found": len(chosen) - len(missed), "missed": " | ".join([*(f"alarm: {each}" for each in alarms), *missed]),
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
