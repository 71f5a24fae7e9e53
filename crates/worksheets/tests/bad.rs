//! Bad sheets: a sentence with the cell, and nothing is lost or panics.

use worksheets::{Format, check, read};

/// What is said of a CSV, a line each.
fn said(csv: &str) -> String {
    let problems = match read(csv.as_bytes(), Format::Csv) {
        Ok(sheets) => check(&sheets),
        Err(problems) => problems,
    };
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

const HEAD: &str = "WS Predicate,WS Name,Predicate,Kind,Type,Name,Enum Values,Required,Actions,\
                    Confirmation,Default,Reset,Validation\n";

#[track_caller]
fn same(rows: &str, wanted: &str) {
    assert_eq!(said(&format!("{HEAD}{rows}")), wanted);
}

#[test]
fn headers_and_rows() {
    assert_eq!(
        said("WS Name,Colour\nA,red\n")
            .split(", but")
            .next()
            .unwrap(),
        "error[unknown-header] line 1, cell B1: there is no column \"Colour\""
    );
    assert_eq!(
        said("").split(';').next().unwrap(),
        "error[no-header]: the file is empty"
    );
    same(
        ",,,input,str,x\n",
        "error[no-sheet] line 2, cell B2: the row stands above the first sheet; give a sheet's name first",
    );
    same(
        ",A,,form,,\n",
        "error[unknown-kind] line 2, cell D2, A: the sheet has the kind \"form\"; it is task, kb or type",
    );
    same(
        ",A,,task,,\n,,,input,str,x\n,,,,,,Small\n",
        "error[stray-option] line 4, cell G4: the option \"Small\" stands below no Enum field",
    );
    let latin = read(b"WS Name,Kind\nA\xe9,task\n", Format::Csv).unwrap_err();
    assert_eq!(
        latin[0].to_string(),
        "error[not-utf8] line 2: the file is not UTF-8 from here on; save it as UTF-8"
    );
}

#[test]
fn cycles() {
    same(
        ",M,,task,,\n,,,input,A,a\n,A,,task,,\n,,,input,B,b,,TRUE\n,B,,task,,\n,,,input,A,a,,TRUE\n",
        "error[required-cycle] line 4, cell B4, A: A can never be complete: it needs itself (A → B → A)",
    );
    same(
        ",A,,task,,\n,,,input,str,x,,,,,,y\n,,,input,str,y,,,,,,x\n",
        "error[reset-unknown] line 3, cell L3, A.x: y does not stand before x\n\
         error[reset-cycle] line 3, cell L3, A.x: A.x makes itself stale (A.x → A.y → A.x)",
    );
    same(
        ",A,,task,,\n,,,input,A,a\n",
        "error[no-root-sheet] line 2, cell B2, A: every task sheet is the type of a field, so that none can be opened",
    );
}

#[test]
fn code_and_names() {
    same(
        ",A,,task,,go\n,,,input,confirm,c\n,,,input,str,x,,,if self.x\n",
        "error[backend-not-a-call] line 2, cell F2, A: the backend is a call, such as book(self.date)\n\
         error[unreadable-code] line 4, cell I4, A.x: line 1 of the cell is no Python: Expected `:`, found newline",
    );
    same(
        ",A,,task,,\n,,,input,str,class\n,my table,,kb,,\n,,,internal; primary,str,\"a\"\"; DROP\"\n,sqlite_x,,kb,,\n",
        "error[strange-name] line 3, cell F3, A.class: class is a word of Python's grammar; take another name\n\
         error[strange-name] line 5, cell F5, mytable.a\"; DROP: the name \"a\\\"; DROP\" has more than letters of ASCII, digits and _\n\
         error[strange-name] line 6, cell B6, sqlite_x: names that begin with sqlite_ are the database's own; rename sqlite_x",
    );
    same(
        "done(B),A,,task,,\n,,self.colour,input,str,x\n",
        "error[unknown-name] line 2, cell A2, A: done(B) names no task sheet\n\
         warning[unknown-name] line 2, cell A2, A: no field and no record is called B\n\
         warning[unknown-name] line 3, cell C3, A.x: no field and no record is called colour",
    );
}

#[test]
fn values() {
    same(
        ",A,,task,,\n,,,input,int,x,,,,,three\n,,,input,str,y,,,,,,,value + 1 > 2\n",
        "error[bad-default] line 3, cell K3, A.x: the default three does not fit: not an integer\n\
         error[unreadable-validation] line 4, cell M4, A.y: the validation cannot be read: of arithmetic there is only a leading minus",
    );
}

#[test]
fn nesting_without_end_is_refused() {
    for predicate in [
        "(".repeat(3_000),
        "not ".repeat(900),
        format!("{}x", "-".repeat(3_900)),
    ] {
        let csv = format!("{HEAD},A,,task,,\n,,{predicate},input,str,x\n");
        let found = said(&csv);
        assert!(found.contains("unreadable-predicate"), "{found}");
        assert!(found.contains("cell C3"), "{found}");
    }
}
