//! Dialogues as rows and back.

use crate::support::tools::{DATASETS, needs};
use dialog2api::dataset::{self, Dialogue, rows};
use dialog2api::dialogue::{read_transcript, write_transcript};
use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3")
}

/// The rows of dialogues as lines of JSON.
fn lines(root: &Path, dialogues: &[Dialogue]) -> String {
    let rows = rows::rows(root, dialogues).expect("rows");
    let lines = rows.iter().map(|row| serde_json::to_string(row).unwrap());
    lines.map(|line| line + "\n").collect()
}

/// A dialogue with everything that makes trouble: the format's own tags, no outcome,
/// blank lines, tabs, an error without a text, no response, no greeting.
fn odd() -> Dialogue {
    let text = r#"<conversation uid="odd &amp; ends" world="w" note="a &quot;b&quot;" goal="g" offered="list_buckets  get_object" offered-from-3="">
<turns>
<turn>User: say "<\/turn>" – and… 🦦</turn>
<turn>User: again</turn>
<goal uid="7" status="drafting">
<program>return "<\/program>", ?1	# no line of its own

  </program>
</goal>
<goal uid="2" status="final">
<program>
return 1e400
</program>
<result>{"b": [1.0, 1, null, "\u0001  <\/result>"], "a": 123456789012345678}</result>
<error/>
<signature>0123abcd</signature>
</goal>
<goal uid="3" status="final">
<program>
raise FAQ()
</program>
<result>null</result>
<error>{"error": "FAQ", "message": ""}</error>
<signature>89abcdef</signature>
</goal>
<turn>Agent: one

two</turn>
<turn>User: no</turn>
<goal uid="7" status="abandoned"/>
</turns>
</conversation>
"#;
    Dialogue::parse(Path::new("test/odd.xml"), text.to_owned()).expect("a dialogue")
}

#[test]
fn the_files_of_the_dataset_come_back_byte_for_byte() {
    let root = root();
    let dialogues = dataset::read(&root).expect("the dataset");
    let text = lines(&root, &dialogues);
    // In any order.
    let reversed: Vec<&str> = text.lines().rev().collect();
    for text in [text.clone(), reversed.join("\n\n")] {
        let back = rows::dialogues(&text).expect("the same dialogues");
        assert_eq!(back.len(), dialogues.len());
        for (back, dialogue) in back.iter().zip(&dialogues) {
            assert_eq!(root.join(&back.path), dialogue.path);
            assert_eq!(back.split, dialogue.split);
            assert_eq!(back.text, dialogue.text, "{}", dialogue.path.display());
        }
    }
}

#[test]
fn an_odd_dialogue_comes_back_as_well() {
    let odd = odd();
    let text = lines(Path::new(""), std::slice::from_ref(&odd));
    let back = rows::dialogues(&text).expect("the same dialogue");
    assert_eq!(back[0].text, odd.text);
    let rows: Vec<Json> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    // The last turn sees all that came before.
    expect![[r#"
        {"previous_response":"one\n\ntwo","signature":null,"stack":[[7,"drafting",null],[2,"final","{\"b\":[1.0,1,null,\"\\u0001  </result>\"],\"a\":123456789012345678}"],[3,"final",null]]}"#]]
    .assert_eq(
        &json!({
            "previous_response": rows[2]["previous_response"],
            "signature": rows[2]["signature"],
            "stack": rows[2]["stack"].as_array().unwrap().iter()
                .map(|goal| json!([goal["uid"], goal["status"], goal["result"]]))
                .collect::<Vec<_>>(),
        })
        .to_string(),
    );
    assert_eq!(rows[1]["signature"], "89abcdef");
    assert_eq!(rows[0]["previous_response"], Json::Null);
}

#[test]
fn one_file_and_one_part_keep_their_place_in_the_dataset() {
    let train = root().join("train");
    let first = dataset::read(&train).expect("dialogues")[0].path.clone();
    for place in [train, first] {
        let dialogues = dataset::read(&place).expect("dialogues");
        for row in rows::rows(&place, &dialogues).expect("rows") {
            assert!(row.file.starts_with("train/"), "{}", row.file);
        }
    }
    let alone = Dialogue::parse(Path::new("mine.xml"), odd().text).expect("a dialogue");
    let rows = rows::rows(Path::new("mine.xml"), &[alone]).expect("rows");
    assert_eq!((&*rows[0].file, rows[0].split), ("mine.xml", None));
}

/// What an export says of a dialogue whose text was changed.
fn refused(text: &str, expected: Expect) {
    let dialogue = Dialogue::parse(Path::new("train/x.xml"), text.to_owned()).expect("it reads");
    let error = rows::rows(Path::new(""), &[dialogue]).expect_err("no rows");
    expected.assert_eq(&error.to_string());
}

#[test]
fn what_rows_would_lose_is_not_exported() {
    let text = odd().text;
    refused(
        &text.replace("<turns>", "<turns>\n<!-- a note -->"),
        expect![
            "train/x.xml: line 3: white space, a comment or an order that rows would not keep; `dialog2api dataset annotate --write` writes it as it should be"
        ],
    );
    let mut transcript = read_transcript(&text).expect("a dialogue");
    transcript.turns[2].goals[0].uid = 3;
    refused(
        &write_transcript(&transcript),
        expect![
            "train/x.xml: turn 3: goal 3 is final and can not change any more; for a new wish start a new goal, such as uid=\"8\""
        ],
    );
    transcript.turns.clear();
    refused(
        &write_transcript(&transcript),
        expect!["train/x.xml: a dialogue without a turn has no rows"],
    );
}

/// What an import says when something in the rows of the odd dialogue is changed.
fn spoiled(change: impl FnOnce(&mut Vec<Json>), expected: Expect) {
    let text = lines(Path::new(""), &[odd()]);
    let mut rows = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    change(&mut rows);
    let text: Vec<String> = rows.iter().map(Json::to_string).collect();
    let error = rows::dialogues(&text.join("\n")).expect_err("refused");
    expected.assert_eq(&error);
}

#[test]
fn rows_that_make_no_dialogue_are_refused_by_their_line() {
    spoiled(
        |rows| rows.clear(),
        expect!["expected rows of dialogues, one a line, and has none"],
    );
    spoiled(
        |rows| drop(rows.remove(1)),
        expect!["turn 2 of test/odd.xml is missing"],
    );
    spoiled(
        |rows| drop(rows.pop()),
        expect!["turn 3 of test/odd.xml is missing"],
    );
    spoiled(
        |rows| rows.push(rows[1].clone()),
        expect!["line 4: turn 2 of test/odd.xml again"],
    );
    spoiled(
        |rows| rows[0]["turn"] = 0.into(),
        expect!["line 1: the turns of test/odd.xml count from 1"],
    );
    spoiled(
        |rows| rows[0]["extra"] = 1.into(),
        expect![
            "line 1: no row of a dialogue: unknown field `extra`, expected one of `dialogue`, `goal`, `world`, `split`, `turn`, `turns`, `stack`, `previous_response`, `utterance`, `programs`, `signature`, `response`, `file`, `attributes`, `initial_signature`, `greeting`, column 478"
        ],
    );
    spoiled(
        |rows| rows[2]["stack"][0]["status"] = "final".into(),
        expect!["line 3: `stack` does not agree with the rest of test/odd.xml"],
    );
    spoiled(
        |rows| rows[1]["world"] = "x".into(),
        expect!["line 2: `world` does not agree with the rest of test/odd.xml"],
    );
    spoiled(
        |rows| rows[1]["split"] = "train".into(),
        expect!["line 2: `split` does not agree with the rest of test/odd.xml"],
    );
    spoiled(
        |rows| rows[1]["programs"][1]["result"] = "{".into(),
        expect![
            "line 2: the result of goal 2 is no JSON: EOF while parsing an object at line 1 column 1"
        ],
    );
    spoiled(
        |rows| rows[1]["programs"][1]["error"] = "FAQ".into(),
        expect!["line 2: goal 2 has both a result and an error"],
    );
    spoiled(
        |rows| rows[0]["attributes"][0]["name"] = "a b".into(),
        expect![
            "line 1: test/odd.xml cannot be written so that it reads the same; the uid, the attributes and the texts must be as an export has them"
        ],
    );
    for file in [
        "../odd.xml",
        "/etc/odd.xml",
        "test\\odd.xml",
        "C:odd.xml",
        "odd.toml",
        "",
    ] {
        let text =
            lines(Path::new(""), &[odd()]).replace("test/odd.xml", &file.replace('\\', "\\\\"));
        let error = rows::dialogues(&text).expect_err(file);
        assert!(error.contains("is no place for a dialogue"), "{error}");
    }
}

#[test]
fn rows_are_as_the_schema_says() {
    let text = std::fs::read_to_string(root().join("rows.schema.json")).expect("the schema");
    let schema: Json = serde_json::from_str(&text).expect("JSON");
    let dialogues = dataset::read(&root()).expect("the dataset");
    for text in [lines(&root(), &dialogues), lines(Path::new(""), &[odd()])] {
        for line in text.lines() {
            let row: Json = serde_json::from_str(line).unwrap();
            let mut problems = Vec::new();
            validate(&row, &schema, &schema, "row", &mut problems);
            assert!(problems.is_empty(), "{problems:?}\n{line}");
        }
    }
    // The validation sees what it looks for.
    let wrong = json!({"turn": 0, "stack": [{"uid": "1", "status": "done"}], "x": 1});
    let mut problems = Vec::new();
    validate(&wrong, &schema, &schema, "row", &mut problems);
    let seen = problems.join("\n");
    for expected in [
        "row.dialogue is missing",
        "row.x is not in the schema",
        "row.turn is below",
        "row.stack[0].uid has another type",
        "row.stack[0].status is none of",
    ] {
        assert!(seen.contains(expected), "{expected}: {seen}");
    }
}

/// As much of JSON Schema as ours uses; `hugging_face.py` validates with all of it.
fn validate(value: &Json, schema: &Json, root: &Json, place: &str, problems: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#'));
        return validate(value, target.expect("a definition"), root, place, problems);
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(n) if n.is_i64() || n.is_u64() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let types = match &schema["type"] {
        Json::String(one) => vec![one.as_str()],
        Json::Array(many) => many.iter().filter_map(Json::as_str).collect(),
        _ => vec![kind],
    };
    if !types.contains(&kind) {
        problems.push(format!("{place} has another type: {value}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        problems.push(format!("{place} is none of {allowed:?}"));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        problems.push(format!("{place} is below {least}"));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        let place = format!("{place}[{index}]");
        validate(item, &schema["items"], root, &place, problems);
    }
    let Some(fields) = value.as_object() else {
        return;
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap_or_default()) {
            problems.push(format!(
                "{place}.{} is missing",
                name.as_str().unwrap_or("?")
            ));
        }
    }
    for (name, field) in fields {
        match schema["properties"].get(name) {
            Some(schema) => validate(field, schema, root, &format!("{place}.{name}"), problems),
            None => problems.push(format!("{place}.{name} is not in the schema")),
        }
    }
}

#[test]
fn hugging_face_loads_the_rows_and_writes_them_back() {
    needs!(DATASETS);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let dialogues = dataset::read(&root()).expect("the dataset");
    std::fs::write(path("rows.jsonl"), lines(&root(), &dialogues)).expect("a file");
    let output = DATASETS
        .python()
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dataset/hugging_face.py"))
        .args([
            path("rows.jsonl"),
            root().join("rows.schema.json"),
            path("back.jsonl"),
        ])
        .env("HF_HOME", path("cache"))
        .env("HF_HUB_OFFLINE", "1")
        .env("HF_HUB_DISABLE_TELEMETRY", "1")
        .output()
        .expect("Python starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let turns: usize = dialogues.iter().map(|d| d.transcript.turns.len()).sum();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said.trim(),
        format!("{turns} rows, {} dialogues", dialogues.len())
    );
    // What another program wrote is imported as well.
    let back = std::fs::read_to_string(path("back.jsonl")).expect("a file");
    let back = rows::dialogues(&back).expect("the same dialogues");
    let texts = |dialogues: &[Dialogue]| -> Vec<String> {
        dialogues
            .iter()
            .map(|dialogue| dialogue.text.clone())
            .collect()
    };
    assert_eq!(texts(&back), texts(&dialogues));
}
