//! Replies of a desk that brings rows: what contradicts them is asked for once more.

use super::lab::Lab;
use expect_test::expect;

const ASK: &str = "UserInfo(user_task=\"Book Restaurant\")\nBookRestaurant(restaurant=answer(\"a cheap Italian restaurant in the centre\", sql=\"SELECT name, food, area, pricerange FROM restaurants WHERE food = 'italian' AND area = 'centre' AND pricerange = 'cheap'\"))";

/// What is said first, what the model hears of it, and what is said in the end.
async fn said(first: &str, second: &str) -> String {
    let lab = Lab::of("worksheets-restaurant");
    let mut talk = lab.open(&[ASK, first, second]).await;
    let reply = talk
        .say("I'm looking for a cheap Italian in the centre")
        .await;
    let asked = talk.asked();
    let heard = asked
        .last()
        .map(|last| last.lines().last().unwrap_or_default().to_owned());
    format!(
        "{} requests; {}\n{reply}",
        asked.len(),
        heard.unwrap_or_default()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_agrees_with_the_rows_is_said() {
    let reply = "There are three: Pizza Hut City Centre, Ask Restaurant and Zizzi Cambridge. \
                 Which of them would you like?";
    let said = said(reply, "never asked for").await;
    assert!(
        said.starts_with("2 requests;") && said.ends_with(reply),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_contradicts_the_rows_is_asked_for_once_more() {
    let wrong =
        "Zizzi Cambridge is an expensive Italian restaurant in the north. Would you like it?";
    let right = "Zizzi Cambridge is a cheap Italian restaurant in the centre. Would you like it?";
    expect![[r#"
        3 requests; Answer again, and write nothing but the answer.
        Zizzi Cambridge is a cheap Italian restaurant in the centre. Would you like it?"#]]
    .assert_eq(&said(wrong, right).await);
}

/// The formal queries of recorded programs are answers that a model is not to see.
#[tokio::test(flavor = "multi_thread")]
async fn examples_show_no_formal_query() {
    let lab = Lab::of("worksheets-restaurant");
    let mut talk = lab.open(&["pass", "What would you like to do?"]).await;
    talk.say("I'm looking for a cheap Italian in the centre")
        .await;
    let requests = talk.requests();
    assert!(requests[0].contains("=answer(\""), "{}", requests[0]);
    assert!(!requests[0].contains("sql="), "{}", requests[0]);
}
