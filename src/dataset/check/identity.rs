//! Names: of dialogues, goals and worlds.

use super::{Check, Checked, Found, Looked};
use crate::error::{Error, Result};
use async_trait::async_trait;
use std::collections::{BTreeMap, HashMap};

/// Every dialogue has the name of its file, a part, a goal, a world that exists, and offers
/// operations that exist.
pub struct Identity;

#[async_trait]
impl Check for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn rule(&self) -> &'static str {
        "every dialogue has its file's name as uid, lies in train or test, and names a goal, \
         and a world and operations that exist"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        let mut names = HashMap::new();
        // A mistake in a world file is one finding, however many dialogues start from it.
        let mut worlds = BTreeMap::new();
        for dialogue in &set.dialogues {
            let mut say = |problem: String| found.on(set, dialogue, None, None, problem);
            let uid = &dialogue.transcript.uid;
            let stem = dialogue.path.file_stem().unwrap_or_default();
            let stem = stem.to_string_lossy();
            if *uid != stem {
                say(format!("its uid is {uid:?}; make it {stem:?}, as its file"));
            }
            if let Some(other) = names.insert(uid, &dialogue.path) {
                let other = set.shown(other).display();
                say(format!(
                    "{other} has the uid {uid:?} too; rename one of them"
                ));
            }
            if dialogue.split.is_none() {
                say("is in no part; move it to a folder `train` or `test`".to_owned());
            }
            if dialogue.goal().is_none_or(str::is_empty) {
                say("names no goal; write <conversation uid=… goal=\"…\" world=…>".to_owned());
            }
            let offer = dialogue.transcript.offer();
            if let Some(unknown) = offer.names().find(|it| set.domain.operation(it).is_none()) {
                let domain = &set.domain.name;
                say(format!(
                    "offers {unknown}, and the domain {domain} has no such operation"
                ));
            }
            match set.world(dialogue) {
                Ok(_) => {}
                Err(Error::Content { path, problem }) if path != dialogue.path => {
                    worlds.insert(path, problem);
                }
                Err(Error::Content { problem, .. }) => say(problem),
                Err(error) => say(error.to_string()),
            }
        }
        for (path, problem) in worlds {
            found.on_file(set, &path, format!("is no world: {problem}"));
        }
        found.end()
    }
}
