//! Text for objects whose description gives only a size.

use serde::Deserialize;

/// The topic of a world's filler text: the `filler` of its description.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// Numbered lines that contain only the name of the file.
    #[default]
    Plain,
    /// A zoologist's observations, used by the built-in worlds.
    FieldNotes,
}

const WHO: &[&str] = &[
    "A young one",
    "An old one",
    "A pair",
    "A small group",
    "The largest one",
    "One with a ring",
    "A mother with young",
    "The one from last spring",
];
const DID: &[&str] = &[
    "was seen",
    "was heard",
    "was counted twice",
    "rested",
    "fed",
    "slept",
    "left tracks",
    "kept its distance",
];
const WHERE: &[&str] = &[
    "near the old bridge",
    "at the edge of the reserve",
    "below the north slope",
    "by the water",
    "under the large tree",
    "beside the path",
    "close to the station",
    "in the open",
];
const WHEN: &[&str] = &[
    "at dawn",
    "in the early morning",
    "around noon",
    "in the afternoon",
    "shortly after rain",
    "at dusk",
    "after dark",
    "for most of the day",
];

/// Field notes wrap after this many bytes.
const WIDTH: usize = 76;

/// Exactly `size` bytes of readable ASCII text, the same for the same theme and key. It
/// begins with the name of the file and ends with a line break.
pub fn text(theme: Theme, key: &str, size: usize) -> String {
    let mut text = match theme {
        Theme::Plain => plain(title(key).unwrap_or("object"), size),
        Theme::FieldNotes => field_notes(key, title(key).unwrap_or("specimen"), size),
    };
    // The text is ASCII, so it can be cut anywhere.
    text.truncate(size.saturating_sub(1));
    if size > 0 {
        text.push('\n');
    }
    text
}

/// The name of the file without folders and extensions, if it is printable ASCII.
fn title(key: &str) -> Option<&str> {
    let name = key.rsplit('/').next()?;
    let stem = name.split('.').next()?;
    let is_printable = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_graphic());
    is_printable.then_some(stem)
}

fn plain(title: &str, size: usize) -> String {
    let mut text = format!("Filler text: {title}\n\n");
    for line in 1.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&format!("This is line {line} of {title}.\n"));
    }
    text
}

fn field_notes(key: &str, title: &str, size: usize) -> String {
    let mut random = Random::seeded(key);
    let mut text = format!("Field notes: {title}\n\n");
    let mut column = 0;
    while text.len() < size {
        let [who, did, place, when] = [WHO, DID, WHERE, WHEN].map(|words| random.pick(words));
        for word in format!("{who} {did} {place} {when}.").split(' ') {
            if column + word.len() > WIDTH {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += word.len();
        }
    }
    text
}

/// splitmix64, seeded with an FNV-1a hash of the key. It is implemented here because an
/// update of a library must not change the content of a world.
struct Random(u64);

impl Random {
    fn seeded(key: &str) -> Self {
        Random(key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let index = (bits ^ (bits >> 31)) % words.len().max(1) as u64;
        words.get(index as usize).copied().unwrap_or_default()
    }
}
