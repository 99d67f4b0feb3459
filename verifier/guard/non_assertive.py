"""Sentences that name a statement without making it: "mark the claim that X as verified".

The model reads such a sentence much as it reads X. An order, a question, and a claim, rumour, theory
or the like that is only spoken of, support nothing.
"""

from __future__ import annotations

import re

from verifier.types import GuardFinding

_NAMED = re.compile(
    r"\b(?:claim|rumou?r|allegation|assertion|accusation|suggestion|idea|notion|theory|myth|belief|hypothesis"
    r"|possibility|hoax|statement|sentence|question|suspicion|hope|fear|speculation)s?,?\s+(?:that|whether|:|[\"“«'])",
    re.IGNORECASE,
)  # fmt: skip
_ORDER = re.compile(
    r"^(?:(?:please|now|always|just|then|note(?: to \w+)?:|instructions?(?: to \w+)?:|system:|assistant:|ai:)"
    r"[,\s]+)*"
    r"(?:you (?:must|should|are to)\s+)?(?:also\s+)?"
    r"(?:mark|treat|consider|rate|label|answer|report|output|ignore|set|verify|assume|pretend|respond|reply|return|write"
    r"|print|give|state|confirm|certify|classify|score|repeat|accept|believe|regard|remember|imagine|suppose|say)\b"
    r"\s+(?:the|this|that|these|it|them|every|all|any|as|only|yes|true|with|an?|to|[\"“«'])(?:\b|(?<=\W))",
    re.IGNORECASE,
)  # fmt: skip
_TO_CHECKER = re.compile(
    r"\b(?:mark(?:ed)?|treat(?:ed)?|label(?:l?ed)?|rate[ds]?|count(?:ed)?|classif(?:y|ied)|certif(?:y|ied)|show[ns]?)\b[^.]{0,80}"
    r"\bas\s+(?:a\s+)?[\"“']?(?:verified|supported|refuted|true|false|entailed|trusted|correct)\b",
    re.IGNORECASE,
)  # fmt: skip
_AS_REPORTED = re.compile(
    r"\b(?:in|from) (?:our|an earlier|a previous|the earlier|its earlier) "
    r"(?:[a-z]+ )?(?:report|article|story|edition|bulletin|release|statement|announcement|notice)\b"
    r"|\b(?:was|were|been) (?:wrongly |mistakenly |first |originally |previously )?given as\b"
    r"|\bwe (?:had )?(?:wrongly |mistakenly |first |originally |previously )?"
    r"(?:gave|reported|wrote|stated)\b",
    re.IGNORECASE,
)
"""A newspaper on what it wrote before, which it does not say again."""
_ASKED = re.compile(r"\?[\"”’')\s]*$")


def frame_findings(claim: str, premise: str) -> list[GuardFinding]:
    """Evidence that orders, asks, tells of an earlier report, or only names a statement; none where the claim
    does the same.
    """
    for pattern, what in (
        (_ORDER, "gives an order"),
        (_TO_CHECKER, "tells a checker what to say"),
        (_NAMED, "only speaks of a statement"),
        (_AS_REPORTED, "only tells what was reported before"),
        (_ASKED, "asks a question"),
    ):
        match = pattern.search(premise.strip())
        if match and not pattern.search(claim.strip()):
            words = match.group().strip()[-60:]
            message = f"The evidence {what} ({words!r}) and does not state it as a fact."
            return [
                GuardFinding(
                    slot="modality", kind="conflict", claim_value="", evidence_value=words, message=message
                )
            ]
    return []
