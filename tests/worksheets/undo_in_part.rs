//! What is undone in part is not done in the forms, either.

use super::lab::{Lab, Talk};
use expect_test::expect;

const RIGHT: &str = "2 large pizzas for Ada: is that right?";
const RIGHT_TOO: &str = "1 small pizza for Bob: is that right?";
const AGAIN: &str = "A part of it was taken back, the order. 2 large pizzas for Ada: shall I?";

/// Two orders, of which the first was taken back: the dough has changed since, and is left.
async fn undone(lab: &Lab, more: &[&str]) -> Talk {
    let placed = [
        "Order(count=2, size='Large', name='Ada')",
        RIGHT,
        "order.confirm = True",
        "Order P1.",
        "Order(count=1, size='Small', name='Bob')",
        RIGHT_TOO,
        "order_1.confirm = True",
        "Order P2.",
    ];
    let mut talk = lab.open(&[&placed[..], more].concat()).await;
    for said in [
        "two large pizzas for Ada",
        "yes",
        "a small one for Bob",
        "yes",
    ] {
        talk.say(said).await;
    }
    expect!["Undone in part: one place has changed since, and was left alone."]
        .assert_eq(&talk.undo_plan(Some(1)).await);
    talk
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_is_open_and_says_which_part() {
    let lab = Lab::new();
    let mut talk = undone(&lab, &["pass", AGAIN, "order.confirm = True", "Order P1."]).await;
    expect![[r#"{"is_open":true,"dough":9,"orders":{"P2":{"size":"Small","count":1,"name":"Bob","note":null,"price":7}}}"#]]
        .assert_eq(&talk.state());
    expect![[r#"
        order (open): Order pizza
           size: Large
           count: 2
           name: Ada
           confirm: missing; asked when all else is there
           taken back in part: It was done, and a part of it was then taken back by the user: orders/P1. Not taken back: dough.
        order_1 (done): Order pizza
           size: Small
           count: 1
           name: Bob
           confirm: yes
           order_id: P2
           result: order id P2, price 7
        Report(order_1)
    "#]]
    .assert_eq(&talk.forms());
    assert_eq!(talk.say("go on").await, AGAIN);
    let forms = talk.forms();
    let question = forms.lines().last().unwrap_or_default();
    expect!["Ask(order, confirm) [failed]: a part of what was done was taken back"]
        .assert_eq(question);
    // Nothing is done again without a yes.
    assert!(!talk.state().contains("P1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_and_a_plain_reply_are_told_of_it() {
    let lab = Lab::new();
    let mut talk = undone(&lab, &["pass", "So?", "So?"]).await;
    talk.asked();
    expect![[r#"
        Order pizza:
           size: Large
           count: 2
           name: Ada
        It was done, and a part of it was then taken back by the user: orders/P1. Not taken back: dough. Shall it be done like this?"#]]
    .assert_eq(&talk.say("go on").await);
    let asked = talk.asked().join("\n");
    assert!(
        asked.contains("a part of it was then taken back by the user: orders/P1"),
        "{asked}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_goes_on_says_so_too() {
    let lab = Lab::new();
    let talk = undone(&lab, &[]).await;
    let forms = talk.forms();
    talk.conversation.close().unwrap();
    drop(talk);
    let talk = lab.open(&[]).await;
    assert_eq!(talk.forms(), forms);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_ended_before_its_forms_were_kept_is_kept_with_the_session() {
    let lab = Lab::new();
    let talk = undone(&lab, &[]).await;
    let forms = talk.forms();
    drop(talk);
    lab.cut_journal_before(|line| line.contains(r#""failed":{"error":"TakenBackInPart""#));
    let talk = lab.open(&[]).await;
    assert_eq!(talk.forms(), forms);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_can_be_taken_back_later() {
    let lab = Lab::new();
    let mut talk = undone(&lab, &[]).await;
    assert_eq!(talk.undo_plan(Some(2)).await, "Undone.");
    assert_eq!(talk.undo_plan(Some(1)).await, "Undone.");
    assert_eq!(talk.state(), r#"{"is_open":true,"dough":12,"orders":{}}"#);
    let forms = talk.forms();
    assert_eq!(forms.matches("taken back\n").count(), 2, "{forms}");
}
