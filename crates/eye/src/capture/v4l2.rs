//! Cameras of Linux, through V4L2.
//!
//! nokhwa is not used here: it rejects a camera whose current format it does not know or whose current rate is a
//! fraction, both left by the program before, and lists sizes in steps only as the smallest and the largest.

use std::{
    ffi::OsString,
    time::{Duration, Instant},
};

use rustix::io::Errno;
use v4l::{
    Device, Format, FourCC, Fraction,
    buffer::{Metadata, Type},
    capability::Flags,
    frameinterval::{FrameIntervalEnum, Stepwise as Rates},
    framesize::{FrameSizeEnum, Stepwise as Sizes},
    io::{mmap::Stream, traits::CaptureStream as _},
    video::{Capture as _, capture::Parameters},
};

use super::{
    CameraWish,
    camera::{ENOUGH, Encoding, Failure, Mode, Rate, Shot, guarded},
    ffmpeg,
};

/// Sizes that are offered for a camera that accepts any, besides the given one.
const USUAL: [[u32; 2]; 4] = [[3840, 2160], ENOUGH, [1280, 720], [640, 480]];
/// Rates that are offered for a camera that accepts any, besides the given one.
const USUAL_RATES: [u32; 4] = [60, 30, 15, 5];
/// Longest side of a picture, in pixels.
const MOST_SIDE: u32 = 16_384;
/// Age above which a time stamp belongs to another clock.
const OLDEST: Duration = Duration::from_secs(2);

/// Numbers of the device nodes, each with a provisional name.
pub(super) fn indices() -> Result<Vec<(u32, String)>, String> {
    let entries =
        std::fs::read_dir("/dev").map_err(|error| format!("cannot read /dev: {error}"))?;
    let mut indices: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_prefix("video")?.parse().ok())
        .collect();
    indices.sort_unstable();
    indices.dedup();
    Ok(indices.into_iter().map(|index| (index, format!("/dev/video{index}"))).collect())
}

/// What `ffmpeg` is given to read a camera.
pub(super) fn ffmpeg_input(index: u32, mode: &Mode) -> Result<Vec<OsString>, String> {
    let mut input: Vec<OsString> = ["-f", "v4l2", "-input_format"].map(Into::into).into();
    input.extend(mode.encoding.in_ffmpeg().map(OsString::from));
    input.extend(ffmpeg::size_and_rate(mode));
    input.extend(["-i".into(), format!("/dev/video{index}").into()]);
    Ok(input)
}

/// An open camera.
pub(super) struct Camera {
    device: Device,
    index: u32,
    name: Option<String>,
    stride: u32,
}

impl Camera {
    pub fn open(index: u32) -> Result<Self, Failure> {
        let device = Device::new(index as usize).map_err(|error| failure(index, &error))?;
        // The library panics on a name that is not UTF-8: such a camera has no name.
        let about = guarded(|| device.query_caps().map_err(|error| failure(index, &error))).ok();
        if about.as_ref().is_some_and(|about| !about.capabilities.contains(Flags::VIDEO_CAPTURE)) {
            return Err(Failure::NoPictures);
        }
        Ok(Self { device, index, name: about.map(|about| about.card), stride: 0 })
    }

    /// Its own name.
    pub fn name(&self) -> Option<String> {
        self.name.clone()
    }

    /// Its modes, readable or not; of a range of sizes and rates the usual and the given ones.
    pub fn modes(&mut self, wish: &CameraWish) -> Result<Vec<Mode>, Failure> {
        let formats = self.device.enum_formats().map_err(|error| failure(self.index, &error))?;
        let mut modes = Vec::new();
        for fourcc in formats.iter().map(|format| format.fourcc) {
            for [width, height] in self.sizes(fourcc, wish) {
                let mode = |fps| Mode { encoding: Encoding(fourcc.repr), width, height, fps };
                modes.extend(self.rates(fourcc, [width, height], wish).into_iter().map(mode));
            }
        }
        Ok(modes)
    }

    fn sizes(&self, fourcc: FourCC, wish: &CameraWish) -> Vec<[u32; 2]> {
        let mut sizes: Vec<[u32; 2]> = Vec::new();
        for listed in self.device.enum_framesizes(fourcc).unwrap_or_default() {
            match listed.size {
                FrameSizeEnum::Discrete(size) => sizes.push([size.width, size.height]),
                FrameSizeEnum::Stepwise(range) => {
                    let largest = [range.max_width, range.max_height];
                    let wished = wish.size.into_iter().chain(USUAL).chain([largest]);
                    sizes.extend(wished.map(|size| within(&range, size)));
                }
            }
        }
        if sizes.is_empty() {
            // A driver that lists no sizes has its current one.
            sizes.extend(self.device.format().map(|format| [format.width, format.height]));
        }
        sizes.retain(|size| size.iter().all(|side| (1..=MOST_SIDE).contains(side)));
        sizes
    }

    /// Only `None` if the driver does not report rates.
    fn rates(&self, fourcc: FourCC, size: [u32; 2], wish: &CameraWish) -> Vec<Option<Rate>> {
        let [width, height] = size;
        let mut rates: Vec<Rate> = Vec::new();
        for listed in self.device.enum_frameintervals(fourcc, width, height).unwrap_or_default() {
            match listed.interval {
                FrameIntervalEnum::Discrete(interval) => rates.extend(rate(interval)),
                FrameIntervalEnum::Stepwise(range) => {
                    let before = rates.len();
                    let wished = wish.fps.into_iter().chain(USUAL_RATES);
                    rates.extend(
                        wished.filter(|fps| has(&range, *fps)).filter_map(|fps| Rate::new(fps, 1)),
                    );
                    if rates.len() == before {
                        rates.extend(rate(range.min));
                    }
                }
            }
        }
        if rates.is_empty() { vec![None] } else { rates.into_iter().map(Some).collect() }
    }

    /// Sets a mode and returns the one that the camera chose, which may have another size or rate.
    pub fn set(&mut self, mode: &Mode) -> Result<Mode, Failure> {
        let wanted = Format::new(mode.width, mode.height, FourCC::new(&mode.encoding.0));
        let format =
            self.device.set_format(&wanted).map_err(|error| failure(self.index, &error))?;
        if format.fourcc != wanted.fourcc {
            let index = self.index;
            return Err(Failure::Message(format!("camera {index} lists {mode} and refuses it")));
        }
        self.stride = format.stride;
        let mut fps = mode.fps;
        if let Some([frames, seconds]) = mode.fps.map(Rate::fraction)
            // A driver without rates to choose refuses this, which does no harm.
            && let Ok(set) = self.device.set_params(&Parameters::new(Fraction::new(seconds, frames)))
        {
            fps = rate(set.interval);
        }
        Ok(Mode { width: format.width, height: format.height, fps, ..*mode })
    }

    /// Takes pictures while they are wanted.
    pub fn stream(&mut self, mut wanted: impl FnMut(Shot) -> bool) -> Result<(), Failure> {
        let failed = |error: std::io::Error| failure(self.index, &error);
        let mut stream = Stream::new(&self.device, Type::VideoCapture).map_err(failed)?;
        loop {
            let (buffer, about) = stream.next().map_err(|error| match is_gone(&error) {
                true => Failure::Message(format!("camera {} was unplugged", self.index)),
                false => failure(self.index, &error),
            })?;
            // Bytes after the picture are left over from others.
            let used = buffer.get(..about.bytesused as usize).unwrap_or(buffer);
            let shot = Shot { bytes: used.to_vec(), stride: self.stride, at: taken(about) };
            if !wanted(shot) {
                return Ok(());
            }
        }
    }
}

/// The size in a range that is nearest to a given one.
fn within(range: &Sizes, [width, height]: [u32; 2]) -> [u32; 2] {
    let side = |wanted: u32, least: u32, most: u32, step: u32| {
        let side = wanted.min(most).max(least);
        // Continuous ranges have steps of 1, and some drivers say 0.
        side - (side - least) % step.max(1)
    };
    [
        side(width, range.min_width, range.max_width, range.step_width),
        side(height, range.min_height, range.max_height, range.step_height),
    ]
}

/// Whether a range of intervals includes a rate.
fn has(range: &Rates, fps: u32) -> bool {
    let seconds =
        |interval: Fraction| f64::from(interval.numerator) / f64::from(interval.denominator.max(1));
    (seconds(range.min)..=seconds(range.max)).contains(&(1.0 / f64::from(fps)))
}

/// The rate of an interval between frames.
fn rate(interval: Fraction) -> Option<Rate> {
    Rate::new(interval.denominator, interval.numerator)
}

/// The time at which a buffer was filled, by the driver, on the clock of this process.
fn taken(about: &Metadata) -> Instant {
    let now = Instant::now();
    let clock = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let clock = Duration::new(
        clock.tv_sec.try_into().unwrap_or_default(),
        clock.tv_nsec.try_into().unwrap_or_default(),
    );
    let age = clock.checked_sub(about.timestamp.into());
    age.filter(|age| *age < OLDEST).and_then(|age| now.checked_sub(age)).unwrap_or(now)
}

fn number_of(error: &std::io::Error) -> Option<Errno> {
    error.raw_os_error().map(Errno::from_raw_os_error)
}

/// Whether there is no such device, or none any more.
fn is_gone(error: &std::io::Error) -> bool {
    matches!(number_of(error), Some(Errno::NOENT | Errno::NODEV | Errno::NXIO))
}

/// A message for an error of the system.
fn failure(index: u32, error: &std::io::Error) -> Failure {
    Failure::Message(match number_of(error) {
        _ if is_gone(error) => format!(
            "there is no camera {index}: plug it in (`tilelens cameras` lists those there are)"
        ),
        Some(Errno::ACCESS | Errno::PERM) => format!(
            "camera {index} may not be opened: add yourself to the group that may \
             (sudo usermod -aG video $USER) and log in again"
        ),
        Some(Errno::BUSY) => {
            format!("camera {index} is in use: close the other program that shows it")
        }
        _ => format!("camera {index}: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_rates_of_a_range_are_the_nearest_that_it_has() {
        let range = |step| Sizes {
            min_width: 48,
            max_width: 1920,
            step_width: step,
            min_height: 32,
            max_height: 1200,
            step_height: step,
        };
        assert_eq!(within(&range(8), [1280, 720]), [1280, 720]);
        assert_eq!(within(&range(16), [1290, 729]), [1280, 720]);
        assert_eq!(within(&range(0), [3840, 2160]), [1920, 1200]);
        assert_eq!(within(&range(1), [1, 1]), [48, 32]);
        let rates = Rates {
            min: Fraction::new(1001, 30_000),
            max: Fraction::new(1, 5),
            step: Fraction::new(1, 30_000),
        };
        assert_eq!(
            [60, 30, 29, 5, 4].map(|fps| has(&rates, fps)),
            [false, false, true, true, false]
        );
    }
}
