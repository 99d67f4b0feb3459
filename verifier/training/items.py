"""The rows of the training texts (``items/*.jsonl``): one JSON object a line, checked as it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import Field, StringConstraints, ValidationError, model_validator

from factdesk.kernel import InputError, Record

FOLDER = Path(__file__).parent / "items"
Label = Literal["entailment", "neutral", "contradiction"]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Row = TypeVar("Row", bound=Record)


class LabelledClaim(NamedTuple):
    """A claim, and what its evidence says of it."""

    claim: Text
    label: Label


class Item(Record):
    """One set of facts: wordings of the premise, and claims that hold or fail beside each of them."""

    file: str = ""
    """Name of the batch that it was written in."""
    premises: tuple[Text, ...] = Field(min_length=1)
    claims: tuple[LabelledClaim, ...] = Field(min_length=1)


class StoryClaim(Record):
    """A claim, its label, and the number (from 0) of the sentence that decides; ``None``: none does."""

    claim: Text
    label: Label
    decided_by: int | None = Field(ge=0)

    @model_validator(mode="after")
    def _open_or_decided(self) -> StoryClaim:
        if (self.label == "neutral") != (self.decided_by is None):
            raise ValueError("a neutral claim is decided by no sentence, any other by one")
        return self


class Story(Record):
    """One story: headline, sentences in their order, claims."""

    file: str = ""
    headline: Text
    sentences: tuple[Text, ...] = Field(min_length=1)
    claims: tuple[StoryClaim, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _points_into_the_story(self) -> Story:
        if any(c.decided_by is not None and c.decided_by >= len(self.sentences) for c in self.claims):
            raise ValueError("a claim points to no sentence")
        return self


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """All rows of a file; one that is none of ``kind`` raises ``InputError`` with file and line."""
    rows = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                rows.append(kind.model_validate_json(line))
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise InputError(
                    f"{path.name} line {number}: no {kind.__name__.lower()} ({where}: {first['msg']})"
                ) from error
    return rows
