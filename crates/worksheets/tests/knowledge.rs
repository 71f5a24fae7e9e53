//! Knowledge queries: SQL in, rows or a sentence out.
#![cfg(feature = "knowledge")]

use serde_json::{Value as Json, json};
use worksheets::knowledge::{Content, Knowledge, Limits, Reader, Words, rows};
use worksheets::{Effect, Format, Sheets, read};

const SHEETS: &str = "WS Name,Kind,Type,Name,Required
inns,kb,,,
,internal; primary,str,id,
,internal,str,area,TRUE
,internal,int,stars,
,internal,bool,open,
,internal,List[str],food,
,internal,text,about,
meals,kb,,,
,internal; primary,int,meal_id,
,internal,str,inn,
,internal,float,price,
rules,kb,,,
";

const INNS: &str = "id,area,stars,open,food,about
1,south,3,yes,thai;lao,A quiet garden behind the house.
2,South,5,no,\"[\"\"thai\"\"]\",Loud music every night and no garden.
3,north,1,yes,,
4,south,2,yes,greek,
5,south,2,yes,greek,Quiet and small.
6,south,2,yes,greek,A garden. Very quiet at night.
";

const RULES: &str =
    "# Pets\nDogs may come.\n## Late arrival\nThe door closes at ten in the evening.\n";

fn sheets() -> Sheets {
    read(SHEETS.as_bytes(), Format::Csv).unwrap()
}

fn content() -> Content {
    let mut content = Content::default();
    content
        .tables
        .insert("inns".to_owned(), rows(INNS).unwrap());
    let meals = rows(
        "{\"meal_id\": 1, \"inn\": \"1\", \"price\": 9.5}\n{\"meal_id\": 2, \"inn\": \"2\", \"price\": 8}\n",
    );
    content.tables.insert("meals".to_owned(), meals.unwrap());
    content
        .documents
        .insert("rules".to_owned(), RULES.to_owned());
    content
}

fn ask_with(sql: &str, reader: &mut dyn Reader) -> Json {
    let sheets = sheets();
    let mut base = Knowledge::open(&sheets, &content(), Limits::default()).unwrap();
    match base.ask(sql, reader) {
        Effect::Rows { rows, total, .. } => json!([rows, total]),
        Effect::Missing { missing, .. } => json!({ "missing": missing }),
        Effect::NoAnswer(why) => json!(why),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn same(sql: &str, wanted: Json) {
    assert_eq!(ask_with(sql, &mut Words), wanted, "{sql}");
}

#[test]
fn rows_have_their_key_and_their_types() {
    same(
        "SELECT open, food FROM inns WHERE area = 'SOUTH' AND stars > 2 ORDER BY stars",
        json!([[{"open": true, "food": ["thai", "lao"], "id": "1"}, {"open": false, "food": ["thai"], "id": "2"}], 2]),
    );
    same(
        "SELECT count(*) AS n FROM inns WHERE area = 'south'",
        json!([[{"n": 5}], 1]),
    );
    same(
        "SELECT i.id, m.price FROM inns i JOIN meals m ON m.inn = i.id WHERE i.area IN ('south') ORDER BY m.price",
        json!([[{"id": "2", "price": 8}, {"id": "1", "price": 9.5}], 2]),
    );
}

#[test]
fn required_columns_are_constrained_or_asked_for() {
    same(
        "SELECT id FROM inns WHERE stars = 5",
        json!({"missing": ["inns.area"]}),
    );
    same(
        "SELECT id FROM inns WHERE stars = 5 OR lower(area) = 'north'",
        json!([[{"id": "2"}, {"id": "3"}], 2]),
    );
    same(
        "SELECT stars FROM inns WHERE id = '3'",
        json!([[{"stars": 1, "id": "3"}], 1]),
    );
    same(
        "SELECT price FROM meals",
        json!([[{"price": 9.5, "meal_id": 1}, {"price": 8, "meal_id": 2}], 2]),
    );
}

#[test]
fn a_limit_is_at_most_five_and_the_total_is_told() {
    let found = ask_with(
        "SELECT stars FROM inns WHERE area != '' LIMIT 100",
        &mut Words,
    );
    assert_eq!(found[0].as_array().unwrap().len(), 5);
    assert_eq!(found[1], 6);
    same(
        "SELECT stars FROM inns WHERE area = 'south' ORDER BY stars DESC LIMIT 1",
        json!([[{"stars": 5, "id": "2"}], 5]),
    );
}

#[test]
fn texts_are_judged_best_first() {
    let sql = "SELECT id FROM inns WHERE area = 'south' AND answer(about, 'is it quiet, with a garden?') = 'Yes'";
    same(sql, json!([[{"id": "1"}, {"id": "6"}], 2]));
    same(
        "SELECT id FROM inns WHERE area = 'south' AND answer(about, 'is there a garden?') != 'Yes' ORDER BY id",
        json!([[{"id": "4"}, {"id": "5"}], 2]),
    );
    same(
        "SELECT summary(about) AS words FROM inns WHERE id = '5'",
        json!([[{"id": "5", "words": "Quiet and small."}], 1]),
    );
}

/// A reader that cannot be understood.
struct Mumbles;

impl Reader for Mumbles {
    fn holds(&mut self, _: &str, _: &str) -> Result<bool, String> {
        Err("the judgement cannot be read: \"hm\"".to_owned())
    }
    fn answer(&mut self, _: &[String], _: &str) -> Result<String, String> {
        Ok(String::new())
    }
}

#[test]
fn what_cannot_be_read_is_an_error_and_never_a_no() {
    let sql = "SELECT id FROM inns WHERE area = 'south' AND answer(about, 'quiet?') = 'Yes'";
    assert_eq!(
        ask_with(sql, &mut Mumbles),
        json!("the judgement cannot be read: \"hm\"")
    );
    assert_eq!(
        ask_with("answer(rules, 'dogs?')", &mut Mumbles),
        json!("the passages were read, and no answer came back")
    );
}

#[test]
fn collections_answer_from_their_passages() {
    same(
        "answer(rules, 'When does the door close?')",
        json!([[{"answer": "The door closes at ten in the evening.", "source": ["Late arrival"]}], 1]),
    );
    same(
        "SELECT answer(rules, 'May a dog come?')",
        json!([[{"answer": "Dogs may come.", "source": ["Pets"]}], 1]),
    );
    same("answer(rules, 'parking?')", json!([[], 0]));
}

#[test]
fn what_is_refused_is_refused_by_name() {
    for (sql, wanted) in [
        (
            "DROP TABLE inns",
            "only a SELECT is answered; nothing can be written",
        ),
        ("SELECT 1; SELECT 2", "write exactly one SELECT"),
        (
            "WITH x AS (SELECT 1) SELECT * FROM x",
            "WITH is not answered; write one SELECT",
        ),
        (
            "SELECT id FROM inns UNION SELECT 1",
            "UNION and VALUES are not answered; write one SELECT",
        ),
        (
            "SELECT * FROM sqlite_master",
            "there is no table sqlite_master, but inns, meals, rules",
        ),
        (
            "SELECT text FROM rules",
            "rules is a collection of documents: write answer(rules, 'question')",
        ),
        (
            "SELECT id FROM inns WHERE area = 'x' AND answer(about, 'q') = 3",
            "answer(…) is compared by = or != with 'Yes' or 'No'",
        ),
        (
            "SELECT id FROM inns WHERE area = 'x' OR answer(about, 'q') = 'Yes'",
            "answer(…) and summary(…) stand as a condition of their own in WHERE, joined by AND, or in the select list; not under OR, in subqueries, in ON or HAVING",
        ),
    ] {
        same(sql, json!(wanted));
    }
    for sql in [
        "SELECT load_extension('x') FROM meals",
        "SELECT (SELECT sql FROM sqlite_master LIMIT 1) FROM meals",
        "PRAGMA query_only = 0",
        "ATTACH 'x' AS y",
        "SELECT nothing FROM meals",
    ] {
        assert!(ask_with(sql, &mut Words).is_string(), "{sql}");
    }
    let long = "SELECT count(*) FROM meals a, meals b, meals c, meals d, meals e, meals f, meals g, \
                meals h, meals i, meals j, meals k, meals l, meals m, meals n, meals o, meals p, \
                meals q, meals r, meals s, meals t, meals u, meals v, meals w, meals x";
    same(long, json!("the query takes too long; ask for less"));
}

#[test]
fn content_that_does_not_fit_is_named() {
    let sheets = sheets();
    let mut content = content();
    let bad = rows("id,area,stars,colour\n1,south,many,red\n").unwrap();
    content.tables.insert("inns".to_owned(), bad);
    let problems = Knowledge::open(&sheets, &content, Limits::default())
        .err()
        .unwrap();
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "error[unknown-column] cell row 1, colour, inns: inns has no column colour",
            "error[bad-value] cell row 1, stars, inns: the value does not fit: not an integer",
        ]
    );
}

#[test]
fn numbers_that_are_too_large_are_named() {
    let sheets = sheets();
    let mut content = content();
    let bad = rows("id,stars\n1,18446744073709551615\n2,9223372036854775807\n3,1e30\n4,inf\n");
    content.tables.insert("inns".to_owned(), bad.unwrap());
    let bad = rows("{\"meal_id\": 18446744073709551615, \"price\": \"1e999\"}\n");
    content.tables.insert("meals".to_owned(), bad.unwrap());
    let problems = Knowledge::open(&sheets, &content, Limits::default())
        .err()
        .unwrap();
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let large =
        "the value does not fit: too large a number; a column of type str keeps every digit";
    assert_eq!(
        said,
        [
            format!("error[bad-value] cell row 1, stars, inns: {large}"),
            format!("error[bad-value] cell row 3, stars, inns: {large}"),
            "error[bad-value] cell row 4, stars, inns: the value does not fit: not an integer"
                .to_owned(),
            format!("error[bad-value] cell row 1, meal_id, meals: {large}"),
            format!("error[bad-value] cell row 1, price, meals: {large}"),
        ]
    );
}

#[test]
fn strange_names_are_names() {
    let csv = "WS Name,Kind,Type,Name\n\"a\"\"; DROP TABLE x; --\",kb,,\n,internal; primary,str,\"the 'key'\"\n";
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    let name = sheets.all()[0].name.clone();
    let mut content = Content::default();
    let row = json!({"the 'key'": "1"}).as_object().unwrap().clone();
    content.tables.insert(name.clone(), vec![row]);
    let mut base = Knowledge::open(&sheets, &content, Limits::default()).unwrap();
    let sql = format!("SELECT * FROM \"{}\"", name.replace('"', "\"\""));
    let Effect::Rows { rows, .. } = base.ask(&sql, &mut Words) else {
        panic!();
    };
    assert_eq!(json!(rows), json!([{"the 'key'": "1"}]));
}

/// What is said of files that are added one after the other.
fn added(files: &[(&str, &str)]) -> Vec<String> {
    let sheets = sheets();
    let mut content = Content::default();
    let said = |(file, text): &(&str, &str)| match content.add_file(&sheets, file, text) {
        Ok(()) => "taken".to_owned(),
        Err(problem) => problem.to_string(),
    };
    files.iter().map(said).collect()
}

#[test]
fn a_file_belongs_to_the_sheet_of_its_name() {
    let found = added(&[
        ("inns.csv", "id,area,about\n1,south,Quiet.\n"),
        ("inns.jsonl", "{\"id\": \"2\"}\n"),
        ("rules.md", "# Dogs\n\nNo dogs.\n"),
        ("in.ns.csv", "id\n1\n"),
        ("inns.md", "# Inns\n"),
        ("rules.csv", "id\n1\n"),
        ("meals.jsonl", "{\"id\": 1}\n{\n"),
        ("meals.csv", "meal_id,inn\n1,2,\n2,2,9.50, plus drinks\n"),
        ("meals.jsonl", "\u{feff}{\"meal_id\": 1}\n"),
    ]);
    assert_eq!(
        found,
        [
            "taken",
            "error[second-file] inns: inns has another file already; put the rows of both into one",
            "taken",
            "error[unknown-table] in.ns: there is no kb sheet in.ns for this file, but inns, meals, rules",
            "error[wrong-file] inns: inns has columns, so its file is inns.csv or inns.jsonl",
            "error[wrong-file] rules: rules has no columns, so its file is rules.md",
            "error[unreadable-rows] line 2: EOF while parsing an object at line 1 column 1",
            "error[unreadable-rows] line 3: the row has 4 cells, and the first row names 2 columns; a cell with a comma stands in quotes",
            "taken",
        ]
    );
}

/// Names that SQLite and its index have for themselves.
#[test]
fn columns_may_have_the_names_of_the_database() {
    let csv = "WS Name,Kind,Type,Name\ninns,kb,,\n,internal; primary,str,id\n,internal,text,rowid\n\
               ,internal,text,rank\n,internal,int,_rowid_\ninns__text,kb,,\n,internal,text,c0\n";
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    let mut content = Content::default();
    let table = rows("id,rowid,rank,_rowid_\n1,Loud,A hall,7\n2,Quiet,A garden,7\n").unwrap();
    content.tables.insert("inns".to_owned(), table);
    let mut base = Knowledge::open(&sheets, &content, Limits::default()).unwrap();
    for (question, of) in [("quiet", "rowid"), ("garden", "rank")] {
        let sql = format!("SELECT id FROM inns WHERE answer({of}, '{question}?') = 'Yes'");
        let Effect::Rows { rows, .. } = base.ask(&sql, &mut Words) else {
            panic!("{sql}");
        };
        assert_eq!(json!(rows), json!([{"id": "2"}]), "{sql}");
    }
}
