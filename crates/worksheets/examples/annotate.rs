//! Writes into the recorded dialogues of a folder what comes of their programs: acts, rows
//! and calls. The calls are made by `world.py`, so Python 3 has to be there:
//! `cargo run -p worksheets --example annotate -- FOLDER [UID]`. UID shows one dialogue.
//! The calls of all dialogues become `gold.jsonl`, which `dialog2api domain test` replays.

#[path = "shared/ended.rs"]
mod ended;
mod folder;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use ended::ended;
use folder::Folder;
use serde_json::{Value as Json, json};
use worksheets::dialogue::{Backend, Dialogue, Play, Recorded, outcome};
use worksheets::knowledge::Knowledge;
use worksheets::program::Called;
use worksheets::{Effect, Settings, Sheets, judge_reply};

fn main() -> ExitCode {
    ended(run())
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: annotate FOLDER [UID]")?;
    let (path, only) = (Path::new(&path), args.next());
    let folder = Folder::open(path)?;
    let mut knowledge = folder.knowledge()?;
    let mut gold = String::new();
    for (file, dialogue) in &folder.dialogues {
        let shown = only.as_ref() == Some(&dialogue.uid);
        let mut dialogue = dialogue.clone();
        let mut python = Python::start(path, &dialogue.world)?;
        play(&folder.sheets, &mut knowledge, &mut dialogue, &mut python)?;
        judge(&folder.sheets, &mut knowledge, &mut dialogue, shown)?;
        std::fs::write(file, dialogue.text()).map_err(|error| error.to_string())?;
        let (uid, world, state) = (&dialogue.uid, &dialogue.world, python.state());
        let calls = &python.calls;
        let line = json!({ "name": uid, "world": world, "calls": calls, "state": state });
        gold.push_str(&format!("{line}\n"));
    }
    std::fs::write(path.join("gold.jsonl"), gold).map_err(|error| error.to_string())
}

/// Makes the results with the owner's functions.
fn play<'s>(
    sheets: &'s Sheets,
    knowledge: &mut Knowledge<'s>,
    dialogue: &mut Dialogue,
    python: &mut Python,
) -> Result<(), String> {
    let mut play = Play::new(sheets, Settings::default(), knowledge);
    for turn in &mut dialogue.turns {
        let played = play.turn(&turn.program, python);
        turn.result = Some(outcome(&played));
    }
    match python.broken.take() {
        Some(why) => Err(format!("{}: {why}", dialogue.uid)),
        None => Ok(()),
    }
}

/// Judges the turns as they are played from the record.
fn judge<'s>(
    sheets: &'s Sheets,
    knowledge: &mut Knowledge<'s>,
    dialogue: &mut Dialogue,
    shown: bool,
) -> Result<(), String> {
    let mut recorded = Recorded::of(dialogue)?;
    let mut play = Play::new(sheets, Settings::default(), knowledge);
    for (number, turn) in (1..).zip(&mut dialogue.turns) {
        let played = play.turn(&turn.program, &mut recorded);
        let (state, acts) = (&played.turned.state, &played.turned.acts);
        let findings = judge_reply(&turn.agent, sheets, state, acts);
        if shown {
            let acts: Vec<String> = played.turned.acts.iter().map(|a| a.to_string()).collect();
            println!(
                "{number}. {}\n{}\n   => {}",
                turn.user,
                turn.program,
                acts.join(", ")
            );
            println!("   {}", turn.agent);
        }
        for finding in findings {
            println!("{}, turn {number}: {finding}", dialogue.uid);
        }
        if let Some(raised) = &played.raised
            && raised.error == "NotImplementedError"
        {
            return Err(format!("{}, turn {number}: {raised}", dialogue.uid));
        }
    }
    Ok(())
}

/// The functions of `world.py` in a process of their own: a call a line, an answer a line.
struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: Vec<Json>,
    state: Json,
    broken: Option<String>,
}

const DRIVER: &str = r#"
import copy, inspect, json, sys
sys.path.insert(0, sys.argv[1])
import world
db = json.load(open(sys.argv[2]))
for line in sys.stdin:
    asked = json.loads(line)
    if not asked:
        print(json.dumps({"state": db}), flush=True)
        continue
    function = getattr(world, asked["function"])
    given = dict(asked["named"])
    bound = inspect.signature(function).bind(db, *asked["args"], **given)
    named = dict(list(bound.arguments.items())[1:])
    before = copy.deepcopy(db)
    try:
        out = {"result": function(db, *asked["args"], **given)}
    except Exception as error:
        db = before
        out = {"error": type(error).__name__, "message": str(error)}
        if hasattr(error, "field"):
            out.update(field=error.field, message=error.message)
    print(json.dumps({"named": named, **out}), flush=True)
"#;

impl Python {
    fn start(folder: &Path, world: &str) -> Result<Self, String> {
        let state = folder.join("worlds").join(format!("{world}.json"));
        let mut child = Command::new("python3")
            .args(["-B", "-c", DRIVER])
            .args([folder, &state])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("python3 cannot be started: {error}"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or("python3 has no pipes")?;
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
            calls: Vec::new(),
            state: Json::Null,
            broken: None,
        })
    }

    fn ask(&mut self, asked: &Json) -> Result<Json, String> {
        let failed = |error: std::io::Error| error.to_string();
        writeln!(self.input, "{asked}").map_err(failed)?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(failed)?;
        serde_json::from_str(&line).map_err(|error| format!("python3 said {line:?}: {error}"))
    }
}

impl Backend for Python {
    fn call(&mut self, called: &Called, _: &Called) -> Effect {
        let answer = self.ask(&json!(called)).and_then(|mut answer| {
            let effect = Effect::of(&answer)?;
            let named = answer["named"].take();
            let expected = match answer.get("error") {
                Some(error) => json!({ "error": error }),
                None => json!({ "result": answer["result"] }),
            };
            self.calls.push(json!([called.function, named, expected]));
            Ok(effect)
        });
        answer.unwrap_or_else(|why| {
            self.broken = Some(why.clone());
            Effect::NoAnswer(why)
        })
    }

    fn state(&mut self) -> Json {
        match self.ask(&json!({})) {
            Ok(mut answer) => self.state = answer["state"].take(),
            Err(why) => self.broken = Some(why),
        }
        self.state.clone()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
