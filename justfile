# The everyday commands. `just` lists them; each is one line that can be typed by hand too.

default:
    @just --list

# Everything a contributor needs, in the active environment
install:
    pip install -e '.[dev]'

# The main job on the shipped example
demo:
    factdesk demo

# All tests
test *arguments:
    python -m pytest {{arguments}}

# Lint, format check and types
check:
    ruff check
    ruff format --check
    mypy

# Mend what can be mended mechanically
fix:
    ruff check --fix
    ruff format

# What CI runs: the README's commands in a fresh environment, then the checks
ci:
    bash .ci/run
