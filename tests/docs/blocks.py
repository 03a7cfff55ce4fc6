"""The code blocks of the README and of the pages, and commands as a shell would read them."""

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "docs" / "tutorial" / "files"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*/*.md"))]

# <!-- not run: REASON --> before a block says why the tests leave it out, <!-- before: CODE --> what is there already,
# <!-- output of: COMMAND --> which command prints it.
BLOCK = re.compile(
    r"(?:^<!-- (?P<note>not run|before|output of): (?P<said>[^\n]+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"(?:^|&& |\|\| |\$ |\$\()autostatistician ", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block with what the page says about it."""

    language: str
    text: str
    not_run: str = ""
    before: str = ""
    output_of: str = ""

    @property
    def holds_commands(self) -> bool:
        return self.language in {"sh", "console"} or COMMAND.search(self.text) is not None

    @property
    def commands(self) -> list[str]:
        """Its lines to type: all of a script, those after a prompt of a console."""
        lines = self.text.splitlines()
        return [line[2:] for line in lines if line.startswith("$ ")] if self.language == "console" else lines


@dataclass(frozen=True)
class Command:
    """A call of the command line with the files that stand for its streams, and the exit codes that are no failure."""

    words: list[str]
    read: str = ""
    written: str = ""
    codes: list[int] = field(default_factory=lambda: [0])


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    found = []
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        said = {str(match["note"]).replace(" ", "_"): match["said"]} if match["note"] else {}
        found.append(Block(match["language"], match["text"], **said))
    return found


def command(line: str) -> Command:
    """A line of a shell: `[cat FILE |] autostatistician ... [> FILE] [|| test $? -eq CODE]`.

    >>> command("cat a.csv | autostatistician fit - > b || test $? -eq 4")
    Command(words=['fit', '-'], read='a.csv', written='b', codes=[0, 4])
    """
    match = re.fullmatch(
        r"(?:cat (?P<read>\S+) \| )?autostatistician (?P<words>[^|<>&;$]+?)(?: > (?P<written>\S+))?"
        r"(?: \|\| test \$\? -eq (?P<code>\d+))?",
        line.strip(),
    )
    assert match is not None, f"a line that this test cannot run, without a reason before its block: {line}"
    codes = [0, *([int(match["code"])] if match["code"] else [])]
    return Command(shlex.split(match["words"]), match["read"] or "", match["written"] or "", codes)
