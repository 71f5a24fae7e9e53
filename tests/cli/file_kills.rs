//! Processes that are killed in the middle of a transfer, and what is true afterwards.

use super::support::{Home, goal, model};
use crate::plan::lab::call_all;
use crate::serve::support::{key, system_world};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::Memory;
use dialog2api::domain::s3::serve::{S3Server, Service, listen};
use dialog2api::domain::{Answer, Layer, Map, Onward, Value, World};
use expect_test::expect;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// A server that once does not answer.
struct Silent {
    world: Arc<Memory>,
    /// The operation, and at which of its calls.
    at: Mutex<Option<(&'static str, usize)>>,
    /// The calls of that operation so far.
    calls: AtomicUsize,
    silent: Notify,
}

#[async_trait]
impl Layer for Silent {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let at = *self.at.lock().unwrap();
        if let Some((known, number)) = at
            && known == operation
            && self.calls.fetch_add(1, Ordering::SeqCst) == number
        {
            self.silent.notify_one();
            std::future::pending::<()>().await;
        }
        onward.call(operation, params).await
    }
}

/// A home with the folder `photos`, and a server with the bucket `bucket-a`.
struct There {
    home: Home,
    world: Arc<Silent>,
    server: S3Server,
    content: Vec<u8>,
}

impl There {
    async fn new(operation: &'static str, number: usize) -> There {
        let world = system_world();
        call_all(&*world, "make a").await;
        let world = Arc::new(Silent {
            world,
            at: Mutex::new(Some((operation, number))),
            calls: AtomicUsize::new(0),
            silent: Notify::new(),
        });
        let home = Home::new();
        std::fs::create_dir(home.path("photos")).unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let service = Service::new(world.clone(), &key());
        There {
            home,
            server: listen(service, address).await.unwrap(),
            world,
            content: (0..40_u32 << 20).map(|at| (at / 4099) as u8).collect(),
        }
    }

    fn command(&self, words: &str) -> Command {
        let mut command = self.home.ready(words);
        let key = key();
        command
            .args(["--files", "photos:rw", "--region", "us-east-1"])
            .args(["--endpoint-url", &self.server.endpoint()])
            .env("AWS_ACCESS_KEY_ID", key.id)
            .env("AWS_SECRET_ACCESS_KEY", key.secret)
            .stdin(Stdio::null());
        command
    }

    /// Kills the process as soon as the server is silent.
    async fn kill(&self, mut command: Command) {
        let mut child: Child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.world.silent.notified().await;
        child.kill().unwrap();
        child.wait().unwrap();
        *self.world.at.lock().unwrap() = None;
    }

    /// The content of the object `film`.
    async fn object(&self) -> Option<Vec<u8>> {
        let at: Map = vec![
            ("Bucket".into(), "bucket-a".into()),
            ("Key".into(), "film".into()),
        ];
        let answer = self.world.world.call("get_object", &Value::Map(at)).await;
        match answer.unwrap().ok()?.get("Body") {
            Some(Value::Bytes(body)) => Some(body.to_vec()),
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.home.path("photos")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chat_that_was_killed_in_an_upload_goes_on_with_it() {
    let there = There::new("upload_part", 3).await;
    std::fs::write(there.home.path("photos/film"), &there.content).unwrap();
    let program = "s3.upload_file('photos/film', 'bucket-a', 'film')";
    let answers = model(&[&goal(1, "final", program), "It is there."]).await;
    there
        .home
        .write("script.txt", "put film into bucket-a\nyes\n");
    let words = "chat --model openai:fake --session it --script script.txt";
    let mut command = there.command(words);
    command.args(["--base-url", &answers.base_url()]);
    there.kill(command).await;
    assert_eq!(there.object().await, None, "nothing is half there");
    let shown = there.home.command("session show it").output().unwrap();
    let shown = there.home.seen(&shown);
    let truth = "Plan 1 was cut off after 0 of 1 write, and one more may have been made.";
    assert!(shown.contains(truth), "{shown}");
    there.home.write("script.txt", "yes\n/quit\n");
    let mut command = there.command(words);
    command.args(["--base-url", &answers.base_url()]);
    there.home.check(
        command,
        "",
        expect![[r#"
            Agent: How can I help you?

            (The session it goes on after 0 turns.)

            An apply was cut off after 0 of 1 write.

            The program of goal 1 would change this:
              + bucket-a/film  40.00 MiB  copied from file:photos/film
              1 created (1 copied); 40.00 MiB written
              calls upload_file
              An undo can take all of it back, as long as nobody changes it meanwhile.
            Finish it? (no takes back what was done) [y/n] yes
            (The last turn was interrupted, and is carried on.)


              goal 1  final · TIME
              │ s3.upload_file('photos/film', 'bucket-a', 'film')
              result   null

              world    + bucket-a/film (41943040 bytes)

            Agent: It is there.

            You: /quit
            -- exit 0 --
        "#]],
    );
    assert!(
        there.object().await.as_ref() == Some(&there.content),
        "it is whole"
    );
    let bucket: Map = vec![("Bucket".into(), "bucket-a".into())];
    let left = (there.world.world)
        .call("list_multipart_uploads", &Value::Map(bucket))
        .await;
    assert!(left.unwrap().unwrap().get("Uploads").is_none());
    there.server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_killed_in_a_download_leaves_the_file_as_it_was() {
    let there = There::new("get_object", 2).await;
    let put: Map = vec![
        ("Bucket".into(), "bucket-a".into()),
        ("Key".into(), "film".into()),
        ("Body".into(), Value::Bytes(there.content.clone().into())),
    ];
    let put = there.world.world.call("put_object", &Value::Map(put)).await;
    put.unwrap().unwrap();
    there.home.write("photos/film", "old");
    let program = "import os\ns3.download_file('bucket-a', 'film', 'photos/film')\nreturn os.listdir('photos')";
    there.home.write("program.py", program);
    there.kill(there.command("run program.py")).await;
    assert_eq!(there.home.read("photos/film"), "old");
    let begun = there.names().into_iter().next().unwrap();
    assert!(begun.ends_with(".dialog2api-part"), "{begun}");
    let kept = std::fs::metadata(there.home.path("photos").join(begun)).unwrap();
    assert_eq!(kept.len(), 16 << 20, "two parts of 8 MiB");
    there
        .home
        .write("list.py", "import os\nreturn os.listdir('photos')");
    // The folder alone, without the server.
    let list = there.home.ready("run list.py --world empty --files photos");
    there.home.check(
        list,
        "",
        expect![[r#"
        result     ["film"]
        calls      list_files
        signature  de68168d
        elapsed    TIME
        -- exit 0 --
    "#]],
    );
    there.home.check(
        there.command("run program.py"),
        "",
        expect![[r#"
            result     ["film"]
            calls      head_object, download_file, list_files
            signature  not computed
            elapsed    TIME
            -- exit 0 --
        "#]],
    );
    let film = std::fs::read(there.home.path("photos/film")).unwrap();
    assert!(film == there.content, "it is whole");
    assert_eq!(there.names(), ["film"]);
    there.server.stop().await;
}
