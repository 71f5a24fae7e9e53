//! The figures of a run as a table.

use super::score::{DeskFigure, DeskScore};
use crate::domain::counted;
use crate::llm::Usage;
use std::collections::BTreeMap;
use std::fmt;

/// `65.2 (50.0 to 80.1)` percent.
pub(super) fn percent(value: Option<f64>, interval: Option<(f64, f64)>) -> String {
    let value = value.map_or_else(String::new, |value| format!("{:.1}", 100.0 * value));
    match interval {
        Some((low, high)) => format!("{value} ({:.1} to {:.1})", 100.0 * low, 100.0 * high),
        None => value,
    }
}

/// `area 3, phone 1`: the most frequent first.
fn listed(counts: &BTreeMap<String, usize>) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let each = counts
        .into_iter()
        .map(|(what, count)| format!("{what} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for DeskScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = &self.run;
        write!(f, "{}", run.assistant)?;
        if let Some(model) = &run.model {
            write!(f, " by {model}")?;
        }
        let dialogues = counted(run.dialogues.count, "dialogue");
        writeln!(
            f,
            ", rows: {}, language: {}: {} of {dialogues}",
            run.rows, run.language, self.done
        )?;
        for DeskFigure {
            name,
            of,
            value,
            interval,
        } in &self.figures
        {
            if let (some, all @ 1..) = of {
                let percent = percent(*value, *interval);
                writeln!(f, "  {name:<32} {:>9}  {percent}", format!("{some}/{all}"))?;
            }
        }
        for (title, counts) in [
            ("ended", &self.ended),
            ("contradicted", &self.contradicted),
            ("incomplete", &self.incomplete),
            ("not in the rows", &self.unknown),
        ] {
            if !counts.is_empty() {
                writeln!(f, "{title}: {}", listed(counts))?;
            }
        }
        if self.plain > 0 {
            writeln!(f, "replies of the host: {}", self.plain)?;
        }
        if self.cut_prompts > 0 {
            writeln!(
                f,
                "turns with a prompt that the server cut: {}",
                self.cut_prompts
            )?;
        }
        if self.strayed > 0 {
            writeln!(f, "users who strayed from the goal: {}", self.strayed)?;
        }
        if self.requests > 0 {
            let Usage {
                prompt_tokens,
                completion_tokens,
                ..
            } = self.usage;
            let requests = counted(self.requests, "request");
            write!(
                f,
                "{requests}, {prompt_tokens} + {completion_tokens} tokens"
            )?;
            if let Some(cost) = &self.cost {
                write!(f, ", {cost}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
