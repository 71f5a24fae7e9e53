//! What is lost when contents are copied over one another: renames that collide, chain or swap.

use crate::plan::lab::{draft, world};
use dialog2api::plan::effects;
use expect_test::{Expect, expect};
use std::fmt::Write;

/// The effects of these calls on the world of the lab: what comes from where, and what is lost.
#[track_caller]
fn check(calls: &str, expected: Expect) {
    expected.assert_eq(&shown(&draft(&world(), calls)));
}

/// The effects of writes, a line each.
pub(super) fn shown(writes: &[dialog2api::domain::Write]) -> String {
    let mut text = String::new();
    for effect in effects(writes) {
        let _ = write!(text, "{:?} {}", effect.effect, effect.place);
        if let Some(from) = &effect.copied_from {
            let _ = write!(text, " from {from}");
        }
        if effect.merged > 0 {
            let _ = write!(text, ", {} over one another", effect.merged);
        }
        let end = if effect.is_lost { ", LOST" } else { "" };
        let _ = writeln!(text, "{end}");
    }
    text
}

#[test]
fn a_move_loses_nothing() {
    check(
        "copy a/x a/new; delete a/x",
        expect![[r#"
            Create bucket-a/new from bucket-a/x
            Delete bucket-a/x
        "#]],
    );
}

#[test]
fn of_moves_to_one_place_only_the_last_stays() {
    check(
        "copy a/x a/all; copy a/y a/all; copy b/x a/all; delete a/x; delete a/y; delete b/x",
        expect![[r#"
            Create bucket-a/all from bucket-b/x, 3 over one another
            Delete bucket-a/x, LOST
            Delete bucket-a/y, LOST
            Delete bucket-b/x
        "#]],
    );
}

#[test]
fn a_chain_in_the_wrong_order_ends_with_one_content() {
    check(
        "copy a/x a/y; delete a/x; copy a/y a/dir/z; delete a/y",
        expect![[r#"
            Delete bucket-a/y, LOST
            Delete bucket-a/x
            Overwrite bucket-a/dir/z from bucket-a/x, LOST
        "#]],
    );
}

#[test]
fn a_chain_in_the_right_order_loses_nothing() {
    check(
        "copy a/y a/new; delete a/y; copy a/x a/y; delete a/x",
        expect![[r#"
            Create bucket-a/new from bucket-a/y
            Overwrite bucket-a/y from bucket-a/x
            Delete bucket-a/x
        "#]],
    );
}

#[test]
fn a_swap_without_a_third_place_loses_one() {
    check(
        "copy a/y a/x; copy a/x a/y",
        expect![[r#"
            Overwrite bucket-a/x from bucket-a/y, LOST
            Overwrite bucket-a/y
        "#]],
    );
}

#[test]
fn a_swap_over_a_third_place_loses_nothing() {
    check(
        "copy a/x a/t; copy a/y a/x; copy a/t a/y; delete a/t",
        expect![[r#"
            Overwrite bucket-a/x from bucket-a/y
            Overwrite bucket-a/y from bucket-a/x
        "#]],
    );
}

#[test]
fn what_is_read_and_written_again_is_a_copy_too() {
    check(
        "put a/all one; put a/all two; delete a/x; delete a/y",
        expect![[r#"
            Create bucket-a/all, 2 over one another
            Delete bucket-a/x, LOST
            Delete bucket-a/y
        "#]],
    );
}

#[test]
fn a_deletion_is_no_loss_that_nobody_sees() {
    check(
        "delete a/x; put a/y other",
        expect![[r#"
            Delete bucket-a/x
            Overwrite bucket-a/y
        "#]],
    );
}
