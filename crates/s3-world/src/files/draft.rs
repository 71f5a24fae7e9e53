//! Transfers in a draft: nothing is sent and no file is changed, but reads of the draft show
//! the result.

use super::download::last_modified;
use super::folders::Named;
use super::place;
use super::stamp::Stamp;
use super::upload::{Source, arguments, target};
use super::world::WithFiles;
use crate::caller::{Caller, size, text};
use crate::domain::{Change, ChangeKind, FileBody, Mark, Place, Refusal, Touched, Value, counted};
use crate::error::Error;
use crate::images;
use crate::let_in::shares;
use crate::refusal::{self, Trouble};
use crate::{names, planning};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files that the downloads of a draft will leave, by the name that is shown.
#[derive(Debug, Clone, Default)]
pub struct Drafted(BTreeMap<String, Stamp>);

impl Drafted {
    pub fn files(&self) -> impl Iterator<Item = (&str, Stamp)> {
        self.0.iter().map(|(name, stamp)| (name.as_str(), *stamp))
    }
}

impl WithFiles {
    /// Refuses to read a file that is only planned.
    pub(super) fn refuse_drafted(&self, named: &Named<'_>) -> Result<(), Refusal> {
        let shown = named.shown();
        let is_drafted = self
            .drafted()
            .is_some_and(|drafted| drafted.0.contains_key(&shown));
        match is_drafted {
            false => Ok(()),
            true => Err(Refusal::new(
                409,
                "OSError",
                format!(
                    "{shown:?} is downloaded when the plan is carried out, and can be read by \
                     another program after that"
                ),
            )),
        }
    }

    pub(super) async fn draft_upload(
        &self,
        call: &Value,
    ) -> Result<(Value, Vec<Touched>), Trouble> {
        let named = self.file(call, "Filename")?;
        self.refuse_drafted(&named)?;
        let source = Source::open(&named)?;
        let stamp = source.stamp;
        if stamp.size > self.most_bytes {
            let size = usize::try_from(stamp.size).unwrap_or(usize::MAX);
            let most = usize::try_from(self.most_bytes).unwrap_or(usize::MAX);
            return Err(refusal::too_large(size, most).into());
        }
        let (folders, shown) = (self.folders.clone(), named.shown());
        let content = FileBody {
            tag: format!("unread-{}", stamp.modified),
            size: stamp.size,
            read: Box::new(move || {
                let read = || {
                    let source = Source::open(&folders.named(&shown)?)?;
                    match source.stamp == stamp {
                        true => source.read(),
                        false => Err(source.changed()),
                    }
                };
                read().map_err(|refusal| Error::world(refusal.message))
            }),
            reader: None,
            content: None,
        };
        let after = Mark {
            tag: content.tag.clone(),
            ..stamp.mark()
        };
        let before = self.object_mark(call).await?;
        let mut put = [
            target(call),
            arguments(call, &["ChecksumType", "MpuObjectSize"]),
        ]
        .concat();
        put.push(("Body".into(), Value::File(Arc::new(content))));
        self.ask("put_object", put).await?;
        let is_shared = shares(
            "put_object",
            call.get("ExtraArgs").unwrap_or(&Value::Null),
            &[],
        );
        let touched = vec![
            depended(place::of(&named), stamp.mark()),
            Touched {
                place: object(call),
                before,
                after: Some(after),
                changed: true,
                shares: is_shared,
                ..Touched::default()
            },
        ];
        Ok((Value::Map(Vec::new()), touched))
    }

    pub(super) async fn draft_download(
        &self,
        call: &Value,
    ) -> Result<(Value, Vec<Touched>), Trouble> {
        let named = self.file(call, "Filename")?;
        named.writable()?;
        let head = self.head(call).await?;
        let known = self
            .drafted()
            .and_then(|drafted| drafted.0.get(&named.shown()).copied());
        let before = match known {
            Some(stamp) => Some(stamp),
            None => Stamp::of(&named).map_err(|error| named.refused(&error))?,
        };
        let size = size(&head, "ContentLength");
        let modified = last_modified(&head).map_or(0, |time| time.as_nanosecond());
        let is_there = |it: &Stamp| it.size == size && it.modified == modified;
        let after = before.filter(is_there).unwrap_or(Stamp {
            size,
            modified,
            changed: None,
        });
        if let Some(mut drafted) = self.drafted() {
            drafted.0.insert(named.shown(), after);
        }
        let source = Mark {
            tag: text(&head, "ETag")
                .unwrap_or_default()
                .trim_matches('"')
                .to_owned(),
            size: after.size,
            version: None,
            summary: None,
        };
        let touched = vec![
            depended(object(call), source),
            Touched {
                place: place::of(&named),
                before: before.map(Stamp::mark),
                after: Some(after.mark()),
                changed: true,
                shares: false,
                ..Touched::default()
            },
        ];
        Ok((Value::Map(Vec::new()), touched))
    }

    /// The changes that the downloads of this draft would make.
    pub fn changes(&self) -> Vec<Change> {
        let Some(drafted) = self.drafted() else {
            return Vec::new();
        };
        let changes = drafted.files().map(|(name, stamp)| {
            let named = self.folders.named(name).ok();
            let before = named.and_then(|named| Stamp::of(&named).ok().flatten());
            let (kind, sign) = match before {
                None => (ChangeKind::Created, '+'),
                Some(_) => (ChangeKind::Overwritten, '~'),
            };
            Change {
                kind,
                line: format!(
                    "{sign} file:{} ({})",
                    name.escape_debug(),
                    counted(stamp.size, "byte")
                ),
                keeps_state: true,
                details: json!({"file": name, "size": stamp.size}),
            }
        });
        changes.collect()
    }

    /// The mark of the object that an upload replaces.
    async fn object_mark(&self, call: &Value) -> Result<Option<Mark>, Trouble> {
        let named = target(call);
        let key = call.get("Key").and_then(Value::as_str).unwrap_or_default();
        if names::check_key(key).is_err() {
            return Ok(None);
        }
        let head = Caller(&*self.inner).find("head_object", named).await;
        let head = head.map_err(Trouble::Failed)?;
        Ok(head.map(|head| Mark {
            version: images::version(&head).map(str::to_owned),
            ..planning::mark(&head, "ContentLength")
        }))
    }
}

/// A place that a write only depends on.
fn depended(place: Place, mark: Mark) -> Touched {
    Touched {
        place,
        before: Some(mark.clone()),
        after: Some(mark),
        changed: false,
        ..Touched::default()
    }
}

/// The object that a transfer names, as a place.
pub fn object(call: &Value) -> Place {
    let part = |name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default();
    Place::thing(part("Bucket"), part("Key"))
}
