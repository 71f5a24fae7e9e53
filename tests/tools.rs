//! A test that lacks a tool is never silently green: it says that it was left out, or it fails.

use crate::support::command::program;
use crate::support::tools::{
    AWS, BFCL, BOTO3, CHROMIUM, CURL, DATASETS, Find, INSPECT, MCP_EVERYTHING, NODE, PYTHON, Pins,
    RAY, RCLONE, S3FS, Tool, WEED, needs,
};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TEST: &str = "signature::the_reference_implementation_gives_the_published_signatures";
const ADVICE: &str = "needs Python 3: apt-get install python3, and name that Python in \
                      DIALOG2API_TEST_PYTHON";

/// Runs one test where there is no Python.
fn without_python(required: &str) -> Output {
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", TEST]).env("PATH", "/nowhere");
    test.env_remove("DIALOG2API_TEST_PYTHON");
    test.env("DIALOG2API_TEST_REQUIRE_TOOLS", required);
    test.output().unwrap()
}

#[test]
fn a_test_without_its_tool_says_so_and_is_listed() {
    let output = without_python("");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said, format!("left out {TEST}: {ADVICE}\n"));
    // The list is of the process that started the test: this one.
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out");
    let list = list.join(std::process::id().to_string());
    let listed = std::fs::read_to_string(&list).unwrap();
    std::fs::remove_file(list).unwrap();
    assert_eq!(listed, format!("{ADVICE}\t{TEST}\n"));
}

#[test]
fn where_tools_are_required_it_fails() {
    let output = without_python("1");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains(ADVICE), "{said}");
}

#[test]
#[should_panic(expected = "needs a tool that nobody has")]
fn a_test_that_does_not_ask_fails() {
    let nobody = Tool {
        name: "a tool that nobody has",
        variable: "DIALOG2API_TEST_NOBODY",
        find: Find::Since("dialog2api-nobody-has-this", 1),
        ..BOTO3
    };
    nobody.path();
}

/// A Python that works, where there is one.
fn python() -> Option<String> {
    let found = PYTHON.found().ok()?;
    Some(found.display().to_string())
}

/// What is said of a tool where `PATH` has this script under this name, and where the variable
/// names it.
fn judged(tool: &Tool, name: &str, script: &str) -> [Result<(), String>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    program(&file, script);
    let shown = |found: Result<PathBuf, String>| match found {
        Ok(found) => {
            assert_eq!(found, file);
            Ok(())
        }
        Err(advice) => Err(advice.replace(&file.display().to_string(), "HERE")),
    };
    let path = folder.path().as_os_str();
    [
        shown(tool.look(None, path)),
        shown(tool.look(Some(file.clone().into()), "/nowhere".as_ref())),
    ]
}

/// What is not the tool, and why: the same on `PATH` and where the variable names it.
#[track_caller]
fn is_left_out(tool: &Tool, name: &str, script: &str, why: &str) {
    for judged in judged(tool, name, script) {
        let advice = judged.expect_err("it is not the tool");
        assert!(advice.contains(tool.install), "{advice}");
        assert!(advice.ends_with(&format!("; HERE: {why}")), "{advice}");
    }
}

#[test]
fn a_program_of_another_version_is_left_out() {
    let says = |words: &str| format!("#!/bin/sh\necho '{words}'\n");
    let aws = "aws-cli/2.15.0 Python/3.11.8 Linux/6.1 botocore/2.4.5";
    is_left_out(&AWS, "aws", &says(aws), "it is version 2.15.0");
    let rclone = "rclone v1.53.3-DEV\n- os/arch: linux/amd64\n- go version: go1.19.8";
    is_left_out(&RCLONE, "rclone", &says(rclone), "it is version 1.53.3-DEV");
    is_left_out(
        &RCLONE,
        "rclone",
        &says("rclone v1.75.1"),
        "it is version 1.75.1",
    );
    let weed = "version 30GB 3.97 linux amd64";
    is_left_out(&WEED, "weed", &says(weed), "it is version 3.97");
    let old = "it is version 12.22.9, and not at least 18";
    is_left_out(&NODE, "node", &says("v12.22.9"), old);
    let old = "it is version 90.0.4430.212, and not at least 112";
    let chromium = "Chromium 90.0.4430.212 built on Debian 11";
    is_left_out(&CHROMIUM, "chromium", &says(chromium), old);
    // The pinned one is the tool, as it says its version itself.
    for (tool, name, before) in [(AWS, "aws", "aws-cli/"), (RCLONE, "rclone", "rclone v")] {
        let version = tool.find.pinned().unwrap();
        let script = says(&format!("{before}{version} Python/3.11.8"));
        assert_eq!(judged(&tool, name, &script), [Ok(()), Ok(())]);
    }
}

#[test]
fn a_broken_program_is_left_out() {
    for tool in [AWS, RCLONE, WEED, NODE, CHROMIUM, CURL] {
        let (Find::Pinned(name, ..) | Find::Since(name, _)) = tool.find else {
            panic!("a program");
        };
        let snap = "#!/bin/sh\necho 'install the snap' >&2\nexit 1\n";
        is_left_out(&tool, name, snap, "install the snap");
        is_left_out(
            &tool,
            name,
            "#!/bin/sh\nexit 127\n",
            "it fails (exit status: 127)",
        );
        is_left_out(&tool, name, "#!/bin/sh\necho yes\n", "it says no version");
        for judged in judged(&tool, name, "#!/nowhere/python\n") {
            let advice = judged.expect_err("it does not start");
            assert!(advice.contains("HERE: it does not start"), "{advice}");
        }
    }
    is_left_out(
        &PYTHON,
        "python3",
        "#!/bin/sh\nexit 1\n",
        "it fails (exit status: 1)",
    );
}

/// A Python whose packages are these: a name, a version and the code of the package.
fn with_packages(folder: &Path, packages: &[(&str, &str, &str)]) -> Option<String> {
    for (name, version, code) in packages {
        let module = name.replace('-', "_");
        let info = folder.join(format!("{module}-{version}.dist-info"));
        std::fs::create_dir_all(&info).unwrap();
        let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
        std::fs::write(info.join("METADATA"), metadata).unwrap();
        std::fs::create_dir_all(folder.join(&module)).unwrap();
        std::fs::write(folder.join(&module).join("__init__.py"), code).unwrap();
    }
    // It is asked with `-I -c SCRIPT PINS…`, and has these packages alone.
    let begin = format!("import sys; sys.path.insert(0, '{}')", folder.display());
    let (python, begin) = (python()?, begin.replace('\'', "'\\''"));
    Some(format!(
        "#!/bin/sh\nscript=\"$3\"\nshift 3\nexec '{python}' -I -S -c '{begin}'\"\n$script\" \"$@\"\n"
    ))
}

#[test]
fn a_python_counts_with_the_pinned_packages_only() {
    needs!(PYTHON);
    let pinned = |pins: Pins, name| pins.version(name);
    let check = |tool: &Tool, packages: &[(&str, &str, &str)], why: &str| {
        let folder = tempfile::tempdir().unwrap();
        let script = with_packages(folder.path(), packages).unwrap();
        match why {
            "" => assert_eq!(judged(tool, "python3", &script), [Ok(()), Ok(())]),
            why => is_left_out(tool, "python3", &script, why),
        }
    };
    let boto3 = pinned(Pins::Clients, "boto3");
    check(&BOTO3, &[("boto3", boto3, "")], "");
    check(&BOTO3, &[("boto3", "1.43.11", "")], "it has boto3 1.43.11");
    let broken = "raise ImportError('a library is missing')";
    let why = "ImportError: a library is missing";
    check(&BOTO3, &[("boto3", boto3, broken)], why);
    let (s3fs, minio) = (
        pinned(Pins::MoreClients, "s3fs"),
        pinned(Pins::MoreClients, "minio"),
    );
    check(&S3FS, &[("s3fs", s3fs, ""), ("minio", minio, "")], "");
    let old = [("s3fs", s3fs, ""), ("minio", "7.1.0", "")];
    check(&S3FS, &old, "it has minio 7.1.0");
    check(&RAY, &[("ray", "2.9.0", "")], "it has ray 2.9.0");
    let inspect = pinned(Pins::Evaluation, "inspect-ai");
    check(&INSPECT, &[("inspect-ai", inspect, "")], "");
}

/// This repository has a folder `datasets`, and Python would import it from where it starts.
#[test]
fn no_folder_of_the_repository_is_taken_for_a_package() {
    needs!(PYTHON);
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("datasets")
            .is_dir()
    );
    let folder = tempfile::tempdir().unwrap();
    let version = Pins::Clients.version("datasets");
    // The package was there once: what is left of it says its version.
    let script = with_packages(folder.path(), &[("datasets", version, "")]).unwrap();
    std::fs::remove_dir_all(folder.path().join("datasets")).unwrap();
    let why = "ModuleNotFoundError: No module named 'datasets'";
    is_left_out(&DATASETS, "python3", &script, why);
}

#[test]
fn files_of_packages_count_at_the_pinned_version() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server/dist/index.js");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let look = || MCP_EVERYTHING.look(Some(file.clone().into()), "".as_ref());
    assert!(look().unwrap_err().ends_with(": it is not there"));
    std::fs::write(&file, "").unwrap();
    assert!(look().unwrap_err().ends_with("of no known version"));
    let name = "@modelcontextprotocol/server-everything";
    let package = |version: &str| {
        let text = format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}");
        std::fs::write(folder.path().join("server/package.json"), text).unwrap();
    };
    package("2025.1.1");
    assert!(
        look()
            .unwrap_err()
            .ends_with(&format!("it is {name} 2025.1.1"))
    );
    package(Pins::Node.version(name));
    assert_eq!(look(), Ok(file.clone()));

    let data = folder.path().join("site-packages/bfcl_eval");
    std::fs::create_dir_all(&data).unwrap();
    let look = || BFCL.look(Some(data.clone().into()), "".as_ref());
    let version = Pins::Models.version("bfcl-eval");
    let info = format!("bfcl_eval-{version}.dist-info");
    std::fs::create_dir(
        folder
            .path()
            .join("site-packages/bfcl_eval-2025.1.dist-info"),
    )
    .unwrap();
    assert!(
        look()
            .unwrap_err()
            .ends_with(&format!("there is no {info} beside it"))
    );
    std::fs::create_dir(folder.path().join("site-packages").join(info)).unwrap();
    assert_eq!(look(), Ok(data.clone()));
}
