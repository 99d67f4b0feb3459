"""What the evidence says of less than the claim does: "nearly all", "once", "was nominated for"."""

from __future__ import annotations

import re

from language import lexicon as lex
from language.names import stem, tokens
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.text import Text, TextPair, text_of

_WHAT = r"\s+(?:(?:the|a|an|its|their|his|her|all|every|each|of|to|for|be)\s+)*(?P<what>[\w'’-]+)"
_NEARLY = re.compile(
    r"\b(?:nearly|almost|virtually|practically|not quite|all but|on the (?:brink|verge) of|threatened with"
    r"|about to)" + _WHAT,
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:once(?=\s\w)(?! (?:a|an|per|every|more|again|the|these|this"
    r"|that|it|he|she|they|we|you|all|there)\b)"
    r"|formerly|previously|at one time|in the past|no longer|at (?:its|their|his|her) (?:peak|height)"
    r"|(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )used to"
    r" (?:be|have|live|work|belong|own|run|stand|serve|employ|hold|lead|teach|play|house)"
    r"|(?:was|were|had|held|ran|served|lived|worked|stood|remained)\b[^.;]{0,80}\buntil)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|became|began|ran|held|stood|lay|led|made|took"
    r"|gave|got|went|came|won|lost|sold|bought|built"
    r"|wrote|drew|kept|left|met|paid|said|sent|set|spent|cost|put|cut"
    r"|hit|grew|fell|rose|knew|taught|thought|told"
    r"|found|fought|brought|broke|chose|drove|flew|rode|sang|sank"
    r"|spoke|struck|swam|threw|wore|[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:until|before|former|formerly|once|ex|previously|used|earlier|no longer|then)\b", re.IGNORECASE
)
_WHOLE = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|each|always|daily|whole|entire|none|no|nobody)\b", re.I
)
_NOW = re.compile(r"\b(?:is|are|has|have)\b", re.IGNORECASE)
_FAMILIES = tuple(
    frozenset(f.split())
    for f in (
        "long length longer",
        "high height tall higher taller elevation altitude",
        "wide width broad wider",
        "deep depth deeper",
        "thick thickness",
        "above",
        "below",
        "away off from",
        "old age",
    )
)
_WAYS = "long|high|tall|wide|broad|deep|thick|above|below|away|off|from|old"
_SIZE = re.compile(rf"\b(?P<much>\d[\d.,]*\s+[a-z]+)\s+(?P<way>{_WAYS})\b", re.IGNORECASE)
_WISHED = re.compile(
    r"\b(?:promis(?:e|es|ed|ing)|pledg(?:e|es|ed|ing)|vow(?:s|ed)?|demand(?:s|ed)"
    r"|ask(?:s|ed)? (?:for|(?:[\w'’-]+ ){1,4}?to)"
    r"|urg(?:e|es|ed|ing)|call(?:s|ed|ing)? (?:for|on)|nominated (?:for|as)|shortlisted for|tipped (?:to|as)"
    r"|charged with|accused of|suspected of|attributed to|attempt(?:s|ed)? to"
    r"|tr(?:ies|ied) to|threaten(?:s|ed)? to"
    r"|recommend(?:s|ed|ing)?|appl(?:y|ies|ied) (?:for|to)|hop(?:e|es|ed|ing) (?:to|for)"
    r"|want(?:s|ed)? to|favourites? (?:to|for)"
    r"|offer(?:s|ed)? to|agreed to|ready to|room for|was to|were to|would have"
    r"|should have|supposed to|bid (?:to|for)"
    r"|campaign(?:s|ed|ing)? (?:to|for)|petition(?:s|ed)? (?:to|for)"
    r"|appeal(?:s|ed)? for|sought to|looking for)\b",
    re.IGNORECASE,
)
_REACH = 8
"""Telling words behind a wish that are wished."""
_ASIDE = re.compile(r"\([^)]*\)")
_WISHING = re.compile(
    r"\b(?:would|wants?|wish\w*|like to|intend\w*|plan\w*|hop(?:e|es|ed|ing)"
    r"|aims?|may|might|could|should|is to|are to|supposed"
    r"|propos\w+|demand\w*|ask\w*|call(?:s|ed|ing)?|urg\w+|tr(?:y|ies|ied|ying)"
    r"|attempt\w*|seek\w*|sought|interested|offer\w*"
    r"|promis\w+|announc\w+|must|ready|appl(?:y|ied|ies)|recommend\w*|\?)",
    re.IGNORECASE,
)
"""Words of a claim that tells of a wish itself."""
_WANTED = 0.3
"""Share of a claim's words behind a wish, for it to be what is wished."""
_ABOUT = 0.6
"""Share of a claim's words in a clause that tells what is over, for it to be what is over."""


def _nearly(pair: TextPair) -> Hit | None:
    claim, mine = pair.claim.raw, pair.claim.token_stems
    if _NEARLY.search(claim):
        return None
    for found in _NEARLY.finditer(pair.premise.raw):
        word = found["what"].lower()
        whole = _WHOLE.search(found[0]) is not None and _WHOLE.search(claim) is not None
        if whole or (not word[0].isdigit() and word not in lex.NUMBER_WORDS and stem(word) in mine):
            return Hit("", found[0])
    return None


def _is_over(pair: TextPair) -> Hit | None:
    if _TIMES.search(pair.claim.raw) or not _is_now(pair.claim.raw):
        return None
    mine = pair.claim.stems
    for clause in re.split(r"[;:]|,? (?:but|while|and it)\b", _ASIDE.sub(" ", pair.premise.raw)):
        over = _OVER.search(clause)
        if over and len(mine & text_of(clause).stems) >= _ABOUT * len(mine):
            return Hit("", over[0])
    return None


def _is_now(claim: str) -> bool:
    """Whether a claim speaks of the present: no verb of the past, or "is" before a participle."""
    if _NOW.search(claim):
        return re.search(r"\b(?:was|were|had|did|been)\b", claim, re.IGNORECASE) is None
    return _PAST.search(claim) is None


def _only_wished(pair: TextPair) -> Hit | None:
    if _WISHING.search(pair.claim.raw):
        return None
    claimed, premise = pair.claim.stems, pair.premise.raw
    for found in _WISHED.finditer(premise):
        if _tells_of(found[0], pair.claim):
            continue
        behind = re.split(r"[.;:,]|\b(?:but|and then|which|who)\b", premise[found.end() :])[0]
        near = [w for w in tokens(behind) if w not in lex.STOPWORDS][:_REACH]
        if len({stem(w) for w in near} & claimed) >= max(1, _WANTED * len(claimed)):
            return Hit("", found[0].strip())
    return None


def _tells_of(words: str, claim: Text) -> bool:
    """Whether the claim tells of the wish itself ("was charged with")."""
    telling = [w for w in tokens(words) if w not in lex.STOPWORDS]
    if not telling:
        return words.strip().lower() in claim.raw.lower()
    return all(stem(w) in claim.token_stems for w in telling)


def _measured(pair: TextPair) -> Hit | None:
    """ "500 metres long" against "500 metres above the harbour": another dimension of the same amount."""
    for found in _SIZE.finditer(pair.claim.raw):
        same = rf"\b{re.escape(found['much'])}\s+(?P<way>{_WAYS})\b"
        other = re.search(same, pair.premise.raw, re.IGNORECASE)
        if other is None or other["way"].lower() == found["way"].lower():
            continue
        family = next(f for f in _FAMILIES if found["way"].lower() in f)
        if not family & pair.premise.token_set:
            return Hit("", other[0])
    return None


RULES: tuple[Rule[TextPair], ...] = rules_of(
    {
        "limit.nearly": _nearly,
        "limit.over": _is_over,
        "limit.wished": _only_wished,
        "limit.dimension": _measured,
    }
)
"""Rules on limits that the claim leaves out."""
