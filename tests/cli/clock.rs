//! The time of `dialog2api run`.

use crate::cli::support::Home;
use expect_test::{Expect, expect};
use std::fs::{File, FileTimes};

/// A home with a folder as world: `docs/old.txt` of 2025-06-01 and `docs/new.txt` of
/// 2026-11-20.
fn home() -> Home {
    let home = Home::new();
    for (name, modified) in [
        ("old", "2025-06-01T00:00:00Z"),
        ("new", "2026-11-20T00:00:00Z"),
    ] {
        std::fs::create_dir_all(home.path("w/docs")).unwrap();
        let path = home.path(&format!("w/docs/{name}.txt"));
        std::fs::write(&path, "x").unwrap();
        let modified: jiff::Timestamp = modified.parse().unwrap();
        let times = FileTimes::new().set_modified(modified.into());
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_times(times)
            .unwrap();
    }
    home
}

fn check(home: &Home, words: &str, program: &str, expected: Expect) {
    let program = format!(
        "from datetime import datetime, timedelta, timezone\n\
         now = datetime.now(timezone.utc)\n{program}"
    );
    let output = assert_cmd::Command::from(home.ready(&format!("run - --json {words}")))
        .write_stdin(program)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let seen = match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(json) if json["error"].is_null() => json["result"].to_string(),
        Ok(json) => json["error"].to_string(),
        Err(_) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    };
    expected.assert_eq(&seen);
}

#[test]
fn a_program_on_a_folder_knows_which_files_are_old() {
    let older = "return [str(now)[:19]] + [o['Key'] for o in s3.list_objects_v2(Bucket='docs')['Contents'] if o['LastModified'] < now - timedelta(days=30)]";
    let home = home();
    for words in ["--world w", "--world w --overlay"] {
        check(
            &home,
            &format!("{words} --now 2026-11-28T07:58:55Z"),
            older,
            expect![[r#"["2026-11-28 07:58:55","old.txt"]"#]],
        );
    }
    check(
        &home,
        "--world w --now 2026-12-31T23:59:59+01:00",
        older,
        expect![[r#"["2026-12-31 22:59:59","new.txt","old.txt"]"#]],
    );
}

#[test]
fn by_default_it_is_the_time_of_the_machine() {
    let home = home();
    std::fs::write(home.path("w/docs/just.txt"), "x").unwrap();
    let ages = "
s3.put_object(Bucket='docs', Key='own.txt', Body=b'x')
ages = []
for key in ['just.txt', 'own.txt']:
    written = s3.head_object(Bucket='docs', Key=key)['LastModified']
    ages.append((datetime.now(timezone.utc) - written).total_seconds())
return [0 <= age < 3600 for age in ages]
";
    check(&home, "--world w --overlay", ages, expect!["[true,true]"]);
    check(&home, "--world w", ages, expect!["[true,true]"]);
}

#[test]
fn a_world_of_a_dataset_has_its_own_time() {
    let home = Home::new();
    let program = "return str(now)[:19]";
    check(&home, "", program, expect![[r#""2024-05-01 09:00:00""#]]);
    check(
        &home,
        "--world fresh-account",
        program,
        expect![[r#""2024-09-12 08:15:00""#]],
    );
    check(
        &home,
        "--now 2026-11-28T00:00:00Z",
        program,
        expect![[
            r#"error: --now is for a world that has the machine's time, and zoology (embedded S3, in memory) has its own: 2024-05-01T09:00:00Z"#
        ]],
    );
}
