//! The rule page's lines on hands beyond the winner's: what sets and suits a hand may have, how losers are scored and
//! settled, and how a deal goes on after a win.

use super::{
    deal::{DealRules, Fine, FinedTo},
    file::RuleFile,
};

/// What a hand may consist of.
pub(super) fn hand_lines(file: &RuleFile) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(most) = file.most_chows {
        lines.push(format!("Sets and a pair have at most {most} chow."));
    }
    if let Some(most) = file.most_suits {
        lines.push(format!("A hand has at most {most} suits, none of them `missing`."));
    }
    if file.claimed_chows == Some(false) {
        lines.push("No chow is claimed.".to_owned());
    }
    lines
}

/// How the losers' hands are scored, and what losers pay each other.
pub(super) fn loser_lines(file: &RuleFile) -> Vec<String> {
    let Some(losers) = &file.losers else { return Vec::new() };
    let items = file.items.iter().flatten().filter(|(_, item)| item.everybody && !item.off);
    let items: Vec<String> = items.map(|(id, _)| format!("`{id}`")).collect();
    let short = if losers.short_is_dead { "nothing" } else { "as it lies" };
    let mut lines = vec![
        format!(
            "their sets, pairs and flowers have points as the winner's have; of the items they have {}",
            items.join(", ")
        ),
        format!(
            "a hand of too few tiles is scored {short}, one of too many or a dead hand scores nothing"
        ),
    ];
    if let Some(fishing) = losers.fishing.filter(|fishing| !fishing.off) {
        lines.push(format!(
            "a hand that one drawn tile would make a limit hand scores {} of it, if it had been declared (`fishing`)",
            fishing.share.0
        ));
    }
    if let Some(split) = file.payment.as_ref().and_then(|payment| payment.losers) {
        let east = split.east.unwrap_or(split.others).0;
        lines.push(format!(
            "of two losers the one with less pays the difference times {}, times {east} if East is one of them; nothing if somebody is liable",
            split.others.0
        ));
    }
    lines
}

/// How a deal goes on after a win, and what is paid beside wins.
pub(super) fn deal_lines(rules: &DealRules) -> Vec<String> {
    let kong = &rules.kong;
    let mut lines = vec![
        format!(
            "play goes on until {} have won, or to the end of the wall; who has won pays no more wins",
            rules.winners
        ),
        format!(
            "each player who has not won pays for a kong at once: {} for a concealed one, {} for one added with the tile just drawn, {} for one added later; for a claimed one its giver alone pays {}",
            kong.concealed, kong.added, kong.late, kong.claimed
        ),
    ];
    if !rules.shot_kong_kept {
        lines.push("a kong is paid back if the discard after it is won on".to_owned());
    }
    let to = match rules.pig.to {
        FinedTo::Everybody => "every other player",
        FinedTo::Playing => "every other player who has not won",
        FinedTo::Ready => "every player who is ready",
    };
    let fine = match rules.pig.fine {
        Fine::None => None,
        Fine::Points => Some(format!("pays {} to {to}", rules.pig.points)),
        Fine::Lost => Some(format!("loses {} to nobody", rules.pig.points)),
        Fine::Cap => Some(format!("pays {} to {to}", rules.cap)),
        Fine::Hand => Some(format!("pays {to} his dearest hand, at least {}", rules.pig.points)),
    };
    lines
        .extend(fine.map(|fine| format!("who holds a tile of his missing suit at the end {fine}")));
    if !rules.not_ready_pays_nothing {
        lines
            .push("who is not ready at the end pays each ready player his dearest hand".to_owned());
    }
    if rules.false_win > 0 {
        lines.push(format!(
            "who declares a win falsely pays {} to each player who has not won, and returns what he got for kongs",
            rules.false_win
        ));
    }
    if !rules.kongs_stay {
        lines.push("who is not ready at the end returns what he got for kongs".to_owned());
    }
    lines
}
