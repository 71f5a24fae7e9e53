//! A session in the store, and the world that it is bound to.

use crate::domain::{Domain, FoundWorld, NamedWorld, Opened, Signature, WorldKind};
use crate::error::{Error, Result};
use crate::journal::{Begin, Journal, SessionState, SessionStore};
use std::path::Path;
use std::sync::Arc;

/// A session that is about to be opened: one that is in the store already, or a new one.
pub struct StoredSession {
    store: SessionStore,
    name: Option<String>,
    /// Its state; `None` for a new session.
    state: Option<SessionState>,
}

/// The beginning of a new session.
pub struct Start<'a> {
    /// The world, as the user named it.
    pub world: &'a str,
    /// The name of the model.
    pub model: &'a str,
    /// The text of the policy.
    pub policy: &'a str,
    /// The signature of the world, if it is taken.
    pub signature: Option<Signature>,
}

/// The name that opens the world of a session again: as it was typed, if that still means
/// the same world, or else its absolute path. `None` for a world on a server, which its user
/// has to name. `identity` gives the [`Opened::identity`] of a name.
pub fn own_world(begin: &Begin, identity: impl Fn(&str) -> String) -> Option<&str> {
    if begin.is_remote() {
        return None;
    }
    match &begin.identity {
        // Other identities are no names of worlds.
        Some(own) if Path::new(own).is_absolute() && identity(&begin.world) != *own => Some(own),
        _ => Some(&begin.world),
    }
}

impl StoredSession {
    /// Looks for the session of this name; without a name it will be a new one.
    ///
    /// # Errors
    /// The name is invalid, or the journal is damaged.
    pub fn find(store: SessionStore, name: Option<&str>) -> Result<StoredSession> {
        let state = match name {
            Some(name) if store.has(name)? => Some(store.read(name)?.state),
            _ => None,
        };
        Ok(StoredSession {
            store,
            name: name.map(str::to_owned),
            state,
        })
    }

    /// The beginning of the session; `None` for a new one.
    pub fn begin(&self) -> Option<&Begin> {
        self.state.as_ref()?.begin.as_ref()
    }

    /// The world for the session: its own, unless another one is named or is on a server.
    /// A different world is refused, if the difference is known before it is opened.
    ///
    /// # Errors
    /// There is no such world, or it is not the session's.
    pub fn world(&self, domain: &Domain, named: &NamedWorld) -> Result<(NamedWorld, FoundWorld)> {
        let worlds = domain.worlds()?;
        let identity = |name: &str| {
            let named = NamedWorld {
                name: Some(name.to_owned()),
                ..NamedWorld::default()
            };
            let found = worlds.find(&named).ok();
            found.and_then(|found| found.identity).unwrap_or_default()
        };
        let found = worlds.find(named)?;
        let own = self.begin().and_then(|begin| own_world(begin, identity));
        let (named, found) = match own {
            Some(own) if named.name.is_none() && found.kind != WorldKind::Remote => {
                self.look()?;
                let named = NamedWorld {
                    name: Some(own.to_owned()),
                    options: named.options.clone(),
                };
                let found = worlds.find(&named)?;
                (named, found)
            }
            _ => (named.clone(), found),
        };
        let identity = found.identity.as_deref();
        self.check(domain, (found.name.as_str(), found.kind), identity)?;
        Ok((named, found))
    }

    /// Refuses a world that is not the session's. `world` is what the user typed, `identity`
    /// its [`Opened::identity`], where that is known before the world is opened.
    ///
    /// # Errors
    /// A sentence that names both worlds and the way out.
    pub fn check(
        &self,
        domain: &Domain,
        (world, kind): (&str, WorldKind),
        identity: Option<&str>,
    ) -> Result<()> {
        let (Some(begin), Some(name)) = (self.begin(), &self.name) else {
            return Ok(());
        };
        // Of two servers, the sentence below says more.
        if !(kind == WorldKind::Remote && begin.is_remote()) {
            self.check_domain(begin, name, domain)?;
        }
        let (own, other) = match (&begin.identity, identity) {
            (Some(own), Some(identity)) => (own.as_str(), identity),
            // An old journal without the identity, or a server that is not connected yet.
            _ => (begin.world.as_str(), world),
        };
        let is_remote = kind == WorldKind::Remote;
        // Where the kind was not kept, the identity of some servers had no account behind it.
        let more = other.strip_prefix(own);
        let more = more.filter(|_| is_remote && begin.kind.is_none());
        if own == other || more.is_some_and(|more| more.starts_with(", ")) {
            return Ok(());
        }
        self.look()?;
        let way = match &domain.worlds {
            Some(worlds) if is_remote && begin.is_remote() => worlds.way_back(),
            _ => "name that one with --world",
        };
        Err(Error::usage(format!(
            "the session {name} is one with the world {own}, not {other}: {way}, or begin \
             another session"
        )))
    }

    /// Refuses another domain than that of the session. One whose folder is gone may have been
    /// moved to where the user says that it is.
    fn check_domain(&self, begin: &Begin, name: &str, domain: &Domain) -> Result<()> {
        match &begin.domain {
            Some(own) if domain.folder.as_ref() != Some(own) && own.exists() => {
                Err(Error::usage(format!(
                    "the session {name} is one of the domain {own}, not {other}: name that one with \
                     --domain, or begin another session",
                    own = own.display(),
                    other = domain.name,
                )))
            }
            _ => Ok(()),
        }
    }

    /// Refuses to go on if the folder or file of the session's world is gone.
    ///
    /// # Errors
    /// A sentence that names the place and the way out.
    pub fn look(&self) -> Result<()> {
        match (self.place(), &self.name) {
            (Some(place), Some(name)) if !place.exists() => Err(Error::usage(format!(
                "the world of the session {name} was {}, and nothing is there: if it was moved, \
                 `dialog2api session move {name} WORLD` takes the session along",
                place.display()
            ))),
            _ => Ok(()),
        }
    }

    /// The folder or file of the session's world; `None` for a built-in world or a server.
    fn place(&self) -> Option<&Path> {
        let place = self.begin()?.identity.as_deref().map(Path::new)?;
        place.is_absolute().then_some(place)
    }

    /// Refuses a folder that is another one than the plans of the session have under its name:
    /// finished or taken back, they would change files that nobody was shown. A world in memory
    /// needs the folders, because its writes are made again.
    fn check_folders(&self, world: &Opened) -> Result<()> {
        let (Some(state), Some(begin), Some(name)) = (&self.state, self.begin(), &self.name) else {
            return Ok(());
        };
        for (root, own) in begin.folders.iter().filter(|(root, _)| state.touches(root)) {
            let problem = match world.folders.get(root) {
                Some(other) if other != own => format!("is one with the folder {own}, not {other}"),
                None if world.kind == WorldKind::Memory => {
                    format!("makes its writes again, and some need the folder {own}")
                }
                _ => continue,
            };
            return Err(Error::usage(format!(
                "the session {name} {problem}: grant that one, or begin another session"
            )));
        }
        Ok(())
    }

    /// Takes the session along with its world, whose folder or file was moved. `world` is what
    /// the user typed, `identity` its [`Opened::identity`].
    ///
    /// # Errors
    /// There is no such session, its world is not a folder or file or was not moved, nothing is
    /// at the other place, or the journal cannot be written.
    pub fn take_along(&self, world: &str, identity: Option<&str>) -> Result<()> {
        let name = self.name.as_deref().unwrap_or_default();
        let was_ended = self.store.read(name)?.state.ended;
        let from = self.place().ok_or_else(|| {
            Error::usage(format!(
                "the world of the session {name} is not a folder or file that could be moved"
            ))
        })?;
        if from.exists() {
            return Err(Error::usage(format!(
                "the world of the session {name} is still at {}: move it first",
                from.display()
            )));
        }
        let to = identity.filter(|to| Path::new(to).is_absolute() && Path::new(to).exists());
        let Some(to) = to else {
            return Err(Error::usage(format!("there is no folder or file {world}")));
        };
        let journal = self.store.resume(name)?;
        journal.moved(world, to)?;
        if was_ended {
            journal.ended()?;
        }
        Ok(())
    }

    /// Opens the journal for writing: of the session that is there, or of a new one.
    ///
    /// # Errors
    /// Those of [`StoredSession::resume`] and [`SessionStore::begin`].
    pub async fn open(
        &self,
        world: &Opened,
        start: &Start<'_>,
        domain: &Domain,
    ) -> Result<Arc<Journal>> {
        let journal = if self.begin().is_some() {
            self.resume(start.world, world, domain).await?
        } else {
            let mut begin = Begin::new(start.world, start.model);
            start.policy.clone_into(&mut begin.policy);
            begin.identity = Some(world.identity.clone());
            begin.kind = Some(world.kind);
            begin.domain.clone_from(&domain.folder);
            begin.folders.clone_from(&world.folders);
            begin.signature = start.signature.map(|signature| signature.to_string());
            Arc::new(self.store.begin(self.name.as_deref(), begin)?)
        };
        journal.policy(start.policy)?;
        Ok(journal)
    }

    /// Opens the journal of the session that is there, and makes its writes again where its
    /// world is in memory.
    ///
    /// # Errors
    /// The world or a folder is not the session's, another process writes the session, or its
    /// journal is damaged.
    pub async fn resume(
        &self,
        named: &str,
        world: &Opened,
        domain: &Domain,
    ) -> Result<Arc<Journal>> {
        self.check(domain, (named, world.kind), Some(&world.identity))?;
        self.check_folders(world)?;
        let journal = self
            .store
            .resume(self.name.as_deref().unwrap_or_default())?;
        let mut folders = world.folders.clone();
        if let Some(begin) = self.begin() {
            folders.retain(|root, path| begin.folders.get(root).is_none_or(|it| *it != *path));
        }
        journal.granted(folders)?;
        if world.kind == WorldKind::Memory {
            journal.rebuild(&*world.world).await?;
        }
        Ok(Arc::new(journal))
    }
}
