//! `repeat()`: the agent says its last words again, and no model is asked for them.

use super::lab::Lab;
use expect_test::expect;

const SIZE: &str = "All right, two pizzas. Small or large ones?";
const AGAIN: &str = "repeat()";

#[tokio::test(flavor = "multi_thread")]
async fn the_last_words_are_said_again() {
    let lab = Lab::new();
    let answers = [
        "Order(count=2)",
        SIZE,
        AGAIN,
        AGAIN,
        "order.size = 'Large'",
        "For whom?",
    ];
    let mut talk = lab.open(&answers).await;
    assert_eq!(talk.say("two pizzas please").await, SIZE);
    talk.asked();
    assert_eq!(talk.say("sorry?").await, SIZE);
    assert_eq!(talk.say("what was that?").await, SIZE);
    // One request a turn: the one for the program.
    assert_eq!(talk.asked().len(), 2);
    expect![[r#"{"acts":["Ask(order, size) [repeat]"]}"#]].assert_eq(&talk.outcome());
    assert_eq!(talk.say("large").await, "For whom?");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_reply_is_said_again_too() {
    let lab = Lab::new();
    let mut talk = lab.open(&["Order()", "Fine.", "Fine.", AGAIN]).await;
    let said = talk.say("a pizza").await;
    expect!["Which size the pizzas are to have (Small, Large)?"].assert_eq(&said);
    assert_eq!(talk.say("sorry?").await, said);
}

/// A yes to the words of before would be one to other values.
#[tokio::test(flavor = "multi_thread")]
async fn what_has_changed_is_worded_anew() {
    let lab = Lab::new();
    let answers = [
        "Order(count=2, size='Large', name='Ada')",
        "2 large pizzas for Ada: is that right?",
        "order.count = 3\nrepeat()",
        "3 large pizzas for Ada: is that right?",
    ];
    let mut talk = lab.open(&answers).await;
    talk.say("two large pizzas for Ada").await;
    expect!["3 large pizzas for Ada: is that right?"]
        .assert_eq(&talk.say("no, three. And what did you say?").await);
    expect![[r#"{"acts":["Ask(order, confirm) [again]"]}"#]].assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_last_question_the_reply_is_an_ordinary_one() {
    let lab = Lab::new();
    let mut talk = lab.open(&[AGAIN, "Which size?"]).await;
    assert_eq!(talk.say("sorry?").await, "Which size?");
    expect![[r#"{"acts":["Ask(order, size)"]}"#]].assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_session_says_its_last_words_again() {
    let lab = Lab::new();
    let mut talk = lab.open(&["Order(count=2)", SIZE]).await;
    talk.say("two pizzas please").await;
    talk.conversation.close().unwrap();
    drop(talk);
    let mut talk = lab.open(&[AGAIN]).await;
    assert_eq!(talk.say("where were we?").await, SIZE);
}
