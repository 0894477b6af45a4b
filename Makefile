# Everything a developer needs; `make help` lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
OUT    := out

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all bench lint format docs sizes lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## create .venv with the locked versions (runs once)

$(STAMP): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Freewheel needs Python 3.11 or newer; try: make PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(STAMP)

demo: $(STAMP) ## simulate an example circuit, say where the plot and the CSV are
	@mkdir -p $(OUT)
	@$(BIN)/freewheel run examples/rectifier.mo --out $(OUT)/rectifier.csv \
	  --plot U0.v,u2,i0 --plot-file $(OUT)/rectifier.png
	@echo 'Call it yourself: $(BIN)/freewheel --help, or . $(BIN)/activate and then: freewheel --help'

test: lint ## style, types, import directions, fast tests
	$(BIN)/python -m pytest -q -n 2

test-all: lint ## the same and the long tests (gfortran and octave-cli must be there)
	$(BIN)/python -m pytest -q -m 'long or not long'

bench: $(STAMP) ## benchmarks into docs/benchmarks.md; MSL=DIR, PEER=PYTHON, QSS=DIR, CADMIUM=DIR add comparisons
	$(BIN)/python benchmarks/run_all.py $(if $(MSL),--library $(MSL)) $(if $(PEER),--peer-python $(PEER)) $(if $(QSS),--peer-qss $(QSS)) $(if $(CADMIUM),--cadmium $(CADMIUM))
ifdef MSL
	$(BIN)/python benchmarks/parse_msl.py --library $(MSL) $(if $(PEER),--peer-python $(PEER))
ifdef PEER
	$(BIN)/python benchmarks/flatten_msl.py --library $(MSL) --peer-python $(PEER)
endif
endif

lint: $(STAMP) ## ruff, strict types, import directions, table of sizes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/python scripts/sizes.py

format: $(STAMP) ## let ruff lay out the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP) ## check links and run every example of the documentation
	cp src/freewheel/tools/errors.md docs/errors.md
	$(BIN)/python scripts/write_room_tables.py
	$(BIN)/python -m pytest -q tests/docs

sizes: $(STAMP) ## lines per room and the longest files
	@$(BIN)/python scripts/sizes.py

lock: $(STAMP) ## renew requirements-dev.lock from the ranges in pyproject.toml
	$(BIN)/python -m pip install --quiet --upgrade -e '.[dev]'
	$(BIN)/python -m pip freeze --exclude freewheel > requirements-dev.lock

clean: ## remove what the targets made
	rm -rf $(VENV) $(OUT) build dist .pytest_cache .mypy_cache .ruff_cache
