# make demo   install what is missing, build, read sample photos and score them
# make test   every check
# make deb    a Debian package of the program
# make web    the page that reads by itself, a folder of static files: target/pocket
# make train  train the networks again from the shared data (hours)

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

.PHONY: setup build web demo test deb bench endurance venue fuzz train docs accuracy clean

# OpenCV and a compiler for its bindings; ONNX Runtime, which goes into the program.
setup:
	@scripts/install-packages.sh
	@scripts/fetch-runtime.sh

build: setup
	cargo build --release --locked

web:
	@scripts/build-web.sh

demo: build
	@scripts/demo.sh target/release/tilelens

test: setup
	@scripts/install-packages.sh --for-tests
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --no-default-features -- -D warnings
	cargo clippy --locked --no-default-features --features vision,rten -- -D warnings
	cargo test --locked
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps

# target/debian/*.deb: program, manual pages, completions and a service for `serve`.
deb: build
	scripts/package.sh
	scripts/check-package.sh

bench: setup
	cargo bench --locked

# A recorded session through twenty pages for so many minutes: memory, and whether pages keep up.
MINUTES ?= 30
endurance: build
	cargo run --release --locked --example endurance -- target/release/tilelens $(MINUTES)

# A hall of 200 tables on one PostgreSQL, with everything going wrong, and forty phones: figures of docs/venue.md. As root, all of it.
venue: build
	@scripts/install-packages.sh --for-tests
	cargo run --release --locked --example venue -- target/release/tilelens $(or $(VENUE_MINUTES),10)

# Each fuzz target for a minute; needs `cargo install cargo-fuzz`.
fuzz:
	for target in $$(RUSTC_BOOTSTRAP=1 cargo fuzz list); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- -max_total_time=60; done

# Hours; what was cut off goes on. DATA=folder where the shared data lies elsewhere.
train: setup
	@scripts/install-packages.sh --for-training
	models/training/train.sh $(DATA)

# The pages of the rule sets, as the program writes them.
docs: build
	for id in $$(target/release/tilelens rules list | cut -d' ' -f1); do \
	  target/release/tilelens rules show $$id --markdown > docs/rules/$$id.md; done

# Measures the reader on the shared photos and writes figures.json, docs/accuracy.json and the tables of docs/accuracy.md
# and README.md. PROGRAM=file measures that build.
accuracy: $(if $(PROGRAM),,build)
	python3 models/training/accuracy.py $(or $(PROGRAM),target/release/tilelens)
	UPDATE=1 cargo test --locked --no-default-features --test accuracy

clean:
	cargo clean
