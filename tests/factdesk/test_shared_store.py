"""Checks, corpora and history of two desks on one real PostgreSQL, through the facade."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from factdesk.certificates.verifying import local_history
from factdesk.checker import FactChecker, open_ledger
from factdesk.corpus_trust.open import named_seeds
from factdesk.doctor import diagnose
from factdesk.kernel import ConfigError
from factdesk.settings import Settings, load_settings
from factdesk.stored_order import storable
from report.certificate.keys import Keyring
from report.verification.integrity import verify_chain

ARTICLE = "The Tollgate Library reopened in May 2024. The refurbishment cost 6.2 million pounds."
CLAIM = "The refurbishment of the Tollgate Library cost 6.2 million pounds."


def desk(home: Path, url: str | None) -> Settings:
    return Settings(home=home, retriever="bm25", database=SecretStr(url) if url else None)


def test_two_desks_share_corpora_and_history(tmp_path: Path, postgres: str) -> None:
    (tmp_path / "one.md").write_text(f"---\ntitle: Library\npublished: 2024-05-05\n---\n{ARTICLE}\n")
    (tmp_path / "two.md").write_text("---\ntitle: Bridge\n---\nThe Harrow Bridge opened in 1931.\n")
    here, there = desk(tmp_path / "here", postgres), desk(tmp_path / "there", postgres)
    checker = FactChecker(here)
    checker.corpora.add("default", [tmp_path / "one.md"])
    first = checker.check(CLAIM).certificate
    other = FactChecker(there)
    second = other.check(CLAIM).certificate
    assert second.body.verdict == "supported"
    assert second.envelope.sequence == 2
    assert second.envelope.previous_sha256 == first.envelope.envelope_sha256
    other.corpora.add("default", [tmp_path / "two.md"])
    assert checker.check("The Harrow Bridge opened in 1931.").verdict == "supported", "the index came in step"
    alone = FactChecker(desk(tmp_path / "alone", None))
    alone.corpora.add("default", [tmp_path / "one.md"])
    assert alone.check(CLAIM, record=False).certificate.body == first.body, "the database plays no part"

    ledger = open_ledger(there)
    assert [e.certificate_id for e in ledger.search("refurbishment")] == [
        second.envelope.certificate_id,
        first.envelope.certificate_id,
    ]
    keys = {**Keyring(here.paths.keys).known(), **Keyring(there.paths.keys).known()}
    history, kept = local_history(ledger)
    chain = verify_chain(history.texts, head=history.header.head, known=kept, keys=keys, scope="local history")
    assert (chain.ok, chain.certificates) == (True, 3), chain.problems
    assert named_seeds(here, ["default"]) == []
    (found,) = [c for c in diagnose(here).checks if c.name == "database"]
    assert (found.status, "PostgreSQL" in found.detail) == ("ok", True)
    assert not here.paths.database.exists()


def test_the_address_is_a_secret_and_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://desk:hunter2@db.example/factdesk"
    settings = desk(tmp_path, url)
    for shown in (repr(settings), str(settings.store), str(settings.recorded()), str(storable(settings))):
        assert "hunter2" not in shown
    assert settings.recorded() == desk(tmp_path, None).recorded()
    monkeypatch.setenv("FACTDESK_DATABASE", "mysql://desk:hunter2@x/y")
    with pytest.raises(ConfigError, match="'database' is a secret") as caught:
        load_settings()
    assert "hunter2" not in str(caught.value)
