# SPDX-License-Identifier: Apache-2.0
# The front door. Meson and Ninja do the building; `make help` lists what there is.

prefix = /usr/local
DESTDIR =
SEEDS = 100

QUICK =
FILES =
MUTANTS = --count 100

.PHONY: help demo program test test-long test-matrix test-python wheel tsan coverage coverage-build mutate lint layout format bench gallery pooling-table reproduce install clean

help:
	@echo 'make demo       install what is missing, build, map the spam graph into out/'
	@echo 'make test       build with AddressSanitizer and UBSan, run every test, check the layout'
	@echo 'make test-long  the random tests again with many seeds (SEEDS=100), what takes long, and every fault'
	@echo 'make test-matrix  release flags, clang, optional features off, ThreadSanitizer, fuzzers, clang-tidy'
	@echo 'make coverage   what the tests run, by room; fails below the mark'
	@echo "make mutate     plants bugs and lists those that no test notices (FILES='src/mapper/*.c', MUTANTS='--count 300 --seed 2')"
	@echo 'make test-python  the Python package against current NumPy, SciPy, networkx and pandas, in an environment of its own'
	@echo 'make wheel      one wheel of the Python package for all Pythons from 3.9 on, into out/'
	@echo 'make tsan       the tests of parallel code under ThreadSanitizer'
	@echo 'make layout     what is checked of the text alone, in seconds'
	@echo 'make lint       clang-format and clang-tidy'
	@echo 'make format     lay the code out as clang-format wants it'
	@echo 'make bench      measure speed, as ratios in one run'
	@echo 'make gallery    draw the figures of docs/gallery again (DATA=folder that holds cora)'
	@echo 'make pooling-table  run what is missing of the table in docs/pooling.md (DATA=folder of the data sets); hours'
	@echo 'make reproduce  the paper again, into out/reproduction (QUICK=--quick; KNOWN=bench/pooling for table 1)'
	@echo 'make install    install program, library, headers, man pages, completion (prefix, DESTDIR)'
	@echo 'make clean      remove everything built'

demo: program
	@tools/demo

program:
	@tools/setup demo
	@tools/build build --buildtype=release

# How the tests are built: with sanitizers and asserts (Meson takes asserts out where the build type is its usual one,
# release), and with little else that takes the compiler long.
SANITIZED = -Dtests=true --buildtype=debug -Doptimization=1 -Ddebug=false -Dc_args=-g1 -Db_sanitize=address,undefined

# The quick reproduction of the paper takes a program without sanitizers. It opens no page, and the core of pages takes a
# quarter of the time that a whole build does.
test:
	@tools/setup test
	@tools/build build-program --buildtype=release -Dexplorer=disabled
	@tools/build build-test $(SANITIZED)
	@DGM_RELEASE=$$PWD/build-program/src/cli/dgm tools/run-tests build-test --no-suite long

test-long:
	@tools/setup test
	@tools/build build-test $(SANITIZED)
	@tools/run-tests build-test --seeds=$(SEEDS) --suite property
	@tools/run-tests build-test --suite long
	@DGM_TEST_LONG=1 tools/run-tests build-test --suite faults --timeout-multiplier 30

tsan:
	@tools/setup tsan
	@CC=clang tools/build build-tsan -Dtests=true --buildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false
	@TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0 tools/run-tests build-tsan --no-suite rooms --no-suite long

test-python: program
	@tools/test-python

wheel:
	@tools/python-wheel

test-matrix:
	@tools/test-matrix

# With the least optimisation, in which a line is a line and a loop that is copied for its constants has no branches that
# they close, and without asserts, whose other branch nothing should take.
coverage-build:
	@tools/setup test
	@tools/build build-coverage -Dtests=true --buildtype=debug -Doptimization=1 -Db_coverage=true -Db_ndebug=true

coverage: coverage-build
	@tools/coverage.py build-coverage --mark 95

mutate: coverage-build
	@tools/mutate $(MUTANTS) $(FILES)

lint:
	@tools/setup lint
	@tools/build build --buildtype=release
	@tools/lint build

# Each of these is a case of `make test` too, which takes minutes to come to them.
layout:
	@tools/setup lint
	@tools/layout

format:
	@tools/setup lint
	@tools/lint --fix

bench:
	@bench/run

gallery: program
	@tools/gallery '$(DATA)'

pooling-table: program
	@tools/pooling-table $(DATA)

# Table 1 alone takes hours; an interrupted run goes on where it was.
reproduce: program
	@tools/reproduce $(DATA) $(QUICK)

# The build folder was configured for some prefix; change it only where another is asked for.
install: program
	@meson configure build -Dprefix='$(prefix)'
	@DESTDIR='$(DESTDIR)' meson install -C build --quiet
	@echo 'Installed in $(DESTDIR)$(prefix).'

clean:
	rm -rf build build-* out
