//! Turns and wishes that a user adds to a goal: an option, a request that cannot be done, a
//! look at what will happen, and the same goal once more.

use super::Stop;
use super::scene::Scene;
use super::stage::value;
use super::templates::{Detour, Look};
use super::wish::Wish;
use crate::dialogue::{Outcome, Program, Status};

/// Appends an option of the goal to what the user says; `None` if no option is drawn.
pub fn beside<'a>(
    scene: &mut Scene<'a>,
    wish: &mut Wish<'a>,
    said: &str,
) -> Result<Option<String>, Stop> {
    let options = wish.options(|slot| &slot.beside);
    let Some(option) = scene.stage.chance.pick(&options) else {
        return Ok(None);
    };
    if !scene.stage.chance.percent(scene.templates.talk.odds.option) {
        return Ok(None);
    }
    wish.say(option);
    scene.figures.count("option");
    let beside = scene.stage.typed(&option.beside, &wish.names)?;
    let join = scene.stage.chance.pick(&scene.templates.talk.joins);
    let join = join.map_or(", ", String::as_str);
    Ok(Some(format!(
        "{}{join}{beside}",
        said.trim_end_matches('.')
    )))
}

/// Says something that cannot be done, before the request.
pub async fn stray<'a>(
    scene: &mut Scene<'a>,
    wish: &mut Wish<'a>,
    detour: &'a Detour,
) -> Result<(), Stop> {
    let phrasing = (scene.stage.chance.pick(&detour.say))
        .ok_or_else(|| Stop::Unfit(format!("{}: a detour says nothing", wish.goal.id)))?;
    wish.mention(&scene.stage.mentioned(phrasing)?);
    let user = scene
        .stage
        .typed(std::slice::from_ref(phrasing), &wish.names)?;
    let program = Program::new(&format!("raise {}()", detour.raises));
    let uid = scene.new_goal();
    scene.turn(user, uid, Status::Final, Some(program)).await?;
    let reply = scene.stage.spoken(&detour.reply, &wish.names)?;
    scene.respond(reply);
    scene.figures.count(match detour.raises.as_str() {
        "OutOfScopeRequestError" => "out of scope",
        "OverSpecificationError" => "over-specified",
        "FAQ" => "faq",
        _ => "ambiguous",
    });
    Ok(())
}

/// Shows what a goal is about, and asks once more.
pub async fn show<'a>(
    scene: &mut Scene<'a>,
    wish: &mut Wish<'a>,
    look: &'a Look,
    question: &str,
) -> Result<(), Stop> {
    let user = scene.stage.typed(&look.say, &wish.names)?;
    let program = wish.other_program(&look.program, &scene.stage)?;
    let uid = scene.new_goal();
    let outcome = scene.turn(user, uid, Status::Final, Some(program)).await?;
    let Some(Outcome::Result(result)) = outcome else {
        return Err(Stop::Unfit(format!(
            "{}: cannot be looked at",
            wish.goal.id
        )));
    };
    let mut names = wish.names.clone();
    names.insert("result".to_owned(), value(&result));
    let reply = scene.stage.spoken(&look.reply, &names)?;
    scene.respond(before_question(&reply, question));
    scene.figures.count("look");
    Ok(())
}

/// A reply and the question that still waits for its answer.
pub fn before_question(reply: &str, question: &str) -> String {
    // A question after a list stands on a line of its own.
    let between = if reply.contains('\n') { "\n" } else { " " };
    format!("{reply}{between}{question}").trim().to_owned()
}

/// Asks for the same once more, with one more option.
pub async fn repeat<'a>(scene: &mut Scene<'a>, wish: Wish<'a>) -> Result<(), Stop> {
    let options = wish.options(|slot| &slot.again);
    let Some(option) = scene.stage.chance.pick(&options).copied() else {
        return Ok(());
    };
    if wish.needs_yes() || !scene.stage.chance.percent(scene.templates.talk.odds.again) {
        return Ok(());
    }
    let mut wish = wish.again();
    wish.say(option);
    let user = scene.stage.typed(&option.again, &wish.names)?;
    let (uid, program) = (scene.new_goal(), wish.program(&scene.stage)?);
    if let Some(outcome) = scene.turn(user, uid, Status::Final, Some(program)).await? {
        let reply = scene.reply(&wish, &outcome)?;
        scene.respond(reply);
    }
    scene.figures.count("follow-up");
    Ok(())
}
