"""Entity resolution: by id, normal form, alias, or by vectors where the words allow it.

Two names may be joined by vectors (``MIN_COSINE``) if they differ in one word only, neither has a number
or direction that the other lacks, and neither is a person.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

import numpy as np

from evidence.graph.types import Entity, Node, NodeKind, Triple
from evidence.types import Embedder
from factdesk.kernel import sha256_text
from language.wordlists import word_classes

_WORDS = word_classes("evidence.graph")

T = TypeVar("T")
MIN_COSINE = 0.90
MAX_BLOCK = 60
"""Most names that share a word and are compared."""


def grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Values by key, in order."""
    found: dict[str, list[T]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return {key: tuple(values) for key, values in found.items()}


Names = dict[str, tuple[Node, ...]]
"""The nodes of each key."""


def merge(triples: Iterable[Triple], embedder: Embedder | None = None) -> tuple[Entity, ...]:
    """Join the ends of all triples into entities, independent of their order."""
    from scipy.cluster.hierarchy import DisjointSet

    names = grouped((node.key, node) for triple in triples for node in (triple.subject, triple.object))
    sets = DisjointSet(sorted(names))
    ids = {key: _ids(nodes) for key, nodes in names.items()}
    for a, b in [*_by_id(names), *_by_alias(names), *_by_vector(names, embedder)]:
        together = ids[sets[a]] | ids[sets[b]]
        # Two ids of an imported graph are two entities, whatever they are called.
        if len(together) <= 1 and sets.merge(a, b):
            ids[sets[a]] = together
    entities = (_entity(sorted(keys), names) for keys in sets.subsets())
    return tuple(sorted(entities, key=lambda e: e.entity_id))


def _kind_of(nodes: Iterable[Node]) -> NodeKind:
    """The most frequent kind, ``thing`` last."""
    kinds = Counter(node.kind for node in nodes)
    return min(kinds, key=lambda k: (k == "thing", -kinds[k], k))


def _ids(nodes: Iterable[Node]) -> set[str]:
    return {node.external_id for node in nodes if node.external_id}


def _entity(keys: list[str], names: Names) -> Entity:
    nodes = [node for key in keys for node in names[key]]
    texts = Counter(node.text for node in nodes)
    name = min(texts, key=lambda t: (-texts[t], -len(t), t))
    return Entity(
        entity_id=min(_ids(nodes), default=f"e:{sha256_text(keys[0])[:16]}"),
        name=name,
        kind=_kind_of(nodes),
        keys=tuple(keys),
        aliases=tuple(sorted(set(texts) - {name})),
        description=max((node.description for node in nodes), key=lambda d: (len(d), d)),
        mentions=texts.total(),
    )


def _by_id(names: Names) -> list[tuple[str, str]]:
    owners = grouped((one, key) for key in sorted(names) for one in _ids(names[key]))
    return [(keys[0], other) for _, keys in sorted(owners.items()) for other in keys[1:]]


def _by_alias(names: Names) -> list[tuple[str, str]]:
    """Joins an acronym with the one name of these initials."""
    named = [key for key in sorted(names) if _kind_of(names[key]) != "value"]
    full = grouped((acronym_of(tuple(key.split())), key) for key in named)
    pairs = []
    for key in sorted(names):
        capital = any(node.text.replace(".", "").isupper() for node in names[key])
        if capital and 3 <= len(key) <= 6 and len(full.get(key, ())) == 1:
            pairs.append((full[key][0], key))
    return pairs


def _by_vector(names: Names, embedder: Embedder | None) -> list[tuple[str, str]]:
    if embedder is None:
        return []
    long = [k for k in sorted(names) if _kind_of(names[k]) not in {"value", "person"} and " " in k]
    blocks = grouped((word, key) for key in long for word in set(key.split()) if len(word) > 3)
    small = (block for block in blocks.values() if len(block) <= MAX_BLOCK)
    pairs = {(a, b) for block in small for a, b in combinations(block, 2) if may_be_one(a.split(), b.split())}
    if not (candidates := sorted(pairs)):
        return []
    wanted = sorted({key for pair in candidates for key in pair})
    vectors = embedder.embed([Counter(node.text for node in names[key]).most_common(1)[0][0] for key in wanted])
    of_key = dict(zip(wanted, vectors, strict=True))
    return [(a, b) for a, b in candidates if float(np.dot(of_key[a], of_key[b])) >= MIN_COSINE]


def may_be_one(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two names' words allow that they are one entity."""
    mine, other = Counter(a), Counter(b)
    extra = [*(mine - other).elements(), *(other - mine).elements()]
    if any(w.isdigit() or any(c.isdigit() for c in w) or w in _WORDS["telling_apart"] for w in extra):
        return False
    if a[-1] != b[-1] and not _spelt_alike(a[-1], b[-1]):
        return False
    if not extra or not (mine - other) or not (other - mine):
        return len(extra) <= 1
    return len(extra) == 2 and _spelt_alike(*extra)


def _spelt_alike(a: str, b: str) -> bool:
    return min(len(a), len(b)) >= 6 and SequenceMatcher(None, a, b, autojunk=False).ratio() >= 0.85


NORMAL_VERSION = "1"
MAX_KEY = 160
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|these|those|its|their|his|her|our|some)\s+(?=\S)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_INITIAL = re.compile(r"^[a-z]\.?$")
_TOKEN = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*|[%£$€]", re.UNICODE)


def shown(text: str) -> str:
    """A name for display: without article, possessive, quotes and edge punctuation."""
    text = re.sub(r"\s+", " ", text).strip(" \t\"'“”‘’.,;:()[]–—-")
    text = _ARTICLE.sub("", text)
    return _POSSESSIVE.sub("", text).strip()


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """Words of a name in lower case, without accents and points."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'"))
    plain = "".join(c for c in folded if not unicodedata.combining(c)).casefold()
    return tuple(_POSSESSIVE.sub("", m[0]).replace(".", "") or m[0] for m in _TOKEN.finditer(plain))


@lru_cache(maxsize=65536)
def key_of(text: str, kind: NodeKind = "thing") -> str:
    """The normal form of a name, without titles and legal forms; may be empty. Values keep their signs ("6.2", "%")."""
    if kind == "value":
        return " ".join(re.sub(r"[^\w.,%£$€:/-]+", " ", shown(text).casefold()).split())[:MAX_KEY]
    words = list(words_of(shown(text)))
    if kind == "person":
        while len(words) > 1 and words[0] in _WORDS["titles"]:
            words.pop(0)
        if len(words) > 2:
            words = [w for i, w in enumerate(words) if not (0 < i < len(words) - 1 and _INITIAL.match(w))]
    if kind == "organisation":
        while len(words) > 1 and words[-1] in _WORDS["legal_forms"]:
            words.pop()
    return " ".join(words)[:MAX_KEY]


def acronym_of(words: tuple[str, ...]) -> str:
    """Initials of a name's content words, if three or more; otherwise ``""``."""
    telling = [w for w in words if w not in {"of", "the", "and", "for", "in", "on", "de", "du", "la"}]
    return "".join(w[0] for w in telling) if len(telling) >= 3 else ""
