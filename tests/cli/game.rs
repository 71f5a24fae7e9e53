//! `dialog2api game`, and `replay` of recorded games.

use crate::cli::support::Home;
use expect_test::{Expect, expect};

/// A game of planning with three sites and one wish.
const TINY: &str = r#"{"game": "planning", "index": 1, "world": {"sites": [
{"name": "A", "type": "park", "price": 0, "loc": [0, 0], "features": {"rating": 5}},
{"name": "B", "type": "cafe", "price": 5, "loc": [0, 0.1], "features": {}},
{"name": "C", "type": "shop", "price": 50, "loc": [0, 0.2], "features": {}}],
"preferences": [{"kind": "DistancePreference", "text": "minimize travel distance", "weight": -1}]},
"turns": [{"kind": "message", "player": 0, "text": "hi there"},
{"kind": "proposal", "player": 1, "slots": ["A", "C", "B"]},
{"kind": "response", "player": 0, "accept": true}],
"recorded": {"score": SCORE, "best": -12, "worst": -19, "norm": 0.0}}"#;

fn game(score: &str) -> String {
    TINY.replace('\n', " ").replace("SCORE", score) + "\n"
}

fn check(files: &[(&str, String)], words: &str, input: &str, expected: Expect) {
    let home = Home::new();
    std::fs::create_dir_all(home.path("games")).expect("a folder");
    for (name, text) in files {
        home.write(name, text);
    }
    home.check(home.command(words), input, expected);
}

#[test]
fn recorded_games_are_replayed_by_replay() {
    let files = [("games/games.jsonl", game("-19"))];
    check(
        &files,
        "game replay games",
        "",
        expect![[r#"
        planning 1: 0.0000, 1 full proposal
        1 game, 1 full proposal, all match, TIME
        -- exit 0 --
    "#]],
    );
    check(
        &files,
        "replay --json games/games.jsonl",
        "",
        expect![[r#"
            {"game":"planning","index":1,"matches":true,"difference":null,"score":-19,"best":-12,"worst":-19,"norm":0.0,"recorded":{"score":-19,"best":-12,"worst":-19,"norm":0.0},"proposals":[0.0],"partial":0,"replaced":0,"late_answers":0,"words":2}
            -- exit 0 --
        "#]],
    );
}

#[test]
fn a_game_that_differs_from_its_record_says_how() {
    let files = [("games/games.jsonl", game("-3"))];
    check(
        &files,
        "replay games",
        "",
        expect![[r#"
        planning 1: 0.0000, 1 full proposal; recorded.score is -3, by the rules -19
        1 game, 1 full proposal, 1 differ, TIME
        -- exit 3 --
    "#]],
    );
}

#[test]
fn what_is_no_game_is_named_by_its_line() {
    let files = [("games/games.jsonl", game("-19") + "{}\n")];
    check(
        &files,
        "replay games",
        "",
        expect![[r#"
        -- stderr --
        error: games/games.jsonl: line 2: missing field `game` at line 1 column 2
        -- exit 2 --
    "#]],
    );
    check(
        &files,
        "game generate chess",
        "",
        expect![[r#"
        -- stderr --
        error: there is no game "chess"; the games are optimization, planning, mediation; a game of your own is a folder with a game.py or a game.json
        -- exit 2 --
    "#]],
    );
}

#[test]
fn rows_are_computed_for_any_file_of_games() {
    let files = [("games/games.jsonl", game("-19"))];
    check(
        &files,
        "game rows games",
        "",
        expect![[r#"
        planning
          random       0.3333 ± 0.0000  0 of 1 perfect      gain +0.00, gap 0.6667
          worst        0.0000 ± 0.0000  0 of 1 perfect      gain +0.00, gap 1.0000
          optimum      1.0000 ± 0.0000  1 of 1 perfect      gain +0.00, gap 0.0000
          silent       1.0000 ± 0.0000  1 of 1 perfect      gain +0.00, gap 0.0000
          all wishes   1.0000 ± 0.0000  1 of 1 perfect      gain +0.00, gap 0.0000
          human first  0.0000 ± 0.0000  0 of 1 perfect      gain +0.00, gap 1.0000
          human final  0.0000 ± 0.0000  0 of 1 perfect      gain +0.00, gap 1.0000
        -- exit 0 --
    "#]],
    );
}

#[test]
fn another_program_steps_a_game() {
    let requests = [
        r#"{"op": "reset", "game": "mediation", "seed": 1}"#,
        r#"{"op": "step", "seat": "agent", "text": "0: [message] hello"}"#,
        "nonsense",
    ];
    let home = Home::new();
    let output = assert_cmd::Command::from(home.command("game serve"))
        .write_stdin(requests.join("\n"))
        .output()
        .expect("it starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["movers"], serde_json::json!(["user0", "user1"]));
    assert_eq!(lines[1]["info"]["code"], "not-your-turn");
    assert!(lines[2]["error"].is_string());
}

/// What users do with runs of games, one command after the other.
fn commands(files: &[(&str, &str)], commands: &[(&str, &str)], expected: Expect) {
    let home = Home::new();
    std::fs::create_dir_all(home.path("games")).expect("a folder");
    home.write("games/games.jsonl", &game("-19"));
    for (name, text) in files {
        home.write(name, text);
    }
    let mut shown = String::new();
    for (words, input) in commands {
        let output = assert_cmd::Command::from(home.command(words))
            .write_stdin(*input)
            .output()
            .expect("it starts");
        shown += &format!("$ {words}\n{}", home.seen(&output));
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_model_reads_and_its_run_is_compared_and_reported() {
    commands(
        &[(
            "answers",
            "I am not sure.\n---\nwish(exclude=[\"A\"])\nwish(budget=\"B\")\n---\nnone()\n",
        )],
        &[
            (
                "game eval --model words --mode forced --out words games",
                "",
            ),
            (
                "game eval --model script:answers --mode forced --concurrency 1 --out script games",
                "",
            ),
            (
                "game eval --model script:answers --mode forced --out script games",
                "",
            ),
            ("eval compare words script", ""),
            ("eval report words script --format csv", ""),
            ("score script", ""),
            ("eval report words script", ""),
            (
                "game eval --model words --mode forced --cut end --out end games",
                "",
            ),
            ("eval compare words end", ""),
            (
                "game eval --model words --mode shy --cut end --out shy games",
                "",
            ),
            (
                "game eval --model words --mode forced --cut 60 --out 60 games",
                "",
            ),
        ],
        expect![[r#"
            $ game eval --model words --mode forced --out words games
            words (forced): 5 of 5 units
            planning
              forced 0     1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           0 words, 0.0 moves, 0.0 questions
                           wishes: recall 0.000 of 1
              forced 25    1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           0 words, 0.0 moves, 0.0 questions
                           wishes: recall 0.000 of 1
              forced 50    1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           0 words, 0.0 moves, 0.0 questions
                           wishes: recall 0.000 of 1
              forced 75    1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           2 words, 1.0 moves, 0 % of messages with numbers, 0.0 questions
                           wishes: recall 0.000 of 1
              forced end   1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           2 words, 1.0 moves, 0 % of messages with numbers, 0.0 questions
                           wishes: recall 0.000 of 1
            -- exit 0 --
            $ game eval --model script:answers --mode forced --concurrency 1 --out script games
            script (forced): 5 of 5 units
            planning
              forced 0     1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           0 words, 0.0 moves, 0.0 questions
                           wishes: recall 0.000 of 1
              forced 25    1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           0 words, 0.0 moves, 0.0 questions
                           wishes: recall 0.000 of 1
              forced 50    1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           0 words, 0.0 moves, 0.0 questions
                           wishes: recall 0.000 of 1
              forced 75    1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           2 words, 1.0 moves, 0 % of messages with numbers, 0.0 questions; 2 requests (1 again), 0 + 0 tokens each
                           wishes: recall 0.000 of 1
              forced end   1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           2 words, 1.0 moves, 0 % of messages with numbers, 0.0 questions; 2 requests (1 again), 0 + 0 tokens each
                           wishes: recall 0.000 of 1
            -- exit 0 --
            $ game eval --model script:answers --mode forced --out script games
            -- stderr --
            error: script has a run already: --resume goes on with it, and another --out begins anew
            -- exit 2 --
            $ eval compare words script
            A words (forced)
            B script (forced)
            games                                  A       B    B - A  95 % interval        silent  gain A, B     failed A, B  tokens A, B     words A, B   moves A, B
            planning forced 0 (1)             1.0000  1.0000  +0.0000  +0.0000 to +0.0000   1.0000  0.00, 0.00    0, 0         0, 0            0, 0         0.0, 0.0
              wishes in A: recall 0.000 of 1; in B: recall 0.000 of 1
            planning forced 25 (1)            1.0000  1.0000  +0.0000  +0.0000 to +0.0000   1.0000  0.00, 0.00    0, 0         0, 0            0, 0         0.0, 0.0
              wishes in A: recall 0.000 of 1; in B: recall 0.000 of 1
            planning forced 50 (1)            1.0000  1.0000  +0.0000  +0.0000 to +0.0000   1.0000  0.00, 0.00    0, 0         0, 0            0, 0         0.0, 0.0
              wishes in A: recall 0.000 of 1; in B: recall 0.000 of 1
            planning forced 75 (1)            1.0000  1.0000  +0.0000  +0.0000 to +0.0000   1.0000  0.00, 0.00    0, 0         0, 0            2, 2         1.0, 1.0
              wishes in A: recall 0.000 of 1; in B: recall 0.000 of 1
            planning forced end (1)           1.0000  1.0000  +0.0000  +0.0000 to +0.0000   1.0000  0.00, 0.00    0, 0         0, 0            2, 2         1.0, 1.0
              wishes in A: recall 0.000 of 1; in B: recall 0.000 of 1
            -- exit 0 --
            $ eval report words script --format csv
            model,users,game,way,count,norm,sem,perfect,finished,failed,failed_as_zero,people,difference,low,high,silent,gain,gap,words,moves,numbers,questions,limit,stuck,refused,precision,recall,tokens,cost
            words,,planning,forced 0,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,0.0,0.0,,0.0,0,0,,,wishes 0.0000,0,
            words,,planning,forced 25,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,0.0,0.0,,0.0,0,0,,,wishes 0.0000,0,
            words,,planning,forced 50,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,0.0,0.0,,0.0,0,0,,,wishes 0.0000,0,
            words,,planning,forced 75,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,2.0,1.0,0.0000,0.0,0,0,,,wishes 0.0000,0,
            words,,planning,forced end,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,2.0,1.0,0.0000,0.0,0,0,,,wishes 0.0000,0,
            script,,planning,forced 0,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,0.0,0.0,,0.0,0,0,,,wishes 0.0000,0,
            script,,planning,forced 25,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,0.0,0.0,,0.0,0,0,,,wishes 0.0000,0,
            script,,planning,forced 50,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,0.0,0.0,,0.0,0,0,,,wishes 0.0000,0,
            script,,planning,forced 75,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,2.0,1.0,0.0000,0.0,0,0,,,wishes 0.0000,0,
            script,,planning,forced end,1,1.0000,0.0000,1,1.0000,0,1.0000,0.0000,1.0000,1.0000,1.0000,1.0000,0.000,1.0000,2.0,1.0,0.0000,0.0,0,0,,,wishes 0.0000,0,
            -- exit 0 --
            $ score script
            -- stderr --
            error: script/run.json: is of a run of games: `eval report` and `eval compare` show such runs
            -- exit 1 --
            $ eval report words script
            -- stderr --
            2 runs in report.html
            -- exit 0 --
            $ game eval --model words --mode forced --cut end --out end games
            words (forced): 1 of 1 unit
            planning
              forced end   1.0000 ± 0.0000 of 1   100 % perfect  people 0.0000 (+1.0000, +1.0000 to +1.0000), gap 1.0000  silent 1.0000, gain 0.00  0 failed
                           2 words, 1.0 moves, 0 % of messages with numbers, 0.0 questions
                           wishes: recall 0.000 of 1
            -- exit 0 --
            $ eval compare words end
            A words (forced)
            B words (forced)
            left out, as in one alone: 4
            games                                  A       B    B - A  95 % interval        silent  gain A, B     failed A, B  tokens A, B     words A, B   moves A, B
            planning forced end (1)           1.0000  1.0000  +0.0000  +0.0000 to +0.0000   1.0000  0.00, 0.00    0, 0         0, 0            2, 2         1.0, 1.0
              wishes in A: recall 0.000 of 1; in B: recall 0.000 of 1
            -- exit 0 --
            $ game eval --model words --mode shy --cut end --out shy games
            -- stderr --
            error: --cut is for games that people began: --mode forced or psp
            -- exit 2 --
            $ game eval --model words --mode forced --cut 60 --out 60 games
            -- stderr --
            error: invalid value '60' for '--cut <CUT>': a cut is 0, 25, 50, 75 or end

            For more information, try '--help'.
            -- exit 2 --
        "#]],
    );
}

#[test]
fn a_run_without_enough_answers_says_what_is_missing() {
    commands(
        &[("answers", "none()\n")],
        &[
            (
                "game eval --model script:answers --mode scripted --out run games",
                "",
            ),
            ("eval report run --format csv", ""),
            ("eval report run --format csv --partial", ""),
            (
                "game eval --model words --users model --mode self-play --out other games",
                "",
            ),
            ("game eval --mode forced --out third games", ""),
        ],
        expect![[r#"
            $ game eval --model script:answers --mode scripted --out run games
            script (scripted): 0 of 1 unit
            without a sample, since the model could not be reached: 1
            -- stderr --
            warning: planning 1, agent: the script has no more answers
            The same command with --resume goes on.
            -- exit 1 --
            $ eval report run --format csv
            -- stderr --
            error: run: 0 of 1 unit is done: go on with `dialog2api game eval … --resume`, or take what is there with --partial
            -- exit 1 --
            $ eval report run --format csv --partial
            model,users,game,way,count,norm,sem,perfect,finished,failed,failed_as_zero,people,difference,low,high,silent,gain,gap,words,moves,numbers,questions,limit,stuck,refused,precision,recall,tokens,cost
            -- exit 0 --
            $ game eval --model words --users model --mode self-play --out other games
            -- stderr --
            error: --users model needs a model: name it with --model
            -- exit 2 --
            $ game eval --mode forced --out third games
            -- stderr --
            error: no model is configured. Four ways to get one:

            1. A model on this machine that is set up for you, no key needed (0.5 GB for S3, once):
                 dialog2api chat --yes
            2. A model on this machine that you run. With llama.cpp:
                 llama-server -m MODEL.gguf --host 127.0.0.1 --port 8080 -c 16384
                 dialog2api chat --model openai:local --base-url http://127.0.0.1:PORT/v1
               or with Ollama:
                 OLLAMA_HOST=127.0.0.1:PORT OLLAMA_CONTEXT_LENGTH=16384 ollama serve
                 ollama pull qwen2.5-coder:7b
                 dialog2api chat --model openai:qwen2.5-coder:7b --base-url http://127.0.0.1:PORT/v1
            3. OpenAI, or a server with its protocol (then with --base-url):
                 export OPENAI_API_KEY=…
                 dialog2api chat --model openai:NAME
               or anthropic:NAME with ANTHROPIC_API_KEY, or bedrock:MODEL_ID with AWS credentials.
            4. A recorded dialogue, without any model:
                 dialog2api chat --model replay:FILE

            To keep the choice: dialog2api model use openai:NAME, or write to
            HOME/.config/dialog2api/config.toml:
                 [model]
                 name = "openai:qwen2.5-coder:7b"
                 base_url = "http://127.0.0.1:PORT/v1"
                 # api_key_env = "NAME_OF_A_VARIABLE"   or   api_key_file = "PATH"
            Without any model: --model words, the reader of words
            -- exit 2 --
        "#]],
    );
}

#[test]
fn an_agent_with_a_model_is_played_against_and_the_game_replays() {
    commands(
        &[(
            "answers",
            "wish(budget=60)\n---\nwish(feature=\"viewpoint\", like=[True])\n",
        )],
        &[
            (
                "play planning --seed 3 --partner agent --model script:answers --record mine.jsonl",
                "I can spend 60\nviews are nice\n/quit\n",
            ),
            ("play planning --seed 3 --record mine.jsonl", "/quit\n"),
            ("game replay mine.jsonl", ""),
            ("play planning --partner shy --model script:answers", ""),
        ],
        expect![[r#"
            $ play planning --seed 3 --partner agent --model script:answers --record mine.jsonl

            === user

            Travel preferences:
              - prefer just eating takeout
              - COVID conscious, outdoor seating places would be best
              - heard these bars were good: Kozy Kar
              - group of 7, best if we could go to places good for groups
              - generally like eating vegetarian options
              - go to at least one restaurant
              - hidden spots much better than tourist traps
              - keep budget below $30
              - prefer places rated above 3 stars
              - renting a car so preferably places with parking, but street parking also ok
              - minimize travel distance

            A line is a message. Commands:
              /accept      accept the proposal that waits
              /reject      reject it; text behind it is said, too
              /view        show your view again
              /score       show the last proposal as you read it
              /quit        leave
            user> Agent: Should the ways be short, or may it be far? Was a certain place recommended to you? Which types of places should be in it?
            user> Agent: Do ratings matter? Do you come with kids? Are you a group?
            user> left, 44 words
            script: 2 requests, 0 tokens
            -- exit 0 --
            $ play planning --seed 3 --record mine.jsonl

            === user

            Travel preferences:
              - prefer just eating takeout
              - COVID conscious, outdoor seating places would be best
              - heard these bars were good: Kozy Kar
              - group of 7, best if we could go to places good for groups
              - generally like eating vegetarian options
              - go to at least one restaurant
              - hidden spots much better than tourist traps
              - keep budget below $30
              - prefer places rated above 3 stars
              - renting a car so preferably places with parking, but street parking also ok
              - minimize travel distance

            A line is a message. Commands:
              /accept      accept the proposal that waits
              /reject      reject it; text behind it is said, too
              /view        show your view again
              /score       show the last proposal as you read it
              /quit        leave
            user> left, 0 words
            -- exit 0 --
            $ game replay mine.jsonl
            planning 3: -, 0 full proposals
            1 game, 0 full proposals, nothing to compare with, TIME
            -- exit 0 --
            $ play planning --partner shy --model script:answers
            -- stderr --
            error: --model is for --partner agent: the other partners need none
            -- exit 2 --
        "#]],
    );
}
