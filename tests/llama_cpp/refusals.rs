//! What cannot be answered is refused in a sentence.

use super::{ask, file, model, request};
use crate::support::tools::needs;
use dialog2api::Error;
use dialog2api::llm::local::LocalConfig;
use dialog2api::llm::{LlamaCpp, ModelSpec};

#[tokio::test]
async fn a_prompt_that_does_not_fit_is_refused_and_the_next_is_answered() {
    needs!(GGUF);
    let model = model();
    let long = request("You answer briefly.", &"one two three four ".repeat(2000));
    let error = ask(&model, &long).await.unwrap_err();
    assert!(matches!(error, Error::PromptTooLong(_)));
    let shown = error.to_string();
    assert!(
        shown.contains("with 24 for the answer do not fit the 2048"),
        "{shown}"
    );
    let next = request("You answer briefly.", "Name a colour.");
    assert!(!ask(&model, &next).await.unwrap().text.is_empty());
}

#[tokio::test]
async fn a_file_that_is_no_model_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter.gguf");
    let missing = LocalConfig::new(path.to_str().unwrap());
    let error = LlamaCpp::new(missing.clone()).unwrap_err().to_string();
    assert!(error.contains("there is no model file"), "{error}");
    std::fs::write(&path, "Dear reader").unwrap();
    let model = LlamaCpp::new(missing).unwrap();
    for _ in 0..2 {
        let error = ask(&model, &request("a", "b"))
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("letter.gguf: llama.cpp cannot read the file"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_grammar_that_is_none_is_refused() {
    needs!(GGUF);
    let (model, mut asked) = (model(), request("a", "b"));
    asked.grammar = Some("root ::= ( \"never closed\"".to_owned());
    let error = ask(&model, &asked).await.unwrap_err().to_string();
    assert!(error.contains("the grammar is refused"), "{error}");
    asked.grammar = None;
    assert!(ask(&model, &asked).await.is_ok());
}

#[test]
fn the_command_line_names_it() {
    needs!(GGUF);
    let spec = ModelSpec {
        model: Some(format!("llama-cpp:{}", file())),
        ..ModelSpec::default()
    };
    let model = spec.resolve(&|_| None).unwrap().open().unwrap();
    assert_eq!(model.name(), format!("llama-cpp:{}", file()));
}
