//! Two sessions of the command line that change the same bucket: the later apply stops
//! before the first write that the other one concerns, and says what was done.

use crate::cli::support::{Home, goal, model};
use crate::faults::server::Server;
use crate::faults::work::make;
use crate::support::tools::needs;
use crate::support::weed::{KEY, SECRET};
use dialog2api::domain::s3::show;
use dialog2api::domain::s3::world::memory;
use expect_test::expect;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};

/// What is there at first.
const BEGINNING: [&str; 4] = [
    "make shared",
    "put shared/plan.txt the plan",
    "put shared/draft.txt the draft",
    "put shared/old.txt the old one",
];

/// The program of one session: it archives what is there, and tidies up.
const ARCHIVES: &str = "    bucket = \"my-shared\"
    s3.put_object(Bucket=bucket, Key=\"archive/read-me.txt\", Body=\"plans\")
    s3.copy_object(Bucket=bucket, Key=\"archive/old.txt\", CopySource={\"Bucket\": bucket, \"Key\": \"old.txt\"})
    s3.copy_object(Bucket=bucket, Key=\"archive/plan.txt\", CopySource={\"Bucket\": bucket, \"Key\": \"plan.txt\"})
    s3.delete_objects(Bucket=bucket, Delete={\"Objects\": [{\"Key\": \"plan.txt\"}, {\"Key\": \"old.txt\"}]})";

/// The program of the other: it goes on with the plan.
const GOES_ON: &str =
    "    s3.put_object(Bucket=\"my-shared\", Key=\"plan.txt\", Body=\"a better plan\")";

/// `chat` in a session of this name, on the server.
fn chat(home: &Home, server: &Server, session: &str, words: &str) -> Command {
    let words = format!(
        "chat --session {session} --endpoint-url {} {words}",
        server.endpoint()
    );
    let mut command = home.ready(&words);
    command
        .env("AWS_ACCESS_KEY_ID", KEY)
        .env("AWS_SECRET_ACCESS_KEY", SECRET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A chat that waits for an answer to the plan that it has shown.
struct Asking {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    text: String,
}

impl Asking {
    fn start(mut command: Command, says: &str) -> Asking {
        let mut child = command.spawn().unwrap();
        let input = child.stdin.as_mut().unwrap();
        writeln!(input, "{says}").unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        // The last line of a plan.
        while !text.contains("\n  calls ") || !text.ends_with('\n') {
            let read = output.read_line(&mut text).unwrap();
            assert!(read > 0, "it ended without a plan: {text}");
        }
        Asking {
            child,
            output,
            text,
        }
    }

    /// Says yes, and what else is to be said.
    fn agree(mut self, more: &str) -> Output {
        let mut input = self.child.stdin.take().unwrap();
        write!(input, "yes\n{more}").unwrap();
        drop(input);
        self.output.read_to_string(&mut self.text).unwrap();
        let mut output = self.child.wait_with_output().unwrap();
        output.stdout = self.text.into_bytes();
        output
    }
}

/// Both sessions plan; then the second applies its plan, and then the first. What is
/// seen of the first, of the second, and of the bucket.
async fn both(home: &Home, server: &Server, first: Command, second: Command) -> String {
    for call in BEGINNING {
        make(&server.world, "my", call).await;
    }
    let (first, second) = tokio::task::block_in_place(|| {
        let first = Asking::start(
            first,
            "archive the plan and the old one in my-shared, with a read-me",
        );
        let second = Asking::start(second, "improve plan.txt in my-shared").agree("");
        (first.agree("/undo\nyes\n"), second)
    });
    let content = show::summary(&server.world).await.unwrap();
    let nothing = show::summary(&memory("empty").unwrap()).await.unwrap();
    let content: Vec<String> = (show::diff(&nothing, &content).iter())
        .map(ToString::to_string)
        .collect();
    let (first, second) = (home.seen(&first), home.seen(&second));
    format!("{first}\n{second}\n{}\n", content.join("\n"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_later_apply_stops_before_the_first_conflicting_write() {
    needs!(WEED);
    let home = Home::new();
    let models = [
        model(&[
            &goal(1, "final", ARCHIVES),
            "I archived a part of it; the plan was changed by someone else.",
        ])
        .await,
        model(&[&goal(1, "final", GOES_ON), "The plan is better now."]).await,
    ];
    let recorded = {
        let server = Server::start().await;
        let chat = |name: &str, model: usize| {
            let url = models[model].base_url();
            let words = format!("--model openai:fake --base-url {url} --record {name}.jsonl");
            chat(&home, &server, &format!("{name}-recorded"), &words)
        };
        both(&home, &server, chat("first", 0), chat("second", 1)).await
    };
    // Without a model, and with all that matters as it was: from the recordings.
    let server = Server::start().await;
    let chat = |name: &str| {
        chat(
            &home,
            &server,
            name,
            &format!("--model replay:{name}.jsonl"),
        )
    };
    let replayed = both(&home, &server, chat("first"), chat("second")).await;
    assert_eq!(recorded, replayed);
    expect![[r#"
        Agent: How can I help you?

        You: archive the plan and the old one in my-shared, with a read-me

        The program of goal 1 would change this:
          - my-shared/plan.txt             8 B  comes back from where it went
          - my-shared/old.txt              11 B  comes back from where it went
          + my-shared/archive/read-me.txt  5 B
          + my-shared/archive/old.txt      11 B  copied from my-shared/old.txt
          + my-shared/archive/plan.txt     8 B  copied from my-shared/plan.txt
          3 created, 2 deleted (2 copied); 24 B written
          calls put_object, copy_object × 2, delete_objects
          An undo can take all of it back, as long as nobody changes it meanwhile; 2 come back from where it went.
        The program:
                bucket = "my-shared"
                s3.put_object(Bucket=bucket, Key="archive/read-me.txt", Body="plans")
                s3.copy_object(Bucket=bucket, Key="archive/old.txt", CopySource={"Bucket": bucket, "Key": "old.txt"})
                s3.copy_object(Bucket=bucket, Key="archive/plan.txt", CopySource={"Bucket": bucket, "Key": "plan.txt"})
                s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "plan.txt"}, {"Key": "old.txt"}]})
        Do it? [y/N] yes

          goal 1  final · TIME
          │ bucket = "my-shared"
          │ s3.put_object(Bucket=bucket, Key="archive/read-me.txt", Body="plans")
          │ s3.copy_object(Bucket=bucket, Key="archive/old.txt", CopySource={"Bucket": bucket, "Key": "old.txt"})
          │ s3.copy_object(Bucket=bucket, Key="archive/plan.txt", CopySource={"Bucket": bucket, "Key": "plan.txt"})
          │ s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "plan.txt"}, {"Key": "old.txt"}]})
          error    PlanOutdated: Only 2 of 4 planned writes were made: my-shared/plan.txt has changed since this was planned.

          world    + my-shared/archive/old.txt (11 bytes)
                   + my-shared/archive/read-me.txt (5 bytes)
                   ~ my-shared/plan.txt (8 → 13 bytes)

        Agent: I archived a part of it; the plan was changed by someone else.

        You: /undo

        Undoing the program of goal 1 (turn 1) would change this:
          - my-shared/archive/old.txt      11 B  comes back by our journal
          - my-shared/archive/read-me.txt  5 B  comes back by our journal
          2 deleted; 16 B destroyed
          An undo can take all of it back, as long as nobody changes it meanwhile; 2 come back by our journal.
        Do it? [y/N] yes
          world    - my-shared/archive/old.txt (11 bytes)
                   - my-shared/archive/read-me.txt (5 bytes)
        Undone.

        -- exit 0 --

        Agent: How can I help you?

        You: improve plan.txt in my-shared

        The program of goal 1 would change this:
          ~ my-shared/plan.txt  8 B → 13 B  comes back by our journal
          1 overwritten; 13 B written; 8 B destroyed
          calls put_object
          An undo can take all of it back, as long as nobody changes it meanwhile; 1 comes back by our journal.
        The program:
                s3.put_object(Bucket="my-shared", Key="plan.txt", Body="a better plan")
        Do it? [y/N] yes

          goal 1  final · TIME
          │ s3.put_object(Bucket="my-shared", Key="plan.txt", Body="a better plan")
          result   null

          world    ~ my-shared/plan.txt (8 → 13 bytes)

        Agent: The plan is better now.

        -- exit 0 --

        + my-shared/
        + my-shared/draft.txt (9 bytes)
        + my-shared/old.txt (11 bytes)
        + my-shared/plan.txt (13 bytes)
    "#]].assert_eq(&replayed);
    // What was done and what was not is in the session, for later as well.
    let output = home.command("session show first").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // Lines that begin with a time, without it.
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    let plans = lines.filter(|(time, said)| time.len() == 8 && said.starts_with("plan "));
    let mut plans: Vec<&str> = plans.map(|(_, said)| said).collect();
    // Writes that are under way together end in any order.
    for together in plans.chunk_by_mut(|a, b| is_made(a) && is_made(b)) {
        together.sort_unstable();
    }
    expect![[r#"
        plan 1 of goal 1: 4 writes
        plan 1: agreed to by the user
        plan 1: write 1 is made
        plan 1: write 2 is made
        plan 1: ended early. Only 2 of 4 planned writes were made: my-shared/plan.txt has changed since this was planned.
        plan 2 to undo plan 1: 2 writes
        plan 2: agreed to by the user
        plan 2: write 1 is made
        plan 2: write 2 is made
        plan 2: applied
        plan 1 is undone"#]]
    .assert_eq(&plans.join("\n"));
}

/// Whether a line says that a write is made.
fn is_made(line: &str) -> bool {
    line.ends_with(" is made")
}
