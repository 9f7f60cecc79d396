//! Connections: so many at once, and none that says nothing or takes nothing.

use std::{
    io,
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::Router;
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
    time::{Sleep, sleep},
};

/// No more connections that wait for an answer at once.
const MOST: usize = 512;
/// Who has not said what is wanted after so long is sent away, so that silent connections cannot take
/// all places.
const SILENT: Duration = Duration::from_secs(5);
/// Who takes nothing of what he asked for during this time is let go: a page that never reads, a phone that
/// has left the network.
const STUCK: Duration = Duration::from_secs(10);
/// When no connection can be taken, as for want of file descriptors, it is tried again after this.
const PAUSE: Duration = Duration::from_millis(50);

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub IpAddr);

/// Takes connections and answers them, for ever.
pub(super) async fn answer(listener: TcpListener, router: Router) {
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
        let router = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(from.ip()));
            router.call(request)
        });
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(SILENT);
            let stream = TokioIo::new(Patient { stream, stuck: None });
            let served = http.serve_connection(stream, service).with_upgrades().await;
            if let Err(error) = served {
                tracing::debug!("a connection ended: {error}");
            }
            drop(place);
        });
    }
}

/// A connection whose writing fails once the other side has taken nothing for [`STUCK`].
struct Patient {
    stream: TcpStream,
    /// Runs while something waits to be taken.
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
