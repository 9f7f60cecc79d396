//! Connections: so many at once, and none that says nothing.

use std::{net::IpAddr, sync::Arc, time::Duration};

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
use tokio::{net::TcpListener, sync::Semaphore, time::sleep};

/// No more connections that wait for an answer at once.
const MOST: usize = 512;
/// Who has not said what is wanted after so long is sent away, so that silent connections cannot take
/// all places.
const SILENT: Duration = Duration::from_secs(5);
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
            let served = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
            if let Err(error) = served {
                tracing::debug!("a connection ended: {error}");
            }
            drop(place);
        });
    }
}
