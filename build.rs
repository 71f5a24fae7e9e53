//! Takes the guest of `crates/dialog2api-guest`, if it was built from the files in `sandbox/`, or
//! builds it for `wasm32-wasip1` from them, so that `cargo build` needs no second tool. The archive
//! of this crate has no `sandbox/`: there the packed guest is the one. The program holds it packed,
//! because it is unpacked only when a sandbox is prepared.
//!
//! `DIALOG2API_GUEST=renew` builds it and packs it. `DIALOG2API_GUEST=packed` fails where the packed
//! one was built from other files. No two builds have the same bytes to compare: RustPython's
//! macros go through hash maps in a random order.

use dialog2api_guest::{DIGEST, PACKED};
use lzma_rust2::{XzOptions, XzWriter};
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TARGET: &str = "wasm32-wasip1";

/// The adapter that comes with the program. The archive of this crate has none: it is too large.
const ADAPTER: &str = "datasets/s3/adapters/qwen2.5-coder-0.5b.gguf";

fn main() {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let guest = root.join("sandbox");
    let out = PathBuf::from(variable("OUT_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DIALOG2API_GUEST");
    println!("cargo::rustc-check-cfg=cfg(has_adapter)");
    if root.join(ADAPTER).exists() {
        println!("cargo::rerun-if-changed={ADAPTER}");
        println!("cargo::rustc-cfg=has_adapter");
    }

    let digest = match guest.exists() {
        true => {
            println!("cargo::rerun-if-changed=sandbox");
            digest(&guest)
        }
        false => DIGEST.trim().to_owned(),
    };
    let is_packed = DIGEST.trim() == digest;
    let asked = env::var("DIALOG2API_GUEST").unwrap_or_default();
    assert!(
        is_packed || asked != "packed",
        "the packed guest was built from other files; renew it by \
         `DIALOG2API_GUEST=renew cargo check` and commit it"
    );
    let is_renewed = asked == "renew";
    let packed = match is_packed && !is_renewed {
        true => Cow::Borrowed(PACKED),
        // The smallest takes half a minute, which only a package is worth.
        false => compressed(
            &read(&built(&guest, &out, &digest)),
            if is_renewed { 9 } else { 1 },
        )
        .into(),
    };
    if is_renewed {
        let folder = root.join("crates/dialog2api-guest");
        write(&folder.join("guest.wasm.xz"), &packed);
        write(
            &folder.join("guest.digest"),
            format!("{digest}\n").as_bytes(),
        );
    }
    write(&out.join("sandbox.wasm.xz"), &packed);
    println!("cargo::rustc-env=DIALOG2API_SANDBOX_DIGEST={digest}");
    if let Some(revision) = revision(&root) {
        println!("cargo::rustc-env=DIALOG2API_REVISION={revision}");
    }
}

/// The guest, built from its files by this toolchain.
fn built(guest: &Path, out: &Path, digest: &str) -> PathBuf {
    // Every profile and checkout that shares a target folder shares the guest, too.
    let shared = out.ancestors().nth(4).unwrap_or(out).join("sandbox-guest");
    let built = shared.join(format!(
        "{digest}-{:032x}.wasm",
        fnv([compiler().as_slice()])
    ));
    if !built.exists() {
        ensure_target();
        build(guest, &shared);
        let wasm = shared.join(TARGET).join("release/dialog2api_sandbox.wasm");
        write(&built, &read(&wasm));
    }
    built
}

fn compressed(wasm: &[u8], preset: u32) -> Vec<u8> {
    let options = XzOptions::with_preset(preset);
    let mut writer = XzWriter::new(Vec::new(), options).expect("known options");
    writer.write_all(wasm).expect("it is written to memory");
    writer.finish().expect("it is written to memory")
}

/// The files that the program is built from.
const PARTS: [&str; 10] = [
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
    "src",
    "crates",
    "sandbox",
    "api-docs",
    "datasets/s3/train",
    "datasets/s3/worlds",
    "datasets/s3-manage/train",
];

/// The checked-out git revision, for the logs of evaluations. It ends in `-dirty` if
/// there are uncommitted changes. None without git, or if the folder merely lies inside
/// the repository of another project.
fn revision(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let output = command.current_dir(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if fs::canonicalize(top).ok()? != fs::canonicalize(root).ok()? {
        return None;
    }
    let revision = git(&["rev-parse", "HEAD"])?;
    // These files change whenever another revision is checked out. Files that do not
    // exist are left out, because naming one would run this script at every build.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD"].into_iter().chain(branch.as_deref()) {
        let path = git(&["rev-parse", "--git-path", name]).map(|path| root.join(path));
        if let Some(path) = path.filter(|path| path.exists()) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
    }
    // Take no lock: a command in another terminal may need it.
    let changes = ["--no-optional-locks", "status", "--porcelain", "--"];
    let changes = git(&[&changes[..], &PARTS].concat())?;
    Some(match changes.is_empty() {
        true => revision,
        false => revision + "-dirty",
    })
}

/// A digest of everything the guest is built from.
fn digest(guest: &Path) -> String {
    let mut files = Vec::new();
    collect(guest, &mut files);
    files.sort();
    let parts = files.iter().flat_map(|file| {
        let name = file.strip_prefix(guest).unwrap_or(file);
        // Windows has other separators, and git may give its files other ends of lines.
        let name = name.to_string_lossy().replace('\\', "/").into_bytes();
        let mut content = read(file);
        content.retain(|byte| *byte != b'\r');
        [name, content]
    });
    format!("{:032x}", fnv(parts))
}

/// FNV-1a, 128 bits. It only has to tell versions apart; it need not resist attacks.
fn fnv<T: AsRef<[u8]>>(parts: impl IntoIterator<Item = T>) -> u128 {
    let mut hash = 0xcbf2_9ce4_8422_2325_9e37_79b9_7f4a_7c15_u128;
    for part in parts {
        for &byte in part.as_ref() {
            hash =
                (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    hash
}

/// The name and the version of the compiler.
fn compiler() -> Vec<u8> {
    let version = Command::new(variable("RUSTC")).arg("-V").output();
    version.map(|output| output.stdout).unwrap_or_default()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|e| panic!("cannot read {}: {e}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, files);
            }
        } else {
            files.push(path);
        }
    }
}

/// Makes sure that the toolchain has the target, also where rustup does not by itself
/// install what `rust-toolchain.toml` lists.
fn ensure_target() {
    let installed = || {
        let printed = Command::new(variable("RUSTC"))
            .args(["--print", "target-libdir", "--target", TARGET])
            .output();
        printed
            .is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).exists())
    };
    if installed() {
        return;
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]);
    if let Ok(toolchain) = env::var("RUSTUP_TOOLCHAIN") {
        rustup.args(["--toolchain", &toolchain]);
    }
    let added = rustup.status().is_ok_and(|status| status.success());
    assert!(
        added && installed(),
        "the sandbox is compiled for {TARGET}, and this toolchain has no standard library for it; \
         run `rustup target add {TARGET}` and build again"
    );
}

fn build(guest: &Path, shared: &Path) {
    println!("cargo::warning=building the Python sandbox, once: this takes some minutes");
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .current_dir(guest)
        // The guest's dependencies declare a newer Rust than they need.
        .args([
            "build",
            "--release",
            "--locked",
            "--ignore-rust-version",
            "--target",
            TARGET,
        ])
        .arg("--target-dir")
        .arg(shared)
        .env("CARGO_ENCODED_RUSTFLAGS", renamed_folders(shared));
    for name in ["RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    let status = cargo
        .status()
        .unwrap_or_else(|e| panic!("cannot run cargo for the sandbox: {e}"));
    assert!(
        status.success(),
        "the sandbox does not build; its errors are above"
    );
}

/// The flags that keep the names of this machine's folders out of the guest.
fn renamed_folders(shared: &Path) -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let registries = home.map(|home| home.join("registry/src"));
    let registries = registries.and_then(|folder| fs::read_dir(folder).ok());
    let registries = registries.into_iter().flatten().flatten();
    let registries = registries.map(|entry| (entry.path(), "/cargo"));
    let folders = registries.chain([(shared.to_owned(), "/target")]);
    let flag = |(from, to): (PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
    folders.map(flag).collect::<Vec<_>>().join("\u{1f}")
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|e| panic!("cannot read {}: {e}", file.display()))
}

/// Writes a file atomically: a reader never sees half of it.
fn write(file: &Path, content: &[u8]) {
    let partial = file.with_extension(format!("partial-{}", std::process::id()));
    fs::write(&partial, content)
        .and_then(|()| fs::rename(&partial, file))
        .unwrap_or_else(|e| panic!("cannot write {}: {e}", file.display()));
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}
