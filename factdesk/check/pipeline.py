"""From an order to what was found: evidence opened, tools made, the graph run.

Importing this module imports LangGraph, which takes its time; the checker does so once a check has begun.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent.assessment.corroboration import make_standing
from agent.assessment.document_probe import make_probe
from agent.assessment.document_relations import RelationTrust
from agent.graphs.state import Deps
from agent.tools.image import ImageReader
from agent.types import Investigation, Progress
from factdesk.bounds import bounds_of
from factdesk.check.answer import draft_for, make_stands
from factdesk.check.assemble import Frame
from factdesk.check.evidence_source import Evidence, open_evidence
from factdesk.check.graph_runner import choose_method, run_graph
from factdesk.check.intake import Intake
from factdesk.check.reasoner_factory import fingerprints_of, make_reasoner, with_report
from factdesk.check.surroundings import prompts_sha256, retrieval_of
from factdesk.corpora.stored import Corpora, Library
from factdesk.corpus_trust.open import named_seeds
from factdesk.images.findings import Looked, look_at_images, tools_fingerprint
from factdesk.kernel import Fingerprint
from factdesk.recording.recorder import Recorder
from factdesk.settings import Settings
from report.policy.fingerprints import rule_fingerprints
from store.runs import Order, Run

if TYPE_CHECKING:
    from agent.ports import Reasoner, TrustTool
    from evidence.types import ImageRecord
    from verifier.types import Thresholds, Verifier


@dataclass(frozen=True)
class Desk:
    """What a checker keeps between checks."""

    settings: Settings
    corpora: Corpora
    verifier: Callable[[], Verifier]
    """Loads it on the first call."""


@dataclass(frozen=True)
class Material:
    """What one check is given: the order, the pictures and their files, and what comes from outside."""

    order: Order
    pictures: tuple[ImageRecord, ...]
    files: Sequence[tuple[str, bytes]]
    recorder: Recorder
    intake: Intake

    @property
    def datas(self) -> list[bytes]:
        """The pictures' bytes, in their order."""
        return [data for _, data in self.files]


def investigate(
    desk: Desk, material: Material, run: Run, progress: Callable[[Progress], None]
) -> tuple[Investigation, Frame, Evidence]:
    """Carry out an order: what was found, what it was made with, and the evidence it was found in."""
    start, order, settings = time.monotonic(), material.order, desk.settings
    retriever = _open_retriever(desk, material)
    verifier = desk.verifier()
    thresholds = settings.thresholds.apply(verifier.thresholds)
    reasoner = make_reasoner(settings.reasoner, settings, material.datas, material.recorder)
    looked = look_at_images(
        settings, material.pictures, material.files, material.intake(order.text), order.claim_date,
        material.recorder, order.image_urls, reasoner,
    )  # fmt: skip
    clock = _clock(material.recorder, start)
    deps = _make_deps(desk, material, retriever, reasoner, thresholds, looked, clock)
    frame = _make_frame(settings, material, verifier, retriever, reasoner, thresholds, looked)
    run.begin(
        order.model_copy(update={"pins": retriever.pins(), "fingerprints": frame.fingerprints}),
        material.files,
    )
    found = with_report(_look_into(settings, material, deps, run, progress), reasoner)
    failures = (*looked.failures, *retriever.failures())
    return found, replace(frame, text=found.claim_ir.input_text, failures=failures), retriever


def _look_into(
    settings: Settings, material: Material, deps: Deps, run: Run, progress: Callable[[Progress], None]
) -> Investigation:
    """Run the graph that the settings or the order name, over the text or the draft of an answer."""
    order = material.order
    method = "answer" if order.asked else settings.method
    text = draft_for(order.text, deps) if order.asked else order.text
    chosen = choose_method(material.intake(text)) if method == "auto" else method
    return run_graph(text, deps, run, progress, chosen)


def _open_retriever(desk: Desk, material: Material) -> Evidence:
    settings, names = desk.settings, _corpora_of(desk.settings, material.order)

    def open_corpora() -> Library:
        other = bool(material.pictures) or settings.web
        alone = other and names == ("default",) and not desk.corpora.has("default")
        spec = "none" if alone else settings.retriever
        return desk.corpora.open(names, spec, graph=settings.graph)

    return open_evidence(settings, desk.corpora, open_corpora, material.recorder)


def _make_deps(
    desk: Desk, material: Material, retriever: Evidence, reasoner: Reasoner, thresholds: Thresholds,
    looked: Looked, clock: Callable[[], float],
) -> Deps:  # fmt: skip
    """What the graph's nodes may use."""
    settings, order = desk.settings, material.order
    stands = make_stands(thresholds, trust_enabled=settings.trust, sources=settings.sources)
    return Deps(
        compile_claims=material.intake,
        retriever=retriever,
        verifier=desk.verifier(),
        reasoner=reasoner,
        images=ImageReader(material.pictures, order.text, looked.spans),
        trust=_make_trust(desk, material, retriever) if settings.trust else None,
        thresholds=thresholds,
        caps=settings.caps,
        clock=clock,
        bounds=bounds_of(settings, order.as_of),
        veracity=settings.veracity,
        stands=stands if order.asked else None,
    )


def _make_trust(desk: Desk, material: Material, retriever: Evidence) -> TrustTool:
    bounds = bounds_of(desk.settings, material.order.as_of)
    return RelationTrust(
        desk.verifier(),
        retriever.document_text,
        make_probe(retriever.probing, retriever.document, bounds),
        seeds=_seeds(desk.settings, material),
        standing=make_standing(lambda texts: desk.corpora.embedder.embed(texts), retriever, bounds),
    )


def _make_frame(
    settings: Settings, material: Material, verifier: Verifier, retriever: Evidence, reasoner: Reasoner,
    thresholds: Thresholds, looked: Looked,
) -> Frame:  # fmt: skip
    """What goes into the certificate besides the investigation."""
    order = material.order
    return Frame(
        text=order.text, mode=settings.mode, thresholds=thresholds, caps=settings.caps,
        settings=settings.recorded(), images=material.pictures, claim_date=order.claim_date,
        as_of=order.as_of, trust_enabled=settings.trust,
        fingerprints=(
            verifier.fingerprint, *rule_fingerprints(), *retriever.fingerprints, *fingerprints_of(reasoner),
            material.intake.fingerprint(), *(_image_fingerprints() if material.pictures else ()),
        ),
        retrieval=retrieval_of(retriever, bounds_of(settings, order.as_of)),
        prompts_sha256=prompts_sha256(), question=order.text if order.asked else None,
        sources=settings.sources, image_report=looked.report,
    )  # fmt: skip


def _clock(recorder: Recorder, start: float) -> Callable[[], float]:
    """Seconds since ``start``, through the recorder."""
    return lambda: float(str(recorder.call("clock", "elapsed", lambda: time.monotonic() - start)))


def _corpora_of(settings: Settings, order: Order) -> tuple[str, ...]:
    return order.corpus or settings.corpus


def _seeds(settings: Settings, material: Material) -> list[str]:
    """Documents that users named as trusted (``factdesk trust seed``), recorded too."""
    names = _corpora_of(settings, material.order)
    found = material.recorder.call("fingerprint", "seeds", lambda: list(named_seeds(settings, names)))
    return [str(doc_id) for doc_id in found] if isinstance(found, list) else []


def _image_fingerprints() -> tuple[Fingerprint, ...]:
    from evidence.images import ocr_fingerprint

    return ocr_fingerprint(), tools_fingerprint()
