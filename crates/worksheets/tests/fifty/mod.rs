//! A dialogue with many records.

use serde_json::json;
use worksheets::{Format, Sheets, State, read};

const HEAD: &str = "WS Predicate,WS Name,Predicate,Kind,Type,Name,Required,Actions,WS Actions,Reset,Confirmation\n";

/// Fifty records: a root with nested ones, and predicates that look up and down.
pub fn records() -> (Sheets, State) {
    let mut rows = String::from(HEAD);
    rows.push_str(",M,,task,,,,,,,\n,,,input,str,kind,TRUE,,,,\n");
    for at in 0..49 {
        rows.push_str(&format!(
            ",,self.kind == \"a\" and not self.skip,input,N,n_{at},,,,,\n"
        ));
    }
    rows.push_str(
        ",N,,task,,,,,,,\n,,,input,bool,skip,,,,,\n,,kind == \"a\",input,str,p,TRUE,,,,\n",
    );
    rows.push_str(",,self.p and not self.q == \"z\",input,str,q,TRUE,,,,\n");
    let sheets = read(rows.as_bytes(), Format::Csv).unwrap();
    let mut records = vec![json!({"var": "m", "sheet": "M", "fields": {"kind": {"value": "a"}}})];
    for at in 0..49 {
        let var = format!("n_v{at}");
        records[0]["fields"][format!("n_{at}")] = json!({"value": {"ref": var}});
        let q = if at == 48 {
            json!({})
        } else {
            json!({"value": "c"})
        };
        let fields = json!({"skip": {"value": false}, "p": {"value": "b"}, "q": q});
        records.push(json!({"var": var, "sheet": "N", "fields": fields}));
    }
    let state =
        State::of(&json!({"turn": 1, "records": records, "focus": ["m"], "acts": []})).unwrap();
    (sheets, state)
}
