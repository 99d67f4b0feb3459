"""What one check is asked for, and what it works with from there to its certificate.

Importing this module loads no model and no graph; each part of a check is made when it is first asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from factdesk.bounds import bounds_of
from factdesk.kernel import CLAIM_IR_SCHEMA, Failure, Fingerprint, InputError
from factdesk.recording.recorder import LIVE, Recorder

if TYPE_CHECKING:
    from agent.ports import Bounds, Reasoner
    from agent.types import ClaimIR
    from evidence.types import ImageRecord
    from factdesk.check.evidence_source import Evidence
    from factdesk.corpora.stored import Corpora
    from factdesk.images.found import Looked
    from factdesk.settings import Settings
    from report.types import Retrieval
    from store.jobs import NamedFile
    from store.runs import Order
    from verifier.types import Thresholds, Verifier


MAX_CHARACTERS = 20_000


@dataclass(frozen=True)
class CheckRequest:
    """A claim to be checked, or a question to be answered. Raises ``InputError``: the text is empty, too long or no
    valid Unicode.
    """

    text: str
    images: tuple[Path, ...] = ()
    image_urls: tuple[str, ...] = ()
    """Where the images stand in public, in their order; for reverse image search."""
    date: Date | None = None
    """Day on which the claim was made."""
    as_of: Date | None = None
    """Leave out evidence published after this day."""
    corpus: tuple[str, ...] = ()
    """Stored corpora by name, or paths; none: those of the settings."""
    record: bool = True
    """Append the certificate to the history."""
    supersedes: str | None = None
    """Id of the certificate that the new one replaces."""
    certificate_id: str | None = None
    """Given beforehand; the history takes it once."""
    asked: bool = False
    """``text`` is a question."""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InputError(
                'the claim is empty; give a statement to check, e.g. factdesk check "The bridge reopened."'
            )
        from factdesk.corpora.links import LINK  # with the recorder, which a help text does without

        if LINK.fullmatch(self.text):
            raise InputError(
                f"{self.text.strip()[:200]!r} is a link and no claim; give the statement, choose one of the "
                "page's with --claim-url LINK, or name the page as evidence with --corpus LINK"
            )
        if len(self.text) > MAX_CHARACTERS:
            raise InputError(
                f"the claim has {len(self.text)} characters, at most {MAX_CHARACTERS} are checked; give a shorter text"
            )
        try:
            self.text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"the claim holds a character that is no valid Unicode at position {error.start}"
            ) from error


class Intake:
    """Reads each text once. An empty one, a draft that nothing was found for, has no claims."""

    def __init__(self, max_claims: int, *, has_image: bool) -> None:
        self._max_claims, self._has_image = max_claims, has_image
        self._read: dict[str, ClaimIR] = {}
        self._statements: Callable[[str], Sequence[str]] | None = None

    def __call__(self, text: str) -> ClaimIR:
        """The claims of a text. Raises as ``agent.intake.compile_claims`` does."""
        if text not in self._read:
            self._read[text] = self._compile(text)
        return self._read[text]

    def asking(self, statements: Callable[[str], Sequence[str]]) -> Intake:
        """The same with a language model's ``statements`` tried first on every text."""
        found = Intake(self._max_claims, has_image=self._has_image)
        found._statements = statements
        return found

    def fingerprint(self) -> Fingerprint:
        """The English pipeline's."""
        from language.nlp.pipeline import nlp_fingerprint

        return nlp_fingerprint()

    def _compile(self, text: str) -> ClaimIR:
        if not text:
            from agent.types import ClaimIR

            return ClaimIR(schema_version=CLAIM_IR_SCHEMA, input_text=text, claims=())
        if self._statements is not None and (cut := self._by_model(text, self._statements(text))) is not None:
            return cut
        from agent.intake import compile_claims

        return compile_claims(text, max_claims=self._max_claims, has_image=self._has_image)

    def _by_model(self, text: str, statements: Sequence[str]) -> ClaimIR | None:
        if not statements:
            return None
        from agent.intake.model_claims import claims_of_model

        return claims_of_model(text, statements, max_claims=self._max_claims, has_image=self._has_image)


@dataclass(frozen=True)
class CheckContext:
    """An order with the settings, corpora, models and pictures that it is carried out with."""

    order: Order
    settings: Settings
    corpora: Corpora
    load_verifier: Callable[[], Verifier]
    """Loads it on the first call."""
    intake: Intake
    pictures: tuple[ImageRecord, ...] = ()
    files: tuple[NamedFile, ...] = ()
    """Names and bytes of the pictures, in their order."""
    recorder: Recorder = LIVE
    """Stands between the check and all that comes from outside."""
    begun: float = field(default_factory=time.monotonic)

    @property
    def verifier(self) -> Verifier:
        """The verifier of the settings."""
        return self.load_verifier()

    @cached_property
    def thresholds(self) -> Thresholds:
        """The verifier's, with those of the settings put over them."""
        return self.settings.thresholds.apply(self.verifier.thresholds)

    @property
    def corpus_names(self) -> tuple[str, ...]:
        """Those of the order, otherwise those of the settings."""
        return self.order.corpus or self.settings.corpus

    @property
    def bounds(self) -> Bounds:
        """What evidence the check may look at."""
        return bounds_of(self.settings, self.order.as_of, self.order.claim_date)

    @cached_property
    def evidence(self) -> Evidence:
        """Corpora and web as one retriever."""
        from factdesk.check.evidence_source import open_evidence

        names = self.corpus_names
        other = bool(self.pictures) or self.settings.web
        alone = other and names == ("default",) and not self.corpora.has("default")
        spec = "none" if alone else self.settings.retriever
        graph = self.settings.graph
        return open_evidence(
            self.settings, self.corpora, lambda: self.corpora.open(names, spec, graph=graph), self.recorder
        )

    @cached_property
    def retrieval(self) -> Retrieval:
        """The configuration of retrieval."""
        from factdesk.check.evidence_source import retrieval_of

        return retrieval_of(self.evidence, self.bounds)

    @cached_property
    def reasoner(self) -> Reasoner:
        """Who asks and answers; its budget starts now."""
        from factdesk.check.models import ReasonerInputs, make_reasoner

        settings, files = self.settings, [data for _, data in self.files]
        return make_reasoner(ReasonerInputs(settings.reasoner, settings, files, self.recorder, self.order.claim_date))

    @cached_property
    def compile_claims(self) -> Intake:
        """The intake, with the reasoner's model tried first where ``llm.claims`` says so."""
        from agent.reasoners.llm import LLMReasoner

        reasoner = self.reasoner
        if self.settings.llm.claims and isinstance(reasoner, LLMReasoner):
            return self.intake.asking(reasoner.statements)
        return self.intake

    @cached_property
    def looked(self) -> Looked:
        """What is found about the pictures."""
        from factdesk.images.found import Looked

        if not self.pictures:
            return Looked()
        from factdesk.images.findings import look_at_images

        claims = self.compile_claims(self.order.text)
        return look_at_images(
            self.settings, self.pictures, self.files, claims, self.order, self.recorder, self.reasoner
        )

    @cached_property
    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Of all models and rules."""
        from factdesk.check.models import fingerprints_of
        from report.policy.fingerprints import rule_fingerprints

        return (
            self.verifier.fingerprint,
            *rule_fingerprints(),
            *self.evidence.fingerprints,
            *fingerprints_of(self.reasoner),
            self.compile_claims.fingerprint(),
            *(_image_fingerprints() if self.pictures else ()),
        )

    def seconds(self) -> float:
        """Since the check began, through the recorder."""
        return float(str(self.recorder.call("clock", "elapsed", lambda: time.monotonic() - self.begun)))

    def failures(self) -> tuple[Failure, ...]:
        """What did not work before and beside the graph; a text that is not English is left open, and said to be."""
        from language.other import other_language

        found = other_language(self.order.text)
        message = f"The text seems to be in {found}; factdesk reads English alone, so nothing can be shown of it."
        foreign = Failure(where="agent.intake", kind="language", message=message)
        return (*((foreign,) if found else ()), *self.looked.failures, *self.evidence.failures())

    @property
    def question(self) -> str | None:
        """The question that is to be answered; ``None`` where a claim is checked."""
        return self.order.text if self.order.asked else None


def _image_fingerprints() -> tuple[Fingerprint, ...]:
    from evidence.images.ocr import ocr_fingerprint
    from factdesk.images.findings import tools_fingerprint

    return ocr_fingerprint(), tools_fingerprint()
