//! Which calls to a folder's world a policy denies, by the records that they name.

use super::lab::{Lab, outcome, run};
use crate::policy::{check_in, policy};
use dialog2api::domain::World;
use dialog2api::policy::Guard;
use expect_test::expect;
use serde_json::json;
use std::fmt::Write as _;
use std::sync::Arc;

const WORLD: &str = "\
def look(state, order=None):
    return state['orders']

def cancel(state, order=None):
    for name in [name for name in state['orders'] if int(name) == order]:
        del state['orders'][name]

def cancel_many(state, ids):
    for order in ids:
        cancel(state, order)

def clear(state):
    state['orders'] = {}
";

const DOMAIN: &str = r#"
name = "library"
reads = ["look"]
destroys = ["cancel", "cancel_many"]

[places]
look = "orders/{order}"
cancel = "orders/{order}"
cancel_many = "orders"
"#;

fn lab() -> Lab {
    let state = json!({"orders": {"1": "tea", "2": "milk"}});
    Lab::of(WORLD, state).write("domain.toml", DOMAIN)
}

/// A rule about one record.
const KEEP: &str = "[[rule]]\nname = \"keep\"\neffect = \"deny\"\npaths = [\"orders/1\"]";

/// To Python 1, 1.0 and True are equal.
#[test]
fn a_record_has_one_path_however_a_number_is_written() {
    check_in(
        &lab().domain(),
        KEEP,
        r#"
            cancel {"order": "1"}
            cancel {"order": 1}
            cancel {"order": 1.0}
            cancel {"order": true}
            cancel {"order": 2.0}
            cancel {"order": false}
        "#,
        expect![[r#"
            cancel {"order": "1"}
                rule "keep" denies cancel on orders/1.
            cancel {"order": 1}
                rule "keep" denies cancel on orders/1.
            cancel {"order": 1.0}
                rule "keep" denies cancel on orders/1.
            cancel {"order": true}
                rule "keep" denies cancel on orders/1.
            cancel {"order": 2.0}
                allowed
            cancel {"order": false}
                allowed
        "#]],
    );
    check_in(
        &lab().domain(),
        "protected_paths = [\"orders/0\", \"orders/2.5\", \"orders/1e-07\", \"orders/1000*\"]",
        r#"
            cancel {"order": false}
            cancel {"order": -0.0}
            cancel {"order": 2.5}
            cancel {"order": 1e-7}
            cancel {"order": 1e20}
            cancel {"order": 1.5}
        "#,
        expect![[r#"
            cancel {"order": false}
                protected_paths has "orders/0", which denies cancel on orders/0.
            cancel {"order": -0.0}
                protected_paths has "orders/0", which denies cancel on orders/0.
            cancel {"order": 2.5}
                protected_paths has "orders/2.5", which denies cancel on orders/2.5.
            cancel {"order": 1e-7}
                protected_paths has "orders/1e-07", which denies cancel on orders/1e-07.
            cancel {"order": 1e20}
                protected_paths has "orders/1000*", which denies cancel on orders/100000000000000000000.
            cancel {"order": 1.5}
                allowed
        "#]],
    );
}

#[test]
fn a_write_by_what_names_no_record_is_denied() {
    check_in(
        &lab().domain(),
        "",
        r#"
            cancel {"order": null}
            cancel {}
        "#,
        expect![[r#"
            cancel {"order": null}
                allowed
            cancel {}
                allowed
        "#]],
    );
    for text in ["", KEEP] {
        check_in(
            &lab().domain(),
            text,
            r#"
                cancel {"order": [1]}
                cancel {"order": {"id": 1}}
                cancel {"order": {"@bytes": "1"}}
                look {"order": [1]}
            "#,
            expect![[r#"
                cancel {"order": [1]}
                    cancel names no place that it deletes.
                cancel {"order": {"id": 1}}
                    cancel names no place that it deletes.
                cancel {"order": {"@bytes": "1"}}
                    cancel names no place that it deletes.
                look {"order": [1]}
                    allowed
            "#]],
        );
    }
}

/// Such a read may show anything, so it has to be allowed everywhere.
#[test]
fn a_read_by_what_names_no_record_reads_the_world() {
    let calls = r#"
        look {"order": 2}
        look {}
        look {"order": [2]}
    "#;
    check_in(
        &lab().domain(),
        "[[rule]]\nname = \"orders\"\neffect = \"allow\"\npaths = [\"orders\", \"orders/*\"]",
        calls,
        expect![[r#"
            look {"order": 2}
                allowed
            look {}
                allowed
            look {"order": [2]}
                no rule allows look, which reads it.
        "#]],
    );
    check_in(
        &lab().domain(),
        "[[rule]]\nname = \"closed\"\neffect = \"deny\"\npaths = [\"orders\"]",
        calls,
        expect![[r#"
            look {"order": 2}
                allowed
            look {}
                rule "closed" denies look on orders/.
            look {"order": [2]}
                rule "closed" denies look on orders/.
        "#]],
    );
}

#[test]
fn a_write_to_what_holds_a_protected_record_is_denied() {
    let calls = r#"
        cancel {"order": 1}
        cancel {"order": 2}
        cancel {"order": ""}
        cancel {}
        cancel_many {"ids": [1, 2]}
        clear
        $remove {"path": ["orders"]}
        $set {"path": [], "value": {}}
        look
    "#;
    check_in(
        &lab().domain(),
        "protected_paths = [\"orders/1\"]",
        calls,
        expect![[r#"
            cancel {"order": 1}
                protected_paths has "orders/1", which denies cancel on orders/1.
            cancel {"order": 2}
                allowed
            cancel {"order": ""}
                protected_paths has "orders/1", which denies cancel on orders/.
            cancel {}
                protected_paths has "orders/1", which denies cancel on orders/.
            cancel_many {"ids": [1, 2]}
                protected_paths has "orders/1", which denies cancel_many on orders/.
            clear
                protected_paths has "orders/1", which denies clear.
            $remove {"path": ["orders"]}
                protected_paths has "orders/1", which denies $remove on orders/.
            $set {"path": [], "value": {}}
                protected_paths has "orders/1", which denies $set.
            look
                allowed
        "#]],
    );
    check_in(
        &lab().domain(),
        "protected_paths = [\"books/**\", \"orders/1/items\"]\nprotected_buckets = [\"users\"]",
        r#"
            cancel {"order": 1}
            cancel {"order": 10}
            cancel_many {"ids": [2]}
            clear
        "#,
        expect![[r#"
            cancel {"order": 1}
                protected_paths has "orders/1/items", which denies cancel on orders/1.
            cancel {"order": 10}
                allowed
            cancel_many {"ids": [2]}
                protected_paths has "orders/1/items", which denies cancel_many on orders/.
            clear
                protected_containers has "users", which denies clear.
        "#]],
    );
    check_in(
        &lab().domain(),
        "protected_paths = [\"books/**\"]",
        "cancel_many {\"ids\": [1]}",
        expect![[r#"
            cancel_many {"ids": [1]}
                allowed
        "#]],
    );
}

/// A rule denies such a write as a protection does, and a read only where it names the place.
#[test]
fn a_write_to_what_holds_a_denied_record_is_denied() {
    check_in(
        &lab().domain(),
        KEEP,
        r#"
            cancel {"order": 2}
            cancel {"order": null}
            cancel {"order": ""}
            cancel_many {"ids": [2]}
            clear
            $remove {"path": ["orders"]}
            $set {"path": [], "value": {}}
            look
        "#,
        expect![[r#"
            cancel {"order": 2}
                allowed
            cancel {"order": null}
                rule "keep" denies cancel on orders/.
            cancel {"order": ""}
                rule "keep" denies cancel on orders/.
            cancel_many {"ids": [2]}
                rule "keep" denies cancel_many on orders/.
            clear
                rule "keep" denies clear.
            $remove {"path": ["orders"]}
                rule "keep" denies $remove on orders/.
            $set {"path": [], "value": {}}
                rule "keep" denies $set.
            look
                allowed
        "#]],
    );
    let rule = |more: &str| format!("[[rule]]\nname = \"keep\"\neffect = \"deny\"\n{more}");
    check_in(
        &lab().domain(),
        &rule("access = [\"delete\"]\npaths = [\"orders/1/items\", \"books/**\"]"),
        r#"
            cancel {"order": 1}
            cancel {"order": 10}
            cancel_many {"ids": [2]}
            clear
            $set {"path": ["orders", "1"], "value": {}}
        "#,
        expect![[r#"
            cancel {"order": 1}
                rule "keep" denies cancel on orders/1.
            cancel {"order": 10}
                allowed
            cancel_many {"ids": [2]}
                rule "keep" denies cancel_many on orders/.
            clear
                allowed
            $set {"path": ["orders", "1"], "value": {}}
                allowed
        "#]],
    );
    check_in(
        &lab().domain(),
        &rule("containers = [\"orders\"]\nnames = [\"1\"]"),
        r#"
            cancel {"order": 1}
            cancel {"order": 2}
            cancel_many {"ids": [2]}
            $set {"path": ["books"], "value": {}}
            clear
        "#,
        expect![[r#"
            cancel {"order": 1}
                rule "keep" denies cancel on orders/1.
            cancel {"order": 2}
                allowed
            cancel_many {"ids": [2]}
                rule "keep" denies cancel_many on orders/.
            $set {"path": ["books"], "value": {}}
                allowed
            clear
                rule "keep" denies clear.
        "#]],
    );
    // One that allows is about the place alone.
    check_in(
        &lab().domain(),
        "[[rule]]\nname = \"one\"\neffect = \"allow\"\npaths = [\"orders/1\"]",
        r#"
            cancel {"order": 1}
            cancel_many {"ids": [1]}
        "#,
        expect![[r#"
            cancel {"order": 1}
                allowed
            cancel_many {"ids": [1]}
                no rule allows cancel_many on orders/, which deletes it.
        "#]],
    );
}

/// A folder's policy is told in the names that fit every domain, whichever it is written in.
#[test]
fn a_ceiling_is_told_by_its_common_name() {
    check_in(
        &lab().domain(),
        "[ceilings]\nbuckets_deleted = 0\nobjects_deleted = 1",
        r#"
            cancel {"order": 1}
            cancel {"order": 2}
            cancel_many {"ids": [1]}
        "#,
        expect![[r#"
            cancel {"order": 1}
                allowed
            cancel {"order": 2}
                with this cancel the program would come to 2, and the ceiling is records_deleted = 1 of one program.
            cancel_many {"ids": [1]}
                with this cancel_many the program would come to 1, and the ceiling is containers_deleted = 0 of one program.
        "#]],
    );
}

/// What takes a change back may name an item of a list.
#[test]
fn every_step_of_a_restored_path_counts() {
    check_in(
        &lab().domain(),
        KEEP,
        r#"
            $set {"path": ["orders", 1], "value": 0}
            $set {"path": ["orders", "2"], "value": 0}
            $remove {"path": ["orders", true]}
            $remove {"path": ["orders", null]}
        "#,
        expect![[r#"
            $set {"path": ["orders", 1], "value": 0}
                rule "keep" denies $set on orders/1.
            $set {"path": ["orders", "2"], "value": 0}
                allowed
            $remove {"path": ["orders", true]}
                rule "keep" denies $remove on orders/1.
            $remove {"path": ["orders", null]}
                $remove names no place that it deletes.
        "#]],
    );
}

#[tokio::test]
async fn no_program_writes_a_protected_record() {
    let lab = lab();
    let domain = lab.domain();
    let world = domain.initial_world("start").unwrap();
    let policy = Arc::new(policy("protected_paths = [\"orders/1\"]"));
    let guarded: Arc<dyn World> = Arc::new(Guard::new(world, &domain, policy));
    let mut seen = String::new();
    for program in [
        "library.cancel(1.0)",
        "library.cancel(order=True)",
        "library.cancel(float('nan'))",
        "library.cancel_many([1, 2])",
        "library.clear()",
        "library.cancel(2.0)",
        "return library.look()",
    ] {
        let ran = run(&domain, &guarded, program).await;
        let _ = writeln!(seen, "{}", outcome(&ran));
    }
    expect![[r#"
        AccessDenied: The policy does not allow this: protected_paths has "orders/1", which denies cancel on orders/1.
        AccessDenied: The policy does not allow this: protected_paths has "orders/1", which denies cancel on orders/1.
        AccessDenied: The policy does not allow this: cancel names no place that it deletes.
        AccessDenied: The policy does not allow this: protected_paths has "orders/1", which denies cancel_many on orders/.
        AccessDenied: The policy does not allow this: protected_paths has "orders/1", which denies clear.
        null
        {"1":"tea"}
    "#]].assert_eq(&seen);
}
