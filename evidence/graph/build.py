"""From documents to a graph: sentences, parses, coreference and rules give triples, whose names are resolved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from evidence.graph.coreference import DISCOURSE_VERSION, Discourse
from evidence.graph.entity_resolution import NORMAL_VERSION, merge
from evidence.graph.openie import RULES_VERSION, Found, triples_of
from evidence.graph.types import BuildResult, DocumentTriples, GraphStore, Node, Triple
from evidence.segmentation.spans import SEGMENT_VERSION, spans_of
from evidence.types import Document, DocumentStore, Embedder, Span
from factdesk.kernel import ConfigError, Fingerprint, sha256_text

if TYPE_CHECKING:
    from spacy.language import Language


SPEAKS = "speak of"
"""Relation of a speaker with the subject of the saying."""
_LABEL = re.compile(r"^(?:[A-Z]{3,}(?: (?:AND|OF|THE|[A-Z]{3,}))*[:.]?\s+)(?=[A-Z][a-z]|\d|[A-Z] )")
"""Labels of parts of abstracts ("BACKGROUND AND PURPOSE There are …")."""
KNOWN = ("rules", "rebel:PATH_OR_ID")


class Extractor(Protocol):
    """Finds triples in documents."""

    @property
    def fingerprint(self) -> Fingerprint: ...

    def extract(self, document: Document) -> tuple[Triple, ...]:
        """Triples in the order of the text, from the document alone."""


def make_extractor(spec: str, nlp: Language, nlp_fingerprint: Fingerprint) -> Extractor:
    """The extractor of a spec; ``ConfigError`` for an unknown one, ``BackendUnavailable`` without its weights."""
    if spec == "rules":
        return RulesExtractor(nlp, nlp_fingerprint)
    name, _, place = spec.partition(":")
    if name == "rebel" and place:
        from evidence.graph.rebel import RebelExtractor

        return RebelExtractor(place)
    raise ConfigError(f"extractor {spec!r} is unknown; choose one of {', '.join(KNOWN)}")


@dataclass(frozen=True)
class RulesExtractor:
    """Dependency rules over spaCy; ``nlp`` needs a parser, a tagger and named entities."""

    nlp: Language
    nlp_fingerprint: Fingerprint

    @property
    def fingerprint(self) -> Fingerprint:
        """Versions of rules and pipeline."""
        parts = (RULES_VERSION, DISCOURSE_VERSION, NORMAL_VERSION, SEGMENT_VERSION, self.nlp_fingerprint.sha256)
        return Fingerprint(name="graph:rules", version=RULES_VERSION, sha256=sha256_text(repr(parts)))

    def extract(self, document: Document) -> tuple[Triple, ...]:
        """All triples of a document; sentences without a verb give none."""
        spans = [s for s in spans_of(document) if any(c.isalpha() for c in s.text)]
        # One batch a document: what a parse is like depends on the document alone.
        texts = [_LABEL.sub("", s.text) for s in spans]
        docs = list(self.nlp.pipe(texts, batch_size=max(1, len(spans))))
        discourse = Discourse.of(docs, document.doc_id)
        found: list[Triple] = []
        for span, doc in zip(spans, docs, strict=True):
            discourse.open(doc)
            found += dict.fromkeys(_triples(span, triples_of(doc), discourse))
        return tuple(found)


def _triples(span: Span, found: Sequence[Found], discourse: Discourse) -> Iterator[Triple]:
    for item in found:
        subject = discourse.node(item.subject)
        # The rules that say what something is look at the noun itself, not at the name beside it.
        target = discourse.plain(item.object) if item.relation == "be" else discourse.node(item.object)
        if subject is None or target is None or _empty(subject, item.relation, target):
            continue
        sayer = discourse.node(item.said_by) if item.said_by is not None else None
        said_by = sayer.text if sayer is not None else (item.said_by.text if item.said_by is not None else None)
        ends = {"subject": subject, "object": target, "relation": item.relation}
        yield Triple.taken_from(span, **ends, negated=item.negated, hedged=item.hedged, said_by=said_by)
        named = sayer is not None and sayer.kind in {"person", "organisation"} and subject.kind != "value"
        if sayer is not None and named and sayer.key != subject.key:
            yield Triple.taken_from(span, subject=sayer, relation=SPEAKS, object=subject)


def _empty(subject: Node, relation: str, target: Node) -> bool:
    """Whether both ends are the same, or one is a part of the other's name."""
    mine, other = set(subject.key.split()), set(target.key.split())
    return subject.key == target.key or (relation == "be" and (mine <= other or other <= mine))


IMPORTED = "import:"
"""Extractor of documents made of imported triples; they are not parsed."""
_BATCH = 50
Progress = Callable[[int, int], None]


def sync_graph(
    documents: DocumentStore,
    graphs: GraphStore,
    corpus: str,
    extractor: Extractor,
    embedder: Embedder | None,
    progress: Progress | None = None,
) -> BuildResult:
    """Bring the stored graph in step, the same for any order; a stopped build goes on from its last batch."""
    wanted = documents.document_hashes(corpus)
    known = graphs.graph_documents(corpus)
    print_ = extractor.fingerprint
    made_by = f"{print_.name} {print_.version} {print_.sha256 or ''}".strip()

    def current(doc_id: str, sha256: str) -> bool:
        row, maker = known.get(doc_id, ("", ""))
        return row == sha256 and (maker == made_by or maker.startswith(IMPORTED))

    stale = [doc_id for doc_id, sha256 in sorted(wanted.items()) if not current(doc_id, sha256)]
    removed = sorted(known.keys() - wanted.keys())
    for start in range(0, len(stale), _BATCH):
        batch = []
        for number, doc_id in enumerate(stale[start : start + _BATCH], start + 1):
            if (document := documents.get_document(corpus, doc_id)) is not None:
                triples = extractor.extract(document)
                row = DocumentTriples(doc_id=doc_id, row_sha256=wanted[doc_id], extractor=made_by, triples=triples)
                batch.append(row)
                if progress is not None:
                    progress(number, len(stale))
        graphs.put_triples(corpus, batch)
    if removed:
        graphs.put_triples(corpus, (), removed)
    triples = graphs.triples(corpus)
    entities = merge(triples, embedder)
    graphs.put_entities(corpus, entities)
    return BuildResult(
        corpus=corpus,
        documents=len(wanted),
        parsed=len(stale),
        removed=len(removed),
        triples=len(triples),
        entities=len(entities),
        merged=sum(len(e.keys) - 1 for e in entities),
    )
