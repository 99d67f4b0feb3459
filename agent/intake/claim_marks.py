"""A claim written out from its draft, with fields, type and marks: what it names, why documents could not settle it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.intake.draft_claims import Draft, attribution_of, noun_text, source_token
from agent.intake.image_claims import (
    framed_statement,
    image_aspect,
    is_about_image,
    pictured_from,
    pictured_place,
    shown_scene,
)
from agent.intake.input_text import Block
from agent.intake.lexicon import EXPRESSIONS, WORDS
from agent.types import AtomicClaim, ClaimType, Field, FieldRole
from evidence.types import Place
from language.nlp.pipeline import parse
from language.nlp.syntax import AUXILIARIES, NOMINAL, TIMES, VERBAL, dependents, has, subject_of
from language.nlp.tense import FUTURE_MODALS
from language.quantities.mentions import find_slots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spacy.tokens import Doc, Token


_FIRST = frozenset({"i", "we"})


def write_claim(
    claim_id: str, block: Block, draft: Draft, input_text: str, max_tokens: int, has_image: bool
) -> AtomicClaim:
    """A claim written out, parsed again and marked; parameters as in ``compile_claims``."""
    text = draft.text()
    doc = parse(text)
    root = max(doc.sents, key=lambda s: (len(s), -s.start)).root
    start, end = _place(block, draft)
    about_image = has_image and is_about_image(text)
    aspect = image_aspect(text) if about_image else None
    statement = framed_statement(text) if about_image else None
    if aspect == "scene":
        statement = statement or shown_scene(text)
    attribution = None if about_image else attribution_of(root) or trailing_attribution(text)
    fields = find_fields(doc, root)
    unsupported = unsupported_reason(doc, root, attribution)
    if unsupported is None and draft.open_pronoun is not None and not has_image:
        unsupported = f"It is not clear what {draft.open_pronoun!r} stands for."
    if unsupported is None and len(doc) > max_tokens:
        unsupported = f"The claim has {len(doc)} tokens, more than the {max_tokens} allowed; give shorter sentences."
    return AtomicClaim(
        claim_id=claim_id,
        text=text,
        start=start,
        end=end,
        source=input_text[start:end],
        type=claim_type(root, fields, attribution, about_image),
        fields=fields,
        hedged=is_hedged(doc, root),
        attribution=attribution,
        about_image=about_image,
        statement=statement,
        image_aspect=aspect,
        pictured_from=pictured_from(text) if aspect == "scene" else None,
        pictured_place=_place_of(text) if aspect == "scene" else None,
        evidence_candidates=evidence_queries(doc, text, fields),
        unsupported_by_design=unsupported,
    )


def _place_of(text: str) -> Place | None:
    found = pictured_place(text)
    if found is None:
        return None
    from evidence.images.places import scene_place

    return scene_place(found)


def _place(block: Block, draft: Draft) -> tuple[int, int]:
    """Range of the draft in the input: from the first to the last of its words."""
    found = (source_token(draft.doc, i) for i in draft.own)
    tokens = sorted((t for t in found if t is not None), key=lambda t: t.i)
    while len(tokens) > 1 and _joins(tokens[-1]):
        tokens.pop()
    while len(tokens) > 1 and _joins(tokens[0]):
        tokens.pop(0)
    return block.place(tokens[0].idx, tokens[-1].idx + len(tokens[-1].text))


def _joins(token: Token) -> bool:
    """Whether it is a comma or conjunction at the edge of a source; "nor" is not."""
    return token.text in {",", ";", ":"} or (token.dep_ == "cc" and token.lower_ != "nor")


def trailing_attribution(text: str) -> str | None:
    """The speaker named at the end ("..., the city said."), where the parse misses it."""
    match = EXPRESSIONS["trailing_speaker"].search(text)
    if match is None or WORDS["no_sayer"] & set(match.group(1).lower().split()):
        return None
    return match.group(1)


def is_hedged(tokens: Iterable[Token], root: Token) -> bool:
    """Whether a claim states only a possibility."""
    ruling = {root, *dependents(root, "conj", "ccomp")}
    for token in tokens:
        lowered = token.lower_
        if lowered in {"may", "might", "could"}:
            if token.tag_ == "MD" and token.head in ruling:
                return True
            continue
        compared = token.i > 0 and token.nbor(-1).lower_ in {"more", "less", "as", "most", "least", "equally"}
        if lowered in WORDS["hedges"] and not (lowered in {"likely", "unlikely"} and compared):
            return True
        if token not in ruling:
            continue
        roles = {c.dep_ for c in token.children}
        if lowered in WORDS["hedge_passives"] and "auxpass" in roles and roles & {"xcomp", "ccomp"}:
            return True
        if token.lemma_.lower() in WORDS["hedge_lemmas"] and has(token, "xcomp", "oprd"):
            return True
    return False


def unsupported_reason(doc: Doc, root: Token, attribution: str | None) -> str | None:
    """Why no document could support it, or ``None``; attributed claims are always checkable."""
    if _is_question(doc, root):
        return "A question states nothing that could be checked."
    if attribution is not None:
        return None
    dated = EXPRESSIONS["dated"].search(doc.text) is not None
    reasons = {
        "An order or request states nothing that could be checked.": _is_imperative(root),
        "A personal opinion cannot be supported by documents.": _is_opinion(doc, root),
        "It says what ought to be, which is a value judgement.": not dated
        and has(root, *AUXILIARIES, words=WORDS["normative"]),
        "A value judgement cannot be supported by documents.": _is_judgement(root),
        "A prediction about the future cannot be checked yet.": _is_prediction(doc, root, dated),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _is_question(doc: Doc, root: Token) -> bool:
    if doc.text.rstrip(" \"'”’)").endswith("?"):
        return True
    first = doc[0]
    inverted = first.dep_ in AUXILIARIES and first.tag_ != "TO" and has(root, "nsubj")
    if inverted and first.ent_type_ == "" and first.lower_ in WORDS["asking"]:
        return True
    asks = first.lower_ in WORDS["asking"] - {"could", "should"} and first.i == root.i
    subject = subject_of(root)
    return asks and subject is not None and subject.i > root.i


def _is_imperative(root: Token) -> bool:
    if root.tag_ != "VB" or subject_of(root) is not None or root.pos_ not in VERBAL:
        return False
    if any(c.dep_ in AUXILIARIES and c.lower_ not in {"do", "don't", "let"} for c in root.children):
        return False
    polite = {"do", "not", "please", "never", "always"}
    return all(t.lower_ in polite for t in root.doc[: root.i] if t.is_alpha)


def _is_opinion(doc: Doc, root: Token) -> bool:
    if EXPRESSIONS["opinion"].search(doc.text):
        return True
    subject = subject_of(root)
    return subject is not None and subject.lower_ in _FIRST and root.lemma_.lower() in WORDS["opinion_lemmas"]


def _is_judgement(root: Token) -> bool:
    """Whether a copula has an evaluative predicate ("is the best actor")."""
    if root.lemma_.lower() not in {"be", "become", "look", "seem", "taste", "remain"}:
        return False
    for child in root.children:
        if child.dep_ == "acomp" and child.lower_ in WORDS["evaluative"]:
            if EXPRESSIONS["than_thought"].match(child.doc.text[child.idx :]):
                return False
            return not any(c.dep_ == "prep" and c.lower_ in {"at", "for"} for c in child.children)
        if child.dep_ == "attr":
            return _judges(child)
    return False


def _judges(noun: Token) -> bool:
    nodes = [t for t in noun.subtree if t.head == noun or t == noun or t.head.dep_ == "amod"]
    for token in nodes:
        following = token.doc[token.i + 1].text if token.i + 1 < len(token.doc) else ""
        compound = following == "-" or following.lower() in {"known", "selling", "seller", "sellers"}
        if token.lower_ in WORDS["evaluative"] and not compound and not token.ent_type_:
            return token.dep_ in {"amod", "attr"} or token is noun
    return False


def _is_prediction(doc: Doc, root: Token, dated: bool) -> bool:
    """Whether it is a forecast, not an announced plan."""
    future = any(c.lower_ in FUTURE_MODALS and c.tag_ == "MD" for c in dependents(root, "aux"))
    going = root.lower_ == "going" and has(root, "xcomp")
    if not (future or going):
        return False
    ruling = [root, *dependents(root, "xcomp")]
    planned = {verb.lemma_.lower() for verb in ruling}
    named = any(t.pos_ == "PROPN" and t.ent_type_ not in TIMES for t in doc)
    decided = any(has(verb, "auxpass") for verb in ruling)  # "will be renamed"
    announced = named and (dated or decided or any(t.like_num for t in doc))
    announced = announced and not planned & WORDS["forecast_lemmas"]
    return not (announced or (dated and planned & WORDS["scheduled_lemmas"]))


_ENTITY_ROLES: dict[str, FieldRole] = {
    **{"PERSON": "person", "ORG": "organisation", "GPE": "place", "LOC": "place", "FAC": "place"},
    **dict.fromkeys(("NORP", "EVENT", "PRODUCT", "WORK_OF_ART", "LAW"), "other"),
}
_MAX_QUERY = 300


def find_fields(doc: Doc, root: Token) -> tuple[Field, ...]:
    """Subject, predicate, object, names, numbers and dates with their places in the text."""
    names = [(_ENTITY_ROLES[e.label_], e) for e in doc.ents if e.label_ in _ENTITY_ROLES]
    found = [*_grammar(root), *(_field(role, e.text, e.text, e.start_char) for role, e in names), *_numbers(doc.text)]
    return tuple(sorted(set(found), key=lambda f: (f.start, f.end, f.role, f.value)))


def _grammar(root: Token) -> Iterator[Field]:
    subject = subject_of(root)
    if subject is not None and subject.dep_ != "expl":
        yield _of_phrase("subject", subject)
    if root.pos_ in VERBAL:
        yield _field("predicate", root.text, root.lemma_.lower() or root.text, root.idx)
    for child in dependents(root, "dobj", "attr", "acomp", "oprd", "dative"):
        if child.i > root.i:
            yield _of_phrase("object", child)


def _of_phrase(role: FieldRole, token: Token) -> Field:
    """A phrase as it stands in the text; ``value`` is without asides."""
    phrase = token.doc[token.left_edge.i : token.right_edge.i + 1]
    text = phrase.text.rstrip(" ,;:")
    return _field(role, text, noun_text(token) or text, phrase.start_char)


def _field(role: FieldRole, text: str, value: str, start: int) -> Field:
    return Field(role=role, text=text, value=value, start=start, end=start + len(text))


def _numbers(text: str) -> Iterator[Field]:
    for slot in find_slots(text):
        role: FieldRole = "date" if slot.kind == "date" else "number"
        yield _field(role, slot.text, slot.value, slot.start)
        if unit := slot.unit or ("percent" if slot.kind == "percentage" else ""):
            yield _field("unit", slot.text, unit, slot.start)


def claim_type(root: Token, fields: tuple[Field, ...], attribution: str | None, about_image: bool) -> ClaimType:
    """The type of a claim, by its most specific sign."""
    roles = [f.role for f in fields]
    if about_image:
        return "image"
    if attribution is not None:
        return "quote"
    if "number" in roles:
        return "quantity"
    if "date" in roles:
        return "date"
    if root.lemma_.lower() == "be":
        return "relation" if any(has(a, "prep") for a in dependents(root, "attr")) else "property"
    if root.pos_ not in VERBAL:
        return "other"
    names = {f.text for f in fields if f.role in {"person", "organisation", "place"}}
    return "relation" if root.tag_ in {"VBZ", "VBP"} and len(names) >= 2 else "event"


def evidence_queries(doc: Doc, text: str, fields: tuple[Field, ...]) -> tuple[str, ...]:
    """Two to four queries: the claim, names with nouns, names with slots, key words."""
    names = _unique(f.text for f in fields if f.role in {"person", "organisation", "place", "other"})
    nouns = _unique(t.text for t in doc if t.pos_ in NOMINAL and not t.ent_type_)
    slots = _unique(f.text for f in fields if f.role in {"number", "date"})
    content = _unique(
        t.text for t in doc if t.pos_ in {"NOUN", "PROPN", "VERB", "ADJ", "NUM"} and (t.is_alpha or t.like_num)
    )
    with_slots = [*(names or nouns[:3]), *slots[:3]] if slots else []
    queries = (text, *(" ".join(words) for words in ([*names, *nouns[:4]], with_slots, content)))
    return tuple(_unique(query.strip()[:_MAX_QUERY].rstrip() for query in queries if query.strip())[:4])


def _unique(values: Iterable[str]) -> list[str]:
    """Without those that differ in capitals or a final stop alone."""
    seen: dict[str, str] = {}
    for value in values:
        seen.setdefault(value.lower().rstrip("."), value)
    return list(seen.values())
