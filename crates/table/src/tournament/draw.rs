//! The draw of numbers: lots that anybody can draw again.
//!
//! A player's lot is the SHA-256 of `seed:name`; the lowest lot gets number 1. `printf '%s'
//! 'SEED:NAME' | sha256sum` shows a lot without this program.

use sha2::{Digest, Sha256};

use crate::name::Name;

/// A player's lot, in hexadecimal.
pub fn lot(seed: &str, name: &Name) -> String {
    let digest = Sha256::new().chain_update(seed).chain_update(":").chain_update(name.as_str());
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The players in the order of their numbers; in which order they are given does not matter.
///
/// ```
/// use tilelens_table::{name::Name, tournament::draw};
/// let [anna, bo] = ["Anna", "Bo"].map(|name| Name::new(name).unwrap());
/// assert_eq!(draw("12", [&anna, &bo]), draw("12", [&bo, &anna]));
/// ```
pub fn draw<'a>(seed: &str, players: impl IntoIterator<Item = &'a Name>) -> Vec<Name> {
    let mut lots: Vec<(String, &Name)> =
        players.into_iter().map(|name| (lot(seed, name), name)).collect();
    lots.sort();
    lots.into_iter().map(|(_, name)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lot_is_what_sha256sum_prints() {
        // printf '%s' '42:Anna' | sha256sum
        let anna = Name::new("Anna").unwrap();
        assert_eq!(
            lot("42", &anna),
            "e0e14a0cf42ec75fe659433fb805589400b9579de8eb5d41ba58fe667e854469"
        );
    }

    #[test]
    fn another_seed_draws_otherwise() {
        let names: Vec<Name> =
            (0..16).map(|place| Name::new(&format!("player {place}")).unwrap()).collect();
        let one = draw("1", &names);
        assert_ne!(one, draw("2", &names));
        let mut sorted = one;
        sorted.sort();
        let mut all = names;
        all.sort();
        assert_eq!(sorted, all);
    }
}
