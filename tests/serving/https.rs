//! Connections that are encrypted, with a certificate that is made on the spot and with one of the user's.

use std::{path::Path, process::Command, sync::Arc};

use crate::support::served::Served;
use sha2::{Digest as _, Sha256};
use tilelens::server::own_addresses;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};

fn start(home: &Path, more: &[&str]) -> Served {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(["serve", "--port", "0", "--lan", "--tls"]).args(more);
    Served::spawn(program.env("XDG_STATE_HOME", home))
}

/// The made certificate and its key, in the folder of what programs remember.
fn made(home: &Path) -> std::path::PathBuf {
    home.join("tilelens/tokens.toml.pem")
}

/// The answer to a request over an encrypted connection that trusts that certificate alone.
async fn ask(port: u16, certificate: &Path, head: &str) -> std::io::Result<String> {
    let certificate = CertificateDer::from_pem_file(certificate).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
    exchange(&mut stream, head).await
}

/// The answer to a request without encryption.
async fn plainly(host: &str, port: u16, head: &str) -> std::io::Result<String> {
    exchange(&mut TcpStream::connect((host, port)).await?, head).await
}

async fn exchange(
    stream: &mut (impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin),
    head: &str,
) -> std::io::Result<String> {
    stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).await?;
    let mut answer = Vec::new();
    // Whoever closes without a word of farewell has said all the same.
    let _ = stream.read_to_end(&mut answer).await;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// The part of an address with the token, such as `/0123…`.
fn token(served: &Served) -> String {
    let path = served.address.splitn(4, '/').nth(3).unwrap();
    format!("/{}", path.trim_end_matches('/'))
}

/// No phone could use its camera on the page, and whoever listened read the tokens.
#[tokio::test]
async fn a_certificate_is_made_and_nobody_in_the_network_is_answered_without() {
    let home = tempfile::tempdir().unwrap();
    let served = start(home.path(), &[]);
    assert!(served.address.starts_with("https://"), "{}", served.address);
    let (port, token) = (served.port(), token(&served));
    assert!(served.greeting.contains(&format!("http://127.0.0.1:{port}{token}/control")));
    let der = CertificateDer::from_pem_file(made(home.path())).unwrap();
    let digits: Vec<String> =
        Sha256::digest(&der).iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(served.greeting.contains(&digits.join(":")), "{}", served.greeting);
    let host = format!("127.0.0.1:{port}");
    let get = format!("GET {token}/api/rules HTTP/1.1\r\nHost: {host}\r\n");
    let answer = ask(port, &made(home.path()), &get).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // A page of its own may decide, one that is not encrypted is another site.
    let post = |scheme: &str| {
        format!(
            "POST {token}/api/next HTTP/1.1\r\nHost: {host}\r\nOrigin: {scheme}://{host}\r\nContent-Length: 0\r\n"
        )
    };
    for (scheme, status) in [("https", "200"), ("http", "403")] {
        let answer = ask(port, &made(home.path()), &post(scheme)).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{scheme}: {answer}");
    }
    // This machine goes on without.
    let here = format!("GET {token}/health HTTP/1.1\r\nHost: {host}\r\n");
    let answer = plainly("127.0.0.1", port, &here).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // Others do not, whatever token they know.
    if let Some(own) = own_addresses().first() {
        let answer = plainly(&own.ip.to_string(), port, &get).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("https"), "{answer}");
    }
    // Nonsense is nobody's business.
    let nonsense = plainly("127.0.0.1", port, "\u{16}\u{3}\u{1}nonsense").await.unwrap_or_default();
    assert!(!nonsense.contains("200"), "{nonsense}");
    assert!(plainly("127.0.0.1", port, &here).await.unwrap().starts_with("HTTP/1.1 200"));
    // The same at the next start: phones are not warned again.
    let before = std::fs::read(made(home.path())).unwrap();
    drop(served);
    drop(start(home.path(), &[]));
    assert_eq!(std::fs::read(made(home.path())).unwrap(), before);
}

#[tokio::test]
async fn a_certificate_of_the_users_is_used() {
    let home = tempfile::tempdir().unwrap();
    drop(start(home.path(), &[]));
    let own = home.path().join("own.pem");
    std::fs::copy(made(home.path()), &own).unwrap();
    let file = own.to_str().unwrap();
    let other = tempfile::tempdir().unwrap();
    let served = start(other.path(), &["--tls-cert", file, "--tls-key", file]);
    assert!(!served.greeting.contains("SHA-256"), "it is known: nobody is warned");
    let get = format!("GET {}/health HTTP/1.1\r\nHost: 127.0.0.1\r\n", token(&served));
    let answer = ask(served.port(), &own, &get).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(!made(other.path()).exists());
    drop(served);
    // Files that hold something else are named, and nothing is served.
    for (arguments, said) in [
        (vec!["--lan", "--tls", "--tls-cert", "/nowhere.pem", "--tls-key", file], "/nowhere.pem"),
        (vec!["--lan", "--tls", "--tls-cert", file], "--tls-key"),
        (vec!["--tls"], "--lan"),
    ] {
        let all = [&["serve", "--port", "0"], &arguments[..]].concat();
        let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
        let out = program.args(all).env("XDG_STATE_HOME", other.path()).output().unwrap();
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{message}");
        assert!(message.contains(said), "{message}");
    }
}
