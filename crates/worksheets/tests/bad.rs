//! Bad sheets: a sentence with the cell, and nothing is lost or panics.

use worksheets::{Format, check, check_calls, read, unknown_calls};

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
}

/// Whoever mends one cell sees what else is wrong, in every format.
#[test]
fn a_kind_that_there_is_not_hides_nothing() {
    same(
        ",A,,task,,\n,,,inputt,str,x\n,,,input,colour,y\n,,self.x == ,input,str,z\n",
        "error[unknown-kind] line 3, cell D3, A.x: the field has the kind \"inputt\"; it is input, internal or output\n\
         error[unknown-type] line 4, cell E4, A.y: there is no type colour; it is str, text, int, float, bool, date, time, Enum, confirm, List[…] or a sheet's name\n\
         error[unreadable-predicate] line 5, cell C5, A.z: the predicate cannot be read: it is no Python expression: Expected an expression",
    );
    let toml = "[[sheet]]\nname = \"A\"\nkind = \"task\"\n[[sheet.field]]\nname = \"x\"\n\
                kind = \"inputt\"\ntype = \"str\"\n[[sheet.field]]\nname = \"y\"\ntype = \"colour\"\n";
    let json = r#"[{"ws_name": "A", "ws_type": "worksheet", "fields": [
        {"field_name": "x", "field_kind": "inputt", "field_type": "str"},
        {"field_name": "y", "field_kind": "input", "field_type": "colour"}]}]"#;
    for (text, format) in [(toml, Format::Toml), (json, Format::Original)] {
        let said = said_of(text.as_bytes(), format);
        let rules: Vec<&str> = said
            .lines()
            .filter_map(|line| line.split(']').next())
            .collect();
        assert_eq!(
            rules,
            ["error[unknown-kind", "error[unknown-type"],
            "{said}"
        );
    }
}

/// What is said of bytes, a line each.
fn said_of(bytes: &[u8], format: Format) -> String {
    let problems = read(bytes, format).map_or_else(|problems| problems, |sheets| check(&sheets));
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn bytes_that_are_no_text() {
    for (bytes, format, place) in [
        (
            &b"WS Name,Kind\nA,\xe9task\n"[..],
            Format::Csv,
            " line 2, cell B2",
        ),
        (
            b"WS Name\tKind\r\n\r\nA\xe9\ttask\r\n",
            Format::Tsv,
            " line 3, cell A3",
        ),
        (b"\xff\xfeW\0", Format::Csv, " line 1, cell A1"),
        (b"[[sheet]]\nname = \"\xe9\"\n", Format::Toml, " line 2"),
    ] {
        assert_eq!(
            said_of(bytes, format),
            format!("error[not-utf8]{place}: the file is not UTF-8 from here on; save it as UTF-8")
        );
    }
}

/// The rule, the line and the cell of what is wrong with the quotes of rows.
#[track_caller]
fn quotes(rows: &str, wanted: &str) {
    let said = said(&format!("WS Name,Kind,Type,Name,Description\n{rows}"));
    let places: Vec<&str> = said.lines().filter_map(|l| l.split(": ").next()).collect();
    assert_eq!(places.join("; "), wanted, "{said}");
}

#[test]
fn quotes_that_do_not_fit() {
    quotes(
        "A,task,,,\n,input,str,x,\"What it is\n,input,str,y,Other\n",
        "error[unclosed-quote] line 3, cell E3",
    );
    // The next quote closes the cell, and what follows it is the next cell's text.
    quotes(
        "A,task,,,\n,input,str,x,\"What it is\n\n,input,str,y,\"Other\"\n",
        "error[text-after-quote] line 3, cell E3",
    );
    quotes(
        "A,task,,,\n,input,str,x,\"What\nit is\"\n,input,str,y,\"Other\" one\n",
        "error[text-after-quote] line 5, cell E4",
    );
    quotes(
        "A,task,,,\n,input,str,x, \"What, now\"\n",
        "error[blank-before-quote] line 3, cell E3",
    );
    // What is left of a pair when a comma in it ends the cell, and a pair that is read as it is.
    quotes(
        "A,task,,,\n,input,str,x,the \"best, or\"\n",
        "warning[stray-quote] line 3, cell E3; warning[stray-quote] line 3, cell F3; \
         warning[stray-cell] line 3, cell F3",
    );
    quotes("A,task,,,\n,input,str,x,the \"best\" one\n", "");
    quotes(
        "A,task,,,\n,input,str,x,\"\"\"best\"\" one\" \n,input,str,y,\"\"\n",
        "",
    );
    quotes(
        "A,task,,,\n,input,str,x,\"",
        "error[unclosed-quote] line 3, cell E3",
    );
    quotes("\"A,task\n", "error[unclosed-quote] line 2, cell A2");
    // In a cell between tabs a quote is a quote, as spreadsheets write them.
    let tabs = "WS Name\tKind\tType\tName\tPredicate\nA\ttask\n\tinput\tstr\tx\n\
                \tinput\tstr\ty\tself.x == \"a\"\n";
    assert_eq!(said_of(tabs.as_bytes(), Format::Tsv), "");
    let tabs = tabs.replace("self.x == \"a\"", "\"a\" in self.x");
    assert_eq!(
        said_of(tabs.as_bytes(), Format::Tsv),
        "error[text-after-quote] line 4, cell E4: more text follows the quote that closes this \
         cell, on line 4; double quotes that belong to the text, or close the cell where it ends"
    );
}

/// Lines may end as on any system, and blank ones are rows of a spreadsheet.
#[test]
fn lines_are_counted_however_they_end() {
    for end in ["\n", "\r\n", "\r"] {
        let csv = "WS Name,Kind,Type,Name\n\nA,task\n,input,\"str\",x\n\n,input,colour,y\n";
        let said = said(&csv.replace('\n', end));
        assert!(
            said.starts_with("error[unknown-type] line 6, cell C6, A.y"),
            "{said}"
        );
    }
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

/// Fields and sheets that wait for each other are never asked.
#[test]
fn predicates_in_a_circle() {
    same(
        ",A,,task,,\n,,self.y,input,str,x\n,,self.x == 'a' and self.z,input,str,y\n,,,input,str,z\n",
        "error[predicate-cycle] line 3, cell C3, A.x: A.x is never active: it waits for itself (A.x → A.y → A.x)",
    );
    same(
        ",A,,task,,\n,,self.x != None,input,str,x\n,,len(x) > 1,input,str,y\n",
        "error[predicate-cycle] line 3, cell C3, A.x: A.x is never active: it waits for itself (A.x → A.x)",
    );
    same(
        ",A,,task,,\n,,z > 1,input,str,x\n,,x in ['a'],input,str,y\n,,not y == None,input,int,z\n",
        "error[predicate-cycle] line 3, cell C3, A.x: A.x is never active: it waits for itself (A.x → A.z → A.y → A.x)",
    );
    // Through sheets: a field waits for one in a sheet that is never reached.
    same(
        ",M,,task,,\n,,self.of_b,input,A,a\n,,,input,B,b\n,A,,task,,\n,,,input,str,of_a\n,B,,task,,\n,,of_a,input,str,of_b\n",
        "error[predicate-cycle] line 3, cell C3, M.a: M.a is never active: it waits for itself (M.a → B.of_b → A.of_a → M.a)",
    );
    same(
        ",M,,task,,\n,,,input,A,a\n,,,input,B,b\nself.b,A,,task,,\n,,,input,str,x\nself.a,B,,task,,\n,,,input,str,y\n",
        "error[predicate-cycle] line 3, cell C3, M.a: M.a is never active: it waits for itself (M.a → M.b → M.a)",
    );
    same(
        ",M,,task,,\n,,,input,str,x\ndone(B),A,,task,,\n,,,input,str,y\ndone(A),B,,task,,\n,,,input,str,z\n",
        "error[predicate-cycle] line 4, cell A4, A: A is never active: it waits for itself (A → B → A)",
    );
    same(
        ",A,,task,,\n,,1 == 2,input,str,x\n,,self.x,input,str,y\n",
        "warning[never-holds] line 3, cell C3, A.x: the predicate never holds, whatever the user says",
    );
}

/// No circle: one of the fields is asked, or gets its value from elsewhere.
#[test]
fn predicates_in_no_circle() {
    for rows in [
        ",,not self.y,input,str,x\n,,not self.x,input,str,y\n",
        ",,self.y or self.z,input,str,x\n,,self.x,input,str,y\n,,,input,str,z\n",
        ",,self.y != 'a',input,str,x\n,,self.x,input,str,y\n",
        ",,self.y,input,str,x,,,,,a\n,,self.x,input,str,y\n",
        ",,self.y,internal,str,x\n,,self.x,input,str,y\n",
        ",,self.y,input,str,x\n,,self.x,input,str,y\n,,,input,str,z,,,self.x = 'a'\n",
        ",,self.y == self.z,input,str,x\n,,self.x,input,str,y\n,,,input,str,z\n",
    ] {
        same(&format!(",A,,task,,\n{rows}"), "");
    }
}

/// A circle of thousands, and a line of as many that hangs on it, are told of in no time.
#[test]
fn long_circles_of_predicates() {
    let count = 3_000;
    let mut rows = ",A,,task,,\n".to_owned();
    for at in 0..count {
        rows.push_str(&format!(",,self.x{},input,str,x{at}\n", (at + 1) % count));
        rows.push_str(&format!(",,self.y{},input,str,y{at}\n", at + 1));
    }
    rows.push_str(&format!(",,self.x0,input,str,y{count}\n"));
    let said = said(&format!("{HEAD}{rows}"));
    assert_eq!(said.lines().count(), 1);
    assert!(
        said.starts_with("error[predicate-cycle] line 3, cell C3, A.x0: "),
        "{said:.200}"
    );
}

/// A name that stands in thousands of sheets is read from all of them.
#[test]
fn a_name_in_very_many_sheets() {
    let count = 1_500;
    let sheet = |at| format!(",A{at},,task,,\n,,,input,str,x\n,B{at},,task,,\n,,x,input,str,y\n");
    let rows: String = (0..count).map(sheet).collect();
    assert_eq!(said(&format!("{HEAD}{rows}")), "");
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

/// What spreadsheets of other countries write, and what people write for a mark.
#[test]
fn delimiters_and_marks() {
    let semicolons = "WS Name;Kind;Type;Name\nA;task;;\n;input;str;x\n";
    assert_eq!(
        said(semicolons),
        "error[wrong-delimiter] line 1, cell A1: the cells stand between semicolons; save the file \
         with commas, or with tabs as .tsv"
    );
    let commas = semicolons.replace(';', ",");
    assert_eq!(
        said_of(commas.as_bytes(), Format::Tsv),
        "error[wrong-delimiter] line 1, cell A1: the cells stand between commas; save the file \
         with tabs, or with commas as .csv"
    );
    assert_eq!(said("WS Name\nA\n").lines().count(), 1);
    same(
        ",A,,task,,\n,,,input,str,x,,yes\n,,,input,str,y,,no\n,,,input,str,z,,True\n",
        "warning[not-true] line 3, cell H3: \"yes\" in Required means nothing; write TRUE",
    );
    same(
        ",A,,task,,\n,,,input,Enum,x,a b\n,,,,,,A-b\n,,,,,,a b\n,,,,,,NA\n",
        "warning[useless-option] line 3, cell G3, A.x: the option a b stands there twice\n\
         warning[useless-option] line 3, cell G3, A.x: NA is a refusal to programs, so that the \
         option cannot be chosen",
    );
}

/// Names that are one to programs, or to the database.
#[test]
fn names_that_clash() {
    same(
        ",order,,task,,\n,,,input,str,x\n",
        "error[name-clash] line 2, cell B2, order: programs call a record of order order, too; \
         write the sheet's name with a capital letter",
    );
    same(
        ",Main,,task,,\n,,,input,str,x\n,main,,type,,\n,,,internal,str,y\n",
        "",
    );
    same(
        ",Main,,task,,\n,,,input,str,x\n,main,,task,,\n,,,input,str,y\n",
        "error[name-clash] line 4, cell B4, main: programs call a record of Main main, too; take \
         another name",
    );
    same(
        ",Main,,task,,\n,,,input,str,x\n,Shop,,kb,,\n,,,internal; primary,str,b\n\
         ,,,internal,str,B\n,shop,,kb,,\n",
        "error[name-clash] line 6, cell F6, Shop.B: the columns b and B are one to the database\n\
         error[name-clash] line 7, cell B7, shop: the tables Shop and shop are one to the database",
    );
    same(
        ",Main,,task,,\n,,,input,str,_x\n,,,input,str,__class__\n",
        "error[strange-name] line 3, cell F3, Main._x: _x begins with _, as what belongs to Python \
         does; take another name\n\
         error[strange-name] line 4, cell F4, Main.__class__: __class__ begins with _, as what \
         belongs to Python does; take another name",
    );
}

/// Calls of what neither sheets nor Python nor the cell itself has: the owner's functions are known to
/// whoever asks.
#[test]
fn calls_of_functions_that_nobody_has() {
    let rows = ",A,,task,,\"go(self.x, n=left(self.x))\"\n\
                ,,,input,str,x,,,\"y = pick(self)\nsay(str(len(y)))\ny.run()\npick(y)\"\n\
                ,,,input,str,z,,,\"def own(it): return it\nown(self)\nmissing()\"\n";
    let sheets = read(format!("{HEAD}{rows}").as_bytes(), Format::Csv).expect("sheets");
    let lacking = |name: &str| (name != "go").then(|| format!("there is no {name}"));
    let problems = check_calls(&sheets, &lacking);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines.join("\n"),
        "error[unknown-call] line 2, cell F2, A: there is no left\n\
         error[unknown-call] line 3, cell I3, A.x: there is no pick\n\
         error[unknown-call] line 7, cell I4, A.z: there is no missing"
    );
    let program = "A(x='b')\nB(x='b')\na.x = big(1)\nanswer('x')\nraise EndDialog()";
    let unknown = [(2, "B".to_owned()), (3, "big".to_owned())];
    assert_eq!(unknown_calls(&sheets, program), unknown);
    assert!(unknown_calls(&sheets, "no Python (").is_empty());
}
