//! The units of a run: which seat of which game, at which cut.

use super::log::{GameMode, GameRun, Games, KIND, UnitKey, VERSION};
use crate::domain::{counted, plural};
use crate::error::{Error, Result};
use crate::eval::log::Shard;
use crate::games::{Acting, Sampling};
use decision_games::forced::{CUTS, Cut};
use decision_games::{Language, Recorded, Rules};
use std::sync::Arc;

/// The cuts after which games go on.
const RESUMED: [Cut; 3] = [Cut::Words(50), Cut::Words(75), Cut::End];

/// One seat of one game, at one cut.
#[derive(Clone)]
pub(super) struct Unit {
    pub place: UnitKey,
    pub seat: usize,
    pub cut: Option<Cut>,
    pub recorded: Arc<Recorded>,
}

/// The options of a run, except for the games.
#[derive(Debug, Clone)]
pub struct GameOptions {
    /// How games are played.
    pub mode: GameMode,
    /// How the model plays the seats that propose.
    pub agent: Acting,
    /// Who plays the seats that do not propose in self-play.
    pub users: String,
    /// What fixed parties speak.
    pub language: Language,
    /// Whether the rules of the environment hold that was released with the paper.
    pub as_released: bool,
    /// How the model is asked.
    pub sampling: Sampling,
    /// Only these cuts of those that the mode has; all where there are none.
    pub cuts: Vec<Cut>,
    /// Only games whose number modulo 3 is this.
    pub split: Option<u32>,
    /// The largest number of games of each kind.
    pub limit: Option<usize>,
    /// The part of the games that is run here.
    pub shard: Option<Shard>,
}

/// Chooses the games, and describes the run.
pub(super) fn plan(
    games: Vec<Recorded>,
    model: &str,
    wanted: &GameOptions,
) -> Result<(GameRun, Vec<Unit>)> {
    let known: &[Cut] = match wanted.mode {
        GameMode::Forced => &CUTS,
        GameMode::Psp => &RESUMED,
        _ => &[],
    };
    if let Some(cut) = wanted.cuts.iter().find(|cut| !known.contains(cut)) {
        let names: Vec<String> = known.iter().map(Cut::name).collect();
        return Err(Error::usage(match names.is_empty() {
            true => "--cut is for games that people began: --mode forced or psp".to_owned(),
            false => format!(
                "--mode {} has the cuts {}, not {}",
                wanted.mode,
                names.join(", "),
                cut.name()
            ),
        }));
    }
    let mut chosen: Vec<Arc<Recorded>> = Vec::new();
    for game in games {
        let same = chosen.iter().filter(|other| other.game == game.game);
        let (count, again) = same.fold((0, false), |(count, again), other| {
            (count + 1, again || other.index == game.index)
        });
        if again {
            let (name, index) = (&game.game, game.index);
            return Err(Error::usage(format!(
                "there are two games {name} {index}: give each a number of its own (index)"
            )));
        }
        let fits = wanted.split.is_none_or(|split| game.index % 3 == split);
        if fits && wanted.limit.is_none_or(|limit| count < limit) {
            chosen.push(Arc::new(game));
        }
    }
    let (mut units, mut all, mut waiting) = (Vec::new(), 0, false);
    let mut digest = blake3::Hasher::new();
    for (number, recorded) in (1..).zip(&chosen) {
        let line = serde_json::to_vec(&**recorded)
            .map_err(|error| Error::world(format!("a game cannot be written: {error}")))?;
        digest.update(&line).update(b"\n");
        let here = wanted.shard.is_none_or(|shard| shard.has(number));
        for unit in of_game(recorded, wanted)? {
            all += 1;
            units.extend(here.then_some(unit));
        }
        waiting |= recorded
            .open(Rules::default())
            .is_ok_and(|game| game.seats().iter().any(|seat| !seat.may_propose));
    }
    if units.is_empty() {
        return Err(Error::usage(format!(
            "there is nothing to run: {} {} chosen",
            counted(chosen.len(), "game"),
            plural(chosen.len(), "was", "were")
        )));
    }
    units.sort_by(|a, b| a.place.cmp(&b.place));
    let users = match wanted.mode {
        GameMode::Forced => None,
        GameMode::Scripted => Some("scripted".to_owned()),
        GameMode::Shy => Some("shy".to_owned()),
        GameMode::SelfPlay | GameMode::Psp => waiting.then(|| wanted.users.clone()),
    };
    let run = GameRun {
        kind: KIND.to_owned(),
        version: VERSION,
        dialog2api: env!("CARGO_PKG_VERSION").to_owned(),
        revision: option_env!("DIALOG2API_REVISION").map(str::to_owned),
        model: model.to_owned(),
        mode: wanted.mode,
        agent: wanted.agent,
        language: wanted.language,
        as_released: wanted.as_released,
        users,
        sampling: wanted.sampling.clone(),
        cuts: CUTS
            .iter()
            .filter(|cut| wanted.cuts.contains(cut))
            .map(Cut::name)
            .collect(),
        games: Games {
            split: wanted.split,
            count: chosen.len(),
            units: all,
            digest: digest.finalize().to_hex().to_string(),
        },
        shard: wanted.shard,
    };
    Ok((run, units))
}

fn of_game(recorded: &Arc<Recorded>, wanted: &GameOptions) -> Result<Vec<Unit>> {
    let name = || format!("{} {}", recorded.game, recorded.index);
    let game = recorded
        .open(Rules::default())
        .map_err(|problem| Error::usage(format!("game {}: {problem}", name())))?;
    let proposing = game.seats().iter().enumerate();
    let proposing = proposing.filter(|(_, seat)| seat.may_propose);
    // Where all seats play alike, one of them stands for all.
    let seats: Vec<(usize, &str)> = proposing.map(|(seat, who)| (seat, who.name)).collect();
    let (seats, cuts): (&[_], Vec<Option<Cut>>) = match wanted.mode {
        GameMode::Forced => (&seats, CUTS.map(Some).to_vec()),
        GameMode::Scripted | GameMode::Shy => (&seats, vec![None]),
        GameMode::SelfPlay => (seats.get(..1).unwrap_or_default(), vec![None]),
        GameMode::Psp => (
            seats.get(..1).unwrap_or_default(),
            RESUMED.map(Some).to_vec(),
        ),
    };
    let unit = |(seat, who): &(usize, &str), cut: Option<Cut>| Unit {
        place: UnitKey {
            game: recorded.game.clone(),
            index: recorded.index,
            cut: cut.map(|cut| format!("{:0>2}", cut.name())),
            seat: (*who).to_owned(),
        },
        seat: *seat,
        cut,
        recorded: recorded.clone(),
    };
    let chosen = |cut: &Option<Cut>| {
        wanted.cuts.is_empty() || cut.is_none_or(|cut| wanted.cuts.contains(&cut))
    };
    let all = cuts
        .into_iter()
        .filter(chosen)
        .flat_map(|cut| seats.iter().map(move |seat| (seat, cut)));
    Ok(all.map(|(seat, cut)| unit(seat, cut)).collect())
}
