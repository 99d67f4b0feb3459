"""Whether a sentence asserts what the claim says, or tells it as somebody's word, a plan, a condition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.guard.lexicon import words
from verifier.guard.rule import Hit, Rule, rules_of
from verifier.guard.structure.pairing import Pairing, phrase, predicate_of

if TYPE_CHECKING:
    from spacy.tokens import Token

_OPEN, _CLOSED = frozenset('"“«„'), frozenset('"”»')
_CONDITIONS = frozenset("if unless whether suppose supposing assuming provided in case lest as though".split())
_MODALS = frozenset("may might could would should must can will shall 'll 'd wo ca".split())
_LONGEST_WORD = 3
"""Words of a quotation up to which it is a term and no statement."""


def embedders(token: Token) -> Iterator[Token]:
    """The verbs, nouns and adjectives under which a token's clause stands, from the inside out."""
    node = token
    for _ in range(12):
        if node.head.i == node.i:
            return
        if node.dep_ == "ccomp" and _after_colon(node) and node.head.lemma_.lower() not in words("saying"):
            return
        if node.dep_ in {"ccomp", "xcomp", "acl", "pcomp", "csubj", "csubjpass"} and _takes_clause(node):
            yield node.head
        elif (over := _presented(node)) is not None:
            yield over
        node = node.head


def _presented(node: Token) -> Token | None:
    """The verb as whose "as" a word or clause stands, where it tells what somebody makes of a thing."""
    over = node.head.head if node.head.lower_ == "as" else node.head
    as_clause = node.dep_ == "advcl" and any(c.lower_ == "as" for c in node.children)
    presents = over.lemma_.lower() in words("presenting")
    return over if presents and (as_clause or node.head.lower_ == "as") else None


def _after_colon(node: Token) -> bool:
    """Whether a clause is what a colon or a semicolon announces."""
    low, high = sorted((node.i, node.head.i))
    return any(t.text in {":", ";"} for t in node.doc[low:high])


def _takes_clause(node: Token) -> bool:
    """Not a participle that only describes its noun ("a house built in 1921")."""
    return node.dep_ != "acl" or node.tag_ == "VB" or any(c.dep_ == "mark" for c in node.children)


def clause_of(token: Token) -> Token:
    """The head of the clause that a token belongs to."""
    node = token
    while node.head.i != node.i and node.dep_ not in {
        "ccomp",
        "xcomp",
        "advcl",
        "relcl",
        "acl",
        "csubj",
        "ROOT",
        "parataxis",
    }:
        if node.dep_ == "conj" and node.pos_ in {"VERB", "AUX"}:
            break
        node = node.head
    return node


def only_claimed(pair: Pairing) -> Hit | None:
    """Somebody claims, believes, plans or wants it, or it is quoted."""
    found = _teller(pair)
    return found[0] if found is not None and not found[1] else None


def reported(pair: Pairing) -> Hit | None:
    """A source reports it as what it knows: "the league says", "according to the league"."""
    found = _teller(pair)
    return found[0] if found is not None and found[1] else None


def _teller(pair: Pairing) -> tuple[Hit, bool] | None:
    """Who tells it, and whether as a source that reports; ``None``: the page itself."""
    main = pair.main
    if main is None:
        return None
    if _presents_event(over := clause_of(main)) and not pair.in_claim(over):
        return Hit(_said(pair), _speech(over)), False
    for over in embedders(main):
        if _has_it(over):
            return Hit(_said(pair), _speech(over)), False
        if over.lemma_.lower() in words("veridical") or pair.in_claim(over) or _speaks_itself(over):
            continue
        return Hit(_said(pair), _speech(over)), over.lemma_.lower() in words("reporting")
    source = _source(main)
    if source is not None and not _is_finding(source) and not (_attributes(pair) and _same_source(pair, source)):
        return Hit(_said(pair), phrase(source, 8)), _reports(source)
    if _quoted(main) and not _attributes(pair):
        return Hit(_said(pair), "a quotation"), False
    return None


def _presents_event(verb: Token) -> bool:
    """Whether it tells what somebody makes of an event: "was shown as rising"."""
    events = (t for c in verb.children if c.lower_ == "as" for t in c.children if t.dep_ == "pcomp")
    return verb.lemma_.lower() in words("presenting") and any(t.pos_ in {"VERB", "AUX"} for t in events)


def _has_it(verb: Token) -> bool:
    """ "Legend has it that"."""
    return verb.lemma_ == "have" and any(c.lower_ == "it" and c.dep_ in {"dobj", "nsubj"} for c in verb.children)


def _said(pair: Pairing) -> str:
    root = predicate_of(pair.claim)
    return root.text if root is not None else pair.claim_text


def _speech(over: Token) -> str:
    """Who says, plans or asks it, and the word for that."""
    who = next((c for c in over.children if c.dep_ in {"nsubj", "nsubjpass"}), None)
    return f"{phrase(who, 6)} {over.text}" if who is not None else over.text


def _speaks_itself(verb: Token) -> bool:
    """The page's own authors speak: "we conclude that"; but what they assume or aim at is open."""
    by_us = any(c.dep_ == "nsubj" and c.lower_ in {"we", "i"} for c in verb.children)
    return by_us and verb.lemma_.lower() in words("own_findings")


def _source(token: Token) -> Token | None:
    """Whom "according to" or "in the view of" names, in the clause of ``token`` or one above it."""
    node: Token | None = clause_of(token)
    while node is not None:
        for child in node.children:
            if child.lower_ == "according":
                ends = [p for c in child.subtree if c.dep_ == "prep" for p in c.children if p.dep_ == "pobj"]
                return ends[0] if ends else child
            if child.dep_ == "prep" and child.lower_ in {"in", "by", "for", "to", "from"}:
                views = [t for t in child.children if t.dep_ == "pobj" and _is_view(t)]
                if views:
                    return views[0]
            if child.dep_ in {"ccomp", "parataxis"} and child.i > token.i and child.lemma_.lower() in words("saying"):
                return child
        node = clause_of(node.head) if node.head.i != node.i else None
    return None


def _reports(source: Token) -> bool:
    """Whether a source gives what it knows, and no view, rumour or doubtful paper."""
    lemma = source.lemma_.lower()
    if lemma in words("saying"):
        return lemma in words("reporting")
    doubted = any(c.lower_ in words("doubted") for c in source.children)
    return not (doubted or _is_view(source) or lemma in words("hearsay"))


def _is_view(noun: Token) -> bool:
    """Somebody's word or opinion, said whose: "the view of the owner"."""
    owned = any(c.dep_ in {"poss", "prep"} for c in noun.children)
    return owned and noun.lemma_.lower() in words("reporting_nouns")


def _is_finding(source: Token) -> bool:
    """Whether the source is a count or a measurement and nobody's word: "according to the census"."""
    doubted = any(c.lower_ in words("doubted") for c in source.children)
    return source.lemma_.lower() in words("findings") and not doubted


def _same_source(pair: Pairing, source: Token) -> bool:
    return all(pair.in_claim(t) for t in source.subtree if t.pos_ in {"PROPN", "NOUN"})


def _quoted(token: Token) -> bool:
    """Whether a token stands between quotation marks that hold a statement."""
    doc = token.doc
    opens = [i for i in range(token.i) if doc[i].text in _OPEN or doc[i].text in _CLOSED]
    if not opens or len(opens) % 2 == 0:
        return False
    start = opens[-1]
    end = next((i for i in range(token.i, len(doc)) if doc[i].text in _CLOSED | _OPEN), len(doc))
    return end - start - 1 > _LONGEST_WORD


def _attributes(pair: Pairing) -> bool:
    """Whether the claim itself tells of somebody's words."""
    return any(t.lemma_.lower() in words("saying") or t.lower_ == "according" for t in pair.claim.doc)


def only_conditional(pair: Pairing) -> Hit | None:
    """The claim's matter is a condition, hangs on one, or is asked."""
    main = pair.main
    if main is None or any(t.lower_ in {"if", "unless", "whether"} for t in pair.claim.doc):
        return None
    node = clause_of(main)
    seen = 0
    while seen < 8:
        mark = next((c for c in node.children if c.dep_ in {"mark", "advmod"} and c.lower_ in _CONDITIONS), None)
        if mark is not None and mark.lower_ in {"if", "unless", "whether", "lest", "supposing", "assuming"}:
            return Hit(_said(pair), mark.text)
        for child in node.children:
            if child.dep_ == "advcl" and any(c.lower_ in {"if", "unless"} for c in child.children if c.dep_ == "mark"):
                return Hit(_said(pair), phrase(child, 8))
        if node.head.i == node.i:
            break
        node, seen = clause_of(node.head), seen + 1
    if main.sent.text.rstrip().endswith("?") and not pair.claim_text.rstrip().endswith("?"):
        return Hit(_said(pair), "a question")
    return None


def only_possible(pair: Pairing) -> Hit | None:
    """The premise says that it may, will or should be, the claim that it is."""
    main = pair.main
    if main is None:
        return None
    own = {t.lower_ for t in pair.claim.doc}
    if any(t.lemma_ == "be" and t.i + 1 < len(t.doc) and t.nbor().lower_ == "to" for t in pair.claim.doc):
        own |= {"will", "shall"}
    verb = main if main.pos_ in {"VERB", "AUX"} else clause_of(main)
    for word in verb.children:
        if word.dep_ == "aux" and word.lower_ in _MODALS and word.lower_ not in own and not _same_modal(word, own):
            return Hit(_said(pair), f"{word.text} {verb.text}")
    return None


def told_in_fiction(pair: Pairing) -> Hit | None:
    """The claim's matter happens in a novel, a film, a dream, a game: "in the series, the mayor resigned"."""
    main = pair.main
    if main is None:
        return None
    node: Token | None = clause_of(main)
    while node is not None:
        for child in node.children:
            ends = [t for t in child.children if t.dep_ == "pobj"] if child.dep_ == "prep" else []
            ends += [t for end in ends for of in end.children if of.lower_ == "of" for t in of.children]
            if child.lower_ != "in":
                continue
            ends += [t for end in ends for t in end.children if t.dep_ in {"compound", "appos", "nmod", "amod"}]
            told = next((t for t in ends if t.lemma_.lower() in words("fiction") and not pair.in_claim(t)), None)
            if told is not None:
                return Hit(_said(pair), phrase(told, 6))
        node = clause_of(node.head) if node.head.i != node.i else None
    return None


def believed_at_the_end(pair: Pairing) -> Hit | None:
    """The premise takes its statement back at the end: "or so the tabloids say"."""
    for token in pair.premise.doc:
        if token.lower_ != "so" or token.i == 0 or token.nbor(-1).lower_ not in {"or", "so", "at"}:
            continue
        verb = next((t for t in token.doc[token.i :] if t.lemma_.lower() in words("saying")), None)
        if verb is not None and not _attributes(pair):
            return Hit(_said(pair), token.doc[token.i - 1 : verb.i + 1].text)
    return None


def _same_modal(word: Token, own: set[str]) -> bool:
    groups = (
        {"can", "could", "able", "ca"},
        {"will", "'ll", "wo", "would", "shall", "going"},
        {"may", "might", "could"},
    )
    return any(word.lower_ in group and own & group for group in groups)


RULES: tuple[Rule[Pairing], ...] = rules_of(
    {
        "assertion.told": only_claimed,
        "assertion.reported": reported,
        "assertion.condition": only_conditional,
        "assertion.fiction": told_in_fiction,
        "assertion.or_so": believed_at_the_end,
        "assertion.modal": only_possible,
    }
)
"""Rules on whether the matter is asserted."""
