//! Shows a plan to people.

use super::show;
use super::stack::labelled;
use super::terminal::{BAD, BOLD, DIM, GOOD, OPEN, Styled, clean};
use crate::dialogue::Outcome;
use crate::domain::{Mark, Place, Words};
use crate::plan::{Effect, Kind, Totals};
use crate::service::PlanView;
use indicatif::HumanBytes;
use std::fmt::Write;

/// How many effects are shown. The others are only counted.
const SHOWN: usize = 20;
/// How many irreversible effects are shown.
const LASTING: usize = 5;

/// The effects of a plan, one per line, and a last line with their totals. Safe for a
/// terminal. `all` shows every effect, however many there are.
pub fn table(plan: &PlanView, all: bool) -> String {
    let mut text = lines(plan, if all { usize::MAX } else { SHOWN });
    let _ = writeln!(text, "  {}", Styled(BOLD, summary(plan)));
    match &plan.outcome {
        Outcome::Result(serde_json::Value::Null) => {}
        Outcome::Result(value) => {
            let value = show::json(value);
            let mut lines = value.lines();
            let first = lines.next().unwrap_or_default();
            let dots = if lines.next().is_some() { " …" } else { "" };
            let _ = writeln!(text, "  {} {first}{dots}", Styled(DIM, "returns"));
        }
        Outcome::Error(error) if plan.is_step() => {
            let _ = writeln!(text, "  {}", Styled(DIM, clean(&error.message)));
        }
        Outcome::Error(error) => {
            let error = show::error(error);
            let _ = writeln!(text, "  {} {}", Styled(BAD, "fails with"), clean(&error));
        }
    }
    let calls = show::calls(&plan.calls);
    if !calls.is_empty() {
        let label = if plan.is_step() {
            "calls so far"
        } else {
            "calls"
        };
        let _ = writeln!(text, "  {} {}", Styled(DIM, label), clean(&calls));
    }
    text.push_str(&lasting(&plan.lasting));
    text
}

/// The effects that were carried out without a question. With `all`, they are listed one
/// by one in addition to the totals, for output that does not show them elsewhere.
pub fn done(plan: &PlanView, all: bool) -> String {
    let mut text = String::new();
    labelled(&mut text, &Styled(DIM, "changed"), &summary(plan));
    if all {
        text.push_str(&lines(plan, SHOWN));
    }
    text.push_str(&lasting(&plan.lasting));
    text
}

/// The first `shown` effects, one per line, and how many more there are.
fn lines(plan: &PlanView, shown: usize) -> String {
    let effects = plan.effects.iter().take(shown);
    let names: Vec<String> = effects
        .clone()
        .map(|effect| clean(&effect.place.to_string()).into_owned())
        .collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default().min(60);
    let mut text = String::new();
    for (effect, name) in effects.zip(&names) {
        let (sign, style) = match effect.effect {
            _ if effect.shares => ('!', BAD),
            Kind::Create | Kind::Overwrite if effect.is_call() => ('>', OPEN),
            Kind::Delete if effect.is_call() => ('>', BAD),
            Kind::Create => ('+', GOOD),
            Kind::Overwrite => ('~', OPEN),
            Kind::Delete => ('-', BAD),
        };
        let line = format!("{sign} {name:width$}  {}", size(effect));
        let line = Styled(style, line.trim_end());
        let _ = writeln!(text, "  {line}{}", Styled(DIM, origin(effect)));
        for line in &effect.lines {
            let line = clean(line).replace('\n', "␊");
            let _ = writeln!(text, "      {}", Styled(DIM, line));
        }
    }
    if let Some(more) = plan
        .effects
        .len()
        .checked_sub(shown)
        .filter(|more| *more > 0)
    {
        let _ = writeln!(text, "  {}", Styled(DIM, format!("… and {more} more")));
    }
    text
}

/// The effects that cannot be undone.
pub fn lasting(lasting: &[(Place, String)]) -> String {
    let mut text = String::new();
    for (place, because) in lasting.iter().take(LASTING) {
        let line = format!("{place} cannot be brought back, because {because}");
        let _ = writeln!(text, "  {}", Styled(BAD.bold(), clean(&line)));
    }
    if let Some(more) = lasting.len().checked_sub(LASTING).filter(|more| *more > 0) {
        let line = format!("… nor can {more} more");
        let _ = writeln!(text, "  {}", Styled(BAD.bold(), line));
    }
    text
}

/// The size before and after, or what a setting is and was; empty for a container, and for
/// a call, of which it is not known.
fn size(effect: &Effect) -> String {
    if effect.place.setting().is_some() {
        let words = |mark: &Option<Mark>| match mark {
            Some(mark) => mark.summary.clone().unwrap_or_else(|| "set".to_owned()),
            None => "none".to_owned(),
        };
        let change = format!("{} → {}", words(&effect.before), words(&effect.after));
        return clean(&change).into_owned();
    }
    let bytes = |mark: &Option<Mark>| mark.as_ref().map(|mark| HumanBytes(mark.size).to_string());
    if effect.place.is_container() || effect.is_call() {
        return String::new();
    }
    match (bytes(&effect.before), bytes(&effect.after)) {
        (Some(before), Some(after)) => format!("{before} → {after}"),
        (one, other) => one.or(other).unwrap_or_default(),
    }
}

fn origin(effect: &Effect) -> String {
    let from = effect.copied_from.as_ref();
    let from = from.map(|place| format!("  copied from {}", clean(&place.to_string())));
    from.unwrap_or_default()
}

/// The totals of the effects, and the number of calls whose effects are not known.
fn summary(plan: &PlanView) -> String {
    let calls = plan.effects.iter().filter(|effect| effect.is_call());
    match calls.clone().count() {
        0 => sum(&plan.totals, &plan.words),
        count => {
            let destroys = calls.filter(|call| call.effect == Kind::Delete).count() > 0;
            let s = if count == 1 { "" } else { "s" };
            let may = if destroys {
                ", which may remove or overwrite what is there"
            } else {
                ""
            };
            format!("{count} call{s}{may}")
        }
    }
}

/// `2 created, 1 deleted (1 copied); 1.2 KiB written; 5 B destroyed`.
pub fn sum(totals: &Totals, words: &Words) -> String {
    let mut parts = Vec::new();
    let mut part = |count: u64, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    let containers = |count: u64| match count {
        1 => clean(&words.container),
        _ => clean(&words.containers),
    };
    let (made, gone) = (totals.containers_created, totals.containers_deleted);
    part(made, &format!("{} created", containers(made)));
    part(totals.created, "created");
    part(totals.overwritten, "overwritten");
    part(totals.deleted, "deleted");
    let settings = if totals.settings == 1 {
        "setting"
    } else {
        "settings"
    };
    part(totals.settings, &format!("{settings} changed"));
    part(totals.shared, "shared");
    part(gone, &format!("{} deleted", containers(gone)));
    let mut text = match parts.is_empty() {
        true => "in the end nothing changes".to_owned(),
        false => parts.join(", "),
    };
    if totals.copied > 0 {
        let _ = write!(text, " ({} copied)", totals.copied);
    }
    let bytes = [
        (totals.bytes_written, "written"),
        (totals.bytes_destroyed, "destroyed"),
    ];
    for (bytes, what) in bytes.into_iter().filter(|(bytes, _)| *bytes > 0) {
        let _ = write!(text, "; {} {what}", HumanBytes(bytes));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_called_what_the_domain_calls_them() {
        let totals = Totals {
            containers_created: 2,
            created: 3,
            containers_deleted: 1,
            ..Totals::default()
        };
        let shelves = Words {
            container: "shelf".into(),
            containers: "shelves\u{1b}[2J".into(),
            ..Words::default()
        };
        let common = "2 containers created, 3 created, 1 container deleted";
        assert_eq!(sum(&totals, &Words::default()), common);
        let sum = sum(&totals, &shelves);
        assert!(
            sum.starts_with("2 shelves") && sum.ends_with("1 shelf deleted"),
            "{sum}"
        );
        assert!(!sum.contains('\u{1b}'), "{sum}");
    }
}
