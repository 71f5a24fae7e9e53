//! The plan in the window of an agent, which speaks to it as MCP Apps do.

use crate::support::browser::Tab;
use serde_json::{Value, json};

/// A window with the view in a frame. It answers the view's first request and keeps what else it says.
fn host(html: &str) -> String {
    let html = json!(html).to_string().replace('<', "\\u003c");
    format!(
        "<!doctype html><title>agent</title><iframe sandbox=\"allow-scripts allow-same-origin\"
           style=\"width:700px;height:500px\"></iframe><script>
         const frame = document.querySelector('iframe');
         const heard = [];
         const send = (message) => frame.contentWindow.postMessage({{jsonrpc: '2.0', ...message}}, '*');
         addEventListener('message', ({{source, data}}) => {{
           if (source !== frame.contentWindow) return;
           heard.push(data);
           if (data.method === 'ui/initialize') send({{id: data.id, result: {{protocolVersion: '2026-01-26',
             hostInfo: {{name: 'test', version: '1'}}, hostCapabilities: {{}}, hostContext: {{theme: 'dark'}}}}}});
         }});
         const inside = () => frame.contentDocument;
         frame.srcdoc = {html};
         </script>"
    )
}

const HOSTILE: &str =
    "<img src=x onerror=\"parent.hurt = 1\">\u{202e}gnp.</script><script>parent.hurt = 1</script>";

fn answer() -> Value {
    let place = |name: &str| json!({"segments": ["zoo", name]});
    let mark = json!({"size": 12, "tag": "a"});
    let effects = json!([
        {"place": place(HOSTILE), "effect": "delete", "before": mark, "after": null, "back": "does not come back"},
        {"place": place("new.txt"), "effect": "create", "before": null, "after": mark},
    ]);
    let card = json!({
        "asks": "The program of goal 1 would change this",
        "sum": "1 created, 1 deleted; 12 B written; 12 B destroyed",
        "undoing": "An undo cannot bring back 1 place.",
    });
    let plan = json!({
        "plan": 1, "origin": {"program": {"turn": 1, "uid": 1}}, "effects": effects,
        "card": card, "outcome": {"result": HOSTILE}, "calls": [{"operation": "delete_object", "error": null}],
        "lasting": [[place(HOSTILE), "the bucket keeps no versions"]],
        "words": {"container": "bucket", "containers": "buckets"},
    });
    let said = json!({
        "status": "waiting", "session": "trip", "plan_id": format!("trip:{HOSTILE}"),
        "message": "in words", "plan": {"version": 1},
    });
    let links = json!([
        {"about": "link to zoo/a.txt", "url": "https://zoo.example/a.txt?key=works", "method": null, "headers": [], "fields": []},
        {"about": HOSTILE, "url": "javascript:parent.hurt=1", "method": null, "headers": [], "fields": []},
    ]);
    let meta = json!({(web_desk::PLAN_KEY): plan, (web_desk::LINKS_KEY): links});
    json!({"content": [], "structuredContent": said, "_meta": meta})
}

fn send(tab: &Tab<'_>, method: &str, params: &Value) {
    let message = json!({"method": method, "params": params});
    tab.eval(&format!("send({message})"));
}

#[test]
fn a_plan_is_drawn_with_the_command_that_approves_it_and_hostile_names_do_nothing() {
    let browser =
        browser!("a_plan_is_drawn_with_the_command_that_approves_it_and_hostile_names_do_nothing");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host.html");
    let html = web_desk::app("dialog2api plan approve").unwrap();
    std::fs::write(&file, host(&html)).unwrap();
    let tab = browser.open(&format!("file://{}", file.display()));
    tab.wait("heard.some((it) => it.method === 'ui/notifications/initialized')");
    let program = format!("s3.delete_object(Key='{HOSTILE}')");
    let input = json!({"arguments": {"program": program}});
    send(&tab, "ui/notifications/tool-input", &input);
    send(&tab, "ui/notifications/tool-result", &answer());
    tab.wait("inside().querySelector('#head').textContent === 'A plan waits'");
    let text = tab.eval("inside().body.innerText");
    let text = text.as_str().unwrap();
    for said in [
        "The program of goal 1 would change this",
        "1 created, 1 deleted; 12 B written; 12 B destroyed",
        "zoo/new.txt",
        "does not come back, because the bucket keeps no versions",
        "An undo cannot bring back 1 place.",
        "calls: delete_object",
        "dialog2api plan approve 'trip:<img",
        "\\u202egnp.",
        "link to zoo/a.txt:",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(tab.eval("inside().documentElement.dataset.look"), "dark");
    assert_eq!(tab.eval("inside().querySelectorAll('img').length"), 0);
    let links = "[...inside().querySelectorAll('a')].map((it) => `${it.href} ${it.rel}`).join()";
    assert_eq!(
        tab.eval(links),
        "https://zoo.example/a.txt?key=works noreferrer"
    );
    assert_eq!(tab.eval("window.hurt ?? 'nothing'"), "nothing");
    // The button selects or copies the command, and asks the window for nothing.
    tab.eval("inside().querySelector('.answers button').click()");
    tab.wait("inside().querySelector('.answers button').textContent !== 'Copy the command'");
    let methods = tab.eval("[...new Set(heard.map((it) => it.method))].sort().join(' ')");
    assert_eq!(
        methods,
        "ui/initialize ui/notifications/initialized ui/notifications/size-changed"
    );
    // Other windows are not heard, and scripts that come from elsewhere do not run.
    tab.eval("postMessage({jsonrpc: '2.0', method: 'ui/notifications/tool-cancelled'}, '*')");
    tab.eval("(() => { const it = inside().createElement('script'); it.textContent = 'parent.hurt = 1'; inside().body.append(it); })()");
    assert_eq!(tab.eval("window.hurt ?? 'nothing'"), "nothing");
    assert_eq!(
        tab.eval("inside().querySelector('#head').textContent"),
        "A plan waits"
    );
    let complaints = browser.complaints();
    let policy = complaints
        .iter()
        .all(|it| it.contains("Content Security Policy"));
    assert!(policy, "{complaints:?}");
}

#[test]
fn an_answer_without_a_plan_says_what_came_of_it() {
    let browser = browser!("an_answer_without_a_plan_says_what_came_of_it");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("host.html");
    let html = web_desk::app("dialog2api plan approve").unwrap();
    std::fs::write(&file, host(&html)).unwrap();
    let tab = browser.open(&format!("file://{}", file.display()));
    tab.wait("heard.some((it) => it.method === 'ui/notifications/initialized')");
    let shown = |answer: Value, head: &str| {
        send(&tab, "ui/notifications/tool-result", &answer);
        tab.wait(&format!(
            "inside().querySelector('#head').textContent === {head:?}"
        ));
        let text = tab.eval("inside().body.innerText");
        text.as_str().unwrap().to_owned()
    };
    // A plan that is too long to be drawn has the words of a terminal.
    let mut long = answer();
    long["_meta"] = Value::Null;
    let text = shown(long, "A plan waits");
    assert!(
        text.contains("in words") && text.contains("plan approve"),
        "{text}"
    );
    let done = json!({"structuredContent": {"status": "done", "result": 1}});
    let text = shown(done, "Done");
    assert!(
        text.contains("Nothing waits") && !text.contains("plan approve"),
        "{text}"
    );
    let error = json!({"error": "KeyError", "message": HOSTILE});
    let text = shown(
        json!({"structuredContent": {"status": "failed", "error": error}}),
        "It failed",
    );
    assert!(text.contains("KeyError: <img"), "{text}");
    shown(json!({}), "An answer");
    // A request of the window is answered, also an unknown one.
    tab.eval(
        "send({id: 7, method: 'ui/resource-teardown', params: {}}), send({id: 8, method: 'what'})",
    );
    tab.wait("heard.some((it) => it.id === 7 && it.result) && heard.some((it) => it.id === 8 && it.error)");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
