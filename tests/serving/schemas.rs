//! What a server sends and takes in a short session fits the documented schemas.

use serde_json::{Value, json};

use crate::support::{
    connections::{connect, next_state},
    schemas::{check, document, of_call, path_of, schema},
    served::{Served, table, tilelens},
};

/// Sends what the schema accepts, and checks the answer against that of the call.
fn sent(served: &Served, address: &str, body: &Value) -> Value {
    let path = path_of(address);
    check(&of_call(&path, "post", "requestBody").unwrap(), body, address);
    let reply = served.post(address, body);
    assert_eq!(reply.status, 200, "{address} {body}: {}", reply.text());
    check(&of_call(&path, "post", "responses/200").unwrap(), &reply.json(), address);
    reply.json()
}

fn of_refusal() -> jsonschema::Validator {
    jsonschema::validator_for(&document("api")["components"]["schemas"]["Refusal"]).unwrap()
}

fn got(served: &Served, address: &str) -> Value {
    let reply = served.get(address);
    assert_eq!(reply.status, 200, "{address}: {}", reply.text());
    check(&of_call(&path_of(address), "get", "responses/200").unwrap(), &reply.json(), address);
    reply.json()
}

#[test]
fn a_session_fits_the_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let state = schema("state");
    let mut page = connect(&served);
    check(&state, &next_state(&mut page), "the first state");
    for address in ["api/state", "api/rules", "api/table", "api/tournament", "api/after-confirm"] {
        got(&served, address);
    }
    let photo = served.send("api/photo", &table("row-sorted")).json();
    check(&of_call("/api/photo", "post", "responses/200").unwrap(), &photo, "api/photo");
    let number = photo["photo"].as_u64().unwrap();
    let code = &photo["tiles"][0]["code"];
    sent(
        &served,
        &format!("api/photo/{number}"),
        &json!({ "context": { "rules": "mmm" }, "fixes": [[0, code]] }),
    );
    sent(&served, &format!("api/photo/{number}/show"), &json!({}));
    sent(
        &served,
        "api/context",
        &json!({ "seat": "E", "win": "self_draw", "riichi": true, "dora_indicators": "1m" }),
    );
    sent(&served, "api/context", &json!({ "worth": "3/30", "hand": null }));
    check(&state, &next_state(&mut page), "a state with a photo");
    sent(&served, "api/auto", &json!({ "auto": false }));
    sent(&served, "api/auto", &json!({ "auto": true, "least": 0.9, "unsure": "mark" }));
    got(&served, "api/after-confirm");
    sent(&served, "api/confirm", &json!({ "meant": true }));
    sent(&served, "api/next", &json!({}));
    sent(&served, "api/draw", &json!({ "tenpai": ["E"], "nagashi": [] }));
    sent(&served, "api/penalty", &json!({ "seat": "S", "points": 10, "note": "late" }));
    sent(&served, "api/undo", &json!({ "decision": served.last_decision(), "meant": true }));
    sent(
        &served,
        "api/advise",
        &json!({ "hand": "123m456p789s1122z", "seen": "5s9s", "context": { "rules": "riichi" } }),
    );
    sent(&served, "api/line", &json!({ "bytes": 4_000_000 }));
    for address in ["api/state", "api/table", "api/table/1", "api/desk"] {
        got(&served, address);
    }
    // A refusal says why, also where a picture is asked for, and where a list has a body's values in the right order.
    let refusal = of_refusal();
    for (reply, status) in [
        (served.post("api/amend", &json!({ "event": 99 })), 404),
        (served.get("frame.jpg?source=7"), 404),
        (served.get("preview.mjpeg?source=7"), 404),
        (served.post("api/line", &json!([null, null])), 422),
    ] {
        assert_eq!(reply.status, status, "{}", reply.text());
        check(&refusal, &reply.json(), "a refusal");
    }
}

/// Each path answers the documented methods, and no others.
#[test]
fn the_documented_methods_are_those_that_are_answered() {
    let served = Served::serve();
    for (path, calls) in document("api")["paths"].as_object().unwrap() {
        let address = path.trim_start_matches('/').replace("{table}", "1").replace("{number}", "1");
        let request = ureq::http::Request::builder()
            .method("PATCH")
            .uri(format!("{}{address}", served.address))
            .body(())
            .unwrap();
        let agent = ureq::Agent::new_with_config(
            ureq::Agent::config_builder()
                .http_status_as_error(false)
                .allow_non_standard_methods(true)
                .build(),
        );
        let reply = agent.run(request).unwrap();
        assert_eq!(reply.status(), 405, "{path}");
        let allowed = reply.headers()["allow"].to_str().unwrap().to_lowercase();
        let mut allowed: Vec<&str> =
            allowed.split(',').filter(|method| *method != "head").collect();
        allowed.sort_unstable();
        let mut documented: Vec<&String> = calls.as_object().unwrap().keys().collect();
        documented.sort_unstable();
        assert_eq!(allowed, documented, "{path}");
    }
}
