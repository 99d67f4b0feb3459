"""Compiling a text into Claim IR: sentences, splits, pronouns, marks and fields, by rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.intake.asides import cut_aside, split_asides
from agent.intake.claim_marks import trailing_attribution, write_claim
from agent.intake.clause_splitting import cut_clauses, split_clauses
from agent.intake.coordination import split_phrases
from agent.intake.draft_claims import Draft, attribution_of, balanced, noun_text, parsed
from agent.intake.image_claims import is_about_image
from agent.intake.input_text import Block, check_text, read_blocks
from agent.intake.lexicon import EXPRESSIONS
from agent.intake.pronouns import refers_outside, resolve, resolve_rest
from agent.types import ClaimIR
from factdesk.kernel import CLAIM_IR_SCHEMA, ConfigError, InputError
from language.nlp.coreference import PERSONAL, Mention, find_mentions
from language.nlp.delegation import answerable
from language.nlp.pipeline import load_nlp, parse
from language.nlp.syntax import VERBAL, subject_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

Splitter = Callable[["Span"], list["Span"]]
"""Cuts a sentence into parts that were parsed again (``draft_claims.parsed``); empty: it stays whole."""
MAX_CLAIMS = 12


@answerable
def compile_claims(
    text: str, *, max_claims: int = MAX_CLAIMS, max_tokens: int = 60, has_image: bool = False
) -> ClaimIR:
    """Turn a text into atomic claims in order; ``input_text[start:end] == source`` for each.

    ``max_claims`` is 1 to 12 (more are cut and counted), ``max_tokens`` 5 to 400 (longer claims are
    marked as not checkable), ``has_image``: pictures came with the text. Raises ``InputError`` for a text
    without words or over 20,000 characters.
    """
    if not 1 <= max_claims <= MAX_CLAIMS:
        raise ConfigError(f"max_claims is {max_claims!r}; give a number from 1 to {MAX_CLAIMS}")
    if not 5 <= max_tokens <= 400:
        raise ConfigError(f"max_tokens is {max_tokens!r}; give a number from 5 to 400")
    check_text(text)
    blocks = read_blocks(text)
    if not blocks:
        raise InputError(f"the claim {text[:40]!r} has no words; give a sentence that can be checked")
    found = find_claims(blocks, has_image=has_image)
    kept = found[:max_claims]
    claims = tuple(
        write_claim(f"c{i}", block, draft, text, max_tokens, has_image)
        for i, (block, draft) in enumerate(kept, start=1)
    )
    return ClaimIR(schema_version=CLAIM_IR_SCHEMA, input_text=text, claims=claims, trimmed=len(found) - len(kept))


def find_claims(
    blocks: Sequence[Block],
    *,
    has_image: bool = False,
    reach: int | None = None,
    running: bool = False,
    finer: Splitter | None = None,
) -> list[tuple[Block, Draft]]:
    """All claims of some paragraphs, in order, as drafts.

    ``reach``: sentences of its paragraph that a pronoun may refer back (``None``: all). ``running``:
    across paragraphs, and with every other pronoun resolved too (``resolve_rest``). ``finer``: cuts further
    where the rules here find nothing to cut.
    """
    docs = tuple(load_nlp()(block.text) for block in blocks)
    mentions = find_mentions(docs, noun_text)
    found: list[tuple[Block, Draft]] = []
    starts: list[tuple[int, int]] = []
    for number, (block, doc) in enumerate(zip(blocks, docs, strict=True)):
        starts = starts if running else []
        for tokens in _sentences(doc):
            starts.append((number, tokens.start))
            first = (0, 0) if reach is None else starts[max(0, len(starts) - 1 - reach)]
            people = running and any(t.lower_ in PERSONAL for t in tokens)
            seen = [m for m in mentions if first <= (m.block, m.index) or (people and m.kind == "person")]
            seen = [m for m in seen if (m.block, m.index) < (number, tokens.end)]
            claims = _decompose(tokens, number, seen, has_image, finer)
            found.extend((block, resolve_rest(c, number, seen) if running else c) for c in claims)
    return found


def _sentences(doc: Doc) -> list[Span]:
    """Sentences with words; those cut without an end mark are joined again."""
    spans: list[Span] = []
    for sentence in doc.sents:
        wordless = not any(t.is_alpha or t.like_num for t in sentence)
        if spans and (wordless or not EXPRESSIONS["ended"].search(spans[-1].text)):
            spans[-1] = doc[spans[-1].start : sentence.end]
        else:
            spans.append(sentence)
    return [s for s in spans if any(c.isalnum() for c in s.text)]


def _whole(sentence: Span) -> Draft:
    subject = subject_of(sentence.root)
    words = {t.i: t.text for t in sentence}
    return Draft(sentence.doc, words, sentence.root.i, subject.i if subject else None, frozenset(words))


def _decompose(
    sentence: Span, block: int, mentions: Sequence[Mention], has_image: bool, finer: Splitter | None
) -> list[Draft]:
    """The finest safe split of a sentence with pronouns resolved, else the sentence itself."""
    whole = _whole(sentence)
    alone = [resolve(whole, block, mentions)]
    if not _splittable(sentence, has_image):
        return alone
    drafts = _split(whole, sentence, finer)
    if len(drafts) == 1:
        return alone
    resolved = [resolve(d, block, mentions) for d in drafts]
    if any(r.open_pronoun is not None for r in resolved[1:]) and alone[0].open_pronoun is None:
        return alone
    if any(text.lower() == "it" for d in resolved[1:] for index, text in d.words.items() if index == d.subject):
        return alone
    if any(refers_outside(d) for d in drafts) and len({(id(d.doc), d.head) for d in drafts}) > 1:
        return alone
    return resolved


def _split(whole: Draft, sentence: Span, finer: Splitter | None) -> list[Draft]:
    """Drafts of a sentence by its own parse, else by parts parsed again, else itself."""
    parts = cut_aside(sentence)
    if not parts:
        drafts = [
            phrase for part in split_asides(whole) for clause in split_clauses(part) for phrase in split_phrases(clause)
        ]
        if len(drafts) > 1 and _keeps_everything(whole, drafts) and all(_tells(d) for d in drafts):
            return [d for draft in drafts for d in _refined(draft, finer)]
        parts = cut_clauses(sentence) or (finer(sentence) if finer else [])
    if not parts:
        return [whole]
    return [d for part in parts for d in _split(replace(_whole(part), whole=False), part, finer)]


def _refined(draft: Draft, finer: Splitter | None) -> list[Draft]:
    """A draft cut further, where there is a finer rule that cuts it."""
    if finer is None:
        return [draft]
    words = [(text, draft.doc[index] if index in draft.own else None) for index, text in draft.words.items()]
    parts = finer(parsed(words)) if words else []
    return [replace(_whole(part), whole=False) for part in parts] or [draft]


def _tells(draft: Draft) -> bool:
    """Whether its quotes and brackets close and it has a verb at its root, once written out."""
    text = draft.text()
    return balanced(text) and any(s.root.pos_ in VERBAL for s in parse(text).sents)


def _splittable(sentence: Span, has_image: bool) -> bool:
    if not balanced(sentence.text) or sentence.text.rstrip().endswith("?"):
        return False
    if has_image and is_about_image(sentence.text):
        return False
    if sum(1 for t in sentence if t.head == t or t.head.i not in range(sentence.start, sentence.end)) != 1:
        return False
    return attribution_of(sentence.root) is None and trailing_attribution(sentence.text) is None


def _keeps_everything(whole: Draft, drafts: list[Draft]) -> bool:
    """Whether no content word is lost, above all no negation or number."""
    covered = {i for d in drafts for i in (*d.words, *d.own)}
    linking = {"cc", "preconj", "punct"}
    lost = [whole.doc[i] for i in whole.words.keys() - covered]
    if any(t.dep_ == "neg" or t.like_num for t in lost):
        return False
    return all(t.dep_ in linking or not t.is_alpha or t.lower_ == "both" for t in lost)
