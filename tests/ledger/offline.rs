//! A table goes on without the network, and its entries are sent when it is back: each event once, in order.

use std::path::{Path, PathBuf};

use crate::support::kept::{DRAW, append, entry, evening, meddle, opened, paid, seated, with_hand};
use crate::support::postgres::Server;
use tempfile::TempDir;
use tilelens::{
    ledger::{Act, Entry, Keep, Ledger, LedgerError, RecordEnd, prepare},
    record::SeenEvent,
    table::Event,
    tournament,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, UnixStream},
    sync::watch,
};

/// A network between a machine and the server: cut, nothing comes through, and nobody can connect.
struct Network {
    address: PathBuf,
    up: watch::Sender<Up>,
}

#[derive(Clone, Copy, PartialEq)]
enum Up {
    Yes,
    /// Connections break, and nobody can connect.
    Cut,
    /// Nothing comes through, and nobody says so.
    Silent,
}

impl Network {
    async fn to(server: &Server, database: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let direct = server.address("venue", database);
        let folder = direct.to_str().unwrap().split_once("host=").unwrap().1.to_owned();
        let (up, watched) = watch::channel(Up::Yes);
        tokio::spawn(async move {
            loop {
                let Ok((mut client, _)) = listener.accept().await else { return };
                let (mut watched, folder) = (watched.clone(), folder.clone());
                tokio::spawn(async move {
                    let mut now = *watched.borrow_and_update();
                    while now == Up::Silent {
                        let _ = watched.changed().await;
                        now = *watched.borrow_and_update();
                    }
                    if now == Up::Cut {
                        return;
                    }
                    let socket = Path::new(&folder).join(".s.PGSQL.5432");
                    let Ok(mut server) = UnixStream::connect(socket).await else { return };
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        _ = watched.changed() => {}
                    }
                    // Both ends are held as long as nobody is to notice.
                    let _ = watched.wait_for(|now| *now != Up::Silent).await;
                });
            }
        });
        let address = format!("postgres://venue@127.0.0.1:{port}/{database}?sslmode=disable");
        Self { address: address.into(), up }
    }

    fn cut(&self) {
        self.up.send(Up::Cut).unwrap();
    }

    fn fall_silent(&self) {
        self.up.send(Up::Silent).unwrap();
    }

    fn mend(&self) {
        self.up.send(Up::Yes).unwrap();
    }
}

/// A venue in a database, a machine with a file of its own, and the network between them.
struct Venue {
    server: &'static Server,
    database: String,
    direct: PathBuf,
    network: Network,
    folder: TempDir,
}

impl Venue {
    async fn with_deals(deals: usize) -> Option<Self> {
        let server = Server::of_this_program()?;
        let (direct, database) = server.database();
        evening(&direct, deals).await.close().await;
        let network = Network::to(server, &database).await;
        let folder = tempfile::tempdir().unwrap();
        Some(Self { server, database, direct, network, folder })
    }

    fn beside(&self) -> PathBuf {
        self.folder.path().join("state").join("venue")
    }

    async fn machine(&self) -> Ledger {
        Ledger::open_beside(&self.network.address, &self.beside()).await.unwrap()
    }

    /// The database's contents, read by another machine.
    async fn other(&self) -> Ledger {
        Ledger::open(&self.direct).await.unwrap()
    }

    /// The files beside the database; each of them is whole.
    async fn files(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.beside().parent().unwrap()).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let mut files: Vec<PathBuf> =
            files.filter(|file| file.extension().is_some_and(|kind| kind == "tlg")).collect();
        files.sort();
        for file in &files {
            assert!(Ledger::read(file).await.unwrap().verify().await.unwrap().is_intact());
        }
        files
    }
}

#[tokio::test]
async fn entries_go_on_without_the_network_and_arrive_once_and_in_order() {
    let Some(venue) = Venue::with_deals(2).await else { return };
    let (here, other) = (venue.machine().await, venue.other().await);
    assert_eq!(here.unsent().await.unwrap(), Default::default());
    // The last entries are known without the network, whoever wrote them.
    append(&here, 1, with_hand(3)).await.unwrap();
    let known = here.events(1).await.unwrap();
    venue.network.cut();
    assert_eq!(here.events(1).await.unwrap(), known);
    for (deal, winner) in [(4, 1), (5, 2), (6, 0)] {
        let sent = || entry(with_hand(winner)).once(format!("deal-{deal}")).after(deal as u64);
        let state = here.append(1, sent()).await.unwrap();
        assert_eq!(state.history.len(), deal);
        // A phone that did not hear the answer asks again.
        assert_eq!(here.append(1, sent()).await.unwrap(), state);
    }
    let unsent = here.unsent().await.unwrap();
    assert!(unsent.cut.is_some());
    assert_eq!(unsent.tables, [(1, 3)].into());
    assert!(here.send_unsent().await.is_err(), "it is cut");
    assert_eq!(other.state(1).await.unwrap().history.len(), 3);
    let (written, state) = (here.events(1).await.unwrap(), here.state(1).await.unwrap());
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!(here.unsent().await.unwrap(), Default::default());
    for _ in 0..2 {
        assert_eq!(other.events(1).await.unwrap(), written, "hash for hash, time for time");
        assert_eq!(here.state(1).await.unwrap(), state);
        here.send_unsent().await.unwrap();
    }
    assert!(other.branches().await.unwrap().is_empty());
    assert!(other.verify().await.unwrap().is_intact());
    // Sent again by name after all that, it is still there once.
    here.append(1, entry(with_hand(0)).once("deal-6").after(6)).await.unwrap();
    append(&other, 1, DRAW).await.unwrap();
    assert_eq!(here.state(1).await.unwrap().history.len(), 7);
    here.close().await;
    assert_eq!(venue.files().await.len(), 1);
}

#[tokio::test]
async fn a_program_that_is_started_without_the_network_goes_on_where_it_was() {
    let Some(venue) = Venue::with_deals(2).await else { return };
    // Nothing is known of a database that was never reached.
    venue.network.cut();
    let never = Ledger::open_beside(&venue.network.address, &venue.beside()).await;
    assert!(matches!(never, Err(LedgerError::Unreachable { .. })), "{never:?}");
    venue.network.mend();
    let here = venue.machine().await;
    // Codes and unconfirmed entries are kept beside the events: pages need them too.
    let note = |name: &str, text: &str| vec![(name.to_owned(), Some(text.to_owned()))];
    here.note("code", |_| Ok::<_, LedgerError>(note("code A", "desk"))).await.unwrap();
    here.send_unsent().await.unwrap();
    // Two programs do not write to one file.
    let second = Ledger::open_beside(&venue.network.address, &venue.beside()).await;
    assert!(matches!(second, Err(LedgerError::MirrorInUse(_))), "{second:?}");
    venue.network.cut();
    append(&here, 1, paid(1)).await.unwrap();
    here.close().await;
    drop(here);
    let here = venue.machine().await;
    assert_eq!(here.state(1).await.unwrap().history.len(), 3);
    assert_eq!(here.notes("").await.unwrap(), [("code A".to_owned(), "desk".to_owned())]);
    here.note("waiting", |_| Ok::<_, LedgerError>(note("waiting 1", "x"))).await.unwrap();
    append(&here, 1, paid(2)).await.unwrap();
    assert_eq!(here.unsent().await.unwrap().tables, [(1, 2)].into());
    let written = here.events(1).await.unwrap();
    here.close().await;
    drop(here);
    venue.network.mend();
    // Opened again, it sends its unsent events.
    let here = venue.machine().await;
    let other = venue.other().await;
    assert_eq!(other.events(1).await.unwrap(), written);
    assert_eq!(here.events(1).await.unwrap(), written);
    let names: Vec<String> =
        other.notes("").await.unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["code A", "waiting 1"]);
    assert!(other.verify().await.unwrap().is_intact());
}

/// The database has taken the event, and the network is cut before it can say so.
#[tokio::test]
async fn an_event_whose_answer_was_lost_is_there_once() {
    let Some(venue) = Venue::with_deals(2).await else { return };
    let (here, other) = (venue.machine().await, venue.other().await);
    // Written for good, and the answer is later than anybody waits.
    let done = venue.server.psql(
        &venue.database,
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON tilelens.events DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION slow()",
    );
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let cut = async {
        tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
        venue.network.cut();
    };
    let (state, ()) = tokio::join!(append(&here, 1, with_hand(1)), cut);
    assert_eq!(state.unwrap().history.len(), 3);
    append(&here, 1, with_hand(2)).await.unwrap();
    let written = here.events(1).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    venue.server.psql(&venue.database, "DROP TRIGGER slow ON tilelens.events");
    assert_eq!(
        other.state(1).await.unwrap().history.len(),
        3,
        "the database has the first of both"
    );
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!(other.events(1).await.unwrap(), written);
    assert!(other.branches().await.unwrap().is_empty());
    assert!(other.verify().await.unwrap().is_intact());
}

/// A phone enters the same by the same name at two machines, as it does where it is handed on.
#[tokio::test]
async fn what_was_entered_at_two_machines_by_one_name_is_there_once() {
    let Some(venue) = Venue::with_deals(2).await else { return };
    let (here, other) = (venue.machine().await, venue.other().await);
    venue.network.cut();
    here.append(1, entry(with_hand(1)).once("a")).await.unwrap();
    append(&here, 1, with_hand(2)).await.unwrap();
    other.append(1, entry(with_hand(1)).once("a")).await.unwrap();
    venue.network.mend();
    here.send_unsent().await.unwrap();
    let state = other.state(1).await.unwrap();
    assert_eq!(state.history.len(), 4);
    assert_eq!(here.state(1).await.unwrap(), state);
    assert!(other.branches().await.unwrap().is_empty());
    assert!(other.verify().await.unwrap().is_intact());
    // The file continues from the database's state.
    venue.network.cut();
    append(&here, 1, DRAW).await.unwrap();
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!(other.state(1).await.unwrap().history.len(), 5);
}

#[tokio::test]
async fn where_somebody_wrote_meanwhile_the_desk_chooses() {
    for keep in [Keep::Database, Keep::Table] {
        let Some(venue) = Venue::with_deals(2).await else { return };
        let (here, other) = (venue.machine().await, venue.other().await);
        append(&other, 2, opened("chumchu")).await.unwrap();
        here.send_unsent().await.unwrap();
        venue.network.cut();
        append(&here, 1, with_hand(1)).await.unwrap();
        append(&here, 2, paid(0)).await.unwrap();
        append(&here, 1, paid(3)).await.unwrap();
        append(&here, 1, Event::Undone { event: 5 }).await.unwrap();
        append(&here, 1, with_hand(2)).await.unwrap();
        let at_table = here.state(1).await.unwrap();
        append(&other, 1, paid(0)).await.unwrap();
        append(&other, 1, DRAW).await.unwrap();
        append(&other, 1, Event::Undone { event: 5 }).await.unwrap();
        let in_database = other.state(1).await.unwrap();
        venue.network.mend();
        here.send_unsent().await.unwrap();
        assert_eq!(here.unsent().await.unwrap(), Default::default());
        // Nothing is guessed, and undisputed events have arrived.
        assert_eq!(other.state(1).await.unwrap(), in_database);
        assert_eq!(other.state(2).await.unwrap().history.len(), 1);
        let branches = other.branches().await.unwrap();
        assert_eq!(branches, here.branches().await.unwrap());
        let [branch] = branches.as_slice() else { panic!("{branches:?}") };
        assert_eq!((branch.table, branch.after), (1, 3));
        assert_eq!((branch.database.len(), branch.at_table.len()), (3, 4));
        // Whatever is written now, the choice would take back: nothing is, on either machine, but at other tables.
        for ledger in [&here, &other] {
            assert!(ledger.is_apart(1).await.unwrap() && !ledger.is_apart(2).await.unwrap());
            let refused = append(ledger, 1, DRAW).await;
            assert!(matches!(refused, Err(LedgerError::Apart(1))), "{refused:?}");
            append(ledger, 2, DRAW).await.unwrap();
        }
        // The file with the table's events is kept as well, whatever the desk chooses.
        let files = venue.files().await;
        assert_eq!(files.len(), 2);
        let kept = Ledger::read(&files[0]).await.unwrap().state(1).await.unwrap();
        assert_eq!(kept, at_table);
        here.choose(&branch.name, keep, "desk").await.unwrap();
        let again = other.choose(&branch.name, keep, "desk").await;
        assert!(matches!(again, Err(LedgerError::NoBranch(_))), "{again:?}");
        assert!(other.branches().await.unwrap().is_empty());
        let chosen = if keep == Keep::Table { &at_table } else { &in_database };
        let state = other.state(1).await.unwrap();
        let totals = |state: &tilelens::table::TableState| {
            state.players.iter().map(|player| player.total).collect::<Vec<_>>()
        };
        assert_eq!(totals(&state), totals(chosen));
        assert_eq!(state.history.len(), chosen.history.len());
        assert_eq!(here.state(1).await.unwrap(), state);
        assert!(other.verify().await.unwrap().is_intact());
        // And the table goes on, with and without the network.
        here.send_unsent().await.unwrap();
        venue.network.cut();
        append(&here, 1, DRAW).await.unwrap();
        venue.network.mend();
        here.send_unsent().await.unwrap();
        assert_eq!(other.state(1).await.unwrap().history.len(), chosen.history.len() + 1);
        assert!(other.branches().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_concerns_the_whole_hall_waits_for_the_network() {
    let Some(venue) = Venue::with_deals(1).await else { return };
    let here = venue.machine().await;
    let begun = || {
        let chumchu = tilelens::rules::RuleSet::preset("chumchu").unwrap();
        tournament::Event::Begun {
            name: "Hall".into(),
            rules: "chumchu".into(),
            rule_file: None,
            rulings: vec![],
            format: Box::new(tournament::Format::of(chumchu, chumchu).unwrap()),
        }
    };
    let organise =
        |event| here.organise("desk", move |_| Ok::<_, LedgerError>(vec![Act::Tournament(event)]));
    venue.network.cut();
    let refused = organise(begun()).await;
    assert!(matches!(&refused, Err(LedgerError::Cut(_))), "{refused:?}");
    assert!(refused.unwrap_err().to_string().contains("has to wait"));
    // Another machine could open the same table.
    let refused = append(&here, 2, opened("chumchu")).await;
    assert!(matches!(&refused, Err(LedgerError::Cut(_))), "{refused:?}");
    let refused = here.choose("1 x", Keep::Table, "desk").await;
    assert!(matches!(&refused, Err(LedgerError::Cut(_))), "{refused:?}");
    append(&here, 1, DRAW).await.unwrap();
    venue.network.mend();
    here.send_unsent().await.unwrap();
    organise(begun()).await.unwrap();
    assert!(venue.other().await.tournament_ledger().await.unwrap().tournament().is_ok());
}

/// A penalty at one table is known at the others: once there is a network, where it was given without.
#[tokio::test]
async fn other_tables_follow_what_is_sent_later() {
    let Some(server) = Server::of_this_program() else { return };
    let (direct, database) = server.database();
    let other = seated(&direct, 8, 2).await;
    let network = Network::to(server, &database).await;
    let folder = tempfile::tempdir().unwrap();
    let here = Ledger::open_beside(&network.address, &folder.path().join("venue")).await.unwrap();
    network.cut();
    let fined = tilelens::table::Penalty {
        player: 0,
        cause: Some("error".into()),
        points: None,
        note: String::new(),
    };
    let state = append(&here, 1001, Event::Penalty(fined)).await.unwrap();
    let player = state.players[0].name.clone();
    assert_eq!(here.unsent().await.unwrap().tables, [(1001, 1)].into());
    network.mend();
    here.send_unsent().await.unwrap();
    let penalties = async |table: u32| {
        let state = other.state(table).await.unwrap();
        state.players.iter().find(|one| one.name == player).map(|one| one.penalties)
    };
    assert_eq!(penalties(1001).await, Some(1));
    let again = penalties(2001).await.or(penalties(2002).await);
    assert_eq!(again, Some(1), "he sits at one of them");
    assert!(other.verify().await.unwrap().is_intact());
}

/// A network that is pulled out says nothing.
#[tokio::test]
async fn a_network_that_falls_silent_is_one_that_is_cut() {
    let Some(venue) = Venue::with_deals(1).await else { return };
    let (here, other) = (venue.machine().await, venue.other().await);
    venue.network.fall_silent();
    append(&here, 1, with_hand(1)).await.unwrap();
    append(&here, 1, with_hand(2)).await.unwrap();
    let (sent, written) = tokio::join!(here.send_unsent(), append(&here, 1, DRAW));
    assert!(sent.is_err() && written.unwrap().history.len() == 4);
    assert_eq!(other.state(1).await.unwrap().history.len(), 1);
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!(other.events(1).await.unwrap(), here.events(1).await.unwrap());
    assert_eq!(other.state(1).await.unwrap().history.len(), 4);
}

/// A file that cannot be written loses nothing that the database has, and is of no use until it can.
#[tokio::test]
async fn a_file_that_fails_does_not_keep_the_database_from_writing() {
    let Some(venue) = Venue::with_deals(1).await else { return };
    let (here, other) = (venue.machine().await, venue.other().await);
    let files = venue.files().await;
    const FAILS: &str =
        "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END;";
    meddle(&files[0], FAILS).await;
    append(&here, 1, with_hand(1)).await.unwrap();
    append(&here, 1, with_hand(2)).await.unwrap();
    assert_eq!(other.state(1).await.unwrap().history.len(), 3);
    venue.network.cut();
    let refused = append(&here, 1, DRAW).await;
    assert!(matches!(refused, Err(LedgerError::Unreachable { .. })), "{refused:?}");
    venue.network.mend();
    meddle(&files[0], "DROP TRIGGER full;").await;
    here.send_unsent().await.unwrap();
    venue.network.cut();
    assert_eq!(append(&here, 1, DRAW).await.unwrap().history.len(), 4);
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!(other.state(1).await.unwrap().history.len(), 4);
    assert!(other.branches().await.unwrap().is_empty());
}

/// The database itself is killed and started while everybody writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_is_killed_keeps_nobody_waiting() {
    let Some(server) = Server::that_syncs() else { return };
    let (address, _) = server.database();
    let first = Ledger::create(&address).await.unwrap();
    for table in 1..=4 {
        append(&first, table, opened("chumchu")).await.unwrap();
    }
    first.close().await;
    let folder = tempfile::tempdir().unwrap();
    let mut writers = Vec::new();
    for table in 1..=4 {
        let beside = folder.path().join(table.to_string());
        let here = Ledger::open_beside(&address, &beside).await.unwrap();
        writers.push(tokio::spawn(async move {
            for deal in 0..16 {
                let sent = Entry::new(paid(deal % 4), "test")
                    .once(format!("{deal}"))
                    .after(deal as u64 + 1);
                let state = here.append(table, sent).await.unwrap();
                assert_eq!(state.history.len(), deal + 1);
                if deal % 5 == 4 {
                    let _ = here.send_unsent().await;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            (here, table)
        }));
    }
    for _ in 0..2 {
        tokio::time::sleep(std::time::Duration::from_millis(120)).await;
        server.kill();
        server.start();
    }
    let other = Ledger::open(&address).await.unwrap();
    for writer in writers {
        let (here, table) = writer.await.unwrap();
        here.send_unsent().await.unwrap();
        let state = other.state(table).await.unwrap();
        assert_eq!(state.history.len(), 16);
        assert_eq!(state.last_event, 17);
        assert_eq!(here.events(table).await.unwrap(), other.events(table).await.unwrap());
    }
    assert!(other.branches().await.unwrap().is_empty());
    assert!(other.verify().await.unwrap().is_intact());
}

/// A deal of a record, whose events were seen in that second.
fn recorded_deal(second: u64) -> Vec<SeenEvent> {
    let hands = r#"["?????????????","?????????????"]"#;
    let deal =
        format!(r#"{{"type":"deal","round":"E","dealer":0,"hands":{hands},"at":{second}000}}"#);
    let end = format!(r#"{{"type":"end","at":{second}000}}"#);
    [deal, end].map(|line| serde_json::from_str(&line).unwrap()).into()
}

#[tokio::test]
async fn a_record_goes_on_without_the_network_and_another_machines_is_left_alone() {
    let Some(venue) = Venue::with_deals(2).await else { return };
    let (here, other) = (venue.machine().await, venue.other().await);
    let text = async |ledger: &Ledger| ledger.record(1).await.unwrap().text();
    let start = RecordEnd::default();
    let mut last = here.append_record(1, start, recorded_deal(1), "camera").await.unwrap();
    venue.network.cut();
    for second in [2, 3] {
        last = here.append_record(1, last, recorded_deal(second), "camera").await.unwrap();
    }
    assert_eq!(here.unsent().await.unwrap().tables, [].into(), "no entry waits");
    let written = text(&here).await;
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!(text(&other).await, written);
    assert_eq!(venue.files().await.len(), 1);
    // Another machine records the table while this one is cut off.
    venue.network.cut();
    let ours = here.append_record(1, last, recorded_deal(4), "camera").await.unwrap();
    other.append_record(1, last, recorded_deal(5), "other").await.unwrap();
    let (written, theirs) = (text(&here).await, text(&other).await);
    venue.network.mend();
    here.send_unsent().await.unwrap();
    assert_eq!([text(&other).await, text(&here).await], [theirs.clone(), theirs]);
    assert!(other.branches().await.unwrap().is_empty());
    let said = here.append_record(1, ours, recorded_deal(6), "camera").await;
    assert!(matches!(said, Err(LedgerError::Meanwhile { .. })), "{said:?}");
    assert!(other.verify().await.unwrap().is_intact());
    let [kept, _] = &venue.files().await[..] else { panic!("what was not sent is kept") };
    assert_eq!(text(&Ledger::read(kept).await.unwrap()).await, written);
}

/// Programs that know no records would take one for a table.
#[tokio::test]
async fn a_database_of_an_older_format_takes_records_once_it_is_prepared() {
    let Some(venue) = Venue::with_deals(1).await else { return };
    venue.server.psql(&venue.database, "DELETE FROM tilelens.format WHERE number > 1");
    let ledger = venue.other().await;
    append(&ledger, 1, DRAW).await.unwrap();
    let said = ledger
        .append_record(1, RecordEnd::default(), recorded_deal(1), "camera")
        .await
        .unwrap_err();
    assert!(said.to_string().contains("`tilelens ledger prepare`"), "{said}");
    prepare(&venue.direct, &[]).await.unwrap();
    ledger.append_record(1, RecordEnd::default(), recorded_deal(1), "camera").await.unwrap();
}
