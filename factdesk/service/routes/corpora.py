"""The pages of the corpora: documents come in, are read, found and removed; graph and trust of a corpus."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from evidence.graph.entity_graph import KnowledgeGraph
from evidence.types import AddResult, Hit
from evidence.types import Query as Words
from factdesk.corpora.links import is_link
from factdesk.kernel import FactdeskError, InputError
from factdesk.service.carry_out import put_down
from factdesk.service.desk import AtDesk, Desk, desk_of
from factdesk.service.drawings import best_connected, graph_elements, trust_elements
from factdesk.service.errors import refused_on
from factdesk.service.rendering import corpus_address, page, to
from factdesk.service.types import Upload
from factdesk.service.uploads import MAX_DOCUMENTS, any_form, document_name, files_of

PAGE = 50
HITS = 10
MOST_CHARACTERS = 200_000
"""Of one document that its page shows."""
TRIPLES = 100
"""Triples of one entity that are listed."""
RANKED = 50
"""Documents that are listed by trust."""
Name: TypeAlias = Annotated[str, PathPart(max_length=200)]
EntityName: TypeAlias = Annotated[str, Query(max_length=400, description="By name or id.")]
corpora = APIRouter(prefix="/corpora")


@corpora.get("")
def all_corpora(desk: AtDesk) -> HTMLResponse:
    """The list of corpora."""
    return _all(desk)


def _not_added(request: Request, why: str) -> HTMLResponse:
    return _all(desk_of(request), refused=why, name=request.state.given.get("name", "") or "default")


def _all(desk: Desk, *, refused: str = "", name: str = "default") -> HTMLResponse:
    return page("corpora", stored=desk.corpora.list(), most=MAX_DOCUMENTS, refused=refused, name=name)


@corpora.post("")
@refused_on(_not_added)
def add(desk: AtDesk, form: Annotated[FormData, any_form(fields=8, files=MAX_DOCUMENTS)]) -> RedirectResponse:
    """Add documents to a corpus, which is made where it is not there."""
    name = str(form.get("name", "")).strip() or "default"
    links = str(form.get("link", "")).split()
    wrong = next((link for link in links if not is_link(link)), None)
    if wrong is not None:
        raise InputError(f"{wrong[:200]!r} is no web address; write it with https://")
    given = files_of(form, "file")
    if not given and not links:
        raise InputError("no document was given; choose files, drop them here, or give a page's address")
    files = [Upload(name=document_name(file, number), data=data) for number, (file, data) in enumerate(given, 1)]
    with desk.alone("nothing was added"), tempfile.TemporaryDirectory() as folder:
        desk.added[name] = _add(desk, name, put_down(Path(folder), files), links)
    return to(corpus_address(name, added=1))


def _add(desk: Desk, name: str, paths: list[Path], links: list[str]) -> AddResult:
    """Add them; an error names a file as it was handed in, not where it was put down."""
    try:
        return desk.corpora.add(name, [*paths, *links])
    except InputError as error:
        told = str(error)
        for path in paths:
            told = told.replace(str(path), path.name)
        raise InputError(told) from error


@corpora.get("/{name}")
def corpus(
    name: Name,
    desk: AtDesk,
    q: Annotated[str, Query(max_length=400)] = "",
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    added: bool = False,
) -> HTMLResponse:
    """One corpus: its documents, sentences found in it, and what was last added."""
    _, store, _ = desk.corpora.resolve(desk.known(name))
    ids = sorted(store.document_hashes(name))
    found = store.get_documents(name, ids[offset : offset + PAGE])
    trouble, hits = "", tuple[Hit, ...]()
    if q.strip():
        try:
            hits = desk.corpora.open((name,), desk.settings.retriever).retrieve(Words(text=q, limit=HITS))
        except FactdeskError as error:
            trouble = str(error)
    return page(
        "corpus",
        name=name,
        most=MAX_DOCUMENTS,
        total=len(ids),
        documents=[found[doc_id] for doc_id in ids[offset : offset + PAGE] if doc_id in found],
        words=q,
        hits=hits,
        trouble=trouble,
        outcome=desk.added.get(name) if added else None,
        newer=corpus_address(name, offset=max(0, offset - PAGE)) if offset else None,
        older=corpus_address(name, offset=offset + PAGE) if offset + PAGE < len(ids) else None,
    )


@corpora.post("/{name}/remove")
def remove(name: Name, desk: AtDesk, form: Annotated[FormData, any_form(fields=PAGE + 2)]) -> RedirectResponse:
    """Remove documents that were ticked, or the whole corpus."""
    doc_ids, whole = [str(value) for value in form.getlist("doc_id")], form.get("whole") == name
    if not doc_ids and not whole:
        raise InputError("no document was chosen; tick those to remove")
    with desk.alone("nothing was removed"):
        desk.corpora.remove(desk.known(name), () if whole else doc_ids)
    return to("/corpora" if whole else corpus_address(name))


@corpora.get("/{name}/text")
def text(
    name: Name,
    desk: AtDesk,
    doc_id: Annotated[str, Query(alias="id", max_length=2_000)],
    start: Annotated[int, Query(ge=0)] = 0,
    end: Annotated[int, Query(ge=0)] = 0,
) -> HTMLResponse:
    """The text of a document, with a sentence marked."""
    _, store, _ = desk.corpora.resolve(desk.known(name))
    document = store.get_document(name, doc_id)
    if document is None:
        raise HTTPException(404, f"corpus {name!r} has no document {doc_id!r}")
    cut = document.text[:MOST_CHARACTERS]
    if not 0 <= start < end <= len(cut):
        start = end = 0
    pieces = [(False, cut[:start]), (True, cut[start:end]), (False, cut[end:])]
    return page("document", name=name, document=document, pieces=pieces)


@corpora.get("/{name}/graph")
def graph(name: Name, desk: AtDesk, entity: EntityName = "") -> HTMLResponse:
    """The knowledge graph, drawn, and the triples of an entity with their sentences."""
    try:
        found: KnowledgeGraph | None = desk.graphs.open(desk.known(name))
    except InputError:
        found = None
    values: dict[str, Any] = {"asked": entity, "chosen": None, "edges": (), "sources": {}}
    if found is not None and (chosen := found.find(entity) if entity else None) is not None:
        edges = found.edges_of.get(chosen.entity_id, ())[:TRIPLES]
        _, store, _ = desk.corpora.resolve(name)
        sources = store.get_documents(name, [edge.triple.doc_id for edge in edges])
        values |= {"chosen": chosen, "edges": edges, "sources": sources}
    hubs = best_connected(found) if found is not None else ()
    return page("graph", name=name, graph=found, current=desk.graphs.has(name), hubs=hubs, **values)


@corpora.post("/{name}/graph")
def build_graph(name: Name, desk: AtDesk) -> RedirectResponse:
    """Build the graph, or bring it in step."""
    with desk.alone("the graph was not built"):
        desk.graphs.build(desk.known(name))
    return to(corpus_address(name, "graph"))


@corpora.get("/{name}/graph.json")
def graph_drawing(name: Name, desk: AtDesk, entity: EntityName = "") -> dict[str, Any]:
    """What is drawn of the graph."""
    found = desk.graphs.open(desk.known(name))
    return {"elements": graph_elements(found, name, found.find(entity) if entity else None)}


@corpora.get("/{name}/trust")
def trust(
    name: Name, desk: AtDesk, document: Annotated[str, Query(max_length=2_000, description="Id.")] = ""
) -> HTMLResponse:
    """The documents ranked and drawn, and what moved the score of one."""
    ranked = desk.trust(name)
    found = ranked.rank()
    values: dict[str, Any] = {"facts": None}
    if document:
        raised, lowered = ranked.graph.explain(document, found)
        values = {"facts": next(f for f in found.documents if f.doc_id == document)}
        values |= {"voices": [*(("good", "raised", v) for v in raised), *(("bad", "lowered", v) for v in lowered)]}
        values |= {"named": ("document", document) in ranked.named_seeds(), "claims": ranked.graph.claims}
    return page("trust", name=name, found=found, most=RANKED, **values)


@corpora.post("/{name}/trust")
def update_trust(name: Name, desk: AtDesk) -> RedirectResponse:
    """Compare what is new among the documents."""
    with desk.alone("nothing was worked out"):
        desk.trust(name).update()
    return to(corpus_address(name, "trust"))


@corpora.post("/{name}/trust/seeds")
def name_seed(name: Name, desk: AtDesk, form: Annotated[FormData, any_form(fields=4)]) -> RedirectResponse:
    """Trust a document from the start, or no longer."""
    doc_id, ranked = str(form.get("document", "")), desk.trust(name)
    if not doc_id:
        raise InputError("no document was named")
    change = ranked.add_seeds if form.get("trusted") == "yes" else ranked.remove_seeds
    change("document", [doc_id])
    return to(corpus_address(name, "trust", document=doc_id))


@corpora.get("/{name}/trust.json")
def trust_drawing(name: Name, desk: AtDesk) -> dict[str, Any]:
    """What is drawn of the documents' trust."""
    ranked = desk.trust(name)
    return {"elements": trust_elements(ranked.graph, ranked.rank(), name)}
