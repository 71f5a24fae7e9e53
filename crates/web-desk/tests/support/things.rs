//! The world of the tape: names and contents.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use std::collections::BTreeMap;
use web_desk::{Answer, Content, Entry, Look, Page, Refusal, Room, Step, Version};

const PAGE: usize = 1000;
/// The smallest picture that browsers show.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
pub const HOSTILE: &str = "<img src=x onerror=window.hacked=1>\u{202e}gpj.exe";

/// Things by their whole path; a path has folders as S3 has them.
pub struct Things(pub BTreeMap<String, Bytes>);

impl Things {
    pub fn new(many: usize) -> Things {
        let mut things = BTreeMap::new();
        let mut put =
            |path: &str, bytes: &'static [u8]| things.insert(path.to_owned(), bytes.into());
        put(
            "zoo/index.csv",
            b"name,size,what\na.log,2048,\"lines, many\"\n\"say \"\"hi\"\"\",7,<b>x</b>\n",
        );
        put(
            "zoo/logs/a.log",
            b"2026-11-28 started\n2026-11-28 <script>window.hacked=1</script>\n",
        );
        put("zoo/logs/dump.tmp", &[0, 1, 2, 255]);
        put("zoo/pictures/dot.png", PNG);
        put(
            "attic/animals.jsonl",
            b"{\"name\": \"otter\", \"legs\": 4}\n\n{\"name\": \"<b>orca</b>\", \"tags\": [\"sea\", null], \"__proto__\": 1}\n",
        );
        put("attic/broken.jsonl", b"{\"name\": \"otter\"}\nno JSON\n");
        put(
            "attic/animals.parquet",
            include_bytes!("../data/animals.parquet"),
        );
        put("attic/cut.parquet", b"PAR1 and no end");
        put("attic/notes.txt", b"Nothing here.\n");
        things.insert(format!("zoo/hostile/{HOSTILE}"), "plain".into());
        for index in 0..many {
            things.insert(format!("zoo/big/key-{index:06}"), "x".into());
        }
        Things(things)
    }

    /// One page below a folder: at most 1,000 things are looked at.
    pub fn browse(&self, look: &Look) -> Answer<Page> {
        let folder = &look.path;
        let inside = self
            .0
            .range(folder.clone()..)
            .take_while(|(path, _)| path.starts_with(folder.as_str()));
        if !folder.is_empty() && inside.clone().next().is_none() {
            return Err(Refusal::Missing(format!("Nothing lies at {folder}")));
        }
        let part = look.find.as_ref().map(|part| part.to_lowercase());
        let mut page = Page {
            room: folder.contains('/').then(|| Room {
                files: 100,
                bytes: Some(64 << 20),
                beyond: "Ask the agent for more.".to_owned(),
            }),
            keeps_deleted: folder.starts_with("zoo/"),
            makes: folder.is_empty().then(|| "bucket".to_owned()),
            ..Page::default()
        };
        if look.deleted {
            page.room = None;
            page.entries.push(Entry {
                name: "index.csv".to_owned(),
                path: "zoo/index.csv".to_owned(),
                has_versions: true,
                is_deleted: true,
                ..Entry::default()
            });
        }
        let mut end = 0;
        while let Some(length) = folder.get(end..).and_then(|rest| rest.find('/')) {
            let name = folder[end..end + length].to_owned();
            end += length + 1;
            page.way.push(Step {
                name,
                path: folder[..end].to_owned(),
            });
        }
        if look.deleted {
            return Ok(page);
        }
        let mut after = look.after.clone().unwrap_or_default();
        let next = |after: &str| {
            let from = folder.as_str().max(after).to_owned();
            let mut rest = self
                .0
                .range(from..)
                .filter(|(path, _)| path.as_str() > after);
            rest.next()
                .filter(|(path, _)| path.starts_with(folder.as_str()))
        };
        while let Some((path, bytes)) = next(&after) {
            if page.looked_at == PAGE {
                page.more = Some(after);
                return Ok(page);
            }
            page.looked_at += 1;
            after.clone_from(path);
            let rest = &path[folder.len()..];
            let entry = match (rest.split_once('/'), &part) {
                (Some((name, _)), None) => {
                    // What lies in it comes before the next name.
                    after = format!("{folder}{name}/\u{10ffff}");
                    Entry {
                        name: name.to_owned(),
                        path: format!("{folder}{name}/"),
                        folder: true,
                        can_move: !folder.is_empty(),
                        ..Entry::default()
                    }
                }
                _ => Entry {
                    name: rest.to_owned(),
                    path: path.clone(),
                    size: Some(bytes.len() as u64),
                    modified: Some("2026-11-28T09:30:00Z".to_owned()),
                    can_delete: true,
                    can_move: true,
                    can_share: true,
                    has_versions: path.ends_with(".csv"),
                    ..Entry::default()
                },
            };
            if part
                .as_ref()
                .is_none_or(|part| entry.name.to_lowercase().contains(part))
            {
                page.entries.push(entry);
            }
        }
        Ok(page)
    }

    pub fn read(&self, path: &str, last: Option<u64>) -> Answer<Content> {
        let missing = || Refusal::Missing(format!("Nothing lies at {path}"));
        let bytes = self.0.get(path).ok_or_else(missing)?.clone();
        let start = last.map_or(0, |last| bytes.len().saturating_sub(last as usize));
        Ok(Content {
            size: Some(bytes.len() as u64),
            bytes: stream::iter([Ok(bytes.slice(start..))]).boxed(),
        })
    }

    pub fn versions(&self, path: &str) -> Answer<Vec<Version>> {
        let size = self.read(path, None)?.size;
        let version = |name: &str, current| Version {
            version: name.to_owned(),
            modified: "2026-11-27T10:00:00Z".to_owned(),
            size,
            current,
        };
        Ok(vec![version("v2", true), version("v1", false)])
    }
}
