//! Every form of the sheets has the same content.

mod book;

use serde_json::Value as Json;
use worksheets::{Format, Sheets, check, read, write};

/// The sheets of the conformance cases, as CSV.
fn samples() -> Vec<(String, String)> {
    let header = include_str!("data/cases.jsonl").lines().next().unwrap();
    let header: Json = serde_json::from_str(header).unwrap();
    header["sheets"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, csv)| (name.clone(), csv.as_str().unwrap().to_owned()))
        .collect()
}

fn sheets(csv: &str) -> Sheets {
    read(csv.as_bytes(), Format::Csv).unwrap()
}

const EVERYTHING: &str = "WS Predicate,WS Name,Predicate,Kind,Type,Name,Enum Values,Description,\
    Don't Ask,Required,Confirmation,Actions,WS Actions,Validation,Default,Reset
,Trip,,,task,go(self.day),,\"A trip, \"\"far\"\" away\",,,,,\"say(\"\"a\"\")\nsay('b')\",,,
,,,input,Enum,mode,,How,,TRUE,,,,,Walk,
,,,,,,Walk,,,,,,,,,
,,,,,,\"Drive, fast\",,,,,,,,,
,,\"self.mode == 'Walk'\",input,date,day,,When,TRUE,TRUE,TRUE,x = 1,,value ## no way,,mode
,,,internal,List[str],notes,,,,,,,,,,
,,,input,confirm,sure,,,,,,,,,,
done(Trip),Back,,,task,,,,,,,,,,,
,,,output,int,number,,,,,,,,,,
,things,,,kb,,,,,,,,,,,
,,,internal; primary,str,id,,,,,,,,,,
,,,output,Thing,,,,,,,,,,,
,Thing,,,type,,,,,,,,,,,
,,,internal; primary,str,id,,,,,,,,,,
";

#[test]
fn every_form_comes_back_as_it_was() {
    let mut all = samples();
    all.push(("everything".to_owned(), EVERYTHING.to_owned()));
    for (name, csv) in all {
        let sheets = sheets(&csv);
        let wanted = sheets.spec();
        for format in [Format::Csv, Format::Tsv, Format::Toml, Format::Original] {
            let text = write(&sheets, format).unwrap();
            let again = read(text.as_bytes(), format)
                .unwrap_or_else(|problems| panic!("{name} {format:?}: {problems:?}\n{text}"));
            assert_eq!(again.spec(), wanted, "{name} {format:?}");
            assert_eq!(write(&again, format).unwrap(), text, "{name} {format:?}");
            assert_eq!(again.digest(), sheets.digest());
        }
    }
}

#[test]
fn what_is_written_as_toml_has_lines_in_its_problems() {
    let toml = "[[sheet]]\nname = \"A\"\nkind = \"task\"\n\n[[sheet.field]]\nname = \"x\"\ntype = \"colour\"\n";
    let problems = check(&read(toml.as_bytes(), Format::Toml).unwrap());
    assert!(
        problems[0]
            .to_string()
            .starts_with("error[unknown-type] line 5, cell type, A.x: "),
        "{}",
        problems[0]
    );
}

#[test]
fn a_workbook_is_read_like_the_table() {
    for (name, csv) in samples() {
        let rows = book::rows(&csv);
        let bytes = book::workbook(&rows, &[]);
        let found = read(&bytes, Format::Xlsx).unwrap_or_else(|p| panic!("{name}: {p:?}"));
        assert_eq!(found.spec(), sheets(&csv).spec(), "{name}");
    }
}

#[test]
fn formulas_and_errors_are_named_by_their_cell() {
    let rows = book::rows("WS Name,Type,Name\nA,task,\n,str,x\n");
    let bytes = book::workbook(&rows, &["<c r=\"C9\"><f>1+1</f><v>2</v></c>"]);
    let problems = read(&bytes, Format::Xlsx).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "error[formula] cell C9: the cell has a formula; put its value there (paste as values)"
    );
    let bytes = book::workbook(&rows, &["<c r=\"B7\" t=\"e\"><v>#REF!</v></c>"]);
    let problems = read(&bytes, Format::Xlsx).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "error[error-value] cell B7: the cell shows the error #REF!; put a value there"
    );
}

#[test]
fn a_bomb_is_refused_before_it_goes_off() {
    let bytes = book::bomb(9 << 20);
    assert!(bytes.len() < 1 << 20);
    let problems = read(&bytes, Format::Xlsx).unwrap_err();
    assert_eq!(problems[0].rule, "zip-bomb", "{}", problems[0]);
    let problems = read(b"PK\x03\x04 nothing", Format::Xlsx).unwrap_err();
    assert_eq!(problems[0].rule, "unreadable-file");
}

#[test]
fn nothing_is_wrong_with_the_sheets_of_the_cases() {
    for (name, csv) in samples() {
        for problem in check(&sheets(&csv)) {
            assert_eq!(
                problem.severity,
                worksheets::Severity::Warning,
                "{name}: {problem}"
            );
            assert!(
                !["stray-quote", "never-holds"].contains(&problem.rule),
                "{name}: {problem}"
            );
        }
    }
}
