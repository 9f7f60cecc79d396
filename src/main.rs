//! The `tilelens` program: arguments in, ready things built, one mode run.

fn main() {}
