"""The facade: one object that checks claims."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from datetime import UTC, datetime
from datetime import date as Date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.types import Progress
from factdesk.check.context import CheckContext, CheckRequest, Intake
from factdesk.check.evidence_source import keep_snapshots
from factdesk.check.models import REASONERS
from factdesk.check_report import Report as Report
from factdesk.corpora.stored import Corpora
from factdesk.images.submitted import keep_pictures, read_pictures
from factdesk.kernel import ConfigError, InputError
from factdesk.recording.recorder import LIVE, Recorder, today
from factdesk.settings import Settings, load_settings
from factdesk.stored_order import append_once, storable
from report.certificate import sealing as codec
from report.certificate.keys import Keyring
from store.runs import Order, Run, Runs
from verifier.backends.factory import refuse_unknown

if TYPE_CHECKING:
    from evidence.types import ImageRecord
    from factdesk.annotation.annotator import AnnotationDesk
    from factdesk.annotation.report import AnnotationReport
    from store.jobs import NamedFile
    from store.ledger import Ledger
    from verifier.types import Verifier


CHOICES = frozenset({"method", "veracity", "mode", "sources", "answer_sources"})
"""Settings that a single check may have of its own."""


def open_ledger(settings: Settings) -> Ledger:
    """The history below the home folder; made when it is missing. What is appended is signed."""
    from store.engine import open_engine
    from store.ledger import Ledger

    signing = codec.SigningCodec(Keyring(settings.paths.keys))
    return Ledger(open_engine(settings.store), signing, settings.paths.head)


def read_ledger(settings: Settings) -> Ledger:
    """The history to be read, on a disk that is full or read-only too."""
    from store.engine import open_unchanged
    from store.ledger import Ledger

    try:
        return open_ledger(settings)
    except InputError:
        engine = open_unchanged(settings.store)
        if engine is None:
            raise
        return Ledger(engine, codec.SigningCodec(Keyring(settings.paths.keys)), settings.paths.head)


def _silent(event: Progress) -> None:
    """Take a progress event and do nothing with it."""
    del event


class FactChecker:
    """Checks claims against corpora and images; models are loaded once and reused.

    ``FactChecker.from_config()`` reads file and environment; keyword arguments override them.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or load_settings()
        REASONERS.refuse_unknown(self.settings.reasoner)
        refuse_unknown(self.settings.verifier)
        self.corpora = Corpora(self.settings)
        self._verifier: Verifier | None = None
        self._loading = threading.Lock()

    @classmethod
    def from_config(cls, **arguments: Any) -> FactChecker:
        """A checker from ``factdesk.toml``, environment and arguments."""
        return cls(load_settings(**arguments))

    def choosing(self, **choices: object) -> FactChecker:
        """A checker with other settings of ``CHOICES``, which neither models nor corpora depend on: it shares
        both. ``None`` keeps what is set. Raises ``ConfigError`` for another setting.
        """
        given = {name: value for name, value in choices.items() if value is not None}
        if others := sorted(given.keys() - CHOICES):
            raise ConfigError(f"{others[0]!r} cannot be chosen for one check; known: {', '.join(sorted(CHOICES))}")
        made = copy(self)
        made.settings = self.settings.model_copy(update=given)
        return made

    @property
    def verifier(self) -> Verifier:
        """The verifier of the settings, loaded on first use."""
        with self._loading:
            if self._verifier is None:
                from factdesk.check.models import open_verifier

                self._verifier = open_verifier(self.settings)
            return self._verifier

    def _verifier_of(self, recorder: Recorder) -> Callable[[], Verifier]:
        """What loads the verifier of one check: a language model anew, bounded by the check."""
        from factdesk.check.models import is_chat, open_verifier

        if not is_chat(self.settings.verifier):
            return lambda: self.verifier
        return cache(lambda: open_verifier(self.settings, recorder))

    def _load_ahead(self) -> None:
        """Read the weights while the first check imports its libraries; errors come up where they matter."""

        def load() -> None:
            with suppress(Exception):
                _ = self.verifier

        if self._verifier is None and not self.settings.verifier.startswith(("llm:", "gguf:")):
            threading.Thread(target=load, name="factdesk-verifier").start()

    def check(
        self,
        text: str,
        *,
        images: Sequence[str | Path] = (),
        image_urls: Sequence[str] = (),
        date: Date | None = None,
        as_of: Date | None = None,
        corpus: Sequence[str] = (),
        progress: Callable[[Progress], None] = _silent,
        record: bool = True,
    ) -> Report:
        """Check one claim and append its certificate, signed, to the history (unless ``record`` is false).

        ``image_urls``: where the images stand in public, in their order (docs/images.md). Raises ``InputError``: text
        or image cannot be used, ``BackendUnavailable``: a model or database cannot be had, ``ConfigError``: others can
        read the private key.
        """
        files, places = tuple(map(Path, images)), tuple(image_urls)
        return self.run(CheckRequest(text, files, places, date, as_of, tuple(corpus), record=record), progress)

    def ask(
        self,
        question: str,
        *,
        as_of: Date | None = None,
        corpus: Sequence[str] = (),
        progress: Callable[[Progress], None] = _silent,
        record: bool = True,
    ) -> Report:
        """Answer a question from the corpora with statements that were verified, or not at all; otherwise as
        :meth:`check`. Every statement of a draft from what is found is checked as a claim is; those that are Verified
        and answer are shown.
        """
        return self.run(CheckRequest(question, as_of=as_of, corpus=tuple(corpus), record=record, asked=True), progress)

    def annotate(
        self, text: str, *, corpus: str = "", record: bool = True, supersedes: str | None = None
    ) -> AnnotationReport:
        """Mark the claims of a text by the graph of one corpus (empty: that of the settings): attributable,
        contradictory or neither; a label certifies nothing. The certificate with the policy's decisions goes to the
        history unless ``record`` is false. Raises ``InputError``: no words, or not one corpus, ``BackendUnavailable``:
        a model cannot be had.
        """
        from factdesk.annotation.report import AnnotationReport

        ledger = open_ledger(self.settings) if record else None
        if ledger is not None:
            Keyring(self.settings.paths.keys).check()
        found, body = self.annotation_desk(corpus).annotate(text)
        created, run_id = _created(LIVE), codec.new_certificate_id()
        certificate = codec.seal(body, created=created, certificate_id=run_id, supersedes=supersedes)
        return AnnotationReport(found, ledger.append(certificate) if ledger is not None else certificate)

    def annotation_desk(self, corpus: str = "") -> AnnotationDesk:
        """What annotates many texts against one corpus as it is now; its graph is loaded once."""
        from factdesk.annotation.annotator import open_annotation_desk

        settings = self.settings.model_copy(update={"corpus": (corpus,)}) if corpus else self.settings
        return open_annotation_desk(settings, self.corpora, self.verifier)

    def run(
        self,
        request: CheckRequest,
        progress: Callable[[Progress], None] = _silent,
        recorder: Recorder = LIVE,
    ) -> Report:
        """Do what a request asks for, as :meth:`check` and :meth:`ask` do."""
        return self.begin(*self.prepare(request, recorder), progress, recorder)

    def prepare(
        self, request: CheckRequest, recorder: Recorder = LIVE
    ) -> tuple[Order, tuple[ImageRecord, ...], Sequence[NamedFile]]:
        """What a request asks for, written out: the order, the pictures as they were read, and their files."""
        if not recorder.replaying and self.settings.retriever != "none":
            self.corpora.refuse_unknown(request.corpus or self.settings.corpus)
        pictures, files, places = read_pictures(request.images, request.image_urls)
        order = Order.taken_from(
            request,
            run_id=request.certificate_id or codec.new_certificate_id(),
            claim_date=request.date,
            as_of=request.as_of or (today(recorder) if self.settings.window and not request.date else None),
            settings=storable(self.settings),
            image_sha256=tuple(p.sha256 for p in pictures),
            image_urls=tuple(places),
        )
        return order, pictures, files

    def begin(
        self,
        order: Order,
        pictures: tuple[ImageRecord, ...],
        files: Sequence[NamedFile],
        progress: Callable[[Progress], None] = _silent,
        recorder: Recorder = LIVE,
    ) -> Report:
        """Do what an order says; a run that is stopped can be taken up again."""
        with Runs(self.settings.paths.checkpoints).hold(order.run_id) as run:
            return self.carry_out(order, pictures, files, run, progress, recorder)

    def carry_out(
        self,
        order: Order,
        pictures: tuple[ImageRecord, ...],
        files: Sequence[NamedFile],
        run: Run,
        progress: Callable[[Progress], None],
        recorder: Recorder = LIVE,
    ) -> Report:
        """Do what an order says, from its beginning or from where an earlier process was stopped."""
        ledger = open_ledger(self.settings) if order.record else None
        if ledger is not None:
            Keyring(self.settings.paths.keys).check()
            keep_pictures(self.settings.paths.pictures, [data for _, data in files], pictures)
        self._load_ahead()
        from factdesk.check.pipeline import investigate

        context = CheckContext(
            order=order,
            settings=self.settings,
            corpora=self.corpora,
            load_verifier=self._verifier_of(recorder),
            intake=Intake(self.settings.caps.max_claims, has_image=bool(pictures)),
            pictures=pictures,
            files=tuple(files),
            recorder=recorder,
        )
        body = investigate(context, run, progress)
        created = _created(recorder)
        certificate = codec.seal(body, created=created, certificate_id=order.run_id, supersedes=order.supersedes)
        if ledger is not None:
            keep_snapshots(self.settings, context.evidence, certificate.body)
            certificate = append_once(ledger, certificate) if run.stored else ledger.append(certificate)
        run.end()
        progress(Progress(stage="done", message=f"{certificate.body.verdict}"))
        return Report(certificate, self.settings.mode)


def _created(recorder: Recorder) -> str:
    return str(recorder.call("clock", "created", lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")))
