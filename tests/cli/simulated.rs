//! `dialog2api claims simulate` and `claims score`.

use crate::cli::support::{Home, goal, model};
use crate::support::scripted_http::{Server, response};
use expect_test::{Expect, expect};

/// Runs a command that needs no model.
fn check(home: &Home, words: &str, expected: Expect) {
    home.check(home.command(words), "", expected);
}

/// The goal of one user: a Turkish restaurant in the centre, and its telephone number.
const GOAL: &str = r#"{"id": "meze", "goal": {"info": {"food": "turkish", "area": "centre"}, "reqt": ["phone"]}, "message": ["You want a Turkish restaurant in the centre, and its phone number."]}
"#;

#[test]
fn templates_say_what_the_rows_have() {
    let home = Home::new();
    let words =
        "claims simulate --assistant template --limit 12 --rows random:70 --out run --quiet";
    let run = |words: &str| home.seen(&home.command(words).output().unwrap());
    let table = run(words);
    expect![[r#"
        template, rows: random:70, language: en: 12 of 12 dialogues
          KB-alignment                         49/49  100.0 (100.0 to 100.0)
          KB-grounding                         49/49  100.0 (100.0 to 100.0)
          correct turns                        49/49  100.0 (100.0 to 100.0)
          correct dialogues                    12/12  100.0 (100.0 to 100.0)
          strict grounding                     49/49  100.0 (100.0 to 100.0)
          supported by what was looked up      50/50  100.0 (100.0 to 100.0)
          complete lists                       49/49  100.0 (100.0 to 100.0)
          consistent                           62/62  100.0 (100.0 to 100.0)
          true bookings                        62/62  100.0 (100.0 to 100.0)
          referring turns                      49/62  79.0 (76.6 to 81.2)
          goals reached                         8/12  66.7 (41.7 to 91.7)
        ended: done 8, failed 4
        -- exit 0 --
    "#]]
    .assert_eq(&table);
    assert_eq!(run("claims score run"), table);
    assert_eq!(run(&format!("{words} --resume")), table);
    check(
        &home,
        words,
        expect![[r#"
        -- stderr --
        error: run has a run already: --resume goes on with it, and another --out begins anew
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        &format!("{words} --resume --seed 1"),
        expect![[r#"
        -- stderr --
        error: the run in run is another one: seed is 0 there and 1 here; name another --out, or the options of that run
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "eval report run",
        expect![[r#"
        -- stderr --
        error: run/run.json: is of a run of simulated dialogues: `claims score` shows such runs
        -- exit 1 --
    "#]],
    );
    let german = words.replace("--out run", "--language de --out german");
    check(
        &home,
        &german,
        expect![[r#"
        template, rows: random:70, language: de: 12 of 12 dialogues
          KB-alignment                         48/48  100.0 (100.0 to 100.0)
          KB-grounding                         48/48  100.0 (100.0 to 100.0)
          correct turns                        48/48  100.0 (100.0 to 100.0)
          correct dialogues                    12/12  100.0 (100.0 to 100.0)
          strict grounding                     48/48  100.0 (100.0 to 100.0)
          supported by what was looked up      50/50  100.0 (100.0 to 100.0)
          complete lists                       48/48  100.0 (100.0 to 100.0)
          consistent                           62/62  100.0 (100.0 to 100.0)
          true bookings                        62/62  100.0 (100.0 to 100.0)
          referring turns                      48/62  77.4 (71.9 to 81.2)
          goals reached                         8/12  66.7 (41.7 to 91.7)
        ended: done 8, failed 4
        -- exit 0 --
    "#]],
    );
    check(
        &home,
        "claims score run german",
        expect![[r#"
            -- stderr --
            error: german cannot be compared with run: language is "en" there and "de" here
            -- exit 2 --
        "#]],
    );
    // A damaged log is no run.
    let log = home.read("run/log.jsonl");
    let mut lines: Vec<&str> = log.lines().collect();
    lines.remove(1);
    home.write("run/log.jsonl", &(lines.join("\n") + "\n"));
    check(
        &home,
        "claims score run",
        expect![[r#"
        -- stderr --
        error: run/log.jsonl: has turn 3 of PMUL3599 behind 1 of its turns: it is damaged, so begin anew with another --out
        -- exit 1 --
    "#]],
    );
    home.write("run/log.jsonl", &(lines[3..].join("\n") + "\n"));
    check(
        &home,
        "claims score run",
        expect![[r#"
        -- stderr --
        error: run: 11 of 12 dialogues are done: go on with `dialog2api claims simulate … --resume`, or take what is there with --partial
        -- exit 1 --
    "#]],
    );
    std::fs::remove_file(home.path("run/run.json")).unwrap();
    check(
        &home,
        words,
        expect![[r#"
        -- stderr --
        error: run has a log but no run.json, so its run is unknown; name another --out
        -- exit 2 --
    "#]],
    );
    check(
        &home,
        "claims score run",
        expect![[r#"
        -- stderr --
        error: run: is no run of simulated dialogues: it has no run.json. `dialog2api claims simulate --out DIR` makes one
        -- exit 1 --
    "#]],
    );
}

/// A model with the rows in its prompt invents a number, which the table says.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn what_a_model_invents_is_counted() {
    let home = Home::new();
    home.write("goals.jsonl", GOAL);
    let answers = [
        "Anatolia is a Turkish restaurant in the centre.",
        "The phone number of Anatolia is 01223 999999.",
        "Goodbye!",
    ];
    let server = model(&answers).await;
    let words = "claims simulate --assistant rows --goals goals.jsonl --out rows --quiet \
                 --model openai:desk --base-url";
    let words = format!("{words} {}", server.base_url());
    check(
        &home,
        &words,
        expect![[r#"
            rows by openai:desk, rows: full, language: en: 1 of 1 dialogue
              KB-alignment                           1/2  50.0 (50.0 to 50.0)
              KB-grounding                           1/2  50.0 (50.0 to 50.0)
              correct turns                          1/2  50.0 (50.0 to 50.0)
              correct dialogues                      0/1  0.0 (0.0 to 0.0)
              strict grounding                       1/2  50.0 (50.0 to 50.0)
              complete lists                         2/2  100.0 (100.0 to 100.0)
              consistent                             3/3  100.0 (100.0 to 100.0)
              referring turns                        2/3  66.7 (66.7 to 66.7)
              goals reached                          0/1  0.0 (0.0 to 0.0)
            ended: done 1
            contradicted: slot phone 1
            not in the rows: slot phone 1
            3 requests, 0 + 0 tokens
            -- exit 0 --
        "#]],
    );
    let asked = &server.requests()[0];
    assert!(asked.contains("Knowledge base:"), "{asked}");
    assert!(asked.contains("01223362372"), "{asked}");
    check(
        &home,
        "claims simulate --assistant template --goals goals.jsonl --out template --quiet",
        expect![[r#"
            template, rows: full, language: en: 1 of 1 dialogue
              KB-alignment                           2/2  100.0 (100.0 to 100.0)
              KB-grounding                           2/2  100.0 (100.0 to 100.0)
              correct turns                          2/2  100.0 (100.0 to 100.0)
              correct dialogues                      1/1  100.0 (100.0 to 100.0)
              strict grounding                       2/2  100.0 (100.0 to 100.0)
              supported by what was looked up        2/2  100.0 (100.0 to 100.0)
              complete lists                         2/2  100.0 (100.0 to 100.0)
              consistent                             3/3  100.0 (100.0 to 100.0)
              true bookings                          3/3  100.0 (100.0 to 100.0)
              referring turns                        2/3  66.7 (66.7 to 66.7)
              goals reached                          1/1  100.0 (100.0 to 100.0)
            ended: done 1
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "claims score rows template",
        expect![[r#"
            A rows: rows by openai:desk
            B template: template
            1 dialogue
                                                    A      B  B - A
              KB-alignment                       50.0  100.0  50.0 (50.0 to 50.0)
              KB-grounding                       50.0  100.0  50.0 (50.0 to 50.0)
              correct turns                      50.0  100.0  50.0 (50.0 to 50.0)
              correct dialogues                   0.0  100.0  100.0 (100.0 to 100.0)
              strict grounding                   50.0  100.0  50.0 (50.0 to 50.0)
              supported by what was looked up       -  100.0  
              complete lists                    100.0  100.0  0.0 (0.0 to 0.0)
              consistent                        100.0  100.0  0.0 (0.0 to 0.0)
              true bookings                         -  100.0  
              referring turns                    66.7   66.7  0.0 (0.0 to 0.0)
              goals reached                       0.0  100.0  100.0 (100.0 to 100.0)
            -- exit 0 --
        "#]],
    );
    check(
        &home,
        "claims score rows rows/run.json",
        expect![[r#"
        -- stderr --
        error: cannot read rows/run.json/run.json: Not a directory (os error 20)
        -- exit 1 --
    "#]],
    );
}

/// A model that looks the rows up by programs says what they return.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn programs_look_the_rows_up() {
    let home = Home::new();
    home.write("goals.jsonl", GOAL);
    let find = r#"return restaurants.find(food="turkish", area="centre")"#;
    let phone = r#"return restaurants.get("anatolia")["phone"]"#;
    let answers = [
        &goal(1, "final", find),
        "<turn>Agent: Anatolia is a moderate Turkish restaurant in the centre.</turn>",
        &goal(2, "final", phone),
        "<turn>Agent: The phone number of Anatolia is 01223362372.</turn>",
        &goal(3, "final", "raise EndDialog()"),
        "<turn>Agent: Goodbye!</turn>",
    ];
    let server = model(&answers).await;
    let domain = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/restaurant");
    let words = "claims simulate --assistant programs --goals goals.jsonl --out run --quiet \
                 --model openai:desk --base-url";
    let words = format!("{words} {} --domain {domain}", server.base_url());
    home.check(
        home.ready(&words),
        "",
        expect![[r#"
        programs by openai:desk, rows: full, language: en: 1 of 1 dialogue
          KB-alignment                           2/2  100.0 (100.0 to 100.0)
          KB-grounding                           2/2  100.0 (100.0 to 100.0)
          correct turns                          2/2  100.0 (100.0 to 100.0)
          correct dialogues                      1/1  100.0 (100.0 to 100.0)
          strict grounding                       2/2  100.0 (100.0 to 100.0)
          supported by what was looked up        2/2  100.0 (100.0 to 100.0)
          complete lists                         2/2  100.0 (100.0 to 100.0)
          consistent                             3/3  100.0 (100.0 to 100.0)
          true bookings                          3/3  100.0 (100.0 to 100.0)
          referring turns                        2/3  66.7 (66.7 to 66.7)
          goals reached                          1/1  100.0 (100.0 to 100.0)
        ended: done 1
        6 requests, 0 + 0 tokens
        -- exit 0 --
    "#]],
    );
    let log = home.read("run/log.jsonl");
    let line: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    expect![[r#"[{"literals":["turkish","centre"],"result":[{"name":"anatolia","food":"turkish","area":"centre","pricerange":"moderate","phone":"01223362372","address":"30 Bridge Street City Centre","postcode":"cb21uj"},{"name":"efes restaurant","food":"turkish","area":"centre","pricerange":"moderate","phone":"01223500005","address":"King Street City Centre","postcode":"cb11ln"},{"name":"meze bar","food":"turkish","area":"centre","pricerange":"expensive","address":"196 Mill Road City Centre","postcode":"cb13nf"}]}]"#]].assert_eq(&line["programs"].to_string());
}

#[test]
fn what_cannot_run_is_refused() {
    let home = Home::new();
    home.write("goals.jsonl", "{\"id\": 1}\n");
    home.write("none.jsonl", "");
    home.write("answers", "Hello.");
    home.write("twice.jsonl", &format!("{GOAL}{GOAL}"));
    home.write("stars.jsonl", &GOAL.replace("area", "stars"));
    home.write("nothing.jsonl", "{\"id\": \"a\", \"goal\": {}}\n");
    home.write(
        "table.jsonl",
        &GOAL.replace("\"reqt\"", "\"book\": {\"day\": \"monday\"}, \"reqt\""),
    );
    for (words, expected) in [
        (
            "--assistant rows --model script:answers --language it",
            expect![[r#"
                -- stderr --
                error: simulated users speak en and de, not it
                -- exit 2 --
            "#]],
        ),
        (
            "--assistant template --language fr",
            expect![[r#"
                -- stderr --
                error: simulated users speak en and de, not fr
                -- exit 2 --
            "#]],
        ),
        (
            "--assistant template --user model --model script:answers",
            expect![[r#"
                -- stderr --
                error: the assistant `template` understands users without a model only: --user agenda
                -- exit 2 --
            "#]],
        ),
        (
            "--assistant programs --model script:answers",
            expect![[r#"
            -- stderr --
            error: programs look the restaurants up in the domain restaurant, not in s3: name it with --domain datasets/restaurant
            -- exit 2 --
        "#]],
        ),
        (
            "--assistant template --goals goals.jsonl",
            expect![[r#"
                -- stderr --
                error: goals.jsonl: line 1: invalid type: integer `1`, expected a string (column 8)
                -- exit 1 --
            "#]],
        ),
        (
            "--assistant template --goals twice.jsonl",
            expect![[r#"
            -- stderr --
            error: two goals are named meze: give each an id of its own
            -- exit 2 --
        "#]],
        ),
        (
            "--assistant template --goals stars.jsonl",
            expect![[r#"
            -- stderr --
            error: stars.jsonl: goal meze: nobody can wish for stars: pricerange, food, area or name is expected
            -- exit 1 --
        "#]],
        ),
        (
            "--assistant template --goals nothing.jsonl",
            expect![[r#"
            -- stderr --
            error: nothing.jsonl: goal a: info has no wish
            -- exit 1 --
        "#]],
        ),
        (
            "--assistant template --goals table.jsonl",
            expect![[r#"
            -- stderr --
            error: table.jsonl: goal meze: book has no time as a text
            -- exit 1 --
        "#]],
        ),
        (
            "--assistant template --rows random:111",
            expect![[r#"
            -- stderr --
            error: there are 110 rows, not 111
            -- exit 2 --
        "#]],
        ),
        (
            "--assistant template --temperature NaN",
            expect![[r#"
            -- stderr --
            error: invalid value 'NaN' for '--temperature <T>': a temperature is a number from 0 to 2

            For more information, try '--help'.
            -- exit 2 --
        "#]],
        ),
        (
            "--assistant template --user model",
            expect![[r#"
            -- stderr --
            error: the assistant `template` understands users without a model only: --user agenda
            -- exit 2 --
        "#]],
        ),
        (
            "--assistant rows --model script:answers --cache /dev/full",
            expect![[r#"
                -- stderr --
                error: /dev/full: is no file; name another one for the answers
                -- exit 1 --
            "#]],
        ),
        (
            "--assistant template --goals none.jsonl",
            expect![[r#"
                -- stderr --
                error: none.jsonl: has no goal: each line is one, such as {"id": "a", "goal": {"info": {"food": "thai"}}}
                -- exit 1 --
            "#]],
        ),
        (
            "--assistant template --rows random:0",
            expect![[r#"
            -- stderr --
            error: invalid value 'random:0' for '--rows <ROWS>': full or random:70 is expected

            For more information, try '--help'.
            -- exit 2 --
        "#]],
        ),
    ] {
        check(
            &home,
            &format!("claims simulate {words} --out run --quiet"),
            expected,
        );
        assert!(!home.path("run").exists(), "{words}");
    }
}

/// A user with a model is told the goal, and ends the dialogue with END. What a server does not
/// answer is missing, and the same command goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_model_can_be_the_user() {
    let home = Home::new();
    home.write("goals.jsonl", GOAL);
    let words = "claims simulate --assistant rows --user model --goals goals.jsonl --out run --quiet \
                 --model openai:desk --base-url";
    let server = Server::start(vec![response("401 Unauthorized", "{}")]).await;
    check(
        &home,
        &format!("{words} {}", server.base_url()),
        expect![[r#"
            rows by openai:desk, rows: full, language: en: 0 of 1 dialogue
            -- stderr --
            warning: meze: http://127.0.0.1:PORT/v1 wants an API key (401). Set DIALOG2API_API_KEY or OPENAI_API_KEY, or api_key_file under [model] in the config file
            error: 1 dialogue is missing: the same command with --resume goes on
            -- exit 1 --
        "#]],
    );
    let answers = [
        "A Turkish place in the centre, please.",
        "Efes Restaurant is Turkish.",
        "Something in Ely with a terrace? Thai food would do.",
        "There is none in Ely.",
        "Thank you. Goodbye! END",
        "Goodbye!",
    ];
    let server = model(&answers).await;
    let words = format!("{words} {} --resume", server.base_url());
    check(
        &home,
        &words,
        expect![[r#"
            rows by openai:desk, rows: full, language: en: 1 of 1 dialogue
              KB-alignment                           1/2  50.0 (50.0 to 50.0)
              KB-grounding                           2/2  100.0 (100.0 to 100.0)
              correct turns                          1/2  50.0 (50.0 to 50.0)
              correct dialogues                      0/1  0.0 (0.0 to 0.0)
              strict grounding                       1/2  50.0 (50.0 to 50.0)
              complete lists                         2/2  100.0 (100.0 to 100.0)
              consistent                             3/3  100.0 (100.0 to 100.0)
              referring turns                        2/3  66.7 (66.7 to 66.7)
            ended: done 1
            contradicted: none 1
            users who strayed from the goal: 1
            6 requests, 0 + 0 tokens
            -- exit 0 --
        "#]],
    );
}
