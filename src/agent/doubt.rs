//! What of a prediction that keeps every rule is hardly meant. The model hears of it once;
//! what it then says stays.

use super::ask::Finding;
use super::invented::Given;
use super::misuse::misuse;
use super::needless::needless;
use super::{Agent, Prediction, Session};
use crate::dialogue::{Program, Status, Update};

impl Agent {
    /// The first thing in the programs that are new or changed that is hardly meant.
    pub(super) fn doubt(&self, session: &Session, prediction: &Prediction) -> Option<Finding> {
        let given = (self.settings.validate).then(|| Given::in_turns(session.turns()));
        let live = |update: &&Update| update.status != Status::Abandoned;
        prediction.updates.iter().filter(live).find_map(|update| {
            let program = update.program.as_ref()?;
            let doubt = self.doubt_of(program, update.status, given.as_ref())?;
            let uid = update.uid;
            Some(Finding(format!("the program of goal {uid} {doubt}")))
        })
    }

    /// The doubts that there are, each as a clause after "the program".
    fn doubt_of(&self, program: &Program, status: Status, given: Option<&Given>) -> Option<String> {
        misuse(program, &self.domain)
            .or_else(|| needless(program, status, &self.domain, &*self.world))
            .or_else(|| given.and_then(|given| given.lacks(program, &self.domain)))
    }
}
