"""What an event did, in words."""

from __future__ import annotations

from tests.describe.spoken.answers import MONTH, SIZES

from autostatistician.describe.words.answers.impact import impact_texts

ALONE = (
    "What 'sales' would have been is forecast from the rows before; the difference is the effect of the event only if "
    "nothing else changed then."
)


def test_too_few_dates() -> None:
    few = {
        (0, True): "There is no earlier date to compare it with, too few for a test: by its range it is more than the "
        "model puts down to chance.",
        (1, False): "There is only 1 earlier date to compare it with, too few for a test: by its range it is no more "
        "than chance gives.",
        (3, False): "There are only 3 earlier dates to compare it with, too few for a test: by its range it is no more "
        "than chance gives.",
    }
    for (dates, is_event), text in few.items():
        assert impact_texts(2024.0, 2, SIZES, (dates, 0, 0.5), (is_event, False), (), MONTH)[1:] == (text, ALONE)
