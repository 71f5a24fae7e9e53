//! Builds the guest in `sandbox/` for `wasm32-wasip1` when its files have changed, so
//! that `cargo build` from a clean checkout needs no second tool.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TARGET: &str = "wasm32-wasip1";

fn main() {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let guest = root.join("sandbox");
    let out = PathBuf::from(variable("OUT_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=sandbox");

    // Every profile and checkout that shares a target folder shares the guest, too.
    let shared = out.ancestors().nth(4).unwrap_or(&out).join("sandbox-guest");
    let digest = digest(&guest);
    let built = shared.join(format!("{digest}.wasm"));
    if !built.exists() {
        ensure_target();
        build(&guest, &shared, &built);
    }
    copy(&built, &out.join("sandbox.wasm"));
    println!("cargo::rustc-env=DIALOG2API_SANDBOX_DIGEST={digest}");
    if let Some(revision) = revision(&root) {
        println!("cargo::rustc-env=DIALOG2API_REVISION={revision}");
    }
}

/// The files that the program is built from.
const PARTS: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
    "src",
    "sandbox",
    "api-docs",
    "datasets/s3/train",
    "datasets/s3/worlds",
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
    let mut hash = 0xcbf2_9ce4_8422_2325_9e37_79b9_7f4a_7c15_u128;
    let mut feed = |bytes: &[u8]| {
        for &byte in bytes {
            // FNV-1a, 128 bits. It only has to tell versions apart; it need not resist
            // attacks.
            hash =
                (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    };
    for file in &files {
        feed(
            file.strip_prefix(guest)
                .unwrap_or(file)
                .to_string_lossy()
                .as_bytes(),
        );
        feed(&fs::read(file).unwrap_or_else(|e| panic!("cannot read {}: {e}", file.display())));
    }
    feed(
        Command::new(variable("RUSTC"))
            .arg("-V")
            .output()
            .map(|o| o.stdout)
            .unwrap_or_default()
            .as_slice(),
    );
    format!("{hash:032x}")
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

fn build(guest: &Path, shared: &Path, built: &Path) {
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
        .arg(shared);
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_TARGET",
    ] {
        cargo.env_remove(name);
    }
    let status = cargo
        .status()
        .unwrap_or_else(|e| panic!("cannot run cargo for the sandbox: {e}"));
    assert!(
        status.success(),
        "the sandbox does not build; its errors are above"
    );
    copy(
        &shared.join(TARGET).join("release/dialog2api_sandbox.wasm"),
        built,
    );
}

/// Copies a file atomically: a reader never sees half of it.
fn copy(from: &Path, to: &Path) {
    let partial = to.with_extension(format!("partial-{}", std::process::id()));
    fs::copy(from, &partial)
        .and_then(|_| fs::rename(&partial, to))
        .unwrap_or_else(|e| panic!("cannot copy {} to {}: {e}", from.display(), to.display()));
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}
