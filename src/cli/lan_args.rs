//! The arguments of pages in the local network.

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Args;

use crate::{
    ledger::Ledger,
    server::{Certificate, Lan},
};

#[derive(Args)]
pub(super) struct LanArgs {
    /// Answer in the local network too, for phones and other machines. Their addresses contain a secret token,
    /// which stays the same at each start: one for the operator, one for phones, one for screens
    #[arg(long)]
    pub lan: bool,
    /// The address of this machine, for the printed addresses and the code. The default is the likeliest of
    /// those that are listed
    #[arg(long, value_name = "ADDRESS", requires = "lan")]
    host: Option<IpAddr>,
    /// Ask programs on this machine for no token, as without --lan. Do not use it behind a reverse proxy: all
    /// who reach the proxy would be the operator
    #[arg(long, requires = "lan")]
    no_token_here: bool,
    /// Make new tokens: addresses that were printed before stop working
    #[arg(long, requires = "lan")]
    new_tokens: bool,
    /// Encrypt the connections of the local network (https), so that phones may use their camera on the page.
    /// The certificate is self-signed, about which browsers warn, or your own
    #[arg(long, requires = "lan")]
    tls: bool,
    /// Your own certificate for --tls, in PEM, followed by those that signed it
    #[arg(long, value_name = "FILE", requires_all = ["tls", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// The private key of that certificate, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["tls", "tls_cert"])]
    tls_key: Option<PathBuf>,
}

impl LanArgs {
    /// How the local network is answered; `None` for this machine alone. The file of tokens is beside the ledger, or in
    /// the user's state folder.
    pub(super) fn lan(&self, ledger: Option<&Path>) -> anyhow::Result<Option<Lan>> {
        if !self.lan {
            return Ok(None);
        }
        let tokens: PathBuf = match ledger {
            Some(ledger) if !Ledger::is_database(ledger) => beside(ledger, ".tokens"),
            _ => remembered()
                .context("no place for the tokens of the addresses")?
                .join("tokens.toml"),
        };
        let certificate = self.tls.then(|| match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                Certificate::Own { certificate: certificate.clone(), key: key.clone() }
            }
            _ => Certificate::Made(beside(&tokens, ".pem")),
        });
        Ok(Some(Lan {
            host: self.host,
            tokens,
            renew: self.new_tokens,
            is_open_here: self.no_token_here,
            certificate,
        }))
    }
}

/// The user's state folder.
pub(super) fn remembered() -> anyhow::Result<PathBuf> {
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().context("there is no home folder")?;
    Ok(base.state_dir().unwrap_or_else(|| base.data_dir()).join("tilelens"))
}

/// The file beside another that has its name and more.
fn beside(file: &Path, more: &str) -> PathBuf {
    let mut beside = file.to_owned().into_os_string();
    beside.push(more);
    beside.into()
}
