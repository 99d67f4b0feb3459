"""Verifying files: the wiring that ``factdesk verify`` and the small ``factdesk-verify`` share.

It loads neither settings nor a database; both hand in what they know.
"""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from factdesk.kernel import BackendUnavailable, CertificateError, InputError
from report.certificate.bundle_file import CERTIFICATE, BundleFile, bundle_problems, read_bundle
from report.certificate.canonical import MAX_TEXT
from report.certificate.derived import trust_graphs
from report.certificate.history_file import HistoryFile, is_history, read_history
from report.certificate.signing import PublicKey, certificate_message, signature_state, with_endorsed
from report.policy.fingerprints import policy_record, rerun_fingerprints
from report.types import Certificate, Head
from report.verification.findings import (
    AnswerSum,
    CertificateResult,
    Completeness,
    FileResult,
    Integrity,
    Reverified,
    ReverifiedSum,
    Tools,
    Verification,
    failed,
    together,
)
from report.verification.integrity import Links, read_links, verify_chain, verify_integrity, verify_member
from report.verification.rerun import reverify

MAX_BYTES = 256 * 1024 * 1024
MAX_RERUN = 2_000
"""Scored premises of a certificate that is worked out again; a check has far fewer."""


@dataclass(frozen=True)
class Known:
    """What the one who verifies knows beforehand."""

    keys: Mapping[str, PublicKey] = field(default_factory=dict)
    heads: tuple[Head, ...] = ()
    history: HistoryFile | None = None
    """To look single certificates up in; ``None``: completeness of a single one stays open."""
    scope: str = "none"
    allow_unsigned: bool = False

    @cached_property
    def links(self) -> Links:
        """The places of the history, read once for all files."""
        return read_links(self.history.texts if self.history else ())


def read_text(path: Path) -> str:
    """A certificate, an export or the certificate of a bundle (zip). Raises ``InputError``."""
    return _read(path)[0]


def _read(path: Path) -> tuple[str, BundleFile | None]:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputError(f"{str(path)!r} is no regular file; give a certificate file")
        if status.st_size > MAX_BYTES:
            raise InputError(f"{str(path)!r} is larger than {MAX_BYTES // 1024 // 1024} MB")
        bundle = read_bundle(path)
        if bundle is not None and CERTIFICATE in bundle.digests and CERTIFICATE not in bundle.texts:
            raise InputError(f"{CERTIFICATE} in {str(path)!r} is damaged, or larger than {MAX_TEXT} bytes")
        data = path.read_bytes() if bundle is None else bundle.texts[CERTIFICATE]
        return data.decode("utf-8"), bundle
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error.strerror}); give a certificate file") from error
    except (UnicodeDecodeError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"{str(path)!r} holds no certificate in UTF-8 ({error})") from error


def read_head_file(path: Path) -> Head:
    """A head that was kept. Raises ``InputError``."""
    try:
        return Head.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{str(path)!r} is no head of a history ({error}); factdesk history head makes one") from error


def make_tools(spec: str) -> Tools:
    """The verifier and rules of this installation. Raises ``BackendUnavailable``, ``ConfigError``."""
    from agent.assessment.nli_pairs import pair_of
    from verifier.backends.factory import make_verifier

    return Tools(make_verifier(spec, strict=False), rerun_fingerprints(), pair_of)


class Reruns:
    """Works certificates out again, with ``spec`` or, without one, with the shipped verifier they name."""

    def __init__(self, spec: str | None = None) -> None:
        self._spec = spec
        self._made = cache(_tools_or_why)

    def again(self, certificate: Certificate | None) -> Reverified:
        """What comes out; ``False`` for a certificate that cannot be read."""
        if certificate is None:
            return Reverified(ok=False, problems=("it cannot be read, so nothing can be worked out again",))
        tools, missing = self._made(self._spec or _shipped_for(certificate))
        return reverify(certificate, tools, policy_record(), missing=missing)


def _tools_or_why(spec: str) -> tuple[Tools | None, str]:
    try:
        return make_tools(spec), ""
    except BackendUnavailable as error:
        return None, f"the verifier is not available: {error}"


def _shipped_for(certificate: Certificate) -> str:
    from verifier.backends.factory import shipped_for

    return shipped_for([f.name for f in certificate.body.fingerprints])


def verify_files(
    paths: Sequence[Path], known: Known, *, rerun: bool = False, verifier: str | None = None
) -> Verification:
    """The three answers on certificates, exports of histories, and bundles; what cannot be read fails alone. Raises
    ``InputError`` where it is the only one.
    """
    reruns = Reruns(verifier) if rerun else None
    found = []
    for path in paths:
        try:
            found.append(_verify_file(path, known, reruns))
        except InputError as error:
            if len(paths) == 1:
                raise
            found.append(_unread(path, str(error), rerun=rerun))
    return _sum(tuple(found), rerun)


def _unread(path: Path, why: str, *, rerun: bool) -> FileResult:
    again = Reverified(ok=False, problems=(why,)) if rerun else None
    broken = Integrity(ok=False, signature="invalid", problems=(why,))
    result = CertificateResult(certificate_id=None, integrity=broken, reverified=again)
    open_ = Completeness(ok=None, scope="none", problems=("there is no certificate to look up",))
    return FileResult(file=str(path), certificates=(result,), completeness=open_)


def _verify_file(path: Path, known: Known, reruns: Reruns | None) -> FileResult:
    (text, bundle), keys = _read(path), known.keys
    if not is_history(text):
        certificate, result = _one(text, keys, known, reruns)
        if bundle is not None:
            result = _with_bundle(path, bundle, certificate, result)
        return FileResult(file=str(path), certificates=(result,), completeness=_completeness_of(certificate, known))
    try:
        history = read_history(text)
    except CertificateError as error:
        broken = Completeness(ok=False, scope="export", problems=(str(error),))
        return FileResult(file=str(path), certificates=(), completeness=broken)
    keys = with_endorsed(keys, history.header.keys)
    results = tuple(_one(t, keys, known, reruns)[1] for t in history.texts)
    return FileResult(file=str(path), certificates=results, completeness=_chain(history, known, keys, "export"))


def _with_bundle(
    path: Path, bundle: BundleFile, certificate: Certificate | None, found: CertificateResult
) -> CertificateResult:
    """The answer on a bundle: its files must be as they were packed, and a key in it is only offered."""
    answer, damage = found.integrity, list(bundle_problems(bundle, certificate))
    if answer.signature == "unknown_key" and certificate is not None:
        with suppress(InputError):  # a key that is none is among the damage
            if (offered := bundle.key) is not None:
                answer = _by_offered(answer, certificate, offered, path.name)
    return found.model_copy(update={"integrity": failed(answer, *damage) if damage else answer})


def _by_offered(answer: Integrity, certificate: Certificate, key: PublicKey, name: str) -> Integrity:
    """The answer where only the key that lies in the bundle is at hand: it may have signed, or not."""
    envelope = certificate.envelope
    message = certificate_message(envelope)
    if signature_state(envelope.key_id, envelope.signature, message, {key.key_id: key}) != "valid":
        return failed(answer, "the signature is not that of the key in the bundle")
    why = (
        f"the key in the bundle ({key.key_id[:16]}...) signed it, but anybody can pack a key: when its owner "
        f"has confirmed it to you, name the bundle as its key too (--key {name})"
    )
    return answer.model_copy(update={"signature": "offered_key", "problems": (*answer.problems[:-1], why)})


def _chain(history: HistoryFile, known: Known, keys: Mapping[str, PublicKey], scope: str) -> Completeness:
    heads = known.heads
    if scope == "export" and known.scope == "local history" and not _same_beginning(history, known.history):
        heads = ()  # somebody else's history: what is known here says nothing about it
    texts = known.links if history is known.history else history.texts
    chain = verify_chain(texts, head=history.header.head, known=heads, keys=keys, scope=scope)
    if history.header.count != len(history.texts):
        counts = f"{history.header.count} certificates, but it has {len(history.texts)}"
        return failed(chain, f"the file says it has {counts}")
    return chain


def _same_beginning(mine: HistoryFile, other: HistoryFile | None) -> bool:
    return bool(other and mine.texts and other.texts and mine.texts[0] == other.texts[0])


def _completeness_of(certificate: Certificate | None, known: Known) -> Completeness:
    if certificate is None or known.history is None:
        return Completeness(ok=None, scope="none", problems=("there is no history to look it up in",))
    keys = with_endorsed(known.keys, known.history.header.keys)
    chain = _chain(known.history, known, keys, known.scope)
    return verify_member(certificate, known.links, chain)


def _one(
    text: str, keys: Mapping[str, PublicKey], known: Known, reruns: Reruns | None
) -> tuple[Certificate | None, CertificateResult]:
    certificate, integrity = verify_integrity(text, keys, allow_unsigned=known.allow_unsigned)
    again = _again(certificate, integrity, reruns) if reruns else None
    name = certificate.envelope.certificate_id if certificate else None
    return certificate, CertificateResult(certificate_id=name, integrity=integrity, reverified=again)


def _again(certificate: Certificate | None, integrity: Integrity, reruns: Reruns) -> Reverified:
    """What comes out when it is worked out again; not where it is not what it says by its own hashes."""
    if certificate is not None and not integrity.intact:
        return Reverified(ok=False, problems=("not worked out again: its integrity does not hold",))
    if certificate is not None and _premises(certificate) > MAX_RERUN:
        return Reverified(ok=None, differences=(f"it has more than {MAX_RERUN} premises to score again",))
    return reruns.again(certificate)


def _premises(certificate: Certificate) -> int:
    body = certificate.body
    own = sum(len(c.spans) + len(c.joint) for c in body.claims)
    return own + sum(len(graph.edges) for graph in trust_graphs(body)) + len(body.answers) + len(body.bridges)


def _sum(files: tuple[FileResult, ...], rerun: bool) -> Verification:
    results = [c for f in files for c in f.certificates]
    again = [c.reverified for c in results if c.reverified is not None]
    whole = [f.completeness.ok for f in files]
    diffs = [r.max_score_diff for r in again if r.max_score_diff is not None]
    mismatches = tuple(m for r in again for m in r.badge_mismatches)
    return Verification(
        integrity=AnswerSum(
            ok=together([c.integrity.ok for c in results]) if results else False,
            problems=tuple(f"{c.certificate_id or 'unreadable'}: {p}" for c in results for p in c.integrity.problems),
        ),
        completeness=AnswerSum(ok=together(whole), problems=tuple(p for f in files for p in f.completeness.problems)),
        reverified=ReverifiedSum(
            ok=together([r.ok for r in again]) if rerun else None,
            asked=rerun,
            max_score_diff=max(diffs, default=None),
            badge_mismatches=mismatches,
            problems=tuple(p for r in again for p in r.problems),
            differences=tuple(dict.fromkeys(d for r in again for d in r.differences)),
            notes=tuple(dict.fromkeys(n for r in again for n in r.notes)),
        ),
        max_score_diff=max(diffs, default=None),
        badge_mismatches=mismatches,
        files=files,
    )
