"""What is found about the submitted images besides what was read from them: earlier uses, hints, CLIP, descriptions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Date
from importlib.metadata import PackageNotFoundError, version

from pydantic import JsonValue

from agent.ports import Reasoner
from agent.reasoners.llm import LLMReasoner
from agent.tools.image import DESCRIBED
from agent.types import ClaimIR
from evidence.adapters.clip import load_clip
from evidence.images.file_findings import dated_findings, future_findings, placed_findings
from evidence.images.records import line_spans
from evidence.images.tamper import tampering_hints
from evidence.types import ClipStatus, Document, ImageFinding, ImageRecord, ImageReport
from factdesk.images.found import Found, Looked, joined
from factdesk.images.known import KnownImages
from factdesk.images.matching import Submitted
from factdesk.kernel import BackendUnavailable, ConfigError, Fingerprint, sha256_text
from factdesk.recording.recorder import Recorder
from factdesk.settings import Settings
from store.runs import Order

TOOLS_VERSION = "1"
_LIBRARIES = ("pillow", "zxing-cpp", "ImageHash", "c2pa-python")


def look_at_images(
    settings: Settings,
    pictures: Sequence[ImageRecord],
    files: Sequence[tuple[str, bytes]],
    claims: ClaimIR,
    order: Order,
    recorder: Recorder,
    reasoner: Reasoner | None = None,
) -> Looked:
    """Everything that is found about the pictures. What this desk's index says goes through the recorder.
    ``reasoner``: describes the pictures where it is a model that is shown them.
    """
    pictured = next((c.pictured_from for c in claims.claims if c.pictured_from), None)
    claimed = next((c.pictured_place for c in claims.claims if c.pictured_place), None)
    findings: list[ImageFinding] = []
    known: list[Found] = []
    web: list[Found] = []
    clip = ClipStatus(available=False)
    public = [*order.image_urls, *[""] * len(pictures)][: len(pictures)]
    for record, (_, data), address in zip(pictures, files, public, strict=True):
        picture = Submitted.of(record, data)
        known.append(_known(settings, record, picture, recorder))
        findings += [*record.findings, *dated_findings(record, order.claim_date, pictured), *known[-1].findings]
        findings += placed_findings(record, claimed)
        findings += tampering_hints(picture.image, data, record.format, record.file, record.sha256)
        web.append(_on_the_web(settings, record.name, picture, address, recorder))
        if record is pictures[0]:
            captions = [use.caption for use in known[0].uses]
            clip = clip_status(settings.clip, picture, claims.input_text, recorder, captions)
    here, there, described = joined(known), joined(web), _descriptions(reasoner, pictures)
    report = ImageReport(
        findings=(*findings, *described.findings, *there.findings),
        earlier_uses=(*here.uses, *there.uses),
        clip=clip,
    )
    return Looked(report, (*here.spans, *there.spans, *described.spans), there.failures)


def _on_the_web(settings: Settings, name: str, picture: Submitted, address: str, recorder: Recorder) -> Found:
    if settings.imagesearch.provider is None:
        return Found()
    from factdesk.images.reverse_search import search_web

    return search_web(settings, name, picture, address, recorder)


def _known(settings: Settings, record: ImageRecord, picture: Submitted, recorder: Recorder) -> Found:
    """Earlier uses that are known here, and days in the file after today, since a later run has another day."""

    def ask() -> JsonValue:
        found = KnownImages(settings).find(picture)
        late = future_findings(record, Date.today())
        answer: JsonValue = found.model_copy(update={"findings": (*found.findings, *late)}).model_dump(mode="json")
        return answer

    return Found.model_validate(recorder.call("known", record.sha256, ask))


def _descriptions(reasoner: Reasoner | None, pictures: Sequence[ImageRecord]) -> Found:
    """What a seeing language model says of the pictures: spans of kind ``caption``, marked as its words. They are shown
    beside the other readings and are scored like them, but settle nothing (``report.policy.evidence_sides``).
    """
    if not isinstance(reasoner, LLMReasoner):
        return Found()
    found: list[Found] = []
    who = reasoner.fingerprint.name.removeprefix("reasoner:")
    for number, record in enumerate(pictures):
        text = "\n".join(reasoner.describe(number))
        if not text:
            continue
        title = f"{record.name} as {who} describes it"
        doc_id = f"{DESCRIBED}{record.sha256[:16]}"
        spans = line_spans(Document(doc_id=doc_id, title=title, text=text, sha256=sha256_text(text)), kind="caption")
        findings = (
            ImageFinding(
                kind="caption",
                text=f"The language model {who} says: {span.text}",
                span_id=span.span_id,
                image=record.sha256,
            )
            for span in spans
        )
        found.append(Found(spans=spans, findings=tuple(findings)))
    return joined(found)


def clip_status(
    spec: str | None, picture: Submitted, claim: str, recorder: Recorder, captions: Sequence[str] = ()
) -> ClipStatus:
    """Similarity of the picture with the claim and with captions of its earlier uses, and likeliest scenes. Says why
    not where there are no weights.
    """
    if not spec:
        return ClipStatus(available=False, reason="CLIP not available: no weights are set (setting 'clip')")

    def ask() -> JsonValue:
        try:
            model = load_clip(spec)
        except (BackendUnavailable, ConfigError) as error:
            return ClipStatus(available=False, reason=f"CLIP not available: {error}").model_dump(mode="json")
        told = list(dict.fromkeys(c for c in captions if c))
        similarity, *others = model.similarities(picture.image, [claim, *told])
        status = ClipStatus(
            available=True,
            similarity=similarity,
            scenes=model.scenes(picture.image),
            captions=tuple(zip(told, others, strict=True)),
        )
        return status.model_dump(mode="json")

    return ClipStatus.model_validate(recorder.call("clip", picture.sha256, ask))


def tools_fingerprint() -> Fingerprint:
    """Versions of what reads and compares pictures, besides the OCR."""
    parts = []
    for name in _LIBRARIES:
        try:
            parts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            parts.append(f"{name} absent")
    return Fingerprint(name="images:tools", version=f"{TOOLS_VERSION} ({', '.join(parts)})")
