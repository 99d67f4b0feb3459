"""A language model in the verifier's place, for ablations alone: it reads what a run scored, and judges.

One call an atomic claim, with all of its scored sentences. What it says becomes scores of 0 and 1, and the
shipped policy decides: trust, kinds and failures count as before. It is measured and thrown away; no
setting of a check leads here. Answers are kept, so that a run that was stopped goes on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, create_model

from agent.reasoners.chat_model import ChatError, ChatModel
from evaluation.data.formats.types import EvalRow
from evaluation.data.outcome import Cost, Trace
from evaluation.runs.variants import Change
from factdesk.kernel import BackendUnavailable, Record, sha256_text
from report.policy.evidence_sides import admissible
from report.types import ClaimRecord, SpanRecord
from verifier.types import Assessment, Counterfactual, GuardReport, NLIScores

if TYPE_CHECKING:
    from factdesk.settings import Settings

NONE = "none"
Label = Literal["supported", "refuted", "not_enough"]


class Judged(Record):
    """What the model said of one atomic claim, and what that took."""

    key: str
    """Hash of the model's fingerprint, the prompt and all that was sent."""
    label: Label = "not_enough"
    span_id: str = ""
    """The sentence it rests on."""
    failure: str = ""
    """Kind of failure where nothing usable came; the claim then stays open."""
    tokens: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class Judge:
    """Asks a model, and keeps its answers in ``file`` (JSON Lines)."""

    def __init__(self, make_chat: Callable[[], ChatModel], file: Path) -> None:
        self._make_chat, self._file = make_chat, file
        self._print = make_chat().fingerprint
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self._known = {j.key: j for j in map(_read, lines) if j is not None}

    def about(self, record: ClaimRecord) -> Judged:
        """What the model says of one claim. Raises ``BackendUnavailable`` when it cannot be reached."""
        shown = [s for s in record.spans if admissible(s, record)][: len(ascii_uppercase)]
        if record.claim.unsupported_by_design or not shown:
            return Judged(key="")
        user = json.dumps(sent(record.claim.text, shown), ensure_ascii=False)
        key = sha256_text(f"{self._print.name}|{self._print.version}|{self._print.sha256}|{_prompt()}|{user}")
        if key not in self._known:
            self._known[key] = self._ask(key, user, shown)
            with self._file.open("a", encoding="utf-8") as out:
                out.write(self._known[key].model_dump_json() + "\n")
        return self._known[key]

    def cost(self, trace: Trace, cost: Cost) -> Cost:
        """What the judge took for a whole claim; the check that found the sentences is not in it."""
        found = [self.about(record) for record in trace.claims]
        return cost.model_copy(
            update={
                "seconds": round(sum(j.seconds for j in found), 4),
                "cpu_seconds": round(sum(j.cpu_seconds for j in found), 4),
                "tokens": sum(j.tokens for j in found),
                "pairs": 0,
            }
        )

    def _ask(self, key: str, user: str, shown: Sequence[SpanRecord]) -> Judged:
        chat = self._make_chat()
        start, used = time.perf_counter(), time.process_time()
        label: Label = "not_enough"
        span_id, failure = "", ""
        try:
            answer = chat.complete(_prompt(), user, answer_schema(len(shown))).model_dump()
            letter = str(answer["evidence"])
            if letter != NONE:
                label, span_id = answer["label"], shown[ascii_uppercase.index(letter)].span.span_id
        except ChatError as error:
            if error.kind == "unavailable":
                raise BackendUnavailable(f"the judge cannot be had: {error}") from error
            failure = error.kind
        usage = chat.usage
        return Judged(
            key=key,
            label=label,
            span_id=span_id,
            failure=failure,
            tokens=usage.input_tokens + usage.output_tokens,
            seconds=round(time.perf_counter() - start, 4),
            cpu_seconds=round(time.process_time() - used, 4),
        )


def sent(claim: str, shown: Sequence[SpanRecord]) -> dict[str, object]:
    """The user message: the claim, and each sentence with its letter, title and day."""
    rows = [
        {
            "letter": letter,
            "sentence": s.span.text,
            "page": s.span.context,
            "published": s.span.published.isoformat() if s.span.published else "",
        }
        for letter, s in zip(ascii_uppercase, shown, strict=False)
    ]
    return {"sentences": rows, "claim": claim}


def answer_schema(count: int) -> type[BaseModel]:
    """The answer to ``count`` sentences: the letter of the deciding one, then the label."""
    letters: Any = Literal[(*ascii_uppercase[:count], NONE)]
    return create_model("JudgedClaim", evidence=(letters, ...), label=(Label, ...))


def by_judge(judge: Judge, *, guard: bool) -> Change:
    """Every score as the judge says. With ``guard`` the slot guard must agree, as with the verifier."""

    def changed(row: EvalRow, trace: Trace) -> Trace:
        del row
        claims = tuple(_reread(record, judge.about(record), guard) for record in trace.claims)
        return trace.model_copy(update={"claims": claims})

    return changed


def _reread(record: ClaimRecord, judged: Judged, guard: bool) -> ClaimRecord:
    spans = tuple(s.model_copy(update={"assessment": _assessed(s, judged, guard)}) for s in record.spans)
    return record.model_copy(update={"spans": spans, "joint": ()})


def _assessed(span: SpanRecord, judged: Judged, guard: bool) -> Assessment:
    label = judged.label if span.span.span_id == judged.span_id else "not_enough"
    scores = NLIScores(
        entailment=float(label == "supported"),
        neutral=float(label == "not_enough"),
        contradiction=float(label == "refuted"),
    )
    kept = span.assessment.guard if guard else GuardReport()
    agrees = label == "refuted" and (not guard or kept.conflicts)
    return Assessment(
        raw=scores,
        calibrated=scores,
        guard=kept,
        counterfactual=Counterfactual(claim="", entailment=1.0) if agrees else None,
        passes=0,
    )


def open_judge(spec: str, settings: Settings, file: Path) -> Judge:
    """The judge that a reasoner's spec names; the bounds of ``[llm]`` hold for each call.

    Raises:
        ConfigError: the spec names no language model.
        BackendUnavailable: a package, a key or a file is missing.
    """
    from factdesk.check.models import make_chat

    return Judge(lambda: make_chat(spec, settings), file)


def _prompt() -> str:
    text = files("evaluation.judging").joinpath("llm_judge.md").read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").strip()


def _read(line: str) -> Judged | None:
    """A kept answer; ``None`` for a line that was cut off."""
    try:
        return Judged.model_validate_json(line)
    except ValueError:
        return None
