//! Profiles of tile sets: read or refused; one that reads is written the same, and compares with any crop.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::tileset::{CLASSES, Profile, TurnedEmbedding};

fuzz_target!(|text: &str| {
    let Ok(profile) = Profile::parse(text) else { return };
    let again = Profile::parse(&profile.to_string()).expect("what was written reads");
    assert_eq!(again.about, profile.about);
    assert_eq!(again.exemplars().len(), profile.exemplars().len());
    let crop = [TurnedEmbedding { quarters: 1, embedding: vec![0.5; 4] }];
    let (mut classes, mut turns) = ([1.0 / CLASSES as f32; CLASSES], [0.25; 4]);
    profile.likeness(&crop).apply(&mut classes, &mut turns, 1.0);
    assert!((classes.iter().sum::<f32>() - 1.0).abs() < 1e-3);
});
