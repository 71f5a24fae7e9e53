//! Whether what lies at a place is the tool that the requirements mean.

use super::{Find, OLDEST_PYTHON};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A file that pins versions.
#[derive(Clone, Copy)]
pub enum Pins {
    Clients,
    MoreClients,
    Models,
    Evaluation,
    McpClients,
    Node,
}

impl Pins {
    fn text(self) -> &'static str {
        match self {
            Pins::Clients => include_str!("../../requirements.txt"),
            Pins::MoreClients => include_str!("../../serve/requirements.txt"),
            Pins::Models => include_str!("../../requirements-models.txt"),
            Pins::Evaluation => include_str!("../../eval/requirements.txt"),
            Pins::McpClients => include_str!("../../mcp_server/requirements.txt"),
            Pins::Node => include_str!("../../package.json"),
        }
    }

    /// The version of a package.
    ///
    /// # Panics
    /// The file does not pin it.
    pub fn version(self, package: &str) -> &'static str {
        let (python, node) = (format!("{package}=="), format!("\"{package}\": \""));
        let mut lines = self.text().lines().map(str::trim);
        let found = lines.find_map(|line| match self {
            Pins::Node => line.strip_prefix(&*node)?.split('"').next(),
            _ => line.strip_prefix(&*python),
        });
        found.unwrap_or_else(|| panic!("no version of {package} is pinned"))
    }
}

/// Looks for packages without the folder that Python starts in, which may have folders of the
/// same names, and imports them: what cannot be imported is not there.
const PACKAGES: &str = "
if sys.version_info < oldest:
    sys.exit('it is Python ' + sys.version.split()[0])
for pin in sys.argv[1:]:
    name, version = pin.split('==')
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        sys.exit('it has no ' + name)
    if found != version:
        sys.exit('it has ' + name + ' ' + found)
    package = importlib.import_module(name.replace('-', '_'))
";

impl Find {
    /// The versions that count, if they are pinned.
    pub fn pinned(self) -> Option<String> {
        let versions: Vec<_> = match self {
            Find::Pinned(_, pins, package) | Find::Folder(pins, package, _) => {
                vec![pins.version(package)]
            }
            Find::Python(pins, packages) => {
                packages.iter().map(|name| pins.version(name)).collect()
            }
            Find::Node(package) => vec![Pins::Node.version(package)],
            Find::Since(..) => Vec::new(),
        };
        (!versions.is_empty()).then(|| versions.join(" and "))
    }

    /// What a test uses, or why this is not the tool.
    pub(super) fn judge(self, place: &Path) -> Result<PathBuf, String> {
        let here = || place.to_owned();
        match self {
            Find::Pinned(program, pins, package) => {
                let (found, wanted) = (version(place, program)?, pins.version(package));
                (found == wanted)
                    .then(here)
                    .ok_or_else(|| format!("it is version {found}"))
            }
            Find::Since(program, oldest) => {
                let found = version(place, program)?;
                let number = found
                    .split('.')
                    .next()
                    .and_then(|it| it.parse::<u32>().ok());
                let is_new = number.is_some_and(|number| number >= oldest);
                is_new
                    .then(here)
                    .ok_or_else(|| format!("it is version {found}, and not at least {oldest}"))
            }
            Find::Python(pins, packages) => python(place, pins, packages, "''").map(|_| here()),
            Find::Folder(pins, package, expression) if !place.is_dir() => {
                python(place, pins, &[package], expression).map(PathBuf::from)
            }
            Find::Folder(pins, package, _) => {
                let wanted = format!(
                    "{}-{}.dist-info",
                    package.replace('-', "_"),
                    pins.version(package)
                );
                let mut above = place.ancestors();
                (above.any(|folder| folder.join(&wanted).is_dir()).then(here))
                    .ok_or_else(|| format!("there is no {wanted} beside it"))
            }
            Find::Node(package) if place.exists() => {
                let wanted = Pins::Node.version(package);
                let found = node_version(place, package);
                (found.as_deref() == Some(wanted))
                    .then(here)
                    .ok_or_else(|| {
                        let found = found.as_deref().unwrap_or("of no known version");
                        format!("it is {package} {found}")
                    })
            }
            Find::Node(_) => Err("it is not there".to_owned()),
        }
    }
}

/// The first number with a point in what a program says of its version.
fn version(program: &Path, name: &str) -> Result<String, String> {
    let word = match name {
        "weed" | "rclone" => "version",
        _ => "--version",
    };
    let said = said(Command::new(program).arg(word))?;
    let mut words = said.split(|c: char| c.is_whitespace() || c == '/');
    let found = words.find_map(|word| {
        let number = word.trim_start_matches('v');
        let is_version = number.starts_with(|c: char| c.is_ascii_digit())
            && number.contains('.')
            && number
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c));
        is_version.then(|| number.to_owned())
    });
    found.ok_or_else(|| "it says no version".to_owned())
}

/// What an expression is in this Python, which has these packages.
fn python(place: &Path, pins: Pins, packages: &[&str], expression: &str) -> Result<String, String> {
    let imports = "import importlib, importlib.metadata, sys";
    let script = format!("{imports}\noldest = {OLDEST_PYTHON}\n{PACKAGES}\nprint({expression})");
    let pinned = packages.iter();
    let pinned = pinned.map(|name| format!("{name}=={}", pins.version(name)));
    // Isolated: neither the folder that it starts in nor PYTHONPATH counts.
    let said = said(Command::new(place).args(["-I", "-c", &script]).args(pinned))?;
    Ok(said.lines().last().unwrap_or_default().to_owned())
}

/// The version in the `package.json` of this package, above a file of it.
fn node_version(place: &Path, package: &str) -> Option<String> {
    place.ancestors().find_map(|folder| {
        let text = std::fs::read_to_string(folder.join("package.json")).ok()?;
        let json: serde_json::Value = serde_json::from_str(&text).ok()?;
        (json["name"] == package).then(|| json["version"].as_str().map(str::to_owned))?
    })
}

/// What a command printed, if it ended well.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(Stdio::null()).output();
    let Output {
        status,
        stdout,
        stderr,
    } = output.map_err(|error| format!("it does not start ({error})"))?;
    let (out, err) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    if status.success() {
        return Ok(format!("{out}\n{err}").trim().to_owned());
    }
    let mut last = err.lines().chain(out.lines());
    let last = last.rfind(|line| !line.trim().is_empty());
    Err(match last {
        Some(line) => line.trim().chars().take(300).collect(),
        None => format!("it fails ({status})"),
    })
}
