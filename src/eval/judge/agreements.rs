//! Figures: how far judge and checker agree, how often the judge changes its mind, and how much of
//! what is planted each finds.

use super::turn::{Judgement, TurnLabel};
use serde::Serialize;
use std::collections::BTreeMap;
use typed_claims::{Agreement, Flags};

/// How far a judge and the checker agree.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Agreements {
    /// That a turn refers to the rows.
    pub refers: Agreement,
    /// Of turns that both say to refer: that nothing contradicts the rows.
    pub aligned: Agreement,
    /// Of the same: that nothing is brought in.
    pub grounded: Agreement,
    /// Of the same: both.
    pub correct: Agreement,
    /// The turns without a judgement.
    pub unreadable: usize,
}

impl Agreements {
    /// Compares judgements with the checker's flags of the same turns.
    pub fn of<'a>(turns: impl IntoIterator<Item = (&'a Judgement, &'a Flags)> + Clone) -> Self {
        let both = || {
            turns
                .clone()
                .into_iter()
                .filter(|(judge, _)| !judge.unreadable)
        };
        let judged = |judge: fn(&Judgement) -> Option<bool>, checker: fn(&Flags) -> bool| {
            let pairs = both().filter(|(_, flags)| flags.refers);
            Agreement::of(pairs.filter_map(|(it, flags)| Some((judge(it)?, checker(flags)))))
        };
        let refers = both().filter_map(|(judge, flags)| Some((judge.refers?, flags.refers)));
        Agreements {
            refers: Agreement::of(refers),
            aligned: judged(|judge| judge.aligned, |flags| flags.aligned),
            grounded: judged(|judge| judge.grounded, |flags| flags.grounded),
            correct: judged(
                |judge| Some(judge.aligned? && judge.grounded?),
                |flags| flags.correct(),
            ),
            unreadable: turns
                .into_iter()
                .filter(|(judge, _)| judge.unreadable)
                .count(),
        }
    }
}

/// What a judge and the checker say differently of a turn.
pub fn differing(judge: &Judgement, flags: &Flags) -> Vec<&'static str> {
    let both_refer = judge.refers == Some(true) && flags.refers;
    let pairs = [
        ("refers", judge.refers, flags.refers),
        (
            "aligned",
            judge.aligned.filter(|_| both_refer),
            flags.aligned,
        ),
        (
            "grounded",
            judge.grounded.filter(|_| both_refer),
            flags.grounded,
        ),
    ];
    let differ = pairs.into_iter();
    let differ = differ.filter(|(_, one, other)| one.is_some_and(|it| it != *other));
    differ.map(|(name, ..)| name).collect()
}

/// Answers to the same question that was asked several times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Flip {
    /// The turns with at least two answers.
    pub asked: usize,
    /// Those of them whose answers are not all the same.
    pub flipped: usize,
    /// Their share; absent of none.
    pub rate: Option<f64>,
}

/// How often a judge changes its mind about a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Flips {
    /// That it refers to the rows.
    pub refers: Flip,
    /// That nothing contradicts them.
    pub aligned: Flip,
    /// That nothing is brought in.
    pub grounded: Flip,
    /// Any of the three.
    pub any: Flip,
}

impl Flips {
    /// Those of turns, each with what the judge said each time.
    pub fn of(turns: &[Vec<Judgement>]) -> Self {
        let flip = |answers: &dyn Fn(&Judgement) -> Option<(u8, bool)>| {
            let mut flip = Flip::default();
            for turn in turns {
                let answers: Vec<(u8, bool)> = turn.iter().filter_map(answers).collect();
                flip.asked += usize::from(answers.len() > 1);
                flip.flipped +=
                    usize::from(answers.windows(2).any(|two| two.first() != two.get(1)));
            }
            flip.rate = share(flip.flipped, flip.asked);
            flip
        };
        let one = |answer: Option<bool>| answer.map(|it| (0, it));
        Flips {
            refers: flip(&|judge| one(judge.refers)),
            aligned: flip(&|judge| one(judge.aligned)),
            grounded: flip(&|judge| one(judge.grounded)),
            any: flip(&|judge| {
                let bits = [judge.refers, judge.aligned, judge.grounded];
                let code = bits
                    .iter()
                    .fold(0, |code, bit| code * 3 + bit.map_or(2, u8::from));
                (!judge.unreadable).then_some((code, true))
            }),
        }
    }
}

/// What is found of one kind of planted error, or flagged of what is right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Detection {
    /// The replies.
    pub replies: usize,
    /// Those that the judge finds something wrong with.
    pub judge: usize,
    /// Those that the checker finds something wrong with.
    pub checker: usize,
    /// The judge's share; absent of none.
    pub judge_rate: Option<f64>,
    /// The checker's share; absent of none.
    pub checker_rate: Option<f64>,
}

/// What judge and checker find in replies with labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Planted {
    /// By what is planted: the rates are the recall.
    pub operators: BTreeMap<String, Detection>,
    /// Of what is right: the rates are the false alarms.
    pub right: Detection,
}

impl Planted {
    /// Counts replies, each with its operator and label. One that the judge gives no answer to is
    /// one that it does not find.
    pub fn of<'a>(
        turns: impl IntoIterator<Item = (Option<&'a str>, TurnLabel, &'a Judgement, &'a Flags)>,
    ) -> Self {
        let mut planted = Planted::default();
        for (operator, label, judge, flags) in turns {
            let found = match label.is_right() {
                true => &mut planted.right,
                false => {
                    let operator = operator.unwrap_or("wrong").to_owned();
                    planted.operators.entry(operator).or_default()
                }
            };
            found.replies += 1;
            found.judge += usize::from(judge.is_right() == Some(false));
            found.checker += usize::from(!flags.correct());
        }
        let all = planted.operators.values_mut();
        for found in all.chain([&mut planted.right]) {
            found.judge_rate = share(found.judge, found.replies);
            found.checker_rate = share(found.checker, found.replies);
        }
        planted
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of turns")]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
