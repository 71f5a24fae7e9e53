//! Answers of listings: prefixes, delimiters, pages.

use crate::support::{check, empty, run};
use expect_test::{Expect, expect};
use s3_world::domain::Value;

const PHOTOS: &[&str] = &[
    "a.txt",
    "photos/2023/1.jpg",
    "photos/2023/2.jpg",
    "photos/2024/1.jpg",
    "photos/index.html",
    "z.txt",
];

fn setup(keys: &[&str]) -> String {
    let puts = keys.iter().map(|key| {
        let key = serde_json::to_string(key).expect("text is JSON");
        format!("put_object {{\"Bucket\":\"alpha\",\"Key\":{key},\"Body\":\"x\"}}\n")
    });
    "create_bucket {\"Bucket\":\"alpha\"}\n".to_owned() + &puts.collect::<String>()
}

/// Lists with version 1 and shows the keys, `prefix …` and what is said about the next page.
fn keys(keys: &[&str], queries: &str, expected: Expect) {
    let world = empty();
    run(&setup(keys), |operation, params| {
        world.perform(operation, params)
    });
    let shown = queries
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let call = format!("list_objects {{\"Bucket\":\"alpha\",{line}}}");
            let answer = std::cell::RefCell::new(String::new());
            run(&call, |operation, params| {
                let page = world.perform(operation, params);
                *answer.borrow_mut() = page.as_ref().map_or("refused".to_owned(), show);
                page
            });
            format!("{line} → {}\n", answer.take())
        });
    expected.assert_eq(&shown.collect::<String>());
}

fn show(page: &Value) -> String {
    let items = |list: &str, name: &str| -> Vec<String> {
        let entries = page.get(list).and_then(Value::as_list).unwrap_or_default();
        let texts = entries.iter().filter_map(|entry| entry.get(name)?.as_str());
        texts.map(str::to_owned).collect()
    };
    let mut parts = items("Contents", "Key");
    parts.extend(
        items("CommonPrefixes", "Prefix")
            .iter()
            .map(|prefix| format!("({prefix})")),
    );
    if page.get("IsTruncated").and_then(Value::as_bool) == Some(true) {
        parts.push("…".to_owned());
    }
    parts.extend(
        page.get("NextMarker")
            .and_then(Value::as_str)
            .map(|m| format!("next {m}")),
    );
    parts.join(" ")
}

#[test]
fn shapes() {
    check(
        &setup(&["k"]),
        r#"
        list_objects {"Bucket":"alpha"}
        list_objects_v2 {"Bucket":"alpha","FetchOwner":true}
        list_objects {"Bucket":"alpha","Prefix":"none"}
        list_objects_v2 {"Bucket":"alpha","Prefix":"none","StartAfter":"a","Delimiter":"/"}
        list_objects {"Bucket":"alpha","Delimiter":"","Marker":"","Prefix":""}
        "#,
        expect![[r#"
            {IsTruncated: False, Marker: "", Contents: [{Key: "k", LastModified: 2024-01-01T00:00:01Z, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
            {IsTruncated: False, Contents: [{Key: "k", LastModified: 2024-01-01T00:00:01Z, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url", KeyCount: 1}
            {IsTruncated: False, Marker: "", Name: "alpha", Prefix: "none", MaxKeys: 1000, EncodingType: "url"}
            {IsTruncated: False, Name: "alpha", Prefix: "none", Delimiter: "/", MaxKeys: 1000, EncodingType: "url", KeyCount: 0, StartAfter: "a"}
            {IsTruncated: False, Marker: "", Contents: [{Key: "k", LastModified: 2024-01-01T00:00:01Z, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD", Owner: {ID: "d1a10902a9100000000000000000000000000000000000000000000000000001"}}], Name: "alpha", Prefix: "", MaxKeys: 1000, EncodingType: "url"}
        "#]],
    );
}

#[test]
fn prefixes_and_delimiters() {
    keys(
        PHOTOS,
        r#"
        "Prefix":"photos/2023"
        "Prefix":"a.txt"
        "Prefix":"photos/","Delimiter":"/"
        "Prefix":"photos","Delimiter":"/"
        "Delimiter":"/"
        "Delimiter":"/2"
        "Delimiter":"t"
        "#,
        expect![[r#"
            "Prefix":"photos/2023" → photos/2023/1.jpg photos/2023/2.jpg
            "Prefix":"a.txt" → a.txt
            "Prefix":"photos/","Delimiter":"/" → photos/index.html (photos/2023/) (photos/2024/)
            "Prefix":"photos","Delimiter":"/" → (photos/)
            "Delimiter":"/" → a.txt z.txt (photos/)
            "Delimiter":"/2" → a.txt photos/index.html z.txt (photos/2)
            "Delimiter":"t" → (a.t) (phot) (z.t)
        "#]],
    );
}

#[test]
fn pages() {
    keys(
        PHOTOS,
        r#"
        "MaxKeys":2
        "MaxKeys":6
        "MaxKeys":0
        "MaxKeys":1,"Delimiter":"/"
        "MaxKeys":2,"Delimiter":"/"
        "MaxKeys":1,"Delimiter":"/","Marker":"photos/"
        "MaxKeys":2,"Marker":"photos/2023/1.jpg"
        "Marker":"b"
        "Marker":"zz"
        "Marker":"photos/2023/1.jpg","Delimiter":"/"
        "Marker":"a","Prefix":"photos/2024"
        "MaxKeys":-1
        "MaxKeys":4294967296
        "MaxKeys":true
        "#,
        expect![[r#"
            "MaxKeys":2 → a.txt photos/2023/1.jpg …
            "MaxKeys":6 → a.txt photos/2023/1.jpg photos/2023/2.jpg photos/2024/1.jpg photos/index.html z.txt
            "MaxKeys":0 → 
            "MaxKeys":1,"Delimiter":"/" → a.txt … next a.txt
            "MaxKeys":2,"Delimiter":"/" → a.txt (photos/) … next photos/
            "MaxKeys":1,"Delimiter":"/","Marker":"photos/" → z.txt
            "MaxKeys":2,"Marker":"photos/2023/1.jpg" → photos/2023/2.jpg photos/2024/1.jpg …
            "Marker":"b" → photos/2023/1.jpg photos/2023/2.jpg photos/2024/1.jpg photos/index.html z.txt
            "Marker":"zz" → 
            "Marker":"photos/2023/1.jpg","Delimiter":"/" → z.txt
            "Marker":"a","Prefix":"photos/2024" → photos/2024/1.jpg
            "MaxKeys":-1 → refused
            "MaxKeys":4294967296 → refused
            "MaxKeys":true → refused
        "#]],
    );
}

#[test]
fn keys_are_in_the_order_of_their_bytes() {
    keys(
        &[
            "b",
            "B",
            "a",
            "_",
            "1",
            "10",
            "2",
            "-",
            "é",
            "\u{ffee}",
            "\u{1f600}",
            "a/",
            "a//b",
            "/x",
            "a.txt",
            "a/b",
            "..",
            "a/../b",
            "dir/",
            "dir/a",
        ],
        r#"
        "Prefix":""
        "Prefix":"dir/","Delimiter":"/"
        "Delimiter":"/"
        "Prefix":"a/","Delimiter":"/"
        "#,
        expect![[r#"
            "Prefix":"" → - .. /x 1 10 2 B _ a a.txt a/ a/../b a//b a/b b dir/ dir/a é ￮ 😀
            "Prefix":"dir/","Delimiter":"/" → dir/ dir/a
            "Delimiter":"/" → - .. 1 10 2 B _ a a.txt b é ￮ 😀 (/) (a/) (dir/)
            "Prefix":"a/","Delimiter":"/" → a/ a/b (a/../) (a//)
        "#]],
    );
}

#[test]
fn the_last_character_there_is_can_be_a_delimiter() {
    keys(
        &[
            "a\u{10ffff}1",
            "a\u{10ffff}2",
            "\u{10ffff}1",
            "\u{d7ff}x",
            "\u{d7ff}y",
            "\u{e000}",
        ],
        "
        \"Delimiter\":\"\u{10ffff}\"
        \"Delimiter\":\"\u{d7ff}\"
        ",
        expect![[r#"
            "Delimiter":"􏿿" → ퟿x ퟿y  (a􏿿) (􏿿)
            "Delimiter":"퟿" → a􏿿1 a􏿿2  􏿿1 (퟿)
        "#]],
    );
}

#[test]
fn the_second_version_goes_on_with_tokens() {
    check(
        &setup(PHOTOS),
        r#"
        list_objects_v2 {"Bucket":"alpha","Delimiter":"/","MaxKeys":2,"Prefix":"photos/"}
        list_objects_v2 {"Bucket":"alpha","ContinuationToken":"bogus"}
        list_objects_v2 {"Bucket":"alpha","ContinuationToken":""}
        list_objects_v2 {"Bucket":"alpha","EncodingType":"url","Prefix":"z","StartAfter":"a b/+é"}
        list_objects_v2 {"Bucket":"alpha","EncodingType":"xml"}
        "#,
        expect![[r#"
            {IsTruncated: True, Name: "alpha", Prefix: "photos/", Delimiter: "/", MaxKeys: 2, CommonPrefixes: [{Prefix: "photos/2023/"}, {Prefix: "photos/2024/"}], EncodingType: "url", KeyCount: 2, NextContinuationToken: "BkTel3Bob3Rvcy8yMDI0Lw"}
            ! 400 InvalidArgument: The continuation token provided is incorrect {ArgumentName: "continuation-token", ArgumentValue: "bogus"}
            ! 400 InvalidArgument: The continuation token provided is incorrect {ArgumentName: "continuation-token", ArgumentValue: ""}
            {IsTruncated: False, Contents: [{Key: "z.txt", LastModified: 2024-01-01T00:00:06Z, ETag: '"9dd4e461268c8034f5c8564e155c67a6"', ChecksumAlgorithm: ["CRC32"], ChecksumType: "FULL_OBJECT", Size: 1, StorageClass: "STANDARD"}], Name: "alpha", Prefix: "z", MaxKeys: 1000, EncodingType: "url", KeyCount: 1, StartAfter: "a+b/%2B%C3%A9"}
            ! 400 InvalidArgument: Invalid Encoding Method specified in Request {ArgumentName: "encoding-type", ArgumentValue: "xml"}
        "#]],
    );
}

#[test]
fn every_page_size_lists_everything_once() {
    let world = empty();
    run(&setup(PHOTOS), |operation, params| {
        world.perform(operation, params)
    });
    for delimiter in ["", "/", "2", "photos/"] {
        let whole = everything(&world, delimiter, 1000);
        for size in 1..=7 {
            assert_eq!(
                everything(&world, delimiter, size),
                whole,
                "delimiter {delimiter:?}, {size}"
            );
        }
    }
}

fn everything(world: &s3_world::Memory, delimiter: &str, size: i64) -> Vec<String> {
    let mut found = Vec::new();
    let mut token = Value::Null;
    loop {
        let params = Value::Map(vec![
            ("Bucket".into(), "alpha".into()),
            ("Delimiter".into(), delimiter.into()),
            ("MaxKeys".into(), size.into()),
            ("ContinuationToken".into(), token),
        ]);
        let page = world.perform("list_objects_v2", &params).expect("a page");
        for (list, name) in [("Contents", "Key"), ("CommonPrefixes", "Prefix")] {
            let entries = page.get(list).and_then(Value::as_list).unwrap_or_default();
            found.extend(
                entries
                    .iter()
                    .filter_map(|entry| Some(entry.get(name)?.as_str()?.to_owned())),
            );
        }
        match page.get("NextContinuationToken") {
            Some(next) => token = next.clone(),
            None => break,
        }
    }
    found.sort();
    found
}

#[test]
fn a_page_has_at_most_a_thousand_keys() {
    let names: Vec<String> = (0..1001).map(|i| format!("k{i:04}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let world = empty();
    run(&setup(&names), |operation, params| {
        world.perform(operation, params)
    });
    let params = Value::Map(vec![
        ("Bucket".into(), "alpha".into()),
        ("MaxKeys".into(), 2000.into()),
    ]);
    let page = world.perform("list_objects", &params).expect("a page");
    let contents = page
        .get("Contents")
        .and_then(Value::as_list)
        .unwrap_or_default();
    assert_eq!(contents.len(), 1000);
    assert_eq!(page.get("MaxKeys"), Some(&Value::Int(1000)));
    assert_eq!(page.get("IsTruncated"), Some(&Value::Bool(true)));
}
