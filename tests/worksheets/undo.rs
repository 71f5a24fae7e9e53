//! What is undone in the world is not done in the forms.

use super::lab::{Lab, Talk, unconfirmed};
use dialog2api::service::PlanAnswer;
use expect_test::expect;

const ORDER: &str = "Order(count=2, size='Large', name='Ada')";
const RIGHT: &str = "2 large pizzas for Ada: is that right?";
const NOTHING: &str = r#"{"is_open":true,"dough":12,"orders":{}}"#;

/// An order that was placed and taken back.
async fn undone(lab: &Lab, more: &[&str]) -> Talk {
    let placed = [ORDER, RIGHT, "order.confirm = True", "Order P1."];
    let mut talk = lab.open(&[&placed[..], more].concat()).await;
    talk.say("two large pizzas for Ada").await;
    talk.say("yes").await;
    assert_eq!(talk.undo().await, "Undone.");
    assert_eq!(talk.state(), NOTHING);
    talk
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_is_open_again() {
    let lab = Lab::new();
    let again = "Your order is taken back. 2 large pizzas for Ada: shall I place it again?";
    let more = ["pass", again, "order.confirm = True", "It is order P1."];
    let mut talk = undone(&lab, &more).await;
    expect![[r#"
        order (open): Order pizza
           size: Large
           count: 2
           name: Ada
           confirm: missing; asked when all else is there
           taken back
        Report(order)
    "#]]
    .assert_eq(&talk.forms());
    // The agent asks, and a yes places the order again: nothing happens without one.
    assert_eq!(talk.say("go on").await, again);
    expect![[r#"
        order (open): Order pizza
           size: Large
           count: 2
           name: Ada
         > confirm: missing; asked when all else is there
           taken back
        Ask(order, confirm) [failed]: what was done was taken back
    "#]]
    .assert_eq(&talk.forms());
    assert_eq!(talk.say("yes").await, "It is order P1.");
    expect![[r#"{"acts":["Report(order)"],"calls":[{"call":"place_order(\"Large\", 2, \"Ada\", note=null)","result":{"order_id":"P1","price":22}}]}"#]].assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_goes_on_says_so_too() {
    let lab = Lab::new();
    let talk = undone(&lab, &[]).await;
    let forms = talk.forms();
    talk.conversation.close().unwrap();
    drop(talk);
    let talk = lab.open(&[]).await;
    assert_eq!(talk.state(), NOTHING);
    assert_eq!(talk.forms(), forms);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_ended_before_its_forms_were_kept_is_kept_with_the_session() {
    let lab = Lab::new();
    let talk = undone(&lab, &[]).await;
    let forms = talk.forms();
    drop(talk);
    lab.cut_journal_before(|line| line.contains(r#""failed":{"error":"TakenBack""#));
    let talk = lab.open(&[]).await;
    assert_eq!(talk.state(), NOTHING);
    assert_eq!(talk.forms(), forms);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_is_declined_changes_no_form() {
    let lab = unconfirmed();
    let mut talk = lab.open(&[ORDER, "Order P1."]).await;
    talk.say("two large pizzas for Ada").await;
    let forms = talk.forms();
    talk.answer = PlanAnswer::Decline;
    assert_eq!(talk.undo().await, "");
    assert_eq!(talk.forms(), forms);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_a_yes_is_not_called_again_by_itself() {
    let lab = unconfirmed();
    let mut talk = lab
        .open(&[
            ORDER,
            "Order P1.",
            "pass",
            "All right.",
            "order.count = 3",
            "It is order P1.",
        ])
        .await;
    talk.say("two large pizzas for Ada").await;
    assert_eq!(talk.undo().await, "Undone.");
    talk.say("fine").await;
    assert_eq!(talk.state(), NOTHING);
    expect![[r#"
        plan: 2
        It is order P1."#]]
    .assert_eq(&talk.say("three, then").await);
}
