//! Sessions that go on after their sheets have changed, and what owners decide beside sheets.

use super::lab::{Lab, Talk};
use dialog2api::policy::Policy;
use expect_test::expect;

/// A session with an order that is asked about, which was closed.
async fn begun(lab: &Lab) {
    let program = "Order(count=2, size='Large', name='Ada')";
    let mut talk = lab.open(&[program, "2 large pizzas for Ada: right?"]).await;
    assert_eq!(talk.told(), Vec::<String>::new());
    talk.say("two large pizzas for Ada").await;
    talk.conversation.close().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fits_is_kept_and_what_does_not_is_asked_again() {
    let lab = Lab::new();
    begun(&lab).await;
    let lab = lab
        .replace("worksheets.csv", ",Large,", ",Huge,")
        .replace("worksheets.csv", "input,str,name,", "input,str,who,")
        .replace("worksheets.csv", "self.name", "self.who");
    let mut talk = lab.open(&["order.size = 'Huge'", "For whom?"]).await;
    expect![[r#"
        The worksheets have changed since the last turn:
        order.size: "Large" is asked again: not one of: Small, Huge
        order.name: the field is gone, with its value "Ada""#]]
    .assert_eq(&talk.told().join("\n"));
    expect![[r#"
        order (open): Order pizza
           size: missing
           count: 2
           who: missing
           confirm: missing; asked when all else is there
    "#]]
    .assert_eq(&talk.forms());
    assert_eq!(talk.say("huge").await, "For whom?");
    talk.conversation.close().unwrap();
    drop(talk);
    // It is told once.
    assert_eq!(lab.open(&[]).await.told(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_touches_nothing_is_told_too() {
    let lab = Lab::new();
    begun(&lab).await;
    let lab = lab.replace("worksheets.csv", "How many pizzas", "The number of pizzas");
    let mut talk = lab.open(&[]).await;
    expect!["The worksheets have changed since the last turn. What is filled in still fits."]
        .assert_eq(&talk.told().join("\n"));
}

/// A yes is for the call and the values that were shown: where both are the same it still holds, and
/// where the sheets call something else with the same form it does not.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_holds_for_the_call_that_was_shown() {
    let answers = ["order.confirm = True", "Order P1."];
    let lab = Lab::new();
    begun(&lab).await;
    let lab = lab.replace("worksheets.csv", "How many pizzas", "The number of pizzas");
    let mut talk = lab.open(&answers).await;
    assert_eq!(talk.say("yes").await, "Order P1.");
    assert_eq!(talk.decided(), r#"[{"apply":{}},"words"]"#);

    let lab = Lab::new();
    begun(&lab).await;
    let lab = lab.replace("worksheets.csv", "note=self.note", "note='no cheese'");
    let mut talk = lab.open(&answers).await;
    expect!["The worksheets have changed since the last turn. What is filled in still fits."]
        .assert_eq(&talk.told().join("\n"));
    expect![[r#"
        plan: 2
        Order P1."#]]
    .assert_eq(&talk.say("yes").await);
    assert_eq!(talk.decided(), r#"[{"apply":{}},"user"]"#);
    expect![[r#"{"is_open":true,"dough":10,"orders":{"P1":{"size":"Large","count":2,"name":"Ada","note":"no cheese","price":22}}}"#]]
        .assert_eq(&talk.state());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_sheet_is_gone_does_not_go_on() {
    let lab = Lab::new();
    begun(&lab).await;
    let lab = lab.replace("worksheets.csv", ",Order,,task", ",Purchase,,task");
    let opened = lab.try_open(&[], Policy::default()).await;
    let refused = opened.err().map(|error| error.to_string());
    expect!["the worksheets have changed since the last turn of this session: order is open, and the sheets have no task sheet Order any more, but Purchase (cell B2); finish such dialogues before the sheet goes, or begin anew"].assert_eq(&refused.unwrap_or_default());
}

/// A folder whose owner decides more.
fn with(settings: &str) -> Lab {
    let words = "[words]";
    Lab::new().replace("domain.toml", words, &format!("{settings}\n\n{words}"))
}

async fn said(lab: &Lab, answers: &[&str], words: &[&str]) -> (Talk, Vec<String>) {
    let mut talk = lab.open(answers).await;
    let mut replies = Vec::new();
    for words in words {
        replies.push(talk.say(words).await);
    }
    (talk, replies)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_user_alone_opens_forms_where_the_owner_says_so() {
    let answers = ["raise ChitChat()", "Hello. What can I do?", "Hello!"];
    let lab = with("[worksheets]\ninitiative = \"user\"");
    let (talk, _) = said(&lab, &["raise ChitChat()", "Hello."], &["hi"]).await;
    expect![[r#"
        No form is open. There are: Order.
    "#]]
    .assert_eq(&talk.forms());
    let (talk, _) = said(&Lab::new(), &answers, &["hi"]).await;
    expect![[r#"
        order (open): Order pizza
         > size: missing
           count: missing
           name: missing
           confirm: missing; asked when all else is there
        Ask(order, size): the next field of Order that is missing
    "#]]
    .assert_eq(&talk.forms());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_where_a_person_takes_over_is_the_owners_text() {
    let lab = with("[worksheets]\nhandoff = \"Call 555 0100, from 9 to 17.\"");
    let right = "A person will help you. Call 555 0100, from 9 to 17.";
    let (_, replies) = said(&lab, &["handoff()", right], &["a human please"]).await;
    assert_eq!(replies, [right]);
    // A reply without it is sent back, and then a plain one is said.
    let lab = with("[worksheets]\nhandoff = \"Call 555 0100, from 9 to 17.\"");
    let (_, replies) = said(&lab, &["handoff()", "Bye.", "Bye."], &["a human please"]).await;
    assert_eq!(
        replies,
        ["A person will take over. Call 555 0100, from 9 to 17."]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_takes_over_what_is_asked_again_and_again() {
    let lab = with("[worksheets]\nhandoff = \"Call 555 0100.\"");
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.extend(["pass", "Which size?"]);
    }
    answers.extend(["pass", "Call 555 0100."]);
    let words = ["hm", "hm", "hm", "hm", "hm", "hm"];
    let (talk, replies) = said(&lab, &answers, &words).await;
    assert_eq!(replies.last().map(String::as_str), Some("Call 555 0100."));
    let forms = talk.forms();
    assert!(forms.contains("Handoff("), "{forms}");
}

#[test]
fn a_setting_that_there_is_not_is_refused_with_its_line() {
    let lab = with("[worksheets]\ninitiative = \"nobody\"");
    let cache = super::lab::cache();
    let refused = dialog2api::folder::load(&lab.path(), &cache).err().unwrap();
    let said = refused.to_string();
    let (_, said) = said.split_once("domain.toml").unwrap();
    expect![": line 11: unknown variant `nobody`, expected `agent` or `user`"].assert_eq(said);
}
