//! What the tape plays: turns of an agent, as events.

use serde_json::{Value, json};

/// A turn: what comes before the plan, the plan, and what comes after either answer.
pub struct Scene {
    pub before: Vec<Value>,
    pub plan: Option<Value>,
    pub applied: Vec<Value>,
    pub declined: Vec<Value>,
}

pub const PROGRAM: &str = "\n# Keeps what is younger than a year.\nfor item in s3.list_objects(Bucket=\"zoo\", Prefix=\"logs/\").Contents:\n    if item.Key.endswith(\".tmp\"):\n        s3.delete_object(Bucket=\"zoo\", Key=item.Key)\nreturn 2\n";

/// The links that a program signs, each with its method: one to be followed, and three that are not.
pub const LINKS: [(&str, Option<&str>); 4] = [
    ("https://zoo.example/a.txt?key=works&more=1", None),
    ("javascript:window.hacked=1", None),
    ("https://zoo.example/\u{202e}txt.exe", None),
    ("https://zoo.example/a.txt?key=writes", Some("PUT")),
];

/// The scene that an utterance begins, in the turn of this number.
pub fn scene(turn: usize, user: &str) -> Scene {
    let size = |text: &str| json!({"tag": text, "size": 2048});
    let thing = |name: &str| json!({"container": "zoo", "name": name});
    if user.contains("tidy") {
        let effects = vec![
            json!({"effect": "create", "place": {"container": "attic"}, "after": {"tag": "bucket", "size": 0}}),
            json!({"effect": "create", "place": {"container": "attic", "name": "2025/a.log"}, "after": size("a"), "copied_from": thing("logs/a.log")}),
            json!({"effect": "overwrite", "place": thing("index.csv"), "before": size("b"), "after": {"tag": "c", "size": 1_300_000}, "lines": ["- a.log,2048", "+ attic/a.log,2048"]}),
            json!({"effect": "delete", "place": thing("logs/a.log"), "before": size("a"), "back": "comes back by our journal"}),
            json!({"effect": "delete", "place": thing("logs/dump.tmp"), "before": {"tag": "d", "size": 90_000_000}, "back": "does not come back"}),
            json!({"effect": "overwrite", "place": {"container": "zoo", "setting": "policy"}, "before": {"tag": "e", "size": 0, "summary": "1 rule"}, "after": {"tag": "f", "size": 0, "summary": "2 rules"}, "shares": true, "warnings": ["everybody on the internet can read zoo/public/ afterwards"]}),
        ];
        let lasting = json!([[
            thing("logs/dump.tmp"),
            "it is larger than what is kept for an undo"
        ]]);
        return asked(
            turn,
            user,
            PROGRAM,
            effects,
            lasting,
            "Two logs are gone, and `attic` has a copy of a.log.",
        );
    }
    if let Some(count) = user
        .strip_prefix("change ")
        .and_then(|it| it.split(' ').next()?.parse::<usize>().ok())
    {
        let effects = (0..count).map(|index| match index % 3 {
            0 => json!({"effect": "delete", "place": thing(&format!("old/{index:06}")), "before": size("a")}),
            1 => json!({"effect": "overwrite", "place": thing(&format!("mid/{index:06}")), "before": size("a"), "after": size("b")}),
            _ => json!({"effect": "create", "place": thing(&format!("new/{index:06}")), "after": size("b")}),
        });
        return asked(turn, user, PROGRAM, effects.collect(), json!([]), "Done.");
    }
    if user.contains("hostile") {
        let name = "<img src=x onerror=\"window.hacked=1\">\u{202e}gpj.exe\u{0}\n";
        let effects = vec![
            json!({"effect": "delete", "place": thing(name), "before": size("a"), "warnings": [format!("{name} is shared")], "lines": [name], "back": "does not come back"}),
        ];
        return asked(
            turn,
            user,
            &format!("s3.delete_object(Bucket=\"zoo\", Key={name:?})"),
            effects,
            json!([[thing(name), name]]),
            name,
        );
    }
    if user.contains("hand out") {
        let link =
            json!({"container": "zoo", "name": "a.txt", "setting": "link to read it for 1 hour"});
        let after = json!({"tag": "link", "size": 0, "summary": "anybody who has it"});
        let effects = vec![
            json!({"effect": "create", "place": link, "after": after, "shares": true, "back": "does not come back"}),
        ];
        let lasting = json!([[link, "whoever has it can use it until it expires"]]);
        return asked(turn, user, PROGRAM, effects, lasting, "Here it is.");
    }
    if user.contains("ask first") {
        let effects = vec![
            json!({"effect": "delete", "place": thing("logs/a.log"), "before": size("a"), "back": "comes back by our journal"}),
        ];
        let asked = asked(turn, user, PROGRAM, effects, json!([]), "");
        let mut plan = asked.plan.unwrap();
        plan["plan"] = json!(7);
        let mut end = ended(
            turn,
            user,
            PROGRAM,
            Value::Null,
            vec![],
            "Shall I delete it?",
        );
        end["goals"] = json!([{"uid": turn, "status": "drafting", "program": PROGRAM, "outcome": null, "signature": null}]);
        end["runs"] = json!([]);
        end["proposed"] = plan;
        let before = vec![
            json!({"event": "turn_started", "turn": turn, "user": user}),
            end,
        ];
        return Scene {
            before,
            plan: None,
            applied: vec![],
            declined: vec![],
        };
    }
    let program = "return 'hello'";
    let mut before = opening(turn, user, program);
    if user.contains("share") {
        for (url, method) in LINKS {
            before.push(json!({"event": "link", "about": "link to zoo/a.txt for anybody who has it", "url": url, "method": method, "headers": [], "fields": [], "withheld": "withheld-1f"}));
        }
        before.push(json!({"event": "note", "text": "One <b>object</b> is left out."}));
        let [(good, _), (bad, _), ..] = LINKS;
        let reply = format!("Here: {good} and {bad}, or https://elsewhere.example/.");
        let result = json!({"result": "hello"});
        before.push(ended(turn, user, program, result, vec![], &reply));
        return Scene {
            before,
            plan: None,
            applied: vec![],
            declined: vec![],
        };
    }
    if user.contains("slow") {
        before.truncate(before.len() - 1);
        return Scene {
            before,
            plan: Some(Value::Null),
            applied: vec![],
            declined: vec![],
        };
    }
    if user.contains("costly") {
        before.push(json!({"event": "started", "uid": turn}));
        let spent = json!({"requests": 1200, "names_listed": 3000, "bytes_read": 52_428_800});
        let plan = json!({"event": "costly", "uid": turn, "costly": {"spent": spent, "operation": "list_objects", "place": {"container": "zoo"}}});
        let applied = vec![ended(
            turn,
            user,
            program,
            json!({"result": "hello"}),
            vec![],
            "It went on.",
        )];
        let declined = vec![ended(
            turn,
            user,
            program,
            json!({"error": {"error": "TooCostly", "message": "its user ended it"}}),
            vec![],
            "It was ended.",
        )];
        return Scene {
            before,
            plan: Some(plan),
            applied,
            declined,
        };
    }
    before.push(ended(
        turn,
        user,
        program,
        json!({"result": "hello"}),
        vec![],
        &format!("Hello. You said: {user}"),
    ));
    Scene {
        before,
        plan: None,
        applied: vec![],
        declined: vec![],
    }
}

/// A turn with a plan.
pub fn asked(
    turn: usize,
    user: &str,
    program: &str,
    effects: Vec<Value>,
    lasting: Value,
    reply: &str,
) -> Scene {
    let count = |kind: &str| {
        effects
            .iter()
            .filter(|it| it["effect"] == kind && it["place"].get("name").is_some())
            .count()
    };
    let (created, overwritten, deleted) = (count("create"), count("overwrite"), count("delete"));
    let lines = effects.iter().filter(|it| it["place"].get("setting").is_none()).take(200).map(|it| {
        let (kind, sign) = match it["effect"].as_str() {
            Some("create") => ("created", '+'),
            Some("delete") => ("deleted", '-'),
            _ => ("overwritten", '~'),
        };
        let name = it["place"].get("name").and_then(Value::as_str).unwrap_or_default();
        let container = it["place"]["container"].as_str().unwrap_or_default();
        json!({"kind": kind, "line": format!("{sign} {container}/{}", name.escape_debug()), "keeps_state": false})
    });
    let changes: Vec<Value> = lines.collect();
    let totals = json!({"containers_created": effects.iter().filter(|it| it["place"].get("name").is_none() && it["effect"] == "create").count(), "containers_deleted": 0, "created": created, "overwritten": overwritten, "copied": 0, "deleted": deleted, "settings": 0, "shared": 0, "bytes_written": created * 2048, "bytes_destroyed": deleted * 2048});
    let writes = effects.len();
    let undoing = match lasting.as_array().map_or(0, Vec::len) {
        0 => "An undo can take all of it back; 1 comes back by a version.",
        all if all == writes => "An undo cannot take this back.",
        _ => "An undo cannot bring back 1 place; 1 comes back by our journal.",
    };
    let card = json!({
        "asks": format!("The program of goal {turn} would change this"),
        "sum": format!("{created} created, {overwritten} overwritten, {deleted} deleted"),
        "undoing": undoing,
    });
    let plan = json!({
        "event": "plan", "plan": 0, "origin": {"program": {"turn": turn, "uid": turn}}, "effects": effects, "totals": totals, "card": card,
        "outcome": {"result": 2}, "calls": [{"operation": "list_objects", "error": null}, {"operation": "delete_object", "error": null}, {"operation": "delete_object", "error": null}],
        "lasting": lasting, "unchecked": 3, "words": {"container": "bucket", "containers": "buckets", "record": "object", "records": "objects"},
    });
    let mut before = opening(turn, user, program);
    before.push(json!({"event": "started", "uid": turn}));
    before.push(json!({"event": "called", "operation": "list_objects", "error": null}));
    let mut applied = vec![json!({"event": "applying", "made": writes, "of": writes})];
    applied.push(json!({"event": "executed", "uid": turn, "outcome": {"result": 2}}));
    applied.push(json!({"event": "asking", "task": "reply", "repair": false}));
    for piece in ["<turn>Agent: ", "Two logs ", "are …"] {
        applied.push(json!({"event": "text", "task": "reply", "text": piece}));
    }
    applied.push(ended(
        turn,
        user,
        program,
        json!({"result": 2}),
        changes,
        reply,
    ));
    let refused =
        json!({"error": {"error": "Declined", "message": "the user said no: nothing was changed"}});
    let declined = vec![ended(
        turn,
        user,
        program,
        refused,
        vec![],
        "Nothing was changed.",
    )];
    Scene {
        before,
        plan: Some(plan),
        applied,
        declined,
    }
}

fn opening(turn: usize, user: &str, program: &str) -> Vec<Value> {
    let mut events = vec![
        json!({"event": "turn_started", "turn": turn, "user": user}),
        json!({"event": "asking", "task": "program", "repair": false}),
    ];
    for line in program.split_inclusive('\n') {
        events.push(json!({"event": "text", "task": "program", "text": line}));
    }
    events.push(
        json!({"event": "stack", "goals": [{"uid": turn, "status": "final", "program": program}]}),
    );
    events
}

pub fn ended(
    turn: usize,
    user: &str,
    program: &str,
    outcome: Value,
    changes: Vec<Value>,
    reply: &str,
) -> Value {
    let ended_by = if outcome.get("error").is_some() {
        "overseer"
    } else {
        "program"
    };
    json!({
        "event": "turn_ended", "turn": turn, "user": user,
        "goals": [{"uid": turn, "status": "final", "program": program, "outcome": outcome, "signature": null}],
        "runs": [{"uid": turn, "output": "", "elapsed_us": 12_400, "calls": [{"operation": "list_objects", "error": null}], "ended_by": ended_by}],
        "unasked": [], "changes": changes,
        "end": {"replied": {"text": reply, "unsupported": [], "plain": false, "failure": null, "ends_dialogue": false}},
        "usage": {"requests": 2, "answered": 2, "tokens": {"prompt_tokens": 900, "cached_tokens": 0, "completion_tokens": 80}},
    })
}

/// The end of a turn that was cancelled.
pub fn stopped(turn: usize, user: &str) -> Value {
    let mut ended = ended(turn, user, "", Value::Null, vec![], "");
    ended["end"] = json!({"stopped": {"running": null, "taken_back": true, "apply": null}});
    ended["goals"] = json!([]);
    ended["runs"] = json!([]);
    ended
}
