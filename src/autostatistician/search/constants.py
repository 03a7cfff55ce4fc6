"""Constants that decide what a search looks at and what it selects, each with the benchmark that chose it.

Those of a race stand in its schedule (`series.schedules`, `tables.schedules`), those of a formula beside it. A comment
that names no benchmark says so: such a number was set by judgement, and may be better.
"""

from __future__ import annotations

__all__ = [
    "CHOICE_OF_SHAPES",
    "ENTRIES_OF_TABLES",
    "FIRST_ROWS",
    "GROWTH",
    "IMPROVEMENT",
    "IMPROVEMENT_ON_A_PART",
    "LARGER_SUBSET_ROWS",
    "LATE_IMPROVEMENT",
    "LEAST_SHARE_OF_BEST",
    "MARGIN_BY_EVIDENCE",
    "MARGIN_FOR_COUNTS",
    "MARGIN_FOR_LOGARITHM",
    "MOST_AT_ONCE_IN_COMPARISON",
    "MOST_LEVELS_BETWEEN",
    "MOST_PARAMETERS_OF_PART",
    "MOST_RACED",
    "MOST_ROWS_BY_EVIDENCE",
    "MOST_SCORED_EXACTLY",
    "ODDS_AGAINST",
    "ODDS_FOR_LEAF",
    "ODDS_FOR_PARAMETERS",
    "PENALTY_OF_UNSEEN",
    "PENALTY_PER_MISSING_CYCLE",
    "REACH_OF_INCUMBENTS",
    "ROWS_FOR_ADDED",
    "SHARE_OF_RESTARTS",
    "STAGES_OF_TABLE",
    "SUBSET_ROWS",
    "TAKEN_ALONG",
    "VERY_MANY_ROWS",
]

# --- rows: what is done on how many -----------------------------------------------------------------------------

# Of a series; a longer one is searched by BIC unless evidence is asked for. The priors were learned from series of at
# most three hundred rows; of the thirteen benchmark series those below forecast better by evidence on the whole (four
# of six), those above by BIC (docs/explanation/priors-and-evidence.md).
# Of six pieces of 430 and 450 rows (monthly, daily, hourly) evidence took half of the time, but its CRPS was 1.2 times
# as large: what it finds is simpler.
MOST_ROWS_BY_EVIDENCE = 400
# Of a series in a language without priors, up to which all rows take part from the beginning. No benchmark: the
# searches of Lloyd et al. 2014, which others are compared with, had all of a thousand.
MOST_AT_ONCE_IN_COMPARISON = 1000
# Of the first stage of a longer one, and by what a stage grows at most. No benchmark.
FIRST_ROWS, GROWTH = 250, 7.5
# Of the stages of a table before the last: as many as one matrix bears with ease. No benchmark.
STAGES_OF_TABLE = (1000,)
# On which candidates are looked at first where there are more, and on which the better ones are compared on a table of
# very many. No benchmark.
SUBSET_ROWS, LARGER_SUBSET_ROWS, VERY_MANY_ROWS = 200, 500, 800
# Of a series up to which later stages race like the first; beyond, they go `onwards`. No benchmark is kept: with 300,
# eight pieces of 430 and 450 rows took .65 of the time, but BIC was up to 30 worse and CRPS 1.08 times as large.
MOST_RACED = 700
# On which a small term shows. No benchmark.
ROWS_FOR_ADDED = 1000

# --- stages: when the search goes on ----------------------------------------------------------------------------

# In deviance, by which a level must be better: on all rows, and on a part of them. No benchmark.
IMPROVEMENT, IMPROVEMENT_ON_A_PART = 0.1, 6.0
# The same by BIC on all rows after a part of them, and of classes. No benchmark: odds hardly worth a mention (Kass and
# Raftery 1995).
LATE_IMPROVEMENT = 2.0
# Of a stage that is neither the first nor the last: all rows show more. No benchmark.
MOST_LEVELS_BETWEEN = 2
# From the best model by evidence, in deviance, within which the neighbours of another one are looked at, too: 18 series
# of 34 to 140 rows scored the same without this limit (as benchmarks/search_quality.py scores them).
REACH_OF_INCUMBENTS = 3.0
# Of the starting points, for a series in stages: what a part of the rows shows need not be sure yet. No benchmark.
SHARE_OF_RESTARTS = 0.5
# Candidates that a stage takes along to the next. No benchmark.
TAKEN_ALONG = 8
# The same of tables, up to so many rows, and their steps there. No benchmark.
ENTRIES_OF_TABLES = ((2000, TAKEN_ALONG, 60), (20_000, 4, 25), (None, 3, 25))

# --- selection: what a model has to gain ------------------------------------------------------------------------

# A false claim is worse than one not made: of two models the one with a further parameter is selected only from these
# odds, counting two parameters of a part at most. With twenty, 6 of 100 walks and of 100 series of noise were told as
# more (docs/explanation/priors-and-evidence.md). Forecasts weigh all models by their probabilities alone.
ODDS_FOR_PARAMETERS, MOST_PARAMETERS_OF_PART = 40.0, 2
# But none is selected that the likeliest one has more than these odds against. No benchmark.
ODDS_AGAINST = 5.0
# By evidence on a table, for each further leaf on a column. No benchmark.
ODDS_FOR_LEAF = 10.0
# Candidates of a level that a costly criterion looks at. No benchmark.
MOST_SCORED_EXACTLY = 8
# Of the best model's weight: models below are left out of averages. No benchmark.
LEAST_SHARE_OF_BEST = 1e-3
# Of BIC in favour of a logarithm. A gain of 10 is "very strong" for Kass and Raftery (1995), but forecasts of 27 series
# set apart for it were better without a logarithm up to about 20: growth in per cent soon goes too far. Of that
# benchmark no script is kept.
MARGIN_FOR_LOGARITHM = 20.0
# The same where parameters have priors. No benchmark: the more probable scale is taken.
MARGIN_BY_EVIDENCE = 0.0
# Of evidence, as a deviance, for counts about a rate against normal noise or a logarithm: of 17 real series those with
# more forecast better as counts but one, the two with less did not (benchmarks/counts.py).
MARGIN_FOR_COUNTS = 2.0

# --- penalties: in deviance -------------------------------------------------------------------------------------

# For each cycle that is missing to four (see `cycles.cycle_penalty`). No benchmark.
PENALTY_PER_MISSING_CYCLE = 4.0
# In nats by row, for noise that is hardly seen: more than any prior of such small noise. No benchmark.
PENALTY_OF_UNSEEN = 10.0
# Shapes of the noise among which one is chosen: lines, windows, changes, around one part or around all. No benchmark.
CHOICE_OF_SHAPES = 10
