//! A grammar that holds a trained model to containers that were said or returned.

use crate::agent::fake::check_with;
use dialog2api::agent::Settings;
use dialog2api::prompts::Form;
use expect_test::expect;

#[test]
fn a_bucket_is_one_of_those_that_were_said() {
    let settings = Settings {
        form: Form::Trained,
        known_names: true,
        ..Settings::default()
    };
    let answers = ["1 final\nreturn 3", "Three."];
    let (_, reports) = check_with(
        &answers,
        &["count it in zoology-bucket"],
        settings,
        expect![[r#"
            User: count it in zoology-bucket
              asking for Program
              goal 1 runs
              goal 1 gave Result(Number(3))
              asking for Response
            Agent: Three.
            <stack>
            <goal uid="1" status="final">
            <program>
            return 3
            </program>
            <result>3</result>
            <error/>
            </goal>
            </stack>
            goes on from: Three.
        "#]],
    );
    let grammar = reports[0].exchanges[0].request.grammar.clone().unwrap();
    let names: Vec<&str> = grammar
        .lines()
        .filter(|it| it.starts_with("name "))
        .collect();
    expect![[r#"name ::= "count\"" | "it\"" | "in\"" | "zoology-bucket\"" | "count-it\"" | "it-in\"" | "in-zoology-bucket\"" | "count-it-in\"" | "it-in-zoology-bucket\"""#]].assert_eq(&names.join("\n"));
    let ends: Vec<&str> = grammar
        .lines()
        .filter(|it| it.contains("\" name rest"))
        .collect();
    expect![[r#"
        rest-10 ::= "" | [^\n\"B] rest | "\"" name rest | "B" rest-11
        rest-17 ::= "" | [^\n\"B] rest | "\"" name rest | "B" rest-11"#]]
    .assert_eq(&ends.join("\n"));
    assert_eq!(reports[0].exchanges[1].request.grammar, None);
}
