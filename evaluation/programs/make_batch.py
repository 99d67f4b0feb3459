"""Make a corpus of short reports and claims about it, from a seed: something for ``factdesk batch``.

    python -m evaluation.programs.make_batch FOLDER --documents 10000 --claims 5000 --questions 500

writes ``FOLDER/corpus.jsonl``, ``FOLDER/claims.jsonl`` and ``FOLDER/questions.jsonl``. Everything in it is
invented: towns that do not exist, their halls, bridges and harbours, what these cost and when they
opened. Two papers report each (with ``--papers 1``, one: then no document is borne out by another). A third
of the claims is true by the corpus, a third states another amount or year, a third is about something it does
not say. Three quarters of the questions have an answer in the corpus, a quarter have none. The same seed
makes the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

STARTS = "Al Bar Cor Dun El Far Gar Hol In Jar Kel Lor Mar Nor Os Pel Quen Ros Sel Tar Ul Ver Wal Yar Zel".split()
MIDDLES = "a e i o u den mer lin ver ster wen dra gor nis tal".split()
ENDS = "brook bury dale field ford ham haven holt mere minster mouth ridge stead ton vale wick worth".split()
THINGS = (
    "library",
    "concert hall",
    "swimming pool",
    "footbridge",
    "harbour wall",
    "bus station",
    "town museum",
    "water tower",
    "sports hall",
    "health centre",
    "fire station",
    "market hall",
    "observatory",
    "railway bridge",
)
PEOPLE = "visitors residents pupils passengers volunteers members".split()
FIRST = (
    "Ada Ben Clara Dev Edith Farid Greta Hugo Ines Jonas Kira Leon Mona Nils Olga Pavel Rosa Samir Tilda Uwe"
).split()
LAST = ("Quill Marrow Oakes Thorne Vance Brandt Holloway Lindqvist Okafor Petrov Sorel Whitlock Yates Zeller").split()
MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True)
class Fact:
    """What one report says of one building."""

    number: int
    town: str
    thing: str
    opened: date
    millions: str
    people: str
    count: int
    head: str

    @property
    def day(self) -> str:
        """When it opened, in words."""
        return f"{self.opened.day} {MONTHS[self.opened.month - 1]} {self.opened.year}"

    def sentences(self) -> tuple[str, str, str, str]:
        """The four sentences of the town paper's report."""
        return (
            f"The {self.thing} of {self.town} opened on {self.day}.",
            f"Building the {self.thing} of {self.town} cost {self.millions} million euros.",
            f"In its first month the {self.thing} of {self.town} counted {self.count:,} {self.people}.",
            f"{self.head}, who leads the town council of {self.town}, called it a good day.",
        )

    def other_words(self) -> tuple[str, str, str, str]:
        """The same in another paper's words."""
        return (
            f"{self.town} has a new {self.thing} since {self.day}, when it was opened.",
            f"The town paid {self.millions} million euros to build it.",
            f"{self.count:,} {self.people} came to the {self.thing} of {self.town} in the first month.",
            f"It was a good day for {self.town}, said {self.head}, head of its town council.",
        )


def facts(count: int, rng: random.Random) -> Iterator[Fact]:
    """Facts about different towns, as long as there are names: 25 * 15 * 17 towns, 14 buildings each."""
    towns = [a + b + c for a in STARTS for b in MIDDLES for c in ENDS]
    rng.shuffle(towns)
    if count > len(towns) * len(THINGS):
        raise SystemExit(f"at most {len(towns) * len(THINGS)} documents can be made")
    for number in range(count):
        yield Fact(
            number=number,
            town=towns[number % len(towns)],
            thing=THINGS[(number // len(towns) + number) % len(THINGS)],
            opened=date(2012, 1, 1) + timedelta(days=rng.randrange(4300)),
            millions=f"{rng.randint(11, 989) / 10:.1f}",
            people=rng.choice(PEOPLE),
            count=rng.randint(310, 48_000),
            head=f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        )


def reports(fact: Fact, papers: int) -> Iterator[dict[str, str]]:
    """Reports of one or two papers, as ``factdesk corpus add`` reads them."""
    written = (
        ("", fact.sentences(), f"{fact.town} Courier", 40),
        ("-b", fact.other_words(), "County Gazette", 3),
    )
    for end, sentences, publisher, later in written[:papers]:
        yield {
            "doc_id": f"report-{fact.number:06d}{end}",
            "title": f"{fact.town}: new {fact.thing}",
            "text": " ".join(sentences),
            "published": (fact.opened + timedelta(days=later)).isoformat(),
            "publisher": publisher,
        }


def claim(number: int, fact: Fact, rng: random.Random) -> dict[str, str]:
    """A claim with the label it has by the corpus."""
    opened, cost, counted, _ = fact.sentences()
    kind = number % 3
    if kind == 0:
        return {"id": f"g{number:06d}", "claim": rng.choice((opened, cost, counted)), "label": "supported"}
    if kind == 1:
        false = rng.choice(
            (
                cost.replace(fact.millions, f"{float(fact.millions) * 2 + 3:.1f}"),
                opened.replace(str(fact.opened.year), str(fact.opened.year - 3)),
                counted.replace(f"{fact.count:,}", f"{fact.count * 3 + 7:,}"),
            )
        )
        return {"id": f"g{number:06d}", "claim": false, "label": "refuted"}
    unsaid = f"The architect of the {fact.thing} of {fact.town} was {rng.choice(FIRST)} {rng.choice(LAST)}."
    return {"id": f"g{number:06d}", "claim": unsaid, "label": "not_enough_evidence"}


def question(number: int, fact: Fact, rng: random.Random) -> dict[str, str]:
    """A question, and what an answer must say; empty where the corpus does not say it."""
    asked = (
        (f"When did the {fact.thing} of {fact.town} open?", fact.day),
        (f"How much did building the {fact.thing} of {fact.town} cost?", fact.millions),
        (f"Who leads the town council of {fact.town}?", fact.head),
        (f"Who was the architect of the {fact.thing} of {fact.town}?", ""),
    )
    text, answer = asked[3] if number % 4 == 3 else rng.choice(asked[:3])
    return {"id": f"q{number:06d}", "question": text, "answer": answer}


def lines(path: Path, rows: Iterable[dict[str, str]]) -> None:
    """Write records, one a line."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--claims", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--papers", type=int, choices=(1, 2), default=2, help="that report each event")
    parser.add_argument("--seed", type=int, default=10)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    known = list(facts(-(-options.documents // options.papers), rng))
    rows = [report for fact in known for report in reports(fact, options.papers)][: options.documents]
    lines(options.folder / "corpus.jsonl", rows)
    order = rng.sample(known, min(len(known), options.claims))
    claims = (claim(number, order[number % len(order)], rng) for number in range(options.claims))
    lines(options.folder / "claims.jsonl", claims)
    rng = random.Random(f"questions {options.seed}")  # not the claims' own: these stay as they were
    asked = (question(number, rng.choice(known), rng) for number in range(options.questions))
    lines(options.folder / "questions.jsonl", asked)


if __name__ == "__main__":
    main()
