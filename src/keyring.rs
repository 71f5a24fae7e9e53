//! The system's keyring, asked with the system's own tool, which can unlock it.

use sha2::{Digest, Sha256};
use std::process::Command;

/// The service name of this program's secrets.
const SERVICE: &str = "dialog2api";

/// Why a keyring gives no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// The tool is not installed: its name.
    Tool(&'static str),
    /// The keyring does not answer: its message, which holds no secret.
    Refused(String),
    /// It has no such secret: the command that stores one.
    Secret(String),
}

/// The secret of this name.
///
/// # Errors
/// Why there is none.
pub fn secret(name: &str) -> Result<String, Missing> {
    let (tool, arguments) = match cfg!(target_os = "macos") {
        true => (
            "security",
            ["find-generic-password", "-w", "-s", SERVICE, "-a", name],
        ),
        false => (
            "secret-tool",
            ["lookup", "service", SERVICE, "account", name, ""],
        ),
    };
    let arguments = arguments
        .into_iter()
        .filter(|argument| !argument.is_empty());
    let output = Command::new(tool).args(arguments).output();
    let output = output.map_err(|_| Missing::Tool(tool))?;
    let secret = String::from_utf8(output.stdout).unwrap_or_default();
    if output.status.success() && !secret.trim().is_empty() {
        return Ok(secret);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(
        match complaint.lines().find(|line| !line.trim().is_empty()) {
            Some(line) => Missing::Refused(line.trim().to_owned()),
            None => Missing::Secret(storing(name)),
        },
    )
}

/// Eight hex digits that tell a secret from others and do not give it away.
pub fn fingerprint(secret: &str) -> String {
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(secret).into();
    const_hex::encode([a, b, c, d])
}

/// The command that puts a secret into the keyring.
pub fn storing(name: &str) -> String {
    match cfg!(target_os = "macos") {
        true => format!("security add-generic-password -s {SERVICE} -a {name} -w"),
        false => format!("secret-tool store --label={SERVICE} service {SERVICE} account {name}"),
    }
}
