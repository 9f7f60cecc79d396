//! Connections to a served program as pages make them, and raw ones as nobody should.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;
use tungstenite::{Message, WebSocket, stream::MaybeTlsStream};

use super::served::Served;

pub type Page = WebSocket<MaybeTlsStream<TcpStream>>;

pub fn connect(served: &Served) -> Page {
    let address = format!("{}api/socket", served.address.replacen("http", "ws", 1));
    let stream = TcpStream::connect(("127.0.0.1", served.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    tungstenite::client(address, MaybeTlsStream::Plain(stream)).unwrap().0
}

pub fn next_state(page: &mut Page) -> Value {
    loop {
        if let Message::Text(text) = page.read().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

/// Raw bytes to the port, and what comes back before the connection closes or twenty seconds pass.
pub fn raw(served: &Served, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while let Ok(read) = stream.read(&mut part) {
        if read == 0 || answer.len() > 1 << 16 {
            break;
        }
        answer.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}
