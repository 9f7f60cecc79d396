# make demo   install what is missing, build, read a sample photo, score it under all rule sets
# make test   every check
# Both begin with `make setup`, which does nothing where everything is there.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

PACKAGES := g++ pkg-config clang libclang1-14 libopencv-imgproc-dev python3 python3-pip
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
BINARY := target/release/tilelens
OUT := demo-out

.PHONY: setup build demo test check-core check-full bench fuzz docs train clean

setup:
	@missing=$$(for package in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' "$$package" 2>/dev/null | grep -q '^install ok installed' || echo "$$package"; done); \
	if [ -n "$$missing" ]; then \
	  command -v apt-get >/dev/null || { echo "This needs Debian's packages:" $$missing; exit 2; }; \
	  echo "Installing" $$missing; \
	  $(SUDO) apt-get update -q; \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -q -y --no-install-recommends $$missing; \
	fi
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs, then run make again"; exit 2; }
	@scripts/fetch-onnxruntime.sh

build: setup
	cargo build --release --locked

demo: build
	@scripts/demo.sh $(BINARY) $(OUT)

test: check-core check-full

# The pure core, with no native library at all.
check-core:
	cargo fmt --check
	cargo clippy --locked --no-default-features --all-targets -- -D warnings
	cargo test --locked --no-default-features

check-full: setup
	cargo clippy --locked --all-targets -- -D warnings
	cargo test --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet

bench: setup
	cargo bench --locked

# Each fuzz target for a minute; needs cargo-fuzz.
fuzz:
	for target in $$(RUSTC_BOOTSTRAP=1 cargo fuzz list); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- -max_total_time=60; done

train:
	$(MAKE) -C models/training

clean:
	cargo clean
	rm -rf $(OUT)
