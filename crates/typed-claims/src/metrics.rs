//! The figures of a run (section 3 of the paper): over turns, and over dialogues.

use crate::Flags;
use crate::agreement::share;

/// Counts of the desk's turns and dialogues, and of those whose claims are right. A turn that refers
/// to nothing is left out, and so is a dialogue without a turn that refers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// All turns of the desk.
    pub turns: usize,
    /// Those that refer to the base.
    pub referring: usize,
    /// Those of them that contradict nothing in it.
    pub aligned: usize,
    /// Those of them that add nothing to it.
    pub grounded: usize,
    /// Those of them that are both.
    pub correct: usize,
    /// Dialogues with a turn that refers.
    pub dialogues: usize,
    /// Those of them whose turns are all correct.
    pub correct_dialogues: usize,
    /// Dialogues without a turn that refers.
    pub silent: usize,
}

impl Figures {
    /// The figures of dialogues, each the flags of the desk's turns.
    pub fn of<'f>(dialogues: impl IntoIterator<Item = &'f [Flags]>) -> Self {
        let mut figures = Figures::default();
        for turns in dialogues {
            let referring = turns.iter().filter(|flags| flags.refers);
            let referring = referring.collect::<Vec<_>>();
            let count =
                |holds: fn(&Flags) -> bool| referring.iter().filter(|flags| holds(flags)).count();
            let correct = count(Flags::correct);
            figures.turns += turns.len();
            figures.referring += referring.len();
            figures.aligned += count(|flags| flags.aligned);
            figures.grounded += count(|flags| flags.grounded);
            figures.correct += correct;
            if referring.is_empty() {
                figures.silent += 1;
            } else {
                figures.dialogues += 1;
                figures.correct_dialogues += usize::from(correct == referring.len());
            }
        }
        figures
    }

    /// KB-Alignment: the share of referring turns that contradict nothing.
    pub fn alignment(&self) -> Option<f64> {
        share(self.aligned, self.referring)
    }

    /// KB-Grounding: the share of referring turns that add nothing.
    pub fn grounding(&self) -> Option<f64> {
        share(self.grounded, self.referring)
    }

    /// Correct Turns: the share of referring turns that are aligned and grounded.
    pub fn correct_turns(&self) -> Option<f64> {
        share(self.correct, self.referring)
    }

    /// Correct Dialogues: the share of dialogues that refer whose referring turns are all correct.
    pub fn correct_dialogues(&self) -> Option<f64> {
        share(self.correct_dialogues, self.dialogues)
    }
}
