"""The page of a corpus's knowledge graph: drawn, with the sentences its triples stand in."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query
from fastapi import Path as PathPart
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from evidence.graph.entity_graph import KnowledgeGraph
from factdesk.kernel import InputError
from factdesk.service.desk import Desk
from factdesk.service.views.documents import corpus_address
from factdesk.service.views.graph import ENTITIES, graph_elements, hubs, triple_rows
from factdesk.service.views.page import page

Name: TypeAlias = Annotated[str, PathPart(max_length=200)]
Entity: TypeAlias = Annotated[str, Query(max_length=400, description="By name or id.")]


def graph(desk: Desk) -> APIRouter:
    """The page, the data of its drawing, and the build."""
    app = APIRouter()

    @app.get("/corpora/{name}/graph")
    def show(name: Name, entity: Entity = "") -> HTMLResponse:
        return _page(desk, desk.known(name), entity)

    @app.post("/corpora/{name}/graph")
    def build(name: Name) -> Response:
        with desk.alone("the graph was not built"):
            desk.graphs.build(desk.known(name))
        return RedirectResponse(corpus_address(name, "graph"), 303)

    @app.get("/corpora/{name}/graph.json")
    def data(name: Name, entity: Entity = "") -> dict[str, Any]:
        found = desk.graphs.open(desk.known(name))
        chosen = found.find(entity) if entity else None
        return {"elements": graph_elements(found, name, chosen)}

    return app


def _page(desk: Desk, name: str, entity: str) -> HTMLResponse:
    try:
        found: KnowledgeGraph | None = desk.graphs.open(name)
    except InputError:
        found = None
    if found is None:
        return page("graph", here="documents", name=name, address=corpus_address(name), graph=None)
    chosen = found.find(entity) if entity else None
    _, store, _ = desk.corpora.resolve(name)
    rows = triple_rows(found, chosen, name, store) if chosen is not None else []
    return page(
        "graph",
        here="documents",
        name=name,
        address=corpus_address(name),
        graph=found,
        current=desk.graphs.has(name),
        asked=entity,
        chosen=chosen,
        rows=rows,
        hubs=hubs(found, name),
        most=ENTITIES,
        data=corpus_address(name, "graph.json", **({"entity": chosen.entity_id} if chosen is not None else {})),
    )
