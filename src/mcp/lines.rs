//! The lines of a server's output, mended: what is JSON but for the letter of the RFC becomes JSON,
//! and an answer that cannot be read becomes an error, so that nobody waits for it.

use crate::domain::strict_json;
use serde::de::IgnoredAny;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// The bytes that may wait between a server and the protocol.
const PIPE: usize = 64 << 10;
/// The longest line, in bytes.
const LONGEST: u64 = 64 << 20;
/// The code of what is no JSON, in JSON-RPC.
const PARSE_ERROR: i32 = -32700;

/// The output of a server with mended lines.
pub fn mended(output: impl AsyncRead + Send + Unpin + 'static) -> DuplexStream {
    let (mut to, mended) = tokio::io::duplex(PIPE);
    tokio::spawn(async move {
        let mut from = BufReader::new(output);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let read = (&mut from)
                .take(LONGEST)
                .read_until(b'\n', &mut bytes)
                .await;
            if !matches!(read, Ok(1..)) {
                break;
            }
            let text = String::from_utf8_lossy(&bytes);
            if to.write_all(line(&text).as_bytes()).await.is_err() {
                break;
            }
        }
    });
    mended
}

fn line(text: &str) -> String {
    let text = strict_json(text.trim(), None);
    let problem = match serde_json::from_str::<IgnoredAny>(&text) {
        Ok(_) => return format!("{}\n", with_whole_tools(&text).unwrap_or(text.into())),
        Err(problem) => problem,
    };
    // Servers also write notes for people, which are ignored.
    let id = id(&text).filter(|_| text.starts_with('{') && !text.contains("\"method\""));
    match id {
        Some(id) => {
            let begin: String = text.chars().take(120).collect();
            let message = format!(
                "the server answered, so the tool was called, but the answer is no JSON: {problem}. It \
                 begins with {begin:?}"
            );
            let error = json!({"code": PARSE_ERROR, "message": message});
            format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "error": error}))
        }
        None => format!("{text}\n"),
    }
}

/// The member of a tool's metadata that carries its whole description.
const WHOLE: &str = "dialog2api/whole";

/// A list of tools whose descriptions carry themselves: the protocol's library leaves out what it does
/// not know, such as whether a tool runs as a task.
pub fn with_whole_tools(text: &str) -> Option<String> {
    // Any letter of the name can be an escape.
    if !text.contains("\"tools\"") && !text.contains("\\u") {
        return None;
    }
    let mut json: Json = serde_json::from_str(text).ok()?;
    let tools = json.get_mut("result")?.get_mut("tools")?.as_array_mut()?;
    for tool in tools {
        let whole = tool.clone();
        let meta = tool.as_object_mut().map(|tool| tool.entry("_meta"));
        let meta = meta.map(|meta| meta.or_insert_with(|| json!({})));
        if let Some(meta) = meta.and_then(Json::as_object_mut) {
            meta.insert(WHOLE.to_owned(), whole);
        }
    }
    Some(json.to_string())
}

/// The whole description of a tool in such a list.
pub fn whole_tool(mut tool: Json) -> Json {
    let whole = tool.get_mut("_meta").and_then(|meta| meta.get_mut(WHOLE));
    match whole.map(Json::take) {
        Some(whole) => whole,
        None => tool,
    }
}

/// The id of an answer that is no JSON.
fn id(text: &str) -> Option<Json> {
    let (_, after) = text.split_once("\"id\"")?;
    let after = after.trim_start().strip_prefix(':')?.trim_start();
    let end = after.find([',', '}'])?;
    let id: Json = serde_json::from_str(after.get(..end)?.trim()).ok()?;
    (id.is_u64() || id.is_string()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_mended_or_become_errors() {
        for (text, mended) in [
            ("{\"id\": 1, \"result\": 1}", "{\"id\": 1, \"result\": 1}\n"),
            ("Listening on stdio", "Listening on stdio\n"),
            (
                r#"{"id": 1, "result": "a\ud83d"}"#,
                "{\"id\": 1, \"result\": \"a\\ufffd\"}\n",
            ),
            (
                "{\"id\": 1, \"result\": NaN}",
                "{\"id\": 1, \"result\": {\"\\u0000number\":\"NaN\"}}\n",
            ),
        ] {
            assert_eq!(line(text), mended);
        }
        let error: Json =
            serde_json::from_str(&line("{\"id\": 7, \"result\": {\"a\": ")).expect("JSON");
        assert_eq!(error.get("id"), Some(&json!(7)));
        assert_eq!(error.pointer("/error/code"), Some(&json!(PARSE_ERROR)));
    }
}
