//! Shows replayed dialogues to a person, turn by turn.

use super::{ReplaySetup, Tally};
use crate::cli::stack;
use crate::cli::terminal::{self, AGENT, BAD, BOLD, DIM, GOOD, OPEN, Styled, USER, clean};
use crate::dataset::{Audience, Dialogue, Difference, PlayedTurn, play};
use crate::dialogue::Turn;
use crate::domain::Signature;
use crate::error::{Error, Result};
use crate::exec::Execution;
use std::fmt::Write as _;
use std::io::BufRead;
use std::time::Duration;

/// Shows all dialogues one after the other.
pub async fn all(
    setup: &ReplaySetup,
    dialogues: &[Dialogue],
    step: bool,
    tally: &mut Tally,
) -> Result<()> {
    for dialogue in dialogues {
        let show = async {
            let world = setup.world(dialogue).await?;
            play(
                &setup.domain,
                &setup.replayer,
                dialogue,
                world,
                Person { step },
            )
            .await
        };
        match show.await {
            Ok(played) => tally.count(played.programs, &played.differences),
            Err(error) if terminal::is_closed(&error) => return Err(error),
            Err(error) => tally.fail(&error),
        }
    }
    Ok(())
}

struct Person {
    /// Whether each turn waits for Enter.
    step: bool,
}

impl Audience for Person {
    fn begin(&mut self, dialogue: &Dialogue, initial: Signature) -> Result<()> {
        let path = dialogue.path.display().to_string();
        let mut text = format!("{}\n", Styled(BOLD, clean(&path)));
        let (goal, world) = (dialogue.goal(), dialogue.world());
        for (label, value) in [("goal", goal), ("world", world)] {
            if let Some(value) = value {
                let _ = writeln!(
                    text,
                    "{}  {}",
                    Styled(DIM, format!("{label:9}")),
                    clean(value)
                );
            }
        }
        let recorded = dialogue.transcript.initial_signature.as_deref();
        let _ = writeln!(text, "{}", signature(initial, recorded));
        if let Some(greeting) = &dialogue.transcript.greeting {
            let _ = write!(
                text,
                "\n{} {}\n",
                Styled(AGENT, "Agent:"),
                terminal::framed(&clean(greeting))
            );
        }
        terminal::print(format_args!("{text}\n"))
    }

    async fn turn(&mut self, _: usize, turn: &Turn, played: &PlayedTurn) -> Result<()> {
        let mut text = said(turn);
        for goal in &played.goals {
            let mut done = played.replayed.done.iter();
            let done = done.find(|done| done.uid == goal.uid);
            text.push_str(&stack::goal(goal, done.map(|done| ran(&done.execution))));
            text.push('\n');
        }
        let changes = stack::changes(&played.changes);
        text.push_str(&changes);
        if !changes.is_empty() {
            text.push('\n');
        }
        let last = played.replayed.done.last();
        let record = last.and_then(|last| turn.goals.iter().find(|goal| goal.uid == last.uid));
        let recorded = record.and_then(|goal| goal.signature.as_deref());
        let _ = writeln!(text, "  {}", signature(played.replayed.signature, recorded));
        for difference in &played.differences {
            let style = if difference.counts() { BAD } else { OPEN };
            let difference = clean(&difference.to_string()).into_owned();
            let _ = writeln!(text, "  {}", Styled(style, difference));
        }
        text.push('\n');
        if let Some(response) = &turn.response {
            let _ = writeln!(
                text,
                "{} {}\n",
                Styled(AGENT, "Agent:"),
                terminal::framed(&clean(response))
            );
        }
        terminal::print(text)?;
        if self.step { wait().await } else { Ok(()) }
    }

    fn broken(&mut self, turn: &Turn, why: &Difference) -> Result<()> {
        let why = clean(&why.to_string()).into_owned();
        let rest = "The replay of this dialogue ends here.";
        terminal::print(format_args!(
            "{}  {}\n  {rest}\n\n",
            said(turn),
            Styled(BAD, why)
        ))
    }
}

fn said(turn: &Turn) -> String {
    format!("{} {}\n\n", Styled(USER, "User:"), clean(&turn.user))
}

/// A signature, compared with the recorded one.
fn signature(now: Signature, recorded: Option<&str>) -> String {
    let beside = match recorded {
        None => String::new(),
        Some(recorded) if recorded == now.to_string() => {
            format!("  {}", Styled(GOOD, "as recorded"))
        }
        Some(recorded) => {
            let recorded = format!("recorded is {}", clean(recorded));
            format!("  {}", Styled(BAD, recorded))
        }
    };
    format!("{}  {now}{beside}", Styled(DIM, "signature"))
}

/// Waits for Enter. The end of standard input ends the replay.
async fn wait() -> Result<()> {
    terminal::print(Styled(DIM, "Enter goes on, Ctrl-C ends. "))?;
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)
    });
    let read = read.await.unwrap_or_else(|error| Err(error.into()));
    match read.map_err(Error::file("cannot read", "the terminal"))? {
        0 => Err(Error::world("the input ended before the replay did")),
        _ => terminal::print("\n"),
    }
}

/// How long a program took, and its output.
fn ran(execution: &Execution) -> (Duration, &str) {
    (execution.elapsed, &execution.output)
}
