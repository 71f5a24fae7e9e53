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

/// The folder with this action beside the wish for the kitchen.
fn with(action: &str) -> Lab {
    let note = ",,,input,text,note,,A wish for the kitchen,TRUE,,,";
    Lab::new().replace(
        "worksheets.csv",
        &format!("{note},,"),
        &format!("{note}{action},,"),
    )
}

/// What is wrong with the sheets, as `/forms` says it.
async fn told(lab: &Lab) -> String {
    let program = "Order(note='thin')";
    let mut talk = lab.open(&[program, "Which size?", "Which size?"]).await;
    talk.say("thin ones").await;
    let forms = talk.forms();
    let lines = forms.lines().filter(|line| line.contains("error["));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_without_end_is_named() {
    let told = told(&with("while True: self.note")).await;
    let start =
        "note: error[failed-action] line 8, cell L8, Order.note: the action of order.note failed: ";
    let end = ": the program made more than 11000 calls";
    assert!(told.starts_with(start) && told.ends_with(end), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_that_raises_is_told_with_class_and_cell() {
    expect!["note: error[failed-action] line 8, cell L8, Order.note: the action of order.note failed: NameError: name 'x' is not defined"]
        .assert_eq(&told(&with("self.note = x")).await);
}

/// The user is told nothing of it, so the outcome of the turn tells the owner.
#[tokio::test(flavor = "multi_thread")]
async fn sheets_without_end_are_an_outcome() {
    let lab = with("self.note = self.note + 'x'");
    let mut talk = lab.open(&["Order(note='thin')", "Which size?"]).await;
    talk.say("thin ones").await;
    expect![[r#"{"acts":["Ask(order, size)"],"problems":["error[endless-sheets] line 8, cell L8, Order.note: the sheets come to no end: after 100 steps everything since the program was taken back; the last steps were action of order.note, action of order.note, action of order.note"]}"#]]
        .assert_eq(&talk.outcome());
}
