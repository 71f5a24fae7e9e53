//! Replies judged by the rows of their worlds: those of the dialogues, which are true, and
//! replies about every bucket, true ones and ones with a planted error.

use crate::dataset::replayer;
use dialog2api::claims::{
    Doings, Evidence, Knowledge, Places, Withheld, doubtful, language_of, undone,
};
use dialog2api::dataset::Set;
use dialog2api::dialogue::{ConversationalException, Outcome};
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Access, Row, Touch, World};
use expect_test::expect;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

async fn known(world: &dyn World, words: &str, language: &str) -> Knowledge {
    let facts = S3.facts.as_ref().unwrap();
    let rows = facts.rows(world, words).await.unwrap();
    Knowledge::read(facts.schema(), language, rows).unwrap()
}

/// At most 2 % of the replies of the dialogues are marked, and the rows do decide some.
#[tokio::test(flavor = "multi_thread")]
async fn the_replies_of_the_dialogues_agree_with_their_worlds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3");
    let set = Set::read(&folder, &S3).expect("a dataset");
    let replayer = replayer().await;
    let (mut replies, mut decided) = (0, 0);
    let mut marks = Vec::new();
    let mut found: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut missed = Vec::new();
    for dialogue in &set.dialogues {
        let transcript = &dialogue.transcript;
        let world = set.world(dialogue).unwrap();
        let mut replay = replayer.start(world).offering(transcript.offer());
        let mut earlier = false;
        for (at, turn) in transcript.turns.iter().enumerate() {
            let mut words = turn.response.clone().unwrap_or_default();
            for turn in transcript.turns[..=at].iter().rev().take(3) {
                words += &format!("\n{}", turn.user);
            }
            let language = language_of(turn.response.as_deref().unwrap_or_default());
            let before = known(&**replay.world(), &words, language).await;
            let replayed = replay.turn(turn).await.unwrap().unwrap();
            let calls = replayed
                .done
                .iter()
                .flat_map(|done| done.execution.calls.iter());
            let writes = calls.filter(|call| call.error.is_none() && S3.writes(&call.operation));
            let writes = writes.count();
            let touched = replayed.done.iter();
            let touched = touched.map(|done| done.execution.touched.as_deref());
            let touched: Option<Vec<&[Touch]>> = touched.collect();
            let is_known = touched.is_some();
            let touched: Vec<&Touch> = touched.into_iter().flatten().flatten().collect();
            let has = |access| !is_known || touched.iter().any(|touch| touch.access == access);
            let failed = replayed.done.iter().any(|done| {
                matches!(&done.execution.outcome, Outcome::Error(error)
                    if ConversationalException::named(&error.error).is_none())
            });
            let doings = Doings {
                wrote: has(Access::Write) || has(Access::Share),
                removed: has(Access::Delete),
                shared: has(Access::Share),
                places: is_known.then(|| places(&touched)),
                withheld: failed.then_some(Withheld::Failed),
                earlier,
                ..Doings::default()
            };
            earlier |= writes > 0;
            let Some(reply) = &turn.response else {
                continue;
            };
            let turns = &transcript.turns[..=at];
            let facts = S3.facts.as_ref().unwrap();
            let rows = facts.rows(&**replay.world(), &words).await.unwrap();
            let known = known(&**replay.world(), &words, language).await;
            let evidence = Evidence::of(turns).with_facts(&S3.api.document);
            replies += 1;
            let mut tracker = known.tracker();
            for turn in turns {
                tracker.hear(&turn.user);
            }
            let claims = tracker.check(reply, None).claims;
            decided += usize::from(claims.iter().any(|claim| claim.truth.is_some()));
            for (operator, wrong) in swapped(reply, &claims, &rows) {
                let mut tracker = known.tracker();
                for turn in turns {
                    tracker.hear(&turn.user);
                }
                let claims = tracker.check(&wrong, None).claims;
                let is_found = claims.iter().any(|claim| claim.truth == Some(false));
                let (planted, caught) = found.entry(operator).or_default();
                *planted += 1;
                *caught += u32::from(is_found);
                if !is_found {
                    missed.push(format!("{operator}: {wrong:?}"));
                }
            }
            let doubts = doubtful(reply, &evidence, Some(&known), turns);
            let of_deeds = undone(reply, Some(&known), turns, &doings);
            if writes > 0 {
                // The same reply after a no, when the world is as it was before.
                let declined = Doings {
                    withheld: Some(Withheld::Declined),
                    earlier: doings.earlier,
                    ..Doings::default()
                };
                let told = before.done(reply);
                let doubts = doubtful(reply, &evidence, Some(&before), turns);
                let is_found = doubts.iter().any(|claim| claim.rule.is_some())
                    || !undone(reply, Some(&before), turns, &declined).is_empty();
                let (planted, caught) = found.entry("not_done").or_default();
                *planted += u32::from(!told.is_empty());
                *caught += u32::from(!told.is_empty() && is_found);
                if !told.is_empty() && !is_found {
                    missed.push(format!("not_done: {reply:?}"));
                }
            }
            let of_rows = doubts
                .iter()
                .filter(|claim| claim.rule.is_some())
                .chain(&of_deeds);
            let of_rows: Vec<_> = of_rows.map(|claim| (&claim.text, &claim.why)).collect();
            if !of_rows.is_empty() {
                let uid = &transcript.uid;
                marks.push(format!("{uid}, turn {}: {of_rows:?} in {reply:?}", at + 1));
            }
        }
    }
    assert!(marks.len() * 50 <= replies, "{}", marks.join("\n"));
    let text = format!(
        "{} dialogues, {replies} replies, rows decide {decided}\n{found:?}\n{}\nmissed:\n{}",
        set.dialogues.len(),
        marks.join("\n"),
        missed.join("\n")
    );
    expect![[r#"
        100 dialogues, 472 replies, rows decide 97
        {"not_done": (69, 69), "not_gone": (43, 42), "not_in_it": (84, 84), "not_there": (60, 60)}

        missed:
        not_gone: "The object \"land_animals/mammals/bat.txt\" has been moved from \"zoology-archive\" to \"zoology-bucket\" as \"report_2022.txt\".""#]]
    .assert_eq(&text);
}

/// Where a turn did something.
fn places(touched: &[&Touch]) -> Places {
    let mut places = Places::default();
    for touch in touched {
        let is_setting = touch.place.setting().is_some() && !touch.place.is_version();
        let list = match touch.access {
            Access::Read => &mut places.read,
            Access::Delete if !is_setting => &mut places.removed,
            Access::Delete | Access::Write | Access::Share => &mut places.written,
        };
        writeln!(list, "{}", touch.place.path()).unwrap();
    }
    places
}

/// The reply with an error: a name that is said to be there is spelt like none that is, and one
/// that is said to be gone is one that is there.
fn swapped(
    reply: &str,
    claims: &[typed_claims::Claim],
    rows: &[Row],
) -> Vec<(&'static str, String)> {
    use typed_claims::{ClaimRule, Kind};
    let mut found = Vec::new();
    for claim in claims.iter().filter(|claim| claim.truth == Some(true)) {
        let name = &reply[claim.range.clone()];
        let (operator, other) = match (&claim.kind, claim.rule) {
            (Kind::Entity(_), ClaimRule::Named) => ("not_there", misspelt(name)),
            (Kind::Slot { slot, .. }, ClaimRule::Equal) if slot == "bucket" => {
                ("not_in_it", misspelt(name))
            }
            (Kind::Absent(_), ClaimRule::NoRow) if !name.ends_with('/') => {
                let Some(other) = left(reply, name, rows) else {
                    continue;
                };
                ("not_gone", other)
            }
            _ => continue,
        };
        let mut wrong = reply.to_owned();
        wrong.replace_range(claim.range.clone(), &other);
        found.push((operator, wrong));
    }
    found
}

/// A name that is there, of a bucket or of what the first bucket that the reply names holds.
fn left(reply: &str, name: &str, rows: &[Row]) -> Option<String> {
    let places = rows.iter().filter_map(|row| {
        let bucket = row.get("bucket")?;
        Some((reply.find(bucket.as_str())?, row))
    });
    let first = places.min_by_key(|(at, _)| *at);
    let bucket = rows.iter().find(|row| !row.contains_key("bucket"));
    let is_path = name.contains(['.', '/']);
    let row = if is_path { first?.1 } else { bucket? };
    (!reply.contains(&row["name"])).then(|| row["name"].clone())
}

/// A name with one more letter before its ending.
fn misspelt(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}x.{ending}"),
        None => format!("{name}x"),
    }
}

/// How a language asks and says what there is. `{b}` is a bucket, `{k}` a key, `{v}` a value.
struct Words {
    language: &'static str,
    count: [&'static str; 2],
    list: [&'static str; 2],
    size: [&'static str; 2],
    day: [&'static str; 2],
    total: [&'static str; 2],
}

const WORDS: [Words; 3] = [
    Words {
        language: "en",
        count: [
            "How many objects are in {b}?",
            "There are {v} objects in {b}.",
        ],
        list: ["Which objects are in {b}?", "Here are the objects in {b}:"],
        size: ["How big is {k}?", "{k} has {v} bytes."],
        day: ["When was {k} changed?", "{k} was last modified on {v}."],
        total: [
            "How big is {b}?",
            "The objects in {b} take {v} bytes in total.",
        ],
    },
    Words {
        language: "de",
        count: ["Wie viele Objekte sind in {b}?", "In {b} sind {v} Objekte."],
        list: [
            "Welche Objekte sind in {b}?",
            "Hier sind die Objekte in {b}:",
        ],
        size: ["Wie groß ist {k}?", "{k} hat {v} Bytes."],
        day: [
            "Wann wurde {k} geändert?",
            "{k} wurde zuletzt am {v} geändert.",
        ],
        total: ["Wie groß ist {b}?", "{b} belegt insgesamt {v} Bytes."],
    },
    Words {
        language: "it",
        count: [
            "Quanti oggetti ci sono in {b}?",
            "Ci sono {v} oggetti in {b}.",
        ],
        list: ["Quali oggetti ci sono in {b}?", "Ecco gli oggetti in {b}:"],
        size: ["Quanto è grande {k}?", "{k} ha {v} byte."],
        day: [
            "Quando è stato modificato {k}?",
            "{k} è stato modificato il {v}.",
        ],
        total: ["Quanto è grande {b}?", "{b} occupa {v} byte in totale."],
    },
];

/// A bucket and its objects.
struct Bucket<'a> {
    row: &'a Row,
    objects: Vec<&'a Row>,
}

/// Questions and replies about a bucket, each with the error in it; none without an error.
fn replies(
    words: &Words,
    it: &Bucket<'_>,
    other: &Bucket<'_>,
) -> Vec<(&'static str, String, String)> {
    let bucket = it.row["name"].as_str();
    let fill = |[ask, say]: [&str; 2], key: &str, value: &str| {
        let filled = |text: &str| text.replace("{b}", bucket).replace("{k}", key);
        (filled(ask), filled(say).replace("{v}", value))
    };
    let mut found = Vec::new();
    let mut add = |operator, (ask, say): (String, String)| found.push((operator, ask, say));
    let number = |row: &Row, slot: &str| row[slot].parse::<u64>().unwrap();
    let n = number(it.row, "objects");
    let listed = |rows: &[&Row]| {
        let (ask, say) = fill(words.list, "", "");
        let items = rows.iter().map(|row| format!("\n- {}", row["name"]));
        (ask, say + &items.collect::<String>())
    };
    add("none", fill(words.count, "", &n.to_string()));
    add("none", listed(&it.objects));
    add("none", fill(words.total, "", &it.row["size"]));
    add("count_wrong", fill(words.count, "", &(n + 1).to_string()));
    if other.row["objects"] != it.row["objects"] {
        add(
            "count_of_other",
            fill(words.count, "", &other.row["objects"]),
        );
        add("total_of_other", fill(words.total, "", &other.row["size"]));
    }
    add("drop_row", listed(&it.objects[1..]));
    let here = |row: &&&Row| it.objects.iter().all(|own| own["name"] != row["name"]);
    if let Some(foreign) = other.objects.iter().find(here) {
        let mut rows = it.objects.clone();
        rows[0] = foreign;
        add("row_of_other", listed(&rows));
    }
    let (object, next) = (it.objects[0], it.objects[1]);
    let key = object["name"].as_str();
    add("none", fill(words.size, key, &object["size"]));
    add("none", fill(words.day, key, &object["modified"][..10]));
    if object["size"] != next["size"] {
        add("size_of_other", fill(words.size, key, &next["size"]));
    }
    if object["modified"][..10] != next["modified"][..10] {
        add(
            "day_of_other",
            fill(words.day, key, &next["modified"][..10]),
        );
    }
    found
}

/// How many of the planted errors are found, and how many replies without one are marked.
#[tokio::test(flavor = "multi_thread")]
async fn errors_in_replies_about_buckets_are_found_in_three_languages() {
    let facts = S3.facts.as_ref().unwrap();
    let mut found: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
    let mut missed = Vec::new();
    for name in S3.world_names() {
        let world = S3.initial_world(&name).unwrap();
        let buckets = S3.contents().unwrap().holdings(&*world).await.unwrap();
        for (at, bucket) in buckets.iter().enumerate() {
            let other = &buckets[(at + 1) % buckets.len()];
            let rows = facts
                .rows(&*world, &format!("{bucket} {other}"))
                .await
                .unwrap();
            let of = |name: &str| Bucket {
                row: rows
                    .iter()
                    .find(|row| row["name"] == name && !row.contains_key("bucket"))
                    .unwrap(),
                objects: rows
                    .iter()
                    .filter(|row| row.get("bucket").is_some_and(|it| it == name))
                    .collect(),
            };
            let (it, other) = (of(bucket), of(other));
            if !(2..=40).contains(&it.objects.len()) || bucket == &other.row["name"] {
                continue;
            }
            for words in &WORDS {
                let known = Knowledge::read(facts.schema(), words.language, rows.clone()).unwrap();
                for (operator, ask, say) in replies(words, &it, &other) {
                    let mut tracker = known.tracker();
                    tracker.hear(&ask);
                    let claims = tracker.check(&say, None).claims;
                    let is_marked = claims.iter().any(|claim| claim.truth == Some(false));
                    let (hits, all) = found.entry((operator, words.language)).or_default();
                    *hits += u32::from(is_marked);
                    *all += 1;
                    if is_marked == (operator == "none") {
                        missed.push(format!("{operator}: {ask} {say}"));
                    }
                }
            }
        }
    }
    let mut text = String::new();
    for ((operator, language), (hits, all)) in &found {
        writeln!(text, "{operator:14} {language}  {hits:4} of {all:4}").unwrap();
        let share = f64::from(*hits) / f64::from(*all);
        match *operator {
            "none" => assert!(share <= 0.02, "{}", missed.join("\n")),
            _ => assert!(share >= 0.95, "{operator}: {}", missed.join("\n")),
        }
    }
    expect![[r#"
        count_of_other de    16 of   16
        count_of_other en    16 of   16
        count_of_other it    16 of   16
        count_wrong    de    17 of   17
        count_wrong    en    17 of   17
        count_wrong    it    17 of   17
        day_of_other   de    14 of   14
        day_of_other   en    14 of   14
        day_of_other   it    14 of   14
        drop_row       de    17 of   17
        drop_row       en    17 of   17
        drop_row       it    17 of   17
        none           de     0 of   85
        none           en     0 of   85
        none           it     0 of   85
        row_of_other   de    12 of   12
        row_of_other   en    12 of   12
        row_of_other   it    12 of   12
        size_of_other  de    17 of   17
        size_of_other  en    17 of   17
        size_of_other  it    17 of   17
        total_of_other de    16 of   16
        total_of_other en    16 of   16
        total_of_other it    16 of   16
    "#]]
    .assert_eq(&text);
}
