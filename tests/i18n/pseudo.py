"""A language of no words, in which every text that is no message stands out.

``python -m tests.i18n.pseudo`` prints, page by page, the English words that stay on the golden pages.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from tests.describe import golden

from autostatistician.describe.document.document import Document
from autostatistician.i18n import messages
from autostatistician.i18n.messages import chosen

_PLACES = re.compile(r"(\{[^{}]*\})")
_WORD = re.compile(r"'[^']*'|[A-Za-zÀ-ž]{2,}")


def _without_words(text: str) -> str:
    """The text with each letter turned into a wide one, which no page has of itself; places of values stay."""
    turned = str.maketrans(
        {chr(code): chr(code + 0xFEE0) for code in range(ord("A"), ord("z") + 1) if chr(code).isalpha()}
    )
    return "".join(piece if piece.startswith("{") else piece.translate(turned) for piece in _PLACES.split(text))


class _Pseudo:
    """A catalogue that has every message."""

    def get(self, key: tuple[str, str], default: tuple[str, ...] = ()) -> tuple[str, ...]:
        return (_without_words(key[0]) or default[0],)


@contextmanager
def pseudo_language() -> Iterator[None]:
    """Says every message without words; numbers and dates are German ones."""
    with (
        patch.object(messages, "messages_of", lambda _: _Pseudo()),
        patch.object(messages, "chosen", lambda name, values, _: _without_words(chosen(name, values, "en"))),
        messages.spoken_in("de"),
    ):
        yield


def english_words(text: str) -> list[str]:
    """What has letters of its own: no message, and no name in quotes."""
    return [word for word in _WORD.findall(text) if not word.startswith("'")]


def pseudo_page(name: str) -> tuple[Document, str]:
    """A golden page in that language, and its text.

    Pages are kept with their models under the name of the language, which is that of German ones.
    """
    _forget()
    with pseudo_language():
        made = golden.page(name)[0], golden.page_text(name)
    _forget()
    return made


def _forget() -> None:
    golden._page.cache_clear()
    golden._model.cache_clear()


def main() -> None:
    """Prints what golden pages have left."""
    for name in sys.argv[1:] or (*golden.MODELS, *golden.CLUSTERS):
        for line in pseudo_page(name)[1].splitlines():
            if left := english_words(line):
                sys.stdout.write(f"{name}: {left}\n    {line[:300]}\n")


if __name__ == "__main__":
    main()
