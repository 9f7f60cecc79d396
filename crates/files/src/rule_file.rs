//! Files with house rules, as requests name them.

use std::{io, path::Path};

/// The largest rule file, in bytes.
const MOST: u64 = 1 << 20;

/// The text of a rule file, or why it cannot be read; `None` where the name is not one of a rule file (`.toml`).
pub fn rule_file(name: &str) -> Option<Result<String, String>> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return None;
    }
    let failed = |error: io::Error| format!("cannot read the rule file {name}: {error}");
    let size = match std::fs::metadata(path) {
        Ok(about) => about.len(),
        Err(error) => return Some(Err(failed(error))),
    };
    if size > MOST {
        return Some(Err(format!("{name} has {size} bytes: a rule file has at most {MOST}")));
    }
    Some(std::fs::read_to_string(path).map_err(failed))
}
