"""What the rules of structure read: claim and premise, parsed and aligned word by word."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from language.lexicon import NUMBER_WORDS, STOPWORDS
from language.names import find_names, name_in, plain, stem
from language.nlp.relations import Relations, relations_of
from language.quantities.mentions import find_slots

if TYPE_CHECKING:
    from spacy.tokens import Token


_WORDY = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV"})
_LIGHT = frozenset({"be", "have", "do", "get", "make", "take", "give", "say", "go", "come"})
PRONOUNS = frozenset("he she they it him her them his its their who which that this these those we i you one".split())


class Pairing:
    """Claim and premise with their relations, and for each word of one its counterparts in the other."""

    def __init__(self, claim: str, premise: str, context: str = "") -> None:
        self.claim: Relations = relations_of(claim)
        self.premise: Relations = relations_of(premise)
        self.context = context
        self.claim_text = claim
        self.premise_text = premise

    @cached_property
    def _by_key(self) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for token in self.premise.doc:
            for key in keys_of(token):
                found.setdefault(key, set()).add(token.i)
        return {key: frozenset(tokens) for key, tokens in found.items()}

    def counterparts(self, token: Token) -> frozenset[int]:
        """Numbers of the premise's tokens with the same stem, lemma or number as ``token``."""
        return frozenset().union(*(self._by_key.get(key, frozenset()) for key in keys_of(token)))

    @cached_property
    def _claim_keys(self) -> frozenset[str]:
        return frozenset(key for token in self.claim.doc for key in keys_of(token))

    def in_claim(self, token: Token) -> bool:
        """Whether the claim has a counterpart of a token of the premise."""
        return bool(keys_of(token) & self._claim_keys)

    @cached_property
    def covered(self) -> frozenset[int]:
        """The premise's tokens that have a counterpart in the claim and carry meaning."""
        return frozenset(t.i for t in self.premise.doc if is_wordy(t) and self.in_claim(t))

    @cached_property
    def aligned(self) -> bool:
        """Whether ``main`` is the claim's own predicate, so that the two sentences are built alike."""
        root = predicate_of(self.claim)
        return root is not None and self.main is not None and self.main.i in self.counterparts(root)

    @cached_property
    def main(self) -> Token | None:
        """The premise's token that asserts the claim's main statement: the counterpart of its predicate, else
        the verb over most of its words; ``None`` where nothing is shared.
        """
        root = predicate_of(self.claim)
        own = [self.premise.doc[i] for i in sorted(self.counterparts(root))] if root is not None else []
        own = [t for t in own if t.pos_ in {"VERB", "ADJ", "NOUN", "PROPN", "AUX"}]
        if own:
            return max(own, key=lambda t: (len(self.covered & _under(t)), -t.i))
        verbs = [t for t in self.premise.doc if t.pos_ in {"VERB", "AUX"} and t.dep_ not in {"aux", "auxpass"}]
        scored = [(len(self.covered & _under(t)), -len(_under(t)), -t.i, t.i) for t in verbs]
        best = max((s for s in scored if s[0]), default=None)
        return self.premise.doc[best[3]] if best else None


def keys_of(token: Token) -> frozenset[str]:
    """What a token is compared by: stem, lemma and number. Empty for words that carry no meaning."""
    word = plain(token.text).strip(".'’")
    if not word or token.is_punct:
        return frozenset()
    if token.tag_ == "JJ" and token.like_num:
        return frozenset({f"th{stem(word)}"})
    if token.like_num or word[0].isdigit() or word in NUMBER_WORDS:
        values = {f"#{slot.value}" for slot in find_slots(token.text) if slot.value}
        return frozenset(values | {f"#{word.replace(',', '')}"})
    if word in STOPWORDS and token.pos_ not in {"PROPN", "NOUN", "VERB", "NUM"}:
        return frozenset()
    return frozenset({stem(word), stem(plain(token.lemma_))})


def is_wordy(token: Token) -> bool:
    """Whether a token carries meaning of its own."""
    return token.pos_ == "PROPN" or token.like_num or (token.pos_ in _WORDY and not token.is_stop)


def is_figure(token: Token) -> bool:
    """Whether a token is a number or has digits."""
    return token.like_num or any(c.isdigit() for c in token.text)


def is_denominator(token: Token) -> bool:
    """Whether a word begins the denominator of a rate: "every 1,000 people", "each thousand"."""
    behind = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else token
    return token.lower_ in {"every", "each"} and behind.like_num and behind.tag_ == "CD"


def predicate_of(relations: Relations) -> Token | None:
    """What a claim mainly says: its main verb, or the complement of a copula."""
    roots = [t for t in relations.doc if t.head.i == t.i]
    if not roots:
        return None
    root = roots[0]
    if root.lemma_ in {"be", "become", "remain", "seem"}:
        for child in root.children:
            if child.dep_ in {"attr", "acomp", "oprd"}:
                return child
        for child in root.children:
            if child.dep_ == "prep":
                return next((t for t in child.children if t.dep_ == "pobj"), root)
    return root


def _under(token: Token) -> frozenset[int]:
    return frozenset(t.i for t in token.subtree) | {token.i}


def is_pronoun(token: Token) -> bool:
    """Whether a token stands for something named elsewhere."""
    return token.pos_ == "PRON" or token.lower_ in PRONOUNS


def phrase(token: Token, most: int = 12) -> str:
    """The words of a token's noun phrase, for a message."""
    words = [t for t in token.subtree if t.dep_ not in {"relcl", "punct"}][:most]
    return token.doc[words[0].i : words[-1].i + 1].text if words else token.text


def is_other_form(pair: Pairing, mine: Token, theirs: Token) -> bool:
    """Whether a name of the premise is another form of the claim's: its initials, "St" for "Saint"."""
    names = (n for n in find_names(pair.claim_text) if n.start <= mine.idx < n.end)
    return any(name_in(name, phrase(theirs)) for name in names)


def surface_subject(token: Token) -> Token | None:
    """The grammatical subject of a token's clause; shared subjects and copulas included."""
    node = token
    for _ in range(8):
        own = [c for c in node.children if c.dep_ in {"nsubj", "nsubjpass", "csubj"}]
        if own:
            return next((c for c in own if not _is_label(c, node)), own[0])
        if node.head.i == node.i or node.dep_ in {"advcl", "ccomp"}:
            return None
        if node.dep_ in {"relcl", "acl", "amod", "appos"}:
            return node.head
        node = node.head
    return None


def _is_label(subject: Token, verb: Token) -> bool:
    """Whether a colon parts it from the verb: "Police release: 900 people came" says nothing of a release."""
    return any(t.text == ":" for t in verb.doc[subject.i : verb.i])
