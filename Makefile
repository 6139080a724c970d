# Two commands matter: `make lab` opens the course, and `make test` checks it. Both install the environment that they need.

override PYTHON := $(or $(PYTHON),python3)
ARGS ?=
COVERAGE ?=
VENV := .venv
PY := $(VENV)/bin/python
# Python reads and writes UTF-8, whatever the encoding of the terminal.
export PYTHONUTF8 := 1
unexport PYTHONDONTWRITEBYTECODE # without bytecode, every process would compile again

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help lab test exhaustive lint notebooks bench peers mutants site test-site test-recipes constraints

help: ## list all commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

lab: $(VENV)/notebooks.done ## open the course in JupyterLab (options of JupyterLab: ARGS="--port 9999")
	@$(PY) -m tools.my_notebooks
	@mkdir -p $(VENV)/share/jupyter/lab/settings
	@cp tools/lab_settings.json $(VENV)/share/jupyter/lab/settings/overrides.json
	@$(PY) -m jupyterlab -y --ip localhost $$(test "$$(id -u)" != 0 || echo --allow-root) \
		--ServerApp.root_dir "$$(pwd -P)" --LabApp.default_url /lab/tree/my_notebooks/00_start_here.ipynb \
		--LabApp.news_url None --LabApp.check_for_updates_class jupyterlab.NeverCheckForUpdate $(ARGS)

test: lint ## check code, numbers, notebooks and figures (one file: ARGS="tests/test_counts.py")
	$(PY) -m pytest -n logical $(COVERAGE) $(ARGS)

exhaustive: $(VENV)/test.done ## run all cases of which `make test` runs a sample, and rebuild every notebook, to the byte
	$(PY) -m pytest -n logical -m exhaustive $(ARGS)

lint: $(VENV)/test.done ## check style, spelling, docstrings, types and which module may import which
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m codespell_lib
	$(PY) -m tools.docstrings
	$(PY) -m mypy
	$(PY) -c "from importlinter import cli; cli.lint_imports_command()" --no-cache

notebooks: $(VENV)/test.done ## renew figures, README, docs, notebooks (or one: ARGS=notebooks/…) and approved texts
	$(PY) -m tools.renew $(ARGS)

bench: $(VENV)/peers.done ## measure time and memory beside scikit-learn and torchmetrics, and update the pages with them
	$(PY) -m pytest tools/benchmarks -p no:xdist -p no:nbval -o addopts= --benchmark-enable --benchmark-json=build/bench.json $(ARGS)
	$(PY) -m tools.bench build/bench.json
	$(PY) -m tools.readme
	$(PY) -m tools.notebooks notebooks/16_at_scale.ipynb

peers: $(VENV)/peers.done ## run the other tools and compare their numbers with ours (2 GB; Spark needs Java 17)
	$(PY) -m tools.peers $(ARGS)

mutants: $(VENV)/dev.done ## plant small faults in the package, and count those that tests find (slow; one room: ARGS="mlm_helpers.errors*")
	rm -rf mutants
	OMP_NUM_THREADS=1 $(PY) -m mutmut run $(ARGS) # threads do not survive a fork
	$(PY) -m mutmut results
	$(PY) -m mutmut export-cicd-stats && cat mutants/mutmut-cicd-stats.json

site: $(VENV)/site.done ## build the slides and the website in build/slides and build/site
	@$(PY) -m tools.slides
	@$(PY) -m tools.site

test-site: site ## open the pages of the website, and every slide, in Chromium
	$(PY) -m pytest -n logical --dist=worksteal tests/site tests/slides $(ARGS)

test-recipes: $(VENV)/peers.done ## run the recipes with the libraries that they use (2 GB)
	$(PY) -m pytest tests/test_recipes.py tests/test_conventions_facts.py $(ARGS)

constraints: $(VENV)/made-in ## update the exact versions in constraints.txt
	$(PY) -m pip install -q --upgrade uv
	$(PY) -m uv pip compile -q --no-config --upgrade --universal --python-version 3.11 --fork-strategy fewest \
		--no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make constraints" \
		--extra dev --extra peers --extra site pyproject.toml -o constraints.txt

# An environment is installed again if it was moved, or if its Python is missing.
ifneq ($(shell { cat $(VENV)/made-in; $(PY) -c "" || echo broken; } 2>/dev/null),$(shell pwd -P))
.PHONY: $(VENV)/made-in
endif

$(VENV)/made-in:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "This course needs Python 3.11 or newer: install it, or name yours, for example: make lab PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) lacks its venv module: install it (on Debian and Ubuntu: sudo apt install python3-venv), then run the same command again"; exit 1; }
	@rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) && pwd -P > $@

# uv takes seconds where pip takes a minute. Bytecode is compiled at install, which halves the time of a test run, but not for
# the two gigabytes of the peers: few of their modules are imported, and these are compiled on first import. uv would keep the
# peers a second time in its cache (Spark alone takes 1.4 GB there), for an environment that hardly anyone makes twice.
$(VENV)/%.done: $(VENV)/made-in pyproject.toml constraints.txt
	@echo "Installing what the course needs into $(VENV), this time only."
	@$(PY) -m pip install -q --disable-pip-version-check uv
	@test $* != peers || $(PY) -m uv pip install -q --python $(PY) -c constraints.txt --torch-backend cpu torch 2>/dev/null \
		|| $(PY) -m pip install -q --disable-pip-version-check --no-compile -c constraints.txt torch # if the index of builds for the CPU cannot be reached
	@$(PY) -m uv pip install -q --python $(PY) $(if $(filter peers,$*),--no-cache,--compile-bytecode) -c constraints.txt -e '.[$*]'
	@touch $@
