//! Short entries of an evening: converts a line typed at the prompt to the words of a command of `tilelens table`. Pure
//! text: the command looks players up.

/// The meaning of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Short {
    /// Nothing was typed.
    Nothing,
    /// A command's name and its arguments, without the file.
    Command(Vec<String>),
    /// The help.
    Help,
    /// The evening is over.
    Quit,
}

/// The help of the prompt.
pub(super) const HELP: &str = "\
  bo di 7           Bo wins 7 on Di's discard, in the rule set's unit; names may be shortened, seats are E S W N
  bo t 7            Bo wins 7 by self-draw (also * or tsumo)
  bo di 3/30        han and fu; mangan, yakuman, 2 yakuman
  bo di 7 cy 3      Cy wins 3 on the same discard
  bo di 152 ann 64 cy 200 di 152   what the others' hands are worth, where the rules score all hands (classical)
  bo di 7 kong      he robs Di's kong; pao cy: Cy is liable; safe: on a safe tile; r bo cy: Bo and Cy were in riichi
  bo di 7 resp cy   Cy is charged for Di's tile in his place; resp none: nobody is
  bo di =80         what Di paid, in place of a worth
  d                 a draw; d bo cy: they were tenpai; d noten: nobody was; d bo r cy: Cy had declared riichi;
                    d four_winds, d four_riichi r ann bo cy di: drawn before the wall ended, for a cause of the rules
  bo di 2 cy 1, kong ann, di t 3, end ann 1
                    a whole deal where play goes on after a win (sichuan): wins, kongs and false wins in their order, and
                    what the others had at the end of the wall. kong ann: concealed; kong ann di: with Di's discard;
                    kong ann +: added; then late, robbed, shot (the discard after it was won on). false bo: Bo's false
                    win. end ann 1 cy no di pig: Ann is ready for a hand of 1, Cy is not, Di holds his missing suit. A
                    hand may stand for its worth, with its missing suit: bo di 123m456m78m234p99p +9m -s
  u                 takes the last entry back; u 12: event 12
  ! at the end      it is meant: payments that no hand gives, a deal that was entered a moment ago
  help, quit, and every command of `tilelens table` without its file, such as: penalty bo --cause late
";

/// Why a line is no entry.
type Problem = String;

/// What the words of a line may be at a table.
#[derive(Debug, Default)]
pub(super) struct Known<'a> {
    /// The players.
    pub(super) names: Vec<&'a str>,
    /// The causes that end a deal before the wall does, by the rules.
    pub(super) causes: Vec<&'a str>,
    /// The limits of the rules that are worths, in lower case and any language.
    pub(super) limits: Vec<String>,
    /// Whether the hands of those who have not won are scored too: no other wins beside the winner.
    pub(super) scores_all: bool,
    /// Whether play goes on after a win: a line is a whole deal.
    pub(super) plays_on: bool,
    /// The commands of `tilelens table`.
    pub(super) commands: Vec<String>,
}

/// Parses a line.
pub(super) fn read(line: &str, known: &Known) -> Result<Short, Problem> {
    let (line, meant) = match line.trim().strip_suffix('!') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let words = words(line)?;
    let plain: Vec<&str> = words.iter().map(String::as_str).collect();
    if known.is_whole_deal(&plain) {
        let mut command = vec!["deal".to_owned(), format!("--play={}", line.trim())];
        command.extend(meant.then(|| "--meant".to_owned()));
        return Ok(Short::Command(command));
    }
    let dealt = match plain[..] {
        [winner, giver, ref rest @ ..] => known.dealt(winner, giver, rest),
        _ => None,
    };
    let mut command = match (plain.as_slice(), dealt) {
        ([], _) => return Ok(Short::Nothing),
        ([winner, giver, ..], Some((worth, rest))) => deal(winner, giver, &worth, rest, known)?,
        (["d", rest @ ..], _) => draw(rest, known),
        (["u", rest @ ..], _) => {
            std::iter::once("undo").chain(rest.iter().copied()).map(str::to_owned).collect()
        }
        (["?" | "h" | "help"], _) => return Ok(Short::Help),
        (["q" | "quit" | "exit"], _) => return Ok(Short::Quit),
        _ => words,
    };
    command.extend(meant.then(|| "--meant".to_owned()));
    Ok(Short::Command(command))
}

impl Known<'_> {
    /// The worth at the beginning of some words, and the words after it: a limit, which may be several words, or one that
    /// begins with a digit or a fraction; an amount begins with `=`.
    fn worth<'w>(&self, words: &'w [&'w str]) -> Option<(String, &'w [&'w str])> {
        let is_limit = |text: &str| {
            let name = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
            self.limits.contains(&name.trim_start().to_lowercase())
        };
        let several = (1..=words.len()).rev().map(|count| words.split_at(count));
        let mut several = several.map(|(worth, rest)| (worth.join(" "), rest));
        let number = |letter: char| letter.is_ascii_digit() || "½=".contains(letter);
        several.find(|(text, _)| is_limit(text)).or_else(|| {
            let (first, rest) = words.split_first()?;
            first.starts_with(number).then(|| ((*first).to_owned(), rest))
        })
    }

    /// Whether a line is a deal from its first win to its end, which only rules have in which play goes on after a win.
    fn is_whole_deal(&self, words: &[&str]) -> bool {
        let [first, second, ..] = words else { return false };
        let is_undo = *first == "u" && second.parse::<u64>().is_ok() && words.len() == 2;
        // `end` alone, or with an option, ends the session; before players it is the end of the wall.
        let is_command = *first != "end" && self.commands.iter().any(|known| known == first);
        self.plays_on && !is_undo && !is_command && !words.iter().any(|it| it.starts_with("--"))
    }

    /// The worth of a deal and the words after it. Other words than a worth after two players are refused as a worth,
    /// unless the first word or an option shows that the line is a command.
    fn dealt<'w>(
        &self,
        winner: &str,
        giver: &str,
        rest: &'w [&'w str],
    ) -> Option<(String, &'w [&'w str])> {
        let is_option = |word: &str| word.starts_with("--");
        if is_option(giver) {
            return None;
        }
        self.worth(rest).or_else(|| {
            let is_command =
                ["d", "u"].contains(&winner) || self.commands.iter().any(|known| known == winner);
            let other = !rest.is_empty() && !is_command && !rest.iter().any(|word| is_option(word));
            other.then(|| (rest.join(" "), &[][..]))
        })
    }
}

/// Words of a line; quotes keep spaces.
fn words(line: &str) -> Result<Vec<String>, Problem> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for letter in line.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() && !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quoted { Err("a quote is not closed".to_owned()) } else { Ok(words) }
}

/// Whether a word in the giver's place means self-drawn. A letter that may be a player's name does not.
pub(super) fn is_self_draw(word: &str, names: &[&str]) -> Result<bool, Problem> {
    let said = word.to_lowercase();
    let by_letter = said == "t";
    let known = by_letter || ["*", "tsumo", "zimo", "self"].contains(&said.as_str());
    match names.iter().find(|name| by_letter && name.to_lowercase().starts_with(&said)) {
        Some(name) => Err(format!(
            "`{word}` may be a self-draw or {name}: write * for a self-draw, or more of the name"
        )),
        None => Ok(known),
    }
}

fn deal(
    winner: &str,
    giver: &str,
    worth: &str,
    rest: &[&str],
    known: &Known,
) -> Result<Vec<String>, Problem> {
    let mut command = vec!["deal".to_owned(), format!("--winner={winner}")];
    let self_draw = is_self_draw(giver, &known.names)?;
    let robbed = !self_draw && rest.contains(&"kong");
    command.push(match (self_draw, robbed) {
        (true, _) => "--self-draw".to_owned(),
        (false, true) => format!("--rob-kong={giver}"),
        (false, false) => format!("--from={giver}"),
    });
    match worth.strip_prefix('=') {
        None => command.push(format!("--worth={worth}")),
        Some(_) if self_draw => {
            return Err(format!(
                "{worth}: of a self-draw say what each paid, such as: deal -w {winner} --self-draw --pay {winner}=60,..."
            ));
        }
        // A comma parts payments.
        Some(amount) => {
            let amount = amount.replace(',', ".");
            command.push(format!("--pay={winner}={amount},{giver}=-{amount}"));
        }
    }
    let mut words = rest;
    while let [word, rest @ ..] = words {
        words = rest;
        match (*word, rest) {
            ("kong", _) if robbed => {}
            ("safe", _) => command.push("--tile=own".to_owned()),
            ("pao", [who, rest @ ..]) => {
                command.push(format!("--pao={who}"));
                words = rest;
            }
            ("pao", []) => return Err("pao: who is liable?".to_owned()),
            ("resp", [who, rest @ ..]) => {
                command.push(format!("--responsible={who}"));
                words = rest;
            }
            ("resp", []) => return Err("resp: who is charged for the tile, or none?".to_owned()),
            ("r", who) => {
                command.push(format!("--riichi={}", who.join(",")));
                words = &[];
            }
            _ => match known.worth(rest).filter(|(worth, _)| !worth.starts_with('=')) {
                Some((worth, rest)) => {
                    let option = if known.scores_all { "other" } else { "also" };
                    command.push(format!("--{option}={word}={worth}"));
                    words = rest;
                }
                None => {
                    return Err(format!(
                        "`{word}`: expected another winner and his worth, or kong, safe, pao, resp or r (help lists them)"
                    ));
                }
            },
        }
    }
    Ok(command)
}

fn draw(rest: &[&str], known: &Known) -> Vec<String> {
    let mut command = vec!["draw".to_owned()];
    let split = rest.iter().position(|word| *word == "r").unwrap_or(rest.len());
    let (tenpai, riichi) = rest.split_at(split);
    match tenpai {
        [] => {}
        ["noten"] => command.push("--noten".to_owned()),
        [cause] if known.causes.contains(cause) => command.push(format!("--abortive={cause}")),
        [first, ..] if first.starts_with("--") => {
            command.extend(tenpai.iter().map(|word| (*word).to_owned()));
        }
        who => command.push(format!("--tenpai={}", who.join(","))),
    }
    if let [_, who @ ..] = riichi {
        command.push(format!("--riichi={}", who.join(",")));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["Ann", "Bo", "Cy", "Di"];

    fn known<'a>(names: &[&'a str]) -> Known<'a> {
        Known {
            names: names.to_vec(),
            causes: vec!["four_winds", "nine_terminals"],
            limits: ["mangan", "kazoe yakuman", "yakuman"].map(str::to_owned).to_vec(),
            scores_all: false,
            plays_on: false,
            commands: ["correct", "deal", "end", "penalty"].map(str::to_owned).to_vec(),
        }
    }

    /// The words of the command, by a space.
    fn command(line: &str) -> String {
        match read(line, &known(&NAMES)) {
            Ok(Short::Command(words)) => words.join(" "),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn deals_are_read_from_a_few_letters() {
        for (line, meant) in [
            ("bo di 7", "deal --winner=bo --from=di --worth=7"),
            (" bo  t 3/30 r bo cy ", "deal --winner=bo --self-draw --worth=3/30 --riichi=bo,cy"),
            ("e * yakuman", "deal --winner=e --self-draw --worth=yakuman"),
            ("bo di 7 cy 3 ann ½", "deal --winner=bo --from=di --worth=7 --also=cy=3 --also=ann=½"),
            ("bo di 7 kong pao cy", "deal --winner=bo --rob-kong=di --worth=7 --pao=cy"),
            ("bo di 70 resp none", "deal --winner=bo --from=di --worth=70 --responsible=none"),
            ("bo di 4 safe", "deal --winner=bo --from=di --worth=4 --tile=own"),
            ("bo di =127½", "deal --winner=bo --from=di --pay=bo=127½,di=-127½"),
            ("bo di =20,5!", "deal --winner=bo --from=di --pay=bo=20.5,di=-20.5 --meant"),
            // Players called Di, Ute or Quinn win like anybody else.
            ("d bo 7", "deal --winner=d --from=bo --worth=7"),
            ("u bo 7 !", "deal --winner=u --from=bo --worth=7 --meant"),
            ("q bo yakuman", "deal --winner=q --from=bo --worth=yakuman"),
            ("e s mangan", "deal --winner=e --from=s --worth=mangan"),
            (
                "e s 2 yakuman cy Mangan",
                "deal --winner=e --from=s --worth=2 yakuman --also=cy=Mangan",
            ),
            ("e s kazoe yakuman r e", "deal --winner=e --from=s --worth=kazoe yakuman --riichi=e"),
            // No limit of these rules: refused as a worth.
            ("e s half a limit", "deal --winner=e --from=s --worth=half a limit"),
            ("d bo haneman", "draw --tenpai=bo,haneman"),
        ] {
            assert_eq!(command(line), meant, "{line}");
        }
    }

    #[test]
    fn a_line_is_a_whole_deal_where_play_goes_on_after_a_win() {
        let known = Known { plays_on: true, ..known(&NAMES) };
        for line in ["bo di 2", "bo di 2 cy 1, kong ann +, end ann 1 ", "end ann 1 cy no", "u bo 2"]
        {
            let deal = vec!["deal".to_owned(), format!("--play={}", line.trim())];
            assert_eq!(read(line, &known), Ok(Short::Command(deal)), "{line}");
        }
        let meant = ["deal", "--play=bo di 2", "--meant"].map(str::to_owned).to_vec();
        assert_eq!(read("bo di 2!", &known), Ok(Short::Command(meant)));
        let others = [
            "u 12",
            "u",
            "d",
            "end",
            "end --why late",
            "penalty bo --cause late",
            "penality bo --cause late",
            "q",
        ];
        for line in others {
            let words = format!("{:?}", read(line, &known));
            assert!(!words.contains("--play"), "{line}: {words}");
        }
    }

    #[test]
    fn draws_undo_and_commands_are_read() {
        for (line, meant) in [
            ("d", "draw"),
            ("d noten", "draw --noten"),
            ("d bo cy r di", "draw --tenpai=bo,cy --riichi=di"),
            ("d r di", "draw --riichi=di"),
            ("d --abortive four_winds", "draw --abortive four_winds"),
            ("d four_winds", "draw --abortive=four_winds"),
            ("d four_winds r bo cy", "draw --abortive=four_winds --riichi=bo,cy"),
            ("d nine_terminals!", "draw --abortive=nine_terminals --meant"),
            // The rules have no such cause: it is looked up as a player.
            ("d four_riichi", "draw --tenpai=four_riichi"),
            ("d!", "draw --meant"),
            ("u", "undo"),
            ("u 12", "undo 12"),
            ("correct --deal 3 --draw", "correct --deal 3 --draw"),
            ("penalty bo late", "penalty bo late"),
            ("penality bo --cause late", "penality bo --cause late"),
            // No worth: no deal.
            ("bo di", "bo di"),
        ] {
            assert_eq!(command(line), meant, "{line}");
        }
        let hand = ["deal", "34p777p99p +5p", "-w", "Bo"].map(str::to_owned).to_vec();
        assert_eq!(read("deal \"34p777p99p +5p\" -w Bo", &known(&NAMES)), Ok(Short::Command(hand)));
        assert_eq!(read("  ", &known(&NAMES)), Ok(Short::Nothing));
        assert_eq!(read("q", &known(&NAMES)), Ok(Short::Quit));
    }

    #[test]
    fn what_is_no_entry_says_what_was_expected() {
        for (line, said) in [
            ("bo di 7 cy", "`cy`"),
            ("bo di 7 pao", "who is liable"),
            ("bo di 7 resp", "who is charged"),
            ("bo t =80", "--pay"),
            ("deal \"12", "not closed"),
        ] {
            assert!(read(line, &known(&NAMES)).unwrap_err().contains(said), "{line}");
        }
        let with_tom = ["Ann", "Bo", "Cy", "Tom"];
        assert!(read("bo t 7", &known(&with_tom)).unwrap_err().contains("Tom"));
        assert!(
            read("bo * 7", &known(&with_tom)).is_ok() && read("bo to 7", &known(&with_tom)).is_ok()
        );
    }
}
