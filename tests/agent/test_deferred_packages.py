"""Packages whose ``__init__`` runs when something is asked of it."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from agent.graphs.deferred_packages import deferred

NAME = "gathered_for_this_test"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / "__init__.py").write_text(
        f"from {NAME}.many import MANY\n"
        "def __getattr__(name):\n"
        "    if name == 'late':\n"
        "        return 'found late'\n"
        "    raise AttributeError(name)\n"
    )
    (folder / "many.py").write_text("MANY = list(range(3))\n")
    (folder / "one.py").write_text("ONE = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("", ".many", ".one"):
        monkeypatch.delitem(sys.modules, NAME + name, raising=False)
    return folder


def test_a_submodule_loads_without_what_the_package_gathers(package: Path) -> None:
    with deferred({NAME}):
        one = import_module(f"{NAME}.one")
    assert one.ONE == 1
    assert f"{NAME}.many" not in sys.modules


def test_what_is_asked_of_the_package_is_there(package: Path) -> None:
    with deferred({NAME}):
        gathered = import_module(NAME)
    assert gathered.MANY == [0, 1, 2]
    assert gathered.late == "found late"
    assert Path(gathered.__file__ or "").parent == package
    with pytest.raises(AttributeError, match="absent"):
        _ = gathered.absent


def test_outside_the_block_nothing_is_deferred(package: Path) -> None:
    del package
    with deferred({NAME}):
        pass
    import_module(NAME)
    assert f"{NAME}.many" in sys.modules


def test_an_init_that_fails_is_an_error_each_time(package: Path) -> None:
    (package / "__init__.py").write_text("raise ValueError('broken')\n")
    with deferred({NAME}):
        gathered = import_module(NAME)
    for _ in range(2):
        with pytest.raises(ValueError, match="broken"):
            _ = gathered.MANY
