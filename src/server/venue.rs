//! A phone at every table: the players' entries, their confirmation, and questions to the desk.
//!
//! An entry goes into a table's log after another player of the table has confirmed it. Pending entries lie beside the
//! log, so that they survive a restart and every machine of the hall shows them.

mod desk;
mod shown;

pub(super) use desk::{Doing, PaperEntry};
use shown::{Asked, HallSession};
pub(super) use shown::{DeskShown, HallTable};

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::{ContextError, EntryError};
use crate::{
    ledger::{Code, Ledger, LedgerError, Opens},
    page::evening::{Happens, context_at},
    rules::Library,
    table::{Event, Proposal, Table},
};

/// Name prefixes of the notes with pending entries and with questions to the desk.
const WAITING: &str = "waiting ";
const ASKED: &str = "asked ";
/// The most questions of one table that wait at the desk.
const MOST_ASKED: usize = 5;
/// The longest question, in letters.
const LONGEST: usize = 300;

/// The tables of a ledger, as their players and the desk see them.
pub struct Venue {
    ledger: Arc<Ledger>,
    /// Whether an entry is confirmed by another player.
    four_eyes: bool,
    /// The page of each watched table, by its number in the hall.
    tables: Mutex<HashMap<u32, watch::Sender<Arc<str>>>>,
    desk: watch::Sender<Arc<str>>,
    entered: Arc<Notify>,
    /// One answer to what waits at a time: an entry that is being written cannot be taken away.
    answering: tokio::sync::Mutex<()>,
}

/// The author of an entry: the player's index at the table, and the phone.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub(super) struct Saying {
    /// The player's index at the table.
    by: usize,
    /// The phone, by a random name of its own.
    device: String,
}

/// An entry of a player.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Entering {
    #[serde(flatten)]
    who: Saying,
    /// The page's own name for it, so that a repeated request is entered once.
    id: String,
    /// The table's last event as the page shows it: an entry is of that deal and of no later one.
    #[serde(default)]
    after: Option<u64>,
    /// The entered event.
    now: Happens,
    /// The entry is intended, although it looks like a slip.
    #[serde(default)]
    meant: bool,
}

/// A player's answer to a pending entry.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answering {
    #[serde(flatten)]
    who: Saying,
    /// The name of the pending entry.
    id: String,
}

/// A question of a table to the desk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AskingDesk {
    #[serde(flatten)]
    who: Saying,
    id: String,
    /// The question: a penalty, a ruling, somebody to come.
    text: String,
}

/// An entry that waits to be confirmed.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Waiting {
    #[serde(flatten)]
    who: Saying,
    id: String,
    at: Timestamp,
    /// The table's last event when it was entered.
    after: u64,
    event: Event,
}

fn missing(why: impl Into<String>) -> EntryError {
    ContextError(why.into()).into()
}

fn waits_no_more() -> EntryError {
    missing("this does not wait any more: look at the table")
}

fn unread(error: &serde_json::Error) -> EntryError {
    missing(format!("a note of the ledger cannot be read: {error}"))
}

/// The texts of notes by the part of their names after `start`.
fn by_name<T: for<'a> Deserialize<'a>>(
    notes: &[(String, String)],
    start: &str,
) -> Result<BTreeMap<String, T>, EntryError> {
    let read = |(name, text): &(String, String)| {
        let rest = name.strip_prefix(start).unwrap_or(name).to_owned();
        Ok((rest, serde_json::from_str(text).map_err(|error| unread(&error))?))
    };
    notes.iter().map(read).collect()
}

impl Saying {
    /// The player's name, if he is one of the table's.
    fn name(&self, table: &Table) -> Result<String, EntryError> {
        let players = &table.state()?.players;
        let named = players.get(self.by).map(|player| player.name.to_string());
        named.ok_or_else(|| missing("say which of the table's players you are"))
    }
}

impl Venue {
    /// The tables of an open ledger; `entered` is rung after each entry.
    pub(super) fn new(ledger: Arc<Ledger>, four_eyes: bool, entered: Arc<Notify>) -> Arc<Self> {
        Arc::new(Self {
            ledger,
            four_eyes,
            tables: Mutex::default(),
            desk: watch::Sender::new("null".into()),
            entered,
            answering: tokio::sync::Mutex::default(),
        })
    }

    /// The pages that a code opens.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(super) async fn opened_by(&self, code: &Code) -> Result<Option<Opens>, LedgerError> {
        self.ledger.opened_by(code).await
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<u32, watch::Sender<Arc<str>>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A table as its phones show it, now and after each change.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(super) async fn watch(&self, table: u32) -> Result<watch::Receiver<Arc<str>>, EntryError> {
        let now: Arc<str> = self.shown(table).await?.to_string().into();
        let mut tables = self.watched();
        let sender = tables.entry(table).or_insert_with(|| watch::Sender::new(Arc::clone(&now)));
        sender.send_if_modified(|known| replaced(known, now));
        Ok(sender.subscribe())
    }

    /// The number in the ledger of the session at each table of the hall: its own, or that of a tournament's round.
    async fn numbers(&self) -> Result<HashMap<u32, u32>, EntryError> {
        let mut numbers: HashMap<u32, u32> =
            self.ledger.tables().await?.into_iter().map(|number| (number, number)).collect();
        if let Ok(tournament) = self.ledger.tournament_ledger().await?.tournament() {
            let sessions = tournament.sessions_in_hall().into_iter();
            numbers.extend(
                sessions.filter_map(|(table, number)| Some((u32::try_from(table).ok()?, number))),
            );
        }
        Ok(numbers)
    }

    async fn at(&self, table: u32) -> Result<Table, EntryError> {
        let number = self.numbers().await?.get(&table).copied();
        let number = number.ok_or_else(|| missing(format!("table {table} is not open yet")))?;
        Ok(self.ledger.table(number).await?)
    }

    /// A table as its phones show it.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(super) async fn shown(&self, table: u32) -> Result<Value, EntryError> {
        let number = self.numbers().await?.get(&table).copied();
        self.session_shown(table, number).await
    }

    /// A table of the hall with the session of that number in the ledger.
    async fn session_shown(&self, table: u32, number: Option<u32>) -> Result<Value, EntryError> {
        let Some(number) = number else {
            return Ok(json!(HallTable { number: table, table: None, session: None }));
        };
        let replayed = self.ledger.table(number).await?;
        let waiting = self.waiting(number).await?;
        let asked = self.ledger.notes(&format!("{ASKED}{number} ")).await?;
        let asked: BTreeMap<String, Asked> = by_name(&asked, ASKED)?;
        let after = waiting.as_ref().and_then(|waiting| waiting.after(&replayed));
        let state = replayed.state()?;
        let session = HallSession {
            context: context_at(&replayed)?,
            waiting: waiting.as_ref().map(|waiting| waiting.shown(&replayed, after.as_ref())),
            asked: asked.into_values().collect(),
            undo: state.last_deal().map(|deal| deal.event),
            unsent: self.ledger.unsent().await?.tables.get(&number).copied(),
            apart: self.ledger.is_apart(number).await?,
            four_eyes: self.four_eyes,
        };
        Ok(json!(HallTable { number: table, table: Some(state), session: Some(session) }))
    }

    async fn waiting(&self, number: u32) -> Result<Option<Waiting>, EntryError> {
        let name = format!("{WAITING}{number}");
        let notes = self.ledger.notes(&name).await?;
        let note = notes.iter().find(|(other, _)| *other == name);
        note.map(|(_, text)| serde_json::from_str(text).map_err(|error| unread(&error))).transpose()
    }

    /// Takes an entry of a player; with four eyes it waits for another player's confirmation.
    ///
    /// # Errors
    /// Where the table rejects it, a confirmation is missing, or another entry is pending.
    pub(super) async fn enter(
        &self,
        table: u32,
        entering: Entering,
        library: &Library,
    ) -> Result<Value, EntryError> {
        let replayed = self.at(table).await?;
        let (number, name) = (replayed.number(), entering.who.name(&replayed)?);
        if matches!(entering.now, Happens::Open { .. }) {
            return Err(missing("this table is open already"));
        }
        if self.ledger.is_apart(number).await? {
            return Err(LedgerError::Apart(number).into());
        }
        let own;
        let library = match replayed.opened().map(|opened| opened.rule_file.clone()) {
            Ok(Some(file)) => {
                let id = replayed.state()?.rules.clone();
                own = Library::new(Box::new(move |name| (name == id).then(|| Ok(file.clone()))));
                &own
            }
            _ => library,
        };
        let Entering { who, id, after, now, meant } = entering;
        let after = after.unwrap_or(replayed.state()?.last_event);
        let entry = now.entry(&replayed, library, &name)?;
        let mut entry = Proposal { seen: Some(after), id: Some(id.clone()), meant, ..entry };
        if self.four_eyes {
            self.ledger.propose(number, &entry).await?;
            // A player enters one event at a time.
            if let Some(event) = entry.events.pop() {
                self.wait(&replayed, Waiting { who, id, at: Timestamp::now(), after, event })
                    .await?;
            }
        } else {
            self.ledger.enter(number, entry).await?;
        }
        self.tell(table).await
    }

    async fn wait(&self, table: &Table, new: Waiting) -> Result<(), EntryError> {
        let number = table.number();
        let name = format!("{WAITING}{number}");
        let text = serde_json::to_string(&new).map_err(|error| unread(&error))?;
        let noted = self.ledger.note(&name, |known| {
            let known: BTreeMap<String, Waiting> = by_name(&known, WAITING)?;
            match known.get(&number.to_string()) {
                Some(waiting) if waiting.id == new.id => Ok(Vec::new()),
                Some(waiting) => {
                    let who = waiting.who.name(table)?;
                    Err(missing(format!(
                        "what {who} has entered waits: confirm it, or take it away, first"
                    )))
                }
                None => Ok(vec![(name.clone(), Some(text))]),
            }
        });
        noted.await
    }

    /// Confirms another player's entry and writes it.
    ///
    /// # Errors
    /// Where no such entry is pending, it is the same player's or phone's, or the table rejects it.
    pub(super) async fn confirm(&self, table: u32, said: &Answering) -> Result<Value, EntryError> {
        let _one = self.answering.lock().await;
        let replayed = self.at(table).await?;
        let (number, name) = (replayed.number(), said.who.name(&replayed)?);
        let waiting = self.waiting(number).await?.filter(|waiting| waiting.id == said.id);
        let waiting = waiting.ok_or_else(waits_no_more)?;
        if waiting.who.by == said.who.by || waiting.who.device == said.who.device {
            let why = "another player of the table has to confirm it, on another phone";
            return Err(missing(why));
        }
        let author = format!("{}, confirmed by {name}", waiting.who.name(&replayed)?);
        let Waiting { event, after, id, .. } = waiting;
        // Its name makes the entry unique, if it is confirmed again after a lost answer.
        let (seen, id) = (Some(after), Some(id));
        let entry = Proposal { seen, id, meant: true, ..Proposal::new(event, author) };
        self.ledger.enter(number, entry).await?;
        self.remove(number, &said.id).await?;
        self.tell(table).await
    }

    /// Removes a pending entry; nothing is written.
    ///
    /// # Errors
    /// Where no such entry is pending any more, or the ledger cannot be written.
    pub(super) async fn refuse(&self, table: u32, said: &Answering) -> Result<Value, EntryError> {
        let replayed = self.at(table).await?;
        said.who.name(&replayed)?;
        self.no_longer(replayed.number(), &said.id).await?;
        self.tell(table).await
    }

    /// Removes a pending entry without writing it: refused where it came too late.
    async fn no_longer(&self, number: u32, id: &str) -> Result<(), EntryError> {
        let _one = self.answering.lock().await;
        if self.remove(number, id).await? { Ok(()) } else { Err(waits_no_more()) }
    }

    /// Removes a pending entry; false where it was not pending.
    async fn remove(&self, number: u32, id: &str) -> Result<bool, EntryError> {
        let name = format!("{WAITING}{number}");
        let mut is_it = false;
        let noted = self.ledger.note(&name, |known| {
            let known: BTreeMap<String, Waiting> = by_name(&known, WAITING)?;
            is_it = known.get(&number.to_string()).is_some_and(|waiting| waiting.id == id);
            Ok::<_, EntryError>(if is_it { vec![(name.clone(), None)] } else { Vec::new() })
        });
        noted.await.map(|()| is_it)
    }

    /// Asks something of the desk.
    ///
    /// # Errors
    /// An empty text, or too many open questions.
    pub(super) async fn ask_desk(
        &self,
        table: u32,
        said: &AskingDesk,
    ) -> Result<Value, EntryError> {
        let replayed = self.at(table).await?;
        let (number, name) = (replayed.number(), said.who.name(&replayed)?);
        let text: String =
            said.text.trim().chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        if text.is_empty() {
            return Err(missing("say what is asked of the desk"));
        }
        let start = format!("{ASKED}{number} ");
        let asked = json!(Asked { by: name, at: Timestamp::now(), text }).to_string();
        let noted = self.ledger.note(&start, |known| {
            let new = format!("{start}{}", said.id);
            if known.iter().all(|(name, _)| *name != new) && known.len() >= MOST_ASKED {
                return Err(missing("the desk has this table's questions: it will come"));
            }
            Ok(vec![(new, Some(asked))])
        });
        noted.await?;
        self.tell(table).await
    }

    /// The table after a change, for the caller and for all other viewers.
    async fn tell(&self, table: u32) -> Result<Value, EntryError> {
        let now = self.shown(table).await?;
        let text: Arc<str> = now.to_string().into();
        if let Some(sender) = self.watched().get(&table) {
            sender.send_if_modified(|known| replaced(known, text));
        }
        self.entered.notify_one();
        Ok(now)
    }

    /// Refreshes every watched table, and the desk's page if it is open.
    pub(super) async fn refresh(&self) {
        let looked_at: Vec<u32> = {
            let mut tables = self.watched();
            tables.retain(|_, sender| sender.receiver_count() > 0);
            tables.keys().copied().collect()
        };
        // A failed read is repeated at the next change.
        if let Ok(numbers) = self.numbers().await {
            for table in looked_at {
                let number = numbers.get(&table).copied();
                if let Ok(now) = self.session_shown(table, number).await {
                    let text: Arc<str> = now.to_string().into();
                    if let Some(sender) = self.watched().get(&table) {
                        sender.send_if_modified(|known| replaced(known, text));
                    }
                }
            }
        }
        if self.desk.receiver_count() > 0
            && let Ok(now) = self.desk_shown().await
        {
            let text: Arc<str> = now.to_string().into();
            self.desk.send_if_modified(|known| replaced(known, text));
        }
    }
}

/// Replaces a text; true if it changed.
fn replaced(known: &mut Arc<str>, now: Arc<str>) -> bool {
    let is_news = *known != now;
    *known = now;
    is_news
}

impl Waiting {
    /// The table after it, if it takes it.
    fn after(&self, table: &Table) -> Option<Table> {
        table.with(self.event.clone(), "", self.at).ok()
    }
}
