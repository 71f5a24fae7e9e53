//! Whole documents: those beside the tests, and those of two packages.

use super::{is_python, read};
use crate::support::tools::{GITHUB_API, OAS_EXAMPLES, needs};
use dialog2api::openapi::Api;
use expect_test::expect;
use std::path::{Path, PathBuf};

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

/// Reads every document of a folder. Returns how many there are, and their operations.
fn load(folder: &Path) -> (usize, usize) {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    let (mut documents, mut operations) = (0, 0);
    for path in &paths {
        let text = std::fs::read_to_string(path).unwrap();
        if !text.contains("openapi") && !text.contains("swagger") {
            continue;
        }
        let read = match Api::read(&text) {
            Ok(read) => read,
            // `package.json` and the like.
            Err(problem) if problem.contains("is not an OpenAPI document") => continue,
            Err(problem) => panic!("{}: {problem}", path.display()),
        };
        assert!(is_python(&read.stub("api")), "{}", path.display());
        documents += 1;
        operations += read.operations.len();
    }
    (documents, operations)
}

#[test]
fn awkward_samples_load() {
    needs!(OAS_EXAMPLES);
    assert_eq!(load(&OAS_EXAMPLES.path()), (129, 1337));
    assert_eq!(load(&beside()), (2, 6));
}

#[test]
fn the_document_of_github_loads() {
    needs!(GITHUB_API);
    let text = std::fs::read_to_string(GITHUB_API.path()).unwrap();
    let api = read(&text);
    assert!(is_python(&api.stub("github")));
    assert_eq!((api.operations.len(), api.reads().len()), (1223, 639));
    for (words, operation) in [
        (
            "Which issues of rust-lang/rust are open?",
            "issues_list_for_repo",
        ),
        (
            "star the repository dialog2api",
            "activity_star_repo_for_authenticated_user",
        ),
        (
            "who contributed to this repository?",
            "repos_list_contributors",
        ),
    ] {
        let found = api.search(words, 20);
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert!(names.contains(&operation), "{words} {names:?}");
    }
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
