//! `tilelens rules`: lists rule sets, shows their contents, and checks rule files.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};

use super::{Outcome, library};
use crate::rules::{RuleSet, combinations, patterns};

#[derive(Args)]
pub(super) struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Subcommand)]
enum RulesCommand {
    /// List the built-in rule sets by tradition
    List,
    /// Show one rule set
    Show {
        /// The id of a preset, or the path of a rule file
        id: String,
        /// Print a page of documentation in Markdown
        #[arg(long)]
        markdown: bool,
    },
    /// Check a rule file with every choice of its rulings
    Check {
        /// The rule file
        file: PathBuf,
    },
    /// List the patterns that a rule file may name
    Patterns,
}

pub(super) fn run(args: &RulesArgs) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    match &args.command {
        RulesCommand::List => {
            let mut traditions: Vec<&str> = RuleSet::presets().map(|it| &*it.tradition).collect();
            traditions.dedup();
            for tradition in traditions {
                writeln!(out, "{tradition}")?;
                for rules in RuleSet::presets().filter(|rules| rules.tradition == tradition) {
                    writeln!(out, "  {:<15} {:<42} {}", rules.id, rules.name, rules.about)?;
                }
            }
        }
        RulesCommand::Show { id, markdown } => {
            let rules = library().rule_set(id, &[]).map_err(|error| anyhow!(error))?;
            let text = if *markdown { rules.markdown() } else { rules.to_toml() };
            out.write_all(text.as_bytes())?;
        }
        RulesCommand::Check { file } => {
            let text = fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let checked = RuleSet::parse(&text).and_then(|rules| {
                rules.check_choices()?;
                Ok(rules)
            });
            let rules = checked.map_err(|error| anyhow!("{}: {error}", file.display()))?;
            writeln!(
                out,
                "{}: {} ({}), {} rulings: a rule set",
                file.display(),
                rules.id,
                rules.name,
                rules.rulings().len()
            )?;
        }
        RulesCommand::Patterns => {
            for (name, about) in patterns() {
                writeln!(out, "{name:<30} {about}")?;
            }
            writeln!(out, "\nWays to combine sets (`combines`):\n")?;
            for (name, about) in combinations() {
                writeln!(out, "{name:<30} {about}")?;
            }
        }
    }
    Ok(Outcome::Found)
}
