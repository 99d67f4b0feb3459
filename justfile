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

# Pin all that the default install needs, with hashes, in requirements.lock (needs uv)
lock *arguments:
    uv pip compile pyproject.toml -o requirements.lock --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command 'just lock' {{arguments}}

# A CycloneDX bill of materials of an environment, given by its Python (needs cyclonedx-bom)
sbom python='.venv/bin/python' file='sbom.cdx.json':
    cyclonedx-py environment '{{python}}' --pyproject pyproject.toml --output-reproducible --validate --output-format JSON --output-file '{{file}}'

# What CI runs: the README's commands in a fresh environment, then the checks
ci:
    bash .ci/run
