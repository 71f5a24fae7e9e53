//! What turn programs come to that are read without Python, and what is refused by name. The
//! programs of the conformance cases are read in `cases.rs`.

use worksheets::program::{self, Called};
use worksheets::{Desk, Format, Place, Sheets, State, read};

fn sheets() -> Sheets {
    let csv = "WS Name,Kind,Type,Name,Required\n\
        Order,task,,\"order(self, self.count, -1, unit='kg', day=self.day)\",\n\
        ,input,int,count,TRUE\n,input,str,day,\n,input,List[str],extras,\n,internal,str,note,\n";
    read(csv.as_bytes(), Format::Csv).unwrap()
}

/// The state's fields, or the exception.
fn check(code: &str) -> String {
    let sheets = sheets();
    let carried = program::turn(Desk::open(&sheets, &State::default()), code);
    match carried.raised {
        Some(raised) => raised.to_string(),
        None => {
            let records = carried.desk.state().json()["records"].clone();
            let fields = records.as_array().unwrap().iter();
            let fields = fields.map(|record| format!("{} {}", record["var"], record["fields"]));
            fields.collect::<Vec<_>>().join("\n").replace('"', "'")
        }
    }
}

#[test]
fn programs_are_carried_out() {
    for (code, wanted) in [
        ("pass", ""),
        ("# nothing\n'a comment'", ""),
        ("Order(count=2)", "'order' {'count':{'value':2}}"),
        (
            "o = Order()\no.count = '3'",
            "'order' {'count':{'value':3}}",
        ),
        (
            "Order(count=1)\norder.count = None\norder.day = NA",
            "'order' {'day':{'declined':true}}",
        ),
        // The main sheet is set, not made anew.
        (
            "Order(extras=['a', \"b\"])\nOrder(count=-2)",
            "'order' {'extras':{'value':['a','b']},'count':{'value':-2}}",
        ),
        (
            "Order(day='x')\nOrder(extras=[order.day])",
            "'order' {'day':{'value':'x'},'extras':{'value':['x']}}",
        ),
        // A text keeps every digit, and a number says that it cannot.
        (
            "Order(day=1000000000000000000000, count=-1000000000000000000000)",
            "'order' {'day':{'value':'1000000000000000000000'},'count':{'invalid':{'value':'-1000000000000000000000','why':'too large a number'}}}",
        ),
        (
            "Order(day=1e999, count=-9223372036854775808)",
            "'order' {'day':{'value':'inf'},'count':{'value':-9223372036854775808}}",
        ),
    ] {
        assert_eq!(check(code), wanted, "{code}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (code, wanted) in [
        ("raise EndDialog()", "EndDialog: "),
        ("raise ChitChat", "ChitChat: "),
        ("order.count = 1", "AttributeError: "),
        (
            "nobody.count = 1",
            "NameError: name 'nobody' is not defined",
        ),
        (
            "Order(2)",
            "TypeError: Order takes fields by their names only",
        ),
        ("Order(size=2)", "TypeError: "),
        ("Order()\norder.size = 2", "AttributeError: "),
        (
            "Order()\nOrder(day=order.size)",
            "AttributeError: Order has no field 'size'",
        ),
        ("answer(1)", "TypeError: answer takes a text"),
        ("show()", "TypeError: show takes a record"),
        ("say('x')", "NameError: name 'say' is not defined"),
        (
            "answer('x').result[0]",
            "IndexError: the answer has no such row",
        ),
        ("Order(", "SyntaxError: "),
        (
            "import os",
            "NotImplementedError: import os: only Python can carry this out",
        ),
        (
            "Order(day=f'{1}')",
            "NotImplementedError: f'{1}': only Python can carry this out",
        ),
        (
            "open('x')",
            "NotImplementedError: open('x'): only Python can carry this out",
        ),
        (
            "for x in [1]:\n    Order()",
            "NotImplementedError: for x in [1]:\n    Order(): only Python can carry this out",
        ),
        (
            "raise ValueError()",
            "NotImplementedError: raise ValueError: only Python can carry this out",
        ),
    ] {
        let found = check(code);
        assert!(found.starts_with(wanted), "{code}: {found}");
    }
}

/// Nothing that is nested or long brings the reader down.
#[test]
fn hostile_programs_end() {
    let deep = format!("Order(extras={}1{})", "[".repeat(5_000), "]".repeat(5_000));
    let minus = format!("Order(count={}1)", "-".repeat(9_000));
    let chain = format!("Order({}=1)", "a".repeat(30_000));
    let calls = format!("{}{}", "show(".repeat(3_000), ")".repeat(3_000));
    for code in [deep, minus, chain, calls] {
        let found = check(&code);
        assert!(found.contains("Error"), "{}: {found}", &code[..20]);
    }
    let sheets = sheets();
    let call = format!("f({}1)", "-".repeat(9_000));
    let state = State::default();
    assert!(Called::of(&sheets, &state, "order", &call).is_err());
}

#[test]
fn actions_know_self_and_choose() {
    let sheets = sheets();
    let made = program::turn(Desk::open(&sheets, &State::default()), "Order(count=2)");
    let place = Place::Record("order".to_owned());
    let note = |code: &str| {
        let carried = program::action(made.desk.clone(), &place, code);
        let state = carried.desk.state().json();
        let note = state["records"][0]["fields"]["note"]["value"].clone();
        carried
            .raised
            .map_or(note.to_string(), |raised| raised.to_string())
    };
    let choice = "if self.count > 5:\n    exitws(self)\nelif self.count == 2:\n    exitws(self)\n\
                  else:\n    repeat()";
    assert_eq!(note(choice), "null");
    assert!(note("if self.count.real:\n    pass\nif f(1):\n    pass").contains("NotImplemented"));
    assert!(note("self.size = 1").contains("AttributeError"));
}

#[test]
fn a_backend_call_is_read_with_its_values() {
    let sheets = sheets();
    let made = program::turn(Desk::open(&sheets, &State::default()), "Order(count=2)");
    let code = sheets.get("Order").unwrap().backend.clone();
    let called = Called::of(&sheets, made.desk.state(), "order", &code).unwrap();
    assert_eq!(
        called.to_string(),
        "order({\"count\":2}, 2, -1, unit=\"kg\", day=null)"
    );
    for (code, why) in [
        ("order", "order is no call"),
        (
            "order(len(self.extras))",
            "len(self.extras): only Python can carry this out",
        ),
        ("order(**self)", "**: only Python can do this"),
    ] {
        let refused = Called::of(&sheets, made.desk.state(), "order", code).unwrap_err();
        assert_eq!(refused, why);
    }
}

#[test]
fn what_models_are_shown_of_a_program_is_a_program() {
    for (recorded, shown) in [
        ("a = answer('q', sql='SELECT 1')", "a = answer('q')"),
        ("a = answer(('q'),\n    sql='s',\n)", "a = answer(('q'),\n)"),
        (
            "a = answer(sql='s', question='q')",
            "a = answer(question='q')",
        ),
        ("a = answer(sql='s')", "a = answer()"),
        (
            "answer('q',  # why,\n  sql='s')",
            "answer('q',  # why,\n  )",
        ),
        (
            "answer('q', sql='s', # why\n k=1)",
            "answer('q', # why\n k=1)",
        ),
        (
            "answer('q', sql=answer('z', sql='s')); answer(answer('z', sql='s'), sql='t')",
            "answer('q'); answer(answer('z'))",
        ),
        ("other('q', sql='s')", "other('q', sql='s')"),
        ("answer('q', sql=", "answer('q', sql="),
    ] {
        assert_eq!(program::without_sql(recorded), shown);
    }
}

/// What the user asks, the program, what the agent said last: the question that is left open.
#[test]
fn a_question_that_no_line_answers_is_open() {
    let open = |user, program, said| program::open_question(program, user, said);
    let set = "table.guests = 4";
    for (user, program, said, wanted) in [
        (
            "For four. Is there parking?",
            set,
            "",
            Some("Is there parking"),
        ),
        ("Is there parking", "pass", "", None),
        ("Is there parking?", "answer('parking')", "", None),
        (
            "Is there parking?",
            "if table:\n    table.house = answer('parking')",
            "",
            None,
        ),
        ("What have I said so far?", "show(table)", "", None),
        ("Can I talk to a person?", "handoff('wishes it')", "", None),
        ("Can you forget the table?", "exitws(table)", "", None),
        (
            "How is the weather?",
            "raise OutOfScopeRequestError()",
            "",
            None,
        ),
        (
            "Yes. Is there parking?",
            "accept(table)",
            "",
            Some("Is there parking"),
        ),
        (
            "Is there parking?",
            "parking = 1",
            "",
            Some("Is there parking"),
        ),
        ("Could I order something?", "Order()", "", None),
        // A wish, whose words the program has.
        (
            "Could they put flowers on it?",
            "table.wish = 'flowers'",
            "",
            None,
        ),
        ("Maybe Loch Fyne?", "Table(house='Loch Fyne')", "", None),
        // What the agent has just said, and is asked about again.
        (
            "Four people, is that right?",
            "pass",
            "4: four people. Right?",
            None,
        ),
        ("Is that right?", "pass", "", None),
        ("16!? No.", "pass", "", None),
        ("Why?", "pass", "", None),
        ("see http://x.org/?parking=1", "pass", "", None),
        ("¿Hay aparcamiento?", set, "", Some("¿Hay aparcamiento")),
        ("停车场在哪里？", set, "", Some("停车场在哪里")),
        // It is sent back for another reason.
        ("Is there parking?", "this is no Python", "", None),
    ] {
        assert_eq!(open(user, program, said), wanted, "{user} | {program}");
    }
}
