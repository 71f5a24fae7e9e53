//! What a yes is for: exactly the call that was shown.

use super::lab::{Lab, Talk};
use dialog2api::service::PlanAnswer;
use expect_test::expect;

const HEAD: &str = "WS Name,Kind,Type,Name,Enum Values,Description,Required\n";
const ORDER: &str = ",input,Enum,size,,Which size,TRUE\n,,,,Small,,\n,,,,Large,,\n\
                     ,input,str,name,,The name,TRUE\n,input,confirm,confirm,,Whether right,TRUE\n";
const HOUSE: &str = "house,kb,,,,The house,\n";

/// A folder whose orders take their count from elsewhere.
fn lab(call: &str, above: &str, beside: &str) -> Lab {
    let lab = Lab::new();
    let order = format!("Order,task,,\"{call}\",,Order pizza,\n{ORDER}");
    let sheets = format!("{HEAD}{above}{order}{beside}{HOUSE}");
    std::fs::write(lab.path().join("worksheets.csv"), sheets).unwrap();
    lab
}

/// The count is that of the record above.
fn above() -> Lab {
    let party = "Party,task,,,,A party,\n,input,int,count,,How many pizzas,TRUE\n\
                 ,input,Order,order_it,,The order,TRUE\n";
    lab("place_order(self.size, self.count, self.name)", party, "")
}

/// The count is that of another record.
fn beside() -> Lab {
    let prefs = "Prefs,task,,,,What is liked,\n,input,int,count,,How many pizzas,TRUE\n";
    lab("place_order(self.size, prefs.count, self.name)", "", prefs)
}

async fn asked(lab: &Lab, order: &str, yes: &str, then: &str) -> (Talk, String) {
    let answers = [order, "2 large ones for Ada: is that right?", yes, then];
    let mut talk = lab.open(&answers).await;
    talk.answer = PlanAnswer::Decline;
    talk.say("two large for Ada").await;
    let reply = talk.say("yes").await;
    (talk, reply)
}

const PARTY: &str = "Party(count=2, order_it=Order(size='Large', name='Ada'))";
const PREFS: &str = "Prefs(count=2)\nOrder(size='Large', name='Ada')";

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_two_is_none_to_nine() {
    for (lab, order, change) in [
        (above(), PARTY, "party.count = 9\n"),
        (beside(), PREFS, "prefs.count = 9\n"),
    ] {
        let yes = format!("order.confirm = True\n{change}");
        let then = "That was not done. 9 large ones for Ada: is that right?";
        let (talk, reply) = asked(&lab, order, &yes, then).await;
        assert!(reply.starts_with("plan: 2\n"), "{reply}");
        expect![[r#"{"is_open":true,"dough":12,"orders":{}}"#]].assert_eq(&talk.state());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_what_was_shown_is_enough() {
    for (lab, order) in [(above(), PARTY), (beside(), PREFS)] {
        let (talk, reply) = asked(&lab, order, "order.confirm = True", "Order P1, 22.").await;
        assert!(!reply.contains("plan"), "{reply}");
        expect![[r#"{"is_open":true,"dough":10,"orders":{"P1":{"size":"Large","count":2,"name":"Ada","note":null,"price":22}}}"#]]
            .assert_eq(&talk.state());
    }
}

/// Nobody can say what such a call will be made with, so no yes is for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_only_python_can_read_is_a_plan() {
    let prefs = "Prefs,task,,,,What is liked,\n,input,int,count,,How many pizzas,TRUE\n";
    let call = "place_order(self.size, int(prefs.count), self.name)";
    let lab = lab(call, "", prefs);
    let then = "The large ones for Ada were not ordered. Shall they be?";
    let (_, reply) = asked(&lab, PREFS, "order.confirm = True", then).await;
    assert!(reply.starts_with("plan: 2\n"), "{reply}");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_from_elsewhere_are_shown() {
    for (lab, order, name) in [(above(), PARTY, "count"), (beside(), PREFS, "prefs, count")] {
        let hidden = "Large, for Ada: is that right?";
        let mut talk = lab.open(&[order, hidden, hidden]).await;
        let shown =
            format!("Order pizza:\n   size: Large\n   name: Ada\n   {name}: 2\nIs that right?");
        assert_eq!(talk.say("two large for Ada").await, shown);
    }
}
