//! Operations that a question may need.

use super::{api, v3};
use serde_json::{Value as Json, json};

fn library() -> dialog2api::openapi::Api {
    let operation = |id: &str, summary: &str, query: &[&str]| {
        let parameters: Vec<Json> = (query.iter())
            .map(|name| json!({"name": name, "in": "query", "schema": {"type": "string"}}))
            .collect();
        json!({"operationId": id, "summary": summary, "parameters": parameters})
    };
    api(&v3(json!({
        "/search/book": {"get": operation("searchBooks", "Search books", &["query"])},
        "/books/{book_id}": {
            "get": operation("getBook", "Book details", &[]),
            "delete": operation("removeBook", "Throw a book away", &[]),
        },
        "/books/{book_id}/loans": {
            "get": operation("listLoans", "Loans of a book", &[]),
            "post": operation("lend", "Lend a book to a reader", &[]),
        },
        "/readers": {"get": operation("listReaders", "All readers", &[])},
        "/status": {"get": operation("status", "Health check", &[])},
    })))
}

fn found(words: &str, k: usize) -> Vec<String> {
    let library = library();
    let found = library.search(words, k);
    found.into_iter().map(|it| it.name.clone()).collect()
}

#[test]
fn words_find_operations() {
    assert_eq!(found("Is the service healthy? health", 1), ["status"]);
    assert_eq!(found("list all the readers", 1), ["list_readers"]);
    assert_eq!(found("delete this book", 1), ["remove_book"]);
    assert!(found("", 5).is_empty());
    assert_eq!(found("book", 0), [""; 0]);
}

#[test]
fn what_needs_an_id_brings_what_finds_it() {
    let found = found("Which loans does Moby Dick have?", 3);
    assert!(found.contains(&"list_loans".to_owned()), "{found:?}");
    assert!(found.contains(&"search_books".to_owned()), "{found:?}");
}
