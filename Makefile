# Shortcuts for common tasks; `make help` lists them. CMake does the building (see CMakePresets.json).

PRESET ?= release
PREFIX ?= /usr/local
DESTDIR ?=
CORPUS ?=
PG_CONFIG ?= pg_config
FUZZ_SECONDS ?= 60
POSITIONS ?= 2000000
SEED ?= 1
PLATFORMS ?=

BUILD := build/$(PRESET)
JOBS := $(shell nproc 2>/dev/null || echo 2)
TABIYA := $(BUILD)/tabiya

MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := build
.PHONY: help build run quick test test-corpus test-long bench differ fuzz pgo coverage platforms postgres-versions analyse valgrind install install-postgres python amalgamation deb deb-test docker-test dist dist-windows format clean

help: ## show this list
	@echo "make [TARGET] [VARIABLE=VALUE]..."
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ \
		line = sprintf("  %-17s", $$1); n = split($$2, word, " "); \
		for (i = 1; i <= n; i++) { \
			if (length(line word[i]) > 78) { print line; line = sprintf("%19s", "") } \
			line = line " " word[i] } \
		print line }'
	@echo
	@echo "Presets (PRESET=$(PRESET)): release debug asan tsan coverage fuzz pgo;"
	@echo "each builds in build/<preset>."

build: ## build the library and the program (the default target); PRESET=debug selects another preset
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target products

run: ## install missing packages, build, import the sample games, and start the server with the web board
	@tools/setup.sh
	@$(MAKE) build
	@tools/demo.sh $(TABIYA) $(BUILD)

quick: ## build, and run the unit, cli and meta tests except the slow ones; takes a minute and installs nothing
	@tools/run-tests.sh quick

test: ## install missing packages, build, and run all tests, also with sanitizers and fuzzers; run it before a commit
	@tools/run-tests.sh setup
	@tools/run-tests.sh

test-corpus: ## run the tests that need a folder of test data: CORPUS=dir
	@tools/setup.sh test
	@tools/run-tests.sh corpus "$(CORPUS)"

test-long: ## run the tests that take minutes and gigabytes of disk
	@tools/setup.sh test
	@tools/run-tests.sh long

bench: ## run the benchmarks, compare with other programs if installed, and write docs/performance.md and bench/results.md
	@tools/setup.sh bench
	@$(MAKE) build PRESET=release
	@bench/guard.sh build/release || [ $$? -eq 77 ]
	@bench/report.sh build/release docs/performance.md bench/results.md

differ: ## compare the legal moves in POSITIONS=2000000 positions with Stockfish's; SEED=1 selects the random games
	@tools/setup.sh bench
	@$(MAKE) build PRESET=release
	@cmake --build build/release --target differ_stockfish >/dev/null
	@PATH="$$PATH:/usr/games" build/release/test/differ_stockfish stockfish $(POSITIONS) $(SEED) examples/famous.pgn examples/selfplay.pgn

bench-query: ## benchmark the query language on games/otb_200k.pgn.zst in CORPUS=dir
	@tools/setup.sh bench
	@$(MAKE) build PRESET=release
	@bench/query.sh build/release "$(CORPUS)/games/otb_200k.pgn.zst" 50000

fuzz: ## fuzz every reader for FUZZ_SECONDS=60 each
	@tools/setup.sh test
	@tools/run-fuzz.sh $(FUZZ_SECONDS)

pgo: ## make the fastest, profile-guided build, in build/pgo
	@tools/pgo.sh

coverage: ## measure which lines and branches the tests run, by folder
	@tools/setup.sh test
	@tools/coverage.sh

platforms: ## run the unit tests on other processors, with musl and as WebAssembly: PLATFORMS="aarch64 s390x i386 musl wasm32 windows macos"
	@tools/test-platforms.sh $(PLATFORMS)

postgres-versions: ## test the extension with PostgreSQL 17 and 18, each in a separate Debian (minutes): SUITES="trixie sid"
	@tools/test-postgres-versions.sh $(SUITES)

analyse: ## run clang-tidy and gcc -fanalyzer on all sources (minutes)
	@tools/analyse.sh

valgrind: ## run some of the unit tests under valgrind
	@tools/valgrind.sh

install: ## install into PREFIX=/usr/local, below DESTDIR= if set; PRESET=pgo for the fastest build
	@cmake --preset $(PRESET) -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target products
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD)
	@[ -n "$(DESTDIR)" ] || ldconfig 2>/dev/null || true

install-postgres: ## install the PostgreSQL extension for the server of PG_CONFIG=pg_config; PRESET=pgo as above
	@cmake --preset $(PRESET) -DPG_CONFIG="$$(command -v $(PG_CONFIG))" >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target tabiya_postgres
	@$(MAKE) -s -C $(BUILD)/postgres -f $(CURDIR)/bindings/postgres/Makefile TABIYA_BUILD=$(CURDIR)/$(BUILD) \
		PG_CONFIG=$(PG_CONFIG) install

python: ## build the Python package: a wheel in build/release/dist, for pip install
	@tools/setup.sh python
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target tabiya_wheel
	@ls $(BUILD)/dist/tabiya-*.whl

amalgamation: ## write the library as tabiya.c and tabiya.h, and the database as two more files, to build/release/amalgamation
	@tools/setup.sh python
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build $(BUILD) --parallel $(JOBS) --target tabiya_static
	@/usr/bin/python3 tools/amalgamate.py $(BUILD)/generated $(BUILD)/amalgamation
	@ls $(BUILD)/amalgamation/*

deb: ## build the Debian packages of the last commit, checked by lintian, in build/release/deb
	@tools/setup.sh deb
	@tools/make-deb.sh $(BUILD)/deb-work $(BUILD)/deb
	@ls $(BUILD)/deb/*.deb

deb-test: deb ## install and try the Debian packages in a clean root
	@test/deb/run.sh $(BUILD)/deb

docker-test: ## run the steps of packaging/docker and packaging/oss-fuzz in clean roots (takes minutes)
	@tools/setup.sh deb
	@test/docker/run.sh

dist: ## make all release files, with checksums, in build/release/dist: source, amalgamation, PGXN, npm, wheel, Debian packages
	@tools/setup.sh deb
	@$(MAKE) build
	@tools/make-deb.sh $(BUILD)/deb-work $(BUILD)/deb || [ $$? -eq 77 ]
	@tools/make-dist.sh $(BUILD) $(BUILD)/dist

dist-windows: ## make the zip file for Windows, with MinGW, in build/windows/dist
	@tools/build-windows.sh
	@tools/make-dist-windows.sh build/windows/dist
	@ls build/windows/dist/*.zip

format: ## format all C files with clang-format, and update the index in src/README.md
	@git ls-files --cached --others --exclude-standard -- '*.c' '*.h' | xargs clang-format -i
	@tools/make-index.sh

clean: ## remove everything that was built
	@rm -rf build
