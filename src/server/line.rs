//! The line of those who send pictures: who may send now, how far each picture is, and who has gone.
//!
//! A page asks for a ticket, asks again until it is called, and only then sends: a picture that cannot be
//! read soon waits on the phone, not in this program. No clock: time is handed in.

use std::{
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::{
    photos::random,
    rate::{Rate, client},
};
use crate::vision::Step;

/// Pictures of which the bytes may be here, the one that is being read included.
const PLACES: usize = 6;
/// Tickets that are given out at once,
const MOST: usize = 256;
/// and to one address.
const MOST_EACH: usize = 64;
/// Who has not asked for this long counts no more for those behind him,
const SILENT: Duration = Duration::from_secs(6);
/// and after this has lost his ticket. Phones put pages to sleep.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// Who has been called has to begin to send within this time.
const CALLED: Duration = Duration::from_secs(10);
/// Who waits asks again after this time for each who is before him,
const ASK_EACH: Duration = Duration::from_millis(200);
/// but no sooner and no later than this.
const ASK: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(3)];

/// Why somebody has to wait: how many are before him, and when he should ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Every place is taken, or promised to somebody before him.
    Places { before: usize, again: Duration },
    /// His address has sent too many pictures.
    Rate(Duration),
    /// There are no more tickets.
    Tickets,
}

/// How far one picture is, and whether anybody still wants it.
pub(super) struct Progress {
    stage: Mutex<Stage>,
    cancelled: AtomicBool,
    woken: Notify,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Its bytes are on the way.
    Sending,
    /// They are here; the number of pictures that came before.
    Waiting(u64),
    /// It is decoded.
    Opening,
    /// It is read.
    Reading(Step),
}

impl Progress {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            stage: Mutex::new(Stage::Sending),
            cancelled: AtomicBool::new(false),
            woken: Notify::new(),
        })
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture's turn has come.
    pub fn opens(&self) {
        *self.stage() = Stage::Opening;
    }

    /// The reader takes a step.
    pub fn reads(&self, step: Step) {
        *self.stage() = Stage::Reading(step);
    }

    /// Whether nobody wants the picture any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        // A permit is kept for who begins to wait just now.
        self.woken.notify_one();
    }

    /// Waits until nobody wants the picture any more.
    pub async fn cancelled(&self) {
        while !self.is_cancelled() {
            self.woken.notified().await;
        }
    }
}

/// One who stands in the line.
struct Entry {
    ticket: u64,
    /// His address, or his network of version 6.
    from: IpAddr,
    position: Position,
}

enum Position {
    /// He waits for a place.
    Queued {
        asked: Instant,
        /// His address may send nothing before.
        held_up: Option<Instant>,
    },
    /// He has a place and is to send.
    Called { place: OwnedSemaphorePermit, until: Instant },
    /// His picture comes, or is here.
    Sent(Arc<Progress>),
}

#[derive(Default)]
struct Inner {
    rate: Rate,
    /// In the order in which they came.
    entries: Vec<Entry>,
    /// Pictures that have come so far.
    came: u64,
}

/// The line.
pub(super) struct Line {
    places: Arc<Semaphore>,
    inner: Mutex<Inner>,
}

/// Somebody whose picture comes or is here. Dropping it is to go away: the picture is no longer wanted.
pub(super) struct Standing {
    line: Arc<Line>,
    ticket: u64,
    pub progress: Arc<Progress>,
}

impl Standing {
    /// The whole picture is here.
    pub fn arrived(&self) {
        let mut inner = self.line.lock();
        inner.came += 1;
        *self.progress.stage() = Stage::Waiting(inner.came);
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        self.progress.cancel();
        self.line.lock().entries.retain(|entry| entry.ticket != self.ticket);
    }
}

impl Line {
    pub fn new() -> Arc<Self> {
        Arc::new(Self { places: Arc::new(Semaphore::new(PLACES)), inner: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for work without a picture of its own, when there is one.
    pub async fn place(&self, most: Duration) -> Option<OwnedSemaphorePermit> {
        self.lock().forget(Instant::now());
        tokio::time::timeout(most, Arc::clone(&self.places).acquire_owned()).await.ok()?.ok()
    }

    /// Asks whether it is one's turn to send; a ticket that is not known is a new one's at the end of the
    /// line. The answer is what pages get, with the ticket.
    ///
    /// # Errors
    /// [`Wait::Tickets`] where there is no ticket left.
    pub fn ask(&self, ticket: Option<u64>, from: IpAddr, now: Instant) -> Result<Value, Wait> {
        let mut inner = self.lock();
        inner.forget(now);
        let known = |inner: &Inner| {
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

    /// How far a picture is; `None` where it is answered, or its ticket was never one.
    pub fn how_far(&self, ticket: u64) -> Option<Value> {
        let inner = self.lock();
        let number = inner.entries.iter().position(|entry| entry.ticket == ticket)?;
        Some(inner.describe(number))
    }

    /// Goes out of the line, wherever one stands in it; false where one stood nowhere.
    pub fn cancel(&self, ticket: u64) -> bool {
        let mut inner = self.lock();
        let Some(number) = inner.entries.iter().position(|entry| entry.ticket == ticket) else {
            return false;
        };
        match &inner.entries[number].position {
            // Whoever answers it takes it out of the line.
            Position::Sent(progress) => progress.cancel(),
            Position::Queued { .. } | Position::Called { .. } => drop(inner.entries.remove(number)),
        }
        true
    }

    /// Begins to send: with a ticket that was called, or without one where nobody else waits for the place.
    ///
    /// # Errors
    /// Why one has to wait. Nothing has been read of the picture then.
    pub fn begin(
        self: &Arc<Self>,
        ticket: Option<u64>,
        from: IpAddr,
        now: Instant,
    ) -> Result<(Standing, OwnedSemaphorePermit), Wait> {
        let mut inner = self.lock();
        inner.forget(now);
        let called = |entry: &Entry| {
            Some(entry.ticket) == ticket && matches!(entry.position, Position::Called { .. })
        };
        let mut entry = match inner.entries.iter().position(called) {
            Some(number) => inner.entries.remove(number),
            None => {
                let number = inner.join(client(from), now)?;
                let place = inner.call(number, &self.places, now);
                let entry = inner.entries.remove(number);
                Entry { position: Position::Called { place: place?, until: now }, ..entry }
            }
        };
        let progress = Progress::new();
        let sent = Position::Sent(Arc::clone(&progress));
        let Position::Called { place, .. } = std::mem::replace(&mut entry.position, sent) else {
            return Err(Wait::Tickets);
        };
        let ticket = entry.ticket;
        inner.entries.push(entry);
        drop(inner);
        Ok((Standing { line: Arc::clone(self), ticket, progress }, place))
    }
}

impl Inner {
    /// Takes out of the line who has gone.
    fn forget(&mut self, now: Instant) {
        self.entries.retain(|entry| match &entry.position {
            Position::Queued { asked, .. } => now.saturating_duration_since(*asked) < FORGOTTEN,
            Position::Called { until, .. } => now < *until,
            Position::Sent(_) => true,
        });
    }

    /// Stands at the end of the line.
    fn join(&mut self, from: IpAddr, now: Instant) -> Result<usize, Wait> {
        let own = self.entries.iter().filter(|entry| entry.from == from).count();
        if own >= MOST_EACH || self.entries.len() >= MOST {
            return Err(Wait::Tickets);
        }
        let ticket = loop {
            let ticket = random();
            if self.entries.iter().all(|entry| entry.ticket != ticket) {
                break ticket;
            }
        };
        let position = Position::Queued { asked: now, held_up: None };
        self.entries.push(Entry { ticket, from, position });
        Ok(self.entries.len() - 1)
    }

    /// A place for one in the line, if there is one that nobody before him waits for.
    fn call(
        &mut self,
        number: usize,
        places: &Arc<Semaphore>,
        now: Instant,
    ) -> Result<OwnedSemaphorePermit, Wait> {
        let waits = |entry: &&Entry| match &entry.position {
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
            return Err(Wait::Places { before, again });
        };
        let from = self.entries[number].from;
        self.rate.take(from, now).map_err(|wait| {
            // Others need not wait for him, nor for others of his address.
            for entry in self.entries.iter_mut().filter(|entry| entry.from == from) {
                if let Position::Queued { held_up, .. } = &mut entry.position {
                    *held_up = Some(now + wait);
                }
            }
            Wait::Rate(wait)
        })?;
        Ok(place)
    }

    /// How far one in the line is.
    fn describe(&self, number: usize) -> Value {
        let entry = &self.entries[number];
        let ticket = entry.ticket;
        let progress = match &entry.position {
            Position::Queued { .. } => return queued(ticket, Wait::Tickets),
            Position::Called { .. } => return json!({ "ticket": ticket, "stage": "send" }),
            Position::Sent(progress) => progress,
        };
        let stage = *progress.stage();
        match stage {
            Stage::Sending => json!({ "ticket": ticket, "stage": "sending" }),
            Stage::Waiting(came) => {
                let is_before = |entry: &&Entry| match &entry.position {
                    Position::Sent(other) => match *other.stage() {
                        Stage::Sending => false,
                        Stage::Waiting(other) => other < came,
                        Stage::Opening | Stage::Reading(_) => true,
                    },
                    Position::Queued { .. } | Position::Called { .. } => false,
                };
                let others = self.entries.iter().filter(|other| other.ticket != ticket);
                let before = others.filter(is_before).count();
                json!({ "ticket": ticket, "stage": "waiting", "before": before })
            }
            Stage::Opening => json!({ "ticket": ticket, "stage": "reading", "step": "opening" }),
            Stage::Reading(step) => {
                let name = if step.naming { "naming" } else { "looking" };
                json!({ "ticket": ticket, "stage": "reading", "step": name, "reading": step.reading })
            }
        }
    }
}

/// One who waits for a place, as pages get it.
fn queued(ticket: u64, wait: Wait) -> Value {
    let ms = |duration: Duration| duration.as_millis().max(1) as u64;
    let (before, again) = match wait {
        Wait::Places { before, again } => (Some(before), ms(again)),
        Wait::Rate(wait) => (None, ms(wait)),
        Wait::Tickets => (None, ms(ASK[1])),
    };
    json!({ "ticket": ticket, "stage": "queued", "before": before, "again_ms": again })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 168, 1, last])
    }

    fn ticket(told: &Value) -> Option<u64> {
        told["ticket"].as_u64()
    }

    #[test]
    fn fifty_at_once_are_called_in_the_order_in_which_they_came() {
        let (line, start) = (Line::new(), Instant::now());
        let mut waiting: Vec<(u8, u64)> = (0..50)
            .map(|phone| (phone, ticket(&line.ask(None, address(phone), start).unwrap()).unwrap()))
            .collect();
        let (mut sent, mut order, mut now) = (Vec::new(), Vec::new(), start);
        while !waiting.is_empty() {
            waiting.retain(|(phone, ticket)| {
                let told = line.ask(Some(*ticket), address(*phone), now).unwrap();
                if told["stage"] == "queued" {
                    assert!(told["before"].as_u64().unwrap() >= 6, "{told}");
                    return true;
                }
                assert_eq!(told["stage"], "send");
                sent.push(line.begin(Some(*ticket), address(*phone), now).unwrap());
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
        let (line, now) = (Line::new(), Instant::now());
        let held: Vec<_> =
            (0..6).map(|phone| line.begin(None, address(phone), now).unwrap()).collect();
        let told = line.ask(None, address(10), now).unwrap();
        assert_eq!((&told["stage"], &told["before"]), (&json!("queued"), &json!(6)));
        drop(held);
        for _ in 0..5 {
            drop(line.begin(None, address(11), now).unwrap());
        }
        let held: Vec<_> =
            (0..5).map(|phone| line.begin(None, address(phone), now).unwrap()).collect();
        assert!(matches!(line.begin(None, address(11), now), Err(Wait::Places { .. })));
        assert_eq!(line.ask(ticket(&told), address(10), now).unwrap()["stage"], "send");
        drop(held);
    }

    #[test]
    fn who_no_longer_asks_or_may_not_send_holds_nobody_up() {
        let (line, start) = (Line::new(), Instant::now());
        let mut held: Vec<_> =
            (0..6).map(|phone| line.begin(None, address(phone), start).unwrap()).collect();
        let gone = line.ask(None, address(10), start).unwrap();
        let next = line.ask(None, address(11), start).unwrap();
        assert_eq!(next["before"], 7);
        held.pop();
        assert_eq!(line.ask(ticket(&next), address(11), start).unwrap()["before"], 6);
        let later = start + SILENT;
        assert_eq!(line.ask(ticket(&next), address(11), later).unwrap()["stage"], "send");
        // He who is back is not forgotten yet.
        let back = line.ask(ticket(&gone), address(10), later).unwrap();
        assert_eq!(ticket(&back), ticket(&gone));
        // One address that has sent its share waits, others do not.
        held.clear();
        let much = start + 10 * SECOND;
        for _ in 0..20 {
            drop(line.begin(None, address(20), much).unwrap());
        }
        let told = line.ask(None, address(20), much).unwrap();
        assert_eq!((&told["before"], &told["again_ms"]), (&Value::Null, &json!(1000)));
        assert_eq!(line.ask(None, address(21), much).unwrap()["stage"], "send");
    }

    #[test]
    fn who_is_called_and_does_not_send_gives_the_place_back() {
        let (line, start) = (Line::new(), Instant::now());
        for phone in 0..6 {
            assert_eq!(line.ask(None, address(phone), start).unwrap()["stage"], "send");
        }
        let told = line.ask(None, address(9), start).unwrap();
        assert_eq!(told["before"], 6);
        let told = line.ask(ticket(&told), address(9), start + CALLED).unwrap();
        assert_eq!(told["stage"], "send");
    }

    #[test]
    fn who_cancels_makes_room_wherever_he_stands() {
        let (line, now) = (Line::new(), Instant::now());
        let called = line.ask(None, address(0), now).unwrap();
        assert!(line.cancel(ticket(&called).unwrap()) && !line.cancel(ticket(&called).unwrap()));
        let held: Vec<_> =
            (0..6).map(|phone| line.begin(None, address(phone), now).unwrap()).collect();
        let queued = line.ask(None, address(10), now).unwrap();
        let behind = line.ask(None, address(11), now).unwrap();
        assert_eq!(behind["before"], 7);
        assert!(line.cancel(ticket(&queued).unwrap()));
        assert_eq!(line.ask(ticket(&behind), address(11), now).unwrap()["before"], 6);
        let (standing, _) = &held[0];
        assert!(!standing.progress.is_cancelled());
        assert!(line.cancel(standing.ticket));
        assert!(standing.progress.is_cancelled());
    }

    #[test]
    fn how_far_a_picture_is_can_be_asked() {
        let (line, now) = (Line::new(), Instant::now());
        let (first, _place) = line.begin(None, address(0), now).unwrap();
        let (second, _other) = line.begin(None, address(1), now).unwrap();
        let how_far = |standing: &Standing| line.how_far(standing.ticket).unwrap();
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
        assert_eq!(line.how_far(ticket), None, "it is answered");
        assert_eq!(how_far(&second)["before"], 0);
    }

    #[test]
    fn tickets_are_bounded() {
        let (line, now) = (Line::new(), Instant::now());
        for _ in 0..MOST_EACH {
            line.ask(None, address(1), now).unwrap();
        }
        assert_eq!(line.ask(None, address(1), now), Err(Wait::Tickets));
        for phone in 2..=u8::MAX {
            let _ = line.ask(None, address(phone), now);
        }
        assert_eq!(line.lock().entries.len(), MOST);
        assert_eq!(line.ask(None, address(1), now), Err(Wait::Tickets));
        line.ask(None, address(1), now + FORGOTTEN).unwrap();
        assert_eq!(line.lock().entries.len(), 1);
    }
}
