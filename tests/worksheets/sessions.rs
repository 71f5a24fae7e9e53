//! Sessions that go on after an end or a crash, and the replay of their programs.

use super::lab::Lab;
use expect_test::expect;

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_with_its_forms() {
    let lab = Lab::new();
    let program = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab.open(&[program, "2 large pizzas for Ada: right?"]).await;
    talk.say("two large pizzas for Ada").await;
    let before = talk.forms().await;
    talk.conversation.close().unwrap();
    drop(talk);

    let mut talk = lab.open(&["order.confirm = True", "Order P1."]).await;
    assert_eq!(talk.forms().await, before);
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
    .assert_eq(&talk.forms().await);
}
