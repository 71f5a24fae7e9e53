//! Workbooks that are written are read back as they were.

use worksheets::{Format, read, write_bytes};

#[test]
fn the_sheets_of_the_cases_become_workbooks_and_back() {
    let header = include_str!("data/cases.jsonl").lines().next().unwrap();
    let header: serde_json::Value = serde_json::from_str(header).unwrap();
    for (name, csv) in header["sheets"].as_object().unwrap() {
        let sheets = read(csv.as_str().unwrap().as_bytes(), Format::Csv).unwrap();
        let workbook = write_bytes(&sheets, Format::Xlsx).unwrap();
        assert_eq!(
            write_bytes(&sheets, Format::Xlsx).unwrap(),
            workbook,
            "{name}"
        );
        let again = read(&workbook, Format::Xlsx).unwrap();
        assert_eq!(again.spec(), sheets.spec(), "{name}");
    }
}

/// What a spreadsheet takes for a formula, a number or a date stays the text that it is.
#[test]
fn cells_stay_texts() {
    let csv = "WS Name,Kind,Type,Name,Enum Values,Description,Default,Validation\nA,task,,,,,,\n\
               ,input,Enum,x,,=1+1,,\n,,,,007,,,\n,,,,2026-01-02,,,\n,,,,TRUE,,,\n\
               ,input,str,y,,\"a <b> & \"\"c\"\"\n\u{e9} \u{1f600}\",'z',len(value) > 2\n";
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    let workbook = write_bytes(&sheets, Format::Xlsx).unwrap();
    let again = read(&workbook, Format::Xlsx).unwrap();
    assert_eq!(again.spec(), sheets.spec());
    assert!(sheets.spec().to_string().contains("=1+1"));
}

/// A cell that is longer than a workbook takes is no workbook with less in it.
#[test]
fn a_cell_that_is_too_long_is_not_cut() {
    let long = "a".repeat(40_000);
    let csv = format!("WS Name,Kind,Type,Name,Description\nA,task,,,{long}\n");
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    assert!(write_bytes(&sheets, Format::Xlsx).is_none());
    assert!(write_bytes(&sheets, Format::Csv).is_some());
}
