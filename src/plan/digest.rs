//! A plan that is too long to be read line by line: its totals by folder, the largest things,
//! and what stands out. The lines themselves are in a file.

use super::{Effect, EffectKind, Gravity, Totals};
use crate::domain::Place;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// A plan with more effects is shown by its digest.
const LONG: usize = 1_000;

/// The most folders that are named.
const FOLDERS: usize = 12;

/// How deep folders are told apart.
const DEEPEST: usize = 4;

/// How many of the largest things are named.
const LARGEST: usize = 5;

/// How many effects of each gravity are named that stand out.
const OUTSTANDING: usize = 20;

/// A long plan in few lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// The folders with most of the effects, the largest number first, and what is done in each.
    pub folders: Vec<(String, Totals)>,
    /// How many other folders there are, and what is done in all of them.
    pub others: (usize, Totals),
    /// The largest things that are made, replaced or removed.
    pub largest: Vec<Effect>,
    /// What is not as the rest: what lets others in, loses a content, changes a setting or a
    /// container, or is a call of which nobody knows what it does. The gravest first.
    pub outstanding: Vec<Effect>,
    /// How many more of those there are, by what they do.
    pub more: Vec<(Gravity, usize)>,
    /// The file with all lines, if it could be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
}

impl Digest {
    /// The digest of a plan that is too long to be read.
    pub fn of(effects: &[Effect]) -> Option<Digest> {
        if effects.len() <= LONG {
            return None;
        }
        let depth = (1..=DEEPEST).rev();
        let mut folders = depth
            .map(|depth| by_folder(effects, depth))
            .find(|folders| folders.len() <= FOLDERS)
            .unwrap_or_else(|| by_folder(effects, 0));
        folders.sort_by_key(|(_, effects)| Reverse(effects.len()));
        let others = folders.split_off(FOLDERS.min(folders.len()));
        let rest: Vec<Effect> = others
            .iter()
            .flat_map(|(_, it)| it)
            .copied()
            .cloned()
            .collect();
        let totals = |effects: &[&Effect]| Totals::of_each(effects.iter().copied());
        let mut outstanding: Vec<&Effect> = effects.iter().filter(|it| stands_out(it)).collect();
        outstanding.sort_by_key(|effect| effect.gravity());
        let mut counts: BTreeMap<Gravity, usize> = BTreeMap::new();
        let mut more: BTreeMap<Gravity, usize> = BTreeMap::new();
        outstanding.retain(|effect| {
            let count = counts.entry(effect.gravity()).or_default();
            *count += 1;
            if *count > OUTSTANDING {
                *more.entry(effect.gravity()).or_default() += 1;
            }
            *count <= OUTSTANDING
        });
        Some(Digest {
            folders: (folders.iter())
                .map(|(name, effects)| (name.clone(), totals(effects)))
                .collect(),
            others: (others.len(), Totals::of(&rest)),
            largest: largest(effects),
            outstanding: outstanding.into_iter().cloned().collect(),
            more: more.into_iter().collect(),
            file: None,
        })
    }
}

/// The effects by folders of so many names. With 0 they are told apart by their containers.
fn by_folder(effects: &[Effect], depth: usize) -> Vec<(String, Vec<&Effect>)> {
    let mut folders: BTreeMap<String, Vec<&Effect>> = BTreeMap::new();
    for effect in effects {
        folders
            .entry(folder(&effect.place, depth))
            .or_default()
            .push(effect);
    }
    folders.into_iter().collect()
}

fn folder(place: &Place, depth: usize) -> String {
    let path = place.segments().get(1..).unwrap_or_default().join("/");
    let ends = path.match_indices('/').map(|(at, _)| at + 1);
    let end = ends.take(depth).last().unwrap_or(0);
    format!("{}/{}", place.root(), path.get(..end).unwrap_or_default())
}

/// Whether people should see it by itself, however many others there are.
fn stands_out(effect: &Effect) -> bool {
    let is_container = effect.place.is_container();
    match effect.gravity() {
        Gravity::Shares | Gravity::Settings => true,
        Gravity::Destroys => effect.is_lost || effect.merged > 0 || is_container,
        Gravity::Changes => effect.is_call(),
        Gravity::Adds => is_container,
    }
}

/// The size of what an effect is about.
fn size(effect: &Effect) -> u64 {
    let marks = [&effect.before, &effect.after].into_iter().flatten();
    match effect.place.setting() {
        Some(_) => 0,
        None => marks.map(|mark| mark.size).max().unwrap_or(0),
    }
}

fn largest(effects: &[Effect]) -> Vec<Effect> {
    let mut heap = BinaryHeap::new();
    for (number, effect) in effects.iter().enumerate() {
        heap.push(Reverse((size(effect), Reverse(number))));
        if heap.len() > LARGEST {
            heap.pop();
        }
    }
    let largest = heap.into_sorted_vec().into_iter();
    let largest = largest.filter(|Reverse((size, _))| *size > 0);
    let largest = largest.filter_map(|Reverse((_, Reverse(number)))| effects.get(number));
    largest.cloned().collect()
}

/// Writes all lines of a plan to a file that people can search and open as a table: what is done,
/// the place, the bytes before and afterwards, and where a copy comes from, with tabs between
/// them.
///
/// # Errors
/// The file cannot be written.
pub fn write_lines(effects: &[Effect], file: &Path) -> Result<()> {
    let cannot = || Error::file("cannot write the lines of the plan to", file);
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = BufWriter::new(options.open(file).map_err(cannot())?);
    let mut write = |line: String| writeln!(out, "{line}").map_err(cannot());
    write("what\tplace\tbytes before\tbytes after\tcopied from\tnote".to_owned())?;
    for effect in effects {
        let what = match effect.effect {
            _ if effect.gravity() == Gravity::Shares => "share",
            _ if effect.is_call() => "call",
            EffectKind::Create => "create",
            EffectKind::Overwrite => "overwrite",
            EffectKind::Delete => "delete",
        };
        let bytes = |mark: &Option<crate::domain::Mark>| match mark {
            Some(mark) if effect.place.setting().is_none() => mark.size.to_string(),
            _ => String::new(),
        };
        let place = |place: &Place| one_cell(&place.to_string());
        write(format!(
            "{what}\t{}\t{}\t{}\t{}\t{}",
            place(&effect.place),
            bytes(&effect.before),
            bytes(&effect.after),
            effect.copied_from.as_ref().map(place).unwrap_or_default(),
            one_cell(&effect.warnings.join("; ")),
        ))?;
    }
    out.flush().map_err(cannot())
}

/// A text in one cell of one line.
fn one_cell(text: &str) -> String {
    let escaped = text.chars().map(|it| match it {
        it if it.is_control() => it.escape_default().to_string(),
        it => it.to_string(),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Mark;
    use expect_test::expect;
    use std::fmt::Write as _;

    /// An effect from `+ bucket/key 5`.
    fn effect(line: &str) -> Effect {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("a sign, a path and a size");
        let (sign, path, size) = (word(), word(), word());
        let mark = || {
            let size = size.parse().expect("a size");
            Some(Mark {
                tag: "tag".to_owned(),
                ..Mark::unknown(size)
            })
        };
        let (effect, before, after) = match sign {
            "-" => (EffectKind::Delete, mark(), None),
            "~" => (EffectKind::Overwrite, mark(), mark()),
            _ => (EffectKind::Create, None, mark()),
        };
        let (bucket, key) = path.split_once('/').expect("a bucket");
        Effect {
            effect,
            place: match key {
                "" => Place::container(bucket),
                key => Place::thing(bucket, key),
            },
            before,
            after,
            copied_from: None,
            shares: sign == "!",
            lines: Vec::new(),
            warnings: Vec::new(),
            merged: 0,
            moved: false,
            kept: false,
            uncovered: false,
            is_lost: false,
            back: None,
        }
    }

    /// A digest as text: `written/destroyed` bytes, and `created/overwritten/deleted` things.
    fn shown(digest: &Digest) -> String {
        let mut text = String::new();
        let totals = |it: &Totals| {
            let things = format!("{}/{}/{}", it.created, it.overwritten, it.deleted);
            format!("{things} {}/{}", it.bytes_written, it.bytes_destroyed)
        };
        for (folder, sum) in &digest.folders {
            let _ = writeln!(text, "{folder} {}", totals(sum));
        }
        let (others, sum) = &digest.others;
        let _ = writeln!(text, "{others} others {}", totals(sum));
        let places = |effects: &[Effect]| {
            let places = effects.iter().map(|effect| effect.place.to_string());
            places.collect::<Vec<_>>().join(" ")
        };
        let _ = writeln!(text, "largest {}", places(&digest.largest));
        let _ = writeln!(text, "outstanding {}", places(&digest.outstanding));
        for (gravity, count) in &digest.more {
            let _ = writeln!(text, "{count} more: {gravity:?}");
        }
        text
    }

    #[test]
    fn a_long_plan_is_told_by_folders_sizes_and_what_stands_out() {
        let moved = (0..2_000).flat_map(|number| {
            let (from, to) = ("wire/in/2024", "wire/out/2024");
            [
                format!("- {from}/{number:05} 10"),
                format!("+ {to}/{number:05} 10"),
            ]
        });
        let others = [
            "~ wire/in/2025/big 5000",
            "! wire/public 7",
            "- old/ 0",
            "+ new/ 0",
        ];
        let lines = moved.chain(others.map(str::to_owned));
        let effects: Vec<Effect> = lines.map(|line| effect(&line)).collect();
        let digest = Digest::of(&effects).expect("it is long");
        expect![[r#"
            wire/in/2024/ 0/0/2000 0/20000
            wire/out/2024/ 2000/0/0 20000/0
            new/ 0/0/0 0/0
            old/ 0/0/0 0/0
            wire/ 1/0/0 7/0
            wire/in/2025/ 0/1/0 5000/5000
            0 others 0/0/0 0/0
            largest wire/in/2025/big wire/in/2024/00000 wire/out/2024/00000 wire/in/2024/00001 wire/out/2024/00001
            outstanding wire/public old/ new/
        "#]]
        .assert_eq(&shown(&digest));
        assert_eq!(Digest::of(&effects[..1_000]), None);
    }

    #[test]
    fn nothing_grave_is_left_out_without_a_count() {
        let many = (0..1_500).map(|number| format!("! b{number}/x 1"));
        let effects: Vec<Effect> = many.map(|line| effect(&line)).collect();
        let digest = Digest::of(&effects).expect("it is long");
        assert_eq!(digest.folders.len() + digest.others.0, 1_500);
        let named: u64 = digest.folders.iter().map(|(_, it)| it.created).sum();
        assert_eq!(named + digest.others.1.created, 1_500);
        assert_eq!(digest.outstanding.len(), OUTSTANDING);
        assert_eq!(digest.more, [(Gravity::Shares, 1_480)]);
    }

    #[test]
    fn all_lines_are_in_a_file() {
        let room = tempfile::tempdir().expect("a folder");
        let file = room.path().join("plan-1.tsv");
        let mut odd = effect("+ b/x 3");
        odd.place = Place::thing("b", "tab\there\nand there");
        odd.copied_from = Some(Place::thing("a", "y"));
        write_lines(&[effect("- b/x 3"), odd, effect("~ b/z 4")], &file).expect("it is written");
        let text = std::fs::read_to_string(&file).expect("a file");
        expect![[r#"
            what|place|bytes before|bytes after|copied from|note
            delete|b/x|3|||
            create|b/tab\there\nand there||3|a/y|
            overwrite|b/z|4|4||
        "#]]
        .assert_eq(&text.replace('\t', "|"));
    }
}
