"""``factdesk annotate`` and ``factdesk graph`` from the command line, on real models and a small corpus."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.attribution.types import Annotation
from factdesk.annotation.report import annotation_html
from factdesk.cli import cli
from factdesk.corpora.stored import Corpora
from factdesk.settings import load_settings

TEXTS = {
    "library.txt": "The Tollgate Library in Harrowmere reopened on 14 March 2025. Samir Oakes leads the "
    "Tollgate Library. The refurbishment of the Tollgate Library cost £6.2 million.",
    "marsh.txt": "Ralph Idle counted 212 cranes at Brennick Marsh in April 2025.",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], catch_exceptions=False)


def test_an_annotation_says_which_words_hold(corpus: Path) -> None:
    text = (
        "Samir Oakes leads the Tollgate Library. The Tollgate Library never reopened. "
        "Samir Oakes collects antique clocks. It is unclear."
    )
    found = json.loads(run("annotate", text, "--corpus", corpus, "--json").output)
    for span in found["spans"]:
        assert text[span["start"] : span["end"]] == span["text"]
        for triplet in span["triplets"]:
            source = next(t for d, t in TEXTS.items() if triplet["doc_id"] in d)
            assert source[triplet["start"] : triplet["end"]] == triplet["sentence"]
    first, second, third, last = found["spans"]
    assert first["label"] == "attributable"
    assert first["triplets"][0]["deciding"]
    assert (first["triplets"][0]["subject"], first["triplets"][0]["relation"]) == ("Samir Oakes", "lead")
    assert {e["name"] for e in first["entities"]} == {"Samir Oakes", "Tollgate Library"}
    assert first["tms"] == pytest.approx((first["ss"] + first["epr"]) / 2, abs=1e-3)
    assert second["label"] != "attributable"
    assert third["label"] == last["label"] == "extrapolatory"
    assert 0 < found["kas_mean"] < 1
    again = json.loads(run("annotate", text, "--corpus", corpus, "--json").output)
    assert again | {"certificate_id": found["certificate_id"]} == found


def test_what_a_source_says_word_for_word_and_with_one_detail_altered(tmp_path: Path) -> None:
    said = "Eleven patients were admitted to hospital, all of them infants or people over 70."
    source = tmp_path / "c" / "a.txt"
    source.parent.mkdir()
    source.write_text(f"{said} Oren Falk visited the new clinic in Milbeck on Monday.")
    altered = "Oren Falk visited the new clinic in Corvane on Monday."
    denied = "Eleven patients were not admitted to hospital, all of them infants or people over 70."
    text = "\n\n".join((said, altered, denied))
    found = json.loads(run("annotate", text, "--corpus", source.parent, "--json").output)["spans"]
    labels = {s["text"].rstrip("."): s["label"] for s in found}
    assert labels[said.rstrip(".")] == "attributable"
    assert labels[altered.rstrip(".")] == labels[denied.rstrip(".")] == "contradictory"
    assert any("It has 'Milbeck' where the claim has 'Corvane'." in s["rationale"] for s in found)


def test_text_and_html_show_the_same_and_html_is_escaped(corpus: Path, tmp_path: Path) -> None:
    text = "Samir Oakes leads the Tollgate Library.\n\n<script>alert(1)</script> was seen by Samir Oakes."
    file = tmp_path / "answer.txt"
    file.write_text(text, encoding="utf-8")
    plain = run("annotate", file, "--corpus", corpus).output
    assert "[+] attributable: Samir Oakes leads the Tollgate Library." in plain
    out = tmp_path / "a.html"
    assert run("annotate", file, "--corpus", corpus, "--html", "--out", out).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert 'class="c attributable"' in page

    stack: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in {"meta", "br"}:
                stack.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert stack.pop() == tag

    Tags().feed(page)
    assert stack == []


def test_an_empty_annotation_is_a_page_too() -> None:
    page = annotation_html(Annotation(text="a & b", spans=(), kas_mean=0.5, kas_sum=0.5))
    assert "a &amp; b" in page


def test_a_graph_is_built_shown_and_imported_into(corpus: Path, tmp_path: Path) -> None:
    built = json.loads(run("graph", "build", corpus, "--json").output)
    assert built["parsed"] == built["documents"] == 2
    assert json.loads(run("graph", "build", corpus, "--json").output)["parsed"] == 0
    shown = run("graph", "show", corpus, "--entity", "Samir Oakes").output
    assert "(Samir Oakes, lead, Tollgate Library)" in shown
    figures = json.loads(run("graph", "stats", corpus, "--json").output)
    assert figures["triples"] == built["triples"]
    tsv = tmp_path / "world.tsv"
    tsv.write_text("Oslo\tis the capital of\tNorway\n", encoding="utf-8")
    assert run("graph", "import", "world", tsv).exit_code == 0
    found = json.loads(run("annotate", "Oslo is the capital of Norway.", "--corpus", "world", "--json").output)
    (span,) = found["spans"]
    assert span["label"] == "attributable"
    assert span["triplets"][0]["sentence"] == "Oslo is the capital of Norway."


def test_a_graph_stays_loaded_until_its_documents_change(corpus: Path) -> None:
    settings = load_settings()
    corpora = Corpora(settings)
    corpora.add("news", [corpus])
    first = corpora.graph("news")
    assert corpora.graph("news") is first
    more = corpus / "more.txt"
    more.write_text("Ralph Idle leads the Brennick Institute.", encoding="utf-8")
    corpora.add("news", [more])
    after = corpora.graph("news")
    assert after is not first
    assert len(after.graph.edges) > len(first.graph.edges)
    assert corpora.graph("news") is after
