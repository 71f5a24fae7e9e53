//! What is said without a model: the model gives no reply that can be used.

use super::lab::Lab;
use expect_test::expect;

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_questions() {
    let lab = Lab::new();
    let answers = [
        "Order()",
        "No question.",
        "No question.",
        "order.size = 'Huge'",
        "No question.",
        "No question.",
        "order.size = 'Small'\norder.count = 30",
        "No question.",
        "No question.",
    ];
    let mut talk = lab.open(&answers).await;
    expect!["Which size the pizzas are to have (Small, Large)?"]
        .assert_eq(&talk.say("a pizza").await);
    expect!["Huge was refused: not one of: Small, Large. Which size the pizzas are to have (Small, Large)?"]
        .assert_eq(&talk.say("a huge one").await);
    expect!["30 was refused: an order has 1 to 20 pizzas. How many pizzas are wanted?"]
        .assert_eq(&talk.say("30 small ones").await);
}

/// Python has integers of any size, and floats that no form has.
#[tokio::test(flavor = "multi_thread")]
async fn numbers_that_no_form_has_are_kept_as_texts_or_refused() {
    let lab = Lab::new();
    let answers = [
        "Order(size='Small', name=10**30, count=10**30)",
        "No question.",
        "No question.",
        "order.count = float('inf')",
        "No question.",
        "No question.",
        "order.count = -10**30",
        "No question.",
        "No question.",
    ];
    let mut talk = lab.open(&answers).await;
    expect!["1000000000000000000000000000000 was refused: too large a number. How many pizzas are wanted?"]
        .assert_eq(&talk.say("small ones").await);
    let forms = talk.forms();
    assert!(
        forms.contains("name: 1000000000000000000000000000000"),
        "{forms}"
    );
    expect!["Inf was refused: not an integer. How many pizzas are wanted?"]
        .assert_eq(&talk.say("very many").await);
    expect!["-1000000000000000000000000000000 was refused: too large a number. How many pizzas are wanted?"]
        .assert_eq(&talk.say("fewer").await);
}
