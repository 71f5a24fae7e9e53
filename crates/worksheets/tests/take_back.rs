//! What is taken back in the world is open again in the forms.

use serde_json::json;
use worksheets::{Format, Sheets, State, read};

fn sheets() -> Sheets {
    let csv = "WS Name,Kind,Type,Name,Required\n\
               Trip,task,,\"book(self.hotel)\",\n\
               ,input,Hotel,hotel,TRUE\n\
               ,input,Note,note,\n\
               ,input,confirm,fine,TRUE\n\
               ,output,str,number,\n\
               Hotel,task,,\"hold(self.name)\",\n\
               ,input,str,name,TRUE\n\
               Note,task,,,\n\
               ,input,str,text,\n";
    read(csv.as_bytes(), Format::Csv).unwrap()
}

/// A trip in this status, whose hotel is held and whose note was done with it.
fn state(status: &str) -> State {
    let mut trip = json!({"var": "trip", "sheet": "Trip", "status": status, "fields": {
        "hotel": {"value": {"ref": "hotel"}}, "note": {"value": {"ref": "note"}},
        "fine": {"value": true}, "number": {"value": "T1"}}, "result": {"number": "T1"}});
    if status == "open" {
        let trip = trip.as_object_mut().unwrap();
        trip.remove("status");
        trip.remove("result");
    }
    State::of(&json!({"turn": 4, "focus": [], "acts": [], "records": [
        trip,
        {"var": "hotel", "sheet": "Hotel", "status": "done", "result": 1,
         "fields": {"name": {"value": "Ada"}}},
        {"var": "note", "sheet": "Note", "status": "done", "fields": {"text": {"value": "x"}}},
    ]}))
    .unwrap()
}

fn taken_back(status: &str, var: &str) -> serde_json::Value {
    let mut state = state(status);
    state.take_back(&sheets(), var, "it was taken back");
    let mut json = state.json();
    json.as_object_mut().unwrap().remove("turn");
    json
}

const FAILED: fn() -> serde_json::Value =
    || json!({"error": "TakenBack", "message": "it was taken back"});

#[test]
fn a_root_is_open_with_what_was_done_only_because_it_was() {
    let state = taken_back("done", "trip");
    assert_eq!(state["focus"], json!(["trip"]));
    assert_eq!(
        state["records"],
        json!([
            {"var": "trip", "sheet": "Trip", "failed": FAILED(), "fields": {
                "hotel": {"value": {"ref": "hotel"}}, "note": {"value": {"ref": "note"}}}},
            {"var": "hotel", "sheet": "Hotel", "status": "done", "result": 1,
             "fields": {"name": {"value": "Ada"}}},
            {"var": "note", "sheet": "Note", "fields": {"text": {"value": "x"}}},
        ])
    );
}

#[test]
fn below_an_open_record_the_yes_above_it_goes() {
    let state = taken_back("open", "hotel");
    assert_eq!(state["focus"], json!(["trip"]));
    let records = state["records"].as_array().unwrap();
    assert_eq!(records[0]["fields"].get("fine"), None);
    assert_eq!(records[0].get("failed"), None);
    let hotel = json!({"var": "hotel", "sheet": "Hotel", "failed": FAILED(),
        "fields": {"name": {"value": "Ada"}}});
    assert_eq!(records[1], hotel);
}

#[test]
fn below_a_record_that_is_done_it_is_marked() {
    let state = taken_back("done", "hotel");
    assert_eq!(state["focus"], json!([]));
    let hotel = json!({"var": "hotel", "sheet": "Hotel", "status": "done", "result": 1,
        "failed": FAILED(), "fields": {"name": {"value": "Ada"}}});
    assert_eq!(state["records"][1], hotel);
}

#[test]
fn a_record_that_there_is_not_changes_nothing() {
    assert_eq!(
        taken_back("done", "answer_1")["records"],
        state("done").json()["records"]
    );
}

#[test]
fn a_part_opens_the_record_and_the_rest_changes_its_mark() {
    let mark = |state: &State| {
        let failed = state.task("trip").and_then(|(_, task)| task.failed.clone());
        failed.map(|it| (it.error, it.message))
    };
    let pair = |error: &str, message: &str| Some((error.to_owned(), message.to_owned()));
    let mut state = state("done");
    state.take_back_in_part(&sheets(), "trip", "the hotel");
    assert_eq!(mark(&state), pair("TakenBackInPart", "the hotel"));
    assert_eq!(state.json()["focus"], json!(["trip"]));
    state.take_back_more("trip", false, "the hotel and the train");
    assert_eq!(
        mark(&state),
        pair("TakenBackInPart", "the hotel and the train")
    );
    state.take_back_more("trip", true, "all");
    assert_eq!(mark(&state), pair("TakenBack", "all"));
}

#[test]
fn what_was_done_anew_stays_when_the_rest_is_taken_back() {
    let mut state = state("done");
    let before = state.json();
    state.take_back_more("trip", true, "all");
    assert_eq!(state.json(), before);
}
