//! Text for objects of which a description gives only the size.

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

/// The text wraps after so many bytes.
const WIDTH: usize = 76;

/// Exactly `size` bytes of readable text, the same for the same key. It begins with
/// the name of the file and ends with a line break.
pub fn text(key: &str, size: usize) -> String {
    let name = key.rsplit('/').next().unwrap_or(key);
    let stem = name.split('.').next().unwrap_or(name);
    let title = match stem.bytes().all(|byte| byte.is_ascii_graphic()) && !stem.is_empty() {
        true => stem,
        false => "specimen",
    };
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
    // All of it is ASCII, so every cut is between characters.
    text.truncate(size.saturating_sub(1));
    if size > 0 {
        text.push('\n');
    }
    text
}

/// splitmix64, seeded with an FNV-1a hash of the key: the content of a world must
/// never change with the version of a library.
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
