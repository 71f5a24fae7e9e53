//! The paper's figures, to stand beside ours.

/// A row of the paper's Table 4: EMR in per cent for the settings (a), (b) and (c), BLEU
/// and code edit distance for (c); and what section 5.2 says beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaperRow {
    /// The model.
    pub model: &'static str,
    /// EMR with the API document alone.
    pub a: f64,
    /// EMR with examples alone.
    pub b: f64,
    /// EMR with both.
    pub c: f64,
    /// The share of dialogues with EMR = 1 in setting (c), in per cent, where it is said.
    pub complete: Option<f64>,
    /// BLEU of the responses in setting (c).
    pub bleu: f64,
    /// Code edit distance in setting (c).
    pub code_edits: f64,
}

impl PaperRow {
    /// EMR in per cent for a setting.
    pub fn emr(&self, setting: char) -> Option<f64> {
        match setting {
            'a' => Some(self.a),
            'b' => Some(self.b),
            'c' => Some(self.c),
            _ => None,
        }
    }
}

/// The paper's Table 4.
pub const PAPER: [PaperRow; 3] = [
    PaperRow {
        model: "Codex Davinci",
        a: 8.4,
        b: 30.0,
        c: 33.0,
        complete: Some(22.0),
        bleu: 29.5,
        code_edits: 13.2,
    },
    PaperRow {
        model: "Bloom 176B",
        a: 0.9,
        b: 7.7,
        c: 4.41,
        complete: None,
        bleu: 10.9,
        code_edits: 27.6,
    },
    PaperRow {
        model: "GPT-NeoX 20B",
        a: 3.6,
        b: 7.5,
        c: 2.59,
        complete: None,
        bleu: 13.1,
        code_edits: 23.5,
    },
];

/// The paper's Table 4, if it can stand beside a run on this domain. The paper's dialogues
/// are all about S3, so its figures say nothing about other domains.
pub fn paper_beside(domain: &str) -> &'static [PaperRow] {
    match domain {
        "s3" => &PAPER,
        _ => &[],
    }
}

/// The caution that stands wherever the paper's figures stand beside others.
pub const DATASETS_DIFFER: &str = "The paper's figures are of a dataset of its own, which was \
     never found in public.";
