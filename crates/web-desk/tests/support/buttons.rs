//! What the buttons of the world make of the tape: programs, their effects, and what an apply does.

use super::things::Things;
use bytes::Bytes;
use serde_json::{Value, json};
use std::collections::HashMap;
use web_desk::Wish;

/// A program that a button asked for.
pub struct Deed {
    /// What was asked, in words.
    pub user: String,
    pub program: String,
    pub effects: Vec<Value>,
    /// What an apply does to the world.
    pub change: Box<dyn FnOnce(&mut Things) + Send>,
}

fn deed(
    user: String,
    program: String,
    effects: Vec<Value>,
    change: impl FnOnce(&mut Things) + Send + 'static,
) -> Deed {
    Deed {
        user,
        program,
        effects,
        change: Box::new(change),
    }
}

/// The deed of a wish; `held` are the files that came in.
pub fn deed_of(wish: Wish, held: &HashMap<String, Bytes>) -> Deed {
    match wish {
        Wish::Program { text, program } => deed(text, program, vec![], |_| ()),
        Wish::Delete { paths, version } => {
            let effects = paths.iter().map(|path| effect("delete", path, 1));
            let version = version.map(|it| format!(" {it}")).unwrap_or_default();
            deed(
                format!("delete {}{version}", paths.join(", ")),
                format!("for path in {paths:?}:\n    delete(path)"),
                effects.collect(),
                move |world| paths.iter().for_each(|path| drop(world.0.remove(path))),
            )
        }
        Wish::Restore { path, version } => deed(
            format!("restore {path} {version}"),
            format!("restore({path:?}, {version:?})"),
            vec![effect("overwrite", &path, 1)],
            |_| (),
        ),
        Wish::Make { name } => deed(
            format!("make {name}"),
            format!("make({name:?})"),
            vec![effect("create", &name, 0)],
            move |world| drop(world.0.insert(format!("{name}/first.txt"), "first".into())),
        ),
        Wish::Move { paths, to } => moved(paths, to),
        Wish::Share { path, seconds } => {
            let mut it = effect("create", &path, 0);
            it["place"]["setting"] = json!(format!("link to read it for {seconds} seconds"));
            it["shares"] = json!(true);
            it["after"]["summary"] = json!("anybody who has it");
            deed(
                format!("share {path} for {seconds}"),
                format!("return link({path:?}, {seconds})"),
                vec![it],
                |_| (),
            )
        }
        Wish::Upload { folder, files } => {
            let files: Vec<(String, Bytes)> = files
                .into_iter()
                .map(|it| (format!("{folder}{}", it.name), held[&it.held].clone()))
                .collect();
            let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
            deed(
                format!("upload {}", paths.join(", ")),
                format!("put({paths:?}, …)"),
                files
                    .iter()
                    .map(|(path, bytes)| effect("create", path, bytes.len()))
                    .collect(),
                move |world| world.0.extend(files),
            )
        }
    }
}

fn moved(paths: Vec<String>, to: String) -> Deed {
    let target = {
        let to = to.clone();
        move |path: &str| match to.strip_suffix('/') {
            Some(folder) if !path.ends_with('/') => {
                format!("{folder}/{}", path.rsplit('/').next().unwrap_or_default())
            }
            _ => to.clone(),
        }
    };
    let effects = paths.iter().flat_map(|path| {
        [
            effect("create", &target(path), 1),
            effect("delete", path, 1),
        ]
    });
    deed(
        format!("move {} to {to}", paths.join(", ")),
        format!("move({paths:?}, {to:?})"),
        effects.collect(),
        move |world| {
            for path in paths {
                let inside = world.0.range(path.clone()..);
                let inside = inside.take_while(|(key, _)| {
                    **key == path || path.ends_with('/') && key.starts_with(&path)
                });
                let keys: Vec<String> = inside.map(|(key, _)| key.clone()).collect();
                for key in keys {
                    let rest = key.strip_prefix(&path).unwrap_or_default();
                    let new = format!("{}{rest}", target(&path));
                    if let Some(bytes) = world.0.remove(&key) {
                        world.0.insert(new, bytes);
                    }
                }
            }
        },
    )
}

fn effect(kind: &str, path: &str, size: usize) -> Value {
    let mark = json!({"tag": "a", "size": size});
    let place = match path.split_once('/') {
        Some((container, name)) => json!({"container": container, "name": name}),
        None => json!({"container": path}),
    };
    let mut effect = json!({"effect": kind, "place": place});
    if kind != "create" {
        effect["before"] = mark.clone();
    }
    if kind != "delete" {
        effect["after"] = mark;
    }
    effect
}
