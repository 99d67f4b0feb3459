"""ALCE: citation precision and recall with a judge of known answers, and with the shipped verifier."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluation.data.formats.types import document
from evaluation.runs.alce import cited_rightly, correctness, evaluate_alce, normal, statements, uncited
from evidence.types import Document
from factdesk.cli import cli
from factdesk.kernel import ConfigError, Fingerprint, InputError
from tests.factdesk import eval_files as files

JUDGE = Fingerprint(name="judge", version="1")
A, B, C = (document(name, name) for name in "abc")


def by_words(statement: str, texts: Sequence[Document]) -> bool:
    """Every word of the statement stands in one of the texts."""
    held = " ".join(d.text.lower() for d in texts)
    return all(word.strip(".").lower() in held for word in statement.split())


def test_which_citations_count() -> None:
    assert cited_rightly("a", [A], by_words) == 1
    assert cited_rightly("c", [A, B], by_words) is None
    assert cited_rightly("a", [A, B], by_words) == 1  # b adds nothing
    assert cited_rightly("a b", [A, B], by_words) == 2  # each is needed
    assert cited_rightly("a b", [A, B, C], by_words) == 2


def test_figures_of_a_file(tmp_path: Path) -> None:
    path = files.alce(tmp_path)
    part = tmp_path / "part"
    found = evaluate_alce(path, "asqa", by_words, JUDGE, part=part)
    first, second = found.items
    assert (first.statements, first.uncited) == (3, 1)
    assert first.citation_recall == pytest.approx(2 / 3)
    assert first.citation_precision == pytest.approx(2 / 3)
    assert (first.correct, second.correct) == ({"str_em": 0.5}, {"str_em": 0.0})
    assert (second.citation_recall, second.uncited) == (0.0, 1)
    assert found.correct["str_em"].value == 0.25
    asked: list[str] = []

    def never(statement: str, texts: Sequence[Document]) -> bool:
        asked.append(statement)
        return False

    with part.open("a", encoding="utf-8") as file:
        file.write('{"torn')
    assert evaluate_alce(path, "asqa", never, JUDGE, part=part).items == found.items
    assert not asked
    with pytest.raises(InputError, match="belongs to another run"):
        evaluate_alce(path, "eli5", never, JUDGE, part=part)
    with pytest.raises(ConfigError, match="task 'zebra'"):
        evaluate_alce(path, "zebra", never, JUDGE)
    bare = files.lines(tmp_path / "bare.jsonl", [{"question": "q", "docs": []}])
    with pytest.raises(InputError, match="has no 'output'"):
        evaluate_alce(bare, "asqa", never, JUDGE)


def test_lists_and_claims() -> None:
    row = {"answers": [["Anna K.", "A. K."], ["Boris"], ["Carla"]]}
    found = correctness("qampari", row, "Anna K [1], Dora [2], Boris.", by_words)
    assert found["precision"] == pytest.approx(2 / 3)
    assert found["recall"] == found["recall_top5"] == pytest.approx(2 / 3)
    assert correctness("eli5", {"claims": ["a", "c"]}, "a b [1].", by_words) == {"claim_recall": 0.5}
    assert correctness("eli5", {"claims": ["a"]}, "", by_words) == {"claim_recall": 0.0}
    assert statements("qampari", "Who?", "Anna [1], Boris [2].") == ["Who? Anna [1]", "Who? Boris [2]"]
    assert uncited("A fact [1][2]. More [3].") == "A fact. More."
    assert normal("The  Hall, an old one!") == "hall old one"


def test_the_command_with_the_shipped_verifier(tmp_path: Path) -> None:
    out = tmp_path / "asqa.json"
    arguments = ["eval", "citations", str(files.alce(tmp_path)), "--task", "asqa", "--out", str(out)]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert "citation_precision" in done.stdout
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["items"][0]["citation_recall"] == pytest.approx(2 / 3)
    assert (found["answers"], found["n"]) == ("file", 2)
    assert not out.with_name("asqa.json.part").exists()


def test_answers_of_our_own(tmp_path: Path) -> None:
    rows = json.loads(files.alce(tmp_path).read_text(encoding="utf-8"))["data"][:1]
    rows[0]["docs"].append({"title": "Lindau by night", "text": "In Lindau the town hall was built in 1912."})
    asked = files.lines(tmp_path / "ask.jsonl", [{k: v for k, v in rows[0].items() if k != "output"}])
    out = tmp_path / "own.json"
    arguments = ["eval", "citations", str(asked), "--task", "asqa", "--ask", "--out", str(out)]
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    [item] = json.loads(out.read_text(encoding="utf-8"))["items"]
    assert item["output"] == "" or "[1]" in item["output"] or "[3]" in item["output"]
    assert item["uncited"] == 0


def test_an_empty_answer_counts_and_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    row = {"question": "q", "answer": "a", "docs": [], "output": ""}
    path.write_text(json.dumps([row]), encoding="utf-8")
    assert [statements(task, "q", "") for task in ("asqa", "eli5", "qampari")] == [[], [], []]
    found = evaluate_alce(path, "eli5", by_words, JUDGE)
    assert (found.items[0].statements, found.items[0].citation_recall) == (0, 0.0)
