//! What a person sees of hostile programs: the command line shows none of their control
//! characters, on either stream, for people and as JSON.

use crate::hostile::program::Program;
use crate::support::command::dialog2api;
use dialog2api::dialogue::clean;

#[test]
fn no_escape_of_a_program_reaches_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = folder.path().join("zoo.toml");
    std::fs::write(&world, "[[bucket]]\nname = \"zoo\"\n").expect("a file");
    let file = folder.path().join("program.py");
    for program in Program::group("terminal") {
        std::fs::write(&file, &program.text).expect("a file");
        for json in [false, true] {
            let mut command = dialog2api();
            command.arg("run").arg(&file).arg("--world").arg(&world);
            if json {
                command.arg("--json");
            }
            let output = command.output().expect("it starts");
            let name = &program.name;
            assert!(
                matches!(output.status.code(), Some(0 | 3)),
                "{name}: {output:?}"
            );
            for stream in [output.stdout, output.stderr] {
                let text = String::from_utf8(stream).expect("text");
                assert_eq!(clean(&text), text, "{name} --json {json}");
            }
        }
    }
}
