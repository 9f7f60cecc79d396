//! The camera's picture for the control page, as a stream of JPEGs.

use std::{io::Cursor, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt as _, stream};
use image::{codecs::jpeg::JpegEncoder, imageops::FilterType};
use tokio::{
    sync::{OwnedSemaphorePermit, watch},
    time::Instant,
};

use super::Hub;
use crate::vision::Picture;

/// Longest side of the preview, in pixels.
const LONGEST: u32 = 1280;
/// Pictures a second at most.
const INTERVAL: Duration = Duration::from_millis(100);
const QUALITY: u8 = 75;

fn jpeg(picture: &Picture) -> Option<Bytes> {
    let rgb = picture.rgb();
    let longest = rgb.width().max(rgb.height());
    let mut bytes = Cursor::new(Vec::new());
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    let encoded = if longest > LONGEST {
        let to =
            |side: u32| (u64::from(side) * u64::from(LONGEST) / u64::from(longest)).max(1) as u32;
        let small =
            image::imageops::resize(rgb, to(rgb.width()), to(rgb.height()), FilterType::Triangle);
        small.write_with_encoder(encoder)
    } else {
        rgb.write_with_encoder(encoder)
    };
    encoded.ok().map(|()| bytes.into_inner().into())
}

async fn encoded(picture: Arc<Picture>) -> Option<Bytes> {
    tokio::task::spawn_blocking(move || jpeg(&picture)).await.ok().flatten()
}

/// The photo on show, else the source's newest picture; 404 before the first.
pub(super) async fn still(hub: Arc<Hub>, source: usize) -> Response {
    let newest = || hub.pictures(source)?.borrow().clone();
    let Some(picture) = hub.photo().or_else(newest) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match encoded(picture).await {
        Some(bytes) => {
            ([(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "no-store")], bytes)
                .into_response()
        }
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Each newest picture in turn, for as long as somebody looks and keeps the place.
pub(super) fn moving(hub: &Hub, source: usize, place: OwnedSemaphorePermit) -> Response {
    let kind = "multipart/x-mixed-replace; boundary=picture";
    let Some(pictures) = hub.pictures(source) else { return StatusCode::NOT_FOUND.into_response() };
    ([(header::CONTENT_TYPE, kind)], Body::from_stream(parts(pictures, place))).into_response()
}

fn parts(
    mut pictures: watch::Receiver<Option<Arc<Picture>>>,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    pictures.mark_changed();
    let first = (pictures, Instant::now(), place);
    let parts = stream::unfold(first, |(mut pictures, due, place)| async move {
        tokio::time::sleep_until(due).await;
        pictures.changed().await.ok()?;
        let picture = pictures.borrow_and_update().clone();
        let part = match picture {
            Some(picture) => encoded(picture).await,
            None => None,
        };
        Some((part, (pictures, Instant::now() + INTERVAL, place)))
    });
    parts.filter_map(|part| async {
        let jpeg = part?;
        let head = format!(
            "--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n",
            jpeg.len()
        );
        Some(Ok(Bytes::from([head.as_bytes(), &jpeg, b"\r\n"].concat())))
    })
}
