//! Whole sessions, with totals worked out by hand, deal by deal.

use crate::support::session::{Evening, opened};
use tilelens::{
    table::{Deal, Event, Over, Penalty, PlayerFault, TableError},
    tile::Seat::{East, North, South, West},
};

/// Hands of the rulebook (hands.jsonl); each says for which seats.
const D1: &str = "111z9s (1'11m) (9'99p) (4'44z) +9s";
const D3: &str = "34p777p99p (7'77z) (1'23p) +5p";
const D8: &str = "5s (1'23m) (4'56m) (7'89p) (2'34s) +5s";
const D11: &str = "345m2p234s (5'555p) [6666s] +2p";
const D12: &str = "123m567p34s678s22p +5s";
const C1: &str = "123m456m789p34p22m +5p";
const C2: &str = "67s22p (2'34m) (5'67m) (3'45p) +8s";
const C3: &str = "123m234p34s234m33p +5s";
const C6: &str = "19m19p1s12345677z +9s";
const C8: &str = "12312323434m99m +5m";

/// One doubling: only chows.
const CHOWS: &str = "123m456m789p23s55s +4s";

#[test]
fn sixteen_deals_of_mmm_dk() {
    let mut evening = Evening::of("mmm-dk");
    assert_eq!(evening.totals(), "0 0 0 0");
    // The winds rotate after every deal: Ann, Bo, Cy, Di sit E S W N, then N E S W, and so on.
    // East round.
    // 1. D3: 80 self-drawn, East half of it, the others a quarter.
    evening.win(West, "self_draw", D3);
    assert_eq!(evening.totals(), "-40 -20 80 -20");
    assert_eq!(evening.seats(), "Bo Cy Di Ann");
    // 2. D12: 40 by robbing East's kong. West is Di, East Bo.
    evening.win(West, "rob_kong E", D12);
    assert_eq!(evening.totals(), "-40 -60 80 20");
    // 3. D8: four claimed chows: the player to the left of North pays 20, though South discarded.
    //    North is Bo, West Ann.
    assert_eq!(evening.seats(), "Cy Di Ann Bo");
    evening.win(North, "discard S", D8);
    assert_eq!(evening.totals(), "-60 -40 80 20");
    // 4. D11: East's line, 42. East is Di, North Cy.
    evening.win(East, "discard N", D11);
    assert_eq!(evening.totals(), "-60 -40 38 62");
    // South round, Ann East again.
    assert_eq!(evening.state().place.round, South);
    assert_eq!(evening.seats(), "Ann Bo Cy Di");
    // 5. D1: 160. South is Bo, East Ann.
    evening.win(South, "discard E", D1);
    assert_eq!(evening.totals(), "-220 120 38 62");
    // 6. A draw passes the deal too.
    evening.draw();
    assert_eq!(evening.seats(), "Cy Di Ann Bo");
    // 7. Only chows: 20. West is Ann, South Di.
    evening.win(West, "discard S", CHOWS);
    assert_eq!(evening.totals(), "-200 120 38 42");
    // 8. Seven pairs 3, fully concealed 1: East's line 240, a third from each. East is Di.
    evening.win(East, "self_draw", "1122m3344p5566s7z +7z");
    assert_eq!(evening.totals(), "-280 40 -42 282");
    // West round.
    assert_eq!(evening.state().place.round, West);
    // 9. Own wind and round's wind: 40. West is Cy, North Di.
    evening.win(West, "discard N", "333z123m456p78s22p +9s");
    assert_eq!(evening.totals(), "-280 40 -2 242");
    evening.draw();
    // 11. Two win on one 4s of East's, 20 each: West is Ann, North Bo, East Cy.
    let winners = vec![
        evening.winner(West, "discard E", CHOWS),
        evening.winner(North, "discard E", "222m333m23s88p (7'77z) +4s"),
    ];
    evening.enter(Event::Deal(Deal { winners, ..Deal::default() })).unwrap();
    assert_eq!(evening.totals(), "-260 60 -42 242");
    // 12. Big dragons self-drawn: 600, all from who gave the third set. South is Ann, opposite
    //     North, Cy.
    evening.win(South, "self_draw", "23m55p (5'55z) (6'66z) (77'7z) +4m");
    assert_eq!(evening.totals(), "340 60 -642 242");
    // North round.
    assert_eq!(evening.state().place.round, North);
    // 13. Fully concealed, only chows, no majors: 80. South is Bo; East, Ann, pays half.
    evening.win(South, "self_draw", "234m567m345p678s2p +2p");
    assert_eq!(evening.totals(), "300 140 -662 222");
    // 14. One suit 2, no honors 3, concealed 1, only chows 1: 400. South is Cy, West Di.
    evening.win(South, "discard W", "12334556778m22m +9m");
    assert_eq!(evening.totals(), "300 140 -262 -178");
    evening.draw();
    // 16. The discards were entered: nobody has to be asked. West is Bo, South Ann.
    assert_eq!(evening.seats(), "Di Ann Bo Cy");
    for (player, tile) in [(3, "1z"), (0, "9m"), (1, "4p"), (2, "5m"), (3, "2z"), (0, "5s")] {
        evening.enter(Event::Discarded { player, tile: tile.to_owned() }).unwrap();
    }
    assert!(evening.state().over.is_none());
    evening.win(West, "discard S unasked", D12);
    assert_eq!(evening.totals(), "280 160 -262 -178");
    let state = evening.state();
    assert_eq!(state.over, Some(Over::Played));
    assert_eq!(state.history.len(), 16);
    let names: Vec<&str> = state.standings().iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Ann", "Bo", "Di", "Cy"]);
    assert!(matches!(evening.enter(Event::DRAW), Err(TableError::Over { .. })));
}

#[test]
fn sixteen_deals_of_chumchu() {
    let mut sitting = opened("chumchu", 4);
    sitting.players[3].new_player_wins = Some(0);
    let mut evening = Evening::opened(sitting);
    // 1. C1, 3: 6 from the discarder, 2 from each other. South is Bo, West Cy.
    evening.win(South, "discard W", C1);
    assert_eq!(evening.totals(), "-2 10 -6 -2");
    // 2. C3, 8: 16 and 4. South is Cy, West Di.
    evening.win(South, "discard W", C3);
    assert_eq!(evening.totals(), "-6 6 18 -18");
    // 3. C6, 21: 42, and half of 21 rounded up. South is Di, West Ann.
    evening.win(South, "discard W", C6);
    assert_eq!(evening.totals(), "-48 -5 7 46");
    // 4. C8, 18: 36 and 9. South is Ann, West Bo.
    evening.win(South, "discard W", C8);
    assert_eq!(evening.totals(), "6 -41 -2 37");
    // After the first round East and South change places, West and North too.
    assert_eq!(evening.seats(), "Bo Ann Di Cy");
    // 5. C1 self-drawn, 4 from each. South is Ann.
    evening.win(South, "self_draw", C1);
    assert_eq!(evening.totals(), "18 -45 -6 33");
    evening.draw();
    // 7. C3 on a tile that West has discarded himself: safe, 8 from each. West is Bo.
    assert_eq!(evening.seats(), "Di Cy Bo Ann");
    evening.win(West, "discard S own", C3);
    assert_eq!(evening.totals(), "10 -21 -14 25");
    // 8. C2 is worth 2: too little for Ann, enough for Di, new and with one win so far.
    assert_eq!(evening.seats(), "Cy Bo Ann Di");
    assert_eq!(evening.state().players[3].minimum.unwrap().to_string(), "1");
    assert!(matches!(
        evening.try_win(West, "discard N", C2),
        Err(TableError::NoWin(refusal)) if refusal.to_string().contains("minimum is 3")
    ));
    evening.win(North, "discard W", C2);
    assert_eq!(evening.totals(), "6 -22 -15 31");
    // After the second round East goes to West's place, West to South's, South to North's, North
    // to East's: Bo, Ann, Di, Cy sat E S W N.
    assert_eq!(evening.seats(), "Cy Di Bo Ann");
    // 9. Two win on East's 5p and pay each other. Di, C1: 6 from Cy, 2 from each other. Bo, seven
    //    pairs 4 and concealed 1: 10 from Cy, 3 from each other.
    let winners = vec![
        evening.winner(South, "discard E", C1),
        evening.winner(West, "discard E", "1133m5p22446688s +5p"),
    ];
    evening.enter(Event::Deal(Deal { winners, ..Deal::default() })).unwrap();
    assert_eq!(evening.totals(), "1 -8 -31 38");
    evening.draw();
    // Two penalties at once for four tiles knocked over, 10 and 20: from the standings alone.
    let cause = Some("knocked_over_four".to_owned());
    evening.enter(Event::Penalty(Penalty { player: 1, cause, ..Penalty::default() })).unwrap();
    assert_eq!(evening.totals(), "1 -8 -31 38");
    assert_eq!(evening.state().players[1].standing.to_string(), "-38");
    // 11. C1 on a tile passed since West's last turn: safe, 3 from each. West is Cy.
    assert_eq!(evening.seats(), "Bo Ann Cy Di");
    evening.win(West, "discard N passed", C1);
    assert_eq!(evening.totals(), "-2 -11 -22 35");
    // 12. Thirteen orphans self-drawn: 20, concealed 1, self-drawn 1, from each. East is Ann.
    evening.win(East, "self_draw", C6);
    assert_eq!(evening.totals(), "64 -33 -44 13");
    // After the third round as after the first: Cy, Di, Bo, Ann sat E S W N.
    assert_eq!(evening.seats(), "Di Cy Ann Bo");
    // 13. C8 by Cy from Di.
    evening.win(South, "discard E", C8);
    assert_eq!(evening.totals(), "55 -42 10 -23");
    // 14. Bo has too many tiles and cannot win this deal.
    let fault =
        PlayerFault { player: 1, cause: Some("too_many_tiles".to_owned()), note: String::new() };
    evening.enter(Event::DeadHand(fault)).unwrap();
    assert!(matches!(evening.try_win(West, "self_draw", C3), Err(TableError::Barred { .. })));
    evening.draw();
    // 15. C3 by Bo from Ann: the dead hand was for one deal. Ann, Bo, Di, Cy sit E S W N.
    assert_eq!(evening.seats(), "Ann Bo Di Cy");
    evening.win(South, "discard E", C3);
    assert_eq!(evening.totals(), "39 -18 6 -27");
    // 16. Di has won three times: his minimum is 3 now, and C1 is worth 3.
    assert_eq!(evening.seats(), "Bo Di Cy Ann");
    assert_eq!(evening.state().players[3].minimum.unwrap().to_string(), "3");
    evening.win(South, "discard E", C1);
    assert_eq!(evening.totals(), "37 -24 4 -17");
    assert_eq!(evening.state().over, Some(Over::Played));
    let standings: Vec<String> = (evening.state().standings().iter())
        .map(|player| format!("{} {}", player.name, player.standing))
        .collect();
    assert_eq!(standings, ["Ann 37", "Cy 4", "Di -17", "Bo -54"]);
}
