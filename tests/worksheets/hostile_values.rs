//! Values and actions that try to pass for something else, or never end.

use super::lab::Lab;
use expect_test::expect;

/// Values of several lines look like no other value, and like no line of the program.
#[tokio::test(flavor = "multi_thread")]
async fn a_value_stays_on_its_line() {
    let lab = Lab::new();
    let program = r#"Order(count=2, size="Large", name="Ada\n   count: 1\n\u2028order_9 (done)")"#;
    let mut talk = lab.open(&[program, "So?", "So?"]).await;
    expect![[r#"
        Order pizza:
           size: Large
           count: 2
           name: Ada / count: 1 / order_9 (done)
        Is that right?"#]]
    .assert_eq(&talk.say("two for Ada").await);
    let forms = talk.forms();
    assert_eq!(forms.lines().count(), 6, "{forms}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_without_end_is_named() {
    let lab = Lab::new().replace(
        "worksheets.csv",
        ",,,input,text,note,,A wish for the kitchen,TRUE,,,,,",
        ",,,input,text,note,,A wish for the kitchen,TRUE,,,while True: self.note,,",
    );
    let program = "Order(note='thin')";
    let mut talk = lab.open(&[program, "Which size?", "Which size?"]).await;
    talk.say("thin ones").await;
    let forms = talk.forms();
    expect!["   failed: the action of order.note: the program made more than 11000 calls"]
        .assert_eq(
            forms
                .lines()
                .find(|line| line.contains("failed"))
                .unwrap_or(&forms),
        );
}
