.PHONY: test
test:
	cargo test --no-default-features
