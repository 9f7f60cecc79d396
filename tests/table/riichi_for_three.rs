//! Tables of riichi for three: an evening whose totals are computed beside the program, places at the end, what differs
//! from four.

use crate::support::session::{Evening, NAMES, opened};
use tilelens::{
    table::{Chombo, Deal, Draw, Event, Opened, Over, Table, WinBy, Winner},
    tile::Seat::{North, South, West},
};

/// A deal of three: by the players in their order.
enum Dealt {
    /// The winner, who gave the tile, the worth as it is said, its base points, who declared riichi.
    Won(usize, Option<usize>, &'static str, i64, &'static [usize]),
    /// Who was tenpai, and who of them had declared riichi.
    Drawn(&'static [usize], &'static [usize]),
    /// Nine terminals and honors on the first turn.
    Void,
}
use Dealt::{Drawn, Void, Won};

const SHEET: [Dealt; 16] = [
    Won(1, Some(2), "3/30", 960, &[]),
    Won(1, None, "2/30", 480, &[]),
    Drawn(&[1, 2], &[]),
    Won(2, None, "mangan", 2000, &[2]),
    Drawn(&[], &[]),
    Won(0, Some(1), "2/40", 640, &[]),
    Won(1, Some(0), "1/30", 240, &[]),
    Drawn(&[0, 1, 2], &[0, 2]),
    Won(1, None, "2/40", 640, &[]),
    Void,
    Won(2, Some(1), "1/40", 320, &[]),
    Drawn(&[2], &[]),
    Won(0, Some(2), "2/30", 480, &[]),
    Won(2, Some(0), "2/30", 480, &[]),
    Drawn(&[1], &[1]),
    Won(0, None, "5/30", 2000, &[0]),
];

/// The totals of three players, by the text of the rules alone.
struct Sums {
    totals: [i64; 3],
    dealer: usize,
    counters: i64,
    sticks: i64,
}

impl Sums {
    fn new() -> Self {
        Self { totals: [35_000; 3], dealer: 0, counters: 0, sticks: 0 }
    }

    fn pay(&mut self, from: usize, to: usize, points: i64) {
        self.totals[from] -= points;
        self.totals[to] += points;
    }

    fn put_down(&mut self, riichi: &[usize]) {
        for &player in riichi {
            self.totals[player] -= 1000;
            self.sticks += 1;
        }
    }

    fn play(&mut self, deal: &Dealt) {
        let hundreds = |points: i64| (points + 99) / 100 * 100;
        let stays = match *deal {
            Won(winner, from, _, base, riichi) => {
                self.put_down(riichi);
                let dealer = self.dealer;
                let is_east = |player| player == dealer;
                match from {
                    Some(from) => {
                        let times = if is_east(winner) { 6 } else { 4 };
                        let points = hundreds(times * base) + 200 * self.counters;
                        self.pay(from, winner, points);
                    }
                    None => {
                        for from in (0..3).filter(|player| *player != winner) {
                            let times = if is_east(winner) || is_east(from) { 2 } else { 1 };
                            self.pay(from, winner, hundreds(times * base) + 100 * self.counters);
                        }
                    }
                }
                self.totals[winner] += 1000 * std::mem::take(&mut self.sticks);
                self.counters = if winner == self.dealer { self.counters + 1 } else { 0 };
                winner == self.dealer
            }
            Drawn(tenpai, riichi) => {
                self.put_down(riichi);
                for &player in tenpai {
                    for other in (0..3).filter(|other| !tenpai.contains(other)) {
                        self.pay(other, player, 1000);
                    }
                }
                self.counters += 1;
                tenpai.contains(&self.dealer)
            }
            Void => {
                self.counters += 1;
                true
            }
        };
        if !stays {
            self.dealer = (self.dealer + 1) % 3;
        }
    }
}

/// A deal as it is typed at the prompt.
fn event(evening: &Evening, deal: &Dealt) -> Event {
    let rules = evening.table.rules().unwrap();
    match *deal {
        Won(player, from, worth, _, riichi) => {
            let worth = Some(rules.read_worth(worth).unwrap());
            let win = if from.is_some() { WinBy::Discard } else { WinBy::SelfDraw };
            let winners = vec![Winner { player, win, from, worth, ..Winner::default() }];
            Event::Deal(Deal { winners, riichi: riichi.to_vec(), ..Deal::default() })
        }
        Drawn(tenpai, riichi) => Event::Draw(Draw {
            tenpai: Some(tenpai.to_vec()),
            riichi: riichi.to_vec(),
            ..Draw::default()
        }),
        Void => {
            Event::Draw(Draw { abortive: Some("nine_terminals".to_owned()), ..Draw::default() })
        }
    }
}

#[test]
fn an_evening_of_sixteen_deals_comes_to_what_the_text_says() {
    let mut evening = Evening::opened(opened("riichi-sanma", 3));
    let mut sums = Sums::new();
    for (number, deal) in SHEET.iter().enumerate() {
        evening.enter(event(&evening, deal)).unwrap();
        sums.play(deal);
        let state = evening.state();
        assert_eq!(evening.totals(), sums.totals.map(|it| it.to_string()).join(" "), "{number}");
        assert_eq!(state.place.dealer, sums.dealer, "{number}");
        assert_eq!(state.place.honba.map(i64::from), Some(sums.counters), "{number}");
        assert_eq!(state.place.sticks.map(i64::from), Some(sums.sticks), "{number}");
        assert_eq!(sums.totals.iter().sum::<i64>() + 1000 * sums.sticks, 105_000);
    }
    // East and South are over, and nobody has 40,000: the West round.
    let state = evening.state();
    assert_eq!((state.place.round, &state.over), (West, &None));
    // Cy deals, wins and leads with more.
    evening.enter(event(&evening, &Won(2, Some(0), "mangan", 2000, &[]))).unwrap();
    let state = evening.state();
    assert_eq!(state.over, Some(Over::Target));
    let placed = |player: usize| state.players[player].placed.unwrap();
    let results = [0, 1, 2].map(|player| placed(player).result.to_string());
    // Compared with 40,000, 15,000 to the first; 20,000, 0 and -20,000 for the places.
    let [ann, bo, cy] =
        [0, 1, 2].map(|it| state.players[it].total.to_string().parse::<i64>().unwrap());
    let expected = [ann - 40_000 - 20_000, bo - 40_000, cy - 40_000 + 20_000 + 15_000];
    assert_eq!(results, expected.map(|result| result.to_string()));
    assert_eq!(expected.iter().sum::<i64>(), 0);
}

#[test]
fn level_players_are_placed_by_their_first_seats_and_rulings_give_other_places() {
    for (choice, uma) in [("20_0_20", 20_000), ("15_0_15", 15_000), ("5_0_5", 5_000)] {
        let rulings = vec![("sanma.uma".to_owned(), choice.to_owned())];
        let mut evening = Evening::opened(Opened { rulings, ..opened("riichi-sanma", 3) });
        evening.enter(Event::Ended { why: String::new() }).unwrap();
        let placed = evening.state().players.iter().map(|it| it.placed.unwrap().result.to_string());
        let expected = [uma + 10_000, -5_000, -uma - 5_000].map(|result| result.to_string());
        assert_eq!(placed.collect::<Vec<_>>(), expected, "{choice}");
    }
}

#[test]
fn what_four_have_and_three_have_not_is_refused() {
    let now = "2026-11-21T19:00:00Z".parse().unwrap();
    let open = |rules: &str, seated| {
        let opened = Table::new(1).complete(Event::Opened(opened(rules, seated)), now);
        opened.map(|_| ()).map_err(|error| error.to_string())
    };
    assert!(open("riichi-sanma", 4).unwrap_err().contains("played by three only"));
    assert!(open("riichi", 3).unwrap_err().contains("played by four only"));
    assert!(open("chumchu", 3).is_ok() && open("chumchu", 4).is_ok());
    let mut evening = Evening::opened(opened("riichi-sanma", 3));
    for cause in ["four_winds", "four_riichi"] {
        let abortive = Some(cause.to_owned());
        let drawn = Event::Draw(Draw { abortive, ..Draw::default() });
        assert!(evening.enter(drawn).is_err(), "{cause}");
    }
    for cause in ["nine_terminals", "four_kongs"] {
        let abortive = Some(cause.to_owned());
        evening.enter(Event::Draw(Draw { abortive, ..Draw::default() })).unwrap();
    }
    assert_eq!(evening.state().place.dealer, 0, "nothing is paid, East stays");
    assert_eq!(evening.state().at_seat(North), None);
}

/// A hand's Norths lie beside it; two counters, which both others pay.
#[test]
fn hands_count_the_norths_put_aside() {
    let hand = "123p456p789s23s55z +4s";
    let score = |north: u8| {
        let mut evening = Evening::opened(opened("riichi-sanma", 3));
        let mut winner = evening.winner(South, "self_draw", hand);
        winner.north = north;
        winner.riichi = true;
        let deal = Deal { winners: vec![winner], ..Deal::default() };
        evening.enter(Event::Deal(deal)).unwrap();
        let record = evening.state().last_deal().unwrap();
        record.winners[0].scored.as_ref().unwrap().faan.to_string().parse::<i32>().unwrap()
    };
    assert_eq!(score(2), score(0) + 2);
    let evening = Evening::opened(opened("riichi-sanma", 3));
    assert_eq!(evening.seats(), NAMES[..3].join(" "));
}

/// All discards unclaimed terminals and honors: as a self-drawn mangan; a chombo the other way round.
#[test]
fn nagashi_and_chombo_are_paid_by_two() {
    let mut evening = Evening::opened(opened("riichi-sanma", 3));
    let nagashi = vec![1];
    let drawn = Draw { tenpai: Some(vec![0]), nagashi, ..Draw::default() };
    evening.enter(Event::Draw(drawn)).unwrap();
    assert_eq!(evening.totals(), "31000 41000 33000");
    let fault = Chombo { player: 0, cause: Some("false_win".to_owned()), ..Chombo::default() };
    evening.enter(Event::Chombo(fault)).unwrap();
    assert_eq!(evening.totals(), "23000 45000 37000", "East pays each 4000");
}
