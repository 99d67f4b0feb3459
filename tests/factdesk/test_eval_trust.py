"""Measuring trust: readers, style control, figures; and the attacks of ``eval poison``."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from evaluation.attacks.attacks import HELD_OUT, METHODS, plant
from evaluation.attacks.gates import Trial, evaluate_gates
from evaluation.attacks.poison import evaluate_poison, wanted
from evaluation.attacks.statements import denied
from evaluation.attacks.trust import evaluate_trust
from evaluation.data.articles import read_articles, read_relations
from evaluation.data.kaggle_articles import read_kaggle
from evaluation.metrics.style import auroc, style_scores, within_strata
from factdesk.cli import cli
from factdesk.kernel import ConfigError, InputError
from factdesk.settings import load_settings
from trust.types import options_of


def write_articles(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "articles.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def made_up(folder: Path) -> tuple[Path, Path]:
    """Six true articles that support each other in a ring, three fakes; one fake refutes a true one."""
    rng = random.Random(0)
    rows: list[dict[str, object]] = [
        {
            "doc_id": f"d{i}",
            "text": " ".join(rng.choices("abcdefghij", k=60)) + ".",
            "title": "t",
            "published": "2024/1/2",
            "label": "true" if i < 6 else "fake",
        }
        for i in range(9)
    ]
    table = folder / "relations.csv"
    lines = [f"d{i}-1,d{(i + 1) % 6}-2,d{i},d{(i + 1) % 6},1" for i in range(6)]
    lines += ["d6-1,d0-3,d6,d0,-1", "d7-1,d7-2,d7,d7,1"]
    table.write_text("claim1,claim2,doc1,doc2,relation\n" + "\n".join(lines), encoding="utf-8")
    return write_articles(folder, rows), table


def test_figures_on_relations_that_are_brought_along(tmp_path: Path) -> None:
    articles, table = made_up(tmp_path)
    found = evaluate_trust(articles, load_settings(), relations=table)
    assert found.auroc == 1.0
    assert (found.n, found.n_connected) == (9, 7)
    assert found.iterations > 1
    seeded = evaluate_trust(articles, load_settings(), relations=table, seeds=2, draws=5)
    assert (seeded.n, seeded.draws) == (7, 5)
    assert seeded.auroc == 1.0
    with pytest.raises(InputError, match="no true article"):
        evaluate_trust(articles, load_settings(), relations=table, seeds=6)
    done = CliRunner().invoke(
        cli, ["eval", "trust", str(articles), "--relations", str(table), "--json"], catch_exceptions=False
    )
    assert json.loads(done.stdout)["auroc"] == 1.0
    with pytest.raises(ConfigError, match="'zebra' is unknown"):
        options_of(["zebra"])


def test_labels_do_not_move_the_ranking(tmp_path: Path) -> None:
    articles, table = made_up(tmp_path)
    rows = [json.loads(line) for line in articles.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["label"] = "fake" if row["label"] == "true" else "true"
    turned = evaluate_trust(write_articles(tmp_path, rows), load_settings(), relations=table)
    assert turned.auroc == 0.0


def test_the_published_equation_on_the_authors_relations_is_chance(shared_data: Path) -> None:
    folder = shared_data / "trust"
    found = evaluate_trust(folder / "articles.jsonl.gz", load_settings(), relations=folder / "relations.csv")
    assert found.auroc_connected == pytest.approx(0.53, abs=0.01)
    assert found.shuffled == pytest.approx(0.5, abs=0.05)
    assert found.n == 814


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"doc_id": "x", "text": "t"}, "needs doc_id, text and label"),
        ({"doc_id": "x", "text": "t", "label": "maybe"}, "is not true or fake"),
        ({"doc_id": "x", "text": "t", "label": "true"}, "labelled fake"),
    ],
)
def test_articles_that_do_not_fit(tmp_path: Path, row: dict[str, object], why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_articles(write_articles(tmp_path, [row]))


def test_a_publication_that_is_no_day_is_not_known(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"doc_id": "a", "text": "t", "label": "true", "published": "2017/5/9"},
        {"doc_id": "b", "text": "t", "label": "fake", "published": "and a half sentence"},
        {"doc_id": "c", "text": "t", "label": "fake", "published": "2017/13/40"},
    ]
    days = [a.document.published for a in read_articles(write_articles(tmp_path, rows))]
    assert [str(d) for d in days] == ["2017-05-09", "None", "None"]
    bad = tmp_path / "r.csv"
    bad.write_text("claim1,claim2,doc1,doc2,relation\na,b,x,y,7\n", encoding="utf-8")
    with pytest.raises(InputError, match="relation 7"):
        read_relations(bad)


def test_auroc_and_its_strata() -> None:
    labels = np.array([True, True, False, False])
    assert auroc(np.array([4.0, 3.0, 2.0, 1.0]), labels) == 1.0
    assert auroc(np.array([1.0, 1.0, 1.0, 1.0]), labels) == 0.5
    assert auroc(np.array([1.0]), np.array([True])) is None
    style = np.repeat([0.0, 1.0], 40)
    labels = np.tile([True, False], 40)
    assert within_strata(style, labels, style) == 0.5


def test_style_alone_is_seen_where_there_is_some() -> None:
    texts = ["Calm words of one kind, he said." if i % 2 else "WOW LOOK AT THIS!!! You must see it!" for i in range(60)]
    labels = np.array([i % 2 == 1 for i in range(60)])
    assert (auroc(style_scores(texts, labels), labels) or 0) > 0.99
    same = ["The same words here."] * 60
    assert auroc(style_scores(same, labels), labels) == pytest.approx(0.5, abs=0.5)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The bridge was built in 1912.", "The bridge was built in 1905."),
        ("The bridge is red.", "The bridge is not red."),
        ("Bees make honey.", "It is not true that bees make honey."),
    ],
)
def test_denials(claim: str, expected: str) -> None:
    assert denied(claim) == expected


@pytest.mark.parametrize("method", sorted({**METHODS, **HELD_OUT}))
def test_planted_documents_say_what_the_attacker_wants(method: str) -> None:
    claims = [("1", "The bridge is red.", "supported"), ("2", "The tower is tall.", "refuted")]
    planted = plant(claims, method, 6, seed=1)
    assert [len(docs) for docs in planted.values()] == [3, 3]
    assert all("The bridge is not red." in d.text for d in planted["1"])
    assert all("The tower is tall." in d.text for d in planted["2"])
    assert planted == plant(claims, method, 6, seed=1)
    assert (wanted("supported"), wanted("refuted")) == ("refuted", "supported")
    with pytest.raises(ConfigError, match="'zebra'"):
        plant(claims, "zebra", 1, seed=0)


def test_poison_is_measured(tmp_path: Path) -> None:
    from factdesk.checker import FactChecker

    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("The old bridge over the Elbe is red.", encoding="utf-8")
    claims = tmp_path / "claims.jsonl"
    rows = [
        {"id": "1", "claim": "The tower of Lund is green.", "label": "not_enough_evidence"},
        {"id": "2", "claim": "The old bridge over the Elbe is red.", "label": "supported"},
    ]
    claims.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    checker = FactChecker(load_settings(trust=False))
    found = evaluate_poison(checker, claims, [str(corpus)], rates=[1.0], methods=["denial"])
    [cell] = found.cells
    assert (cell.n, cell.planted, cell.at_once, cell.trust) == (2, 2, 1, False)
    assert cell.clean_accuracy == 1.0
    assert cell.attack_success == len(cell.wrong) / 2
    assert set(cell.wrong) <= {"1", "2"}
    twenty = tmp_path / "twenty"
    twenty.mkdir()
    for number in range(20):
        (twenty / f"{number}.txt").write_text(f"Mill {number} on the river is old.", encoding="utf-8")
    for rate, at_once in ((0.05, 1), (0.2, 4)):
        found = evaluate_poison(checker, claims, [str(twenty)], rates=[rate], methods=["denial"])
        assert found.cells[0].at_once == at_once, "never more than the rate at one time"


def test_gates_are_compared_on_planted_documents(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("The old bridge over the Elbe is red.", encoding="utf-8")
    claims = tmp_path / "claims.jsonl"
    row = {"id": "1", "claim": "The tower of Lund is green.", "label": "not_enough_evidence"}
    claims.write_text(json.dumps(row), encoding="utf-8")
    flags = ["--method", "denial", "--gate", "off", "--gate", "sources", "--seeds", "1", "--json"]
    done = CliRunner().invoke(
        cli, ["eval", "gates", str(claims), "--corpus", str(corpus), *flags], catch_exceptions=False
    )
    off, sources = json.loads(done.stdout)
    assert [off["gate"], off["attacks"], off["success"], off["clean"]] == ["off", 1, 1, 1]
    assert [sources["gate"], sources["success"], sources["poisoned"]] == ["sources", 0, 1], (
        "three copies are one source"
    )
    with pytest.raises(InputError, match="hold no documents"):
        evaluate_gates(Trial(claims, ()))


def test_kaggles_files_are_taken_as_the_paper_does(tmp_path: Path) -> None:
    head = "title,text,subject,date\n"
    (tmp_path / "True.csv").write_text(
        head + 'Vote,"The council voted, and sat.",politicsNews,"May 31, 2017 "\n'
        'Late,It rained.,politicsNews,"July 1, 2017 "\nAbroad,It snowed.,worldnews,"May 3, 2017 "\n',
        encoding="utf-8",
    )
    (tmp_path / "Fake.csv").write_text(
        head + "Hoax,The mayor is a robot.,politics,19-Jun-17\nLink,x,politics,https://a.example/\n",
        encoding="utf-8",
    )
    found = read_kaggle(tmp_path)
    assert [(a.document.doc_id, a.document.title, a.label) for a in found] == [
        ("0001", "Vote", True),
        ("0002", "Hoax", False),
    ]
    assert found[0].document.text == "The council voted, and sat."
    done = CliRunner().invoke(cli, ["eval", "trust", str(tmp_path), "--json"], catch_exceptions=False)
    assert json.loads(done.stdout)["n"] == 2
    (tmp_path / "Fake.csv").write_text("title,text\n", encoding="utf-8")
    with pytest.raises(InputError, match="lacks the column 'date'"):
        read_kaggle(tmp_path)
