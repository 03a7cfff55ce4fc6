"""Forecasts of series of three competitions (M1, M3, Tourism) over the official test sets, beside those of others.

Ours gets dates and values with the default settings, and is told nothing; the others get the season. The table is made
of every tenth series of the half that may be looked at, in eight tasks (`corpus_series.py` says what is for what,
`corpus_scores.py` what is measured). --criterion, --language and --option change the settings of ours, --part choose
takes the series by which settings are compared. --summary runs nothing and shows what the table says.

The competition, `results/competition.csv`, is --part all --spread 60: nine tasks, with the yearly series of Tourism, so
many series of each spread evenly over the half that may be looked at. Of M1 and Tourism most of these are among the
series that priors and shares were learned from, of M3 a fifth among those by which settings were chosen, none of the
others was used for anything.

Usage: python benchmarks/corpus.py [--method ours AutoETS Prophet] [--summary]
       python benchmarks/corpus.py --method ours --part choose --tasks m3-yearly --criterion laplace --csv new.csv
       python benchmarks/corpus.py --part all --spread 60 --csv benchmarks/results/competition.csv
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.language.count import effective_parameters
from common import Ledger, arguments, code_version, grouped, options, read_rows, settings_text, table
from corpus_peers import METHODS, forecast, middle
from corpus_scores import (
    FOUR,
    LEVELS,
    MEDIAN,
    NAIVE,
    OURS,
    SCORES,
    Standing,
    by_task,
    paired,
    scored,
    standing,
    to_best,
)
from corpus_series import (
    DATASETS,
    KINDS,
    TASKS,
    Array,
    Series,
    choosing,
    learning,
    reporting,
    series,
    tabled,
    task_name,
)
from measures import Variant, by_variant
from page_text import number
from peers import package_version
from run_all import ONE_THREAD

Row = dict[str, Any]

CASE = ("task", "series", "method", "settings")
COLUMNS = ("code", "n", *SCORES, "size", "seconds", "parameters", "expression")
PARTS = ("table", "choose", "report", "learn", "all")
MADE: dict[tuple[str, ...], tuple[Array, str, float]] = {}  # forecasts of peers in this process
GOLDEN = 0.5 * (5.0**0.5 - 1.0)  # multiples of it fill the unit interval evenly, however many there are


# What is forecast ------------------------------------------------------------------------------------------


def of_part(part: str, dataset: str, kind: str) -> Sequence[Series]:
    """The series of a data set and kind that belong to a part; none where the part has none of them."""
    if part == "all":
        return series(dataset, kind)
    if part == "table":
        return tabled(dataset, kind) if (dataset, kind) in TASKS else ()
    if part == "learn":
        return learning(kind, dataset) if dataset != "M3" else ()
    return {"choose": choosing, "report": reporting}[part](kind) if dataset == "M3" else ()


def wanted(given: argparse.Namespace) -> list[tuple[str, Series]]:
    """The series asked for with the names of their tasks."""
    names = {task_name(*task): task for task in ((dataset, kind) for dataset in DATASETS for kind in KINDS)}
    found = []
    for name in given.tasks:
        some = of_part(given.part, *names[name])[:: given.every][: given.limit]
        found += [(name, one) for one in (some if given.spread is None else spread(some, given.spread))]
    return found


def spread(every: Sequence[Any], count: int) -> list[Any]:
    """Some of the series, spread evenly; a greater count adds to those of a smaller one.

    >>> spread("abcdefgh", 3), spread("abcdefgh", 4)
    (['a', 'f', 'c'], ['a', 'f', 'c', 'h'])
    """
    order = sorted(range(len(every)), key=lambda place: place * GOLDEN % 1.0)
    return [every[place] for place in order[:count]]


# One series ------------------------------------------------------------------------------------------------


def run(case: Row, one: Series, settings: Row) -> Row:
    """Forecast one series by the method of the case, and score the forecast."""
    start = time.process_time()
    found: Row
    if case["method"] == OURS:
        quantiles, found = ours(one, settings)
        seconds = time.process_time() - start
    elif case["method"] == MEDIAN:
        every = [timed(method, one) for method in FOUR]
        quantiles, found = middle([each for each, _, _ in every]), {}
        seconds = sum(each for _, _, each in every)
    else:
        quantiles, fault, seconds = timed(case["method"], one)
        found = {"expression": fault}
    return {**case, "n": len(one.values), **scored(one, quantiles), "seconds": round(seconds, 2), **found}


def timed(method: str, one: Series) -> tuple[Array, str, float]:
    """The forecast of a peer, its fault, and the seconds that it took; what was made once is kept for the median."""
    key = (method, one.dataset, one.kind, one.name)
    if key not in MADE:
        start = time.process_time()
        MADE[key] = *forecast(method, one), time.process_time() - start
    return MADE[key]


def ours(one: Series, settings: Row) -> tuple[Array, Row]:
    """Quantiles (horizon, levels) by the estimator, and what it found."""
    X, n = pd.DataFrame({"date": one.dates}), len(one.values)
    model = AutomaticStatistician(n_jobs=1, **grouped(settings)).fit(X[:n], one.values)
    if model.interrupted_:  # half a search is no result
        raise KeyboardInterrupt
    kernel = model.kernel_
    found = {"parameters": effective_parameters(kernel.expr), "expression": str(kernel)}
    return np.asarray(model.predict_quantiles(X[n:], levels=LEVELS)), found


# All of them -----------------------------------------------------------------------------------------------


def run_all(given: argparse.Namespace, settings: Row) -> None:
    """Do what the table does not have yet, several series at once; rows are written as they come."""
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    places = {(name, one.name): one for name, one in wanted(given)}
    cases = [row for method in dict.fromkeys([NAIVE, *given.method]) for row in _cases(method, places, settings)]
    turns = {place: [task for task, _ in list(places)[:index]].count(place[0]) for index, place in enumerate(places)}
    cases.sort(key=lambda row: turns[row["task"], row["series"]])  # the tasks grow together
    os.environ |= ONE_THREAD  # of the processes to come
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        runs = {
            pool.submit(run, case, places[case["task"], case["series"]], settings): case for case in ledger.left(cases)
        }
        for done in as_completed(runs):
            _write(ledger, runs[done], done)


def _cases(method: str, places: Iterable[tuple[str, str]], settings: Row) -> list[Row]:
    """One case for every series; none when the package of the method is missing."""
    package = "" if method == OURS else METHODS[FOUR[0] if method == MEDIAN else method][0]
    code = code_version() if method == OURS else package_version(package)
    if code is None:
        print(f"left out: {method}, because {package} is not installed")
        return []
    case = {"method": method, "settings": settings_text(settings) if method == OURS else "", "code": code}
    return [{"task": task, "series": name} | case for task, name in places]


def _write(ledger: Ledger, case: Row, done: Future[Row]) -> None:
    try:
        row = done.result()
    except Exception as error:  # the others go on
        print("failed: {task} {series} {method}: ".format(**case) + repr(error), flush=True)
        return
    ledger.write(row)
    line = (
        "{task:17} {series:6} {method:15} mase {mase:<7g} sql {sql:<7g} msis {msis:<7g} {seconds:6.1f} s  {expression}"
    )
    print(line.format(**{"expression": "", **row}), flush=True)


# What the table says ---------------------------------------------------------------------------------------


def summary(rows: Sequence[Row], tasks: Sequence[str]) -> list[Row]:
    """One row per variant and task, and over all tasks ("all"); measures relative to the seasonal naive rule."""
    own = [row for row in rows if row["task"] in tasks]
    return [shown(variant, one) for variant, every in standing(own).items() for one in every]


def shown(variant: Variant, one: Standing) -> Row:
    ranks = {f"rank {name}": number(one.ranks[name], ".1f") for name in one.ranks}
    relative = {name: number(one.relative[name]) for name in ("mase", "wql", "sql", "msis")}
    return {
        **{"method": str(variant), "task": one.task, "series": one.series},
        **relative,
        "coverage": number(one.coverage),
        **ranks,
        "large if short": number(one.large),
        "seconds": number(one.seconds, ".1f"),
    }


def against_best(rows: Sequence[Row], tasks: Sequence[str]) -> list[Row]:
    """By variant of ours and task the scaled quantile loss over that of the best of the four and their median."""
    return [
        {"method": str(variant), "task": task, "best": best, "sql / best": number(ratio)}
        for task in tasks
        for variant, (best, ratio) in to_best(rows, task).items()
        if variant.method == OURS
    ]


def first(rows: Sequence[Row], tasks: Sequence[str]) -> list[Row]:
    """By task the scaled quantile loss of every method relative to the seasonal naive rule, and which is first.

    Of the series that all methods have.
    """
    places = [{(row["task"], row["series"]) for row in own} for own in by_variant(rows).values()]
    common = set.intersection(*places) if places else set()
    same = [row for row in rows if (row["task"], row["series"]) in common and row["task"] in tasks]
    losses = {variant: {one.task: one.relative["sql"] for one in every} for variant, every in standing(same).items()}
    found = []
    for task, some in {**by_task(same), "all": same}.items():
        of_task = {str(variant): own[task] for variant, own in losses.items() if task in own}
        if of_task:
            best = min(of_task, key=lambda name: of_task[name])
            count = len(some) // len(of_task)
            shown_losses = {name: number(value) for name, value in of_task.items()}
            found.append({"task": task, "series": count, **shown_losses, "first": best})
    return found


def against_each(rows: Sequence[Row], tasks: Sequence[str]) -> list[Row]:
    """Every variant of ours against every other method, series by series: by task, and over all of these."""
    own = [row for row in rows if row["task"] in tasks]
    groups = {**by_task(own), "all": own}
    return [
        {
            **{"method": str(variant), "against": str(other), "task": task, "series": count},
            **{"sql ratio, geometric": number(ratio), "error": number(error)},
        }
        for variant in by_variant(own)
        if variant.method == OURS
        for task, some in groups.items()
        for other, (ratio, error, count) in paired(some, variant).items()
    ]


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    names = [task_name(dataset, kind) for dataset in DATASETS for kind in KINDS]
    parser = arguments(__doc__, "corpus.csv", languages=())
    parser.add_argument("--method", nargs="+", choices=[OURS, *METHODS, MEDIAN], default=[OURS, *METHODS, MEDIAN])
    parser.add_argument("--part", choices=PARTS, default=PARTS[0], help="which series")
    parser.add_argument("--tasks", nargs="+", choices=names, default=names, help="all that the part has by default")
    parser.add_argument("--every", type=int, default=1, help="each how manieth series of the part")
    parser.add_argument("--limit", type=int, help="series of a task at most")
    parser.add_argument("--spread", type=int, help="so many of a task, spread evenly over it")
    parser.add_argument("--jobs", type=int, default=2, help="series at once; one process each")
    parser.add_argument("--language", help="of ours; its default by default")
    parser.add_argument("--criterion", help="what the search of ours minimises; its default by default")
    parser.add_argument("--option", nargs="+", default=[], help="other settings of ours, as name=value")
    given = parser.parse_args()
    if not given.summary:
        run_all(given, asked(given))
    rows = read_rows(given.csv)
    print("\n\n".join(table(of(rows, given.tasks)) for of in (summary, first, against_best, against_each)))
    codes = sorted({row["code"] for row in rows if row["method"] == OURS})
    print(f"\nours by {', '.join(codes) or 'none'}")


def asked(given: argparse.Namespace) -> Row:
    """The settings of ours that were given and are not the defaults."""
    usual = AutomaticStatistician().get_params()
    found = {"language": given.language, "criterion": given.criterion, **options(given.option)}
    return {name: value for name, value in found.items() if value is not None and value != usual.get(name)}


if __name__ == "__main__":
    main()
