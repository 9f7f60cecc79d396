//! Errors with their HTTP status.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{
    page::wording::labels,
    server::{
        ContextError, EntryError, UndoRefusal, photo_queue::QueueWait, photos::PhotoError,
        teaching::TeachingError,
    },
};

/// An error answer.
pub(super) struct Refused(pub StatusCode, pub String);

/// Seconds after which to try again, where nothing is known that would tell.
const AGAIN: u64 = 2;

impl Refused {
    /// A refusal of words, which may name fields of the page.
    pub fn words(status: StatusCode, why: &str) -> Self {
        Self(status, labels(why))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut answer = (self.0, Json(json!({ "error": self.1 }))).into_response();
        if self.0 == StatusCode::TOO_MANY_REQUESTS {
            answer.headers_mut().insert(header::RETRY_AFTER, AGAIN.into());
        }
        answer
    }
}

/// The answer to a client that has to wait before it sends a photo.
pub(super) fn waits(wait: QueueWait) -> Response {
    let whole = |wait: std::time::Duration| wait.as_secs_f64().ceil() as u64;
    let (why, before, seconds) = match wait {
        // A photo takes about a second.
        QueueWait::Places { before, .. } => {
            let why = format!("too many pictures at once: {before} are before this one");
            (why, Some(before), 1 + before as u64)
        }
        QueueWait::RateLimiter(wait) => {
            ("too many photos from one address".to_owned(), None, whole(wait))
        }
        QueueWait::Tickets => ("too many wait to send pictures".to_owned(), None, AGAIN),
    };
    let why = format!("{why}: try again in {seconds} s");
    let body = Json(json!({ "error": why, "before": before }));
    let headers = [(header::RETRY_AFTER, seconds.to_string())];
    (StatusCode::TOO_MANY_REQUESTS, headers, body).into_response()
}

impl From<ContextError> for Refused {
    fn from(error: ContextError) -> Self {
        Self::words(StatusCode::UNPROCESSABLE_ENTITY, &error.0)
    }
}

impl From<PhotoError> for Refused {
    fn from(error: PhotoError) -> Self {
        let status = match error {
            PhotoError::Busy => StatusCode::TOO_MANY_REQUESTS,
            PhotoError::Cancelled => StatusCode::CONFLICT,
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

impl From<UndoRefusal> for Refused {
    fn from(error: UndoRefusal) -> Self {
        let status = match error {
            UndoRefusal::Unnamed => StatusCode::UNPROCESSABLE_ENTITY,
            UndoRefusal::Nothing | UndoRefusal::TakenBack | UndoRefusal::NotLast => {
                StatusCode::CONFLICT
            }
        };
        Self::words(status, &error.to_string())
    }
}

impl From<EntryError> for Refused {
    fn from(error: EntryError) -> Self {
        Self::words(StatusCode::CONFLICT, &error.for_page())
    }
}
