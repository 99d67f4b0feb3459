"""Which files there are below the paths that were given, and ids for their documents: short, stable, never shared."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

from factdesk.kernel import InputError

_OPEN_XML = "application/vnd.openxmlformats-officedocument"
READERS = {
    ".md": ("markdown:read_markdown", "text/markdown"),
    ".markdown": ("markdown:read_markdown", "text/markdown"),
    ".html": ("html:read_html", "text/html"),
    ".htm": ("html:read_html", "text/html"),
    ".pdf": ("pdf:read_pdf", "application/pdf"),
    ".docx": ("archives:read_docx", f"{_OPEN_XML}.wordprocessingml.document"),
    ".odt": ("archives:read_odt", "application/vnd.oasis.opendocument.text"),
    ".epub": ("archives:read_epub", "application/epub+zip"),
    ".csv": ("tables:read_csv", "text/csv"),
    ".xlsx": ("tables:read_xlsx", f"{_OPEN_XML}.spreadsheetml.sheet"),
    ".eml": ("mail:read_mail", "message/rfc822"),
    ".srt": ("subtitles:read_srt", "application/x-subrip"),
    ".vtt": ("subtitles:read_vtt", "text/vtt"),
}
"""Ending -> module of this folder and function that reads such a file, imported when one is met; and media type."""
SUFFIXES = (".txt", *READERS, ".json", ".jsonl", ".jsonl.gz")
"""Endings of files that can be read; longer ones are tried first."""
MAX_DEPTH = 100
"""Folders in each other."""
MAX_FILE_BYTES = 20_000_000
"""Of one file. JSON Lines hold many documents and have bounds of their own."""


@dataclass(frozen=True)
class Found:
    """A file: where it is, its path relative to what was added (POSIX), its ending, or why it is left out."""

    path: Path
    relative: str
    root: str
    suffix: str = ""
    reason: str = ""


def walk(paths: Sequence[Path]) -> Iterator[Found]:
    """Every file under the paths once, in the order of the paths and then of relative names. Raises ``InputError``: a
    path does not exist or is neither a file nor a folder.
    """
    seen: set[Path] = set()
    for path in paths:
        try:
            root = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f"{str(path)!r} does not exist; give a file or folder that does") from error
        if root.is_file():
            found = iter([Found(root, root.name, root.parent.name)])
        elif root.is_dir():
            found = _folder(root, root, "")
        else:
            raise InputError(f"{str(path)!r} is neither a file nor a folder")
        for item in found:
            if item.reason:
                yield item
            elif (real := item.path.resolve()) not in seen:
                seen.add(real)
                yield _judged(item)


def _folder(root: Path, folder: Path, prefix: str, depth: int = 0) -> Iterator[Found]:
    if depth > MAX_DEPTH:
        yield Found(folder, prefix.rstrip("/"), root.name, reason=f"lies more than {MAX_DEPTH} folders deep")
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Found(folder, prefix.rstrip("/") or ".", root.name, reason=f"cannot be opened: {error.strerror}")
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path, relative = Path(entry.path), prefix + entry.name
        reason = _link_reason(root, path) if entry.is_symlink() else ""
        if reason:
            yield Found(path, relative, root.name, reason=reason)
        elif entry.is_dir():
            yield from _folder(root, path, relative + "/", depth + 1)
        elif entry.is_file():
            yield Found(path, relative, root.name)
        else:
            yield Found(path, relative, root.name, reason="is not a regular file")


def _link_reason(root: Path, path: Path) -> str:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return "is a link to nothing"
    if not target.is_relative_to(root):
        return "is a link that leads out of the folder"
    return "is a link to a folder that is read anyway" if target.is_dir() else ""


def _judged(item: Found) -> Found:
    """With its ending, or why it is left out; its name as valid Unicode."""
    name = item.relative.lower()
    suffix = next((end for end in sorted(SUFFIXES, key=len, reverse=True) if name.endswith(end)), "")
    return replace(item, relative=printable(item.relative), suffix=suffix, reason=_refusal(item, suffix))


def _refusal(item: Found, suffix: str) -> str:
    if printable(item.relative) != item.relative:
        return "its name is not valid text; rename it"
    if not suffix:
        return f"file type {item.path.suffix!r} is not one of {', '.join(SUFFIXES)}"
    try:
        size = item.path.stat().st_size
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    large = size > MAX_FILE_BYTES and not suffix.startswith(".jsonl")
    return f"is {size / 1e6:.1f} MB; at most {MAX_FILE_BYTES // 1_000_000} MB are read" if large else ""


def printable(name: str) -> str:
    """A file name as valid Unicode (bytes that are none become ``?``)."""
    return name.encode("utf-8", "replace").decode("utf-8")


def file_id(relative: str, suffix: str) -> str:
    """The relative path without its ending, NFC, with control characters made ``_``."""
    return _clean(relative[: len(relative) - len(suffix)] or relative)


def _clean(name: str) -> str:
    name = unicodedata.normalize("NFC", name)
    return "".join("_" if unicodedata.category(c).startswith("C") else c for c in name)


class Names:
    """Hands out ids. The first to ask gets the plain id; others the next free, more telling one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, plain: str, *, ending: str = "", root: str = "") -> str:
        """A free id: ``a``, else ``a.md`` (its ending), else ``folder/a.md``, else ``a~2``, ``a~3``, …."""
        telling = [plain, f"{plain}{ending}", *([f"{_clean(root)}/{plain}{ending}"] if root else [])]
        choices = chain(telling, (f"{plain}~{number}" for number in count(2)))
        name = next(name for name in choices if name not in self._taken)
        self._taken.add(name)
        return name
