//! Accepts connections, up to a limit, and drops those that send or read nothing for a while. With https, this machine
//! may connect unencrypted too: OBS does not accept a self-signed certificate.

use std::{
    io,
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{Router, http::StatusCode};
use hyper::{
    Request,
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{Sleep, sleep, timeout},
};

use super::tls::Tls;

/// The most connections that are open at once.
const MOST: usize = 512;
/// A connection that has sent no complete request after this time is closed, so that silent connections cannot fill all
/// places.
const SILENT: Duration = Duration::from_secs(5);
/// A connection that reads nothing of its answer for this time is closed: a page that never reads, a phone that has
/// left the network.
const STUCK: Duration = Duration::from_secs(10);
/// The pause after a failed `accept`, such as without free file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// The first byte of a TLS connection.
const HANDSHAKE: u8 = 0x16;
/// The answer to unencrypted requests of other machines.
const ENCRYPTED: (StatusCode, &str) =
    (StatusCode::FORBIDDEN, "Use https: this address is not answered over http.\n");

/// The address of the client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub IpAddr);

/// Whether the connection is encrypted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encrypted(pub bool);

/// Accepts connections and answers them until the task is dropped.
pub(super) async fn answer(listener: TcpListener, router: Router, tls: Option<Tls>) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        // Never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let (stream, from) = match listener.accept().await {
            Ok(connection) => connection,
            Err(error) => {
                tracing::debug!("no connection could be taken: {error}");
                sleep(PAUSE).await;
                continue;
            }
        };
        let (router, tls) = (router.clone(), tls.clone());
        tokio::spawn(async move {
            if let Err(error) = serve(stream, from.ip(), router, tls).await {
                tracing::debug!("a connection ended: {error}");
            }
            drop(place);
        });
    }
}

/// Answers the requests of one connection.
async fn serve(
    stream: TcpStream,
    from: IpAddr,
    router: Router,
    tls: Option<Tls>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut router = router;
    if let Some(tls) = tls {
        let mut first = [0];
        let began = timeout(SILENT, stream.peek(&mut first)).await??;
        if began == 1 && first[0] == HANDSHAKE {
            let stream = Patient { stream, stuck: None };
            let stream = timeout(SILENT, tls.acceptor.accept(stream)).await??;
            return http(stream, from, router, Encrypted(true)).await;
        }
        if !from.to_canonical().is_loopback() {
            router = Router::new().fallback(async || ENCRYPTED);
        }
    }
    http(Patient { stream, stuck: None }, from, router, Encrypted(false)).await
}

async fn http(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    from: IpAddr,
    router: Router,
    encrypted: Encrypted,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(from));
        request.extensions_mut().insert(encrypted);
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SILENT);
    let served = http.serve_connection(TokioIo::new(stream), service);
    Ok(served.with_upgrades().await?)
}

/// A connection whose writes fail once the other side has read nothing for [`STUCK`].
struct Patient {
    stream: TcpStream,
    /// The timer, while written bytes wait to be read.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn waits<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(STUCK)));
        ready!(stuck.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.waits(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.waits(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    // A socket has nothing to flush.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
