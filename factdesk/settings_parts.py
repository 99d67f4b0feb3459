"""The tables of the settings: language model, web, images, service, thresholds, places."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import Field, GetCoreSchemaHandler, SecretStr
from pydantic_core import CoreSchema, core_schema

from factdesk.kernel import ConfigError, Record
from factdesk.registry import installed

if TYPE_CHECKING:
    from verifier.types import Thresholds

SearchEngine = Literal["duckduckgo", "searxng", "google-factcheck", "wikipedia", "wikidata"]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]
Percentage = Annotated[float, Field(gt=0, le=100)]


_NAMED: dict[str, Any] = tomllib.loads(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))
GROUPS: Mapping[str, tuple[str, ...]] = {name: tuple(sites) for name, sites in _NAMED.pop("groups").items()}
"""Names that stand for several sites."""
PRESETS: Mapping[str, Mapping[str, object]] = _NAMED
"""Settings of published systems."""


@dataclass(frozen=True)
class BackEndName:
    """The name of one of factdesk's own back ends, or of one that an installed package adds."""

    kind: str
    own: tuple[str, ...]

    def check(self, name: str) -> str:
        """The name. Raises ``ValueError`` for one that is unknown."""
        if name not in self.own and name not in (others := [found.name for found in installed(self.kind)]):
            raise ValueError(f"input should be one of {', '.join([*self.own, *others])}")
        return name

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A string that :meth:`check` takes."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))


class ThresholdOverrides(Record):
    """Thresholds that replace the verifier's own; ``None`` keeps them. Looser ones are recorded."""

    tau_entail: Probability | None = None
    tau_contradict: Probability | None = None
    tau_refute: Probability | None = None
    tau_mended: Probability | None = None
    tau_trust: Probability | None = None
    min_independent: Annotated[int, Field(ge=1)] | None = None
    min_unrated: Annotated[int, Field(ge=1)] | None = None
    """Independent sources asked for where none is rated (listed in ``sources``, or a seed of trust)."""

    def apply(self, base: Thresholds) -> Thresholds:
        """The verifier's thresholds with these put over them. Raises ``ConfigError`` when a refutation could be
        certified by less than what counts as a contradiction.
        """
        merged = base.model_copy(update=self.model_dump(exclude_none=True))
        if merged.tau_refute < merged.tau_contradict:
            raise ConfigError(
                f"tau_refute {merged.tau_refute!r} is below tau_contradict {merged.tau_contradict!r}; "
                f"raise 'thresholds.tau_refute' to at least {merged.tau_contradict!r}."
            )
        return merged


class LLMSettings(Record):
    """A language model as reasoner, for ``llm:PROVIDER:MODEL`` and ``gguf:PATH``; see docs/reasoners.md."""

    base_url: Annotated[str, Field(pattern=r"^https?://[^/@\s]+(/[^@\s]*)?$")] | None = None
    """Of a server of your own (Ollama, llama.cpp, vLLM); the key stands in ``api_key``, never in here."""
    api_key: SecretStr | None = None
    fallback: bool = True
    """The extractive reasoner takes over where the model fails; otherwise such a claim stays open."""
    images: bool = False
    """Show submitted pictures to the model, as data URLs without EXIF."""
    claims: bool = Field(default=False, exclude_if=lambda value: not value)
    """The model cuts the text into claims; where its cut is not the text's own words, the rules do."""
    structured: Literal["json_schema", "function_calling", "json_mode"] = "json_schema"
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] | Literal["unset"] = 0.0
    """``"unset"``: not sent, for models that refuse it."""
    timeout: Annotated[float, Field(gt=0.0)] = 60.0
    """Seconds one call may take."""
    max_seconds: Annotated[float, Field(gt=0.0)] = 600.0
    """So many seconds after a check's start the model is asked no more (``caps.max_seconds`` may be less)."""
    max_calls: Annotated[int, Field(ge=1)] = 200
    """Calls in one check, repairs included; tokens are bounded by ``caps.max_tokens``."""
    max_output_tokens: Annotated[int, Field(ge=16)] = 800
    """Output tokens of one call."""
    samples: Annotated[int, Field(ge=1, le=25)] = 5
    """As verifier (``verifier = "llm:..."``): answers that are asked for on each pair."""
    sample_temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.7
    """As verifier: the least temperature, since equal answers tell nothing of doubt."""


class AttributionWeights(Record):
    """``alpha`` and ``beta`` of the triplets match score, ``gamma`` of the attribution score."""

    alpha: Annotated[float, Field(ge=0.0, le=1.0, description="Weight of similarity in TMS.")] = 0.5
    beta: Annotated[float, Field(ge=0.0, le=1.0, description="Weight of entity presence in TMS.")] = 0.5
    gamma: Annotated[float, Field(ge=1.0, le=100.0, description="Penalty of a contradicted text.")] = 3.0


class WebSearchSettings(Record):
    """How the web is searched, where ``web`` is on."""

    provider: Annotated[str, BackEndName("search engine", get_args(SearchEngine))] = "duckduckgo"
    url: str | None = None
    """Address of a SearXNG instance, or of another wiki than the English Wikipedia."""
    api_key: SecretStr | None = None
    """Of the Google Fact Check Tools API."""
    results: Annotated[int, Field(ge=1, le=10)] = 10
    """Pages read for each question."""
    archive: Annotated[bool, Field(exclude_if=lambda value: not value)] = False
    """Ask the Wayback Machine for its copy of each cited page, and record the address."""
    block: tuple[str, ...] = GROUPS["social"]
    """Sites whose pages are not read from the web."""


class ImageSearchSettings(Record):
    """Reverse image search on the web; off without a provider (docs/images.md)."""

    provider: Literal["serpapi"] | None = None
    url: Annotated[str, Field(pattern=r"^https?://[^@\s]+$")] | None = None
    """Address of the service, where it is not SerpAPI's own."""
    api_key: SecretStr | None = None
    results: Annotated[int, Field(ge=1, le=10)] = 10
    """Pages looked at for a picture."""


class ServeSettings(Record):
    """The local service, for ``factdesk serve``; see docs/service.md."""

    token: SecretStr | None = None
    """Asked of every caller where it is set; needed for any address but loopback."""
    token_file: Path | None = None
    """A file that holds the token, readable by its owner alone."""
    hosts: tuple[str, ...] = ()
    """Further names under which the service is called (``desk.example``); other names are refused."""
    requests_per_minute: Annotated[int, Field(ge=1)] = 600
    """Of one caller."""
    checks_per_minute: Annotated[int, Field(ge=1)] = 60
    """Of one caller; verifications that run the model again count too."""
    queue: Annotated[int, Field(ge=1, le=10_000)] = 32
    """Checks that may wait besides those that run."""
    parallel: Annotated[int, Field(ge=1, le=64)] | None = None
    """Checks that run at the same time; ``None``: one a core and 2 GB of memory, 4 at most."""
    max_body: Annotated[int, Field(ge=1_000)] = 50_000_000
    """Bytes of one request, pictures included."""
    max_images: Annotated[int, Field(ge=0, le=100)] = 8
    """Pictures of one check."""
    max_streams: Annotated[int, Field(ge=1)] = 64
    """Callers that follow the progress of checks at the same time."""
    grace: Annotated[float, Field(ge=0.0)] = 20.0
    """Seconds a running check gets to end when the service stops; then it is put aside, to go on later."""


def _below(name: str) -> Any:
    return Field(default_factory=lambda known: known["home"] / name)


class Paths(Record):
    """Where things lie below the home folder. Nothing is made by asking."""

    home: Path
    database: Path = _below("factdesk.sqlite")
    """Corpora and history (SQLite), where ``Settings.database`` names no other."""
    index: Path = _below("index")
    """Folder of the search indexes."""
    checkpoints: Path = _below("checkpoints.sqlite")
    """State of running checks (SQLite, a file of its own)."""
    pictures: Path = _below("pictures")
    """Folder of the pictures that were submitted with claims, named by their SHA-256."""
    keys: Path = _below("keys")
    """Folder of the keys that sign the history."""
    head: Path = _below("history-head.json")
    """The signed head of the history, outside of the database."""
    cache: Path = _below("cache")
    """Folder of what can be made again, such as corpora ingested on the fly."""
    calibrations: Path = _below("calibrations")
    """Folder of the calibrations that ``factdesk calibrate`` wrote, by verifier."""


_LENGTH = re.compile(r"([1-9][0-9]{0,3})\s*([dwmy])", re.IGNORECASE)


def check_window(text: str) -> str:
    """The length of a window in its plain form (``"2y"``). Raises ``ConfigError``."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"window {text!r} is no length of time; write 30d, 8w, 6m or 2y")
    return f"{match[1]}{match[2].lower()}"


def with_preset(arguments: Mapping[str, object]) -> dict[str, object]:
    """Arguments with those of the preset they name below them. Raises ``ConfigError`` for an unknown one."""
    given = dict(arguments)
    name = given.pop("preset", None)
    if name is None:
        return given
    if name not in PRESETS:
        raise ConfigError(f"preset {name!r} is unknown; known: {', '.join(sorted(PRESETS))}")
    plain = {key: value for key, value in given.items() if value not in (None, ())}
    return {**PRESETS[str(name)], **plain}
