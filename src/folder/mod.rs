//! Domains that are folders: users add their own API without writing Rust.
//!
//! | file | what it holds |
//! |---|---|
//! | `domain.toml` | the name, and which operations read, write and destroy |
//! | `api.pyi` | Python stubs: what models read; its functions are the operations |
//! | `world.py` | a function for each operation; its first parameter is the state, a dict |
//! | `worlds/NAME.json` | initial states; also `NAME.json.gz` |
//! | `guide.md` | rules in words for the model, if there are any |
//! | `policy.toml` | rules that code enforces, if there are any |
//! | `examples/*.xml` | example dialogues, if there are any |
//! | `worksheets.csv` | what is asked, said and done, in conversations by forms, if the domain has any |
//! | `kb/*` | what questions are answered from, beside worksheets |
//! | `programs.py` | in the place of `api.pyi` and `world.py`, with sheets over another domain |
//! | `claims.toml` | the rows that replies are checked by, if the domain has any |
//! | `gold.jsonl` | recorded calls with the state that they lead to, if there are any |
//!
//! `world.py` runs in an instance of the sandbox of its own ([`exec::Resident`]), so a
//! program sees neither the state nor the code behind the API. The host holds the state, as
//! a persistent [`StateValue`](crate::domain::StateValue): a fork is a clone, a plan is the
//! difference of two states, and undo sets the old records again. The author writes no code
//! for this. `sandbox/src/watched.rs` finds the changes that a call made, and takes them back
//! if the call raises an error.
//!
//! The signature of a state is one field of the stream, with the tag `j` (0x6a): the
//! canonical JSON of the state.
//!
//! The clock and the randomness of `world.py` follow from the number of changes so far.
//! So a call that is repeated in the same state, like the calls of a plan, gives the same ids
//! and times.
//!
//! [`exec::Resident`]: crate::exec::Resident

mod answered;
mod approval;
mod assemble;
mod call_planning;
mod check;
mod contents;
mod definition;
mod diff;
mod doubt;
mod facts;
mod gold;
mod held_state;
mod kept_file;
mod new;
mod planning;
mod python_json;
mod runtime;
mod server;
mod server_worlds;
mod state_file;
mod stub;
mod touches;
mod worksheets;
mod world;
mod worlds;

pub use answered::{Answered, answered};
pub use approval::{Approval, unapproved};
pub use check::{Finding, check};
pub use definition::{Definition, DomainKind};
pub use gold::{Replayed, replay_gold};
pub use new::create;
pub use runtime::WORLD_ERROR;
pub use server::{McpMade, OpenapiMade, create_mcp, create_openapi};
pub use worksheets::{
    DIALOGUES, check_actions, check_cells, check_knowledge, check_programs,
    content as worksheets_content, create as create_worksheets, find as worksheets_of,
    findings_of_turn as worksheets_findings, settings as worksheets_settings,
    unfit as worksheets_unfit,
};

use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::exec::Cache;
use runtime::{Runtime, SharedRuntime};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stub::Stub;
use world::Facts;

/// A folder that was read.
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// The content of `domain.toml`.
    pub definition: Definition,
    /// The domain.
    pub domain: Arc<Domain>,
    /// The initial states by name; the default is the first.
    pub worlds: Vec<(String, PathBuf)>,
    /// The runtime of `world.py`, where the domain has one.
    code: Option<Code>,
}

/// The code behind an API, and what its worlds know of the operations.
struct Code {
    runtime: SharedRuntime,
    facts: Arc<Facts>,
}

impl Folder {
    /// Whether `world.py` answers its calls, so that a check loads it in the sandbox.
    pub fn has_code(&self) -> bool {
        self.code.is_some()
    }

    /// The source of the answers to calls.
    ///
    /// # Errors
    /// It is a server.
    fn code(&self) -> Result<&Code> {
        self.code.as_ref().ok_or_else(|| {
            let who = match &self.definition.domain {
                Some(base) => format!("the domain {base}"),
                None => "a server".to_owned(),
            };
            Error::usage(format!(
                "{} is a domain whose calls {who} answers: there is no state to replay calls on",
                self.path.display()
            ))
        })
    }
}

/// Whether the text names a folder, and not a built-in domain.
pub fn is_folder(text: &str) -> bool {
    text.contains('/') || Path::new(text).join(definition::FILE).exists()
}

/// The domain of a folder. The sandbox is prepared in `cache` when the first call is made.
///
/// ```
/// use dialog2api::domain::Access;
/// use dialog2api::exec::Cache;
/// use dialog2api::folder;
///
/// let place = tempfile::tempdir()?;
/// let path = place.path().join("library");
/// folder::create(&path)?;
/// let domain = folder::load(&path, &Cache::of_user()?)?;
/// assert_eq!(domain.name, "library");
/// assert!(domain.writes("add_item") && domain.destroys("remove_item"));
/// assert_eq!(domain.world_names(), ["start"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A file is missing or wrong: its path, the line and what is expected. `domain check` finds
/// more than what keeps a domain from being used.
pub fn load(path: &Path, cache: &Cache) -> Result<Arc<Domain>> {
    Ok(open(path, cache)?.domain.clone())
}

/// The client of the sandbox that answers calls to `world.py`, where it is not that of programs.
pub fn functions_client(domain: &Domain) -> Option<&'static str> {
    let is_other =
        domain.api.client.starts_with(runtime::CLIENT) && *domain.api.client != *runtime::CLIENT;
    is_other.then_some(runtime::CLIENT)
}

/// Reads a folder.
///
/// # Errors
/// As [`load`].
pub fn open(path: &Path, cache: &Cache) -> Result<Arc<Folder>> {
    if !path.join(definition::FILE).exists() {
        return Err(Error::usage(format!(
            "{} is not a domain: it has no {}; `dialog2api domain new {}` makes a folder that has \
             one",
            path.display(),
            definition::FILE,
            path.display()
        )));
    }
    let definition = Definition::read(path)?;
    if definition.domain.is_some() {
        let over = worksheets::Over::of(path, &definition)?;
        return Ok(Arc::new(Folder {
            path: path.to_owned(),
            domain: Arc::new(over.domain(over.base()?)?),
            worlds: over.worlds,
            definition,
            code: None,
        }));
    }
    let (api, stub) = Stub::read(&path.join(assemble::API))?;
    if definition.kind != DomainKind::Python {
        return Ok(Arc::new(Folder {
            path: path.to_owned(),
            domain: Arc::new(server::domain(path, &definition, &api, &stub)?),
            definition,
            worlds: Vec::new(),
            code: None,
        }));
    }
    let (source, _) = Stub::read(&path.join(assemble::WORLD))?;
    let worlds = assemble::worlds(path, &definition, state_file::name)?;
    let runtime = Arc::new(Runtime::new(source, definition.errors.clone(), cache));
    let (domain, facts) = assemble::domain(path, &definition, &api, &stub, &worlds, &runtime)?;
    let domain = match worksheets::find(path) {
        Some(sheets) => worksheets::worksheets(path, &sheets, &definition, domain)?,
        None => domain,
    };
    Ok(Arc::new(Folder {
        path: path.to_owned(),
        definition,
        domain: Arc::new(domain),
        worlds,
        code: Some(Code { runtime, facts }),
    }))
}
