//! Where a seat that programs play comes from: a seed, or the state of a game under way.

use super::domain::{domain_of, first, with_worlds};
use super::seat::SeatWorld;
use crate::domain::{
    Domain, FoundWorld, NamedWorld, Opened, Opening, OptionValues, Overlaid, World, WorldKind,
    WorldOption, Worlds,
};
use crate::error::{Error, Result};
use async_trait::async_trait;
use decision_games::Kinds;
use decision_games::programs::{Begun, Party, stub};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The option that names a seat.
const SEAT: &str = "seat";

/// Opens seats at tables of one kind of game.
#[derive(Clone)]
pub(super) struct Tables {
    kinds: Kinds,
    game: String,
}

impl Tables {
    pub fn new(kinds: Kinds, game: &str) -> Tables {
        let game = game.to_owned();
        Tables { kinds, game }
    }

    /// The number of the seat that the options name.
    fn seat(&self, named: &NamedWorld) -> Result<usize> {
        let kind = self.kinds.find(&self.game).map_err(Error::usage)?;
        let Some(name) = named.options.get(SEAT) else {
            return Ok(first(kind));
        };
        let names: Vec<&str> = kind.seats().iter().map(|seat| seat.name).collect();
        names.iter().position(|known| known == name).ok_or_else(|| {
            Error::usage(format!(
                "{} has no seat {name:?}; its seats are {}",
                self.game,
                names.join(", ")
            ))
        })
    }

    /// How the game of this name begins; none for what is no name.
    fn begun(&self, name: &str) -> Result<Begun> {
        let digits = name.strip_prefix("seed:").unwrap_or(name);
        if let Ok(seed) = digits.parse() {
            return Ok(Begun::Seed(seed));
        }
        if name.starts_with("seed:") || !Path::new(name).exists() {
            return Err(Error::usage(format!(
                "{} has no world {name:?}: name one as seed:7, or a file with the state of a game",
                self.game
            )));
        }
        let text = std::fs::read_to_string(name).map_err(Error::file("cannot read", name))?;
        let state: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| Error::usage(format!("{name}: {error}")))?;
        match state["game"].as_str() {
            Some(game) if game == self.game => Ok(Begun::State(state)),
            _ => Err(Error::usage(format!(
                "{name} has no state of {}, as `game serve` gives it",
                self.game
            ))),
        }
    }

    fn world(&self, named: &NamedWorld) -> Result<Arc<dyn World>> {
        let begun = self.begun(name(named))?;
        let party = Party::begin(&self.kinds, &self.game, self.seat(named)?, &begun);
        Ok(Arc::new(SeatWorld::new(party.map_err(Error::usage)?)))
    }
}

fn name(named: &NamedWorld) -> &str {
    named.name.as_deref().unwrap_or("seed:0")
}

#[async_trait]
impl Worlds for Tables {
    fn built_in(&self) -> Vec<(String, String)> {
        let about = "the world of seed 0, where the others have spoken";
        vec![("seed:0".to_owned(), about.to_owned())]
    }

    fn forms(&self) -> Vec<(String, String)> {
        let forms = [
            ("seed:N", "the world of any other seed, in memory"),
            (
                "FILE.json",
                "a game under way, as `state` of `game serve` gives it; in memory",
            ),
        ];
        forms
            .map(|(form, about)| (form.to_owned(), about.to_owned()))
            .into()
    }

    fn options(&self) -> Vec<WorldOption> {
        vec![WorldOption {
            name: SEAT,
            value_name: "SEAT",
            help: "In a decision game: the seat that programs play [default: the first that proposes]",
            values: OptionValues::Text,
        }]
    }

    fn find(&self, named: &NamedWorld) -> Result<FoundWorld> {
        let seat = self.seat(named)?;
        let name = name(named);
        Ok(FoundWorld {
            name: name.to_owned(),
            kind: WorldKind::Memory,
            identity: Some(format!("{}/{name}/{seat}", self.game)),
            is_signed: true,
            blind_spots: None,
        })
    }

    fn adapted(&self, _: &Domain, named: &NamedWorld) -> Result<Option<Domain>> {
        let kind = self.kinds.find(&self.game).map_err(Error::usage)?;
        let domain = domain_of(kind.name(), stub(kind, self.seat(named)?))?;
        Ok(Some(with_worlds(domain, self.clone())))
    }

    async fn open(&self, named: &NamedWorld, _: Opening) -> Result<Opened> {
        Ok(Opened {
            world: self.world(named)?,
            kind: WorldKind::Memory,
            identity: self.find(named)?.identity.unwrap_or_default(),
            folders: BTreeMap::new(),
        })
    }

    async fn open_overlay(&self, _: &NamedWorld, _: Opening) -> Result<Arc<dyn Overlaid>> {
        Err(Error::usage(
            "a game has no overlay: a move reaches nobody before its turn is made",
        ))
    }

    fn initial(&self, spec: &str) -> Result<Arc<dyn World>> {
        self.world(&NamedWorld {
            name: Some(spec.to_owned()),
            ..NamedWorld::default()
        })
    }
}
