//! Dialogues from the templates of a folder: what is said in them, and that every program ran.

use super::lab::{Lab, cache};
use dialog2api::Error;
use dialog2api::dataset::check::check;
use dialog2api::dataset::generate::{Generated, Generator, Templates};
use dialog2api::dataset::{self, Replayer, Set};
use dialog2api::domain::Domain;
use dialog2api::exec::Engine;
use expect_test::{Expect, expect};
use std::path::PathBuf;
use std::sync::Arc;

const TALK: &str = r#"
greeting = ["Hello."]
yes = ["yes"]
no = ["no"]
kept = ["Kept."]
drop = ["drop it"]
dropped = ["Dropped."]
repair = ["i meant {{ value }}"]
stay = "name"
there = ["of that"]

[errors]
NotFound = ["There is no {{ wrong if wrong is defined else name }}."]

[kinds]
plain = 2
write = 1
destroy = 1

[words]
things = ["cup", "rope", "lamp", "red \"box\""]
"#;

const COUNT: &str = r#"
[[goal]]
id = "count"
kind = "plain"
aside = true
say = ["how many {{ name }}", "how many are there"]
program = ['return library.get_item({{ name }})["count"]']
reply = ["{{ result }} {{ name }}."]
slot = [{ name = "name", value = "same or random.pick(world.items)", wrong = "it ~ 's'", ask = ["Of what?"], answer = ["{{ name }}"] }]
"#;

const CHANGES: &str = r#"
[[goal]]
id = "add"
kind = "write"
say = ["add {{ count }} {{ name }}", "add something"]
program = ['library.add_item({{ name }}, count={{ count }})']
reply = ["Added."]
slot = [
  { name = "name", value = "same or random.pick(words.things)", ask = ["What?"], answer = ["{{ name }}"] },
  { name = "count", value = "random.number(1, 9)", ask = ["How many?"], answer = ["{{ count }}"] },
]

[[goal]]
id = "remove"
kind = "destroy"
say = ["remove {{ name }}", "remove something"]
program = ['library.remove_item({{ name }})']
confirm = ["Remove {{ name }}?"]
reply = ["Removed."]
slot = [{ name = "name", value = "same or random.pick(world.items)", ask = ["What?"], answer = ["{{ name }}"] }]
"#;

const WORLD: &str = r#"{"items": {
{% for name in random.some(words.things, 2) %}
  {{ name | tojson }}: {"count": {{ random.number(2, 9) }}, "added": "2024-01-01T00:00:00"}{{ "," if not loop.last }}
{% endfor %}
}}
"#;

const ODDS: &str = "wrong = 20
repair = 80
missing = 40
aside = 20
refuse = 20
stay = 50
there = 60";

/// The folder that `domain new` makes, with templates.
fn lab(goals: &str, odds: &str) -> Lab {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path().join("generator/goals")).unwrap();
    let talk = format!("{TALK}\n[odds]\n{odds}\n");
    lab.write("generator/talk.toml", &talk)
        .write("generator/goals/all.toml", goals)
}

async fn replayer(domain: &Arc<Domain>) -> Replayer {
    let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
    let engine = engine.unwrap().with_setup(&domain.api.setup);
    Replayer::new(Arc::new(engine), domain)
}

/// Dialogues, or why there are none.
async fn generate(lab: &Lab, count: usize) -> Result<Generated, String> {
    let said = |error: Error| lab.shown(&error.to_string());
    let templates = Templates::read(&lab.path()).map_err(said)?;
    let domain = lab.domain();
    let replayer = replayer(&domain).await;
    let generator = Arc::new(Generator::new(templates, &[], replayer, &domain));
    let generated = generator.generate(1, count, |_| ()).await;
    generated.map_err(said)
}

/// Compares the beginning of the first dialogue.
async fn begins(lab: &Lab, expected: Expect) {
    let generated = generate(lab, 1).await.unwrap();
    let mut files = generated.files.iter();
    let (_, text) = files.find(|(path, _)| path.starts_with("train")).unwrap();
    let turns = text.lines().filter_map(|line| line.strip_prefix("<turn>"));
    let turns = turns.map(|turn| turn.trim_end_matches("</turn>"));
    let turns: Vec<&str> = turns.skip(1).take(6).collect();
    expected.assert_eq(&turns.join("\n"));
}

/// Compares why no dialogues can be made.
async fn refused(lab: &Lab, expected: Expect) {
    expected.assert_eq(&generate(lab, 1).await.err().unwrap());
}

/// The findings of a check of these dialogues.
async fn findings(lab: &Lab, generated: &Generated) -> Vec<String> {
    let (domain, place) = (lab.domain(), tempfile::tempdir().unwrap());
    let files = generated.files.iter();
    let files: Vec<(PathBuf, String)> = files
        .map(|(path, text)| (place.path().join(path), text.clone()))
        .collect();
    dataset::write(&files, false).unwrap();
    let set = Set::read(place.path(), &domain).unwrap();
    let report = check(&set, &[], &replayer(&domain).await).await.unwrap();
    let findings = report.findings.iter();
    findings
        .map(|finding| format!("[{}] {finding}", finding.check))
        .collect()
}

/// The worlds that the dialogues name, each once.
fn worlds(generated: &Generated) -> Vec<&str> {
    let texts = generated.files.iter().map(|(_, text)| text.as_str());
    let named = texts.filter_map(|text| text.split_once(" world=\"")?.1.split_once('"'));
    let mut names: Vec<&str> = named.map(|(name, _)| name).collect();
    names.dedup();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogues_start_from_the_states_of_the_folder() {
    let lab = lab(&(COUNT.to_owned() + CHANGES), ODDS);
    let generated = generate(&lab, 24).await.unwrap();
    assert_eq!(findings(&lab, &generated).await, Vec::<String>::new());
    assert_eq!(worlds(&generated), ["start"]);
    let kinds = &generated.figures.kinds;
    let wanted = [
        "plain",
        "write",
        "destroy",
        "missing value",
        "confirmation",
        "error",
        "repair",
    ];
    let missing = wanted.iter().filter(|kind| !kinds.contains_key(**kind));
    assert_eq!(missing.count(), 0, "{kinds:?}");
    let again = generate(&lab, 24).await.unwrap();
    assert_eq!(generated.files, again.files);
}

#[tokio::test(flavor = "multi_thread")]
async fn states_are_made_from_a_template() {
    let lab = lab(&(COUNT.to_owned() + CHANGES), ODDS).write("generator/world.json.j2", WORLD);
    let generated = generate(&lab, 16).await.unwrap();
    assert_eq!(findings(&lab, &generated).await, Vec::<String>::new());
    assert_eq!(worlds(&generated), ["generated-0000", "generated-0001"]);
    let made = generated.files.iter().map(|(path, _)| path.to_str());
    let made: Vec<&str> = made.flatten().filter(|it| it.contains("world")).collect();
    assert_eq!(
        made,
        ["worlds/generated-0000.json", "worlds/generated-0001.json"]
    );
}

#[tokio::test]
async fn a_goal_stays_with_the_value_of_the_one_before() {
    let lab = lab(COUNT, "missing = 100\nstay = 100\nthere = 100").replace(
        "generator/goals/all.toml",
        "random.pick(world.items)",
        "'apple'",
    );
    begins(
        &lab,
        expect![[r#"
            User: how many are there
            Agent: Of what?
            User: apple
            Agent: 3 apple.
            User: how many are there of that
            Agent: 3 apple."#]],
    )
    .await;
}

#[tokio::test]
async fn another_value_is_not_called_that_of_the_one_before() {
    let lab = lab(COUNT, "missing = 100\nstay = 100\nthere = 100").replace(
        "generator/goals/all.toml",
        "same or random.pick(world.items)",
        "'spare key' if same else 'apple'",
    );
    begins(
        &lab,
        expect![[r#"
            User: how many are there
            Agent: Of what?
            User: apple
            Agent: 3 apple.
            User: how many are there
            Agent: Of what?"#]],
    )
    .await;
}

#[tokio::test]
async fn mistakes_in_templates_say_the_way_out() {
    refused(
        &Lab::new(),
        expect![
            "library/generator: is missing, and would have the templates of the dataset; write them, or take those of another dataset with --from DIR"
        ],
    )
    .await;
    refused(
        &lab("goal = []", ""),
        expect!["library/generator/goals: has no goals: write [[goal]] into a file NAME.toml"],
    )
    .await;
    refused(
        &lab(COUNT, "stay = 1").replace("generator/talk.toml", "stay = \"name\"\n", ""),
        expect![[
            r#"library/generator/goals: talk.toml has odds for stay, but does not say with what: write stay = "NAME" before its tables, with the name of a slot"#
        ]],
    )
    .await;
    refused(
        &lab(COUNT, "").replace("generator/talk.toml", "stay = \"name\"\n", "stay = \"nam\"\n"),
        expect![[
            r#"library/generator/goals: talk.toml says stay = "nam", and no goal has a slot of that name"#
        ]],
    )
    .await;
    refused(
        &lab(CHANGES, "aside = 1"),
        expect![
            "library/generator/goals: talk.toml has odds for aside, and no goal that can be drawn at any time has aside = true"
        ],
    )
    .await;
    refused(
        &lab(COUNT, "").replace("generator/goals/all.toml", "id = \"count\"", "id = \"../count\""),
        expect![[
            r#"library/generator/goals: the id "../count" becomes the name of a file: it may have letters, digits, - and _"#
        ]],
    )
    .await;
    refused(
        &lab(COUNT, "").remove("worlds/start.json"),
        expect![
            "library/generator: has no template of a world, and the domain library has no worlds that templates can see; write world.toml.j2 or world.json.j2"
        ],
    )
    .await;
    refused(
        &lab(COUNT, "").write("generator/world.yaml.j2", ""),
        expect![
            "library/generator: may have one template of a world: world.toml.j2 or world.json.j2"
        ],
    )
    .await;
    refused(
        &lab(COUNT, "").write("generator/world.json.j2", "{\"items\": oops}"),
        expect![[
            r#"library/generator/world.json.j2: makes a world that is not JSON: expected value at line 1 column 11: {"items": oops}"#
        ]],
    )
    .await;
    refused(
        &lab(COUNT, "").write("generator/world.json.j2", "[1]"),
        expect![[
            r#"library/generator/world.json.j2: makes a world that the domain library cannot open: is not a JSON object; a state is one: {"orders": {}}"#
        ]],
    )
    .await;
}
