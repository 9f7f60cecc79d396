//! Filled by the scoring benchmark.

fn main() {}
