//! Plans that are saved as files of somebody else, from the page.

use super::{DONE, Page};
use crate::cli::export::{MOVES, WORLD};
use crate::cli::support::{Home, goal, model};
use expect_test::expect;
use serde_json::json;
use std::fmt::Write as _;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The status, and the names of the files with their sizes and modes, or what a refusal says.
async fn exported(page: &Page, session: &str, plan: u64) -> String {
    let url = format!("{}/api/export?session={session}&plan={plan}", page.base);
    let request = page.client.get(url).header("Cookie", &page.cookie);
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    let bytes = answer.bytes().await.expect("a body");
    let mut said = format!("{status}\n");
    let Ok(mut archive) = ZipArchive::new(Cursor::new(&bytes)) else {
        return said + &String::from_utf8_lossy(&bytes);
    };
    for number in 0..archive.len() {
        let mut file = archive.by_index(number).expect("a file");
        let mode = file.unix_mode().unwrap_or_default() & 0o777;
        let mut text = String::new();
        file.read_to_string(&mut text).expect("text");
        let (name, lines) = (file.name().expect("a name"), text.lines().count());
        writeln!(said, "{name} {mode:o}, {lines} lines").expect("text");
    }
    said
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_is_exported_until_it_is_carried_out() {
    let home = Home::new();
    home.write("world.toml", WORLD);
    let program = MOVES.trim().replace('\n', "\n    ");
    let server = model(&[&*goal(1, "final", &program), "They are moved."]).await;
    let mut page = Page::open(&home, &server, "--world world.toml").await;
    assert_eq!(page.get("/api/hello").await["export"], true);
    let opened = page.until("opened").await;
    let session = opened["session"].as_str().expect("a name").to_owned();
    let mut said = exported(&page, &session, 1).await;
    let text = json!({"text": "move all photos"});
    assert_eq!(page.post("/api/say", &session, text).await, DONE);
    page.until("plan").await;
    for session in [&*session, "monday"] {
        said += "\n";
        said += &exported(&page, session, 1).await;
    }
    let yes = json!({"plan": 1, "apply": true});
    assert_eq!(page.post("/api/decide", &session, yes).await, DONE);
    page.until("turn_ended").await;
    said += "\n";
    said += &exported(&page, &session, 1).await;
    expect![[r#"
        400
        {"error":"there is no plan 1 to export","session":"SESSION","waiting_plan":null}
        200
        manifest-1.csv 644, 2 lines
        job-1.json 644, 33 lines
        delete-1.json 644, 16 lines
        create-jobs.sh 755, 13 lines
        delete.sh 755, 6 lines

        409
        {"error":"Another session was opened meanwhile. Nothing is done.","session":"SESSION","waiting_plan":1}
        400
        {"error":"plan 1 was carried out, and its files would do it again; take it back before it is exported","session":"SESSION","waiting_plan":null}"#]].assert_eq(&said.replace(&session, "SESSION"));
}
