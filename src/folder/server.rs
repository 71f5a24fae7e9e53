//! Domains whose calls are answered by a server.

use super::assemble::{API, common};
use super::call_planning::CallPlanning;
use super::definition::{Definition, DomainKind, FILE, is_name};
use super::doubt::Doubt;
use super::server_worlds::{Connected, ServerWorlds};
use super::stub::Stub;
use crate::domain::{Access, DocumentSelection, Domain, is_keyword};
use crate::error::{Error, Result};
use crate::keyring;
use crate::mcp::{Address, Client, McpWorld, Server, Tools};
use crate::openapi::{Api, ApiPages, Credentials, HttpWorld};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The file of an MCP server's tools, as they were when the folder was made.
pub(super) const TOOLS: &str = "tools.json";

/// The domain of a folder whose kind is not `python`.
///
/// # Errors
/// A file is missing or wrong.
pub fn domain(path: &Path, definition: &Definition, api: &str, stub: &Stub) -> Result<Domain> {
    let mut domain = common(path, definition, api, stub)?;
    domain.effects.is_stepwise = true;
    domain.effects.planning = Some(Arc::new(CallPlanning));
    domain.worlds = Some(Arc::new(match definition.kind {
        DomainKind::Openapi => openapi(path, definition, &mut domain)?,
        DomainKind::Mcp | DomainKind::Python => mcp(path, definition, &domain)?,
    }));
    Ok(domain)
}

/// Reads the OpenAPI document of this folder.
fn document(path: &Path) -> Result<Api> {
    let found = DOCUMENTS
        .iter()
        .map(|name| path.join(name))
        .find(|path| path.exists());
    let file = found.ok_or_else(|| Error::Content {
        path: path.join(FILE),
        problem: format!(
            "has the kind openapi, and there is no {}",
            DOCUMENTS.join(" or ")
        ),
    })?;
    let text = std::fs::read_to_string(&file).map_err(Error::file("cannot read", &file))?;
    Api::read(&text).map_err(|problem| Error::Content {
        path: file,
        problem,
    })
}

/// The world of an API that a document describes. Where its stubs are longer than a prompt
/// should be, each prompt gets those that fit what is said.
fn openapi(path: &Path, definition: &Definition, domain: &mut Domain) -> Result<ServerWorlds> {
    let api = Arc::new(document(path)?);
    let wrong = |problem: String| Error::Content {
        path: path.join(FILE),
        problem,
    };
    if let Some(unknown) = domain
        .operation_names()
        .find(|name| api.operation(name).is_none())
    {
        let problem = format!("has {unknown}, and the document has no such operation");
        return Err(Error::Content {
            path: path.join(API),
            problem,
        });
    }
    let base = api
        .base(definition.url.as_deref(), None)
        .map_err(|problem| wrong(format!("{problem}; write url = \"https://…\" into it")))?;
    domain.api.pages = Some(Arc::new(ApiPages::new(api.clone())));
    if domain.api.document.len() > LONG {
        let head = domain
            .api
            .document
            .split("\ndef ")
            .next()
            .unwrap_or_default();
        domain.api.selection = Some(Arc::new(Selected {
            api: api.clone(),
            head: head
                .lines()
                .filter(|line| line.starts_with('#'))
                .collect::<Vec<_>>()
                .join("\n"),
        }));
    }
    let about = format!("{} at {base}", api.title);
    let name = definition.name.clone();
    let trusted = definition.trusted_servers.clone();
    Ok(ServerWorlds {
        name: name.clone(),
        about,
        // A keyring may ask its user, so it is left alone until something is to be called.
        connect: Arc::new(move || {
            let auth = Credentials::of(&api, Some(&name), &secret);
            let fingerprint = auth.fingerprint();
            let world = HttpWorld::new(api.clone(), &base, auth)?.with_trusted(&trusted);
            Ok(Connected {
                world: Arc::new(world),
                fingerprint,
            })
        }),
    })
}

/// A secret of this name, of the environment or else of the system's keyring.
fn secret(name: &str) -> Option<String> {
    let of_environment = std::env::var(name).ok();
    of_environment.or_else(|| keyring::secret(name).ok())
}

/// Stubs of more bytes are not put into a prompt as a whole.
const LONG: usize = 24_000;
/// How many bytes of whole stubs a prompt gets then; the rest are stubs of one line.
const WHOLE: usize = 10_000;
/// The names that the document can have.
const DOCUMENTS: [&str; 3] = ["openapi.json", "openapi.yaml", "openapi.yml"];

/// The stubs that fit what is said.
struct Selected {
    api: Arc<Api>,
    /// How the API is used.
    head: String,
}

impl DocumentSelection for Selected {
    /// The domain may have fewer operations than the API.
    fn document(&self, domain: &Domain, words: &str, needed: &[&str]) -> String {
        let known = needed.iter().filter_map(|name| self.api.operation(name));
        let all = self.api.operations.len();
        let found = self.api.search_near(words, needed, all);
        let mut chosen: HashSet<&str> = HashSet::new();
        let fitting = known.chain(found).filter(|operation| {
            let is_offered = domain.operation(&operation.name).is_some();
            is_offered && chosen.insert(&operation.name)
        });
        let (mut whole, mut short) = (String::new(), String::new());
        for operation in fitting {
            let stub = operation.stub();
            if short.is_empty() && whole.len() + stub.len() <= WHOLE || whole.is_empty() {
                whole.push('\n');
                whole.push_str(&stub);
                continue;
            }
            let line = operation.short_stub();
            if whole.len() + short.len() + line.len() > LONG {
                break;
            }
            short.push_str(&line);
        }
        format!(
            "{}\n# Of {} operations those that may fit are shown.\n{whole}\n\
             # These may fit as well. They are shown in short.\n\n{short}",
            self.head,
            domain.api.operations.len(),
        )
    }
}

/// Makes the folder of an API's domain from its OpenAPI document: a file, or a URL.
/// Returns how many operations it has, how many of them only read, the variables of the
/// environment that hold its secrets, and what could not be read as it is meant.
///
/// # Errors
/// The document cannot be had or read, or the folder cannot be made.
pub async fn create_openapi(path: &Path, source: &str) -> Result<OpenapiMade> {
    let is_url = source.starts_with("http://") || source.starts_with("https://");
    let text = match is_url {
        true => crate::openapi::download(source).await?,
        false => std::fs::read_to_string(source).map_err(Error::file("cannot read", source))?,
    };
    let api = Api::read(&text).map_err(|problem| Error::Content {
        path: source.into(),
        problem,
    })?;
    if api.operations.is_empty() {
        return Err(Error::Content {
            path: source.into(),
            problem: format!("has nothing to call: {}", few(&api.notes)),
        });
    }
    let name = empty_folder(path)?;
    let handle = name.replace('-', "_");
    let base = api.base(None, is_url.then_some(source));
    let url = match &base {
        Ok(base) => format!("url = {}\n", quoted(base)),
        Err(problem) => {
            let problem = crate::stubs::plain(problem).replace('\n', " ");
            format!("# {problem}.\n# url = \"https://api.example.com\"\n")
        }
    };
    let doubts: Vec<Doubt> = api
        .operations
        .iter()
        .filter(|it| it.method.is_safe())
        .filter_map(|it| Doubt::of(&it.name, &[&it.summary, &it.description]))
        .collect();
    let (mut reads, destroys) = (api.reads(), api.destroys());
    reads.retain(|name| doubts.iter().all(|doubt| doubt.operation != *name));
    let elsewhere = api.other_servers(base.as_deref().unwrap_or_default());
    let trusted = match elsewhere.is_empty() {
        true => String::new(),
        false => format!(
            "# The document sends some operations to other servers, which get no credentials\n\
             # unless they are named here.\n# trusted_servers = {}\n\n",
            list(elsewhere.iter().map(|(server, _)| server.as_str()))
        ),
    };
    let toml = format!(
        "name = {name}\ntitle = {title}\nkind = \"openapi\"\n{url}\n{trusted}\
         # Programs run up to their first request that is not among these. It is shown and\n\
         # confirmed before it is sent.\nreads = {reads}\ndestroys = {destroys}\n",
        name = quoted(&name),
        title = quoted(&api.title),
        reads = list(reads.iter().copied()),
        destroys = list(destroys.iter().copied()),
    );
    write(path, FILE, &toml)?;
    write(path, API, &api.stub(&handle))?;
    let is_json = text.trim_start().starts_with('{');
    write(path, DOCUMENTS[usize::from(!is_json)], &text)?;
    let variables = Credentials::variables(&api, Some(&name));
    Ok(OpenapiMade {
        operations: api.operations.len(),
        reads: reads.len(),
        base,
        variables: variables
            .into_iter()
            .map(|it| (it.name, it.holds))
            .collect(),
        warnings: doubts
            .iter()
            .map(|doubt| doubt.sentence("the document says that it only reads"))
            .chain(elsewhere.iter().map(|(server, operations)| {
                format!(
                    "Requests of {} go to {server}, another server that the document names. They \
                     take no credentials there unless domain.toml has it among trusted_servers.",
                    few(operations)
                )
            }))
            .collect(),
        notes: api.notes.clone(),
    })
}

/// The first of some sentences.
fn few(notes: &[String]) -> String {
    let first: Vec<&str> = notes.iter().take(3).map(String::as_str).collect();
    first.join("; ")
}

/// The domain that was made of an OpenAPI document.
#[derive(Debug, Clone)]
pub struct OpenapiMade {
    /// How many operations it has.
    pub operations: usize,
    /// How many of them only read.
    pub reads: usize,
    /// Where requests go, or why the document does not say it.
    pub base: Result<String, String>,
    /// The variables of the environment that can hold its secrets, and what each holds.
    pub variables: Vec<(String, &'static str)>,
    /// What its owner should know before it is used, a sentence each.
    pub warnings: Vec<String>,
    /// The parts that could not be read as they are meant, a sentence each.
    pub notes: Vec<String>,
}

/// The world of an MCP server.
fn mcp(path: &Path, definition: &Definition, domain: &Domain) -> Result<ServerWorlds> {
    let server = definition.server.clone().ok_or_else(|| Error::Content {
        path: path.join(FILE),
        problem: "has the kind mcp and no [server]: say how it is reached, as command = [\"npx\", \
                  \"some-server\"] or url = \"http://…\""
            .to_owned(),
    })?;
    let tools = Arc::new(Tools::read(&path.join(TOOLS))?);
    if let Some(unknown) = domain
        .operation_names()
        .find(|name| tools.tool(name).is_none())
    {
        return Err(Error::Content {
            path: path.join(API),
            problem: format!("has {unknown}, and the server has no such tool ({TOOLS})"),
        });
    }
    let reads = domain
        .api
        .operations
        .iter()
        .filter(|it| it.effect == Access::Read);
    let reads: Vec<String> = reads.map(|it| it.name.to_string()).collect();
    let approval = format!("dialog2api domain approve {}", path.display());
    Ok(ServerWorlds {
        name: definition.name.clone(),
        about: server.to_string(),
        connect: Arc::new(move || {
            let world = McpWorld::new(server.clone(), tools.clone());
            let world = world.with_approval(approval.clone());
            Ok(Connected {
                world: Arc::new(world.with_reads(reads.clone())),
                fingerprint: server.fingerprint(),
            })
        }),
    })
}

/// Makes the folder of an MCP server's domain. The server is asked what it offers.
///
/// # Errors
/// The name cannot be that of a domain, the folder is not empty, the server does not answer,
/// or the folder cannot be written.
pub async fn create_mcp(path: &Path, server: &Server) -> Result<McpMade> {
    let server = &server.fixed()?;
    let tools = listed(server).await?;
    let name = empty_folder(path)?;
    let at = match &server.at {
        Address::Command(command) => {
            let words = [&command.program].into_iter().chain(&command.arguments);
            let folder = command.folder.as_deref().unwrap_or(Path::new("."));
            format!(
                "command = {}\nfolder = {}",
                list(words.map(String::as_str)),
                quoted(&folder.display().to_string())
            )
        }
        Address::Url(url) => format!("url = {}", quoted(&url.url)),
    };
    let doubts: Vec<Doubt> = tools
        .iter()
        .filter(|it| it.hints.read_only == Some(true))
        .filter_map(|it| Doubt::of(&it.name, &[&it.description]))
        .collect();
    let mut reads = tools.reads();
    reads.retain(|name| doubts.iter().all(|doubt| doubt.operation != *name));
    let text = format!(
        "name = {name}\ntitle = {title}\nkind = \"mcp\"\n\n\
         # What the server says of its tools; nobody has checked it. These are called without\n\
         # a question, and with --read-only. All others are shown and confirmed one by one: move\n\
         # a tool here only if it changes nothing, and take out those that you want to see.\n\
         reads = {reads}\ndestroys = {destroys}\n\n[server]\n{at}\n",
        name = quoted(&name),
        title = quoted(&format!("The tools of {server}")),
        reads = list(reads.iter().copied()),
        destroys = list(tools.destroys().into_iter()),
    );
    write(path, FILE, &text)?;
    write(path, API, &tools.stub())?;
    tools.save(&path.join(TOOLS))?;
    Ok(McpMade {
        operations: tools.iter().count(),
        reads: reads.len(),
        unasked: reads.iter().map(|name| (*name).to_owned()).collect(),
        warnings: doubts
            .iter()
            .map(|doubt| doubt.sentence("the server says that it only reads"))
            .collect(),
        notes: tools.notes.clone(),
    })
}

/// The tools of a server, which is connected to for that alone.
pub(super) async fn listed(server: &Server) -> Result<Tools> {
    let client = Client::connect(server).await?;
    let tools = Tools::list(&client).await;
    client.close().await;
    let tools = tools?;
    if tools.iter().next().is_none() {
        let why = match tools.notes.is_empty() {
            true => String::new(),
            false => format!(": {}", few(&tools.notes)),
        };
        return Err(Error::world(format!(
            "the MCP server {server} has no tools that a program can call{why}"
        )));
    }
    Ok(tools)
}

/// The domain that was made of an MCP server.
#[derive(Debug, Clone)]
pub struct McpMade {
    /// How many tools it has.
    pub operations: usize,
    /// How many of them only read, as the server says.
    pub reads: usize,
    /// Those, which are called without a question.
    pub unasked: Vec<String>,
    /// What its owner should know before it is used, a sentence each.
    pub warnings: Vec<String>,
    /// The parts that could not be read as they are meant, a sentence each.
    pub notes: Vec<String>,
}

/// The name of a domain whose folder is to be made; the folder is there and empty then.
fn empty_folder(path: &Path) -> Result<String> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name
        .filter(|name| is_name(name) && !is_keyword(&name.replace('-', "_")))
        .ok_or_else(|| super::new::no_name(path))?;
    super::new::make_empty(path)?;
    Ok(name)
}

fn write(folder: &Path, file: &str, text: &str) -> Result<()> {
    let path = folder.join(file);
    std::fs::write(&path, text).map_err(Error::file("cannot write", &path))
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.map(quoted).collect();
    let short = texts.join(", ");
    match short.len() > 80 {
        true => format!("[\n    {},\n]", texts.join(",\n    ")),
        false => format!("[{short}]"),
    }
}
