"""Triples from files become documents with one sentence a triple, so that they can be evidence.

Formats: TSV (``subject TAB relation TAB object``, optional description), N-Triples (``.nt``), Wikidata
JSON (``.json``, ``.jsonl``); labels come from the same file, else the id stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    read = (s for s in readers[chosen](data, path.name) if s.subject.key and s.object.key)
    found = tuple(dict.fromkeys(s for s in read if s.subject.key != s.object.key))
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


def _node(text: str, kind: NodeKind = "thing", external_id: str | None = None, description: str = "") -> Node:
    """A node of a name; its key is empty where no words are left of it."""
    text = shown(text)
    key = key_of(text, kind)
    return Node(text=text[:160], key=key, kind=kind, external_id=external_id, description=description[:300])


def _literal(text: str) -> Node:
    """A literal: a ``value`` for numbers, amounts and days."""
    counted = re.fullmatch(r"[^\w]*[\d.,:/ %-]+\s*\w{0,12}", text.strip())
    return _node(text, "value" if counted else "thing")


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is not UTF-8 at byte {error.start}; convert it") from error


def _tsv(data: bytes, name: str) -> Iterator[Statement]:
    for number, line in enumerate(_text(data, name).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        subject, relation, target, *more = [*(c.strip() for c in line.split("\t")), *("", "", "")][:4]
        if not (subject and relation and target):
            raise InputError(f"{name!r} line {number}: give subject, relation and object with tabs between")
        relation = " ".join(relation.replace("_", " ").split())
        first, second = _node(subject, description="".join(more)), _literal(target)
        yield Statement(subject=first, relation=relation, object=second)


def _ntriples(data: bytes, name: str) -> Iterator[Statement]:
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    labels: dict[str, str] = {}
    descriptions: dict[str, str] = {}
    rows: list[tuple[str, str, NamedNode | BlankNode | Literal]] = []
    try:
        for quad in parse(data, format=RdfFormat.N_TRIPLES):
            subject, relation, target = quad.subject.value, quad.predicate.value, quad.object
            if isinstance(target, Literal) and target.language not in {None, "en", "en-gb", "en-us"}:
                continue
            if isinstance(target, Literal) and relation in _LABELS | _DESCRIPTIONS:
                told = labels if relation in _LABELS else descriptions
                told.setdefault(subject, target.value)
            else:
                rows.append((subject, relation, target))
    except SyntaxError as error:
        raise InputError(f"{name!r} is no N-Triples file: {error}") from error

    def node(iri: str) -> Node:
        return _node(labels.get(iri) or _local(iri), "thing", iri, descriptions.get(iri, ""))

    for subject, relation, target in rows:
        second = _literal(target.value) if isinstance(target, Literal) else node(target.value)
        yield Statement(subject=node(subject), relation=labels.get(relation) or _local(relation), object=second)


def _local(iri: str) -> str:
    """The readable end of an IRI: "birth place" of ``…/birthPlace``."""
    end = re.split(r"[/#:]", iri.rstrip("/#"))[-1].replace("_", " ")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", end).lower() if "_" not in iri else end


def _wikidata(data: bytes, name: str) -> Iterator[Statement]:
    entities = _wikidata_entities(_text(data, name), name)
    labels = {e["id"]: _english(e, "labels") or e["id"] for e in entities}
    descriptions = {e["id"]: _english(e, "descriptions") for e in entities}

    def item(entity_id: str) -> Node:
        return _node(labels.get(entity_id, entity_id), "thing", entity_id, descriptions.get(entity_id, ""))

    for entity in entities:
        if entity.get("type") == "property":
            continue
        for property_id, claims in (entity.get("claims") or {}).items():
            for claim in claims if isinstance(claims, list) else ():
                relation, target = labels.get(property_id, property_id), _wikidata_value(claim, item)
                yield Statement(subject=item(entity["id"]), relation=relation, object=target)


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
    match entity.get(field):
        case {"en": {"value": value}}:
            return str(value)
    return ""


def _wikidata_value(claim: object, item: Callable[[str], Node]) -> Node:
    """The value of a claim; empty if deprecated, "no value" or without words."""
    match claim:
        case {"rank": "deprecated"}:
            pass
        case {"mainsnak": {"datavalue": {"value": {"id": str(entity_id)}}}}:
            return item(entity_id)
        case {"mainsnak": {"datavalue": {"value": {"time": str(time), **more}}}}:
            return _node(_wikidata_day(time, more.get("precision")), "value")
        case {"mainsnak": {"datavalue": {"value": {"amount": str(amount)}}}}:
            return _node(amount.lstrip("+"), "value")
        case {"mainsnak": {"datavalue": {"value": {"text": str(text)}}}}:
            return _node(text)
        case {"mainsnak": {"datavalue": {"value": str(text)}}}:
            return _literal(text)
    return _node("")


def _wikidata_day(time: str, precision: object) -> str:
    """A Wikidata time at its precision (11 day, 10 month, 9 year), with "BC"."""
    match = _DAY.match(time)
    if match is None:
        return time
    sign, year, month, day = match.groups()
    if sign == "-":
        return f"{int(year)} BC"
    known = 3 if precision == 11 else 2 if precision == 10 else 1
    return "-".join((str(int(year)), month, day)[:known])
