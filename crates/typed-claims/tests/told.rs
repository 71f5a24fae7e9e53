//! What replies say was done, text in, deeds out. `UPDATE_EXPECT=1` writes what is found into the
//! file.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use typed_claims::{Knowledge, Voice};

const SCHEMA: &str = "key = 'name'\nnames = 'exact'\nholder = 'bucket'\nholds = 'objects'\n\
    [slots]\nbucket = { kind = 'value' }\nobjects = { kind = 'quantity', unit = 'number' }\n\
    [lexicon.en]\nnouns = ['object~', 'file~']\nholders = ['bucket~']\n\
    [lexicon.de]\nnouns = ['objekt|objekte', 'datei|dateien']\nholders = ['bucket|buckets']\n\
    [lexicon.it]\nnouns = ['oggetto|oggetti', 'file']\nholders = ['bucket']\n";

/// The text of a file with what is found anew, below each reply.
fn found(text: &str) -> String {
    let of = |language| Knowledge::read(SCHEMA, language, Vec::new()).unwrap();
    let known = ["en", "de", "it"].map(|language| (language, of(language)));
    let mut out = String::new();
    for said in text.lines().filter(|line| !line.starts_with("  ")) {
        writeln!(out, "{said}").unwrap();
        let Some((language, reply)) = said.split_once(": ") else {
            continue;
        };
        let Some((_, known)) = known.iter().find(|(known, _)| *known == language) else {
            continue;
        };
        for done in known.done(&reply.replace("\\n", "\n")) {
            let reply = reply.replace("\\n", "\n");
            let said = &reply[done.range.clone()];
            let rows = if done.of_rows { " of rows" } else { "" };
            let voice = match done.voice {
                Voice::Active => "",
                Voice::Passive => ", passive",
                Voice::State => ", state",
            };
            let whole = if done.whole { ", whole" } else { "" };
            let names = done.names.iter();
            let names = names.map(|name| format!(" [{}]", &reply[name.clone()]));
            let names: String = names.collect();
            writeln!(out, "  {:?}{rows}{voice}{whole}: {said}{names}", done.deed).unwrap();
        }
    }
    out
}

#[test]
fn deeds_of_replies() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/told.txt");
    let want = fs::read_to_string(&path).unwrap();
    let got = found(&want);
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, got).unwrap();
        return;
    }
    assert_eq!(got, want, "{}", path.display());
}

#[test]
fn participles_speak_of_deeds() {
    let known = Knowledge::nothing("en").unwrap();
    assert!(known.names_deeds("Which files were deleted?"));
    assert!(!known.names_deeds("Delete these files."));
}
