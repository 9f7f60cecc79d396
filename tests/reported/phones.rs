//! Phones, tokens and addresses.

#[cfg(all(feature = "server", target_os = "linux"))]
mod photos {
    //! Photos on their way: many at once, of kinds that browsers do not show, and cancelled.

    use std::{
        io::{Cursor, Read, Write},
        net::TcpStream,
        sync::atomic::{AtomicUsize, Ordering},
        thread::{self, sleep},
        time::{Duration, Instant},
    };

    use fantoccini::{Client, Locator};
    use image::{ImageFormat, Rgb, RgbImage};
    use serde_json::{Value, json};
    use tilelens::vision::{ModelError, Picture, Reader};

    use crate::{
        browser::{browser, keep, until, until_within},
        connections::raw,
        served::{Reply, Served, layout_path, table, table_path},
    };

    /// Far longer than anything here takes: only a fault reaches it.
    const LONG: Duration = Duration::from_secs(600);

    fn encoded(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A picture that is read quickly: a corner of a table's.
    fn small() -> Vec<u8> {
        let photo = image::load_from_memory(&table("row-sorted")).unwrap().into_rgb8();
        let part = image::imageops::thumbnail(&photo, 320, 240);
        encoded(&part, ImageFormat::Jpeg)
    }

    /// A picture that takes its time: 12 megapixels of cloth, which are looked at in every way there is.
    fn slow() -> Vec<u8> {
        encoded(&RgbImage::from_pixel(4000, 3000, Rgb([20, 90, 60])), ImageFormat::Jpeg)
    }

    /// As the page does it: asks until it is its turn, then sends, and begins again where that is refused.
    fn sends(served: &Served, photo: &[u8], sending: impl Fn(&Value)) -> Reply {
        let mut ticket = Value::Null;
        let began = Instant::now();
        while began.elapsed() < LONG {
            let told = served.post("api/line", &json!({ "ticket": ticket, "bytes": photo.len() }));
            assert!([200, 429].contains(&told.status), "{}", told.text());
            let told = told.json();
            if told["ticket"].is_u64() {
                ticket = told["ticket"].clone();
            }
            sending(&told);
            if told["stage"] == "send" {
                let answer = served.send(&format!("api/photo?ticket={ticket}"), photo);
                if answer.status != 429 {
                    return answer;
                }
            }
            sleep(Duration::from_millis(told["again_ms"].as_u64().unwrap_or(500)));
        }
        panic!("its turn never came")
    }

    fn metric(served: &Served, name: &str) -> u64 {
        let text = served.get("metrics").text();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    }

    /// The head of a photo that does not come, once the server waits for the rest.
    fn half_a_photo(served: &Served) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port())).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let head = "POST /api/photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 100");
        stream
    }

    /// Fifty players of a hall sent their photos at the end of a round: 44 were refused.
    #[test]
    fn fifty_photos_at_once_are_all_read_and_only_six_are_held() {
        let served = Served::serve();
        let photo = small();
        let (queued, read) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let before = served.memory();
        thread::scope(|scope| {
            for _ in 0..50 {
                scope.spawn(|| {
                    let answer = sends(&served, &photo, |told| {
                        if told["stage"] == "queued" {
                            queued.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                    assert_eq!(answer.status, 200, "{}", answer.text());
                    assert!(answer.json()["photo"].is_u64());
                    read.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(read.load(Ordering::Relaxed), 50);
        assert!(queued.load(Ordering::Relaxed) >= 44, "most of them had to wait");
        assert_eq!(metric(&served, "tilelens_photos_total"), 50, "each was read once");
        let grown = served.memory().saturating_sub(before);
        assert!(grown < 1 << 30, "{grown} bytes more than before");
    }

    /// Somebody who had to wait had sent his 12 megapixels for nothing.
    #[test]
    fn who_has_to_wait_learns_it_before_sending() {
        let served = Served::serve();
        let held: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
        let told = served.post("api/line", &json!({})).json();
        assert_eq!((&told["stage"], &told["before"]), (&json!("queued"), &json!(6)), "{told}");
        assert!(told["again_ms"].is_u64(), "{told}");
        // Without asking: refused at the head, with a time to come back, and the rest is not waited for.
        let head = "POST /api/photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n";
        let answer = raw(&served, head.as_bytes()).to_lowercase();
        assert!(answer.starts_with("http/1.1 429"), "{answer}");
        assert!(answer.contains("retry-after: ") && answer.contains("\"before\":7"), "{answer}");
        let large = served.post("api/line", &json!({ "bytes": 31 << 20 }));
        assert_eq!(large.status, 413, "nobody waits with a picture that is too large");
        drop(held);
        let ticket = &told["ticket"];
        let began = Instant::now();
        while served.post("api/line", &json!({ "ticket": ticket })).json()["stage"] != "send" {
            assert!(began.elapsed() < LONG, "its turn never came");
        }
        assert_eq!(served.send(&format!("api/photo?ticket={ticket}"), &small()).status, 200);
        assert_eq!(served.get(&format!("api/line/{ticket}")).status, 404, "it is answered");
    }

    fn cancel(served: &Served, ticket: &Value) -> u16 {
        let answer = ureq::delete(format!("{}api/line/{ticket}", served.address))
            .config()
            .http_status_as_error(false)
            .build()
            .call();
        answer.unwrap().status().as_u16()
    }

    /// A picture of 12 megapixels was read for nine seconds, and there was no way to stop it: everybody behind it
    /// waited for nothing.
    #[test]
    fn a_photo_says_how_far_it_is_and_can_be_cancelled() {
        let served = Served::serve();
        assert_eq!(served.send("api/photo", &small()).status, 200, "the networks are there");
        let slow = slow();
        let ticket = || served.post("api/line", &json!({})).json()["ticket"].clone();
        let how_far = |ticket: &Value| served.get(&format!("api/line/{ticket}")).json();
        let until = |ticket: &Value, is_so: &dyn Fn(&Value) -> bool| {
            let began = Instant::now();
            loop {
                let told = how_far(ticket);
                if is_so(&told) {
                    return told;
                }
                assert!(began.elapsed() < LONG, "never: {told}");
                sleep(Duration::from_millis(5));
            }
        };
        let first = ticket();
        assert_eq!(how_far(&first)["stage"], "send");
        thread::scope(|scope| {
            let (slow, served) = (&slow, &served);
            let send = |ticket: &Value| {
                let address = format!("api/photo?ticket={ticket}");
                scope.spawn(move || served.send(&address, slow))
            };
            let one = send(&first);
            until(&first, &|told| told["stage"] == "reading" && told["step"] != "opening");
            let second = ticket();
            let other = send(&second);
            let waiting = until(&second, &|told| told["stage"] == "waiting");
            assert_eq!(waiting["before"], 1);
            // One that waits for its turn never begins, and is answered at once.
            assert_eq!(cancel(served, &second), 204);
            assert_eq!(other.join().unwrap().status, 409);
            assert_eq!(how_far(&first)["stage"], "reading", "the first is still being read");
            assert_eq!(cancel(served, &first), 204);
            let answer = one.join().unwrap();
            assert_eq!(answer.status, 409, "{}", answer.text());
            assert!(answer.text().contains("cancelled"));
        });
        assert_eq!(cancel(&served, &first), 404);
        assert_eq!(metric(&served, "tilelens_photos_total"), 1);
        assert_eq!(served.send("api/photo", &small()).status, 200, "the next one is read");
    }

    /// The reader that a cancelled photo had went on to the end.
    #[test]
    fn a_reading_that_is_stopped_takes_no_further_step() {
        let picture = Picture::from_bytes(&table("row-sorted")).unwrap();
        let mut reader = Reader::builtin(2).unwrap();
        let whole = reader.read(&picture).unwrap();
        let steps = std::sync::Arc::new(AtomicUsize::new(0));
        for most in [1, 2, 4] {
            steps.store(0, Ordering::Relaxed);
            let count = std::sync::Arc::clone(&steps);
            reader.watch(Some(Box::new(move |_| count.fetch_add(1, Ordering::Relaxed) + 1 < most)));
            assert!(matches!(reader.read(&picture), Err(ModelError::Stopped)));
            assert_eq!(steps.load(Ordering::Relaxed), most);
        }
        reader.watch(None);
        assert_eq!(
            reader.read(&picture).unwrap().len(),
            whole.len(),
            "and then it reads as before"
        );
    }

    /// A phone that had gone out of the network kept the reader busy.
    #[test]
    fn a_phone_that_goes_away_gives_its_place_back() {
        let served = Served::serve();
        let held: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
        let free = || served.post("api/line", &json!({})).json();
        assert_eq!(free()["stage"], "queued");
        drop(held);
        let began = Instant::now();
        while free()["stage"] != "send" {
            assert!(began.elapsed() < LONG);
        }
    }

    async fn phone(page: &Client, served: &Served) {
        page.set_window_size(390, 844).await.unwrap();
        page.goto(&format!("{}phone", served.address)).await.unwrap();
        until(page, "document.querySelectorAll('#rules option').length >= 5").await;
    }

    async fn pick(page: &Client, file: &str) {
        page.find(Locator::Css("#file")).await.unwrap().send_keys(file).await.unwrap();
    }

    const BAR: &str = "document.querySelector('#sending:not([hidden]) span')?.textContent";
    const READ: &str = "document.querySelectorAll('#hand .tile').length === 14";

    /// The phone page said "too many pictures at once" and forgot the photo.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_phone_page_waits_for_its_turn_and_can_be_cancelled() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        let mut held: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
        phone(&page, &served).await;
        pick(&page, &table_path("row-sorted")).await;
        until(&page, &format!("{BAR} === 'Waiting: 6 before you'")).await;
        keep(&page, "phone-waits").await;
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        until(&page, fits).await;
        // Cancelled, it stands in nobody's way.
        let behind = served.post("api/line", &json!({})).json();
        assert_eq!(behind["before"], 7);
        page.find(Locator::Css("#sending button")).await.unwrap().click().await.unwrap();
        until(&page, "document.querySelector('#status').textContent.startsWith('Cancelled')").await;
        until(&page, "document.querySelector('#sending').hidden").await;
        let began = Instant::now();
        while served.post("api/line", &json!({ "ticket": behind["ticket"] })).json()["before"] != 6
        {
            assert!(began.elapsed() < LONG, "the cancelled photo still waits");
        }
        assert_eq!(cancel(&served, &behind["ticket"]), 204);
        // The next one waits, and is read as soon as there is a place.
        pick(&page, &table_path("row-sorted")).await;
        until(&page, &format!("{BAR} === 'Waiting: 6 before you'")).await;
        held.pop();
        until_within(&page, READ, Duration::from_secs(60)).await;
        until(&page, "document.querySelector('#sending').hidden").await;
        until(&page, fits).await;
        keep(&page, "phone-read").await;
        assert_eq!(metric(&served, "tilelens_photos_total"), 1);
    }

    /// A photo of 12 megapixels said "Reading …" for nine seconds, and nothing stopped it.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_phone_page_says_how_far_a_photo_is() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("slow.jpg");
        std::fs::write(&file, slow()).unwrap();
        phone(&page, &served).await;
        // Every step that is shown, also one that is gone again at once.
        let seen = "window.seen = []; new MutationObserver(() => seen.push(document.querySelector('#sending span').textContent))
            .observe(document.querySelector('#sending'), { subtree: true, childList: true, characterData: true })";
        page.execute(seen, vec![]).await.unwrap();
        pick(&page, file.to_str().unwrap()).await;
        let reading = format!("{BAR}?.startsWith('Reading: looking for tiles')");
        until_within(&page, &reading, Duration::from_secs(60)).await;
        keep(&page, "phone-reads").await;
        until(&page, "seen.some((text) => text.startsWith('Sending: '))").await;
        page.find(Locator::Css("#sending button")).await.unwrap().click().await.unwrap();
        until(&page, "document.querySelector('#status').textContent.startsWith('Cancelled')").await;
        pick(&page, &table_path("row-sorted")).await;
        until_within(&page, READ, Duration::from_secs(60)).await;
        assert_eq!(
            metric(&served, "tilelens_photos_total"),
            1,
            "the first was not read to its end"
        );
    }

    /// An iPhone's HEIC and a scanner's TIFF could not be picked on Android and desktops, though the server reads
    /// them; and where they could, the page showed a broken picture.
    #[tokio::test(flavor = "multi_thread")]
    async fn heic_and_tiff_can_be_picked_and_are_shown() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        let folder = tempfile::tempdir().unwrap();
        let photo = image::load_from_memory(&table("row-sorted")).unwrap().into_rgb8();
        let tiff = folder.path().join("scan.tif");
        std::fs::write(&tiff, encoded(&photo, ImageFormat::Tiff)).unwrap();
        let heic = format!("{}/tests/pictures/phone.heic", env!("CARGO_MANIFEST_DIR"));
        phone(&page, &served).await;
        let shown = "const picture = document.querySelector('#taken'); return !picture.hidden && picture.complete && picture.naturalWidth > 100 && picture.src.endsWith('/picture.jpg')";
        let boxes = "document.querySelectorAll('#boxes polygon').length === 14";
        for (file, tiles) in [(tiff.to_str().unwrap(), true), (&heic, false)] {
            pick(&page, file).await;
            until_within(&page, &format!("(() => {{ {shown} }})()"), Duration::from_secs(60)).await;
            until(&page, "document.querySelector('#unshown').hidden").await;
            if tiles {
                until(&page, boxes).await;
                keep(&page, "phone-tiff").await;
            }
        }
        // One that the browser knows is shown as it is.
        pick(&page, &table_path("row-sorted")).await;
        until_within(&page, READ, Duration::from_secs(60)).await;
        until(&page, "document.querySelector('#taken').src.startsWith('blob:')").await;
        // The other page that takes photos, too.
        page.goto(&format!("{}tiles", served.address)).await.unwrap();
        until(&page, "document.querySelectorAll('#order .tile').length === 42").await;
        let set = image::open(layout_path("in-order")).unwrap().into_rgb8();
        std::fs::write(&tiff, encoded(&set, ImageFormat::Tiff)).unwrap();
        pick(&page, tiff.to_str().unwrap()).await;
        until_within(&page, &format!("(() => {{ {shown} }})()"), Duration::from_secs(120)).await;
        until(&page, "document.querySelectorAll('#boxes polygon').length === 43").await;
    }

    /// The pickers offer every kind of file that the server reads, on systems that know the type and on those that
    /// know the name alone; and phones still open their camera.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_pickers_offer_what_the_server_reads() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        for name in ["phone", "tiles"] {
            page.goto(&format!("{}{name}", served.address)).await.unwrap();
            until(&page, "document.querySelector('#file').accept.includes('heic')").await;
            let accept = "return ['file', 'photo'].map((id) => document.getElementById(id).accept)";
            let accept = page.execute(accept, vec![]).await.unwrap();
            let [file, photo] = [0, 1].map(|at| accept[at].as_str().unwrap().to_owned());
            let offers: Vec<&str> = file.split(',').collect();
            for kind in ["jpeg", "png", "webp", "heic", "heif", "tiff", "bmp", "gif"] {
                assert!(offers.contains(&format!("image/{kind}").as_str()), "{kind}: {file}");
            }
            let named = offers.iter().filter_map(|offer| offer.strip_prefix('.'));
            let named: Vec<&str> = named.collect();
            assert!(named.contains(&"heic") && named.contains(&"tif"), "{file}");
            let read =
                |name: &&str| tilelens::vision::is_picture_name(format!("a.{name}").as_ref());
            assert!(named.iter().all(read), "each is read: {file}");
            // This browser has no camera to open: the first button is a picker as well.
            assert_eq!(photo, file);
            let capture = "return document.getElementById('photo').getAttribute('capture')";
            assert_eq!(page.execute(capture, vec![]).await.unwrap(), "environment");
            // One that has opens it for pictures.
            let other = "return import('./assets/upload.js').then(({ offer }) => {
                const camera = { capture: 'environment' };
                offer(camera, {});
                return camera.accept;
            })";
            assert_eq!(page.execute(other, vec![]).await.unwrap(), "image/*");
        }
    }
}
