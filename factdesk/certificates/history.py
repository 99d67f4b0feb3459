"""What the command line does with a whole history: export, import, re-checks, stale certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import click

from agent.types import Progress
from factdesk.check.context import CheckRequest
from factdesk.checker import FactChecker, Report
from factdesk.kernel import CertificateError, InputError, Record, sha256_bytes, write_file
from factdesk.settings import Settings
from report.certificate.history_file import history_lines, read_history
from report.certificate.keys import Keyring, read_keys
from report.certificate.signing import with_endorsed
from report.types import Certificate, CertificateBody, Verdict
from report.verification.files import read_text
from report.verification.integrity import verify_chain, verify_integrity
from store.documents import SqlDocumentStore
from store.engine import open_engine
from store.ledger import Ledger


class Stale(Record):
    """A certificate that wants a re-check, with the reasons in words."""

    certificate_id: str
    created: str
    claim_text: str
    reasons: tuple[str, ...]
    replaced_by: str | None = None
    """The certificate of its re-check; ``None``: not checked again."""
    verdict: Verdict | None = None
    """Of the re-check."""
    left: str | None = None
    """Why it could not be checked again."""


def export_lines(settings: Settings, ledger: Ledger) -> Iterator[str]:
    """The lines of an export of the whole history."""
    head = ledger.head()
    count = ledger.count()
    if head is not None and head.sequence < count:
        count = head.sequence  # appended by another process between the two looks
    return history_lines(ledger.texts(), count=count, head=head, keys=Keyring(settings.paths.keys).known())


def write_lines(lines: Iterable[str], path: Path | None) -> None:
    """Lines to stdout, or to a file that appears whole or not at all. Raises ``InputError``."""
    if path is None:
        for line in lines:
            click.echo(line)
        return
    write_file(path, (f"{line}\n".encode() for line in lines), mode=0o600)


def import_history(settings: Settings, ledger: Ledger, path: Path, key_files: Sequence[Path]) -> tuple[int, int]:
    """Take over an export: how many certificates were new, and how many the history has now. Raises
    ``CertificateError``, and takes nothing over, unless all hold, are signed by a known key and make a whole chain up
    to a signed head.
    """
    history = read_history(read_text(path))
    ring = Keyring(settings.paths.keys)
    given = read_keys(*key_files)
    keys = with_endorsed({**ring.known(), **given}, history.header.keys)
    for text in history.texts:
        certificate, integrity = verify_integrity(text, keys)
        if not integrity.ok:
            name = certificate.envelope.certificate_id if certificate else "a line"
            raise CertificateError(f"{name!r} of the export does not hold: {integrity.problems[0]}")
    header = history.header
    chain = verify_chain(history.texts, head=header.head, known=(), keys=keys, scope="export")
    if chain.problems or header.count != len(history.texts):
        why = (
            chain.problems[0] if chain.problems else f"{header.count} certificates expected, {len(history.texts)} found"
        )
        raise CertificateError(f"the export {str(path)!r} is not whole: {why}")
    added = ledger.restore(history.texts, header.head)
    offered = {k.key_id: k for k in header.keys if k.key_id in keys and k.raw == keys[k.key_id].raw}
    ring.add({**{i: k for i, k in given.items() if i in keys}, **offered})
    return added, ledger.count()


def check_again(
    old: Certificate,
    settings: Settings,
    progress: Callable[[Progress], None],
    *,
    images: Sequence[Path] = (),
    date: date | None = None,
    as_of: date | None = None,
    corpus: Sequence[str] = (),
) -> Report:
    """Check the claim of ``old`` anew, or ask its question again; the new certificate supersedes it. What is not given
    is as in ``old``. Raises ``InputError`` when the pictures are not those of ``old``.
    """
    if old.body.annotation is not None:
        _refuse_other_pictures(old.body, images)
        again = FactChecker(settings).annotate(
            old.body.claim_text,
            corpus=corpus[0] if len(corpus) == 1 else "",
            supersedes=old.envelope.certificate_id,
        )
        return Report(again.certificate, settings.mode)
    request = request_again(old, images=images, date=date, as_of=as_of, corpus=corpus)
    return FactChecker(settings).choosing(sources=sources_again(old)).run(request, progress)


def request_again(
    old: Certificate,
    *,
    images: Sequence[Path] = (),
    date: date | None = None,
    as_of: date | None = None,
    corpus: Sequence[str] = (),
    certificate_id: str | None = None,
) -> CheckRequest:
    """What :func:`check_again` asks for. Raises ``InputError`` when the pictures are not those of ``old``."""
    body = old.body
    _refuse_other_pictures(body, images)
    return CheckRequest(
        text=question_or_claim(old),
        images=tuple(images),
        date=None if body.asked is not None else date or _day(body.claim_date),
        as_of=as_of or _day(body.as_of),
        corpus=tuple(corpus),
        supersedes=old.envelope.certificate_id,
        certificate_id=certificate_id,
        asked=body.asked is not None,
    )


def question_or_claim(certificate: Certificate) -> str:
    """The text that was given: a question, or a claim."""
    body = certificate.body
    return body.asked.question if body.asked is not None else body.claim_text


def sources_again(old: Certificate) -> tuple[str, ...] | None:
    """Sites whose own word counted where ``old`` answers a question; ``None`` for a check."""
    return tuple(old.body.settings.get("sources", ())) if old.body.asked is not None else None


def _refuse_other_pictures(body: CertificateBody, images: Sequence[Path]) -> None:
    wanted = [str(image.get("sha256")) for image in body.images]
    try:
        given = [sha256_bytes(path.read_bytes()) for path in images]
    except OSError as error:
        raise InputError(f"the image cannot be read ({error})") from error
    if given != wanted:
        names = ", ".join(repr(image.get("name")) for image in body.images) or "none"
        raise InputError(f"the certificate has other images ({names}); give the same files with --image")


def recheck_all(
    found: Sequence[Stale], settings: Settings, ledger: Ledger, progress: Callable[[Progress], None]
) -> tuple[Stale, ...]:
    """Check each of them again, over the stored corpora that have documents it cites. One that needs more to be given
    (pictures, a corpus) is left, and says why.
    """
    done = []
    for item in found:
        old = ledger.get(item.certificate_id)
        try:
            corpora = _corpora_of(settings, old)
            kept = settings.model_copy(update={"mode": old.body.mode})
            report = check_again(old, kept, progress, corpus=corpora)
        except InputError as error:
            done.append(item.model_copy(update={"left": str(error)}))
            continue
        new = report.certificate.envelope.certificate_id
        done.append(Stale.taken_from(item, replaced_by=new, verdict=report.verdict))
    return tuple(done)


def _corpora_of(settings: Settings, old: Certificate) -> tuple[str, ...]:
    """Stored corpora that have a document the certificate cites. Raises ``InputError``: none has."""
    store = SqlDocumentStore(open_engine(settings.store))
    cited = [str(d.get("doc_id")) for d in old.body.documents]
    names = [info.name for info in store.list_corpora()]
    found = tuple(n for n in names if any(store.get_document(n, doc_id) is not None for doc_id in cited))
    if not found:
        raise InputError("none of its documents is in a stored corpus; use history supersede with --corpus")
    return found


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def stale_entries(settings: Settings, ledger: Ledger, older_than: int | None) -> tuple[Stale, ...]:
    """Certificates that were not replaced yet and are old, or cite a document that has changed since: a stored corpus
    has its id, and none has its text.
    """
    store = SqlDocumentStore(open_engine(settings.store))
    limit = (datetime.now(UTC) - timedelta(days=older_than)).isoformat() if older_than else ""
    corpora = [info.name for info in store.list_corpora()]
    found, offset = [], 0
    while entries := ledger.list(limit=1000, offset=offset, status="current"):
        offset += len(entries)
        for entry in entries:
            reasons = [f"made more than {older_than} days ago"] if entry.created < limit else []
            for document in ledger.get(entry.certificate_id).body.documents:
                doc_id = str(document.get("doc_id"))
                stored = [d for name in corpora if (d := store.get_document(name, doc_id)) is not None]
                if stored and all(d.sha256 != document.get("sha256") for d in stored):
                    reasons.append(f"{doc_id!r} has changed")
            if reasons:
                found.append(Stale.taken_from(entry, reasons=tuple(reasons), verdict=None))
    return tuple(found)
