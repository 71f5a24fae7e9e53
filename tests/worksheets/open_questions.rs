//! Programs that leave a question of the user open: the model is told once.

use super::lab::Lab;
use expect_test::expect;

const USER: &str = "two pizzas. Do you use nuts?";
const SWALLOWED: &str = "Order(count=2)";

#[tokio::test(flavor = "multi_thread")]
async fn the_model_is_told_of_the_question() {
    let lab = Lab::new();
    let answers = [
        SWALLOWED,
        "Order(count=2)\nanswer('Are there nuts in the kitchen?', sql=\"answer(house, 'nuts in the kitchen')\")",
        "There are none. Which size?",
    ];
    let mut talk = lab.open(&answers).await;
    assert_eq!(talk.say(USER).await, "There are none. Which size?");
    let asked = talk.asked();
    let (_, doubt) = asked[1].split_once("That can not be used").unwrap();
    expect![[r#"
        : the program of goal 1 leaves a question of the user open: "Do you use nuts". answer("…") looks something up, show(form) tells what is filled in, raise OutOfScopeRequestError() says that it cannot be answered. Keep the other lines. A program that is right as it is is written again.
        Answer again, and write nothing but the answer."#]]
    .assert_eq(doubt);
    assert_eq!(asked.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_repeated_is_taken() {
    let lab = Lab::new();
    let mut talk = lab.open(&[SWALLOWED, SWALLOWED, "Small or large?"]).await;
    assert_eq!(talk.say(USER).await, "Small or large?");
    expect![[r#"{"acts":["Ask(order, size)"]}"#]].assert_eq(&talk.outcome());
}

/// The first program stands where the second one is none.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_second_program_the_first_is_taken() {
    let lab = Lab::new();
    let mut talk = lab.open(&[SWALLOWED, "", "Small or large?"]).await;
    assert_eq!(talk.say(USER).await, "Small or large?");
    expect![[r#"{"acts":["Ask(order, size)"]}"#]].assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agenda_answers_is_not_doubted() {
    let lab = Lab::new();
    let shown = "2 large pizzas for Ada: is that right?";
    let answers = [
        "Order(count=2, size='Large', name='Ada')",
        shown,
        "pass",
        shown,
        "repeat()",
    ];
    let mut talk = lab.open(&answers).await;
    talk.say("Could I have two large pizzas, for Ada?").await;
    talk.say("2 pizzas, right?").await;
    talk.say("What?").await;
    assert_eq!(talk.asked().len(), 5);
}
