//! Picture files, and what is printed on them.

#![cfg(feature = "vision")]

use tilelens::{
    layout::{Hints, Role, read},
    picture::Picture,
    sight::SeenTile,
    tile::Face,
};

/// Coded with several blocks to a unit, with restart markers after each row of units, and in several scans.
const JPEGS: [(&str, &[u8]); 3] = [
    ("baseline", include_bytes!("../pictures/baseline.jpg")),
    ("restarts", include_bytes!("../pictures/restart.jpg")),
    ("progressive", include_bytes!("../pictures/progressive.jpg")),
];
const END: &[u8] = b"\xFF\xD9";

fn pixels(bytes: &[u8]) -> Result<Vec<u8>, String> {
    Picture::from_bytes(bytes)
        .map(|picture| picture.rgb().as_raw().clone())
        .map_err(|error| error.to_string())
}

fn refusal(bytes: &[u8]) -> String {
    pixels(bytes).err().unwrap_or_else(|| "it was read".to_owned())
}

/// Where a marker is in a JPEG.
fn place(jpeg: &[u8], marker: u8) -> usize {
    jpeg.windows(2).position(|pair| pair == [0xFF, marker]).expect("its marker")
}

/// A user's phone leaves out the last two bytes of each photo, and every one of them was refused as cut off.
#[test]
fn a_whole_jpeg_without_its_end_is_read() {
    for (name, whole) in JPEGS {
        let expected = pixels(whole).expect("a whole picture");
        let body = whole.strip_suffix(END).expect("its end");
        let padded = |with: &[u8]| [body, with].concat();
        for (what, bytes) in [
            ("no end", body.to_vec()),
            ("half an end", padded(b"\xFF")),
            ("zeros for its end", padded(&[0; 600])),
            ("filling bytes for its end", padded(&[0xFF; 600])),
            ("zeros after its end", padded(&[END, &[0; 600]].concat())),
            ("another picture after its end", padded(&[END, whole].concat())),
            ("another picture for its end", padded(whole)),
        ] {
            assert_eq!(pixels(&bytes).as_ref(), Ok(&expected), "{name}: {what}");
        }
    }
}

/// Near it: a copy that broke off, of which the missing rows were grey.
#[test]
fn a_jpeg_whose_last_block_is_missing_is_cut_off() {
    for (name, whole) in JPEGS {
        let body = whole.strip_suffix(END).expect("its end");
        for length in place(body, 0xDA)..body.len() {
            for end in [&b""[..], END] {
                // After whole scans an end says that there are no more of them.
                if name == "progressive" && end == END {
                    continue;
                }
                let refused = refusal(&[&body[..length], end].concat());
                assert!(refused.contains("cut off"), "{name}: {length}, {end:?}: {refused}");
            }
        }
    }
}

/// A copy that broke off may have its whole length, filled with zeros, as a camera's buffer has with old bytes.
#[test]
fn the_filling_of_a_file_is_not_decoded_as_its_missing_blocks() {
    for (name, whole) in JPEGS {
        for filling in [0, 0xAB, 0xFF] {
            let mut filled = whole.to_vec();
            filled[whole.len() * 3 / 4..].fill(filling);
            filled.extend([filling; 4000]);
            let refused = refusal(&filled);
            assert!(refused.contains("cut off"), "{name}, filled with {filling}: {refused}");
        }
    }
}

/// An Ultra HDR photo is two pictures one after the other, the photo and a small one that says how bright it is: a photo
/// that was damaged passed for whole, because the end of the second was taken for its own.
#[test]
fn a_damaged_photo_before_a_whole_second_picture_is_refused() {
    let [(_, gain_map), ..] = JPEGS;
    for (name, photo) in JPEGS {
        let both = [photo, gain_map].concat();
        assert_eq!(pixels(&both), pixels(photo), "{name}");
        let scan = place(photo, 0xDA);
        for share in [0.4, 0.6, 0.8, 0.97] {
            let at = scan + (share * (photo.len() - scan) as f64) as usize;
            let cut = [&photo[..at], gain_map].concat();
            assert!(pixels(&cut).is_err(), "{name}: cut at {share}");
        }
        // A stretch that was never copied.
        let at = scan + (photo.len() - scan) / 2;
        let lacking = [&photo[..at], &photo[at + 200..], gain_map].concat();
        assert!(pixels(&lacking).is_err(), "{name}: 200 bytes are missing inside");
    }
}

/// A scanner's and a fax server's JPEGs are coded otherwise than a phone's, and were "damaged".
#[test]
fn rare_kinds_of_jpeg_are_read() {
    let [(_, baseline), ..] = JPEGS;
    let expected = pixels(baseline);
    // Arithmetic coding changes no coefficient.
    assert_eq!(pixels(include_bytes!("../pictures/arithmetic.jpg")), expected);
    // A camera leaves out the tables, which are the usual ones.
    let mut bare = baseline.to_vec();
    while let Some(at) = bare.windows(2).position(|pair| pair == [0xFF, 0xC4]) {
        let length = usize::from(u16::from_be_bytes([bare[at + 2], bare[at + 3]]));
        bare.drain(at..at + 2 + length);
    }
    assert!(bare.len() < baseline.len());
    assert_eq!(pixels(&bare), expected);
    // The height comes after the rows.
    let mut late = baseline.to_vec();
    let frame = place(&late, 0xC0);
    let height = [late[frame + 5], late[frame + 6]];
    late[frame + 5..frame + 7].fill(0);
    late.truncate(late.len() - 2);
    late.extend([b"\xFF\xDC\0\x04", &height[..], END].concat());
    assert_eq!(pixels(&late), expected);
    late.truncate(late.len() - 8);
    assert!(refusal(&late).contains("cut off"), "no height at all: {}", refusal(&late));
}

/// The others are reported, with the cure.
#[test]
fn unsupported_kinds_of_jpeg_are_reported() {
    let [(_, baseline), ..] = JPEGS;
    let frame = place(baseline, 0xC0);
    let changed = |at: usize, to: u8| {
        let mut bytes = baseline.to_vec();
        bytes[at] = to;
        refusal(&bytes)
    };
    for (refused, kind) in [
        (changed(frame + 1, 0xC3), "a lossless JPEG"),
        (changed(frame + 1, 0xC5), "a hierarchical JPEG"),
        (changed(frame + 4, 12), "a JPEG of more than 8 bits"),
    ] {
        assert!(refused.contains(kind) && refused.contains("save it as JPEG or PNG"), "{refused}");
    }
}

/// A grey JPEG of one colour, whose blocks are six bits each.
fn plain_jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut small = std::io::Cursor::new(Vec::new());
    image::GrayImage::from_pixel(64, 64, image::Luma([128]))
        .write_to(&mut small, image::ImageFormat::Jpeg)
        .unwrap();
    let mut jpeg = small.into_inner();
    let frame = place(&jpeg, 0xC0);
    jpeg[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    jpeg[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    let scan = place(&jpeg, 0xDA);
    jpeg.truncate(scan + 2 + usize::from(jpeg[scan + 3]));
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8);
    // No difference, then no coefficient: 00 and 1010 in the usual tables, four times in three bytes.
    jpeg.extend([0x28, 0xA2, 0x8A].repeat(blocks.div_ceil(4)));
    jpeg.extend(END);
    jpeg
}

/// The photos of a phone with 200 megapixels were refused.
#[test]
fn a_photo_of_200_megapixels_is_brought_down_while_it_is_decoded() {
    for [width, height] in [[16_320, 12_240], [12_000, 9000]] {
        let picture = Picture::from_bytes(&plain_jpeg(width, height)).expect("a photo");
        assert_eq!(
            [picture.width(), picture.height()],
            [width, height].map(|side| u32::from(side) / 2)
        );
        let pixel = picture.rgb().get_pixel(picture.width() - 1, picture.height() - 1);
        assert!(pixel.0.iter().all(|level| level.abs_diff(128) < 3), "{pixel:?}");
    }
    let within = Picture::from_bytes(&plain_jpeg(11_600, 8600)).expect("a photo");
    assert_eq!([within.width(), within.height()], [11_600, 8600], "what is read whole stays whole");
    let refused = refusal(&plain_jpeg(24_000, 20_000));
    for word in ["24000 x 20000", "100 megapixels", "save it"] {
        assert!(refused.contains(word), "{refused}");
    }
}

/// Tags of a TIFF page: number, type (3 short, 4 long), values.
type Tags = Vec<(u16, u16, Vec<u32>)>;

/// A page of 8-bit samples without packing; its rows are all of one value.
fn page(size: [u32; 2], samples: u32, photometric: u32, value: u8) -> (Tags, Vec<u8>) {
    let data = vec![value; (size[0] * size[1] * samples) as usize];
    let tags = vec![
        (256, 4, vec![size[0]]),
        (257, 4, vec![size[1]]),
        (258, 3, vec![8; samples as usize]),
        (259, 3, vec![1]),
        (262, 3, vec![photometric]),
        (273, 4, vec![0]),
        (277, 3, vec![samples]),
        (278, 4, vec![size[1]]),
        (279, 4, vec![data.len() as u32]),
    ];
    (tags, data)
}

/// The same with another tag, or another value of one.
fn with(mut page: (Tags, Vec<u8>), tag: (u16, u16, Vec<u32>)) -> (Tags, Vec<u8>) {
    page.0.retain(|(number, ..)| *number != tag.0);
    page.0.push(tag);
    page.0.sort();
    page
}

/// A TIFF of these pages, with numbers of four bytes or, as BigTIFF, of eight.
fn tiff(pages: &[(Tags, Vec<u8>)], big: bool) -> Vec<u8> {
    let word = |value: u64| value.to_le_bytes()[..if big { 8 } else { 4 }].to_vec();
    let mut bytes = if big { b"II+\0\x08\0\0\0".to_vec() } else { b"II*\0".to_vec() };
    // Where the place of the next page is written.
    let mut link = bytes.len();
    bytes.extend(word(0));
    for (tags, data) in pages {
        let strip = bytes.len() as u64;
        bytes.extend(data);
        let mut entries = Vec::new();
        for (number, kind, values) in tags {
            let size = if *kind == 3 { 2 } else { 4 };
            let value = |value: &u32| value.to_le_bytes()[..size].to_vec();
            let mut field: Vec<u8> = values.iter().flat_map(value).collect();
            if *number == 273 {
                field = word(strip);
            } else if field.len() > word(0).len() {
                let place = bytes.len() as u64;
                bytes.extend(&field);
                field = word(place);
            }
            field.resize(word(0).len(), 0);
            let long = if *number == 273 && big { 16 } else { *kind };
            entries.extend([number.to_le_bytes(), long.to_le_bytes()].concat());
            entries.extend(word(values.len() as u64));
            entries.extend(field);
        }
        let place = word(bytes.len() as u64);
        bytes[link..link + place.len()].copy_from_slice(&place);
        bytes.extend(&(tags.len() as u64).to_le_bytes()[..if big { 8 } else { 2 }]);
        bytes.extend(entries);
        link = bytes.len();
        bytes.extend(word(0));
    }
    bytes
}

/// A scanner puts a small copy of the picture first, and the hand was looked for in that; a BigTIFF was "not a picture".
#[test]
fn the_page_of_full_resolution_is_read_of_a_tiff() {
    let (reduced, mask) = ((254, 4, vec![1]), (254, 4, vec![4]));
    let small = |kind: &(u16, u16, Vec<u32>)| with(page([40, 32], 3, 2, 10), kind.clone());
    let full = || page([80, 64], 3, 2, 200);
    for big in [false, true] {
        for pages in [
            vec![full()],
            vec![small(&reduced), full()],
            vec![small(&reduced), small(&mask), full()],
            vec![full(), small(&reduced)],
            // Pages of a document: the first.
            vec![full(), page([120, 90], 3, 2, 10)],
        ] {
            let picture = Picture::from_bytes(&tiff(&pages, big)).expect("a whole TIFF");
            assert_eq!([picture.width(), picture.height()], [80, 64], "{} pages", pages.len());
            assert_eq!(picture.rgb().get_pixel(79, 63).0, [200; 3]);
        }
    }
    let refused = refusal(&tiff(&[small(&reduced)], false));
    assert!(refused.contains("small copies alone"), "{refused}");
    let raw = with(small(&reduced), (50_706, 4, vec![1]));
    assert!(refusal(&tiff(&[raw], false)).contains("raw picture"));
}

/// TIFFs that drawing programs write were called damaged, which sent people to copy them again.
#[test]
fn unsupported_kinds_of_tiff_are_reported() {
    let size = [80, 64];
    let palette = with(page(size, 1, 3, 7), (320, 3, vec![99; 768]));
    let float = with(with(page(size, 4, 1, 0), (277, 3, vec![1])), (339, 3, vec![3]));
    let float = with(float, (258, 3, vec![32]));
    for (pages, kind) in [
        (palette, "a palette of colours"),
        (page(size, 3, 6, 7), "YCbCr colours"),
        (page(size, 3, 8, 7), "Lab colours"),
        (page(size, 3, 9, 7), "Lab colours"),
        (float, "floating-point numbers of 32 bits"),
        (with(page(size, 1, 1, 7), (339, 3, vec![2])), "signed numbers"),
        (page(size, 1, 32_803, 7), "rare kind of TIFF"),
    ] {
        let refused = refusal(&tiff(&[pages], false));
        assert!(refused.contains(kind) && refused.contains("save it as JPEG or PNG"), "{refused}");
    }
    // Near them: black and white, grey, and grey that begins with white are read.
    for photometric in [0, 1] {
        assert!(pixels(&tiff(&[page(size, 1, photometric, 7)], false)).is_ok(), "{photometric}");
    }
}

/// Files of other kinds were all "not a picture of a kind that is read", an empty one too.
#[test]
fn files_given_as_pictures_are_reported_by_kind() {
    let box_of = |brand: &[u8]| [b"\0\0\0\x18ftyp", brand, b"\0\0\0\0", brand].concat();
    for (bytes, kind) in [
        (Vec::new(), "the file is empty"),
        (box_of(b"avif"), "an AVIF picture"),
        (b"\xFF\x0A\xFA\x1F\x01\x91\x08".to_vec(), "a JPEG XL picture"),
        (b"\0\0\0\x0CjP  \r\n\x87\n\0\0\0\x14ftypjp2 ".to_vec(), "a JPEG 2000 picture"),
        (box_of(b"crx "), "a raw picture of a camera (Canon)"),
        (b"II*\0\x10\0\0\0CR\x02\0\0\0\0\0".to_vec(), "a raw picture of a camera (Canon)"),
        (b"FUJIFILMCCD-RAW 0201".to_vec(), "a raw picture of a camera (Fujifilm)"),
        (b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec(), "a PDF document"),
        (box_of(b"isom"), "a video (MP4)"),
        ([&b"\x1A\x45\xDF\xA3\x93\x42\x82\x88matroska"[..], &[0; 300]].concat(), "a video (MKV)"),
        (b"PK\x03\x04\x14\0\0\0\x08\0".to_vec(), "a file of the kind ZIP"),
    ] {
        let refused = refusal(&bytes);
        assert!(refused.contains(kind), "{kind}: {refused}");
        assert!(refused.contains(": "), "what to do: {refused}");
    }
    let video = refusal(&box_of(b"isom"));
    assert!(video.contains("tilelens live --source"), "{video}");
}

/// The program on these arguments: its exit code, and what it printed.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(arguments)
        .output()
        .expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn table(name: &str) -> String {
    format!("{}/datasets/photos/tables/{name}.jpg", env!("CARGO_MANIFEST_DIR"))
}

/// Some pictures of a folder could not be read: the run ended with 0 as if all had been, and reported each of
/// them twice.
#[test]
fn one_unreadable_picture_among_several_makes_the_run_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("its name").to_owned();
    std::fs::copy(table("row-sorted"), at("good.jpg")).expect("a copy");
    std::fs::write(at("text.jpg"), b"no picture at all").expect("a file");
    std::fs::write(at("empty.png"), b"").expect("a file");
    std::fs::create_dir(at("hollow")).expect("a folder");
    let nowhere = at("nowhere.jpg");
    let bad = ["text.jpg", "empty.png", "hollow", "nowhere.jpg"];
    for command in ["photo", "tiles"] {
        for json in [false, true] {
            let mut arguments = vec![command, folder.path().to_str().expect("its name"), &nowhere];
            let hollow = at("hollow");
            arguments.push(&hollow);
            arguments.extend(json.then_some("--json"));
            let (code, out, stderr) = run(&arguments);
            assert_eq!(code, Some(2), "{command}: {stderr}");
            assert!(stderr.contains("4 of 5 pictures could not be read"), "{command}: {stderr}");
            for name in bad {
                assert_eq!(out.matches(name).count(), 1, "{command}: {name} once: {out}");
            }
            assert!(out.contains(if command == "photo" { "123m456p789s11155z" } else { "1m" }));
            let (code, ..) = run(&[command, &at("good.jpg"), &table("chow-claimed")]);
            assert_eq!(code, Some(0), "{command}: all can be read");
        }
    }
    // Alone it is reported once as well.
    for (name, why) in [("text.jpg", "not a picture"), ("hollow", "no pictures in this folder")] {
        let (code, _, stderr) = run(&["tiles", &at(name)]);
        assert_eq!((code, stderr.matches(name).count()), (Some(2), 1), "{stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
}

/// One damaged photo of a labelled folder kept all the figures back.
#[test]
fn eval_measures_the_others_where_a_photo_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let photos = folder.path().join("photos/mine");
    std::fs::create_dir_all(&photos).expect("a folder");
    std::fs::create_dir_all(folder.path().join("labels")).expect("a folder");
    std::fs::copy(table("row-sorted"), photos.join("good.jpg")).expect("a copy");
    std::fs::write(photos.join("bad.jpg"), b"no picture at all").expect("a file");
    let labels =
        br#"{"images": [{"file": "bad.jpg", "tiles": []}, {"file": "good.jpg", "tiles": []}]}"#;
    std::fs::write(folder.path().join("labels/mine.json"), labels).expect("a file");
    let (code, out, stderr) = run(&["eval", folder.path().to_str().expect("its name"), "--json"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(stderr.matches("bad.jpg").count(), 1, "{stderr}");
    assert!(stderr.contains("1 of 2 pictures could not be read"), "{stderr}");
    let figures: serde_json::Value = serde_json::from_str(&out).expect("the figures");
    assert_eq!(figures["all"]["photos"], 1);
}

/// A tile that is surely seen, its middle at a place, in pixels; `times` as large as one of 40 by 54 pixels.
fn seen(code: &str, [x, y]: [f32; 2], times: f32) -> SeenTile {
    let face: Face = code.parse().expect("a face");
    let mut faces = [0.0; Face::COUNT];
    faces[face.index()] = 0.99;
    let [w, h] = [20.0 * times, 27.0 * times];
    let corners = [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]];
    let turns = [0.97, 0.01, 0.01, 0.01];
    SeenTile { corners, found: 0.99, faces, back: 0.0, reject: 0.01, red: 0.0, turns }
}

/// Tiles side by side, the middle of the first at a place.
fn row(codes: &str, [x, y]: [f32; 2], times: f32, gap: f32) -> Vec<SeenTile> {
    let place = |at: usize| [x + at as f32 * (40.0 + gap) * times, y];
    codes.split(' ').enumerate().map(|(at, code)| seen(code, place(at), times)).collect()
}

const HAND: &str = "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 1z 5z 5z";

/// The hand read from tiles of 40 by 54 pixels with other detections around it, and the number of these that
/// belong to it.
fn with_finds(hand: &str, others: Vec<SeenTile>) -> (String, usize) {
    let own = row(hand, [100.0, 500.0], 1.0, 1.0);
    let first_other = own.len();
    let tiles: Vec<SeenTile> = own.into_iter().chain(others).collect();
    let shown = read(&tiles, &Hints::default());
    let taken =
        shown.tiles.iter().filter(|tile| tile.seen >= first_other && tile.role != Role::Other);
    let hand = shown.hand.as_ref().map_or_else(String::new, |hand| hand.reading.to_string());
    (hand, taken.count())
}

/// A score card beside the hand showed a chow in print, which was read as a claimed set of the hand; a plate with the wind
/// of a seat was its fifteenth tile.
#[test]
fn printed_tiles_and_plates_beside_a_hand_do_not_belong_to_it() {
    let whole = "123m456p789s11155z";
    // Tiles, places, sizes and distances.
    for (codes, place, times, gap) in [
        ("7s 8s 9s", [150.0, 425.0], 0.7, 2.0),
        ("7s 8s 9s", [690.0, 510.0], 0.5, 2.0),
        ("2z 2z 2z", [250.0, 580.0], 0.72, 4.0),
        ("3z", [690.0, 500.0], 1.6, 0.0),
        ("3z", [400.0, 400.0], 1.5, 0.0),
        ("3z", [700.0, 520.0], 0.6, 0.0),
        ("3z 4p 8m 2s 6z 7m 9m 1p 2p 3p 4s 5s 6s", [110.0, 400.0], 0.7, 6.0),
    ] {
        let (hand, taken) = with_finds(HAND, row(codes, place, times, gap));
        assert_eq!(
            (hand.as_str(), taken),
            (whole, 0),
            "{codes} at {place:?}, {times} times as large"
        );
    }
    let card: Vec<SeenTile> = (0..3)
        .flat_map(|line| {
            row("1s 2s 3s 4s 5s 6s 7s 8s 9s", [120.0, 280.0 + 50.0 * line as f32], 0.6, 8.0)
        })
        .collect();
    assert_eq!(with_finds(HAND, card), (whole.to_owned(), 0), "a card of three rows");
    // A hand that waits does not take a plate for its last tile.
    let waits = HAND.strip_suffix(" 5z").expect("its last tile");
    let (hand, taken) = with_finds(waits, row("5z", [655.0, 500.0], 1.6, 0.0));
    assert_eq!((hand.as_str(), taken), ("123m456p789s1115z", 0), "touching it");
}

/// Near them: tiles of the set itself, a little nearer to the camera or farther from it.
#[test]
fn tiles_of_a_hand_that_lie_nearer_or_farther_stay_in_it() {
    let rest = "1m 2m 3m 4p 5p 6p 7s 8s 1z 1z";
    for times in [0.85, 0.92, 1.08, 1.18] {
        let set: Vec<SeenTile> = row("7z 7z 7z", [150.0, 430.0 - 40.0 * (times - 1.0)], times, 1.0);
        let (_, taken) = with_finds(rest, set);
        assert_eq!(taken, 3, "a set {times} times as large");
        let waits = "1m 2m 3m 4p 5p 6p 7s 8s 1z 1z 1z 5z 5z";
        let last = seen("9s", [100.0 + 13.0 * 41.0 + 30.0, 500.0], times);
        let (_, taken) = with_finds(waits, vec![last]);
        assert_eq!(taken, 1, "a winning tile {times} times as large");
    }
}

/// The same in a picture: a printed chow, and a plate with the east wind, beside a rendered hand.
#[test]
fn a_printed_chow_and_a_plate_in_a_picture_do_not_belong_to_the_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let hand = image::open(table("pung-from-left")).expect("a picture").to_rgb8();
    let others = image::open(table("row-sorted")).expect("a picture").to_rgb8();
    // Where they are in the other picture: 7s 8s 9s, and an east wind.
    for (name, [x, y, width, height], times, at) in [
        ("chow", [565, 422, 226, 106], 0.65, [300, 310]),
        ("plate", [791, 422, 76, 102], 1.7, [800, 250]),
    ] {
        let part = image::imageops::crop_imm(&others, x, y, width, height).to_image();
        let [width, height] = [width, height].map(|side| (f64::from(side) * times) as u32);
        let filter = image::imageops::FilterType::Triangle;
        let part = image::imageops::resize(&part, width, height, filter);
        let mut picture = hand.clone();
        for (x, y) in (0..height + 20).flat_map(|y| (0..width + 40).map(move |x| (x, y))) {
            picture.put_pixel(at[0] - 20 + x, at[1] - 10 + y, image::Rgb([250; 3]));
        }
        image::imageops::replace(&mut picture, &part, at[0].into(), at[1].into());
        let file = folder.path().join(format!("{name}.png"));
        picture.save(&file).expect("a picture");
        let (_, out, stderr) = run(&["photo", file.to_str().expect("its name"), "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&out).expect(&stderr);
        assert_eq!(answer["hand"]["text"], "123m456p55z78s (7'77z) +9s", "{name}");
        let roles = answer["tiles"].as_array().expect("tiles");
        assert!(
            roles.iter().any(|tile| tile["role"] == "other"),
            "{name} is seen, and no part of it"
        );
    }
}
