//! `dialog2api dataset generate`.

use crate::cli::progress::Spinner;
use crate::cli::terminal::clean;
use crate::cli::{Exit, options, prepare, terminal};
use crate::dataset::generate::{Figures, Generator, Nearest, Templates};
use crate::dataset::{self, Dialogue, Replayer};
use crate::domain::{Domain, counted};
use crate::error::{Error, Result};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The arguments of `dataset generate`.
#[derive(Debug, Args)]
#[command(after_help = "\
The templates are the folder `generator` of a dataset: src/documentation/own_dataset.md,
\"Generated dialogues\"; for an API of your own: own_domain.md, \"Dialogues to train on\". No
utterance is a near-duplicate of one in the test part.")]
pub struct GenerateArgs {
    /// The folder to write: a dataset with a training part, worlds and goals.toml
    #[arg(value_name = "DIR")]
    output: PathBuf,

    /// The dataset with the templates and the test part to stay apart from [default: the
    /// domain's]
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,

    /// Another dataset with a test part to stay apart from; may be repeated
    #[arg(long, value_name = "DIR")]
    apart: Vec<PathBuf>,

    /// How many dialogues to make
    #[arg(long, short, default_value_t = 1000, value_name = "N")]
    count: usize,

    /// The same seed makes the same dialogues
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Print, for each dialogue, the test utterance that it is most like
    #[arg(long)]
    nearest: bool,

    /// Replace files that have other content
    #[arg(long)]
    force: bool,
}

/// Makes dialogues, writes them and prints their figures.
pub async fn generate(args: &GenerateArgs, domain: &Arc<Domain>, quiet: bool) -> Result<Exit> {
    let from = options::dataset(args.from.as_deref(), domain);
    let templates = Templates::read(&from)?;
    let mut known = dialogues(&from)?;
    for other in &args.apart {
        known.extend(dataset::read(other)?);
    }
    let replayer = Replayer::new(Arc::new(prepare::engine(domain, quiet).await?), domain);
    let generator = Arc::new(Generator::new(templates, &known, replayer, domain));
    let spinner = Spinner::new(quiet);
    let start = Instant::now();
    let dialogues = counted(args.count, "dialogue");
    let say = |done: usize| spinner.say(&format!("{done} of {dialogues}"));
    let generated = generator.generate(args.seed, args.count, say).await?;
    spinner.done();
    let seconds = start.elapsed().as_secs_f64();
    let files = generated.files.into_iter();
    let files: Vec<_> = files
        .map(|(path, text)| (args.output.join(path), text))
        .collect();
    dataset::write(&files, args.force)?;
    if args.nearest {
        terminal::print(neighbours(&generated.nearest))?;
    }
    terminal::print(table(&generated.figures, &generated.nearest))?;
    spinner.note(&format!("{dialogues}, {seconds:.1} s"));
    Ok(Exit::Done)
}

/// The dialogues beside the templates. There need not be any: those of a new domain may all be
/// generated.
fn dialogues(from: &Path) -> Result<Vec<Dialogue>> {
    match dataset::read(from) {
        // An error about one dialogue has the path of its file.
        Err(Error::Content { path, .. }) if path == from && from.is_dir() => Ok(Vec::new()),
        read => read,
    }
}

fn neighbours(nearest: &[(String, Option<Nearest>)]) -> String {
    let mut text = String::new();
    for (uid, nearest) in nearest {
        let _ = match nearest {
            Some(Nearest {
                similarity,
                place: (path, turn),
                text: said,
            }) => {
                let path = path.display();
                let said = clean(said);
                writeln!(text, "{uid}  {similarity:.2}  {path}, turn {turn}: {said}")
            }
            None => writeln!(text, "{uid}  nothing to compare"),
        };
    }
    text
}

fn table(figures: &Figures, nearest: &[(String, Option<Nearest>)]) -> String {
    let mut text = String::new();
    let mut line = |what: &str, figure: String| {
        let _ = writeln!(text, "{what:28} {figure:>9}");
    };
    line("dialogues", figures.dialogues.to_string());
    line("turns", figures.turns.to_string());
    line(
        "turns with nothing to run",
        format!("{:.1} %", figures.idle_share()),
    );
    line("different utterances", figures.utterances.len().to_string());
    line("different programs", figures.programs.len().to_string());
    line("tokens (4 bytes each)", figures.tokens.to_string());
    line("dialogues drawn again", figures.redrawn.to_string());
    let likeness = nearest.iter().filter_map(|(_, nearest)| nearest.as_ref());
    if let Some(most) = likeness.map(|it| it.similarity).max_by(f64::total_cmp) {
        line("nearest to the test part", format!("{most:.2}"));
    }
    for (kind, count) in &figures.kinds {
        line(&format!("  {kind}"), count.to_string());
    }
    text
}
