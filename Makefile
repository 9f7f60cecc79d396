# make demo   install what is missing, build, read sample photos and score them
# make test   every check
# make deb    a Debian package of the program
# make web    the page that reads on the phone itself, a folder of static files: target/pocket
# make wheel  the Python package: target/wheels; make test-wheel tests it
# make npm    the npm package: target/npm; make test-npm tests it
# make windows  the program for Windows: target/windows; make test-windows tries it under Wine
# make train  train the networks again from the shared data (hours)

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

.PHONY: setup build web wheel npm windows demo test test-wheel test-npm test-windows check-deps deb bench endurance venue fuzz train docs accuracy clean

# All but the page for browsers and the Python package, which are built with other features.
CRATES := --workspace --exclude tilelens-python --exclude tilelens-web

# OpenCV and a compiler for its bindings; ONNX Runtime, which goes into the program.
setup:
	@scripts/install-packages.sh
	@scripts/fetch-runtime.sh

build: setup
	cargo build --release --locked

web:
	@scripts/build-web.sh

wheel: setup
	@scripts/build-wheel.sh

npm:
	@scripts/build-npm.sh

windows:
	@scripts/build-windows.sh

demo: build
	@scripts/demo.sh target/release/tilelens

test: setup
	@scripts/install-packages.sh --for-tests
	cargo fmt --all --check
	cargo clippy --locked $(CRATES) --all-targets -- -D warnings
	cargo clippy --locked --no-default-features -- -D warnings
	cargo clippy --locked --no-default-features --features vision,rten -- -D warnings
	cargo clippy --locked -p tilelens-web -- -D warnings
	cargo clippy --locked -p tilelens-python -- -D warnings
	# Before the browser's tests, which use its packages.
	tests/pages/run.sh
	# The examples are built by clippy, and their sources are tested by tests/house/examples.rs.
	cargo test --locked $(CRATES) --tests
	cargo test --locked $(CRATES) --doc
	models/training/tests/run.sh
	RUSTDOCFLAGS="-D warnings" cargo doc --locked $(CRATES) --no-deps
	@echo "skipped: the Python package, whose build takes minutes: make test-wheel"
	@echo "skipped: the npm package, whose build takes minutes: make test-npm"
	@echo "skipped: the program for Windows, whose build takes a quarter of an hour: make test-windows"

# The Python package against the program, with pytest and mypy.
test-wheel: build
	@scripts/build-wheel.sh --test

# The npm package in Node and in Chromium, beside the program.
test-npm: build
	@scripts/install-packages.sh --for-tests
	@scripts/build-npm.sh --test

# The program for Windows under Wine, beside the program of this machine.
test-windows: build
	@scripts/build-windows.sh --test

# Dependencies: unused ones, licences, duplicates, sources. Builds its two tools once, which takes minutes.
check-deps:
	cargo install --quiet --locked --root target/tools cargo-machete@0.9.2 cargo-deny@0.20.2
	target/tools/bin/cargo-machete
	target/tools/bin/cargo-deny --all-features --locked check licenses bans sources

# target/debian/*.deb: program, manual pages, completions and a service for `serve`.
deb: build
	scripts/package.sh
	scripts/check-package.sh

bench: setup
	cargo bench --locked

# A recorded session through twenty pages for MINUTES: memory, and whether pages keep up.
MINUTES ?= 30
endurance: build
	cargo run --release --locked --example endurance -- target/release/tilelens $(MINUTES)

# A hall of 200 tables on one PostgreSQL, with every failure, and forty phones: figures of docs/venue.md. As root.
venue: build
	@scripts/install-packages.sh --for-tests
	cargo run --release --locked --example venue -- target/release/tilelens $(or $(VENUE_MINUTES),10)

# Each fuzz target for a minute; needs `cargo install cargo-fuzz`.
fuzz:
	for target in $$(RUSTC_BOOTSTRAP=1 cargo fuzz list); do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- -max_total_time=60; done

# Hours; an interrupted run continues. DATA=folder if the shared data is elsewhere.
train: setup
	@scripts/install-packages.sh --for-training
	models/training/train.sh $(DATA)

# The pages of the rule sets, as the program writes them.
docs: build
	for id in $$(target/release/tilelens rules list | awk '/^ / { print $$1 }'); do \
	  target/release/tilelens rules show $$id --markdown > docs/rules/$$id.md; done

# Measures the reader on the shared photos and writes figures.json, docs/accuracy.json and the tables of docs/accuracy.md
# and README.md. PROGRAM=file measures that build.
accuracy: $(if $(PROGRAM),,build)
	PYTHONPATH=models/training python3 -m tilelens_training.measure.accuracy $(or $(PROGRAM),target/release/tilelens)
	UPDATE=1 cargo test --locked --test house accuracy

clean:
	cargo clean
