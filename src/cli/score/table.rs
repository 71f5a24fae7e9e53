//! A score as a text table.

use crate::cli::terminal::{BOLD, DIM, OPEN, Styled, clean};
use crate::domain::counted;
use crate::eval::log::{DatasetId, EvalMode, Run};
use crate::eval::score::metrics::Unit;
use crate::eval::score::{
    Assistance, Coverage, DATASETS_DIFFER, ErrorClass, Figure, Score, Tally, paper_beside,
};
use crate::llm::Prices;
use std::fmt::Write;

/// The width of the names in the first column.
const NAME: usize = 34;

/// All figures, with the paper's figures beside them.
pub fn human(score: &Score, prices: &Prices) -> String {
    let mut text = format!("{}\n", Styled(BOLD, clean(&title(&score.run))));
    text.push_str(&data(&score.run.dataset));
    let _ = writeln!(text, "{}\n", coverage(score));
    beside_paper(&mut text, score);
    metrics(&mut text, score);
    spread(&mut text, score);
    errors(&mut text, score);
    breakdowns(&mut text, score);
    costs(&mut text, score, prices);
    text
}

/// A number of passes: in a run with one epoch, a pass is a dialogue.
pub fn passes(run: &Run, count: u64) -> String {
    match run.epochs {
        1 => counted(count, "dialogue"),
        _ => format!("{count} dialogues and epochs"),
    }
}

/// The model and the settings of a run, on one line.
pub fn title(run: &Run) -> String {
    let settings = &run.settings;
    let mode = match run.mode {
        EvalMode::EndToEnd => "end to end",
        EvalMode::TeacherForced => "teacher-forced",
    };
    let split = run.dataset.split.map(|split| format!("{split}, "));
    let asked = match settings.form.protocol().is_instructed() {
        false => "asked as a trained model".to_owned(),
        true => format!(
            "setting ({}), K {}, α {}, {}",
            settings.setting, settings.k, settings.alpha, settings.similarity
        ),
    };
    let earlier = settings.earlier.iter();
    let options: String = earlier
        .map(|(name, value)| format!(", {name} {value}"))
        .collect();
    format!(
        "{} · {mode} · {asked}{options} · {}{} × {}",
        run.model,
        split.unwrap_or_default(),
        counted(run.dataset.dialogues, "dialogue"),
        counted(run.epochs, "epoch"),
    )
}

/// The evaluated dialogues and the source of the examples. Empty for logs of old
/// versions, which did not record their names.
fn data(dataset: &DatasetId) -> String {
    let named = |name: &Option<String>, digest: &str| {
        let digest = digest.get(..8).unwrap_or(digest);
        name.as_ref().map(|name| format!("{name} ({digest})"))
    };
    let evaluated = named(&dataset.name, &dataset.digest);
    let examples = named(&dataset.examples, &dataset.examples_digest);
    let parts = [
        evaluated.map(|dataset| format!("dataset {dataset}")),
        examples.map(|examples| format!("examples {examples}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("{}\n", clean(&parts.join(" · ")))
}

fn coverage(score: &Score) -> String {
    let coverage = &score.coverage;
    let Coverage {
        expected,
        scored,
        turns,
        ..
    } = coverage;
    let (passes, turns) = (passes(&score.run, *expected), counted(*turns, "turn"));
    let mut said = format!("{scored} of {passes} finished and scored, {turns}");
    if let Some(first) = coverage.cut_short.first() {
        let count = coverage.cut_short.len();
        let _ = write!(
            said,
            "\n{count} cut short by failures that are not the model's, and not scored; the first: {}, \
             turn {}: {}",
            first.dialogue, first.turn, first.message
        );
    }
    let mut said = clean(&said).into_owned();
    if coverage.partial {
        let partial = "PARTIAL: turns of the run are missing, so these figures do not describe the \
                       whole run.";
        let _ = write!(said, "\n{}", Styled(OPEN, partial));
    }
    let cut = score.failures.cut_prompts;
    if cut > 0 {
        let cut = format!(
            "CUT: in {} the model's server read only a part of a prompt, without an error.",
            counted(cut, "turn")
        );
        let _ = write!(said, "\n{}", Styled(OPEN, cut));
    }
    said
}

fn beside_paper(text: &mut String, score: &Score) {
    let (setting, asked) = (score.run.settings.setting, score.run.settings.asked());
    let heading = format!(
        "{:NAME$}{:>8}{:>8}{:>12}",
        "", "EMR %", "BLEU", "code edits"
    );
    let _ = writeln!(text, "{}", Styled(BOLD, heading));
    let figure = |name: &str, factor: f64| {
        let figure = score.figure(name).and_then(|figure| figure.value);
        number(figure.map(|value| value * factor))
    };
    let row = |text: &mut String, name: &str, emr: String, bleu: String, edits: String| {
        let _ = writeln!(text, "{:NAME$}{emr:>8}{bleu:>8}{edits:>12}", clean(name));
    };
    let name = format!("this run ({asked})");
    let edits = figure("code_edits", 1.0);
    row(
        text,
        &name,
        figure("emr", 100.0),
        figure("bleu", 1.0),
        edits,
    );
    let beside = paper_beside(&score.run.domain);
    for paper in beside {
        let both = setting == 'c';
        let of_both = |value: f64| number(both.then_some(value));
        row(
            text,
            &format!("paper: {} ({setting})", paper.model),
            number(paper.emr(setting)),
            of_both(paper.bleu),
            of_both(paper.code_edits),
        );
    }
    if !beside.is_empty() {
        let _ = writeln!(text, "{}", Styled(DIM, DATASETS_DIFFER));
    }
    text.push('\n');
}

fn metrics(text: &mut String, score: &Score) {
    let heading = format!("{:NAME$}{:>8}   {}", "", "", "95 % interval");
    let _ = writeln!(text, "{}", Styled(BOLD, heading.trim_end()));
    for figure in &score.metrics {
        let _ = writeln!(text, "{}", metric(figure, score.coverage.dialogues));
    }
    if let Some(bounds) = score.bounds {
        let (low, high) = (100.0 * bounds.low, 100.0 * bounds.high);
        let _ = writeln!(
            text,
            "had no dialogue been cut short, EMR would be between {low:.1} and {high:.1} %"
        );
    }
    let nothing = score.nothing;
    let percent = |share: Option<f64>| number(share.map(|share| 100.0 * share));
    if let Some(assistance) = &score.assistance {
        let _ = writeln!(text, "{}", aids(assistance));
    }
    let _ = writeln!(
        text,
        "doing nothing is right in {} % of the turns, and its EMR is {} %\n",
        percent(nothing.turns),
        percent(nothing.emr)
    );
}

/// The effect of aids, on one line.
fn aids(assistance: &Assistance) -> String {
    let by_aid = assistance.by_aid.iter();
    let by_aid: Vec<String> = by_aid
        .map(|(name, turns)| format!("{name} {turns}"))
        .collect();
    let mut said = format!("aids changed {}", counted(assistance.turns, "turn"));
    if !by_aid.is_empty() {
        let _ = write!(said, ": {}", by_aid.join(", "));
    }
    if assistance.departed > 0 {
        let high = assistance.strict_emr_high.map(|high| 100.0 * high);
        let _ = write!(
            said,
            "\nthe strict EMR is at most {} %: {} took another way because of an aid; a run \
             with --assist none settles it",
            number(high),
            counted(assistance.departed, "dialogue"),
        );
    }
    clean(&said).into_owned()
}

fn metric(figure: &Figure, dialogues: usize) -> String {
    let shown = |value: Option<f64>| number(value.map(|value| value * factor(figure.unit)));
    let title = match figure.unit {
        Unit::Share => format!("{}, %", figure.title),
        Unit::Points => figure.title.clone(),
        Unit::Tokens => format!("{}, tokens", figure.title),
    };
    let mut line = format!("{title:NAME$}{:>8}", shown(figure.value));
    if figure.low.is_some() {
        let _ = write!(line, "   {} to {}", shown(figure.low), shown(figure.high));
    }
    if figure.dialogues != dialogues {
        let _ = write!(line, "   (of {})", counted(figure.dialogues, "dialogue"));
    }
    line
}

/// The factor for displaying figures of this unit.
pub fn factor(unit: Unit) -> f64 {
    match unit {
        Unit::Share => 100.0,
        Unit::Points | Unit::Tokens => 1.0,
    }
}

fn spread(text: &mut String, score: &Score) {
    let epochs = &score.epochs;
    let (Some(deviation), Some(least), Some(greatest)) =
        (epochs.deviation, epochs.least, epochs.greatest)
    else {
        return;
    };
    let unsteady = number(epochs.unsteady.map(|share| 100.0 * share));
    let _ = writeln!(
        text,
        "EMR by epoch: {:.1} to {:.1} %, standard deviation {:.1}; {unsteady} % of the dialogues \
         differ between epochs\n",
        100.0 * least,
        100.0 * greatest,
        100.0 * deviation,
    );
}

fn errors(text: &mut String, score: &Score) {
    let heading = format!("{:NAME$}{:>8}{:>8}", "Wrong turns", "first", "all");
    let _ = writeln!(text, "{}", Styled(BOLD, heading));
    let errors = &score.errors;
    for class in ErrorClass::ALL {
        let count = |map: &std::collections::BTreeMap<ErrorClass, usize>| {
            map.get(&class).copied().unwrap_or(0)
        };
        let (first, all) = (count(&errors.first), count(&errors.all));
        if all > 0 {
            let _ = writeln!(text, "{:NAME$}{first:>8}{all:>8}", class.title());
        }
    }
    let _ = writeln!(text, "{:NAME$}{:>8}\n", "none wrong", errors.none);
}

fn breakdowns(text: &mut String, score: &Score) {
    let columns = |title: &str| {
        let line = format!("{title:NAME$}{:>8}{:>8}{:>8}", "turns", "match", "kept");
        Styled(BOLD, line).to_string()
    };
    let row = |text: &mut String, name: &str, tally: &Tally| {
        let percent = |share: Option<f64>| number(share.map(|share| 100.0 * share));
        let (matched, kept) = (percent(tally.turn_match()), percent(tally.kept_share()));
        let turns = tally.turns;
        let _ = writeln!(text, "{:NAME$}{turns:>8}{matched:>8}{kept:>8}", clean(name));
    };
    let _ = writeln!(text, "{}", columns("By position, %"));
    for by in &score.by_turn {
        row(text, &format!("turn {}", by.turn), &by.tally);
    }
    let _ = writeln!(text, "\n{}", columns("By operation, %"));
    for by in &score.by_api {
        row(text, by.operation.as_deref().unwrap_or("none"), &by.tally);
    }
    let _ = writeln!(text, "\n{}", columns("By complexity, %"));
    for by in &score.by_complexity {
        if by.dialogues > 0 {
            row(text, by.complexity.name(), &by.tally);
        }
    }
}

fn costs(text: &mut String, score: &Score, prices: &Prices) {
    let (all, failures) = (score.tokens.all, &score.failures);
    let _ = writeln!(
        text,
        "\n{}, {} read ({} cached), {} written; {} not usable, {} mended",
        counted(all.requests, "request"),
        counted(all.usage.prompt_tokens, "token"),
        all.usage.cached_tokens,
        all.usage.completion_tokens,
        counted(failures.unusable_answers, "answer"),
        counted(failures.repaired_turns, "turn"),
    );
    if let Some(cost) = prices.cost(&score.run.model, all.usage) {
        let _ = writeln!(
            text,
            "these tokens cost {cost} by the prices of {}",
            prices.date()
        );
    }
}

/// A figure with one decimal; a dash if there is none.
pub fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}
