//! The only world of a domain that is a server.

use crate::domain::{FoundWorld, NamedWorld, Opened, Opening, Overlaid, World, WorldKind, Worlds};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::sync::Arc;

/// The name of that world.
const SERVER: &str = "server";

/// Opens the server.
pub struct ServerWorlds {
    /// The domain's name.
    pub name: String,
    /// The server, for people and as its identity.
    pub about: String,
    /// Makes a world of the server. Nothing is sent yet.
    pub connect: Arc<dyn Fn() -> Result<Arc<dyn World>> + Send + Sync>,
}

impl ServerWorlds {
    fn check(&self, named: &NamedWorld) -> Result<()> {
        match named.name.as_deref() {
            None | Some(SERVER) => Ok(()),
            Some(name) => Err(Error::Usage(format!(
                "the domain {} has no world {name:?}: its only world is {SERVER}, {}",
                self.name, self.about
            ))),
        }
    }

    fn no_copy(&self, wanted: &str) -> Error {
        Error::Usage(format!(
            "{} is a server, and cannot be copied: {wanted}. A program on it is shown and \
             confirmed write by write: dialog2api chat",
            self.about
        ))
    }
}

#[async_trait]
impl Worlds for ServerWorlds {
    fn built_in(&self) -> Vec<(String, String)> {
        vec![(SERVER.to_owned(), self.about.clone())]
    }

    fn find(&self, named: &NamedWorld) -> Result<FoundWorld> {
        self.check(named)?;
        Ok(FoundWorld {
            name: SERVER.to_owned(),
            kind: WorldKind::Remote,
            identity: Some(self.about.clone()),
            is_signed: false,
            blind_spots: Some("the state of a server is not known to its domain".to_owned()),
        })
    }

    async fn open(&self, named: &NamedWorld, _: Opening) -> Result<Opened> {
        self.check(named)?;
        Ok(Opened {
            world: (self.connect)()?,
            kind: WorldKind::Remote,
            identity: self.about.clone(),
        })
    }

    async fn open_overlay(&self, _: &NamedWorld, _: Opening) -> Result<Arc<dyn Overlaid>> {
        Err(self.no_copy("there is no overlay over it"))
    }

    fn initial(&self, _: &str) -> Result<Arc<dyn World>> {
        Err(self.no_copy("no dialogue is replayed there"))
    }
}
