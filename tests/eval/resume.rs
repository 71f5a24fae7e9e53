//! Interrupted runs are resumed, and no request is sent twice.

use crate::eval::lab::{Fake, Lab, REQUESTS, bytes, folder, shown};
use dialog2api::eval::read::read;
use dialog2api::eval::runner::{RunProgress, RunStop};
use expect_test::expect;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A folder as a machine leaves it that stops: some bytes of the log and of the answers.
fn cut(
    whole: &Path,
    log: usize,
    answers: Option<usize>,
) -> (tempfile::TempDir, std::path::PathBuf) {
    let (home, folder) = folder();
    fs::create_dir(&folder).unwrap();
    fs::copy(whole.join("run.json"), folder.join("run.json")).unwrap();
    for (name, length) in [("log.jsonl", Some(log)), ("responses.jsonl", answers)] {
        if let Some(length) = length {
            let bytes = fs::read(whole.join(name)).unwrap();
            fs::write(folder.join(name), &bytes[..length]).unwrap();
        }
    }
    (home, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn wherever_the_log_is_cut_the_run_ends_with_the_same_bytes() {
    let (_home, whole) = folder();
    let model = Arc::new(Fake::default());
    Lab::asking(&model).run(&whole, false).await.unwrap();
    let expected = bytes(&whole);
    let length = expected.1.len();
    for at in [
        0,
        1,
        length / 7,
        length / 3,
        length / 2,
        length - 2,
        length - 1,
        length,
    ] {
        let answers = fs::metadata(whole.join("responses.jsonl")).unwrap().len();
        let (_home, folder) = cut(&whole, at, usize::try_from(answers).ok());
        // One that answers nothing any more: all is in the cache.
        let model = Arc::new(Fake {
            fails_from: Some(0),
            ..Fake::default()
        });
        let tally = Lab::asking(&model).run(&folder, true).await.unwrap();
        assert!(tally.is_complete(), "cut at {at}");
        assert_eq!(bytes(&folder), expected, "cut at {at}");
        assert_eq!(model.answers(), 0, "cut at {at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_were_lost_are_asked_for_and_no_others() {
    let (_home, whole) = folder();
    Lab::asking(&Arc::new(Fake::default()))
        .run(&whole, false)
        .await
        .unwrap();
    let expected = bytes(&whole);
    let kept = fs::read_to_string(whole.join("responses.jsonl")).unwrap();
    for at in [
        0,
        10,
        kept.len() / 4,
        kept.len() / 2,
        kept.len() - 1,
        kept.len(),
    ] {
        let (_home, folder) = cut(&whole, 0, Some(at));
        let there = kept.get(..at).unwrap().split_inclusive('\n');
        let there = there.filter(|line| line.contains("\"completion\"") && line.ends_with('\n'));
        let model = Arc::new(Fake::default());
        Lab::asking(&model).run(&folder, true).await.unwrap();
        assert_eq!(bytes(&folder), expected, "cut at {at}");
        assert_eq!(model.answers() + there.count(), REQUESTS, "cut at {at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_fails_ends_dialogues_and_a_second_try_finishes_them() {
    for fails_from in 0..REQUESTS {
        let (_home, folder) = folder();
        let model = Arc::new(Fake {
            fails_from: Some(fails_from),
            until: Some(fails_from + 1),
            ..Fake::default()
        });
        let lab = Lab::asking(&model);
        let first = lab.run(&folder, false).await.unwrap();
        assert_eq!((first.failed.len(), first.finished), (1, 3), "{fails_from}");
        assert!(!read(&folder).unwrap().completeness.is_complete());
        let second = lab.run(&folder, true).await.unwrap();
        assert!(
            second.is_complete() && second.emr() == Some(1.0),
            "{fails_from}"
        );
        assert_eq!(model.answers(), REQUESTS, "{fails_from}");
        assert!(!model.was_asked_twice(), "{fails_from}");
    }
}

#[tokio::test]
async fn a_server_that_is_gone_ends_the_run_and_a_second_try_finishes_it() {
    let (_home, folder) = folder();
    let model = Arc::new(Fake {
        fails_from: Some(2),
        until: Some(7),
        ..Fake::default()
    });
    let mut lab = Lab::asking(&model);
    lab.wanted.epochs = 2;
    let first = lab.run(&folder, false).await.unwrap();
    assert_eq!((first.failed.len(), first.finished), (5, 0));
    assert!(first.gave_up && model.came.load(Relaxed) == 7);
    let second = lab.run(&folder, true).await.unwrap();
    assert!(second.is_complete() && !second.gave_up);
    assert_eq!(second.emr(), Some(1.0));
    assert_eq!(model.answers(), 2 * REQUESTS);
    assert!(!model.was_asked_twice());
}

#[tokio::test]
async fn a_dialogue_that_ended_early_says_so() {
    let (_home, folder) = folder();
    let model = Arc::new(Fake {
        fails_from: Some(3),
        ..Fake::default()
    });
    let tally = Lab::asking(&model).run(&folder, false).await.unwrap();
    assert_eq!(tally.emr(), None);
    expect![[r#"
        create-1 1.1 same | 1 drafting | Which name? | 2 exchanges
        create-1 1.2 same | 1 final = null | Done. (Provider: the model did not answer: the server answers 503) | 2 exchanges
        drop-1 1.1 same |  | Sorry, the model did not answer: the server answers 503. Nothing was changed; please try again. (Provider: the model did not answer: the server answers 503) | 1 exchanges
        sum-1 1.1 same state |  | Sorry, the model did not answer: the server answers 503. Nothing was changed; please try again. (Provider: the model did not answer: the server answers 503) | 1 exchanges
        talk-1 1.1 same state |  | Sorry, the model did not answer: the server answers 503. Nothing was changed; please try again. (Provider: the model did not answer: the server answers 503) | 1 exchanges
        0 of 4 dialogues are finished (5 turns are there); 4 ended early because the provider or dialog2api failed; `dialog2api eval … --resume` goes on"#]].assert_eq(&shown(&folder));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_stopped_goes_on() {
    let (_home, whole) = folder();
    Lab::asking(&Arc::new(Fake::default()))
        .run(&whole, false)
        .await
        .unwrap();
    for after in 1..8 {
        let (_home, folder) = folder();
        let model = Arc::new(Fake::default());
        let mut lab = Lab::asking(&model);
        let stop = RunStop::default();
        lab.stop = stop.clone();
        lab.watch = Arc::new(move |tally: &RunProgress| {
            if tally.turns_done >= after {
                stop.stop();
            }
        });
        let tally = lab.run(&folder, false).await.unwrap();
        assert_eq!(tally.turns_done, after);
        let lab = Lab::asking(&model);
        lab.run(&folder, true).await.unwrap();
        assert_eq!(bytes(&folder), bytes(&whole));
        assert_eq!(
            (model.answers(), model.was_asked_twice()),
            (REQUESTS, false)
        );
        // Once more, and there is nothing to do.
        lab.run(&folder, true).await.unwrap();
        assert_eq!(model.answers(), REQUESTS);
    }
}

#[tokio::test]
async fn answers_are_shared_by_runs_with_one_cache() {
    let (home, one) = folder();
    let model = Arc::new(Fake::default());
    let mut lab = Lab::asking(&model);
    lab.cache = Some(home.path().join("answers.jsonl"));
    lab.run(&one, false).await.unwrap();
    let other = home.path().join("other");
    lab.run(&other, false).await.unwrap();
    assert_eq!(bytes(&one), bytes(&other));
    assert_eq!(model.answers(), REQUESTS);
    assert!(!other.join("responses.jsonl").exists());
    // What is asked otherwise is asked.
    lab.wanted.settings.seed = 1;
    lab.run(&home.path().join("third"), false).await.unwrap();
    assert_eq!(model.answers(), 2 * REQUESTS);
}

#[tokio::test]
async fn times_are_of_answers_that_were_waited_for() {
    let (home, one) = folder();
    let mut lab = Lab::asking(&Arc::new(Fake::default()));
    lab.cache = Some(home.path().join("answers.jsonl"));
    lab.run(&one, false).await.unwrap();
    let other = home.path().join("other");
    lab.run(&other, false).await.unwrap();
    let count = |folder: &Path| {
        let text = fs::read_to_string(folder.join("timings.jsonl")).unwrap();
        text.lines().count()
    };
    assert_eq!((count(&one), count(&other)), (8, 0));
}

#[tokio::test]
async fn another_run_is_not_gone_on_with() {
    let (home, folder) = folder();
    let model = Arc::new(Fake::default());
    let mut lab = Lab::asking(&model);
    lab.run(&folder, false).await.unwrap();
    let mut seen = String::new();
    let mut note = |error: dialog2api::Error| {
        let text = error
            .to_string()
            .replace(&home.path().display().to_string(), "HOME");
        seen.push_str(&text);
        seen.push('\n');
    };
    note(lab.run(&folder, false).await.unwrap_err());
    (lab.wanted.settings.k, lab.wanted.limit) = (3, Some(2));
    let error = lab.run(&folder, true).await.unwrap_err().to_string();
    // The digest of a dataset is of no interest here.
    let error = error.split("; ").filter(|part| !part.contains("digest"));
    note(dialog2api::Error::usage(
        error.collect::<Vec<_>>().join("; "),
    ));
    fs::remove_file(folder.join("run.json")).unwrap();
    note(lab.run(&folder, true).await.unwrap_err());
    expect![[r#"
        HOME/run has a run already: --resume goes on with it, and another --out begins anew
        the run in HOME/run is another one: dataset.dialogues is 4 there and 2 here; settings.k is 2 there and 3 here; name another --out, or the options of that run
        HOME/run has a log but no run.json, so its run is unknown; name another --out
    "#]].assert_eq(&seen);
    assert_eq!(model.answers(), REQUESTS);
}
