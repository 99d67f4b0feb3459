"""What is found about the submitted images besides what was read from them: earlier uses, hints, CLIP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Date
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from pydantic import JsonValue

from agent.types import ClaimIR
from evidence.images.records import TAKEN_IN
from evidence.types import ClipStatus, ImageFinding, ImageRecord, ImageReport, Span
from factdesk.images.captions import captions_of
from factdesk.images.known import Found, earlier_uses
from factdesk.kernel import BackendUnavailable, ConfigError, Failure, Fingerprint
from factdesk.recording.recorder import Recorder
from factdesk.settings import Settings

if TYPE_CHECKING:
    from agent.ports import Reasoner
    from factdesk.images.reverse_search import WebUses

TOOLS_VERSION = "1"
_LIBRARIES = ("pillow", "zxing-cpp", "ImageHash", "c2pa-python")


@dataclass(frozen=True)
class Looked:
    """The report for the certificate, and the spans of records that may be evidence."""

    report: ImageReport | None = None
    spans: tuple[Span, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def likeness(self) -> dict[str, float]:
        """CLIP's, of the first picture with captions of its earlier uses."""
        return dict(self.report.clip.captions) if self.report is not None else {}


def look_at_images(
    settings: Settings,
    pictures: Sequence[ImageRecord],
    files: Sequence[tuple[str, bytes]],
    claims: ClaimIR,
    claim_date: Date | None,
    recorder: Recorder,
    addresses: Sequence[str] = (),
    reasoner: Reasoner | None = None,
) -> Looked:
    """Everything that is found about the pictures. What this desk's index says goes through the recorder.

    ``addresses``: where the pictures stand in public, in their order, for reverse image search.
    ``reasoner``: describes the pictures where it is a model that is shown them.
    """
    if not pictures:
        return Looked()
    from evidence.images.metadata_findings import dated_findings, placed_findings

    pictured = next((c.pictured_from for c in claims.claims if c.pictured_from), None)
    claimed = next((c.pictured_place for c in claims.claims if c.pictured_place), None)
    findings: list[ImageFinding] = []
    found: list[Found] = []
    for record, (_, data) in zip(pictures, files, strict=True):

        def ask(record: ImageRecord = record, data: bytes = data) -> JsonValue:
            found = earlier_uses(settings, record, data)
            answer: JsonValue = found.model_copy(
                update={"findings": (*found.findings, *_yet_to_come(record))}
            ).model_dump(mode="json")
            return answer

        known = Found.model_validate(recorder.call("known", record.sha256, ask))
        found.append(known)
        findings += [*record.findings, *dated_findings(record, claim_date, pictured), *known.findings]
        findings += placed_findings(record, claimed)
        findings += _hints(record, data)
    seen, told = captions_of(reasoner, pictures) if reasoner is not None else ((), ())
    findings += told
    web = _on_the_web(settings, pictures, files, addresses, recorder)
    findings += [f for uses in web for f in uses.findings]
    captions = [use.caption for use in found[0].uses]
    clip = clip_status(settings.clip, pictures[0], files[0][1], claims.input_text, recorder, captions)
    spans = {span.span_id: span for f in found for span in _placed(f)}
    report = ImageReport(
        findings=tuple(findings),
        earlier_uses=(*(u for f in found for u in f.uses), *(u for w in web for u in w.uses)),
        clip=clip,
    )
    captioned = {span.span_id: span for uses in web for span in uses.captions}
    return Looked(
        report, (*spans.values(), *captioned.values(), *seen), tuple(f for uses in web for f in uses.failures)
    )


def _yet_to_come(record: ImageRecord) -> list[ImageFinding]:
    """Days in the file after today; recorded with what the index says, since a later run has another day."""
    from evidence.images.clocks import future_findings

    texts = future_findings(record.file.taken, record.file.changed, Date.today())
    return [ImageFinding(kind="contradiction", text=text, image=record.sha256) for text in texts]


def _on_the_web(
    settings: Settings,
    pictures: Sequence[ImageRecord],
    files: Sequence[tuple[str, bytes]],
    addresses: Sequence[str],
    recorder: Recorder,
) -> list[WebUses]:
    from factdesk.images.reverse_search import search_web

    places = [*addresses, *[None] * len(pictures)]
    return [
        search_web(settings, record, data, place, recorder)
        for record, (_, data), place in zip(pictures, files, places, strict=False)
    ]


def _placed(found: Found) -> list[Span]:
    """The spans of records, with the town that the record gives its picture, where that is plain."""
    from evidence.images.places import scene_place
    from language.scenes import PlaceName, place_in

    places = {}
    framed = {span.doc_id for span in found.spans if span.frame}
    for document in found.documents:
        if document.doc_id in framed:
            continue  # what was made up was taken nowhere
        lines = document.text.split("\n")
        told = [line.removeprefix(TAKEN_IN) for line in lines if line.startswith(TAKEN_IN)]
        if told:
            town, _, within = told[0].strip(" .").partition(",")
            scene: PlaceName | None = PlaceName(town, within.rsplit(",", 1)[-1].strip())
        else:
            scene = place_in(lines[0])
        places[document.doc_id] = scene_place(scene)
    return [span.model_copy(update={"place": places.get(span.doc_id)}) for span in found.spans]


def _hints(record: ImageRecord, data: bytes) -> list[ImageFinding]:
    from evidence.images.files import decode
    from evidence.images.reader import MAX_PIXELS
    from evidence.images.tamper import tampering_hints

    pixels = decode(data, record.name, MAX_PIXELS).pixels
    hints = tampering_hints(pixels, data, record.format, record.file)
    return [hint.model_copy(update={"image": record.sha256}) for hint in hints]


def clip_status(
    spec: str | None,
    record: ImageRecord,
    data: bytes,
    claim: str,
    recorder: Recorder,
    captions: Sequence[str] = (),
) -> ClipStatus:
    """Similarity of the picture with the claim and with captions of its earlier uses, and likeliest scenes.

    Says why not where there are no weights.
    """
    if not spec:
        return ClipStatus(available=False, reason="CLIP not available: no weights are set (setting 'clip')")

    def ask() -> JsonValue:
        from evidence.adapters.clip import load_clip
        from evidence.images.files import decode
        from evidence.images.reader import MAX_PIXELS

        pixels = decode(data, record.name, MAX_PIXELS).pixels
        try:
            model = load_clip(spec)
        except (BackendUnavailable, ConfigError) as error:
            return ClipStatus(available=False, reason=f"CLIP not available: {error}").model_dump(mode="json")
        told = list(dict.fromkeys(c for c in captions if c))
        similarity, *others = model.similarities(pixels, [claim, *told])
        status = ClipStatus(
            available=True,
            similarity=similarity,
            scenes=model.scenes(pixels),
            captions=tuple(zip(told, others, strict=True)),
        )
        return status.model_dump(mode="json")

    return ClipStatus.model_validate(recorder.call("clip", record.sha256, ask))


def tools_fingerprint() -> Fingerprint:
    """Versions of what reads and compares pictures, besides the OCR."""
    parts = []
    for name in _LIBRARIES:
        try:
            parts.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            parts.append(f"{name} absent")
    return Fingerprint(name="images:tools", version=f"{TOOLS_VERSION} ({', '.join(parts)})")
