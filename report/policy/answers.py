"""Which statements of a draft answer are the answer: verified, fitting, and not at odds with each other."""

from __future__ import annotations

from agent.types import Fit
from factdesk.kernel import Record
from report.types import CertificateBody, State

NOT_VERIFIED = "None of the sentences that answer the question could be verified."
OWN_WORD = (
    "Only one source answers it, and two were asked for; name its site with --source SITE if its word is "
    "enough, or ask with --answer-sources 1."
)


class Answer(Record):
    """What a certificate says to its question."""

    claim_ids: tuple[str, ...]
    """Verified and fitting, best first; empty: not answered."""
    why_not: str = ""
    """Why there is no answer, in words; empty where there is one."""


def answer_of(body: CertificateBody) -> Answer:
    """The answer of a certificate, from its decisions and fits alone.

    Where statements that fit as well give another amount or day, the sources differ on what was asked, and
    there is no answer. Refuted statements do not count, and neither does a plan beside what came of it, nor a
    statement that a trusted source refutes and only sources below the trust gate bear out (``disputed``).
    """
    if body.asked is None:
        return Answer(claim_ids=())
    states: dict[str, State] = {d.claim_id: d.state for d in body.decisions}
    fits = [f for f in body.asked.fits if f.answers]
    good = [f for f in fits if states.get(f.claim_id) == "VERIFIED"]
    if not fits:
        return Answer(claim_ids=(), why_not="No sentence was found that answers the question.")
    if not good:
        rules = {d.claim_id: d.rule for d in body.decisions}
        alone = any(rules.get(f.claim_id) == "own_word" for f in fits)
        return Answer(claim_ids=(), why_not=OWN_WORD if alone else NOT_VERIFIED)
    gone = {d.claim_id for d in body.decisions if d.state == "BLOCKED" or d.rule == "disputed"}
    if any(f.claim_id not in gone and _rivals(f, good) for f in fits):
        return Answer(claim_ids=(), why_not="The sources differ on what was asked.")
    return Answer(claim_ids=tuple(f.claim_id for f in sorted(good, key=lambda f: -f.question_coverage)))


def _rivals(other: Fit, good: list[Fit]) -> bool:
    """Whether ``other`` fits as well as one of ``good`` and fills the question word's place otherwise."""
    return any(
        other.values
        and found.values
        and not _agree(other, found)
        and other.question_coverage >= found.question_coverage
        and not (other.plan and not found.plan)
        for found in good
    )


def _agree(a: Fit, b: Fit) -> bool:
    """A common value; a day agrees with its month and its year."""
    return any(
        x == y or (x.startswith("date|") and (x[:-1].startswith(y[:-1]) or y[:-1].startswith(x[:-1])))
        for x in a.values
        for y in b.values
    )
