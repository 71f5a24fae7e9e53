//! Look-up decoding for a `llama-server` on `PATH`. A revised program repeats the one before it.
//! Where the last tokens stand earlier in the chat, the server checks those that follow there at
//! once, instead of writing them one by one.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// How long a server may take to print its help. A program that never does must not hold up the
/// start.
const PATIENCE: Duration = Duration::from_secs(10);

/// The options of llama.cpp, with the sizes that `runner.py` sets.
const OPTIONS: [[&str; 2]; 3] = [
    ["--spec-type", "ngram-simple"],
    ["--spec-ngram-simple-size-n", "8"],
    ["--spec-ngram-simple-size-m", "8"],
];

/// The words of the command line for look-up decoding; none if the server does not know them.
/// A server refuses to start with an option that it does not know, so its help is read first.
pub(super) async fn words(server: &Path) -> Vec<&'static str> {
    let mut command = Command::new(server);
    command
        .arg("--help")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    match tokio::time::timeout(PATIENCE, command.output()).await {
        Ok(Ok(said)) if is_known(&String::from_utf8_lossy(&said.stdout)) => OPTIONS.concat(),
        _ => Vec::new(),
    }
}

/// Whether this help has all the options. Options that were removed stay in the help of later
/// versions, with a note.
fn is_known(help: &str) -> bool {
    let has = |option: &str, kind: &str| {
        let option = option.strip_prefix('-');
        // Every entry begins at the start of a line, and goes on indented.
        let mut entries = help.split("\n-");
        entries.any(|entry| {
            let is_of_option = entry.split_whitespace().next() == option;
            is_of_option && entry.contains(kind) && !entry.contains("removed")
        })
    };
    has("--spec-type", "ngram-simple") && OPTIONS.iter().all(|[option, _]| has(option, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_options_have_to_be_in_the_help() {
        let help = "\
----- common params -----

-h,    --help, --usage                  print usage and exit
--spec-type none,draft-simple,ngram-simple,ngram-cache
                                        comma-separated list of types of speculative decoding to
                                        use (default: none)
--spec-ngram-simple-size-n N            length of lookup n-gram (default: 12)
--spec-ngram-simple-size-m N            length of draft m-gram (default: 48)
--spec-ngram-size-n N                   the argument has been removed. use the respective
                                        --spec-ngram-*-size-n
";
        assert!(is_known(help));
        // An older server had one option for the sizes of all types.
        assert!(!is_known(&help.replace("-simple-size-", "-size-")));
        assert!(!is_known(&help.replace("ngram-simple,", "")));
        assert!(!is_known(
            &help.replace("length of draft m-gram", "has been removed")
        ));
        assert!(!is_known(""));
    }
}
