"""The history: certificates one after the other, never changed, never removed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import inspect
from sqlalchemy.engine import Engine
from sqlmodel import Session, col, func, insert, select, update

from factdesk.kernel import CertificateError, ConfigError, InputError, private_folder, written_whole
from report.types import Certificate, Envelope, Head, LedgerEntry, State, Verdict
from store.engine import fetched, paged, reading, writing
from store.full_text import find_words, index_words
from store.tables import LedgerHeadRow, LedgerLinkRow, LedgerRow
from store.types import CertificateCodec

LOG = logging.getLogger(__name__)
MAX_LIMIT = 1000
_PLACE, _LINK = col(LedgerRow.sequence), col(LedgerLinkRow.sequence)


class Ledger:
    """Appends and finds certificates. Safe under several processes; raises ``InputError`` when the
    database cannot serve.
    """

    def __init__(self, engine: Engine, codec: CertificateCodec, head_file: Path | None = None) -> None:
        """``codec`` seals and reads certificates: ``report.certificate.sealing.SigningCodec``.
        ``head_file`` keeps the head outside of the database too.
        """
        self._engine = engine
        self._codec = codec
        self._head_file = head_file

    def append(self, certificate: Certificate) -> Certificate:
        """Put a certificate at the end; it comes back with its sequence and the previous hash filled in. Raises
        ``CertificateError`` when it does not hold, is in a history already, its id is taken, or what it supersedes is
        not here.
        """
        if certificate.envelope.sequence != 0:
            raise CertificateError(
                f"certificate {certificate.envelope.certificate_id!r} already has number "
                f"{certificate.envelope.sequence!r} in a history; only new ones can be appended"
            )
        with writing(self._engine, "ledger") as session:
            head = session.exec(
                select(LedgerRow.sequence, LedgerRow.envelope_sha256).order_by(_PLACE.desc()).limit(1)
            ).first()
            sequence, previous = (head[0] + 1, head[1]) if head is not None else (1, None)
            sealed = self._codec.reseal(certificate, sequence=sequence, previous=previous)
            _check_ids(session, sealed)
            _insert(session, sealed, self._codec.to_text(sealed))
            end = self._codec.head(sealed, _hash_at(session, 1) or sealed.envelope.envelope_sha256)
            _set_head(session, end)
        self._keep(end)
        return sealed

    def restore(self, texts: Iterable[str], head: Head | None) -> int:
        """Take over certificates of an export exactly as they are; how many were new here. What is here already must be
        the beginning of the export. Signatures are the caller's matter. Raises ``CertificateError`` for a fork, a gap,
        or a certificate that does not hold; nothing is taken over then.
        """
        added = 0
        with writing(self._engine, "ledger") as session:
            count = session.exec(select(func.count()).select_from(LedgerRow)).one()
            for text in texts:
                certificate = self._codec.load(text)
                place = certificate.envelope.sequence
                if place <= count:
                    if _hash_at(session, place) != certificate.envelope.envelope_sha256:
                        raise CertificateError(
                            f"certificate {place} here is another than in the export; import into an empty "
                            "history (FACTDESK_HOME names its folder)"
                        )
                    continue
                if place != count + 1 or certificate.envelope.previous_sha256 != _hash_at(session, count):
                    raise CertificateError(f"certificate {place} does not follow on number {count}")
                _check_ids(session, certificate)
                _insert(session, certificate, self._codec.to_text(certificate))
                count, added = place, added + 1
            if added and head is not None:
                if (head.sequence, head.envelope_sha256) != (count, _hash_at(session, count)):
                    raise CertificateError("the head of the export is not its last certificate")
                _set_head(session, head)
        if added and head is not None:
            self._keep(head)
        return added

    def texts(self, batch: int = 100) -> Iterator[str]:
        """The stored text of every certificate, in order; no lock is held between batches."""
        for rows in paged(self._engine, LedgerRow, _PLACE, batch):
            yield from (row.certificate_json for row in rows)

    def head(self) -> Head | None:
        """The signed head in the database; ``None``: nothing was appended since heads are signed. Raises
        ``CertificateError`` for a damaged one.
        """
        stored = fetched(self._engine, select(LedgerHeadRow.head_json))
        try:
            return Head.model_validate_json(stored[0]) if stored else None
        except ValueError as error:
            raise CertificateError(f"the head of the history is damaged: {error}") from error

    def kept_head(self) -> Head | None:
        """The head in the file outside of the database. Raises ``CertificateError`` for a damaged one."""
        return _read_head(self._head_file) if self._head_file else None

    def _keep(self, head: Head) -> None:
        if self._head_file is not None:
            with reading(self._engine) as session:
                _keep_head(self._head_file, head, lambda number: _hash_at(session, number))

    def get(self, certificate_id: str) -> Certificate:
        """A certificate by its id or the unambiguous beginning of it. Raises ``InputError`` when there is none or
        several, ``CertificateError`` when what is stored does not hold any more.
        """
        with reading(self._engine) as session:
            found = _matching(session, certificate_id)
            if not found:
                raise InputError(f"the history has no certificate {certificate_id!r}; factdesk history list shows them")
            if len(found) > 1:
                shown = ", ".join(found[:3]) + (", …" if len(found) > 3 else "")
                raise InputError(f"{certificate_id!r} is the beginning of several ids ({shown}); give more of it")
            stored = session.exec(select(LedgerRow.certificate_json).where(LedgerRow.certificate_id == found[0])).one()
        return self._codec.load(stored)

    def list(
        self,
        limit: int = 20,
        offset: int = 0,
        verdict: Verdict | None = None,
        since: date | None = None,
        until: date | None = None,
        state: State | None = None,
        key_id: str | None = None,
        status: Literal["current", "superseded"] | None = None,
    ) -> tuple[LedgerEntry, ...]:
        """Newest first; ``since`` and ``until`` are days in UTC, inclusive. ``state``: with at least one claim in it;
        ``key_id``: signed by the key that begins so; ``status``: replaced by a later re-check, or not. Raises
        ``ConfigError`` for a wrong limit.
        """
        _check_bounds(limit, offset)
        statement = select(LedgerRow).order_by(_PLACE.desc()).limit(limit).offset(offset)
        if verdict is not None:
            statement = statement.where(LedgerRow.verdict == verdict)
        if since is not None:
            statement = statement.where(LedgerRow.created >= since.isoformat())
        if until is not None:
            statement = statement.where(LedgerRow.created < f"{until.isoformat()}~")  # past any time of that day
        if state is not None:
            statement = statement.where(inspect(LedgerRow).columns[state.lower()] > 0)
        if key_id is not None:
            signed = select(LedgerLinkRow.sequence).where(col(LedgerLinkRow.key_id).startswith(key_id, autoescape=True))
            statement = statement.where(_PLACE.in_(signed))
        if status is not None:
            replaced = col(LedgerRow.certificate_id).in_(
                select(LedgerLinkRow.supersedes).where(col(LedgerLinkRow.supersedes).is_not(None))
            )
            statement = statement.where(replaced if status == "superseded" else ~replaced)
        with reading(self._engine) as session:
            return self._entries(session, session.exec(statement).all())

    def search(self, words: str, limit: int = 20) -> tuple[LedgerEntry, ...]:
        """Certificates that hold every one of the words, in claims or deciding evidence; best first. The words are
        plain text: no operator of the search language works. Case and accents do not matter. Raises ``InputError`` when
        there is no word to look for, or more than 32.
        """
        _check_bounds(limit, 0)
        with reading(self._engine) as session:
            order = find_words(session, words, limit)
            rows = {r.sequence: r for r in session.exec(select(LedgerRow).where(_PLACE.in_(order)))}
            return self._entries(session, [rows[sequence] for sequence in order if sequence in rows])

    def altered(self) -> tuple[int, ...]:
        """Numbers of the certificates whose columns, links or text are not what was signed."""
        found: list[int] = []
        for rows in paged(self._engine, LedgerRow, _PLACE, 100):
            with reading(self._engine) as session:
                found += [entry.sequence for entry in self._entries(session, rows) if entry.doubt]
        return tuple(found)

    def _entries(self, session: Session, rows: Sequence[LedgerRow]) -> tuple[LedgerEntry, ...]:
        """Entries in the order of ``rows``, each from the text that was signed, with the newest that replaces it."""
        links, replaced = _links_of(session, rows)
        return tuple(
            _to_entry(row, self._codec, links.get(row.sequence), replaced.get(row.certificate_id)) for row in rows
        )

    def known(self, certificate_ids: Sequence[str]) -> frozenset[str]:
        """Those of some ids that the history has."""
        statement = select(LedgerRow.certificate_id).where(col(LedgerRow.certificate_id).in_(certificate_ids))
        return frozenset(fetched(self._engine, statement))

    def count(self) -> int:
        """How many certificates the history has."""
        return fetched(self._engine, select(func.count()).select_from(LedgerRow))[0]


def _insert(session: Session, certificate: Certificate, text: str) -> None:
    envelope = certificate.envelope
    body, states = certificate.body, [decision.state for decision in certificate.body.decisions]
    claim = body.asked.question if body.asked is not None else body.claim_text
    row = {**_columns(envelope, claim, body.verdict, states), "certificate_json": text}
    session.exec(insert(LedgerRow), params=[row])
    session.exec(insert(LedgerLinkRow), params=[envelope.model_dump(include={"sequence", *_LINKED})])
    index_words(session, certificate)


def _check_ids(session: Session, certificate: Certificate) -> None:
    envelope = certificate.envelope
    if _has(session, envelope.certificate_id):
        raise CertificateError(f"the history already has a certificate {envelope.certificate_id!r}; give it a new id")
    if envelope.supersedes is not None and not _has(session, envelope.supersedes):
        raise CertificateError(f"the history has no certificate {envelope.supersedes!r} to supersede")


def _has(session: Session, certificate_id: str) -> bool:
    found = select(LedgerRow.sequence).where(LedgerRow.certificate_id == certificate_id)
    return session.exec(found).first() is not None


def _hash_at(session: Session, sequence: int) -> str | None:
    return session.exec(select(LedgerRow.envelope_sha256).where(LedgerRow.sequence == sequence)).first()


def _set_head(session: Session, head: Head) -> None:
    values = {"sequence": head.sequence, "head_json": head.model_dump_json()}
    if session.exec(update(LedgerHeadRow).values(**values)).rowcount == 0:
        session.exec(insert(LedgerHeadRow), params=[{"one": 1, **values}])


def _links_of(session: Session, rows: Sequence[LedgerRow]) -> tuple[dict[int, LedgerLinkRow], dict[str | None, str]]:
    """The links of some rows, and for each certificate that was replaced the newest that replaces it."""
    links = {
        link.sequence: link
        for link in session.exec(select(LedgerLinkRow).where(_LINK.in_([row.sequence for row in rows])))
    }
    later = session.exec(
        select(LedgerLinkRow.supersedes, LedgerRow.certificate_id)
        .join(LedgerRow, _PLACE == _LINK)
        .where(col(LedgerLinkRow.supersedes).in_([row.certificate_id for row in rows]))
        .order_by(_LINK)
    ).all()
    return links, dict(later)


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


def _columns(envelope: Envelope, claim: str, verdict: str, states: Sequence[str]) -> dict[str, Any]:
    """What the columns of a row must say, besides the text."""
    counts = {state.lower(): states.count(state) for state in get_args(State)}
    return {**envelope.model_dump(include=_SEALED), "claim_text": claim, "verdict": verdict, **counts}


def _to_entry(
    row: LedgerRow, codec: CertificateCodec, link: LedgerLinkRow | None, superseded_by: str | None
) -> LedgerEntry:
    """The line of the history of a row: what its signed text says; the claim alone where nobody known signed it, and
    not even that where it is not what was signed.
    """
    columns = row.model_dump(exclude={"certificate_json"})
    links = link.model_dump(include=_LINKED) if link else dict.fromkeys(_LINKED)
    shown = {**_UNTOLD, **links, "superseded_by": superseded_by}
    with suppress(CertificateError):
        found = codec.listed(row.certificate_json)
        told = _columns(found.envelope, found.claim_text, found.verdict, found.states)
        same = told == columns and found.envelope.model_dump(include=_LINKED) == links
        if same and found.doubt != "altered":
            shown |= {"claim_text": found.claim_text, "doubt": found.doubt}
    if not shown["doubt"]:
        shown |= row.model_dump(include={"verified", "unverified", "blocked", "verdict"})
        if row.verdict not in get_args(Verdict):
            known = ", ".join(get_args(Verdict))
            raise CertificateError(f"the history holds the unknown verdict {row.verdict!r}; known are {known}")
    return LedgerEntry.taken_from(row, **shown)


_LINKED = {"key_id", "supersedes"}
"""Fields of an envelope that stand in the table of links."""
_SEALED = {"certificate_id", "sequence", "created", "body_sha256", "previous_sha256", "envelope_sha256"}
"""Fields of an envelope that stand in the table of certificates."""
_UNTOLD: dict[str, Any] = {
    "claim_text": "",
    "verdict": "not_enough_evidence",
    **dict.fromkeys(("verified", "unverified", "blocked"), 0),
    "doubt": "altered",
}
"""What is shown of a certificate that is not what was signed."""


def _read_head(path: Path) -> Head | None:
    """The head in a file, ``None`` where there is none. Raises ``CertificateError`` for a damaged one."""
    try:
        return Head.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CertificateError(f"the head file {str(path)!r} cannot be read: {error}") from error


def _keep_head(path: Path, head: Head, hash_at: Callable[[int], str | None]) -> None:
    """Write ``head`` where the kept one lies on the chain below it; ``hash_at`` gives a number's hash. The certificate
    is safe in the database by now, so a disk that refuses is only logged.
    """
    try:
        kept = _read_head(path)
    except CertificateError as error:
        LOG.warning("%s", error)
        return
    if kept is not None and (kept.sequence >= head.sequence or hash_at(kept.sequence) != kept.envelope_sha256):
        return
    try:
        private_folder(path.parent)  # no database file may have made it
        with written_whole(path) as file:
            file.write(head.model_dump_json().encode() + b"\n")
    except OSError as error:
        LOG.warning("the head file %r cannot be written: %s", str(path), error)
