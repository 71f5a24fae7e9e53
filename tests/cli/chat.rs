//! `dialog2api chat`, with a model that follows a script.

use crate::cli::support::{Home, goal, model, says};
use crate::support::scripted_http::{Server, response};
use expect_test::expect;
use std::process::Command;

pub fn chat(home: &Home, server: &Server, words: &str) -> Command {
    let mut command = home.ready(&format!("chat --model openai:fake {words}"));
    command.args(["--base-url", &server.base_url()]);
    command
}

fn moves_a_file() -> Vec<String> {
    let moving = |bucket| {
        format!(
            "    key = \"land_animals/pinniped.txt\"\n    \
             s3.copy_object(Bucket={bucket}, Key=\"seals.txt\", CopySource={{\"Bucket\": {bucket}, \"Key\": key}})\n    \
             s3.delete_object(Bucket={bucket}, Key=key)"
        )
    };
    vec![
        goal(1, "drafting", &moving("?1")),
        "Which bucket is it in?".to_owned(),
        goal(1, "final", &moving("\"zoology-bucket\"")),
        "It is now seals.txt.".to_owned(),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_dialogue_drafts_runs_and_shows_what_changed() {
    let home = Home::new();
    let answers = moves_a_file();
    let server = model(&answers.iter().map(String::as_str).collect::<Vec<_>>()).await;
    home.write(
        "script.txt",
        "# moving\nrename land_animals/pinniped.txt to seals\n\n  zoology-bucket\nyes\n/stack\n",
    );
    home.check(
        chat(&home, &server, "--script script.txt --save kept.xml"),
        "",
        expect![[r#"
            Agent: How can I help you?

            You: rename land_animals/pinniped.txt to seals

              goal 1  drafting
              │ key = "land_animals/pinniped.txt"
              │ s3.copy_object(Bucket=?1, Key="seals.txt", CopySource={"Bucket": ?1, "Key": key})
              │ s3.delete_object(Bucket=?1, Key=key)

            Agent: Which bucket is it in?

            You: zoology-bucket

            The program of goal 1 would change this:
              - zoology-bucket/land_animals/pinniped.txt  1.18 KiB  comes back from where it went
              + zoology-bucket/seals.txt                  1.18 KiB  copied from zoology-bucket/land_animals/pinniped.txt
              1 created, 1 deleted (1 copied); 1.18 KiB written
              calls copy_object, delete_object
              An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back from where it went.
            The program:
                    key = "land_animals/pinniped.txt"
                    s3.copy_object(Bucket="zoology-bucket", Key="seals.txt", CopySource={"Bucket": "zoology-bucket", "Key": key})
                    s3.delete_object(Bucket="zoology-bucket", Key=key)
            Do it? [y/N] yes

              goal 1  final · TIME
              │ key = "land_animals/pinniped.txt"
              │ s3.copy_object(Bucket="zoology-bucket", Key="seals.txt", CopySource={"Bucket": "zoology-bucket", "Key": key})
              │ s3.delete_object(Bucket="zoology-bucket", Key=key)
              result   null

              world    - zoology-bucket/land_animals/pinniped.txt (1204 bytes)
                       + zoology-bucket/seals.txt (1204 bytes)

            Agent: It is now seals.txt.

            You: /stack
              goal 1  final
              │ key = "land_animals/pinniped.txt"
              │ s3.copy_object(Bucket="zoology-bucket", Key="seals.txt", CopySource={"Bucket": "zoology-bucket", "Key": key})
              │ s3.delete_object(Bucket="zoology-bucket", Key=key)
              result   null

            -- exit 0 --
        "#]],
    );
    expect![[r#"
        <conversation uid="kept" world="zoology">
        <metadata>
        <initial_signature>42ac7332</initial_signature>
        </metadata>
        <turns>
        <turn>Agent: How can I help you?</turn>
        <turn>User: rename land_animals/pinniped.txt to seals</turn>
        <goal uid="1" status="drafting">
        <program>
            key = "land_animals/pinniped.txt"
            s3.copy_object(Bucket=?1, Key="seals.txt", CopySource={"Bucket": ?1, "Key": key})
            s3.delete_object(Bucket=?1, Key=key)
        </program>
        </goal>
        <turn>Agent: Which bucket is it in?</turn>
        <turn>User: zoology-bucket</turn>
        <goal uid="1" status="final">
        <program>
            key = "land_animals/pinniped.txt"
            s3.copy_object(Bucket="zoology-bucket", Key="seals.txt", CopySource={"Bucket": "zoology-bucket", "Key": key})
            s3.delete_object(Bucket="zoology-bucket", Key=key)
        </program>
        <result>null</result>
        <error/>
        <signature>b9171e1a</signature>
        </goal>
        <turn>Agent: It is now seals.txt.</turn>
        </turns>
        </conversation>
    "#]].assert_eq(&home.read("kept.xml"));
    // The file is there now, and is not written over.
    home.check(
        chat(&home, &server, "--save kept.xml"),
        "",
        expect![[r#"
        -- stderr --
        error: kept.xml is there already; give --save a new file
        -- exit 2 --
    "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn errors_and_hostile_text_are_shown_and_do_no_harm() {
    let home = Home::new();
    let server = model(&[
        &goal(
            1,
            "final",
            "print('\x1b[2J')\nreturn s3.get_object(Bucket='no', Key='x')",
        ),
        "No such \x1b]0;owned\x07bucket.\u{202e}",
        // Nobody said 0: the model is asked again, and does not mend it.
        "No such \x1b]0;owned\x07bucket.\u{202e}",
        &goal(2, "final", "raise EndDialog()"),
        "Goodbye!",
        "nonsense",
        "still nonsense",
    ])
    .await;
    home.check(
        chat(&home, &server, ""),
        "read\x1b[1m x of no\nbye\n\nare you there?\n",
        expect![[r#"
            Agent: How can I help you?

            You: read␛[1m x of no

              goal 1  final · TIME
              │ print('␛[2J')
              │ return s3.get_object(Bucket='no', Key='x')
              printed  ␛[2J
              error    InvalidBucketName (line 2): An error occurred (InvalidBucketName) when calling the GetObject operation: The specified bucket is not valid.

            Agent: No such ␛]0[?];owned␇bucket.\u{202e}
            [?] not found in any outcome or in what you said: "0"

            You: bye

              goal 2  final · TIME
              │ raise EndDialog()
              error    EndDialog (line 1)

            Agent: Goodbye!

            You: are you there?

            Agent: Sorry, the model's answer could not be used, even after it was asked again: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `still nonsense`. Nothing was changed; please try again.

            -- exit 1 --
        "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn commands_answer_in_words() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "drafting", "s3.delete_bucket(Bucket=?1)"),
        "Which one?",
        &goal(1, "final", "return 1"),
        "Done.",
    ])
    .await;
    home.write("taken.xml", "<conversation/>");
    home.check(
        chat(&home, &server, "--world empty"),
        "/stack\n/undo-draft\ndelete a bucket\n/undo-draft\n/stack\ncount\n/undo-draft\n\
         /world\n/save\n/save taken.xml\n/save! taken.xml\n/save taken.xml\n/nope\n/help\n/quit\nnever said\n",
        expect![[r#"
            Agent: How can I help you?

            You: /stack
            The stack is empty.

            You: /undo-draft
            There is nothing to take back: nothing was said yet.

            You: delete a bucket

              goal 1  drafting
              │ s3.delete_bucket(Bucket=?1)

            Agent: Which one?

            You: /undo-draft
            Taken back: delete a bucket

            You: /stack
            The stack is empty.

            You: count

              goal 1  final · TIME
              │ return 1
              result   1

            Agent: Done.

            You: /undo-draft
            The last turn ran a program: /undo takes back what programs did.

            You: /world
            empty (embedded S3, in memory)
            no buckets

            You: /save
            /save needs the name of a file: /save dialogue.xml

            You: /save taken.xml
            There is a file taken.xml already; /save! taken.xml replaces it

            You: /save! taken.xml
            Saved to taken.xml.

            You: /save taken.xml
            Saved to taken.xml.

            You: /nope
            There is no command /nope; /help lists those there are.

            You: /help
            /stack       the program stack: every goal with its latest program
            /world       the world that programs act on
            /policy      what programs may do; with `mode read-only` or `bytes_written 1 GiB`, change it
            /undo        undo the last program; the changes are shown first
            /undo-draft  take back the last turn, if it ran nothing
            /why         why statements of the last reply are in doubt, or none is
            /plan        all of the plan that waits for your yes; with `export FOLDER`, write the last plan as files that somebody else carries out
            /save FILE   write the dialogue to a new file; /save! replaces one
            /quit        end (also Ctrl-D)
            Anything else is said to the agent. Ctrl-C stops a turn that is under way.

            You: /quit
            -- exit 0 --
        "#]],
    );
    assert!(
        home.read("taken.xml")
            .starts_with("<conversation uid=\"taken\" world=\"empty\">")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_busy_server_is_waited_for_in_sight() {
    let home = Home::new();
    let server = Server::start(vec![
        response("503 Service Unavailable\nRetry-After: 0.01", ""),
        says(&goal(1, "final", "return 42")),
        says("It is 42."),
    ])
    .await;
    home.check(
        chat(&home, &server, ""),
        "what is it?\n",
        expect![[r#"
            Agent: How can I help you?

            You: what is it?

              goal 1  final · TIME
              │ return 42
              result   42

            Agent: It is 42.

            -- stderr --
            Waiting 10 ms before try 2: http://127.0.0.1:PORT/v1 failed (503)
            -- exit 0 --
        "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_recorded_dialogue_is_replayed_without_a_model() {
    let home = Home::new();
    let answers = moves_a_file();
    let server = model(&answers.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let said = "rename land_animals/pinniped.txt to seals\nzoology-bucket\n";
    let run = |mut command: Command| {
        command.arg("--quiet");
        let output = assert_cmd::Command::from(command)
            .write_stdin(said)
            .output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("text");
        let same = text
            .lines()
            .map(|line| line.split(" · ").next().unwrap_or(line));
        same.collect::<Vec<_>>().join("\n")
    };
    let recorded = run(chat(&home, &server, "--record session.jsonl"));
    let replayed = run(home.command("chat --model replay:session.jsonl"));
    assert!(recorded.contains("It is now seals.txt."), "{recorded}");
    assert_eq!(recorded, replayed);
    // Another utterance is not in the recording: said in words, and in the exit code.
    let other = assert_cmd::Command::from(home.command("chat --model replay:session.jsonl"))
        .write_stdin("something else\n")
        .output()
        .expect("it starts");
    assert_eq!(other.status.code(), Some(1));
}

#[test]
fn without_a_model_there_is_a_guide() {
    let home = Home::new();
    let output = home.command("chat").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(
        text.starts_with("error: no model is configured. Four ways to get one:"),
        "{text}"
    );
    assert!(text.lines().count() <= 24, "{text}");
}

#[test]
fn what_was_typed_wrong_is_said_before_anything_starts() {
    let home = Home::new();
    home.check(home.command("chat --setting d"), "", expect![[r#"
        -- stderr --
        error: invalid value 'd' for '--setting <SETTING>': a prompt setting is a (api), b (examples) or c (both), not "d"

        For more information, try '--help'.
        -- exit 2 --
    "#]]);
    home.check(
        home.command("chat --script nope.txt"),
        "",
        expect![[r#"
        -- stderr --
        error: cannot read the script nope.txt: No such file or directory (os error 2)
        -- exit 1 --
    "#]],
    );
    home.check(
        home.command("chat --world s3 --model replay:x"),
        "",
        expect![[r#"
            -- stderr --
            error: cannot read the recording x: No such file or directory (os error 2)
            -- exit 1 --
        "#]],
    );
    home.check(
        home.command("chat --endpoint-url http://x --world zoology"),
        "",
        expect![[r#"
            -- stderr --
            error: --endpoint-url is for a real S3, and the world is zoology: use --world s3
            -- exit 2 --
        "#]],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_a_reply_makes_up_is_marked_and_kept_without_marks() {
    let home = Home::new();
    let server = model(&[
        &goal(1, "final", "return {\"files\": 11}"),
        "There are 12 files in \"zoology-bukket\".",
        "There are 12 files.",
    ])
    .await;
    home.check(
        chat(&home, &server, "--save kept.xml"),
        "how many files are in zoology-bucket?\n",
        expect![[r#"
            Agent: How can I help you?

            You: how many files are in zoology-bucket?

              goal 1  final · TIME
              │ return {"files": 11}
              result   {"files": 11}

            Agent: There are 12 files[?].
            [?] "12 files": objects of zoology-bucket: 11

            -- exit 0 --
        "#]],
    );
    let kept = home.read("kept.xml");
    assert!(
        kept.contains("<turn>Agent: There are 12 files.</turn>"),
        "{kept}"
    );
    let asked = server.requests();
    let finding = r#"no result has and nobody said \"12\", \"zoology-bukket\""#;
    assert_eq!(asked.len(), 3);
    assert!(asked[2].contains(finding), "{}", asked[2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_utterance_that_is_too_long_is_refused_and_only_its_beginning_repeated() {
    let home = Home::new();
    let server = model(&[]).await;
    home.write("script.txt", &"long ".repeat(8000));
    home.check(
        chat(&home, &server, "--script script.txt"),
        "",
        expect![[r#"
            Agent: How can I help you?

            You: long long long long long long long long long long long long long long long long  …
            This is longer than 32768 bytes, the most of one utterance: say it in parts, or put it into a file of the world and name that.

            -- exit 1 --
        "#]],
    );
}

/// A key that the user pasted is in no file that others are given, or can read.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_pasted_key_is_not_saved() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let server = model(&[&goal(1, "final", "return 1"), "It is 1."]).await;
    let chatted = assert_cmd::Command::from(chat(&home, &server, "--save kept.xml"))
        .write_stdin("my key is sk-0123456789abcdefghijkl, what is 1?\n")
        .output()
        .unwrap();
    assert!(chatted.status.success(), "{}", home.seen(&chatted));
    let kept = home.read("kept.xml");
    assert!(kept.contains("my key is [key], what is 1?"), "{kept}");
    let mode = std::fs::metadata(home.path("kept.xml"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
