//! `--as-released`: games by the rules of the environment that was released with the paper.

use crate::cli::support::Home;
use expect_test::{Expect, expect};

/// The first recorded game of optimization, in which a perfect proposal is misread.
fn home() -> Home {
    let games = include_str!("../../datasets/optimization/games.jsonl");
    let first = games.lines().next().expect("a game");
    let home = Home::new();
    home.write("games.jsonl", &format!("{first}\n"));
    home
}

fn check(words: &str, expected: Expect) {
    let home = home();
    home.check(home.command(words), "", expected);
}

#[test]
fn replay_names_each_score_that_differs_from_the_record() {
    check(
        "game replay games.jsonl",
        expect![[r#"
        optimization 1: 0.9618, 2 full proposals
        1 game, 2 full proposals, all match, TIME
        -- exit 0 --
    "#]],
    );
    check(
        "game replay --as-released games.jsonl",
        expect![[r#"
        optimization 1: 0.5282, 2 full proposals; proposals[0].score is 630, by the rules 346
        1 game, 2 full proposals, 1 differ, TIME
        -- exit 3 --
    "#]],
    );
}

#[test]
fn the_best_decision_is_misread_in_rows() {
    check(
        "game rows games.jsonl",
        expect![[r#"
        optimization
          random       0.6206 ± 0.0000  0 of 1 perfect      gain -1.22, gap 0.3794
          worst        0.1786 ± 0.0000  0 of 1 perfect      gain -3.80, gap 0.8214
          optimum      1.0000 ± 0.0000  1 of 1 perfect      gain +1.00, gap 0.0000
          silent       0.8290 ± 0.0076  0 of 2 perfect      gain +0.00, gap 0.1710
          pooled       1.0000 ± 0.0000  2 of 2 perfect      gain +1.00, gap 0.0000
          five words   1.0000 ± 0.0000  2 of 2 perfect      gain +1.00, gap 0.0000
          human first  0.9618 ± 0.0000  0 of 1 perfect      gain +0.78, gap 0.0382
          human final  0.9618 ± 0.0000  0 of 1 perfect      gain +0.78, gap 0.0382
        -- exit 0 --
    "#]],
    );
    check(
        "game rows --as-released games.jsonl",
        expect![[r#"
        optimization
          random       0.5748 ± 0.0000  0 of 1 perfect      gain +0.07, gap 0.4252
          worst        0.5176 ± 0.0000  0 of 1 perfect      gain -0.06, gap 0.4824
          optimum      0.5145 ± 0.0000  0 of 1 perfect      gain -0.07, gap 0.4855
          silent       0.5443 ± 0.0344  0 of 2 perfect      gain +0.00, gap 0.4557
          pooled       0.5145 ± 0.0000  0 of 2 perfect      gain -0.07, gap 0.4855
          five words   0.5145 ± 0.0000  0 of 2 perfect      gain -0.07, gap 0.4855
          human first  0.5282 ± 0.0000  0 of 1 perfect      gain -0.04, gap 0.4718
          human final  0.5282 ± 0.0000  0 of 1 perfect      gain -0.04, gap 0.4718
        -- exit 0 --
    "#]],
    );
}

#[test]
fn a_reader_without_a_model_is_scored_as_people_are_there() {
    let home = home();
    let run = "game eval --model words --mode forced --cut end --as-released --out run games.jsonl";
    home.check(home.command(run), "", expect![[r#"
        words as released (forced): 2 of 2 units
        optimization
          forced end   0.5214 ± 0.0069 of 2   0 % perfect    people 0.5282 (-0.0069, -0.0137 to +0.0000), gap 0.4718  silent 0.5443, gain -0.05  0 failed
                       225 words, 18.0 moves, 0 % of messages with numbers, 0.0 questions
                       claims: precision 0.588 of 17, recall 0.250 of 40
        -- exit 0 --
    "#]]);
}
