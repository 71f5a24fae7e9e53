use serde_json::{Map, Value as Json, json};

use super::Played;
use crate::agenda::{Effect, Ended, Next};

/// What came of a turn as recorded dialogues have it: the acts with their reasons, queries with
/// rows, calls with results, what is wrong with the
/// sheets, and what a failed program raised.
pub fn outcome(played: &Played) -> Json {
    let acts = played.turned.acts.iter().map(ToString::to_string);
    let mut out = Map::new();
    out.insert("acts".to_owned(), acts.collect());
    let queries = played.needed.iter().filter_map(|next| match next {
        Next::Query { query, .. } => played.turned.state.query(query).map(|found| (query, found)),
        _ => None,
    });
    let queries: Vec<Json> = queries
        .map(|(var, query)| {
            let mut out = json!({ "var": var, "sql": query.sql, "tables": query.tables });
            if let Some(error) = &query.error {
                out["error"] = json!(error);
            } else if query.missing.is_empty() {
                out["rows"] = json!(query.rows);
                out["total"] = json!(query.total);
            } else {
                out["missing"] = json!(query.missing);
            }
            out
        })
        .collect();
    if !queries.is_empty() {
        out.insert("queries".to_owned(), queries.into());
    }
    let calls = played.calls.iter().map(|made| {
        let call = made.called.to_string();
        match &made.effect {
            Effect::Result(result) => json!({ "call": call, "result": result }),
            Effect::FieldError { field, message } => {
                json!({ "call": call, "field": field, "message": message })
            }
            Effect::Failed { error, message } => {
                json!({ "call": call, "error": error, "message": message })
            }
            _ => json!({ "call": call }),
        }
    });
    let calls: Vec<Json> = calls.collect();
    if !calls.is_empty() {
        out.insert("calls".to_owned(), calls.into());
    }
    let problems: Vec<Json> = played
        .turned
        .problems
        .iter()
        .map(|it| json!(it.to_string()))
        .collect();
    if !problems.is_empty() {
        out.insert("problems".to_owned(), problems.into());
    }
    if let Some(raised) = &played.raised
        && Ended::by(raised.error) == Ended::Failed
    {
        let raised = json!({ "error": raised.error, "message": raised.message });
        out.insert("raised".to_owned(), raised);
    }
    Json::Object(out)
}
