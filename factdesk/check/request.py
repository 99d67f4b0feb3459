"""What one check is asked for, from the command line, the facade or a batch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Date
from pathlib import Path

from factdesk.kernel import InputError

MAX_CHARACTERS = 20_000


@dataclass(frozen=True)
class CheckRequest:
    """A claim to be checked, or a question to be answered.

    Raises:
        InputError: the text is empty, too long or no valid Unicode.
    """

    text: str
    images: tuple[Path, ...] = ()
    image_urls: tuple[str, ...] = ()
    """Where the images stand in public, in their order; for reverse image search."""
    date: Date | None = None
    """Day on which the claim was made."""
    as_of: Date | None = None
    """Leave out evidence published after this day."""
    corpus: tuple[str, ...] = ()
    """Stored corpora by name, or paths; none: those of the settings."""
    record: bool = True
    """Append the certificate to the history."""
    supersedes: str | None = None
    """Id of the certificate that the new one replaces."""
    certificate_id: str | None = None
    """Given beforehand; the history takes it once."""
    asked: bool = False
    """``text`` is a question."""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InputError(
                'the claim is empty; give a statement to check, e.g. factdesk check "The bridge reopened."'
            )
        from factdesk.corpora.links import is_link  # with the recorder, which a help text does without

        if is_link(self.text):
            raise InputError(
                f"{self.text.strip()[:200]!r} is a link and no claim; give the statement, choose one of the "
                "page's with --claim-url LINK, or name the page as evidence with --corpus LINK"
            )
        if len(self.text) > MAX_CHARACTERS:
            raise InputError(
                f"the claim has {len(self.text)} characters, at most {MAX_CHARACTERS} are checked; give a shorter text"
            )
        try:
            self.text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"the claim holds a character that is no valid Unicode at position {error.start}"
            ) from error
