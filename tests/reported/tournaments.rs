//! Reports about lists of players and of standings that were believed, or refused, wrongly.

use tilelens::tournament::{SeasonBy, Stage, read_entrants, season};

fn standings(lines: &[&str]) -> String {
    format!("place,name,points\n{}\n", lines.join("\n"))
}

/// The reason for which standings are refused.
fn refused(text: &str) -> String {
    Stage::read("autumn", text.as_bytes()).unwrap_err().to_string()
}

/// What each gets by places, in the order of the table.
fn by_places(text: &str) -> Vec<String> {
    let stage = Stage::read("autumn", text.as_bytes()).unwrap();
    let lines = season(&[stage], &SeasonBy::Places, None).unwrap();
    lines.into_iter().map(|line| line.total).collect()
}

/// The names of a list of players.
fn names(text: &str) -> Vec<String> {
    let people = read_entrants(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    people.iter().map(|person| person.name.to_string()).collect()
}

/// The last of three had place 4, and received −500 points.
#[test]
fn places_that_contradict_each_other_are_refused_with_their_line() {
    for (lines, line, expected) in [
        (&["1,Ann,50", "2,Bo,20", "4,Cy,-70"][..], "line 4", "expected 3"),
        (&["1,Ann,9", "1,Bo,9", "2,Cy,5", "3,Di,0"], "line 4", "expected 3"),
        (&["1,Ann,50", "7,Bo,-50"], "line 3", "expected 2"),
        (&["2,Ann,50", "3,Bo,-50"], "line 2", "expected 1"),
    ] {
        let refused = refused(&standings(lines));
        assert!(refused.starts_with(line) && refused.contains(expected), "{refused}");
    }
}

#[test]
fn shared_places_in_any_order_and_players_without_a_place_are_read() {
    assert_eq!(
        by_places(&standings(&["1,Ann,9", "2,Bo,5", "2,Cy,5", "4,Di,0"])),
        ["1000", "667", "667", "0"]
    );
    assert_eq!(
        by_places(&standings(&["3,Cy,-70", ",Ed,0", "1,Ann,50", "2,Bo,20"])),
        ["1000", "500", "0"]
    );
}

/// Two people of one name were refused, though their clubs and numbers differ.
#[test]
fn people_of_one_name_are_shown_apart() {
    assert_eq!(
        names("name,club\nAnna Berg,Aarhus\nanna berg,Odense\nBo,Aarhus\n"),
        ["Anna Berg (Aarhus)", "anna berg (Odense)", "Bo"]
    );
    assert_eq!(
        names("name,club,member\nAnna,Aarhus,12\nAnna,Aarhus,34\n"),
        ["Anna (12)", "Anna (34)"]
    );
    for same in [
        "name,club\nAnna,Aarhus\nAnna,aarhus\n",
        "name,club\nAnna,Aarhus\nAnna,\n",
        "name,member\nAnna,12\nAnna,12\n",
    ] {
        let refused = read_entrants(same.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains("line 3: Anna is in line 2 already"), "{refused}");
    }
}

#[test]
fn the_mark_of_a_shared_name_is_no_part_of_the_name() {
    let people = read_entrants(b"name,club\nAnna Berg,Aarhus Vest\nAnna Berg,Odense\nBo (Jr),X\n");
    let people = people.unwrap();
    let without = people.iter().map(|person| person.about.without_mark(&person.name));
    assert_eq!(without.collect::<Vec<_>>(), ["Anna Berg", "Anna Berg", "Bo (Jr)"]);
}

#[test]
fn standings_with_two_people_of_one_name_are_kept_apart_by_their_numbers() {
    let text = "place,name,points,member\n1,Anna,50,12\n2,Anna,-50,34\n";
    assert_eq!(by_places(text), ["1000", "0"]);
    assert!(refused(&text.replace("34", "12")).contains("line 3: Anna is there twice"));
    assert!(refused(&text.replace("34", "")).contains("line 3: Anna is there twice"));
}
