"""Check the rows of a Hugging Face dataset against documents that come from another one.

    pip install '.[datasets]' && python examples/pipelines/check_a_dataset.py

Both are made here from the examples; ``open_dataset("NAME")`` takes one that you have, or that a hub has.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import datasets

from factdesk import FactChecker
from factdesk.hf_datasets import checked, json_lines

EXAMPLES = Path(__file__).resolve().parent.parent


def main() -> datasets.Dataset:
    """The first claims about the library, with verdicts and certificates."""
    articles = [path.read_text(encoding="utf-8") for path in sorted((EXAMPLES / "corpus" / "local").glob("*.md"))]
    news = datasets.Dataset.from_dict({"body": [text.split("---", 2)[2] for text in articles]})
    lines = (EXAMPLES / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    claims = [found for found in map(json.loads, lines) if found["topic"] == "local"][:2]
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder) / "news.jsonl"
        documents.write_text("\n".join(json_lines(news, text="body")), encoding="utf-8")
        checker = FactChecker.from_config(corpus=(str(documents),))
        rows = datasets.Dataset.from_list([{"claim": found["claim"]} for found in claims])
        return datasets.Dataset.from_list(list(checked(rows, checker)))


if __name__ == "__main__":
    print(main().to_pandas().to_string())  # noqa: T201 - an example
