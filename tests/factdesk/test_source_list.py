"""``factdesk init`` writes a source list that the next check reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from factdesk.cli import cli
from factdesk.cli.tools import settings_text
from factdesk.kernel import InputError
from factdesk.settings import load_settings


def test_the_file_is_read_as_settings_and_never_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(cli, ["init", "https://www.reuters.com/world", "BBC.co.uk", "--min-unrated", "3"])
    assert made.exit_code == 0, made.output
    settings = load_settings()
    assert settings.sources == ("bbc.co.uk", "reuters.com")
    assert settings.thresholds.min_unrated == 3
    again = CliRunner().invoke(cli, ["init"])
    assert isinstance(again.exception, InputError)
    assert load_settings().sources == settings.sources


def test_the_sites_of_a_corpus_are_offered_and_not_rated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f'{{"doc_id": "d{n}", "text": "A hall.", "url": "https://www.n{n % 2}.example/{n}"}}' for n in range(3)]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("FACTDESK_RETRIEVER", "bm25")
    CliRunner().invoke(cli, ["corpus", "add", "docs.jsonl", "--name", "news"], catch_exceptions=False)
    made = CliRunner().invoke(cli, ["init", "n1.example", "--corpus", "news"])
    assert made.exit_code == 0, made.output
    text = (tmp_path / "factdesk.toml").read_text(encoding="utf-8")
    assert '# "n0.example",  # 2 document(s)' in text
    assert load_settings().sources == ("n1.example",)
    assert isinstance(CliRunner().invoke(cli, ["init", "--corpus", "none"]).exception, InputError)


def test_an_odd_name_stays_one_string() -> None:
    import tomllib

    assert tomllib.loads(settings_text(['a"b\n.example'], {}, least=1))["sources"] == ['a"b\n.example']
