//! Sessions that go on after an end or a crash, and the replay of their programs.

use super::lab::{Lab, unconfirmed};
use dialog2api::service::PlanAnswer;
use expect_test::expect;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_with_its_forms() {
    let lab = Lab::new();
    let program = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab.open(&[program, "2 large pizzas for Ada: right?"]).await;
    talk.say("two large pizzas for Ada").await;
    let before = talk.forms();
    talk.conversation.close().unwrap();
    drop(talk);

    let mut talk = lab.open(&["order.confirm = True", "Order P1."]).await;
    assert_eq!(talk.forms(), before);
    // No model is asked when it is opened.
    assert_eq!(talk.asked(), Vec::<String>::new());
    assert_eq!(talk.say("yes").await, "Order P1.");
    talk.conversation.close().unwrap();
    drop(talk);

    let talk = lab.open(&[]).await;
    expect![[r#"{"is_open":true,"dough":10,"orders":{"P1":{"size":"Large","count":2,"name":"Ada","note":null,"price":22}}}"#]]
        .assert_eq(&talk.state());
    expect![[r#"
        order (done): Order pizza
           size: Large
           count: 2
           name: Ada
           confirm: yes
           order_id: P1
           result: order id P1, price 22
        Report(order)
    "#]]
    .assert_eq(&talk.forms());
}

/// Whoever is asked about a plan can look at the forms first: as the turns before have left them.
#[tokio::test(flavor = "multi_thread")]
async fn the_forms_do_not_wait_for_the_answer_to_a_plan() {
    let program = "Order(count=2, size='Large', name='Ada')";
    let lab = unconfirmed();
    let talk = lab.open(&[program, "Order P1."]).await;
    let before = talk.forms();
    let conversation = &talk.conversation;
    let (turn, forms) = tokio::join!(conversation.say("two large pizzas for Ada"), async {
        while conversation.pending_plan().is_none() {
            tokio::task::yield_now().await;
        }
        let forms = talk.forms();
        let plan = conversation.pending_plan().unwrap();
        conversation.decide(plan.plan, PlanAnswer::Apply).unwrap();
        forms
    });
    turn.unwrap();
    assert_eq!(forms, before);
    assert_ne!(talk.forms(), before);
}
