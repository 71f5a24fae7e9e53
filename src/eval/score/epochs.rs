//! The spread of the EMR over epochs.

use super::sheet::Sheet;
use serde::Serialize;

/// The EMR of each epoch, and their spread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Epochs {
    /// The EMR of each epoch over the dialogues finished in it; none where none is.
    pub emr: Vec<Option<f64>>,
    /// The standard deviation of these (with n − 1); none with fewer than two.
    pub deviation: Option<f64>,
    /// The least.
    pub least: Option<f64>,
    /// The greatest.
    pub greatest: Option<f64>,
    /// The share of dialogues with several finished passes in which not all of these have
    /// the same EMR.
    pub unsteady: Option<f64>,
}

impl Epochs {
    /// The spread of a log.
    pub fn of(sheet: &Sheet<'_>) -> Self {
        let of_epoch = |epoch: u32| {
            let passes = sheet.passes().filter(|pass| pass.epoch == epoch);
            mean(&passes.filter_map(|pass| pass.emr()).collect::<Vec<_>>())
        };
        let emr: Vec<Option<f64>> = (1..=sheet.run.epochs).map(of_epoch).collect();
        let known: Vec<f64> = emr.iter().flatten().copied().collect();
        let repeated = sheet.dialogues.iter().filter(|runs| runs.passes.len() > 1);
        let differs: Vec<f64> = repeated
            .map(|runs| {
                let mut kept = runs.passes.iter().map(|pass| pass.kept());
                let first = kept.next();
                f64::from(u8::from(kept.any(|other| Some(other) != first)))
            })
            .collect();
        Epochs {
            deviation: deviation(&known),
            least: known.iter().copied().min_by(f64::total_cmp),
            greatest: known.iter().copied().max_by(f64::total_cmp),
            unsteady: mean(&differs),
            emr,
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}
