//! The sources' pictures and table profiles.

use std::sync::Arc;

use axum::{
    extract::{Query, State},
    http::{StatusCode, header},
    response::IntoResponse,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Answer, MOST_VIEWERS, Served, refused::Refused, words::Words};
use crate::{
    calibration::table::{Edge, TableProfile},
    output::{self, Inputs},
    server::preview,
};

/// The number of a source; the first by default.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceQuery {
    #[serde(default)]
    source: usize,
    /// Any number, for an address of its own: browsers keep pictures by their addresses.
    #[expect(dead_code, reason = "browsers alone look at it")]
    at: Option<u64>,
}

pub(super) async fn still_preview(
    State(at): State<Served>,
    Query(which): Query<SourceQuery>,
) -> Answer {
    preview::still(at.hub, which.source).await.ok_or_else(no_picture)
}

fn no_picture() -> Refused {
    let why = "no picture has come from this source: look at `sources` of the state";
    Refused(StatusCode::NOT_FOUND, why.to_owned())
}

/// The profile of a source's table, as its file.
pub(super) async fn profile(State(at): State<Served>, Query(which): Query<SourceQuery>) -> Answer {
    let Some(profile) = at.hub.profile(which.source) else {
        let why = "no table was marked in this source's picture: mark its corners";
        return Err(Refused(StatusCode::NOT_FOUND, why.to_owned()));
    };
    let headers = [
        (header::CONTENT_TYPE, "application/toml"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"table.toml\""),
    ];
    Ok((headers, profile.to_toml()).into_response())
}

/// The table's corners in a source's picture, as marked on a page.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Marked {
    #[serde(default)]
    source: usize,
    /// Size of the picture in which it was marked.
    picture: [u32; 2],
    corners: [[f32; 2]; 4],
    east: Edge,
}

/// The usual areas go with new corners; areas and seats of a file that was changed by hand stay.
pub(super) async fn set_profile(State(at): State<Served>, Words(marked): Words<Marked>) -> Answer {
    let _one = at.deciding.lock().await;
    let new = TableProfile::new(marked.picture, marked.corners, marked.east)
        .map_err(|error| Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    let profile = at.hub.set_profile(marked.source, new)?;
    if let Some(Some(file)) = at.profiles.get(marked.source) {
        output::write(file, profile.to_toml().as_bytes(), &Inputs::default()).map_err(|error| {
            let why = format!(
                "the table is marked, but {} was not written, so a new start will not know it: {error}",
                file.display()
            );
            Refused(StatusCode::INTERNAL_SERVER_ERROR, why)
        })?;
    }
    Ok(at.state())
}

pub(super) async fn moving_preview(
    State(at): State<Served>,
    Query(which): Query<SourceQuery>,
) -> Answer {
    match Arc::clone(&at.viewers).try_acquire_owned() {
        Ok(place) => at.previews.moving(&at.hub, which.source, place).ok_or_else(no_picture),
        Err(_) => {
            let why = format!("{MOST_VIEWERS} previews are open already: close some");
            Err(Refused(StatusCode::SERVICE_UNAVAILABLE, why))
        }
    }
}
