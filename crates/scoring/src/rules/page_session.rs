//! The rule page's section on a session.

use std::fmt::Write as _;

use super::{
    Halves, Level,
    session::{
        AfterTime, ChomboRules, DealEnd, DrawRules, EndRules, Leftover, PaidWinners, PenaltyRules,
        Repeated, SessionRules, StickRules,
    },
};

fn listed(ends: &[DealEnd]) -> String {
    let ends: Vec<&str> = (ends.iter())
        .map(|end| match end {
            DealEnd::Draw => "a draw",
            DealEnd::DealerNoten => "a draw in which East is not tenpai",
            DealEnd::DealerWins => "a win of East's",
            DealEnd::OtherWins => "a win of another's",
        })
        .collect();
    ends.join(", ")
}

impl SessionRules {
    /// The section of a rule set's page. `stick`: the value of one on the table.
    pub(super) fn write_page(
        &self,
        page: &mut String,
        (stick, minimum, three_players): (u32, Halves, bool),
    ) -> std::fmt::Result {
        writeln!(page, "## Session\n")?;
        if !self.kept {
            return writeln!(
                page,
                "A table under these rules is not kept yet: hands are scored one by one.\n"
            );
        }
        writeln!(page, "- Everybody starts with {}. {}.", self.initial_points, self.length())?;
        if let Some(wins) = self.dealer_wins {
            writeln!(page, "- It passes too when East has won {wins} times in a row.")?;
        }
        for (round, change) in self.seat_changes.iter().enumerate() {
            let moves: Vec<String> =
                change.iter().map(|(from, to)| format!("{from} to {to}")).collect();
            writeln!(page, "- Seats after round {}: {}.", round + 1, moves.join(", "))?;
        }
        if let Some(minutes) = self.clock_minutes {
            let after = match self.after_time {
                AfterTime::FinishDeal => "the deal being played is finished, none is started",
                AfterTime::FinishRound => "the round is finished",
                AfterTime::Stop => "play stops",
            };
            writeln!(page, "- Clock: {minutes} minutes; then {after}.")?;
        }
        self.write_counters(page)?;
        self.write_sticks(page, stick)?;
        self.write_draws(page)?;
        self.write_end(page)?;
        let repeated = |what: Repeated| match what {
            Repeated::Free => None,
            Repeated::NoWin => Some("cannot be won on"),
            Repeated::Safe => Some("is safe"),
        };
        if let Some(what) = repeated(self.discards.own) {
            writeln!(page, "- A tile that the winner discarded himself in this deal {what}.")?;
        }
        if let Some(what) = repeated(self.discards.passed) {
            writeln!(page, "- A tile discarded since the winner's last turn {what}.")?;
        }
        if let Some(handicap) = self.handicap {
            writeln!(
                page,
                "- A new player's minimum starts at {} and rises by {} with each of his wins, until it is {minimum}.",
                handicap.start, handicap.step
            )?;
        }
        if three_players {
            let aside = match self.three_players.tiles_aside {
                0 => String::new(),
                aside => format!(", and {aside} tiles are set aside"),
            };
            writeln!(page, "- Three players: no chow may be claimed{aside}.")?;
        }
        if let Some(wall) = &self.wall {
            writeln!(page, "- Wall: {wall}.")?;
        }
        self.write_penalties(page)?;
        for (title, causes) in [
            ("A dead hand cannot win", &self.dead_hands),
            ("A void claim is ignored", &self.void_claims),
        ] {
            if !causes.is_empty() {
                writeln!(page, "- {title}:")?;
            }
            for (id, about) in causes {
                writeln!(page, "  - `{id}`: {about}")?;
            }
        }
        writeln!(page)
    }

    /// How long a session is, and who deals next.
    fn length(&self) -> String {
        match self.deals {
            Some(deals) => format!(
                "{deals} deals; the first winner deals next, of several on one tile their giver, without a winner the same player"
            ),
            None => {
                let passes = listed(&self.deal_passes);
                format!("{} rounds; the deal passes after {passes}", self.rounds)
            }
        }
    }

    fn write_counters(&self, page: &mut String) -> std::fmt::Result {
        if !self.counters.after.is_empty() {
            let several = match self.counters.several {
                PaidWinners::Each => "of several winners each gets them",
                PaidWinners::First => "of several winners the first in turn gets them",
            };
            let after = listed(&self.counters.after);
            writeln!(page, "- A counter more after {after}; none after anything else; {several}.")?;
        }
        match self.most_winners {
            1 => writeln!(page, "- One winner: the next in turn after who gave the tile."),
            2 => writeln!(page, "- Two win on one tile at most."),
            _ => Ok(()),
        }
    }

    fn write_sticks(&self, page: &mut String, worth: u32) -> std::fmt::Result {
        if worth == 0 {
            return Ok(());
        }
        let StickRules { own_back, needs_points, leftover } = self.sticks;
        let several = if own_back {
            "of several winners each takes his own back, the first in turn all others"
        } else {
            "of several winners the first in turn takes all"
        };
        let short = if needs_points { "; nobody puts down what he does not have" } else { "" };
        let end = match leftover {
            Leftover::First => "at the end they go to the first",
            Leftover::Lost => "at the end they are lost",
        };
        writeln!(
            page,
            "- A stick is {worth} points and stays on the table until somebody wins; {several}{short}; {end}."
        )
    }

    fn write_draws(&self, page: &mut String) -> std::fmt::Result {
        let DrawRules { tenpai_pot, nagashi, abortive, riichi: _ } = &self.draw;
        if *tenpai_pot > 0 {
            writeln!(
                page,
                "- In a draw those who are not tenpai pay {tenpai_pot} together to those who are."
            )?;
        }
        if *nagashi > 0 {
            writeln!(
                page,
                "- A draw in which all discards of a player were terminals and honors, and none was claimed: paid like a self-draw of score {nagashi}."
            )?;
        }
        if !abortive.is_empty() {
            writeln!(page, "- A deal is drawn at once, nothing is paid and East stays:")?;
        }
        for (id, about) in abortive {
            writeln!(page, "  - `{id}`: {about}")?;
        }
        let ChomboRules { standings, score, causes } = &self.chombo;
        if self.chombo.are_known() {
            let mut costs = Vec::new();
            if *score > 0 {
                costs.push(format!("a self-draw of score {score} the wrong way round"));
            }
            if *standings > 0 {
                costs.push(format!("{standings} off the standings"));
            }
            let costs = costs.join(", ");
            writeln!(page, "- Chombo: the deal is void and played again; {costs}:")?;
            for (id, about) in causes {
                writeln!(page, "  - `{id}`: {about}")?;
            }
        }
        Ok(())
    }

    fn write_end(&self, page: &mut String) -> std::fmt::Result {
        let EndRules { leader_stops, bust, extension } = self.end;
        let target = self.placement.filter(|_| extension > 0).map(|it| it.return_points);
        if leader_stops {
            let with = target.map_or(String::new(), |target| format!(" with {target}"));
            writeln!(
                page,
                "- The last dealer does not deal again once he has won, or kept the deal at the end of the wall, and leads{with}."
            )?;
        }
        if bust {
            writeln!(page, "- Somebody with less than nothing ends the session.")?;
        }
        let Some(placement) = self.placement else { return Ok(()) };
        if extension > 0 {
            let rounds =
                if extension == 1 { "one round".to_owned() } else { format!("{extension} rounds") };
            writeln!(
                page,
                "- Where nobody has {}, {rounds} more at most: nothing more is played once the deal has passed and somebody has them, or once East has kept the deal and leads with them.",
                placement.return_points
            )?;
        }
        let uma: Vec<String> = placement.uma.places().iter().map(|uma| uma.signed()).collect();
        let level = match placement.level {
            Level::Share => "level players share",
            Level::SeatOrder => "of level players the first in the seats of the first deal",
        };
        let each = placement.return_points.saturating_sub(self.initial_points);
        let oka = if each > 0 { format!("; the first gets {each} of each") } else { String::new() };
        writeln!(page, "- At the end, from the first place on: {}; {level}{oka}.", uma.join(", "))
    }

    fn write_penalties(&self, page: &mut String) -> std::fmt::Result {
        let PenaltyRules { first, step, in_table, causes } = &self.penalties;
        let from = |in_table| if in_table { "the table's score" } else { "the standings" };
        let title = format!("- Point penalties, from {}", from(*in_table));
        if *first > 0 {
            writeln!(page, "{title}: {first}, each further one {step} more.")?;
        } else if self.penalties.are_known() {
            writeln!(page, "{title}:")?;
        }
        for (id, cause) in causes {
            let mut said = Vec::new();
            if cause.counts != 1 {
                said.push(format!("counts {} times", cause.counts));
            }
            said.extend(cause.points.map(|points| points.to_string()));
            if let Some(own) = cause.in_table.filter(|own| own != in_table) {
                said.push(format!("from {}", from(own)));
            }
            if cause.dead_hand {
                said.push("the hand is dead".to_owned());
            }
            let said =
                if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
            writeln!(page, "  - `{id}`: {}{said}", cause.about)?;
        }
        Ok(())
    }
}
