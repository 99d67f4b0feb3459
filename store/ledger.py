"""The history: certificates one after the other, never changed, never removed."""

from __future__ import annotations

from datetime import date
from typing import cast

from sqlalchemy import text as sql
from sqlalchemy.engine import Engine
from sqlalchemy.orm import QueryableAttribute, defer
from sqlmodel import Session, col, func, insert, select
from sqlmodel.sql.expression import SelectOfScalar

from factdesk.kernel import CertificateError, ConfigError, InputError
from report.types import Certificate, LedgerEntry, Verdict
from store.engine import reading, writing
from store.tables import LedgerRow, ledger_row, to_entry
from store.types import CertificateCodec

MAX_LIMIT = 1000
MAX_WORDS = 32

_INDEX = sql("INSERT INTO ledger_words (rowid, claim, evidence) VALUES (:rowid, :claim, :evidence)")
_SEARCH = sql(
    "SELECT rowid FROM ledger_words WHERE ledger_words MATCH :query "
    "ORDER BY bm25(ledger_words, 4.0, 1.0), rowid DESC LIMIT :limit"
)


class Ledger:
    """Appends and finds certificates. Safe under several processes; raises ``InputError`` when the
    database cannot serve.
    """

    def __init__(self, engine: Engine, codec: CertificateCodec) -> None:
        """``codec`` seals and reads certificates: the module ``report.certificate``, or one that signs."""
        self._engine = engine
        self._codec = codec

    def append(self, certificate: Certificate) -> Certificate:
        """Put a certificate at the end; it comes back with its sequence and the previous hash filled in.

        Raises ``CertificateError`` when it does not hold, is in a history already, or its id is taken.
        """
        if certificate.envelope.sequence != 0:
            raise CertificateError(
                f"certificate {certificate.envelope.certificate_id!r} already has number "
                f"{certificate.envelope.sequence!r} in a history; only new ones can be appended"
            )
        with writing(self._engine) as session:
            head = session.exec(
                select(LedgerRow.sequence, LedgerRow.envelope_sha256)
                .order_by(col(LedgerRow.sequence).desc())
                .limit(1)
            ).first()
            sequence, previous = (head[0] + 1, head[1]) if head is not None else (1, None)
            sealed = self._codec.reseal(certificate, sequence=sequence, previous=previous)
            certificate_id = sealed.envelope.certificate_id
            if session.exec(
                select(LedgerRow.sequence).where(LedgerRow.certificate_id == certificate_id)
            ).first():
                raise CertificateError(
                    f"the history already has a certificate {certificate_id!r}; give it a new id"
                )
            session.exec(insert(LedgerRow), params=[ledger_row(sealed, self._codec.to_text(sealed))])
            session.connection().execute(_INDEX, {"rowid": sequence, **_words_of(sealed)})
        return sealed

    def get(self, certificate_id: str) -> Certificate:
        """A certificate by its id or the unambiguous beginning of it.

        Raises ``InputError`` when there is none or several, ``CertificateError`` when what is stored
        does not hold any more.
        """
        with reading(self._engine) as session:
            found = _matching(session, certificate_id)
            if not found:
                raise InputError(
                    f"the history has no certificate {certificate_id!r}; factdesk history list shows them"
                )
            if len(found) > 1:
                shown = ", ".join(found[:3]) + (", …" if len(found) > 3 else "")
                raise InputError(
                    f"{certificate_id!r} is the beginning of several ids ({shown}); give more of it"
                )
            stored = session.exec(
                select(LedgerRow.certificate_json).where(LedgerRow.certificate_id == found[0])
            ).one()
        return self._codec.load(stored)

    def list(
        self, limit: int = 20, offset: int = 0, verdict: Verdict | None = None, since: date | None = None
    ) -> tuple[LedgerEntry, ...]:
        """Newest first; ``since`` is a day in UTC, inclusive. Raises ``ConfigError`` for a wrong limit."""
        _check_bounds(limit, offset)
        statement = _entries().order_by(col(LedgerRow.sequence).desc()).limit(limit).offset(offset)
        if verdict is not None:
            statement = statement.where(LedgerRow.verdict == verdict)
        if since is not None:
            statement = statement.where(LedgerRow.created >= since.isoformat())
        with reading(self._engine) as session:
            return tuple(to_entry(row) for row in session.exec(statement))

    def search(self, words: str, limit: int = 20) -> tuple[LedgerEntry, ...]:
        """Certificates that hold every one of the words, in claims or deciding evidence; best first.

        The words are plain text: no operator of the search language works. Case and accents do not
        matter. Raises ``InputError`` when there is no word to look for, or more than 32.
        """
        _check_bounds(limit, 0)
        query = quoted(words)
        with reading(self._engine) as session:
            order = [
                row[0] for row in session.connection().execute(_SEARCH, {"query": query, "limit": limit})
            ]
            rows = {r.sequence: r for r in session.exec(_entries().where(col(LedgerRow.sequence).in_(order)))}
        return tuple(to_entry(rows[sequence]) for sequence in order if sequence in rows)

    def count(self) -> int:
        """How many certificates the history has."""
        with reading(self._engine) as session:
            return session.exec(select(func.count()).select_from(LedgerRow)).one()


def _entries() -> SelectOfScalar[LedgerRow]:
    """Rows without the certificate itself, which lists do not need."""
    text = cast("QueryableAttribute[str]", LedgerRow.certificate_json)
    return select(LedgerRow).options(defer(text, raiseload=True))


def quoted(words: str) -> str:
    """User text as an FTS5 query: each word a quoted string, all required."""
    clean = words.encode("utf-8", "ignore").decode("utf-8").replace("\0", " ")
    found = [w for w in clean.split() if any(c.isalnum() for c in w)]
    if not found:
        raise InputError(f"there is no word to search for in {words!r}; give at least one")
    if len(found) > MAX_WORDS:
        raise InputError(f"{len(found)} words are too many to search for; give at most {MAX_WORDS}")
    return " ".join('"' + word.replace('"', '""') + '"' for word in found)


def _check_bounds(limit: int, offset: int) -> None:
    if not 1 <= limit <= MAX_LIMIT:
        raise ConfigError(f"limit {limit!r} is out of range; give 1 to {MAX_LIMIT}")
    if offset < 0:
        raise ConfigError(f"offset {offset!r} is out of range; give 0 or more")


def _matching(session: Session, prefix: str) -> list[str]:
    """The exact id alone, or up to four ids that begin so."""
    if not prefix:
        raise InputError("an empty certificate id finds nothing; give the id or its beginning")
    exact = session.exec(select(LedgerRow.certificate_id).where(LedgerRow.certificate_id == prefix)).first()
    if exact is not None:
        return [exact]
    begins = (LedgerRow.certificate_id >= prefix, LedgerRow.certificate_id < prefix + "\U0010ffff")
    statement = select(LedgerRow.certificate_id).where(*begins).order_by(LedgerRow.certificate_id).limit(4)
    return list(session.exec(statement))


def _words_of(certificate: Certificate) -> dict[str, str]:
    """What the word index gets: the claims, and titles and text of the deciding evidence."""
    body = certificate.body
    deciding = {span_id for d in body.decisions for span_id in d.span_ids}
    spans = {s.span.span_id: s.span for c in body.claims for s in c.spans if s.span.span_id in deciding}
    return {
        "claim": "\n".join([body.claim_text, *(c.claim.text for c in body.claims)]),
        "evidence": "\n".join(f"{s.title}\n{s.publisher or ''}\n{s.text}" for s in spans.values()),
    }
