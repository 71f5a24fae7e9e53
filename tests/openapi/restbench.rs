//! RestBench: how often the operations that a task needs are among those that its words find.
//!
//! The tasks and documents are those of <https://github.com/Yifan-Song793/RestGPT> at d9901286
//! (MIT, see `restbench/LICENSE`). The tasks are as they are there; the documents lack their
//! examples, which no search reads. Two rules of the search were chosen while looking at these
//! tasks, so the rates are no prediction for other APIs.

use super::read;
use expect_test::expect;
use flate2::read::GzDecoder;
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
struct Task {
    query: String,
    /// Operations such as `GET /search/person`.
    solution: Vec<String>,
}

/// How many operations that tasks need are among the first 5, 10 and 20 that are found, and
/// how many tasks have all of theirs there.
fn rates(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openapi/restbench");
    let document = std::fs::File::open(folder.join(format!("{name}.json.gz"))).unwrap();
    let api = read(&std::io::read_to_string(GzDecoder::new(document)).unwrap());
    let tasks = std::fs::read_to_string(folder.join(format!("{name}-tasks.json"))).unwrap();
    let tasks: Vec<Task> = serde_json::from_str(&tasks).unwrap();
    let operations = api.operations.len();
    let mut said = format!("{name}, {operations} operations, {} tasks:", tasks.len());
    for k in [5, 10, 20] {
        let (mut whole, mut found, mut needed) = (0, 0, 0);
        for task in &tasks {
            let paths: Vec<String> = (api.search(&task.query, k).into_iter())
                .map(|it| format!("{} {}", it.method.as_str(), it.path))
                .collect();
            let count = task.solution.iter().filter(|it| paths.contains(it));
            let count = count.count();
            found += count;
            needed += task.solution.len();
            whole += usize::from(count == task.solution.len());
        }
        write!(
            said,
            "\n  in {k}: {found} of {needed} operations, all of {whole} tasks"
        )
        .unwrap();
    }
    said
}

#[test]
fn what_a_task_needs_is_found() {
    let said = ["tmdb", "spotify"].map(rates).join("\n");
    expect![[r#"
        tmdb, 54 operations, 100 tasks:
          in 5: 133 of 226 operations, all of 39 tasks
          in 10: 166 of 226 operations, all of 59 tasks
          in 20: 201 of 226 operations, all of 81 tasks
        spotify, 40 operations, 57 tasks:
          in 5: 93 of 146 operations, all of 21 tasks
          in 10: 115 of 146 operations, all of 31 tasks
          in 20: 134 of 146 operations, all of 45 tasks"#]]
    .assert_eq(&said);
}
