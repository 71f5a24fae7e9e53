//! The worlds of another domain, and those that a folder describes in its form.

use super::over::Over;
use crate::domain::{
    Domain, FoundWorld, NamedWorld, Opened, Opening, Overlaid, ServerCheck, World, WorldKind,
    WorldOption, Worlds,
};
use crate::error::Result;
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;

/// Opens the worlds of `worlds/` by their names, and every other one as the domain does.
pub struct OwnWorlds {
    pub over: Over,
    pub base: Arc<Domain>,
}

impl OwnWorlds {
    /// The description of an own world; none where the domain opens the world by its name.
    fn path(&self, name: Option<&str>) -> Option<String> {
        let mut own = self.over.worlds.iter();
        let (_, path) = match name {
            Some(name) => own.find(|(known, _)| known == name)?,
            None => own.next()?,
        };
        Some(path.display().to_string())
    }

    /// What the domain knows the world as. A server that options name is no own world.
    fn named(&self, named: &NamedWorld) -> NamedWorld {
        let found = self.base.worlds().and_then(|worlds| worlds.find(named));
        if named.name.is_none() && found.is_ok_and(|found| found.kind == WorldKind::Remote) {
            return named.clone();
        }
        let path = self.path(named.name.as_deref());
        NamedWorld {
            name: path.or_else(|| named.name.clone()),
            ..named.clone()
        }
    }
}

#[async_trait]
impl Worlds for OwnWorlds {
    fn built_in(&self) -> Vec<(String, String)> {
        let own = self.over.worlds.iter().map(|(name, path)| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            (name.clone(), format!("worlds/{file}, in memory"))
        });
        let is_own = |name: &str| self.over.worlds.iter().any(|(known, _)| known == name);
        let others = self.base.worlds().map(Worlds::built_in).unwrap_or_default();
        let others = others.into_iter();
        own.chain(others.filter(|(name, _)| !is_own(name)))
            .collect()
    }

    fn forms(&self) -> Vec<(String, String)> {
        self.base
            .worlds()
            .map_or_else(|_| Vec::new(), Worlds::forms)
    }

    fn options(&self) -> Vec<WorldOption> {
        self.base
            .worlds()
            .map_or_else(|_| Vec::new(), Worlds::options)
    }

    fn find(&self, named: &NamedWorld) -> Result<FoundWorld> {
        let found = self.base.worlds()?.find(&self.named(named))?;
        let first = self.over.worlds.first().map(|(name, _)| name.clone());
        let own = named.name.clone().or(first);
        Ok(match own.filter(|name| self.path(Some(name)).is_some()) {
            Some(name) if self.named(named).name != named.name => FoundWorld { name, ..found },
            _ => found,
        })
    }

    fn adapted(&self, _: &Domain, named: &NamedWorld) -> Result<Option<Domain>> {
        let adapted = self.base.worlds()?.adapted(&self.base, named)?;
        let adapted = adapted.map(|base| self.over.domain(Arc::new(base)));
        adapted.transpose()
    }

    fn with_unlisted(&self, named: &NamedWorld, folder: &Path) -> NamedWorld {
        match self.base.worlds() {
            Ok(worlds) => worlds.with_unlisted(named, folder),
            Err(_) => named.clone(),
        }
    }

    async fn open(&self, named: &NamedWorld, how: Opening) -> Result<Opened> {
        self.base.worlds()?.open(&self.named(named), how).await
    }

    async fn open_overlay(&self, named: &NamedWorld, how: Opening) -> Result<Arc<dyn Overlaid>> {
        self.base
            .worlds()?
            .open_overlay(&self.named(named), how)
            .await
    }

    async fn server(&self, named: &NamedWorld) -> Option<ServerCheck> {
        self.base.worlds().ok()?.server(named).await
    }

    fn way_back(&self) -> &'static str {
        self.base.worlds().map_or("", Worlds::way_back)
    }

    fn initial(&self, spec: &str) -> Result<Arc<dyn World>> {
        let path = self.path(Some(spec));
        self.base.worlds()?.initial(path.as_deref().unwrap_or(spec))
    }
}
