//! A rule set as JSON for pages: its words, its rulings, and the fields of a hand, a draw or a fault.

use serde_json::{Value, json};

use crate::rules::RuleSet;

/// The rule set with its rulings as chosen. Lists keep the order of the rule file.
pub fn described(rules: &RuleSet) -> Value {
    let session = rules.session();
    let causes = |causes: &indexmap::IndexMap<String, String>| -> Vec<Value> {
        causes.iter().map(|(id, about)| json!({ "id": id, "about": about })).collect()
    };
    let rulings: Vec<Value> = (rules.rulings().iter())
        .map(|ruling| json!({ "id": ruling.id, "about": ruling.about, "chosen": ruling.chosen, "choices": ruling.choices }))
        .collect();
    let penalties: Vec<Value> = (session.penalties.causes.iter())
        .map(|(id, cause)| json!({ "id": id, "about": cause.about, "points": cause.points }))
        .collect();
    json!({
        "id": rules.id,
        "name": rules.name,
        "about": rules.about,
        "rulings": rulings,
        "unit": rules.unit.word(),
        "terms": rules.terms(),
        "fields": rules.fields().collect::<Vec<_>>(),
        "bonus_tiles": rules.plays_bonus_tiles(),
        "stick": rules.stick(),
        "discards": session.discards.matter(),
        "draw": {
            "tenpai": session.asks_for_tenpai(),
            "nagashi": session.draw.nagashi > 0,
            "abortive": causes(&session.draw.abortive),
        },
        "plays_on": rules.plays_on(),
        "chombo": session.chombo.are_known().then(|| causes(&session.chombo.causes)),
        "penalties": session.penalties.are_known().then_some(penalties),
        "dead_hands": causes(&session.dead_hands),
        "void_claims": causes(&session.void_claims),
    })
}
