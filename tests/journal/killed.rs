//! The program itself, killed: a session in a folder's world, ended by SIGKILL again and
//! again wherever its journal had got to, and resumed each time. Its stack, its transcript
//! and its world are in the end those of a session that nobody killed.

use crate::journal::chats::{Home, goal, reply, text};
use crate::journal::lab::seen;
use crate::support::is_whole;
use dialog2api::domain::{self, s3::world};
use dialog2api::journal::{Origin, SessionState, SessionStore};
use rustix::fs::inotify;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

/// So often it is killed.
fn enough() -> usize {
    if is_whole() { 200 } else { 40 }
}

/// In so many threads.
const WORKERS: usize = 2;

/// What is said, what the model answers, and what the user says to the plan of each goal.
struct Said {
    user: &'static str,
    answers: Vec<String>,
    decisions: &'static [(u32, &'static str)],
}

/// After this turn the last program that changed something is undone.
const UNDO_AFTER: usize = 4;

/// Two programs in a turn, one with contents too long for a line of the journal; a draft,
/// a plan that is declined, a program that only reads, and after the undo one that
/// overwrites and deletes.
fn script() -> Vec<Said> {
    let program = |uid, code: &str| goal(uid, "final", code);
    let reports = "for n in range(4):\n    s3.put_object(Bucket='attic', Key=f'report-{n}.txt', \
                   Body=f'{n} lines\\n' * 2000)\n\
                   s3.copy_object(Bucket='attic', Key='copy.txt', \
                   CopySource={'Bucket': 'attic', 'Key': 'report-1.txt'})\n\
                   s3.delete_object(Bucket='attic', Key='old.txt')\nreturn 'made'";
    let cellar = "s3.create_bucket(Bucket='cellar')\n\
                  for n in range(3):\n    s3.put_object(Bucket='cellar', Key=f'wine/{n}', Body='red')";
    vec![
        Said {
            user: "write the reports in the attic, copy one over old.txt, and keep wine in the cellar",
            answers: vec![
                format!("{}\n{}", program(1, reports), program(2, cellar)),
                reply("All of that is done."),
            ],
            decisions: &[(1, "yes"), (2, "yes")],
        },
        Said {
            user: "delete something",
            answers: vec![
                goal(3, "drafting", "s3.delete_object(Bucket='attic', Key=?1)"),
                reply("What is to be deleted?"),
            ],
            decisions: &[],
        },
        Said {
            user: "report-2.txt",
            answers: vec![
                program(3, "s3.delete_object(Bucket='attic', Key='report-2.txt')"),
                reply("Then it stays."),
            ],
            decisions: &[(3, "no")],
        },
        Said {
            user: "what is in the attic?",
            answers: vec![
                program(
                    4,
                    "return [o['Key'] for o in s3.list_objects(Bucket='attic')['Contents']]",
                ),
                reply("The reports and the copy."),
            ],
            decisions: &[],
        },
        Said {
            user: "now empty the copy, and delete the others",
            answers: vec![
                program(
                    5,
                    "s3.put_object(Bucket='attic', Key='copy.txt', Body='')\n\
                     for n in range(4):\n    s3.delete_object(Bucket='attic', Key=f'report-{n}.txt')",
                ),
                reply("The others are gone."),
            ],
            decisions: &[(5, "yes")],
        },
    ]
}

/// The lines that are still to be typed in a session that is like this.
fn rest(state: &SessionState) -> String {
    let mut lines: Vec<&str> = Vec::new();
    if state.cut_off().is_some() {
        // The apply is finished.
        lines.push("yes");
    }
    let is_undoing = state
        .cut_off()
        .is_some_and(|known| matches!(known.planned.origin, Origin::Undo { .. }));
    let is_undone = is_undoing || state.plans.iter().any(|known| known.undone);
    for (index, said) in script().iter().enumerate().skip(state.turns.len()) {
        let turn = index + 1;
        let begun = (state.unfinished.as_ref()).filter(|_| turn == state.turns.len() + 1);
        if turn == UNDO_AFTER + 1 && !is_undone {
            lines.extend(["/undo", "yes"]);
        }
        if begun.is_none() {
            lines.push(said.user);
        }
        for (uid, answer) in said.decisions {
            let plan = state.plan_of(turn, *uid);
            let is_decided = plan.is_some_and(|known| known.decided.is_some());
            if begun.is_none() || !is_decided {
                lines.push(answer);
            }
        }
    }
    lines.join("\n")
}

/// One session in a folder of its own, and how it is gone on with.
struct Killed<'a> {
    home: &'a Home,
    /// Relative to the home.
    name: String,
}

impl Killed<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.home.path(&self.name).join(name)
    }

    fn new<'a>(home: &'a Home, name: &str) -> Killed<'a> {
        let killed = Killed {
            home,
            name: name.to_owned(),
        };
        fs::create_dir_all(killed.path("state/sessions/it")).unwrap();
        copy(&home.path("world"), &killed.path("world"));
        killed
    }

    fn store(&self) -> SessionStore {
        SessionStore::at(self.path("state/sessions"))
    }

    fn state(&self) -> SessionState {
        self.store().read("it").unwrap().state
    }

    /// Goes on with the session, until this holds of its journal's file; then the process
    /// is killed, unless it has ended.
    fn go_on(&self, until: impl Fn(&Path) -> bool) -> ExitStatus {
        fs::write(self.path("script"), rest(&self.state())).unwrap();
        let words = "chat --quiet --session it --world world --script script";
        let mut command = self.home.command(words);
        let errors = fs::File::create(self.path("errors")).unwrap();
        let mut child = command
            .current_dir(self.path("."))
            .env("DIALOG2API_STATE_DIR", self.path("state"))
            .arg("--model")
            .arg(format!(
                "replay:{}",
                self.home.path("model.jsonl").display()
            ))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .unwrap();
        let mut said = child.stdout.take().unwrap();
        let over = self.path("state/sessions/it/over");
        let _ = fs::remove_file(&over);
        let watch = Watch::new(&self.path("state/sessions/it"));
        let reading = std::thread::spawn({
            let over = over.clone();
            move || {
                std::io::copy(&mut said, &mut std::io::sink()).unwrap();
                fs::write(over, "").unwrap();
            }
        });
        let journal = self.path("state/sessions/it/journal.jsonl");
        while !over.exists() {
            if until(&journal) {
                child.kill().unwrap();
                break;
            }
            watch.wait();
        }
        let status = child.wait().unwrap();
        reading.join().unwrap();
        status
    }

    /// The signature of the world.
    fn world(&self) -> String {
        let world = world::open(self.path("world").to_str().unwrap())
            .unwrap()
            .world;
        let signed = domain::signature(&*world, []);
        crate::plan::lab::block_on(signed).unwrap().to_string()
    }

    /// All that is to be the same.
    fn seen(&self) -> String {
        let session = self.state().session().unwrap();
        let signature = self.world();
        let mut command = self.home.command("session export it");
        command.env("DIALOG2API_STATE_DIR", self.path("state"));
        let exported = text(&command.output().unwrap());
        format!("{}{exported}{signature}\n", seen(&session))
    }
}

/// Tells of changes in a folder.
struct Watch(std::os::fd::OwnedFd);

impl Watch {
    fn new(folder: &Path) -> Watch {
        let watch = inotify::init(inotify::CreateFlags::CLOEXEC).unwrap();
        let changes = inotify::WatchFlags::MODIFY | inotify::WatchFlags::CREATE;
        inotify::add_watch(&watch, folder, changes).unwrap();
        Watch(watch)
    }

    /// Waits for the next ones.
    fn wait(&self) {
        rustix::io::read(&self.0, &mut [0; 4096]).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => fs::copy(entry.path(), to.join(entry.file_name()))
                .map(drop)
                .unwrap(),
        }
    }
}

/// A home with a world, and a model that was recorded in it.
fn home() -> Home {
    let home = Home::new();
    let program = "s3.create_bucket(Bucket='attic')\n\
                   s3.put_object(Bucket='attic', Key='old.txt', Body='dust\\n' * 1000)";
    let made = home.seen("run - --world world", program);
    assert!(made.contains("-- exit 0 --"), "{made}");
    copy(&home.path("world"), &home.path("recorded"));
    let answers: Vec<String> = script().into_iter().flat_map(|said| said.answers).collect();
    let words = "--record model.jsonl --session recorded --world recorded";
    let said = home.chat(words, &answers, &rest(&SessionState::default()));
    assert!(
        said.contains("Undone.") && said.contains("Nothing is changed."),
        "{said}"
    );
    assert!(said.contains("-- exit 0 --"), "{said}");
    home
}

/// Numbers that look like chance, and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % most.max(1)
    }
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |found| found.len())
}

/// The kills of one thread: how many there were after each kind of entry. `whole` is what
/// an undisturbed session comes to, and `bytes` the length of its journal.
fn kill(home: &Home, worker: usize, whole: &str, bytes: u64) -> BTreeMap<String, usize> {
    let mut chance = Chance(worker as u64);
    let mut kills = BTreeMap::new();
    for round in 0.. {
        let killed = Killed::new(home, &format!("{worker}-{round}"));
        while !killed.store().has("it").unwrap() || !killed.state().ended {
            let now = length(&killed.path("state/sessions/it/journal.jsonl"));
            let is_enough = kills.values().sum::<usize>() >= enough() / WORKERS;
            let until = now + 1 + chance.below(bytes / 3);
            let status = killed.go_on(|journal| !is_enough && length(journal) >= until);
            let reading = killed.store().read("it").unwrap();
            match status.signal() {
                Some(9) => {
                    let after = reading.lines.last().map_or("nothing".to_owned(), |line| {
                        let json = serde_json::to_value(&line.entry).unwrap();
                        json.as_object().unwrap().keys().next().unwrap().clone()
                    });
                    *kills.entry(after).or_default() += 1;
                }
                _ => {
                    let errors = fs::read_to_string(killed.path("errors")).unwrap();
                    assert!(status.success(), "{}: {errors}", killed.name);
                    assert!(reading.state.ended, "{}: {errors}", killed.name);
                }
            }
        }
        assert_eq!(killed.seen(), whole, "{}", killed.name);
        if kills.values().sum::<usize>() >= enough() / WORKERS {
            break;
        }
    }
    kills
}

#[test]
fn a_session_killed_often_is_in_the_end_one_that_was_not() {
    let home = home();
    let undisturbed = Killed::new(&home, "undisturbed");
    assert!(undisturbed.go_on(|_| false).success());
    let whole = undisturbed.seen();
    assert!(
        whole.contains("<turn>Agent: The others are gone.</turn>"),
        "{whole}"
    );
    let bytes = length(&undisturbed.path("state/sessions/it/journal.jsonl"));
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    std::thread::scope(|scope| {
        let (home, whole) = (&home, &whole);
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| scope.spawn(move || kill(home, worker, whole, bytes)))
            .collect();
        for worker in workers {
            for (after, count) in worker.join().unwrap() {
                *all.entry(after).or_default() += count;
            }
        }
    });
    let kills: usize = all.values().sum();
    let mut figures = format!("killed {kills} times, resumed to the same end; after the entry:");
    for (after, count) in &all {
        let _ = write!(figures, " {after} {count}");
    }
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{figures}\n").as_bytes());
    assert_eq!(kills, enough());
    let within = ["intent", "done"].map(|kind| all.get(kind).copied().unwrap_or(0));
    assert!(
        within.iter().sum::<usize>() > 0,
        "none within an apply: {figures}"
    );
}

/// A session of this name that was killed in the middle of its first apply.
fn cut_off<'a>(home: &'a Home, name: &str) -> Killed<'a> {
    for round in 0..20 {
        let killed = Killed::new(home, &format!("{name}-{round}"));
        let status = killed.go_on(|journal| {
            let text = fs::read_to_string(journal).unwrap_or_default();
            text.matches("\"entry\":{\"done\"").count() > 1
        });
        let state = killed.state();
        if status.signal() == Some(9) && state.cut_off().is_some() {
            assert_eq!(state.cut_off().unwrap().planned.id, 1);
            return killed;
        }
    }
    panic!("no kill falls in an apply of six writes");
}

#[test]
fn an_apply_that_was_killed_is_taken_back() {
    let home = home();
    let before = Killed::new(&home, "before").world();
    let killed = cut_off(&home, "cut");
    assert_ne!(killed.world(), before);
    // A session stays with its folder, so that another one is killed and not a copy made.
    let other = cut_off(&home, "other");

    // In a chat, where it is asked about. Without an answer nothing is done.
    let at_kill = killed.world();
    let chat = "chat --session it --world world --model replay:../model.jsonl";
    let mut command = home.command(chat);
    command
        .current_dir(killed.path("."))
        .env("DIALOG2API_STATE_DIR", killed.path("state"));
    let output = assert_cmd::Command::from(command).write_stdin("").output();
    let said = text(&output.unwrap());
    assert!(
        said.contains("there was no answer, and nothing was changed"),
        "{said}"
    );
    assert_eq!(killed.world(), at_kill);
    let mut command = home.command(chat);
    command
        .current_dir(killed.path("."))
        .env("DIALOG2API_STATE_DIR", killed.path("state"));
    let output = assert_cmd::Command::from(command)
        .write_stdin("no\n")
        .output();
    let said = text(&output.unwrap());
    // What is made is counted, and what is left is shown as a plan.
    let (_, asked) = said.split_once("An apply was cut off after ").unwrap();
    for part in [
        "\n  changed  ",
        "\n\nThe program of goal 1 would change this:\n  ",
        "\n  returns \"made\"\n",
        "\nFinish it? (no takes back what was done) [y/n] no\n",
        "The writes that were made have been taken back.",
        "Interrupted: Nothing was changed: what was done is taken back.",
    ] {
        assert!(asked.contains(part), "{part:?}: {said}");
    }
    assert_eq!(killed.world(), before, "{said}");
    let state = killed.state();
    assert!(state.plans[0].undone && state.cut_off().is_none(), "{said}");
    // A write that was under way is known by now, and none was made to find out.
    assert!(state.plans[0].begun.is_empty() && state.plans[0].made.len() < 6);

    // From the command line, without the model of the session.
    let mut command = home.command("session undo it --yes");
    command
        .current_dir(other.path("."))
        .env("DIALOG2API_STATE_DIR", other.path("state"));
    let said = text(&command.output().unwrap());
    assert!(
        said.contains("Undoing the program of goal 1 (turn 1)"),
        "{said}"
    );
    assert!(said.ends_with("Undone.\n-- exit 0 --\n"), "{said}");
    assert_eq!(other.world(), before, "{said}");
}
