"""Whether strict mode shows what nothing supports, and whether a Verified stands without its support.

Each set is NAME=FILE:CORPUS; FILE holds labelled claims (JSON Lines), CORPUS is a folder, a file of documents
or a corpus stored in ``--home``. For every claim of a file, over its corpus:

(a) check it, and look at each statement that strict mode shows: does a cited sentence support it (or refute
    it, where the verdict is "refuted"), word for word where its document says it?
(b) take away all documents that a Verified rests on, with their copies, and check again, until it is no
    longer Verified: where other documents supported it as well, that takes several rounds;
(c) add documents to claims that are not Verified: the claim's own names in sentences about other facts, taken
    from other documents of the corpus. None may become Verified;
(d) deny each Verified statement, and give it another amount or date: contradicted or open, never Verified.

Usage::

    python -m evaluation.programs.measure_exposure examples=examples/claims.jsonl:examples/corpus
        [NAME=FILE:CORPUS ...]
        [--open 30] [--seed 7] [--home FOLDER] [--json]

Documents are taken away and added for real, so the script works in a home of its own (``--home``, or a
folder that is removed at the end), never in yours. The exit code is 1 where anything did not hold. The table
in docs/results/certificates.md comes from this command.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

import click

from evaluation.data.alterations import alterations
from evaluation.data.claims import ClaimRow, read_claims
from evaluation.programs.exposure_distractors import PREFIX, distractors
from evidence.types import READINGS, Document, Span
from factdesk.checker import FactChecker, Report
from factdesk.kernel import sha256_text
from factdesk.settings import load_settings
from language.nlp.pipeline import load_nlp
from report.policy.evidence_sides import LEAST_JOINT, admissible, contradicts, trusted
from report.render.view import ClaimView, claim_views, shown_claims
from report.types import CertificateBody
from verifier import pair_decision

KINDS = ("negation", "number", "date")


@dataclass
class Figures:
    """What was found for one set; lists hold cases in words."""

    name: str
    claims: int = 0
    shown: int = 0
    unsupported: list[str] = field(default_factory=list)
    """Shown without a cited sentence that bears them out."""
    contradicted: list[str] = field(default_factory=list)
    """Shown as Verified beside a trusted sentence that contradicts them."""
    wrong: list[str] = field(default_factory=list)
    """Certified, but labelled otherwise."""
    verified: int = 0
    at_once: int = 0
    """Verified statements that fell with the documents they rested on."""
    others: list[str] = field(default_factory=list)
    """Those that other documents supported too; they fell later."""
    still: list[str] = field(default_factory=list)
    """Those that stayed Verified although nothing was left to rest on."""
    distracted: int = 0
    """Statements that were not Verified, checked again beside distracting documents."""
    scored: int = 0
    """Of them, those for which a distracting sentence was retrieved and scored."""
    without: int = 0
    """Statements for which the corpus gave no distracting sentence."""
    upgraded: list[str] = field(default_factory=list)
    flips: dict[str, int] = field(default_factory=dict)
    """Altered statements, by the kind of alteration; what became of them stands in the next three."""
    blocked: int = 0
    left_open: int = 0
    flipped: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[str]:
        """Everything that must not be, a wrong label aside: whether a source is right is not asked here."""
        return [*self.unsupported, *self.contradicted, *self.still, *self.upgraded, *self.flipped]


@dataclass
class Desk:
    """A checker over one corpus that may be changed."""

    checker: FactChecker
    corpus: str
    folder: Path
    """Images are relative to it."""
    seed: int

    def check(self, text: str, row: ClaimRow, *, images: bool = True) -> Report:
        """Check ``text`` with the image and the date of a claim; nothing goes into the history."""
        pictures = [self.folder / row.image] if row.image and images else []
        day = date.fromisoformat(row.date) if row.date else None
        return self.checker.check(text, images=pictures, date=day, corpus=(self.corpus,), record=False)

    def document(self, doc_id: str) -> Document | None:
        """A document of the corpus as it is now."""
        _, store, _ = self.checker.corpora.resolve(self.corpus)
        return store.get_document(self.corpus, doc_id)

    def documents(self) -> list[Document]:
        """All documents, by id."""
        _, store, _ = self.checker.corpora.resolve(self.corpus)
        return sorted(store.iter_documents(self.corpus), key=lambda d: d.doc_id)

    @contextmanager
    def unchanged(self) -> Iterator[list[Document]]:
        """Puts documents back that were taken away (and appended to the list), and removes distractors."""
        _, store, _ = self.checker.corpora.resolve(self.corpus)
        before, gone = store.document_hashes(self.corpus), list[Document]()
        try:
            yield gone
        finally:
            if gone:
                self.checker.corpora.add_documents(self.corpus, gone)
            if made := [i for i in store.document_hashes(self.corpus) if i.startswith(PREFIX)]:
                self.checker.corpora.remove(self.corpus, made)
        if store.document_hashes(self.corpus) != before:
            raise RuntimeError("the corpus is not what it was before; measure again in another home")


def open_desk(file: Path, corpus: str, home: Path, seed: int) -> Desk:
    """A corpus in the script's own home: stored there already, or read from a path."""
    checker = FactChecker(load_settings(home=home, mode="strict"))
    name, corpora = corpus, checker.corpora
    if not corpora.has(corpus):
        name = f"exposure-{sha256_text(str(Path(corpus).resolve()))[:12]}"
        corpora.add(name, [Path(corpus)])  # also puts back what a stopped run took away
    _, store, _ = corpora.resolve(name)
    if left := [i for i in store.document_hashes(name) if i.startswith(PREFIX)]:
        corpora.remove(name, left)
    return Desk(checker, name, file.parent, seed)


# (a) what is shown


def bears_out(view: ClaimView, body: CertificateBody, desk: Desk) -> bool:
    """Whether a cited sentence supports (refutes) what is shown as Verified (refuted), as things stand."""
    if not view.deciding or not all(_stands(desk, s.span, body) for s in view.deciding):
        return False
    limits = body.thresholds
    if view.decision.state == "BLOCKED":
        by_record = any(s.span.kind == "record" for s in view.deciding)
        return by_record or any(pair_decision.refutes(s.assessment, limits) for s in view.deciding)
    if any(pair_decision.supports(s.assessment, limits) and trusted(s, limits) for s in view.deciding):
        return True
    cited = {s.span.span_id for s in view.deciding}
    return all(trusted(s, limits) for s in view.deciding) and any(
        set(j.span_ids) == cited
        and pair_decision.supports(j.assessment, limits)
        and j.assessment.calibrated.entailment >= LEAST_JOINT
        for j in view.record.joint
    )


def _stands(desk: Desk, span: Span, body: CertificateBody) -> bool:
    """Whether the sentence stands word for word at its place in the document it is said to be from."""
    if span.kind in READINGS:
        texts = [str(i["document"]["text"]) for i in body.images]
        return any(t[span.start : span.end] == span.text for t in texts)
    document = desk.document(span.doc_id)
    return document is not None and document.text[span.start : span.end] == span.text


def look_at(desk: Desk, row: ClaimRow, report: Report, found: Figures) -> None:
    """Count what strict mode shows of one claim."""
    body = report.certificate.body
    found.claims += 1
    if body.verdict in ("supported", "refuted") and body.verdict != row.label:
        found.wrong.append(f"{row.id}: {body.verdict}, labelled {row.label}")
    for view in shown_claims(report.certificate, "strict"):
        found.shown += 1
        if not bears_out(view, body, desk):
            found.unsupported.append(f"{row.id}/{view.decision.claim_id}: shown without a supporting sentence")
        against = [
            s.span.span_id
            for s in view.record.spans
            if admissible(s, view.record) and trusted(s, body.thresholds) and contradicts(s.assessment, body.thresholds)
        ]
        if view.decision.state == "VERIFIED" and against:
            found.contradicted.append(f"{row.id}/{view.decision.claim_id}: contradicted by {against[0]}")


# (b) support taken away


def take_away(desk: Desk, row: ClaimRow, claim_id: str, body: CertificateBody, found: Figures) -> None:
    """Remove what a Verified rests on, round by round, until it is none any more."""
    found.verified += 1
    rounds, images = 0, True
    with desk.unchanged() as gone:
        while (view := _view(body, claim_id)) is not None and view.decision.state == "VERIFIED":
            readings = any(s.span.kind in READINGS for s in view.deciding)
            support = [d for i in sorted(_support(view, body)) if (d := desk.document(i)) is not None]
            if not support and not (readings and images):
                found.still.append(f"{row.id}/{claim_id}: Verified after {rounds} rounds, on nothing")
                return
            images = images and not readings
            gone += support
            if support:
                desk.checker.corpora.remove(desk.corpus, [d.doc_id for d in support])
            rounds += 1
            body = desk.check(row.claim, row, images=images).certificate.body
    if rounds == 1:
        found.at_once += 1
    else:
        found.others.append(f"{row.id}/{claim_id}: fell in round {rounds} ({len(gone)} documents taken away)")


def _view(body: CertificateBody, claim_id: str) -> ClaimView | None:
    return next((v for v in claim_views(body) if v.decision.claim_id == claim_id), None)


def _support(view: ClaimView, body: CertificateBody) -> set[str]:
    """Documents of the minimal sufficient set and their copies (the same independence cluster)."""
    nodes = body.trust_graph.documents if body.trust_graph else ()
    clusters = {s.cluster for s in view.deciding}
    copies = {n.doc_id for n in nodes if n.cluster in clusters}
    return {s.span.doc_id for s in view.deciding if s.span.kind == "text"} | copies


# (c) distractors


def distract(desk: Desk, row: ClaimRow, report: Report, donors: Sequence[Document], found: Figures) -> None:
    """Check a claim beside distractors: what was not Verified must not be now."""
    body = report.certificate.body
    before = {v.decision.claim_id for v in claim_views(body) if v.decision.state != "VERIFIED"}
    seen = {s.span.doc_id for r in body.claims for s in r.spans}
    made = distractors(row.claim, seen, donors, desk.seed)
    if not made:
        found.without += len(before)
        return
    with desk.unchanged():
        desk.checker.corpora.add_documents(desk.corpus, made)
        again = desk.check(row.claim, row).certificate.body
    found.distracted += len(before)
    for view in claim_views(again):
        name = view.decision.claim_id
        scored = any(s.span.doc_id.startswith(PREFIX) for s in view.record.spans)
        found.scored += name in before and scored
        if name in before and view.decision.state == "VERIFIED":
            cited = "; ".join(f"{s.span.span_id} {s.span.text!r}" for s in view.deciding)
            found.upgraded.append(f"{row.id}/{name}: Verified beside distractors, by {cited}")


# (d) flips


def flip(desk: Desk, row: ClaimRow, view: ClaimView, found: Figures) -> None:
    """Deny a Verified statement, alter its amounts and dates: nothing of the alteration may be Verified."""
    text = view.record.claim.text
    altered = alterations(load_nlp()(text), {}, random.Random(f"{desk.seed}|{text}"))
    for kind, other in ((k, altered[k]) for k in KINDS if k in altered):
        found.flips[kind] = found.flips.get(kind, 0) + 1
        body = desk.check(other, row).certificate.body
        stood = [
            v.record.claim.text
            for v in claim_views(body)
            if v.decision.state == "VERIFIED" and v.record.claim.source not in text
        ]
        if stood:
            found.flipped.append(f"{row.id}: {kind}, Verified: {stood[0]!r}")
        elif any(d.state == "BLOCKED" for d in body.decisions):
            found.blocked += 1
        else:
            found.left_open += 1


def measure(desk: Desk, name: str, file: Path, limit: int | None) -> Figures:
    """All four questions over one file. ``limit``: open claims for distractors, drawn by the seed."""
    found, rows = Figures(name), list(read_claims(file))
    reports: dict[str, Report] = {}
    for number, row in enumerate(rows, 1):
        _say(f"{name} {number}/{len(rows)}: {row.id}")
        reports[row.id] = desk.check(row.claim, row)
        look_at(desk, row, reports[row.id], found)
    open_ = [r for r in rows if any(d.state != "VERIFIED" for d in reports[r.id].certificate.body.decisions)]
    if limit is not None and limit < len(open_):
        open_ = random.Random(desk.seed).sample(open_, limit)
    for row in rows:
        body = reports[row.id].certificate.body
        for view in claim_views(body):
            if view.decision.state == "VERIFIED":
                _say(f"{name}: without its support, and flipped: {row.id}")
                take_away(desk, row, view.decision.claim_id, body, found)
                flip(desk, row, view, found)
    donors = desk.documents()
    for number, row in enumerate(open_, 1):
        _say(f"{name}: distracted {number}/{len(open_)}: {row.id}")
        distract(desk, row, reports[row.id], donors, found)
    return found


def _say(text: str) -> None:
    click.echo(f"\r{text:<78.78}", nl=not sys.stderr.isatty(), err=True)


ROWS = (
    ("claims checked", "claims"),
    ("statements shown in strict mode", "shown"),
    ("... without a sentence that bears them out", "unsupported"),
    ("... Verified beside a trusted contradiction", "contradicted"),
    ("... of claims labelled otherwise", "wrong"),
    ("Verified statements whose support was taken away", "verified"),
    ("... no longer Verified at once", "at_once"),
    ("... when what else supported it was gone too", "others"),
    ("... still Verified at the end", "still"),
    ("open or refuted statements beside distractors", "distracted"),
    ("... for which a distracting sentence was scored", "scored"),
    ("... Verified then", "upgraded"),
    ("... left out, for want of distracting sentences", "without"),
    ("Verified statements altered (denial, amount, date)", "flips"),
    ("... contradicted", "blocked"),
    ("... open", "left_open"),
    ("... Verified", "flipped"),
)


def table(sets: Sequence[Figures]) -> str:
    """One column a set."""
    lines = ["| | " + " | ".join(f.name for f in sets) + " |", "|---|" + "---|" * len(sets)]
    return "\n".join([*lines, *(f"| {label} | {_cells(sets, name)} |" for label, name in ROWS)])


def _cells(sets: Sequence[Figures], name: str) -> str:
    values = [getattr(f, name) for f in sets]
    return " | ".join(
        str(sum(v.values()) if isinstance(v, dict) else len(v) if isinstance(v, list) else v) for v in values
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", metavar="NAME=FILE:CORPUS")
    parser.add_argument("--open", type=int, metavar="N", help="claims a set for the distractors (default: all)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--home", type=Path, help="a home of the script's own, kept for the next time")
    parser.add_argument("--json", action="store_true", help="all figures, and each case in words")
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory(prefix="factdesk-exposure-") as folder:
        for named in given.sets:
            name, _, rest = named.partition("=")
            file, _, corpus = rest.rpartition(":")
            desk = open_desk(Path(file), corpus, given.home or Path(folder), given.seed)
            found.append(measure(desk, name, Path(file), given.open))
    if given.json:
        click.echo(json.dumps([asdict(f) for f in found], indent=2, ensure_ascii=False))
    else:
        notes = [f"- {note}" for f in found for note in (*f.failures, *f.wrong, *f.others)]
        click.echo("\n".join([table(found), *notes]))
    return 1 if any(f.failures for f in found) else 0


if __name__ == "__main__":
    sys.exit(main())
