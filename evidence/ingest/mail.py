"""Mails (.eml) by the standard library: subject, sender, day and the text that is meant to be read."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from typing import cast

from evidence.ingest.page import Page, page_of
from evidence.ingest.text import clean_line
from factdesk.kernel import InputError

LONGEST_HEADER = 2_000
"""Characters of a header that is looked at: the standard library takes time by their square."""


class _Bounded(policy.EmailPolicy):
    """Headers as usual, none longer than ``LONGEST_HEADER``."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """A header's value. Raises ``InputError``."""
        if len(value) > LONGEST_HEADER:
            raise InputError(f"its header {name!r} has {len(value)} characters; at most {LONGEST_HEADER} are read")
        parsed: str = super().header_fetch_parse(name, value)
        return parsed


def read_mail(data: bytes) -> Page:
    """The body, plain where there is one, dated by the mail itself, with its sender as publisher. A ``From`` line can
    be forged. Attachments are not read, and a note names them. Raises ``InputError``: it is no mail.
    """
    message = cast("EmailMessage", message_from_bytes(data, policy=_Bounded()))
    body = message.get_body(("plain", "html"))
    subject, sender, day = (message[name] for name in ("Subject", "From", "Date"))
    attached = [clean_line(part.get_filename()) or "without a name" for part in message.iter_attachments()]
    text = _text(body) if isinstance(body, EmailMessage) else ""
    if sender is None and subject is None:
        raise InputError("is no mail: it has neither sender nor subject")
    notes = [f"kept without its attachments: {', '.join(attached)}"] if attached else []
    name, address = parseaddr(str(sender or ""))
    said = {"title": str(subject or ""), "publisher": name or address, "published": None if day is None else str(day)}
    return page_of(text, (), said, notes)


def _text(body: EmailMessage) -> str:
    content = body.get_content()
    if body.get_content_type() != "text/html":
        return _unquoted(str(content))
    from evidence.ingest.html import read_html

    return read_html(str(content).encode("utf-8")).text


def _unquoted(text: str) -> str:
    """Without what is quoted of earlier mails (lines that start with ``>``), which somebody else said."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
