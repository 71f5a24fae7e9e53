//! A model that plays a seat by programs, and programs of a seat alone.

use crate::games::lab::{Fake, folder, games, score, wanted};
use decision_games::play::between;
use decision_games::{
    Kinds, Limits, Manner, Play, Player, Rules, Table, generate, open, play::Played,
};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::{self, NamedWorld, Opening, World};
use dialog2api::eval::reward::{self, GameMode, GameRunner};
use dialog2api::eval::runner::RunStop;
use dialog2api::exec::{Cache, Engine, Limits as Resources, Seed};
use dialog2api::games::{self as lib, Acting, Asked, Asker, Programmer, Sampling};
use dialog2api::llm::Model;
use std::path::Path;
use std::sync::Arc;

async fn engine() -> Engine {
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    let domain = lib::domain(&Kinds::default(), "planning").expect("a domain");
    let engine = Engine::prepare(&domain.api.client, &cache, &mut |_| ()).await;
    engine.expect("the sandbox")
}

/// Whether a request is for the words, and not for a program.
fn is_reply(request: &str) -> bool {
    request.ends_with("Your words:")
}

/// Plays a game of planning of this seed, the agent by programs of a model.
async fn play(says: fn(&str, &str) -> String) -> (Played, Vec<Asked>) {
    let (engine, model) = (engine().await, Fake::new(says));
    let asker = Asker::new(model as Arc<dyn Model>, Sampling::default());
    let playing = tokio::task::spawn_blocking(move || {
        let world = generate("planning", 7).expect("a world");
        let game = open("planning", &world, Rules::default()).expect("a game");
        let table = Table::new(game.clone(), Rules::default(), Play::Strict);
        let mut table = table.with_limits(Limits::usual(game.as_ref()));
        let agent = Programmer::new(&table, 1, asker.clone(), &engine).expect("a player");
        let user = game.partner(0, Manner::Scripted, 1).expect("a user");
        let mut players: Vec<Box<dyn Player>> = vec![user, Box::new(agent)];
        let played = between(&mut table, &mut players).expect("a game");
        (played, asker.take())
    });
    playing.await.expect("a game")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_notes_wishes_and_its_proposal_goes_with_the_reply() {
    let (played, asked) = play(|role, said| {
        assert!(
            role.contains("def wish(") && role.contains("You are agent."),
            "{role}"
        );
        match is_reply(said) {
            true => format!(
                "It has a park. ({})",
                said.contains("Your move: [propose] [")
            ),
            false => "```python\ngame.wish(category=\"park\")\ngame.wish(budget=60)\n\
                      game.propose(game.suggest()[0])\n```"
                .to_owned(),
        }
    })
    .await;
    let turns = serde_json::to_string(&played.record.turns).expect("JSON");
    assert!(played.norm.is_some_and(|norm| norm > 0.0), "{turns}");
    assert_eq!(played.refused, 0, "{turns}");
    assert!(turns.contains("It has a park. (true)"), "{turns}");
    // Each turn is two requests: the program, and the words.
    assert_eq!(asked.len() % 2, 0);
    let first = &asked[0].question;
    assert!(first.contains("# What you know\nSites: 39"), "{first}");
    assert!(
        first.contains("Names: ") && first.contains("User: [message] "),
        "{first}"
    );
    let later = asked.get(2).map(|asked| &asked.question);
    assert!(later.is_none_or(|question| question.contains("\"category\":\"park\"")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_without_a_move_leaves_the_message_to_the_reply() {
    let (played, _) = play(|_, said| {
        let asks = |text: &str| said.contains(text);
        match is_reply(said) {
            true if asks("You make no move") => "What is your budget?".to_owned(),
            true => "Good?".to_owned(),
            false if asks("What is your budget?") => {
                "return game.propose(game.suggest(1)[0][\"decision\"])".to_owned()
            }
            false => "pass".to_owned(),
        }
    })
    .await;
    assert!(played.norm.is_some() && played.refused == 0, "{played:?}");
    assert!(played.record.questions(1) >= 2, "{played:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_fails_is_shown_to_the_model_once() {
    let (played, asked) = play(|_, said| match () {
        () if is_reply(said) => "Here.".to_owned(),
        () if said.contains("This program failed.") => {
            assert!(said.contains("unknown-site"), "{said}");
            "game.propose(game.suggest()[0])".to_owned()
        }
        () => "game.propose([\"Nowhere\", None, None])".to_owned(),
    })
    .await;
    assert!(played.norm.is_some() && played.refused == 0, "{played:?}");
    assert!(
        asked[1].question.contains("This program failed."),
        "{asked:?}"
    );
}

/// Runs a program on the seat of a game that begins with this seed.
async fn run(game: &str, seat: &str, program: &str) -> (String, Arc<dyn World>) {
    let domain = domain::named(game).expect("a domain");
    let named = NamedWorld {
        name: Some("seed:7".to_owned()),
        options: [("seat".to_owned(), seat.to_owned())].into(),
    };
    let worlds = domain.worlds().expect("worlds");
    let adapted = worlds.adapted(&domain, &named).expect("a seat");
    let adapted = adapted.expect("the domain of the seat");
    let opened = worlds
        .open(&named, Opening::default())
        .await
        .expect("a world");
    let engine = engine().await.with_setup(&adapted.api.setup);
    let (limits, seed) = (Resources::default(), Seed::default());
    let ran = engine.run(program, &opened.world, &limits, &seed).await;
    let shown = match ran.expect("it runs").outcome {
        Outcome::Result(value) => value.to_string(),
        Outcome::Error(error) => format!("{}: {}", error.error, error.message),
    };
    (shown, opened.world)
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_moves_are_exceptions_with_the_codes_of_the_game() {
    for (game, seat, program, expected) in [
        (
            "planning",
            "agent",
            "codes = []\n\
             for move in [lambda: game.propose([\"Nowhere\", None, None]),\n\
             \x20            lambda: game.propose(game.suggest()[0]), lambda: game.say(\"Well?\")]:\n\
             \x20   try:\n        codes.append(move())\n\
             \x20   except Exception as error:\n        codes.append(error.code)\n\
             return codes",
            r#"["unknown-site",null,"not-your-turn"]"#,
        ),
        (
            "planning",
            "user",
            "game.accept()",
            "nothing-to-answer: No proposal waits for your answer.",
        ),
        (
            "planning",
            "agent",
            "return len(game.sites()), game.distance(\"BAMPFA\", \"BAMPFA\")",
            "[39,0.0]",
        ),
        (
            "mediation",
            "agent",
            "return [m[\"from\"] for m in game.history()]",
            r#"["User 0","User 1"]"#,
        ),
        (
            "optimization",
            "player-1",
            "return len(game.scores()), len(game.best(game.scores())[\"decision\"])",
            "[8,8]",
        ),
    ] {
        let (shown, _) = run(game, seat, program).await;
        assert_eq!(shown, expected, "{game} {seat} {program}");
    }
    let (shown, _) = run("planning", "user", "return game.sites()").await;
    assert!(shown.starts_with("AttributeError"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_of_a_seat_reaches_nobody_and_facts_are_no_state() {
    let (_, world) = run("planning", "agent", "game.wish(budget=60)").await;
    let signature = || async { domain::signature(&*world, []).await.expect("a state") };
    let before = signature().await;
    let fork = world.fork().expect("a fork");
    let text = domain::Value::Map(vec![("text".into(), "Hi".into())]);
    fork.call("say", &text)
        .await
        .expect("an answer")
        .expect("a legal move");
    assert_eq!(signature().await, before);
    let forked = domain::signature(&*fork, []).await.expect("a state");
    assert_ne!(forked, before);
    let (_, plain) = run("planning", "agent", "pass").await;
    assert_eq!(
        domain::signature(&*plain, []).await.expect("a state"),
        before
    );
    let bytes = domain::Value::Map(vec![("text".into(), bytes::Bytes::new().into())]);
    let refused = world
        .call("say", &bytes)
        .await
        .expect("an answer")
        .unwrap_err();
    assert_eq!(refused.code, "bad-query");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_or_a_world_that_is_none_is_said() {
    let domain = domain::named("planning").expect("a domain");
    let worlds = domain.worlds().expect("worlds");
    for (name, seat, expected) in [
        (
            "seed:1",
            "guide",
            "planning has no seat \"guide\"; its seats are user, agent",
        ),
        (
            "seed:x",
            "agent",
            "planning has no world \"seed:x\": name one as seed:7, or a file with the state of a game",
        ),
    ] {
        let named = NamedWorld {
            name: Some(name.to_owned()),
            options: [("seat".to_owned(), seat.to_owned())].into(),
        };
        let opened = worlds.open(&named, Opening::default()).await;
        assert_eq!(
            opened.err().map(|error| error.to_string()).as_deref(),
            Some(expected)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_games_are_played_by_programs_too() {
    fn says(_: &str, said: &str) -> String {
        match is_reply(said) {
            true => "Is that good?".to_owned(),
            false => "game.propose(game.suggest()[0])".to_owned(),
        }
    }
    let all = || {
        ["optimization", "planning", "mediation"]
            .map(|kind| games(kind, 1))
            .concat()
    };
    for (mode, units) in [(GameMode::Scripted, 4), (GameMode::Forced, 20)] {
        let mut wanted = wanted(mode, "");
        wanted.agent = Acting::Programs;
        let model = Fake::new(says) as Arc<dyn Model>;
        let (_home, folder) = folder();
        let mut runner = GameRunner::new(all(), Some(model.clone()), &wanted).expect("a run");
        let bare = GameRunner::new(all(), Some(model), &wanted).expect("a run");
        let refused = bare
            .run(&folder, false, RunStop::default(), Arc::new(|_| {}))
            .await;
        assert!(refused.is_err(), "programs need a sandbox");
        runner.engine = Some(engine().await);
        let tally = runner
            .run(&folder, false, RunStop::default(), Arc::new(|_| {}))
            .await;
        let tally = tally.expect("a run");
        assert_eq!(
            (tally.done, tally.units),
            (units, units),
            "{mode} {:?}",
            tally.failed
        );
        let shown = score(&folder).to_string();
        assert!(
            shown.starts_with(&format!("fake by programs ({mode}")),
            "{shown}"
        );
        let run = reward::read(&folder).expect("a run");
        for (place, end) in &run.units {
            // A player by programs has the same solver as the silent row.
            let forced = mode == GameMode::Forced && place.cut.as_deref() == Some("00");
            assert!(!forced || end.norm == Some(end.silent), "{place} {end:?}");
            assert!(
                end.failed.is_none() && end.norm.is_some(),
                "{place} {end:?}"
            );
            assert!(end.requests >= 2, "{place} {end:?}");
        }
    }
    let none = GameRunner::new(all(), None, &{
        let mut wanted = wanted(GameMode::Forced, "");
        wanted.agent = Acting::Programs;
        wanted
    });
    let error = none.err().expect("no run").to_string();
    assert!(error.contains("--agent programs needs a model"), "{error}");
}
