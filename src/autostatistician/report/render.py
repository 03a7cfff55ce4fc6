"""From a document to text in each format, and to a file that is either whole or not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from autostatistician.describe.document.document import Document
from autostatistician.errors import InputError
from autostatistician.files import write_whole
from autostatistician.report.html import to_html
from autostatistician.report.jsonform import to_json
from autostatistician.report.markdown import to_markdown
from autostatistician.report.pdf import check_typst, to_pdf

__all__ = ["SUFFIXES", "check_path", "to_html", "to_json", "to_markdown", "to_pdf", "write"]


_RENDERERS: dict[str, Callable[[Document], str | bytes]] = {
    ".html": to_html, ".htm": to_html, ".pdf": to_pdf, ".md": to_markdown, ".markdown": to_markdown, ".json": to_json,
}  # fmt: skip

SUFFIXES = tuple(_RENDERERS)


def check_path(path: str | Path) -> Path:
    """Whether a report can be written to a path; to be asked before the work that leads to the report.

    Raises
    ------
    InputError
        The suffix is unknown, the folder does not exist, the path is a folder, or a .pdf is asked for without typst.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in _RENDERERS:
        ending = f"the suffix {suffix!r}" if suffix else f"no suffix in {path.name!r}"
        raise InputError.of(f"a report path that ends in {', '.join(SUFFIXES)}", ending, "change the name of the file")
    if suffix == ".pdf":
        check_typst()
    if not path.parent.is_dir():
        raise InputError.of("an existing folder", f"no folder {str(path.parent)!r}", "create it or choose another")
    if path.is_dir():
        raise InputError.of("the path of a file", f"the folder {str(path)!r}", "add a file name")
    return path


def write(document: Document, path: str | Path) -> Path:
    """Write the report in the format that the suffix names, replacing the file at once or leaving it untouched.

    Raises
    ------
    InputError
        As `check_path`, or the system does not let us write there.
    """
    path = check_path(path)
    made = _RENDERERS[path.suffix.lower()](document)
    write_whole(path, made.encode() if isinstance(made, str) else made)
    return path
