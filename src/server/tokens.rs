//! The tokens in the addresses of the local network, kept in a file, so that the addresses in a phone or OBS stay valid
//! after a restart.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Client;

/// Digits of a token: 128 bits in hexadecimal.
const DIGITS: usize = 32;
/// The largest file of tokens, in bytes.
const MOST_BYTES: u64 = 4096;
const ABOUT: &str = "# Tilelens: the secret tokens in the addresses of its pages. Whoever has one can use those\n\
                     # pages. `tilelens serve --lan --new-tokens` makes new ones; the old addresses\n# are dead then.\n";

/// A token for each kind of client.
#[derive(PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tokens {
    operator: String,
    phone: String,
    screen: String,
}

/// Why the tokens cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokensError {
    /// The file cannot be read or written.
    #[error("cannot keep the tokens of the addresses in {0}: {1}")]
    Io(PathBuf, #[source] io::Error),
    /// The file has other contents.
    #[error(
        "{0} does not hold the tokens of the addresses: start with --new-tokens, which writes it again"
    )]
    Damaged(PathBuf),
    /// The system gives no randomness.
    #[error("no token could be made: {0}")]
    Random(String),
}

impl Tokens {
    /// The tokens in a file; new ones, which are kept there, where there is no file or `renew` asks for them.
    pub fn kept_in(file: &Path, renew: bool) -> Result<Self, TokensError> {
        if !renew && let Some(tokens) = Self::read(file)? {
            return Ok(tokens);
        }
        let new = Self::random()?;
        let io_error = |error| TokensError::Io(file.to_owned(), error);
        new.write(file, renew).map_err(io_error)?;
        // Another program may have made the file at the same time.
        Ok(Self::read(file)?.unwrap_or(new))
    }

    /// The prefix of every path of a client.
    pub fn prefix(&self, client: Client) -> String {
        match client {
            Client::ThisMachine | Client::Table => String::new(),
            Client::Operator => format!("/{}", self.operator),
            Client::Phone => format!("/{}", self.phone),
            Client::Screen => format!("/{}", self.screen),
        }
    }

    fn random() -> Result<Self, TokensError> {
        let [operator, phone, screen] = [random()?, random()?, random()?];
        Ok(Self { operator, phone, screen })
    }

    fn read(file: &Path) -> Result<Option<Self>, TokensError> {
        let io_error = |error| TokensError::Io(file.to_owned(), error);
        let about = match fs::metadata(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            about => about.map_err(io_error)?,
        };
        let damaged = || TokensError::Damaged(file.to_owned());
        if !about.is_file() || about.len() > MOST_BYTES {
            return Err(damaged());
        }
        let text = String::from_utf8(fs::read(file).map_err(io_error)?).map_err(|_| damaged())?;
        let tokens: Self = toml::from_str(&text).map_err(|_| damaged())?;
        if !tokens.are_sound() {
            return Err(damaged());
        }
        keep_to_owner(file, &about);
        Ok(Some(tokens))
    }

    fn are_sound(&self) -> bool {
        let all = [&self.operator, &self.phone, &self.screen];
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_token = |token: &&String| token.len() == DIGITS && token.bytes().all(is_digit);
        all.iter().all(is_token) && all[0] != all[1] && all[1] != all[2] && all[0] != all[2]
    }

    /// Writes them whole or not at all, for the owner alone; without `renew` a file that has appeared
    /// meanwhile stays.
    fn write(&self, file: &Path, renew: bool) -> io::Result<()> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        // Nobody else may read it, from the beginning.
        let mut new = NamedTempFile::new_in(folder)?;
        let text = toml::to_string(self).map_err(io::Error::other)?;
        new.write_all(format!("{ABOUT}{text}").as_bytes())?;
        new.as_file().sync_all()?;
        let kept = if renew { new.persist(file) } else { new.persist_noclobber(file) };
        match kept {
            Err(error) if !renew && error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            kept => kept.map(drop).map_err(|error| error.error),
        }
    }
}

fn random() -> Result<String, TokensError> {
    let mut bytes = [0u8; DIGITS / 2];
    getrandom::fill(&mut bytes).map_err(|error| TokensError::Random(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A file that was copied may be open to others.
fn keep_to_owner(file: &Path, about: &fs::Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if about.permissions().mode() & 0o077 != 0 {
            // Not every disk has permissions.
            let _ = fs::set_permissions(file, fs::Permissions::from_mode(0o600));
        }
    }
    #[cfg(not(unix))]
    let _ = (file, about);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let [one, other] = [Tokens::random().unwrap(), Tokens::random().unwrap()];
        assert!(one.are_sound() && other.are_sound() && one != other);
    }
}
