# Everything runs in .venv, which any target creates when it is missing.
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help test fast lint format types contract build samples readme bench ci clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

.venv/installed: pyproject.toml
	python3 -m venv .venv
	$(BIN)/pip install -q -e '.[dev]'
	touch $@

test: .venv/installed ## the whole test suite, with coverage
	$(BIN)/pytest -n auto --cov

fast: .venv/installed ## the tests that take less than a second each
	$(BIN)/pytest -q -m 'not slow'

lint: .venv/installed ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: .venv/installed ## put the code into ruff's format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: .venv/installed ## mypy, strict
	$(BIN)/mypy

contract: .venv/installed ## the import contracts
	$(BIN)/lint-imports

build: .venv/installed ## sdist and wheel, in dist/
	$(BIN)/python -m build

samples: .venv/installed ## draw the simulated sample logs anew (the same bytes)
	$(BIN)/python sample_logs/make.py

readme: .venv/installed ## run the commands of the README and put their output there
	$(BIN)/python -m tests.docs.console --write

bench: .venv/installed ## time `scalefit predict` on each sample log, and one fit against least squares
	$(BIN)/python sample_logs/bench.py
	$(BIN)/python benchmarks/engine.py

ci: ## what must hold before a change goes in
	.ci/run

clean: ## remove what was built
	rm -rf build dist .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
