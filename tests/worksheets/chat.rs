//! What is said, and what comes of it.

use super::lab::{Lab, cache, unconfirmed};
use dialog2api::folder;
use dialog2api::policy::Policy;
use dialog2api::service::PlanAnswer;
use expect_test::expect;

const SIZE: &str = "Small or large pizzas?";
const RIGHT: &str = "2 large pizzas for Ada: is that right?";

#[tokio::test(flavor = "multi_thread")]
async fn a_new_folder_has_no_findings() {
    let findings = folder::check(&Lab::new().path(), &cache()).await.unwrap();
    assert_eq!(findings, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&[
            "Order(count=2)",
            SIZE,
            "```python\norder.size = 'large'\norder.name = 'Ada'\n```",
            RIGHT,
            "order.confirm = True",
            "It is done: order P1, 22.",
            "raise EndDialog()",
            "Bye!",
        ])
        .await;
    assert_eq!(talk.say("two pizzas please").await, SIZE);
    // Two requests a turn.
    assert_eq!(talk.asked().len(), 2);
    assert_eq!(talk.say("large ones, for Ada").await, RIGHT);
    expect![[r#"
        order (open): Order pizza
           size: Large
           count: 2
           name: Ada
         > confirm: missing; asked when all else is there
        Ask(order, confirm): the next field of Order that is missing
    "#]]
    .assert_eq(&talk.forms());
    // The user has said yes, so the plan is not asked about.
    assert_eq!(talk.say("yes").await, "It is done: order P1, 22.");
    assert_eq!(talk.decided(), r#"[{"apply":{}},"words"]"#);
    expect![[r#"{"acts":["Report(order)"],"calls":[{"call":"place_order(\"Large\", 2, \"Ada\", note=null)","result":{"order_id":"P1","price":22}}]}"#]]
        .assert_eq(&talk.outcome());
    expect![[r#"{"is_open":true,"dough":10,"orders":{"P1":{"size":"Large","count":2,"name":"Ada","note":null,"price":22}}}"#]]
        .assert_eq(&talk.state());
    assert_eq!(talk.say("bye").await, "Bye!");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_prompt_has_forms_acts_and_words() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&["Order(count=2)", SIZE, "order.size = 'Large'", "For whom?"])
        .await;
    talk.say("two pizzas please").await;
    talk.asked();
    talk.say("large").await;
    let asked = talk.asked();
    let [program, reply] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    let (_, program) = program.split_once("\n\n").unwrap();
    expect![[r#"
        # open
        order = Order(count=2)

        # Your last acts
        Ask(order, size): Which size the pizzas are to have. options: Small, Large

        You said: Small or large pizzas?
        The user says: large

        The program:"#]]
    .assert_eq(program);
    expect![[r#"
        The forms now:
        # open
        order = Order(size="Large", count=2)

        Your acts:
        1. Ask(order, name): The name that the order is put aside for

        The words for the user:"#]]
    .assert_eq(reply);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_refused_is_asked_again() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&["Order(count=87236)", "That is too many. How many?"])
        .await;
    assert_eq!(
        talk.say("87236 pizzas").await,
        "That is too many. How many?"
    );
    expect![[r#"
        order (open): Order pizza
           size: missing
         > count: 87236 was refused: an order has 1 to 20 pizzas
           name: missing
           confirm: missing; asked when all else is there
        Ask(order, count) [invalid]: the value was refused
    "#]]
    .assert_eq(&talk.forms());
}

#[tokio::test(flavor = "multi_thread")]
async fn yes_and_a_change_is_asked_again() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&[
            "Order(count=2, size='Large', name='Ada')",
            RIGHT,
            "order.confirm = True\norder.count = 7",
            "7 large pizzas for Ada: is that right?",
        ])
        .await;
    talk.say("two large pizzas for Ada").await;
    talk.say("yes, and make it 7").await;
    expect![[r#"{"is_open":true,"dough":12,"orders":{}}"#]].assert_eq(&talk.state());
    expect![[r#"{"acts":["Ask(order, confirm) [again]"]}"#]].assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_only_the_model_heard_is_asked_about() {
    let lab = Lab::new();
    let asked = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab
        .open(&[asked, RIGHT, "order.confirm = True", RIGHT])
        .await;
    talk.answer = PlanAnswer::Decline;
    talk.say("two large pizzas for Ada").await;
    expect![[r#"
        plan: 2
        2 large pizzas for Ada: is that right?"#]]
    .assert_eq(&talk.say("hm, let me think about it").await);
    expect![[r#"{"is_open":true,"dough":12,"orders":{}}"#]].assert_eq(&talk.state());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_refuses_a_field_asks_for_it() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&[
            "Order(count=15, size='Large', name='Ada')",
            "15 large pizzas for Ada: is that right?",
            "order.confirm = True",
            "There is dough for 12 only. How many?",
        ])
        .await;
    talk.say("15 large pizzas for Ada").await;
    talk.say("yes").await;
    expect![[r#"{"acts":["Ask(order, count) [invalid]"],"calls":[{"call":"place_order(\"Large\", 15, \"Ada\", note=null)","field":"count","message":"there is dough for 12 pizzas only"}]}"#]]
        .assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_stops_what_the_user_agreed_to() {
    let lab = Lab::new();
    let policy = Policy::read("version = 1\nmode = \"read-only\"").unwrap();
    let answers = [
        "Order(count=2, size='Large', name='Ada')",
        RIGHT,
        "order.confirm = True",
        "That did not work. What should change?",
    ];
    let mut talk = lab.open_with(&answers, policy).await;
    talk.say("two large pizzas for Ada").await;
    talk.say("yes").await;
    expect![[r#"{"is_open":true,"dough":12,"orders":{}}"#]].assert_eq(&talk.state());
    let outcome = talk.outcome();
    assert!(outcome.contains("Report(order)"), "{outcome}");
    assert!(
        outcome.contains("Ask(order, confirm) [failed]"),
        "{outcome}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_nobody_confirmed_is_a_plan_to_agree_to() {
    let lab = unconfirmed();
    let program = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab.open(&[program, "Order P1."]).await;
    expect![[r#"
        plan: 2
        Order P1."#]]
    .assert_eq(&talk.say("two large pizzas for Ada").await);
    assert_eq!(talk.decided(), r#"[{"apply":{}},"user"]"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_is_declined_is_a_call_that_failed() {
    let lab = unconfirmed();
    let program = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab.open(&[program, "Then not."]).await;
    talk.answer = PlanAnswer::Decline;
    expect![[r#"
        plan: 2
        Then not."#]]
    .assert_eq(&talk.say("two large pizzas for Ada").await);
    expect![[r#"{"is_open":true,"dough":12,"orders":{}}"#]].assert_eq(&talk.state());
    expect![[r#"{"acts":["Report(order)"],"calls":[{"call":"place_order(\"Large\", 2, \"Ada\", note=null)","error":"Declined","message":"Nothing was changed: the user was shown what this would change, and said no."}]}"#]].assert_eq(&talk.outcome());
    expect![[r#"
        order (open): Order pizza
           size: Large
           count: 2
           name: Ada
           failed: Nothing was changed: the user was shown what this would change, and said no.
        Report(order)
    "#]]
    .assert_eq(&talk.forms());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_fails_is_shown_to_the_model_once() {
    let lab = Lab::new();
    let mut talk = lab.open(&["Order(number=2)", "Order(count=2)", SIZE]).await;
    assert_eq!(talk.say("two pizzas").await, SIZE);
    let asked = talk.asked();
    let (_, repair) = asked[1].split_once("That can not be used").unwrap();
    expect![[r#"
        : the program of goal 1 would end with TypeError: Order has no field 'number', but size, count, name, note, confirm, order_id.
        Answer again, and write nothing but the answer."#]]
    .assert_eq(repair);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_two_programs_that_fail_the_question_is_asked_again() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&[
            "Order()",
            SIZE,
            "order.number = 2",
            "nonsense",
            "Which size?",
        ])
        .await;
    talk.say("pizza please").await;
    assert_eq!(talk.say("2").await, "Which size?");
    expect![[r#"{"acts":["Ask(order, size) [again]"],"raised":{"error":"AttributeError","message":"Order has no field 'number', but size, count, name, note, confirm, order_id"}}"#]]
        .assert_eq(&talk.outcome());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_program_cannot_call_the_backend() {
    let lab = Lab::new();
    for program in [
        "place_order('Large', 2, 'Ada')",
        "import _host\n_host.call('place_order', {'size': 'Large', 'count': 2, 'name': 'Ada'})",
        "import sys\nsys.modules['_host'].call('place_order', {'size': 'Large', 'count': 2, 'name': 'Ada'})",
        "Order.__class__.__call__.__globals__['_call']('place_order', {'size': 'Large', 'count': 2, 'name': 'Ada'})",
        "Order(count=2, size='Large', name='Ada', confirm=True)",
        "Order(count=2, size='Large', name='Ada')\norder = answer('x')",
    ] {
        let mut talk = lab.open(&[program, program, "What?", "What?"]).await;
        talk.say("two large pizzas for Ada").await;
        expect![[r#"{"is_open":true,"dough":12,"orders":{}}"#]].assert_eq(&talk.state());
        talk.conversation.close().unwrap();
        std::fs::remove_dir_all(lab.store().folder()).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_shows_too_little_is_sent_back_and_then_replaced() {
    let lab = Lab::new();
    let program = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab.open(&[program, "Is that right?", "Fine."]).await;
    expect![[r#"
        Order pizza:
           size: Large
           count: 2
           name: Ada
        Is that right?"#]]
    .assert_eq(&talk.say("two large pizzas for Ada").await);
    assert_eq!(talk.asked().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_looked_up_by_a_query_of_the_model() {
    let lab = Lab::new();
    let mut talk = lab
        .open(&[
            "answer('Are there nuts in the kitchen?')",
            "```sql\nanswer(house, 'nuts in the kitchen');\n```",
            "There are no nuts in the kitchen.",
            "There are none. Which size?",
        ])
        .await;
    let reply = talk.say("do you use nuts?").await;
    assert_eq!(reply, "There are none. Which size?");
    expect![[r#"{"acts":["Report(answer_1)","Ask(order, size)"],"queries":[{"var":"answer_1","sql":"answer(house, 'nuts in the kitchen')","tables":["house"],"rows":[{"answer":"There are no nuts in the kitchen.","source":["Allergies","Opening hours"]}],"total":1}]}"#]]
        .assert_eq(&talk.outcome());
    // The query and its text are asked for once: the rehearsal asks for nothing again.
    assert_eq!(talk.asked().len(), 4);
}
