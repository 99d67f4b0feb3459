"""Loaders: what each makes of small files in its format, and what it refuses."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path

import pytest

from evaluation.data.formats.registry import FORMATS, load_dataset
from evaluation.data.formats.wiki import page_title
from factdesk.kernel import ConfigError, InputError
from tests.factdesk import eval_files as files


def test_fever(tmp_path: Path) -> None:
    claims, pages = files.fever(tmp_path)
    found = load_dataset("fever", claims, [pages])
    assert [r.label for r in found.rows] == ["supported", "refuted", "not_enough_evidence"]
    assert [d.title for d in found.documents] == ["Lindau (town)", "Sula"]
    assert found.documents[0].text == f"{files.HALL} Lindau has a harbour ( opened in 1890 ) ."
    first, second, third = found.rows
    assert first.gold[0][0].quote == files.HALL
    assert [len(group) for group in second.gold] == [2, 1]
    assert second.gold[1][0].quote == files.FERRY
    assert third.gold == ()
    bare = load_dataset("fever", claims)
    assert (bare.documents, bare.rows[0].gold[0][0].quote) == ((), "")
    assert len(load_dataset("fever", claims, [pages], 1).documents) == 2  # pages of the others distract


def test_vitaminc(tmp_path: Path) -> None:
    found = load_dataset("vitaminc", files.vitaminc(tmp_path))
    assert [r.label for r in found.rows] == ["supported", "refuted", "not_enough_evidence"]
    assert found.skipped == {"no evidence": 1}
    assert len(found.documents) == 1
    assert found.documents[0].title == "Harbour petition"
    assert [r.group for r in found.rows] == ["real", "real", "synthetic"]


def test_scifact(tmp_path: Path) -> None:
    claims, corpus = files.scifact(tmp_path)
    found = load_dataset("scifact", claims, [corpus])
    assert [r.label for r in found.rows] == ["supported", "refuted", "not_enough_evidence", "conflicting"]
    assert found.rows[0].gold[0][0].quote == "Colds were shorter by a day."
    assert len(found.rows[1].gold[0]) == 2
    assert [d.doc_id for d in found.rows[3].given] == ["10", "20"]
    with pytest.raises(InputError, match="needs its abstracts"):
        load_dataset("scifact", claims)


def test_averitec(tmp_path: Path) -> None:
    found = load_dataset("averitec", files.averitec(tmp_path))
    first, second = found.rows
    assert (first.label, second.label) == ("refuted", "conflicting")
    assert (first.date, second.date) == (date(2020, 8, 25), None)
    assert [a.answer for a in first.asked] == [
        "The bridge at Vale was closed for three weeks.",
        "No. It reopened after three weeks.",
        "No answer could be found.",
    ]
    assert [d.text for d in first.given] == [
        "The bridge at Vale was closed for three weeks.",
        "It reopened after three weeks.",
    ]
    assert second.given == ()
    stored = load_dataset("averitec", tmp_path / "dev.json", [files.averitec_store(tmp_path)])
    assert stored.rows[0].given[0].url == "https://vale.example/news"
    assert stored.skipped == {"claim without a file in the knowledge store": 1}


def test_climate_fever(tmp_path: Path) -> None:
    first, second = load_dataset("climate-fever", files.climate(tmp_path)).rows
    assert (first.label, second.label) == ("supported", "conflicting")
    assert [g[0].quote for g in first.gold] == ["The glacier has lost 40 metres since 1990."]
    assert (len(first.given), len(second.given), second.gold) == (2, 2, ())


def test_our_own_records(tmp_path: Path, repository: Path) -> None:
    shipped = load_dataset("claims", repository / "examples" / "claims.jsonl")
    assert len(shipped.rows) == 60
    assert shipped.rows[0].gold[0][0].doc_id == "local/tollgate-library-reopens"
    assert Path(shipped.rows[2].images[0]).is_file()
    corpus = files.lines(
        tmp_path / "c.jsonl", [{"doc_id": "d", "text": "One. Two holds. Three.", "published": "2024-05-06"}]
    )
    gold = [{"doc_id": "d", "sentences": [1]}]
    claims = files.lines(tmp_path / "k.jsonl", [{"claim": "Two.", "label": "supported", "gold_evidence": gold}])
    found = load_dataset("claims", claims, [corpus])
    assert found.rows[0].gold[0][0].quote == "Two holds"
    assert found.documents[0].published == date(2024, 5, 6)
    pair = {"id": "p", "premise": "A cat sleeps.", "hypothesis": "A cat rests.", "label": "entailment"}
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(pair).encode()))
    assert load_dataset("pairs", packed).rows[0].label == "supported"


def test_what_does_not_fit_is_refused_with_its_place(tmp_path: Path) -> None:
    wrong = files.lines(tmp_path / "w.jsonl", [{"id": 1, "label": "MAYBE", "claim": "x"}])
    with pytest.raises(InputError, match=r"w.jsonl entry 1: label 'MAYBE'"):
        load_dataset("fever", wrong)
    short = files.lines(tmp_path / "s.jsonl", [{"claim": "x", "label": "SUPPORTS"}])
    with pytest.raises(InputError, match="has no 'evidence'"):
        load_dataset("vitaminc", short)
    text = tmp_path / "t.jsonl"
    text.write_text("{broken", encoding="utf-8")
    with pytest.raises(InputError, match="neither JSON Lines"):
        load_dataset("fever", text)
    text.write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(InputError, match="no JSON object but int"):
        load_dataset("fever", text)
    text.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="nothing that can be evaluated"):
        load_dataset("fever", text)
    with pytest.raises(InputError, match="cannot be read"):
        load_dataset("fever", tmp_path / "absent.jsonl")
    twice = files.lines(tmp_path / "d.jsonl", [{"claim": "x", "label": "supported", "id": "1"}] * 2)
    with pytest.raises(InputError, match="has the id '1' twice"):
        load_dataset("claims", twice)
    with pytest.raises(ConfigError, match="unknown format 'zebra'"):
        load_dataset("zebra", text)
    claims, _ = files.fever(tmp_path)
    with pytest.raises(InputError, match="there is no"):
        load_dataset("fever", claims, [tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"holds no wiki-\*.jsonl"):
        load_dataset("fever", claims, [tmp_path / "empty"])


def test_names_of_pages() -> None:
    assert page_title("Anna_Karlsson_-LRB-poet-RRB-") == "Anna Karlsson (poet)"
    assert set(FORMATS) >= {"fever", "scifact", "vitaminc", "averitec", "climate-fever", "claims", "pairs"}


def test_ragtruth(tmp_path: Path) -> None:
    responses, sources = files.ragtruth(tmp_path)
    found = load_dataset("ragtruth", responses, [sources])
    assert [(r.id, r.label, r.group) for r in found.rows] == [
        ("7.1", "supported", "Summary"),
        ("7.2", "refuted", "Evident Conflict"),
        ("7.3", "not_enough_evidence", "Subtle Baseless Info"),
        ("8.1", "supported", "QA"),
        ("11.1", "supported", "Data2txt"),
    ]
    assert found.binary
    assert found.skipped == {"response of quality 'truncated'": 1, "response without its source": 1}
    assert [d.text for d in found.rows[3].given] == ["Bake it for an hour.", "Let it rest."]
    assert "hours Monday is 9-17." in found.rows[4].given[0].text
    assert "Wifi" not in found.rows[4].given[0].text
    assert len(load_dataset("ragtruth", responses, [sources], 2).rows) == 2
    with pytest.raises(InputError, match="needs its sources"):
        load_dataset("ragtruth", responses)


def test_llm_aggrefact(tmp_path: Path) -> None:
    found = load_dataset("llm-aggrefact", files.aggrefact(tmp_path))
    assert [r.label for r in found.rows] == ["supported", "not_enough_evidence"]
    assert found.rows[0].given[0].text == "The pool, which is new, opened in May."
    assert found.rows[1].group == "News"


def test_liar(tmp_path: Path) -> None:
    found = load_dataset("liar", files.liar(tmp_path))
    assert [r.label for r in found.rows] == ["supported", "conflicting", "refuted"]
    assert found.rows[1].claim == 'He said "no'
    assert (found.rows[0].speaker, found.rows[2].group) == ("A. Person", "pants-fire")


def test_mocheg(tmp_path: Path, repository: Path) -> None:
    table, images = files.mocheg(tmp_path, repository / "examples" / "images" / "sign.png")
    found = load_dataset("mocheg", table, [images])
    first, second = found.rows
    assert (first.label, second.label) == ("supported", "not_enough_evidence")
    assert [d.text for d in first.given] == ["The sign was put up in May.", "It replaced one of 1990."]
    assert [Path(i).name for i in first.images] == ["1-proof.png"]
    assert found.skipped == {"another label": 1, "picture that is not in the folder": 1}
    assert load_dataset("mocheg", table).rows[0].images == ()


def test_mocheg_as_ragar_takes_it(tmp_path: Path) -> None:
    table = tmp_path / "Corpus2.csv"
    sites = ("https://www.politifact.com/a", "https://www.snopes.com/a")
    lines = [
        f"{number},Claim {number}.,<p>The ruling: {label}.</p>,{label},,{sites[number % 4 == 3]}"
        for number, label in enumerate(["supported"] * 200 + ["refuted"] * 210 + ["NEI"] * 5)
    ]
    head = "claim_id,Claim,Evidence,cleaned_truthfulness,img_evidences,Snopes URL"
    table.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    found = load_dataset("mocheg-ragar", table)
    labels = [row.label for row in found.rows]
    assert (labels.count("supported"), labels.count("refuted")) == (150, 150)
    assert all(int(row.id) % 4 != 3 and not row.given for row in found.rows)
    assert found == load_dataset("mocheg-ragar", table)
    assert len(load_dataset("mocheg-ragar", table, limit=10).rows) == 10
