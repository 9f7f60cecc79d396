# make demo   build, score sample hands under every rule set
# make test   every check

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: setup build demo test bench fuzz docs clean

# Rust needs a linker; everything else is a crate.
setup:
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs, then run make again"; exit 2; }
	@if ! command -v cc >/dev/null; then \
	  command -v apt-get >/dev/null || { echo "a C linker (cc) is missing: install gcc"; exit 2; }; \
	  $(SUDO) apt-get update -q; \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -q -y --no-install-recommends gcc libc6-dev; \
	fi

build: setup
	cargo build --release --locked

demo: build
	@scripts/demo.sh target/release/tilelens

test: setup
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo test --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

bench: setup
	cargo bench --locked

# Each fuzz target for a minute; needs `cargo install cargo-fuzz`.
fuzz:
	for target in $$(RUSTC_BOOTSTRAP=1 cargo fuzz list); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- -max_total_time=60; done

# The pages of the rule sets, as the program writes them.
docs: build
	for id in $$(target/release/tilelens rules list | cut -d' ' -f1); do \
	  target/release/tilelens rules show $$id --markdown > docs/rules/$$id.md; done

clean:
	cargo clean
