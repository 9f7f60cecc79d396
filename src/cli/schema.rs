//! `tilelens schema`: what programs send and get, as JSON Schema.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use schemars::Schema;

use super::Outcome;
#[cfg(feature = "server")]
use crate::server::{api_schema, state_schema};
use crate::{
    appraisal::{PictureReading, TilesReading},
    page,
    rules::{score_answer, score_request},
    schema::of_answer,
};

#[derive(Args)]
#[command(after_help = "Example: tilelens schema score-answer")]
pub(super) struct SchemaArgs {
    /// The request or answer to describe
    #[arg(value_enum)]
    what: What,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// A line of `score --batch`
    ScoreRequest,
    /// An answer of `score --batch` and `score --json`
    ScoreAnswer,
    /// A line of `photo --json`
    Photo,
    /// A line of `tiles --json`
    Tiles,
    /// What the functions of the npm package answer, those of Python alike
    Package,
    /// A request of the pocket page to its program
    PageRequest,
    /// The state that the server's pages get
    #[cfg(feature = "server")]
    State,
    /// The calls of the server, as OpenAPI 3.1
    #[cfg(feature = "server")]
    Api,
}

impl What {
    fn schema(self) -> Schema {
        match self {
            Self::ScoreRequest => score_request(),
            Self::ScoreAnswer => score_answer(),
            Self::Photo => of_answer::<PictureReading>(),
            Self::Tiles => of_answer::<TilesReading>(),
            Self::Package => page::package::answers_schema(),
            Self::PageRequest => page::request_schema(),
            #[cfg(feature = "server")]
            Self::State => state_schema(),
            #[cfg(feature = "server")]
            Self::Api => api_schema(),
        }
    }
}

pub(super) fn run(args: SchemaArgs) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &args.what.schema())?;
    writeln!(out)?;
    Ok(Outcome::Found)
}
