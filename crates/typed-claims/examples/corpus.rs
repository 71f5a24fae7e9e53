//! Writes the replies with planted errors, and those without, as `dialog2api claims --judge` reads
//! them: `cargo run --example corpus FOLDER [EVERY] [SEED]` makes `rows.jsonl` and `turns.jsonl`,
//! with every so-manieth copy.

use std::fmt::Write;
use std::path::Path;

use serde_json::json;
use typed_claims::dialogues::{self, Speaker, Turn};
use typed_claims::plant::{Pair, pairs};
use typed_claims::restaurant;

const DIALOGUES: &str = include_str!("../data/restaurant/dialogues.jsonl");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder?")?;
    let every: usize = arguments.next().map_or(Ok(1), |every| every.parse())?;
    let seed = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let rows = restaurant::rows()?;
    let dialogues = dialogues::read(DIALOGUES)?;
    let mut turns = String::new();
    let of_replies = pairs(&dialogues, &rows, seed).into_iter();
    // A judge is not asked about bookings, nor whether a list is whole.
    let of_replies = of_replies.filter(|pair| {
        let label = pair.planted.label;
        !label.aligned || label.grounded == Some(false)
    });
    for (at, pair) in of_replies.enumerate().step_by(every.max(1)) {
        write(&mut turns, &pair, at)?;
    }
    let rows: Vec<String> = rows.iter().map(|row| json!(row).to_string()).collect();
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        Path::new(&folder).join("rows.jsonl"),
        rows.join("\n") + "\n",
    )?;
    std::fs::write(Path::new(&folder).join("turns.jsonl"), turns)?;
    Ok(())
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
