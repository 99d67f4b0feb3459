"""Texts into claims: by a process beside this one while there is one, otherwise here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from factdesk.kernel import CLAIM_IR_SCHEMA, Fingerprint

if TYPE_CHECKING:
    from agent.intake.worker_process import ParsingProcess
    from agent.types import ClaimIR


class Intake:
    """Reads each text once. An empty one, a draft that nothing was found for, has no claims.

    ``beside``: reads instead where it can; what it says and what is read here are the same.
    """

    def __init__(self, max_claims: int, *, has_image: bool, beside: ParsingProcess | None = None) -> None:
        self._max_claims, self._has_image, self._beside = max_claims, has_image, beside
        self._read: dict[str, ClaimIR] = {}
        self._statements: Callable[[str], Sequence[str]] | None = None

    def __call__(self, text: str) -> ClaimIR:
        """The claims of a text. Raises as ``agent.intake.compile_claims`` does."""
        if text not in self._read:
            self._read[text] = self._compile(text)
        return self._read[text]

    def asking(self, statements: Callable[[str], Sequence[str]]) -> Intake:
        """The same with a language model's ``statements`` tried first on every text."""
        found = Intake(self._max_claims, has_image=self._has_image, beside=self._beside)
        found._statements = statements
        return found

    def fingerprint(self) -> Fingerprint:
        """The English pipeline's."""
        if self._beside is not None and (found := self._beside.fingerprint()) is not None:
            return found
        from language.nlp.pipeline import nlp_fingerprint

        return nlp_fingerprint()

    def _compile(self, text: str) -> ClaimIR:
        if not text:
            from agent.types import ClaimIR

            return ClaimIR(schema_version=CLAIM_IR_SCHEMA, input_text=text, claims=())
        if self._statements is not None and (cut := self._by_model(text, self._statements(text))) is not None:
            return cut
        if self._beside is not None:
            found = self._beside.compile_claims(text, self._max_claims, has_image=self._has_image)
            if found is not None:
                return found
        from agent.intake import compile_claims
        from language.nlp.pipeline import load_nlp

        return compile_claims(text, nlp=load_nlp(), max_claims=self._max_claims, has_image=self._has_image)

    def _by_model(self, text: str, statements: Sequence[str]) -> ClaimIR | None:
        if not statements:
            return None
        from agent.intake.model_claims import claims_of_model
        from language.nlp.pipeline import load_nlp

        return claims_of_model(text, statements, load_nlp(), max_claims=self._max_claims, has_image=self._has_image)
