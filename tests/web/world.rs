//! The buttons of the page's world, the files that it sends, and the forms.

use super::{DONE, Page, effects};
use crate::cli::support::{Home, model};
use expect_test::expect;
use serde_json::{Value as Json, json};

impl Page {
    /// Sends a file; what the wish calls it, or why it was not taken.
    async fn send(&self, session: &str, content: Vec<u8>) -> Result<String, String> {
        let request = self
            .client
            .post(format!("{}/api/receive?session={session}", self.base));
        let request = request
            .header("Cookie", &self.cookie)
            .header("Origin", &self.base)
            .header("Sec-Fetch-Site", "same-origin")
            .header("x-desk-key", &self.key);
        let answer = request.body(content).send().await.expect("an answer");
        let said: Json = answer.json().await.expect("JSON");
        let text = |name: &str| said[name].as_str().map(str::to_owned);
        text("held").ok_or_else(|| text("error").unwrap_or_default())
    }

    /// Presses a button; returns the effects of its plan, after the answer to it.
    async fn press(&mut self, session: &str, button: (&str, Json), apply: bool) -> Vec<String> {
        let (path, what) = button;
        assert_eq!(self.post(path, session, what).await, DONE);
        let plan = self.until("plan").await;
        let answer = json!({"plan": plan["plan"], "apply": apply});
        assert_eq!(self.post("/api/decide", session, answer).await, DONE);
        self.until("turn_ended").await;
        effects(&plan)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buttons_make_plans_which_the_policy_judges() {
    let home = Home::new();
    home.write(
        "policy.toml",
        "version = 1\nprotected_paths = [\"zoology-bucket/sea_animals\"]\n",
    );
    let server = model(&[]).await;
    let mut page = Page::open(&home, &server, "--world zoology --policy policy.toml").await;
    let opened = page.until("opened").await;
    let session = opened["session"].as_str().expect("a name").to_owned();
    let folder = page.get("/api/browse?path=zoology-bucket/photos/").await;
    assert_eq!(folder["way"][1]["path"], "zoology-bucket/photos/");
    let otter = folder["entries"][0]["path"]
        .as_str()
        .expect("a path")
        .to_owned();
    let found = page
        .get("/api/browse?path=zoology-bucket/&find=OTTER")
        .await;
    let found: Vec<&Json> = found["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(found, ["photos/otter.jpg", "sea_animals/otter.txt"]);
    let images = page
        .get("/api/browse?path=zoology-bucket/&find=otter%20type:image")
        .await;
    assert_eq!(images["entries"][0]["name"], "photos/otter.jpg", "{images}");
    assert_eq!(
        images["entries"].as_array().map(Vec::len),
        Some(1),
        "{images}"
    );

    assert_eq!(
        page.post("/api/delete", &session, json!({"paths": [otter]}))
            .await,
        DONE
    );
    let plan = page.until("plan").await;
    assert_eq!(effects(&plan), ["delete zoology-bucket/photos/otter.jpg"]);
    let no = json!({"plan": plan["plan"], "apply": false});
    assert_eq!(page.post("/api/decide", &session, no).await, DONE);
    page.until("turn_ended").await;

    let protected = json!({"paths": ["zoology-bucket/sea_animals/orca.txt"]});
    assert_eq!(page.post("/api/delete", &session, protected).await, DONE);
    let ended = page.until("turn_ended").await;
    let outcome = &ended["goals"][0]["outcome"]["error"]["error"];
    assert_eq!(outcome, "AccessDenied", "{ended}");
    let policy = page.get("/api/policy").await;
    assert!(
        policy["policy"]
            .as_str()
            .expect("text")
            .contains("sea_animals")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buckets_are_made_folders_moved_and_links_shared_by_plans() {
    let home = Home::new();
    let server = model(&[]).await;
    let mut page = Page::open(&home, &server, "--world zoology").await;
    let session = page.until("opened").await["session"].clone();
    let session = session.as_str().expect("a name");
    let make = ("/api/make", json!({"name": "attic-of-mine"}));
    let made = page.press(session, make, true).await;
    let (from, to) = ("zoology-bucket/photos/", "attic-of-mine/pictures");
    let before = page.get(&format!("/api/browse?path={from}")).await;
    let moved = json!({"paths": [from], "to": to});
    let moved = page.press(session, ("/api/move", moved), true).await;
    let after = page.get(&format!("/api/browse?path={to}/")).await;
    let names = |folder: &Json| -> Vec<Json> {
        let entries = folder["entries"].as_array().expect("entries").iter();
        entries.map(|it| it["name"].clone()).collect()
    };
    assert_eq!(names(&after), names(&before));
    assert_eq!(moved.len(), 2 * names(&before).len());
    let gone = page.get(&format!("/api/browse?path={from}")).await;
    assert_eq!(names(&gone), Vec::<Json>::new());
    let orca = "zoology-bucket/sea_animals/orca.txt";
    let share = ("/api/share", json!({"path": orca, "seconds": 86_400}));
    let shared = page.press(session, share, false).await;
    // The page offers no link that no server answers.
    let there = page.get("/api/browse?path=zoology-bucket/sea_animals/");
    assert_eq!(there.await["entries"][0]["can_share"], false);
    let refused = [
        ("/api/make", json!({"name": " "})),
        (
            "/api/move",
            json!({"paths": ["zoology-bucket/"], "to": "other/"}),
        ),
        ("/api/move", json!({"paths": [orca], "to": orca})),
        (
            "/api/move",
            json!({"paths": ["zoology-bucket/sea_animals/"], "to": "zoology-bucket/sea_animals/x"}),
        ),
        (
            "/api/move",
            json!({"paths": ["a/x/1", "b/y/1"], "to": "c/"}),
        ),
        (
            "/api/share",
            json!({"path": "zoology-bucket/", "seconds": 60}),
        ),
    ];
    let mut said = format!("{made:?}\n{shared:?}\n");
    for (path, what) in refused {
        said += &format!("{:?}\n", page.post(path, session, what).await);
    }
    expect![[r#"
        ["create attic-of-mine/"]
        ["create zoology-bucket/sea_animals/orca.txt (link to read it for 1 day)"]
        (400, "say how the bucket is called")
        (400, "a bucket keeps its name: make another one, and move what lies in this one")
        (400, "zoology-bucket/sea_animals/orca.txt is there already")
        (400, "zoology-bucket/sea_animals/ cannot go into itself")
        (400, "two of the things would be c/1: move them one after the other")
        (400, "a link is to one object: choose one")
    "#]]
    .assert_eq(&said);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_any_size_are_uploaded_to_a_world_that_is_a_folder() {
    let home = Home::new();
    let server = model(&[]).await;
    let mut page = Page::open(&home, &server, "--world ./shelf").await;
    let session = page.until("opened").await["session"].clone();
    // What was told before the page was there follows.
    let told = page.until("note").await;
    assert_eq!(
        told["text"],
        "note: there was no folder ./shelf, so it is made"
    );
    let session = session.as_str().expect("a name");
    let make = ("/api/make", json!({"name": "attic-of-mine"}));
    page.press(session, make, true).await;
    let bucket = page.get("/api/browse?path=attic-of-mine/").await;
    assert_eq!(bucket["room"]["bytes"], Json::Null);
    let large: Vec<u8> = (0..20_000_000_u32).map(|at| (at % 251) as u8).collect();
    let mut files = Vec::new();
    for (name, content) in [
        ("trip/large.bin", large.clone()),
        ("trip/note.txt", b"hello".to_vec()),
    ] {
        let held = page.send(session, content).await.expect("a name");
        files.push(json!({"held": held, "name": name, "media_type": "text/plain"}));
    }
    let upload = json!({"folder": "attic-of-mine/", "files": files});
    let declined = page.press(session, ("/api/upload", upload.clone()), false);
    assert_eq!(
        declined.await,
        [
            "create attic-of-mine/trip/large.bin",
            "create attic-of-mine/trip/note.txt"
        ]
    );
    // What was declined is forgotten, and has to be sent again.
    assert_eq!(
        page.post("/api/upload", session, upload).await,
        (
            400,
            "trip/large.bin is not here any more: send it again".to_owned()
        )
    );
    let held = page.send(session, large.clone()).await.expect("a name");
    let files = json!([{"held": held, "name": "trip/large.bin", "media_type": "text/plain"}]);
    let upload = json!({"folder": "attic-of-mine/", "files": files});
    page.press(session, ("/api/upload", upload), true).await;
    let read = page.client.get(format!(
        "{}/api/read?path=attic-of-mine/trip/large.bin",
        page.base
    ));
    let read = read.header("Cookie", &page.cookie).send().await;
    let bytes = read.expect("an answer").bytes().await.expect("bytes");
    assert!(bytes == large);
    // Nobody can name a file that was not sent.
    let files = json!([{"held": "../sessions", "name": "x", "media_type": null}]);
    let upload = json!({"folder": "attic-of-mine/", "files": files});
    assert_eq!(page.post("/api/upload", session, upload).await.0, 400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_world_in_memory_takes_small_files_and_says_so() {
    let home = Home::new();
    let server = model(&[]).await;
    let mut page = Page::open(&home, &server, "--world zoology").await;
    let session = page.until("opened").await["session"].clone();
    let session = session.as_str().expect("a name");
    let refused = page.send(session, vec![0; (1 << 20) + 1]).await;
    expect![[r#"
        it has more than 1048576 bytes. This world is held in memory; a world in a folder or on a server takes files of any size."#]]
    .assert_eq(&refused.expect_err("a refusal"));
    let held = page.send(session, b"hello".to_vec()).await.expect("a name");
    let files = json!([{"held": held, "name": "new.txt", "media_type": "text/plain"}]);
    let upload = json!({"folder": "zoology-bucket/", "files": files});
    page.press(session, ("/api/upload", upload), true).await;
    let read = page.client.get(format!(
        "{}/api/read?path=zoology-bucket/new.txt",
        page.base
    ));
    let read = read.header("Cookie", &page.cookie).send().await;
    assert_eq!(
        read.expect("an answer").text().await.expect("text"),
        "hello"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_deleted_is_found_and_comes_back_by_a_plan() {
    let home = Home::new();
    let server = model(&[]).await;
    let mut page = Page::open(&home, &server, "--world zoology").await;
    let session = page.until("opened").await["session"].clone();
    let session = session.as_str().expect("a name");
    let program = "s3.put_bucket_versioning(Bucket='zoology-bucket', VersioningConfiguration={'Status': 'Enabled'})";
    let versions = json!({"text": "keep versions", "program": program});
    page.press(session, ("/api/propose", versions), true).await;
    let orca = "zoology-bucket/sea_animals/orca.txt";
    let delete = json!({"paths": [orca], "version": null});
    page.press(session, ("/api/delete", delete), true).await;
    let names = async |page: &Page, look: &str| {
        let found = page.get(&format!("/api/browse?{look}")).await;
        let entries = found["entries"].as_array().expect("entries").iter();
        let names = entries.map(|it| it["name"].as_str().unwrap_or_default().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    let below = "path=zoology-bucket/sea_animals/";
    assert!(!names(&page, below).await.contains("orca"));
    let gone = names(&page, &format!("{below}&deleted=true")).await;
    assert_eq!(gone, "orca.txt");
    let found = names(&page, "path=zoology-bucket/&deleted=true&find=ORCA").await;
    assert_eq!(found, "sea_animals/orca.txt");
    let kept = page.get(&format!("/api/versions?path={orca}")).await;
    let kept = kept.as_array().expect("versions").iter();
    let mut there = kept.filter(|it| !it["size"].is_null());
    let version = there.next().expect("a version")["version"].clone();
    let restore = json!({"path": orca, "version": version});
    let plan = page.press(session, ("/api/restore", restore), true).await;
    assert_eq!(plan, [format!("create {orca}")]);
    assert!(names(&page, below).await.contains("orca.txt"));
    assert_eq!(names(&page, &format!("{below}&deleted=true")).await, "");
}

/// The entries at an address: their names, those of folders with a slash.
async fn lines(page: &Page, address: &str) -> Vec<String> {
    let said = page.get(&format!("/api/browse?{address}")).await;
    let entries = said["entries"].as_array().expect("entries").iter();
    let line = |it: &Json| {
        let name = it["name"].as_str().expect("a name");
        format!("{name}{}", if it["folder"] == true { "/" } else { "" })
    };
    entries.map(line).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_marker_is_told_apart_from_the_folder() {
    let home = Home::new();
    let object = |key: &str| format!("[[bucket.object]]\nkey = \"{key}\"\ntext = \"\"\n");
    let world = format!(
        "description = \"markers\"\nclock = 2024-01-01T00:00:00Z\n[[bucket]]\nname = \"attic-of-mine\"\n\
         created = 2023-01-01T00:00:00Z\n{}{}{}",
        object("a/"),
        object("a/b/"),
        object("a/note.txt")
    );
    home.write("markers.toml", &world);
    let server = model(&[]).await;
    let page = Page::open(&home, &server, "--world markers.toml").await;
    for (address, shown) in [
        ("path=attic-of-mine/", &["a/"][..]),
        (
            "path=attic-of-mine/a/",
            &["b/", "(folder marker)", "note.txt"],
        ),
        (
            "path=attic-of-mine/&find=a/",
            &["a/ (folder marker)", "a/b/ (folder marker)", "a/note.txt"],
        ),
    ] {
        assert_eq!(lines(&page, address).await, shown, "{address}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_in_a_folder_shows_its_state_as_a_tree() {
    let home = Home::new();
    let made = home.command("domain new library").output();
    assert!(made.expect("it starts").status.success());
    let server = model(&[]).await;
    let page = Page::open(&home, &server, "--domain ./library").await;
    let mut tree = String::new();
    let mut paths = vec![String::new()];
    while let Some(path) = paths.pop() {
        let said = page.get(&format!("/api/browse?path={path}")).await;
        for entry in said["entries"].as_array().expect("entries") {
            let (name, path) = (&entry["name"], entry["path"].as_str().expect("a path"));
            tree += &format!("{path} {name}\n");
            if entry["folder"] == true {
                paths.push(path.to_owned());
            }
        }
    }
    expect![[r#"
        /items/ "items"
        /items/apple/ "apple"
        /items/spare key/ "spare key"
        /items/spare key/count "count: 1"
        /items/spare key/added "added: \"2024-01-01T00:00:00\""
        /items/apple/count "count: 3"
        /items/apple/added "added: \"2024-01-01T00:00:00\""
    "#]]
    .assert_eq(&tree);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forms_are_those_of_the_domain() {
    let home = Home::new();
    let made = home.command("domain new pizza --worksheets").output();
    assert!(made.expect("it starts").status.success());
    let server = model(&["Order(count=2)", "Which size would you like?"]).await;
    let mut page = Page::open(&home, &server, "--domain pizza").await;
    let session = page.until("opened").await["session"].clone();
    let session = session.as_str().expect("a name");
    let forms = async |page: &Page| {
        let forms = page.get("/api/forms").await["forms"].clone();
        forms.as_str().map(str::to_owned)
    };
    let none = forms(&page).await.expect("forms");
    assert!(none.starts_with("No form is open."), "{none}");
    let said = json!({"text": "two pizzas please"});
    assert_eq!(page.post("/api/say", session, said).await, DONE);
    page.until("turn_ended").await;
    let shown = forms(&page).await.expect("forms");
    assert!(shown.contains("order (open): Order pizza"), "{shown}");
    assert!(shown.contains("   count: 2\n"), "{shown}");
    assert!(shown.contains(" > size: missing"), "{shown}");

    // A domain without worksheets has none.
    let page = Page::open(&home, &server, "--world zoology").await;
    assert_eq!(forms(&page).await, None);
}
