# Two commands do all on a fresh machine with Python 3.11+, make and git:
#   make demo    lint, trace and render a small fabric, and find drift on simulated devices
#   make test    the whole test suite, with its judges
# VENV names the virtual environment to use; without it .venv is built.

ifdef VENV
  venv := $(VENV)
  ready :=
else
  venv := .venv
  ready := .venv/ready
endif
bin := $(venv)/bin
PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help demo test check deep bench docs clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test,judges]'
	@touch $@

demo: $(ready)  ## lint, trace, render, and find drift on simulated devices
	@LOSSLESS=$(bin)/lossless sh inventory/tour.sh

test: $(ready)  ## the test suite
	$(bin)/python -m pytest -n auto

check: $(ready)  ## style, types and generated files
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/python -m docs.generate --check

docs: $(ready)  ## write the generated files anew
	$(bin)/python -m docs.generate

deep: $(ready)  ## the long property tests
	HYPOTHESIS_PROFILE=deep $(bin)/python -m pytest -n auto

bench: $(ready)  ## speed and memory, as ratios measured side by side
	$(bin)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(bin)/python -m benchmarks

clean:  ## remove what was built
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
