"""Slot guard: what the evidence says of less than the claim does ("nearly all", "once", "in mice", "a copy").

Such words are easily read over, since all that the claim says stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from language import lexicon as lex
from language.names import stem, tokens
from verifier.guard.words import finding_of, stems_of
from verifier.types import GuardFinding

_WHAT = r"\s+(?:(?:the|a|an|its|their|his|her|all|every|each|of|to|for|be)\s+)*(?P<what>[\w'’-]+)"
_NEARLY = re.compile(
    r"\b(?:nearly|almost|virtually|practically|not quite|all but|on the (?:brink|verge) of|threatened with"
    r"|about to)" + _WHAT,
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?P<part>(?:sub)?committee|branch|faction|copy|copies|replica|imitation|forgery|half|third|quarter"
    r"|three[- ]quarters|two[- ]thirds|sketch)\s+of" + _WHAT,
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
_FORMER = re.compile(
    r"\b(?:[Ff]ormer\s|[Ee]x-|[Oo]ne-?time\s|[Ee]rstwhile\s)(?:[A-Z]\S+\s)*(?P<what>[a-z]\w+)"
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
_ELSEWHERE = re.compile(
    r"\bin (?:mice|rats|animals|monkeys|macaques|rabbits|zebrafish|cell cultures?|vitro|silico|test tubes?"
    r"|a (?:dish|simulation)|simulations|computer models?|the lab(?:oratory)?)\b",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except|apart from|aside from|other than|with the exception of|all but|excluding|unless|but not)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|each|always|daily|whole|entire|none|no|nobody)\b", re.I
)
_NOW = re.compile(r"\b(?:is|are|has|have)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(
    r"\b(?!(?:for|inter|sugg|requ|prot|cont|harv|arr|mod|hon|gu|dig)est\b)[a-z]{3,}est\b(?!-)", re.I
)
_FIELD = (
    r"(?P<kind>(?:\s+(?!and\b|or\b|in\b|of\b|on\b)[\w'’-]+){1,4})\s+(?:in|of|on)\s+(?:the\s+)?"
    r"(?P<part>(?:northern|southern|eastern|western|central|upper|lower|north"
    r"|south|east|west|rural|urban|inner|outer)\b)?"
)
"""What the superlative is of, up to the place or the group that it is among."""
_SUBJECT = re.compile(
    r"(?P<who>(?:The |the )?[\w'’-]+(?: [A-Z][\w'’-]*)*) "
    r"(?P<verb>(?:was|were|is|are|has|had|will)\b|[a-z]+ed\b)"
)
_COPY = re.compile(
    r"\b(?:cop(?:y|ies)|replicas?|imitations?|forger(?:y|ies)|reproductions?) of\b", re.IGNORECASE
)
_FAMILIES = tuple(
    frozenset(f.split())
    for f in (
        "long length longer", "high height tall higher taller elevation altitude", "wide width broad wider",
        "deep depth deeper", "thick thickness", "above", "below", "away off from", "old age",
    )
)  # fmt: skip
_WAYS = "long|high|tall|wide|broad|deep|thick|above|below|away|off|from|old"
_SIZE = re.compile(rf"\b(?P<much>\d[\d.,]*\s+[a-z]+)\s+(?P<way>{_WAYS})\b", re.IGNORECASE)
_COST = re.compile(r"\b(?:costs?|costing|price[sd]?|worth|expen(?:se|sive)|bill)\b", re.IGNORECASE)
_GIVEN = re.compile(
    r"\b(?:contribut(?:e|es|ed|ing)|donat(?:e|es|ed|ing)|grant(?:s|ed)?|raised|lent|chipped in)\b",
    re.IGNORECASE,
)
_DONE_TO = re.compile(
    r"\b(?P<deed>repairing|restoring|renovating|cleaning|insuring|painting|extending"
    r"|widening|moving|demolishing|rebuilding|running"
    r"|maintaining|heating|equipping|dismantling|lighting|securing) (?:the |its "
    r"|a |an )?(?P<what>[\w'’-]+) (?:costs?|took|takes)\b",
    re.IGNORECASE,
)
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


def limit_findings(claim: str, premise: str) -> list[GuardFinding]:
    """A claim that leaves out by what the evidence limits the same words; at most one finding."""
    rules: tuple[Callable[[str, str], str | None], ...] = (
        _nearly, _of_a_part, _is_over, _elsewhere, _with_exceptions, _only_wished, _copied, _measured,
        _paid_towards, _in_a_narrower_field,
        _of_its_own,
    )  # fmt: skip
    for rule in rules:
        if (words := rule(claim, premise)) is not None:
            message = f"The evidence says it with a limit ({words!r}) that the claim leaves out."
            return [finding_of("modality", "conflict", "", words, message)]
    return []


def _nearly(claim: str, premise: str) -> str | None:
    if _NEARLY.search(claim):
        return None
    mine = {stem(w) for w in tokens(claim)}
    for found in _NEARLY.finditer(premise):
        word = found["what"].lower()
        whole = _WHOLE.search(found[0]) is not None and _WHOLE.search(claim) is not None
        if whole or (not word[0].isdigit() and word not in lex.NUMBER_WORDS and stem(word) in mine):
            return found[0]
    return None


def _of_a_part(claim: str, premise: str) -> str | None:
    mine = stems_of(claim) | {stem(w) for w in tokens(claim)}
    for found in _PART.finditer(premise):
        part = {stem(w) for w in re.split(r"[\s-]", found["part"].lower())}
        if stem(found["what"].lower()) in mine and not part & mine and not re.search(r"\d|\bpart", claim):
            return found[0]
    return None


def _is_over(claim: str, premise: str) -> str | None:
    if _TIMES.search(claim):
        return None
    for found in _FORMER.finditer(_ASIDE.sub(" ", premise)):
        word = found["what"].lower()
        if word in tokens(claim) and _is_now(claim):
            return found[0]
    mine = stems_of(claim)
    for clause in re.split(r"[;:]|,? (?:but|while|and it)\b", _ASIDE.sub(" ", premise)):
        over = _OVER.search(clause)
        if over and _is_now(claim) and len(mine & stems_of(clause)) >= _ABOUT * len(mine):
            return over[0]
    return None


def _elsewhere(claim: str, premise: str) -> str | None:
    found = _ELSEWHERE.search(premise)
    if found is None:
        return None
    mine, where = stems_of(claim), stem(tokens(found[0])[-1])
    clause = next((c for c in re.split(r"[;:.]", premise) if found[0] in c), premise)
    if where in {stem(w) for w in tokens(claim)} or len(mine & stems_of(clause)) < _ABOUT * len(mine):
        return None
    return found[0]


def _with_exceptions(claim: str, premise: str) -> str | None:
    found = _EXCEPT.search(premise)
    return found[0] if found and _WHOLE.search(claim) and not _EXCEPT.search(claim) else None


def _only_wished(claim: str, premise: str) -> str | None:
    claimed, said = stems_of(claim), {stem(w) for w in tokens(claim)}
    if _WISHING.search(claim):
        return None
    for found in _WISHED.finditer(premise):
        if _tells_of(found[0], claim, said):
            continue
        behind = re.split(r"[.;:,]|\b(?:but|and then|which|who)\b", premise[found.end() :])[0]
        near = [w for w in tokens(behind) if w not in lex.STOPWORDS][:_REACH]
        if len({stem(w) for w in near} & claimed) >= max(1, _WANTED * len(claimed)):
            return found[0].strip()
    return None


def _tells_of(words: str, claim: str, said: set[str]) -> bool:
    """Whether the claim tells of the wish itself ("was charged with")."""
    telling = [w for w in tokens(words) if w not in lex.STOPWORDS]
    return all(stem(w) in said for w in telling) if telling else words.strip().lower() in claim.lower()


def _is_now(claim: str) -> bool:
    """Whether a claim speaks of the present: no verb of the past, or "is" before a participle."""
    if _NOW.search(claim):
        return re.search(r"\b(?:was|were|had|did|been)\b", claim, re.IGNORECASE) is None
    return _PAST.search(claim) is None


def _copied(claim: str, premise: str) -> str | None:
    found, mine = _COPY.search(premise), stems_of(claim)
    if found is None or {stem(w) for w in tokens(found[0])} & {stem(w) for w in tokens(claim)}:
        return None
    return found[0] if len(mine & stems_of(premise)) >= _ABOUT * len(mine) else None


def _measured(claim: str, premise: str) -> str | None:
    """ "500 metres long" against "500 metres above the harbour": another dimension of the same amount."""
    for found in _SIZE.finditer(claim):
        other = re.search(rf"\b{re.escape(found['much'])}\s+(?P<way>{_WAYS})\b", premise, re.IGNORECASE)
        if other is None or other["way"].lower() == found["way"].lower():
            continue
        family = next(f for f in _FAMILIES if found["way"].lower() in f)
        if not family & set(tokens(premise)):
            return other[0]
    return None


def _paid_towards(claim: str, premise: str) -> str | None:
    """What somebody gave towards a thing, or what was done to it cost, is not what it cost."""
    if not _COST.search(claim):
        return None
    said = {stem(w) for w in tokens(claim)}
    done = _DONE_TO.search(premise)
    if done and stem(done["deed"].lower()) not in said and stem(done["what"].lower()) in said:
        return done[0]
    given = _GIVEN.search(premise)
    return given[0] if given and not _COST.search(premise) and stem(given[0].lower()) not in said else None


def _in_a_narrower_field(claim: str, premise: str) -> str | None:
    """The longest road tunnel is not the longest tunnel, nor is the deepest in northern Europe the deepest in
    Europe: a word before the noun, or before the place, narrows the field down.
    """
    said = {stem(w) for w in tokens(claim)}
    for found in _SUPERLATIVE.finditer(claim):
        field = re.search(rf"\b{re.escape(found[0])}\b{_FIELD}", premise, re.IGNORECASE)
        if field is None:
            continue
        narrowing = tokens(field["kind"])[:-1] + tokens(field["part"] or "")
        if narrower := [w for w in narrowing if w not in lex.STOPWORDS and stem(w) not in said]:
            return f"{found[0]} … {' '.join(narrower)}"
    return None


def _of_its_own(claim: str, premise: str) -> str | None:
    """ "Tarn Dairy's plant was founded" says nothing of Tarn Dairy's own founding: the claim's subject stands
    there only as the owner of what the verb is about.
    """
    subject = _SUBJECT.match(claim)
    if subject is None:
        return None
    who = re.escape(subject["who"])
    owned = re.search(
        rf"\b{who}['’]s (?P<what>(?:[\w'’-]+ ){{1,6}}?){re.escape(subject['verb'])}\b", premise, re.IGNORECASE
    )
    if owned is None or re.search(rf"\b{who}\b(?!['’]s)", premise, re.IGNORECASE):
        return None
    said = {stem(w) for w in tokens(claim)}
    owns = {stem(w) for w in tokens(owned["what"]) if w not in lex.STOPWORDS}
    return None if owns & said else owned[0]
