//! Links that are signed ahead, in conversations and programs.

use super::support::{Home, goal, model};
use crate::serve::support::{key, serve, world};
use crate::support::links::without_times;
use dialog2api::domain::World;
use dialog2api::domain::s3::Memory;
use expect_test::{Expect, expect};
use std::path::Path;
use std::sync::Arc;

pub const SHARE: &str = "return s3.generate_presigned_url('get_object', \
                     Params={'Bucket': 'reports', 'Key': 'q3.pdf'}, ExpiresIn=86400)";

/// A world with the report that is shared.
pub async fn reports() -> Arc<Memory> {
    let world = world();
    for (operation, params) in [
        ("create_bucket", serde_json::json!({"Bucket": "reports"})),
        (
            "put_object",
            serde_json::json!({"Bucket": "reports", "Key": "q3.pdf", "Body": "the figures"}),
        ),
    ] {
        let params = crate::support::value::value(&params);
        let answer = world.call(operation, &params).await.expect("an answer");
        answer.expect("there is room");
    }
    world
}

/// Holds a conversation over a server, and gives what is seen of it.
async fn talk(home: &Home, endpoint: &str, script: &str, answers: &[&str], policy: &str) -> String {
    let model = model(answers).await;
    home.write("script.txt", script);
    home.write("policy.toml", &format!("version = 1\n{policy}"));
    let mut command = home.ready("chat --model openai:fake --script script.txt --save saved.xml");
    let key = key();
    command
        .args(["--base-url", &model.base_url(), "--endpoint-url", endpoint])
        .args(["--policy", "policy.toml", "--record", "recorded.jsonl"])
        .env("AWS_ACCESS_KEY_ID", &key.id)
        .env("AWS_SECRET_ACCESS_KEY", &key.secret);
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    home.seen(&output.expect("it ends").expect("it starts"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_form_is_asked_about_shown_to_the_user_and_kept_nowhere() {
    let home = Home::new();
    let server = serve(reports().await).await;
    let endpoint = format!("http://{}", server.address());
    let program = "form = s3.generate_presigned_post('reports', 'q4.pdf', ExpiresIn=600)\n\
                   return [form['url'], sorted(form['fields'])]";
    let answers = [&*goal(1, "final", program), "You see the form."];
    let script = "let my colleague upload q4.pdf to reports\nyes\n/quit\n";
    let seen = talk(&home, &endpoint, script, &answers, "").await;
    let of = |name: &str| {
        let start = format!("It must have the form field {name}: ");
        let (_, rest) = seen
            .split_once(&start)
            .unwrap_or_else(|| panic!("{name}: {seen}"));
        rest.lines().next().expect("a value").to_owned()
    };
    let (signature, policy) = (of("x-amz-signature"), of("policy"));
    assert!(of("x-amz-credential").starts_with(&key().id), "{seen}");
    let asked = "! reports/q4.pdf (form to write it for 10 minutes)  none → anybody who has it";
    assert!(seen.contains(asked), "{seen}");
    for secret in [&signature, &policy] {
        assert_eq!(seen.matches(secret.as_str()).count(), 1, "{seen}");
        assert_eq!(files_with(&home.path(""), secret), Vec::<String>::new());
    }
    let mut denied = seen;
    for policy in [
        "longest_link = \"5m\"",
        "[[rule]]\nname = \"drop\"\neffect = \"deny\"\noperations = [\"put_object\"]\nkeys = [\"q*\"]",
    ] {
        denied = talk(&Home::new(), &endpoint, script, &answers, policy).await;
        assert!(
            denied.contains("The policy does not allow this"),
            "{denied}"
        );
    }
    assert!(
        denied.contains("rule \"drop\" denies put_object on reports/q4.pdf"),
        "{denied}"
    );
    server.stop().await;
}

/// Holds a conversation over `world serve`. The link that the user sees is used, and nothing
/// in the home may have it.
async fn converse(script: &str, answers: &[&str], policy: &str, expected: Expect) {
    let home = Home::new();
    let server = serve(reports().await).await;
    let endpoint = format!("http://{}", server.address());
    let mut seen = talk(&home, &endpoint, script, answers, policy).await;
    let link = seen.split_whitespace().find(|word| {
        word.starts_with("http") && word.contains("X-Amz-Signature=") && !word.contains("withheld")
    });
    if let Some(link) = link.map(|link| link.trim_end_matches('.').to_owned()) {
        let real = link.replace("127.0.0.1:PORT", &server.address().to_string());
        let _ = rustls::crypto::ring::default_provider().install_default();
        let answer = reqwest::get(&real).await.expect("an answer");
        let text = answer.text().await.expect("text");
        seen = seen.replace(&link, &format!("LINK({text})"));
        let (_, signature) = real.split_once("X-Amz-Signature=").expect("a signature");
        assert_eq!(files_with(&home.path(""), signature), Vec::<String>::new());
    }
    server.stop().await;
    expected.assert_eq(&without_times(&seen));
}

/// The files below a folder with this text in them.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else {
            let content = std::fs::read(&path).expect("a file");
            if String::from_utf8_lossy(&content).contains(text) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_asked_about_shown_to_the_user_and_kept_nowhere() {
    converse(
        "share q3.pdf of reports with my colleague for a day\nyes\n/undo\n/quit\n",
        &[
            &goal(1, "final", SHARE),
            "Send them http:?Signature=withheld-3f2ce7ac8cff.",
        ],
        "",
        expect![[r#"
            Agent: How can I help you?

            You: share q3.pdf of reports with my colleague for a day

            The program of goal 1 would change this:
              ! reports/q3.pdf (link to read it for 1 day)  none → anybody who has it  does not come back
              1 shared
              returns "http://127.0.0.1:PORT/reports/q3.pdf?AWSAccessKeyId=withheld&Signature=withheld-3f2ce7ac8cff&Expires=17TIME"
              calls generate_presigned_url
              reports/q3.pdf (link to read it for 1 day) does not come back, because whoever has it can use it until it expires
              An undo cannot take this back.
            The program:
                return s3.generate_presigned_url('get_object', Params={'Bucket': 'reports', 'Key': 'q3.pdf'}, ExpiresIn=86400)
            Do it? [y/N] yes

              goal 1  final · TIME
              │ return s3.generate_presigned_url('get_object', Params={'Bucket': 'reports', 'Key': 'q3.pdf'}, ExpiresIn=86400)
              result   "http://127.0.0.1:PORT/reports/q3.pdf?AWSAccessKeyId=withheld&Signature=withheld-3f2ce7ac8cff&Expires=17TIME"

            Agent: Send them LINK(the figures).

            You: /undo
              reports/q3.pdf (link to read it for 1 day) does not come back, because whoever has it can use it until it expires
            There is nothing that can be brought back.

            You: /quit
            -- stderr --
            link to reports/q3.pdf for anybody who has it, to read it until 20TIME
              LINK(the figures)
            -- exit 0 --
        "#]],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_policy_limits_how_long_links_are_valid_and_what_they_open() {
    converse(
        "share q3.pdf of reports with my colleague for a day\n/quit\n",
        &[&goal(1, "final", SHARE), "That is not allowed."],
        "longest_link = \"1h\"",
        expect![[r#"
            Agent: How can I help you?

            You: share q3.pdf of reports with my colleague for a day

              goal 1  final · TIME
              │ return s3.generate_presigned_url('get_object', Params={'Bucket': 'reports', 'Key': 'q3.pdf'}, ExpiresIn=86400)
              error    AccessDenied (line 1): An error occurred (AccessDenied) when calling the generate_presigned_url operation: The policy does not allow this: longest_link = "1h", and generate_presigned_url on reports/q3.pdf (link) asks for a longer time.

            Agent: That is not allowed.

            You: /quit
            -- exit 0 --
        "#]],
    )
    .await;
    converse(
        "share q3.pdf of reports with my colleague for a day\n/quit\n",
        &[&goal(1, "final", SHARE), "That is not allowed."],
        "[[rule]]\nname = \"secrets\"\neffect = \"deny\"\noperations = [\"get_object\"]\nkeys = [\"q*\"]",
        expect![[r#"
            Agent: How can I help you?

            You: share q3.pdf of reports with my colleague for a day

              goal 1  final · TIME
              │ return s3.generate_presigned_url('get_object', Params={'Bucket': 'reports', 'Key': 'q3.pdf'}, ExpiresIn=86400)
              error    AccessDenied (line 1): An error occurred (AccessDenied) when calling the generate_presigned_url operation: The policy does not allow this: rule "secrets" denies get_object on reports/q3.pdf.

            Agent: That is not allowed.

            You: /quit
            -- exit 0 --
        "#]],
    )
    .await;
}

/// Such a link is handed to nobody, so that there is nothing to take back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_no_server_answers_lets_nobody_in_and_is_undone() {
    let home = Home::new();
    home.write(
        "world.toml",
        "[[bucket]]\nname = \"reports\"\n[[bucket.object]]\nkey = \"q3.pdf\"\ntext = \"1\"\n",
    );
    home.write(
        "script.txt",
        "share q3.pdf of reports for a day\nyes\n/undo\n/quit\n",
    );
    let server = model(&[&goal(1, "final", SHARE), "Here you are."]).await;
    let mut command = home.ready("chat --model openai:fake --script script.txt --world world.toml");
    command.args(["--base-url", &server.base_url()]);
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let seen = home.seen(&output.expect("it ends").expect("it starts"));
    for said in [
        "  + reports/q3.pdf (link to read it for 1 day)  none → nobody, because no server answers it here\n",
        "  1 setting changed\n",
        "  calls generate_presigned_url\n  An undo can take all of it back, as long as nobody changes it meanwhile.\nThe program:\n",
        "Everything is already as it was before.",
    ] {
        assert!(seen.contains(said), "{said}: {seen}");
    }
    assert!(!seen.contains("whoever has it"), "{seen}");
}

#[test]
fn a_program_gets_a_link_where_no_server_answers_it() {
    let home = Home::new();
    home.check(
        home.ready("run - --world zoology"),
        "return s3.generate_presigned_url('get_object', Params={'Bucket': 'zoology-bucket', 'Key': 'a'})",
        expect![[r#"
            result     "https://zoology-bucket.s3.amazonaws.com/a?AWSAccessKeyId=withheld&Signature=withheld-0e7ae1f09c39&Expires=1714557600"
            calls      generate_presigned_url
            signature  e2d5d588
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
}

#[test]
fn a_form_that_leaves_the_key_open_is_refused_with_the_reason() {
    let home = Home::new();
    home.write(
        "form.py",
        "return s3.generate_presigned_post(Bucket='zoology-bucket', Key='in/${filename}')",
    );
    home.check(home.ready("run form.py"), "", expect![[r#"
        error      NotImplemented (line 1): An error occurred (NotImplemented) when calling the generate_presigned_post operation: a form that leaves the key open (${filename}) is not signed: name the key
        traceback  File "program.py", line 1, in program
                     return s3.generate_presigned_post(Bucket='zoology-bucket', Key='in/${filename}')
        calls      generate_presigned_post → NotImplemented
        signature  5d12f15e
        elapsed    TIME
        -- exit 3 --
    "#]]);
}
