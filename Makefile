# Two commands matter: `make lab` opens the course, `make test` proves it. Both make the environment they need.

override PYTHON := $(or $(PYTHON),python3)
ARGS ?=
COVERAGE ?=
VENV := .venv
PY := $(VENV)/bin/python
NOTEBOOK := notebooks/00_start_here.ipynb

# With these Python takes UTF-8, whatever the terminal speaks: it reads in it where the course lies.
export LC_ALL :=
export LC_CTYPE := C
unexport PYTHONDONTWRITEBYTECODE # what every process would compile again

ifneq ($(shell for place in . $(VENV); do test -e $$place && ! test -w $$place && echo no; done),)
$(error You may not write into this folder or its $(VENV): clone the course into a folder of your own)
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help lab test exhaustive lint notebooks figures readme bench peers mutants site slides live test-site test-recipes class collect grade formgrader return test-class teacher constraints clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

lab: $(VENV)/scale.done ## open the course in JupyterLab (options of JupyterLab: ARGS="--port 9999")
	@mkdir -p $(VENV)/share/jupyter/lab/settings
	@cp tools/lab_settings.json $(VENV)/share/jupyter/lab/settings/overrides.json
	@$(PY) -m jupyterlab -y --ip localhost $$(test "$$(id -u)" != 0 || echo --allow-root) \
		--ServerApp.root_dir "$$(pwd -P)" --LabApp.default_url /lab/tree/$(NOTEBOOK) \
		--FileContentsManager.pre_save_hook tools.notebooks.clean_before_save \
		--LabApp.news_url None --LabApp.check_for_updates_class jupyterlab.NeverCheckForUpdate $(ARGS)

test: lint ## check everything: code, types, numbers, notebooks, figures (a part of it: ARGS="tests/test_counts.py")
	$(PY) -m pytest -n logical $(COVERAGE) $(ARGS)

exhaustive: $(VENV)/test.done ## check all of what `make test` samples, and build every notebook anew, to the byte
	$(PY) -m pytest -n logical -m exhaustive $(ARGS)

lint: $(VENV)/test.done ## check style, types and which room imports which
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(PY) -c "from importlinter import cli; cli.lint_imports_command()" --no-cache

notebooks: $(VENV)/test.done ## run every notebook and store it as it is committed
	$(PY) -m tools.notebooks $(ARGS)

figures: $(VENV)/test.done ## draw every picture in figures/
	$(PY) -m mlm_course.figures $(ARGS)

readme: $(VENV)/test.done ## renew README.md and the pages beside it
	$(PY) -m tools.readme $(ARGS)

bench: $(VENV)/peers.done $(VENV)/test.done ## measure time and memory beside scikit-learn and torchmetrics, renew what shows them
	$(PY) -m pytest benchmarks -p no:xdist -p no:nbval -o addopts= --benchmark-enable --benchmark-json=build/bench.json $(ARGS)
	$(PY) -m tools.bench build/bench.json
	$(PY) -m tools.readme
	$(PY) -m tools.notebooks notebooks/16_at_scale.ipynb

peers: $(VENV)/peers.done ## run the other tools live and hold their numbers against ours (2 GB; Spark needs Java 17)
	$(PY) -m tools.peers $(ARGS)

mutants: $(VENV)/dev.done ## plant small faults in the package and count those that the tests notice (slow)
	rm -rf mutants
	OMP_NUM_THREADS=1 $(PY) -m mutmut run $(ARGS) # threads do not outlive a fork
	$(PY) -m mutmut results
	$(PY) -m mutmut export-cicd-stats && cat mutants/mutmut-cicd-stats.json

site: $(VENV)/site.done ## build the course as a website, in build/site
	@$(PY) -m tools.site

slides: $(VENV)/slides.done ## make slides of the notebooks, in build/slides
	@$(PY) -m tools.slides $(if $(filter slides,$(MAKECMDGOALS)),$(ARGS))

live: slides ## show slides with a kernel (others: NOTEBOOK=notebooks/04_label_based.ipynb; options of JupyterLab: ARGS="--port 9999")
	@$(PY) -m jupyterlab -y --ip localhost $$(test "$$(id -u)" != 0 || echo --allow-root) \
		--ServerApp.root_dir "$$(pwd -P)/build/slides/live" --LabApp.default_url /rise/$(notdir $(NOTEBOOK)) \
		--LabServerApp.extra_labextensions_path "$$(pwd -P)/tools/slides/extensions"

test-site: slides site ## open every page of the website, and every slide, in Chromium
	$(PY) -m pytest -n logical --dist=worksteal tests/site tests/slides $(ARGS)

test-recipes: $(VENV)/recipes.done ## run the recipes of RECIPES.md against the libraries that they are for (1 GB)
	$(PY) -m pytest tests/test_recipes.py $(ARGS)

class: teacher ## build assignments of nbgrader in build/class, and say what a teacher does next
	@$(TEACHER)/bin/python -m tools.classroom $(ARGS)

collect: teacher ## take what a class handed in: make collect FROM=downloads.zip
	@$(TEACHER)/bin/python -m tools.classroom collect $(if $(FROM),"$(FROM)")

grade: teacher ## grade what was collected, and show who made which slip
	@$(TEACHER)/bin/python -m tools.classroom grade

formgrader: teacher ## give points for paragraphs, in a browser
	@cd build/class && ../../$(TEACHER)/bin/python -m jupyterlab -y --ip localhost $$(test "$$(id -u)" != 0 || echo --allow-root) \
		--ServerApp.root_dir "$$(pwd -P)" --LabApp.default_url /formgrader $(ARGS)

return: teacher ## write feedback for a class, and its grades
	@$(TEACHER)/bin/python -m tools.classroom return

test-class: teacher ## grade a small class, from what it is given to what it is told
	$(TEACHER)/bin/python -m pytest -n logical --dist=loadfile tests/class $(ARGS)

# nbgrader has an environment of its own: its menus are not for the lab of a student.
TEACHER := .venv-class
teacher:
	@$(MAKE) --no-print-directory VENV=$(TEACHER) $(TEACHER)/class.done

constraints: $(VENV)/made-in ## renew the exact versions in constraints.txt
	$(PY) -m pip install -q --upgrade uv
	$(PY) -m uv pip compile -q --no-config --upgrade --universal --python-version 3.11 --fork-strategy fewest \
		--no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make constraints" \
		--extra dev --extra peers --extra recipes --extra scale --extra site --extra slides --extra class pyproject.toml -o constraints.txt

clean: ## remove the environment, all caches, and what was built
	rm -rf $(VENV) $(TEACHER) .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache build mutants

# An environment that was left half made, was moved, or lost its Python is made anew.
WORKS := test "$$(cat $(VENV)/made-in 2>/dev/null)" = "$$(pwd -P)" && LC_ALL= LC_CTYPE=C $(PY) -c "" 2>/dev/null
ifeq ($(shell $(WORKS) && echo works),)
.PHONY: $(VENV)/made-in
endif

# Before anything is installed: no other make does so now. The link holds the number of the one that does.
ALONE := until ln -s $$PPID .venv.maker 2>/dev/null; do \
		kill -0 "$$(readlink .venv.maker)" 2>/dev/null || rm -f .venv.maker; sleep 1; \
	done; trap 'rm -f .venv.maker' EXIT;

$(VENV)/made-in:
	@$(PYTHON) --version >/dev/null 2>&1 || { echo "There is no $(PYTHON) here: install Python 3.11 or newer, or name yours, for example: make lab PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "This course needs Python 3.11 or newer and $(PYTHON) is $$($(PYTHON) --version 2>&1): install a newer one, or name yours, for example: make lab PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) lacks its venv module: install it (on Debian and Ubuntu: sudo apt install python3-venv), then run the same command again"; exit 1; }
	@$(ALONE) $(WORKS) || { rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) && pwd -P > $@; }

# PyTorch for the CPU alone, a tenth of the default build; where its index can't be reached, what pip finds.
$(VENV)/torch.done: $(VENV)/made-in constraints.txt
	@$(PY) -m pip install -q --disable-pip-version-check uv
	@torch=$$(grep '^torch==' constraints.txt); \
		$(PY) -m uv pip install -q --python $(PY) --torch-backend cpu $$torch 2>/dev/null || \
		$(PY) -m pip install -q --disable-pip-version-check $$torch
	@touch $@

$(VENV)/peers.done $(VENV)/recipes.done: $(VENV)/torch.done

# uv, as it takes seconds where pip takes a minute; compiled once, which halves the time of a test run.
$(VENV)/%.done: $(VENV)/made-in pyproject.toml constraints.txt
	@echo "Installing what the course needs into $(VENV), this time only."
	@$(ALONE) $(PY) -m pip install -q --disable-pip-version-check uv && \
		$(PY) -m uv pip install -q --python $(PY) --compile-bytecode -c constraints.txt -e '.[$*]'
	@touch $@
