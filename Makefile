# Thin over the scripts: each target is one command.
.PHONY: release demo test sanitizers quick bench fuzz coverage valgrind lint accept bench-library

release:
	scripts/build release tracebraid
demo:
	scripts/demo
test:
	scripts/test
sanitizers:
	scripts/test sanitizers
quick:
	scripts/test quick
bench:
	scripts/bench
bench-library:
	scripts/build release tracebraid tracebraid-generate tracebraid-c tracebraid_core
	bench/library.py --check
	bench/fleet.py --size 5M --check
fuzz:
	scripts/fuzz
coverage:
	scripts/coverage
valgrind:
	scripts/valgrind
lint:
	scripts/lint --tidy
accept: release
	python3 tests/accept.py --tracebraid build/release/tracebraid
