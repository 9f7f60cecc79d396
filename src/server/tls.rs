//! Encrypted connections (https), without which a browser gives a page in the network no camera. The certificate is the
//! user's or a self-signed one, which is kept, so that a phone has to accept it only once.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    },
};

/// Where the certificate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// The user's own: its file and its key's file, both PEM; the certificate's chain may follow it.
    Own {
        /// The certificate.
        certificate: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// Self-signed for this machine's addresses, and kept in this file with its key.
    Made(PathBuf),
}

/// Why https cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or written.
    #[error("cannot use {0} for https: {1}")]
    File(PathBuf, #[source] io::Error),
    /// A file has other contents.
    #[error("{0} holds no {1} in PEM: {2}")]
    Pem(PathBuf, &'static str, String),
    /// Certificate and key do not fit, or no certificate could be made.
    #[error("no certificate for https: {0}")]
    Certificate(String),
}

/// The TLS acceptor, and the certificate's fingerprint for people to compare.
#[derive(Clone)]
pub(super) struct Tls {
    pub acceptor: TlsAcceptor,
    pub fingerprint: String,
    /// It is self-signed: phones warn.
    pub is_made: bool,
}

impl Certificate {
    /// Reads or makes the certificate; `names`: this machine's addresses and names.
    pub(super) fn ready(&self, names: &[String]) -> Result<Tls, TlsError> {
        let (chain, key) = match self {
            Self::Own { certificate, key } => (chain(certificate)?, private_key(key)?),
            Self::Made(file) => {
                let is_good =
                    fs::read_to_string(file).is_ok_and(|text| text.starts_with(&about(names)));
                if !is_good {
                    make(file, names)?;
                }
                (chain(file)?, private_key(file)?)
            }
        };
        let fingerprint = Sha256::digest(chain.first().map(AsRef::as_ref).unwrap_or_default());
        let wrong = |error: tokio_rustls::rustls::Error| TlsError::Certificate(error.to_string());
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(wrong)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(wrong)?;
        Ok(Tls {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            fingerprint: fingerprint
                .iter()
                .map(|byte| format!("{byte:02X}"))
                .collect::<Vec<_>>()
                .join(":"),
            is_made: matches!(self, Self::Made(_)),
        })
    }
}

fn chain(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let wrong = |error: String| TlsError::Pem(file.to_owned(), "certificate", error);
    let bytes = fs::read(file).map_err(|error| TlsError::File(file.to_owned(), error))?;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&bytes)
        .collect::<Result<_, _>>()
        .map_err(|error| wrong(error.to_string()))?;
    if chain.is_empty() { Err(wrong("there is none in it".to_owned())) } else { Ok(chain) }
}

fn private_key(file: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let bytes = fs::read(file).map_err(|error| TlsError::File(file.to_owned(), error))?;
    PrivateKeyDer::from_pem_slice(&bytes)
        .map_err(|error| TlsError::Pem(file.to_owned(), "private key", error.to_string()))
}

/// The first line of a made file: its addresses, so that it is remade when they change.
fn about(names: &[String]) -> String {
    format!("Tilelens: certificate and private key for {}\n", names.join(" "))
}

/// Makes a certificate and keeps it with its key, for the owner alone.
fn make(file: &Path, names: &[String]) -> Result<(), TlsError> {
    let wrong = |error: rcgen::Error| TlsError::Certificate(error.to_string());
    let mut params = CertificateParams::new(names).map_err(wrong)?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "Tilelens on this machine");
    let key = KeyPair::generate().map_err(wrong)?;
    let certificate = params.self_signed(&key).map_err(wrong)?;
    let text = format!("{}{}{}", about(names), certificate.pem(), key.serialize_pem());
    let write = || -> io::Result<()> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // Nobody else may read it, from the beginning.
        let mut new = NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        new.persist(file).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| TlsError::File(file.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_made_once_and_again_for_other_addresses() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/tls.pem");
        let made = Certificate::Made(file.clone());
        let names = |ip: &str| vec![ip.to_owned(), "localhost".to_owned()];
        let first = made.ready(&names("192.168.1.20")).unwrap().fingerprint;
        assert_eq!(first.len(), 32 * 3 - 1);
        assert_eq!(made.ready(&names("192.168.1.20")).unwrap().fingerprint, first);
        assert_ne!(made.ready(&names("192.168.1.21")).unwrap().fingerprint, first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
        }
        // The same file is one of the user's as well, if he wants that.
        let own = Certificate::Own { certificate: file.clone(), key: file.clone() };
        assert!(!own.ready(&[]).unwrap().is_made);
    }

    #[test]
    fn files_that_hold_something_else_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.pem");
        fs::write(&file, "nothing").unwrap();
        let own = Certificate::Own { certificate: file.clone(), key: file.clone() };
        let said = own.ready(&[]).err().unwrap().to_string();
        assert!(said.contains("own.pem holds no certificate in PEM"), "{said}");
        let gone = folder.path().join("gone.pem");
        let own = Certificate::Own { certificate: gone.clone(), key: gone };
        assert!(own.ready(&[]).err().unwrap().to_string().contains("gone.pem"));
        let made = Certificate::Made(file.clone());
        made.ready(&["localhost".to_owned()]).unwrap();
        let made = fs::read_to_string(&file).unwrap();
        let (certificate, _) = made.split_once("-----BEGIN PRIVATE KEY").unwrap();
        fs::write(&file, certificate).unwrap();
        let own = Certificate::Own { certificate: file.clone(), key: file };
        let said = own.ready(&[]).err().unwrap().to_string();
        assert!(said.contains("holds no private key in PEM"), "{said}");
    }
}
