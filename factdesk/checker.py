"""The facade: one object that checks claims, and the report it hands back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from datetime import date as Date
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from agent.types import Caps, Investigation, Progress
from factdesk.assemble import Frame, assemble
from factdesk.corpora import Corpora
from factdesk.kernel import ConfigError, Fingerprint, InputError
from factdesk.settings import Settings, load_settings
from report import certificate as codec
from report.keys import Keyring
from report.types import Certificate, Mode, Verdict

if TYPE_CHECKING:
    from evidence.types import ImageRecord
    from store.ledger import Ledger
    from verifier.types import Verifier

MAX_CHARACTERS = 20_000
SPARED = "this version"


def open_ledger(settings: Settings) -> Ledger:
    """The history below the home folder; made when it is missing. What is appended is signed."""
    from store.engine import open_engine
    from store.ledger import Ledger

    signing = codec.SigningCodec(Keyring(settings.paths.keys))
    return Ledger(open_engine(settings.paths.database), signing, settings.paths.head)


@dataclass(frozen=True)
class Report:
    """A certificate and the mode it is shown in."""

    certificate: Certificate
    mode: Mode = "strict"

    @property
    def verdict(self) -> Verdict:
        """supported, refuted, conflicting or not_enough_evidence."""
        return self.certificate.body.verdict

    def json(self) -> dict[str, Any]:
        """The public JSON of a check (``docs/schemas/check-1.json``)."""
        from report.render_json import check_json

        return check_json(self.certificate, self.mode)

    def text(self) -> str:
        """The report as plain text."""
        from report.render_text import render_text

        return render_text(self.certificate, self.mode)

    def print(self, stream: TextIO) -> None:
        """Write the report to a stream, in colour on a terminal."""
        if not stream.isatty():
            stream.write(self.text() + "\n")
            return
        from rich.console import Console

        from report.render_rich import to_rich
        from report.render_text import report_lines

        Console(file=stream).print(to_rich(report_lines(self.certificate, self.mode)), soft_wrap=True)


def _silent(event: Progress) -> None:
    """Take a progress event and do nothing with it."""
    del event


class FactChecker:
    """Checks claims against corpora and images; models are loaded once and reused.

    ``FactChecker.from_config()`` reads file and environment; keyword arguments override them.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or load_settings()
        _refuse_unbuilt(self.settings)
        self.corpora = Corpora(self.settings)
        self._verifier: Verifier | None = None

    @classmethod
    def from_config(cls, **arguments: Any) -> FactChecker:
        """A checker from ``factdesk.toml``, environment and arguments."""
        return cls(load_settings(**arguments))

    @property
    def verifier(self) -> Verifier:
        """The verifier of the settings, loaded on first use."""
        if self._verifier is None:
            from verifier.cache import ScoreCache
            from verifier.spec import make_verifier

            settings = self.settings
            cache = ScoreCache(settings.paths.cache / "scores.sqlite") if settings.score_cache else None
            self._verifier = make_verifier(settings.verifier, strict=settings.mode == "strict", cache=cache)
        return self._verifier

    def check(
        self,
        text: str,
        *,
        images: Sequence[str | Path] = (),
        date: Date | None = None,
        as_of: Date | None = None,
        corpus: Sequence[str] = (),
        progress: Callable[[Progress], None] = _silent,
        record: bool = True,
        supersedes: str | None = None,
    ) -> Report:
        """Check one claim and append its certificate, signed, to the history (unless ``record`` is false).

        ``supersedes`` is the id of an earlier certificate that this one replaces.

        Raises:
            ConfigError: the private key can be read by others.
            InputError: text or image cannot be used.
            BackendUnavailable: a model or database that is needed cannot be had.
        """
        _refuse_text(text)
        ledger = open_ledger(self.settings) if record else None
        if ledger is not None:
            Keyring(self.settings.paths.keys).check()
        pictures = tuple(_read_image(Path(p)) for p in images)
        found, frame = self._investigate(text, pictures, date, as_of, tuple(corpus), progress)
        created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        certificate = codec.seal(
            assemble(found, frame), created=created, certificate_id=codec.new_certificate_id(),
            supersedes=supersedes,
        )  # fmt: skip
        if ledger is not None:
            certificate = ledger.append(certificate)
        progress(Progress(stage="done", message=f"{certificate.body.verdict}"))
        return Report(certificate, self.settings.mode)

    def _investigate(
        self, text: str, pictures: tuple[ImageRecord, ...], day: Date | None, as_of: Date | None,
        corpus: tuple[str, ...], progress: Callable[[Progress], None],
    ) -> tuple[Investigation, Frame]:  # fmt: skip
        from agent.graphs.state import Bounds, Deps
        from agent.intake import compile_claims
        from agent.nlp import load_nlp, nlp_fingerprint
        from agent.reasoners.extractive import ExtractiveReasoner
        from agent.tools.image import ImageReader
        from agent.tools.trust import RelationTrust
        from factdesk.probe import make_probe
        from factdesk.recorded import prompts_sha256, retrieval_of
        from factdesk.run import run_chain
        from verifier.guard import fingerprint as guard_fingerprint

        start = time.monotonic()
        names = corpus or self.settings.corpus
        alone = bool(pictures) and names == ("default",) and not self.corpora.has("default")
        retriever = self.corpora.open(names, "none" if alone else self.settings.retriever)
        thresholds = self.settings.thresholds.apply(self.verifier.thresholds)
        reasoner = ExtractiveReasoner()
        caps: Caps = self.settings.caps
        bounds = Bounds(published_to=as_of)
        deps = Deps(
            compile_claims=lambda given: compile_claims(
                given, nlp=load_nlp(), max_claims=caps.max_claims, has_image=bool(pictures)
            ),
            retriever=retriever,
            verifier=self.verifier,
            reasoner=reasoner,
            images=ImageReader(pictures, text),
            trust=RelationTrust(
                self.verifier, retriever.document_text, make_probe(retriever, retriever.document, bounds)
            )
            if self.settings.trust
            else None,
            thresholds=thresholds,
            caps=caps,
            clock=lambda: time.monotonic() - start,
            bounds=bounds,
        )
        found = run_chain(text, deps, self.settings.paths.checkpoints, progress)
        frame = Frame(
            text=text, mode=self.settings.mode, thresholds=thresholds, caps=caps,
            settings=self.settings.recorded(), images=pictures, claim_date=day, as_of=as_of,
            trust_enabled=self.settings.trust,
            fingerprints=(
                self.verifier.fingerprint, guard_fingerprint(), retriever.fingerprint, reasoner.fingerprint,
                nlp_fingerprint(), *((_image_fingerprint(),) if pictures else ()),
            ),
            retrieval=retrieval_of(retriever, bounds), prompts_sha256=prompts_sha256(),
        )  # fmt: skip
        return found, frame


def _read_image(path: Path) -> ImageRecord:
    from evidence.images import read_image

    return read_image(path)


def _image_fingerprint() -> Fingerprint:
    from evidence.images import ocr_fingerprint

    return ocr_fingerprint()


def _refuse_text(text: str) -> None:
    if not text.strip():
        raise InputError(
            'the claim is empty; give a statement to check, e.g. factdesk check "The bridge reopened."'
        )
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the claim has {len(text)} characters, at most {MAX_CHARACTERS} are checked; give a shorter text"
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"the claim holds a character that is no valid Unicode at position {error.start}"
        ) from error


def _refuse_unbuilt(settings: Settings) -> None:
    """What the interface names and this version does not have is refused, not replaced by something else."""
    built: dict[str, tuple[str, ...]] = {
        "method": ("chain",), "veracity": ("standard",), "ranking": ("vanilla",), "reasoner": ("extractive",),
        "retriever": ("hybrid", "bm25", "dense", "none"),
    }  # fmt: skip
    for name, known in built.items():
        value = getattr(settings, name)
        if value not in known:
            raise ConfigError(f"{name} {value!r} is not available in {SPARED}; available: {', '.join(known)}")
    if settings.web:
        raise ConfigError(f"web search is not available in {SPARED}; leave --web away and give a --corpus")
