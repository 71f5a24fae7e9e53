//! Domains whose calls somebody's server answers.

use super::assemble::{API, common};
use super::call_planning::CallPlanning;
use super::definition::{Definition, FILE, is_name};
use super::server_worlds::ServerWorlds;
use super::stub::Stub;
use crate::domain::{Access, Domain, World};
use crate::error::{Error, Result};
use crate::mcp::{Address, Client, McpWorld, Server, Tools};
use std::path::Path;
use std::sync::Arc;

/// What an MCP server offers, as it was when the folder was made.
const TOOLS: &str = "tools.json";

/// The domain of a folder whose kind is not `python`.
///
/// # Errors
/// A file is missing or wrong.
pub fn domain(path: &Path, definition: &Definition, api: &str, stub: &Stub) -> Result<Domain> {
    let mut domain = common(path, definition, api, stub)?;
    domain.is_stepwise = true;
    domain.planning = Some(Arc::new(CallPlanning));
    domain.worlds = Some(Arc::new(mcp(path, definition, &domain)?));
    Ok(domain)
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
        .operations
        .iter()
        .filter(|it| it.effect == Access::Read);
    let reads: Vec<String> = reads.map(|it| it.name.to_string()).collect();
    Ok(ServerWorlds {
        name: definition.name.clone(),
        about: server.to_string(),
        connect: Arc::new(move || {
            let world = McpWorld::new(server.clone(), tools.clone());
            let world: Arc<dyn World> = Arc::new(world.with_reads(reads.clone()));
            Ok(world)
        }),
    })
}

/// Makes the folder of an MCP server's domain. The server is asked what it offers. Returns
/// how many tools it has, and how many of them only read.
///
/// # Errors
/// The name cannot be that of a domain, the folder is not empty, the server does not answer,
/// or the folder cannot be written.
pub async fn create_mcp(path: &Path, server: &Server) -> Result<(usize, usize)> {
    let name = empty_folder(path)?;
    let client = Client::connect(server).await?;
    let tools = Tools::list(&client).await;
    client.close().await;
    let tools = tools?;
    let at = match &server.at {
        Address::Command(command) => {
            let words = [&command.program].into_iter().chain(&command.arguments);
            format!("command = {}", list(words.map(String::as_str)))
        }
        Address::Url(url) => format!("url = {}", quoted(&url.url)),
    };
    let reads = tools.reads();
    let text = format!(
        "name = {name}\ntitle = {title}\nkind = \"mcp\"\n\n\
         # What the server says of its tools. Programs run up to their first write, which is\n\
         # shown and confirmed: move a tool here only if it changes nothing.\n\
         reads = {reads}\ndestroys = {destroys}\n\n[server]\n{at}\n",
        name = quoted(&name),
        title = quoted(&format!("The tools of {server}")),
        reads = list(reads.iter().copied()),
        destroys = list(tools.destroys().into_iter()),
    );
    write(path, FILE, &text)?;
    write(path, API, &tools.stub())?;
    tools.save(&path.join(TOOLS))?;
    Ok((tools.iter().count(), reads.len()))
}

/// The name of a domain whose folder is to be made; the folder is there and empty then.
fn empty_folder(path: &Path) -> Result<String> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name
        .filter(|name| is_name(name))
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
