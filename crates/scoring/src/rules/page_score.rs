//! The rule page's sections on auxiliary points, the score of a total, and who pays it.

use std::fmt::Write as _;

use super::file::{
    CountersFile, CountersPayer, DoublingFile, OpenConcealed, PaymentFile, PointsFile, RuleFile,
    ScoreShare, Split, Splits, StakesFile,
};

/// How the points and the total of a hand are paid.
pub(super) fn write_score(page: &mut String, file: &RuleFile) -> std::fmt::Result {
    if let Some(points) = &file.points {
        write_points(page, points)?;
    }
    if let Some(doubling) = &file.doubling {
        write_doubling(page, doubling, file.limit_bonus == Some(true))?;
    }
    if let Some(table) = &file.table {
        writeln!(page, "## Table\n\n| total | score |\n|---|---|")?;
        for (faan, score) in table {
            writeln!(page, "| {faan} | {score} |")?;
        }
        writeln!(page)?;
    }
    if let Some(stakes) = &file.stakes {
        write_stakes(page, stakes)?;
    }
    file.payment.as_ref().map_or(Ok(()), |payment| write_payment(page, payment))
}

fn write_points(page: &mut String, points: &PointsFile) -> std::fmt::Result {
    writeln!(page, "## Auxiliary points\n\n| | open | concealed |\n|---|---|---|")?;
    let mut row = |name: &str, OpenConcealed { simple, major }: OpenConcealed| {
        writeln!(page, "| {name} of 2-8 | {} | {} |", simple[0], simple[1])?;
        writeln!(page, "| {name} of terminals and honors | {} | {} |", major[0], major[1])
    };
    row("pung", points.pung)?;
    row("kong", points.kong)?;
    writeln!(
        page,
        "\nPair of dragons {}, of the own wind {}, of the round's wind {}; self-drawn {}; \
         each flower or season {}.\n",
        points.dragon_pair,
        points.own_wind_pair,
        points.round_wind_pair,
        points.self_drawn,
        points.bonus_tile
    )?;
    for line in points_lines(points) {
        writeln!(page, "{line}\n")?;
    }
    let steps: Vec<String> =
        points.steps.iter().map(|(from, worth)| format!("from {from}: {worth}")).collect();
    if !steps.is_empty() {
        writeln!(page, "Worth: {}.\n", steps.join(", "))?;
    }
    Ok(())
}

/// `limit_bonus`: whether flowers add to limit hands.
fn write_doubling(
    page: &mut String,
    doubling: &DoublingFile,
    limit_bonus: bool,
) -> std::fmt::Result {
    writeln!(page, "## Score\n")?;
    let added = match doubling.added {
        0 => String::new(),
        times => format!("{times} times and "),
    };
    let more = if doubling.added == 0 { "once" } else { "once more" };
    writeln!(
        page,
        "The points, doubled {added}{more} for each of the total, at most {}.\n",
        doubling.most
    )?;
    if limit_bonus {
        writeln!(
            page,
            "Flowers add their points, doubled for the items of flowers, to limit hands below that and to sums of their own.\n"
        )?;
    }
    if let Some(from) = doubling.most_from.filter(|from| *from < doubling.most) {
        writeln!(page, "From {from} on it is {}.\n", doubling.most)?;
    }
    if !doubling.steps.is_empty() {
        writeln!(page, "| total | score |\n|---|---|")?;
        let mut names = doubling.names.iter();
        for (faan, score) in &doubling.steps {
            let name = names.next().map_or(String::new(), |name| format!(", {name}"));
            writeln!(page, "| from {faan}{name} | {score} |")?;
        }
        writeln!(page)?;
    }
    Ok(())
}

fn write_stakes(page: &mut String, stakes: &StakesFile) -> std::fmt::Result {
    writeln!(page, "## Score\n")?;
    writeln!(page, "{}, and {} for each of the total.\n", stakes.base, stakes.unit)?;
    if stakes.dealer != 0 || stakes.repeat != 0 {
        writeln!(
            page,
            "What East pays and is paid counts {} more, and {} more for each time that he has stayed.\n",
            stakes.dealer, stakes.repeat
        )?;
    }
    Ok(())
}

fn write_payment(page: &mut String, payment: &PaymentFile) -> std::fmt::Result {
    writeln!(page, "## Payment (times the score)\n")?;
    write_splits(page, payment)?;
    if let Some(most) = payment.others_at_most {
        writeln!(
            page,
            "- on a claimed tile nobody but who is responsible pays more than {most}: he pays the rest"
        )?;
    }
    if payment.plus != 0 {
        writeln!(page, "- each payer, who pays nothing else too: {} more", payment.plus)?;
    }
    if payment.plus_self_draw != 0 {
        writeln!(page, "- each payer of a self-draw: {} more", payment.plus_self_draw)?;
    }
    if let Some(multiple) = payment.round_up_to {
        writeln!(page, "- each payer's amount is rounded up to a multiple of {multiple}")?;
    }
    if payment.counters != CountersFile::default() {
        writeln!(
            page,
            "- each counter on the table: {} from who gave the tile, or {} from each",
            payment.counters.claimed, payment.counters.self_draw
        )?;
    }
    if payment.liable_shared {
        let counters = match payment.counters.with_liable {
            CountersPayer::Giver => "the giver",
            CountersPayer::Liable => "the liable player",
        };
        writeln!(
            page,
            "- a liable player and another who gave the tile pay half each, {counters} the counters"
        )?;
    }
    if payment.stick != 0 {
        writeln!(page, "- each stick on the table: {} to the winner", payment.stick)?;
    }
    writeln!(page)
}

/// Who pays which part of the score, by the way of winning.
fn write_splits(page: &mut String, payment: &PaymentFile) -> std::fmt::Result {
    let PaymentFile { discard, self_draw, safe, liable, liable_self_draw, robbed, .. } = *payment;
    let always = [discard, self_draw, safe, liable, liable_self_draw, robbed];
    for (who, splits) in [
        ("", always),
        ("East wins: ", splits_of(payment.east_winner)),
        ("Three players: ", splits_of(payment.three_players)),
    ] {
        let kinds = [
            "on a discard",
            "self-drawn",
            "on a safe tile",
            "with a liable feeder (as discarder)",
            "self-drawn with a liable feeder (as discarder)",
            "on a robbed kong (from its owner as discarder)",
        ];
        for (kind, found) in kinds.iter().zip(splits) {
            if let Some(found) = found {
                writeln!(page, "- {who}{kind}: {}", split(&found))?;
            }
        }
    }
    Ok(())
}

fn share(ScoreShare(share): ScoreShare) -> String {
    share.to_string()
}

fn splits_of(splits: Splits) -> [Option<Split>; 6] {
    let Splits { discard, self_draw, safe, liable, liable_self_draw, robbed } = splits;
    [discard, self_draw, safe, liable, liable_self_draw, robbed]
}

fn split(split: &Split) -> String {
    let mut text = match split.discarder {
        Some(first) => {
            format!("{} from the discarder, {} from each other", share(first), share(split.others))
        }
        None => format!("{} from each", share(split.others)),
    };
    if let Some(east) = split.east {
        let _ = write!(text, ", {} from East", share(east));
    }
    if split.round_up {
        text += ", rounded up";
    }
    text
}

/// The auxiliary points beside those of sets, pairs and flowers.
fn points_lines(points: &PointsFile) -> Vec<String> {
    let mut lines = Vec::new();
    if points.base != 0 || points.concealed_claimed != 0 || points.narrow_wait != 0 {
        lines.push(format!(
            "Every hand {}; a concealed hand that claimed its last tile {} more; the winning tile in the \
             middle of a chow, at its closed end or in the pair {}.",
            points.base, points.concealed_claimed, points.narrow_wait
        ));
    }
    if points.mah_jong != 0 {
        lines.push(format!("A winner's four sets and a pair: {}.", points.mah_jong));
    }
    if let [simples, majors] = points.pair_completed
        && simples + majors != 0
    {
        lines.push(format!(
            "A pair completed by the winning tile: {simples} of 2-8, {majors} of terminals and honors."
        ));
    }
    if points.only_tile != 0 {
        lines.push(format!("The only tile that was waited for: {}.", points.only_tile));
    }
    if let Some(both) = points.both_winds_pair {
        lines.push(format!("A pair that is own and round wind at once: {both}."));
    }
    if !points.self_drawn_unless.is_empty() {
        let names = points.self_drawn_unless.join(", ");
        lines.push(format!("A self-draw brings nothing with: {names}."));
    }
    if let Some(pairs) = points.seven_pairs {
        lines.push(format!("Seven pairs have {pairs} in all."));
    }
    if points.open_least != 0 {
        lines.push(format!("A hand with claimed sets has at least {}.", points.open_least));
    }
    if let Some(multiple) = points.rounded_up_to {
        lines.push(format!("The sum is rounded up to a multiple of {multiple}."));
    }
    lines
}
