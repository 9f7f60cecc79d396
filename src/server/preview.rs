//! The camera's picture for the control page, as a stream of JPEGs.

use std::{
    collections::BTreeMap,
    io::Cursor,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt as _, stream};
use image::{codecs::jpeg::JpegEncoder, imageops::FilterType};
use tokio::{
    sync::{OwnedSemaphorePermit, watch},
    task::JoinHandle,
    time::Instant,
};

use super::Hub;
use crate::picture::Picture;

/// Longest side of the preview, in pixels.
const LONGEST: u32 = 1280;
/// Pictures a second at most.
const INTERVAL: Duration = Duration::from_millis(100);
const QUALITY: u8 = 75;
/// What opens each picture of the stream. It follows the picture before at once: a browser shows a picture when it has
/// the head of the next.
const HEAD: &str = "--picture\r\nContent-Type: image/jpeg\r\n\r\n";

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

/// The photo on show, else the source's newest picture; `None` before the first.
pub(super) async fn still(hub: Arc<Hub>, source: usize) -> Option<Response> {
    let newest = || hub.pictures(source)?.borrow().clone();
    let picture = hub.photo().or_else(newest)?;
    Some(one(picture).await)
}

/// One picture as a JPEG.
pub(super) async fn one(picture: Arc<Picture>) -> Response {
    match encoded(picture).await {
        Some(bytes) => {
            ([(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "no-store")], bytes)
                .into_response()
        }
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The previews of all sources: each picture is encoded once for all viewers.
#[derive(Default)]
pub(super) struct Previews(Mutex<BTreeMap<usize, EncodedPreview>>);

/// The encoded pictures of a source, and the task that encodes them.
type EncodedPreview = (watch::Sender<Option<Bytes>>, Option<JoinHandle<()>>);

impl Previews {
    /// The newest pictures in turn, while a viewer is connected and keeps the place; `None` without such a source.
    pub fn moving(
        &self,
        hub: &Hub,
        source: usize,
        place: OwnedSemaphorePermit,
    ) -> Option<Response> {
        let pictures = hub.pictures(source)?;
        let kind = "multipart/x-mixed-replace; boundary=picture";
        let parts = parts(self.watch(source, pictures), place);
        Some(([(header::CONTENT_TYPE, kind)], Body::from_stream(parts)).into_response())
    }

    /// The encoded pictures of a source. The first viewer starts the encoding; it ends with the last viewer.
    fn watch(&self, source: usize, mut pictures: Pictures) -> watch::Receiver<Option<Bytes>> {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (sender, encoder) =
            watched.entry(source).or_insert_with(|| (watch::Sender::new(None), None));
        let is_first = sender.receiver_count() == 0;
        let mut viewer = sender.subscribe();
        viewer.mark_changed();
        if is_first {
            let sender = sender.clone();
            pictures.mark_changed();
            // The earlier encoder may not have ended yet.
            if let Some(before) = encoder.take() {
                before.abort();
            }
            *encoder = Some(tokio::spawn(async move {
                let mut due = Instant::now();
                loop {
                    tokio::time::sleep_until(due).await;
                    let changed = tokio::select! {
                        changed = pictures.changed() => changed.is_ok(),
                        () = sender.closed() => false,
                    };
                    if !changed || sender.is_closed() {
                        return;
                    }
                    due = Instant::now() + INTERVAL;
                    let picture = pictures.borrow_and_update().clone();
                    if let Some(picture) = picture
                        && let Some(jpeg) = encoded(picture).await
                    {
                        let part = [&jpeg[..], b"\r\n", HEAD.as_bytes()].concat();
                        sender.send_replace(Some(Bytes::from(part)));
                    }
                }
            }));
        }
        viewer
    }
}

type Pictures = watch::Receiver<Option<Arc<Picture>>>;

fn parts(
    jpegs: watch::Receiver<Option<Bytes>>,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    let parts = stream::unfold((jpegs, place), |(mut jpegs, place)| async move {
        jpegs.changed().await.ok()?;
        let part = jpegs.borrow_and_update().clone();
        Some((part, (jpegs, place)))
    });
    let first = Bytes::from_static(HEAD.as_bytes());
    stream::iter([Ok(first)]).chain(parts.filter_map(|part| async { part.map(Ok) }))
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::{
        rules::Library,
        server::{Shows, TrackedPicture},
    };

    #[tokio::test]
    async fn pictures_are_encoded_once_for_all_who_look_and_not_when_nobody_does() {
        let hub = Hub::new(Library::default(), "mmm").unwrap();
        let source = hub.add_source("camera:0", Shows::Hand);
        let previews = Previews::default();
        let watch = || previews.watch(source, hub.pictures(source).unwrap());
        let (mut one, mut other) = (watch(), watch());
        let picture = Arc::new(Picture::from_rgb(image::RgbImage::new(64, 64)).unwrap());
        let (tiles, ids, at) = (Vec::new(), Vec::new(), std::time::Instant::now());
        let seen = TrackedPicture {
            picture,
            at,
            tiles,
            ids,
            unseen: Vec::new(),
            settled: true,
            changed: 1,
            tileset: None,
        };
        hub.see(source, seen, None);
        let mut first = None;
        for viewer in [&mut one, &mut other] {
            let part = viewer.wait_for(Option::is_some).await.unwrap().clone().unwrap();
            assert_eq!(part.as_ptr(), *first.get_or_insert(part.as_ptr()), "the same bytes");
            assert!(part.ends_with(HEAD.as_bytes()), "shown without waiting for the next");
        }
        drop((one, other));
        let (_, encoder) = previews.0.lock().unwrap().remove(&source).unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(60), encoder.unwrap()).await;
        assert!(ended.is_ok(), "it goes on for nobody");
    }
}
