//! Decision games as domains: a domain for each kind of game and seat, from the stubs of its calls.

use super::conduct::Seated;
use super::worlds::Tables;
use crate::domain::{
    Access, Domain, Effects, Operation, PathForm, Place, Segment, Target, Touches, Value,
};
use crate::error::{Error, Result};
use crate::folder::{Answered, answered};
use decision_games::programs::{MOVES, stub};
use decision_games::{Code, Kind, Kinds};
use std::sync::{Arc, LazyLock};

/// The handle of programs.
const HANDLE: &str = "game";

/// The moves of all seats.
const STUBS: &str = "\
def say(text): ...
def propose(decision): ...
def accept(): ...
def reject(): ...
";

/// The domains of the games that come with the program.
pub fn domains() -> Vec<Arc<Domain>> {
    // Every command asks for the options of all domains.
    static ALL: LazyLock<Vec<Arc<Domain>>> = LazyLock::new(|| {
        let kinds = Kinds::default();
        let names: Vec<String> = kinds.names().map(str::to_owned).collect();
        let domains = names.iter().filter_map(|name| domain(&kinds, name).ok());
        domains.map(Arc::new).collect()
    });
    ALL.clone()
}

/// The domain of a kind of game, for the first seat that proposes.
///
/// # Errors
/// There is no such game.
pub fn domain(kinds: &Kinds, name: &str) -> Result<Domain> {
    let kind = kinds.find(name).map_err(Error::usage)?;
    let worlds = Tables::new(kinds.clone(), kind.name());
    let domain = domain_of(kind.name(), stub(kind, first(kind)))?;
    Ok(with_worlds(domain, worlds))
}

/// The seat that programs play unless another one is named.
pub(super) fn first(kind: &dyn Kind) -> usize {
    let proposes = kind.seats().iter().position(|seat| seat.may_propose);
    proposes.unwrap_or_default()
}

pub(super) fn with_worlds(domain: Domain, worlds: Tables) -> Domain {
    Domain {
        worlds: Some(Arc::new(worlds)),
        ..domain
    }
}

/// The domain of a seat with these stubs, without worlds to open.
pub(super) fn domain_of(name: &str, api: Option<String>) -> Result<Domain> {
    let api = api.ok_or_else(|| Error::usage(format!("{name} has no such seat")))?;
    let domain = of_stubs(name, &api)?;
    // A policy is for all seats of a game.
    let known = |moved: &Operation| {
        domain
            .api
            .operations
            .iter()
            .any(|own| own.name == moved.name)
    };
    let mut of_others = of_stubs(name, STUBS)?.api.operations;
    of_others.retain(|moved| !known(moved));
    Ok(Domain {
        effects: Effects {
            touches: Some(Arc::new(Moves)),
            restoring: of_others,
            ..domain.effects
        },
        conduct: Some(Arc::new(Seated { document: api })),
        ..domain
    })
}

fn of_stubs(name: &str, api: &str) -> Result<Domain> {
    let codes = Code::ALL.iter().map(|code| code.name().to_owned());
    answered(&Answered {
        name,
        title: &format!("The game {name}"),
        handle: HANDLE,
        api,
        errors: codes.collect(),
        writes: &MOVES,
    })
}

/// Moves write to one place, the game, so that a policy can deny one of them.
struct Moves;

impl Touches for Moves {
    fn targets(&self, operation: &str, _: &Value) -> Vec<Target> {
        let is_move = MOVES.contains(&operation);
        let place = || Target::object(Place::container(HANDLE));
        is_move.then(place).into_iter().collect()
    }

    fn call(&self, _: &str, _: Option<&str>, _: Option<&str>) -> Value {
        Value::Map(Vec::new())
    }

    fn forms(&self, operation: &Operation) -> Option<Vec<PathForm>> {
        let place = || PathForm {
            accesses: vec![Access::Write],
            segments: vec![Segment::Text(HANDLE.to_owned())],
        };
        let is_move = MOVES.contains(&&*operation.name);
        Some(is_move.then(place).into_iter().collect())
    }
}
