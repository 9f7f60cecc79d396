//! What was wrong, said with the status that fits it.

use std::time::Duration;

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::server::{BookError, ContextError, photos::PhotoError, teaching::TeachingError};

/// An answer that says what was wrong.
pub(super) struct Refused(pub StatusCode, pub String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// The answer to an address that has sent too many photos.
pub(super) fn too_many(wait: Duration) -> Response {
    let seconds = wait.as_secs_f64().ceil() as u64;
    let why = format!("too many photos from one address: try again in {seconds} s");
    let refused = Refused(StatusCode::TOO_MANY_REQUESTS, why);
    ([(header::RETRY_AFTER, seconds.to_string())], refused).into_response()
}

impl From<ContextError> for Refused {
    fn from(error: ContextError) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, error.0)
    }
}

impl From<PhotoError> for Refused {
    fn from(error: PhotoError) -> Self {
        let status = match error {
            PhotoError::Busy => StatusCode::TOO_MANY_REQUESTS,
            PhotoError::Picture(_) => StatusCode::UNPROCESSABLE_ENTITY,
            PhotoError::Model(_) | PhotoError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error.to_string())
    }
}

impl From<TeachingError> for Refused {
    fn from(error: TeachingError) -> Self {
        let status = match &error {
            TeachingError::Photo(_) => StatusCode::INTERNAL_SERVER_ERROR,
            TeachingError::Lesson(_) => StatusCode::UNPROCESSABLE_ENTITY,
            TeachingError::Gone => StatusCode::NOT_FOUND,
            TeachingError::Unsure(_) | TeachingError::Known(_) | TeachingError::Full => {
                StatusCode::CONFLICT
            }
            TeachingError::NoHome | TeachingError::Folder(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        match error {
            TeachingError::Photo(error) => error.into(),
            error => Self(status, error.to_string()),
        }
    }
}

impl From<BookError> for Refused {
    fn from(error: BookError) -> Self {
        Self(StatusCode::CONFLICT, error.to_string())
    }
}
