//! What goes on air.

use axum::{extract::State, http::StatusCode};
use serde_json::{Map, Value, json};

use super::{
    Answer, Served,
    refused::Refused,
    words::{Nothing, Words},
};
use crate::server::OnAirSetting;

/// Puts the hand that is read on air.
pub(super) async fn put_on_air(
    State(at): State<Served>,
    Words(Nothing {}): Words<Nothing>,
) -> Answer {
    let _one = at.deciding.lock().await;
    if !at.hub.put_on_air() {
        let why = "there is no hand to show: show its tiles to the camera";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    Ok(at.state())
}

/// Takes it off again.
pub(super) async fn take_off_air(
    State(at): State<Served>,
    Words(Nothing {}): Words<Nothing>,
) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.take_off_air();
    Ok(at.state())
}

/// Changes the setting of the programme; missing fields stay.
pub(super) async fn auto(
    State(at): State<Served>,
    Words(changes): Words<Map<String, Value>>,
) -> Answer {
    let _one = at.deciding.lock().await;
    let wrong = |why: String| Refused(StatusCode::UNPROCESSABLE_ENTITY, why);
    let mut setting = json!(at.hub.on_air_setting());
    for (field, value) in changes {
        setting[field] = value;
    }
    let setting: OnAirSetting = serde_json::from_value(setting).map_err(|error| {
        wrong(format!("{error}; such as {{\"auto\": true, \"least\": 0.9, \"unsure\": \"mark\"}}"))
    })?;
    if !(0.0..=1.0).contains(&setting.least) {
        return Err(wrong("“least” is a confidence from 0 to 1, such as 0.9".to_owned()));
    }
    at.hub.set_on_air(setting);
    Ok(at.state())
}
