//! What is a claim and what is English.

use super::marked;
use dialog2api::claims::claims;
use dialog2api::dialogue::clean;
use expect_test::{Expect, expect};

fn check(reply: &str, expected: Expect) {
    expected.assert_eq(&clean(&marked(reply, &claims(reply))));
}

#[test]
fn numbers_are_claims() {
    check(
        "There are 12 logs and 1,204 others of 1.2 MB (50%, 3 kilobytes), twenty-one in all. \
         Of the four, 7 is first; ~30 remain, 10MB each.",
        expect![
            "There are ⟨12⟩ logs and ⟨1,204⟩ others of ⟨1.2 MB⟩ (⟨50%⟩, ⟨3 kilobytes⟩), ⟨twenty-one⟩ in all. Of the ⟨four⟩, ⟨7⟩ is first; ⟨~30⟩ remain, ⟨10MB⟩ each."
        ],
    );
}

#[test]
fn orders_and_marks_of_lists_are_none() {
    check(
        "1. The 1st one\n2) the 28th one\n  10. one of them, the first\n- 3 of them\n- read-only\n- Read-only\nNo, S3 has none.",
        expect![[r#"
            1. The 1st one
            2) the 28th one
              10. one of them, the first
            - ⟨3⟩ of them
            - ⟨read-only⟩
            - Read-only
            No, S3 has none."#]],
    );
}

#[test]
fn no_is_a_claim_where_it_counts() {
    check(
        "There are no logs. I found no backup. There was no more. No, there is no other way. \
         A text has no font.",
        expect![
            "There are ⟨no⟩ logs. I found ⟨no⟩ backup. There was no more. No, there is no other way. A text has no font."
        ],
    );
}

#[test]
fn what_is_quoted_is_a_claim() {
    check(
        "The key \"my file (1).txt\" in `a` and 'b c' and “d”, but don't ask what's James' or \"\".",
        expect![[
            r#"The key "⟨my file (1).txt⟩" in `⟨a⟩` and '⟨b c⟩' and “⟨d⟩”, but don't ask what's James' or ""."#
        ]],
    );
}

#[test]
fn what_is_spelt_like_a_name_is_one() {
    check(
        "Look at logs/2024/, a.txt, .csv, web-logs, zoo_1, month=05, 2024-03-01, 05:31:48, \
         2024-03-02T05:31:48Z, us-east-1, https://a.example/b?c, me@example.org, archive.tar.gz: \
         photos2024 and 10.0.0.1.",
        expect![
            "Look at ⟨logs/2024/⟩, ⟨a.txt⟩, ⟨.csv⟩, ⟨web-logs⟩, ⟨zoo_1⟩, ⟨month=05⟩, ⟨2024-03-01⟩, ⟨05:31:48⟩, ⟨2024-03-02T05:31:48Z⟩, ⟨us-east-1⟩, ⟨https://a.example/b⟩?c, ⟨me@example.org⟩, ⟨archive.tar.gz⟩: ⟨photos2024⟩ and ⟨10.0.0.1⟩."
        ],
    );
}

#[test]
fn english_is_none() {
    check(
        "Keys are case-sensitive and/or read-only, e.g. in S3, UTF-8 or an MP3; it's up-to-date. \
         Deleted.Then I sent no e-mail (a so-called server-side copy, i.e. his/her way) - done.",
        expect![
            "Keys are case-sensitive and/or read-only, e.g. in S3, UTF-8 or an MP3; it's up-to-date. Deleted.Then I sent no e-mail (a so-called server-side copy, i.e. his/her way) - done."
        ],
    );
}

#[test]
fn markdown_and_hostile_text_are_read() {
    check(
        "**12** files in *web-logs*:\n```\na/b.txt\n```\n| a.txt | 5 |\n\u{202e}x.txt 🐘 7 é/ß.txt \"",
        expect![[r#"
            **⟨12⟩** files in *⟨web-logs⟩*:
            ```
            ⟨a/b.txt⟩
            ```
            | ⟨a.txt⟩ | ⟨5⟩ |
            ⟨\u{202e}x.txt⟩ 🐘 ⟨7⟩ ⟨é/ß.txt⟩ ""#]],
    );
}
