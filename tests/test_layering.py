"""Layers, circles and libraries: design/0001-layout.md, held by import-linter and by reading the source."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
ROOMS = ("agent", "evaluation", "evidence", "factdesk", "language", "report", "store", "trust", "verifier")

HEAVY = frozenset({"torch", "torchvision", "transformers", "sentence_transformers", "open_clip"})
MAY_BE_HEAVY = (
    "verifier/training/*.py",
    "verifier/backends/torch_models.py",
    "evaluation/bench/*.py",
    "evidence/adapters/*.py",
    "evidence/graph/rebel.py",
    "agent/adapters/*.py",
)
"""Never on the default path; each is imported lazily, when it was asked for by name."""

MEASURES = ("evaluation/bench/*.py",)
"""May import the extra ``bench``, peers to be measured beside, where they are installed."""
SPEAKS_MCP = ("factdesk/mcp/*.py",)
"""May import the extra ``mcp``; loaded by ``factdesk mcp`` alone."""

IN_PIPELINES = ("factdesk/hf_datasets.py", "factdesk/inspect_scorer.py")
"""May import the extras ``datasets`` and ``inspect``; loaded by those who use them."""

SHARES = ("store/postgres.py", "evaluation/programs/measure_postgres.py")
"""May import the extra ``postgres``, when the setting ``database`` names a server."""

DRAWS = ("trust/plot.py", "evaluation/plots.py")
"""May import the extra ``plot``, when a picture is asked for."""

ON_RAY = ("factdesk/parallel/ray_workers.py",)
"""May import the extra ``ray``, when that engine is asked for."""

EVERYTHING = frozenset({"Exception", "BaseException"})
TRAIN_ONLY = frozenset({"onnx", "sklearn"})
"""Libraries of the extra ``train``: the same files may import them."""

DISTRIBUTION = {
    "PIL": "pillow",
    "Stemmer": "pystemmer",
    "frontmatter": "python-frontmatter",
    "docx": "python-docx",
    "markdown_it": "markdown-it-py",
    "webvtt": "webvtt-py",
    "pdfminer": "pdfminer-six",
    "sklearn": "scikit-learn",
    "langgraph.checkpoint.sqlite": "langgraph-checkpoint-sqlite",
    "sqlalchemy": "sqlmodel",
    "pydantic_core": "pydantic",
    "annotated_types": "pydantic",
    "yaml": "pyyaml",
    "text_to_num": "text2num",
    "langchain_core": "langchain",
    "open_clip": "open-clip-torch",
    "cv2": "rapidocr",
    "sknetwork": "scikit-network",
    "c2pa": "c2pa-python",
    "pi_heif": "pi-heif",
    "starlette": "fastapi",
    "zxingcpp": "zxing-cpp",
    "httpx2": "openai",
}
"""Import names whose distribution is called otherwise, or comes with the named one and in its version."""


@dataclass(frozen=True)
class Import:
    """One imported module, absolute, with its place."""

    file: PurePosixPath
    line: int
    module: str

    @property
    def top(self) -> str:
        return self.module.split(".")[0]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


@cache
def shipped() -> tuple[tuple[PurePosixPath, ast.Module], ...]:
    """All shipped source files with their syntax trees."""
    files = sorted(path for room in ROOMS for path in (REPOSITORY / room).rglob("*.py"))
    return tuple(
        (PurePosixPath(path.relative_to(REPOSITORY).as_posix()), ast.parse(path.read_text(encoding="utf-8")))
        for path in files
    )


def dotted(node: ast.expr) -> str:
    """``a.b.c`` of an attribute chain; ``""`` where it is something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def imports_of(file: PurePosixPath, tree: ast.Module) -> Iterator[Import]:
    """Every import wherever it stands: top, function, TYPE_CHECKING, import_module("…")."""
    package = ".".join(file.parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            # "from agent import types" names agent.types, "from agent.types import Caps" agent.types.Caps
            yield from (Import(file, node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and dotted(node.func).split(".")[-1] in {"import_module", "__import__"}
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            yield Import(file, node.lineno, node.args[0].value)


@cache
def all_imports() -> tuple[Import, ...]:
    return tuple(found for file, tree in shipped() for found in imports_of(file, tree))


def covers(allowed: str, module: str) -> bool:
    return module == allowed or module.startswith(f"{allowed}.")


def matches(file: PurePosixPath, patterns: tuple[str, ...]) -> bool:
    return any(file.match(pattern) for pattern in patterns)


def listing(found: list[Import]) -> str:
    return "\n".join(str(item) for item in found)


@pytest.mark.parametrize(
    ("file", "line", "holds"),
    [
        ("report/added.py", "from agent.types import Caps", True),
        ("report/added.py", "def f():\n    import agent.graphs.methods", False),
        ("trust/added.py", "import evaluation.data", False),
        ("language/calendar.py", "from language.dates.mentions import find_dates", False),
    ],
)
def test_import_linter_sees_what_it_should(tmp_path: Path, file: str, line: str, holds: bool) -> None:
    for name in ROOMS:
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=lambda _, names: [n for n in names if _weighs(n)])
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    target = tmp_path / file
    target.write_text(f"{target.read_text(encoding='utf-8') if target.exists() else ''}\n{line}\n")
    done = subprocess.run(
        ["lint-imports", "--no-cache"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert (done.returncode == 0) is holds, done.stdout


def _weighs(name: str) -> bool:
    return not name.endswith(".py") and "." in name


def test_heavy_libraries_stay_out_of_the_default_path() -> None:
    wrong = [item for item in all_imports() if item.top in HEAVY | TRAIN_ONLY and not matches(item.file, MAY_BE_HEAVY)]
    assert not wrong, f"only {MAY_BE_HEAVY} may:\n{listing(wrong)}"


def test_files_that_are_heavy_are_loaded_lazily() -> None:
    """An import at the top of a module would put the heavy file onto the path of whoever imports it."""
    tops: dict[str, list[Import]] = {}
    light: set[str] = set()
    for file, tree in shipped():
        module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        body: list[ast.stmt] = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        tops[module] = list(imports_of(file, ast.Module(body=body, type_ignores=[])))
        if not matches(file, MAY_BE_HEAVY):
            light.add(module)
    heavy = {module for module, found in tops.items() if any(item.top in HEAVY for item in found)}
    while more := {m for m, found in tops.items() if m not in heavy and loads(found, heavy)}:
        heavy |= more
    wrong = [item for module in sorted(heavy & light) for item in loads(tops[module], heavy)]
    assert not wrong, f"import these inside the function that needs them:\n{listing(wrong)}"


def loads(found: list[Import], modules: set[str]) -> list[Import]:
    """The imports that load one of the modules, itself or on the way to something below it."""
    return [item for item in found if any(covers(module, item.module) for module in modules)]


def test_langchain_community_stands_in_one_file_at_most() -> None:
    assert len({item.file for item in all_imports() if item.top == "langchain_community"}) <= 1


def test_no_print_no_assert_no_swallowed_errors() -> None:
    wrong = []
    for file, tree in shipped():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and dotted(node.func) == "print":
                wrong.append(f"{file}:{node.lineno} print(")
            elif isinstance(node, ast.Assert):
                wrong.append(f"{file}:{node.lineno} assert")
            elif isinstance(node, ast.ExceptHandler):
                caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
                last = node.body[-1]
                passed_on = isinstance(last, ast.Raise) and last.exc is None  # tidies up, swallows nothing
                if not passed_on and any(c is None or dotted(c) in EVERYTHING for c in caught):
                    wrong.append(f"{file}:{node.lineno} except of everything")
    assert not wrong, "\n".join(wrong)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def project() -> dict[str, list[str]]:
    """``""``: runtime requirements; otherwise those of an extra; all by normalised name."""
    table = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": table["dependencies"], **table["optional-dependencies"]}
    return {key: [normal(re.split(r"[<>=!~\[;\s]", item)[0]) for item in group] for key, group in groups.items()}


def distribution_of(module: str) -> str:
    known = next((DISTRIBUTION[name] for name in DISTRIBUTION if covers(name, module)), None)
    return known or normal(module.split(".")[0])


def test_every_library_that_is_imported_is_declared() -> None:
    declared = project()
    wrong = []
    for item in all_imports():
        if item.top in ROOMS or item.top in sys.stdlib_module_names:
            continue
        groups = ("models", "train", "llm", "local-llm", "images")
        optional = tuple(name for group in groups for name in declared[group])
        extra = optional if matches(item.file, MAY_BE_HEAVY) else ()
        extra = declared["plot"] if matches(item.file, DRAWS) else extra
        extra = (*optional, *declared["bench"]) if matches(item.file, MEASURES) else extra
        extra = declared["ray"] if matches(item.file, ON_RAY) else extra
        extra = declared["mcp"] if matches(item.file, SPEAKS_MCP) else extra
        extra = (*declared["datasets"], *declared["inspect"]) if matches(item.file, IN_PIPELINES) else extra
        extra = declared["postgres"] if matches(item.file, SHARES) else extra
        if distribution_of(item.module) not in {*declared[""], *extra}:
            wrong.append(item)
    assert not wrong, f"declare in pyproject.toml, with a reason in design/0001-layout.md:\n{listing(wrong)}"


def test_every_declared_library_has_a_reason_and_no_other() -> None:
    text = (REPOSITORY / "design" / "0001-layout.md").read_text(encoding="utf-8")
    section = text.split("## Libraries, each with its reason")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    reasons = {normal(name): reason for name, _licence, reason in rows[2:]}
    assert sorted(reasons) == sorted(project()[""])
    assert all(len(reason.split()) >= 2 for reason in reasons.values())


def test_no_tests_folder_can_stand_in_for_a_room() -> None:
    """``tests/agent/__init__.py`` without ``tests/__init__.py`` would make pytest import it as ``agent``."""
    packages = [path for room in ROOMS for path in [REPOSITORY / "tests" / room / "__init__.py"] if path.exists()]
    assert not packages or (REPOSITORY / "tests" / "__init__.py").exists()


def test_every_room_is_packaged_and_nothing_else() -> None:
    table = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert tuple(table["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == ROOMS
    assert tuple(table["tool"]["mypy"]["files"]) == ROOMS
    for room in ROOMS:
        folders = {path.parent for path in (REPOSITORY / room).rglob("*.py")}
        lacking = [str(f.relative_to(REPOSITORY)) for f in folders if not (f / "__init__.py").exists()]
        assert not lacking, f"no __init__.py in {lacking}"
