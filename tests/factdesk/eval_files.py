"""Small files in the formats of the field's data sets, with sentences of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HALL = "The town hall of Lindau was built in 1912."
FERRY = "The ferry carries 240 passengers and leaves the harbour twice a day."


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def fever(folder: Path) -> tuple[Path, Path]:
    """Three claims and two pages; the second page has a name with brackets."""
    claims = [
        {
            "id": 1,
            "verifiable": "VERIFIABLE",
            "label": "SUPPORTS",
            "claim": HALL,
            "evidence": [[[11, 21, "Lindau_-LRB-town-RRB-", 0]]],
        },
        {
            "id": 2,
            "verifiable": "VERIFIABLE",
            "label": "REFUTES",
            "claim": "The ferry Sula carries 90 passengers.",
            "evidence": [[[12, 22, "Sula", 0], [12, 23, "Lindau_-LRB-town-RRB-", 1]], [[13, 24, "Sula", 1]]],
        },
        {
            "id": 3,
            "verifiable": "NOT VERIFIABLE",
            "label": "NOT ENOUGH INFO",
            "claim": "The mayor of Lindau plays chess.",
            "evidence": [[[14, None, None, None]]],
        },
    ]
    pages = [
        {
            "id": "Lindau_-LRB-town-RRB-",
            "text": "",
            "lines": f"0\t{HALL}\tTown hall\n1\tLindau has a harbour -LRB- opened in 1890 -RRB- .\n2\t",
        },
        {"id": "Sula", "text": "", "lines": f"0\tThe Sula is a ferry .\tFerry\n1\t{FERRY}"},
        {"id": "Unnamed", "text": "", "lines": "0\tNobody names this page ."},
    ]
    lines(folder / "wiki-pages" / "wiki-001.jsonl", pages)
    return lines(folder / "dev.jsonl", claims), folder / "wiki-pages"


def vitaminc(folder: Path) -> Path:
    """Two claims on one revision, and a line without evidence."""
    text = "As of 3 March , more than 1,200 people have signed the petition ."
    rows = [
        {
            "unique_id": "a_1",
            "label": "SUPPORTS",
            "claim": "More than 1,200 people have signed the petition.",
            "evidence": text,
            "page": "Harbour_petition",
            "revision_type": "real",
        },
        {
            "unique_id": "a_2",
            "label": "REFUTES",
            "claim": "Fewer than 300 people have signed the petition.",
            "evidence": text,
            "page": "Harbour_petition",
            "revision_type": "real",
        },
        {
            "unique_id": "a_3",
            "label": "NOT ENOUGH INFO",
            "claim": "The petition was written by a baker.",
            "evidence": text,
            "page": "Harbour_petition",
            "revision_type": "synthetic",
        },
        {"unique_id": "a_4", "label": "SUPPORTS", "claim": "x", "evidence": " ", "page": "Empty"},
    ]
    return lines(folder / "vitaminc.jsonl", rows)


def scifact(folder: Path) -> tuple[Path, Path]:
    """Four claims (one with evidence both ways) and two abstracts."""
    claims = [
        {
            "id": 1,
            "claim": "Zinc shortens colds.",
            "cited_doc_ids": [10],
            "evidence": {"10": [{"sentences": [1], "label": "SUPPORT"}]},
        },
        {
            "id": 2,
            "claim": "Zinc lengthens colds.",
            "cited_doc_ids": [10],
            "evidence": {"10": [{"sentences": [0, 1], "label": "CONTRADICT"}]},
        },
        {"id": 3, "claim": "Zinc cures hay fever.", "cited_doc_ids": [20], "evidence": {}},
        {
            "id": 4,
            "claim": "Zinc helps children.",
            "cited_doc_ids": [10, 20],
            "evidence": {
                "10": [{"sentences": [1], "label": "SUPPORT"}],
                "20": [{"sentences": [0], "label": "CONTRADICT"}],
            },
        },
    ]
    corpus = [
        {
            "doc_id": 10,
            "title": "Zinc and colds",
            "abstract": ["We gave zinc.", "Colds were shorter by a day."],
        },
        {"doc_id": 20, "title": "Zinc in children", "abstract": ["Zinc did not help children."]},
    ]
    return lines(folder / "claims_dev.jsonl", claims), lines(folder / "corpus.jsonl", corpus)


def averitec(folder: Path) -> Path:
    """Two claims with questions: two answers, a Boolean one, none, and one that could not be given."""
    rows = [
        {
            "claim": "The bridge at Vale was closed for a year.",
            "label": "Refuted",
            "claim_date": "25-8-2020",
            "speaker": "A. Person",
            "claim_types": ["Event/Property Claim"],
            "questions": [
                {
                    "question": "How long was the bridge at Vale closed?",
                    "answers": [
                        {
                            "answer": "The bridge at Vale was closed for three weeks.",
                            "answer_type": "Extractive",
                            "source_url": "https://vale.example/bridge",
                        },
                        {
                            "answer": "No",
                            "answer_type": "Boolean",
                            "boolean_explanation": "It reopened after three weeks.",
                            "source_url": "",
                        },
                    ],
                },
                {"question": "Who closed it?", "answers": []},
            ],
        },
        {
            "claim": "The pool at Vale opened.",
            "label": "Conflicting Evidence/Cherrypicking",
            "claim_date": "31-2-2020",
            "speaker": None,
            "claim_types": [],
            "questions": [
                {
                    "question": "Did it open?",
                    "answers": [{"answer": "No answer could be found.", "answer_type": "Unanswerable"}],
                }
            ],
        },
    ]
    path = folder / "dev.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def averitec_store(folder: Path) -> Path:
    """A knowledge store for the first of the two claims."""
    pages = [
        {
            "claim_id": 0,
            "type": "question",
            "query": "q",
            "url": "https://vale.example/news",
            "url2text": ["The bridge at Vale reopened.", "It had been closed for three weeks."],
        }
    ]
    lines(folder / "store" / "0.json", pages)
    return folder / "store"


def climate(folder: Path) -> Path:
    """A supported and a disputed claim."""
    rows = [
        {
            "claim_id": "0",
            "claim": "The glacier lost 40 metres.",
            "claim_label": "SUPPORTS",
            "evidences": [
                {
                    "evidence_id": "G:1",
                    "evidence_label": "SUPPORTS",
                    "article": "Glacier",
                    "evidence": "The glacier has lost 40 metres since 1990.",
                },
                {
                    "evidence_id": "G:2",
                    "evidence_label": "NOT_ENOUGH_INFO",
                    "article": "Glacier",
                    "evidence": "Glaciers are made of ice.",
                },
            ],
        },
        {
            "claim_id": "5",
            "claim": "Storms grow.",
            "claim_label": "DISPUTED",
            "evidences": [
                {"evidence_id": "S:1", "evidence_label": "SUPPORTS", "article": "Storm", "evidence": "Storms grow."},
                {
                    "evidence_id": "S:2",
                    "evidence_label": "REFUTES",
                    "article": "Storm",
                    "evidence": "Storms have not grown.",
                },
            ],
        },
    ]
    return lines(folder / "climate.jsonl", rows)


def ragtruth(folder: Path) -> tuple[Path, Path]:
    """A response with a conflict and one with nothing to it, a truncated one, one without its source."""
    text = "The museum opened in 1954. It has nine halls. Entry is free on Sundays."
    rows = [
        {
            "id": "7",
            "source_id": "s",
            "split": "test",
            "quality": "good",
            "response": text,
            "labels": [
                {"start": 34, "end": 44, "text": "nine halls", "label_type": "Evident Conflict"},
                {"start": 46, "end": 71, "text": "Entry is free on Sundays.", "label_type": "Subtle Baseless Info"},
            ],
        },
        {"id": "8", "source_id": "q", "quality": "good", "response": "Bake it for an hour.", "labels": []},
        {"id": "9", "source_id": "d", "quality": "truncated", "response": "The", "labels": []},
        {"id": "10", "source_id": "none", "quality": "good", "response": "A hall.", "labels": []},
        {"id": "11", "source_id": "d", "quality": "good", "response": "It is in Vale.", "labels": []},
    ]
    sources = [
        {"source_id": "s", "task_type": "Summary", "source_info": "The museum opened in 1954. It has four halls."},
        {
            "source_id": "q",
            "task_type": "QA",
            "source_info": {
                "question": "how long to bake",
                "passages": "passage 1:Bake it for an hour.\n\npassage 2:Let it rest.\n\n",
            },
        },
        {
            "source_id": "d",
            "task_type": "Data2txt",
            "source_info": {
                "name": "Corner Cafe",
                "city": "Vale",
                "hours": {"Monday": "9-17"},
                "attributes": {"Wifi": None},
            },
        },
    ]
    return lines(folder / "response.jsonl", rows), lines(folder / "source_info.jsonl", sources)


def aggrefact(folder: Path) -> Path:
    """A table with one good and one bad claim of a data set."""
    path = folder / "aggrefact.csv"
    path.write_text(
        "dataset,doc,claim,label\n"
        '"News","The pool, which is new, opened in May.",The pool opened in May.,1\n'
        '"News","The pool, which is new, opened in May.",The pool opened in July.,0\n',
        encoding="utf-8",
    )
    return path


def liar(folder: Path) -> Path:
    """Three lines of fourteen columns; one with a quotation mark that no other closes."""
    rest = "\tbudget\tA. Person\tmayor\tVale\tnone\t1\t2\t3\t4\t5\ta speech"
    texts = [
        ("1.json", "true", "The budget grew."),
        ("2.json", "half-true", 'He said "no'),
        ("3.json", "pants-fire", "Taxes fell to zero."),
    ]
    path = folder / "test.tsv"
    path.write_text("".join(f"{i}\t{label}\t{text}{rest}\n" for i, label, text in texts), encoding="utf-8")
    return path


def mocheg(folder: Path, picture: Path) -> tuple[Path, Path]:
    """Two claims, the first over two lines; one picture that is there and one that is not."""
    images = folder / "images"
    images.mkdir()
    (images / "1-proof.png").write_bytes(picture.read_bytes())
    path = folder / "Corpus2.csv"
    path.write_text(
        "claim_id,Claim,Evidence,cleaned_truthfulness,img_evidences\n"
        "1,The sign is new.,<p>The sign was put up in May.</p>,supported,1-proof.png;gone.png\n"
        "1,The sign is new.,It replaced one of 1990.,supported,\n"
        "2,The sign is red.,,NEI,\n"
        "3,The sign fell.,It stands.,mixture,\n",
        encoding="utf-8",
    )
    return path, images


def alce(folder: Path) -> Path:
    """Results of an ASQA run: one statement cited well, one that needs no second citation, one uncited."""
    docs = [
        {"id": "1", "title": "Lindau", "text": HALL},
        {"id": "2", "title": "Sula", "text": FERRY},
    ]
    rows = [
        {
            "sample_id": "a",
            "question": "When was the town hall of Lindau built?",
            "docs": docs,
            "output": f"{HALL[:-1]} [1][2]. The ferry carries 240 passengers [2]. It is old.",
            "qa_pairs": [{"short_answers": ["1912"]}, {"short_answers": ["the 1930s"]}],
        },
        {
            "sample_id": "b",
            "question": "Who built it?",
            "docs": docs,
            "output": "Nobody knows [7].",
            "qa_pairs": [{"short_answers": ["Anna"]}],
        },
    ]
    path = folder / "asqa.json"
    path.write_text(json.dumps({"args": {}, "data": rows}), encoding="utf-8")
    return path
