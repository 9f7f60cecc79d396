//! Connections: so many at once, and none that says nothing.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
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

/// Takes connections and answers them, for ever.
pub(super) async fn answer(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        // Never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::debug!("no connection could be taken: {error}");
                sleep(PAUSE).await;
                continue;
            }
        };
        let service = TowerToHyperService::new(router.clone());
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
