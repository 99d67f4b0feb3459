"""Back ends by name: those of factdesk, and those of a package that is installed beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from agent.tools.web.search import SEARCH_ENGINES, SearchGiven, make_search
from evaluation.data.formats.registry import FORMATS, load_dataset
from evidence.retriever_factory import RETRIEVERS, make_retriever
from evidence.types import Query
from factdesk import doctor, settings, settings_parts
from factdesk.certificates.export_formats import EXPORTS
from factdesk.check.models import REASONERS, ReasonerInputs, make_reasoner
from factdesk.cli import cli
from factdesk.kernel import BackendUnavailable, ConfigError
from factdesk.registry import GROUPS, Registry
from factdesk.settings import load_settings
from verifier.backends.factory import VERIFIERS, make_verifier
from verifier.types import PairText

MODULE = '''
from agent.web_ports import SearchResult
from evaluation.data.formats.own import load_pairs
from evaluation.data.formats.registry import Format
from factdesk.kernel import Fingerprint
from verifier.backends.factory import make_verifier
from evidence.retriever_factory import NoRetriever


def verifier(rest, cache):
    return make_verifier(f"onnx:{rest}", cache=cache)


def reasoner(given):
    from agent.reasoners.extractive import ExtractiveReasoner

    return ExtractiveReasoner(graph=given.settings.graph)


class Nothing(NoRetriever):
    """Finds nothing, under a name of its own."""

    fingerprint = Fingerprint(name="retriever:tiny", version="1")


def retriever(given):
    return Nothing()


class Engine:
    fingerprint = Fingerprint(name="websearch:tiny", version="1")

    def __init__(self, given):
        self.url = given.url

    def search(self, query, limit):
        return (SearchResult(url=self.url, title=query, snippet=""),)


def export(certificate, given):
    return given.author


FORMAT = Format("tiny", "tiny.jsonl", "", "given", load_pairs)
'''
OBJECTS = {
    "verifier": "verifier",
    "reasoner": "reasoner",
    "retriever": "retriever",
    "search engine": "Engine",
    "format": "FORMAT",
    "export": "export",
}
REGISTRIES: dict[str, Registry[object]] = {
    registry.kind: registry for registry in (VERIFIERS, REASONERS, RETRIEVERS, SEARCH_ENGINES, FORMATS, EXPORTS)
}  # type: ignore[assignment]


def install(folder: Path, entries: str) -> None:
    """What pip leaves of a package: its module, and the folder that says which entry points it has."""
    info = folder / "tiny_parts-1.0.dist-info"
    info.mkdir()
    (folder / "tiny_parts.py").write_text(MODULE, "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-parts\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(entries, "utf-8")


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Call it to install a package with the given object behind every kind of entry point."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(module: str) -> None:
        lines = [f"[{GROUPS[kind]}]\ntiny = {module}:{made}\n" for kind, made in OBJECTS.items()]
        install(tmp_path, "\n".join(lines))

    yield put
    sys.modules.pop("tiny_parts", None)


def test_an_installed_package_adds_one_of_each_kind(tiny: Callable[[str], None], tmp_path: Path) -> None:
    for kind, registry in REGISTRIES.items():
        assert "tiny" not in registry
        with pytest.raises(ConfigError, match=f"unknown {kind} 'tiny'; known: "):
            registry.find("tiny")
    tiny("tiny_parts")
    given = load_settings(
        verifier="tiny:minilm-fact", reasoner="tiny", retriever="tiny", websearch={"provider": "tiny"}
    )
    [found] = make_verifier(given.verifier).assess([PairText(claim="It rained.", premise="It rained.")])
    assert found.calibrated.entailment > 0.9
    assert make_reasoner(ReasonerInputs(given.reasoner, given)).fingerprint.name == "reasoner:extractive"
    retriever = make_retriever(given.retriever, None, None)
    assert (retriever.fingerprint.name, retriever.retrieve(Query(text="rain"))) == ("retriever:tiny", ())
    engine = make_search(given.websearch.provider, SearchGiven("https://search.example/"))
    assert [r.url for r in engine.search("rain", 1)] == ["https://search.example/"]
    pairs = tmp_path / "tiny.jsonl"
    pairs.write_text('{"premise": "It rained.", "hypothesis": "It rained.", "label": "entailment"}\n', "utf-8")
    assert len(load_dataset("tiny", pairs).rows) == 1
    for kind, registry in REGISTRIES.items():
        assert "tiny" in registry
        with pytest.raises(ConfigError, match=rf"unknown {kind} 'other'; known: .*\btiny$"):
            registry.find("other")


def test_doctor_says_what_was_added(tiny: Callable[[str], None]) -> None:
    tiny("tiny_parts")
    check = next(c for c in doctor.diagnose(load_settings()).checks if c.name == "added back ends")
    assert check.status == "ok"
    assert "verifier tiny (tiny-parts 1.0)" in check.detail
    assert "tiny_parts" not in sys.modules, "nothing is loaded for it"


def test_one_that_cannot_be_loaded_is_named_with_its_package(tiny: Callable[[str], None]) -> None:
    tiny("no_such_module")
    for registry in REGISTRIES.values():
        with pytest.raises(BackendUnavailable, match="'tiny' of tiny-parts cannot be loaded"):
            registry.find("tiny")


def test_a_package_cannot_take_the_place_of_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = VERIFIERS.find("onnx:minilm-fact")
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "[factdesk.verifiers]\nonnx = tiny_parts:verifier\n")
    assert VERIFIERS.find("onnx:minilm-fact") == own
    assert list(VERIFIERS).count("onnx") == 1


def test_the_words_of_the_settings_are_our_own_back_ends() -> None:
    assert set(get_args(settings.RetrieverName)) == set(RETRIEVERS)
    assert set(get_args(settings_parts.SearchEngine)) == set(SEARCH_ENGINES)
    with pytest.raises(ConfigError, match="'retriever' is 'magic': input should be one of hybrid, bm25"):
        load_settings(retriever="magic")


def test_a_command_of_a_package_that_cannot_be_loaded_says_so_and_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "[factdesk.commands]\nbroken = nowhere_at_all:command\n")
    assert "Cannot be loaded." in CliRunner().invoke(cli, ["--help"]).output
    refused = CliRunner().invoke(cli, ["broken", "--any", "thing"]).exception
    assert isinstance(refused, BackendUnavailable)
    assert "nowhere_at_all" in str(refused)
    assert CliRunner().invoke(cli, ["doctor", "--help"]).exit_code == 0
