//! Functions of an owner that write where nobody said yes.

use super::lab::Lab;
use dialog2api::service::PlanAnswer;
use expect_test::expect;

const NOTHING: &str = r#"{"is_open":true,"dough":12,"orders":{}}"#;

/// The folder with this action beside the name, and these functions.
fn lab(action: &str, functions: &str) -> Lab {
    let name = "The name that the order is put aside for,,TRUE,,";
    let lab = Lab::new().replace(
        "worksheets.csv",
        &format!("{name},,"),
        &format!("{name}{action},,"),
    );
    let world = lab.path().join("world.py");
    let own = std::fs::read_to_string(&world).unwrap();
    std::fs::write(world, format!("{own}\n\n{functions}")).unwrap();
    let api = lab.path().join("api.pyi");
    let own = std::fs::read_to_string(&api).unwrap();
    let stub = "def greet(name: str) -> str:\n    \"\"\"Greets.\"\"\"\n";
    std::fs::write(api, format!("{own}\n{stub}")).unwrap();
    lab
}

/// A function that calls the one which needs a yes.
const GREET: &str =
    "def greet(state, name):\n    place_order(state, 'Large', 9, name)\n    return name\n";

#[tokio::test(flavor = "multi_thread")]
async fn an_action_that_books_is_a_plan_to_agree_to() {
    for action in ["\"place_order('Large', 9, self.name)\"", "greet(self.name)"] {
        let lab = lab(action, GREET);
        let program = "Order(name='Ada')";
        let mut talk = lab.open(&[program, "Which size?"]).await;
        talk.answer = PlanAnswer::Decline;
        let said = talk.say("a pizza for Ada, yes").await;
        assert!(said.starts_with("plan: 2\n"), "{said}");
        assert_eq!(talk.state(), NOTHING);
        // The form does not pass for done.
        let forms = talk.forms();
        assert!(forms.contains("   failed: Nothing was changed"), "{forms}");
    }
}

/// A yes to one call is none to another one in its breath.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_does_not_cover_what_an_action_books() {
    let lab = lab("", GREET).replace(
        "worksheets.csv",
        "input,confirm,confirm,,Whether the order is right as it is,,TRUE,,,",
        "input,confirm,confirm,,Whether the order is right as it is,,TRUE,,greet(self.name),",
    );
    let right = "2 large pizzas for Ada: is that right?";
    let program = "Order(count=2, size='Large', name='Ada')";
    let left = "2 large pizzas for Ada were not ordered: shall they be?";
    let mut talk = lab
        .open(&[program, right, "order.confirm = True", left])
        .await;
    talk.answer = PlanAnswer::Decline;
    talk.say("two large pizzas for Ada").await;
    let said = talk.say("yes").await;
    assert!(said.starts_with("plan: "), "{said}");
    assert_eq!(talk.state(), NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_writes_and_is_said_to_read_is_refused() {
    let lab =
        lab("greet(self.name)", GREET).replace("domain.toml", "reads = []", "reads = [\"greet\"]");
    let mut talk = lab
        .open(&["Order(name='Ada')", "Which size?", "Which size?"])
        .await;
    let said = talk.say("a pizza for Ada").await;
    assert!(!said.contains("plan"), "{said}");
    assert_eq!(talk.state(), NOTHING);
    let forms = talk.forms();
    let failed = forms.lines().find(|line| line.contains("failed: "));
    expect!["   failed: greet changed the state, but domain.toml has it among the reads. This is a mistake in the domain, not in the program. Nothing was changed."]
        .assert_eq(failed.unwrap_or(&forms));
}
