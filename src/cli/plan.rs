//! Shows a plan to people.

use super::show;
use super::stack::labelled;
use super::terminal::{BAD, BOLD, DIM, GOOD, OPEN, Style, Styled, clean, one_line};
use crate::dialogue::Outcome;
use crate::domain::{Mark, Place, Words, plural};
use crate::plan::{Back, Digest, Effect, EffectKind, Gravity, Totals};
use crate::service::PlanView;
use indicatif::HumanBytes;
use std::fmt::Write;

/// How many effects are shown that share and destroy nothing. The others are only counted.
const SHOWN: usize = 20;
/// How many effects are shown that change something. Those that share or destroy are all shown.
const CHANGES: usize = 100;
/// How many irreversible effects are shown.
const LASTING: usize = 5;
/// How many characters are shown of an argument of a call whose effect is not known, and how many
/// arguments.
const ARGUMENT: usize = 80;
const ARGUMENTS: usize = 12;

/// How much of a plan is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// As much as people read.
    Short,
    /// The same, where people are asked about it and can ask for all of it.
    Asked,
    /// All of it, however much it is.
    Whole,
}

/// The line above a plan: who asks for it.
pub fn head(plan: &PlanView) -> String {
    format!("{}:", clean(&plan.card.asks))
}

/// A plan as text without colours.
pub fn plain(view: &PlanView, extent: Extent) -> String {
    let text = format!("{}\n{}", head(view), table(view, extent));
    anstream::adapter::strip_str(&text).to_string()
}

/// The program of a plan, which stands below it. Safe for a terminal.
pub fn program(program: Option<&str>) -> String {
    let Some(code) = program else {
        return String::new();
    };
    let lines = code.lines().map(|line| format!("    {}\n", clean(line)));
    format!("The program:\n{}", lines.collect::<String>())
}

/// What a plain yes agrees to.
pub fn proposed(plan: &PlanView, extent: Extent) -> String {
    let head = format!("If you say yes, this is done, as plan {}:", plan.plan);
    let hint = match extent != Extent::Whole && is_cut(plan) {
        true => format!("  {}\n", Styled(DIM, "(/plan shows everything)")),
        false => String::new(),
    };
    let table = table(plan, extent);
    format!("{}\n{table}{hint}", Styled(BOLD, head))
}

/// The effects of a plan, one per line, the gravest first, and a last line with their totals. Safe
/// for a terminal.
pub fn table(plan: &PlanView, extent: Extent) -> String {
    let mut text = match (&plan.digest, extent) {
        (Some(digest), Extent::Short | Extent::Asked) => digested(digest, plan),
        _ => lines(plan, extent),
    };
    let _ = writeln!(text, "  {}", Styled(BOLD, clean(&plan.card.sum)));
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
            let _ = writeln!(text, "  {}", Styled(DIM, one_line(&error.message)));
        }
        Outcome::Error(error) => {
            let error = show::error(error);
            let _ = writeln!(text, "  {} {}", Styled(BAD, "fails with"), one_line(&error));
        }
    }
    let calls = show::calls(&plan.calls);
    if !calls.is_empty() {
        let label = if plan.is_step() {
            "calls so far"
        } else {
            "calls"
        };
        let _ = writeln!(text, "  {} {}", Styled(DIM, label), one_line(&calls));
    }
    text.push_str(&lasting(&plan.lasting, extent));
    if !plan.card.undoing.is_empty() {
        let _ = writeln!(text, "  {}", Styled(DIM, &plan.card.undoing));
    }
    if let Some(unchecked) = unchecked(plan) {
        let _ = writeln!(text, "  {}", Styled(DIM, unchecked));
    }
    if extent == Extent::Asked && is_cut(plan) {
        let hint = "(the answer `all` shows everything, and asks again)";
        let _ = writeln!(text, "  {}", Styled(DIM, hint));
    }
    text
}

/// What of the program's reads may have changed by the time when the plan is carried out.
fn unchecked(plan: &PlanView) -> Option<String> {
    let reads = match plan.unchecked {
        0 => return None,
        1 => "1 of the program's reads is".to_owned(),
        many => format!("{many} of the program's reads are"),
    };
    Some(format!("{reads} not compared again before this is done"))
}

/// Whether [`Extent::Whole`] shows more of a plan.
pub fn is_cut(plan: &PlanView) -> bool {
    let long = |line: &String| line.chars().count() > ARGUMENT;
    let [_, changes, rest] = parted(plan);
    plan.digest.is_some()
        || changes.len() > CHANGES
        || rest.len() > SHOWN
        || plan.lasting.len() > LASTING
        || plan.arguments.len() > ARGUMENTS
        || plan.arguments.iter().any(long)
}

/// The effects that were carried out without a question. With `all`, they are listed one
/// by one in addition to the totals, for output that does not show them elsewhere.
pub fn done(plan: &PlanView, all: bool) -> String {
    let mut text = String::new();
    labelled(&mut text, &Styled(DIM, "changed"), &clean(&plan.card.sum));
    if all {
        text.push_str(&lines(plan, Extent::Short));
    }
    text.push_str(&lasting(&plan.lasting, Extent::Short));
    text
}

/// The effects, the gravest first: those that share or destroy something, those that change
/// something, and the others.
fn parted(plan: &PlanView) -> [Vec<&Effect>; 3] {
    let mut effects: Vec<&Effect> = plan.effects.iter().collect();
    effects.sort_by_key(|effect| effect.gravity());
    let destroys = |effect: &&Effect| {
        // A call of which nobody knows what it does may, too.
        effect.gravity() <= Gravity::Destroys || effect.effect == EffectKind::Delete
    };
    let (grave, others): (Vec<_>, Vec<_>) = effects.into_iter().partition(destroys);
    let is_change = |effect: &&Effect| effect.gravity() < Gravity::Adds;
    let (changes, rest) = others.into_iter().partition(is_change);
    [grave, changes, rest]
}

/// These effects, one per line, with what people must know of them and their details below.
fn each<'e>(
    effects: impl Iterator<Item = &'e Effect> + Clone,
    details: impl Fn(&'e Effect) -> Vec<&'e String>,
) -> String {
    let names = effects
        .clone()
        .map(|effect| one_line(&effect.place.to_string()).into_owned());
    let names: Vec<String> = names.collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default().min(60);
    let mut text = String::new();
    for (effect, name) in effects.zip(&names) {
        let (sign, style) = sign(effect);
        let line = format!("{sign} {name:width$}  {}", size(effect));
        let line = Styled(style, line.trim_end());
        let _ = write!(text, "  {line}{}", Styled(DIM, origin(effect)));
        let _ = match effect.back {
            None => writeln!(text),
            Some(back @ Back::Never) => writeln!(text, "  {}", Styled(BAD, back)),
            Some(back) => writeln!(text, "  {}", Styled(DIM, back)),
        };
        for warning in warnings(effect) {
            let _ = writeln!(text, "      {}", Styled(BAD, one_line(&warning)));
        }
        for line in details(effect) {
            let _ = writeln!(text, "      {}", Styled(DIM, one_line(line)));
        }
    }
    text
}

/// The effects, one per line, and how many more there are of each sign.
fn lines(plan: &PlanView, extent: Extent) -> String {
    let room = |most: usize| match extent {
        Extent::Whole => usize::MAX,
        _ => most,
    };
    let [grave, changes, rest] = parted(plan);
    let (changes, more_changes) = changes.split_at(room(CHANGES).min(changes.len()));
    let (rest, more) = rest.split_at(room(SHOWN).min(rest.len()));
    let shown = grave.iter().chain(changes).chain(rest).copied();
    let mut text = each(shown, |effect| match extent {
        // The first line of a call says what is called, and the arguments follow.
        Extent::Whole if effect.is_call() && !effect.lines.is_empty() => {
            effect.lines.iter().take(1).chain(&plan.arguments).collect()
        }
        _ => effect.lines.iter().collect(),
    });
    for (sign, words) in [('~', "changed"), ('>', "called"), ('+', "made")] {
        let count = more_changes
            .iter()
            .filter(|effect| self::sign(effect).0 == sign)
            .count();
        if count > 0 {
            let more = format!("{sign} {count} more are {words}");
            let _ = writeln!(text, "  {}", Styled(BAD, more));
        }
    }
    if !more.is_empty() {
        let more = format!("… and {} more", more.len());
        let _ = writeln!(text, "  {}", Styled(DIM, more));
    }
    text
}

/// A plan that is too long to be read: what is done in each folder, the largest, what stands out,
/// and where all lines are.
fn digested(digest: &Digest, plan: &PlanView) -> String {
    let mut text = String::new();
    let width = digest.folders.iter().map(|(name, _)| name.chars().count());
    let width = width.max().unwrap_or_default().min(60);
    let mut part = |name: &str, totals: &Totals| {
        let style = match totals.deleted + totals.containers_deleted + totals.shared {
            0 => OPEN,
            _ => BAD,
        };
        let sum = sum(totals, &plan.words);
        let _ = writeln!(text, "  {:width$}  {}", one_line(name), Styled(style, sum));
    };
    for (name, totals) in &digest.folders {
        part(name, totals);
    }
    match &digest.others {
        (0, _) => {}
        (1, totals) => part("… and 1 other folder", totals),
        (others, totals) => part(&format!("… and {others} other folders"), totals),
    }
    let title = |text: &mut String, title: &str| {
        let _ = writeln!(text, "  {}", Styled(DIM, title));
    };
    if !digest.largest.is_empty() {
        title(&mut text, "the largest:");
        text.push_str(&each(digest.largest.iter(), |_| Vec::new()));
    }
    if !digest.outstanding.is_empty() {
        title(&mut text, "what stands out:");
        text.push_str(&each(digest.outstanding.iter(), |effect| {
            effect.lines.iter().collect()
        }));
    }
    for (gravity, count) in &digest.more {
        let (sign, what) = match (gravity, count) {
            (Gravity::Shares, 1) => ('!', "that shares something, or has a warning"),
            (Gravity::Shares, _) => ('!', "that share something, or have a warning"),
            (Gravity::Destroys, 1) => ('-', "that destroys something for good"),
            (Gravity::Destroys, _) => ('-', "that destroy something for good"),
            (Gravity::Settings, count) => ('~', plural(*count, "setting", "settings")),
            (Gravity::Changes, count) => ('>', plural(*count, "call", "calls")),
            (Gravity::Adds, count) => ('+', plural(*count, "container", "containers")),
        };
        let more = format!("{sign} and {count} more {what}");
        let _ = writeln!(text, "  {}", Styled(BAD, more));
    }
    let lines = plan.effects.len();
    let file = digest.file.as_ref();
    let file = file.map(|file| format!("all {lines} lines are in {}", file.display()));
    title(
        &mut text,
        &file.unwrap_or_else(|| format!("{lines} lines in all")),
    );
    text
}

/// The sign of an effect, and its style.
fn sign(effect: &Effect) -> (char, Style) {
    match effect.effect {
        _ if effect.gravity() == Gravity::Shares => ('!', BAD),
        EffectKind::Create | EffectKind::Overwrite if effect.is_call() => ('>', OPEN),
        EffectKind::Delete if effect.is_call() => ('>', BAD),
        EffectKind::Create => ('+', GOOD),
        EffectKind::Overwrite => ('~', OPEN),
        EffectKind::Delete => ('-', BAD),
    }
}

/// What people should know of an effect before they agree to it.
fn warnings(effect: &Effect) -> Vec<String> {
    let mut warnings = effect.warnings.clone();
    if effect.merged > 1 {
        let many = effect.merged;
        warnings.push(format!(
            "{many} things are copied here one over the other, and only the last one stays"
        ));
    }
    if effect.is_lost {
        warnings.push("what it holds now is nowhere afterwards".to_owned());
    }
    warnings
}

/// The effects that cannot be undone.
pub fn lasting(lasting: &[(Place, String)], extent: Extent) -> String {
    let most = match extent {
        Extent::Whole => usize::MAX,
        _ => LASTING,
    };
    let mut text = String::new();
    for (place, because) in lasting.iter().take(most) {
        let line = format!("{place} does not come back, because {because}");
        let _ = writeln!(text, "  {}", Styled(BAD.bold(), one_line(&line)));
    }
    if let Some(more) = lasting.len().checked_sub(most).filter(|more| *more > 0) {
        let line = format!("… nor do {more} more");
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
        return one_line(&change).into_owned();
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
    let from = from.map(|place| format!("  copied from {}", one_line(&place.to_string())));
    from.unwrap_or_default()
}

/// These totals in words. Safe for a terminal.
pub fn sum(totals: &Totals, words: &Words) -> String {
    clean(&crate::service::sum(totals, words)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_domain_reach_no_terminal_with_their_control_characters() {
        let totals = Totals {
            containers_created: 2,
            ..Totals::default()
        };
        let shelves = Words {
            containers: "shelves\u{1b}[2J".into(),
            ..Words::default()
        };
        let sum = sum(&totals, &shelves);
        assert!(
            sum.starts_with("2 shelves") && !sum.contains('\u{1b}'),
            "{sum}"
        );
    }
}
