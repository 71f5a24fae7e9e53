//! Buckets and their objects, and what is judged of a reply about them.

use typed_claims::{Kind, Knowledge};

const SCHEMA: &str = r#"
key = "name"
names = "exact"
holder = "bucket"
holds = "objects"
[slots]
bucket = { kind = "value" }
objects = { kind = "quantity", unit = "number" }
size = { kind = "quantity", unit = "bytes" }
modified = { kind = "quantity", unit = "date" }
created = { kind = "quantity", unit = "date" }
[lexicon.en]
nouns = ["object~", "file~", "key~"]
holders = ["bucket~"]
slots = { modified = ["was? last? modified|changed|written"], created = ["was? created|made"] }
[lexicon.de]
nouns = ["Objekt~|Objekte|Objekten", "Datei|Dateien"]
holders = ["Bucket~|Buckets"]
[lexicon.it]
nouns = ["oggetto|oggetti", "file"]
holders = ["bucket"]
"#;

const ROWS: &str = r#"
{"name": "web-logs", "objects": "3", "size": "3500000", "created": "2024-01-01"}
{"name": "photos", "objects": "2", "size": "1024", "created": "2024-02-02"}
{"name": "old-site"}
{"name": "empty-one", "objects": "0", "size": "0"}
{"name": "day/1.log", "bucket": "web-logs", "size": "1000000", "modified": "2024-03-01T10:00:00Z"}
{"name": "day/2.log", "bucket": "web-logs", "size": "500000", "modified": "2024-03-02T10:00:00Z"}
{"name": "index.html", "bucket": "web-logs", "size": "2000000", "modified": "2024-03-03T10:00:00Z"}
{"name": "cat.png", "bucket": "photos", "size": "1000", "modified": "2024-03-04T10:00:00Z"}
{"name": "index.html", "bucket": "photos", "size": "24", "modified": "2024-03-05T10:00:00Z"}
"#;

/// What is judged of a reply: each claim, and why. `?` before a claim: it cannot be known.
pub fn judged(user: &str, reply: &str) -> String {
    let language = typed_claims::language_of(reply);
    let rows = ROWS.lines().filter(|line| !line.is_empty());
    let rows = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
    let known = Knowledge::read(SCHEMA, language, rows).unwrap();
    let mut tracker = known.tracker();
    tracker.hear(user);
    let verdict = tracker.check(reply, None);
    let claims = verdict.claims.iter().map(|claim| {
        let said = &reply[claim.range.clone()];
        let about = match &claim.kind {
            Kind::Slot {
                subject,
                slot,
                value,
                ..
            } => format!("{subject}.{slot} = {}", value.join("|")),
            Kind::Count { n, .. } => format!("{n}"),
            Kind::All { .. } => "all".to_owned(),
            other => other.name().to_owned(),
        };
        let rule = claim.rule;
        let rows = claim.rows.join(", ");
        format!("{said:?} {about}: {} ({rule:?}: {rows})", claim.verdict())
    });
    claims.collect::<Vec<_>>().join("\n")
}
