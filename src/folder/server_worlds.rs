//! The only world of a domain that is a server.

use crate::domain::{FoundWorld, NamedWorld, Opened, Opening, Overlaid, World, WorldKind, Worlds};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of that world.
const SERVER: &str = "server";

/// Opens the server.
pub struct ServerWorlds {
    /// The domain's name.
    pub name: String,
    /// The server, for people; with the account, its identity.
    pub about: String,
    /// Makes a world of the server. Nothing is sent yet.
    pub connect: Arc<dyn Fn() -> Result<Connected> + Send + Sync>,
}

/// A server, and who calls it.
pub struct Connected {
    pub world: Arc<dyn World>,
    /// The fingerprint of the credential, if there is one.
    pub fingerprint: Option<String>,
}

impl ServerWorlds {
    fn check(&self, named: &NamedWorld) -> Result<()> {
        match named.name.as_deref() {
            None | Some(SERVER) => Ok(()),
            Some(name) => Err(Error::usage(format!(
                "the domain {} has no world {name:?}: its only world is {SERVER}, {}",
                self.name, self.about
            ))),
        }
    }

    fn no_copy(&self, wanted: &str) -> Error {
        Error::usage(format!(
            "{} is a server that cannot be copied: {wanted}. A program on it is shown and \
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
            // The account is a part of it, and a keyring may ask its user before it tells that.
            identity: None,
            is_signed: false,
            blind_spots: Some("the state of a server is not known to its domain".to_owned()),
        })
    }

    async fn open(&self, named: &NamedWorld, _: Opening) -> Result<Opened> {
        self.check(named)?;
        let Connected { world, fingerprint } = (self.connect)()?;
        Ok(Opened {
            world,
            kind: WorldKind::Remote,
            identity: match fingerprint {
                Some(it) => format!("{}, credential with the fingerprint {it}", self.about),
                None => self.about.clone(),
            },
            folders: BTreeMap::new(),
        })
    }

    async fn open_overlay(&self, _: &NamedWorld, _: Opening) -> Result<Arc<dyn Overlaid>> {
        Err(self.no_copy("there is no overlay over it"))
    }

    fn way_back(&self) -> &'static str {
        "set its address or command in domain.toml, and its credentials, as they were"
    }

    fn initial(&self, _: &str) -> Result<Arc<dyn World>> {
        Err(self.no_copy("no dialogue is replayed there"))
    }
}
