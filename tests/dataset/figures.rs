//! The figures of a dataset.

use super::{GOOD, set};
use dialog2api::dataset::stats::{PartFigures, Statistics};
use expect_test::expect;
use std::fmt::Write;

fn shown(part: &PartFigures) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} dialogues, {} goals written for, {} utterances, {} goals",
        part.dialogues, part.written_for, part.utterances, part.goals
    );
    let _ = writeln!(
        text,
        "{} programs, {} lines ({} of all), {:.2} APIs a program ({:.2} of all)",
        part.programs,
        part.lines,
        part.lines_of_all,
        part.apis_a_program(),
        part.apis_a_program_of_all()
    );
    for name in part.calls.keys() {
        let _ = writeln!(text, "{name} {:.1} %", part.share(name));
    }
    for (kind, count) in part.complexities.iter().filter(|(_, count)| **count > 0) {
        let _ = writeln!(text, "{} {count}", kind.name());
    }
    text
}

#[test]
fn the_figures_of_a_dialogue() {
    let set = set(&[("test/good.xml", GOOD)], None);
    let statistics = Statistics::of(&set);
    expect![[r#"
        1 dialogues, 1 goals written for, 13 utterances, 5 goals
        4 programs, 6 lines (7 of all), 1.00 APIs a program (0.80 of all)
        CopyObject 25.0 %
        DeleteObject 25.0 %
        GetObject 25.0 %
        ListObjects 25.0 %
        missing information 1
        chitchat 1
        error 1
        confirmation 1
    "#]]
    .assert_eq(&shown(&statistics.test));
    expect![[r#"
        0 dialogues, 0 goals written for, 0 utterances, 0 goals
        0 programs, 0 lines (0 of all), 0.00 APIs a program (0.00 of all)
    "#]]
    .assert_eq(&shown(&statistics.train));
}

/// A turn with a goal and its program, as an abbreviation: `3 drafting s3.f()`.
fn turns(turns: &[&[&str]]) -> String {
    let mut text = String::from("<conversation uid=\"x\">\n<turns>\n");
    for goals in turns {
        text.push_str("<turn>User: so?</turn>\n");
        for goal in *goals {
            let mut words = goal.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_default();
            let _ = write!(text, "<goal uid=\"{}\" status=\"{}\"", word(), word());
            let _ = match word() {
                "" => writeln!(text, "/>"),
                code if code.starts_with("raise ") => writeln!(
                    text,
                    ">\n<program>\n{code}\n</program>\n<error>{{\"error\": \"{}\", \"message\": \
                     \"\"}}</error>\n</goal>",
                    code.trim_start_matches("raise ")
                ),
                code => writeln!(text, ">\n<program>\n{code}\n</program>\n</goal>"),
            };
        }
        text.push_str("<turn>Agent: so.</turn>\n");
    }
    text + "</turns>\n</conversation>\n"
}

#[test]
fn complexities_are_seen_in_the_structure() {
    let text = turns(&[
        // Asked for, then interrupted by another goal, then revised.
        &["1 drafting s3.get_object(Bucket=?1, Key=?2)"],
        &["2 final raise FAQ"],
        &["1 drafting s3.get_object(Bucket='b', Key=?2)"],
        &["1 drafting s3.get_object(Bucket='b', Key=?2)['Body']"],
        // Another goal in the same turn is no interruption.
        &[
            "1 final s3.get_object(Bucket='b', Key='k')['Body']",
            "3 final raise EndDialog",
        ],
        // Confirmed twice, revised once: one goal that is confirmed.
        &["4 drafting s3.delete_bucket(Bucket='b')"],
        &["4 drafting s3.delete_bucket(Bucket='c')"],
        &["4 abandoned"],
        &["5 final raise NoSuchBucket"],
        &["6 final raise AmbiguousRequestError"],
        &["7 final raise OutOfScopeRequestError"],
        &["8 final raise OverSpecificationError"],
    ]);
    let set = set(
        &[("test/x.xml", &text)],
        Some("[names]\nget_object = \"Read\"\n"),
    );
    assert!(set.unread.is_empty(), "{:?}", set.unread);
    expect![[r#"
        1 dialogues, 0 goals written for, 24 utterances, 8 goals
        2 programs, 2 lines (8 of all), 1.00 APIs a program (0.25 of all)
        DeleteBucket 50.0 %
        Read 50.0 %
        missing information 1
        revision 2
        interruption 1
        ambiguity 1
        out of scope 1
        over-specification 1
        FAQ 1
        error 1
        confirmation 1
        ending 1
        abandonment 1
    "#]]
    .assert_eq(&shown(&Statistics::of(&set).test));
}
