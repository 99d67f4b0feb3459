"""Entities: what is joined and what is kept apart; files of triples; linking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence.graph.entity_graph import KnowledgeGraph, sentence_of
from evidence.graph.entity_resolution import key_of, may_be_one, merge
from evidence.graph.triple_import import documents_of, read_statements
from evidence.graph.types import Node, NodeKind, Triple
from evidence.retrieval.embedder import OnnxEmbedder
from factdesk.kernel import InputError


def node(text: str, kind: NodeKind = "thing", external_id: str | None = None) -> Node:
    return Node(text=text, key=key_of(text, kind), kind=kind, external_id=external_id)


def triple(subject: Node, relation: str, target: Node, number: int = 1) -> Triple:
    return Triple(
        doc_id="d", span_id=f"d#1.{number}", start=0, end=1, subject=subject, relation=relation, object=target
    )


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("the Tollgate Library", "Tollgate Library's", "thing"),
        ("Mayor Odile Prentiss", "Odile Prentiss", "person"),
        ("Payvane Ltd", "Payvane", "organisation"),
        ("São Paulo", "Sao Paulo", "place"),
    ],
)
def test_normal_forms_agree(a: str, b: str, kind: NodeKind) -> None:
    assert key_of(a, kind) == key_of(b, kind) != ""


def test_values_keep_their_points() -> None:
    assert key_of("6.2 million", "value") != key_of("62 million", "value")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Line 4", "Line 5", False),
        ("North Korea", "South Korea", False),
        ("Vale Heritage Fund", "Heritage Fund", True),
        ("Harbour Authority", "Harbor Authority", True),
        ("steel plant", "paper plant", False),
    ],
)
def test_words_allow_or_forbid_a_join(a: str, b: str, same: bool) -> None:
    assert may_be_one(a.lower().split(), b.lower().split()) is same


def test_acronyms_and_vectors_join_and_ids_keep_apart(onnx: OnnxEmbedder) -> None:
    triples = [
        triple(node("World Health Organization", "organisation"), "warn", node("doctors")),
        triple(node("WHO", "organisation"), "advise", node("nurses")),
        triple(node("Harbour Authority of Lorvain"), "own", node("pier")),
        triple(node("Harbor Authority of Lorvain"), "own", node("crane")),
        triple(node("Paris", "place", "Q90"), "be in", node("France", "place", "Q142")),
        triple(node("Paris, Texas", "place", "Q830149"), "be in", node("Texas", "place", "Q1439")),
    ]
    merged = merge(triples, onnx)
    of_key = {key: entity.entity_id for entity in merged for key in entity.keys}
    assert of_key["who"] == of_key["world health organization"]
    assert of_key["harbour authority of lorvain"] == of_key["harbor authority of lorvain"]
    assert of_key["paris"] == "Q90"
    assert of_key["paris texas"] == "Q830149"
    assert merge(reversed(triples), onnx) == merged


def test_a_text_is_linked_to_the_longest_names() -> None:
    triples = [
        triple(node("Samir Oakes", "person"), "lead", node("Tollgate Library", "organisation")),
        triple(node("Library"), "be", node("house")),
        triple(node("Tollgate Library", "organisation"), "open in", node("2025", "value")),
    ]
    graph = KnowledgeGraph(merge(triples), triples)
    assert [e.name for e in graph.link("Oakes said the Tollgate Library opened in 2025.")] == [
        "Samir Oakes",
        "Tollgate Library",
    ]
    ends = {(graph.entity(e.subject), e.triple.relation, graph.entity(e.object)) for e in graph.edges}
    assert (graph.find("the Tollgate Library"), "open in", graph.find("2025")) in ends
    assert (graph.find("Oakes"), "lead", graph.find("Tollgate Library")) in ends
    assert (graph.find("Tollgate Library"), "lead", graph.find("Samir Oakes")) not in ends
    assert graph.find("Atlantis") is None


def test_tsv_becomes_sentences_with_their_places(tmp_path: Path) -> None:
    file = tmp_path / "world.tsv"
    file.write_text("# a comment\nOslo\tcapital_of\tNorway\ta city\nOslo\tpopulation\t709,037\n", encoding="utf-8")
    ((document, made),) = documents_of(read_statements(file), "world")
    assert document.text == "Oslo is the capital of Norway.\n\nThe population of Oslo is 709,037."
    assert [document.text[t.start : t.end] for t in made.triples] == document.text.split("\n\n")
    assert made.triples[0].subject.description == "a city"
    assert made.triples[1].object.kind == "value"


def test_ntriples_take_labels_and_english(tmp_path: Path) -> None:
    file = tmp_path / "g.nt"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    file.write_text(
        f'<http://x.example/Q1> {label} "Oslo"@en .\n<http://x.example/Q1> {label} "Christiania"@de .\n'
        "<http://x.example/Q1> <http://x.example/capitalOf> <http://x.example/Norway> .\n",
        encoding="utf-8",
    )
    (found,) = read_statements(file)
    assert (found.subject.text, found.relation, found.object.text) == ("Oslo", "capital of", "norway")
    assert found.subject.external_id == "http://x.example/Q1"


def test_wikidata_slices_keep_ids_and_days(tmp_path: Path) -> None:
    def entity(entity_id: str, label: str, **more: object) -> dict[str, object]:
        return {"id": entity_id, "labels": {"en": {"value": label}}, **more}

    def claim(value: object, rank: str = "normal") -> dict[str, object]:
        return {"rank": rank, "mainsnak": {"datavalue": {"value": value}}}

    adams = entity(
        "Q42",
        "Douglas Adams",
        descriptions={"en": {"value": "English writer"}},
        claims={
            "P106": [claim({"id": "Q36180"}), claim({"id": "Q99"}, "deprecated")],
            "P569": [claim({"time": "+1952-03-11T00:00:00Z", "precision": 11})],
        },
    )
    data = {
        "entities": {
            e["id"]: e for e in (adams, entity("Q36180", "writer"), entity("P106", "occupation", type="property"))
        }
    }
    file = tmp_path / "slice.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    rows = [(s.subject.external_id, s.relation, s.object.text) for s in read_statements(file)]
    assert rows == [("Q42", "occupation", "writer"), ("Q42", "P569", "1952-03-11")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "Oslo\tcapital of", "line 1"),
        ("a.nt", "no triples here", "no N-Triples"),
        ("a.json", '{"name": 1}', "needs an 'id'"),
        ("a.json", "{", "no JSON"),
        ("a.tsv", "# nothing", "no triples"),
        ("a.bin", "x", "cannot be told"),
    ],
)
def test_files_that_are_no_graphs_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_statements(tmp_path / name)


@pytest.mark.parametrize(
    ("relation", "sentence"),
    [
        ("director", "Iris Lock was directed by Ana Roth."),
        ("original broadcaster", "Iris Lock was originally broadcast on Ana Roth."),
        ("is the capital of", "Iris Lock is the capital of Ana Roth."),
        ("leads", "Iris Lock leads Ana Roth."),
        ("appointed by", "Iris Lock was appointed by Ana Roth."),
        ("headquartered in", "Iris Lock is headquartered in Ana Roth."),
        ("mayor", "The mayor of Iris Lock is Ana Roth."),
        ("owner of", "Iris Lock is the owner of Ana Roth."),
        ("a {0} of", "Iris Lock is the a (0) of Ana Roth."),
    ],
)
def test_imported_triples_read_as_sentences(relation: str, sentence: str) -> None:
    assert sentence_of("Iris Lock", relation, "Ana Roth") == sentence
