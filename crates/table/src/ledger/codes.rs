//! Codes that open pages: one for each table, one for the desk, one for screens. The ledger keeps their hashes alone, so
//! that nobody who reads it learns one; a lost code is made again.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Ledger, LedgerError};

/// The pages that a code opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opens {
    /// The page of one table: in a tournament of that table of every round, else of the table of that number.
    Table(u32),
    /// The desk: every table, and the tournament.
    Desk,
    /// A page that shows and never decides.
    Screen,
}

/// The thirty-two letters and digits of a code, chosen so that none looks like another.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The number of letters in a code: sixty bits.
const LENGTH: usize = 12;
/// The prefix of the names of notes that hold codes.
const NOTES: &str = "code ";

/// A code in its printed form: `4K7M-2PX9-QTB3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code(String);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [&self.0[..4], &self.0[4..8], &self.0[8..]];
        f.write_str(&parts.join("-"))
    }
}

impl Code {
    fn new() -> Result<Self, LedgerError> {
        let mut bytes = [0u8; LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| LedgerError::Other {
            path: Default::default(),
            cause: format!("no code could be made: {error}"),
        })?;
        Ok(Self(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()))
    }

    /// A code as somebody types it: small letters, with or without hyphens, `O` for `0`, `I` or `L` for `1`.
    pub fn read(text: &str) -> Option<Self> {
        let letters = text.chars().filter(|letter| *letter != '-').map(|letter| {
            match letter.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            }
        });
        let code: String = letters.take(LENGTH + 1).collect();
        let is_known = |letter: u8| LETTERS.contains(&letter);
        (code.len() == LENGTH && code.bytes().all(is_known)).then_some(Self(code))
    }

    /// The code without hyphens, for an address.
    pub fn plain(&self) -> &str {
        &self.0
    }

    fn note(&self) -> String {
        format!("{NOTES}{:x}", Sha256::digest(format!("tilelens {}", self.0)))
    }
}

fn text_of(opens: Opens) -> Result<String, LedgerError> {
    serde_json::to_string(&opens)
        .map_err(|error| LedgerError::Other { path: Default::default(), cause: error.to_string() })
}

impl Ledger {
    /// Makes new codes; earlier codes for the same pages stop working.
    ///
    /// # Errors
    /// Where they cannot be made or kept.
    pub async fn renew_codes(&self, of: &[Opens]) -> Result<Vec<(Opens, Code)>, LedgerError> {
        let made: Vec<(Opens, Code)> = of
            .iter()
            .map(|opens| Ok((*opens, Code::new()?)))
            .collect::<Result<_, LedgerError>>()?;
        let texts: Vec<String> =
            of.iter().map(|opens| text_of(*opens)).collect::<Result<_, _>>()?;
        self.note(NOTES, |known| {
            let dead = known.into_iter().filter(|(_, opens)| texts.contains(opens));
            let dead = dead.map(|(name, _)| (name, None));
            let new =
                made.iter().zip(&texts).map(|((_, code), text)| (code.note(), Some(text.clone())));
            Ok::<_, LedgerError>(dead.chain(new).collect())
        })
        .await?;
        Ok(made)
    }

    /// The page that a code opens, if any.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn opened_by(&self, code: &Code) -> Result<Option<Opens>, LedgerError> {
        let found = self.notes(&code.note()).await?;
        Ok(found.first().and_then(|(_, opens)| serde_json::from_str(opens).ok()))
    }

    /// The pages that have codes.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn codes(&self) -> Result<Vec<Opens>, LedgerError> {
        let notes = self.notes(NOTES).await?;
        let mut known: Vec<Opens> =
            notes.iter().filter_map(|(_, opens)| serde_json::from_str(opens).ok()).collect();
        known.sort_unstable();
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = Code::new().unwrap();
        let printed = code.to_string();
        assert_eq!(printed.len(), 14);
        for typed in [printed.clone(), printed.to_lowercase(), code.plain().to_owned()] {
            assert_eq!(Code::read(&typed), Some(code.clone()), "{typed}");
        }
        assert_eq!(Code::read("oil4-oil4-oil4"), Code::read("0114-0114-0114"));
        for other in
            ["", "4K7M-2PX9", "4K7M-2PX9-QTB33", "4K7M-2PX9-QTBU", "control", "4K7M-2PX9-QTB\u{c9}"]
        {
            assert_eq!(Code::read(other), None, "{other}");
        }
    }
}
