# Two commands on a fresh machine: make demo, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo check near test test-alone lint types pages docs site rule importer
.PHONY: bench bench-labels bench-detect bench-results bench-rounds bench-reading bench-gaming fuzz clean

$(VENV)/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[run,dev,adapters,documents,serving,loadgen,mcp,parquet,tensorboard,mlflow,ray]'
	mkdir -p $(VENV)/types && ln -sfn ../.. $(VENV)/types/dlaudit
	touch $@

demo: $(VENV)/installed  ## measure, sign, verify and lint the quickstart; then lint a doctored copy
	$(BIN)/python -P examples/demo.py

check: $(VENV)/installed  ## before each commit: lint, types, the examples of all rules, and the quick tests that the change touches
	@$(MAKE) --no-print-directory -j 3 -O lint types near

near: $(VENV)/installed
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not alone" tests/rules/test_examples.py $$($(BIN)/python -P tools/touched.py)

# A process more than the two processors of a small machine: many tests wait, for a load to be offered or a counter to move.
test: $(VENV)/installed  ## the whole test suite, without a GPU
	$(BIN)/python -m pytest -n 3 --dist worksteal

test-alone: $(VENV)/installed  ## the tests that need the machine for themselves: a Slurm of two nodes, and times that a neighbour would spoil
	$(BIN)/python -m pytest -m alone

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed
	$(BIN)/python -P tools/importer_fields.py
	$(BIN)/mypy

pages: $(VENV)/installed  ## write what is made from the code: the pages of docs/ on rules, importers and documents, and the fields of drafts
	$(BIN)/python -P tools/importer_fields.py
	$(BIN)/python -P -m dlaudit.audit.pages

docs: pages  ## write those pages, the picture, and what the pages' sessions print
	$(BIN)/python -P docs/picture.py
	DLAUDIT_UPDATE=1 $(BIN)/python -m pytest -q tests/docs tests/audit/test_transcripts.py -k "sessions or help or transcript"

site: pages  ## build the documentation into site/; a broken link or anchor fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -P -m mkdocs build --strict

rule: $(VENV)/installed  ## start a new rule: make rule CODE=M99 NAME=some-flaw
	$(BIN)/python -P tools/new_rule.py "$(CODE)" "$(NAME)"

importer: $(VENV)/installed  ## start a new importer: make importer KIND=harness NAME=some-tool
	$(BIN)/python -P tools/new_importer.py "$(KIND)" "$(NAME)"

bench: $(VENV)/installed
	$(BIN)/python -P benchmarks/run.py

bench-labels: $(VENV)/installed  ## precision and recall on labelled reports: DLAUDIT_CORPUS=... DLAUDIT_TRANSCRIPTS=...
	@$(BIN)/python -P benchmarks/labels.py

bench-detect: $(VENV)/installed  ## what the rules find of faults hidden in honest submissions, and what they say of the honest ones
	@$(BIN)/python -P benchmarks/detection/measure.py --write

bench-results: $(VENV)/installed  ## what is seen of faults in hand-written results of the MLPerf suites, and who is accused
	@$(BIN)/python -P benchmarks/suite_results/measure.py --write

bench-rounds: $(VENV)/installed  ## what is said of published rounds, and what of it was judged to be true: DLAUDIT_ROUNDS=...
	@$(BIN)/python -P benchmarks/rounds/measure.py

bench-reading: $(VENV)/installed  ## precision and recall of the reader of words on annotated texts: DLAUDIT_READING=...
	@$(BIN)/python -P benchmarks/reading/measure.py

bench-gaming: $(VENV)/installed  ## whether dishonest changes to flawed documents get a better verdict, and honest ones are punished
	@$(BIN)/python -P benchmarks/gaming/measure.py --write

COUNT ?= 10000
SEED ?= 1
fuzz: $(VENV)/installed  ## judge COUNT hostile documents and print where a rule stops: make fuzz COUNT=1000000 SEED=7
	@$(BIN)/python -P tools/fuzz_rules.py $(COUNT) $(SEED)

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
