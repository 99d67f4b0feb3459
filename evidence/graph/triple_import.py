"""Triples from files become documents with one sentence a triple, so that they can be evidence.

Formats: TSV (``subject TAB relation TAB object``, optional description), N-Triples (``.nt``), Wikidata
JSON (``.json``, ``.jsonl``); labels come from the same file, else the id stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from evidence.graph.build import IMPORTED
from evidence.graph.entity_graph import IMPORTED_DOCUMENT, sentence_of
from evidence.graph.entity_resolution import grouped, key_of, shown
from evidence.graph.types import DocumentTriples, Node, NodeKind, Triple
from evidence.segmentation.spans import spans_of
from evidence.types import Document
from factdesk.kernel import InputError, Record, sha256_text

FORMATS = ("tsv", "nt", "wikidata")
_SUFFIXES = {".tsv": "tsv", ".txt": "tsv", ".nt": "nt", ".json": "wikidata", ".jsonl": "wikidata"}
_RDFS, _SCHEMA = "http://www.w3.org/2000/01/rdf-schema#", "http://schema.org/"
_LABELS = frozenset({f"{_RDFS}label", f"{_SCHEMA}name", "http://www.w3.org/2004/02/skos/core#prefLabel"})
_DESCRIPTIONS = frozenset({f"{_SCHEMA}description", f"{_RDFS}comment"})
_DAY = re.compile(r"([+-]?)(\d{4,})-(\d\d)-(\d\d)")


class Statement(Record):
    """One imported triple without a sentence."""

    subject: Node
    relation: str
    object: Node


def read_statements(path: Path, format_: str | None = None) -> tuple[Statement, ...]:
    """The triples of a file, each once, in order. Raises ``InputError`` where it is unreadable or has none."""
    chosen = format_ or _SUFFIXES.get(path.suffix.lower())
    if chosen not in FORMATS:
        raise InputError(f"the format of {path.name!r} cannot be told; give one of {', '.join(FORMATS)}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    readers = {"tsv": _tsv, "nt": _ntriples, "wikidata": _wikidata}
    found = tuple(dict.fromkeys(readers[chosen](data, path.name)))
    if not found:
        raise InputError(f"{path.name!r} holds no triples ({chosen})")
    return found


def documents_of(
    statements: Iterable[Statement], source: str, day: date | None = None
) -> tuple[tuple[Document, DocumentTriples], ...]:
    """A document for each subject, with its sentences and their triples.

    ``source`` names the graph; ids are ``"graph/<source>/<subject>"``. ``row_sha256`` is set by the
    store.
    """
    by_subject = grouped((row.subject.external_id or row.subject.key, row) for row in statements)
    return tuple(_document(key, rows, source, day) for key, rows in sorted(by_subject.items()))


def _document(key: str, rows: Sequence[Statement], source: str, day: date | None) -> tuple[Document, DocumentTriples]:
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", key.rsplit("/", 1)[-1])[:80] or "node"
    doc_id = f"{IMPORTED_DOCUMENT}{source}/{name}"
    if not re.fullmatch(r"[A-Za-z0-9._-]+", key):
        doc_id += f"-{sha256_text(key)[:8]}"
    lines = [sentence_of(row.subject.text, row.relation, row.object.text) for row in rows]
    text = "\n\n".join(lines)
    document = Document(
        doc_id=doc_id,
        title=rows[0].subject.text,
        text=text,
        sha256=sha256_text(text),
        publisher=source,
        retrieved=day,
        source=f"graph:{source}",
    )
    spans, triples, at = spans_of(document), [], 0
    for line, row in zip(lines, rows, strict=True):
        span = next(s for s in reversed(spans) if s.start <= at)
        triples.append(Triple.taken_from(span, **dict(row)))
        at += len(line) + 2
    made_by = f"{IMPORTED}{source}"
    return document, DocumentTriples(doc_id=doc_id, row_sha256="", extractor=made_by, triples=tuple(triples))


def _node(text: str, kind: NodeKind = "thing", external_id: str | None = None, description: str = "") -> Node | None:
    text = shown(text)
    key = key_of(text, kind)
    if not key:
        return None
    return Node(text=text[:160], key=key, kind=kind, external_id=external_id, description=description[:300])


def _literal(text: str) -> NodeKind:
    """Kind of a literal: ``value`` for numbers, amounts and days."""
    return "value" if re.fullmatch(r"[^\w]*[\d.,:/ %-]+\s*\w{0,12}", text.strip()) else "thing"


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is not UTF-8 at byte {error.start}; convert it") from error


def _tsv(data: bytes, name: str) -> Iterator[Statement]:
    for number, line in enumerate(_text(data, name).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [c.strip() for c in line.split("\t")]
        if len(cells) < 3 or not all(cells[:3]):
            raise InputError(f"{name!r} line {number}: give subject, relation and object with tabs between")
        subject = _node(cells[0], description=cells[3] if len(cells) > 3 else "")
        target = _node(cells[2], _literal(cells[2]))
        if subject is not None and target is not None and subject.key != target.key:
            yield Statement(subject=subject, relation=" ".join(cells[1].replace("_", " ").split()), object=target)


def _ntriples(data: bytes, name: str) -> Iterator[Statement]:
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    labels: dict[str, str] = {}
    descriptions: dict[str, str] = {}
    rows: list[tuple[str, str, Any]] = []
    try:
        for quad in parse(data, format=RdfFormat.N_TRIPLES):
            if not isinstance(quad.subject, NamedNode | BlankNode) or not isinstance(quad.predicate, NamedNode):
                continue
            subject, relation = quad.subject.value, quad.predicate.value
            if isinstance(quad.object, Literal):
                if quad.object.language not in {None, "en", "en-gb", "en-us"}:
                    continue
                if relation in _LABELS | _DESCRIPTIONS:
                    told = labels if relation in _LABELS else descriptions
                    told.setdefault(subject, quad.object.value)
                    continue
            rows.append((subject, relation, quad.object))
    except SyntaxError as error:
        raise InputError(f"{name!r} is no N-Triples file: {error}") from error

    def node(iri: str) -> Node | None:
        return _node(labels.get(iri) or _local(iri), "thing", iri, descriptions.get(iri, ""))

    for subject, relation, target in rows:
        first = node(subject)
        second = _node(target.value, _literal(target.value)) if isinstance(target, Literal) else node(target.value)
        if first is not None and second is not None and first.key != second.key:
            yield Statement(subject=first, relation=labels.get(relation) or _local(relation), object=second)


def _local(iri: str) -> str:
    """The readable end of an IRI: "birth place" of ``…/birthPlace``."""
    end = re.split(r"[/#:]", iri.rstrip("/#"))[-1].replace("_", " ")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", end).lower() if "_" not in iri else end


def _wikidata(data: bytes, name: str) -> Iterator[Statement]:
    entities = _wikidata_entities(_text(data, name), name)
    labels = {e["id"]: label for e in entities if (label := _english(e, "labels"))}
    descriptions = {e["id"]: _english(e, "descriptions") for e in entities}

    def item(entity_id: str) -> Node | None:
        label = labels.get(entity_id, entity_id)
        return _node(label, "thing", entity_id, descriptions.get(entity_id, ""))

    for entity in entities:
        subject = item(entity["id"])
        if subject is None or entity.get("type") == "property":
            continue
        for property_id, claims in (entity.get("claims") or {}).items():
            for claim in claims if isinstance(claims, list) else ():
                target = _wikidata_value(claim, item)
                if target is not None and target.key != subject.key:
                    relation = labels.get(property_id, property_id)
                    yield Statement(subject=subject, relation=relation, object=target)


def _wikidata_entities(text: str, name: str) -> list[dict[str, Any]]:
    try:
        if text.lstrip()[:1] == "{" and "\n{" in text.strip():
            found: Any = [json.loads(line.rstrip(",")) for line in text.splitlines() if line.strip(" ,")]
        else:
            found = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name!r} is no JSON: {error}") from error
    if isinstance(found, dict) and isinstance(found.get("entities"), dict):
        found = list(found["entities"].values())
    rows = found if isinstance(found, list) else [found]
    if not all(isinstance(row, dict) and isinstance(row.get("id"), str) for row in rows):
        raise InputError(f"{name!r} holds no Wikidata entities: each needs an 'id'")
    return rows


def _english(entity: dict[str, Any], field: str) -> str:
    found = (entity.get(field) or {}).get("en") or {}
    return str(found.get("value", "")) if isinstance(found, dict) else ""


def _wikidata_value(claim: Any, item: Any) -> Node | None:
    """The value of a claim; ``None`` if deprecated, "no value" or without words."""
    if not isinstance(claim, dict) or claim.get("rank") == "deprecated":
        return None
    value = ((claim.get("mainsnak") or {}).get("datavalue") or {}).get("value")
    if isinstance(value, str):
        return _node(value, _literal(value))
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("id"), str):
        return item(value["id"])  # type: ignore[no-any-return]
    if isinstance(value.get("time"), str):
        return _node(_wikidata_day(value["time"], value.get("precision")), "value")
    if isinstance(value.get("amount"), str):
        return _node(value["amount"].lstrip("+"), "value")
    return _node(value["text"]) if isinstance(value.get("text"), str) else None


def _wikidata_day(time: str, precision: Any) -> str:
    """A Wikidata time at its precision (11 day, 10 month, 9 year), with "BC"."""
    match = _DAY.match(time)
    if match is None:
        return time
    sign, year, month, day = match.groups()
    found = {11: f"{int(year)}-{month}-{day}", 10: f"{int(year)}-{month}"}.get(precision, str(int(year)))
    return f"{int(year)} BC" if sign == "-" else found
