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
  bo di 3/30        han and fu; yakuman, 2yakuman
  bo di 7 cy 3      Cy wins 3 on the same discard
  bo di 7 kong      he robs Di's kong; pao cy: Cy is liable; safe: on a safe tile; r bo cy: Bo and Cy were in riichi
  bo di 7 resp cy   Cy is charged for Di's tile in his place; resp none: nobody is
  bo di =80         what Di paid, in place of a worth
  d                 a draw; d bo cy: they were tenpai; d noten: nobody was; d bo r cy: Cy had declared riichi;
                    d four_winds: drawn before the wall ended, for a cause of the rules
  u                 takes the last entry back; u 12: event 12
  ! at the end      it is meant: payments that no hand gives, a deal that was entered a moment ago
  help, quit, and every command of `tilelens table` without its file, such as: penalty bo --cause late
";

/// Why a line is no entry.
type Problem = String;

/// Parses a line. `names`: the table's players; `causes`: what ends a deal before the wall does, by the rules.
pub(super) fn read(line: &str, names: &[&str], causes: &[&str]) -> Result<Short, Problem> {
    let (line, meant) = match line.trim().strip_suffix('!') {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let words = words(line)?;
    let plain: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = match plain[..] {
        [] => return Ok(Short::Nothing),
        [winner, giver, worth, ref rest @ ..] if !giver.starts_with("--") && is_worth(worth) => {
            deal(winner, giver, worth, rest, names)?
        }
        ["d", cause] if causes.contains(&cause) => {
            vec!["draw".to_owned(), format!("--abortive={cause}")]
        }
        ["d", ref rest @ ..] => draw(rest),
        ["u", ref rest @ ..] => {
            std::iter::once("undo").chain(rest.iter().copied()).map(str::to_owned).collect()
        }
        ["?" | "h" | "help"] => return Ok(Short::Help),
        ["q" | "quit" | "exit"] => return Ok(Short::Quit),
        _ => words,
    };
    command.extend(meant.then(|| "--meant".to_owned()));
    Ok(Short::Command(command))
}

/// A worth begins with a digit or a fraction, an amount with `=`; other words are limit hands.
fn is_worth(word: &str) -> bool {
    let number = |letter: char| letter.is_ascii_digit() || "½=".contains(letter);
    word.starts_with(number) || ["yakuman", "limit"].contains(&word.to_lowercase().as_str())
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
fn is_self_draw(word: &str, names: &[&str]) -> Result<bool, Problem> {
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
    names: &[&str],
) -> Result<Vec<String>, Problem> {
    let mut command = vec!["deal".to_owned(), format!("--winner={winner}")];
    let self_draw = is_self_draw(giver, names)?;
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
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "kong" if robbed => {}
            "safe" => command.push("--tile=own".to_owned()),
            "pao" => command.push(format!("--pao={}", words.next().ok_or("pao: who is liable?")?)),
            "resp" => {
                let who = words.next().ok_or("resp: who is charged for the tile, or none?")?;
                command.push(format!("--responsible={who}"));
            }
            "r" => {
                command.push(format!("--riichi={}", words.by_ref().collect::<Vec<_>>().join(",")))
            }
            _ => match words.next().filter(|worth| is_worth(worth) && !worth.starts_with('=')) {
                Some(worth) => command.push(format!("--also={word}={worth}")),
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

fn draw(rest: &[&str]) -> Vec<String> {
    let mut command = vec!["draw".to_owned()];
    let split = rest.iter().position(|word| *word == "r").unwrap_or(rest.len());
    let (tenpai, riichi) = rest.split_at(split);
    match tenpai {
        [] => {}
        ["noten"] => command.push("--noten".to_owned()),
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
    const CAUSES: [&str; 2] = ["four_winds", "nine_terminals"];

    /// The words of the command, by a space.
    fn command(line: &str) -> String {
        match read(line, &NAMES, &CAUSES) {
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
        ] {
            assert_eq!(command(line), meant, "{line}");
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
            ("d nine_terminals!", "draw --abortive=nine_terminals --meant"),
            // The rules have no such cause: it is looked up as a player.
            ("d four_riichi", "draw --tenpai=four_riichi"),
            ("d!", "draw --meant"),
            ("u", "undo"),
            ("u 12", "undo 12"),
            ("correct --deal 3 --draw", "correct --deal 3 --draw"),
            // No worth: no deal.
            ("bo di", "bo di"),
        ] {
            assert_eq!(command(line), meant, "{line}");
        }
        let hand = ["deal", "34p777p99p +5p", "-w", "Bo"].map(str::to_owned).to_vec();
        assert_eq!(
            read("deal \"34p777p99p +5p\" -w Bo", &NAMES, &CAUSES),
            Ok(Short::Command(hand))
        );
        assert_eq!(read("  ", &NAMES, &CAUSES), Ok(Short::Nothing));
        assert_eq!(read("q", &NAMES, &CAUSES), Ok(Short::Quit));
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
            assert!(read(line, &NAMES, &CAUSES).unwrap_err().contains(said), "{line}");
        }
        let with_tom = ["Ann", "Bo", "Cy", "Tom"];
        assert!(read("bo t 7", &with_tom, &CAUSES).unwrap_err().contains("Tom"));
        assert!(
            read("bo * 7", &with_tom, &CAUSES).is_ok()
                && read("bo to 7", &with_tom, &CAUSES).is_ok()
        );
    }
}
