# SPDX-License-Identifier: Apache-2.0
# One command per purpose. `make` alone lists them.
# Needs Python >= 3.10 and make; the editor parts also need Node >= 20.

SHELL := /bin/sh
VENV ?= .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell sh scripts/find_python.sh)
PYTEST_ARGS ?= -n auto --reruns 2
NODE_DIR := vscode-extension
SOURCES := $(wildcard compiler/*/__init__.py server/*/__init__.py debugadapter/*/__init__.py)
PYTHON_FOLDERS := $(wildcard compiler server debugadapter scripts benchmarks samples tests)

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help install demo test lint lint-python lint-node test-python test-node test-editor bench soak clean

help:
	@echo "make demo   check the broken samples, run the good ones on the simulator"
	@echo "make test   everything CI runs: lint, extension tests, Python tests"
	@echo "make test-editor  the packaged extension in a real VS Code workbench (installs a browser when it may)"
	@echo "make lint   ruff, pyright, import contracts, extension lint"
	@echo "make bench  figures of benchmarks/, as a table and as JSON"
	@echo "make soak   the long-running tests"
	@echo "make clean  remove everything that the other targets made"

# --- environments -------------------------------------------------------------------------------

install: $(VENV)/.runtime

$(VENV)/.python:
	@test -n "$(PYTHON)" || exit 1
	@echo "creating $(VENV) with $(PYTHON)"
	@"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: $(VENV)/.python pyproject.toml $(SOURCES)
	@echo "installing asclens into $(VENV)"
	@$(BIN)/python -m pip install -qq --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.runtime
	@echo "installing the test tools into $(VENV)"
	@$(BIN)/python -m pip install -qq --editable '.[test,lint]'
	@touch $@

# Interpreters that tests run scripts in; each is optional, and a failure is recorded as the reason to skip.
$(VENV)/.scripts: scripts/test_envs.py $(VENV)/.python
	@$(BIN)/python scripts/test_envs.py
	@touch $@

node_modules/.stamp: package.json $(wildcard package-lock.json $(NODE_DIR)/package.json)
	@if [ -f package-lock.json ]; then npm ci --no-audit --no-fund; else npm install --no-audit --no-fund; fi
	@touch $@

# --- targets ------------------------------------------------------------------------------------

demo: $(VENV)/.runtime
	@$(BIN)/python scripts/demo.py

test: lint test-node test-python

lint: lint-python lint-node

lint-python: $(VENV)/.test
	$(BIN)/ruff check $(PYTHON_FOLDERS)
	$(BIN)/ruff format --check $(PYTHON_FOLDERS)
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

# Without Node the editor parts are left out, except in CI.
ifneq ($(shell command -v npm),)
lint-node: node_modules/.stamp
	npm run --silent lint

test-node: node_modules/.stamp
	npm test --silent

# The packaged extension in a real workbench.
test-editor: node_modules/.stamp $(VENV)/.test
	npm run --silent e2e
else
lint-node test-node test-editor:
	@echo "$@ skipped: npm (Node >= 20) is not installed"; test "$(CI)" != true
endif

test-python: $(VENV)/.test $(VENV)/.scripts
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "not soak"

bench: $(VENV)/.test $(VENV)/.scripts
	$(BIN)/python benchmarks/run.py

soak: $(VENV)/.test $(VENV)/.scripts
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m soak || test $$? -eq 5

clean:
	rm -rf $(VENV) .venv-* node_modules build dist artifacts .pytest_cache .ruff_cache .hypothesis
	find compiler server debugadapter -name '*.egg-info' -prune -exec rm -rf {} + 2>/dev/null || true
	find . -name __pycache__ -prune -exec rm -rf {} +
