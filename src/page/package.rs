//! The calls of the npm package, as JSON, and their answers.

use std::sync::LazyLock;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::RulesList;
use crate::{
    advice::{AdviceJson, Waits},
    appraisal::{ImageSize, PictureReading},
    calls::{Conversion, ConvertedHand, HandQuestion, PictureQuestion, Refused, WORDS},
    rules::{ErrorKind, Library, Reply},
    schema::of_answer,
    sight::SeenTile,
};

/// The rule sets, each made once.
static LIBRARY: LazyLock<Library> = LazyLock::new(Library::default);

/// A call of a function of the package.
#[derive(Debug, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
enum Call {
    /// The worth of hands, each a request to score.
    Score { requests: Vec<Value>, brief: bool },
    /// The hand of the picture, and its worth.
    Read(PictureQuestion),
    /// The tiles that complete a hand.
    Waits(HandQuestion),
    /// What each discard leaves.
    Advise(HandQuestion),
    /// A hand in another notation.
    Convert(Conversion),
    /// The rule sets to choose from.
    Rules {},
}

/// What each function of the package answers.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it describes answers, which are written one by one")]
struct PackageAnswers {
    score: Reply,
    read: PictureReading<'static>,
    waits: Waits,
    advise: AdviceJson,
    convert: ConvertedHand,
    rules: RulesList<'static>,
}

/// The schema of what the functions of the package answer.
#[must_use]
pub fn answers_schema() -> Schema {
    of_answer::<PackageAnswers>()
}

fn written(answer: &impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(answer).map_err(bad_request)
}

fn bad_request(error: serde_json::Error) -> Refused {
    Refused::new(ErrorKind::BadRequest, error)
}

/// Answers a call, as JSON, of the package about the tiles of a picture.
///
/// # Errors
/// What the call is refused for.
pub fn answer(asked: &[u8], image: ImageSize, tiles: &[SeenTile]) -> Result<Value, Refused> {
    match serde_json::from_slice(asked).map_err(bad_request)? {
        Call::Score { requests, brief } => {
            let answers = requests.iter().map(|one| LIBRARY.answer(&one.to_string(), brief));
            written(&answers.collect::<Vec<_>>())
        }
        Call::Read(question) => {
            let appraisal = question.checked(&LIBRARY)?.appraised(tiles)?;
            written(&PictureReading::of(None, image, &appraisal, WORDS))
        }
        Call::Waits(question) => written(&question.waits(&LIBRARY)?),
        Call::Advise(question) => written(&question.advice(&LIBRARY)?),
        Call::Convert(conversion) => written(&conversion.done()?),
        Call::Rules {} => written(&RulesList::presets()),
    }
}

/// A refusal, as JSON.
#[must_use]
pub fn refusal(refused: &Refused) -> Value {
    json!({ "kind": refused.kind, "error": refused.message })
}
