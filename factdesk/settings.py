"""Settings: ``factdesk.toml`` < environment ``FACTDESK_…`` < arguments.

Built in ``main`` or by the facade, never at import. The file is ``factdesk.toml`` in the working folder, or
the one that ``FACTDESK_CONFIG`` names. Nested keys are tables there, two underscores in the environment::

    retriever = "bm25"          FACTDESK_RETRIEVER=bm25

    [caps]
    max_pairs = 100             FACTDESK_CAPS__MAX_PAIRS=100

A wrong or unknown key is a ``ConfigError`` (exit code 2): a misspelt threshold must not pass unseen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from factdesk.kernel import DEFAULT_VERIFIER, Caps, ConfigError
from factdesk.settings_parts import (
    AttributionWeights,
    BackEndName,
    ImageSearchSettings,
    LLMSettings,
    Paths,
    Percentage,
    Probability,
    ServeSettings,
    ThresholdOverrides,
    WebSearchSettings,
    check_window,
    with_preset,
)
from trust.types import RankOptions

if TYPE_CHECKING:
    from store.location import Place

CONFIG_FILE = "factdesk.toml"
PREFIX = "FACTDESK_"
CONFIG_VARIABLE = "FACTDESK_CONFIG"
NOT_RECORDED = ("home", "corpus", "clip", "llm", "score_cache", "attribution", "database", "serve")
"""Fields that no certificate records as they are."""

Method = Literal["chain", "tree", "subq", "auto"]
Veracity = Literal["standard", "cot", "cove"]
RetrieverName = Literal["hybrid", "bm25", "dense", "semantic", "community", "both", "kaping", "none"]
Ranking = Literal["vanilla", "score"]
CorpusTrust = Literal["off", "stored", "build"]
Mode = Literal["strict", "mixed", "debug"]


class Settings(BaseSettings):
    """All settings with their defaults; frozen. Build it with ``load_settings``, which words the errors. What is said
    of a field is the help of its flag.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        validate_default=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )

    home: Path = Field(default_factory=lambda: platformdirs.user_data_path("factdesk", appauthor=False))
    corpus: Annotated[tuple[str, ...], NoDecode] = ("default",)
    """Stored corpus by name, or a file or folder of documents; may be repeated."""
    web: bool = False
    """Search the web too (docs/web.md)."""
    window: Annotated[str, AfterValidator(check_window)] | None = None
    """Leave out evidence older than 30d, 8w, 6m, 2y before --as-of, --date or today (2y with --web and --date)."""
    block: Annotated[tuple[str, ...], NoDecode] = ()
    """Site to leave out of all evidence, or fact-checkers; may be repeated."""
    method: Method = "chain"
    """How questions are asked: one by one, as a tree, all at once; auto: by the claim."""
    wider: bool = Field(default=False, exclude_if=lambda value: not value)
    """chain: look once more, among twice the sentences, for a claim that stays open."""
    veracity: Veracity = "standard"
    """How the proposal is made: as it is, step by step, or with its own doubts checked."""
    retriever: Annotated[str, BackEndName("retriever", get_args(RetrieverName))] = "hybrid"
    """How evidence is found; community, both and kaping go through the knowledge graph."""
    graph: bool = False
    """Questions that connect names go to the knowledge graph."""
    delta: Percentage = 25.0
    """community, both: so many percent of the communities (default 25)."""
    lam: Percentage = 100.0
    """community, both: so many percent of their sentences (default 100)."""
    ranking: Ranking = "vanilla"
    """Order evidence by relevance alone (vanilla) or by relevance and stored trust (score)."""
    trust_weight: Probability = 0.5
    """Weight of trust in ``ranking = "score"``: ``w`` in (1 - w) similarity + w trust."""
    claimrank: RankOptions = RankOptions(independence=True, coverage=True)
    """How the documents of a corpus are ranked: ``alpha`` and variants (docs/trust.md)."""
    trust: bool = True
    """Gate evidence by the trust of its document."""
    corpus_trust: CorpusTrust = Field(default="stored", exclude_if=lambda value: value == "stored")
    """The gate knows what trust rank stored of the whole corpus (stored), works it out first for up to 100 documents
    (build), or looks at the check's own documents alone (off)."""
    reasoner: str = "extractive"
    """Who asks and answers: extractive, llm:PROVIDER:MODEL or gguf:PATH."""
    verifier: str = DEFAULT_VERIFIER
    """Which model verifies, e.g. onnx:minilm-fact or onnx:FOLDER."""
    score_cache: bool = True
    """Keep the verifier's raw scores between checks, below ``paths.cache``. Changes no score."""
    mode: Mode = "strict"
    """What is shown: strict shows only Verified."""
    caps: Caps = Caps()
    thresholds: ThresholdOverrides = ThresholdOverrides()
    websearch: WebSearchSettings = WebSearchSettings()
    imagesearch: ImageSearchSettings = ImageSearchSettings()
    sources: Annotated[tuple[str, ...], NoDecode] = ()
    """Site whose own word may stand as an answer (a newspaper you trust); may be repeated."""
    answer_sources: int | None = Field(default=None, ge=1, le=2)
    """So many independent sources must support an answer (default 1, named; 2 with --source)."""
    clip: str | None = None
    """CLIP weights: ``local-dir:PATH``, ``MODEL@FILE`` or a hub id; ``None``: not available."""
    llm: LLMSettings = LLMSettings()
    attribution: AttributionWeights = AttributionWeights()
    """Weights of an annotation's scores; a check does not know them."""
    database: SecretStr | None = None
    """Address of a PostgreSQL database (``postgresql://…``) for corpora and history; ``None``: SQLite."""
    serve: ServeSettings = ServeSettings()

    @field_validator("database")
    @classmethod
    def _is_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        from store.location import Postgres

        if value is not None:
            Postgres(value.get_secret_value())
        return value

    @field_validator("corpus", "block", "sources", mode="before")
    @classmethod
    def _one_corpus(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("sources")
    @classmethod
    def _sites(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        from evidence.domains import as_domain

        return tuple(sorted({site for site in map(as_domain, value) if site}))

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @property
    def paths(self) -> Paths:
        """Places below ``home``."""
        return Paths(home=self.home)

    @property
    def store(self) -> Place:
        """Where corpora and history are kept: the file below ``home``, or the PostgreSQL database."""
        from store.location import Postgres

        return Postgres(self.database.get_secret_value()) if self.database else self.paths.database

    def recorded(self) -> dict[str, Any]:
        """What a certificate records as JSON values: all that can change a decision. Left out are secrets, this
        machine's places and what only saves time; corpora and models stand there by their hashes.
        """
        left_out: dict[str, Any] = dict.fromkeys(NOT_RECORDED, True)
        left_out |= {"websearch": {"url", "api_key"}, "imagesearch": {"url", "api_key"}}
        if self.imagesearch.provider is None:
            left_out["imagesearch"] = True
        if self.ranking == "vanilla":
            left_out |= {"trust_weight": True, "claimrank": True}
        data = self.model_dump(mode="json", exclude=left_out)
        kind, _, rest = self.reasoner.partition(":")
        if kind == "gguf":
            data["reasoner"] = f"gguf:{Path(rest).name}"
        if kind != "extractive":
            data["llm"] = self.llm.model_dump(mode="json", exclude={"base_url", "api_key"})
        return data

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library passes it by name
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - as above
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=config_path())


def config_path() -> Path | None:
    """The settings file in force, or ``None``. Raises ``ConfigError`` when ``FACTDESK_CONFIG`` names a file that is not
    there.
    """
    named = os.environ.get(CONFIG_VARIABLE)
    if named:
        path = Path(named).expanduser()
        if not path.is_file():
            raise ConfigError(f"{CONFIG_VARIABLE} is {named!r}, which is no file; unset it or name a TOML file.")
        return path
    path = Path(CONFIG_FILE)
    return path if path.is_file() else None


def load_settings(**arguments: Any) -> Settings:
    """Settings from file, environment and arguments; ``None`` and ``()`` count as not given.

    ``preset`` names a set of them (``factdesk.settings_parts``), over which the other arguments stand. Nested
    arguments are mappings and are merged key by key: ``load_settings(caps={"max_pairs": 100})``.

    Raises:
        ConfigError: for an unknown key, a wrong value or an unreadable file, with the mend.
    """
    chosen = with_preset(arguments)
    given = {key: _given(value) for key, value in chosen.items() if value not in (None, ())}
    _refuse_unknown_variables(os.environ)
    try:
        return Settings(**given)
    except ConfigError:
        raise
    except ValidationError as error:
        raise ConfigError(" ".join(_explain(item) for item in error.errors())) from error
    except SettingsError as error:
        raise ConfigError(
            f"the environment cannot be read: {error}. Write a nested setting as JSON or as "
            f"{PREFIX}CAPS__MAX_PAIRS=100."
        ) from error
    except (OSError, ValueError) as error:  # not TOML, not UTF-8, not readable
        raise ConfigError(
            f"settings file {str(config_path())!r} cannot be read: {error}. Mend it or remove it."
        ) from error


def _given(value: Any) -> Any:
    """Nested flags that were not given must not hide what file and environment say."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_unset=True)
    if isinstance(value, Mapping):
        return {key: item for key, item in value.items() if item is not None}
    return value


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    """pydantic-settings reads the variables it knows and passes over the others in silence."""
    for variable in sorted(environment):
        name = variable.upper()
        if not name.startswith(PREFIX) or name == CONFIG_VARIABLE:
            continue
        key = name.removeprefix(PREFIX).split("__")[0].lower()
        if key not in Settings.model_fields:
            raise ConfigError(f"unknown environment variable {variable!r}; known settings: {_known(())}.")


def _explain(item: Any) -> str:
    """One pydantic error as a sentence with the key, the value and the mend."""
    where = tuple(str(part) for part in item["loc"])
    key = ".".join(where)
    if item["type"] == "extra_forbidden":
        return f"unknown setting {key!r}; known ones: {_known(where[:-1])}."
    secret = where[0] == "database" or (
        where[0] in ("llm", "serve", "imagesearch", "websearch")
        and (len(where) == 1 or where[1] in ("api_key", "base_url", "token"))
    )
    value = "a secret" if secret else repr(item["input"])
    message = item["msg"].removeprefix("Value error, ")
    return (
        f"setting {key!r} is {value}: {message[:1].lower()}{message[1:]}. Change it in {CONFIG_FILE}, in "
        f"{PREFIX}{'__'.join(where).upper()} or in the flag."
    )


def _known(where: tuple[str, ...]) -> str:
    """Names of the settings at a level, sorted."""
    model: Any = Settings
    for part in where:
        model = type(model.model_fields[part].default)
    return ", ".join(sorted(model.model_fields))
