//! Whole documents: those beside the tests, and those in a folder that
//! `DIALOG2API_TEST_OPENAPI` names (`npm pack @readme/oas-examples` has many).

use super::{is_python, read};
use dialog2api::openapi::Api;
use expect_test::expect;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn beside() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/openapi/documents")
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|it| it.to_str()) {
            _ if path.is_dir() => collect(&path, paths),
            Some("json" | "yaml" | "yml") => paths.push(path),
            _ => {}
        }
    }
}

#[test]
fn every_document_of_a_folder_loads() {
    let named = std::env::var_os("DIALOG2API_TEST_OPENAPI").map(PathBuf::from);
    let mut paths = Vec::new();
    collect(&named.unwrap_or_else(beside), &mut paths);
    paths.sort();
    let (mut documents, mut operations, mut slowest) = (0, 0, 0);
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        if !text.contains("openapi") && !text.contains("swagger") {
            continue;
        }
        let started = Instant::now();
        let read = match Api::read(&text) {
            Ok(read) => read,
            // `package.json` and the like.
            Err(problem) if problem.contains("is not an OpenAPI document") => continue,
            Err(problem) => panic!("{}: {problem}", path.display()),
        };
        slowest = slowest.max(started.elapsed().as_millis());
        assert!(is_python(&read.stub("api")), "{}", path.display());
        documents += 1;
        operations += read.operations.len();
    }
    let line = format!(
        "{documents} documents with {operations} operations load, the slowest in {slowest} ms\n"
    );
    let _ = std::io::stderr().write_all(line.as_bytes());
    assert!(documents > 1);
}

#[test]
fn a_document_of_openapi_2() {
    let text = std::fs::read_to_string(beside().join("pets.json")).unwrap();
    let pets = read(&text);
    assert_eq!(
        pets.servers,
        ["https://api.pets.test/v2", "http://api.pets.test/v2"]
    );
    assert_eq!(pets.reads(), ["find_pets"]);
    assert_eq!(pets.destroys(), ["delete_pets_by_id"]);
    expect![[r##"
        # Pets. Programs call these as `pets.NAME(…)`, with keyword arguments.

        def find_pets(*, tags: list[str] | None = None, ids: list[int] | None = None, limit: int | None = None) -> list[dict]:
            """GET /pets

            limit: Default: 10.
            Returns a list of {id: int, name: str, mother: {id: int, name: str, mother: dict, status: Literal["sold", "free"] | None}, status: Literal["sold", "free"] | None}
            """

        def add_pet(*, name: str, mother: dict | None = None, status: Literal["sold", "free"] | None = None) -> dict:
            """POST /pets

            mother: {id: int, name: str, mother: {id: int, name: str, mother: dict, status: Literal["sold", "free"] | None}, status: Literal["sold", "free"] | None}
            Returns {id: int, name: str, mother: {id: int, name: str, mother: dict, status: Literal["sold", "free"] | None}, status: Literal["sold", "free"] | None}
            """

        def delete_pets_by_id(*, id: int) -> None:
            """DELETE /pets/{id}"""

        def draw_pet(*, id: int, image: bytes, note: str | None = None) -> Any:
            """PUT /pets/{id}"""
    "##]]
    .assert_eq(&pets.stub("pets"));
}

#[test]
fn a_document_of_openapi_3_1_in_yaml() {
    let text = std::fs::read_to_string(beside().join("library.yaml")).unwrap();
    let library = read(&text);
    assert_eq!(library.servers, ["/api"]);
    let source = Some("https://library.test/docs/openapi.yaml");
    assert_eq!(
        library.base(None, source).unwrap(),
        "https://library.test/api"
    );
    expect![[r##"
        # Library. Programs call these as `library.NAME(…)`, with keyword arguments.

        def list_books(
            *,
            limit: int | None = None,
            offset: int | None = None,
            country: Literal["NO", "SE", "yes"] | None = None,
            all_pages: bool = False,
        ) -> dict:
            """Lists the books. GET /books

            limit: Default: 20.
            Returns {items: [{isbn: str, title: str, sequel: dict}], total: int}
            The result comes in pages: offset. With all_pages=True it is one list of the items of all pages.
            """

        def lend_book(*, isbn: str, reader: str, until: str | None = None) -> Any:
            """Lends a book. POST /books/{isbn}/loans

            reader: Who takes the book.
            until: Format: date.
            """
    "##]]
    .assert_eq(&library.stub("library"));
}
