//! Servers that this program starts, waits for and ends.

use super::kept_server::state_folder;
use super::look_up;
use super::program::{ServerProgram, Told};
use super::{KeptServer, LocalConfig, Machine};
use crate::error::{Error, Result};
use crate::llm::ApiKey;
use crate::llm::openai::{OpenAi, OpenAiConfig};
use crate::weights::adapter_file;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The limit for starting, long enough to read a large model from a slow disk.
const PATIENCE: Duration = Duration::from_secs(300);
/// The pause between two requests to a starting server.
const PAUSE: Duration = Duration::from_millis(50);

/// A shell script that ends the server when its standard input, a pipe, is closed.
const WATCH: &str = include_str!("watch.sh");
/// A shell script that keeps the server running when the terminal is closed.
const STAY: &str = "trap '' HUP\nexec \"$@\"";

/// A running server of a model. It ends when this value is dropped.
#[derive(Debug)]
pub struct ModelServer {
    base_url: String,
    key: Option<ApiKey>,
    child: Mutex<Child>,
    /// Its output.
    log: File,
}

impl ModelServer {
    /// Starts a server for a model and waits until it answers.
    ///
    /// # Errors
    /// [`Error::usage`] if the model's file or a server program is missing,
    /// [`Error::unanswered`] if the server ends before it answers.
    pub async fn start(config: &LocalConfig) -> Result<ModelServer> {
        let folder = state_folder()?;
        let path = folder.join(format!("{}.log", std::process::id()));
        let log = open_log(&path)?;
        // From now on, the log is read through the open file only.
        let _ = std::fs::remove_file(&path);
        let (mut command, base_url, key) = command(config, WATCH, &log).await?;
        let child = command
            .stdin(Stdio::piped())
            .spawn()
            .map_err(Error::file("cannot run", "sh"))?;
        let server = ModelServer {
            base_url,
            key: ApiKey::new(&key),
            child: Mutex::new(child),
            log,
        };
        let ended = || server.end();
        wait(config, &server.base_url, &key, &ended).await?;
        Ok(server)
    }

    /// Starts a server that outlives this process; [`KeptServer`] finds it again. Dropping the
    /// future ends the server.
    ///
    /// # Errors
    /// Those of [`ModelServer::start`]. A server that does not answer is ended.
    pub async fn keep(config: &LocalConfig) -> Result<KeptServer> {
        let path = state_folder()?.join("server.log");
        let log = open_log(&path)?;
        // The server inherits the file, and with it the lock, for as long as it lives.
        log.try_lock().map_err(|_| {
            Error::usage("a server is kept already; `dialog2api model stop` ends it")
        })?;
        log.set_len(0).map_err(Error::file("cannot write", &path))?;
        let (mut command, base_url, key) = command(config, STAY, &log).await?;
        let child = command
            .stdin(Stdio::null())
            .spawn()
            .map_err(Error::file("cannot run", "sh"))?;
        let starting = Starting(Some(Mutex::new(child)));
        let kept = KeptServer {
            pid: starting.pid(),
            base_url,
            key,
            model: config.model.clone(),
            adapter: config.adapter.as_ref().map(|adapter| adapter.name.clone()),
        };
        // The record is written before the wait: if this process is killed meanwhile,
        // `model stop` still finds the server.
        kept.write()?;
        let ended = || starting.0.as_ref().and_then(|child| end_of(child, &log));
        wait(config, &kept.base_url, &kept.key, &ended).await?;
        starting.keep();
        Ok(kept)
    }

    /// The client's settings with the address and the key of this server.
    pub fn client(&self, settings: OpenAiConfig) -> OpenAiConfig {
        OpenAiConfig {
            base_url: self.base_url.clone(),
            api_key: self.key.clone(),
            ..settings
        }
    }

    /// How the server ended, if it did.
    pub fn end(&self) -> Option<String> {
        end_of(&self.child, &self.log)
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        end(&self.child);
    }
}

/// A server that does not answer yet. Dropping this ends it and removes its record.
struct Starting(Option<Mutex<Child>>);

impl Starting {
    fn pid(&self) -> u32 {
        let child = self.0.as_ref().map(|child| child.lock());
        child.map_or(0, |child| {
            child.unwrap_or_else(|lock| lock.into_inner()).id()
        })
    }

    /// Lets the server run.
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        if let Some(child) = &self.0 {
            end(child);
            KeptServer::forget();
        }
    }
}

/// Kills a server and its children. They have nothing to save.
fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(|lock| lock.into_inner());
    if let Ok(Some(_)) = child.try_wait() {
        return;
    }
    if let Ok(pid) = i32::try_from(child.id()) {
        // It may have ended by itself.
        let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
    }
    let _ = child.wait();
}

/// How a server ended, with the last line of its output, if it did.
fn end_of(child: &Mutex<Child>, log: &File) -> Option<String> {
    let mut child = child.lock().unwrap_or_else(|lock| lock.into_inner());
    let status = child.try_wait().ok()??;
    let mut text = Vec::new();
    // The server writes through the same open file, so the position is shared.
    let mut log = log.try_clone().ok()?;
    let size = log.seek(SeekFrom::End(0)).unwrap_or(0);
    let _ = log.seek(SeekFrom::Start(size.saturating_sub(4096)));
    let _ = log.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let said = text.lines().rev().find(|line| !line.trim().is_empty());
    Some(match said {
        Some(line) => format!("{} ({status})", line.trim()),
        None => format!("it said nothing ({status})"),
    })
}

fn open_log(path: &Path) -> Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map_err(Error::file("cannot write", path))
}

/// The command that runs a server under this shell script, its base URL and its key.
async fn command(
    config: &LocalConfig,
    script: &str,
    log: &File,
) -> Result<(Command, String, String)> {
    let model = config.file()?;
    let program = ServerProgram::find().ok_or_else(|| {
        Error::usage(format!(
            "there is no server program for {} here: `dialog2api model serve --yes` installs one, \
             and llama.cpp's `llama-server` on PATH is taken as well",
            config.model
        ))
    })?;
    let look_up = match &program {
        ServerProgram::LlamaServer(server) => look_up::words(server).await,
        ServerProgram::Python(_) => Vec::new(),
    };
    let machine = Machine::this();
    let size = std::fs::metadata(&model).map_or(0, |metadata| metadata.len());
    let (context, slots) = machine.context(size);
    let key = random_key()?;
    let port = free_port()?;
    let adapter = config.adapter.as_ref().map(adapter_file).transpose()?;
    let (words, variables) = program.words(&Told {
        model: &model,
        adapter: adapter.as_deref(),
        alias: &config.client.model,
        port,
        key: &key,
        threads: config.threads.unwrap_or(machine.cores),
        context: config.context.unwrap_or(context),
        slots,
        look_up: &look_up,
    });
    let copy = || {
        log.try_clone()
            .map_err(Error::file("cannot write", "the server's log"))
    };
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "dialog2api-server"])
        .args(words)
        .envs(variables)
        .stdout(copy()?)
        .stderr(copy()?)
        // Ctrl-C in a chat must not reach the server.
        .process_group(0);
    Ok((command, format!("http://127.0.0.1:{port}/v1"), key))
}

/// Waits until a server answers requests with its key.
async fn wait(
    config: &LocalConfig,
    base_url: &str,
    key: &str,
    ended: &(dyn Fn() -> Option<String> + Sync),
) -> Result<()> {
    let begun = Instant::now();
    let client = OpenAi::new(OpenAiConfig {
        api_key: ApiKey::new(key),
        ..OpenAiConfig::new(base_url, &config.client.model)
    })?;
    loop {
        // A server that is still reading its model answers without a list.
        if let Ok(Some(_)) = client.models(Duration::from_secs(5)).await {
            return Ok(());
        }
        if let Some(end) = ended() {
            return Err(Error::unanswered(format!(
                "the server of {} does not start: {end}",
                config.model
            )));
        }
        if begun.elapsed() > PATIENCE {
            return Err(Error::unanswered(format!(
                "the server of {} does not answer within {PATIENCE:?}",
                config.model
            )));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A free port of this machine.
fn free_port() -> Result<u16> {
    let asked = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    let address = asked.map_err(|error| {
        Error::model(format!(
            "this machine gives a server no port on 127.0.0.1: {error}"
        ))
    })?;
    Ok(address.port())
}

/// 128 random bits, in hexadecimal.
fn random_key() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::model(format!("this machine gives no random numbers: {error}")))?;
    Ok(const_hex::encode(bytes))
}
