//! The queue of phones that send photos: who may send now, how far each photo is, and who has left.
//!
//! A page requests a ticket and polls until it is called; only then it sends. A photo that cannot be read soon waits on
//! the phone, not in this program. Callers pass the time in; there is no clock here.

use std::{
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::{
    photos::random,
    rate_limiter::{RateLimiter, client},
};
use crate::vision::Step;

/// The most photos in memory at once, including the one that is being read.
const PLACES: usize = 6;
/// The most tickets at once.
const MOST: usize = 256;
/// The most tickets of one address at once.
const MOST_EACH: usize = 64;
/// A client that has not polled for this time no longer holds up those behind it.
const SILENT: Duration = Duration::from_secs(6);
/// A client that has not polled for this time loses its ticket. Phones put pages to sleep, so it is long.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// A called client must begin to send within this time.
const CALLED: Duration = Duration::from_secs(10);
/// The polling interval of a waiting client for each client before it.
const ASK_EACH: Duration = Duration::from_millis(200);
/// The shortest and the longest polling interval.
const ASK: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(3)];

/// Why a client has to wait: how many are before it, and when it should poll again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueueWait {
    /// Every place is taken or reserved for a client before it.
    Places { before: usize, again: Duration },
    /// Its address has sent too many photos.
    RateLimiter(Duration),
    /// No ticket is left.
    Tickets,
}

/// How far one picture is, and whether anybody still wants it.
pub(super) struct Progress {
    stage: Mutex<PhotoStage>,
    cancelled: AtomicBool,
    woken: Notify,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PhotoStage {
    /// It is being sent.
    Sending,
    /// It has arrived; the number of photos that arrived before.
    Waiting(u64),
    /// It is being decoded.
    Opening,
    /// It is being read.
    Reading(Step),
}

impl Progress {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            stage: Mutex::new(PhotoStage::Sending),
            cancelled: AtomicBool::new(false),
            woken: Notify::new(),
        })
    }

    fn stage(&self) -> MutexGuard<'_, PhotoStage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture's turn has come.
    pub fn opens(&self) {
        *self.stage() = PhotoStage::Opening;
    }

    /// The reader takes a step.
    pub fn reads(&self, step: Step) {
        *self.stage() = PhotoStage::Reading(step);
    }

    /// Whether nobody wants the picture any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        // The permit is kept for a task that begins to wait at this moment.
        self.woken.notify_one();
    }

    /// Waits until nobody wants the picture any more.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            self.woken.notified().await;
        }
    }
}

/// One client in the queue.
struct QueueEntry {
    ticket: u64,
    /// The client's IPv4 address or IPv6 network.
    from: IpAddr,
    position: Position,
}

enum Position {
    /// It waits for a place.
    Queued {
        asked: Instant,
        /// When its address may send again.
        held_up: Option<Instant>,
    },
    /// It has a place and should send.
    Called { place: OwnedSemaphorePermit, until: Instant },
    /// Its photo is arriving or has arrived.
    Sent(Arc<Progress>),
}

#[derive(Default)]
struct QueueState {
    rate: RateLimiter,
    /// The clients in order of arrival.
    entries: Vec<QueueEntry>,
    /// The number of photos that have arrived.
    came: u64,
}

/// The queue.
pub(super) struct PhotoQueue {
    places: Arc<Semaphore>,
    inner: Mutex<QueueState>,
}

/// A client whose photo is arriving or has arrived. Dropping it cancels the photo.
pub(super) struct QueuedPhoto {
    queue: Arc<PhotoQueue>,
    ticket: u64,
    pub progress: Arc<Progress>,
}

impl QueuedPhoto {
    /// Marks the photo as arrived in full.
    pub fn arrived(&self) {
        let mut inner = self.queue.lock();
        inner.came += 1;
        *self.progress.stage() = PhotoStage::Waiting(inner.came);
    }
}

impl Drop for QueuedPhoto {
    fn drop(&mut self) {
        self.progress.cancel();
        self.queue.lock().entries.retain(|entry| entry.ticket != self.ticket);
    }
}

impl PhotoQueue {
    pub fn new() -> Arc<Self> {
        Arc::new(Self { places: Arc::new(Semaphore::new(PLACES)), inner: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for work without a picture of its own, when there is one.
    pub async fn place(&self, most: Duration) -> Option<OwnedSemaphorePermit> {
        self.lock().forget(Instant::now());
        tokio::time::timeout(most, Arc::clone(&self.places).acquire_owned()).await.ok()?.ok()
    }

    /// Polls whether it is the client's turn to send. An unknown ticket gets a new one at the end of the queue. The
    /// answer is the JSON for pages, with the ticket.
    ///
    /// # Errors
    /// [`QueueWait::Tickets`] if no ticket is left.
    pub fn ask(
        &self,
        ticket: Option<u64>,
        from: IpAddr,
        now: Instant,
    ) -> Result<InLine, QueueWait> {
        let mut inner = self.lock();
        inner.forget(now);
        let known = |inner: &QueueState| {
            ticket.and_then(|ticket| inner.entries.iter().position(|entry| entry.ticket == ticket))
        };
        let number = match known(&inner) {
            Some(number) => number,
            None => inner.join(client(from), now)?,
        };
        let ticket = inner.entries[number].ticket;
        if let Position::Queued { asked, .. } = &mut inner.entries[number].position {
            *asked = now;
            match inner.call(number, &self.places, now) {
                Ok(place) => {
                    inner.entries[number].position =
                        Position::Called { place, until: now + CALLED };
                }
                Err(wait) => return Ok(queued(ticket, wait)),
            }
        }
        Ok(inner.describe(number))
    }

    /// The progress of a photo; `None` if it is answered or the ticket is unknown.
    pub fn how_far(&self, ticket: u64) -> Option<InLine> {
        let inner = self.lock();
        let number = inner.entries.iter().position(|entry| entry.ticket == ticket)?;
        Some(inner.describe(number))
    }

    /// Leaves the queue; false for an unknown ticket.
    pub fn cancel(&self, ticket: u64) -> bool {
        let mut inner = self.lock();
        let Some(number) = inner.entries.iter().position(|entry| entry.ticket == ticket) else {
            return false;
        };
        match &inner.entries[number].position {
            // The task that answers the photo removes it from the queue.
            Position::Sent(progress) => progress.cancel(),
            Position::Queued { .. } | Position::Called { .. } => drop(inner.entries.remove(number)),
        }
        true
    }

    /// Begins to send: with a called ticket, or without one if no other client waits for the place.
    ///
    /// # Errors
    /// Why the client has to wait. Nothing of the photo has been read then.
    pub fn begin(
        self: &Arc<Self>,
        ticket: Option<u64>,
        from: IpAddr,
        now: Instant,
    ) -> Result<(QueuedPhoto, OwnedSemaphorePermit), QueueWait> {
        let mut inner = self.lock();
        inner.forget(now);
        let called = |entry: &QueueEntry| {
            Some(entry.ticket) == ticket && matches!(entry.position, Position::Called { .. })
        };
        let mut entry = match inner.entries.iter().position(called) {
            Some(number) => inner.entries.remove(number),
            None => {
                let number = inner.join(client(from), now)?;
                let place = inner.call(number, &self.places, now);
                let entry = inner.entries.remove(number);
                QueueEntry { position: Position::Called { place: place?, until: now }, ..entry }
            }
        };
        let progress = Progress::new();
        let sent = Position::Sent(Arc::clone(&progress));
        let Position::Called { place, .. } = std::mem::replace(&mut entry.position, sent) else {
            return Err(QueueWait::Tickets);
        };
        let ticket = entry.ticket;
        inner.entries.push(entry);
        drop(inner);
        Ok((QueuedPhoto { queue: Arc::clone(self), ticket, progress }, place))
    }
}

impl QueueState {
    /// Removes clients that have gone.
    fn forget(&mut self, now: Instant) {
        self.entries.retain(|entry| match &entry.position {
            Position::Queued { asked, .. } => now.saturating_duration_since(*asked) < FORGOTTEN,
            Position::Called { until, .. } => now < *until,
            Position::Sent(_) => true,
        });
    }

    /// Adds a client at the end of the queue.
    fn join(&mut self, from: IpAddr, now: Instant) -> Result<usize, QueueWait> {
        let own = self.entries.iter().filter(|entry| entry.from == from).count();
        if own >= MOST_EACH || self.entries.len() >= MOST {
            return Err(QueueWait::Tickets);
        }
        let ticket = loop {
            let ticket = random();
            if self.entries.iter().all(|entry| entry.ticket != ticket) {
                break ticket;
            }
        };
        let position = Position::Queued { asked: now, held_up: None };
        self.entries.push(QueueEntry { ticket, from, position });
        Ok(self.entries.len() - 1)
    }

    /// A place for a client, if one is free that no client before it waits for.
    fn call(
        &mut self,
        number: usize,
        places: &Arc<Semaphore>,
        now: Instant,
    ) -> Result<OwnedSemaphorePermit, QueueWait> {
        let waits = |entry: &&QueueEntry| match &entry.position {
            Position::Queued { asked, held_up } => {
                now.saturating_duration_since(*asked) < SILENT
                    && held_up.is_none_or(|until| until <= now)
            }
            Position::Called { .. } | Position::Sent(_) => false,
        };
        let ahead = self.entries[..number].iter().filter(waits).count();
        let free = places.available_permits();
        let place = if ahead < free { Arc::clone(places).try_acquire_owned().ok() } else { None };
        let Some(place) = place else {
            let before = ahead + PLACES.saturating_sub(free);
            let again = ASK_EACH.saturating_mul(before as u32).clamp(ASK[0], ASK[1]);
            return Err(QueueWait::Places { before, again });
        };
        let from = self.entries[number].from;
        self.rate.take(from, now).map_err(|wait| {
            // Other addresses do not wait for the clients of this one.
            for entry in self.entries.iter_mut().filter(|entry| entry.from == from) {
                if let Position::Queued { held_up, .. } = &mut entry.position {
                    *held_up = Some(now + wait);
                }
            }
            QueueWait::RateLimiter(wait)
        })?;
        Ok(place)
    }

    /// The progress of one client as JSON.
    fn describe(&self, number: usize) -> InLine {
        let entry = &self.entries[number];
        let ticket = entry.ticket;
        let progress = match &entry.position {
            Position::Queued { .. } => return queued(ticket, QueueWait::Tickets),
            Position::Called { .. } => return InLine { ticket, stage: LineStage::Send },
            Position::Sent(progress) => progress,
        };
        let stage = *progress.stage();
        let stage = match stage {
            PhotoStage::Sending => LineStage::Sending,
            PhotoStage::Waiting(came) => {
                let is_before = |entry: &&QueueEntry| match &entry.position {
                    Position::Sent(other) => match *other.stage() {
                        PhotoStage::Sending => false,
                        PhotoStage::Waiting(other) => other < came,
                        PhotoStage::Opening | PhotoStage::Reading(_) => true,
                    },
                    Position::Queued { .. } | Position::Called { .. } => false,
                };
                let others = self.entries.iter().filter(|other| other.ticket != ticket);
                LineStage::Waiting { before: others.filter(is_before).count() }
            }
            PhotoStage::Opening => LineStage::Reading { step: ReadingStep::Opening, reading: None },
            PhotoStage::Reading(step) => {
                let name = if step.naming { ReadingStep::Naming } else { ReadingStep::Looking };
                LineStage::Reading { step: name, reading: Some(step.reading) }
            }
        };
        InLine { ticket, stage }
    }
}

/// A client in the line, as it is shown.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct InLine {
    /// Its number.
    ticket: u64,
    #[serde(flatten)]
    stage: LineStage,
}

/// How far a picture is.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "stage", rename_all = "snake_case")]
enum LineStage {
    /// It waits for its turn to be sent.
    Queued {
        /// The pictures before it, where they are counted.
        before: Option<usize>,
        /// When to ask again, in milliseconds.
        again_ms: u64,
    },
    /// It is to be sent now.
    Send,
    /// It is coming.
    Sending,
    /// It has come, and others are read before it.
    Waiting {
        /// How many.
        before: usize,
    },
    /// It is being read.
    Reading {
        step: ReadingStep,
        /// The number of the look at it, from 1 on.
        #[serde(skip_serializing_if = "Option::is_none")]
        reading: Option<u32>,
    },
}

#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ReadingStep {
    Opening,
    Looking,
    Naming,
}

/// A waiting client.
fn queued(ticket: u64, wait: QueueWait) -> InLine {
    let ms = |duration: Duration| duration.as_millis().max(1) as u64;
    let (before, again) = match wait {
        QueueWait::Places { before, again } => (Some(before), ms(again)),
        QueueWait::RateLimiter(wait) => (None, ms(wait)),
        QueueWait::Tickets => (None, ms(ASK[1])),
    };
    InLine { ticket, stage: LineStage::Queued { before, again_ms: again } }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 168, 1, last])
    }

    fn ticket(answer: &Value) -> Option<u64> {
        answer["ticket"].as_u64()
    }

    #[test]
    fn fifty_at_once_are_called_in_the_order_in_which_they_came() {
        let (queue, start) = (PhotoQueue::new(), Instant::now());
        let mut waiting: Vec<(u8, u64)> = (0..50)
            .map(|phone| {
                (phone, ticket(&json!(queue.ask(None, address(phone), start).unwrap())).unwrap())
            })
            .collect();
        let (mut sent, mut order, mut now) = (Vec::new(), Vec::new(), start);
        while !waiting.is_empty() {
            waiting.retain(|(phone, ticket)| {
                let answer = json!(queue.ask(Some(*ticket), address(*phone), now).unwrap());
                if answer["stage"] == "queued" {
                    assert!(answer["before"].as_u64().unwrap() >= 6, "{answer}");
                    return true;
                }
                assert_eq!(answer["stage"], "send");
                sent.push(queue.begin(Some(*ticket), address(*phone), now).unwrap());
                order.push(*phone);
                false
            });
            assert!(sent.len() <= 6, "no more pictures are here than there are places");
            drop(sent.remove(0));
            now += SECOND;
        }
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn who_sends_without_a_ticket_does_not_overtake() {
        let (queue, now) = (PhotoQueue::new(), Instant::now());
        let held: Vec<_> =
            (0..6).map(|phone| queue.begin(None, address(phone), now).unwrap()).collect();
        let answer = json!(queue.ask(None, address(10), now).unwrap());
        assert_eq!((&answer["stage"], &answer["before"]), (&json!("queued"), &json!(6)));
        drop(held);
        for _ in 0..5 {
            drop(queue.begin(None, address(11), now).unwrap());
        }
        let held: Vec<_> =
            (0..5).map(|phone| queue.begin(None, address(phone), now).unwrap()).collect();
        assert!(matches!(queue.begin(None, address(11), now), Err(QueueWait::Places { .. })));
        assert_eq!(json!(queue.ask(ticket(&answer), address(10), now).unwrap())["stage"], "send");
        drop(held);
    }

    #[test]
    fn who_no_longer_asks_or_may_not_send_holds_nobody_up() {
        let (queue, start) = (PhotoQueue::new(), Instant::now());
        let mut held: Vec<_> =
            (0..6).map(|phone| queue.begin(None, address(phone), start).unwrap()).collect();
        let gone = json!(queue.ask(None, address(10), start).unwrap());
        let next = json!(queue.ask(None, address(11), start).unwrap());
        assert_eq!(next["before"], 7);
        held.pop();
        assert_eq!(json!(queue.ask(ticket(&next), address(11), start).unwrap())["before"], 6);
        let later = start + SILENT;
        assert_eq!(json!(queue.ask(ticket(&next), address(11), later).unwrap())["stage"], "send");
        // A client that polls again keeps its ticket.
        let back = json!(queue.ask(ticket(&gone), address(10), later).unwrap());
        assert_eq!(ticket(&back), ticket(&gone));
        // An address that has sent its share waits; others do not.
        held.clear();
        let much = start + 10 * SECOND;
        for _ in 0..20 {
            drop(queue.begin(None, address(20), much).unwrap());
        }
        let answer = json!(queue.ask(None, address(20), much).unwrap());
        assert_eq!((&answer["before"], &answer["again_ms"]), (&Value::Null, &json!(1000)));
        assert_eq!(json!(queue.ask(None, address(21), much).unwrap())["stage"], "send");
    }

    #[test]
    fn who_is_called_and_does_not_send_gives_the_place_back() {
        let (queue, start) = (PhotoQueue::new(), Instant::now());
        for phone in 0..6 {
            assert_eq!(json!(queue.ask(None, address(phone), start).unwrap())["stage"], "send");
        }
        let answer = json!(queue.ask(None, address(9), start).unwrap());
        assert_eq!(answer["before"], 6);
        let answer = json!(queue.ask(ticket(&answer), address(9), start + CALLED).unwrap());
        assert_eq!(answer["stage"], "send");
    }

    #[test]
    fn who_cancels_makes_room_wherever_he_stands() {
        let (queue, now) = (PhotoQueue::new(), Instant::now());
        let called = json!(queue.ask(None, address(0), now).unwrap());
        assert!(queue.cancel(ticket(&called).unwrap()) && !queue.cancel(ticket(&called).unwrap()));
        let held: Vec<_> =
            (0..6).map(|phone| queue.begin(None, address(phone), now).unwrap()).collect();
        let queued = json!(queue.ask(None, address(10), now).unwrap());
        let behind = json!(queue.ask(None, address(11), now).unwrap());
        assert_eq!(behind["before"], 7);
        assert!(queue.cancel(ticket(&queued).unwrap()));
        assert_eq!(json!(queue.ask(ticket(&behind), address(11), now).unwrap())["before"], 6);
        let (standing, _) = &held[0];
        assert!(!standing.progress.is_cancelled());
        assert!(queue.cancel(standing.ticket));
        assert!(standing.progress.is_cancelled());
    }

    #[test]
    fn how_far_a_picture_is_can_be_asked() {
        let (queue, now) = (PhotoQueue::new(), Instant::now());
        let (first, _place) = queue.begin(None, address(0), now).unwrap();
        let (second, _other) = queue.begin(None, address(1), now).unwrap();
        let how_far = |standing: &QueuedPhoto| json!(queue.how_far(standing.ticket).unwrap());
        assert_eq!(how_far(&second)["stage"], "sending");
        first.arrived();
        second.arrived();
        assert_eq!(
            (&how_far(&first)["before"], &how_far(&second)["before"]),
            (&json!(0), &json!(1))
        );
        first.progress.opens();
        assert_eq!(how_far(&first)["step"], "opening");
        assert_eq!(how_far(&second)["before"], 1);
        let ticket = first.ticket;
        drop(first);
        assert!(queue.how_far(ticket).is_none(), "it is answered");
        assert_eq!(how_far(&second)["before"], 0);
    }

    #[test]
    fn tickets_are_bounded() {
        let (queue, now) = (PhotoQueue::new(), Instant::now());
        for _ in 0..MOST_EACH {
            json!(queue.ask(None, address(1), now).unwrap());
        }
        assert_eq!(queue.ask(None, address(1), now), Err(QueueWait::Tickets));
        for phone in 2..=u8::MAX {
            let _ = queue.ask(None, address(phone), now);
        }
        assert_eq!(queue.lock().entries.len(), MOST);
        assert_eq!(queue.ask(None, address(1), now), Err(QueueWait::Tickets));
        json!(queue.ask(None, address(1), now + FORGOTTEN).unwrap());
        assert_eq!(queue.lock().entries.len(), 1);
    }
}
