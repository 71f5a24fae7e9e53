//! Writes the replies with planted errors, and those without, as `dialog2api claims --judge` reads
//! them: `cargo run --example corpus FOLDER [EVERY] [SEED]` makes `rows.jsonl` and `turns.jsonl`,
//! with every so-manieth copy. `checker.jsonl` has what this crate finds in each of those turns, and
//! `human.jsonl` the recorded replies as they were said: `peers.py` compares others with it.

use std::fmt::Write;
use std::path::Path;

use serde_json::json;
use typed_claims::dialogues::{self, Speaker, Turn};
use typed_claims::plant::{Pair, pairs};
use typed_claims::{Catalogue, Flags, Lexicon, Schema, Tracker, restaurant};

const DIALOGUES: &str = include_str!("../data/restaurant/dialogues.jsonl");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder?")?;
    let every: usize = arguments.next().map_or(Ok(1), |every| every.parse())?;
    let seed = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let rows = restaurant::rows()?;
    let dialogues = dialogues::read(DIALOGUES)?;
    let checker = Checker::new()?;
    let (mut turns, mut found) = (String::new(), String::new());
    let of_replies = pairs(&dialogues, &rows, seed).into_iter();
    // A judge is not asked about bookings, nor whether a list is whole.
    let of_replies = of_replies.filter(|pair| {
        let label = pair.planted.label;
        !label.aligned || label.grounded == Some(false)
    });
    for (at, pair) in of_replies.enumerate().step_by(every.max(1)) {
        write(&mut turns, &pair, at)?;
        for reply in [&pair.untouched, &pair.planted.reply] {
            writeln!(
                found,
                "{}",
                said(reply, &checker.flags(pair.before(), reply))
            )?;
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| json!(row).to_string()).collect();
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        Path::new(&folder).join("rows.jsonl"),
        rows.join("\n") + "\n",
    )?;
    let mut human = String::new();
    for dialogue in &dialogues {
        for (at, turn) in dialogue.turns.iter().enumerate() {
            if turn.speaker == Speaker::System {
                let before = dialogue.turns.get(..at).unwrap_or_default();
                let flags = checker.flags(before, &turn.text);
                writeln!(human, "{}", said(&turn.text, &flags))?;
            }
        }
    }
    let files = [("turns", turns), ("checker", found), ("human", human)];
    for (name, text) in files {
        std::fs::write(Path::new(&folder).join(name).with_extension("jsonl"), text)?;
    }
    Ok(())
}

/// A reply, whether it says something of the rows, and whether something is wrong with that.
fn said(reply: &str, flags: &Flags) -> serde_json::Value {
    json!({"reply": reply, "refers": flags.refers, "flagged": flags.refers && !flags.correct()})
}

/// What this crate finds.
struct Checker {
    schema: Schema,
    lexicon: Lexicon,
    catalogue: Catalogue,
}

impl Checker {
    fn new() -> Result<Self, typed_claims::Error> {
        let schema = restaurant::schema()?;
        let lexicon = restaurant::lexicon("en", &schema)?;
        Ok(Checker {
            catalogue: Catalogue::new(restaurant::rows()?, &schema, &lexicon)?,
            schema,
            lexicon,
        })
    }

    /// The flags of a reply to the turns before it.
    fn flags(&self, before: &[Turn], reply: &str) -> Flags {
        let base = self.catalogue.full();
        let mut tracker = Tracker::new(&self.schema, &self.lexicon, &self.catalogue, base);
        for turn in before {
            match turn.speaker {
                Speaker::User => tracker.hear(&turn.text),
                Speaker::System => drop(tracker.check(&turn.text, None)),
            }
        }
        tracker.check(reply, None).flags
    }
}

/// The reply as it was and its copy, each after the turns before.
fn write(turns: &mut String, pair: &Pair<'_>, at: usize) -> std::fmt::Result {
    let planted = &pair.planted;
    let label = planted.label;
    let copies = [
        (
            &pair.untouched,
            "none",
            json!({"aligned": true, "grounded": true}),
        ),
        (
            &planted.reply,
            planted.operator,
            json!({"aligned": label.aligned, "grounded": label.grounded}),
        ),
    ];
    for (reply, operator, label) in copies {
        let dialogue = format!("{at}/{operator}");
        let mut user = String::new();
        for Turn { speaker, text, .. } in pair.before() {
            match speaker {
                Speaker::User => user.clone_from(text),
                Speaker::System => {
                    let user = std::mem::take(&mut user);
                    let line =
                        json!({"dialogue": dialogue, "user": user, "reply": text, "context": true});
                    writeln!(turns, "{line}")?;
                }
            }
        }
        let line = json!({
            "dialogue": dialogue, "user": user, "reply": reply, "operator": operator, "label": label,
        });
        writeln!(turns, "{line}")?;
    }
    Ok(())
}
