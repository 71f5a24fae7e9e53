//! The course of a dialogue: the goals of the user, and their answers to questions.

use super::Stop;
use super::besides::{before_question, beside, repeat, show, stray};
use super::scene::Scene;
use super::stage::Names;
use super::templates::{Goal, Slot};
use super::wish::Wish;
use crate::dialogue::{Outcome, Status};

/// The act of a user in place of an answer, or with it.
enum Act {
    /// They said something that leaves the goal open.
    Said(String),
    /// They agreed.
    Agreed(String),
    /// The goal is over.
    Over,
}

/// The goals of a dialogue, at least and at most.
const GOALS: (usize, usize) = (2, 3);

/// Plays a dialogue to its end.
pub async fn play(scene: &mut Scene<'_>) -> Result<(), Stop> {
    let count = GOALS.0 + scene.stage.chance.below(GOALS.1 - GOALS.0 + 1);
    for _ in 0..count {
        let wish = scene.wish(|goal| goal.kind != "end" && goal.finds.is_none())?;
        pursue(scene, wish).await?;
    }
    if scene.stage.chance.percent(scene.stage.talk.odds.end) {
        let wish = scene.wish(|goal| goal.kind == "end")?;
        at_once(scene, wish, "").await?;
    }
    Ok(())
}

/// A goal from the request to its end.
async fn pursue<'a>(scene: &mut Scene<'a>, mut wish: Wish<'a>) -> Result<(), Stop> {
    let mut phrasings = &wish.goal.say;
    if let Some(detour) = scene.stage.chance.pick(&wish.goal.detours)
        && scene.stage.chance.percent(scene.stage.talk.odds.detour)
    {
        stray(scene, &mut wish, detour).await?;
        phrasings = &detour.then;
    }
    let uid = scene.new_goal();
    let mut user = wish.request(&scene.stage, phrasings, false)?;
    let mut has_looked = false;
    loop {
        let program = wish.program(&scene.stage)?;
        let missing = wish.missing();
        if missing.is_empty() && !wish.needs_yes() {
            let outcome = scene.turn(user, uid, Status::Final, Some(program)).await?;
            return finish(scene, wish, outcome).await;
        }
        scene
            .turn(user, uid, Status::Drafting, Some(program))
            .await?;
        let question = match missing.first() {
            Some(slot) => scene.stage.spoken(&slot.ask, &wish.names)?,
            None => scene.stage.spoken(wish.confirm, &wish.names)?,
        };
        scene.respond(question.clone());
        let asked = missing.first().map(|slot| slot.name.as_str());
        let finds = |goal: &Goal| asked.is_some() && goal.finds.as_deref() == asked;
        let has_finding = scene.templates.goals.iter().any(finds);
        if has_finding && scene.stage.chance.percent(scene.stage.talk.odds.find) {
            let finding = scene.wish(finds)?;
            at_once(scene, finding, &question).await?;
            scene.figures.count("interruption");
        } else if scene.stage.chance.percent(scene.stage.talk.odds.aside) {
            let aside = scene.wish(Goal::is_aside)?;
            at_once(scene, aside, &question).await?;
            scene.figures.count("interruption");
        }
        if let Some(look) = scene.stage.chance.pick(&wish.goal.looks)
            && missing.is_empty()
            && !has_looked
            && scene.stage.chance.percent(scene.stage.talk.odds.look)
        {
            has_looked = true;
            show(scene, &mut wish, look, &question).await?;
        }
        let act = match missing.as_slice() {
            [] => decide(scene, &mut wish, uid).await?,
            missing => answer(scene, &mut wish, uid, missing).await?,
        };
        user = match act {
            Act::Said(user) => user,
            Act::Over => return Ok(()),
            Act::Agreed(user) => {
                let outcome = scene.turn(user, uid, Status::Final, None).await?;
                return finish(scene, wish, outcome).await;
            }
        };
    }
}

/// Answers the question for a missing value.
async fn answer<'a>(
    scene: &mut Scene<'a>,
    wish: &mut Wish<'a>,
    uid: u32,
    missing: &[&'a Slot],
) -> Result<Act, Stop> {
    let odds = &scene.templates.talk.odds;
    if scene.stage.chance.percent(odds.drop) {
        return abandon(scene, uid, "abandon").await;
    }
    if scene.stage.chance.percent(odds.revise)
        && let Some(user) = revise(scene, wish)?
    {
        return Ok(Act::Said(user));
    }
    scene.figures.count("missing value");
    let [asked, others @ ..] = missing else {
        return Ok(Act::Over);
    };
    let mut said = vec![*asked];
    if let Some(other) = scene.stage.chance.pick(others)
        && scene.stage.chance.percent(odds.any_order)
    {
        scene.figures.count("any order");
        if scene.stage.chance.percent(50) {
            said.clear();
        }
        said.push(other);
    }
    let mut texts = Vec::new();
    for slot in said {
        wish.say(slot);
        texts.push(scene.stage.typed(&slot.answer, &wish.names)?);
    }
    let answer = texts.join(", ");
    if let Some(said) = beside(scene, wish, &answer)? {
        return Ok(Act::Said(said));
    }
    Ok(Act::Said(scene.stage.chatty(answer)))
}

/// Answers the question whether to go on.
async fn decide<'a>(scene: &mut Scene<'a>, wish: &mut Wish<'a>, uid: u32) -> Result<Act, Stop> {
    let odds = &scene.templates.talk.odds;
    if scene.stage.chance.percent(odds.refuse) {
        return abandon(scene, uid, "refusal").await;
    }
    let options = wish.options(|slot| &slot.revise);
    if let Some(option) = scene.stage.chance.pick(&options)
        && scene.stage.chance.percent(odds.option)
    {
        wish.say(option);
        scene.figures.count("change");
        let user = scene.stage.typed(&option.revise, &wish.names)?;
        return Ok(Act::Said(user));
    }
    if scene.stage.chance.percent(odds.change) {
        if let Some(change) = scene.stage.chance.pick(&wish.goal.changes)
            && wish.confirm == wish.goal.confirm
        {
            scene.figures.count("change");
            let user = scene.stage.typed(&change.say, &wish.names)?;
            wish.change(change);
            return Ok(Act::Said(user));
        }
        if let Some(user) = revise(scene, wish)? {
            return Ok(Act::Said(user));
        }
    }
    scene.figures.count("confirmation");
    let yes = scene
        .stage
        .typed(&scene.templates.talk.yes, &Names::new())?;
    Ok(Act::Agreed(yes))
}

/// Says another value for one that was said; `None` if none can be changed.
fn revise<'a>(scene: &mut Scene<'a>, wish: &mut Wish<'a>) -> Result<Option<String>, Stop> {
    let Some(slot) = scene.stage.chance.pick(&wish.changeable()).copied() else {
        return Ok(None);
    };
    let Some(other) = &slot.other else {
        return Ok(None);
    };
    let new = scene.stage.value(other, &wish.names)?;
    if wish.names.get(&slot.name) == Some(&new) {
        return Ok(None);
    }
    wish.revise(slot, new);
    scene.figures.count("revision");
    scene.stage.typed(&slot.revise, &wish.names).map(Some)
}

/// Gives a goal up.
async fn abandon(scene: &mut Scene<'_>, uid: u32, why: &'static str) -> Result<Act, Stop> {
    let talk = &scene.templates.talk;
    let (said, reply) = match why {
        "refusal" => (&talk.no, &talk.kept),
        _ => (&talk.drop, &talk.dropped),
    };
    let user = scene.stage.typed(said, &Names::new())?;
    scene.turn(user, uid, Status::Abandoned, None).await?;
    let reply = scene.stage.spoken(reply, &Names::new())?;
    scene.respond(reply);
    scene.figures.count(why);
    Ok(Act::Over)
}

/// A goal of one turn. `waiting` is the question of the goal that it interrupts.
async fn at_once<'a>(scene: &mut Scene<'a>, mut wish: Wish<'a>, waiting: &str) -> Result<(), Stop> {
    let user = wish.request(&scene.stage, &wish.goal.say, true)?;
    let (uid, program) = (scene.new_goal(), wish.program(&scene.stage)?);
    let outcome = scene.turn(user, uid, Status::Final, Some(program)).await?;
    let Some(outcome) = outcome else {
        return Ok(());
    };
    let reply = scene.reply(&wish, &outcome)?;
    scene.respond(before_question(&reply, waiting));
    Ok(())
}

/// Replies to an outcome; after an error the user may say the right value.
async fn finish<'a>(
    scene: &mut Scene<'a>,
    wish: Wish<'a>,
    outcome: Option<Outcome>,
) -> Result<(), Stop> {
    let Some(outcome) = outcome else {
        return Ok(());
    };
    let reply = scene.reply(&wish, &outcome)?;
    scene.respond(reply);
    if !outcome.is_error() {
        return repeat(scene, wish).await;
    }
    if !scene.stage.chance.percent(scene.templates.talk.odds.repair) {
        return Ok(());
    }
    let Some((slot, right)) = wish.mistake.clone() else {
        return Ok(());
    };
    let Some(mut wish) = wish.repaired() else {
        return Ok(());
    };
    let names = Names::from([
        ("value".to_owned(), right),
        ("slot".to_owned(), (&*slot.name).into()),
    ]);
    let user = scene.stage.typed(&scene.templates.talk.repair, &names)?;
    let user = beside(scene, &mut wish, &user)?.unwrap_or(user);
    let (uid, program) = (scene.new_goal(), wish.program(&scene.stage)?);
    scene.figures.count("repair");
    if !wish.needs_yes() {
        if let Some(outcome) = scene.turn(user, uid, Status::Final, Some(program)).await? {
            let reply = scene.reply(&wish, &outcome)?;
            scene.respond(reply);
        }
        return Ok(());
    }
    scene
        .turn(user, uid, Status::Drafting, Some(program))
        .await?;
    let question = scene.stage.spoken(wish.confirm, &wish.names)?;
    scene.respond(question);
    let yes = scene
        .stage
        .typed(&scene.templates.talk.yes, &Names::new())?;
    if let Some(outcome) = scene.turn(yes, uid, Status::Final, None).await? {
        let reply = scene.reply(&wish, &outcome)?;
        scene.respond(reply);
    }
    Ok(())
}
